//! How are many pieces of work done at once that have nothing to do with each other?

/// What becomes of every piece, in the order given; on all processors where the feature `threads` is on, one after the other else. The answers are the same.
#[cfg(feature = "threads")]
pub(super) fn each<T: Sync, R: Send>(pieces: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use rayon::prelude::*;
    // One by one: pieces take very different times.
    pieces.par_iter().with_max_len(1).map(&work).collect()
}

/// What becomes of every piece, in the order given.
#[cfg(not(feature = "threads"))]
pub(super) fn each<T, R>(pieces: &[T], work: impl Fn(&T) -> R) -> Vec<R> {
    pieces.iter().map(&work).collect()
}

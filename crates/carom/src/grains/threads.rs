//! Who works on which block, and with how many hands?
//!
//! The work is cut into the same blocks whatever the number of threads; here they are only dealt out.

use crate::grains::Fault;

/// One thread, or several.
pub(super) enum Hands {
    One,
    #[cfg(feature = "threads")]
    Many(rayon::ThreadPool),
}

impl Hands {
    /// As many as asked for; 0: as many as the machine has. Without the feature `threads` there is one.
    #[cfg(feature = "threads")]
    pub fn new(count: usize) -> Result<Self, Fault> {
        let count = match count {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            n => n,
        };
        if count == 1 {
            return Ok(Hands::One);
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .map(Hands::Many)
            .map_err(|e| Fault::Threads {
                count,
                reason: e.to_string(),
            })
    }

    /// As many as asked for; without the feature `threads` there is one.
    #[cfg(not(feature = "threads"))]
    pub fn new(_count: usize) -> Result<Self, Fault> {
        Ok(Hands::One)
    }

    /// How many.
    pub fn count(&self) -> usize {
        match self {
            Hands::One => 1,
            #[cfg(feature = "threads")]
            Hands::Many(pool) => pool.current_num_threads(),
        }
    }

    /// Does something with every pair of entries.
    pub fn two<A: Send, B: Send>(
        &self,
        a: &mut [A],
        b: &mut [B],
        act: impl Fn(&mut A, &mut B) + Sync,
    ) {
        match self {
            Hands::One => {
                for (a, b) in a.iter_mut().zip(b) {
                    act(a, b);
                }
            }
            #[cfg(feature = "threads")]
            Hands::Many(pool) => {
                use rayon::prelude::*;
                pool.install(|| {
                    a.par_iter_mut()
                        .zip(b.par_iter_mut())
                        .with_max_len(1)
                        .for_each(|(a, b)| act(a, b));
                });
            }
        }
    }

    /// Does something with every block of two long rows and the entry that goes with it.
    pub fn blocks<A: Send, B: Send, C: Send>(
        &self,
        size: usize,
        a: &mut [A],
        b: &mut [B],
        c: &mut [C],
        act: impl Fn(&mut [A], &mut [B], &mut C) + Sync,
    ) {
        let size = size.max(1);
        match self {
            Hands::One => {
                for ((a, b), c) in a.chunks_mut(size).zip(b.chunks_mut(size)).zip(c) {
                    act(a, b, c);
                }
            }
            #[cfg(feature = "threads")]
            Hands::Many(pool) => {
                use rayon::prelude::*;
                pool.install(|| {
                    a.par_chunks_mut(size)
                        .zip(b.par_chunks_mut(size))
                        .zip(c.par_iter_mut())
                        .with_max_len(1)
                        .for_each(|((a, b), c)| act(a, b, c));
                });
            }
        }
    }
}

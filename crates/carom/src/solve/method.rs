//! What is a stepping method, as the driver sees it?
//!
//! A method keeps one accepted point and makes trial steps from it. The driver decides: it commits a trial, or asks for another one from the same point (because the method
//! itself said no, or because an event wants a shorter step). All buffers are allocated when the method is made.

/// The slope dy/ds in the integration variable s, counted.
pub(crate) trait Slope {
    /// Writes dy/ds at (s, y).
    fn eval(&mut self, s: f64, y: &[f64], dyds: &mut [f64]);
    /// Whether row `row` of the slope may depend on column `column` of the state.
    fn depends(&self, row: usize, column: usize) -> bool;
}

/// How closely each component is to be followed.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance<'a> {
    pub rtol: &'a [f64],
    pub atol: &'a [f64],
}

impl Tolerance<'_> {
    /// The size of error of component `i` that is just tolerated, between the values `a` and `b`.
    #[inline]
    pub fn scale(&self, i: usize, a: f64, b: f64) -> f64 {
        // A component that is zero throughout may have no absolute tolerance: never divide by nothing.
        (self.atol[i] + self.rtol[i] * a.abs().max(b.abs())).max(1e-290)
    }
}

/// What came of a trial step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// Whether the method finds its error small enough.
    pub accepted: bool,
    /// The largest error over the components, in units of what is tolerated; NaN or infinite if a trial value was.
    pub error: f64,
    /// The component with that error.
    pub worst: usize,
    /// Whether the far end is a state that an error was estimated of, and not what a failed iteration left.
    pub reached: bool,
    /// The step to try next: onwards if accepted, from the same point if not.
    pub next: f64,
}

/// The two ends of the step last attempted.
pub(crate) struct Ends<'a> {
    pub s0: f64,
    pub h: f64,
    pub y0: &'a [f64],
    pub f0: &'a [f64],
    pub y1: &'a [f64],
    /// The slope at the far end, at (s0 + h, y1), to the tolerance; valid after an accepted attempt.
    pub f1: &'a [f64],
}

/// Linear algebra an implicit method did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    pub jacobians: u64,
    pub factorisations: u64,
}

/// A stepping method.
pub(crate) trait Method {
    /// Whether the step is the caller's: no error estimate, nothing to shorten.
    const FIXED: bool = false;

    /// Whether the dense output is much less exact inside the step than the step is at its end: then an event is approached once more, in two steps, the second of which is short and ends just behind it.
    const WEAK_DENSE: bool = false;

    /// Whether a step that was shortened for another reason than its error may be followed by one of full length: nothing hangs on the spacing of the points.
    const LIGHT: bool = false;

    /// The power of the step with which the error of a first step falls.
    fn first_order(&self) -> u32;

    /// A new run begins, perhaps of another flow: nothing of the last one may be used.
    fn reset(&mut self) {}

    /// Starts afresh at (s, y): evaluates the slope there, forgets history.
    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]);

    /// Tries a step of size `h` > 0 from the current point. May be called again and again; nothing is remembered until `commit`.
    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt;

    /// Makes the far end of the last attempt the current point.
    fn commit(&mut self);

    /// The slope at the current point.
    fn here(&self) -> &[f64];

    /// The two ends of the last attempt, before it is committed.
    fn ends(&self) -> Ends<'_>;

    /// Makes `dense` ready for the last accepted attempt (extra evaluations where the method needs them; a second call costs nothing).
    fn prepare_dense<S: Slope>(&mut self, slope: &mut S);

    /// The state at s0 + theta·h of the last accepted attempt, 0 ≤ theta ≤ 1. After `prepare_dense`, before the commit.
    fn dense(&self, theta: f64, y: &mut [f64]);

    /// Instead of a commit: makes the point at s0 + theta·h, with the state `y`, the current one; keeps step size, order and history.
    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], tolerance: Tolerance<'_>);

    /// After a commit: the state of the current point was moved a little to `y` (by a projection); evaluates the slope anew, keeps step size, order and history.
    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]);

    /// The linear algebra done since the method was made.
    fn work(&self) -> Work {
        Work::default()
    }
}

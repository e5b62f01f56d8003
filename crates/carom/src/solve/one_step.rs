//! What do all one-step methods keep?
//!
//! The current point with its slope, and the far end of the step under trial; and the linear combinations of slopes they are made of.

use super::method::{Ends, Slope};

/// The two ends of a step.
pub(crate) struct OneStep {
    pub s: f64,
    pub h: f64,
    pub y0: Vec<f64>,
    pub f0: Vec<f64>,
    pub y1: Vec<f64>,
    pub f1: Vec<f64>,
}

impl OneStep {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            s: 0.0,
            h: 0.0,
            y0: zeros(),
            f0: zeros(),
            y1: zeros(),
            f1: zeros(),
        }
    }

    /// Starts at (s, y).
    pub fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.s = s;
        self.moved(slope, y);
    }

    /// The far end becomes the current point.
    #[inline]
    pub fn commit(&mut self) {
        self.s += self.h;
        std::mem::swap(&mut self.y0, &mut self.y1);
        std::mem::swap(&mut self.f0, &mut self.f1);
    }

    /// A point inside the step becomes the current one.
    pub fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64]) {
        self.s += theta * self.h;
        self.moved(slope, y);
    }

    /// The current point has a new state.
    pub fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.y0.copy_from_slice(y);
        slope.eval(self.s, y, &mut self.f0);
    }

    pub fn ends(&self) -> Ends<'_> {
        Ends {
            s0: self.s,
            h: self.h,
            y0: &self.y0,
            f0: &self.f0,
            y1: &self.y1,
            f1: &self.f1,
        }
    }
}

/// The weights of the change and of the two slopes in the cubic at the fraction `theta` of a step.
#[inline]
pub(crate) fn cubic_weights(theta: f64) -> [f64; 3] {
    let (x, z) = (theta, 1.0 - theta);
    [x * x * (3.0 - 2.0 * x), x * z * z, -x * x * z]
}

impl Ends<'_> {
    /// The cubic through both states with both slopes, at the place that has these weights: free, exact to third order, and very close near the ends.
    #[inline]
    pub fn cubic(&self, [change, near, far]: [f64; 3], y: &mut [f64]) {
        let n = y.len();
        let (y0, y1) = (&self.y0[..n], &self.y1[..n]);
        let (f0, f1) = (&self.f0[..n], &self.f1[..n]);
        let (near, far) = (self.h * near, self.h * far);
        for i in 0..n {
            y[i] = y0[i] + (change * (y1[i] - y0[i]) + (near * f0[i] + far * f1[i]));
        }
    }
}

/// `linear!(n, out = y + h * [a k, b l, …])` writes y + h·(a·k + b·l + …) for all components; `linear!(i, [a k, b l, …])` is the sum for component `i`.
///
/// The last slope is the newest, and everything waits for it: it is added last, by itself, so that the rest is done by then.
macro_rules! linear {
    ($i:ident, [$a:ident $k:ident $(, $b:ident $l:ident)*]) => {
        ($a * $k[$i] $(+ $b * $l[$i])*)
    };
    ($n:ident, $out:ident = $y:ident + $h:ident * [$a:ident $k:ident]) => {
        for i in 0..$n {
            $out[i] = $y[i] + ($h * $a) * $k[i];
        }
    };
    ($n:ident, $out:ident = $y:ident + $h:ident * [$($a:ident $k:ident),+ ; $b:ident $l:ident]) => {
        for i in 0..$n {
            $out[i] = ($y[i] + $h * linear!(i, [$($a $k),+])) + ($h * $b) * $l[i];
        }
    };
}
pub(crate) use linear;

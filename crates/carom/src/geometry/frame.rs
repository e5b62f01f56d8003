//! Where does a body stand, and how are its points seen from there?

use crate::math;

/// Where a body's axes stand in the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The origin of the body's axes, m.
    pub at: [f64; 2],
    /// Cosine of the body's angle.
    pub cos: f64,
    /// Sine of the body's angle.
    pub sin: f64,
}

impl Frame {
    /// The ground's own axes.
    pub const GROUND: Frame = Frame {
        at: [0.0; 2],
        cos: 1.0,
        sin: 0.0,
    };

    /// At a place (m), turned by an angle (rad).
    pub fn new(at: [f64; 2], angle: f64) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self { at, cos, sin }
    }

    /// A vector of the body in ground axes.
    #[inline]
    pub fn rotate(&self, v: [f64; 2]) -> [f64; 2] {
        [
            self.cos * v[0] - self.sin * v[1],
            self.sin * v[0] + self.cos * v[1],
        ]
    }

    /// A vector of the ground in the body's axes.
    #[inline]
    pub fn unrotate(&self, v: [f64; 2]) -> [f64; 2] {
        [
            self.cos * v[0] + self.sin * v[1],
            self.cos * v[1] - self.sin * v[0],
        ]
    }

    /// A point of the body in ground axes.
    #[inline]
    pub fn point(&self, p: [f64; 2]) -> [f64; 2] {
        plus(self.at, self.rotate(p))
    }

    /// This frame seen from another: distances are taken first, so that bodies far from the origin lose no more digits than they must.
    #[inline]
    pub(crate) fn seen_from(&self, other: &Frame) -> Frame {
        Frame {
            at: other.unrotate(minus(self.at, other.at)),
            cos: self.cos * other.cos + self.sin * other.sin,
            sin: self.sin * other.cos - self.cos * other.sin,
        }
    }

    /// A point of the axes this frame is written in, in the frame's own axes.
    #[inline]
    pub(crate) fn inward(&self, p: [f64; 2]) -> [f64; 2] {
        self.unrotate(minus(p, self.at))
    }
}

/// a + b.
#[inline]
pub(crate) fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// a − b.
#[inline]
pub(crate) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// a + k b.
#[inline]
pub(crate) fn along(a: [f64; 2], k: f64, b: [f64; 2]) -> [f64; 2] {
    [a[0] + k * b[0], a[1] + k * b[1]]
}

/// k a.
#[inline]
pub(crate) fn times(k: f64, a: [f64; 2]) -> [f64; 2] {
    [k * a[0], k * a[1]]
}

/// The scalar product.
#[inline]
pub(crate) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The plane's cross product a × b.
#[inline]
pub(crate) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Turned by 90° clockwise: from the direction of a walk with the solid on its left to the outward normal.
#[inline]
pub(crate) fn right(a: [f64; 2]) -> [f64; 2] {
    [a[1], -a[0]]
}

/// The length.
#[inline]
pub(crate) fn norm(a: [f64; 2]) -> f64 {
    math::sqrt(dot(a, a))
}

/// The vector at length 1, and its length; the second vector where it has none.
#[inline]
pub(crate) fn unit(a: [f64; 2], otherwise: [f64; 2]) -> ([f64; 2], f64) {
    let length = norm(a);
    if length > f64::MIN_POSITIVE {
        ([a[0] / length, a[1] / length], length)
    } else {
        (otherwise, length)
    }
}

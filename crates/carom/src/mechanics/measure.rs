//! What can be measured between two places: differences, directions, distance, bearing, and how fast does each change?
//!
//! Joints, drivers and springs are all made of these few measures; only here are derivatives written by hand.

use crate::math;
use crate::mechanics::frame::{Spot, dot, minus, turned};

/// A number m(q) between two places with its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Its value.
    pub value: f64,
    /// Its derivatives by (x, y, φ) of the first and of the second body.
    pub by: [[f64; 3]; 2],
    /// Its time derivative.
    pub rate: f64,
    /// Its second time derivative if no body were accelerated: (m_q v)_q v.
    pub second: f64,
}

/// The derivatives of u · (b − a) with u held.
#[inline]
fn by(a: &Spot, b: &Spot, u: [f64; 2]) -> [[f64; 3]; 2] {
    [a.by([-u[0], -u[1]]), b.by(u)]
}

/// b − a: positions, velocities, and accelerations with the bodies not accelerated.
#[inline]
fn apart(a: &Spot, b: &Spot) -> [[f64; 2]; 3] {
    [
        minus(b.position, a.position),
        minus(b.velocity, a.velocity),
        minus(b.centripetal(), a.centripetal()),
    ]
}

impl Measure {
    /// How far the second point is from the first along a fixed direction of the ground, m.
    #[inline]
    pub fn fixed(a: &Spot, b: &Spot, u: [f64; 2]) -> Self {
        let [p, w, c] = apart(a, b);
        Self {
            value: dot(u, p),
            by: by(a, b, u),
            rate: dot(u, w),
            second: dot(u, c),
        }
    }

    /// How far the second point is from the first along the first place's direction, m.
    #[inline]
    pub fn along(a: &Spot, b: &Spot) -> Self {
        Self::carried(a, b, a.along)
    }

    /// How far the second point is from the first across the first place's direction (90° counter-clockwise from it), m.
    #[inline]
    pub fn across(a: &Spot, b: &Spot) -> Self {
        Self::carried(a, b, a.across())
    }

    /// Along a unit vector that the first body carries with it.
    #[inline]
    fn carried(a: &Spot, b: &Spot, u: [f64; 2]) -> Self {
        let [p, w, c] = apart(a, b);
        let n = turned(u);
        let mut by = by(a, b, u);
        by[0][2] += dot(n, p);
        let value = dot(u, p);
        Self {
            value,
            by,
            rate: dot(u, w) + a.omega * dot(n, p),
            second: dot(u, c) + a.omega * (2.0 * dot(n, w) - a.omega * value),
        }
    }

    /// The angle of the second place's direction from the first's, rad; counts whole turns.
    #[inline]
    pub fn turn(a: &Spot, b: &Spot) -> Self {
        Self {
            value: b.angle - a.angle,
            by: [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]],
            rate: b.omega - a.omega,
            second: 0.0,
        }
    }

    /// The distance of the points, m. Not a number's business where the points coincide: the derivatives are NaN there.
    #[inline]
    pub fn distance(a: &Spot, b: &Spot) -> Self {
        let [p, w, c] = apart(a, b);
        let value = math::sqrt(dot(p, p));
        let u = p.map(|x| x / value);
        let rate = dot(u, w);
        let sideways = dot(turned(u), w);
        Self {
            value,
            by: by(a, b, u),
            rate,
            second: dot(u, c) + sideways * sideways / value,
        }
    }

    /// (d² − l²)/(2 l) of the distance d, m: zero where d is l, with the slope of d there, and smooth everywhere.
    #[inline]
    pub fn beyond(a: &Spot, b: &Spot, l: f64) -> Self {
        let [p, w, c] = apart(a, b);
        let u = p.map(|x| x / l);
        Self {
            value: 0.5 * (dot(u, p) - l),
            by: by(a, b, u),
            rate: dot(u, w),
            second: dot(u, c) + dot(w, w) / l,
        }
    }

    /// The angle of the line from the first point to the second, −π…π rad; its derivatives are NaN where the points coincide.
    #[inline]
    pub fn bearing(a: &Spot, b: &Spot) -> Self {
        let [p, w, c] = apart(a, b);
        let square = dot(p, p);
        let g = turned(p).map(|x| x / square);
        let rate = dot(g, w);
        Self {
            value: math::atan2(p[1], p[0]),
            by: by(a, b, g),
            rate,
            second: dot(g, c) - 2.0 * rate * dot(p, w) / square,
        }
    }

    /// Without the whole turns in it: between −π and π, rad.
    #[inline]
    pub fn unwound(mut self) -> Self {
        self.value = unwound(self.value, core::f64::consts::TAU);
        self
    }

    /// `factor` times the measure.
    #[inline]
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: factor * self.value,
            by: self.by.map(|side| side.map(|x| factor * x)),
            rate: factor * self.rate,
            second: factor * self.second,
        }
    }

    /// The sum of two measures of the same two places.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        let mut sum = self;
        sum.value += other.value;
        sum.rate += other.rate;
        sum.second += other.second;
        for (side, more) in sum.by.iter_mut().zip(other.by) {
            for (x, y) in side.iter_mut().zip(more) {
                *x += y;
            }
        }
        sum
    }
}

/// x without whole periods: the value nearest to zero.
#[inline]
pub(crate) fn unwound(x: f64, period: f64) -> f64 {
    // Nothing to take off, in almost every case: the division would be the slowest part of a guide.
    if x.abs() < 0.25 * period {
        return x;
    }
    x - period * (x / period + 0.5).floor()
}

//! Which shapes do the forces of contact laws have, and how large is a force?
//!
//! Every law is an elastic part of the indentation and a damper beside it. Both are small values without memory on the heap: a force costs a few comparisons and
//! the powers it needs. Only a force that the user wrote is a function that is shared, and called twice.

use crate::math;

use super::cylinder::{Clearance, Cylinder};
use super::own::Acting;
use super::plastic::{Plastic, Unloading};
use super::state_or_volume::{Lag, Overlap, Relaxing};

/// Where a contact is: what a force depends on besides the law's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Indentation δ, m; positive in contact.
    pub delta: f64,
    /// Its rate v, m/s; positive approaching.
    pub rate: f64,
    /// Time since touch, s. Only laws that relax read it.
    pub time: f64,
    /// The law's own variable, if it has one (its unit is the law's).
    pub own: f64,
}

impl State {
    /// Indentation in m and its rate in m/s; for laws that read neither time nor a variable of their own.
    #[inline]
    pub fn new(delta: f64, rate: f64) -> Self {
        Self {
            delta,
            rate,
            time: 0.0,
            own: 0.0,
        }
    }
}

/// What a law remembers of the contact it is in. It moves at events only, never inside a trial step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Whether the indentation is growing for the first time, or beyond the deepest point so far.
    pub loading: bool,
    /// The deepest indentation so far, m; known from the first turn on.
    pub deepest: f64,
    /// The way back of a law with permanent indentation, fixed at the deepest point.
    pub unloading: Unloading,
}

impl Memory {
    /// At touch.
    pub(crate) const START: Memory = Memory {
        loading: true,
        deepest: 0.0,
        unloading: Unloading::NONE,
    };
}

/// A contact force in its two parts, N; positive pushes the bodies apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force {
    /// The part that does not depend on the rate. Of a law with permanent indentation all of the force: what such a law loses shows in the stored energy.
    pub elastic: f64,
    /// The rest: its power is dissipation.
    pub dissipative: f64,
}

impl Force {
    /// Both parts together, N.
    #[inline]
    pub fn total(&self) -> f64 {
        self.elastic + self.dissipative
    }
}

/// An exponent; the usual ones need no general power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exponent {
    /// 0
    Zero,
    /// 1/4
    Quarter,
    /// 1/2
    Half,
    /// 1
    One,
    /// 3/2
    ThreeHalves,
    /// 2
    Two,
    /// Any other.
    General(f64),
}

impl Exponent {
    /// The exponent of this value.
    pub fn new(p: f64) -> Self {
        match p {
            0.0 => Self::Zero,
            0.25 => Self::Quarter,
            0.5 => Self::Half,
            1.0 => Self::One,
            1.5 => Self::ThreeHalves,
            2.0 => Self::Two,
            _ => Self::General(p),
        }
    }

    /// Its value.
    pub fn value(self) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::Quarter => 0.25,
            Self::Half => 0.5,
            Self::One => 1.0,
            Self::ThreeHalves => 1.5,
            Self::Two => 2.0,
            Self::General(p) => p,
        }
    }

    /// x raised to it; a negative x counts as zero.
    #[inline]
    pub fn raise(self, x: f64) -> f64 {
        // A comparison that is nearly always true costs less than a maximum.
        if !(x > 0.0) {
            return if self == Self::Zero { 1.0 } else { 0.0 };
        }
        match self {
            Self::General(p) => math::powf(x, p),
            Self::Zero => 1.0,
            Self::Quarter => math::sqrt(math::sqrt(x)),
            Self::Half => math::sqrt(x),
            Self::One => x,
            Self::ThreeHalves => x * math::sqrt(x),
            Self::Two => x * x,
        }
    }
}

/// The part of the force that depends on the indentation alone.
#[derive(Clone, Debug, PartialEq)]
pub enum Elastic {
    /// K δ^n.
    Power {
        /// K, N/m^n.
        k: f64,
        /// n.
        n: Exponent,
    },
    /// The root F of δ = F s (ln(C/F) + 1).
    Cylinder(Cylinder),
    /// a δ √(δ/(c + δ)).
    Clearance(Clearance),
    /// A loading curve and another way back.
    Plastic(Plastic),
    /// k V, V the volume of the overlap.
    Volume {
        /// k, N/m³.
        k: f64,
        /// The bodies.
        overlap: Overlap,
    },
    /// What the user wrote, at rest.
    Own(Acting),
}

impl Elastic {
    /// K δ^n.
    pub(crate) fn power(k: f64, n: f64) -> Self {
        Self::Power {
            k,
            n: Exponent::new(n),
        }
    }

    /// The force while loading for the first time, N.
    pub fn loading(&self, delta: f64) -> f64 {
        match *self {
            Self::Power { k, n } => k * n.raise(delta),
            Self::Cylinder(cylinder) => cylinder.force(delta),
            Self::Clearance(clearance) => clearance.force(delta),
            Self::Plastic(ref plastic) => plastic.loading(delta),
            Self::Volume { k, ref overlap } => k * overlap.volume(delta),
            Self::Own(ref acting) => acting.elastic(delta),
        }
    }

    /// The force, N, on the way that the memory says.
    #[inline]
    pub(crate) fn force(&self, delta: f64, memory: &Memory) -> f64 {
        match self {
            Self::Power { k, n } => k * n.raise(delta),
            _ => self.other_force(delta, memory),
        }
    }

    /// As [`Elastic::force`], apart: the power law is to stay small enough to be built into the loop of an integrator.
    #[inline(never)]
    fn other_force(&self, delta: f64, memory: &Memory) -> f64 {
        match self {
            Self::Plastic(_) if !memory.loading => memory.unloading.force(delta),
            _ => self.loading(delta),
        }
    }

    /// The energy that would come back if the indentation were taken off from here, J.
    pub(crate) fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        match self {
            Self::Plastic(plastic) if memory.loading => plastic.unloading(delta).work(delta),
            Self::Plastic(_) => memory.unloading.work(delta),
            _ => self.work(delta),
        }
    }

    /// How much indentation is left before the bodies part at the permanent one, m.
    #[inline]
    pub(crate) fn left(&self, delta: f64, memory: &Memory) -> f64 {
        match self {
            Self::Plastic(_) if !memory.loading => delta - memory.unloading.permanent,
            _ => delta,
        }
    }

    /// The work done by loading from zero to this indentation, J.
    pub fn work(&self, delta: f64) -> f64 {
        let delta = delta.max(0.0);
        match *self {
            Self::Power { k, n } => k * delta * n.raise(delta) / (n.value() + 1.0),
            Self::Cylinder(cylinder) => cylinder.work(delta),
            Self::Clearance(clearance) => clearance.work(delta),
            Self::Plastic(ref plastic) => plastic.work(delta),
            Self::Volume { k, ref overlap } => k * overlap.work(delta),
            Self::Own(ref acting) => acting.work(delta),
        }
    }

    /// The indentation at which loading has taken this energy (J), m; not beyond [`Elastic::limit`].
    pub fn depth(&self, energy: f64) -> f64 {
        match *self {
            Self::Power { k, n } => {
                let n = n.value();
                math::powf((n + 1.0) * energy / k, 1.0 / (n + 1.0))
            }
            Self::Cylinder(cylinder) => cylinder.depth(energy),
            Self::Clearance(clearance) => clearance.depth(energy),
            Self::Plastic(ref plastic) => plastic.depth(energy),
            Self::Volume { k, ref overlap } => overlap.depth(energy / k),
            Self::Own(ref acting) => acting.depth(energy),
        }
    }

    /// The largest indentation for which there is a force, m.
    pub fn limit(&self) -> f64 {
        match self {
            Self::Power { .. } | Self::Clearance(_) | Self::Plastic(_) | Self::Own(_) => {
                f64::INFINITY
            }
            Self::Cylinder(cylinder) => cylinder.limit(),
            Self::Volume { overlap, .. } => overlap.limit(),
        }
    }

    /// Whether every coefficient is a finite number.
    fn is_finite(&self) -> bool {
        match *self {
            Self::Power { k, n } => k.is_finite() && n.value().is_finite(),
            Self::Cylinder(cylinder) => cylinder.is_finite(),
            Self::Clearance(clearance) => clearance.is_finite(),
            Self::Plastic(ref plastic) => plastic.is_finite(),
            Self::Volume { k, ref overlap } => (k * overlap.work(overlap.limit())).is_finite(),
            // Told where a contact begins, with the place.
            Self::Own(_) => true,
        }
    }
}

/// The part of the force beside the elastic one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damper {
    /// Nothing.
    None,
    /// F_el · h v/v0.
    Factor {
        /// h / v0, s/m.
        per_speed: f64,
    },
    /// c δ^p v.
    Power {
        /// c, N s/m^(1+p).
        c: f64,
        /// p.
        p: Exponent,
    },
    /// c δ^p v while approaching, nothing while parting.
    Approach {
        /// c, N s/m^(1+p).
        c: f64,
        /// p.
        p: Exponent,
    },
    /// While parting the elastic force counts only with this factor.
    Parting {
        /// The factor.
        factor: f64,
    },
    /// c δ^p sgn(v) abs(v)^q; the whole force not below `floor` times its elastic part.
    Signed {
        /// c, N s^q/m^(p+q).
        c: f64,
        /// p.
        p: Exponent,
        /// q.
        q: Exponent,
        /// Least part of the elastic force that is left; minus infinity: none.
        floor: f64,
    },
    /// A variable that follows the indentation behind time.
    Lag(Lag),
    /// c (1 − e^(−t/T)) √δ v.
    Relaxing(Relaxing),
    /// c dV/dt, V the volume of the overlap.
    Volume {
        /// c, N s/m³.
        c: f64,
        /// The bodies.
        overlap: Overlap,
    },
    /// What the user wrote, less its elastic part. It belongs to [`Elastic::Own`]; beside another one it is nothing.
    Own,
}

impl Damper {
    /// c δ^p v.
    pub(crate) fn power(c: f64, p: f64) -> Self {
        Self::Power {
            c,
            p: Exponent::new(p),
        }
    }

    /// The dissipative force, N, beside this elastic one of this shape.
    #[inline]
    fn force(&self, elastic: f64, shape: &Elastic, s: &State, memory: &Memory) -> f64 {
        match *self {
            Self::None => 0.0,
            Self::Factor { per_speed } => elastic * (per_speed * s.rate),
            Self::Power { c, p } => c * p.raise(s.delta) * s.rate,
            _ => self.other_force(elastic, shape, s, memory),
        }
    }

    /// As [`Damper::force`], apart for the same reason.
    #[inline(never)]
    fn other_force(&self, elastic: f64, shape: &Elastic, s: &State, memory: &Memory) -> f64 {
        match *self {
            Self::None | Self::Factor { .. } | Self::Power { .. } => {
                self.force(elastic, shape, s, memory)
            }
            Self::Approach { c, p } => {
                if memory.loading {
                    c * p.raise(s.delta) * s.rate
                } else {
                    0.0
                }
            }
            Self::Parting { factor } => {
                if memory.loading {
                    0.0
                } else {
                    (factor - 1.0) * elastic
                }
            }
            Self::Signed { c, p, q, floor } => {
                let damping = c * p.raise(s.delta) * q.raise(s.rate.abs()) * sign(s.rate);
                damping.max((floor - 1.0) * elastic)
            }
            Self::Lag(ref lag) => lag.force(elastic, s.own),
            Self::Relaxing(ref relaxing) => relaxing.force(s),
            Self::Volume { c, ref overlap } => c * overlap.area(s.delta) * s.rate,
            Self::Own => match shape {
                Elastic::Own(acting) => acting.total(s, memory) - elastic,
                _ => 0.0,
            },
        }
    }

    /// Changes its sign where the force has a corner: where it begins or ends to be cut off. `None` if it has no corner.
    #[inline]
    fn corner(&self, elastic: f64, s: &State) -> Option<f64> {
        match *self {
            Self::Signed { c, p, q, floor } if floor.is_finite() => {
                // Over the damper's power of the indentation: both parts vanish with it.
                let damping = c * q.raise(s.rate.abs()) * sign(s.rate);
                let power = p.raise(s.delta);
                Some(if power > 0.0 {
                    damping + (1.0 - floor) * elastic / power
                } else {
                    damping
                })
            }
            _ => None,
        }
    }

    /// Whether it tells approaching from parting.
    fn has_phases(&self) -> bool {
        matches!(self, Self::Approach { .. } | Self::Parting { .. })
    }

    /// The power of the indentation that the damper starts with; `None` if the damper is a factor of the elastic force or cannot pull.
    fn leading(&self) -> Option<Exponent> {
        match *self {
            Self::Power { p, .. } => Some(p),
            Self::Signed { p, floor, .. } if floor < 0.0 => Some(p),
            Self::Volume { .. } => Some(Exponent::One),
            _ => None,
        }
    }

    /// The coefficient that a calibration may move: h/v0, c or the factor.
    pub fn coefficient(&self) -> Option<f64> {
        match *self {
            Self::None => None,
            Self::Factor { per_speed } => Some(per_speed),
            Self::Power { c, .. } | Self::Approach { c, .. } | Self::Signed { c, .. } => Some(c),
            Self::Parting { factor } => Some(factor),
            Self::Lag(lag) => Some(lag.beta2),
            Self::Relaxing(_) | Self::Own => None,
            Self::Volume { c, .. } => Some(c),
        }
    }

    /// The same damper with another coefficient.
    pub(crate) fn with_coefficient(mut self, value: f64) -> Self {
        match &mut self {
            Self::None => {}
            Self::Factor { per_speed } => *per_speed = value,
            Self::Power { c, .. } | Self::Approach { c, .. } | Self::Signed { c, .. } => *c = value,
            Self::Parting { factor } => *factor = value,
            Self::Lag(lag) => lag.beta2 = value,
            Self::Relaxing(_) | Self::Own => {}
            Self::Volume { c, .. } => *c = value,
        }
        self
    }

    fn is_finite(&self) -> bool {
        match self {
            Self::Lag(lag) => lag.is_finite(),
            Self::Relaxing(relaxing) => relaxing.is_finite(),
            _ => self.coefficient().is_none_or(f64::is_finite),
        }
    }
}

/// An elastic part and a damper: what a law becomes once the contact has begun.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The elastic part.
    pub elastic: Elastic,
    /// The damper.
    pub damper: Damper,
}

impl Form {
    /// Whether all coefficients are finite: they may overflow although every parameter is in range.
    pub(crate) fn is_finite(&self) -> bool {
        self.elastic.is_finite() && self.damper.is_finite()
    }

    /// The force, N.
    #[inline]
    pub(crate) fn force(&self, s: &State, memory: &Memory) -> Force {
        let elastic = self.elastic.force(s.delta, memory);
        Force {
            elastic,
            dissipative: self.damper.force(elastic, &self.elastic, s, memory),
        }
    }

    /// Whether it tells approaching from parting, so that the deepest point must be an event.
    #[inline]
    pub(crate) fn has_phases(&self) -> bool {
        match &self.elastic {
            Elastic::Own(acting) => acting.has_phases(),
            _ => self.damper.has_phases(),
        }
    }

    /// Changes its sign at a corner of the force; `None` if it has none.
    #[inline]
    pub(crate) fn corner(&self, s: &State, memory: &Memory) -> Option<f64> {
        let elastic = self.elastic.force(s.delta, memory);
        self.damper.corner(elastic, s)
    }

    /// The force divided by the power of the indentation that it starts with: it has the sign of the force and does not vanish with the indentation.
    pub(crate) fn leading_force(&self, s: &State, memory: &Memory) -> f64 {
        if let Elastic::Own(acting) = &self.elastic {
            return acting.leading_force(s, memory);
        }
        match self.damper {
            Damper::Lag(lag) => return lag.leading_force(self.elastic.loading(s.delta), s.own),
            Damper::Relaxing(r) => return r.leading_force(self.elastic.loading(s.delta), s),
            _ => {}
        }
        match self.damper.leading() {
            // At no indentation, or one whose power is too small for a float, only the damper is left, with its own power divided out.
            Some(p) if s.delta <= 0.0 || p.raise(s.delta) == 0.0 => {
                self.damper.coefficient().unwrap_or(1.0) * s.rate
            }
            Some(p) => self.force(s, memory).total() / p.raise(s.delta),
            None => f64::INFINITY,
        }
    }
}

/// −1, 0 or 1.
#[inline]
pub(crate) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_exponents_raise_like_the_general_power() {
        for p in [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 1.08, 0.65] {
            for x in [1e-9_f64, 1e-5, 0.3, 1.0, 7.0] {
                let raised = Exponent::new(p).raise(x);
                assert!((raised / x.powf(p) - 1.0).abs() < 4e-16, "{x}^{p}");
            }
            assert_eq!(Exponent::new(p).value(), p);
        }
    }
}

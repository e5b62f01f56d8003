//! How is a free impact put to the integrator?

use std::borrow::Cow;

use crate::contact::{Damper, Elastic, Exponent, Separation, State, Touch};
use crate::math;
use crate::solve::{Action, Fired, Flow, Phase, Watch};

use super::known;
use super::lab::Moment;

/// The guards, in order.
const INDENTATION: usize = 0;
const SEPARATION: usize = 1;
const TURN: usize = 2;
const LIMIT: usize = 3;
const CORNER: usize = 4;
const PEAK: usize = 5;

/// The first components of the state: the root x of the indentation, and its rate. Then, where they are followed, time, dissipated energy and the law's own variable.
///
/// A force that starts and ends like δ^(3/2) is not smooth in time where δ = 0. With δ = x^q and the variable σ of dt = q x^(q−1) dσ the motion is: x′ = v, v′ = −q x^(q−1) F/m. For
/// q = 2 (q = 4 where a power of 1/4 occurs) both ends are as smooth as the middle; for exponents that are no multiple of 1/4 they are smooth enough with q = 3: of 20 000 random
/// impacts at rtol 1e-8 the worst was off by 9e-9 in place of 4e-7.
const ROOT: usize = 0;
const RATE: usize = 1;
const TIME: usize = 2;
const LOSS: usize = 3;
/// At most.
pub(super) const SIZE: usize = 5;

/// The motion of one impact.
#[derive(Clone)]
pub(super) struct Motion {
    pub touch: Touch,
    /// Whether moments and energy are noted, or only the end looked for.
    detail: bool,
    size: usize,
    timed: bool,
    guards: usize,
    inverse_mass: f64,
    /// q is 1 to 4.
    q: i32,
    /// Whether x^(q−1) keeps its sign beyond zero: the continuation that is smooth depends on the law.
    even: bool,
    depth: f64,
    duration: f64,
    rtol: f64,
    pub deepest: Option<Moment>,
    pub stored_max: f64,
    pub peak: Moment,
    pub least: f64,
    /// Whether a corner of the force has been met.
    cornered: bool,
    /// Whether the run was stopped because the law has no force beyond.
    pub beyond_limit: bool,
}

/// How deep and how long an impact will be, roughly but never far too much: m and s.
pub(crate) fn scales(touch: &Touch) -> (f64, f64) {
    let (v0, mass) = (touch.v0(), touch.mass());
    if let Elastic::Own(acting) = touch.elastic() {
        return (acting.reach(), 2.943 * acting.reach() / v0);
    }
    let elastic = touch.elastic_depth();
    // Where the damper alone would stop the mass.
    let damped = match *touch.damper() {
        Damper::Power { c, p } | Damper::Approach { c, p } if c > 0.0 => {
            let p = p.value() + 1.0;
            math::powf(p * mass * v0 / c, 1.0 / p)
        }
        Damper::Factor { per_speed } if per_speed > 0.0 => {
            let share = crate::contact::closed::stored_share(per_speed * v0);
            touch.elastic().depth(0.5 * mass * v0 * v0 * share)
        }
        _ => elastic,
    };
    let depth = elastic.min(damped);
    (depth, 2.943 * depth / v0)
}

impl Motion {
    pub fn new(touch: Touch, rtol: f64, detail: bool) -> Self {
        let (depth, duration) = scales(&touch);
        let phases = touch.switch_guard(&State::new(0.0, touch.v0())).is_some();
        let timed = detail || touch.reads_time();
        // Only those that are needed: a guard costs a little at every point that is looked at.
        let guards = 1 + if detail {
            PEAK
        } else if touch.corner_guard(&State::default()).is_some() {
            CORNER
        } else if touch.limit().is_finite() {
            LIMIT
        } else if phases {
            TURN
        } else if touch.separation() != Separation::ZeroIndentation {
            SEPARATION
        } else {
            INDENTATION
        };
        let start = State::new(0.0, touch.v0());
        let mut motion = Self {
            detail,
            size: 2 + usize::from(timed) + usize::from(detail) + usize::from(touch.has_own()),
            timed,
            guards,
            inverse_mass: 1.0 / touch.mass(),
            q: root(&touch),
            even: match touch.elastic() {
                Elastic::Own(acting) => acting.root().1,
                _ => matches!(
                    touch.damper(),
                    Damper::None
                        | Damper::Factor { .. }
                        | Damper::Approach { .. }
                        | Damper::Parting { .. }
                ),
            },
            depth,
            duration,
            rtol,
            deepest: None,
            stored_max: 0.0,
            peak: Moment::default(),
            least: 0.0,
            cornered: false,
            beyond_limit: false,
            touch,
        };
        motion.peak = motion.moment(&start);
        motion.least = motion.peak.force;
        motion
    }

    /// How many components the state has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The start: y[..size].
    pub fn start(&self) -> [f64; SIZE] {
        [0.0, self.touch.v0(), 0.0, 0.0, 0.0]
    }

    /// The deepest x.
    fn extent(&self) -> f64 {
        extent(self.depth, self.q)
    }

    /// How long the impact lasts in σ, roughly.
    fn span(&self) -> f64 {
        2.943 * self.extent() / self.touch.v0()
    }

    pub fn first_step(&self) -> f64 {
        self.span() / 40.0
    }

    /// A σ by which every contact that ends has ended: what is left of the speed takes it back over the depth.
    pub fn patience(&self) -> f64 {
        patience(&self.touch) * self.span()
    }

    /// The indentation of x: mirrored beyond zero.
    #[inline]
    fn delta(&self, x: f64) -> f64 {
        match self.q {
            1 => x,
            2 => x * x,
            3 => x * x * x.abs(),
            _ => x * x * (x * x),
        }
    }

    /// q x^(q−1) = dt/dσ.
    #[inline]
    fn pace(&self, x: f64) -> f64 {
        match self.q {
            1 => 1.0,
            2 => 2.0 * if self.even { x.abs() } else { x },
            3 => 3.0 * x * if self.even { x } else { x.abs() },
            _ => 4.0 * x * x * if self.even { x.abs() } else { x },
        }
    }

    #[inline]
    pub fn state(&self, y: &[f64]) -> State {
        State {
            delta: self.delta(y[ROOT]),
            rate: y[RATE],
            time: if self.timed { y[TIME] } else { 0.0 },
            own: if self.touch.has_own() {
                y[self.size - 1]
            } else {
                0.0
            },
        }
    }

    pub fn moment(&self, s: &State) -> Moment {
        Moment {
            time: s.time,
            delta: s.delta,
            rate: s.rate,
            force: self.touch.force(s).total(),
        }
    }

    /// Cuts the step at a corner of the force, once: a contact that creeps back runs along its corner.
    fn at_corner(&mut self, fired: &Fired<'_>) -> Action {
        if fired.contains(CORNER) && !self.cornered {
            self.cornered = true;
            return Action::Resume;
        }
        Action::Continue
    }

    /// Notes a point where the force may be the largest or the least.
    pub fn note(&mut self, s: &State) {
        let moment = self.moment(s);
        if moment.force > self.peak.force {
            self.peak = moment;
        }
        self.least = self.least.min(moment.force);
    }

    /// The rate of change of the force along the motion, by a central difference: good to some 1e-10 of its size, and only its sign counts. Where the force does not change (it is cut off, or
    /// creeps) it counts as falling, so that rounding makes no peaks.
    fn force_slope(&self, s: &State) -> f64 {
        let step = 1e-5 * self.duration + 1e-6 * s.time;
        let force = self.touch.force(s).total();
        let acceleration = -force * self.inverse_mass;
        let own = self.touch.own_rate(s);
        let at = |h: f64| {
            self.touch
                .force(&State {
                    delta: s.delta + h * s.rate,
                    rate: s.rate + h * acceleration,
                    time: s.time + h,
                    own: s.own + h * own,
                })
                .total()
        };
        at(step) - at(-step) - 1e-14 * (force.abs() + self.peak.force)
    }
}

/// How many times as long as without damping a contact is waited for.
pub(super) fn patience(touch: &Touch) -> f64 {
    match known::restitution(touch) {
        Some(e) if e > 0.0 => 1e4 + 100.0 / e,
        _ => 1e4,
    }
}

/// Whether the motion creeps back, slow against what holds it: a matter for an implicit method.
pub(super) fn is_stiff(touch: &Touch) -> bool {
    touch.has_own() || known::restitution(touch).is_some_and(|e| e < 3e-3)
}

/// The x of an indentation.
pub(super) fn extent(delta: f64, q: i32) -> f64 {
    match q {
        1 => delta,
        2 => math::sqrt(delta),
        3 => math::cbrt(delta),
        _ => math::sqrt(math::sqrt(delta)),
    }
}

/// The q that makes the motion smooth at its ends.
pub(super) fn root(touch: &Touch) -> i32 {
    let of = |e: Exponent| match e {
        Exponent::Zero | Exponent::One | Exponent::Two => 1,
        Exponent::Quarter => 4,
        Exponent::General(_) => 3,
        _ => 2,
    };
    let damper = match *touch.damper() {
        Damper::Power { c, p } | Damper::Approach { c, p } if c != 0.0 => of(p),
        Damper::Signed { p, .. } => of(p),
        _ => 1,
    };
    let elastic = match touch.elastic() {
        Elastic::Power { n, .. } => of(*n),
        Elastic::Own(acting) => acting.root().0,
        _ => 2,
    };
    damper.max(elastic)
}

impl Flow for Motion {
    #[inline]
    fn rhs(&mut self, _sigma: f64, y: &[f64], dydt: &mut [f64]) {
        let s = self.state(y);
        let force = self.touch.force(&s);
        let pace = self.pace(y[ROOT]);
        dydt[ROOT] = s.rate;
        dydt[RATE] = -force.total() * self.inverse_mass * pace;
        if self.timed {
            dydt[TIME] = pace;
        }
        if self.detail {
            dydt[LOSS] = force.dissipative * s.rate * pace;
        }
        if self.touch.has_own() {
            dydt[self.size - 1] = self.touch.own_rate(&s) * pace;
        }
    }

    fn guard_count(&self) -> usize {
        self.guards
    }

    #[inline]
    fn guards(&mut self, _sigma: f64, y: &[f64], g: &mut [f64]) {
        let s = self.state(y);
        g[INDENTATION] = y[ROOT];
        if self.guards > SEPARATION {
            // A guard that does not watch may hold any number.
            g[SEPARATION] = match self.touch.separation() {
                Separation::ZeroIndentation => 0.0,
                _ => self.touch.separation_guard(&s),
            };
        }
        if self.guards > TURN {
            g[TURN] = self.touch.switch_guard(&s).unwrap_or(s.rate);
        }
        if self.guards > LIMIT {
            g[LIMIT] = self.touch.limit() - s.delta;
        }
        if self.guards > CORNER {
            // A guard that does not watch may hold any number.
            g[CORNER] = self.touch.corner_guard(&s).unwrap_or(0.0);
        }
        if self.guards > PEAK {
            g[PEAK] = self.force_slope(&s);
        }
    }

    fn event(&mut self, _sigma: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        let s = self.state(y);
        if self.detail {
            self.note(&s);
        }
        if fired.contains(LIMIT) {
            self.beyond_limit = true;
            return Action::Stop;
        }
        if fired.contains(INDENTATION) || fired.contains(SEPARATION) {
            return Action::Stop;
        }
        if !fired.contains(TURN) {
            return self.at_corner(fired);
        }
        if self.deepest.is_none() {
            self.deepest = Some(self.moment(&s));
            self.stored_max = self.touch.stored(s.delta);
        }
        if self.touch.switch_guard(&s).is_none() {
            // The phase changes for a law with a variable of its own: see there.
            return if self.touch.has_own() {
                Action::Resume
            } else {
                self.at_corner(fired)
            };
        }
        self.touch.switch(&s);
        if self.detail {
            self.note(&s);
        }
        // Nothing comes back: the bodies stay where they are.
        if self.touch.separation() == Separation::PermanentIndentation
            && self.touch.separation_guard(&s) <= 0.0
        {
            return Action::Stop;
        }
        Action::Restart {
            first_step: Some(self.span() / 20.0),
        }
    }

    fn phase(&mut self, _sigma: f64, _y: &[f64], phase: &mut Phase) {
        let watch = |yes: bool, way: Watch| if yes { way } else { Watch::Off };
        let phases = self
            .touch
            .switch_guard(&State::new(0.0, self.touch.v0()))
            .is_some();
        let by_guard = self.touch.separation() != Separation::ZeroIndentation;
        let limited = self.touch.limit().is_finite();
        let all = [
            Watch::Falling,
            watch(by_guard, Watch::Falling),
            watch(phases || self.detail, Watch::Falling),
            watch(limited, Watch::Falling),
            watch(
                !self.cornered && self.touch.corner_guard(&State::default()).is_some(),
                Watch::Any,
            ),
            // After its turn a force that is cut off and comes up again may have very many small peaks.
            watch(!self.touch.has_own() || self.deepest.is_none(), Watch::Any),
        ];
        phase.watch.copy_from_slice(&all[..self.guards]);
        let energy = 0.5 * self.touch.mass() * self.touch.v0() * self.touch.v0();
        for (i, atol) in phase.atol.iter_mut().enumerate() {
            *atol = self.rtol
                * match i {
                    ROOT => self.extent(),
                    RATE => self.touch.v0(),
                    TIME if self.timed => self.duration,
                    LOSS if self.detail => energy,
                    _ => self.touch.own_scale(),
                };
        }
    }

    fn component_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(match i {
            ROOT => "the indentation",
            TIME if self.timed => "time",
            RATE => "the rate of indentation",
            LOSS if self.detail => "the dissipated energy",
            _ => "the law's own variable",
        })
    }

    fn guard_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(match i {
            INDENTATION => "the indentation",
            SEPARATION => "the separation",
            TURN => "the turn",
            LIMIT => "the limit of the law",
            CORNER => "a corner of the force",
            _ => "the change of the force",
        })
    }
}

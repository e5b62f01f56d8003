//! What is the force of a law that the user wrote, and does it keep what every law must keep?
//!
//! Such a law is one function of the indentation, its rate and what was known at touch ([`At`]). Its elastic part is the force at rest at the instant of touch, F(δ, 0); the rest,
//! F(δ, v) − F(δ, 0), counts as its damper: what a spring loses that relaxes in time is in there too. What the catalogue has in closed form (work, depth, the powers that the force starts with) is found here by numbers, once a contact.

use std::fmt;
use std::sync::Arc;

use crate::card::{Citation, Fault, Need, Parameter, Range, written};
use crate::math;

use super::card::{Card, EMPTY, Family, RestitutionError, Separation, Tension};
use super::form::{Damper, Elastic, Exponent, Form, Memory, State};
use super::hysteresis;
use super::law::Calibration;
use super::restitution::Restitution;

/// What a law of the user's own may depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// Indentation δ, m; never below zero.
    pub delta: f64,
    /// Its rate v, m/s; positive approaching.
    pub rate: f64,
    /// Approach speed, m/s; above zero.
    pub v0: f64,
    /// Effective mass, kg; above zero.
    pub mass: f64,
    /// Time since touch, s.
    pub time: f64,
    /// The restitution asked for; NaN if none was.
    pub restitution: f64,
}

/// A force that the user wrote: a function, and the text it was made from.
#[derive(Clone)]
pub struct Own {
    text: Arc<str>,
    force: Arc<dyn Fn(&At) -> f64 + Send + Sync>,
    reads_time: bool,
}

impl Own {
    /// A force in N, positive pushing the bodies apart. The text is for people: it is shown and never read. The function must give the same number for the same place, and not allocate:
    /// integrators call it.
    pub fn new(text: &str, force: impl Fn(&At) -> f64 + Send + Sync + 'static) -> Self {
        let mut own = Self {
            text: text.into(),
            force: Arc::new(force),
            reads_time: false,
        };
        own.reads_time = own.seems_to_read_time();
        own
    }

    /// The text it was made from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the force was seen to depend on the time since touch.
    pub fn reads_time(&self) -> bool {
        self.reads_time
    }

    /// The card of all such laws. It is none of the catalogue.
    pub fn card() -> &'static Card {
        &CARD
    }

    /// Refuses a calibration that needs a coefficient to move.
    pub fn check_calibration(calibration: Calibration) -> Result<(), Fault> {
        match calibration {
            Calibration::Published => Ok(()),
            Calibration::Exact => Err(Fault::NoCalibration {
                law: CARD.id,
                reason: "nobody but its author knows which of its numbers is the damping; write the force with `e` in it, or take a law of the catalogue".into(),
            }),
        }
    }

    /// The contact that begins at this speed (m/s) on this effective mass (kg).
    pub(super) fn form(&self, restitution: f64, v0: f64, mass: f64) -> Form {
        Form {
            elastic: Elastic::Own(Acting::new(self.clone(), restitution, v0, mass)),
            damper: Damper::Own,
        }
    }

    /// Looks at the force at scattered times from 1 ns to 1000 s after touch: a difference anywhere is a yes.
    fn seems_to_read_time(&self) -> bool {
        [1e-6, 1e-4, 1e-2].into_iter().any(|delta| {
            [0.0, 0.5, -0.5].into_iter().any(|rate| {
                [f64::NAN, 0.5].into_iter().any(|restitution| {
                    let at = |time: f64| {
                        (self.force)(&At {
                            delta,
                            rate,
                            v0: 1.0,
                            mass: 1.0,
                            time,
                            restitution,
                        })
                    };
                    let first = at(0.0);
                    (0..64).any(|i| {
                        // Multiples of the golden ratio fall evenly between the decades.
                        let share = (f64::from(i) * 0.618_033_988_749_894_9).fract();
                        !same(at(math::powf(10.0, 12.0 * share - 9.0)), first)
                    })
                })
            })
        })
    }

    /// What the force does not keep of what every law must keep, each with the first place where it was seen; and what is wrong with the restitution. Looked at from 1 nm to 100 mm deep, at
    /// slow and fast touches of light and heavy bodies.
    pub(super) fn faults(&self, restitution: Option<&Restitution>) -> Vec<Fault> {
        if let Some(restitution) = restitution {
            let faults = restitution.faults(CARD.id);
            if !faults.is_empty() {
                return faults;
            }
        }
        let touches = touches(restitution);
        let mut found = Found::default();
        if restitution.is_none() && touches.iter().any(|at| self.reads_restitution(at)) {
            return vec![Fault::Missing {
                law: CARD.id,
                name: RESTITUTION.name,
                unit: RESTITUTION.unit,
                about: "the force depends on `e`, the restitution asked for",
                instead: &[],
            }];
        }
        for touch in &touches {
            self.look(touch, &mut found);
        }
        if found.list.is_empty() && !found.pushes {
            found.list.push((
                Promise::Pushes,
                Fault::OutOfRange {
                    law: CARD.id,
                    name: "the largest force at rest from 1 nm to 100 mm deep".into(),
                    value: 0.0,
                    unit: "N",
                    allowed: "> 0".into(),
                    hint: "without a spring the bodies would not part; add a term in `delta`"
                        .into(),
                },
            ));
        }
        found.list.into_iter().map(|found| found.1).collect()
    }

    /// Whether the force is another one with a restitution than without.
    fn reads_restitution(&self, touch: &At) -> bool {
        DEPTHS.into_iter().any(|delta| {
            RATES.into_iter().any(|share| {
                let at = At {
                    delta,
                    rate: share * touch.v0,
                    ..*touch
                };
                let given = At {
                    restitution: 0.5,
                    ..at
                };
                !same((self.force)(&at), (self.force)(&given))
            })
        })
    }

    /// Looks at all depths, rates and times of one touch.
    fn look(&self, touch: &At, found: &mut Found) {
        let times: &[f64] = if self.reads_time { &TIMES } else { &[0.0] };
        let middle = At {
            delta: 1e-4,
            ..*touch
        };
        let nothing = ROUNDING * (self.force)(&middle).abs();
        for delta in core::iter::once(0.0).chain(DEPTHS) {
            let mut before = f64::INFINITY;
            for &time in times {
                let rest = At {
                    delta,
                    time,
                    ..*touch
                };
                let resting = (self.force)(&rest);
                if !resting.is_finite() {
                    found.note(Promise::Finite, &rest, resting);
                    continue;
                }
                if delta == 0.0 && resting.abs() > nothing {
                    found.note(Promise::StartsAtZero, &rest, resting);
                }
                if delta > 0.0 && resting < -nothing {
                    found.note(Promise::SpringPushes, &rest, resting);
                }
                if delta > 0.0 && resting > before + ROUNDING * resting.abs() {
                    found.note(Promise::SpringKeeps, &rest, resting);
                }
                found.pushes |= delta > 0.0 && resting > 0.0;
                before = resting;
                for share in RATES {
                    let at = At {
                        rate: share * touch.v0,
                        ..rest
                    };
                    let force = (self.force)(&at);
                    let rounding = ROUNDING * (force.abs() + resting.abs());
                    if !force.is_finite() {
                        found.note(Promise::Finite, &at, force);
                        continue;
                    }
                    if share > 0.0 && force < -nothing {
                        found.note(Promise::PushesApproaching, &at, force);
                    }
                    if (force - resting) * share.signum() < -rounding {
                        found.note(Promise::Dissipates, &at, force - resting);
                    }
                }
            }
        }
    }
}

impl PartialEq for Own {
    /// Functions cannot be compared: two are equal if they are one.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && Arc::ptr_eq(&self.force, &other.force)
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Own")
            .field("text", &self.text)
            .field("reads_time", &self.reads_time)
            .finish_non_exhaustive()
    }
}

/// Equal, or both no number.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// Differences below this share are rounding.
const ROUNDING: f64 = 1e-12;
/// Where the force is looked at, m.
const DEPTHS: [f64; 17] = [
    1e-9, 3e-9, 1e-8, 3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2,
    1e-1,
];
/// At which rates, over the approach speed. Bodies may be pressed together faster than they met; they part no faster.
const RATES: [f64; 10] = [1e-3, 0.1, 0.3, 1.0, 2.0, -1e-6, -1e-3, -0.1, -0.4, -1.0];
/// After which times, s, in their order.
const TIMES: [f64; 14] = [
    0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 0.1, 1.0, 10.0, 1e3,
];
/// Approach speeds, m/s: the usual ones first. Those for which no restitution is known are left out.
const SPEEDS: [f64; 12] = [
    1.0, 0.1, 10.0, 1e-2, 1e-3, 100.0, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9,
];
/// Effective masses, kg.
const MASSES: [f64; 3] = [1.0, 1e-4, 1e3];

/// Touches to look at, six speeds at most.
fn touches(restitution: Option<&Restitution>) -> Vec<At> {
    let speeds: Vec<f64> = match restitution {
        Some(Restitution::Table(points)) => points
            .iter()
            .map(|p| p.0)
            .chain(points.windows(2).map(|w| 0.5 * (w[0].0 + w[1].0)))
            .filter(|v0| *v0 > 0.0)
            .collect(),
        _ => SPEEDS.to_vec(),
    };
    let known = speeds.into_iter().filter_map(|v0| match restitution {
        None => Some((v0, f64::NAN)),
        Some(restitution) => restitution.at(v0, CARD.id).ok().map(|e| (v0, e)),
    });
    let touch = |(v0, restitution)| {
        MASSES.map(|mass| At {
            delta: 0.0,
            rate: 0.0,
            v0,
            mass,
            time: 0.0,
            restitution,
        })
    };
    known.take(6).flat_map(touch).collect()
}

/// What every law keeps.
#[derive(Clone, Copy, PartialEq)]
enum Promise {
    Finite,
    StartsAtZero,
    SpringPushes,
    SpringKeeps,
    PushesApproaching,
    Dissipates,
    Pushes,
}

/// What was seen so far: one fault a promise.
#[derive(Default)]
struct Found {
    list: Vec<(Promise, Fault)>,
    pushes: bool,
}

impl Found {
    fn note(&mut self, promise: Promise, at: &At, value: f64) {
        if self.list.iter().any(|found| found.0 == promise) {
            return;
        }
        let (what, allowed, hint) = match promise {
            Promise::Finite => (
                "the force",
                "a finite number",
                "guard what divides by zero, takes a root of less than zero or overflows: max(…), min(…), if(…)",
            ),
            Promise::StartsAtZero => (
                "the force at touch",
                "0 where neither indentation nor rate is left",
                "a contact begins and ends without a force at rest: take the constant off",
            ),
            Promise::SpringPushes | Promise::Pushes => (
                "the force at rest",
                "≥ 0 from 1 nm to 100 mm deep",
                "a spring pushes at every depth; max(0, …) cuts off what would pull",
            ),
            Promise::SpringKeeps => (
                "the force at rest",
                "no more than just after touch, and never growing with time",
                "a spring that hardens while it is held gives more than it took; one may relax",
            ),
            Promise::PushesApproaching => (
                "the force",
                "≥ 0 while the bodies approach",
                "a force that pulls while the bodies approach draws them in; is the sign of a term in `rate` right (> 0 approaching)?",
            ),
            Promise::Dissipates => (
                "the force less that at rest",
                if at.rate > 0.0 {
                    "≥ 0 while the bodies approach"
                } else {
                    "≤ 0 while they part"
                },
                "otherwise the damper gives energy away; is the sign of a term in `rate` right (> 0 approaching), and does it change with the rate?",
            ),
        };
        let [delta, rate, v0, mass] = [at.delta, at.rate, at.v0, at.mass].map(written);
        let mut place = format!(
            "{what} at delta = {delta} m, rate = {rate} m/s (v0 = {v0} m/s, mass = {mass} kg"
        );
        if at.time > 0.0 {
            place += &format!(", time = {} s", written(at.time));
        }
        if !at.restitution.is_nan() {
            place += &format!(", e = {}", at.restitution);
        }
        self.list.push((
            promise,
            Fault::OutOfRange {
                law: CARD.id,
                name: place + ")",
                value,
                unit: "N",
                allowed: allowed.into(),
                hint: hint.into(),
            },
        ));
    }
}

/// A force that the user wrote, in a contact that has begun.
#[derive(Clone, Debug)]
pub struct Acting {
    own: Own,
    v0: f64,
    mass: f64,
    restitution: f64,
    /// The kinetic energy at touch, J, and how deep it goes without damping, m.
    energy: f64,
    depth: f64,
    /// As `depth`, or as deep as the damper alone would let it, m.
    reach: f64,
    /// The power of the indentation that the force of parting bodies starts with.
    leading: Exponent,
    /// q of δ = x^q, see `impact`.
    root: i32,
    even: bool,
    /// Whether the force has a jump or a corner at rate zero.
    phases: bool,
}

impl PartialEq for Acting {
    /// All else follows from these.
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own
            && self.v0 == other.v0
            && self.mass == other.mass
            && same(self.restitution, other.restitution)
    }
}

impl Acting {
    fn new(own: Own, restitution: f64, v0: f64, mass: f64) -> Self {
        let energy = 0.5 * mass * v0 * v0;
        let mut acting = Self {
            own,
            v0,
            mass,
            restitution,
            energy,
            depth: f64::NAN,
            reach: f64::NAN,
            leading: Exponent::One,
            root: 2,
            even: false,
            phases: false,
        };
        let depth = depth(&|delta| acting.elastic(delta), energy);
        // A damper alone: ∫ F dδ = m v0² at the constant rate v0 where c δ^p v has stopped the mass.
        let damper = |delta: f64| acting.at(delta, v0, 0.0) - acting.elastic(delta);
        let stops = depth.is_finite() && area(&damper, depth) > 2.0 * energy;
        let reach = if stops {
            self::depth(&damper, 2.0 * energy).min(depth)
        } else {
            depth
        };
        let spring = start(&|delta| acting.elastic(delta), depth);
        let beside = |rate: f64| {
            start(
                &|delta| {
                    let (spring, all) = (acting.elastic(delta), acting.at(delta, rate, 0.0));
                    let rest = (all - spring).abs();
                    // The rest of a rounding is no damper.
                    if rest > 1e-13 * spring { rest } else { 0.0 }
                },
                depth,
            )
        };
        let (approaching, parting) = (beside(v0), beside(-0.5 * v0));
        let least = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let powers = [spring, approaching, parting].into_iter().flatten();
        let leading = least(spring, parting).unwrap_or(1.0).max(0.0);
        // Whole and half powers are smooth in the square root of the indentation, quarters in the fourth; others are smooth enough in the third.
        let root = powers
            .map(|p| match (2.0 * p, 4.0 * p) {
                (half, _) if half == half.round() => 2,
                (_, quarter) if quarter == quarter.round() => 4,
                _ => 3,
            })
            .fold(2, i32::max);
        // Beyond x = 0 the product of x^(q−1) and |x|^(q p) is smooth if both are of one kind.
        let whole = f64::from(root) * leading;
        let even = if whole == whole.round() {
            // x^(q−1) |x|^(q p) is a power of x where q p is even; else |x|^(q−1) |x|^(q p) with an even sum for an even q.
            whole % 2.0 != 0.0
        } else {
            spring.is_some_and(|n| n <= leading)
        };
        let phases = [0.25, 0.5].into_iter().any(|share| {
            let (delta, rate) = (share * reach, 1e-6 * v0);
            let rest = acting.elastic(delta);
            let [on, off] = [rate, -rate].map(|rate| acting.at(delta, rate, 0.0) - rest);
            (on + off).abs() > 1e-2 * (on.abs() + off.abs()) + 1e-13 * rest.abs()
        });
        acting.depth = depth;
        acting.reach = reach;
        acting.leading = Exponent::new(leading);
        acting.root = root;
        acting.even = even;
        acting.phases = phases;
        acting
    }

    /// The force that the user wrote.
    pub fn own(&self) -> &Own {
        &self.own
    }

    /// How deep the indentation will be, roughly but never far too much, m.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The q that makes the motion in x smooth at its ends, δ = x^q, and whether x^(q−1) keeps its sign beyond zero.
    pub(crate) fn root(&self) -> (i32, bool) {
        (self.root, self.even)
    }

    /// Whether the deepest point must be an event.
    pub(super) fn has_phases(&self) -> bool {
        self.phases
    }

    /// The force, N. There is no indentation below zero: the force there is that of touching bodies.
    #[inline]
    fn at(&self, delta: f64, rate: f64, time: f64) -> f64 {
        (self.own.force)(&At {
            delta: delta.max(0.0),
            rate,
            v0: self.v0,
            mass: self.mass,
            time,
            restitution: self.restitution,
        })
    }

    /// The elastic part, N: at rest, and not relaxed.
    #[inline]
    pub(super) fn elastic(&self, delta: f64) -> f64 {
        self.at(delta, 0.0, 0.0)
    }

    /// Both parts together, N. A force with a jump at rate zero stays on the side on which the memory says it is: a trial step may look beyond.
    #[inline]
    pub(super) fn total(&self, s: &State, memory: &Memory) -> f64 {
        let rate = match (self.phases, memory.loading) {
            (false, _) => s.rate,
            (true, true) => s.rate.max(0.0),
            (true, false) => s.rate.min(-f64::MIN_POSITIVE),
        };
        self.at(s.delta, rate, s.time)
    }

    /// The force divided by the power of the indentation that it starts with.
    pub(super) fn leading_force(&self, s: &State, memory: &Memory) -> f64 {
        let delta = s.delta.max(1e-12 * self.reach);
        self.total(&State { delta, ..*s }, memory) / self.leading.raise(delta)
    }

    /// The work of the elastic part from zero to this indentation, J.
    pub(super) fn work(&self, delta: f64) -> f64 {
        area(&|delta| self.elastic(delta), delta)
    }

    /// The indentation at which the elastic part has taken this energy (J), m; infinite if it never does.
    pub(super) fn depth(&self, energy: f64) -> f64 {
        if energy == self.energy {
            return self.depth;
        }
        depth(&|delta| self.elastic(delta), energy)
    }

    /// Why no impact can be followed at this speed and mass.
    pub(super) fn fault(&self) -> Option<Fault> {
        let fault = |name: String, value, unit, allowed: &str, hint: &str| {
            Some(Fault::OutOfRange {
                law: CARD.id,
                name,
                value,
                unit,
                allowed: allowed.into(),
                hint: hint.into(),
            })
        };
        // Made only where it is needed: a touch in a run does not allocate.
        let touch = || {
            let [v0, mass] = [self.v0, self.mass].map(written);
            format!("v0 = {v0} m/s, mass = {mass} kg")
        };
        if !Range::POSITIVE.contains(self.depth) || !(self.reach / self.v0 > 1e-280) {
            return fault(
                format!("the depth without damping ({})", touch()),
                self.depth,
                "m",
                "a finite number above zero",
                "the force at rest must be able to take up the kinetic energy",
            );
        }
        for share in [0.0, 1e-6, 0.1, 0.5, 1.0] {
            for rate in [1.0, 0.5, 0.0, -0.5, -1.0] {
                for time in [0.0, 1.0, 3.0] {
                    let (delta, rate) = (share * self.depth, rate * self.v0);
                    let time = time * self.depth / self.v0;
                    let force = self.at(delta, rate, time);
                    if !force.is_finite() {
                        return fault(
                            format!(
                                "the force at delta = {delta:e} m, rate = {rate:e} m/s, time = {time:e} s ({})",
                                touch()
                            ),
                            force,
                            "N",
                            "a finite number",
                            "guard what divides by zero, takes a root of less than zero or overflows",
                        );
                    }
                }
            }
        }
        None
    }
}

/// The power that a function starts with, from its slope between two logarithms; a quarter that is near is meant. `None` if it is zero there.
fn start(f: &dyn Fn(f64) -> f64, depth: f64) -> Option<f64> {
    let (low, high) = (f(1e-9 * depth), f(1e-7 * depth));
    let slope = math::ln(high / low) / math::ln(100.0);
    if !slope.is_finite() {
        return None;
    }
    let quarter = 0.25 * (4.0 * slope).round();
    Some(if (slope - quarter).abs() < 1e-3 {
        quarter
    } else {
        slope
    })
}

/// Nodes and weights of the sixteen-point rule of Gauss on −1…1, exact for polynomials to the 31st degree.
const RULE: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];
/// How often panels may be halved in all, and how often one.
const SPLITS: u32 = 500;
const HALVINGS: u32 = 40;

/// ∫ F dδ from zero, J, to some 1e-14 where the force is smooth. In the fourth root u of the indentation every power from 0 on is a high power of u: the rule sees no corner at the start.
fn area(force: &dyn Fn(f64) -> f64, delta: f64) -> f64 {
    if !(delta > 0.0) {
        return 0.0;
    }
    let f = |u: f64| 4.0 * u * u * u * force(delta * (u * u) * (u * u));
    let whole = panel(&f, 0.0, 1.0);
    let mut splits = SPLITS;
    delta * halve(&f, [0.0, 1.0], whole, whole.abs(), HALVINGS, &mut splits)
}

/// The rule on one panel.
fn panel(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let mut sum = 0.0;
    for (node, weight) in RULE {
        sum += weight * (f(middle - half * node) + f(middle + half * node));
    }
    half * sum
}

/// Halves a panel until both halves agree with it: only where a force has corners that is more than once.
fn halve(
    f: &dyn Fn(f64) -> f64,
    [a, b]: [f64; 2],
    whole: f64,
    scale: f64,
    halvings: u32,
    splits: &mut u32,
) -> f64 {
    let middle = 0.5 * (a + b);
    let [left, right] = [panel(f, a, middle), panel(f, middle, b)];
    let sum = left + right;
    let apart = (sum - whole).abs();
    let scale = scale.max(sum.abs());
    if !(apart > 4e-15 * scale) || halvings == 0 || *splits == 0 {
        return sum;
    }
    *splits -= 1;
    halve(f, [a, middle], left, scale, halvings - 1, splits)
        + halve(f, [middle, b], right, scale, halvings - 1, splits)
}

/// Where the area under a force that is never negative reaches this energy, m; infinite if it does not below 1000 km, NaN if it cannot be told. Newton's method between logarithms, in which a power is a
/// straight line, inside a bracket.
fn depth(force: &dyn Fn(f64) -> f64, energy: f64) -> f64 {
    if !Range::POSITIVE.contains(energy) {
        return if energy == 0.0 { 0.0 } else { f64::NAN };
    }
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut delta: f64 = 1e-5;
    for _ in 0..200 {
        let taken = area(force, delta);
        if taken.is_nan() {
            // Beyond where there is a force: what is sought is nearer.
            high = delta;
        } else if taken < energy {
            low = delta;
        } else {
            high = delta;
        }
        let slope = delta * force(delta) / taken;
        let newton = delta * math::exp(math::ln(energy / taken) / slope);
        let next = if newton > low && newton < high && newton.is_finite() {
            newton.clamp(1e-4 * delta, 1e4 * delta)
        } else if low == 0.0 {
            1e-3 * high
        } else if high == f64::INFINITY {
            30.0 * low
        } else {
            math::sqrt(low) * math::sqrt(high)
        };
        if next > 1e6 {
            return f64::INFINITY;
        }
        if (next - delta).abs() <= 2.0 * f64::EPSILON * delta || next < 1e-250 {
            return next;
        }
        delta = next;
    }
    delta
}

/// The restitution asked for, which such a law may read.
const RESTITUTION: Parameter = Parameter {
    symbol: "e",
    need: Need::Sometimes,
    range: Range::UNIT,
    about: "speed after over speed before; needed where the force depends on `e`",
    ..hysteresis::RESTITUTION
};

/// What can be said of all of them.
static CARD: Card = Card {
    id: "own",
    family: Family::Own,
    group: 0,
    citation: Citation {
        authors: "the author of the model",
        year: 0,
        title: "A law of their own",
        journal: "unpublished here",
        equation: "as written in the model",
    },
    formula: "F = f(delta, rate, v0, mass, time, e)",
    parameters: &[RESTITUTION],
    memory: "approach speed, effective mass and time of touch, as far as the formula reads them",
    separations: &[Separation::ZeroForce, Separation::ZeroIndentation],
    tension: Tension::EndsContact,
    validity: "as far as its author says. Seen from 1 nm to 100 mm deep, at approach speeds from 1 mm/s to 100 m/s: finite, zero at touch, pushing while the bodies approach, no energy given away",
    restitution_error: RestitutionError::Depends(
        "whatever the formula returns: simulate an impact and compare",
    ),
    notes: "For a law that the catalogue does not have. The part at rest is its spring, all else its damper. Nothing is known of it but what it was seen to do at a grid of places: no closed form, no \
            calibration, and it costs two evaluations of the formula where a law of the catalogue costs a few operations.",
    law: |given| {
        Err(given.out_of_range(
            "force",
            f64::NAN,
            "N",
            "a function",
            "a law of the user's own is made with its force, by `Law::own`",
        ))
    },
    ..EMPTY
};

#[cfg(test)]
mod tests;

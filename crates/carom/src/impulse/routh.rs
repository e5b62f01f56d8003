//! How does one contact strike, followed through its whole impulse?
//!
//! Routh's process (Routh 1905; Keller 1986): the normal impulse p takes the place of time. While the surfaces slide one way (s = sgn u_t), the impulse along them grows by −μ s dp, and the rates are linear in p:
//! du_n/dp = W_nn − μ s W_nt, du_t/dp = W_nt − μ s W_tt. Where the slip ends they stick, if |W_nt| ≤ μ W_tt, or slide the other way; there is no third leg. Compression ends at u_n = 0, and the end of restitution is what
//! the three hypotheses differ in; the normal work is a parabola in p on either leg, so all of it is in closed form (Stronge 1990; Wang and Mason 1992).
//!
//! On the first leg u_n may fall (μ s W_nt > W_nn: Painlevé). Then the slip falls too, W being semi-definite, and the surfaces stick in the end, where du_n/dp = W_nn − W_nt²/W_tt is not negative any more: the process
//! always ends, but for a W without inverse.

use super::Along;
use super::Hypothesis;
use super::Phase;
use super::Struck;
use super::Surface;
use crate::math::sqrt;

/// A mechanism that is left no freedom when the surfaces stick has W_nn W_tt = W_nt² but for rounding: what is left of W_nn below this part is none.
const NONE_LEFT: f64 = 1e-9;
/// A rate of a gap below this part of the slip is none.
const AT_REST: f64 = 1e-10;
/// A rate at which the gap of such a mechanism still closes when its slip has ended, as a part of the rates before, that is rounding.
const ROUNDING: f64 = 1e-7;

/// Why one contact did not come to the end of its strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Halt {
    /// No impulse moves it.
    Fixed,
    /// It sticks while it still closes at this rate, m/s, and no impulse ends that.
    Jammed(f64),
    /// The numbers left their range.
    NotFinite,
}

/// A stretch of the process over which all rates are linear in the impulse.
#[derive(Clone, Copy, Debug, Default)]
struct Leg {
    /// dp_t/dp.
    along: f64,
    /// du_n/dp and du_t/dp, 1/kg.
    slope: [f64; 2],
    /// How long it is, N s.
    length: f64,
    /// Whether the surfaces stick.
    sticks: bool,
}

/// The process up to somewhere.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    legs: [Leg; 2],
    leg: usize,
    /// The impulses so far.
    normal: f64,
    tangential: f64,
    rates: [f64; 2],
    /// The works so far.
    normal_work: f64,
    friction_work: f64,
}

impl Walk {
    fn own(&self) -> Leg {
        self.legs[self.leg.min(1)]
    }

    /// Goes on by `step`, which is within the leg.
    fn go(&mut self, step: f64) {
        let leg = self.own();
        let next = [
            self.rates[0] + leg.slope[0] * step,
            self.rates[1] + leg.slope[1] * step,
        ];
        self.normal += step;
        self.tangential += leg.along * step;
        self.normal_work += step * (self.rates[0] + next[0]) / 2.0;
        self.friction_work += leg.along * step * (self.rates[1] + next[1]) / 2.0;
        self.rates = next;
        self.legs[self.leg.min(1)].length -= step;
    }

    /// Goes to the end of a leg that has one: the slip ends there.
    fn turn(&mut self) {
        self.go(self.own().length);
        self.rates[1] = 0.0;
        self.leg = 1;
    }

    /// Goes on until the gap opens at `rate`; `false` if no impulse does that.
    fn until(&mut self, rate: f64) -> bool {
        loop {
            let leg = self.own();
            let need = (rate - self.rates[0]) / leg.slope[0];
            if leg.slope[0] > 0.0 && need <= leg.length {
                self.go(need.max(0.0));
                self.rates[0] = rate;
                return true;
            }
            if !leg.length.is_finite() {
                return false;
            }
            self.turn();
        }
    }

    /// Goes on by an impulse.
    fn push(&mut self, mut impulse: f64) {
        while impulse > self.own().length {
            impulse -= self.own().length;
            self.turn();
        }
        self.go(impulse);
    }

    /// Goes on until the normal impulse has done so much more work, J; `false` if no impulse does that.
    fn until_work(&mut self, mut work: f64) -> bool {
        while work > 0.0 {
            let leg = self.own();
            if leg.sticks && leg.slope[0] == 0.0 {
                // What sticks without any freedom left does not open: what rounding leaves of its rate does no work.
                self.rates[0] = 0.0;
                return false;
            }
            let (u, k) = (self.rates[0], leg.slope[0]);
            // The root of u x + k x²/2 = work without cancellation.
            let need = 2.0 * work / (u + sqrt(u * u + 2.0 * k * work));
            if need <= leg.length && need.is_finite() {
                self.go(need);
                return true;
            }
            if !leg.length.is_finite() {
                return false;
            }
            let done = self.normal_work;
            self.turn();
            work -= self.normal_work - done;
        }
        true
    }
}

/// The two legs from a slip on.
fn legs(w: [f64; 3], slip: f64, friction: f64) -> ([Leg; 2], usize) {
    let [nn, nt, tt] = w;
    let slide = |s: f64| Leg {
        along: -friction * s,
        slope: [nn - friction * s * nt, nt - friction * s * tt],
        length: f64::INFINITY,
        sticks: false,
    };
    let last = if nt.abs() <= friction * tt {
        // W_tt = 0 only beside W_nt = 0: nothing moves along the surface, and nothing has to hold it.
        let along = if tt > 0.0 { -nt / tt } else { 0.0 };
        let left = nn + nt * along;
        Leg {
            along,
            slope: [if left > NONE_LEFT * nn { left } else { 0.0 }, 0.0],
            length: f64::INFINITY,
            sticks: true,
        }
    } else {
        slide(nt.signum())
    };
    if slip == 0.0 {
        return ([last, last], 1);
    }
    let mut first = slide(slip.signum());
    if slip.signum() * first.slope[1] < 0.0 {
        first.length = -slip / first.slope[1];
    }
    ([first, last], 0)
}

/// Whether the contact does not approach, but for rounding, and slides so that its own friction presses it together: W_nn < μ s W_nt.
pub(super) fn wedges(w: [f64; 3], before: [f64; 2], friction: f64) -> bool {
    let [rate, slip] = before;
    (0.0..=AT_REST * slip.abs()).contains(&rate)
        && slip != 0.0
        && w[0] < friction * slip.signum() * w[1]
}

/// The strike of a contact with W = (nn, nt, tt), 1/kg, and its rates before, m/s. `after` is that of this contact alone.
pub(super) fn strike(
    w: [f64; 3],
    before: [f64; 2],
    surface: &Surface,
    hypothesis: Hypothesis,
    from_rest: bool,
) -> Result<Struck, Halt> {
    let idle = Struck {
        after: before,
        ..Struck::default()
    };
    let friction = surface.ratio.unwrap_or(surface.friction);
    let approaches = before[0] < 0.0;
    let wedges = from_rest && wedges(w, before, friction);
    if !approaches && !wedges {
        return Ok(idle);
    }
    if !(w[0] > 0.0) {
        return Err(Halt::Fixed);
    }
    let struck = if surface.ratio.is_some() && approaches {
        by_ratio(w, before, friction, surface.restitution)?
    } else {
        by_process(w, before, friction, surface.restitution, hypothesis)?
    };
    let numbers = [
        struck.compression,
        struck.restitution,
        struck.tangential,
        struck.after[0],
        struck.after[1],
        struck.work(),
    ];
    if numbers.iter().all(|x| x.is_finite()) {
        Ok(struck)
    } else {
        Err(Halt::NotFinite)
    }
}

fn by_process(
    w: [f64; 3],
    before: [f64; 2],
    friction: f64,
    restitution: f64,
    hypothesis: Hypothesis,
) -> Result<Struck, Halt> {
    let smooth = friction == 0.0;
    let (legs, leg) = if smooth {
        let free = Leg {
            slope: [w[0], w[1]],
            length: f64::INFINITY,
            ..Leg::default()
        };
        ([free, free], 1)
    } else {
        legs(w, before[1], friction)
    };
    let started = leg;
    let mut walk = Walk {
        legs,
        leg,
        rates: before,
        ..Walk::default()
    };
    if !walk.until(0.0) {
        // Only a leg that sticks and leaves no freedom has no end.
        let size = before[0].abs() + before[1].abs() * sqrt(w[0] / w[2]);
        if !(walk.rates[0].abs() <= ROUNDING * size) {
            return Err(Halt::Jammed(walk.rates[0]));
        }
        walk.rates[0] = 0.0;
    }
    let mut struck = Struck {
        took_part: true,
        compression: walk.normal,
        compression_work: walk.normal_work,
        ..Struck::default()
    };
    let slipping_then = walk.leg == started;
    let e = restitution;
    struck.wedged = match hypothesis {
        Hypothesis::Newton => !walk.until(-e * before[0]),
        Hypothesis::Poisson => {
            walk.push(e * struck.compression);
            e > 0.0 && walk.own().slope[0] == 0.0
        }
        Hypothesis::Stronge => !walk.until_work(-e * e * struck.compression_work),
    };
    struck.restitution = walk.normal - struck.compression;
    struck.restitution_work = walk.normal_work - struck.compression_work;
    struck.tangential = walk.tangential;
    struck.friction_work = walk.friction_work;
    struck.after = walk.rates;
    let phase = if slipping_then {
        Phase::Restitution
    } else {
        Phase::Compression
    };
    struck.along = match (smooth, walk.leg == started, walk.own().sticks) {
        (true, _, _) => Along::Free,
        (_, true, true) => Along::Sticks,
        (_, true, false) => Along::Slides,
        (_, false, true) => Along::SlidesThenSticks(phase),
        (_, false, false) => Along::Reverses(phase),
    };
    Ok(struck)
}

/// Brach's way: the impulses have one ratio from the start to the end, so that the path is straight and the three hypotheses are one (Brach 1991).
fn by_ratio(w: [f64; 3], before: [f64; 2], ratio: f64, restitution: f64) -> Result<Struck, Halt> {
    let [nn, nt, tt] = w;
    let s = if before[1] != 0.0 {
        before[1].signum()
    } else {
        // A slip that the strike itself begins.
        nt.signum()
    };
    let change = -(1.0 + restitution) * before[0];
    let normal_for = |r: f64| change / (nn - r * s * nt);
    let slip_after = |r: f64| before[1] + (nt - r * s * tt) * normal_for(r);
    let mut sticks = false;
    let mut r = ratio;
    let left = nn * tt - nt * nt;
    let movable = left > NONE_LEFT * nn * tt;
    let possible = nn - r * s * nt > NONE_LEFT * nn;
    if movable && (!possible || s * slip_after(r) < 0.0) {
        // What ends the slip, from both rates after; less than nothing where it ends by itself.
        let normal = (tt * change + nt * before[1]) / left;
        let tangential = (-nn * before[1] - nt * change) / left;
        r = (-s * tangential / normal).clamp(0.0, ratio);
        sticks = -s * tangential >= 0.0;
    } else if !possible {
        return Err(Halt::Jammed(before[0]));
    }
    let normal = normal_for(r);
    let tangential = -r * s * normal;
    let after = [
        -restitution * before[0],
        if sticks { 0.0 } else { slip_after(r) },
    ];
    let compression = normal / (1.0 + restitution);
    Ok(Struck {
        took_part: true,
        compression,
        restitution: normal - compression,
        tangential,
        after,
        compression_work: compression * before[0] / 2.0,
        restitution_work: (normal - compression) * after[0] / 2.0,
        friction_work: tangential * (before[1] + after[1]) / 2.0,
        along: if ratio == 0.0 {
            Along::Free
        } else if sticks && before[1] == 0.0 {
            Along::Sticks
        } else if sticks {
            Along::SlidesThenSticks(Phase::Restitution)
        } else if before[1] * after[1] < 0.0 {
            Along::Reverses(Phase::Restitution)
        } else {
            Along::Slides
        },
        wedged: false,
    })
}

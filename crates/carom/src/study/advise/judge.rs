//! What speaks against each law, how much, and what decides?
//!
//! Everything is counted as the error of restitution it would be worth, so that one number can be compared with another: an error of 0.05 counts as much as a force that is wrong by a third. The
//! weights are the judgement in this room; each is named here, once.

use crate::card::Fault;
use crate::contact::stiffness::WIDE;
use crate::contact::{Calibration, Family, Restitution};
use crate::impact;
use crate::math;
use crate::model::units::pretty;

use super::case::{Case, takes, yields_itself};
use super::decide::{behind, decisive, without};
use super::numbers::{close_call, damped, numbers, warn};
use super::spring::{CLOSE_FIT_DEGREES, CLOSELY};
use super::trial::Trial;
use super::words::signed;
use super::{Advice, Aside, Geometry, Judged, Part, Purpose, Reason, Shape};

/// A tenth of what the own formula is off, and this, where the damper must be solved for in its place.
const CALIBRATED: (f64, f64) = (0.1, 0.005);
/// A law without a dent where all is dents, or the other way round: also where nothing says that anything yields.
const YIELD: f64 = 0.25;
/// For every power of ten above the speed that internal damping is meant for.
const WAVES: f64 = 0.03;
/// The spring: what a force that is off by a factor costs (times its logarithm) beyond the 25 % that any stiffness is off, and what a power that is off by one costs beyond a tenth.
const FORCE: f64 = 0.3;
const SLACK: f64 = 1.25;
const POWER: f64 = 0.3;
const POWER_SLACK: f64 = 0.1;
/// No place for the stiffness that was given: as much as a restitution of 1 in place of 0.
const UNHEEDED: f64 = 1.0;
/// Hertz's form for a journal that fits closely: this from 45° on, growing from nothing at 30°, and more with the logarithm of how much closer than that. The second also where a law of joints has a clearance that is too wide for it.
const FIT: (f64, f64) = (0.05, 0.15);
/// Exactly parallel axes and a uniform load, where the clearance does not ask for a cylinder's law.
const ALIGNED: f64 = 0.06;
/// A law of line contacts beside one whose stiffness has to be carried over.
const CARRIED: f64 = 0.02;
/// Where all is plastic, a law whose stiffness holds at one speed only: no more than a restitution is known by.
const UNBENT: f64 = 0.004;
/// What a contact must remember, among many bodies; no damper near rest; and every power of ten by which a damper grows when bodies meet ten times more slowly.
const REMEMBER: f64 = 0.1;
const UNDAMPED: f64 = 0.2;
const GROWS: f64 = 0.1;
/// A table where constants would do, if the restitution changes by more than the second.
const TABLE: (f64, f64) = (0.03, 0.03);
/// A pull or a jump as a part of the largest force, and that there is one at all; an indentation left as a part of the deepest.
const PULL: (f64, f64) = (0.3, 0.01);
const JUMP: f64 = 0.3;
const LEFT: f64 = 0.1;
/// A pull counts less where bodies stay together.
const STAYS: f64 = 0.25;
/// A damper that acts in approach only.
const ONE_SIDED: f64 = 0.03;
/// A coefficient without a formula, and without measurements for it.
const EMPIRICAL: f64 = 0.04;
/// A damper where nothing is lost, and a damper that is another law's.
const IDLE: f64 = 0.01;
const BORROWED: f64 = 0.01;
/// For every power of ten in evaluations; five times that among many bodies.
const WORK: f64 = 0.005;

/// Judges all that ran.
pub(super) fn judge(
    case: &Case,
    trials: Vec<Trial>,
    aside: Vec<Aside>,
) -> Result<Advice, Vec<Fault>> {
    let least = trials
        .iter()
        .map(|t| t.impact.statistics.rhs_evaluations)
        .min()
        .unwrap_or(1)
        .max(1);
    let mut ranked: Vec<Judged> = trials
        .into_iter()
        .map(|trial| judged(case, trial, least))
        .collect();
    // Stable: what costs the same stays in the order of the catalogue.
    ranked.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let lead = ranked.first().map(|l| (l.card, l.parts.clone(), l.cost));
    let Some((leader, parts, cost)) = lead else {
        return Err(no_law(&aside));
    };
    for other in ranked.iter_mut().skip(1) {
        // What does the same is behind in the catalogue only.
        other.behind = (other.cost > cost + 1e-9).then(|| behind(&parts, &other.parts));
    }
    let reason = match decisive(&ranked, leader.family) {
        // Where nothing is lost, that is the reason, unless the surfaces leave no choice.
        other if leader.family == Family::Elastic && case.loses_nothing() => {
            if other.is_geometric() {
                other
            } else {
                Reason::Restitution
            }
        }
        other => other,
    };
    let otherwise = without(&ranked, reason).filter(|card| card.family != leader.family);
    let numbers = ranked.first().and_then(|leader| numbers(case, leader));
    let mut cautions = case.cautions.clone();
    if let (Some(leader), Some(numbers)) = (ranked.first(), &numbers) {
        cautions.extend(warn(case, leader, numbers));
        cautions.extend(close_call(&ranked));
        cautions.extend(damped(case, &ranked));
    }
    Ok(Advice {
        family: leader.family,
        reason,
        otherwise: otherwise.map(|card| card.id),
        geometry: case.geometry,
        regime: case.regime,
        asked: case.asked.clone(),
        restitution: case.restitution.clone(),
        origin: case.known.origin(),
        measured: case.measured.clone(),
        ranked,
        aside,
        numbers,
        of_this_clearance: case.follows_clearance(),
        assumed: case.assumed.clone(),
        missing: case.missing.clone(),
        cautions,
    })
}

/// Where not one law ran, the first complaint of each of a few tells why.
fn no_law(aside: &[Aside]) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for fault in aside.iter().flat_map(|a| &a.why) {
        if let impact::Failed::Input(fault @ Fault::OutOfRange { .. }) = fault
            && faults.len() < 3
        {
            faults.push(fault.clone());
        }
    }
    if faults.is_empty() {
        faults.push(Fault::NoCalibration {
            law: "advise",
            reason: "no law of the catalogue could be run on this case".into(),
        });
    }
    faults
}

fn judged(case: &Case, trial: Trial, least: u64) -> Judged {
    let mut parts = Vec::new();
    let mut add = |reason: Reason, computed: f64, cost: f64, said: String| {
        if cost > 0.0 && cost.is_finite() {
            parts.push(Part {
                reason,
                computed,
                cost,
                said,
            });
        }
    };
    restitution(case, &trial, &mut add);
    material(case, &trial, &mut add);
    spring(case, &trial, &mut add);
    lasting(case, &trial, &mut add);
    manners(case, &trial, least, &mut add);
    parts.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    let cost = parts.iter().map(|p| p.cost).sum();
    let (error, by_speed) = (trial.error(), trial.by_speed());
    let predicts = trial.predicts(case);
    let stiffness_at = case.stiffness_at(trial.card, &trial.values);
    Judged {
        card: trial.card,
        law: trial.law,
        values: trial.values,
        calibration: trial.calibration,
        error,
        published_error: trial.published,
        exact_error: trial.exact,
        parts,
        cost,
        predicts,
        stiffness_at,
        by_speed,
        behind: None,
        impact: trial.impact,
    }
}

/// Takes what speaks against a law: why, what was computed, its cost, and in words.
type Add<'a> = dyn FnMut(Reason, f64, f64, String) + 'a;

/// What it returns for what it is asked, and how it follows the speed.
fn restitution(case: &Case, trial: &Trial, add: &mut Add) {
    let error = trial.error();
    let (mut cost, mut said) = (
        error.abs(),
        format!(
            "the restitution that it returns is off by {}",
            signed(error)
        ),
    );
    if trial.calibration == Calibration::Exact
        && let Some(own) = trial.published
    {
        cost += CALIBRATED.0 * own.abs() + CALIBRATED.1;
        said = format!(
            "the restitution that its own formula returns is off by {own:+.3}; solved for, the error is {:.1e}",
            error.abs()
        );
    } else if cost < 1e-6 {
        cost = 0.0;
    }
    if !trial.predicts(case) {
        add(Reason::Restitution, error, cost, said);
    }
    // What is solved for is told as well.
    if case.predicted && (trial.heeds || trial.calibration == Calibration::Exact) {
        add(
            Reason::Trend,
            f64::NAN,
            TABLE.0,
            "must be told a restitution that nobody measured".into(),
        );
    }
    let spread = case.spread();
    // A formula with one constant is no table.
    let formula = matches!(case.restitution, Restitution::Falling { .. });
    if spread > TABLE.1 && trial.heeds && !formula {
        add(
            Reason::Trend,
            spread,
            TABLE.0,
            format!(
                "the restitution changes by {spread:.3} over these speeds, and it must be told at each"
            ),
        );
    }
    if let Some(damper) = trial.values.get_word("damper") {
        add(
            Reason::Restitution,
            error,
            BORROWED,
            format!("loses nothing by itself: the damper of {damper} is added"),
        );
    }
    if case.loses_nothing() && trial.card.family != Family::Elastic {
        add(
            Reason::Restitution,
            error,
            IDLE,
            "nothing is lost, so that its damper has nothing to do".into(),
        );
    }
    // One pair is a restitution like any other: it fits no curve.
    let fitted = case.measured.len() > 1;
    // The experimental laws (Corral et al. 2021, Table 1, group 1) are each from measurements of their own.
    if trial.published.is_none() && (!fitted || trial.card.group == 1) {
        add(
            Reason::Empirical,
            1.0,
            if fitted { 0.5 * EMPIRICAL } else { EMPIRICAL },
            match trial.heeds {
                true => "its coefficient has no formula here: solved for at every touch".into(),
                false => {
                    "its coefficient has no formula here: solved for at the middle speed".into()
                }
            },
        );
    }
}

/// Yield and waves.
fn material(case: &Case, trial: &Trial, add: &mut Add) {
    let regime = &case.regime;
    // A law that is told that nothing is lost leaves no dent, whatever its family, and though the surfaces yield.
    let impact = &trial.impact;
    let whole = impact.end.delta < 1e-6 * impact.deepest.delta;
    let idle = case.loses_nothing() && regime.yields() && whole;
    let dents = trial.card.family == Family::Plastic && !idle;
    match regime.plastic_share {
        // What is slow against waves loses most inside (Flores et al. 2006, after eq. 9): that speaks against a dent, unless the strength says so by itself.
        share if dents && regime.is_slow() && (share.is_none() || regime.yields()) => add(
            Reason::WaveSpeed,
            regime.speed / regime.wave_limit.unwrap_or(f64::NAN),
            YIELD * (1.0 - share.unwrap_or(0.0)),
            "all its loss is a dent, and so slow an approach loses most inside the material".into(),
        ),
        Some(share) if dents => add(
            Reason::Yielding,
            share,
            YIELD * (1.0 - share),
            match regime.yields() {
                false => "all its loss is a dent, and nothing yields at these speeds".into(),
                true => format!("all its loss is a dent, and {}", regime.short_of_plastic()),
            },
        ),
        Some(share) => add(
            Reason::Yielding,
            share,
            YIELD * share,
            match (regime.yield_speed, regime.number) {
                (Some(v), _) => format!(
                    "leaves no dent, and the approach is {} times the speed of yield",
                    pretty(regime.speed / v, "", 3)
                ),
                (None, Some(number)) => {
                    format!("leaves no dent, and Johnson's number is {number:.1e}")
                }
                // A contact as large as the body has no such number, and yield faster than waves no such speed.
                (None, None) => format!(
                    "leaves no dent, and by the pressure it bears {} % of the indentation is plastic",
                    pretty(100.0 * share, "", 2)
                ),
            },
        ),
        None if dents => add(
            Reason::Yielding,
            f64::NAN,
            YIELD,
            "all its loss is a dent, and nothing says that the material yields".into(),
        ),
        None => {}
    }
    if let Some(limit) = regime.wave_limit
        && !dents
        && regime.speed > limit
    {
        let ratio = regime.speed / limit;
        add(
            Reason::WaveSpeed,
            ratio,
            WAVES * math::ln(ratio) / std::f64::consts::LN_10,
            format!(
                "{} times the speed that internal damping alone is meant for",
                pretty(ratio, "", 3)
            ),
        );
    }
}

/// The elastic part beside that of the surfaces.
fn spring(case: &Case, trial: &Trial, add: &mut Add) {
    let joint = matches!(case.geometry, Geometry::Loose | Geometry::Conformal);
    // From loose (0) to close (1).
    let closely = case.closeness().map_or(0.0, |closeness| {
        (math::ln(closeness) / math::ln(CLOSELY)).min(1.0)
    });
    let reason = match case.geometry {
        _ if case.known.given_stiffness().is_some() => Reason::Spring,
        Geometry::Conformal if closely >= 1.0 => Reason::Conformal,
        Geometry::Conformal | Geometry::Loose => Reason::Clearance,
        Geometry::Line => Reason::LineContact,
        _ => Reason::Spring,
    };
    let card = trial.card;
    let given = case.known.given_stiffness().is_some();
    if given && card.stiffness().is_none() {
        let depth = case.reference_depth(card);
        let times = trial
            .forces
            .map_or(f64::NAN, |[_, force]| force / case.reference(card, depth));
        let mut said = String::from("has no place for the stiffness given");
        if times.is_finite() {
            said.push_str(&format!(
                ": at {} its elastic force is {} times that of it",
                pretty(depth, "m", 3),
                pretty(times, "", 3)
            ));
        }
        add(Reason::Stiffness, times, UNHEEDED, said);
        return;
    }
    let yielding = case.loading(card).is_some();
    if let Some([low, high]) = trial.forces {
        let depth = case.reference_depth(card);
        let reference = |depth: f64| case.reference(card, depth);
        let (ref_low, ref_high) = (reference(0.25 * depth), reference(depth));
        let off = math::ln(high / ref_high);
        let power = math::ln(high / low) - math::ln(ref_high / ref_low);
        let power = power / math::ln(4.0);
        let cost = FORCE * (off.abs() - math::ln(SLACK)).max(0.0)
            + POWER * (power.abs() - POWER_SLACK).max(0.0);
        add(
            reason,
            high / ref_high,
            // Rounding alone must not tell two laws apart.
            if cost < 1e-9 { 0.0 } else { cost },
            format!(
                "at {} its {} force is {} times that of {}, and its power of the indentation is off by {:+.2}",
                pretty(depth, "m", 3),
                if yielding { "loading" } else { "elastic" },
                pretty(high / ref_high, "", 3),
                if given {
                    "the stiffness given"
                } else {
                    "these surfaces"
                },
                power
            ),
        );
    }
    if yielding && !yields_itself(card) {
        let share = case.regime.plastic_share.unwrap_or(0.0);
        add(
            Reason::Yielding,
            share,
            UNBENT * share,
            "its loading does not bend at yield: its K and n are those of these surfaces at this speed only".into(),
        );
    }
    let of_joint = takes(card, &["clearance", "bearing_radius"]);
    // A stiffness that was given is that of these surfaces, however they meet.
    if let Some(closeness) = case.closeness()
        && !of_joint
        && !given
    {
        add(
            Reason::Conformal,
            closeness,
            FIT.0 * closely + FIT.1 * math::ln(closeness),
            format!(
                "not made for a journal that lies in its bearing over {:.0}° to each side",
                closeness * CLOSE_FIT_DEGREES
            ),
        );
    }
    if joint && of_joint {
        add(
            Reason::Clearance,
            closely,
            ALIGNED * (1.0 - closely),
            "takes the axes to be exactly parallel and the load uniform, which so loose a joint does not ensure".into(),
        );
    }
    if let Some(width) = case.wide.filter(|_| of_joint) {
        add(
            Reason::Clearance,
            width,
            FIT.1 * math::ln(width / WIDE),
            format!(
                "made for a clearance that is small against the journal: here it is {} times its radius",
                pretty(width, "", 3)
            ),
        );
    }
    if case.geometry == Geometry::Line && !given {
        let of_teeth = takes(card, &["length"]) && !of_joint;
        if of_teeth != (case.known.shape == Shape::Gear) {
            add(
                Reason::LineContact,
                0.0,
                CARRIED,
                if of_teeth {
                    "made for the teeth of gears".into()
                } else {
                    "not made for teeth: their stiffness has to be carried over".into()
                },
            );
        }
    }
}

/// Contacts that last, and many of them.
fn lasting(case: &Case, trial: &Trial, add: &mut Add) {
    let purpose = case.known.purpose;
    let dents = trial.card.family == Family::Plastic;
    if purpose == Purpose::Impact {
        return;
    }
    if purpose == Purpose::Rest {
        match trial.growth {
            None => add(
                Reason::Rest,
                0.0,
                UNDAMPED,
                "has no damper near rest: bodies that lie on each other swing on".into(),
            ),
            Some(growth) => {
                let tens = math::ln(growth.max(1e-12)) / std::f64::consts::LN_10;
                add(
                    Reason::Rest,
                    growth,
                    if tens.abs() < 1e-6 {
                        0.0
                    } else {
                        GROWS * tens.abs()
                    },
                    format!(
                        "when bodies meet ten times more slowly its damper is {} times as strong",
                        pretty(growth, "", 3)
                    ),
                );
            }
        }
        return;
    }
    let by_speed = trial.by_speed();
    let own = trial.card.family == Family::StateOrVolume || dents;
    if by_speed || own {
        let what = if by_speed {
            "its approach speed"
        } else {
            "its deepest point"
        };
        add(
            Reason::Memory,
            trial.growth.unwrap_or(f64::NAN),
            REMEMBER,
            format!("every contact must remember {what}"),
        );
    }
}

/// Pulls, jumps, dents that are none, work.
fn manners(case: &Case, trial: &Trial, least: u64, add: &mut Add) {
    let impact = &trial.impact;
    let peak = impact.peak.force;
    let pull = -impact.min_force / peak;
    if pull > 1e-6 {
        let weight = if case.known.purpose == Purpose::Rest {
            STAYS
        } else {
            1.0
        };
        add(
            Reason::Tension,
            pull,
            weight * (PULL.0 * pull + PULL.1),
            format!(
                "pulls with {:.1} % of its largest force before the bodies part",
                100.0 * pull
            ),
        );
    }
    let left = impact.end.delta / impact.deepest.delta;
    if left > 1e-6 && trial.card.family != Family::Plastic {
        add(
            Reason::Parting,
            left,
            LEFT * left,
            format!("parts with {:.1} % of the indentation left", 100.0 * left),
        );
    }
    let touch = impact.history.first().map_or(0.0, |s| s.force() / peak);
    let jump = touch.max(trial.jump);
    if jump > 1e-6 {
        let place = if touch >= trial.jump {
            "at touch"
        } else {
            "on the way"
        };
        add(
            Reason::Jump,
            jump,
            JUMP * jump,
            format!(
                "its force jumps by {:.1} % of its largest {place}",
                100.0 * jump
            ),
        );
    }
    if trial.one_sided && trial.error() + case.middle().1 < 1.0 - 1e-9 {
        add(
            Reason::OneSided,
            1.0,
            ONE_SIDED,
            "damped in approach only: it parts as if nothing were lost".into(),
        );
    }
    let work = impact.statistics.rhs_evaluations;
    let tens = math::ln(work as f64 / least as f64) / std::f64::consts::LN_10;
    let weight = if case.known.purpose == Purpose::Many {
        5.0 * WORK
    } else {
        WORK
    };
    add(
        Reason::Work,
        work as f64,
        weight * tens,
        format!("an impact takes {work} evaluations, the cheapest law {least}"),
    );
}

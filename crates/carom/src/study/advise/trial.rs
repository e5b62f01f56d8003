//! What does every law of the catalogue do in this case?
//!
//! A law is set up from what is known: by the names, units and roles on its card, as the commands do. What it then returns at the speeds asked for is computed, never looked up.

use crate::card::Fault;
use crate::card::Role;
use crate::card::Values;
use crate::contact;
use crate::contact::{Calibration, Card, Damper, Family, Law, Restitution};
use crate::impact;
use crate::impact::{Accuracy, Failed, Impact};
use crate::study::compare::heeds_restitution;
use crate::study::many;
use crate::study::{speed_curve, static_curve};

use super::Aside;
use super::case::{Case, YIELDS, yields_itself};

/// Close enough for a comparison, with enough of a history to see jumps.
const ACCURACY: Accuracy = Accuracy {
    rtol: 1e-9,
    samples: 240,
};

/// A jump is a change between neighbouring samples by more than this part of the largest force, and by four times what is beside it, also between samples that stand so many times closer.
const SMOOTH: f64 = 0.06;
const CLOSER: usize = 16;

/// A formula whose error is not above this needs no calibration.
pub(super) const GOOD: f64 = 0.005;

/// How much harder a body is that does not yield at any speed.
const HARD: f64 = 1e6;

/// The damper that laws of cylinders are given.
const DAMPER: &str = "exact-restitution";

/// A law that ran.
pub(super) struct Trial {
    pub card: &'static Card,
    pub law: Law,
    pub values: Values,
    pub calibration: Calibration,
    /// Whether the restitution asked for is an input, at every speed.
    pub heeds: bool,
    /// Returned less asked for, the largest over the impacts asked for: by its own formula, and solved for.
    pub published: Option<f64>,
    pub exact: Option<f64>,
    /// Loading force, elastic unless it is known how the surfaces yield, at a quarter of the depth of the surfaces, and at that depth, N.
    pub forces: Option<[f64; 2]>,
    /// The part of the force that is lost, at a tenth of the middle speed over that at the middle speed, at the same place and rate: 1 if the damper does not know the approach speed. None
    /// without a damper.
    pub growth: Option<f64>,
    /// Whether the damper acts in approach only.
    pub one_sided: bool,
    /// The largest jump of the force between touch and separation, over the largest force.
    pub jump: f64,
    pub impact: Impact,
}

impl Trial {
    /// The error as advised.
    pub fn error(&self) -> f64 {
        match self.calibration {
            Calibration::Published => self.published.unwrap_or(f64::NAN),
            Calibration::Exact => self.exact.unwrap_or(f64::NAN),
        }
    }

    /// Whether its restitution is its own, from the strength of round bodies that meet here: a number that was assumed is nothing to measure that by. Along a line or between faces it says nothing of them.
    pub fn predicts(&self, case: &Case) -> bool {
        case.assumes()
            && case.regime.pressure_ratio.is_some()
            && self.card.family == Family::Plastic
            && self.calibration == Calibration::Published
            && !self.heeds
    }

    /// Whether its damper follows the approach speed.
    pub fn by_speed(&self) -> bool {
        self.growth.is_some_and(|g| (g - 1.0).abs() > 1e-6)
    }
}

/// Runs all laws; those that cannot be set up or run are laid aside with the reason.
pub(super) fn all(case: &Case) -> (Vec<Trial>, Vec<Aside>) {
    let cards: Vec<&'static Card> = contact::cards().collect();
    let mut trials = Vec::new();
    let mut aside = Vec::new();
    for (card, tried) in cards.iter().zip(many::each(&cards, |card| one(case, card))) {
        match tried {
            Ok(trial) => trials.push(trial),
            Err(why) => aside.push(Aside { card, why }),
        }
    }
    (trials, aside)
}

/// One law.
fn one(case: &Case, card: &'static Card) -> Result<Trial, Vec<Failed>> {
    let given = given(case, card);
    let published_values = case
        .known
        .surfaces
        .supply(card, &given, Calibration::Published)
        .values;
    let exact_values = case
        .known
        .surfaces
        .supply(card, &given, Calibration::Exact)
        .values;
    let (speed, e) = case.middle();
    let asked = Restitution::Number(e);
    let heeds = heeds_restitution(card, &published_values, &asked, speed, case.mass);
    let published = errors(case, card, &published_values, Calibration::Published, None);
    // A coefficient that was solved for is the law's own at every speed: solved for anew at each, it would be another law than the one that is judged. What stands in the way of it is told where the errors are found.
    let solved = Law::new(card, &exact_values, Some(asked.clone()), Calibration::Exact).ok();
    let kept = solved.filter(|_| card.can_calibrate()).and_then(|law| {
        let kept = impact::keeping(&law, &exact_values, speed, case.mass);
        kept.ok().flatten()
    });
    let exact = if card.can_calibrate() {
        let kept = kept.as_ref().filter(|_| case.several_speeds());
        let law = kept.map(|(law, _)| law);
        errors(case, card, &exact_values, Calibration::Exact, law).ok()
    } else {
        None
    };
    let (calibration, values) = match (&published, exact) {
        (Ok(error), Some(_)) if error.abs() > GOOD => (Calibration::Exact, exact_values),
        (Ok(_), _) => (Calibration::Published, published_values),
        (Err(_), Some(_)) => (Calibration::Exact, exact_values),
        (Err(why), None) => return Err(why.clone()),
    };
    let make = |restitution: Restitution| {
        Law::new(card, &values, Some(restitution), calibration).map_err(inputs)
    };
    let kept = kept.filter(|_| calibration == Calibration::Exact);
    // Solved for without a place for it (`wang` has yield strengths, a dent goes with the deepest indentation), it is told the restitution at every touch.
    let heeds = heeds || calibration == Calibration::Exact && kept.is_none();
    let (law, at_middle, values) = match kept {
        Some((law, values)) => (law.clone(), law, values),
        None => (make(case.restitution.clone())?, make(asked)?, values),
    };
    let impact =
        impact::simulate(&at_middle, speed, case.mass, &ACCURACY).map_err(|why| vec![why])?;
    if !sound(&impact) {
        return Err(vec![Failed::Input(Fault::OutOfRange {
            law: card.id,
            name: "restitution returned".into(),
            value: impact.restitution,
            unit: "",
            allowed: "a finite number, with a finite depth and force".into(),
            hint: String::new(),
        })]);
    }
    let depth = case.reference_depth(card);
    let unyielding = unyielding(case, &at_middle, card, &values);
    let forces = static_curve(
        unyielding.as_ref().unwrap_or(&at_middle),
        speed,
        case.mass,
        &[0.25 * depth, depth],
    );
    let forces = match forces.as_slice() {
        [(_, Ok(low)), (_, Ok(high))] if *low > 0.0 && high.is_finite() => Some([*low, *high]),
        _ => None,
    };
    let growth = growth(case, &at_middle, heeds);
    let touch = impact::begin(&at_middle, speed, case.mass).map_err(|why| vec![why])?;
    let one_sided = matches!(touch.damper(), Damper::Approach { .. });
    Ok(Trial {
        card,
        law,
        values,
        calibration,
        heeds,
        published: published.ok(),
        exact,
        forces,
        growth,
        one_sided,
        jump: jump(&at_middle, &impact, case.mass),
        impact,
    })
}

fn inputs(faults: Vec<Fault>) -> Vec<Failed> {
    faults.into_iter().map(Failed::Input).collect()
}

fn sound(impact: &Impact) -> bool {
    [
        impact.restitution,
        impact.deepest.delta,
        impact.peak.force,
        impact.duration(),
    ]
    .iter()
    .all(|x| x.is_finite() && *x >= 0.0)
}

/// What a law is given before the surfaces supply the rest: its spring, and a damper where it lets one choose.
fn given(case: &Case, card: &'static Card) -> Values {
    let mut values = Values::new();
    if let Some(spring) = card.stiffness() {
        let (k, n) = case.power(card);
        let free = card.parameters.iter().find(|p| p.role == Role::Exponent);
        match (free, card.exponent(&Values::new())) {
            (Some(p), _) if p.range.contains(n) => {
                values.set_number(p.name, n);
                values.set_number(spring.name, k);
            }
            // A volume of overlap goes with the square of the indentation, V = π R δ² for a cap.
            (None, Some(3.0)) => {
                if let Ok(spheres) = case.known.surfaces.spheres()
                    && let Some(radius) = spheres.effective_radius
                {
                    let k = case.matched(card, 2.0) / (std::f64::consts::PI * radius);
                    values.set_number(spring.name, k);
                }
            }
            // Also of an exponent that its range does not have: then it keeps its own.
            (_, Some(n)) => values.set_number(spring.name, case.matched(card, n)),
            _ => {}
        }
    }
    // One limiting pressure stands for all of the contact: which one depends on how far yield has gone.
    if card
        .parameters
        .iter()
        .any(|p| p.name == "limiting_pressure")
        && let Some(pressure) = case.regime.limiting_pressure(&case.known.surfaces)
    {
        values.set_number("limiting_pressure", pressure);
    }
    if card.choices.iter().any(|c| c.name == "damper") && case.asked.iter().any(|a| a.1 < 1.0) {
        values.set_word("damper", DAMPER);
    }
    values
}

/// A law that yields by itself is softer on purpose: only surfaces of which it is known how they yield tell whether by too much. Beside any others this is its elastic part, with a strength that nothing reaches.
fn unyielding(case: &Case, law: &Law, card: &'static Card, values: &Values) -> Option<Law> {
    if case.loading(card).is_some() || !yields_itself(card) {
        return None;
    }
    let mut hard = values.clone();
    for name in YIELDS {
        if let Some(value) = values.get(name) {
            hard.set_number(name, HARD * value);
        }
    }
    Law::new(card, &hard, law.asked().cloned(), Calibration::Published).ok()
}

/// The largest error of restitution over the impacts asked for.
///
/// A law is told the restitution at every speed; one that has a coefficient keeps that (`kept`), which is right in the middle.
fn errors(
    case: &Case,
    card: &'static Card,
    values: &Values,
    calibration: Calibration,
    kept: Option<&Law>,
) -> Result<f64, Vec<Failed>> {
    let mut worst = 0.0_f64;
    for &(v, e) in &case.asked {
        let law = match kept {
            Some(law) => law.clone(),
            None => {
                Law::new(card, values, Some(Restitution::Number(e)), calibration).map_err(inputs)?
            }
        };
        for (_, returned) in speed_curve(&law, case.mass, v, &[v]) {
            let error = returned.map_err(|why| vec![why])? - e;
            if !error.is_finite() {
                return Err(vec![Failed::Input(Fault::OutOfRange {
                    law: card.id,
                    name: "restitution returned".into(),
                    value: error,
                    unit: "",
                    allowed: "a finite number".into(),
                    hint: String::new(),
                })]);
            }
            if error.abs() > worst.abs() {
                worst = error;
            }
        }
    }
    Ok(worst)
}

/// The largest jump of the force on the way, over the largest force. What is steep and not broken is no jump between samples that stand closer: the peak of a strong damper may be as short as a sample.
fn jump(law: &Law, impact: &Impact, mass: f64) -> f64 {
    let coarse = step(impact);
    if coarse == 0.0 {
        return 0.0;
    }
    let finely = Accuracy {
        samples: CLOSER * ACCURACY.samples,
        ..ACCURACY
    };
    impact::simulate(law, impact.approach_speed, mass, &finely).map_or(coarse, |fine| step(&fine))
}

/// The largest change between neighbouring samples that stands out from those beside it, over the largest force; 0 if none does.
fn step(impact: &Impact) -> f64 {
    let forces: Vec<f64> = impact.history.iter().map(|s| s.force()).collect();
    let steps: Vec<f64> = forces
        .windows(2)
        .map(|w| (w[1] - w[0]).abs() / impact.peak.force)
        .collect();
    // A steep way back is no jump: its neighbours are steep as well.
    steps
        .windows(3)
        .filter(|w| w[1] > SMOOTH && w[1] > 4.0 * w[0].max(w[2]))
        .map(|w| w[1])
        .fold(0.0, f64::max)
}

/// How the damper changes when bodies meet ten times more slowly.
fn growth(case: &Case, law: &Law, heeds: bool) -> Option<f64> {
    let (speed, _) = case.middle();
    let fast = impact::begin(law, speed, case.mass).ok()?;
    let slow = if heeds {
        impact::begin(law, 0.1 * speed, case.mass).ok()?
    } else {
        let mut touch = law.touch(0.1 * speed, case.mass).ok()?;
        if let Some(coefficient) = fast.coefficient() {
            touch.set_coefficient(coefficient);
        }
        touch
    };
    let state = contact::State::new(case.depth(0.1 * speed), 0.05 * speed);
    let lost = |touch: &contact::Touch| touch.force(&state).dissipative;
    let (fast, slow) = (lost(&fast), lost(&slow));
    (fast > 0.0 && slow.is_finite()).then_some(slow / fast)
}

//! What follows from what is known, and what must be assumed?

use std::borrow::Cow;
use std::f64::consts::PI;

use crate::card::Fault;
use crate::card::Range;
use crate::card::Values;
use crate::contact::closed;
use crate::contact::stiffness::{self, WIDE, joint_angle, joint_force};
use crate::contact::{Card, Family, Plastic, Restitution};
use crate::math;
use crate::model::units::pretty;

use super::measured::{Curve, joined, means, off};
use super::onset::Meeting;
use super::spring::{
    ASSUMED_POWER, CLOSE_FIT, Follows, closeness, forms, joint, joint_depth, of_surfaces, spring,
    usual_exponent, width, without_length,
};
use super::{Advice, Caution, Gap, Geometry, Known, Regime, Shape};

/// What is assumed of the restitution where nobody said anything, and the values every law is then judged at.
const MIDDLE_RESTITUTION: f64 = 0.7;
const RESTITUTIONS: [f64; 4] = [0.3, 0.5, 0.7, 0.9];
/// Approach that is assumed, m/s, and mass, kg.
const SPEED: f64 = 0.1;
const MASS: f64 = 1.0;
/// Approaches that can be judged, m/s. Slower ones are shallower than an atom is wide and stick; at the fastest, bodies of any stuff flow like a liquid (hypervelocity, Johnson 1985, section 11.5).
const SPEEDS: Range = Range::closed(SLOWEST, 1e4);
pub(super) const SLOWEST: f64 = 1e-6;
/// Length over √(R₁R₂) of a loose joint whose force is that of spheres with the same radii: (4/3) E* √(R₁R₂/c) of Hertz is π E* L/(2√2 √c) of Liu et al. (2005), so that it is 8√2/(3π).
const AS_LONG: f64 = 8.0 * std::f64::consts::SQRT_2 / (3.0 * PI);
/// Within this factor of the bound between joints and lines what both make of it is told.
const NEAR: f64 = 2.0;
/// A stiffness given is told beside that of the surfaces where their forces differ by more than this factor.
const OTHER: f64 = 2.0;
/// A restitution that is higher than the yield strength allows by more than this is told.
const CONTRADICTS: f64 = 0.1;
/// Effective masses that can be judged, kg: from a grain of dust to a mountain.
const MASSES: Range = Range::closed(1e-18, 1e12);

/// Contact times (s) and depths (m) that a stiffness can follow from: shorter and shallower than anything inside an atom, longer and deeper than any two bodies.
const TIMES: Range = Range::closed(1e-15, 1e9);
const DEPTHS: Range = Range::closed(1e-15, 1e9);

/// Stiffnesses that can be given, N/m^n: beyond them depths and dampers are no numbers any more.
const STIFFNESSES: Range = Range::closed(1e-30, 1e40);

/// One case, complete.
pub(super) struct Case<'a> {
    pub known: &'a Known,
    pub geometry: Geometry,
    /// K in N/m^n and n of the surfaces as they are, or as assumed.
    pub spring: (f64, f64),
    /// What it follows from.
    follows: Follows,
    /// k and c of Liu's form, where materials and length are known, the clearance is that of a joint, and no stiffness was given: π E* L/(2√2) in N/m, and m.
    pub joint: Option<(f64, f64)>,
    /// Clearance over the radius of the journal, where it is too wide for such a law.
    pub wide: Option<f64>,
    /// How round surfaces load that yield at these speeds, as hard as the restitution given says. None where they do not, where they are not round, and where a stiffness was given.
    pub yielding: Option<Plastic>,
    pub mass: f64,
    /// The slowest and the fastest approach, m/s, whatever laws are put to.
    pub speeds: [f64; 2],
    /// Approach speeds and restitutions, rising.
    pub asked: Vec<(f64, f64)>,
    /// Which of them is the middle.
    pub middle: usize,
    /// What laws are given.
    pub restitution: Restitution,
    /// What was measured, as they are given it.
    pub measured: Vec<(f64, f64)>,
    /// Whether it was computed from the yield strength.
    pub predicted: bool,
    pub regime: Regime,
    pub assumed: Vec<Gap>,
    pub missing: Vec<Gap>,
    pub cautions: Vec<Caution>,
}

impl<'a> Case<'a> {
    /// From numbers that are sound.
    pub fn of(known: &'a Known) -> Result<Self, Vec<Fault>> {
        let mut assumed = Vec::new();
        let mut missing = Vec::new();
        let mut geometry = geometry(known);
        let mass = mass(known, geometry, &mut assumed, &mut missing);
        let speeds = speeds(known, &mut missing);
        let (spring, follows) = spring(known, geometry, mass, speeds, &mut assumed, &mut missing)?;
        let cylinders = joint(known);
        let joint = cylinders.filter(|_| known.given_stiffness().is_none());
        let wide = width(known).filter(|width| *width > WIDE);
        if matches!(geometry, Geometry::Loose) {
            let closeness = closeness(known, spring, joint, mass, speeds[1]);
            if closeness.is_some_and(|x| x > 1.0) {
                geometry = Geometry::Conformal;
            }
            if known.surfaces.length.is_none() && known.given_stiffness().is_none() {
                missing.push(gap(
                    "length",
                    without_length(closeness, wide.is_some()).into(),
                ));
                let round = follows == Follows::Surfaces && wide.is_none();
                if let Some([a, b]) = known.surfaces.radii.filter(|_| round) {
                    let length = AS_LONG * math::sqrt((a * b).abs());
                    assumed.push(gap(
                        "stiffness",
                        format!("K = {:.4e} N/m^{} of spheres with these radii, which a loose joint of {} would have; a longer one is stiffer in proportion", spring.0, spring.1, pretty(length, "m", 3)),
                    ));
                }
            }
        }
        let meeting = Meeting {
            surfaces: &known.surfaces,
            geometry,
            joint: cylinders,
            given: known.given_stiffness(),
        };
        // A mass that nobody knows is no evidence of yield; that of flat faces is a matter of the wave, whatever the mass.
        let weighed = geometry == Geometry::Flat || !missing.iter().any(|g| g.what == "mass");
        let regime = Regime::of(&meeting, weighed.then_some(mass), speeds[1]);
        strength(known, geometry, &regime, &mut missing);
        let curve = Curve::of(&known.measured);
        if let Some(said) = curve.as_ref().and_then(|c| c.gathered(&known.measured)) {
            assumed.push(gap("restitution between speeds", said));
        }
        if let Some(said) = means(&known.measured) {
            assumed.push(gap("restitution at one speed", said));
        }
        if let Some(said) = off(&known.measured) {
            assumed.push(gap("restitution off the rest", said));
        }
        let (restitution, asked) = restitution(
            known,
            curve.as_ref(),
            speeds,
            &regime,
            (&meeting, weighed.then_some(mass)),
            &mut assumed,
            &mut missing,
        )?;
        let predicted = assumed.iter().any(|g: &Gap| g.what == "restitution");
        let middle = middle(&asked);
        let given = known.restitution.is_some() || !known.measured.is_empty();
        let fastest = asked.last().copied().filter(|_| given);
        let harder = fastest.and_then(|(_, e)| regime.harder(e, spring.1));
        let pressure = harder.or(regime.pressure_ratio);
        let yielding = pressure
            .and_then(|ratio| regime.loading(&meeting, ratio))
            .filter(|_| known.given_stiffness().is_none());
        if let (Some(harder), Some((speed, e)), Some(_)) = (harder, fastest, &yielding) {
            assumed.push(gap(
                "contact pressure",
                format!("laws that leave a dent load with {harder:.2} times the yield strength, with which Thornton's law (1997) returns the {} {} at {}; with the {:.2} Y that follow from the strength it would return {:.3}", pretty(e, "", 4), known.origin().words(), pretty(speed, "m/s", 4), regime.pressure_ratio.unwrap_or(f64::NAN), regime.thornton.unwrap_or(f64::NAN)),
            ));
        }
        let mut case = Self {
            known,
            geometry,
            spring,
            follows,
            joint,
            wide,
            yielding,
            mass,
            speeds,
            asked,
            middle,
            restitution,
            measured: curve.map(|c| c.points).unwrap_or_default(),
            predicted,
            regime,
            assumed,
            missing,
            cautions: Vec::new(),
        };
        if let (Some(fastest), Some(harder)) = (fastest, harder) {
            case.contradiction(fastest, harder);
        }
        case.not_measured(speeds);
        case.hollow();
        case.too_wide();
        case.joint_or_line();
        case.other_stiffness();
        Ok(case)
    }

    /// Approach speed (m/s) and restitution of the middle impact.
    pub fn middle(&self) -> (f64, f64) {
        self.asked
            .get(self.middle)
            .copied()
            .unwrap_or((SPEED, MIDDLE_RESTITUTION))
    }

    /// The fastest approach, m/s.
    pub fn fastest(&self) -> f64 {
        self.speeds[1]
    }

    /// Speeds (m/s) all over the range, its ends and those that laws are put to among them.
    pub fn all_speeds(&self) -> impl Iterator<Item = f64> {
        let asked = self.asked.iter().map(|a| a.0);
        ladder(self.speeds).into_iter().chain(asked)
    }

    /// Whether nobody gave a restitution.
    pub fn assumes(&self) -> bool {
        self.known.restitution.is_none() && self.known.measured.is_empty()
    }

    /// The approach (m/s) at which the stiffness of a law is that of the surfaces, where several are asked for and it is at one only: it is of another power, or was assumed and stands for one of another power, or they yield, or are those of a joint.
    pub fn stiffness_at(&self, card: &Card, values: &Values) -> Option<f64> {
        values.get(card.stiffness()?.name)?;
        let [slowest, fastest] = self.speeds;
        let everywhere =
            self.power(card) == self.spring && card.exponent(values) == Some(self.spring.1);
        let at_one = self.joint.is_some() || self.stands_in();
        if slowest == fastest || everywhere && !at_one {
            return None;
        }
        Some(match self.follows {
            Follows::Depth => fastest,
            _ if everywhere => math::sqrt(slowest * fastest),
            _ => self.middle().0,
        })
    }

    /// Whether the spring is one that was assumed, as deep as another of another power at the middle speed.
    fn stands_in(&self) -> bool {
        self.follows == Follows::Nothing && self.spring.1 != ASSUMED_POWER
    }

    /// Whether the impacts asked for have more than one speed.
    pub fn several_speeds(&self) -> bool {
        self.asked
            .first()
            .zip(self.asked.last())
            .is_some_and(|(a, b)| a.0 != b.0)
    }

    /// Whether nothing is to be lost.
    pub fn loses_nothing(&self) -> bool {
        self.asked.iter().all(|a| a.1 == 1.0)
    }

    /// How far apart the restitutions of a function of speed are.
    pub fn spread(&self) -> f64 {
        if !self.several_speeds() {
            return 0.0;
        }
        let (low, high) = self
            .asked
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(l, h), a| {
                (l.min(a.1), h.max(a.1))
            });
        high - low
    }

    /// Whether the stiffness was given, or is that of the surfaces.
    pub fn of_surfaces(&self) -> bool {
        self.follows == Follows::Surfaces
    }

    /// How the surfaces meet, and how stiff they are.
    pub fn meeting(&self) -> Meeting<'_> {
        Meeting {
            surfaces: &self.known.surfaces,
            geometry: self.geometry,
            joint: joint(self.known),
            given: self.known.given_stiffness(),
        }
    }

    /// Elastic depth of the surfaces' own spring at this speed (m/s), m.
    pub fn depth(&self, speed: f64) -> f64 {
        let (k, n) = self.spring;
        closed::deepest(k, n, self.mass, speed, 0.0)
    }

    /// How the surfaces load where they yield, for laws that leave a dent: the others are elastic beside a damper.
    pub fn loading(&self, card: &Card) -> Option<&Plastic> {
        let dents = card.family == Family::Plastic;
        self.yielding.as_ref().filter(|_| dents)
    }

    /// Energy of the middle impact, J.
    fn energy(&self) -> f64 {
        let (speed, _) = self.middle();
        0.5 * self.mass * speed * speed
    }

    /// K and n that a law is given which loads along one power. That of surfaces that yield is as deep as they are at the middle speed, and its force there is theirs.
    pub fn power(&self, card: &Card) -> (f64, f64) {
        let Some(loading) = self.loading(card).filter(|_| !yields_itself(card)) else {
            return self.spring;
        };
        let (energy, depth) = (self.energy(), self.reference_depth(card));
        // The work of K δ^n is F δ/(n + 1). Three digits are enough for n: K keeps the depth.
        let n = loading.loading(depth) * depth / energy - 1.0;
        let n = (n * 1e3).round() / 1e3;
        ((n + 1.0) * energy / math::powf(depth, n + 1.0), n)
    }

    /// K of another exponent that is as deep at the middle speed (at the fastest where a depth must be kept): the same work up to the same depth.
    pub fn matched(&self, card: &Card, exponent: f64) -> f64 {
        let (k, n) = self.power(card);
        let speed = match self.follows {
            Follows::Depth => self.fastest(),
            _ => self.middle().0,
        };
        let depth = closed::deepest(k, n, self.mass, speed, 0.0);
        k * (exponent + 1.0) / (n + 1.0) * math::powf(depth, n - exponent)
    }

    /// Depth of the surfaces themselves at the middle speed, m: of those that yield for a law that leaves a dent, else elastic.
    pub fn reference_depth(&self, card: &Card) -> f64 {
        let (speed, _) = self.middle();
        match (self.loading(card), self.joint) {
            (Some(loading), _) => loading.depth(self.energy()),
            (None, Some((k, c))) => joint_depth(k, c, self.mass, speed),
            (None, None) => self.depth(speed),
        }
    }

    /// The half angle over which a journal lies in its bearing at the fastest approach, over the one from which on it counts as conformal; none if it is loose.
    pub fn closeness(&self) -> Option<f64> {
        closeness(
            self.known,
            self.spring,
            self.joint,
            self.mass,
            self.fastest(),
        )
        .filter(|_| self.geometry == Geometry::Conformal)
    }

    /// Force of the surfaces at an indentation (m), N: of those that yield for a law that leaves a dent; else that of a joint where its length is known, else the power law.
    pub fn reference(&self, card: &Card, depth: f64) -> f64 {
        match (self.loading(card), self.joint) {
            (Some(loading), _) => loading.loading(depth),
            (None, Some(joint)) => joint_force(joint, depth),
            (None, None) => self.spring.0 * math::powf(depth, self.spring.1),
        }
    }

    /// Whether the stiffness follows from the materials and the clearance of a joint.
    pub fn follows_clearance(&self) -> bool {
        let surfaces = &self.known.surfaces;
        matches!(self.geometry, Geometry::Loose | Geometry::Conformal)
            && self.known.given_stiffness().is_none()
            && surfaces.materials.is_some()
            && surfaces.radii.is_some()
    }

    /// The leader and how many times longer its contact lasts than was said, where the stiffness follows from that.
    pub fn off_time(&self, advice: &Advice) -> Option<(&'static str, f64)> {
        let given = self.known.contact_time?;
        let (leader, numbers) = (advice.leader()?, advice.numbers.as_ref()?);
        let longer = numbers.duration / given;
        (self.follows == Follows::Time && Range::POSITIVE.contains(longer))
            .then_some((leader.card.id, longer))
    }

    /// A stiffer spring, on which this law, which lasted so many times too long, lasts as long as was said.
    pub fn shorten(&mut self, law: &str, longer: f64) {
        let (k, n) = self.spring;
        // With the same restitution the duration goes with K^(−1/(n+1)), whatever the damper.
        let k = k * math::powf(longer, n + 1.0);
        if !Range::POSITIVE.contains(k) {
            return;
        }
        self.spring.0 = k;
        let speed = self.middle().0;
        for gap in self.assumed.iter_mut().filter(|g| g.what == "stiffness") {
            gap.said = format!(
                "K = {k:.4e} N/m^{n} follows from the contact time: with its damping {law} lasts so long at {}",
                pretty(speed, "m/s", 4)
            );
        }
    }

    /// Speeds that are asked for and were not measured.
    fn not_measured(&mut self, asked: [f64; 2]) {
        // That of the pairs themselves: what laws are told may be means of neighbours.
        let speeds = self.known.measured.iter().map(|pair| pair.0);
        let low = speeds.clone().reduce(f64::min);
        if let (Some(low), Some(high)) = (low, speeds.reduce(f64::max)) {
            let measured = [low, high];
            if asked[0] < measured[0] || asked[1] > measured[1] {
                self.cautions.push(Caution::Beyond { asked, measured });
            }
        }
    }

    /// An outline that fits the hollow of another closely, by the measure for journals.
    fn hollow(&mut self) {
        if let (Geometry::Hollow, Some([a, b])) = (self.geometry, self.known.surfaces.radii) {
            let (k, n) = self.spring;
            let pressed = math::powf(self.known.load.unwrap_or(0.0) / k, 1.0 / n);
            let angle = joint_angle((a + b).abs(), self.depth(self.fastest()).max(pressed));
            if angle > CLOSE_FIT {
                self.cautions.push(Caution::Hollow { angle });
            }
        }
    }

    /// A clearance that is no longer that of a joint, where no length says that it touches along a line.
    fn too_wide(&mut self) {
        if let (Geometry::Loose | Geometry::Conformal, Some(width)) = (self.geometry, self.wide) {
            self.cautions.push(Caution::Wide { width });
        }
    }

    /// A clearance near the bound between joints and lines, where the forms for both are far apart.
    fn joint_or_line(&mut self) {
        let known = self.known;
        let near = |width: &f64| (WIDE / NEAR..=WIDE * NEAR).contains(width);
        let apart = matches!(self.geometry, Geometry::Loose | Geometry::Line);
        if let Some(width) = width(known).filter(near)
            && apart
            && known.given_stiffness().is_none()
            && let Some([joint, line, sized]) = forms(known, self.energy())
        {
            self.cautions.push(Caution::JointOrLine {
                width,
                speed: self.middle().0,
                joint,
                line,
                sized,
            });
        }
    }

    /// A stiffness that is far from that of materials and shapes is told. Teeth bend, so that theirs is smaller.
    fn other_stiffness(&mut self) {
        let (known, (speed, _)) = (self.known, self.middle());
        let own = of_surfaces(known, self.geometry, self.mass, speed);
        if let (Some(given), Ok(Some(own))) = (known.stiffness, own) {
            let force = |(k, n): (f64, f64)| {
                k * math::powf(closed::deepest(k, n, self.mass, speed, 0.0), n)
            };
            let factor = force(given) / force(own);
            let bends = known.shape == Shape::Gear && factor < 1.0;
            if !(1.0 / OTHER..=OTHER).contains(&factor) && !bends {
                self.cautions.push(Caution::Stiffness {
                    follows: known.stiffness_follows,
                    given,
                    own,
                    factor,
                    speed,
                });
            }
        }
    }

    /// A restitution that the yield strength does not allow is a contradiction worth telling; `needed` is the contact pressure over yield strength that it would take.
    fn contradiction(&mut self, (speed, asked): (f64, f64), needed: f64) {
        let (Some(predicted), Some(pressure_ratio)) =
            (self.regime.thornton, self.regime.pressure_ratio)
        else {
            return;
        };
        if asked > predicted + CONTRADICTS {
            self.cautions.push(Caution::Strength {
                asked,
                predicted,
                speed,
                pressure_ratio,
                needed,
            });
        }
    }

    /// The radius of the smaller body, m: that of the journal in a joint. None if both are flat or nobody said, and where a stiffness was given: no radius has a part in it, and a point may be sharp.
    pub fn smaller_radius(&self) -> Option<f64> {
        if self.known.given_stiffness().is_some() {
            return None;
        }
        let [a, b] = self.known.surfaces.radii?;
        let radius = a.abs().min(b.abs());
        radius.is_finite().then_some(radius)
    }
}

/// Whether the loading of a law bends at yield by itself.
pub(super) fn yields_itself(card: &Card) -> bool {
    takes(card, &YIELDS)
}

/// The numbers of a law that say when it yields.
pub(super) const YIELDS: [&str; 2] = ["limiting_pressure", "yield_indentation"];

/// Whether a card has a parameter of one of these names.
pub(super) fn takes(card: &Card, names: &[&str]) -> bool {
    card.parameters.iter().any(|p| names.contains(&p.name))
}

pub(super) fn gap(what: &'static str, said: String) -> Gap {
    Gap { what, said }
}

/// What is wrong with the numbers, all at once.
pub(super) fn faults(known: &Known) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut within =
        |range: Range, name: &str, value: Option<f64>, unit: &'static str, hint: &str| {
            if let Some(value) = value.filter(|v| !range.contains(*v)) {
                faults.push(Fault::OutOfRange {
                    law: "advise",
                    name: name.into(),
                    value,
                    unit,
                    allowed: range.asked_of(value),
                    hint: hint.into(),
                });
            }
        };
    const POSITIVE: Range = Range::POSITIVE;
    let length = known.surfaces.length;
    within(
        MASSES,
        "mass",
        known.mass,
        "kg",
        "the effective mass m1 m2/(m1 + m2)",
    );
    within(
        POSITIVE,
        "length",
        length,
        "m",
        "the length of the line of contact",
    );
    let solid = solid(known).filter(|mass| known.mass.is_none() && mass.is_finite());
    within(
        MASSES,
        "mass",
        solid,
        "kg",
        "it follows from radii and density, of solid bodies: are the radii in another unit? Or give the effective mass m1 m2/(m1 + m2)",
    );
    within(
        DEPTHS,
        "allowed depth",
        known.allowed_depth,
        "m",
        "such as 10 um",
    );
    within(
        TIMES,
        "contact time",
        known.contact_time,
        "s",
        "such as 5 ms",
    );
    within(POSITIVE, "load", known.load, "N", "");
    let stiffness = known.stiffness.map(|s| s.0);
    within(
        STIFFNESSES,
        "stiffness",
        stiffness,
        "N/m^n",
        "balls of steel have about 1e10 N/m^1.5",
    );
    let [slowest, fastest] = known.speeds.map_or([None; 2], |[a, b]| [Some(a), Some(b)]);
    for speed in [slowest, fastest.filter(|v| slowest != Some(*v))] {
        within(
            SPEEDS,
            "speed",
            speed,
            "m/s",
            "the bodies must approach each other; slower ones stick, faster ones flow like a liquid, and no law of the catalogue is for either",
        );
    }
    if let Some((_, n)) = known.stiffness
        && !Range::closed(1.0, 3.0).contains(n)
    {
        faults.push(Fault::OutOfRange {
            law: "advise",
            name: "exponent".into(),
            value: n,
            unit: "",
            allowed: Range::closed(1.0, 3.0).to_string(),
            hint: "3/2 for round bodies, 1 for flat ones".into(),
        });
    }
    if let Some([low, high]) = known.speeds
        && low > high
    {
        faults.push(Fault::OutOfRange {
            law: "advise",
            name: "the fastest approach".into(),
            value: high,
            unit: "m/s",
            allowed: format!("at least the slowest, {low}"),
            hint: String::new(),
        });
    }
    if let Some(restitution) = &known.restitution {
        let mut own = restitution.faults("advise");
        // A function may be sound and still be out of range at the speeds asked for.
        let speeds = known.speeds.filter(|speeds| {
            let [slowest, fastest] = speeds;
            slowest <= fastest && speeds.iter().all(|v| SPEEDS.contains(*v))
        });
        if let (true, Some(speeds)) = (own.is_empty(), speeds) {
            let there = ladder(speeds).into_iter();
            own.extend(
                there
                    .filter_map(|v| restitution.at(v, "advise").err())
                    .take(1),
            );
        }
        faults.extend(own);
    }
    for &(v, e) in &known.measured {
        for (name, value, unit, range) in [
            ("a measured speed", v, "m/s", SPEEDS),
            ("a measured restitution", e, "", Range::UNIT),
        ] {
            if !range.contains(value) {
                faults.push(Fault::OutOfRange {
                    law: "advise",
                    name: name.into(),
                    value,
                    unit,
                    allowed: range.asked_of(value),
                    hint: String::new(),
                });
            }
        }
    }
    if let Some([a, b]) = &known.surfaces.materials {
        faults.extend(a.faults());
        if a != b {
            faults.extend(b.faults());
        }
    }
    if let Some(radii) = known.surfaces.radii
        && radii != [f64::INFINITY; 2]
        && let Err(fault) = stiffness::effective_radius(radii)
    {
        faults.push(fault);
    }
    faults
}

/// The effective mass of solid balls (kg), with a length of solid cylinders; infinite where both stand still. None where materials, radii or densities are not known, and of other shapes.
fn solid(known: &Known) -> Option<f64> {
    let [a, b] = known.surfaces.materials.as_ref()?;
    let [ra, rb] = known.surfaces.radii?;
    let volume = |radius: f64| {
        PI * match known.surfaces.length {
            Some(length) => radius * radius * length,
            None => 4.0 / 3.0 * math::powi(radius, 3),
        }
    };
    // What is flat or hollow stands still.
    let solid = |radius: f64, density: Option<f64>| {
        if radius.is_finite() && radius > 0.0 {
            density.map(|rho| volume(radius) * rho)
        } else {
            Some(f64::INFINITY)
        }
    };
    let (ma, mb) = (solid(ra, a.density)?, solid(rb, b.density)?);
    matches!(known.shape, Shape::Radii | Shape::Outlines).then(|| 1.0 / (1.0 / ma + 1.0 / mb))
}

/// The effective mass: given, or that of solid balls, with a length of solid cylinders.
fn mass(known: &Known, geometry: Geometry, assumed: &mut Vec<Gap>, missing: &mut Vec<Gap>) -> f64 {
    if let Some(mass) = known.mass {
        return mass;
    }
    if let Some(mass) = solid(known).filter(|mass| Range::POSITIVE.contains(*mass)) {
        let what = match known.surfaces.length {
            Some(_) => "cylinders of this length",
            None => "balls",
        };
        assumed.push(gap(
            "mass",
            format!("the bodies are solid {what} (flat and hollow ones stand still), with nothing behind them: effective mass {mass:.4e} kg"),
        ));
        return mass;
    }
    // ½ m v² is K δ^(n+1)/(n + 1).
    let n = known.stiffness.map_or(usual_exponent(geometry), |k| k.1);
    let power = match n {
        1.0 => "root".into(),
        1.5 => "2/5th power".into(),
        n => format!("power {}", pretty(1.0 / (n + 1.0), "", 3)),
    };
    // Between flat faces yield is a matter of the stress of the wave.
    let yielding = match geometry {
        Geometry::Flat => "",
        _ => ", and the speed of yield falls with its root",
    };
    missing.push(gap(
        "mass",
        format!("the effective mass is not given: depth, force and duration are for {MASS} kg; the depth grows with its {power}{yielding}"),
    ));
    MASS
}

/// The slowest and the fastest approach.
fn speeds(known: &Known, missing: &mut Vec<Gap>) -> [f64; 2] {
    if let Some(speeds) = known.speeds {
        return speeds;
    }
    let measured = known.measured.iter().map(|p| p.0);
    let (low, high) = measured.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
    if high > 0.0 {
        return [low, high];
    }
    missing.push(gap(
        "speed",
        format!("the approach speed is not given: judged at {SPEED} m/s; whether the material yields, and whether internal damping alone is meant for it, depends on it"),
    ));
    [SPEED; 2]
}

/// What the shapes say.
fn geometry(known: &Known) -> Geometry {
    let long = known.surfaces.length.is_some();
    // An infinite radius is a plane, whatever its sign; a roller in a wide ring touches along a line as one on a plane does.
    let hollow = |a: f64, b: f64| a.min(b) < 0.0 && a.min(b).is_finite();
    let wide = width(known).is_some_and(|width| width > WIDE);
    match (known.shape, known.surfaces.radii, known.stiffness) {
        (Shape::Gear, ..) => Geometry::Line,
        (Shape::Flat, ..) => Geometry::Flat,
        (_, Some([a, b]), _) if a.is_infinite() && b.is_infinite() => Geometry::Flat,
        (Shape::Outlines, Some([a, b]), _) if hollow(a, b) && !long => Geometry::Hollow,
        (_, Some([a, b]), _) if hollow(a, b) && !(long && wide) => Geometry::Loose,
        (_, Some(_), _) if long => Geometry::Line,
        (_, Some(_), _) => Geometry::Point,
        (_, None, Some((_, n))) if n < 1.25 => Geometry::Flat,
        (_, None, Some(_)) => Geometry::Point,
        (_, None, None) if long => Geometry::Line,
        (_, None, None) => Geometry::Unknown,
    }
}

/// What is known without what flat faces do not have, and what was passed over.
pub(super) fn without_radii_of_faces(known: &Known) -> (Cow<'_, Known>, Vec<Gap>) {
    let surfaces = &known.surfaces;
    let round = surfaces
        .radii
        .is_some_and(|radii| radii.iter().any(|r| r.is_finite()));
    let given = [("radii", round), ("length", surfaces.length.is_some())];
    if known.shape != Shape::Flat || given.iter().all(|(_, given)| !given) {
        return (Cow::Borrowed(known), Vec::new());
    }
    let passed_over = given
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(what, _)| {
            gap(
            what,
            "flat faces have none: what was given is passed over. Without that shape it would count"
                .into(),
        )
        });
    let mut flat = known.clone();
    flat.surfaces.radii = None;
    flat.surfaces.length = None;
    (Cow::Owned(flat), passed_over.collect())
}

/// What is not known of the strength, and what it would change.
fn strength(known: &Known, geometry: Geometry, regime: &Regime, missing: &mut Vec<Gap>) {
    let Some([a, b]) = &known.surfaces.materials else {
        missing.push(gap(
            "materials",
            "the materials are not given: whether they yield, and whether internal damping alone is meant for this speed, is not judged; above yield a plastic law would lead".into(),
        ));
        return;
    };
    if a.yield_strength.is_none() && b.yield_strength.is_none() {
        missing.push(gap(
            "yield strength",
            "no yield strength is known of either material: whether they yield is not judged; for brittle and rubber-like ones that is as it should be".into(),
        ));
    } else if regime.yield_speed.is_none() && regime.plastic_share != Some(0.0) {
        missing.push(gap(
            "yield",
            format!(
                "whether the material yields cannot be told without {}: plastic laws are set back until something says that it does",
                match geometry {
                    Geometry::Flat => "the density of both, as between flat faces it is the wave that yields",
                    _ => "the mass and the size of the contact (radii; for lines and joints the length as well)",
                }
            ),
        ));
    }
    for (unknown, other) in [(a, b), (b, a)] {
        if unknown.yield_strength.is_none() && other.yield_strength.is_some() {
            missing.push(gap(
                "yield strength",
                format!("none is known of {}, so that it is not compared: yield is judged by {} alone, and begins earlier if that is not the weaker one. Brittle and rubber-like bodies do not yield; for another give young:poisson:density:yield", unknown.name, other.name),
            ));
        }
    }
    if regime.wave_limit.is_none() {
        missing.push(gap(
            "density",
            "a density is not known: whether the approach is slow against waves is not judged"
                .into(),
        ));
    }
}

/// What is asked for: the function, and the impacts every law is put to.
#[allow(clippy::type_complexity)]
fn restitution(
    known: &Known,
    measured: Option<&Curve>,
    speeds: [f64; 2],
    regime: &Regime,
    (meeting, mass): (&Meeting, Option<f64>),
    assumed: &mut Vec<Gap>,
    missing: &mut Vec<Gap>,
) -> Result<(Restitution, Vec<(f64, f64)>), Vec<Fault>> {
    let several = ladder(speeds);
    if let Some(restitution) = &known.restitution {
        let asked: Result<Vec<(f64, f64)>, Fault> = several
            .iter()
            .map(|&v| Ok((v, restitution.at(v, "advise")?)))
            .collect();
        return Ok((restitution.clone(), asked.map_err(|f| vec![f])?));
    }
    if let Some(curve) = measured {
        // Speeds that are named are the ones that count; else those that were measured.
        let asked = match known.speeds {
            Some(_) => several.iter().map(|&v| (v, curve.at(v))).collect(),
            None => curve.some(),
        };
        return Ok((joined(curve), asked));
    }
    // What is assumed of bodies that do not yield is the most that is assumed of those that do: one goes over into the other.
    if let (Some(e), Some(ratio)) = (regime.thornton, regime.pressure_ratio)
        && e < MIDDLE_RESTITUTION
    {
        let at = |v: f64| Regime::of(meeting, mass, v).thornton.unwrap_or(e);
        let asked: Vec<(f64, f64)> = several
            .iter()
            .map(|&v| (v, at(v).min(MIDDLE_RESTITUTION)))
            .collect();
        // Laws are told the one of the middle speed, which their numbers are of.
        let (speed, told) = middle_of(&asked).unwrap_or((regime.speed, e));
        let own = at(speed);
        let place = format!(
            "{}, the speed of numbers and table",
            pretty(speed, "m/s", 4)
        );
        let (held, capped) = match asked.len() {
            1 => (String::new(), String::new()),
            _ if own > told => (
                String::new(),
                format!(". At {place}, that would be {own:.3}: there {told} is assumed"),
            ),
            _ => (format!("{told:.3} at {place}, and "), String::new()),
        };
        assumed.push(gap(
            "restitution",
            format!("not given: laws that must be told one are told what Thornton (1997) computes from the yield strength, {held}{e:.3} at {}, there with a contact pressure of {ratio:.2} Y: 1.6 where yield begins (Johnson 1985, section 6.1), about 2.8 where all is plastic (Tabor 1951); and at no speed more than {MIDDLE_RESTITUTION}{capped}; a measured one would be better", pretty(regime.speed, "m/s", 4)),
        ));
        return Ok((Restitution::Number(told), asked));
    }
    let middle = math::sqrt(speeds[0] * speeds[1]);
    missing.push(gap(
        "restitution",
        format!("the restitution is not given: laws are judged by their worst error from 0.3 to 0.9 (those that take it from the strength of the material by whether that yields), and with a law that is told one numbers and table are for {MIDDLE_RESTITUTION} at {}; measure one bounce: e is the root of the heights after and before", pretty(middle, "m/s", 4)),
    ));
    Ok((
        Restitution::Number(MIDDLE_RESTITUTION),
        RESTITUTIONS.iter().map(|&e| (middle, e)).collect(),
    ))
}

/// Which of the impacts asked for is the middle.
fn middle(asked: &[(f64, f64)]) -> usize {
    asked.len() / 2
}

/// Its speed (m/s) and restitution.
fn middle_of(asked: &[(f64, f64)]) -> Option<(f64, f64)> {
    asked.get(middle(asked)).copied()
}

/// The slowest, the fastest and what is between, by equal ratios.
fn ladder([low, high]: [f64; 2]) -> Vec<f64> {
    if low == high {
        return vec![low];
    }
    const STEPS: u32 = 4;
    let ratio = high / low;
    (0..=STEPS)
        .map(|i| match i {
            0 => low,
            STEPS => high,
            i => low * math::powf(ratio, f64::from(i) / f64::from(STEPS)),
        })
        .collect()
}

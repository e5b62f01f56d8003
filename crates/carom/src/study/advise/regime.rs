//! What happens to the material: is it elastic, does it yield, does it flow, and are waves in it fast enough?

use crate::contact::closed;
use crate::contact::stiffness;
use crate::contact::{Plastic, Surfaces, weaker};
use crate::math;
use crate::model::units::pretty;

use super::onset::{FULL_PRESSURE, Meeting, Onset};

/// Johnson's number ρv²/Y below which metals stay elastic for all purposes, and the one from which on indentation is fully plastic: powers of ten, in Johnson 1985, section 11.5.
const ELASTIC_NUMBER: f64 = 1e-6;
const PLASTIC_NUMBER: f64 = 1e-3;
/// Where the theory of shallow indentation ends (the same).
const SHALLOW_NUMBER: f64 = 1e-1;
/// Where a material of unknown density has its waves at the fastest, m/s: those of diamond are about 17 km/s, of most metals 5 km/s.
const FASTEST: f64 = 1e4;
/// Pressure over yield strength at which a sphere begins to yield (Johnson 1985, section 6.1).
const FIRST_PRESSURE: f64 = 1.6;

/// What is known of it at the fastest approach asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regime {
    /// The fastest approach, m/s.
    pub speed: f64,
    /// The approach at which the weaker body begins to yield, m/s: where bodies touch at a point, along a line, in a joint or with flat faces, and strength, size and mass are known. None too where that would be faster than
    /// elastic waves: a hard body against a soft one does not yield.
    pub yield_speed: Option<f64>,
    /// The approach from which on indentation is fully plastic, m/s.
    pub plastic_speed: Option<f64>,
    /// Johnson's number of the weaker body: 3mv²/(4πYR³) of round bodies, mv²/(πYR²L) along a line, with effective mass and radius; both are ρv²/Y for a solid body against a plane. ρv²/Y itself where
    /// mass or size is not known, and for flat faces.
    pub number: Option<f64>,
    /// 1e-5 √(E/ρ), m/s.
    pub wave_limit: Option<f64>,
    /// How far from elastic (0) to fully plastic (1), on a logarithmic scale; none where strength, size or mass is not known.
    pub plastic_share: Option<f64>,
    /// Contact pressure over yield strength at that speed, for laws with one limiting pressure: 1.6 where yield begins, 2.8 where all is plastic, between them with the logarithm of the speed.
    pub pressure_ratio: Option<f64>,
    /// The restitution of Thornton's law at that speed, with that pressure.
    pub thornton: Option<f64>,
}

impl Regime {
    /// From how the bodies meet, their effective mass (kg; none if nobody knows it) and the fastest approach (m/s).
    pub(super) fn of(meeting: &Meeting, mass: Option<f64>, speed: f64) -> Self {
        let mut regime = Regime {
            speed,
            ..Regime::default()
        };
        let Some([a, b]) = &meeting.surfaces.materials else {
            return regime;
        };
        regime.wave_limit = stiffness::validity_speed([a, b]);
        let Some((strength, material)) = weaker([a, b]) else {
            return regime;
        };
        let Some((mass, onset)) = mass.and_then(|m| Some((m, meeting.onset(m, speed)?))) else {
            // The onset is not known: only what is beyond doubt for a solid body counts.
            regime.number = material.density.map(|rho| rho * speed * speed / strength);
            let beyond = regime.number.is_some_and(|n| n >= PLASTIC_NUMBER);
            regime.plastic_share = beyond.then_some(1.0);
            return regime;
        };
        let waves = material.wave_speed().unwrap_or(FASTEST).min(FASTEST);
        if onset.begins < waves {
            regime.yield_speed = Some(onset.begins);
            regime.plastic_speed = Some(onset.full);
        }
        regime.number = onset.number;
        // Both must say so: yield has begun and gone far, and inertia is large against strength. A polymer yields late for its modulus, a metal early.
        let by_speed = part(speed / onset.begins, onset.full / onset.begins);
        let by_number = onset.number.map_or(1.0, of_number);
        regime.plastic_share = Some(by_speed.min(by_number));
        if let Some((modulus, radius)) = onset.point {
            let ratio = pressure_of(by_speed);
            let begins = meeting.speed_at((modulus, radius), ratio * strength, mass);
            regime.pressure_ratio = Some(ratio);
            regime.thornton = Some(closed::thornton_restitution(begins / speed));
        }
        regime
    }

    /// The contact pressure of a law that has one for all of the contact, Pa; see [`Regime::pressure_ratio`].
    pub(super) fn limiting_pressure(&self, surfaces: &Surfaces) -> Option<f64> {
        let [a, b] = surfaces.materials.as_ref()?;
        let (strength, _) = weaker([a, b])?;
        Some(self.pressure_ratio? * strength)
    }

    /// Contact pressure over yield strength with which Thornton's law returns this restitution at the fastest approach, where that is more than the strength allows. A body that gives back more is harder than was said, so that it
    /// also loads more steeply: up to Hertz's curve, where it gives back all. `n` is the power of the spring.
    pub(super) fn harder(&self, restitution: f64, n: f64) -> Option<f64> {
        let (ratio, predicted) = (self.pressure_ratio?, self.thornton?);
        if !self.yields() || restitution <= predicted {
            return None;
        }
        // The load at yield goes with p³, its work with the load to (n + 1)/n, and the speed with the root of that: p^(5/2) of Hertz.
        let times = thornton_ratio(restitution) / thornton_ratio(predicted);
        let harder = ratio * math::powf(times, 2.0 * n / (3.0 * (n + 1.0)));
        harder.is_finite().then_some(harder)
    }

    /// How round bodies load that yield at the fastest approach, with this contact pressure over yield strength.
    pub(super) fn loading(&self, meeting: &Meeting, ratio: f64) -> Option<Plastic> {
        let [a, b] = meeting.surfaces.materials.as_ref()?;
        let (strength, _) = weaker([a, b])?;
        let (modulus, radius) = meeting.round()?;
        self.yields()
            .then(|| Plastic::spheres(modulus, radius, ratio * strength))
    }

    /// Whether yield has begun at the fastest approach.
    pub fn yields(&self) -> bool {
        self.yield_speed.is_some_and(|v| self.speed > v)
    }

    /// Whether the fastest approach is within what internal damping alone is meant for.
    pub fn is_slow(&self) -> bool {
        self.wave_limit.is_some_and(|limit| self.speed <= limit)
    }

    /// Whether indentation is no longer shallow.
    pub fn flows(&self) -> bool {
        let yields = self.plastic_share.is_none_or(|share| share > 0.0);
        yields && self.number.is_some_and(|n| n >= SHALLOW_NUMBER)
    }

    /// Why not all of the indentation is plastic: the lower of what the speed says and what Johnson's number does.
    pub(super) fn short_of_plastic(&self) -> String {
        let speeds = self.yield_speed.zip(self.plastic_speed);
        let by_speed = speeds.map(|(begins, full)| part(self.speed / begins, full / begins));
        match (self.number, by_speed, speeds) {
            (Some(n), by_speed, _) if by_speed.is_none_or(|speed| of_number(n) < speed) => {
                format!("Johnson's number is {n:.1e}, below the 1e-3 of full plasticity")
            }
            (_, _, Some((begins, full))) => format!(
                "the approach is {} times the speed of yield, and full plasticity begins at {}",
                pretty(self.speed / begins, "", 3),
                pretty(full, "m/s", 3)
            ),
            _ => "the pressure is not yet that of full plasticity".into(),
        }
    }

    /// In a word: `unknown`, `elastic`, `yields` (elastic and plastic), `plastic`, `flows`.
    pub fn name(&self) -> &'static str {
        match self.plastic_share {
            _ if self.flows() => "flows",
            None => "unknown",
            Some(share) if share >= 0.5 => "plastic",
            Some(_) if self.yields() => "yields",
            Some(_) => "elastic",
        }
    }
}

/// Contact pressure over yield strength: 1.6 where yield begins (0), 2.8 where all is plastic (1).
fn pressure_of(share: f64) -> f64 {
    FIRST_PRESSURE + (FULL_PRESSURE - FIRST_PRESSURE) * share
}

/// The same at this work (J) of an onset of 1 kg, whatever does it.
pub(super) fn pressure_at(onset: &Onset, work: f64) -> f64 {
    let speed = math::sqrt(2.0 * work);
    pressure_of(part(speed / onset.begins, onset.full / onset.begins))
}

/// The work (J) of 1 kg at this speed (m/s).
pub(super) fn work_at(speed: f64) -> f64 {
    0.5 * speed * speed
}

/// The speed of yield over that of approach at which Thornton's law returns this restitution, by halving. In the fourth root, which small restitutions go with.
fn thornton_ratio(restitution: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if closed::thornton_restitution(math::powi(middle, 4)) < restitution {
            low = middle;
        } else {
            high = middle;
        }
    }
    math::powi(high, 4)
}

/// How far from elastic (0) to fully plastic (1) by Johnson's number alone.
fn of_number(number: f64) -> f64 {
    part(number / ELASTIC_NUMBER, PLASTIC_NUMBER / ELASTIC_NUMBER)
}

/// The logarithm of x over that of the whole, from 0 to 1.
fn part(x: f64, whole: f64) -> f64 {
    if x > 1.0 {
        (math::ln(x) / math::ln(whole)).min(1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::materials;
    use crate::study::advise::Geometry;
    use crate::study::advise::spring::joint_depth;

    fn surfaces(material: &str, radii: [f64; 2], length: Option<f64>) -> Surfaces {
        let m = materials::find(material).expect("known").clone();
        Surfaces {
            materials: Some([m.clone(), m]),
            radii: Some(radii),
            length,
        }
    }

    fn regime(surfaces: &Surfaces, geometry: Geometry, mass: f64, v: f64) -> Regime {
        let meeting = Meeting {
            surfaces,
            geometry,
            joint: None,
            given: None,
        };
        Regime::of(&meeting, Some(mass), v)
    }

    fn balls(material: &str, mass: f64, v: f64) -> Regime {
        let two = surfaces(material, [0.01, 0.01], None);
        regime(&two, Geometry::Point, mass, v)
    }

    fn close(a: f64, b: f64, within: f64) {
        assert!((a / b - 1.0).abs() < within, "{a} {b}");
    }

    #[test]
    fn steel_goes_from_elastic_to_plastic_with_speed_and_ptfe_later() {
        // Two 33 g balls: half of that is their effective mass.
        let name = |v: f64| balls("steel", 0.0164, v).name();
        assert_eq!(name(0.001), "elastic");
        assert_eq!(name(0.3), "yields");
        assert_eq!(name(25.0), "plastic");
        assert_eq!(name(100.0), "flows");
        // It yields from 0.42 m/s on.
        let ptfe = balls("ptfe", 0.0045, 0.3);
        assert_eq!(ptfe.name(), "elastic", "{ptfe:?}");
    }

    #[test]
    fn the_share_of_yield_never_falls_with_speed_nor_what_comes_back_rises() {
        let (mut before, mut back) = (0.0, 1.0);
        for k in 0..200 {
            let v = 1e-4 * 1.08_f64.powi(k);
            let regime = balls("steel", 0.0164, v);
            let share = regime.plastic_share.expect("known");
            assert!((before..=1.0).contains(&share), "{v}: {share}");
            before = share;
            let e = regime.thornton.expect("known");
            assert!(e <= back, "{v}: {e} after {back}");
            back = e;
        }
        assert_eq!(before, 1.0);
    }

    #[test]
    fn the_number_of_a_solid_ball_on_a_plane_is_that_of_johnson_and_grows_with_the_mass() {
        let steel = materials::find("steel").expect("known");
        let (rho, y) = (
            steel.density.expect("given"),
            steel.yield_strength.expect("given"),
        );
        let on_plane = surfaces("steel", [0.01, f64::INFINITY], None);
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * rho;
        let at = |mass: f64| regime(&on_plane, Geometry::Point, mass, 2.0);
        close(at(ball).number.expect("known"), rho * 4.0 / y, 1e-14);
        close(
            at(100.0 * ball).number.expect("known"),
            100.0 * rho * 4.0 / y,
            1e-14,
        );
        // ρ v²/Y = 26 (Y/E*)⁴ at yield (Johnson 1985, section 11.5; the factor is π⁴ 1.6⁵/40 = 25.54).
        let v = at(ball).yield_speed.expect("known");
        let e_star = 207e9 / (2.0 * 0.91);
        close(rho * v * v / y, 25.54 * (y / e_star).powi(4), 1e-3);
        // The same energy yields at a tenth of the speed with a hundred times the mass.
        close(at(100.0 * ball).yield_speed.expect("known"), 0.1 * v, 1e-12);
    }

    #[test]
    fn full_plasticity_has_the_energy_of_a_constant_pressure_and_restitution_its_pressure() {
        let two = balls("steel", 0.0164, 25.0);
        let (begins, full) = (
            two.yield_speed.expect("known"),
            two.plastic_speed.expect("known"),
        );
        // ½mV² = π p a⁴/(4R) with p = 2.8 Y and a = 30 Y R/E*, over π⁵(1.6 Y)⁵R³/(60 E*⁴).
        let ratio = (0.25 * 2.8 * 30_f64.powi(4) * 60.0
            / (std::f64::consts::PI.powi(4) * 1.6_f64.powi(5)))
        .sqrt();
        close(full / begins, ratio, 1e-12);
        assert_eq!(two.pressure_ratio, Some(2.8));
        // Far above yield e is 1.18499 (V_y/V)^(1/4), with V_y of the full pressure: (2.8/1.6)^(5/2) times the first.
        let r = (2.8_f64 / 1.6).powf(2.5) * begins / 25.0;
        close(two.thornton.expect("known"), 1.184_99 * r.powf(0.25), 1e-3);
        let gently = balls("steel", 0.0164, 1.000_001 * begins);
        close(gently.pressure_ratio.expect("known"), 1.6, 1e-6);
    }

    #[test]
    fn rollers_yield_where_the_pressure_along_the_line_is_1_79_of_the_strength() {
        let (length, mass) = (0.02, 0.5);
        let two = surfaces("steel", [0.01, 0.02], Some(length));
        let e_star = 207e9 / (2.0 * 0.91);
        let k = std::f64::consts::FRAC_PI_2 * e_star * length;
        let found = regime(&two, Geometry::Line, mass, 0.05);
        let v = found.yield_speed.expect("known");
        // The force of the linear spring at that speed is v √(mK); its Hertz pressure is p = √(F' E*/(π R)).
        let load = v * (mass * k).sqrt() / length;
        let radius = 0.01 * 0.02 / 0.03;
        let peak = (load * e_star / (std::f64::consts::PI * radius)).sqrt();
        close(peak, 1.79 * 370e6, 1e-12);
        // A solid roller on a plane has ρv²/Y.
        let plane = surfaces("steel", [0.01, f64::INFINITY], Some(length));
        let solid = std::f64::consts::PI * 1e-4 * length * 7850.0;
        let alone = regime(&plane, Geometry::Line, solid, 0.05);
        close(alone.number.expect("known"), 7850.0 * 0.0025 / 370e6, 1e-12);
    }

    #[test]
    fn a_journal_yields_by_the_larger_of_the_two_pressures() {
        let (length, mass, e_star) = (0.015, 0.2, 207e9 / (2.0 * 0.91));
        let k = std::f64::consts::PI / (2.0 * std::f64::consts::SQRT_2) * e_star * length;
        for clearance in [0.5e-3, 50e-6, 5e-6, 1e-6] {
            let journal = 0.01 - clearance;
            let pin = surfaces("steel", [journal, -0.01], Some(length));
            let meeting = Meeting {
                surfaces: &pin,
                geometry: Geometry::Loose,
                joint: Some((k, clearance)),
                given: None,
            };
            let v = Regime::of(&meeting, Some(mass), 1.0)
                .yield_speed
                .expect("known");
            let depth = joint_depth(k, clearance, mass, v);
            let load = k * depth * (depth / (clearance + depth)).sqrt() / length;
            let radius = journal * 0.01 / clearance;
            let line = (load * e_star / (std::f64::consts::PI * radius)).sqrt();
            let cos = clearance / (clearance + depth);
            let arc = 2.0 * load / (std::f64::consts::PI * journal * (1.0 - cos * cos).sqrt());
            close(line.max(arc), 1.79 * 370e6, 1e-9);
            assert_eq!(arc > line, clearance < 0.1e-3, "{clearance}: {arc} {line}");
        }
    }

    #[test]
    fn what_is_short_of_full_plasticity_is_the_lower_of_speed_and_number() {
        // Flat faces of steel: yield from 18.4 m/s on, all of it from 2.8 times that; ρv²/Y of 8.5e-3 at 20 m/s is beyond 1e-3.
        let faces = surfaces("steel", [f64::INFINITY; 2], None);
        let flat = regime(&faces, Geometry::Flat, 1.0, 20.0).short_of_plastic();
        assert!(
            flat.contains("speed of yield") && flat.contains("51.4 m/s"),
            "{flat}"
        );
        // A light ball yields early, but its number is small.
        let ball = balls("steel", 0.0164, 1.0).short_of_plastic();
        assert!(ball.contains("Johnson"), "{ball}");
    }

    #[test]
    fn flat_faces_yield_by_the_stress_of_the_plane_wave_and_nothing_is_judged_without_a_mass() {
        let faces = surfaces("steel", [f64::INFINITY; 2], None);
        let found = regime(&faces, Geometry::Flat, 1.0, 1.0);
        // ρ c v/2 = Y.
        let v = 2.0 * 370e6 / (7850.0 * (207e9_f64 / 7850.0).sqrt());
        close(found.yield_speed.expect("known"), v, 1e-12);
        let two = surfaces("steel", [0.01, 0.01], None);
        let meeting = Meeting {
            surfaces: &two,
            geometry: Geometry::Point,
            joint: None,
            given: None,
        };
        let unknown = Regime::of(&meeting, None, 1.0);
        assert_eq!((unknown.yield_speed, unknown.plastic_share), (None, None));
    }
}

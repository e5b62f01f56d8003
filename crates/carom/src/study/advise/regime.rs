//! What happens to the material: is it elastic, does it yield, does it flow, and are waves in it fast enough?

use crate::contact::closed;
use crate::contact::stiffness;
use crate::contact::{Surfaces, stiffness::YieldOnset};
use crate::math;

/// Johnson's number ρv²/Y at which fully plastic indentation begins to be reached, and the one below which metals stay elastic for all purposes (Johnson 1985, section 11.5).
const ELASTIC_NUMBER: f64 = 1e-6;
const PLASTIC_NUMBER: f64 = 1e-3;
/// Where the theory of shallow indentation ends (the same).
const SHALLOW_NUMBER: f64 = 1e-1;
/// Approach over yield speed at which the indentation is fully plastic: there the contact radius is some twelve times the one at yield (Johnson 1985, section 6.3, E* a/(Y R) about 30, against
/// 2.5 at yield), and the elastic estimate has v like a^(5/2).
const FULLY_PLASTIC: f64 = 500.0;

/// What is known of it at the fastest approach asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regime {
    /// The fastest approach, m/s.
    pub speed: f64,
    /// The approach at which the weaker body begins to yield, m/s; for round bodies of known strength.
    pub yield_speed: Option<f64>,
    /// Johnson's number ρv²/Y of the weaker body.
    pub number: Option<f64>,
    /// 1e-5 √(E/ρ), m/s.
    pub wave_limit: Option<f64>,
    /// How far from elastic (0) to fully plastic (1), on a logarithmic scale; none where strength or density is not known.
    pub plastic_share: Option<f64>,
    /// The restitution of Thornton's law at that speed.
    pub thornton: Option<f64>,
}

impl Regime {
    /// From the surfaces, the effective mass (kg) and the fastest approach (m/s). `round` says whether they touch at a point.
    pub(super) fn of(surfaces: &Surfaces, mass: f64, speed: f64, round: bool) -> Self {
        let mut regime = Regime {
            speed,
            ..Regime::default()
        };
        let Some([a, b]) = &surfaces.materials else {
            return regime;
        };
        regime.wave_limit = stiffness::validity_speed([a, b]);
        let weaker = [a, b]
            .into_iter()
            .filter_map(|m| Some((m.yield_strength?, m)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((strength, material)) = weaker else {
            return regime;
        };
        regime.number = material.density.map(|rho| rho * speed * speed / strength);
        if round
            && let Ok(spheres) = surfaces.spheres()
            && let Some(radius) = spheres.effective_radius
        {
            let onset: YieldOnset =
                stiffness::yield_onset(spheres.effective_modulus, radius, strength);
            let begins = onset.speed(mass);
            regime.yield_speed = Some(begins);
            regime.thornton = Some(closed::thornton_restitution(begins / speed));
        }
        // Both must say so: yield has begun and gone far, and inertia is large against strength. A polymer yields late for its modulus, a metal early.
        let by_number = regime
            .number
            .map(|n| part(n / ELASTIC_NUMBER, PLASTIC_NUMBER / ELASTIC_NUMBER));
        let by_speed = regime
            .yield_speed
            .map(|begins| part(speed / begins, FULLY_PLASTIC));
        regime.plastic_share = match (by_number, by_speed) {
            (Some(n), Some(v)) => Some(n.min(v)),
            (None, Some(v)) => Some(v),
            // Where bodies do not touch at a point the onset is not known here: only what is beyond doubt counts.
            (Some(n), None) => (n >= 1.0).then_some(1.0),
            (None, None) => None,
        };
        regime
    }

    /// Whether indentation is no longer shallow.
    pub fn flows(&self) -> bool {
        self.number.is_some_and(|n| n >= SHALLOW_NUMBER)
    }

    /// In a word: `unknown`, `elastic`, `yields` (elastic and plastic), `plastic`, `flows`.
    pub fn name(&self) -> &'static str {
        match self.plastic_share {
            _ if self.flows() => "flows",
            None => "unknown",
            Some(share) if share >= 0.5 => "plastic",
            Some(_) if self.yield_speed.is_some_and(|v| self.speed > v) => "yields",
            Some(_) => "elastic",
        }
    }
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

    fn balls(material: &str) -> Surfaces {
        let m = materials::find(material).expect("known").clone();
        Surfaces {
            materials: Some([m.clone(), m]),
            radii: Some([0.01, 0.01]),
            length: None,
        }
    }

    #[test]
    fn steel_goes_from_elastic_to_plastic_with_speed_and_ptfe_later() {
        // Two 33 g balls: half of that is their effective mass.
        let name = |v: f64| Regime::of(&balls("steel"), 0.0164, v, true).name();
        assert_eq!(name(0.001), "elastic");
        assert_eq!(name(0.3), "yields");
        assert_eq!(name(25.0), "plastic");
        assert_eq!(name(100.0), "flows");
        // It yields from 0.42 m/s on.
        let ptfe = Regime::of(&balls("ptfe"), 0.0045, 0.3, true);
        assert_eq!(ptfe.name(), "elastic", "{ptfe:?}");
    }

    #[test]
    fn the_share_of_yield_never_falls_with_speed() {
        let mut before = 0.0;
        for k in 0..200 {
            let v = 1e-4 * 1.08_f64.powi(k);
            let share = Regime::of(&balls("steel"), 0.0164, v, true)
                .plastic_share
                .expect("known");
            assert!((before..=1.0).contains(&share), "{v}: {share}");
            before = share;
        }
        assert_eq!(before, 1.0);
    }
}

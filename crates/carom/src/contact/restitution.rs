//! Which restitution is asked for at which approach speed?

use std::fmt;
use std::sync::Arc;

use crate::card::{Fault, Range, rounded};
use crate::math;

/// The coefficient of restitution asked for: a number, or a function of the approach speed.
#[derive(Clone, Debug, PartialEq)]
pub enum Restitution {
    /// The same at every speed.
    Number(f64),
    /// 1 − α v0 (Corral et al. 2021, eq. 5.2, 5.3).
    Falling {
        /// α, s/m.
        alpha: f64,
    },
    /// Pairs of speed (m/s, rising) and restitution, joined by straight lines; there is none outside.
    Table(Vec<(f64, f64)>),
    /// 1 − 0.26 K* v0^(1/3) (Wang et al., Corral et al. 2021, eq. 5.58).
    Wang {
        /// K* of the two yield strengths, see [`wang_factor`].
        factor: f64,
    },
    /// Any function of the approach speed.
    Function(SpeedFunction),
}

/// A restitution as a function of the approach speed in m/s.
#[derive(Clone)]
pub struct SpeedFunction {
    text: String,
    function: Arc<dyn Fn(f64) -> f64 + Send + Sync>,
}

impl SpeedFunction {
    /// `text` is the function as people wrote it. It must give the same answer every time.
    pub fn new(text: &str, function: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self {
            text: text.into(),
            function: Arc::new(function),
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value at this speed (m/s), in range or not.
    pub fn at(&self, v0: f64) -> f64 {
        (self.function)(v0)
    }
}

impl fmt::Debug for SpeedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SpeedFunction({:?})", self.text)
    }
}

/// The very same function.
impl PartialEq for SpeedFunction {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && Arc::ptr_eq(&self.function, &other.function)
    }
}

impl Restitution {
    /// What is wrong with it at any speed.
    pub fn faults(&self, law: &'static str) -> Vec<Fault> {
        let fault = |name: &str, value: f64, unit, allowed: String, hint: &str| Fault::OutOfRange {
            law,
            name: name.into(),
            value,
            unit,
            allowed,
            hint: hint.into(),
        };
        match self {
            Self::Number(e) if !Range::UNIT.contains(*e) => {
                vec![fault("restitution", *e, "", Range::UNIT.to_string(), "")]
            }
            Self::Falling { alpha } if !Range::NOT_NEGATIVE.contains(*alpha) => vec![fault(
                "alpha of the restitution",
                *alpha,
                "s/m",
                Range::NOT_NEGATIVE.to_string(),
                "restitution falls with speed",
            )],
            Self::Wang { factor } if !Range::POSITIVE.contains(*factor) => vec![fault(
                "K* of the restitution",
                *factor,
                "",
                Range::POSITIVE.to_string(),
                "",
            )],
            Self::Table(points) => {
                let mut faults = Vec::new();
                if points.len() < 2 {
                    faults.push(fault(
                        "number of points in the table of restitution",
                        points.len() as f64,
                        "",
                        "at least 2".into(),
                        "",
                    ));
                }
                for pair in points.windows(2) {
                    if !(pair[1].0 > pair[0].0) {
                        faults.push(fault(
                            "a speed in the table of restitution",
                            pair[1].0,
                            "m/s",
                            format!("above the one before it, {}", pair[0].0),
                            "",
                        ));
                    }
                }
                for &(v, e) in points {
                    if !Range::NOT_NEGATIVE.contains(v) {
                        let allowed = Range::NOT_NEGATIVE.to_string();
                        faults.push(fault(
                            "a speed in the table of restitution",
                            v,
                            "m/s",
                            allowed,
                            "",
                        ));
                    }
                    if !Range::UNIT.contains(e) {
                        let allowed = Range::UNIT.to_string();
                        faults.push(fault("restitution in the table", e, "", allowed, ""));
                    }
                }
                faults
            }
            _ => Vec::new(),
        }
    }

    /// Its value at an approach speed in m/s. `law` is named in the fault where there is none.
    pub fn at(&self, v0: f64, law: &'static str) -> Result<f64, Fault> {
        let (e, allowed, hint) = match self {
            Self::Number(e) => return Ok(*e),
            Self::Falling { alpha } => (
                1.0 - alpha * v0,
                "0 ≤ e ≤ 1".to_string(),
                format!(
                    "1 − α v0 holds up to v0 = {} m/s only",
                    rounded(1.0 / alpha)
                ),
            ),
            Self::Wang { factor } => (
                1.0 - 0.26 * factor * math::cbrt(v0),
                "0 ≤ e ≤ 1".to_string(),
                format!(
                    "1 − 0.26 K* v0^(1/3) holds up to v0 = {:.4} m/s only",
                    math::powi(1.0 / (0.26 * factor), 3)
                ),
            ),
            Self::Function(function) => (
                function.at(v0),
                "0 ≤ e ≤ 1".to_string(),
                format!(
                    "it is {}; min(1, …) and max(0, …) keep it in range",
                    function.text
                ),
            ),
            Self::Table(points) => {
                let after = points.iter().position(|p| p.0 >= v0);
                let inside = match (after, points.first()) {
                    (Some(0), Some(first)) if first.0 == v0 => Some(first.1),
                    (Some(i), _) if i > 0 => {
                        let ((v1, e1), (v2, e2)) = (points[i - 1], points[i]);
                        Some(e1 + (e2 - e1) * (v0 - v1) / (v2 - v1))
                    }
                    _ => None,
                };
                if let Some(e) = inside {
                    return Ok(e);
                }
                let ends = points.first().zip(points.last());
                let (low, high) = ends.map_or((f64::NAN, f64::NAN), |(a, b)| (a.0, b.0));
                return Err(Fault::OutOfRange {
                    law,
                    name: "speed".into(),
                    value: v0,
                    unit: "m/s",
                    allowed: format!("inside the table of restitution, {low} to {high}"),
                    hint: "nothing is read beyond the ends of a table: add points".into(),
                });
            }
        };
        if Range::UNIT.contains(e) {
            return Ok(e);
        }
        Err(Fault::OutOfRange {
            law,
            name: format!("restitution at v0 = {v0} m/s"),
            value: e,
            unit: "",
            allowed,
            hint,
        })
    }
}

/// K* of Wang's restitution from two yield strengths in Pa (Corral et al. 2021, eq. 5.59): σ1/(σ1 − σ2) if σ1 ≥ 2σ2, σ1/σ2 if they are equal within a thousandth, else σ1/(σ1 + σ2),
/// σ1 the larger. Table 1 there prints σ2/(σ1 + σ2) in the last case: `table` chooses it.
pub fn wang_factor(one: f64, other: f64, table: bool) -> f64 {
    let (s1, s2) = (one.max(other), one.min(other));
    if s1 - s2 <= 1e-3 * s1 {
        s1 / s2
    } else if s1 >= 2.0 * s2 {
        s1 / (s1 - s2)
    } else if table {
        s2 / (s1 + s2)
    } else {
        s1 / (s1 + s2)
    }
}

//! How is a text of the command line read: a quantity, a pair, materials, a restitution?

use carom::card::Range;
use carom::contact::materials::{self, Material};
use carom::contact::{Restitution, wang_factor};
use carom::model::units::{self, Dimension};

use super::measured::{Rule, table};

/// A quantity; `nan` and `inf` are numbers too, for the ranges to refuse (or not).
pub fn quantity(text: &str, dimension: Dimension) -> Result<f64, String> {
    not_finite(text).map_or_else(
        || units::parse(text, dimension).map_err(|e| e.to_string()),
        Ok,
    )
}

/// `nan`, `inf` and `-inf`, with or without a unit behind.
pub fn not_finite(text: &str) -> Option<f64> {
    let text = text.trim();
    let word = text.split_whitespace().next()?.to_lowercase();
    let (sign, word) = match word.strip_prefix('-') {
        Some(rest) => (-1.0, rest.to_string()),
        None => (1.0, word.trim_start_matches('+').to_string()),
    };
    match word.as_str() {
        "inf" | "infinity" | "∞" => Some(sign * f64::INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    }
}

/// Two quantities of one kind, separated by a comma.
pub fn pair(text: &str, dimension: Dimension) -> Result<[f64; 2], String> {
    let parts: Vec<&str> = text.split(',').collect();
    let [a, b] = parts.as_slice() else {
        return Err(format!(
            "`{text}` must be two quantities separated by a comma, such as `{}`",
            match dimension.unit().as_str() {
                "kg" => "2 kg,inf",
                "m" => "10 mm,10 mm",
                "Pa" => "370 MPa,370 MPa",
                _ => "0.3 m/s,0 m/s",
            }
        ));
    };
    match (quantity(a, dimension), quantity(b, dimension)) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        (a, b) => {
            let said: Vec<String> = [a.err(), b.err()].into_iter().flatten().collect();
            Err(said.join("; "))
        }
    }
}

/// Two materials: names, or young:poisson[:density[:yield]]; one stands for both.
pub fn two_materials(text: &str) -> Result<[Material; 2], Vec<String>> {
    let parts: Vec<&str> = text.split(',').collect();
    let read = |text: &str| material(text);
    match parts.as_slice() {
        [one] => read(one).map(|m| [m.clone(), m]),
        [one, other] => match (read(one), read(other)) {
            (Ok(one), Ok(other)) => Ok([one, other]),
            (one, other) => {
                let mut said = one.err().unwrap_or_default();
                said.extend(other.err().unwrap_or_default());
                Err(said)
            }
        },
        _ => Err(vec![format!(
            "--material: `{text}` must be one or two materials, such as `steel,bronze`"
        )]),
    }
}

fn material(text: &str) -> Result<Material, Vec<String>> {
    if !text.contains(':') {
        return materials::find(text)
            .cloned()
            .map_err(|e| vec![format!("--material: {e}")]);
    }
    let parts: Vec<&str> = text.split(':').collect();
    let kinds = [
        Dimension::PRESSURE,
        Dimension::NONE,
        Dimension::DENSITY,
        Dimension::PRESSURE,
    ];
    if !(2..=4).contains(&parts.len()) {
        return Err(vec![format!(
            "--material: `{text}` must be young:poisson[:density[:yield]], such as `207 GPa:0.3:7850 kg/m^3`"
        )]);
    }
    let mut numbers = Vec::new();
    let mut said = Vec::new();
    for (part, kind) in parts.iter().zip(kinds) {
        match quantity(part, kind) {
            Ok(x) => numbers.push(x),
            Err(e) => said.push(format!("--material: {e}")),
        }
    }
    let at = |i: usize| numbers.get(i).copied();
    match (at(0), at(1)) {
        (Some(young), Some(poisson)) if said.is_empty() => {
            Material::given(text.trim(), young, poisson, at(2), at(3))
                .map_err(|faults| faults.iter().map(ToString::to_string).collect())
        }
        _ => Err(said),
    }
}

/// A restitution, as typed.
pub fn restitution(text: &str) -> Result<Restitution, Vec<String>> {
    let option = |e: String| vec![format!("--restitution: {e}")];
    let text = text.trim();
    if let Some(path) = text.strip_prefix("table:") {
        let rule = Rule {
            option: "--restitution",
            function: true,
        };
        return table(path.trim(), rule).map(Restitution::Table);
    }
    if let Some(strengths) = text.strip_prefix("wang:") {
        let [one, other] = pair(strengths, Dimension::PRESSURE).map_err(option)?;
        for strength in [one, other] {
            if !Range::POSITIVE.contains(strength) {
                return Err(option(format!(
                    "yield strength = {strength} [Pa], but must be {}",
                    Range::POSITIVE
                )));
            }
        }
        return Ok(Restitution::Wang {
            factor: wang_factor(one, other, false),
        });
    }
    let tight: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(rest) = tight.strip_prefix("1-").or(tight.strip_prefix("1−"))
        && let Some(alpha) = rest.strip_suffix("v0").or(rest.strip_suffix('v'))
    {
        let alpha = alpha.strip_suffix(['*', '·']).unwrap_or(alpha);
        let alpha = if alpha.is_empty() {
            Ok(1.0)
        } else {
            quantity(alpha, Dimension::new(-1.0, 0.0, 1.0, 0.0))
        };
        return Ok(Restitution::Falling {
            alpha: alpha.map_err(option)?,
        });
    }
    if text.contains(':') {
        let mut points = Vec::new();
        let mut said = Vec::new();
        for point in text.split(',') {
            let read = point
                .split_once(':')
                .ok_or_else(|| format!("`{point}` must be speed:restitution, such as 0.1:0.9"))
                .and_then(|(v, e)| {
                    Ok((
                        quantity(v, Dimension::SPEED)?,
                        quantity(e, Dimension::NONE)?,
                    ))
                });
            match read {
                Ok(point) => points.push(point),
                Err(e) => said.extend(option(e)),
            }
        }
        return if said.is_empty() {
            Ok(Restitution::Table(points))
        } else {
            Err(said)
        };
    }
    quantity(text, Dimension::NONE)
        .map(Restitution::Number)
        .map_err(|e| {
            option(format!(
                "{e}. Other forms: 1-0.02*v, 0.1:0.9,1:0.8, table:FILE.csv, wang:S1,S2"
            ))
        })
}

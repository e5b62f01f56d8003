//! How are keys, ranges and kinds of values spoken of, and what may be meant by the words of other programs?

use crate::card::{Range, short};
use crate::model::diagnostic::cut;
use crate::model::file::tables::{Key, Laws, Takes};
use crate::model::units::Dimension;

/// A line of documentation as it stands in a hint.
pub(crate) fn inside_a_sentence(doc: &str) -> String {
    let doc = doc.strip_suffix('.').unwrap_or(doc);
    let mut letters = doc.chars();
    // `Young's modulus`, `B of the file`: a name keeps its capital, the beginning of a sentence does not.
    match (letters.next(), doc.chars().nth(1)) {
        (Some(first), Some(second)) if second.is_lowercase() && !doc.starts_with("Young") => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => doc.into(),
    }
}

/// What may be meant by a key of other programs, if it is one of these names.
pub(crate) fn key_meant(typed: &str, names: &[&'static str]) -> Option<&'static str> {
    let known = [
        ("mu", "coefficient"),
        ("friction_coefficient", "coefficient"),
        ("velocity", "speed"),
        ("omega", "speed"),
        ("rpm", "speed"),
        ("ratio", "radii"),
        ("teeth", "radii"),
        ("body1", "between"),
        ("body2", "between"),
        ("body_a", "between"),
        ("body_b", "between"),
        ("bodies", "between"),
        ("k", "stiffness"),
        ("min", "lower"),
        ("max", "upper"),
    ];
    let found = known.iter().find(|(word, _)| *word == typed)?.1;
    names.iter().copied().find(|name| *name == found)
}

/// What may be meant by a word of other programs, if it is one of these words.
pub(crate) fn synonym(word: &str, words: &[&str]) -> Option<&'static str> {
    let known = [
        ("hinge", "revolute"),
        ("pin", "revolute"),
        ("pivot", "revolute"),
        ("rotational", "revolute"),
        ("prismatic", "translational"),
        ("slider", "translational"),
        ("sliding", "translational"),
        ("fixed", "rigid"),
        ("weld", "rigid"),
        ("slot", "pin-slot"),
        ("rack-and-pinion", "rack"),
        ("rack-pinion", "rack"),
        ("gears", "gear"),
        ("distance", "link"),
        ("bar", "rod"),
        ("beam", "rod"),
        ("circle", "disc"),
        ("cylinder", "disc"),
        ("cylinder", "circle"),
        ("disc", "circle"),
        ("disk", "circle"),
        ("disk", "disc"),
        ("sphere", "circle"),
        ("ball", "circle"),
        ("hole", "bore"),
        ("bearing", "bore"),
        ("ring", "bore"),
        ("plane", "half-plane"),
        ("halfplane", "half-plane"),
        ("floor", "half-plane"),
        ("wall", "half-plane"),
        ("line", "segment"),
        ("capsule", "segment"),
        ("superellipse", "ellipse"),
        ("spline", "curve"),
        ("profile", "polyline"),
        ("box", "rectangle"),
        ("square", "rectangle"),
        ("damper", "spring"),
        ("spring-damper", "spring"),
        ("torsion-spring", "rotational-spring"),
        ("torsional-spring", "rotational-spring"),
        ("torque", "moment"),
        ("rk45", "tsit5"),
        ("dopri5", "tsit5"),
        ("rk8", "dop853"),
        ("dopri8", "dop853"),
        ("lsoda", "auto"),
        ("stabilised", "baumgarte"),
        ("stabilized", "baumgarte"),
        ("equilibrium", "static"),
        ("eigen", "modes"),
        ("modal", "modes"),
        ("dynamics", "dynamic"),
        ("kinematics", "kinematic"),
        ("transient", "dynamic"),
    ];
    let word = word.to_lowercase();
    let mut meant = known.iter().filter(|(other, _)| *other == word);
    let found = meant.find(|(_, ours)| words.contains(ours));
    found.map(|(_, ours)| *ours)
}

/// A path and one more key.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.into()
    } else {
        format!("{path}.{}", cut(key))
    }
}

/// The last name of a path.
pub(crate) fn last(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

/// A range in words: `above 0`.
pub(crate) fn rule(range: Range) -> String {
    let (low, high) = (short(range.low), short(range.high));
    match (range.low.is_finite(), range.high.is_finite()) {
        (true, true) => format!("between {low} and {high}"),
        (true, false) if range.low_allowed => format!("{low} or above"),
        (true, false) => format!("above {low}"),
        (false, true) if range.high_allowed => format!("{high} or below"),
        (false, true) => format!("below {high}"),
        (false, false) => "a finite number".into(),
    }
}

/// A range in signs: `> 0 kg`.
pub(crate) fn bounds(range: Range, unit: &str) -> String {
    let sign = |allowed| if allowed { "≤" } else { "<" };
    let text = match (range.low.is_finite(), range.high.is_finite()) {
        (false, false) => return "any finite number".into(),
        (true, false) => {
            let sign = if range.low_allowed { "≥" } else { ">" };
            format!("{sign} {}", short(range.low))
        }
        (false, true) => format!("{} {}", sign(range.high_allowed), short(range.high)),
        (true, true) => format!(
            "{} {} x {} {}",
            short(range.low),
            sign(range.low_allowed),
            sign(range.high_allowed),
            short(range.high)
        ),
    };
    format!("{text} {unit}").trim_end().into()
}

/// `[m, m]`.
pub(crate) fn units_of(dimensions: &[Dimension]) -> String {
    let units: Vec<String> = dimensions
        .iter()
        .map(|dimension| dimension.unit())
        .collect();
    format!("[{}]", units.join(", "))
}

/// What a key takes, in words; for complaints and for the schema.
pub(crate) fn describe(key: &Key) -> String {
    let bounded = |dimension: Dimension, range: Range| {
        if range == Range::ANY {
            dimension.to_string()
        } else {
            format!("{dimension}, {}", bounds(range, ""))
        }
    };
    match key.takes {
        Takes::Text => "a text".into(),
        Takes::Word(words) => words.join(", "),
        Takes::Flag => "true or false".into(),
        Takes::Whole(least) => format!("a whole number, ≥ {least}"),
        Takes::Quantity(dimension, range) => bounded(dimension, range),
        Takes::Quantities(dimensions, _) => format!("a list {}", units_of(dimensions)),
        Takes::Function(of, dimension) => format!("{dimension}, a number or a {}", of.words()),
        Takes::Functions(of, dimension) => format!(
            "a list of two, each {dimension}: a number or a {}",
            of.words()
        ),
        Takes::Drive => "a number or a function of t; for a point, a list of two".into(),
        Takes::DriveConstant => "a quantity; for a point, a list of two".into(),
        Takes::Place => "a place: \"ground\", \"ground.point\", \"body\" or \"body.point\"".into(),
        Takes::Places => "two places, such as [\"ground\", \"rod.A\"]".into(),
        Takes::Body => "the name of a body".into(),
        Takes::Joint => "the name of a joint".into(),
        Takes::Coordinate => {
            "\"body.x\", \"body.y\", \"body.angle\", \"body.point.x\" or \"body.point.y\"".into()
        }
        Takes::File => "the name of a CSV file, relative to this file".into(),
        Takes::Channels => "a list of channel names".into(),
        Takes::Points => "named points, name = [x, y] in m".into(),
        Takes::Spot => "a point of the same body: its name, or [x, y] in m".into(),
        Takes::Spots(least) => {
            format!("a list of at least {least} points of the same body, each its name or [x, y] in m")
        }
        Takes::Direction => "an angle [rad], or [x, y] along it".into(),
        Takes::Coefficients => "a list [m, 1, 1/m, …]".into(),
        Takes::Outlines => "two outlines, such as [\"ball.rim\", \"ground.floor\"]".into(),
        Takes::OutlineList => "a list of outlines, such as [\"ground.floor\", \"drum\"]".into(),
        Takes::Bodies => "a list of names of bodies".into(),
        Takes::Spread(dimension) => format!(
            "{dimension}, > 0; or a list of two, between which it is drawn evenly"
        ),
        Takes::Region => "two corners, [[x, y], [x, y]] in m".into(),
        Takes::Material => "the name of a material".into(),
        Takes::Materials => "the names of two materials, such as [\"steel\", \"bronze\"]".into(),
        Takes::Restitution => {
            "a pure number, 0 ≤ x ≤ 1; a function of the approach speed v, such as \"1 - 0.02*v\"; \"wang\" (from the yield stresses); or { table = \"file.csv\" } with the columns speed, restitution".into()
        }
        Takes::OwnForce => "a force [N], a function of delta, rate, v0, mass, time and e".into(),
        Takes::Any(words) => words.into(),
        Takes::LawName(_) => "the id of a law (`carom laws`)".into(),
        Takes::Parameters => "named numbers, quantities or expressions".into(),
        Takes::Table(_) => "a table".into(),
        Takes::NumberOr(..) => "a number or a table".into(),
        Takes::Named(_) => "named tables".into(),
        Takes::Law(_, Laws::Friction) => "a table with a law of friction and its parameters".into(),
        Takes::Law(_, Laws::Rolling) => "a table with a law of rolling and its parameters".into(),
        Takes::Law(..) => "a table with a law of contact and its parameters".into(),
    }
}

//! What is pasted into a model file for a law?

use crate::card::{rounded, short};
use crate::contact::{Calibration, Restitution};
use crate::model::file::Standing;

use super::{Advice, Geometry, Judged, Known};

/// What comes back is told beside the restitution asked for where it is off by more than this.
pub const MISSED: f64 = 5e-4;

/// The table that a law is pasted into: its heading, and what it has beside the law.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paste {
    /// `contact.impact`, `joint.pin`.
    pub heading: String,
    /// Key, value as it is written, and a remark, which may be empty.
    pub beside: Vec<(String, String, String)>,
    /// Tables of the element that stand under headings of their own, and stay.
    pub apart: Vec<String>,
}

impl Paste {
    /// A table of its own: `[contact.impact]`, or `[joint.pin]` for a journal in its bearing. The two places it stands between are the reader's to name.
    pub fn new(advice: &Advice, known: &Known) -> Self {
        let joint = matches!(advice.geometry, Geometry::Loose | Geometry::Conformal);
        let mut beside = Vec::new();
        let mut put = |key: &str, value: String, remark: &str| {
            beside.push((key.into(), value, remark.into()));
        };
        if joint {
            put("type", "\"revolute\"".into(), "");
            put(
                "between",
                "[\"rod.A\", \"slider.A\"]".into(),
                "your own points: the first has the journal, the second the bearing",
            );
            if let Some([a, b]) = known.surfaces.radii {
                put("clearance", rounded((a + b).abs()), "m");
                put("journal_radius", rounded(a.max(b)), "m");
            }
            if let Some(length) = known.surfaces.length {
                put("length", rounded(length), "m");
            }
        } else {
            let [key, value, remark] = BETWEEN;
            put(key, value.into(), remark);
        }
        Self {
            heading: if joint { "joint.pin" } else { CONTACT }.into(),
            beside,
            apart: Vec::new(),
        }
    }

    /// The table of an element that stands in a model file already.
    pub fn of(element: &str, standing: Standing) -> Self {
        let plain = |(key, value)| (key, value, String::new());
        Self {
            heading: element.into(),
            beside: standing.keys.into_iter().map(plain).collect(),
            apart: standing.apart,
        }
    }

    fn has(&self, key: &str) -> bool {
        self.beside.iter().any(|(own, ..)| own == key)
            // The radius of a bearing is that of its journal and the clearance.
            || key == "bearing_radius" && self.has("clearance") && self.has("journal_radius")
    }
}

/// With twelve digits: whoever pastes it gets the run that was tried, even of a motion in which small differences grow.
pub(in crate::study) fn typed(value: f64) -> String {
    short(format!("{value:.11e}").parse().unwrap_or(value))
}

/// The table of a model file with this law, complete.
pub fn block(advice: &Advice, judged: &Judged, paste: &Paste) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut put = |key: &str, value: &str, remark: &str| {
        lines.push((format!("{key} = {value}"), remark.into()));
    };
    for (key, value, remark) in &paste.beside {
        put(key, value, remark);
    }
    put("law", &format!("\"{}\"", judged.card.id), "");
    for p in judged.card.parameters {
        if let Some(value) = judged.values.get(p.name)
            && !paste.has(p.name)
        {
            put(
                p.name,
                &typed(value),
                &judged.card.unit_of(p, &judged.values),
            );
        }
    }
    for (word, value) in judged.values.words() {
        put(word, &format!("\"{value}\""), "");
    }
    let heeded = judged.card.restitution().is_some() || judged.calibration == Calibration::Exact;
    if heeded && let Some(e) = written(advice, judged) {
        let (back, asked) = (
            judged.impact.restitution,
            advice.numbers.as_ref().map_or(f64::NAN, |n| n.restitution),
        );
        let remark = match (back - asked).abs() > MISSED {
            true => format!("{back:.3} comes back of {asked:.3}"),
            false => String::new(),
        };
        put("restitution", &e, &remark);
    }
    if judged.calibration == Calibration::Exact {
        put("calibration", "\"exact\"", "");
    }
    let mut text = written_out(&paste.heading, &lines);
    for heading in &paste.apart {
        text.push_str(&format!("# [{heading}] stays as it is\n"));
    }
    text
}

/// A table of a model file: its heading, and lines with remarks, which may be empty, below each other.
pub(in crate::study) fn written_out(heading: &str, lines: &[(String, String)]) -> String {
    let widest = lines
        .iter()
        .filter(|(_, remark)| !remark.is_empty())
        .map(|(line, _)| line.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("[{heading}]\n");
    for (line, remark) in lines {
        text.push_str(line);
        if !remark.is_empty() {
            let pad = " ".repeat(widest.saturating_sub(line.chars().count()));
            text.push_str(&format!("{pad}   # {remark}"));
        }
        text.push('\n');
    }
    text
}

/// Where a contact of one's own stands: its heading, and the line that is the reader's to write.
pub(in crate::study) const CONTACT: &str = "contact.impact";
pub(in crate::study) const BETWEEN: [&str; 3] = [
    "between",
    "[\"one.skin\", \"other.skin\"]",
    "your own outlines",
];

/// The restitution as a model file has it: complete, so that it needs no other file and no materials.
fn written(advice: &Advice, judged: &Judged) -> Option<String> {
    let middle = advice.numbers.as_ref()?.restitution;
    // A law that keeps its constants is calibrated at one speed.
    if judged.card.restitution().is_none() {
        return Some(rounded(middle));
    }
    Some(match &advice.restitution {
        Restitution::Number(e) => rounded(*e),
        Restitution::Falling { alpha } => {
            format!("\"max(0, 1 - {} s/m*v)\"", rounded(*alpha))
        }
        Restitution::Table(points) => format!("\"{}\"", super::measured::formula_of(points)),
        Restitution::Wang { factor } => format!(
            "\"max(0, 1 - {}*(v/(1 m/s))^(1/3))\"",
            rounded(0.26 * factor)
        ),
        Restitution::Function(function) => format!("{:?}", function.text()),
    })
}

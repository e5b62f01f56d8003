//! What is pasted into a model file for a law that was fitted?

use crate::card::rounded;
use crate::model::units::pretty;
use crate::study::advise::{BETWEEN, CONTACT, typed, written_out};

use super::{Candidate, Estimate, Fit};

impl Fit {
    /// The table of a contact with this law and the numbers that were given and found, complete but for the two outlines it stands between. `None` for a plain curve, which is no law.
    pub fn model_file(&self) -> Option<String> {
        let Candidate::Law(card) = self.candidate else {
            return None;
        };
        let mut values = self.given.clone();
        let mut shown = values.clone();
        for found in &self.parameters {
            if card.parameters.iter().any(|p| p.name == found.name) {
                values.set_number(found.name, found.value);
                // In units an exponent needs no more digits than people read.
                let few = rounded(found.value).parse().unwrap_or(found.value);
                shown.set_number(found.name, few);
            }
        }
        let [key, value, remark] = BETWEEN;
        let mut lines = vec![
            (format!("{key} = {value}"), remark.to_string()),
            (format!("law = \"{}\"", card.id), String::new()),
        ];
        for p in card.parameters {
            let Some(value) = values.get(p.name) else {
                continue;
            };
            let unit = card.unit_of(p, &shown);
            let found = self.parameters.iter().find(|found| found.name == p.name);
            let unknown = found.and_then(|found| self.doubt(found));
            let remarks: Vec<String> = [unit].into_iter().chain(unknown).collect();
            let remarks = remarks.into_iter().filter(|remark| !remark.is_empty());
            lines.push((
                format!("{} = {}", p.name, typed(value)),
                remarks.collect::<Vec<_>>().join(", "),
            ));
        }
        for (word, value) in values.words() {
            lines.push((format!("{word} = \"{value}\""), String::new()));
        }
        let mut text = written_out(CONTACT, &lines);
        // Bodies bring their own mass: whoever pastes the numbers must know which they belong to.
        if let Some(mass) = self.parameters.iter().find(|p| p.name == "mass")
            && (mass.interval.is_some() || self.bound(mass.name))
        {
            let doubt = match mass.interval {
                Some(_) => "",
                None => ", which is not known by itself either: --mass gives it",
            };
            let mass = pretty(mass.value, "kg", 5);
            text.push_str(&format!(
                "# found with an effective mass of {mass}{doubt}\n"
            ));
        }
        Some(text)
    }

    /// Whether it is known together with others only.
    fn bound(&self, name: &str) -> bool {
        let mut all = self.products.iter().flat_map(|product| &product.powers);
        all.any(|(part, _)| part == name)
    }

    /// What is to be said of a number that these data do not tell.
    fn doubt(&self, found: &Estimate) -> Option<String> {
        match (found.interval, self.bound(found.name)) {
            (Some(_), _) => None,
            (None, true) => Some("not known by itself".into()),
            (None, false) => Some("not known from these data".into()),
        }
    }
}

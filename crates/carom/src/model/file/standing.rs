//! What stands in the table of an element beside its law of contact, so that another law can be put in its place?

use crate::contact;

use super::tree::{Entry, Origin, parse};

/// The table of an element, without its law.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Keys and their values, as they are written in the file.
    pub keys: Vec<(String, String)>,
    /// Tables that stand under headings of their own: `contact.floor.friction`.
    pub apart: Vec<String>,
}

/// Keys that say which law it is.
const OF_A_LAW: [&str; 4] = ["law", "restitution", "calibration", "force"];

/// What the text of a model file says of an element (`contact.floor`, `joint.pin`, `joint.arm.limits`, `group.stack`) beside its law; nothing if it has no such table.
pub fn standing(text: &str, element: &str) -> Option<Standing> {
    let root = parse(text).ok()?;
    let mut table = &root;
    for name in element.split('.') {
        table = table.get(name)?.node.table()?;
    }
    // Some numbers of laws are those of a joint, and one of them is that of any contact.
    let own: &[&str] = match element.starts_with("joint.") && !element.ends_with(".limits") {
        true => &["clearance", "journal_radius", "length"],
        false => &["length"],
    };
    let of_the_law = |key: &str| {
        OF_A_LAW.contains(&key)
            || contact::cards().any(|card| {
                card.parameters.iter().any(|p| p.name == key)
                    || card.choices.iter().any(|c| c.name == key)
            })
    };
    let mut standing = Standing::default();
    for Entry { key, node, .. } in &table.entries {
        if of_the_law(key) && !own.contains(&key.as_str()) {
            continue;
        }
        let written = match &node.at {
            Origin::File(span) => text.get(span.clone()),
            Origin::Override(_) => None,
        };
        match written {
            // A table without braces is one with a heading.
            Some(written) if node.table().is_none() || written.starts_with('{') => {
                standing.keys.push((key.clone(), written.into()));
            }
            _ => standing.apart.push(format!("{element}.{key}")),
        }
    }
    Some(standing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_law_stays_as_it_is_written() {
        let text = "[joint.pin]\ntype = \"revolute\"\nbetween = [\"rod.B\", \"slider\"] # two\nclearance = \"c/2\"\nlaw = \"flores\"\nrestitution = 0.9\nstiffness = 1e8\nfriction = { law = \"ambrosio\", coefficient = 0.1 }\n[contact.a]\nbetween = [\"x\", \"y\"]\nclearance = 1e-5\nlength = 2\n[contact.a.friction]\nlaw = \"coulomb\"\n";
        let pin = standing(text, "joint.pin").expect("there");
        let keys: Vec<&str> = pin.keys.iter().map(|k| k.0.as_str()).collect();
        assert_eq!(keys, ["type", "between", "clearance", "friction"]);
        assert_eq!(pin.keys[1].1, "[\"rod.B\", \"slider\"]");
        assert_eq!(pin.keys[2].1, "\"c/2\"");
        assert_eq!(pin.keys[3].1, "{ law = \"ambrosio\", coefficient = 0.1 }");
        assert!(pin.apart.is_empty());
        let other = standing(text, "contact.a").expect("there");
        let keys: Vec<&str> = other.keys.iter().map(|k| k.0.as_str()).collect();
        assert_eq!(keys, ["between", "length"]);
        assert_eq!(other.apart, ["contact.a.friction"]);
        assert_eq!(standing(text, "contact.b"), None);
    }
}

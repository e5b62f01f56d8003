//! What stands in the table of an element beside its law of contact, so that another law can be put in its place?

use crate::card::short;
use crate::contact;

use super::overrides::parts;
use super::tables::ROOT;
use super::tree::{Entry, Node, Origin, Value};
use super::{Source, open};

/// The table of an element, without its law.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Keys and their values, as they are written in the file, or with what was given beside it.
    pub keys: Vec<(String, String)>,
    /// Tables that stand under headings of their own: `contact.floor.friction`.
    pub apart: Vec<String>,
    /// What was given beside the file for other places than these keys and the law: paths with their values.
    pub elsewhere: Vec<(String, String)>,
}

/// Keys that say which law it is.
const OF_A_LAW: [&str; 4] = ["law", "restitution", "calibration", "force"];

/// What a model file says of an element (`contact.floor`, `joint.pin`, `joint.arm.limits`, `group.stack`) beside its law, with the values that are given beside it in their places; nothing if it has no such table.
pub fn standing(text: &str, overrides: &[(String, String)], element: &str) -> Option<Standing> {
    let source = Source::new("", text);
    let (root, _) = open(&source, overrides, &ROOT).ok()?;
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
            Some(written) if node.table().is_some() && !written.starts_with('{') => {
                standing.apart.push(format!("{element}.{key}"));
            }
            Some(written) if !is_changed(node) => standing.keys.push((key.clone(), written.into())),
            _ => standing.keys.push((key.clone(), typed(node))),
        }
    }
    let places = |path: &str| -> Vec<String> { parts(path).into_iter().map(Into::into).collect() };
    let within = |path: &[String], table: &str| path.starts_with(&places(table));
    let others = overrides.iter().filter(|(path, _)| {
        let path = places(path);
        !within(&path, element) || standing.apart.iter().any(|table| within(&path, table))
    });
    standing.elsewhere = others.cloned().collect();
    Some(standing)
}

/// Whether a value, or a part of it, was given beside the file.
fn is_changed(node: &Node) -> bool {
    let inside = match &node.value {
        Value::List(list) => list.iter().any(is_changed),
        Value::Table(table) => table.entries.iter().any(|entry| is_changed(&entry.node)),
        _ => false,
    };
    inside || matches!(node.at, Origin::Override(_))
}

/// A value as it is typed in a file.
fn typed(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => quoted(text),
        Value::Number(x) if x.is_nan() => "nan".into(),
        Value::Number(x) => short(*x),
        Value::Whole(n) => n.to_string(),
        Value::Flag(flag) => flag.to_string(),
        // No key takes one, so that nobody gets here.
        Value::Date => quoted(&node.shown()),
        Value::List(list) => {
            let values: Vec<String> = list.iter().map(typed).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Table(table) => {
            let entries = table.entries.iter();
            let entries: Vec<String> = entries
                .map(|entry| format!("{} = {}", name(&entry.key), typed(&entry.node)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A key as it is typed.
fn name(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !key.is_empty() && key.chars().all(bare) {
        true => key.into(),
        false => quoted(key),
    }
}

/// A text in the quotation marks of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_law_stays_as_it_is_written() {
        let text = "[joint.pin]\ntype = \"revolute\"\nbetween = [\"rod.B\", \"slider\"] # two\nclearance = \"c/2\"\nlaw = \"flores\"\nrestitution = 0.9\nstiffness = 1e8\nfriction = { law = \"ambrosio\", coefficient = 0.1 }\n[contact.a]\nbetween = [\"x\", \"y\"]\nclearance = 1e-5\nlength = 2\n[contact.a.friction]\nlaw = \"coulomb\"\n";
        let pin = standing(text, &[], "joint.pin").expect("there");
        let keys: Vec<&str> = pin.keys.iter().map(|k| k.0.as_str()).collect();
        assert_eq!(keys, ["type", "between", "clearance", "friction"]);
        assert_eq!(pin.keys[1].1, "[\"rod.B\", \"slider\"]");
        assert_eq!(pin.keys[2].1, "\"c/2\"");
        assert_eq!(pin.keys[3].1, "{ law = \"ambrosio\", coefficient = 0.1 }");
        assert!(pin.apart.is_empty());
        let other = standing(text, &[], "contact.a").expect("there");
        let keys: Vec<&str> = other.keys.iter().map(|k| k.0.as_str()).collect();
        assert_eq!(keys, ["between", "length"]);
        assert_eq!(other.apart, ["contact.a.friction"]);
        assert_eq!(standing(text, &[], "contact.b"), None);
    }

    #[test]
    fn what_is_given_beside_the_file_stands_in_the_keys_or_is_told() {
        let text = "[joint.pin]\ntype = \"revolute\"\nbetween = [\"rod.B\", \"slider\"]\nclearance = \"0.5 mm\"\nlaw = \"flores\"\nrestitution = 0.9\nfriction = { law = \"ambrosio\", coefficient = 0.1 }\n[contact.a]\nbetween = [\"x\", \"y\"]\n[contact.a.friction]\nlaw = \"coulomb\"\n";
        let set: Vec<(String, String)> = [
            ("joint.pin.clearance", "\"0.05 mm\""),
            ("joint.pin.length", "60 mm"),
            ("joint.pin.restitution", "0.5"),
            ("joint.pin.friction.coefficient", "0.03"),
            ("contact.a.friction.law", "\"bengisu-akay\""),
            ("simulation.end", "0.1"),
        ]
        .map(|(path, value)| (path.into(), value.into()))
        .into();
        let pin = standing(text, &set, "joint.pin").expect("there");
        let value = |key: &str| {
            let found = pin.keys.iter().find(|k| k.0 == key);
            found.map_or("", |k| k.1.as_str())
        };
        assert_eq!(value("between"), "[\"rod.B\", \"slider\"]");
        assert_eq!(value("clearance"), "\"0.05 mm\"");
        assert_eq!(value("length"), "\"60 mm\"");
        assert_eq!(
            value("friction"),
            "{ law = \"ambrosio\", coefficient = 0.03 }"
        );
        assert_eq!(pin.elsewhere, set[4..]);
        // A table that stays where it is has its own values in the file.
        let other = standing(text, &set, "contact.a").expect("there");
        assert_eq!(other.apart, ["contact.a.friction"]);
        assert_eq!(other.elsewhere, set);
    }
}

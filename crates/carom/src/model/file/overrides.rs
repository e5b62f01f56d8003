//! How does a value given beside the file take its place in the tree?

use crate::card::nearest;
use crate::model::diagnostic::cut;
use crate::model::file::notes::Notes;
use crate::model::file::tables::{Sheet, Takes};
use crate::model::file::tree::{Entry, Node, Origin, Table, Value, parse_override};

/// Puts every override into the tree; complains about paths that lead nowhere.
pub(crate) fn apply(
    root: &mut Table,
    sheet: &'static Sheet,
    overrides: &[(String, String)],
    notes: &mut Notes<'_>,
) {
    for (index, (path, value)) in overrides.iter().enumerate() {
        let node = parse_override(value.trim(), index);
        if let Err(fault) = put(root, sheet, path, node, index) {
            notes
                .error(&Origin::Override(index), path, fault.message)
                .allowed(fault.allowed)
                .nearest(&fault.nearest);
        }
    }
}

struct Fault {
    message: String,
    allowed: String,
    nearest: Vec<String>,
}

/// What is known of the table that a part of the path leads into.
#[derive(Clone, Copy)]
enum Inside {
    /// A table with these keys.
    Sheet(&'static Sheet),
    /// Named tables of this sheet.
    Named(&'static Sheet),
    /// Names of any kind: points, parameters.
    Free,
    /// No table.
    Nothing,
}

impl Inside {
    fn step(self, key: &str) -> Inside {
        let sheet = match self {
            Inside::Named(sheet) => return Inside::Sheet(sheet),
            Inside::Sheet(sheet) => sheet,
            Inside::Free | Inside::Nothing => return Inside::Nothing,
        };
        let own = sheet.kinds.iter().flat_map(|kind| kind.keys);
        let found = sheet.keys.iter().chain(own).find(|known| known.name == key);
        match found.map(|key| key.takes) {
            Some(Takes::Table(sheet) | Takes::NumberOr(_, _, sheet) | Takes::Law(sheet, _)) => {
                Inside::Sheet(sheet)
            }
            Some(Takes::Named(sheet)) => Inside::Named(sheet),
            Some(Takes::Points | Takes::Parameters) => Inside::Free,
            _ => Inside::Nothing,
        }
    }

    /// Whether a table that is not in the file may be made.
    fn can_be_made(self) -> bool {
        matches!(self, Inside::Sheet(_) | Inside::Free)
    }
}

/// The names of a path; one in quotation marks may have dots: `study.set."solver.rtol"`.
pub(crate) fn parts(path: &str) -> Vec<&str> {
    let mut quoted = false;
    let ends = |c: char| {
        quoted ^= c == '"';
        c == '.' && !quoted
    };
    let all = path.split(ends).map(str::trim);
    all.map(|part| {
        let inner = part.strip_prefix('"').and_then(|p| p.strip_suffix('"'));
        inner.unwrap_or(part)
    })
    .collect()
}

fn put(
    root: &mut Table,
    sheet: &'static Sheet,
    path: &str,
    node: Node,
    index: usize,
) -> Result<(), Fault> {
    let at = || Origin::Override(index);
    let parts = parts(path);
    let Some((last, front)) = parts
        .split_last()
        .filter(|_| parts.iter().all(|part| !part.is_empty()))
    else {
        return Err(Fault {
            message: format!("`{}` is no path", cut(path)),
            allowed: "names joined by dots, such as parameters.r or body.rod.mass".into(),
            nearest: Vec::new(),
        });
    };
    let mut table = root;
    let mut inside = Inside::Sheet(sheet);
    let mut so_far = String::new();
    for part in front {
        let named = matches!(inside, Inside::Named(_));
        inside = inside.step(part);
        if table.get(part).is_none() {
            if named || !inside.can_be_made() {
                return Err(no_table(sheet, table, &so_far, part, inside));
            }
            table.entries.push(Entry {
                key: (*part).into(),
                key_at: at(),
                node: Node {
                    value: Value::Table(Table::default()),
                    at: at(),
                },
            });
        }
        if !so_far.is_empty() {
            so_far.push('.');
        }
        so_far.push_str(part);
        let entry = table.get_mut(part).map(|entry| &mut entry.node);
        // `atol = 1e-10` in the file, `--set solver.atol.angle=…` beside it: the table takes the number's place.
        if let Some(entry) = entry {
            if !matches!(entry.value, Value::Table(_)) && matches!(inside, Inside::Sheet(_)) {
                entry.value = Value::Table(Table::default());
                entry.at = at();
            }
            match &mut entry.value {
                Value::Table(inner) => table = inner,
                other => {
                    return Err(Fault {
                        message: format!("`{}` is no table", cut(&so_far)),
                        allowed: match other {
                            Value::List(_) => "a path through tables to a key: a list is set as a whole, such as \"[0, 1]\", and one of its elements by a parameter of the model that stands in it".into(),
                            _ => "a path through tables to a key".into(),
                        },
                        nearest: Vec::new(),
                    });
                }
            }
        } else {
            return Ok(());
        }
    }
    if matches!(inside, Inside::Named(_))
        && !matches!(node.value, Value::Table(_))
        && let Some(inner) = table.get(last).and_then(|entry| entry.node.table())
    {
        let keys = inner.entries.iter().take(20);
        let keys: Vec<String> = keys.map(|e| format!("{so_far}.{last}.{}", e.key)).collect();
        return Err(Fault {
            message: format!("`{so_far}.{last}` is a table: it takes no value itself"),
            allowed: if keys.is_empty() {
                "a key of it".into()
            } else {
                format!("a key of it, such as {}", keys.join(", "))
            },
            nearest: Vec::new(),
        });
    }
    if matches!(inside, Inside::Named(_)) && !matches!(node.value, Value::Table(_)) {
        return Err(no_table(sheet, table, &so_far, last, Inside::Nothing));
    }
    // A parameter that the file does not have is used by nothing in it: a slip of the pen would pass unseen.
    if front == ["parameters"] && table.get(last).is_none() {
        let names: Vec<&str> = table.entries.iter().map(|e| e.key.as_str()).collect();
        let close = nearest(last, names.iter().copied());
        return Err(Fault {
            message: format!("there is no parameter `{}` in the file", cut(last)),
            allowed: names
                .iter()
                .take(20)
                .copied()
                .collect::<Vec<_>>()
                .join(", "),
            nearest: close
                .iter()
                .map(|name| format!("parameters.{name}"))
                .collect(),
        });
    }
    match table.get_mut(last) {
        Some(entry) => entry.node = node,
        None => table.entries.push(Entry {
            key: (*last).into(),
            key_at: at(),
            node,
        }),
    }
    Ok(())
}

fn no_table(
    root: &'static Sheet,
    table: &Table,
    so_far: &str,
    part: &str,
    inside: Inside,
) -> Fault {
    let names: Vec<&str> = match (so_far.is_empty(), inside) {
        (true, _) => root.keys.iter().map(|key| key.name).collect(),
        _ => {
            let tables = table
                .entries
                .iter()
                .filter(|entry| entry.node.table().is_some());
            tables.map(|entry| entry.key.as_str()).collect()
        }
    };
    let join = |name: &&str| {
        if so_far.is_empty() {
            name.to_string()
        } else {
            format!("{so_far}.{name}")
        }
    };
    let close = nearest(part, names.iter().copied());
    Fault {
        message: format!("there is no table `{}` in the file", cut(&join(&part))),
        allowed: if names.is_empty() {
            String::new()
        } else {
            let few: Vec<String> = names.iter().take(20).map(join).collect();
            few.join(", ")
        },
        nearest: close.iter().map(join).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn names_in_quotation_marks_may_have_dots() {
        assert_eq!(parts("body.rod.mass"), ["body", "rod", "mass"]);
        let quoted = parts("study.set.\"joint.pin.law\"");
        assert_eq!(quoted, ["study", "set", "joint.pin.law"]);
        assert_eq!(parts("a..b"), ["a", "", "b"]);
        assert_eq!(parts("a.\"b.c"), ["a", "\"b.c"]);
    }
}

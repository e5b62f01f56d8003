//! In which order can parameters be computed that are made of each other?

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::model::diagnostic::cut;
use crate::model::expression::{Expression, Scope, Symbol};
use crate::model::file::reader::Reader;
use crate::model::file::scope::{Names, Parameter};
use crate::model::file::tree::{Entry, Table, Value};
use crate::model::file::words::join;

/// Names that mean something else in expressions.
const TAKEN: [&str; 4] = ["t", "pi", "tau", "ground"];

impl Reader<'_> {
    /// Reads all parameters, in whatever order they stand.
    pub fn read_parameters(&mut self, table: &Table) {
        let index: BTreeMap<&str, usize> = table
            .entries
            .iter()
            .enumerate()
            .map(|(i, entry)| (entry.key.as_str(), i))
            .collect();
        let needs: Vec<Vec<usize>> = table
            .entries
            .iter()
            .map(|entry| needs(entry, &index))
            .collect();
        // Kahn's order: those that need nothing first, and so on; what is left goes in circles or hangs on one.
        let mut waits: Vec<usize> = needs.iter().map(Vec::len).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
        for (user, needed) in needs.iter().enumerate() {
            for needed in needed {
                if let Some(users) = users.get_mut(*needed) {
                    users.push(user);
                }
            }
        }
        let free = waits.iter().enumerate().filter(|(_, waits)| **waits == 0);
        let mut ready: Vec<usize> = free.map(|(i, _)| i).collect();
        let mut next = 0;
        while let Some(&i) = ready.get(next) {
            next += 1;
            if let Some(entry) = table.entries.get(i) {
                self.read_parameter(entry);
            }
            for &user in users.get(i).into_iter().flatten() {
                if let Some(waits) = waits.get_mut(user) {
                    *waits -= 1;
                    if *waits == 0 {
                        ready.push(user);
                    }
                }
            }
        }
        self.blame_circles(table, &needs, &waits);
    }

    fn read_parameter(&mut self, entry: &Entry) {
        let path = join("parameters", &entry.key);
        let named = self.parameter_name(entry, &path);
        let parameter = self.parameter_value(entry, &path);
        let parameter = if named { parameter } else { Parameter::Bad };
        self.parameters.insert(entry.key.clone(), parameter);
    }

    fn parameter_name(&mut self, entry: &Entry, path: &str) -> bool {
        let name = entry.key.as_str();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let sound = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(word);
        if !sound {
            self.notes
                .error(
                    &entry.key_at,
                    path,
                    format!("`{}` cannot be the name of a parameter", cut(name)),
                )
                .allowed("letters, digits and `_`, beginning with a letter")
                .hint("`-` would be a minus in an expression: use `_`");
        } else if TAKEN.contains(&name) {
            self.notes
                .error(
                    &entry.key_at,
                    path,
                    format!("`{name}` has a meaning of its own in expressions"),
                )
                .allowed(format!("any name but {}", TAKEN.join(", ")))
                .hint("give the parameter another name");
        }
        sound && !TAKEN.contains(&name)
    }

    fn parameter_value(&mut self, entry: &Entry, path: &str) -> Parameter {
        let node = &entry.node;
        let (value, symbol) = match (&node.value, node.number()) {
            (_, Some(value)) => {
                let dimension = None;
                (value, Symbol::Constant { value, dimension })
            }
            (Value::Text(text), _) => {
                let names = Names::new(&self.parameters);
                let parsed = Expression::parse(text, &names);
                if names.spoiled.get() {
                    return Parameter::Bad;
                }
                match parsed {
                    Ok(expression) => match (expression.constant(), expression.symbol()) {
                        (Some(value), Some(symbol)) => (value, symbol),
                        _ => return Parameter::Bad,
                    },
                    Err(errors) => {
                        self.blame(node, path, &errors);
                        return Parameter::Bad;
                    }
                }
            }
            _ => {
                let message = format!(
                    "a parameter must be a number, a quantity or an expression, not {}",
                    node.kind()
                );
                self.notes.wrong(node, path, message);
                return Parameter::Bad;
            }
        };
        if value.is_finite() {
            return Parameter::Known(symbol);
        }
        self.notes
            .wrong(node, path, "a parameter must be a finite number")
            .value(format!("{} = {value}", cut(&node.shown())));
        Parameter::Bad
    }

    /// One complaint a circle; what hangs on one is bad without a word.
    fn blame_circles(&mut self, table: &Table, needs: &[Vec<usize>], waits: &[usize]) {
        let left = |i: usize| waits.get(i).is_some_and(|waits| *waits > 0);
        // 0: not yet seen; otherwise the walk that saw it.
        let mut seen = vec![0; needs.len()];
        for start in 0..needs.len() {
            if !left(start) {
                continue;
            }
            // Everything left needs something that is left: a walk must come back to itself, or to an earlier walk.
            let mut walk = Vec::new();
            let mut at = start;
            while seen.get(at) == Some(&0) {
                if let Some(seen) = seen.get_mut(at) {
                    *seen = start + 1;
                }
                walk.push(at);
                let onward = needs
                    .get(at)
                    .and_then(|needed| needed.iter().copied().find(|i| left(*i)));
                let Some(onward) = onward else { break };
                at = onward;
            }
            if seen.get(at) == Some(&(start + 1))
                && let Some(from) = walk.iter().position(|i| *i == at)
            {
                let circle = walk.get(from..).unwrap_or(&[]);
                let names: Vec<&str> = circle
                    .iter()
                    .chain([&at])
                    .take(8)
                    .filter_map(|i| table.entries.get(*i).map(|entry| entry.key.as_str()))
                    .collect();
                // The first of them in the file.
                if let Some(entry) = circle.iter().min().and_then(|i| table.entries.get(*i)) {
                    let path = join("parameters", &entry.key);
                    self.notes
                        .wrong(
                            &entry.node,
                            &path,
                            "parameters are made of each other in a circle",
                        )
                        .hint(format!(
                            "{}: give one of them a value of its own",
                            names.join(" → ")
                        ));
                }
            }
        }
        for (i, entry) in table.entries.iter().enumerate() {
            if left(i) {
                self.parameters.insert(entry.key.clone(), Parameter::Bad);
            }
        }
    }
}

/// Which other parameters an expression asks for.
fn needs(entry: &Entry, index: &BTreeMap<&str, usize>) -> Vec<usize> {
    let Some(text) = entry.node.text() else {
        return Vec::new();
    };
    let listener = Listener {
        index,
        heard: RefCell::default(),
    };
    // What is wrong with it is said when its turn comes.
    let _ = Expression::parse(text, &listener);
    let mut heard = listener.heard.into_inner();
    heard.sort_unstable();
    heard.dedup();
    heard
}

/// Hears which names an expression asks for.
struct Listener<'a> {
    index: &'a BTreeMap<&'a str, usize>,
    heard: RefCell<Vec<usize>>,
}

impl Scope for Listener<'_> {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        let i = *self.index.get(name)?;
        self.heard.borrow_mut().push(i);
        Some(Symbol::Constant {
            value: 1.0,
            dimension: None,
        })
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

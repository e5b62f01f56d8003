//! Which values does each parameter of a study take, and how are points spread over them?

use crate::card::short;
use crate::model::file::record::Record;
use crate::model::file::tree::Node;
use crate::model::units::{self, Dimension};

use super::{Half, Read, Reading, unit_of};
use crate::study::sweep::design::{Design, Kind, Levels};
use crate::study::sweep::{Shown, Varied};

impl<'a> Reading<'_, 'a> {
    /// `kind` is none if it could not be read: what hangs on it is not complained about.
    pub(super) fn varied(
        &mut self,
        vary: Vec<(&'a str, Record<'a>)>,
        kind: Option<Kind>,
    ) -> Vec<Read<'a>> {
        let mut all: Vec<Read<'a>> = Vec::new();
        let mut paths: Vec<(&'a str, &'a str)> = Vec::new();
        for (name, record) in vary {
            let levels = self.levels(&record, kind);
            let (Some(path), Some(node)) = (record.text("path"), record.node("path")) else {
                continue;
            };
            if let Some((_, other)) = paths.iter().find(|known| known.0 == path) {
                let words = format!("`{path}` is varied by `{other}` as well");
                let key = record.path_of("path");
                self.reader.notes.error(&node.at, &key, words).value(path);
            }
            paths.push((path, name));
            let Some((levels, dimension)) = levels else {
                self.half.push(Half {
                    path,
                    key: record.path_of("path"),
                    node,
                });
                continue;
            };
            all.push(Read {
                varied: Varied {
                    name: name.into(),
                    path: path.into(),
                    unit: dimension.map_or_else(String::new, unit_of),
                },
                written: written(&record),
                levels,
                dimension,
                meant: None,
                node: Some(node),
                record,
            });
        }
        all
    }

    /// What is said of a record that was complained about does not follow from that complaint.
    fn levels(
        &mut self,
        record: &Record<'a>,
        kind: Option<Kind>,
    ) -> Option<(Levels, Option<Dimension>)> {
        if let Some(node) = record.node("values") {
            for key in ["to", "count", "deviation", "spacing"] {
                if record.given(key) && !record.bad {
                    let (at, path) = (record.place(key), record.path_of(key));
                    self.reader
                        .notes
                        .error(&at, &path, format!("`{key}` does not go with `values`"))
                        .hint("remove one of them");
                }
            }
            return self.values(node, &record.path_of("values"));
        }
        let mut number = |key: &'static str| match record.node(key) {
            Some(node) => self.quantity(node, &record.path_of(key)),
            None if record.bad => None,
            None => {
                let at = record.at.clone();
                self.reader
                    .notes
                    .error(&at, &record.path_of(key), format!("`{key}` is missing"))
                    .allowed("`values`; `from`, `to` and `count`; or `mean` and `deviation`");
                None
            }
        };
        let pair = if record.given("mean") {
            ["mean", "deviation"]
        } else {
            ["from", "to"]
        };
        let (one, other) = (number(pair[0]), number(pair[1]));
        let ((one, is), (other, are)) = (one?, other?);
        let dimension = match (is, are) {
            (Some(is), Some(are)) if is.fits(are) => Some(is),
            (None, None) => None,
            (Some(is), None) if other == 0.0 => Some(is),
            (None, Some(are)) if one == 0.0 => Some(are),
            _ if pure(is) && pure(are) => Some(Dimension::NONE),
            _ => {
                let (at, path) = (record.place(pair[1]), record.path_of(pair[1]));
                let words = format!("`{}` and `{}` are of different kinds", pair[0], pair[1]);
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .hint("give both the same unit, or none");
                return None;
            }
        };
        if pair[0] == "mean" {
            if let Some(kind) = kind.filter(|kind| !kind.draws()) {
                let at = record.place("mean");
                self.reader
                    .notes
                    .error(
                        &at,
                        &record.path_of("mean"),
                        format!("a distribution has no levels for a {}", kind.name()),
                    )
                    .allowed("design.type = \"random\", \"halton\" or \"sobol\"");
                return None;
            }
            if !(other > 0.0) {
                let (at, path) = (record.place("deviation"), record.path_of("deviation"));
                self.reader
                    .notes
                    .error(&at, &path, "`deviation` must be above 0")
                    .value(short(other));
                return None;
            }
            return Some((
                Levels::Normal {
                    mean: one,
                    deviation: other,
                },
                dimension,
            ));
        }
        let logarithmic = record.word("spacing") == Some("log");
        if logarithmic && !(one > 0.0 && other > 0.0) {
            let at = record.place(if one > 0.0 { "to" } else { "from" });
            self.reader
                .notes
                .error(
                    &at,
                    &record.path_of("spacing"),
                    "equal ratios need numbers above 0",
                )
                .hint("spacing = \"linear\"");
            return None;
        }
        let count = record.whole("count");
        let (at, path) = (record.place("count"), record.path_of("count"));
        match kind {
            Some(kind) if !kind.draws() && count.is_none() => {
                if !record.given("count") && !record.bad {
                    let words = format!(
                        "`count` is missing: a {} needs to know how many values there are",
                        kind.name()
                    );
                    self.reader
                        .notes
                        .error(&at, &path, words)
                        .allowed("a whole number, ≥ 1");
                }
                return None;
            }
            Some(kind) if kind.draws() && record.given("count") => {
                let words = format!(
                    "how many points are drawn stands in [design]: with {} a parameter has no count",
                    kind.name()
                );
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .hint("design.count = …");
                return None;
            }
            _ => {}
        }
        let count = count.unwrap_or(0);
        Some((
            Levels::Span {
                from: one,
                to: other,
                logarithmic,
                count,
            },
            dimension,
        ))
    }

    fn values(&mut self, node: &'a Node, path: &str) -> Option<(Levels, Option<Dimension>)> {
        let Some(list) = node.list() else {
            self.reader
                .wrong_type(node, path, "a list with at least one value");
            return None;
        };
        if list.is_empty() {
            self.reader
                .notes
                .wrong(node, path, "`values` is empty")
                .hint("a list with at least one value");
            return None;
        }
        // Words are what no quantity begins like.
        let is_word = |node: &Node| {
            node.text().is_some_and(|t| {
                !t.trim_start()
                    .starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            })
        };
        if list.iter().any(is_word) {
            let mut words = Vec::new();
            for one in list {
                match one.text().filter(|_| is_word(one)) {
                    Some(text) => words.push(text.to_string()),
                    None => {
                        self.reader
                            .notes
                            .wrong(one, path, "a list has either words or numbers");
                    }
                }
            }
            if words.len() < list.len() {
                return None;
            }
            return Some((Levels::Words(words), None));
        }
        let read: Vec<Option<(f64, Option<Dimension>)>> =
            list.iter().map(|one| self.quantity(one, path)).collect();
        let read: Option<Vec<(f64, Option<Dimension>)>> = read.into_iter().collect();
        let read = read?;
        // Zero is of any kind; the first of the others says which.
        let dimension = match read
            .iter()
            .find(|(value, is)| *value != 0.0 || is.is_some())
        {
            Some((_, is)) => *is,
            None => None,
        };
        // Pure numbers with a sign, such as `50 %`, go with plain ones.
        let mixed = read.iter().any(|(_, is)| is.is_some());
        let dimension = match mixed && read.iter().all(|(_, is)| pure(*is)) {
            true => Some(Dimension::NONE),
            false => dimension,
        };
        let mut same = true;
        for (one, (value, is)) in list.iter().zip(&read) {
            let fits = match (is, dimension) {
                (Some(is), Some(dimension)) => is.fits(dimension),
                (None, Some(dimension)) => *value == 0.0 || pure(Some(dimension)),
                (Some(_), None) => false,
                (None, None) => true,
            };
            if !fits {
                same = false;
                self.reader
                    .notes
                    .wrong(
                        one,
                        path,
                        "this is of another kind than the values before it",
                    )
                    .hint("give all the same unit, or none");
            }
        }
        if !same {
            return None;
        }
        Some((
            Levels::Numbers(read.into_iter().map(|r| r.0).collect()),
            dimension,
        ))
    }

    pub(super) fn design(
        &mut self,
        record: Option<&Record<'a>>,
        kind: Option<Kind>,
        read: &[Read<'a>],
        root: &Record<'a>,
    ) -> Option<Design> {
        let kind = kind?;
        let count = record.and_then(|r| r.whole("count"));
        let at = record.map_or_else(|| root.at.clone(), |r| r.place("count"));
        if kind.draws() && count.is_none() {
            if record.is_none_or(|r| !r.given("count")) {
                self.reader
                    .notes
                    .error(
                        &at,
                        "design.count",
                        "`count` is missing: how many points are drawn",
                    )
                    .allowed("a whole number, ≥ 1");
            }
            return None;
        }
        if !kind.draws() && count.is_some() {
            self.reader
                .notes
                .error(
                    &at,
                    "design.count",
                    format!("a {} has as many points as its parameters say", kind.name()),
                )
                .hint("remove it, or draw points: type = \"random\", \"halton\" or \"sobol\"");
            return None;
        }
        if kind == Kind::List {
            let most = read.iter().map(|r| r.levels.count()).max().unwrap_or(0);
            for one in read.iter().filter(|r| r.levels.count() != most) {
                let key = if one.record.given("values") {
                    "values"
                } else {
                    "count"
                };
                let (at, path) = (one.record.place(key), one.record.path_of(key));
                let words = format!(
                    "`{}` has {} values, and another one {most}",
                    one.varied.name,
                    one.levels.count()
                );
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .hint("in a list all go in step; a grid takes every one with every other");
            }
        }
        let seed = record.and_then(|r| r.whole("seed")).unwrap_or(0);
        let levels = read.iter().map(|r| r.levels.clone()).collect();
        let design = Design::new(kind, seed, count.unwrap_or(0), levels);
        if design.is_none() {
            let at = record.map_or_else(|| root.place("vary"), |r| r.place("type"));
            let many = read.len() > kind.most();
            let words = if many {
                format!(
                    "{} varies {} parameters at most, not {}",
                    kind.name(),
                    kind.most(),
                    read.len()
                )
            } else {
                "there are more points than can be counted".to_string()
            };
            let note = self.reader.notes.error(&at, "design.type", words);
            if many {
                note.allowed("halton for up to 32, random for any number");
            }
        }
        design
    }
}

/// The first unit that its values have.
fn written(record: &Record<'_>) -> Option<Shown> {
    let keys = ["from", "to", "mean", "deviation"];
    let nodes = keys.iter().filter_map(|key| record.node(key));
    let list = record.node("values").and_then(Node::list);
    let mut texts = nodes.chain(list.into_iter().flatten()).map(Node::text);
    let (unit, one) = texts.find_map(|text| units::behind(text?))?;
    Some(Shown { unit, one })
}

/// Whether this is a number without a unit, or with a sign such as `%`.
fn pure(is: Option<Dimension>) -> bool {
    is.is_none_or(|is| is.fits(Dimension::NONE))
}

//! Which values does each parameter of a study take, and how are points spread over them?

use crate::card::short;
use crate::model::file::record::Record;
use crate::model::file::tree::Node;
use crate::model::units::Dimension;

use super::{Read, Reading, unit_of};
use crate::study::sweep::Varied;
use crate::study::sweep::design::{Design, Kind, Levels};

impl<'a> Reading<'_, 'a> {
    pub(super) fn varied(&mut self, vary: Vec<(&'a str, Record<'a>)>, kind: Kind) -> Vec<Read<'a>> {
        let mut all: Vec<Read<'a>> = Vec::new();
        for (name, record) in vary {
            // What was complained about already is not read once more.
            if record.bad {
                continue;
            }
            let Some((levels, dimension)) = self.levels(&record, kind) else {
                continue;
            };
            let Some(path) = record.text("path") else {
                continue;
            };
            if let Some(other) = all.iter().find(|other| other.varied.path == path) {
                let words = format!("`{path}` is varied by `{}` as well", other.varied.name);
                let (at, path) = (record.place("path"), record.path_of("path"));
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .value(path.clone());
            }
            all.push(Read {
                varied: Varied {
                    name: name.into(),
                    path: path.into(),
                    unit: dimension.map_or_else(String::new, unit_of),
                },
                levels,
                dimension,
                meant: None,
                node: record.node("path"),
                record,
            });
        }
        all
    }

    fn levels(&mut self, record: &Record<'a>, kind: Kind) -> Option<(Levels, Option<Dimension>)> {
        if let Some(node) = record.node("values") {
            for key in ["to", "count", "deviation", "spacing"] {
                if record.given(key) {
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
            if !kind.draws() {
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
        let count = record.whole("count").unwrap_or(0);
        let (at, path) = (record.place("count"), record.path_of("count"));
        if !kind.draws() && count == 0 {
            if !record.given("count") {
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
        if kind.draws() && record.given("count") {
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
        let Some(list) = node.list().filter(|list| !list.is_empty()) else {
            self.reader
                .wrong_type(node, path, "a list with at least one value");
            return None;
        };
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
                        return None;
                    }
                }
            }
            return Some((Levels::Words(words), None));
        }
        let read: Vec<Option<(f64, Option<Dimension>)>> =
            list.iter().map(|one| self.quantity(one, path)).collect();
        let read: Option<Vec<(f64, Option<Dimension>)>> = read.into_iter().collect();
        let read = read?;
        let dimension = read.iter().find_map(|r| r.1);
        for (one, (value, is)) in list.iter().zip(&read) {
            let same = match (is, dimension) {
                (Some(is), Some(dimension)) => is.fits(dimension),
                (None, Some(_)) => *value == 0.0,
                _ => true,
            };
            if !same {
                self.reader
                    .notes
                    .wrong(
                        one,
                        path,
                        "this is of another kind than the values before it",
                    )
                    .hint("give all the same unit, or none");
                return None;
            }
        }
        Some((
            Levels::Numbers(read.into_iter().map(|r| r.0).collect()),
            dimension,
        ))
    }

    pub(super) fn design(
        &mut self,
        record: Option<&Record<'a>>,
        kind: Kind,
        read: &[Read<'a>],
        root: &Record<'a>,
    ) -> Option<Design> {
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

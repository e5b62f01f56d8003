//! What is the smallest model file that still fails in the same way?

use super::judge::{Budget, Verdict, judge};
use super::tree::{Tree, Value, mentions};

/// Takes out and simplifies as long as the class of the failure stays; `runs` is how often it may look.
pub fn shrink(tree: &Tree, class: &str, budget: Budget, runs: usize) -> (Tree, Verdict) {
    let mut best = tree.clone();
    let mut verdict = judge(&best.to_string(), budget);
    let mut left = runs;
    let mut attempt = |candidate: Tree, best: &mut Tree, verdict: &mut Verdict| -> bool {
        if left == 0 || candidate == *best {
            return false;
        }
        left -= 1;
        let found = judge(&candidate.to_string(), budget);
        let same = found.class == class;
        if same {
            *best = candidate;
            *verdict = found;
        }
        same
    };
    loop {
        let before = best.clone();
        // Whole elements, with all that mentions them.
        let mut i = 1;
        while i < best.tables.len() {
            let name = best.tables[i].name().to_string();
            let mut less = best.clone();
            less.tables.remove(i);
            if !name.is_empty() {
                less.tables
                    .retain(|t| !t.keys.iter().any(|(_, v)| mentions(v, &name)));
            }
            if !attempt(less, &mut best, &mut verdict) {
                i += 1;
            }
        }
        // Keys.
        for i in 1..best.tables.len() {
            let mut k = 0;
            while k < best.tables[i].keys.len() {
                let mut less = best.clone();
                less.tables[i].keys.remove(k);
                if attempt(less, &mut best, &mut verdict) {
                    continue;
                }
                if let Value::Table(inner) = best.tables[i].keys[k].1.clone() {
                    let mut m = inner.len();
                    while m > 0 {
                        m -= 1;
                        let mut less = best.clone();
                        if let Value::Table(keys) = &mut less.tables[i].keys[k].1 {
                            keys.remove(m);
                        }
                        attempt(less, &mut best, &mut verdict);
                    }
                }
                k += 1;
            }
        }
        // No longer than it takes.
        if verdict.t.is_finite() {
            let end = super::random::round(verdict.t * 1.02);
            let mut less = best.clone();
            for (key, value) in less.tables.iter_mut().flat_map(|t| &mut t.keys) {
                if key == "end" {
                    *value = end.into();
                }
            }
            attempt(less, &mut best, &mut verdict);
        }
        // Numbers with fewer digits.
        let count = numbers(&mut best.clone()).len();
        for i in 0..count {
            let x = *numbers(&mut best.clone())[i];
            for simple in [0.0, 1.0, digits(x, 0), digits(x, 1), digits(x, 2)] {
                if simple == x {
                    break;
                }
                let mut less = best.clone();
                *numbers(&mut less)[i] = simple;
                if attempt(less, &mut best, &mut verdict) {
                    break;
                }
            }
        }
        if best == before {
            return (best, verdict);
        }
    }
}

fn digits(x: f64, n: usize) -> f64 {
    format!("{x:.n$e}").parse().unwrap_or(x)
}

fn numbers(tree: &mut Tree) -> Vec<&mut f64> {
    fn add<'a>(value: &'a mut Value, all: &mut Vec<&'a mut f64>) {
        match value {
            Value::Number(x) => all.push(x),
            Value::List(list) => list.iter_mut().for_each(|x| add(x, all)),
            Value::Table(keys) => keys.iter_mut().for_each(|(_, x)| add(x, all)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    for (_, value) in tree.tables.iter_mut().flat_map(|t| &mut t.keys) {
        add(value, &mut all);
    }
    all
}

//! When does a function of time jump, or have a corner?
//!
//! Only step, sign, abs, floor, min, max and smoothstep do either, and each where its argument passes a certain value. The instructions of an argument stand right before the call, so it can be
//! computed on its own: its side is looked at on a grid, and where it changes, halving finds the first number on the far side.

use super::function::{Function, Jet, Number};
use super::program::{self, Instruction};

/// More breaks than this are not told one by one.
pub(super) const MOST: usize = 10_000;

/// The grids that are tried: a finer one where the one before is crowded with changes.
const GRIDS: [usize; 3] = [2_048, 16_384, 131_072];

/// A grid that sees a change in every so many intervals may miss as many.
const CROWDED: usize = 8;

/// A part of the program that leaves one number on the stack.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    /// Whether the variable with place 0 occurs, and whether any other does.
    moves: bool,
    other: bool,
}

/// A call that switches, with its arguments; those it does not have are empty.
struct Switch<'a> {
    function: Function,
    arguments: [&'a [Instruction]; 3],
}

impl Switch<'_> {
    /// Which side the arguments are on, and how fast they move between sides.
    fn look(&self, x: f64) -> (f64, f64) {
        let jet = |i: usize| {
            let of = |index| match index {
                0 => Jet([x, 1.0, 0.0]),
                _ => Jet([f64::NAN; 3]),
            };
            program::run(self.arguments.get(i).copied().unwrap_or(&[]), of)
        };
        let first = jet(0);
        let (mut function, mut along) = (self.function, first);
        match function {
            Function::Min | Function::Max => along = first.subtract(jet(1)),
            Function::Smoothstep => {
                let (from, to) = (jet(1), jet(2));
                along = first.subtract(from);
                if from.0[0] == to.0[0] {
                    function = Function::Step;
                } else {
                    along = along.divide(to.subtract(from));
                }
            }
            _ => {}
        }
        let [value, slope, _] = along.0;
        let side = match function {
            Function::Sign => value.call(Function::Sign),
            Function::Floor => value.floor(),
            Function::Smoothstep => f64::from(u8::from(value > 0.0) + u8::from(value >= 1.0)),
            // Of equals the first is taken.
            Function::Min => f64::from(u8::from(value > 0.0)),
            _ => f64::from(u8::from(value >= 0.0)),
        };
        // What is no number is a side of its own.
        (if side.is_nan() { f64::INFINITY } else { side }, slope)
    }

    fn side(&self, x: f64) -> f64 {
        self.look(x).0
    }

    /// Notes every change of side after `low` up to `high`, supposing that there is but one way from side to side; `None` if there are too many.
    fn between(&self, mut low: f64, high: f64, found: &mut Vec<f64>) -> Option<()> {
        let last = self.side(high);
        let mut side = self.side(low);
        while side != last {
            let (mut near, mut far) = (low, high);
            loop {
                let middle = near + 0.5 * (far - near);
                if !(near < middle && middle < far) {
                    break;
                }
                if self.side(middle) == side {
                    near = middle;
                } else {
                    far = middle;
                }
            }
            if found.len() >= MOST || !(far > low) {
                return None;
            }
            found.push(far);
            low = far;
            side = self.side(far);
        }
        Some(())
    }

    /// All changes of side; `known` are places where the arguments themselves may jump.
    fn changes(&self, start: f64, end: f64, known: &[f64]) -> Option<Vec<f64>> {
        'grid: for count in GRIDS {
            let mut found = Vec::new();
            let mut changes = 0;
            let mut before: Option<(f64, (f64, f64))> = None;
            for x in grid(start, end, count, known) {
                let here = self.look(x);
                if let Some((low, (side, slope))) = before {
                    if side != here.0 {
                        changes += 1;
                        // A few whole numbers in one interval are a fast floor, not a crowd.
                        if changes > count / CROWDED {
                            continue 'grid;
                        }
                        self.between(low, x, &mut found)?;
                    } else if slope * here.1 < 0.0 {
                        let turn = self.turn(low, x, slope);
                        self.between(low, turn, &mut found)?;
                        self.between(turn, x, &mut found)?;
                    }
                }
                before = Some((x, here));
            }
            return Some(found);
        }
        None
    }

    /// Where the arguments turn back between two places.
    fn turn(&self, mut low: f64, mut high: f64, slope: f64) -> f64 {
        for _ in 0..60 {
            let middle = low + 0.5 * (high - low);
            if self.look(middle).1 * slope > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Places from start to end in rising order, scattered: no period fits them, so that what is faster than the grid shows as a crowd of changes. Where the arguments may jump, both sides are
/// among them.
fn grid(start: f64, end: f64, count: usize, known: &[f64]) -> Vec<f64> {
    // Always the same numbers from 0 to 1: the bits of i, well stirred by odd factors.
    let scatter = |i: usize| {
        let mut bits = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
            bits = (bits ^ (bits >> 29)).wrapping_mul(factor);
        }
        (bits >> 32) as f64 / 4_294_967_296.0
    };
    let place = |i: usize| start + (end - start) * ((i as f64 + scatter(i)) / count as f64);
    let mut places: Vec<f64> = (0..count).map(place).collect();
    places.push(end);
    places.extend(known.iter().flat_map(|x| [x.next_down(), *x]));
    places.retain(|x| (start..=end).contains(x));
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

/// Where a function of the variable with place 0 jumps or has a corner after `start` and up to `end`, as far as calls of that variable alone say so: rising, each the first number behind it.
/// `None` if there are too many.
pub(super) fn find(program: &[Instruction], start: f64, end: f64) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    if !(start < end && (end - start).is_finite()) {
        return Some(found);
    }
    let mut stack: Vec<Part> = Vec::new();
    for (place, instruction) in program.iter().enumerate() {
        let (takes, function) = match *instruction {
            Instruction::Constant(_) | Instruction::Variable(_) => (0, None),
            Instruction::Negate | Instruction::Whole(_) => (1, None),
            Instruction::Call(function) => (1, Some(function)),
            Instruction::Call2(function) => (2, Some(function)),
            Instruction::Smoothstep => (3, Some(Function::Smoothstep)),
            Instruction::Add
            | Instruction::Subtract
            | Instruction::Multiply
            | Instruction::Divide
            | Instruction::Power => (2, None),
        };
        let parts = stack.split_off(stack.len().saturating_sub(takes));
        let whole = Part {
            start: parts.first().map_or(place, |part| part.start),
            end: place + 1,
            moves: *instruction == Instruction::Variable(0) || parts.iter().any(|part| part.moves),
            other: matches!(*instruction, Instruction::Variable(index) if index > 0)
                || parts.iter().any(|part| part.other),
        };
        stack.push(whole);
        let Some(function) = function.filter(|function| switches(*function)) else {
            continue;
        };
        if whole.other || !whole.moves {
            continue;
        }
        let mut arguments: [&[Instruction]; 3] = [&[]; 3];
        for (slot, part) in arguments.iter_mut().zip(&parts) {
            *slot = program.get(part.start..part.end).unwrap_or(&[]);
        }
        let switch = Switch {
            function,
            arguments,
        };
        found.extend(switch.changes(start, end, &found)?);
        found.sort_by(f64::total_cmp);
        found.dedup();
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}

fn switches(function: Function) -> bool {
    matches!(
        function,
        Function::Abs
            | Function::Sign
            | Function::Floor
            | Function::Min
            | Function::Max
            | Function::Step
            | Function::Smoothstep
    )
}

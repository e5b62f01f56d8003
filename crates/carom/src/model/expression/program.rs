//! How is an expression computed, thousands of times a second, without allocating?
//!
//! The parts that are not constant become a row of instructions for a small stack. How high the stack grows is known when the row is made; a place outside it cannot be reached.

use super::check::Finding;
use super::function::{Function, Number};
use super::parser::{Node, Part};

/// Numbers that may wait on the stack; a power of two.
pub(super) const STACK: usize = 32;

/// Whole exponents up to here are products; beyond, a product would round more often than the power does.
const LARGEST_WHOLE: f64 = 64.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Instruction {
    Constant(f64),
    Variable(usize),
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    /// The top to a whole power.
    Whole(i32),
    Power,
    Call(Function),
    Call2(Function),
    Smoothstep,
}

/// The exponent as a whole number, if a power is to be a product.
fn whole(exponent: f64) -> Option<i32> {
    (exponent.fract() == 0.0 && exponent.abs() <= LARGEST_WHOLE).then_some(exponent as i32)
}

/// `a sign b`, as the program computes it.
pub(super) fn binary(sign: char, a: f64, b: f64) -> f64 {
    match sign {
        '+' => a.add(b),
        '-' => a.subtract(b),
        '*' => a.multiply(b),
        '/' => a.divide(b),
        _ => match whole(b) {
            Some(n) => a.whole_power(n),
            None => a.power(b),
        },
    }
}

/// A function of constants, as the program computes it.
pub(super) fn call(function: Function, arguments: &[f64]) -> f64 {
    match arguments {
        [x] => x.call(function),
        [x, from, to] if function == Function::Smoothstep => x.smoothstep(*from, *to),
        [first, others @ ..] => others.iter().fold(*first, |a, b| a.call2(*b, function)),
        [] => f64::NAN,
    }
}

/// The instructions, or `None` if more numbers must wait than the stack has places.
pub(super) fn compile(nodes: &[Node], findings: &[Finding]) -> Option<Box<[Instruction]>> {
    // From the whole to its parts: those of a constant are not computed again.
    let mut needed = vec![false; nodes.len()];
    if let Some(last) = needed.last_mut() {
        *last = true;
    }
    let constant = |place: usize| findings.get(place).and_then(|f| f.constant);
    let exponent = |sign: char, right: usize| {
        (sign == '^')
            .then(|| constant(right).and_then(whole))
            .flatten()
    };
    for (place, node) in nodes.iter().enumerate().rev() {
        if !needed.get(place).copied().unwrap_or(false) || constant(place).is_some() {
            continue;
        }
        let mut need = |part: usize| {
            if let Some(flag) = needed.get_mut(part) {
                *flag = true;
            }
        };
        match &node.part {
            Part::Number(_) | Part::Name(_) => {}
            Part::Negative(inside) => need(*inside),
            Part::Binary(sign, left, right) => {
                need(*left);
                if exponent(*sign, *right).is_none() {
                    need(*right);
                }
            }
            Part::Call(_, arguments) => arguments.iter().for_each(|a| need(*a)),
        }
    }
    let mut program = Vec::new();
    let (mut height, mut highest) = (0_usize, 0);
    for (place, node) in nodes.iter().enumerate() {
        if !needed.get(place).copied().unwrap_or(false) {
            continue;
        }
        if let Some(value) = constant(place) {
            program.push(Instruction::Constant(value));
            height += 1;
        } else {
            match &node.part {
                Part::Number(_) | Part::Name(_) => {
                    let index = findings.get(place).and_then(|f| f.variable);
                    // What is neither constant nor a variable was refused before.
                    program.push(Instruction::Variable(index.unwrap_or(usize::MAX)));
                    height += 1;
                }
                Part::Negative(_) => program.push(Instruction::Negate),
                Part::Binary(sign, _, right) => {
                    if let Some(n) = exponent(*sign, *right) {
                        program.push(Instruction::Whole(n));
                        continue;
                    }
                    program.push(match sign {
                        '+' => Instruction::Add,
                        '-' => Instruction::Subtract,
                        '*' => Instruction::Multiply,
                        '/' => Instruction::Divide,
                        _ => Instruction::Power,
                    });
                    height = height.saturating_sub(1);
                }
                Part::Call(None, _) => {}
                Part::Call(Some(Function::Smoothstep), _) => {
                    program.push(Instruction::Smoothstep);
                    height = height.saturating_sub(2);
                }
                Part::Call(Some(function), arguments) if arguments.len() > 1 => {
                    // All wait on the stack: the last two are taken first, and their order among equals does not matter to a value.
                    for _ in 1..arguments.len() {
                        program.push(Instruction::Call2(*function));
                    }
                    height = height.saturating_sub(arguments.len() - 1);
                }
                Part::Call(Some(function), _) => program.push(Instruction::Call(*function)),
            }
        }
        highest = highest.max(height);
    }
    (highest <= STACK).then(|| program.into_boxed_slice())
}

/// Runs the instructions.
#[inline]
pub(super) fn run<N: Number>(program: &[Instruction], variable: impl Fn(usize) -> N) -> N {
    /// A place on the stack: the compiler sees that it is one.
    const fn on(place: usize) -> usize {
        place & (STACK - 1)
    }
    let mut stack = [N::constant(0.0); STACK];
    // Places taken so far.
    let mut top = 0_usize;
    for instruction in program {
        let last = on(top.wrapping_sub(1));
        let before = on(top.wrapping_sub(2));
        match *instruction {
            Instruction::Constant(value) => {
                stack[on(top)] = N::constant(value);
                top = top.wrapping_add(1);
            }
            Instruction::Variable(index) => {
                stack[on(top)] = variable(index);
                top = top.wrapping_add(1);
            }
            Instruction::Negate => stack[last] = stack[last].negate(),
            Instruction::Whole(n) => stack[last] = stack[last].whole_power(n),
            Instruction::Call(function) => stack[last] = stack[last].call(function),
            Instruction::Smoothstep => {
                let first = on(top.wrapping_sub(3));
                stack[first] = stack[first].smoothstep(stack[before], stack[last]);
                top = top.wrapping_sub(2);
            }
            Instruction::Add
            | Instruction::Subtract
            | Instruction::Multiply
            | Instruction::Divide
            | Instruction::Power
            | Instruction::Call2(_) => {
                let (a, b) = (stack[before], stack[last]);
                stack[before] = match *instruction {
                    Instruction::Add => a.add(b),
                    Instruction::Subtract => a.subtract(b),
                    Instruction::Multiply => a.multiply(b),
                    Instruction::Divide => a.divide(b),
                    Instruction::Call2(function) => a.call2(b, function),
                    _ => a.power(b),
                };
                top = top.wrapping_sub(1);
            }
        }
    }
    stack[on(top.wrapping_sub(1))]
}

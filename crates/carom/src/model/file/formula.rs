//! How does a text become a function of time, of the motion, or of a length, and is it a number wherever it will be asked for?

use crate::card::Range;
use crate::mechanics::{Function, Input, Pose};
use crate::model::diagnostic::cut;
use crate::model::expression::Expression;
use crate::model::file::probe;
use crate::model::file::reader::Reader;
use crate::model::file::scope::{Names, State};
use crate::model::file::tables::Of;
use crate::model::file::tree::Node;
use crate::model::file::words::last;
use crate::model::units::Dimension;

impl Reader<'_> {
    /// A function of one variable.
    pub fn function(
        &mut self,
        node: &Node,
        path: &str,
        of: Of,
        dimension: Dimension,
    ) -> Option<Function> {
        match self.formula(node, path, of, dimension)? {
            Input::Time(function) => Some(function),
            // The states are not in the scope of any other function.
            Input::Motion(_) => None,
        }
    }

    /// A function of time and of the motion.
    pub fn input(&mut self, node: &Node, path: &str, dimension: Dimension) -> Option<Input> {
        self.formula(node, path, Of::Motion, dimension)
    }

    fn formula(&mut self, node: &Node, path: &str, of: Of, dimension: Dimension) -> Option<Input> {
        /// More states in one function than anyone needs; they stand on the stack.
        const MOST: usize = 31;
        let Some(text) = node.text() else {
            let number = self.number(node, path, dimension, Range::ANY)?;
            return Some(number.into());
        };
        let mut names = Names::new(&self.parameters);
        names.of = Some(of);
        names.world = (of == Of::Motion).then_some(&self.world);
        let parsed = Expression::parse(text, &names);
        let (spoiled, states) = (names.spoiled.get(), names.states.into_inner());
        let expression = match parsed {
            _ if spoiled => return None,
            Ok(expression) => expression,
            Err(errors) => {
                self.blame(node, path, &errors);
                return None;
            }
        };
        if let Err(error) = expression.fits(dimension) {
            self.blame(node, path, &[error]);
            return None;
        }
        if let Some(value) = expression.constant() {
            if !value.is_finite() {
                let message = format!("`{}` must be a finite number", last(path));
                self.notes
                    .wrong(node, path, message)
                    .value(format!("{} = {value}", cut(text)));
                return None;
            }
            return Some(value.into());
        }
        let breaks = self
            .times
            .filter(|_| matches!(of, Of::Time | Of::Motion))
            .map(|[start, end]| expression.breaks(start, end));
        if states.is_empty() {
            let function = Function::Other(std::sync::Arc::new(move |x| expression.jet(x)));
            if matches!(of, Of::Time | Of::Motion) {
                self.probe(node, path, &function, of == Of::Time)?;
            }
            self.note_breaks(node, path, breaks, Some(&function));
            return Some(function.into());
        }
        if states.len() > MOST {
            let message = format!("this function uses {} states of the motion", states.len());
            self.notes
                .wrong(node, path, message)
                .allowed(format!("at most {MOST}"));
            return None;
        }
        let input = Input::motion(move |t, poses| motion_value(&expression, &states, t, poses));
        self.probe_motion(node, path, &input);
        self.note_breaks(node, path, breaks, None);
        Some(input)
    }

    /// Keeps where a function of time jumps or has a corner, and where a short peak begins and ends.
    fn note_breaks(
        &mut self,
        node: &Node,
        path: &str,
        breaks: Option<Option<Vec<f64>>>,
        function: Option<&Function>,
    ) {
        let (Some(breaks), Some([start, end])) = (breaks, self.times) else {
            return;
        };
        let Some(breaks) = breaks else {
            let message = format!(
                "`{}` jumps or has a corner more than 10 000 times: the integrator is not told when, and may step over some",
                last(path)
            );
            self.notes
                .warning(&node.at, path, message)
                .value(node.shown())
                .hint("a `max_step` below the time from one to the next, or a shorter simulation");
            return;
        };
        if let Some(function) = function {
            let peaks = probe::peaks(&|t| function.value(t), start, end, &breaks);
            self.breaks.extend(peaks);
        }
        self.breaks.extend(breaks);
    }

    /// A function of time must be a number at all times; where something is driven by it, so must its derivatives.
    pub fn probe(
        &mut self,
        node: &Node,
        path: &str,
        function: &Function,
        drives: bool,
    ) -> Option<()> {
        let Some([start, end]) = self.times else {
            return Some(());
        };
        let at = |t: f64| {
            let [value, first, second] = function.at(t);
            if drives {
                [value, first, second]
            } else {
                [value, 0.0, 0.0]
            }
        };
        let Some(found) = probe::pole(&at, start, end) else {
            return Some(());
        };
        let derivatives = if drives {
            ", with two finite derivatives,"
        } else {
            ""
        };
        let what = if found.derivatives {
            "has no finite derivatives"
        } else {
            "is not a finite number"
        };
        let t = probe::rounded(found.at);
        let message = format!("`{}` {what} at t = {t} s", last(path));
        self.notes
            .wrong(node, path, message)
            .allowed(format!(
                "a finite number{derivatives} from t = {start} s to {end} s"
            ))
            .hint("look for a division by zero, or a root or logarithm of a negative number there");
        None
    }

    /// A function of the motion can only be looked at where the motion is known: at the start, as the file has it. Assembly may still move it, so this is a warning.
    fn probe_motion(&mut self, node: &Node, path: &str, input: &Input) {
        let start = self.times.map_or(0.0, |times| times[0]);
        if input.value(start, &self.world.poses).is_finite() {
            return;
        }
        let message = format!(
            "`{}` is not a finite number as the bodies stand at the start",
            last(path)
        );
        self.notes
            .warning(&node.at, path, message)
            .value(node.shown())
            .hint("look for a division by a velocity that is zero");
    }
}

/// A function of motion at one instant; nothing allocates.
fn motion_value(expression: &Expression, states: &[State], t: f64, poses: &[Pose]) -> f64 {
    let mut variables = [0.0; 32];
    let mut slots = variables.iter_mut();
    if let Some(slot) = slots.next() {
        *slot = t;
    }
    for (slot, state) in slots.zip(states) {
        *slot = state.value(poses);
    }
    let count = states.len() + 1;
    expression.value(variables.get(..count).unwrap_or(&variables))
}

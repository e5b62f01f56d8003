//! How is a problem with events written once and run by every solver?

use carom::solve::{Action, Phase, Watch};

/// A flow in phases: smooth between events, and a jump at each.
///
/// Between two jumps nothing is remembered, so slope and guards take `&self`; that is what the peers ask for, and what [`carom::solve::Flow`] promises anyway.
pub trait Hybrid {
    /// How many components the state has.
    fn size(&self) -> usize;

    /// Writes dy/dt in the present phase.
    fn slope(&self, t: f64, y: &[f64], dydt: &mut [f64]);

    /// How many guards there are.
    fn guard_total(&self) -> usize;

    /// Writes the value of every guard.
    fn guard_values(&self, t: f64, y: &[f64], g: &mut [f64]);

    /// Which way guard `i` is watched in the present phase.
    fn watched(&self, i: usize) -> Watch;

    /// What happens when guard `i` fires: the memory moves here, and the state if the answer allows it.
    fn jump(&mut self, t: f64, y: &mut [f64], i: usize) -> Action;

    /// The absolute tolerance of component `i` in the present phase at the relative tolerance `rtol`; `None`: as the settings say.
    fn absolute(&self, rtol: f64, i: usize) -> Option<f64> {
        let _ = (rtol, i);
        None
    }

    /// A step to try at the very start, where the problem knows its own time scale.
    fn first_step(&self) -> Option<f64> {
        None
    }
}

/// The absolute tolerances of the settings, kept so that a phase can give them back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base {
    rtol: f64,
    atol: [f64; 4],
    set: bool,
}

/// Fills a phase from a hybrid: directions and tolerances. The tolerances of the settings are noted at time zero, where every problem starts, and restored whenever a phase has none of its own.
pub(crate) fn fill<H: Hybrid>(hybrid: &H, t: f64, base: &mut Base, phase: &mut Phase) {
    if t == 0.0 || !base.set {
        base.rtol = phase.rtol.first().copied().unwrap_or(0.0);
        for (kept, &given) in base.atol.iter_mut().zip(&phase.atol) {
            *kept = given;
        }
        base.set = true;
    }
    for (i, watch) in phase.watch.iter_mut().enumerate() {
        *watch = hybrid.watched(i);
    }
    for (i, atol) in phase.atol.iter_mut().enumerate() {
        let kept = base.atol.get(i).copied().unwrap_or(*atol);
        *atol = hybrid.absolute(base.rtol, i).unwrap_or(kept);
    }
}

/// The stronger of two answers, for guards that fire together.
pub(crate) fn stronger(a: Action, b: Action) -> Action {
    fn rank(action: Action) -> u8 {
        match action {
            Action::Continue => 0,
            Action::Resume => 1,
            Action::Restart { .. } => 2,
            Action::Stop => 3,
        }
    }
    if rank(b) > rank(a) { b } else { a }
}

/// Makes a [`Hybrid`] a [`carom::solve::Flow`]. The type has a field `base: Base`, and a method `clock(&self) -> Clock`.
macro_rules! flow_of_hybrid {
    ($name:ty, [$($component:literal),*] : [$($kind:literal),*], [$($guard:literal),*]) => {
        impl carom::solve::Flow for $name {
            #[inline]
            fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
                $crate::Hybrid::slope(self, t, y, dydt);
            }
            fn guard_count(&self) -> usize {
                $crate::Hybrid::guard_total(self)
            }
            #[inline]
            fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
                $crate::Hybrid::guard_values(self, t, y, g);
            }
            fn event(&mut self, t: f64, y: &mut [f64], fired: &carom::solve::Fired<'_>) -> carom::solve::Action {
                let mut action = carom::solve::Action::Continue;
                for (guard, _) in fired.iter() {
                    action = $crate::hybrid::stronger(action, $crate::Hybrid::jump(self, t, y, guard));
                }
                action
            }
            fn phase(&mut self, t: f64, _y: &[f64], phase: &mut carom::solve::Phase) {
                let mut base = std::mem::take(&mut self.base);
                $crate::hybrid::fill(self, t, &mut base, phase);
                self.base = base;
                phase.clock = self.clock();
            }
            fn component_name(&self, i: usize) -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed([$($component),*].get(i).copied().unwrap_or("?"))
            }
            fn component_kind(&self, i: usize) -> &'static str {
                [$($kind),*].get(i).copied().unwrap_or("state")
            }
            fn guard_name(&self, i: usize) -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed([$($guard),*].get(i).copied().unwrap_or("?"))
            }
        }
    };
}
pub(crate) use flow_of_hybrid;

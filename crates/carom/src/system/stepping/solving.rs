//! Which impulses keep all contacts of a step apart?

use crate::card::rounded;
use crate::impulse::Swept;
use crate::model::StepSolver;

use super::Stepping;
use super::problem::{FEW, Meet, Who};

/// How often those who are pushed into others in a step are looked for: news travels one body a turn.
const WAKES: usize = 64;
/// So many blows may follow each other within a step, of a few bodies and in a heap; then there is no room for more.
const BLOWS: [usize; 2] = [16, 4];
/// So often sets of contacts are calmed that would gain energy; then all are.
const CALMED: usize = 8;
/// A sweep that still changes a speed by more than this part of the largest, after so many of them, leads nowhere.
const NOWHERE: f64 = 0.1;
const ENOUGH: u64 = 100;
/// So many contacts at most are solved by pivots where sweeps still change a speed by more than this part of the largest: slow, but it does not matter who is heavy and who is light.
const LAST: usize = 64;
const COARSE: f64 = 1e-6;
/// Impulses that would push their own contact apart so many times as fast as anything moves leave rounding behind.
const LARGE: f64 = 1e3;
/// Impulses that would push their own contact apart so many times as fast as anything moves have no bounds.
const BOUNDLESS: f64 = 1e10;

impl Stepping {
    /// Finds the impulses; the largest speed that any contact sees, m/s. Why there are none, where sweeps lead nowhere.
    pub(super) fn solve(&mut self, t: f64) -> Result<f64, String> {
        if self.problem.cone.is_empty() {
            return Ok(0.0);
        }
        self.free.copy_from_slice(&self.v);
        self.done.clear();
        self.done.resize(self.problem.cone.len(), [0.0; 2]);
        self.problem.keep_apart(&self.sides, &self.free);
        let blows = BLOWS[usize::from(self.problem.cone.len() > FEW)];
        let mut swept = self.sweep_or_crowd();
        for round in 0..WAKES {
            let Self { problem, v, .. } = self;
            if !problem.wake(v, self.h, self.theta, &self.sides) {
                break;
            }
            if !problem.follows_a_blow(&self.sides, v) {
                v.copy_from_slice(&self.free);
                swept = self.sweep_or_crowd();
            } else if round < blows {
                // Blow after blow, as they come: both at once would ask of the first that it gives back all of its speed, however much of it goes on to the second.
                for (i, done) in self.done.iter_mut().enumerate() {
                    let [normal, along] = problem.cone.impulse(i);
                    *done = [done[0] + normal, done[1] + along];
                }
                self.free.copy_from_slice(v);
                problem.follow(v);
                swept = self.sweep_or_crowd();
            } else {
                swept = self.crowd();
            }
        }
        if self.leads_nowhere(&swept) {
            let impulse = |i: &usize| self.problem.cone.impulse(*i)[0];
            let all = 0..self.problem.meets.len();
            let hardest = all.max_by(|a, b| impulse(a).total_cmp(&impulse(b)));
            let name = match hardest.and_then(|i| self.problem.meets.get(i)) {
                Some(meet) => match meet.who {
                    Who::Site(site) => self.sites.name(site),
                    Who::Grains(..) | Who::Wall(..) => "a group of grains",
                },
                None => "a contact",
            };
            let when = rounded(t);
            // Where pivots find none either, there are none.
            let none = self.problem.cone.len() <= LAST || self.contradicts(&swept);
            return Err(match none {
                true => format!(
                    "{name}: the impulses of all that touches at t = {when} s grow without bounds. What cannot give way, such as a body between a driver and the ground, has none; compliant contact always has"
                ),
                false => format!(
                    "{name}: {} sweeps did not bring the {} contacts at t = {when} s to agree: the last one still changed a speed by {:.2e} of the largest. Many heavy bodies on light ones take very many sweeps: more `iterations` in [method]; compliant contact takes none",
                    swept.iterations,
                    self.problem.cone.len(),
                    swept.residual
                ),
            });
        }
        for (i, done) in self.done.iter().enumerate() {
            self.problem.cone.count(i, *done);
        }
        if !swept.converged {
            self.cost.early += 1;
            if swept.residual > self.cost.residual {
                (self.cost.residual, self.cost.when) = (swept.residual, t);
            }
        }
        Ok(swept.scale)
    }

    /// Whether sweeps have not come near any impulses, or near such as cannot be.
    fn leads_nowhere(&self, swept: &Swept) -> bool {
        let lost = !swept.converged && swept.residual > NOWHERE && swept.iterations >= ENOUGH;
        lost || self.contradicts(swept)
    }

    /// Whether the impulses found do not do what is asked of them, by far, or are so large beside all speeds that rounding alone says that they do.
    fn contradicts(&self, swept: &Swept) -> bool {
        let (cone, scale) = (&self.problem.cone, swept.scale);
        // Who is held is told of when it has really closed.
        let gives = |(_, meet): &(usize, &Meet)| !meet.held;
        let mut all = self.problem.meets.iter().enumerate().filter(gives);
        all.any(|(i, _)| {
            let ([least, _], [rate, _]) = (cone.asked(i), cone.speeds(i, &self.v));
            let pushed = cone.impulse(i)[0] * cone.yields(i);
            swept.converged && least - rate > NOWHERE * scale || pushed > BOUNDLESS * scale
        })
    }

    /// Solves the problem of the step; where there is no room to give anything back, between two walls or in a wedge that friction jams, so that nothing is.
    fn sweep_or_crowd(&mut self) -> Swept {
        let mut swept = self.sweep();
        for _ in 0..CALMED {
            if self.leads_nowhere(&swept) {
                return self.crowd();
            }
            let Self {
                problem, free, v, ..
            } = self;
            if !problem.calm(free, v, self.h, &self.sides) {
                return swept;
            }
            v.copy_from_slice(free);
            swept = self.sweep();
        }
        self.crowd()
    }

    /// Solves the problem of the step so that nobody gives anything back.
    fn crowd(&mut self) -> Swept {
        self.v.copy_from_slice(&self.free);
        self.problem.crowd(self.h);
        self.sweep()
    }

    /// Solves the problem of the step as it stands.
    fn sweep(&mut self) -> Swept {
        let Self { problem, v, .. } = self;
        let count = problem.cone.len() as u64;
        let few = self.pivots.takes(problem.cone.len());
        if self.solver == StepSolver::Lcp && few {
            let scale = problem.cone.scale(v);
            if self.pivots.solve(&mut problem.cone, v) {
                self.cost.sweeps += 1;
                self.cost.visits += count;
                return Swept {
                    converged: true,
                    scale,
                    ..Swept::default()
                };
            }
        } else if self.solver == StepSolver::Lcp {
            self.cost.crowded += 1;
        }
        self.shift.copy_from_slice(v);
        let mut swept = problem.cone.solve(v, self.patience);
        // Of impulses that grew large on the way, rounding is left in the speeds: these are what the impulses do, no more.
        let pushed = |i: usize| problem.cone.impulse(i)[0] * problem.cone.yields(i);
        if (0..problem.cone.len()).any(|i| pushed(i) > LARGE * swept.scale) {
            v.copy_from_slice(&self.shift);
            problem.cone.add(v);
        }
        self.cost.sweeps += swept.iterations;
        self.cost.visits += swept.iterations * count;
        // Sweeps may go round in circles where surfaces are about to slip, or grow where friction drives them together; a few contacts can be solved by pivots then.
        let coarse = swept.residual > COARSE && count <= LAST as u64;
        if (!swept.converged && (few || coarse) || few && self.contradicts(&swept))
            && self.pivots.solve(&mut self.problem.cone, &mut self.shift)
        {
            self.v.copy_from_slice(&self.shift);
            swept.converged = true;
        }
        swept
    }
}

//! How does a mechanism with rigid contacts, and grains beside it, go on by steps of fixed length?
//!
//! The scheme of Moreau and Jean (Moreau 1988; Jean 1999; Acary and Brogliato 2008) on the level of velocities. In a step h from (q, v):
//!
//! 1. Half way, at q + (1 − θ) h v, forces, joints and contacts are looked at. Forces take the velocity v + θ h a that is foreseen, in two passes: of the θ-schemes this is the one that needs no derivatives of forces.
//! 2. The velocity without contacts is v + h a, with the accelerations of the mechanism and its joints.
//! 3. All contacts whose gap is closed half way, or would be at the end, get impulses: no gap closes any further (it opens with −e times the speed before, Newton), and friction stays in its cone (`problem`;
//!    `crate::impulse`). Who would overlap at the end because others were struck is struck too. So hardly anything ever overlaps: lifting bodies out of each other again would feed energy into every heap.
//! 4. Positions go on with θ of the new velocity and 1 − θ of the old one; then they are put back onto joints and drivers, and velocities with them. What overlaps and does not part by itself is pushed apart by a pass of
//!    the same solver on gaps, which no velocity feels.
//!
//! With θ = ½ smooth motion is of second order, with θ = 1 (forces at the beginning of the step, the way with the velocity at its end) of first; neither damps what nothing damps. With θ = ½ what gravity and impulses do to the energy is accounted for exactly; impacts are never located, so that where there are any the whole is of first order. What joints, springs and the
//! pushing apart lose or gain stands in the residual of the ledger.

use crate::card::rounded;
use crate::impulse::{Ask, Patience, Side};
use crate::mechanics::{Pose, pose_all};
use crate::model::{Control, StepSolver};
use crate::solve::Statistics;

use super::assembly;
use super::crowd::Crowd;
use super::frame::{Arrow, Look, When};
use super::mechanism::System;
use super::reading::Energies;
use super::run::{Observer, Outcome, Progress, Status, no_steps};
use super::saddle::Rank;

mod check;
mod cost;
mod grains;
mod length;
mod pivots;
mod problem;
mod sites;
mod solving;
mod surface;
mod telling;

use cost::{Cost, Driven, Passing};
use grains::Group;
use length::Schedule;
use pivots::Pivots;
use problem::{Pace, Problem, Who};
use sites::Sites;

/// What overlaps and will have parted after so many steps is left to itself.
const LEAVING: f64 = 10.0;
/// How closely what overlaps is pushed apart, as a part of the deepest overlap.
const APART: f64 = 1e-3;
/// What impulses bring in, as a part of what they move, that is not rounding; and as a part of all that moves.
const GAINED: f64 = 1e-6;
const FELT: f64 = 1e-9;

/// A run on its way.
struct Stepping {
    /// Of all that moves: bodies of the model, then grains.
    q: Vec<[f64; 3]>,
    v: Vec<[f64; 3]>,
    /// In the middle of the step; and what is pushed apart at its end.
    middle: Vec<[f64; 3]>,
    shift: Vec<[f64; 3]>,
    /// The velocities before, and as they would be without contacts.
    before: Vec<[f64; 3]>,
    free: Vec<[f64; 3]>,
    /// What contacts did in the blows of a step that others have followed, N s (or N m s).
    done: Vec<[f64; 2]>,
    foreseen: Vec<f64>,
    works: Vec<f64>,
    powers: Vec<f64>,
    /// What all impulses of the last step do to the bodies, N s, N s, N m s each.
    together: Vec<f64>,
    sides: Vec<[Side; 2]>,
    problem: Problem,
    /// The contacts that are pushed apart, and their gaps.
    crowd: Problem,
    gaps: Vec<f64>,
    pivots: Pivots,
    sites: Sites,
    groups: Vec<Group>,
    projects: bool,
    /// Whether there are joints that nothing puts back.
    unkept: bool,
    h: f64,
    theta: f64,
    patience: Patience,
    solver: StepSolver,
    cost: Cost,
    first: Energies,
    scale: f64,
    values: Vec<f64>,
    y: Vec<f64>,
    last: f64,
    look: Option<Look>,
    arrows: Vec<Arrow>,
}

impl System {
    /// The motion from the start to the end of the simulation, by steps of fixed length.
    pub(super) fn step_through(&mut self, observer: &mut dyn Observer) -> Outcome {
        let (start, end) = (self.start, self.model.simulation.end);
        let mut warnings = self.warnings.clone();
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.forget();
        self.equations.touches.reset();
        self.equations.rubbing.reset(start);
        self.equations.jammed = None;
        self.equations.rows(start, &q, &v);
        let first = self.energies(start, &q, &v);
        let every = self.model.output_step();
        let asked = self.model.method.step.unwrap_or(every);
        let schedule = Schedule::new(start, end, every, asked).unevenly(self.uneven);
        let count = schedule.count();
        let most = self.model.solver.max_steps;
        let refused = no_steps(asked, [start, end], count, most);
        let h = schedule.usual();
        if let Some(reason) = refused {
            let (y, failed) = (self.state(), Status::Failed);
            let none = Statistics::default();
            return self.outcome(failed, Some(reason), start, &y, first, none, warnings);
        }
        let mut stepping = Stepping::new(self, h, first, observer.watches());
        stepping.sites.seek(&self.equations.poses);
        let grains: usize = stepping.groups.iter().map(Group::len).sum();
        let mut progress = Progress {
            t: start,
            start,
            end,
            step: h,
            steps: 0,
            events: 0,
            crowd: (grains > 0).then_some(Crowd {
                grains,
                contacts: 0,
            }),
        };
        let (mut status, mut reason) = (Status::Completed, None);
        let due = |number: u64, every: f64| (number as f64 * every / h).round() as u64;
        let snapshot_step = self.model.simulation.snapshot_step;
        let mut snapshots = 0;
        self.equations.outside = vec![0.0; q.len()];
        while reason.is_none() {
            let (t, steps) = (progress.t, progress.steps);
            if schedule.samples(steps) {
                stepping.sample(self, t, observer);
            } else {
                stepping.show(self, t, When::Step, observer);
            }
            if let Some(every) = snapshot_step
                && (due(snapshots, every) <= steps || steps == count)
            {
                stepping.each_group(|grains| observer.snapshot(t, &grains));
                while due(snapshots, every) <= steps {
                    snapshots += 1;
                }
            }
            if steps == count {
                break;
            }
            let next = schedule.time(steps + 1);
            stepping.h = schedule.length(steps);
            stepping.sites.step = stepping.h;
            if let Err(trouble) = stepping.step(self, t, next) {
                reason = Some(trouble);
                break;
            }
            progress.t = next;
            progress.steps += 1;
            progress.events = stepping.sites.begun;
            if let Some(crowd) = &mut progress.crowd {
                crowd.contacts = stepping.groups.iter().map(Group::touching).sum();
            }
            if observer.progress(&progress).is_break() {
                status = Status::Stopped;
                reason = Some(format!("ended by the user at t = {} s", rounded(next)));
            }
        }
        if reason.is_some() && status != Status::Stopped {
            status = Status::Failed;
        }
        // Where it ends is a sample too.
        if progress.t > stepping.last {
            stepping.sample(self, progress.t, observer);
            if snapshot_step.is_some() {
                stepping.each_group(|grains| observer.snapshot(progress.t, &grains));
            }
        }
        self.equations.outside = Vec::new();
        warnings.extend(stepping.cost.warnings(&stepping, progress.steps, self));
        stepping.end(self, status, reason, &progress, warnings)
    }
}

impl Stepping {
    fn new(system: &System, h: f64, first: Energies, watched: bool) -> Self {
        let model = &system.model;
        let mut q = system.q.as_chunks::<3>().0.to_vec();
        let mut v = system.v.as_chunks::<3>().0.to_vec();
        let mut groups: Vec<Group> = Vec::new();
        for (entry, group) in model.groups.iter().enumerate() {
            let at = q.len();
            groups.extend(Group::new(model, entry, group, at, &mut q, &mut v));
        }
        for group in &mut groups {
            group.look(system.start, &q, &v, model.gravity);
            group.first_energies = group.energies;
        }
        let saddle = &system.equations.saddle;
        let inverse = || {
            let masses = groups.iter().flat_map(|group| &group.masses);
            masses.map(|masses| masses.map(|m| 1.0 / m))
        };
        let problem = Problem::new(saddle, inverse());
        let crowd = Problem::new(saddle, inverse());
        let n = system.q.len();
        let method = &model.method;
        Self {
            middle: q.clone(),
            shift: vec![[0.0; 3]; q.len()],
            before: v.clone(),
            free: v.clone(),
            done: Vec::new(),
            foreseen: vec![0.0; n],
            works: vec![0.0; system.works.count()],
            powers: vec![0.0; system.works.count()],
            together: vec![0.0; n],
            sides: Vec::new(),
            problem,
            crowd,
            gaps: Vec::new(),
            pivots: Pivots::default(),
            sites: Sites::new(model, assembly::size(&system.q), h),
            groups,
            projects: model.control == Control::Projection && !system.equations.values.is_empty(),
            unkept: model.control != Control::Projection && !system.equations.values.is_empty(),
            h,
            theta: method.theta,
            patience: Patience {
                iterations: method.iterations,
                tolerance: method.tolerance,
            },
            solver: method.solver,
            cost: Cost::default(),
            first,
            scale: 0.0,
            values: vec![0.0; system.channels.len()],
            y: system.state(),
            last: f64::NEG_INFINITY,
            look: watched.then(|| Look::new(system)),
            arrows: Vec::new(),
            q,
            v,
        }
    }

    /// One step from `t` to `next`, s.
    fn step(&mut self, system: &mut System, t: f64, next: f64) -> Result<(), String> {
        let (h, theta) = (self.h, self.theta);
        let early = (1.0 - theta) * h;
        let when = t + early;
        let bodies = self.problem.bodies();
        for ((middle, q), v) in self.middle.iter_mut().zip(&self.q).zip(&self.v) {
            for k in 0..3 {
                middle[k] = q[k] + early * v[k];
            }
        }
        let equations = &mut system.equations;
        self.sites.seek(&equations.poses);
        for group in &mut self.groups {
            group.look_around(&self.q, &equations.poses);
            group.seek(&self.q, &equations.poses);
        }
        let (half, v) = (
            self.middle[..bodies].as_flattened(),
            self.v[..bodies].as_flattened(),
        );
        let stuck = |rank: Result<Rank, _>| match rank {
            Ok(Rank::NotFinite) => Err(format!(
                "the forces at t = {} s are not finite",
                rounded(when)
            )),
            Ok(_) => Ok(()),
            Err(fault) => Err(format!("at t = {} s: {fault}", rounded(when))),
        };
        // Twice: what depends on velocities takes those that are foreseen.
        stuck(equations.evaluate(when, half, v))?;
        self.cost.evaluations += 1;
        if !equations.values.is_empty() || !equations.loads.is_empty() {
            let all = self.foreseen.iter_mut().zip(v);
            for ((foreseen, v), a) in all.zip(&equations.accelerations) {
                *foreseen = v + theta * h * a;
            }
            stuck(equations.evaluate(when, half, &self.foreseen))?;
            self.cost.evaluations += 1;
        }
        self.before.copy_from_slice(&self.v);
        let moving = self.v[..bodies].as_flattened_mut();
        for (v, a) in moving.iter_mut().zip(&equations.accelerations) {
            *v += h * a;
        }
        let [gx, gy] = system.model.gravity;
        for v in &mut self.v[bodies..] {
            v[0] += h * gx;
            v[1] += h * gy;
        }
        let gathered = self.gather(system);
        let gathered = gathered.map_err(|trouble| format!("at t = {} s: {trouble}", rounded(when)));
        let solved = gathered.and_then(|()| self.solve(when));
        if solved.is_err() {
            // Nothing of this step stands.
            self.v.copy_from_slice(&self.before);
        }
        let scale = solved?;
        self.note(system, [t, next], scale);
        self.work(system, when, scale)?;
        for ((q, middle), v) in self.q.iter_mut().zip(&self.middle).zip(&self.v) {
            for k in 0..3 {
                q[k] = middle[k] + theta * h * v[k];
            }
        }
        self.close(system, t, next)?;
        self.part(system, next)?;
        self.pass(system, next);
        if !self.projects {
            let all = system.equations.values.iter();
            let open = all.fold(0.0_f64, |m, value| m.max(value.abs()));
            if open > self.cost.open[0] {
                self.cost.open = [open, next];
            }
        }
        let sum: f64 = self
            .q
            .as_flattened()
            .iter()
            .chain(self.v.as_flattened())
            .sum();
        if !sum.is_finite() {
            return Err(format!(
                "at t = {} s the motion is no finite number any more; a shorter step may help",
                rounded(next)
            ));
        }
        for group in &mut self.groups {
            group.moves(h, &self.v, &system.equations.poses);
        }
        Ok(())
    }

    /// Notes who went far in a step that ends at `next` (s), beside what it could have passed through.
    fn pass(&mut self, system: &System, next: f64) {
        let h = self.h;
        let mut worst = self.cost.passing;
        let mut note = |way: f64, through: f64, contact: Option<usize>| {
            if way > worst.part * through {
                worst = Passing {
                    part: way / through,
                    way,
                    through,
                    when: next,
                    contact,
                };
            }
        };
        let poses = &system.equations.poses;
        for (i, entry) in system.model.contacts.iter().enumerate() {
            let Some(passable) = entry.contact.passable() else {
                continue;
            };
            let [one, two] = entry.contact.bodies().map(|body| Pose::of(body, poses));
            let [r, s] = passable.reaches;
            let speed = length::distance(one.velocity, two.velocity)
                + r * one.omega.abs()
                + s * two.omega.abs();
            // Who is far away passes through nothing.
            if length::distance(one.position, two.position) <= r + s + h * speed {
                note(h * speed, passable.thickness, Some(i));
            }
        }
        let fastest = |all: &[[f64; 3]]| {
            all.iter()
                .fold(0.0_f64, |m, v| m.max(v[0].abs()).max(v[1].abs()))
        };
        let bodies = fastest(&self.v[..self.problem.bodies()]);
        for travel in system.model.limits.iter().filter_map(length::travel) {
            note(h * bodies, travel, None);
        }
        for group in &self.groups {
            let own = self.v.get(group.first..group.first + group.len());
            let thin = group.radii.iter().fold(f64::INFINITY, |m, r| m.min(*r));
            note(h * fastest(own.unwrap_or_default()), 2.0 * thin, None);
        }
        self.cost.passing = worst;
    }

    /// Who touches half way through the step, or may until its end.
    fn gather(&mut self, system: &mut System) -> Result<(), String> {
        let Self {
            problem,
            sites,
            groups,
            sides,
            middle,
            before,
            v,
            ..
        } = self;
        problem.clear();
        sides.clear();
        let pace = Pace {
            before,
            free: v,
            step: self.h,
            theta: self.theta,
        };
        let (poses, saddle) = (&system.equations.poses, &mut system.equations.saddle);
        sites.gather(poses, &pace, saddle, problem, sides)?;
        for (i, group) in groups.iter_mut().enumerate() {
            group.gather(i, middle, poses, &pace, saddle, problem, sides)?;
        }
        Ok(())
    }

    /// Takes note of what the impulses did.
    fn note(&mut self, system: &System, span: [f64; 2], scale: f64) {
        let Self {
            problem,
            sites,
            groups,
            v,
            h,
            ..
        } = self;
        // What all impulses brought in, J, how much went to and fro, and who brought in most.
        let (mut brought, mut moved, mut most) = (0.0, 0.0, (0.0, usize::MAX));
        let mut struck = false;
        for (i, meet) in problem.meets.iter().enumerate() {
            let (after, impulse) = (problem.cone.speeds(i, v), problem.cone.impulse(i));
            let [_, friction] = problem.cone.asked(i);
            let before = meet.before;
            let work = [0, 1].map(|k| 0.5 * impulse[k] * (before[k] + after[k]));
            brought += work[0] + work[1];
            moved += problem::turned(impulse, before, after);
            if let Who::Site(site) = meet.who {
                struck |= sites.strikes(site, before[0]);
                if work[0] + work[1] > most.0 {
                    most = (work[0] + work[1], site);
                }
                let [nn, nt, _] = problem.cone.own(i);
                let factor = nn - friction * before[1].signum() * nt;
                let slides = before[1].abs() > 1e-9 * scale;
                if impulse[0] > 0.0 && slides && factor < -1e-9 * nn && self.cost.painleve.is_none()
                {
                    self.cost.painleve = Some(Driven {
                        site,
                        when: span[0],
                        factor,
                        friction,
                        critical: nn / nt.abs(),
                    });
                }
            }
            match meet.who {
                Who::Site(site) => {
                    let mass = 1.0 / problem.cone.yields(i);
                    let known = [friction, mass, scale];
                    let poses = &system.equations.poses;
                    sites.note(site, span, before, after, impulse, known, poses);
                }
                who @ (Who::Grains(group, _) | Who::Wall(group, ..)) => {
                    if let Some(group) = groups.get_mut(group) {
                        group.note(who, before, after, impulse, [friction, *h, scale]);
                    }
                }
            }
        }
        // What sweeps leave is no gain, nor is what bodies do that lie on each other.
        let gained = struck && brought > GAINED * moved && brought > self.cost.gained.0;
        if gained && brought > FELT * problem.kinetic(&self.before) {
            self.cost.gained = (brought, span[0], most.1);
        }
        sites.close();
        problem.push_together(&self.sides, &mut self.together);
    }

    /// Adds up the works of a step: powers half way, at the mean of the velocities before and after. What drivers give against impulses is theirs too.
    fn work(&mut self, system: &mut System, when: f64, scale: f64) -> Result<(), String> {
        if self.works.is_empty() {
            return Ok(());
        }
        let bodies = self.problem.bodies();
        let equations = &mut system.equations;
        if scale > 0.0 && !system.model.drivers.is_empty() {
            let answer = &mut self.foreseen;
            let lambda = self
                .problem
                .shared(&self.together, &mut equations.saddle, answer);
            let lambda = lambda.map_err(|fault| format!("at t = {} s: {fault}", rounded(when)))?;
            for (all, more) in equations.lambda.iter_mut().zip(lambda) {
                *all += more / self.h;
            }
        }
        let both = self.before.iter().zip(&self.v).take(bodies);
        let mean = self.foreseen.as_chunks_mut::<3>().0;
        for (mean, (before, after)) in mean.iter_mut().zip(both) {
            for k in 0..3 {
                mean[k] = 0.5 * (before[k] + after[k]);
            }
        }
        let half = self.middle[..bodies].as_flattened();
        pose_all(half, &self.foreseen, &mut equations.poses);
        system
            .works
            .powers(when, &system.equations, &mut self.powers);
        for (work, power) in self.works.iter_mut().zip(&self.powers) {
            *work += self.h * power;
        }
        Ok(())
    }

    /// Puts positions and velocities back onto joints and drivers.
    fn close(&mut self, system: &mut System, t: f64, next: f64) -> Result<(), String> {
        let bodies = self.problem.bodies();
        let (q, v) = (
            self.q[..bodies].as_flattened_mut(),
            self.v[..bodies].as_flattened_mut(),
        );
        if !self.projects {
            system.equations.rows(next, q, v);
            return Ok(());
        }
        let before = system.equations.kinetic(v);
        self.foreseen.copy_from_slice(v);
        let left = system.equations.project(next, q, v);
        stays_closed(left, next, assembly::size(q))?;
        if !system.model.drivers.is_empty()
            && let Some(work) = self.works.first_mut()
        {
            let gained = system.equations.kinetic(v) - before;
            for (moved, v) in self.foreseen.iter_mut().zip(&*v) {
                *moved = v - *moved;
            }
            // Where a driver's speed jumps the bodies are struck: what they gain is the driver's work. Elsewhere velocities are turned with the joints, and drivers, which go on at their rates r, bring in
            // λ r = ΔT + ½ Δv M Δv; the last part is the scheme's.
            let jumps = system.model.breaks.iter().any(|at| *at > t && *at <= next);
            *work += match jumps {
                true => gained,
                false => gained + system.equations.kinetic(&self.foreseen),
            };
        }
        Ok(())
    }

    /// Pushes apart what overlaps and does not part by itself, without a velocity: the positions move as little as they can, in the masses' norm.
    fn part(&mut self, system: &mut System, next: f64) -> Result<(), String> {
        let bodies = self.problem.bodies();
        let Self {
            problem,
            crowd,
            gaps,
            sites,
            groups,
            q,
            v,
            ..
        } = self;
        let leaving = LEAVING * self.h;
        let stays = |gap: f64, rate: f64, hair: f64| gap < -hair && gap + leaving * rate < -hair;
        let mut deepest = 0.0_f64;
        for (i, meet) in problem.meets.iter().enumerate() {
            let gap = match meet.who {
                Who::Site(site) => sites.gap(site, &system.equations.poses),
                who @ (Who::Grains(group, _) | Who::Wall(group, ..)) => {
                    let group = groups.get_mut(group);
                    group.and_then(|group| group.gap(who, q, &system.equations.poses))
                }
            };
            let gap = gap.unwrap_or(f64::INFINITY);
            let [rate, _] = problem.cone.speeds(i, v);
            if stays(gap, rate, meet.hair) {
                deepest = deepest.max(-gap);
            }
        }
        if !(deepest > 0.0) {
            return Ok(());
        }
        // Nothing that is near may be pushed into anything else.
        crowd.clear();
        gaps.clear();
        let (poses, saddle) = (&system.equations.poses, &mut system.equations.saddle);
        sites.crowd(deepest, poses, v, saddle, crowd, gaps)?;
        for (i, group) in groups.iter().enumerate() {
            group.crowd(i, deepest, (&*q, poses), v, saddle, crowd, gaps)?;
        }
        for (i, (meet, gap)) in crowd.meets.iter().zip(&*gaps).enumerate() {
            let [rate, _] = meet.before;
            // To half a hair inside: it touches then, and goes on to.
            let least = match stays(*gap, rate, meet.hair) {
                true => -gap - 0.5 * meet.hair,
                false => -gap.max(0.0),
            };
            let ask = Ask {
                least,
                ..Ask::default()
            };
            crowd.cone.ask(i, ask);
        }
        let weighed = |system: &System, q: &[[f64; 3]], v: &[[f64; 3]]| {
            let (q, v) = (q[..bodies].as_flattened(), v[..bodies].as_flattened());
            system.energies(next, q, v).iter().sum::<f64>()
        };
        let before = weighed(system, q, v);
        self.shift.fill([0.0; 3]);
        let patience = Patience {
            tolerance: self.patience.tolerance.max(APART),
            ..self.patience
        };
        let swept = crowd.cone.solve_to(&mut self.shift, patience, deepest);
        self.cost.sweeps += swept.iterations;
        self.cost.visits += swept.iterations * crowd.cone.len() as u64;
        for (q, shift) in q.iter_mut().zip(&self.shift) {
            for k in 0..3 {
                q[k] += shift[k];
            }
        }
        if self.projects {
            let (q, v) = (
                q[..bodies].as_flattened_mut(),
                v[..bodies].as_flattened_mut(),
            );
            let left = system.equations.project(next, q, v);
            stays_closed(left, next, assembly::size(q))?;
        }
        let still = (q[..bodies].as_flattened(), v[..bodies].as_flattened());
        system.equations.rows(next, still.0, still.1);
        let mut brought = weighed(system, q, v) - before;
        let [gx, gy] = system.model.gravity;
        for group in groups.iter() {
            let own = self.shift.get(group.first..group.first + group.len());
            let moved = group.masses.iter().zip(own.unwrap_or_default());
            brought -= moved
                .map(|(m, shift)| m[0] * (gx * shift[0] + gy * shift[1]))
                .sum::<f64>();
        }
        self.book(brought);
        Ok(())
    }

    /// Books what pushing apart brought in, J, with those who were pushed, in proportion to what they were pushed by: what fell too far gave that much too much heat.
    fn book(&mut self, brought: f64) {
        self.cost.lifted[0] += brought;
        self.cost.lifted[1] += brought.abs();
        let crowd = &self.crowd;
        let pushed = |i: usize| {
            let [least, _] = crowd.cone.asked(i);
            crowd.cone.impulse(i)[0] * least.max(0.0)
        };
        let all: f64 = (0..crowd.meets.len()).map(pushed).sum();
        if !(all > 0.0) {
            return;
        }
        for (i, meet) in crowd.meets.iter().enumerate() {
            let share = brought * pushed(i) / all;
            match meet.who {
                Who::Site(site) => self.sites.give_back(site, share),
                Who::Grains(group, _) | Who::Wall(group, ..) => {
                    if let Some(group) = self.groups.get_mut(group) {
                        group.heats[0] -= share;
                    }
                }
            }
        }
    }
}

/// Whether joints and drivers are closed after they were put back, at time `t` (s), in a mechanism of this size, m: `left` is by how much they are not.
fn stays_closed<F: std::fmt::Display>(
    left: Result<f64, F>,
    t: f64,
    size: f64,
) -> Result<(), String> {
    match left {
        Ok(left) if left <= 1e-6 * size => Ok(()),
        Ok(left) => Err(format!(
            "the joints cannot be kept closed: one is open by {left:.3e} m or rad at t = {} s. The mechanism may be locked, or a driver asks for a position that it cannot reach",
            rounded(t)
        )),
        Err(fault) => Err(format!("at t = {} s: {fault}", rounded(t))),
    }
}

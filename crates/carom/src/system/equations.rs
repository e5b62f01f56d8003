//! Which accelerations and multipliers follow from time, positions and velocities?
//!
//! M a + Φ_qᵀ λ = g, Φ_q a = γ (Machado et al. 2012, eq. 4), evaluated without allocation: poses first, then rows of joints and forces of loads, then the structured solution.

use crate::mechanics::{Driven, Joint, Load, Pose, pose_all};
use crate::model::{Control, Model};

use super::holding::Holding;
use super::rubbing::Rubbing;
use super::saddle::{Rank, Saddle};
use super::striking::Striking;
use super::structure::Fault;
use super::touches::{Changes, Step, Touches};

/// The numbers of a mechanism at one instant, and the buffers to find them.
#[derive(Clone, Debug)]
pub(crate) struct Equations {
    /// kg, kg, kg m² of every body.
    pub masses: Vec<f64>,
    /// N, N, 0 of every body.
    pub weights: Vec<f64>,
    /// Joints, then the rows of drivers.
    pub joints: Vec<Joint>,
    pub loads: Vec<Load>,
    pub touches: Touches,
    pub rubbing: Rubbing,
    pub holding: Holding,
    pub striking: Striking,
    /// The joint in which friction could last not be found, and when (s).
    pub jammed: Option<(usize, f64)>,
    /// Elements of which it could not be decided whether they hold or slide, and when (s), since somebody last asked.
    pub undecided: Vec<(String, f64)>,
    pub control: Control,
    pub saddle: Saddle,
    pub poses: Vec<Pose>,
    /// Of every row: Φ, m or rad.
    pub values: Vec<f64>,
    /// Of every row: whether it is an angle.
    pub turning: Vec<bool>,
    /// Of every row: dΦ/dt.
    pub rates: Vec<f64>,
    /// Of every row: Φ_t.
    pub times: Vec<f64>,
    /// Of every row: γ, with what Baumgarte adds.
    pub gamma: Vec<f64>,
    pub jacobian: Vec<[f64; 6]>,
    pub forces: Vec<f64>,
    /// Forces of somebody else, N, N, N m a body: of grains. Empty where there is nobody.
    pub outside: Vec<f64>,
    pub accelerations: Vec<f64>,
    pub lambda: Vec<f64>,
    change: Vec<f64>,
    guess: Guess,
    /// How far ahead rates are looked for, s, and buffers for it.
    pub pace: f64,
    ahead: [Vec<f64>; 2],
}

/// What the multipliers will be, from those of the last accepted steps: beside a singular position only their change is left to find.
#[derive(Clone, Debug, Default)]
struct Guess {
    times: [f64; 2],
    lambda: [Vec<f64>; 2],
    /// How many of the two are there.
    known: usize,
    /// Forces less what the guessed multipliers do.
    forces: Vec<f64>,
}

impl Guess {
    /// A row's multiplier at time `t`, on the line through the last two.
    fn at(&self, t: f64, row: usize) -> f64 {
        let last = self.lambda[1][row];
        if self.known < 2 {
            return last;
        }
        let [before, now] = self.times;
        last + (last - self.lambda[0][row]) * (t - now) / (now - before)
    }
}

/// A loss above which multipliers are remembered: well before they are needed.
const REMEMBER: f64 = 50.0;

impl Equations {
    pub fn new(
        masses: Vec<f64>,
        weights: Vec<f64>,
        joints: Vec<Joint>,
        loads: Vec<Load>,
        touches: Touches,
        rubbing: Rubbing,
        model: &Model,
        saddle: Saddle,
    ) -> Self {
        let (n, m) = (masses.len(), saddle.structure().rows());
        let turning = turning(&joints);
        Self {
            weights,
            joints,
            loads,
            touches,
            rubbing,
            holding: Holding::new(n, m),
            striking: Striking::new(model.method, n, m),
            jammed: None,
            undecided: Vec::new(),
            control: model.control,
            saddle,
            poses: vec![Pose::GROUND; n / 3],
            values: vec![0.0; m],
            turning,
            rates: vec![0.0; m],
            times: vec![0.0; m],
            gamma: vec![0.0; m],
            jacobian: vec![[0.0; 6]; m],
            forces: vec![0.0; n],
            outside: Vec::new(),
            accelerations: vec![0.0; n],
            lambda: vec![0.0; m],
            change: vec![0.0; n],
            guess: Guess {
                lambda: [vec![0.0; m], vec![0.0; m]],
                forces: vec![0.0; n],
                ..Guess::default()
            },
            pace: 1e-9,
            ahead: [vec![0.0; n], vec![0.0; n]],
            masses,
        }
    }

    /// The rows of all joints as the bodies stand and move.
    #[inline]
    pub fn rows(&mut self, t: f64, q: &[f64], v: &[f64]) {
        pose_all(q, v, &mut self.poses);
        let lines = self.jacobian.iter_mut().zip(&mut self.values);
        let lines = lines.zip(&mut self.rates).zip(&mut self.times);
        let mut lines = lines.zip(&mut self.gamma);
        for joint in &self.joints {
            joint.each_row(t, &self.poses, |row| {
                if let Some(((((line, value), rate), time), gamma)) = lines.next() {
                    let [[a, b, c], [d, e, f]] = row.by;
                    *line = [a, b, c, d, e, f];
                    *value = row.value;
                    *rate = row.rate;
                    *time = row.time;
                    *gamma = row.gamma;
                }
            });
        }
    }

    /// The applied forces but friction: weights, loads, stops and contacts, for the poses of the last [`Equations::rows`].
    #[inline]
    pub fn apply(&mut self, t: f64) {
        self.forces.copy_from_slice(&self.weights);
        for load in &self.loads {
            load.apply(t, &self.poses, &mut self.forces);
        }
        self.touches.apply(t, &self.poses, &mut self.forces);
        for (force, outside) in self.forces.iter_mut().zip(&self.outside) {
            *force += outside;
        }
    }

    /// Everything at an instant: afterwards poses, rows, forces, accelerations and multipliers are there.
    #[inline]
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<Rank, Fault> {
        self.rows(t, q, v);
        self.apply(t);
        if let Control::Baumgarte { alpha, beta } = self.control {
            for (i, gamma) in self.gamma.iter_mut().enumerate() {
                *gamma -= 2.0 * alpha * self.rates[i] + beta * beta * self.values[i];
            }
        }
        let rank = self.saddle.factor_softly(&self.jacobian)?;
        self.solve(t)?;
        if !self.touches.together().is_empty() {
            self.press(v)?;
        }
        self.holding.clear();
        self.touches.hold(&mut self.holding);
        if !self.rubbing.is_empty() {
            let first = self.touches.site_count();
            self.rubbing.look(&self.poses);
            self.rubbing
                .hold(first, &self.saddle, &self.lambda, &mut self.holding);
        }
        if !self.holding.is_empty() {
            self.holding.prepare(&mut self.saddle)?;
        }
        if self.rubbing.slides() {
            self.correct();
            let jammed = self.rubbing.apply(
                &mut self.saddle,
                &mut self.holding,
                &self.lambda,
                &mut self.forces,
            )?;
            if let Some(joint) = jammed {
                self.jammed = Some((joint, t));
                return Ok(Rank::NotFinite);
            }
            self.solve(t)?;
        }
        self.hold();
        Ok(rank)
    }

    /// Keeps what holds from being accelerated along its surfaces.
    #[inline]
    fn correct(&mut self) {
        if !self.holding.is_empty() {
            let (accelerations, lambda) = (&mut self.accelerations, &mut self.lambda);
            self.holding.correct(accelerations, lambda, true);
        }
    }

    /// Finds the forces of all surfaces that hold on to each other, and what they do to accelerations and multipliers.
    #[inline]
    fn hold(&mut self) {
        if !self.holding.is_empty() {
            // Twice: what rounding leaves of an acceleration would become creep in a long step.
            for _ in 0..2 {
                self.correct();
                self.holding.take(1.0);
            }
            let first = self.touches.site_count();
            for (held, force) in self.holding.forces() {
                held.push(force, &mut self.forces);
                match held.who.checked_sub(first) {
                    Some(joint) => self.rubbing.held(joint, force),
                    None => self.touches.held(held.who, force),
                }
            }
        }
        if !self.rubbing.is_empty() {
            self.rubbing
                .found(&self.saddle, &self.holding, &self.lambda);
        }
    }

    /// Takes what laws of contact and friction have of their own from the numbers behind the works in the state.
    #[inline]
    pub fn take(&mut self, extras: &[f64]) {
        self.touches.take(extras);
        self.rubbing.take(self.of_joints(extras));
    }

    /// The numbers of joints, behind those of contacts.
    #[inline]
    fn of_joints<'a>(&self, extras: &'a [f64]) -> &'a [f64] {
        extras.get(self.touches.extras()..).unwrap_or_default()
    }

    /// What of the heat of a joint's friction is not in its work, J.
    pub fn rubbing_heat(&self, rub: usize, extras: &[f64]) -> f64 {
        self.rubbing.heat_beside(rub, self.of_joints(extras))
    }

    /// The same of all joints, J.
    pub fn rubbing_heats(&self, extras: &[f64]) -> f64 {
        let all = 0..self.rubbing.joints.len();
        all.map(|rub| self.rubbing_heat(rub, extras)).sum()
    }

    /// The same, and how fast the normal forces in joints grow, where guards ask for it.
    pub fn evaluate_rates(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<Rank, Fault> {
        let rank = self.evaluate(t, q, v)?;
        if !self.rubbing.slips() {
            return Ok(rank);
        }
        // Along the flow, a little ahead.
        let pace = self.pace;
        let [mut there, mut moving] = std::mem::take(&mut self.ahead);
        for (i, (q, v)) in q.iter().zip(v).enumerate() {
            there[i] = q + pace * v;
            moving[i] = v + pace * self.accelerations[i];
        }
        self.rubbing.ahead(pace);
        let ahead = self.evaluate(t + pace, &there, &moving);
        self.rubbing.back(pace);
        self.ahead = [there, moving];
        let _ = ahead?;
        self.evaluate(t, q, v)
    }

    /// Accelerations and multipliers for the forces as they are; beside a singular position from the guessed multipliers, if there are any. Both ways are linear in the forces.
    #[inline]
    fn solve(&mut self, t: f64) -> Result<(), Fault> {
        if self.saddle.is_near_singular() && self.guess.known > 0 {
            return self.solve_from_guess(t);
        }
        self.saddle.solve(
            &self.forces,
            &self.gamma,
            &mut self.accelerations,
            &mut self.lambda,
        )
    }

    /// Finds the change of the multipliers from the guessed ones.
    #[cold]
    fn solve_from_guess(&mut self, t: f64) -> Result<(), Fault> {
        let forces = &mut self.guess.forces;
        forces.copy_from_slice(&self.forces);
        let mut forces = std::mem::take(forces);
        for (row, line) in self.jacobian.iter().enumerate() {
            let lambda = self.guess.at(t, row);
            let bodies = self.saddle.structure().row_bodies[row];
            for (c, by) in line.iter().enumerate() {
                if let Some(force) = forces.get_mut(3 * bodies[c / 3] + c % 3) {
                    *force -= by * lambda;
                }
            }
        }
        let solved = self.saddle.solve(
            &forces,
            &self.gamma,
            &mut self.accelerations,
            &mut self.lambda,
        );
        self.guess.forces = forces;
        solved?;
        for (row, lambda) in self.lambda.iter_mut().enumerate() {
            *lambda += self.guess.at(t, row);
        }
        Ok(())
    }

    /// Takes note of the multipliers at an accepted step, if a singular position may be ahead: to be called after [`Equations::project`].
    pub fn remember(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Fault> {
        if self.saddle.loss() < REMEMBER {
            self.guess.known = 0;
            return Ok(());
        }
        let _ = self.evaluate(t, q, v)?;
        let guess = &mut self.guess;
        guess.lambda.swap(0, 1);
        guess.lambda[1].copy_from_slice(&self.lambda);
        guess.times = [guess.times[1], t];
        guess.known = (guess.known + 1).min(2);
        if guess.times[0] >= t {
            guess.known = 1;
        }
        Ok(())
    }

    /// Forgets the multipliers: a run begins, or an event has changed everything.
    pub fn forget(&mut self) {
        self.guess.known = 0;
    }

    /// Puts positions and velocities onto the constraints with the least change in the masses' norm; a singular position, where that change would be large, is left as it is.
    /// Returns the largest violation of a position that is left.
    ///
    /// The factorisation at the start serves all steps but where positions were far off.
    pub fn project(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<f64, Fault> {
        self.rows(t, q, v);
        if self.values.is_empty() {
            return Ok(0.0);
        }
        // Coordinates are sums of about their own size, and so are their rounding errors; an angle that counts turns has its own.
        // Angles near zero are still those of arms and directions, which are rounded as at a radian.
        let mut rounding = [f64::MIN_POSITIVE, 1.0];
        for [x, y, angle] in q.as_chunks::<3>().0 {
            rounding[0] = rounding[0].max(x.abs()).max(y.abs());
            rounding[1] = rounding[1].max(angle.abs());
        }
        let rounding = rounding.map(|size| 2.0 * f64::EPSILON * size);
        let reach = 1e3 * largest(&self.values).max(rounding[0]);
        let mut left = self.off(rounding);
        if self.saddle.factor_softly(&self.jacobian)? == Rank::NotFinite {
            return Ok(f64::NAN);
        }
        for pass in 0..6 {
            if left <= 1.0 {
                break;
            }
            if pass > 1 {
                let _ = self.saddle.factor_softly(&self.jacobian)?;
            }
            self.saddle.project(&self.values, &mut self.change)?;
            if !(farthest(&self.change) <= reach) {
                return Ok(largest(&self.values));
            }
            add(q, &self.change);
            self.rows(t, q, v);
            let now = self.off(rounding);
            if !(now < left) {
                // As close as rounding lets it be, or not to be closed: one step back is no worse.
                if now > left {
                    for (q, change) in q.iter_mut().zip(&self.change) {
                        *q -= change;
                    }
                    self.rows(t, q, v);
                }
                break;
            }
            left = now;
        }
        let left = largest(&self.values);
        self.saddle.project(&self.rates, &mut self.change)?;
        if largest(&self.change).is_finite() {
            add(v, &self.change);
        }
        Ok(left)
    }

    /// The largest violation as a multiple of the rounding of lengths (m) and of angles (rad).
    fn off(&self, rounding: [f64; 2]) -> f64 {
        let mut most = [0.0_f64; 2];
        let mut sum = 0.0;
        for (value, turns) in self.values.iter().zip(&self.turning) {
            let most = &mut most[usize::from(*turns)];
            *most = most.max(value.abs());
            sum += value;
        }
        // A maximum passes over what is not a number; a sum does not.
        if sum.is_nan() {
            return f64::NAN;
        }
        (most[0] / rounding[0]).max(most[1] / rounding[1])
    }

    /// Lets stops and contacts move their memory, as the bodies stand and move; `extras` are their numbers in the state.
    pub fn move_touches(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        extras: &mut [f64],
        step: Step<'_>,
    ) -> Changes {
        self.rows(t, q, v);
        let (saddle, jacobian) = (&mut self.saddle, &self.jacobian);
        self.touches.move_memory(
            t,
            &self.poses,
            &mut |direction| {
                // What cannot be factored has no mass, and that is told where it is needed.
                let inverse = saddle
                    .factor(jacobian)
                    .and_then(|_| saddle.constrained_inverse_mass(direction));
                inverse.map_or(f64::NAN, |inverse| 1.0 / inverse)
            },
            extras,
            step,
        )
    }

    /// The kinetic energy, J.
    pub fn kinetic(&self, v: &[f64]) -> f64 {
        let terms = self.masses.iter().zip(v).map(|(m, v)| m * v * v);
        0.5 * terms.sum::<f64>()
    }

    /// The energy of height, J: zero at the origin.
    pub fn gravitational(&self, q: &[f64]) -> f64 {
        -self.weights.iter().zip(q).map(|(w, q)| w * q).sum::<f64>()
    }

    /// What the loads store, J, for the poses of the last evaluation.
    pub fn elastic(&self, t: f64) -> f64 {
        let stored = |load: &Load| load.powers(t, &self.poses).potential;
        self.loads.iter().map(stored).sum::<f64>()
            + self.touches.stored(&self.poses)
            + self.rubbing.stored()
    }
}

/// Which rows are angles.
fn turning(joints: &[Joint]) -> Vec<bool> {
    let kinds = joints.iter().flat_map(|joint| match joint {
        Joint::Driver(driver) => vec![driver.driven() == Driven::Turn],
        Joint::Translational(_) => vec![false, true],
        Joint::Rigid(_) => vec![false, false, true],
        _ => vec![false; joint.count()],
    });
    kinds.collect()
}

/// The largest magnitude; NaN if there is one.
pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| {
        if x.is_nan() || m.is_nan() {
            f64::NAN
        } else {
            m.max(x.abs())
        }
    })
}

/// The farthest that a mass centre moves, m.
fn farthest(change: &[f64]) -> f64 {
    let moves = change.as_chunks::<3>().0.iter();
    let ends = moves.map(|[x, y, turn]| {
        if turn.is_finite() {
            x.abs().max(y.abs())
        } else {
            f64::NAN
        }
    });
    ends.fold(
        0.0,
        |m: f64, x| if x.is_nan() { f64::INFINITY } else { m.max(x) },
    )
}

fn add(x: &mut [f64], change: &[f64]) {
    for (x, change) in x.iter_mut().zip(change) {
        *x += change;
    }
}

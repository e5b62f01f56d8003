//! How do bodies without compliance strike each other, rest on each other and part, in a mechanism?
//!
//! While bodies are together their forces follow from the accelerations that they must not have; where they meet, impulses change the velocities at once (`impulse` finds them). At every event all that touches is
//! looked at together: first the blows, until nothing approaches any more; then who stays together, who sticks and who slides.

use crate::card::rounded;
use crate::impulse;
use crate::impulse::{Room, Set, Struck, Surface};
use crate::math;
use crate::mechanics::Contacting;
use crate::model::Method;

use super::directions::{Directions, Shares};
use super::equations::Equations;
use super::holding::Held;
use super::note::Trouble;
use super::structure::Fault;
use super::touches::{Blow, Bond, Changes, Pair, Touches};

mod deciding;
mod words;

pub(super) use words::{as_coulomb, refused};

/// Buffers for contacts without compliance, and what their method is.
#[derive(Clone, Debug)]
pub(super) struct Striking {
    method: Method,
    /// A flight that would take less time than this, s, is none: there the bodies come to rest on each other.
    pub brief: f64,
    /// The fastest that any body has been, m/s.
    fastest: f64,
    pairs: Vec<Pair>,
    directions: Directions,
    shares: Shares,
    room: Room,
    /// Speeds along all directions, and forces or impulses.
    rates: Vec<f64>,
    pushes: Vec<f64>,
    /// What a push across the surfaces of a pair takes with it along them: −μ where they slide forwards, μ where backwards.
    rubs: Vec<f64>,
    surfaces: Vec<Surface>,
    deciding: deciding::Buffers,
    /// A square system: which directions, row by row, and what is to happen along them.
    unknowns: Vec<usize>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    found: Vec<f64>,
    /// How much of what only sums decide each takes.
    weights: Vec<f64>,
    lambda: Vec<f64>,
}

impl Striking {
    pub fn new(method: Method, coordinates: usize, rows: usize) -> Self {
        Self {
            method,
            brief: 0.0,
            fastest: 0.0,
            pairs: Vec::new(),
            directions: Directions::new(coordinates, rows),
            shares: Shares::default(),
            room: Room::default(),
            rates: Vec::new(),
            pushes: Vec::new(),
            rubs: Vec::new(),
            surfaces: Vec::new(),
            deciding: deciding::Buffers::default(),
            unknowns: Vec::new(),
            matrix: Vec::new(),
            right: Vec::new(),
            found: Vec::new(),
            weights: Vec::new(),
            lambda: vec![0.0; rows],
        }
    }

    /// Takes the directions of all pairs.
    fn aim(&mut self) {
        self.directions.clear();
        for pair in &self.pairs {
            self.directions.push(pair.normal);
            self.directions.push(pair.tangent);
        }
    }

    /// The speeds along all directions.
    fn speeds(&mut self, v: &[f64]) {
        let along = self.directions.along().iter();
        self.rates.clear();
        self.rates.extend(along.map(|held| held.along(v)));
    }

    fn clear_unknowns(&mut self) {
        self.unknowns.clear();
        self.right.clear();
        self.found.clear();
        self.weights.clear();
    }

    /// The same, and the push is known to be near this one: where only sums are known it stays so.
    fn ask_near(&mut self, direction: usize, right: f64, near: f64) {
        self.unknowns.push(direction);
        self.right.push(right);
        self.found.push(near);
        self.weights.push(1.0);
    }

    /// A push along a direction is to add so much there.
    fn ask(&mut self, direction: usize, right: f64) {
        self.ask_near(direction, right, 0.0);
    }

    /// Finds the pushes along all directions that do what was asked.
    fn share(&mut self) {
        let k = 2 * self.pairs.len();
        let w = self.directions.matrix();
        let rubs = &self.rubs;
        let rub = |at: usize| {
            if at.is_multiple_of(2) {
                rubs[at / 2]
            } else {
                0.0
            }
        };
        self.matrix.clear();
        for &row in &self.unknowns {
            self.matrix
                .extend(self.unknowns.iter().map(|&column| match rub(column) {
                    0.0 => w[row * k + column],
                    rub => w[row * k + column] + rub * w[row * k + column + 1],
                }));
        }
        self.shares
            .solve(&self.matrix, &self.right, &self.weights, &mut self.found);
        self.pushes.clear();
        self.pushes.resize(k, 0.0);
        for (&at, push) in self.unknowns.iter().zip(&self.found) {
            self.pushes[at] += push;
            if rub(at) != 0.0 {
                self.pushes[at + 1] += rub(at) * push;
            }
        }
    }
}

impl Striking {
    /// Shares friction anew among surfaces that stick, where only sums of it are known: in proportion to what each can bear, so that all come to their limits together. The motion is the same whoever bears it.
    fn share_friction(&mut self, touches: &Touches) {
        let bears = |s: &Self, at: usize| {
            let [held, _] = touches.coefficients(s.pairs[at / 2].site);
            held * s.pushes[at - 1]
        };
        let mut most = 0.0_f64;
        let mut sticking = 0;
        for &at in self.unknowns.iter().filter(|at| !at.is_multiple_of(2)) {
            most = most.max(bears(self, at));
            sticking += 1;
        }
        if sticking < 2 || !(most > 0.0) {
            return;
        }
        let k = 2 * self.pairs.len();
        let w = self.directions.matrix();
        let largest = (0..k).step_by(2).map(|c| w[(c + 1) * (k + 1)]);
        let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
        for i in 0..self.unknowns.len() {
            let at = self.unknowns[i];
            if at.is_multiple_of(2) {
                // Who presses how hard stays as it is.
                self.found[i] = self.pushes[at];
                continue;
            }
            self.found[i] = 0.0;
            let part = (bears(self, at) / most).max(LEAST);
            self.weights[i] = part * w[at * (k + 1)] / largest;
        }
        self.share();
    }
}

/// What can bear less friction than this part of the most that any can counts as this.
const LEAST: f64 = 1e-4;

/// Lets pushes change velocities at once; what drivers bring in meanwhile is added to their work, J: Λ Φ_t, as Φ_q v = −Φ_t before and after. `lambda` is room for Λ.
fn push(
    (directions, pushes, lambda): (&Directions, &[f64], &mut [f64]),
    v: &mut [f64],
    times: &[f64],
    work: &mut f64,
) {
    directions.act(pushes, v);
    lambda.fill(0.0);
    directions.react(pushes, lambda);
    let terms = lambda.iter().zip(times);
    *work += terms.map(|(lambda, time)| lambda * time).sum::<f64>();
}

/// What of a speed is rounding, as a part of the largest.
const STILL: f64 = 1e-12;

/// At how many points bodies may touch at once: finding who bears what takes the third power of it and more.
const CROWD: usize = 64;

/// More than that touch at the start: nothing is run then.
pub(super) fn crowded(equations: &mut Equations) -> Result<(), Vec<Trouble>> {
    let (touches, poses) = (&mut equations.touches, &equations.poses);
    let touching = touches.crowd(poses);
    if touching <= CROWD {
        return Ok(());
    }
    Err(vec![Trouble {
        code: "piecewise-crowd",
        element: Some("method.contact".into()),
        message: format!(
            "bodies touch at {touching} points at the start, and method.contact = \"piecewise\" finds who bears what for {CROWD} at most"
        ),
        hint: "method.contact = \"time-stepping\" is made for many contacts".into(),
    }])
}

/// How often blows may follow each other at one instant.
const BLOWS: usize = 100;

/// How many of them may return anything.
const PLASTIC: usize = 40;

/// What of a force or a speed may be wrong before who is together is looked at anew, as a part of the largest.
const STRAY: f64 = 1e-7;

/// When and where: the time of an event (s), and the time at which functions of time are taken there.
pub(super) type Instant = [f64; 2];

impl Equations {
    /// Adds the forces of all that is together, for the accelerations of the last solution without them.
    pub(super) fn press(&mut self, v: &[f64]) -> Result<(), Fault> {
        self.meet_together()?;
        let (s, touches) = (&mut self.striking, &mut self.touches);
        s.speeds(v);
        s.clear_unknowns();
        s.rubs.clear();
        for c in 0..s.pairs.len() {
            let Pair {
                site,
                normal,
                tangent,
                ..
            } = s.pairs[c];
            let wanted = |held: &Held| -(held.along(&self.accelerations) + held.bias);
            let bond = touches.bond(site);
            let [across, along] = touches.bore(site);
            s.ask_near(2 * c, wanted(&normal), across);
            if bond == Bond::Sticks {
                s.ask_near(2 * c + 1, wanted(&tangent), along);
            }
            let [_, sliding] = touches.coefficients(site);
            s.rubs.push(match bond {
                Bond::Slides(way) => -way * sliding,
                _ => 0.0,
            });
        }
        s.share();
        if touches.shares() {
            s.share_friction(touches);
        }
        s.directions.act(&s.pushes, &mut self.accelerations);
        s.directions.react(&s.pushes, &mut self.lambda);
        for (c, pair) in s.pairs.iter().enumerate() {
            let [normal, rub] = [s.pushes[2 * c], s.pushes[2 * c + 1]];
            pair.normal.push(normal, &mut self.forces);
            pair.tangent.push(rub, &mut self.forces);
            let [rate, slip] = [s.rates[2 * c], s.rates[2 * c + 1]];
            touches.press(pair.site, [normal, rub], [rate, slip]);
        }
        Ok(())
    }

    /// The pairs that are together, with their directions, for the last factorisation.
    fn meet_together(&mut self) -> Result<(), Fault> {
        let (s, touches) = (&mut self.striking, &self.touches);
        s.pairs.clear();
        for &i in touches.together() {
            s.pairs.extend(touches.pair(i, &self.poses));
        }
        s.aim();
        s.directions.prepare(&mut self.saddle)
    }

    /// Puts positions and velocities of all that is together onto their contacts, after a step; joints stay closed as well as they are. Whether anything was moved.
    pub(super) fn keep_together(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<bool, Fault> {
        if self.touches.together().is_empty() {
            return Ok(false);
        }
        self.rows(t, q, v);
        let _ = self.saddle.factor_softly(&self.jacobian)?;
        self.meet_together()?;
        let s = &mut self.striking;
        s.speeds(v);
        s.rubs.clear();
        s.rubs.resize(s.pairs.len(), 0.0);
        s.clear_unknowns();
        for c in 0..s.pairs.len() {
            s.ask(2 * c, -s.pairs[c].gap);
        }
        s.share();
        s.directions.act(&s.pushes, q);
        s.clear_unknowns();
        for c in 0..s.pairs.len() {
            s.ask(2 * c, -s.rates[2 * c]);
            if self.touches.bond(s.pairs[c].site) == Bond::Sticks {
                s.ask(2 * c + 1, -s.rates[2 * c + 1]);
            }
        }
        s.share();
        s.directions.act(&s.pushes, v);
        Ok(true)
    }

    /// Before a run: nothing is known of speeds yet. What overlaps a little, as bodies do that lie on each other with compliance, is put side by side.
    pub(super) fn begin_together(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Changes {
        let mut changes = Changes::default();
        self.striking.fastest = 0.0;
        self.rows(t, q, v);
        self.touches.look_around(t, &self.poses, &mut changes);
        changes.failed = self.part(t, q, v).err();
        changes
    }

    /// Puts side by side what stands in each other: by rounding, where a touch was located, or a little, at the start. Velocities stay as they are.
    fn part(&mut self, inside: f64, q: &mut [f64], v: &[f64]) -> Result<(), String> {
        for _ in 0..4 {
            self.meet(inside, q, v, &|_| false)?;
            let s = &mut self.striking;
            s.rubs.clear();
            s.rubs.resize(s.pairs.len(), 0.0);
            s.clear_unknowns();
            for c in 0..s.pairs.len() {
                if s.pairs[c].gap < 0.0 {
                    s.ask(2 * c, -s.pairs[c].gap);
                }
            }
            if s.unknowns.is_empty() {
                break;
            }
            s.share();
            s.directions.act(&s.pushes, q);
        }
        Ok(())
    }

    /// Notes what became of contacts up to an accepted step or an event; whether who is together must be looked at anew: a force that pulls, a slide that has turned, a touch that nobody saw; why it cannot go on.
    pub(super) fn follow_together(
        &mut self,
        [t, inside]: Instant,
        q: &[f64],
        v: &[f64],
        extras: &[f64],
    ) -> Result<bool, String> {
        // What cannot be evaluated is told by the integrator.
        let _ = self.evaluate(inside, q, v);
        self.touches.follow(t, extras);
        let still = self.rounding_speed(v);
        let touches = &self.touches;
        let mut largest = 0.0_f64;
        for &i in touches.together() {
            largest = largest.max(touches.pressing(i)[0].abs());
        }
        let strays = touches.together().iter().any(|&i| {
            let ([normal, rub], [_, slip]) = (touches.pressing(i), touches.moving(i));
            normal < -STRAY * largest
                || match touches.bond(i) {
                    Bond::Sticks => {
                        let [held, _] = touches.coefficients(i);
                        rub.abs() > held * normal + STRAY * largest && !touches.is_held(i, t)
                    }
                    Bond::Slides(way) => way * slip < -2.0 * still,
                    Bond::Apart => false,
                }
        });
        Ok(touches.overlooked(t, &self.poses, still)? || strays)
    }

    /// A speed that is rounding, m/s: measured by the fastest that anything has been.
    fn rounding_speed(&mut self, v: &[f64]) -> f64 {
        let bodies = v
            .as_chunks::<3>()
            .0
            .iter()
            .zip(self.masses.as_chunks::<3>().0);
        let fastest = bodies.fold(0.0_f64, |most, ([x, y, turn], [m, _, inertia])| {
            most.max(x * x + y * y + turn * turn * inertia / m)
        });
        let fastest = math::sqrt(fastest).max(self.striking.fastest);
        self.striking.fastest = fastest;
        let still = STILL * fastest + f64::MIN_POSITIVE;
        self.touches.set_still(still);
        still
    }

    /// Looks at all that touches: strikes what approaches, and settles who stays together. `fired` says which guards did; `work` is that of drivers, J, and `extras` are the numbers of contacts in the state.
    pub(super) fn strike(
        &mut self,
        at: Instant,
        q: &mut [f64],
        v: &mut [f64],
        work: Option<&mut f64>,
        extras: &mut [f64],
        fired: &dyn Fn(usize) -> bool,
    ) -> Changes {
        let mut changes = Changes::default();
        let mut brought = 0.0;
        let before = self.rounding_speed(v);
        let parted = self.part(at[1], q, v);
        let struck =
            parted.and_then(|()| self.blows(at, q, v, &mut brought, extras, fired, &mut changes));
        let settled = struck.and_then(|()| {
            let still = before.max(self.rounding_speed(v));
            self.decide(at, q, v, &mut brought, extras, fired, still, &mut changes)
        });
        changes.failed = settled.err();
        changes.resumed.extend(self.touches.take_resumed());
        self.share_out(at[1], q, v);
        if let Some(work) = work {
            *work += brought;
        }
        // Positions are put right by what rounding leaves, whatever else happens.
        changes.regrip();
        changes
    }

    /// Lets surfaces that stick bear friction in proportion to what they can, from here on, unless that is more than one of them can though some other way is not.
    fn share_out(&mut self, inside: f64, q: &[f64], v: &[f64]) {
        self.touches.set_shares(true);
        let touches = &self.touches;
        let sticks = |i: &&usize| touches.bond(**i) == Bond::Sticks;
        if touches.together().iter().filter(sticks).count() < 2 {
            return;
        }
        // What cannot be evaluated is told by the integrator.
        let _ = self.evaluate(inside, q, v);
        let touches = &self.touches;
        let bears = |&i: &usize| {
            let ([normal, rub], [held, _]) = (touches.pressing(i), touches.coefficients(i));
            touches.bond(i) != Bond::Sticks || rub.abs() <= (1.0 - STRAY) * held * normal
        };
        let bears = touches.together().iter().all(bears);
        self.touches.set_shares(bears);
    }

    /// Blows until nothing that touches approaches.
    #[allow(clippy::too_many_arguments)]
    fn blows(
        &mut self,
        [t, inside]: Instant,
        q: &[f64],
        v: &mut [f64],
        work: &mut f64,
        extras: &mut [f64],
        fired: &dyn Fn(usize) -> bool,
        changes: &mut Changes,
    ) -> Result<(), String> {
        for round in 0..=BLOWS {
            self.meet(inside, q, v, fired)?;
            let still = self.rounding_speed(v);
            let s = &mut self.striking;
            let n = s.pairs.len();
            // Where blows have no end, what is still left of a speed is none.
            let still = if round > PLASTIC + 10 {
                1e3 * still
            } else {
                still
            };
            if !(0..n).any(|c| s.rates[2 * c] < -still) {
                return Ok(());
            }
            if round == BLOWS {
                break;
            }
            s.surfaces.clear();
            for c in 0..n {
                let pair = s.pairs[c];
                let mobility = s.directions.matrix()[2 * c * (2 * n + 1)];
                let speed = (-s.rates[2 * c]).max(0.0);
                let restitution = self.touches.restitution(&pair, speed, 1.0 / mobility)?;
                s.surfaces.push(Surface {
                    // Blows that follow each other without an end at one instant end in one that returns nothing.
                    restitution: if round < PLASTIC { restitution } else { 0.0 },
                    friction: self.touches.coefficients(pair.site)[1],
                    ratio: self.touches.ratio(pair.site),
                });
            }
            let set = Set {
                matrix: s.directions.matrix(),
                before: &s.rates,
                surfaces: &s.surfaces,
                hypothesis: s.method.hypothesis,
                order: s.method.order,
                from_rest: false,
            };
            let found = impulse::resolve(&set, &mut s.room);
            let resolved =
                found.map_err(|trouble| self.touches.strike_trouble(t, &s.pairs, trouble))?;
            s.pushes.clear();
            for struck in &resolved.contacts {
                s.pushes.extend([struck.normal(), struck.tangential]);
            }
            let pushes = (&s.directions, &s.pushes[..], &mut s.lambda[..]);
            push(pushes, v, &self.times, work);
            for (c, struck) in resolved.contacts.iter().enumerate() {
                if !struck.took_part {
                    continue;
                }
                let mass = 1.0 / s.directions.matrix()[2 * c * (2 * n + 1)];
                let blow = blow(struck, (-s.rates[2 * c]).max(0.0), mass);
                self.touches
                    .strike(t, &s.pairs[c], &blow, &self.poses, extras);
            }
            changes.regrip();
            for (c, struck) in resolved.contacts.iter().enumerate() {
                if struck.wedged && s.surfaces[c].restitution > 0.0 {
                    let element = self.touches.element_of(s.pairs[c].site);
                    let asked = s.surfaces[c].restitution;
                    changes.warnings.push(words::wedged(t, element, asked));
                }
            }
            // A blow slower than any touch counts for is rounding, and so is what friction does in it.
            let fast = (0..n).any(|c| -s.rates[2 * c] > self.touches.slowest(s.pairs[c].site));
            let moved: f64 = resolved.contacts.iter().map(Struck::moved).sum();
            let gained = resolved.friction_gained;
            if fast && gained > 1e-9 * moved {
                let names = s
                    .pairs
                    .iter()
                    .map(|pair| self.touches.element_of(pair.site));
                let hypothesis = s.method.hypothesis;
                let warning = words::rubbed_on(t, names.collect(), gained, hypothesis);
                changes.warnings.push(warning);
            }
            if resolved.missed > 1e-3 * moved {
                let names = s
                    .pairs
                    .iter()
                    .map(|pair| self.touches.element_of(pair.site));
                let warning = words::missed(t, names.collect(), resolved.missed);
                changes.warnings.push(warning);
            }
            let gained = resolved.gained;
            if gained > 1e-9 * moved {
                let names = s
                    .pairs
                    .iter()
                    .map(|pair| self.touches.element_of(pair.site));
                changes.warnings.push(words::gained(
                    t,
                    names.collect(),
                    gained,
                    s.method.hypothesis,
                ));
            }
        }
        Err(format!(
            "at t = {} s bodies strike each other more than {BLOWS} times at one instant, and still approach. With `simultaneous = \"together\"` all strike at once",
            rounded(t)
        ))
    }

    /// All pairs that touch, with their directions and speeds.
    fn meet(
        &mut self,
        inside: f64,
        q: &[f64],
        v: &[f64],
        fired: &dyn Fn(usize) -> bool,
    ) -> Result<(), String> {
        self.rows(inside, q, v);
        let factored = self.saddle.factor_softly(&self.jacobian);
        let s = &mut self.striking;
        self.touches.near_pairs(&self.poses, fired, &mut s.pairs);
        if s.pairs.len() > CROWD {
            return Err(format!(
                "at t = {} s bodies touch at {} points at once, and method.contact = \"piecewise\" finds who bears what for {CROWD} at most. method.contact = \"time-stepping\" is made for many",
                rounded(inside),
                s.pairs.len()
            ));
        }
        s.aim();
        let prepared = factored.and_then(|_| s.directions.prepare(&mut self.saddle));
        prepared.map_err(|fault| format!("at t = {} s: {fault}", rounded(inside)))?;
        s.speeds(v);
        Ok(())
    }
}

/// Whether a guard of a pair fired.
fn told(fired: &dyn Fn(usize) -> bool, site: usize, guard: usize) -> bool {
    fired(Contacting::GUARDS * site + guard)
}

/// What a strike was for a pair that met at a speed (m/s) with an effective mass (kg).
fn blow(struck: &Struck, approach: f64, mass: f64) -> Blow {
    Blow {
        approach,
        mass,
        normal: [struck.compression, struck.restitution],
        tangential: struck.tangential,
        work: [
            struck.compression_work,
            struck.restitution_work,
            struck.friction_work,
        ],
    }
}

//! Which forces act at contacts that are closed, and which of them stay so?
//!
//! The problem of a strike with accelerations in the place of rates and forces in the place of impulses: N ≥ 0 beside a gap that may only open. Surfaces that slip have T = −μ s N; those that do not may hold, |T| ≤ μ_s N, and
//! where that is not enough they begin to slide, and μ counts from there on.
//!
//! Surfaces that slip make the problem lose what W gave it: with μ s W_nt > W_nn a force drives the bodies together instead of apart (Painlevé). Then there is no answer (only a strike by friction alone helps, see
//! [`Set::from_rest`](super::Set)), or there are two: the contact opens, or stays closed under a force. One contact shows that by its own numbers. In a set of up to four the answers are counted, by trying everything that the
//! contacts could do.

use super::Room;
use super::Stuck;
use super::Trouble;
use super::cluster::Cluster;
use super::cluster::groups;
use super::lcp::Tableau;
use super::lcp::eliminate;

use crate::math::sqrt;

/// A factor W_nn − μ s W_nt below this part of W_nn is none.
const NO_FACTOR: f64 = 1e-12;
/// An acceleration below this part of the largest is none.
const NOTHING: f64 = 1e-12;
/// A slip that begins more slowly than this part of the largest acceleration does not begin.
const NO_SLIP: f64 = 1e-10;
/// How far the conditions of a tried answer may be missed, as a part of the largest acceleration.
const TRIED: f64 = 1e-9;
/// Two answers whose accelerations differ by less than this part of the largest are one.
const SAME: f64 = 1e-6;
/// Up to so many contacts everything they could do is tried.
const MOST: usize = 4;
/// Slips that are tried for ones that last, as multiples of what the largest acceleration does in a unit of time.
const SLIPS: [f64; 3] = [1e2, 1e4, 1e6];
/// So many different answers are told from each other.
const SEEN: usize = 16;
/// A pivot of a trial below this part of the largest is none: another trial has the same answer with fewer unknowns.
const PIVOT: f64 = 1e-9;

/// A contact that is closed: its gap is zero and does not change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Closed {
    /// How its surfaces slip now, m/s: 0 if they do not.
    pub slip: f64,
    /// Coulomb's coefficient while they slide.
    pub friction: f64,
    /// The coefficient up to which they hold; not less than `friction`.
    pub static_friction: f64,
}

/// What a closed contact does from now on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// It opens: nothing acts in it.
    #[default]
    Opens,
    /// It stays closed and its surfaces hold each other.
    Sticks,
    /// It stays closed and slides, forwards along t.
    SlidesForwards,
    /// It stays closed and slides against t.
    SlidesBack,
}

/// What every contact of a set does, the first four of them.
pub type Modes = [Holds; 4];

/// Contacts that are closed, and what their gaps and slips would do without forces in them.
#[derive(Clone, Copy, Debug)]
pub struct Pressing<'a> {
    /// W, 1/kg: 2n × 2n, row by row.
    pub matrix: &'a [f64],
    /// The accelerations of gaps and slips without contact forces, m/s²: 2n.
    pub free: &'a [f64],
    /// The n contacts.
    pub contacts: &'a [Closed],
    /// Whether to look for further answers (up to four contacts that act on each other; one alone is always looked at).
    pub look_around: bool,
}

/// The force in one closed contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressed {
    /// The normal force, N, not negative.
    pub normal: f64,
    /// The force along the surface, N, on the second body along the slip.
    pub tangential: f64,
    /// The accelerations of gap and slip with all forces, m/s².
    pub after: [f64; 2],
    /// What the contact does.
    pub holds: Holds,
}

/// The forces of all closed contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// One for each contact, in its order.
    pub contacts: Vec<Pressed>,
    /// Whether only sums of some forces are known: what is given is the least of all that would do.
    pub shared: bool,
}

/// The buffers of [`press`](fn@press).
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    forces: Forces,
    group: Vec<usize>,
    members: Vec<usize>,
    cluster: Cluster,
    /// The sense of contacts that have begun to slide; 0 for those that may hold.
    begun: Vec<f64>,
    /// Whether a contact that began to slide has come back: then it has one coefficient, the smaller.
    returned: Vec<bool>,
    acting: Vec<bool>,
    senses: Vec<f64>,
}

/// The forces of contacts that are closed.
///
/// # Errors
/// [`Trouble`], where there are none or several (Painlevé), or the inputs do not fit.
pub fn press<'a>(pressing: &Pressing<'_>, room: &'a mut Room) -> Result<&'a Forces, Trouble> {
    let n = pressing.contacts.len();
    if pressing.free.len() != 2 * n || pressing.matrix.len() != 4 * n * n {
        return Err(Trouble::Sizes);
    }
    for (i, closed) in pressing.contacts.iter().enumerate() {
        let rows = &pressing.matrix[4 * n * i..4 * n * (i + 1)];
        let fits = closed.slip.is_finite()
            && (0.0..f64::INFINITY).contains(&closed.friction)
            && (closed.friction..f64::INFINITY).contains(&closed.static_friction)
            && pressing.free[2 * i].is_finite()
            && pressing.free[2 * i + 1].is_finite()
            && rows.iter().all(|x| x.is_finite());
        if !fits {
            return Err(Trouble::Input { contact: i });
        }
    }
    let tableau = &mut room.tableau;
    let buffers = &mut room.press;
    buffers.forces.shared = false;
    buffers.forces.contacts.clear();
    buffers.forces.contacts.resize(n, Pressed::default());
    groups(pressing.matrix, n, &mut buffers.group);
    for label in 0..n {
        buffers.members.clear();
        for i in 0..n {
            if buffers.group[i] == label {
                buffers.members.push(i);
            }
        }
        match buffers.members[..] {
            [] => {}
            [alone] if pressing.contacts[alone].slip != 0.0 => {
                let own = pressing.slides(alone)?;
                buffers.forces.contacts[alone] = own;
            }
            _ => buffers.part(pressing, tableau)?,
        }
    }
    Ok(&room.press.forces)
}

impl Pressing<'_> {
    /// W_nn, W_nt and W_tt of a contact.
    fn own(&self, i: usize) -> [f64; 3] {
        let width = self.free.len();
        let row = 2 * i * width + 2 * i;
        [
            self.matrix[row],
            self.matrix[row + 1],
            self.matrix[row + width + 1],
        ]
    }

    /// What a unit of normal force does to the gap of a contact, with its friction, and the coefficient from which on that is not positive.
    fn factor(&self, i: usize) -> [f64; 2] {
        let [nn, nt, _] = self.own(i);
        let closed = &self.contacts[i];
        let factor = if closed.slip != 0.0 {
            nn - closed.friction * closed.slip.signum() * nt
        } else {
            nn - closed.static_friction * nt.abs()
        };
        [factor, nn / nt.abs()]
    }

    /// One contact alone that slides: all in closed form.
    fn slides(&self, i: usize) -> Result<Pressed, Trouble> {
        let [nn, nt, tt] = self.own(i);
        let [bn, bt] = [self.free[2 * i], self.free[2 * i + 1]];
        let closed = &self.contacts[i];
        let (friction, s) = (closed.friction, closed.slip.signum());
        let [factor, critical] = self.factor(i);
        let mut normal = 0.0;
        if factor > NO_FACTOR * nn {
            normal = (-bn / factor).max(0.0);
        } else if bn < 0.0 {
            return Err(Trouble::NoForce {
                contact: i,
                free: bn,
                factor,
                friction,
                critical,
            });
        } else if bn > 0.0 && factor < -NO_FACTOR * nn {
            return Err(Trouble::SeveralForces {
                contact: i,
                free: bn,
                factor,
                friction,
                critical,
                force: -bn / factor,
            });
        }
        let tangential = -friction * s * normal;
        Ok(Pressed {
            normal,
            tangential,
            after: [
                if normal > 0.0 { 0.0 } else { bn },
                bt + nt * normal + tt * tangential,
            ],
            holds: if normal > 0.0 || bn == 0.0 {
                sliding(s)
            } else {
                Holds::Opens
            },
        })
    }
}

fn sliding(sense: f64) -> Holds {
    if sense < 0.0 {
        Holds::SlidesBack
    } else {
        Holds::SlidesForwards
    }
}

impl Buffers {
    /// The forces of the members.
    fn part(&mut self, pressing: &Pressing<'_>, tableau: &mut Tableau) -> Result<(), Trouble> {
        let m = self.members.len();
        let size = self.members.iter().fold(0.0, |most: f64, i| {
            most.max(pressing.free[2 * i].abs())
                .max(pressing.free[2 * i + 1].abs())
        });
        for i in &self.members {
            let [nn, ..] = pressing.own(*i);
            if !(nn > 0.0) && pressing.free[2 * i] < 0.0 {
                return Err(Trouble::Fixed {
                    contact: *i,
                    closing: pressing.free[2 * i],
                    mobility: nn,
                });
            }
        }
        self.begun.clear();
        self.begun.resize(m, 0.0);
        self.returned.clear();
        self.returned.resize(m, false);
        self.load(pressing);
        if m <= MOST && (pressing.look_around || m == 1) {
            self.look_around(pressing, size)?;
        }
        // Every pass lets contacts begin to slide, or come back, for good: there are not more than two for each.
        for _ in 0..=2 * m {
            self.load(pressing);
            if let Err(stuck) = self.cluster.phase(tableau) {
                self.rescue(pressing, tableau, size, stuck)?;
            }
            if !self.began(pressing, size) {
                break;
            }
        }
        for k in 0..m {
            let i = self.members[k];
            let normal = self.cluster.impulses[2 * k];
            let after = [self.cluster.after(2 * k), self.cluster.after(2 * k + 1)];
            let slip = pressing.contacts[i].slip;
            let holds = if !(normal > 0.0) && after[0] > NOTHING * size {
                Holds::Opens
            } else if slip != 0.0 {
                sliding(slip)
            } else if after[1].abs() <= NO_SLIP * size {
                Holds::Sticks
            } else {
                sliding(after[1])
            };
            self.forces.contacts[i] = Pressed {
                normal,
                tangential: self.cluster.impulses[2 * k + 1],
                after,
                holds,
            };
        }
        self.acting.clear();
        for k in 0..m {
            let own = &self.forces.contacts[self.members[k]];
            self.acting.push(own.normal > 0.0);
            self.acting.push(
                own.normal > 0.0 && own.holds == Holds::Sticks && self.cluster.friction[k] > 0.0,
            );
        }
        let acting = &self.acting;
        if self
            .cluster
            .redundant(|row| acting.get(row).is_some_and(|a| *a))
        {
            self.forces.shared = true;
        }
        Ok(())
    }

    /// Puts the members into the cluster, with what is known of how they slide.
    fn load(&mut self, pressing: &Pressing<'_>) {
        self.cluster
            .take(pressing.matrix, pressing.free, &self.members);
        for (k, i) in self.members.iter().enumerate() {
            let closed = &pressing.contacts[*i];
            let slips = closed.slip != 0.0;
            self.cluster.sense[k] = if slips {
                closed.slip.signum()
            } else {
                self.begun[k]
            };
            self.cluster.friction[k] = if slips || self.begun[k] != 0.0 || self.returned[k] {
                closed.friction
            } else {
                closed.static_friction
            };
        }
    }

    /// Notes which surfaces begin to slide, now that the forces are known, and which that did come back; whether any.
    fn began(&mut self, pressing: &Pressing<'_>, size: f64) -> bool {
        let mut any = false;
        for (k, i) in self.members.iter().enumerate() {
            let closed = &pressing.contacts[*i];
            if closed.slip != 0.0 || self.returned[k] {
                continue;
            }
            let rate = self.cluster.after(2 * k + 1);
            let pressed = self.cluster.impulses[2 * k] > 0.0;
            if self.begun[k] == 0.0 {
                let starts = pressed && rate.abs() > NO_SLIP * size;
                if starts && closed.static_friction > closed.friction {
                    self.begun[k] = rate.signum();
                    any = true;
                }
            } else if self.begun[k] * rate < -NO_SLIP * size {
                self.begun[k] = 0.0;
                self.returned[k] = true;
                any = true;
            }
        }
        any
    }

    /// What to do where Lemke's method found nothing: try everything, if that is not too much, or let the slips end.
    fn rescue(
        &mut self,
        pressing: &Pressing<'_>,
        tableau: &mut Tableau,
        size: f64,
        stuck: Stuck,
    ) -> Result<(), Trouble> {
        if self.members.len() <= MOST {
            let answers = self.answers(size);
            if answers.count == 1 {
                for (own, force) in self.cluster.impulses.iter_mut().zip(answers.forces) {
                    *own = force;
                }
                return Ok(());
            }
            if answers.count > 1 {
                return Err(self.several(pressing, &answers));
            }
        } else if self.with_ends(tableau, size) {
            return Ok(());
        }
        // Where nothing slips there always is an answer, and a ray only says that it was not found.
        let slips = self.cluster.sense.iter().any(|s| *s != 0.0);
        if stuck == Stuck::Ray && slips {
            Err(self.none(pressing))
        } else {
            Err(Trouble::Stuck(stuck))
        }
    }

    /// The forces as impulses of a short while, over which slips could end: that problem always has an answer. Where the slips last in it, it is an answer of this problem too; where they do not, however long they would take,
    /// there is a strike in it.
    fn with_ends(&mut self, tableau: &mut Tableau, size: f64) -> bool {
        let m = self.members.len();
        // Put aside, so that every contact may do as it likes.
        let mut senses = std::mem::take(&mut self.senses);
        senses.clear();
        senses.extend_from_slice(&self.cluster.sense);
        let mut lasts = false;
        for slip in SLIPS {
            for k in 0..m {
                self.cluster.rates[2 * k + 1] += senses[k] * slip * size;
            }
            self.cluster.sense.fill(0.0);
            lasts = self.cluster.phase(tableau).is_ok()
                && (0..m).all(|k| {
                    senses[k] == 0.0
                        || senses[k] * self.cluster.after(2 * k + 1) > NO_SLIP * slip * size
                });
            for k in 0..m {
                self.cluster.rates[2 * k + 1] -= senses[k] * slip * size;
            }
            self.cluster.sense.copy_from_slice(&senses);
            if lasts {
                break;
            }
        }
        self.senses = senses;
        lasts
    }

    /// Counts the answers.
    fn look_around(&self, pressing: &Pressing<'_>, size: f64) -> Result<(), Trouble> {
        let answers = self.answers(size);
        if answers.count > 1 {
            return Err(self.several(pressing, &answers));
        }
        Ok(())
    }

    fn none(&self, pressing: &Pressing<'_>) -> Trouble {
        let (mut contact, mut factor, mut critical) = (0, f64::INFINITY, f64::INFINITY);
        for i in &self.members {
            let own = pressing.factor(*i);
            // By its own measure: a light body has large factors.
            if own[0] / pressing.own(*i)[0] < factor {
                (contact, factor, critical) = (*i, own[0] / pressing.own(*i)[0], own[1]);
            }
        }
        let closed = &pressing.contacts[contact];
        Trouble::NoForces {
            contact,
            free: pressing.free[2 * contact],
            factor: pressing.factor(contact)[0],
            friction: if closed.slip != 0.0 {
                closed.friction
            } else {
                closed.static_friction
            },
            critical,
        }
    }

    fn several(&self, pressing: &Pressing<'_>, answers: &Answers) -> Trouble {
        let differs = (0..self.members.len())
            .find(|k| answers.modes[0][*k] != answers.modes[1][*k])
            .unwrap_or(0);
        let contact = self.members[differs];
        if self.members.len() == 1 && answers.count == 2 && answers.modes[0][0] == Holds::Opens {
            let [factor, critical] = pressing.factor(contact);
            return Trouble::SeveralForces {
                contact,
                free: pressing.free[2 * contact],
                factor,
                friction: pressing.contacts[contact].static_friction,
                critical,
                force: answers.forces[0],
            };
        }
        Trouble::SeveralOfSet {
            count: answers.count,
            modes: answers.modes,
            contact,
        }
    }

    /// Everything that the members, up to four, could do, with what of it is an answer.
    fn answers(&self, size: f64) -> Answers {
        let m = self.members.len().min(MOST);
        let cluster = &self.cluster;
        let mut answers = Answers::default();
        let mut seen = [[0.0; 2 * MOST]; SEEN];
        // Scaled by the roots of the diagonal, all numbers of a trial are of the size of accelerations of unit masses.
        let mut scale = [1.0; 2 * MOST];
        for row in 0..2 * m {
            let own = cluster.matrix[row * 2 * m + row];
            if own > 0.0 {
                scale[row] = 1.0 / sqrt(own);
            }
        }
        let mut choices = [[Holds::Opens; 4]; MOST];
        let mut counts = [0; MOST];
        for k in 0..m {
            let mut add = |holds: Holds| {
                choices[k][counts[k]] = holds;
                counts[k] += 1;
            };
            add(Holds::Opens);
            if cluster.sense[k] != 0.0 {
                add(sliding(cluster.sense[k]));
            } else if cluster.friction[k] == 0.0 {
                add(Holds::SlidesForwards);
            } else {
                add(Holds::Sticks);
                add(Holds::SlidesForwards);
                add(Holds::SlidesBack);
            }
        }
        let all: usize = counts.iter().take(m).product();
        for number in 0..all {
            let mut modes = Modes::default();
            let mut rest = number;
            for k in 0..m {
                modes[k] = choices[k][rest % counts[k]];
                rest /= counts[k];
            }
            let Some(forces) = self.tried(&modes, &scale, size) else {
                continue;
            };
            // Between two answers of one family, such as weights shared this way and that, all are answers: these count once.
            let known = seen.iter().take(answers.count).any(|other| {
                let between: [f64; 2 * MOST] =
                    std::array::from_fn(|row| (forces[row] + other[row]) / 2.0);
                let alike = (0..2 * m).all(|row| {
                    let moved: f64 = (0..2 * m)
                        .map(|j| cluster.matrix[row * 2 * m + j] * (forces[j] - other[j]))
                        .sum();
                    moved.abs() <= SAME * size
                });
                alike
                    || self.answers_by(&between, &scale, size)
                    || self.share(&forces, other, &scale)
            });
            if !known {
                if let Some(place) = seen.get_mut(answers.count) {
                    *place = forces;
                }
                if answers.count < 2 {
                    answers.modes[answers.count] = modes;
                    answers.forces = forces;
                }
                answers.count += 1;
            }
        }
        answers
    }

    /// The forces, if the contacts of a small set do what is said; `None` if that contradicts itself.
    fn tried(&self, modes: &Modes, scale: &[f64; 2 * MOST], size: f64) -> Option<[f64; 2 * MOST]> {
        let cluster = &self.cluster;
        let m = cluster.friction.len().min(MOST);
        let width = 2 * m;
        // The unknowns: a normal force for each that stays, a force along it for each that sticks.
        let mut rows = [0; 2 * MOST];
        let mut count = 0;
        for k in 0..m {
            if modes[k] != Holds::Opens {
                rows[count] = 2 * k;
                count += 1;
                if modes[k] == Holds::Sticks {
                    rows[count] = 2 * k + 1;
                    count += 1;
                }
            }
        }
        let bound = |k: usize| match modes[k] {
            Holds::SlidesForwards => -cluster.friction[k],
            Holds::SlidesBack => cluster.friction[k],
            Holds::Opens | Holds::Sticks => 0.0,
        };
        let mut matrix = [0.0; 4 * MOST * MOST];
        let mut right = [0.0; 2 * MOST];
        for a in 0..count {
            let row = rows[a];
            right[a] = -cluster.rates[row] * scale[row];
            for b in 0..count {
                let column = rows[b];
                let mut own = cluster.matrix[row * width + column];
                if column % 2 == 0 {
                    own += bound(column / 2) * cluster.matrix[row * width + column + 1];
                }
                matrix[a * count + b] = own * scale[row] * scale[column];
            }
        }
        if !eliminate(
            &mut matrix[..count * count],
            &mut right[..count],
            count,
            PIVOT,
        ) {
            return None;
        }
        let mut forces = [0.0; 2 * MOST];
        for a in 0..count {
            forces[rows[a]] = right[a] * scale[rows[a]];
        }
        for k in 0..m {
            if modes[k] != Holds::Sticks {
                forces[2 * k + 1] = bound(k) * forces[2 * k];
            }
        }
        self.answers_by(&forces, scale, size).then_some(forces)
    }

    /// Whether the normal forces of two answers could be shared out otherwise: then how surfaces with different coefficients slide is a matter of that, and no paradox.
    fn share(
        &self,
        one: &[f64; 2 * MOST],
        other: &[f64; 2 * MOST],
        scale: &[f64; 2 * MOST],
    ) -> bool {
        let cluster = &self.cluster;
        let m = cluster.friction.len().min(MOST);
        let mut closed = [0; MOST];
        let mut count = 0;
        for k in 0..m {
            if one[2 * k] > 0.0 || other[2 * k] > 0.0 {
                closed[count] = 2 * k;
                count += 1;
            }
        }
        let mut matrix = [0.0; MOST * MOST];
        for a in 0..count {
            for b in 0..count {
                let (row, column) = (closed[a], closed[b]);
                matrix[a * count + b] =
                    cluster.matrix[row * 2 * m + column] * scale[row] * scale[column];
            }
        }
        !eliminate(
            &mut matrix[..count * count],
            &mut [0.0; MOST][..count],
            count,
            PIVOT,
        )
    }

    /// Whether forces in a small set agree with everything that is asked of them.
    fn answers_by(&self, forces: &[f64; 2 * MOST], scale: &[f64; 2 * MOST], size: f64) -> bool {
        let cluster = &self.cluster;
        let m = cluster.friction.len().min(MOST);
        let width = 2 * m;
        (0..m).all(|k| {
            let slack = |row: usize| TRIED * size * scale[row] * scale[row];
            let mut after = [cluster.rates[2 * k], cluster.rates[2 * k + 1]];
            for a in 0..2 {
                for j in 0..width {
                    after[a] += cluster.matrix[(2 * k + a) * width + j] * forces[j];
                }
            }
            let [normal, tangential] = [forces[2 * k], forces[2 * k + 1]];
            let bound = cluster.friction[k] * normal;
            let none = TRIED * size;
            let apart = normal >= -slack(2 * k)
                && after[0] >= -none
                && (normal <= slack(2 * k) || after[0] <= none);
            let along = if cluster.sense[k] != 0.0 {
                (tangential + cluster.sense[k] * bound).abs() <= slack(2 * k + 1)
            } else {
                tangential.abs() <= bound + slack(2 * k + 1)
                    && (after[1] <= none || tangential <= -bound + slack(2 * k + 1))
                    && (after[1] >= -none || tangential >= bound - slack(2 * k + 1))
            };
            apart && along
        })
    }
}

/// The answers of a small set.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    count: usize,
    modes: [Modes; 2],
    /// The forces of the last of the two that are kept.
    forces: [f64; 2 * MOST],
}

//! How do several contacts strike at once?
//!
//! Contacts that do not act on each other through W are taken apart first: one alone goes by Routh's process. The others share their phases. In the plane the friction cone has two edges, so Coulomb's law is a linear
//! complementarity problem without any loss (Stewart and Trinkle 1996; Anitescu and Potra 1997): for every contact p_n ≥ 0 beside u_n ≥ 0, impulses β₊, β₋ ≥ 0 along and against t beside λ ± u_t ≥ 0, and λ ≥ 0 beside
//! μ p_n − β₊ − β₋ ≥ 0. Its matrix is copositive and Lemke's method finds an answer for every set of rates that a mechanism can have.
//!
//! - Newton, after Moreau: u_n⁺ + e u_n⁻ in the place of u_n, friction by the slip after.
//! - Poisson, after Glocker and Pfeiffer (1996): compression to u_n ≥ 0, then restitution with at least e times the impulse of compression in each contact.
//! - Stronge: as Poisson, with factors in the place of e for which the normal work of restitution of every contact, along the straight path of the phase, is e² times that of its compression.
//!
//! W of a set has no inverse as a rule, and then only sums of impulses are known. Of all answers the least is taken: W + ε C in the place of W, and then again from the answer (the method of the proximal point), until
//! what ε leaves is nothing.

use super::Along;
use super::Hypothesis;
use super::Order;
use super::Phase;
use super::Resolved;
use super::Room;
use super::Set;
use super::Struck;
use super::Stuck;
use super::Trouble;
use super::lcp::Tableau;
use super::routh;
use super::routh::Halt;
use crate::math::sqrt;

/// Two contacts act on each other if W between them is more than this part of their own.
const APART: f64 = 1e-12;
/// ε: small enough for a few repetitions, large enough for a clear split.
const SOFT: f64 = 1e-6;
/// How often the problem is solved again from its answer.
const AGAIN: usize = 12;
/// What may be left of ε in the rates, as a part of the largest.
const LEFT: f64 = 1e-13;
/// A direction of which no more than this part is left beside those before it is none of its own.
const RANK: f64 = 1e-8;
/// A slip below this part of the largest rate is none.
const NO_SLIP: f64 = 1e-10;
/// Stronge's factors: how often, and how closely.
const FACTORS: usize = 400;
const WORK: f64 = 1e-13;
/// Turns end where nothing approaches faster than this part of the fastest at the start.
const SETTLED: f64 = 1e-10;

/// The numbers of one group of contacts that act on each other, and the linear complementarity problem made of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Cluster {
    /// W of the group.
    pub(super) matrix: Vec<f64>,
    /// C: the weights of the least answer.
    weights: Vec<f64>,
    /// Rates at the start of the phase.
    pub(super) rates: Vec<f64>,
    /// What is added to u_n in its condition.
    pub(super) shift: Vec<f64>,
    /// The least normal impulses.
    pub(super) lower: Vec<f64>,
    /// Coulomb's coefficients.
    pub(super) friction: Vec<f64>,
    /// The sense of contacts that are known to slide; 0 for those that may do as they like. (Only closed contacts have this: in a strike everything may change.)
    pub(super) sense: Vec<f64>,
    /// The impulses found.
    pub(super) impulses: Vec<f64>,
    last: Vec<f64>,
    problem: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
    factor: Vec<f64>,
}

impl Cluster {
    /// Takes the rows and columns of some contacts out of the whole matrix.
    pub(super) fn take(&mut self, matrix: &[f64], rates: &[f64], members: &[usize]) {
        let (whole, m) = (rates.len(), members.len());
        self.matrix.clear();
        self.rates.clear();
        for i in members {
            for a in 0..2 {
                for j in members {
                    for b in 0..2 {
                        self.matrix.push(matrix[(2 * i + a) * whole + 2 * j + b]);
                    }
                }
                self.rates.push(rates[2 * i + a]);
            }
        }
        // The same weight for all that are of about one size, so that what shares a load shares it evenly.
        let most = (0..2 * m).fold(0.0, |most: f64, i| most.max(self.matrix[i * 2 * m + i]));
        self.weights.clear();
        for i in 0..2 * m {
            let own = self.matrix[i * 2 * m + i];
            self.weights.push(if own > 0.0 {
                most.min(1000.0 * own)
            } else {
                most
            });
        }
        for (numbers, length) in [
            (&mut self.shift, m),
            (&mut self.lower, m),
            (&mut self.friction, m),
            (&mut self.sense, m),
            (&mut self.impulses, 2 * m),
        ] {
            numbers.clear();
            numbers.resize(length, 0.0);
        }
    }

    /// The rate (2i or 2i + 1) after the impulses.
    pub(super) fn after(&self, row: usize) -> f64 {
        let width = self.rates.len();
        let mut sum = self.rates[row];
        for j in 0..width {
            sum += self.matrix[row * width + j] * self.impulses[j];
        }
        sum
    }

    /// Whether W restricted to some directions has no inverse.
    pub(super) fn redundant(&mut self, counts: impl Fn(usize) -> bool) -> bool {
        let width = self.rates.len();
        self.factor.clear();
        self.factor.extend_from_slice(&self.matrix);
        let f = &mut self.factor;
        // Cholesky's factorisation in place, row by row, until a pivot has nothing left.
        for i in 0..width {
            if !counts(i) {
                continue;
            }
            let own = f[i * width + i];
            for j in 0..i {
                if !counts(j) {
                    continue;
                }
                let mut sum = f[i * width + j];
                for k in 0..j {
                    if counts(k) {
                        sum -= f[i * width + k] * f[j * width + k];
                    }
                }
                f[i * width + j] = sum / f[j * width + j];
            }
            let mut left = own;
            for k in 0..i {
                if counts(k) {
                    left -= f[i * width + k] * f[i * width + k];
                }
            }
            if !(left > RANK * own) {
                return true;
            }
            f[i * width + i] = sqrt(left);
        }
        false
    }

    /// Finds the impulses of one phase: the least, where only sums are known.
    pub(super) fn phase(&mut self, tableau: &mut Tableau) -> Result<(), Stuck> {
        let friction = &self.friction;
        let rough = |i: usize| i % 2 == 0 || friction.get(i / 2).is_some_and(|mu| *mu > 0.0);
        let mut directions = std::mem::take(&mut self.last);
        directions.clear();
        directions.extend((0..self.rates.len()).map(|i| f64::from(u8::from(rough(i)))));
        let redundant = self.redundant(|i| directions.get(i).is_some_and(|d| *d > 0.0));
        self.last = directions;
        if !redundant {
            return self.once(tableau, 0.0);
        }
        let width = self.rates.len();
        let size = self.rates.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        self.last.clear();
        self.last.resize(width, 0.0);
        for _ in 0..AGAIN {
            if self.once(tableau, SOFT).is_err() {
                break;
            }
            let mut left: f64 = 0.0;
            for i in 0..width {
                let moved = self.impulses[i] - self.last[i];
                left = left.max((SOFT * self.weights[i] * moved).abs());
            }
            let settled = left <= LEFT * size;
            self.last.copy_from_slice(&self.impulses);
            if settled {
                return Ok(());
            }
        }
        self.once(tableau, 0.0)
    }

    /// Solves the phase with W + soft · C, from the last impulses.
    fn once(&mut self, tableau: &mut Tableau, soft: f64) -> Result<(), Stuck> {
        let m = self.friction.len();
        let width = 2 * m;
        let free = |i: &usize| self.friction[*i] > 0.0 && self.sense[*i] == 0.0;
        let rough = (0..m).filter(free).count();
        let n = m + 3 * rough;
        self.problem.clear();
        self.problem.resize(n * n, 0.0);
        self.vector.clear();
        self.vector.resize(n, 0.0);
        self.solution.clear();
        self.solution.resize(n, 0.0);
        let w = |i: usize, j: usize| {
            let own = if i == j { soft * self.weights[i] } else { 0.0 };
            self.matrix[i * width + j] + own
        };
        // What one unit of the normal impulse j does to a direction: with its friction, if its sense is known.
        let pushed = |row: usize, j: usize| {
            w(row, 2 * j) - self.friction[j] * self.sense[j] * w(row, 2 * j + 1)
        };
        let rate = |row: usize| {
            let mut sum = self.rates[row];
            for j in 0..m {
                sum += pushed(row, j) * self.lower[j];
            }
            if soft > 0.0 {
                sum -= soft * self.weights[row] * self.last[row];
            }
            sum
        };
        for i in 0..m {
            self.vector[i] = rate(2 * i) + self.shift[i];
            for j in 0..m {
                self.problem[i * n + j] = pushed(2 * i, j);
            }
            for (k, j) in (0..m).filter(free).enumerate() {
                let one = w(2 * i, 2 * j + 1);
                self.problem[i * n + m + 3 * k] = one;
                self.problem[i * n + m + 3 * k + 1] = -one;
            }
        }
        for (k, i) in (0..m).filter(free).enumerate() {
            let row = m + 3 * k;
            let slip = rate(2 * i + 1);
            self.vector[row] = slip;
            self.vector[row + 1] = -slip;
            self.vector[row + 2] = self.friction[i] * self.lower[i];
            for j in 0..m {
                let one = pushed(2 * i + 1, j);
                self.problem[row * n + j] = one;
                self.problem[(row + 1) * n + j] = -one;
            }
            for (l, j) in (0..m).filter(free).enumerate() {
                let one = w(2 * i + 1, 2 * j + 1);
                let column = m + 3 * l;
                self.problem[row * n + column] = one;
                self.problem[row * n + column + 1] = -one;
                self.problem[(row + 1) * n + column] = -one;
                self.problem[(row + 1) * n + column + 1] = one;
            }
            self.problem[row * n + row + 2] = 1.0;
            self.problem[(row + 1) * n + row + 2] = 1.0;
            self.problem[(row + 2) * n + i] = self.friction[i];
            self.problem[(row + 2) * n + row] = -1.0;
            self.problem[(row + 2) * n + row + 1] = -1.0;
        }
        tableau.solve(&self.problem, &self.vector, &mut self.solution)?;
        let mut k = 0;
        for i in 0..m {
            let normal = self.lower[i] + self.solution[i];
            self.impulses[2 * i] = normal;
            self.impulses[2 * i + 1] = if self.friction[i] > 0.0 && self.sense[i] == 0.0 {
                k += 1;
                self.solution[m + 3 * k - 3] - self.solution[m + 3 * k - 2]
            } else {
                -self.friction[i] * self.sense[i] * normal
            };
        }
        Ok(())
    }
}

/// The buffers of [`resolve`].
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    resolved: Resolved,
    /// The rates now.
    rates: Vec<f64>,
    /// The group of every contact.
    group: Vec<usize>,
    members: Vec<usize>,
    pub(super) cluster: Cluster,
    /// Of the compression: impulses, rates after.
    compression: Vec<f64>,
    compressed: Vec<f64>,
    factors: Vec<f64>,
}

/// Numbers the groups of contacts that act on each other through W; the number of groups.
pub(super) fn groups(matrix: &[f64], n: usize, group: &mut Vec<usize>) -> usize {
    let width = 2 * n;
    let coupled = |i: usize, j: usize| {
        (0..2).any(|a| {
            (0..2).any(|b| {
                let (r, s) = (2 * i + a, 2 * j + b);
                let own = matrix[r * width + r].max(0.0) * matrix[s * width + s].max(0.0);
                matrix[r * width + s].abs() > APART * sqrt(own)
            })
        })
    };
    group.clear();
    group.extend(0..n);
    // Labels are few and sets are small: the lower label goes through until nothing changes.
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..n {
            for j in i + 1..n {
                if group[i] != group[j] && coupled(i, j) {
                    let least = group[i].min(group[j]);
                    (group[i], group[j]) = (least, least);
                    changed = true;
                }
            }
        }
    }
    n
}

/// Finds the impulses of a strike and the rates after it.
///
/// # Errors
/// [`Trouble`]: inputs that do not fit, contacts that no impulse moves, or a set for which no impulses were found.
pub fn resolve<'a>(set: &Set<'_>, room: &'a mut Room) -> Result<&'a Resolved, Trouble> {
    let n = set.surfaces.len();
    if set.before.len() != 2 * n || set.matrix.len() != 4 * n * n {
        return Err(Trouble::Sizes);
    }
    for (i, surface) in set.surfaces.iter().enumerate() {
        let rows = &set.matrix[4 * n * i..4 * n * (i + 1)];
        let fits = (0.0..=1.0).contains(&surface.restitution)
            && (0.0..f64::INFINITY).contains(&surface.friction)
            && surface
                .ratio
                .is_none_or(|r| (0.0..f64::INFINITY).contains(&r))
            && set.before[2 * i].is_finite()
            && set.before[2 * i + 1].is_finite()
            && rows.iter().all(|x| x.is_finite());
        if !fits {
            return Err(Trouble::Input { contact: i });
        }
    }
    let tableau = &mut room.tableau;
    let buffers = &mut room.set;
    buffers.start(set);
    let count = groups(set.matrix, n, &mut buffers.group);
    for label in 0..count {
        buffers.members.clear();
        for i in 0..n {
            if buffers.group[i] == label {
                buffers.members.push(i);
            }
        }
        if !buffers.members.is_empty() {
            buffers.part(set, tableau)?;
        }
    }
    buffers.finish(set);
    Ok(&room.set.resolved)
}

impl Buffers {
    fn start(&mut self, set: &Set<'_>) {
        let n = set.surfaces.len();
        let resolved = &mut self.resolved;
        resolved.contacts.clear();
        resolved.contacts.resize(n, Struck::default());
        resolved.energy = 0.0;
        resolved.gained = 0.0;
        resolved.friction_gained = 0.0;
        resolved.shared = false;
        resolved.missed = 0.0;
        resolved.turns = 0;
        self.rates.clear();
        self.rates.extend_from_slice(set.before);
    }

    fn finish(&mut self, set: &Set<'_>) {
        let _ = set;
        for (i, struck) in self.resolved.contacts.iter_mut().enumerate() {
            struck.after = [self.rates[2 * i], self.rates[2 * i + 1]];
            self.resolved.energy += struck.work();
            self.resolved.friction_gained += struck.friction_work.max(0.0);
        }
    }

    /// The strike of one group: the members.
    fn part(&mut self, set: &Set<'_>, tableau: &mut Tableau) -> Result<(), Trouble> {
        let approaches = self.members.iter().any(|i| self.rates[2 * i] < 0.0);
        if !approaches && !set.from_rest {
            return Ok(());
        }
        if let [alone] = self.members[..] {
            let struck = self.alone(set, alone)?;
            self.rates[2 * alone] = struck.after[0];
            self.rates[2 * alone + 1] = struck.after[1];
            self.resolved.contacts[alone] = struck;
        } else if approaches && set.order == Order::Together {
            self.together(set, tableau, false)?;
        } else {
            self.in_turns(set, tableau)?;
        }
        let (mut sum, mut size) = (0.0, 0.0);
        for i in &self.members {
            let struck = &self.resolved.contacts[*i];
            sum += struck.work();
            size += struck.compression_work.abs()
                + struck.restitution_work.abs()
                + struck.friction_work.abs();
        }
        if sum > 1e-12 * size {
            self.resolved.gained += sum;
        }
        Ok(())
    }

    /// Routh's process for a contact, as if there were no other.
    fn alone(&self, set: &Set<'_>, i: usize) -> Result<Struck, Trouble> {
        let width = self.rates.len();
        let row = 2 * i * width + 2 * i;
        let w = [
            set.matrix[row],
            set.matrix[row + 1],
            set.matrix[row + width + 1],
        ];
        let surface = &set.surfaces[i];
        let before = [self.rates[2 * i], self.rates[2 * i + 1]];
        routh::strike(w, before, surface, set.hypothesis, set.from_rest).map_err(
            |halt| match halt {
                Halt::Fixed => Trouble::Fixed {
                    contact: i,
                    closing: before[0],
                    mobility: w[0],
                },
                Halt::Jammed(closing) => Trouble::Jammed {
                    contact: i,
                    closing,
                    friction: surface.ratio.unwrap_or(surface.friction),
                },
                Halt::NotFinite => Trouble::Input { contact: i },
            },
        )
    }

    /// The members one after the other; what is left too small for a turn goes without restitution, at once.
    fn in_turns(&mut self, set: &Set<'_>, tableau: &mut Tableau) -> Result<(), Trouble> {
        let width = self.rates.len();
        let size = self.members.iter().fold(0.0, |m: f64, i| {
            m.max(-self.rates[2 * i]).max(self.rates[2 * i + 1].abs())
        });
        let limit = 1000 + 200 * self.members.len();
        for turn in 0.. {
            // The fastest; of equals the first.
            let mut next = None;
            let mut fastest = SETTLED * size;
            for i in &self.members {
                if -self.rates[2 * i] > fastest {
                    (next, fastest) = (Some(*i), -self.rates[2 * i]);
                }
            }
            if next.is_none() && set.from_rest && turn == 0 {
                next = self.members.iter().copied().find(|i| {
                    let row = 2 * i * width + 2 * i;
                    let surface = &set.surfaces[*i];
                    let w = [
                        set.matrix[row],
                        set.matrix[row + 1],
                        set.matrix[row + width + 1],
                    ];
                    let friction = surface.ratio.unwrap_or(surface.friction);
                    self.rates[2 * i] == 0.0 && routh::wedges(w, self.rates[2 * i + 1], friction)
                });
            }
            let Some(i) = next else {
                break;
            };
            if turn >= limit {
                return Err(Trouble::Endless {
                    turns: turn,
                    closing: fastest,
                });
            }
            let struck = self.alone(set, i)?;
            for row in 0..width {
                self.rates[row] += set.matrix[row * width + 2 * i] * struck.normal()
                    + set.matrix[row * width + 2 * i + 1] * struck.tangential;
            }
            self.rates[2 * i] = struck.after[0];
            self.rates[2 * i + 1] = struck.after[1];
            add(&mut self.resolved.contacts[i], &struck);
            self.resolved.turns += 1;
        }
        let left = self
            .members
            .iter()
            .any(|i| -self.rates[2 * i] > 1e-14 * size);
        if left {
            self.together(set, tableau, true)?;
        }
        Ok(())
    }

    /// The members at once; `dead` without restitution.
    fn together(
        &mut self,
        set: &Set<'_>,
        tableau: &mut Tableau,
        dead: bool,
    ) -> Result<(), Trouble> {
        let m = self.members.len();
        let cluster = &mut self.cluster;
        cluster.take(set.matrix, &self.rates, &self.members);
        let size = cluster.rates.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let e = |i: &usize| {
            if dead {
                0.0
            } else {
                set.surfaces[*i].restitution
            }
        };
        for (k, i) in self.members.iter().enumerate() {
            let surface = &set.surfaces[*i];
            cluster.friction[k] = surface.ratio.unwrap_or(surface.friction);
            let closing = cluster.rates[2 * k];
            if closing < 0.0 && !(cluster.matrix[2 * k * (2 * m) + 2 * k] > 0.0) {
                return Err(Trouble::Fixed {
                    contact: *i,
                    closing,
                    mobility: cluster.matrix[2 * k * (2 * m) + 2 * k],
                });
            }
            if set.hypothesis == Hypothesis::Newton {
                cluster.shift[k] = e(i) * closing.min(0.0);
            }
        }
        cluster.phase(tableau).map_err(Trouble::Stuck)?;
        self.compression.clear();
        self.compression.extend_from_slice(&cluster.impulses);
        self.compressed.clear();
        for row in 0..2 * m {
            self.compressed.push(cluster.after(row));
        }
        let friction = &cluster.friction;
        let acting = |row: usize| {
            let pushed = self.compression[row - row % 2] > 0.0;
            pushed
                && (row % 2 == 0
                    || friction[row / 2] > 0.0 && self.compressed[row].abs() <= NO_SLIP * size)
        };
        // The closure may not borrow what is being changed.
        let mut flags = std::mem::take(&mut self.factors);
        flags.clear();
        flags.extend((0..2 * m).map(|row| f64::from(u8::from(acting(row)))));
        if cluster.redundant(|row| flags.get(row).is_some_and(|f| *f > 0.0)) {
            self.resolved.shared = true;
        }
        self.factors = flags;
        if set.hypothesis == Hypothesis::Newton {
            self.book_straight(size);
        } else {
            self.give_back(set, tableau, dead)?;
        }
        Ok(())
    }

    /// Books a strike that has no phases of its own: along the straight path a contact is compressed until its gap opens.
    fn book_straight(&mut self, size: f64) {
        for (k, i) in self.members.iter().enumerate() {
            let (before, after) = (&self.cluster.rates, &self.compressed);
            let [normal, tangential] = [self.compression[2 * k], self.compression[2 * k + 1]];
            let [n0, n1] = [before[2 * k], after[2 * k]];
            let [t0, t1] = [before[2 * k + 1], after[2 * k + 1]];
            let part = if n0 < 0.0 && n1 > 0.0 {
                n0 / (n0 - n1)
            } else if n0 >= 0.0 && n1 > 0.0 {
                0.0
            } else {
                1.0
            };
            let slid = if t0 * t1 < 0.0 { t0 / (t0 - t1) } else { 1.0 };
            let along = along(self.cluster.friction[k], normal, t0, t1, size, slid <= part);
            // Where the rate does not change its sign the whole of it is in one phase.
            let (work0, work1) = if part > 0.0 && part < 1.0 {
                (part * normal * n0 / 2.0, (1.0 - part) * normal * n1 / 2.0)
            } else if part == 1.0 {
                (normal * (n0 + n1) / 2.0, 0.0)
            } else {
                (0.0, normal * (n0 + n1) / 2.0)
            };
            let struck = Struck {
                took_part: normal > 0.0,
                compression: part * normal,
                restitution: normal - part * normal,
                tangential,
                after: [n1, t1],
                compression_work: work0,
                restitution_work: work1,
                friction_work: tangential * (t0 + t1) / 2.0,
                along,
                wedged: false,
            };
            add(&mut self.resolved.contacts[*i], &struck);
            self.rates[2 * i] = n1;
            self.rates[2 * i + 1] = t1;
        }
    }

    /// The phase of restitution after that of compression, by Poisson or by Stronge; books both.
    fn give_back(
        &mut self,
        set: &Set<'_>,
        tableau: &mut Tableau,
        dead: bool,
    ) -> Result<(), Trouble> {
        let m = self.members.len();
        let size = self
            .cluster
            .rates
            .iter()
            .fold(0.0, |m: f64, u| m.max(u.abs()));
        // From here on the cluster starts where compression ended; the rates before are still in `self.rates`.
        self.cluster.rates.copy_from_slice(&self.compressed);
        self.cluster.shift.fill(0.0);
        self.factors.clear();
        let mut any = false;
        for (k, i) in self.members.iter().enumerate() {
            let e = if dead {
                0.0
            } else {
                set.surfaces[*i].restitution
            };
            self.factors.push(e);
            any |= e > 0.0 && self.compression[2 * k] > 0.0;
        }
        self.cluster.impulses.fill(0.0);
        let passes = match set.hypothesis {
            _ if !any => 0,
            Hypothesis::Stronge => FACTORS,
            _ => 1,
        };
        let mut missed: f64 = 0.0;
        for pass in 0..passes {
            for k in 0..m {
                self.cluster.lower[k] = self.factors[k] * self.compression[2 * k];
            }
            self.cluster.phase(tableau).map_err(Trouble::Stuck)?;
            if set.hypothesis != Hypothesis::Stronge {
                break;
            }
            missed = 0.0;
            let mut largest: f64 = 0.0;
            for (k, i) in self.members.iter().enumerate() {
                let e = set.surfaces[*i].restitution;
                let taken =
                    -self.compression[2 * k] * (self.rates[2 * i] + self.compressed[2 * k]) / 2.0;
                let wanted = e * e * taken.max(0.0);
                let given = self.cluster.impulses[2 * k]
                    * (self.compressed[2 * k] + self.cluster.after(2 * k))
                    / 2.0;
                largest = largest.max(taken.abs());
                missed = missed.max((given - wanted).abs());
                if pass + 1 < passes && self.factors[k] > 0.0 {
                    // The work goes with the square of the factor, if the others go along.
                    self.factors[k] *= if given > 0.0 {
                        sqrt(wanted / given).clamp(0.25, 4.0)
                    } else {
                        1.0
                    };
                }
            }
            if missed <= WORK * largest {
                missed = 0.0;
                break;
            }
        }
        self.resolved.missed = self.resolved.missed.max(missed);
        for (k, i) in self.members.iter().enumerate() {
            let [n0, t0] = [self.rates[2 * i], self.rates[2 * i + 1]];
            let [n1, t1] = [self.compressed[2 * k], self.compressed[2 * k + 1]];
            let [n2, t2] = if any {
                [self.cluster.after(2 * k), self.cluster.after(2 * k + 1)]
            } else {
                [n1, t1]
            };
            let [p1, q1] = [self.compression[2 * k], self.compression[2 * k + 1]];
            let [p2, q2] = [
                self.cluster.impulses[2 * k],
                self.cluster.impulses[2 * k + 1],
            ];
            let early = t0 * t1 <= 0.0 || t1.abs() <= NO_SLIP * size;
            let struck = Struck {
                took_part: p1 + p2 > 0.0,
                compression: p1,
                restitution: p2,
                tangential: q1 + q2,
                after: [n2, t2],
                compression_work: p1 * (n0 + n1) / 2.0,
                restitution_work: p2 * (n1 + n2) / 2.0,
                friction_work: q1 * (t0 + t1) / 2.0 + q2 * (t1 + t2) / 2.0,
                along: along(self.cluster.friction[k], p1 + p2, t0, t2, size, early),
                wedged: false,
            };
            add(&mut self.resolved.contacts[*i], &struck);
        }
        for (k, i) in self.members.iter().enumerate() {
            for a in 0..2 {
                self.rates[2 * i + a] = if any {
                    self.cluster.after(2 * k + a)
                } else {
                    self.compressed[2 * k + a]
                };
            }
        }
        Ok(())
    }
}

/// How it went along the surfaces, from the slip before and after.
fn along(friction: f64, normal: f64, before: f64, after: f64, size: f64, early: bool) -> Along {
    let phase = if early {
        Phase::Compression
    } else {
        Phase::Restitution
    };
    let none = |slip: f64| slip.abs() <= NO_SLIP * size;
    if friction == 0.0 || !(normal > 0.0) {
        Along::Free
    } else if none(before) {
        if none(after) {
            Along::Sticks
        } else {
            Along::Slides
        }
    } else if none(after) {
        Along::SlidesThenSticks(phase)
    } else if before * after < 0.0 {
        Along::Reverses(phase)
    } else {
        Along::Slides
    }
}

/// Adds a strike to what a contact has had before.
fn add(sum: &mut Struck, more: &Struck) {
    sum.took_part |= more.took_part;
    sum.compression += more.compression;
    sum.restitution += more.restitution;
    sum.tangential += more.tangential;
    sum.after = more.after;
    sum.compression_work += more.compression_work;
    sum.restitution_work += more.restitution_work;
    sum.friction_work += more.friction_work;
    sum.wedged |= more.wedged;
    if more.along != Along::Free {
        sum.along = more.along;
    }
}

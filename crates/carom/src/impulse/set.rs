//! How do several contacts strike at once?
//!
//! Contacts that do not act on each other through W are taken apart first: one alone goes by Routh's process. The others share their phases, each of which is a problem of its own (`cluster`).
//!
//! - Newton, after Moreau: u_n⁺ + e u_n⁻ in the place of u_n, friction by the slip after.
//! - Poisson, after Glocker and Pfeiffer (1996): compression to u_n ≥ 0, then restitution with at least e times the impulse of compression in each contact.
//! - Stronge: as Poisson, with factors in the place of e for which the normal work of restitution of every contact, along the straight path of the phase, is e² times that of its compression.

use super::Along;
use super::Hypothesis;
use super::Order;
use super::Phase;
use super::Resolved;
use super::Room;
use super::Set;
use super::Struck;
use super::Trouble;
use super::cluster::Cluster;
use super::cluster::groups;
use super::lcp::Tableau;
use super::routh;
use super::routh::Halt;

/// A slip below this part of the largest rate is none.
const NO_SLIP: f64 = 1e-10;
/// How closely Stronge's works are met, as a part of the largest work of compression.
const WORK: f64 = 1e-10;
/// Turns end where nothing approaches faster than this part of the fastest at the start.
const SETTLED: f64 = 1e-10;
/// The approach that stands for none where friction drives bodies together, as a part of the fastest slip.
const HINT: f64 = 1e-8;

/// The buffers of [`resolve`].
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    resolved: Resolved,
    /// The rates now.
    rates: Vec<f64>,
    /// The group of every contact.
    group: Vec<usize>,
    members: Vec<usize>,
    cluster: Cluster,
    /// Of the compression: impulses, rates after.
    compression: Vec<f64>,
    compressed: Vec<f64>,
    factors: Vec<f64>,
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
    groups(set.matrix, n, &mut buffers.group);
    for label in 0..n {
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
    buffers.finish();
    Ok(&room.set.resolved)
}

impl Set<'_> {
    /// W_nn, W_nt and W_tt of a contact.
    fn own(&self, i: usize) -> [f64; 3] {
        let width = self.before.len();
        let row = 2 * i * width + 2 * i;
        [
            self.matrix[row],
            self.matrix[row + 1],
            self.matrix[row + width + 1],
        ]
    }
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

    fn finish(&mut self) {
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
        } else if !set.from_rest && set.order == Order::Together {
            self.together(set, tableau, false)?;
        } else {
            self.in_turns(set, tableau)?;
        }
        let (mut sum, mut size) = (0.0, 0.0);
        for i in &self.members {
            let struck = &self.resolved.contacts[*i];
            sum += struck.work();
            size += struck.moved();
        }
        if sum > 1e-12 * size {
            self.resolved.gained += sum;
        }
        Ok(())
    }

    /// Routh's process for a contact, as if there were no other.
    fn alone(&self, set: &Set<'_>, i: usize) -> Result<Struck, Trouble> {
        let w = set.own(i);
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
                    let surface = &set.surfaces[*i];
                    let friction = surface.ratio.unwrap_or(surface.friction);
                    let before = [self.rates[2 * i], self.rates[2 * i + 1]];
                    routh::wedges(set.own(*i), before, friction)
                });
                if next.is_none() {
                    return self.drive_together(set, tableau);
                }
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

    /// The members at rest, which friction drives together though none of them by itself: an approach as slow as can be is met by impulses that do not vanish with it, because slips must end before anything can open the gaps.
    fn drive_together(&mut self, set: &Set<'_>, tableau: &mut Tableau) -> Result<(), Trouble> {
        let rates = self.members.iter().flat_map(|i| [2 * i, 2 * i + 1]);
        let size = rates.fold(0.0, |m: f64, row| m.max(self.rates[row].abs()));
        for i in &self.members {
            self.rates[2 * i] = self.rates[2 * i].min(-HINT * size);
        }
        self.together(set, tableau, true)
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
                && (row.is_multiple_of(2)
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

    /// The normal work of compression of a member, J.
    fn taken(&self, k: usize, i: usize) -> f64 {
        self.compression[2 * k] * (self.rates[2 * i] + self.compressed[2 * k]) / 2.0
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
        if any && set.hypothesis == Hypothesis::Stronge {
            for (k, i) in self.members.iter().enumerate() {
                let taken = -self.taken(k, *i);
                self.factors[k] = self.factors[k] * self.factors[k] * taken.max(0.0);
                self.cluster.lower[k] = 0.0;
            }
            // From here on the factors are the works that are wanted.
            self.cluster.meet(&self.factors);
        } else {
            for k in 0..m {
                self.cluster.lower[k] = self.factors[k] * self.compression[2 * k];
            }
        }
        if any {
            self.cluster.phase(tableau).map_err(Trouble::Stuck)?;
        }
        let (mut missed, mut largest): (f64, f64) = (0.0, 0.0);
        if any && set.hypothesis == Hypothesis::Stronge {
            for (k, i) in self.members.iter().enumerate() {
                let given = self.cluster.impulses[2 * k]
                    * (self.compressed[2 * k] + self.cluster.after(2 * k))
                    / 2.0;
                largest = largest.max(self.taken(k, *i).abs());
                // One that others run into on their way back had no compression, and nothing is asked of it.
                if self.factors[k] > 0.0 {
                    missed = missed.max((given - self.factors[k]).abs());
                }
            }
        }
        if missed <= WORK * largest {
            missed = 0.0;
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

//! Which impulses do many contacts need at once, each inside its cone of friction?
//!
//! Contact by contact, again and again: each is solved exactly with all others as they stand, and what its impulse does to the velocities is added at once (projected Gauss–Seidel on the cone; Moreau 1988, Jean
//! 1999, Acary and Brogliato 2008). Nothing is assembled: a contact knows what a unit of its impulse does to the bodies it reaches, two for free bodies, all of a mechanism where joints pass it on.
//!
//! Sweeps look back on where the last ones led (`Mixing`), which saves most of them.
//!
//! In the plane a cone has two edges, and one contact has four answers: it opens, sticks, or slides one of two ways. Each is looked at in turn, so that a contact alone is exact.

use std::ops::Range;

/// A direction of contact on a body: how its motion changes the gap and the slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Which body, by its place among the velocities; one that is not there stands still.
    pub body: usize,
    /// The rate of the gap by (vx, vy, ω).
    pub normal: [f64; 3],
    /// The slip by (vx, vy, ω).
    pub slip: [f64; 3],
}

impl Side {
    /// A body that stands still.
    pub const STILL: Side = Side {
        body: usize::MAX,
        normal: [0.0; 3],
        slip: [0.0; 3],
    };

    /// How fast the gap opens by this motion of its body, m/s.
    #[inline]
    pub fn opens(&self, velocity: &[f64; 3]) -> f64 {
        dot(&self.normal, velocity)
    }

    /// The same as what a unit impulse does to a free body with these inverse masses (1/kg, 1/kg, 1/(kg m²)).
    #[inline]
    pub fn answered(&self, inverse: [f64; 3]) -> Side {
        let times = |by: [f64; 3]| [by[0] * inverse[0], by[1] * inverse[1], by[2] * inverse[2]];
        Side {
            body: self.body,
            normal: times(self.normal),
            slip: times(self.slip),
        }
    }
}

/// What is asked of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ask {
    /// How fast the gap opens afterwards at least, m/s: exactly so where an impulse acts.
    pub least: f64,
    /// The coefficient of friction; 0 without.
    pub friction: f64,
    /// The impulse to start from, along the normal and along the slip, N s: that of the step before, say.
    pub guess: [f64; 2],
}

#[derive(Clone, Debug)]
struct Row {
    sides: [Side; 2],
    answers: Range<usize>,
    /// What a unit impulse does to the gap's own rate, to the other, and to the slip's own, 1/kg.
    own: [f64; 3],
    least: f64,
    friction: f64,
    impulse: [f64; 2],
}

/// All contacts of an instant. Its room is kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Cone {
    rows: Vec<Row>,
    answers: Vec<Side>,
    mixing: Mixing,
}

/// When sweeps end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// The most sweeps.
    pub iterations: u64,
    /// What a sweep changes of a speed, as a part of the largest one.
    pub tolerance: f64,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Swept {
    /// Sweeps over all contacts.
    pub iterations: u64,
    /// What the last one changed of a speed, as a part of the largest one: zero where all agree.
    pub residual: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
    /// The largest speed that any contact sees, m/s: what residuals are measured by.
    pub scale: f64,
}

impl Cone {
    /// Forgets all contacts.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.answers.clear();
    }

    /// How many contacts there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Counts an impulse (N s) that has acted before, beside the one found since.
    pub fn count(&mut self, contact: usize, [normal, along]: [f64; 2]) {
        if let Some(row) = self.rows.get_mut(contact) {
            row.impulse[0] += normal;
            row.impulse[1] += along;
        }
    }

    /// One more contact: its two sides, and what a unit of its impulses does to the velocities of each body that it reaches.
    pub fn push(&mut self, sides: [Side; 2], answers: impl IntoIterator<Item = Side>, ask: Ask) {
        let first = self.answers.len();
        self.answers.extend(answers);
        let answers = first..self.answers.len();
        let mut own = [0.0; 3];
        for answer in self.answers.get(answers.clone()).unwrap_or_default() {
            for side in &sides {
                if side.body == answer.body {
                    own[0] += dot(&side.normal, &answer.normal);
                    own[1] += dot(&side.normal, &answer.slip);
                    own[2] += dot(&side.slip, &answer.slip);
                }
            }
        }
        self.rows.push(Row {
            sides,
            answers,
            own,
            least: ask.least,
            friction: ask.friction,
            impulse: ask.guess,
        });
    }

    /// The inverse of the effective mass along the normal of a contact, 1/kg; zero where nothing yields.
    pub fn yields(&self, contact: usize) -> f64 {
        self.rows.get(contact).map_or(0.0, |row| row.own[0])
    }

    /// What a unit impulse does to the gap's own rate, to the other, and to the slip's own, 1/kg.
    pub fn own(&self, contact: usize) -> [f64; 3] {
        self.rows.get(contact).map_or([0.0; 3], |row| row.own)
    }

    /// What is asked of a contact, anew.
    pub fn ask(&mut self, contact: usize, ask: Ask) {
        if let Some(row) = self.rows.get_mut(contact) {
            (row.least, row.friction, row.impulse) = (ask.least, ask.friction, ask.guess);
        }
    }

    /// The impulse of a contact: along the normal, and along the slip on the second body, N s.
    pub fn impulse(&self, contact: usize) -> [f64; 2] {
        self.rows.get(contact).map_or([0.0; 2], |row| row.impulse)
    }

    /// How fast a gap opens and how fast the surfaces slip with these velocities, m/s.
    #[inline]
    pub fn speeds(&self, contact: usize, velocities: &[[f64; 3]]) -> [f64; 2] {
        self.rows
            .get(contact)
            .map_or([0.0; 2], |row| speeds(&row.sides, velocities))
    }

    /// Adds what all impulses do to the velocities: where they are known, or guessed.
    pub fn add(&self, velocities: &mut [[f64; 3]]) {
        for row in &self.rows {
            if row.impulse != [0.0; 2]
                && let Some(answers) = self.answers.get(row.answers.clone())
            {
                give(answers, row.impulse, velocities);
            }
        }
    }

    /// The problem with all contacts at once: the matrix (row by row; normal and slip of each contact by turns) that turns impulses into speeds, and the speeds without impulses.
    pub fn assemble(&self, velocities: &[[f64; 3]], matrix: &mut Vec<f64>, before: &mut Vec<f64>) {
        let n = 2 * self.rows.len();
        matrix.clear();
        matrix.resize(n * n, 0.0);
        before.clear();
        for (i, row) in self.rows.iter().enumerate() {
            before.extend(speeds(&row.sides, velocities));
            for (j, other) in self.rows.iter().enumerate() {
                let mut block = [0.0; 4];
                for answer in self.answers.get(other.answers.clone()).unwrap_or_default() {
                    for side in row.sides.iter().filter(|side| side.body == answer.body) {
                        block[0] += dot(&side.normal, &answer.normal);
                        block[1] += dot(&side.normal, &answer.slip);
                        block[2] += dot(&side.slip, &answer.normal);
                        block[3] += dot(&side.slip, &answer.slip);
                    }
                }
                for (k, value) in block.into_iter().enumerate() {
                    if let Some(place) = matrix.get_mut((2 * i + k / 2) * n + 2 * j + k % 2) {
                        *place = value;
                    }
                }
            }
        }
    }

    /// What was asked of a contact: the least rate of its gap, m/s, and its coefficient of friction.
    pub fn asked(&self, contact: usize) -> [f64; 2] {
        self.rows
            .get(contact)
            .map_or([0.0; 2], |row| [row.least, row.friction])
    }

    /// Gives a contact this impulse, N s, with what it does to the velocities.
    pub fn give(&mut self, contact: usize, impulse: [f64; 2], velocities: &mut [[f64; 3]]) {
        if let Some(row) = self.rows.get_mut(contact) {
            row.impulse = impulse;
            if let Some(answers) = self.answers.get(row.answers.clone()) {
                give(answers, impulse, velocities);
            }
        }
    }

    /// The largest speed that any contact sees with these velocities, or must have afterwards, m/s.
    pub fn scale(&self, velocities: &[[f64; 3]]) -> f64 {
        let mut scale = 0.0_f64;
        for row in &self.rows {
            let [normal, slip] = speeds(&row.sides, velocities);
            let slip = if row.friction > 0.0 { slip } else { 0.0 };
            scale = scale.max(normal.abs()).max(slip.abs()).max(row.least);
        }
        scale
    }

    /// Finds the impulses; `velocities` go in without them and come out with them. Sweeps go to and fro, always in the same order: the same input gives the same bytes.
    pub fn solve(&mut self, velocities: &mut [[f64; 3]], patience: Patience) -> Swept {
        let scale = self.scale(velocities);
        self.solve_to(velocities, patience, scale)
    }

    /// The same with residuals measured by another speed, m/s.
    pub fn solve_to(
        &mut self,
        velocities: &mut [[f64; 3]],
        patience: Patience,
        scale: f64,
    ) -> Swept {
        let mut swept = Swept {
            converged: true,
            scale,
            ..Swept::default()
        };
        if !(scale > 0.0) {
            for row in &mut self.rows {
                row.impulse = [0.0; 2];
            }
            return swept;
        }
        self.add(velocities);
        let Self {
            rows,
            answers,
            mixing,
        } = self;
        mixing.begin(rows);
        while swept.iterations < patience.iterations {
            mixing.keep(rows);
            for back in [false, true] {
                let mut change = 0.0_f64;
                if back {
                    for row in rows.iter_mut().rev() {
                        change = change.max(row.settle(answers, velocities));
                    }
                } else {
                    for row in rows.iter_mut() {
                        change = change.max(row.settle(answers, velocities));
                    }
                }
                swept.iterations += 1;
                swept.residual = change / scale;
                if swept.residual <= patience.tolerance {
                    return swept;
                }
            }
            if swept.iterations < patience.iterations && mixing.mix(rows) {
                for (row, change) in rows.iter_mut().zip(mixing.change.as_chunks::<2>().0) {
                    row.impulse[0] += change[0];
                    row.impulse[1] += change[1];
                    if let Some(answers) = answers.get(row.answers.clone()) {
                        give(answers, *change, velocities);
                    }
                }
            }
        }
        swept.converged = false;
        swept
    }
}

/// How many pairs of sweeps are looked back upon.
const MEMORY: usize = 10;
/// So many pairs of sweeps come before the first look back.
const FIRST: usize = 3;
/// A step that is so many times as large as the least one so far was a bad guess, and all is forgotten.
const WORSE: f64 = 2.0;

/// Pairs of sweeps whose changes differ by less than this part do the same.
const SAME: f64 = 0.05;
/// As many of them as this are not leapt over: such impulses grow without bounds, or nearly so, and rounding would be all that is left.
const FAR: f64 = 1e6;

/// What the last pairs of sweeps say about where they lead: Anderson's mixing (Anderson 1965; Walker and Ni 2011). Sweeps alone need thousands of turns for a stack of ten boxes, since news travels one box a sweep.
///
/// With x the impulses before a pair of sweeps, g after it and f = g − x, the next x is g less that combination of the last changes of g whose changes of f come nearest to f. Squares are weighted so that they are
/// energies.
#[derive(Clone, Debug, Default)]
struct Mixing {
    /// Of every number, 1/kg.
    weights: Vec<f64>,
    before: Vec<f64>,
    /// f and g of the pair before.
    last: [Vec<f64>; 2],
    /// Their changes, one column after the other.
    changes: [Vec<f64>; 2],
    /// The products of the changes of f.
    products: [[f64; MEMORY]; MEMORY],
    /// How many pairs there were since the beginning, and how many changes are known.
    pairs: usize,
    known: usize,
    least: f64,
    change: Vec<f64>,
}

impl Mixing {
    fn begin(&mut self, rows: &[Row]) {
        self.weights.clear();
        for row in rows {
            self.weights.extend([row.own[0], row.own[2]]);
        }
        let n = self.weights.len();
        self.before.clear();
        self.before.resize(n, 0.0);
        self.change.clear();
        self.change.resize(n, 0.0);
        for k in 0..2 {
            self.last[k].clear();
            self.last[k].resize(n, 0.0);
            // Columns are written before they are read.
            self.changes[k].resize(n * MEMORY, 0.0);
        }
        (self.pairs, self.known, self.least) = (0, 0, f64::INFINITY);
    }

    /// Remembers the impulses before a pair of sweeps.
    fn keep(&mut self, rows: &[Row]) {
        for (place, row) in self.before.as_chunks_mut::<2>().0.iter_mut().zip(rows) {
            *place = row.impulse;
        }
    }

    /// Looks back after a pair of sweeps: whether `change` is to be added to the impulses.
    fn mix(&mut self, rows: &[Row]) -> bool {
        let n = self.weights.len();
        // f, for now in the place of the change.
        let places = self.change.as_chunks_mut::<2>().0.iter_mut();
        let mut size = 0.0;
        for (i, ((f, before), row)) in places
            .zip(self.before.as_chunks::<2>().0)
            .zip(rows)
            .enumerate()
        {
            for k in 0..2 {
                f[k] = row.impulse[k] - before[k];
                size += self.weights.get(2 * i + k).unwrap_or(&0.0) * f[k] * f[k];
            }
        }
        if self.leaps(rows, size) {
            return true;
        }
        if size > WORSE * WORSE * self.least {
            self.known = 0;
        } else if self.pairs > 0 {
            let column = (self.known % MEMORY) * n;
            let [last_f, last_g] = &mut self.last;
            let [by_f, by_g] = &mut self.changes;
            let by_f = by_f.get_mut(column..column + n).unwrap_or_default();
            let by_g = by_g.get_mut(column..column + n).unwrap_or_default();
            for (i, row) in rows.iter().enumerate() {
                for k in 0..2 {
                    let at = 2 * i + k;
                    if let (Some(by_f), Some(by_g), Some(f), Some(last_f), Some(last_g)) = (
                        by_f.get_mut(at),
                        by_g.get_mut(at),
                        self.change.get(at),
                        last_f.get(at),
                        last_g.get(at),
                    ) {
                        *by_f = f - last_f;
                        *by_g = row.impulse[k] - last_g;
                    }
                }
            }
            self.known += 1;
        }
        self.least = self.least.min(size);
        let [last_f, last_g] = &mut self.last;
        last_f.copy_from_slice(&self.change);
        for (place, row) in last_g.as_chunks_mut::<2>().0.iter_mut().zip(rows) {
            *place = row.impulse;
        }
        self.pairs += 1;
        let used = self.known.min(MEMORY);
        if used == 0 {
            return false;
        }
        let newest = (self.known - 1) % MEMORY;
        let columns = |k: usize| self.changes[0].get(k * n..(k + 1) * n).unwrap_or_default();
        let product = |a: &[f64], b: &[f64]| {
            let both = a.iter().zip(b).zip(&self.weights);
            both.map(|((a, b), w)| w * a * b).sum::<f64>()
        };
        let mut right = [0.0; MEMORY];
        for k in 0..used {
            let with = product(columns(newest), columns(k));
            self.products[newest][k] = with;
            self.products[k][newest] = with;
            right[k] = product(columns(k), &self.change);
        }
        if self.pairs < FIRST || !combine(&self.products, used, &mut right) {
            return false;
        }
        self.change.fill(0.0);
        for (k, part) in right.iter().take(used).enumerate() {
            let by_g = self.changes[1].get(k * n..(k + 1) * n).unwrap_or_default();
            for (change, by_g) in self.change.iter_mut().zip(by_g) {
                *change -= part * by_g;
            }
        }
        true
    }

    /// Whether sweep after sweep does the same, as where friction wedges bodies between each other: impulses grow by as much every time until a contact opens or slips. `change` then leads there at once, and all is forgotten.
    fn leaps(&mut self, rows: &[Row], size: f64) -> bool {
        if self.pairs == 0 {
            return false;
        }
        let (mut differ, mut falls) = (0.0, 0.0);
        let all = self.change.iter().zip(&self.last[0]).zip(&self.weights);
        for ((f, last), w) in all {
            differ += w * (f - last) * (f - last);
            falls += w * (last - f) * f;
        }
        // Where changes fall, however slowly, mixing sees where they end.
        if !(differ < SAME * SAME * size && falls * FAR < size) {
            return false;
        }
        let mut far = FAR;
        for (row, [normal, along]) in rows.iter().zip(self.change.as_chunks::<2>().0) {
            let ([p, r], edge) = (row.impulse, row.friction);
            if p > 0.0 && *normal < 0.0 {
                far = far.min(-p / normal);
            }
            for way in [1.0, -1.0] {
                let (room, closes) = (edge * p - way * r, way * along - edge * normal);
                if room > 0.0 && closes > 0.0 {
                    far = far.min(room / closes);
                }
            }
        }
        if !(far > 1.0 && far < FAR) {
            return false;
        }
        self.change.iter_mut().for_each(|change| *change *= far);
        (self.pairs, self.known, self.least) = (0, 0, f64::INFINITY);
        true
    }
}

/// Solves the normal equations of the first `n` columns in place; whether that makes sense.
fn combine(products: &[[f64; MEMORY]; MEMORY], n: usize, right: &mut [f64; MEMORY]) -> bool {
    let mut l = *products;
    let trace: f64 = (0..n).map(|k| products[k][k]).sum();
    let floor = 1e-13 * trace;
    // L D Lᵀ, a little more than the diagonal so that columns which say the same share.
    for i in 0..n {
        for j in 0..i {
            let mut sum = l[i][j];
            for k in 0..j {
                sum -= l[i][k] * l[j][k] * l[k][k];
            }
            l[i][j] = sum / l[j][j];
        }
        let mut sum = l[i][i] + floor;
        for k in 0..i {
            sum -= l[i][k] * l[i][k] * l[k][k];
        }
        if !(sum > 0.1 * floor) {
            return false;
        }
        l[i][i] = sum;
    }
    for i in 0..n {
        for k in 0..i {
            right[i] -= l[i][k] * right[k];
        }
    }
    for i in (0..n).rev() {
        right[i] /= l[i][i];
        for k in i + 1..n {
            right[i] -= l[k][i] * right[k];
        }
    }
    right.iter().take(n).all(|part| part.is_finite())
}

impl Row {
    /// Solves one contact exactly with all others as they are; the largest change of a speed, m/s.
    #[inline]
    fn settle(&mut self, answers: &[Side], velocities: &mut [[f64; 3]]) -> f64 {
        let [now, slip] = speeds(&self.sides, velocities);
        let [nn, nt, tt] = self.own;
        let [normal, along] = self.impulse;
        // As it would be without this contact.
        let free = now - nn * normal - nt * along - self.least;
        let slides = slip - nt * normal - tt * along;
        let found = alone(self.own, [free, slides], self.friction);
        let change = [found[0] - normal, found[1] - along];
        if change == [0.0; 2] {
            return 0.0;
        }
        self.impulse = found;
        if let Some(answers) = answers.get(self.answers.clone()) {
            give(answers, change, velocities);
        }
        (nn * change[0] + nt * change[1])
            .abs()
            .max((nt * change[0] + tt * change[1]).abs())
    }
}

/// The impulse (normal, along the slip) of one contact that would without it open at `free` more than it must and slip at `slides`, m/s; `own` as of a row.
#[inline]
pub fn alone([nn, nt, tt]: [f64; 3], [free, slides]: [f64; 2], friction: f64) -> [f64; 2] {
    if !(free < 0.0) || !(nn > 0.0) {
        return [0.0; 2];
    }
    if !(friction > 0.0) {
        return [-free / nn, 0.0];
    }
    // It sticks.
    let determinant = nn * tt - nt * nt;
    let mut held = [f64::NAN; 2];
    if determinant > 1e-14 * nn * tt {
        held = [
            (nt * slides - tt * free) / determinant,
            (nt * free - nn * slides) / determinant,
        ];
        if held[0] >= 0.0 && held[1].abs() <= friction * held[0] {
            return held;
        }
    }
    // It slides, forwards or backwards: where both could be, the way it would go by itself first.
    let first = if slides >= 0.0 { 1.0 } else { -1.0 };
    let mut other = None;
    for sign in [first, -first] {
        let pushed = nn - sign * friction * nt;
        if !(pushed > 0.0) {
            continue;
        }
        let normal = -free / pushed;
        let along = -sign * friction * normal;
        if sign * (slides + nt * normal + tt * along) >= 0.0 {
            return [normal, along];
        }
        other = other.or(Some([normal, along]));
    }
    // Rounding at an edge of the cone.
    let edge = friction * held[0];
    if held[0] > 0.0 {
        return [held[0], held[1].max(-edge).min(edge)];
    }
    other.unwrap_or([-free / nn, 0.0])
}

#[inline]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn speeds(sides: &[Side; 2], velocities: &[[f64; 3]]) -> [f64; 2] {
    let mut found = [0.0; 2];
    for side in sides {
        if let Some(v) = velocities.get(side.body) {
            found[0] += dot(&side.normal, v);
            found[1] += dot(&side.slip, v);
        }
    }
    found
}

#[inline]
fn give(answers: &[Side], [normal, along]: [f64; 2], velocities: &mut [[f64; 3]]) {
    for answer in answers {
        if let Some(v) = velocities.get_mut(answer.body) {
            for (k, v) in v.iter_mut().enumerate() {
                *v += answer.normal[k] * normal + answer.slip[k] * along;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of 2 kg above the ground: the gap opens along y, the slip along x.
    fn point(friction: f64, least: f64) -> Cone {
        let side = Side {
            body: 0,
            normal: [0.0, 1.0, 0.0],
            slip: [1.0, 0.0, 0.0],
        };
        let mut cone = Cone::default();
        let ask = Ask {
            least,
            friction,
            guess: [0.0; 2],
        };
        cone.push([Side::STILL, side], [side.answered([0.5, 0.5, 1.0])], ask);
        cone
    }

    const PATIENCE: Patience = Patience {
        iterations: 1000,
        tolerance: 1e-14,
    };

    #[test]
    fn a_contact_opens_sticks_or_slides_as_the_closed_forms_say() {
        // It opens by itself.
        let mut v = [[1.0, 2.0, 0.0]];
        assert!(point(0.5, 0.0).solve(&mut v, PATIENCE).converged);
        assert_eq!(v, [[1.0, 2.0, 0.0]]);
        // It slides: p = m (1 + e) v = 2·1.5·4 = 12, and friction takes 12/8/2 of the slip.
        let mut v = [[3.0, -4.0, 0.0]];
        let mut cone = point(0.125, 2.0);
        assert!(cone.solve(&mut v, PATIENCE).converged);
        assert_eq!(cone.impulse(0), [12.0, -1.5]);
        assert_eq!(v, [[2.25, 2.0, 0.0]]);
        // It sticks.
        let mut v = [[3.0, -4.0, 0.0]];
        let mut cone = point(0.9, 2.0);
        cone.solve(&mut v, PATIENCE);
        assert_eq!((cone.impulse(0), v), ([12.0, -6.0], [[0.0, 2.0, 0.0]]));
    }

    #[test]
    fn one_contact_has_an_answer_for_every_coupling_and_it_is_right() {
        // Every symmetric positive matrix on a grid, every free motion around the circle: an answer obeys Signorini and Coulomb.
        let mut looked = 0;
        for nn in [0.1, 1.0, 7.0] {
            for tt in [0.05, 1.0, 9.0] {
                for part in [-0.97, -0.5, 0.0, 0.3, 0.95] {
                    let nt = part * f64::sqrt(nn * tt);
                    for friction in [0.0, 0.1, 0.7, 3.0] {
                        for k in 0..64 {
                            let angle = f64::from(k) * 0.0981747704;
                            let [free, slides] = [angle.sin(), angle.cos()];
                            let [p, r] = alone([nn, nt, tt], [free, slides], friction);
                            let [u, s] = [free + nn * p + nt * r, slides + nt * p + tt * r];
                            let size = 1e-12 * (1.0 + (nn + tt) * (p + r.abs()));
                            assert!(p >= 0.0 && u >= -size && (p * u).abs() <= size * (1.0 + p));
                            assert!(r.abs() <= friction * p + size, "{p} {r}");
                            let slips = s.abs() > size && friction > 0.0;
                            let right = (r + s.signum() * friction * p).abs() <= size;
                            assert!(
                                !slips || right,
                                "{nn} {nt} {tt} {friction} {k}: {p} {r} {s}"
                            );
                            looked += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(looked, 3 * 3 * 5 * 4 * 64);
    }

    #[test]
    fn a_blow_runs_through_a_row_of_balls_and_momentum_stays() {
        // Five balls of 1 kg in a row on x, the first comes in at 1 m/s without restitution: all go on with 1/5 m/s.
        let mut cone = Cone::default();
        for i in 0..4 {
            let by = |body: usize, sign: f64| Side {
                body,
                normal: [sign, 0.0, 0.0],
                slip: [0.0, sign, 0.0],
            };
            let sides = [by(i, -1.0), by(i + 1, 1.0)];
            cone.push(
                sides,
                sides.map(|side| side.answered([1.0; 3])),
                Ask::default(),
            );
        }
        let mut v = [[0.0; 3]; 5];
        v[0][0] = 1.0;
        let swept = cone.solve(&mut v, PATIENCE);
        assert!(swept.converged && swept.residual <= 1e-14, "{swept:?}");
        for v in v {
            assert!((v[0] - 0.2).abs() < 1e-13, "{v:?}");
        }
        // The last joint carries what one ball has, the first what four have.
        assert!((cone.impulse(0)[0] - 0.8).abs() < 1e-13);
        assert!((cone.impulse(3)[0] - 0.2).abs() < 1e-13);
        // From there nothing is left to do.
        let guesses: Vec<[f64; 2]> = (0..4).map(|i| cone.impulse(i)).collect();
        for (i, guess) in guesses.into_iter().enumerate() {
            cone.ask(
                i,
                Ask {
                    guess,
                    ..Ask::default()
                },
            );
        }
        let mut v = [[0.0; 3]; 5];
        v[0][0] = 1.0;
        assert_eq!(cone.solve(&mut v, PATIENCE).iterations, 1);
    }
}

//! How are the constrained equations of motion solved?
//!
//! M a + Jᵀ λ = f, J a = γ (Newton–Euler with Lagrange multipliers), M diagonal: the multipliers obey S λ = J M⁻¹ f − γ with the Schur complement S = J M⁻¹ Jᵀ, which couples
//! joints that share a body. S is factored as L D Lᵀ in 2×2 blocks, in the order that `structure` found, and nothing is allocated.
//!
//! A pivot is what is left of a row beside the rows eliminated before it. Where less than 1e-12 of its square is left, the configuration is singular: the evaluation is
//! handed to `dense`, or, beyond 300 rows, the row is left out of this one evaluation. Both are counted and said by [`Rank`]. Where less than a hundredth is left, the solution
//! is refined with its own residual.

use super::dense::{Dense, MOST_ROWS};
use super::structure::{Fault, Node, Structure};

/// What must be left of a row's square beside the others.
const PIVOT: f64 = 1e-12;
/// What must be left of it for a solution without refinement.
const SOUND: f64 = 1e-2;
/// What must be left of a row (not its square) in the dense factorisation. Below, the acceleration along it would have fewer than four digits.
const REST: f64 = 1e-12;
/// A loss above which a mechanism is beside a singular position: a hundredth of its size away.
const NEAR: f64 = 1e4;
/// The shift of a soft factorisation, as a part of the diagonal. With less, states that are a little off are thrown about; with more, the shift itself is felt. Chosen on a row of 40
/// parallelograms that pass through their singular position: 1e-7 and 1e-9 are worse, tenfold and more.
const SHIFT: f64 = 1e-8;

/// What a factorisation found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Rank {
    /// All rows in use are independent.
    Full,
    /// A singular configuration: this many rows in use depend on others, as closely as can be told. Accelerations are those that the independent rows allow; reactions are of
    /// least norm (up to 300 rows), or zero for the rows left out.
    Deficient(usize),
    /// Masses or Jacobian have entries that are not finite, or whose squares are not; solutions are NaN.
    NotFinite,
}

/// What a [`Saddle`] has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Factorisations.
    pub factorisations: u64,
    /// Those in which a pivot was too small: handed to the dense factorisation, or done with rows left out.
    pub singular: u64,
    /// Those whose solutions are refined.
    pub refined: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Sparse,
    Dense,
    NotFinite,
}

/// The same of a node's two rows, side by side: what is done to both is one instruction.
type Pair = [f64; 2];
/// A 2×2 block, column by column.
type Block = [Pair; 2];

/// A node's diagonal block as l d lᵀ: the entry of l and the inverse pivots.
#[derive(Clone, Copy, Debug, Default)]
struct Pivot {
    l: f64,
    inverse: [f64; 2],
}

impl Pivot {
    /// Of a block, the lower half of which is read. A pivot that is not above its limit has the inverse zero, which leaves its row out; so has one that is not a number.
    #[inline]
    fn of([[s11, s21], [_, s22]]: Block, limits: Pair) -> Pivot {
        let first = s11 > limits[0] && s11 >= f64::MIN_POSITIVE;
        let inverse = if first { 1.0 / s11 } else { 0.0 };
        // The second pivot, s22 − s21²/s11, times the first: its division need not wait for the other one.
        let (s, factor) = if first { (s21, s11) } else { (0.0, 1.0) };
        let rest = factor * s22 - s * s;
        let second = rest > limits[1] * factor && rest >= f64::MIN_POSITIVE;
        Pivot {
            l: s * inverse,
            inverse: [inverse, if second { factor / rest } else { 0.0 }],
        }
    }

    /// The solution L of L · block = S.
    #[inline]
    fn solve_rows(&self, s: Block) -> Block {
        let mut l = s;
        for i in 0..2 {
            l[1][i] = (s[1][i] - self.l * s[0][i]) * self.inverse[1];
        }
        for i in 0..2 {
            l[0][i] = s[0][i] * self.inverse[0] - self.l * l[1][i];
        }
        l
    }

    /// The solution x of block · x = z.
    #[inline]
    fn solve(&self, z: [f64; 2]) -> [f64; 2] {
        let second = (z[1] - self.l * z[0]) * self.inverse[1];
        [z[0] * self.inverse[0] - self.l * second, second]
    }
}

/// The constrained equations of motion of one mechanism, ready to be factored and solved again and again.
///
/// A Jacobian is one line of six numbers for each row: the derivatives by the first body's x, y (1, for a row in metres) and angle (m), then the second body's.
/// Three numbers of a line that stand for the ground have no effect; they must be finite.
#[derive(Clone, Debug)]
pub struct Saddle {
    structure: Structure,
    /// 1/m, 1/m, 1/I of each body; the ground's zeros at the end.
    inverse_masses: Vec<[f64; 3]>,
    /// 1 for a row in use, 0 for one that is not or not there.
    keep: Vec<[f64; 2]>,
    /// The inverse masses of each node's line.
    weights: Vec<[f64; 6]>,
    redundant: Vec<bool>,
    /// J, node by node.
    lines: Vec<[Pair; 6]>,
    /// J M⁻¹.
    weighted: Vec<[Pair; 6]>,
    /// S on the diagonal.
    diagonal: Vec<Block>,
    /// What stood there before elimination.
    scale: Vec<Pair>,
    pivots: Vec<Pivot>,
    /// S below the diagonal.
    s: Vec<Block>,
    /// L below the diagonal.
    l: Vec<Block>,
    /// Forces, then accelerations.
    motion: Vec<[f64; 3]>,
    /// Right-hand sides, then multipliers.
    x: Vec<[f64; 2]>,
    /// The multipliers before a refinement.
    so_far: Vec<[f64; 2]>,
    /// Right-hand sides and multipliers, row by row, where the caller gives no room for them.
    by_row: [Vec<f64>; 2],
    dense: Option<Dense>,
    state: State,
    refinements: usize,
    /// The largest loss of a row in the last elimination.
    loss: f64,
    statistics: Statistics,
}

impl Saddle {
    /// Buffers for a structure; `inverse_masses` are 1/m, 1/m, 1/I (1/kg, 1/kg, 1/(kg m²)) of every body, zero for a coordinate that nothing moves.
    pub fn new(structure: Structure, inverse_masses: &[f64]) -> Result<Saddle, Fault> {
        let bodies = structure.bodies;
        length("inverse masses", inverse_masses.len(), 3 * bodies)?;
        for (coordinate, &value) in inverse_masses.iter().enumerate() {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Fault::InverseMass { coordinate, value });
            }
        }
        let (nodes, blocks, rows) = (structure.nodes.len(), structure.blocks(), structure.rows());
        let mut inverse_masses = inverse_masses.as_chunks::<3>().0.to_vec();
        inverse_masses.push([0.0; 3]);
        let weight = |node: &Node| {
            let [a, b] = node.bodies.map(|body| inverse_masses[body]);
            [a[0], a[1], a[2], b[0], b[1], b[2]]
        };
        Ok(Saddle {
            weights: structure.nodes.iter().map(weight).collect(),
            inverse_masses,
            keep: structure
                .nodes
                .iter()
                .map(|node| [1.0, if node.double { 1.0 } else { 0.0 }])
                .collect(),
            redundant: vec![false; rows],
            lines: vec![[[0.0; 2]; 6]; nodes],
            weighted: vec![[[0.0; 2]; 6]; nodes],
            diagonal: vec![[[0.0; 2]; 2]; nodes],
            scale: vec![[0.0; 2]; nodes],
            pivots: vec![Pivot::default(); nodes],
            s: vec![[[0.0; 2]; 2]; blocks],
            l: vec![[[0.0; 2]; 2]; blocks],
            motion: vec![[0.0; 3]; bodies + 1],
            x: vec![[0.0; 2]; nodes],
            so_far: vec![[0.0; 2]; nodes],
            by_row: [vec![0.0; rows], vec![0.0; rows]],
            dense: (rows <= MOST_ROWS).then(|| Dense::new(bodies, &structure.row_bodies)),
            state: State::New,
            refinements: 0,
            loss: 0.0,
            statistics: Statistics::default(),
            structure,
        })
    }

    /// The structure it was made for.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How much smaller than itself the last factorisation left a row, at worst: the inverse square of how far the mechanism is from a singular position, as a part of its size.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// Whether a row is left out as redundant; its multiplier is zero.
    pub fn is_redundant(&self, row: usize) -> bool {
        self.redundant.get(row).copied().unwrap_or(false)
    }

    /// Leaves out these rows from now on, and takes all others.
    pub(crate) fn leave_out(&mut self, rows: &[usize]) {
        self.redundant.fill(false);
        for &row in rows {
            if let Some(redundant) = self.redundant.get_mut(row) {
                *redundant = true;
            }
        }
        for (node, keep) in self.structure.nodes.iter().zip(&mut self.keep) {
            let used = |row: usize| if self.redundant[row] { 0.0 } else { 1.0 };
            *keep = [
                used(node.rows[0]),
                if node.double { used(node.rows[1]) } else { 0.0 },
            ];
        }
        self.state = State::New;
    }

    pub(crate) fn inverse_masses(&self) -> &[[f64; 3]] {
        &self.inverse_masses
    }

    /// Factors the system for a Jacobian of one line a row.
    pub fn factor(&mut self, jacobian: &[[f64; 6]]) -> Result<Rank, Fault> {
        length("Jacobian", jacobian.len(), self.structure.rows())?;
        self.statistics.factorisations += 1;
        self.assemble(jacobian);
        let (missing, growth) = self.eliminate(PIVOT);
        self.loss = growth;
        // A step gains as many digits as the factorisation has: fewer, the more was lost.
        let lost = [1.0 / SOUND, 1e6, 1e9];
        self.refinements = lost.iter().filter(|&&limit| growth > limit).count();
        self.state = State::Sparse;
        if missing == 0 {
            self.statistics.refined += u64::from(self.refinements > 0);
            return Ok(Rank::Full);
        }
        if self.scale.iter().flatten().any(|s| !s.is_finite()) {
            self.state = State::NotFinite;
            return Ok(Rank::NotFinite);
        }
        self.statistics.singular += 1;
        let Some(dense) = &mut self.dense else {
            return Ok(Rank::Deficient(missing));
        };
        self.state = State::Dense;
        let used = self.redundant.iter().filter(|&&r| !r).count();
        let rank = dense.factor(
            jacobian,
            &self.inverse_masses,
            |row| !self.redundant[row],
            REST,
        );
        Ok(if rank == used {
            Rank::Full
        } else {
            Rank::Deficient(used - rank)
        })
    }

    /// Factors the system so that solutions stay smooth where a mechanism passes through a singular position.
    ///
    /// Away from one it is [`Saddle::factor`]. Beside one, at a distance σ (as a part of its size), a state that is off its constraints by c would be thrown about by c/σ². There S is
    /// factored with a shift ε of its diagonal, and the refinements, which see the true equations, take the shift out again but for (ε/(σ² + ε))⁵: the iteration of the augmented
    /// Lagrangian (Bayo, García de Jalón and Serna 1988). What it changes acts on the bodies with a factor σ only.
    pub fn factor_softly(&mut self, jacobian: &[[f64; 6]]) -> Result<Rank, Fault> {
        length("Jacobian", jacobian.len(), self.structure.rows())?;
        self.assemble(jacobian);
        let (missing, growth) = self.eliminate(PIVOT);
        if missing == 0 && growth < NEAR {
            self.statistics.factorisations += 1;
            self.loss = growth;
            self.refinements = usize::from(growth > 1.0 / SOUND);
            self.statistics.refined += u64::from(self.refinements > 0);
            self.state = State::Sparse;
            return Ok(Rank::Full);
        }
        self.assemble(jacobian);
        if self.scale.iter().flatten().any(|s| !s.is_finite()) {
            return self.factor(jacobian);
        }
        for (diagonal, scale) in self.diagonal.iter_mut().zip(&self.scale) {
            diagonal[0][0] += SHIFT * scale[0];
            diagonal[1][1] += SHIFT * scale[1];
        }
        let _ = self.eliminate(0.0);
        self.statistics.factorisations += 1;
        self.statistics.singular += 1;
        self.loss = growth.max(NEAR);
        self.refinements = 4;
        self.state = State::Sparse;
        Ok(Rank::Deficient(missing))
    }

    /// Whether the last factorisation was a soft one beside a singular position.
    pub fn is_near_singular(&self) -> bool {
        self.loss >= NEAR
    }

    /// The rows that the sparse factorisation leaves out at a tolerance for squares, in ascending order; `None` if something is not finite.
    pub(crate) fn small_pivots(
        &mut self,
        jacobian: &[[f64; 6]],
        tolerance: f64,
    ) -> Option<Vec<usize>> {
        self.state = State::New;
        self.assemble(jacobian);
        if self.scale.iter().flatten().any(|s| !s.is_finite()) {
            return None;
        }
        let _ = self.eliminate(tolerance);
        let mut rows = Vec::new();
        for (k, node) in self.structure.nodes.iter().enumerate() {
            for r in 0..2 {
                if self.pivots[k].inverse[r] == 0.0 {
                    rows.push(node.rows[r]);
                }
            }
        }
        rows.sort_unstable();
        Some(rows)
    }

    fn assemble(&mut self, jacobian: &[[f64; 6]]) {
        let all = self.structure.nodes.iter().zip(&self.keep);
        let all = all.zip(&self.weights);
        let all = all.zip(&mut self.lines).zip(&mut self.weighted);
        let all = all.zip(&mut self.diagonal).zip(&mut self.scale);
        for ((((((node, keep), w), lines), weighted), diagonal), scale) in all {
            let given = node.rows.map(|row| &jacobian[row]);
            // A row that is not in use has the equation λ = 0.
            let mut sum = [[1.0 - keep[0], 0.0], [0.0, 1.0 - keep[1]]];
            for c in 0..6 {
                let line = [keep[0] * given[0][c], keep[1] * given[1][c]];
                let heavy = [line[0] * w[c], line[1] * w[c]];
                add(&mut sum[0], heavy, line[0]);
                add(&mut sum[1], heavy, line[1]);
                lines[c] = line;
                weighted[c] = heavy;
            }
            *diagonal = sum;
            *scale = [sum[0][0], sum[1][1]];
        }
        self.s.fill([[0.0; 2]; 2]);
        for coupling in &self.structure.couplings {
            let weighted = end(&self.weighted[coupling.row.0], coupling.row.1);
            let lines = end(&self.lines[coupling.column.0], coupling.column.1);
            let block = &mut self.s[coupling.block];
            for c in 0..3 {
                add(&mut block[0], weighted[c], lines[c][0]);
                add(&mut block[1], weighted[c], lines[c][1]);
            }
        }
    }

    /// Factors S; returns how many rows were left out for a small pivot, and the largest loss of a row that was not.
    fn eliminate(&mut self, tolerance: f64) -> (usize, f64) {
        let mut missing = 0;
        let mut growth = 0.0_f64;
        let mut updates = self.structure.updates.iter();
        let columns = self.structure.start.windows(2).zip(&mut self.pivots);
        for (k, (column, pivot)) in columns.enumerate() {
            let scale = self.scale[k];
            *pivot = Pivot::of(self.diagonal[k], scale.map(|s| tolerance * s));
            let [first, second] = pivot.inverse;
            missing += usize::from(first == 0.0) + usize::from(second == 0.0);
            growth = growth.max(scale[0] * first).max(scale[1] * second);
            let column = column[0]..column[1];
            for p in column.clone() {
                let s = self.s[p];
                let l = pivot.solve_rows(s);
                self.l[p] = l;
                subtract_product(&mut self.diagonal[self.structure.below[p]], l, s);
                for q in column.start..p {
                    let Some(&target) = updates.next() else {
                        break;
                    };
                    let other = self.s[q];
                    subtract_product(&mut self.s[target], l, other);
                }
            }
        }
        (missing, growth)
    }

    /// Replaces x by S⁻¹ x, and takes M⁻¹ Jᵀ of it from the motion.
    fn substitute(&mut self) {
        let Structure {
            start,
            below,
            nodes,
            ..
        } = &self.structure;
        for (k, (column, pivot)) in start.windows(2).zip(&self.pivots).enumerate() {
            let z = self.x[k];
            // Here nothing waits for it; on the way back everything would.
            self.x[k] = pivot.solve(z);
            let column = column[0]..column[1];
            for (l, &i) in self.l[column.clone()].iter().zip(&below[column]) {
                let x = &mut self.x[i];
                add(x, l[0], -z[0]);
                add(x, l[1], -z[1]);
            }
        }
        let all = start.windows(2).zip(nodes).zip(&self.weighted);
        for (k, ((column, node), weighted)) in all.enumerate().rev() {
            let mut x = self.x[k];
            let column = column[0]..column[1];
            for (l, &i) in self.l[column.clone()].iter().zip(&below[column]) {
                let later = self.x[i];
                x[0] -= l[0][0] * later[0] + l[0][1] * later[1];
                x[1] -= l[1][0] * later[0] + l[1][1] * later[1];
            }
            self.x[k] = x;
            for side in 0..2 {
                let motion = &mut self.motion[node.bodies[side]];
                for c in 0..3 {
                    let w = weighted[3 * side + c];
                    motion[c] -= w[0] * x[0] + w[1] * x[1];
                }
            }
        }
    }

    /// With forces in `motion`: accelerations there, multipliers in `x`.
    fn solve_sparse(&mut self, gamma: &[f64]) {
        let all = self.structure.nodes.iter().zip(&self.keep);
        for ((node, keep), (weighted, x)) in all.zip(self.weighted.iter().zip(&mut self.x)) {
            let [a, b] = node.bodies.map(|body| self.motion[body]);
            *x = applied(weighted, &a, &b, wanted(node, keep, gamma));
        }
        for (motion, w) in self.motion.iter_mut().zip(&self.inverse_masses) {
            for c in 0..3 {
                motion[c] *= w[c];
            }
        }
        self.substitute();
        for _ in 0..self.refinements {
            self.refine(gamma);
        }
    }

    /// One step of refinement: what is missing of J a = γ changes the multipliers, and with them the accelerations.
    #[cold]
    fn refine(&mut self, gamma: &[f64]) {
        for (k, node) in self.structure.nodes.iter().enumerate() {
            let [a, b] = node.bodies.map(|body| self.motion[body]);
            self.so_far[k] = self.x[k];
            self.x[k] = applied(&self.lines[k], &a, &b, wanted(node, &self.keep[k], gamma));
        }
        self.substitute();
        for (x, before) in self.x.iter_mut().zip(&self.so_far) {
            x[0] += before[0];
            x[1] += before[1];
        }
    }

    /// With forces in `motion`: accelerations there, multipliers in `lambda`.
    fn solve_motion(&mut self, gamma: &[f64], lambda: &mut [f64]) -> Result<(), Fault> {
        match self.state {
            State::New => return Err(Fault::NotFactored),
            State::NotFinite => {
                self.motion.fill([f64::NAN; 3]);
                lambda.fill(f64::NAN);
            }
            State::Sparse => {
                self.solve_sparse(gamma);
                for (node, x) in self.structure.nodes.iter().zip(&self.x) {
                    // The second first: a node of one row names it twice, and the first counts.
                    lambda[node.rows[1]] = x[1];
                    lambda[node.rows[0]] = x[0];
                }
            }
            State::Dense => {
                if let Some(dense) = &mut self.dense {
                    dense.solve(&self.inverse_masses, &mut self.motion, gamma, lambda);
                }
            }
        }
        Ok(())
    }

    /// Takes forces in and makes sure that the ground has none.
    fn load(&mut self, force: &[f64]) {
        let given = force.len() / 3;
        if let Some(rest) = self.motion.get_mut(given..) {
            rest.fill([0.0; 3]);
        }
        for (motion, force) in self.motion.iter_mut().zip(force.as_chunks::<3>().0) {
            *motion = *force;
        }
    }

    fn unload(&self, acceleration: &mut [f64]) {
        let bodies = acceleration.as_chunks_mut::<3>().0.iter_mut();
        for (a, motion) in bodies.zip(&self.motion) {
            *a = *motion;
        }
    }

    /// Solves M a + Jᵀ λ = f, J a = γ with the last factorisation: `force` and `acceleration` have three numbers a body (N, N, N m; m/s², m/s², rad/s²), `gamma` and
    /// `lambda` one a row (m/s² and N for a row in metres). The force of a constraint on the bodies is −Jᵀ λ.
    pub fn solve(
        &mut self,
        force: &[f64],
        gamma: &[f64],
        acceleration: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), Fault> {
        let (coordinates, rows) = (3 * self.structure.bodies, self.structure.rows());
        length("forces", force.len(), coordinates)?;
        length("right-hand sides of constraints", gamma.len(), rows)?;
        length("accelerations", acceleration.len(), coordinates)?;
        length("multipliers", lambda.len(), rows)?;
        self.load(force);
        self.solve_motion(gamma, lambda)?;
        self.unload(acceleration);
        Ok(())
    }

    /// The change Δ of the coordinates with J Δ = −Φ that is least in the masses' norm ΔᵀMΔ: a step of the projection of positions (Φ in m or rad, Δ likewise) or of
    /// velocities (m/s or rad/s) onto the constraints.
    pub fn project(&mut self, violation: &[f64], change: &mut [f64]) -> Result<(), Fault> {
        length("violations", violation.len(), self.structure.rows())?;
        length("changes", change.len(), 3 * self.structure.bodies)?;
        self.load(&[]);
        let [mut gamma, mut lambda] = std::mem::take(&mut self.by_row);
        for (gamma, violation) in gamma.iter_mut().zip(violation) {
            *gamma = -violation;
        }
        let done = self.solve_motion(&gamma, &mut lambda);
        self.by_row = [gamma, lambda];
        done?;
        self.unload(change);
        Ok(())
    }

    /// wᵀ A w, with the inverse mass A that the constraints leave: what a unit force along w adds to the acceleration along w (1/kg for w without unit). `direction` has
    /// three numbers a body. Its inverse is the effective mass at a contact with that w.
    ///
    /// Taken as (A w)ᵀ M (A w), which is the same: never negative, and an error of the multipliers enters it squared.
    pub fn constrained_inverse_mass(&mut self, direction: &[f64]) -> Result<f64, Fault> {
        length("direction", direction.len(), 3 * self.structure.bodies)?;
        self.load(direction);
        let [mut gamma, mut lambda] = std::mem::take(&mut self.by_row);
        gamma.fill(0.0);
        let done = self.solve_motion(&gamma, &mut lambda);
        self.by_row = [gamma, lambda];
        done?;
        let mut sum = 0.0;
        for (a, w) in self.motion.iter().zip(&self.inverse_masses) {
            for c in 0..3 {
                // What has no inverse mass does not move.
                if w[c] > 0.0 {
                    sum += a[c] * a[c] / w[c];
                }
            }
        }
        Ok(sum)
    }
}

pub(crate) fn length(what: &'static str, found: usize, wanted: usize) -> Result<(), Fault> {
    if found == wanted {
        Ok(())
    } else {
        Err(Fault::Length {
            what,
            found,
            wanted,
        })
    }
}

/// x += v · factor.
#[inline]
fn add(x: &mut Pair, v: Pair, factor: f64) {
    x[0] += v[0] * factor;
    x[1] += v[1] * factor;
}

/// target −= L Sᵀ.
#[inline]
fn subtract_product(target: &mut Block, l: Block, s: Block) {
    for j in 0..2 {
        for i in 0..2 {
            target[j][i] -= l[0][i] * s[0][j] + l[1][i] * s[1][j];
        }
    }
}

/// The part of a node's lines that belongs to its first (0) or second body.
#[inline]
fn end(lines: &[Pair; 6], side: usize) -> &[Pair] {
    if side == 0 { &lines[..3] } else { &lines[3..] }
}

/// γ of a node's rows, zero for one that is not in use.
#[inline]
fn wanted(node: &Node, keep: &Pair, gamma: &[f64]) -> Pair {
    [keep[0] * gamma[node.rows[0]], keep[1] * gamma[node.rows[1]]]
}

/// A node's lines applied to the motions of its bodies, less γ.
#[inline]
fn applied(lines: &[Pair; 6], a: &[f64; 3], b: &[f64; 3], gamma: Pair) -> Pair {
    let mut sum = [-gamma[0], -gamma[1]];
    let mut other = [0.0; 2];
    for c in 0..3 {
        add(&mut sum, lines[c], a[c]);
        add(&mut other, lines[3 + c], b[c]);
    }
    [sum[0] + other[0], sum[1] + other[1]]
}

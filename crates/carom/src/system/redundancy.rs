//! Which constraints say what others say already?
//!
//! A guide written twice holds no more than once: the accelerations are the same, but how the force is shared between the two is not determined by rigid bodies. Such rows are found
//! once, at assembly, and left out; their reactions, and those of the rows they depend on, must not be printed as if they were unique.

use super::dense::{Dense, MOST_ROWS};
use super::saddle::{Saddle, length};
use super::structure::{Fault, Structure};

/// A row that is left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The row that says nothing new.
    pub row: usize,
    /// The rows of which it is a combination; none if the row is zero.
    pub on: Vec<usize>,
}

/// What the test of rank found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// How many rows are independent; coordinates less this are the degrees of freedom.
    pub rank: usize,
    /// The rows left out, ascending.
    pub dependences: Vec<Dependence>,
}

impl Redundancy {
    /// The rows whose multipliers are not unique, ascending: those left out and those they depend on.
    pub fn not_unique(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = self
            .dependences
            .iter()
            .flat_map(|d| d.on.iter().copied().chain([d.row]))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Takes over what another position of the same rank says about who shares with whom; the rows left out stay.
    pub(super) fn also(&mut self, other: Redundancy) {
        for dependence in other.dependences {
            let row = dependence.row;
            let at = self.dependences.iter().position(|own| own.row == row);
            let Some(own) = self.dependences.get_mut(at.unwrap_or(0)) else {
                return;
            };
            own.on.extend(dependence.on);
            own.on.push(row);
            own.on.sort_unstable();
            own.on.dedup();
            own.on.retain(|on| *on != own.row);
        }
    }

    /// The ties of those rows, ascending.
    pub fn ties(&self, structure: &Structure) -> Vec<usize> {
        let mut ties: Vec<usize> = self
            .not_unique()
            .into_iter()
            .filter_map(|row| structure.tie_of(row))
            .collect();
        ties.dedup();
        ties
    }
}

impl Saddle {
    /// Finds rows that depend on others, for this Jacobian, and leaves them out from now on. A row depends if less than `tolerance` of it (1e-9, say) stands outside the span of
    /// others, each measured in the masses' norm. Of rows that say the same the earlier stays. Factor afterwards.
    ///
    /// Up to 300 rows by a QR factorisation with pivoting. Beyond, by the pivots of the sparse factorisation, which are squares: less than 1e-6 is then not told from nothing, and
    /// which of the dependent rows stays follows the order of elimination.
    ///
    /// A mechanism in a singular position (all links in line) is redundant there and only there: ask in a position that is none.
    pub fn drop_redundant(
        &mut self,
        jacobian: &[[f64; 6]],
        tolerance: f64,
    ) -> Result<Redundancy, Fault> {
        let rows = self.structure().rows();
        length("Jacobian", jacobian.len(), rows)?;
        self.leave_out(&[]);
        let small = self
            .small_pivots(jacobian, (tolerance * tolerance).max(1e-12))
            .ok_or(Fault::NotFinite)?;
        let mut left_out = if rows <= MOST_ROWS {
            let mut dense = Dense::new(self.structure().bodies(), &self.structure().row_bodies);
            let _ = dense.factor(jacobian, self.inverse_masses(), |_| true, tolerance);
            dense.dependent().to_vec()
        } else {
            small
        };
        left_out.sort_unstable();
        self.leave_out(&left_out);
        let mut dependences = Vec::new();
        if !left_out.is_empty() {
            let _ = self.factor(jacobian)?;
            for &row in &left_out {
                let on = self.combination(jacobian, row)?;
                dependences.push(Dependence { row, on });
            }
        }
        Ok(Redundancy {
            rank: rows - left_out.len(),
            dependences,
        })
    }

    /// The rows that hold the force of `row`: its combination, since nothing is left to move.
    fn combination(&mut self, jacobian: &[[f64; 6]], row: usize) -> Result<Vec<usize>, Fault> {
        const SHARE: f64 = 1e-6;
        let structure = self.structure();
        let ends = structure.row_bodies.clone();
        let mut force = vec![0.0; 3 * structure.bodies()];
        for (side, &body) in ends[row].iter().enumerate() {
            if let Some(force) = force.get_mut(3 * body..3 * body + 3) {
                force.copy_from_slice(&jacobian[row][3 * side..3 * side + 3]);
            }
        }
        let gamma = vec![0.0; ends.len()];
        let mut acceleration = force.clone();
        let mut lambda = gamma.clone();
        self.solve(&force, &gamma, &mut acceleration, &mut lambda)?;
        // In the masses' norm, where rows of different units compare.
        let square = |row: usize| {
            (0..6)
                .map(|c| {
                    jacobian[row][c]
                        * jacobian[row][c]
                        * self.inverse_masses()[ends[row][c / 3]][c % 3]
                })
                .sum::<f64>()
        };
        let own = square(row);
        Ok((0..ends.len())
            .filter(|&i| lambda[i] * lambda[i] * square(i) > SHARE * SHARE * own)
            .collect())
    }
}

//! How are a few contacts solved all at once, by pivots?
//!
//! In the plane the cone of friction has two edges, so that contacts with friction are a linear complementarity problem as they are (Stewart and Trinkle 1996): for every contact the normal impulse, the impulses
//! along both edges, and the speed of slipping.

use crate::impulse::{Cone, Room, lemke};

/// Room for the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Pivots {
    room: Room,
    delassus: Vec<f64>,
    before: Vec<f64>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
    failed: u64,
}

impl Pivots {
    /// With more contacts the tableau is too large to be quick.
    pub const MOST: usize = 48;

    /// Whether there are few enough.
    pub fn takes(&self, contacts: usize) -> bool {
        contacts <= Self::MOST
    }

    /// How often no answer was found.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// Finds the impulses, as [`Cone::solve`] does; `false` if there is no answer to be found, and nothing has changed.
    pub fn solve(&mut self, cone: &mut Cone, velocities: &mut [[f64; 3]]) -> bool {
        cone.assemble(velocities, &mut self.delassus, &mut self.before);
        let contacts = cone.len();
        let (n, two) = (4 * contacts, 2 * contacts);
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.vector.clear();
        self.vector.resize(n, 0.0);
        self.solution.clear();
        self.solution.resize(n, 0.0);
        let w = |i: usize, j: usize| self.delassus.get(i * two + j).copied().unwrap_or(0.0);
        let before = |i: usize| self.before.get(i).copied().unwrap_or(0.0);
        let matrix = &mut self.matrix;
        let mut put = |i: usize, j: usize, value: f64| {
            if let Some(place) = matrix.get_mut(i * n + j) {
                *place = value;
            }
        };
        for i in 0..contacts {
            let [least, friction] = cone.asked(i);
            // What is complementary: the rate of the gap, the slip seen from both sides, and what is left of the cone.
            for j in 0..contacts {
                let [nn, nt] = [w(2 * i, 2 * j), w(2 * i, 2 * j + 1)];
                let [tn, tt] = [w(2 * i + 1, 2 * j), w(2 * i + 1, 2 * j + 1)];
                for (k, line) in [[nn, nt, -nt], [tn, tt, -tt], [-tn, -tt, tt]]
                    .into_iter()
                    .enumerate()
                {
                    for (l, value) in line.into_iter().enumerate() {
                        put(4 * i + k, 4 * j + l, value);
                    }
                }
            }
            put(4 * i + 1, 4 * i + 3, 1.0);
            put(4 * i + 2, 4 * i + 3, 1.0);
            put(4 * i + 3, 4 * i, friction);
            put(4 * i + 3, 4 * i + 1, -1.0);
            put(4 * i + 3, 4 * i + 2, -1.0);
            let speeds = [before(2 * i) - least, before(2 * i + 1), -before(2 * i + 1)];
            for (k, speed) in speeds.into_iter().enumerate() {
                if let Some(place) = self.vector.get_mut(4 * i + k) {
                    *place = speed;
                }
            }
        }
        let solved = lemke(
            &self.matrix,
            &self.vector,
            &mut self.solution,
            &mut self.room,
        );
        if solved.is_err() {
            self.failed += 1;
            return false;
        }
        for (i, &[normal, forth, back, _]) in self.solution.as_chunks::<4>().0.iter().enumerate() {
            cone.give(i, [normal, forth - back], velocities);
        }
        true
    }
}

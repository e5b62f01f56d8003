//! Bodies in the plane and their contacts as numbers: W and the rates, made here from Jacobians written by hand; and numbers that look random and are the same every time.

/// Numbers by a linear congruence (Knuth's constants), the upper bits of it.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Between 0 and 1.
    pub fn one(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.one()
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.one() * n as f64) as usize).min(n - 1)
    }
}

/// Free bodies (mass, inertia) and what stands between them.
#[derive(Clone, Default)]
pub struct Bodies {
    /// Mass and inertia of each.
    pub mass: Vec<[f64; 2]>,
    /// Velocities (x, y, φ) of all.
    pub velocity: Vec<f64>,
    /// One row of the Jacobian for each direction.
    pub rows: Vec<Vec<f64>>,
}

impl Bodies {
    pub fn add(&mut self, mass: f64, inertia: f64, velocity: [f64; 3]) -> usize {
        self.mass.push([mass, inertia]);
        self.velocity.extend(velocity);
        self.mass.len() - 1
    }

    /// A contact: the second body is pushed along `normal`, the first against it; the surfaces slip along the normal turned back by a right angle. Arms from the centres; `None` is the ground.
    pub fn touch(
        &mut self,
        first: Option<(usize, [f64; 2])>,
        second: Option<(usize, [f64; 2])>,
        normal: [f64; 2],
    ) {
        let tangent = [normal[1], -normal[0]];
        for d in [normal, tangent] {
            let mut row = vec![0.0; self.velocity.len()];
            for (body, sign) in [(first, -1.0), (second, 1.0)] {
                if let Some((b, arm)) = body {
                    row[3 * b] += sign * d[0];
                    row[3 * b + 1] += sign * d[1];
                    row[3 * b + 2] += sign * (arm[0] * d[1] - arm[1] * d[0]);
                }
            }
            self.rows.push(row);
        }
    }

    fn inverse(&self, i: usize) -> f64 {
        let [mass, inertia] = self.mass[i / 3];
        if i % 3 == 2 {
            1.0 / inertia
        } else {
            1.0 / mass
        }
    }

    pub fn w(&self) -> Vec<f64> {
        let mut w = Vec::new();
        for a in &self.rows {
            for b in &self.rows {
                w.push((0..a.len()).map(|i| a[i] * b[i] * self.inverse(i)).sum());
            }
        }
        w
    }

    /// The rates of all directions for some velocities (or accelerations).
    pub fn rates(&self, velocity: &[f64]) -> Vec<f64> {
        self.rows
            .iter()
            .map(|row| row.iter().zip(velocity).map(|(r, v)| r * v).sum())
            .collect()
    }

    /// Velocities after impulses in all directions.
    pub fn pushed(&self, impulses: &[f64]) -> Vec<f64> {
        let mut after = self.velocity.clone();
        for (row, p) in self.rows.iter().zip(impulses) {
            for i in 0..after.len() {
                after[i] += self.inverse(i) * row[i] * p;
            }
        }
        after
    }

    pub fn energy(&self, velocity: &[f64]) -> f64 {
        (0..velocity.len())
            .map(|i| velocity[i] * velocity[i] / self.inverse(i) / 2.0)
            .sum()
    }
}

/// A uniform box, width and height, with its mass; its contacts with the ground at some places along its lower side.
pub fn box_on(width: f64, height: f64, mass: f64, velocity: [f64; 3], places: &[f64]) -> Bodies {
    let mut bodies = Bodies::default();
    let inertia = mass * (width * width + height * height) / 12.0;
    let one = bodies.add(mass, inertia, velocity);
    for x in places {
        bodies.touch(None, Some((one, [*x, -height / 2.0])), [0.0, 1.0]);
    }
    bodies
}

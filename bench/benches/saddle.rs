//! How fast are the constrained equations of a mechanism factored and solved?
//!
//! Every time stands beside a dense solution of the whole matrix [M Jᵀ; J 0], timed in the same run.

use std::hint::black_box;
use std::time::Instant;

use carom::system::{Fault, Rank, Saddle, Structure, Tie};

/// Bodies with centres, and joints between them.
#[derive(Default)]
struct Mechanism {
    inverse_masses: Vec<f64>,
    centres: Vec<[f64; 2]>,
    ties: Vec<Tie>,
    jacobian: Vec<[f64; 6]>,
}

impl Mechanism {
    fn body(&mut self, mass: f64, inertia: f64, centre: [f64; 2]) -> usize {
        self.inverse_masses
            .extend([1.0 / mass, 1.0 / mass, 1.0 / inertia]);
        self.centres.push(centre);
        self.centres.len() - 1
    }

    fn revolute(&mut self, a: Option<usize>, b: Option<usize>, point: [f64; 2]) {
        let arm = |body: Option<usize>| match body {
            Some(i) => (
                1.0,
                self.centres[i][0] - point[0],
                self.centres[i][1] - point[1],
            ),
            None => (0.0, 0.0, 0.0),
        };
        let ((u, ux, uy), (v, vx, vy)) = (arm(a), arm(b));
        self.jacobian
            .extend([[u, 0.0, uy, -v, 0.0, -vy], [0.0, u, -ux, 0.0, -v, vx]]);
        self.ties.push(Tie::new(2, a, b));
    }

    fn slider_crank() -> Mechanism {
        let mut m = Mechanism::default();
        let (pin, end) = ([0.04, 0.03], [0.04 + 0.013_5_f64.sqrt(), 0.0]);
        let crank = m.body(0.30, 1e-5, [0.02, 0.015]);
        let rod = m.body(0.21, 2.5e-4, [0.5 * (pin[0] + end[0]), 0.015]);
        let slider = m.body(0.14, 1e-4, end);
        m.revolute(None, Some(crank), [0.0, 0.0]);
        m.revolute(Some(crank), Some(rod), pin);
        m.revolute(Some(rod), Some(slider), end);
        m.ties.push(Tie::new(2, Some(slider), None));
        m.jacobian.extend([
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        ]);
        m
    }

    fn driven_slider_crank() -> Mechanism {
        let mut m = Mechanism::slider_crank();
        m.ties.push(Tie::new(1, Some(0), None));
        m.jacobian.push([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        m
    }

    fn chain(links: usize) -> Mechanism {
        let mut m = Mechanism::default();
        let mut pin = [0.0, 0.0];
        for i in 0..links {
            let angle = (i as f64).sin() - 1.2;
            let half = [0.5 * angle.cos(), 0.5 * angle.sin()];
            let link = m.body(1.0, 1.0 / 12.0, [pin[0] + half[0], pin[1] + half[1]]);
            m.revolute(i.checked_sub(1), Some(link), pin);
            pin = [pin[0] + 2.0 * half[0], pin[1] + 2.0 * half[1]];
        }
        m
    }

    /// A row of parallelograms on the ground, each crank from (i, 0) to (i + x, y).
    fn ladder(loops: usize, [x, y]: [f64; 2]) -> Mechanism {
        let mut m = Mechanism::default();
        let cranks: Vec<usize> = (0..=loops)
            .map(|i| m.body(1.0, 1.0 / 12.0, [i as f64 + 0.5 * x, 0.5 * y]))
            .collect();
        for i in 0..=loops {
            m.revolute(None, Some(cranks[i]), [i as f64, 0.0]);
        }
        for i in 0..loops {
            let coupler = m.body(1.0, 1.0 / 12.0, [i as f64 + x + 0.5, y]);
            m.revolute(Some(cranks[i]), Some(coupler), [i as f64 + x, y]);
            m.revolute(Some(coupler), Some(cranks[i + 1]), [i as f64 + x + 1.0, y]);
        }
        m
    }

    /// The whole matrix and right-hand side, row by row with the right-hand side at the end of each.
    fn whole(&self, force: &[f64], gamma: &[f64]) -> Vec<f64> {
        let n = force.len();
        let width = n + gamma.len() + 1;
        let mut a = vec![0.0; (width - 1) * width];
        for i in 0..n {
            a[i * width + i] = 1.0 / self.inverse_masses[i];
            a[i * width + width - 1] = force[i];
        }
        let ends = self
            .ties
            .iter()
            .flat_map(|tie| std::iter::repeat_n([tie.first, tie.second], tie.rows));
        for (row, ends) in ends.enumerate() {
            for c in 0..6 {
                if let Some(body) = ends[c / 3] {
                    let column = 3 * body + c % 3;
                    a[(n + row) * width + column] = self.jacobian[row][c];
                    a[column * width + n + row] = self.jacobian[row][c];
                }
            }
            a[(n + row) * width + width - 1] = gamma[row];
        }
        a
    }
}

/// Elimination with pivoting of a matrix with its right-hand side; the solution, or `None`.
fn eliminate(a: &mut [f64], n: usize) -> Option<Vec<f64>> {
    let width = n + 1;
    for k in 0..n {
        let pivot =
            (k..n).max_by(|&i, &j| a[i * width + k].abs().total_cmp(&a[j * width + k].abs()))?;
        for c in k..width {
            a.swap(k * width + c, pivot * width + c);
        }
        let (above, below) = a.split_at_mut((k + 1) * width);
        let upper = &above[k * width + k..];
        for row in below.chunks_exact_mut(width) {
            let multiplier = row[k] / upper[0];
            for (x, u) in row[k..].iter_mut().zip(upper) {
                *x -= multiplier * u;
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let row = &a[i * width..(i + 1) * width];
        let sum: f64 = (i + 1..n).map(|j| row[j] * x[j]).sum();
        x[i] = (row[n] - sum) / row[i];
    }
    Some(x)
}

/// Microseconds a call, the least of many rounds that take some milliseconds each.
fn microseconds(mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    f();
    let once = start.elapsed().as_secs_f64().max(1e-8);
    let calls = ((5e-3 / once) as usize).clamp(1, 100_000);
    let rounds = if once > 0.1 { 1 } else { 60 };
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..calls {
            f();
        }
        least = least.min(start.elapsed().as_secs_f64() / calls as f64);
    }
    least * 1e6
}

fn main() {
    println!("Constrained equations of motion, µs; the goal is for factor and solve together.");
    println!("A singular position (all links in line) is factored densely, with pivoting.\n");
    println!(
        "{:<24} {:>5} {:>7} {:>8} {:>8} {:>8} {:>7} {:>12} {:>8}",
        "mechanism", "rows", "blocks", "factor", "solve", "both", "goal", "dense", "differ"
    );
    for (name, mechanism, goal) in [
        ("slider-crank", Mechanism::slider_crank(), Some(0.10)),
        (
            "slider-crank, driven",
            Mechanism::driven_slider_crank(),
            None,
        ),
        ("chain of 50", Mechanism::chain(50), Some(2.0)),
        ("chain of 100", Mechanism::chain(100), None),
        ("chain of 1000", Mechanism::chain(1000), Some(82.0)),
        ("40 loops", Mechanism::ladder(40, [0.6, 0.8]), None),
        (
            "40 loops, singular",
            Mechanism::ladder(40, [1.0, 0.0]),
            None,
        ),
    ] {
        if let Err(fault) = row(name, &mechanism, goal) {
            println!("{name}: {fault}");
        }
    }
}

fn row(name: &str, m: &Mechanism, goal: Option<f64>) -> Result<(), Fault> {
    let structure = Structure::new(m.centres.len(), &m.ties)?;
    let blocks = structure.blocks();
    let mut saddle = Saddle::new(structure, &m.inverse_masses)?;
    let singular = saddle.factor(&m.jacobian)? != Rank::Full;
    let (n, rows) = (m.inverse_masses.len(), m.jacobian.len());
    let force: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).sin()).collect();
    let gamma: Vec<f64> = (0..rows).map(|i| (2.0 + i as f64).cos()).collect();
    let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; rows]);
    let factor = microseconds(|| {
        let _ = black_box(saddle.factor(black_box(&m.jacobian)));
    });
    let solve = microseconds(|| {
        let _ = black_box(saddle.solve(black_box(&force), &gamma, &mut a, &mut lambda));
    });
    let both = microseconds(|| {
        let _ = black_box(saddle.factor(black_box(&m.jacobian)));
        let _ = black_box(saddle.solve(black_box(&force), &gamma, &mut a, &mut lambda));
    });
    // Elimination of 5000 unknowns takes minutes, and it cannot do a singular position at all.
    let (dense, differ) = if n + rows > 600 || singular {
        ("-".into(), "-".into())
    } else {
        let whole = m.whole(&force, &gamma);
        let mut copy = whole.clone();
        let mut found = None;
        let took = microseconds(|| {
            copy.copy_from_slice(black_box(&whole));
            found = eliminate(&mut copy, n + rows);
        });
        let largest = a.iter().fold(0.0, |l: f64, x| l.max(x.abs()));
        let off = found
            .iter()
            .flat_map(|x| x.iter().zip(&a))
            .fold(0.0, |l: f64, (x, a)| l.max((x - a).abs()));
        (format!("{took:.1}"), format!("{:.0e}", off / largest))
    };
    let goal = goal.map_or("-".into(), |goal| {
        format!("{goal}{}", if both <= goal { "" } else { " !" })
    });
    println!(
        "{name:<24} {rows:>5} {blocks:>7} {factor:>8.3} {solve:>8.3} {both:>8.3} {goal:>7} {dense:>12} {differ:>8}"
    );
    Ok(())
}

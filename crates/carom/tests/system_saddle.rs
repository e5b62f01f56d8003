//! Are the constrained equations of motion solved right, redundant or not, without allocating?
//!
//! The reference is the whole matrix [M Jᵀ; J 0] by Gaussian elimination with pivoting, refined with residuals in twice the precision until it no longer changes.

use carom::system::{Fault, Rank, Saddle, Structure, Tie};

/// A reproducible sequence in (−1, 1), from the linear congruence of Knuth's MMIX.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Bodies by mass, inertia and centre, and constraint lines between them.
#[derive(Clone, Default)]
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

    /// The derivatives of the place of `point`, moving with a body, by x, y and angle; zero for the ground.
    fn carried(&self, body: Option<usize>, point: [f64; 2]) -> [[f64; 3]; 2] {
        match body {
            None => [[0.0; 3]; 2],
            Some(i) => {
                let c = self.centres[i];
                [[1.0, 0.0, c[1] - point[1]], [0.0, 1.0, point[0] - c[0]]]
            }
        }
    }

    fn line(a: [f64; 3], b: [f64; 3]) -> [f64; 6] {
        [a[0], a[1], a[2], -b[0], -b[1], -b[2]]
    }

    fn revolute(&mut self, a: Option<usize>, b: Option<usize>, point: [f64; 2]) {
        let (p, q) = (self.carried(a, point), self.carried(b, point));
        self.ties.push(Tie::new(2, a, b));
        self.jacobian
            .extend([Self::line(p[0], q[0]), Self::line(p[1], q[1])]);
    }

    /// A body on a guide through the ground: nothing moves across `direction`, nothing turns.
    fn guide(&mut self, a: usize, point: [f64; 2], direction: [f64; 2]) {
        let p = self.carried(Some(a), point);
        let across: [f64; 3] =
            std::array::from_fn(|c| -direction[1] * p[0][c] + direction[0] * p[1][c]);
        self.ties.push(Tie::new(2, Some(a), None));
        self.jacobian
            .extend([Self::line(across, [0.0; 3]), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]);
    }

    /// An angle between two bodies, or a body and the ground, that is given.
    fn driver(&mut self, a: Option<usize>, b: Option<usize>) {
        let turn = |body: Option<usize>| [0.0, 0.0, f64::from(u8::from(body.is_some()))];
        self.ties.push(Tie::new(1, a, b));
        self.jacobian.push(Self::line(turn(a), turn(b)));
    }

    fn rigid(&mut self, a: Option<usize>, b: Option<usize>, point: [f64; 2]) {
        self.revolute(a, b, point);
        self.driver(a, b);
        let last = self.ties.len() - 1;
        self.ties.truncate(last);
        self.ties[last - 1].rows = 3;
    }

    /// Crank, rod and slider in a general position; the lengths and masses of a small engine.
    fn slider_crank(driven: bool) -> Mechanism {
        let mut m = Mechanism::default();
        let (crank, rod) = (0.05_f64, 0.12_f64);
        let phi = 0.7_f64;
        let pin = [crank * phi.cos(), crank * phi.sin()];
        let psi = (pin[1] / rod).asin();
        let end = [pin[0] + rod * psi.cos(), 0.0];
        let a = m.body(0.30, 1e-5, [0.5 * pin[0], 0.5 * pin[1]]);
        let b = m.body(0.21, 2.5e-4, [0.5 * (pin[0] + end[0]), 0.5 * pin[1]]);
        let c = m.body(0.14, 1e-4, end);
        m.revolute(None, Some(a), [0.0, 0.0]);
        m.revolute(Some(a), Some(b), pin);
        m.revolute(Some(b), Some(c), end);
        m.guide(c, end, [1.0, 0.0]);
        if driven {
            m.driver(Some(a), None);
        }
        m
    }

    fn chain(links: usize, mut mass: impl FnMut(usize) -> f64) -> Mechanism {
        let mut next = numbers(7);
        let mut m = Mechanism::default();
        let mut pin = [0.0, 0.0];
        for i in 0..links {
            let angle = -1.2 + 0.8 * next();
            let far = [pin[0] + angle.cos(), pin[1] + angle.sin()];
            let kg = mass(i);
            let body = m.body(
                kg,
                kg / 12.0,
                [0.5 * (pin[0] + far[0]), 0.5 * (pin[1] + far[1])],
            );
            m.revolute(i.checked_sub(1), Some(body), pin);
            pin = far;
        }
        m
    }

    /// A row of parallelograms: cranks from the ground to couplers of the same length, all cranks at one angle, the N-four-bar of the multibody benchmark library.
    fn ladder(loops: usize, angle: f64) -> Mechanism {
        let mut m = Mechanism::default();
        let tip = |i: usize| [i as f64 + angle.cos(), angle.sin()];
        let cranks: Vec<usize> = (0..=loops)
            .map(|i| {
                m.body(
                    1.0,
                    1.0 / 12.0,
                    [i as f64 + 0.5 * angle.cos(), 0.5 * angle.sin()],
                )
            })
            .collect();
        for (i, &crank) in cranks.iter().enumerate() {
            m.revolute(None, Some(crank), [i as f64, 0.0]);
        }
        for i in 0..loops {
            let coupler = m.body(1.0, 1.0 / 12.0, [tip(i)[0] + 0.5, tip(i)[1]]);
            m.revolute(Some(cranks[i]), Some(coupler), tip(i));
            m.revolute(Some(coupler), Some(cranks[i + 1]), tip(i + 1));
        }
        m
    }

    /// A tree of joints of all kinds, the masses over some decades, and some bodies that nothing holds.
    fn tree(bodies: usize, seed: u64, decades: f64) -> Mechanism {
        let mut next = numbers(seed);
        let mut m = Mechanism::default();
        for i in 0..bodies {
            let mass = 10_f64.powf(0.5 * decades * next());
            let body = m.body(mass, mass * (0.05 + 0.04 * next()), [next(), next()]);
            let parent = (((0.5 + 0.5 * next()) * (i + 1) as f64) as usize)
                .min(i)
                .checked_sub(1);
            let point = [next(), next()];
            match (5.0 * (0.5 + 0.5 * next())) as usize {
                0 => {}
                1 => m.rigid(parent, Some(body), point),
                2 => m.driver(Some(body), parent),
                3 => m.guide(body, point, [0.6, 0.8]),
                _ => m.revolute(parent, Some(body), point),
            }
        }
        m
    }

    fn saddle(&self) -> Saddle {
        let structure = Structure::new(self.centres.len(), &self.ties).expect("sound ties");
        Saddle::new(structure, &self.inverse_masses).expect("sound masses")
    }

    fn random_right_sides(&self, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut next = numbers(seed);
        let force = self.inverse_masses.iter().map(|w| next() / w).collect();
        (force, self.jacobian.iter().map(|_| next()).collect())
    }

    fn ends(&self) -> Vec<[Option<usize>; 2]> {
        self.ties
            .iter()
            .flat_map(|tie| std::iter::repeat_n([tie.first, tie.second], tie.rows))
            .collect()
    }

    /// [M Jᵀ; J 0], row by row.
    fn whole(&self) -> Vec<Vec<f64>> {
        let n = self.inverse_masses.len();
        let size = n + self.jacobian.len();
        let mut a = vec![vec![0.0; size]; size];
        for (i, w) in self.inverse_masses.iter().enumerate() {
            a[i][i] = 1.0 / w;
        }
        for (row, ends) in self.ends().iter().enumerate() {
            for c in 0..6 {
                if let Some(body) = ends[c / 3] {
                    let column = 3 * body + c % 3;
                    a[n + row][column] = self.jacobian[row][c];
                    a[column][n + row] = self.jacobian[row][c];
                }
            }
        }
        a
    }

    /// The reference: accelerations and multipliers.
    fn by_elimination(&self, force: &[f64], gamma: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let a = self.whole();
        let b: Vec<f64> = force.iter().chain(gamma).copied().collect();
        let lu = Lu::new(a.clone());
        let mut x = lu.solve(&b);
        for _ in 0..10 {
            let residual: Vec<f64> = (0..b.len()).map(|i| residual(&a[i], &x, b[i])).collect();
            for (x, d) in x.iter_mut().zip(lu.solve(&residual)) {
                *x += d;
            }
        }
        let lambda = x.split_off(force.len());
        (x, lambda)
    }
}

/// b − a·x with products and sums in twice the precision (Dekker 1971).
fn residual(a: &[f64], x: &[f64], b: f64) -> f64 {
    let (mut high, mut low) = (b, 0.0);
    for (&a, &x) in a.iter().zip(x) {
        let product = -a * x;
        let product_low = (-a).mul_add(x, -product);
        let sum = high + product;
        let part = sum - high;
        low += (high - (sum - part)) + (product - part) + product_low;
        high = sum;
    }
    high + low
}

/// Elimination with row pivoting, rows scaled by their largest entries.
struct Lu {
    a: Vec<Vec<f64>>,
    order: Vec<usize>,
    scale: Vec<f64>,
}

impl Lu {
    fn new(mut a: Vec<Vec<f64>>) -> Lu {
        let n = a.len();
        let mut order: Vec<usize> = (0..n).collect();
        let scale: Vec<f64> = a
            .iter()
            .map(|row| row.iter().fold(0.0, |m: f64, x| m.max(x.abs())))
            .collect();
        for (row, s) in a.iter_mut().zip(&scale) {
            row.iter_mut().for_each(|x| *x /= s);
        }
        for k in 0..n {
            let pivot = (k..n)
                .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
                .unwrap();
            a.swap(k, pivot);
            order.swap(k, pivot);
            let (above, below) = a.split_at_mut(k + 1);
            let upper = &above[k];
            assert!(upper[k] != 0.0, "the reference is singular");
            for row in below {
                let multiplier = row[k] / upper[k];
                if multiplier != 0.0 {
                    for j in k..n {
                        row[j] -= multiplier * upper[j];
                    }
                    row[k] = multiplier;
                }
            }
        }
        Lu { a, order, scale }
    }

    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = b.len();
        let mut x: Vec<f64> = self.order.iter().map(|&i| b[i] / self.scale[i]).collect();
        for i in 0..n {
            x[i] -= (0..i).map(|j| self.a[i][j] * x[j]).sum::<f64>();
        }
        for i in (0..n).rev() {
            x[i] -= (i + 1..n).map(|j| self.a[i][j] * x[j]).sum::<f64>();
            x[i] /= self.a[i][i];
        }
        x
    }
}

/// The largest difference, relative to the largest entry, each entry weighed.
fn difference(found: &[f64], known: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let largest = (0..known.len()).fold(0.0, |m: f64, i| m.max(known[i].abs() * weight(i)));
    let off = (0..known.len()).fold(0.0, |m: f64, i| {
        let d = (found[i] - known[i]).abs() * weight(i);
        if d.is_nan() { f64::INFINITY } else { m.max(d) }
    });
    if largest == 0.0 { off } else { off / largest }
}

struct Solved {
    acceleration: Vec<f64>,
    lambda: Vec<f64>,
}

fn solve(saddle: &mut Saddle, force: &[f64], gamma: &[f64]) -> Solved {
    // NaN to begin with: whatever is not written shows.
    let mut acceleration = vec![f64::NAN; force.len()];
    let mut lambda = vec![f64::NAN; gamma.len()];
    saddle
        .solve(force, gamma, &mut acceleration, &mut lambda)
        .expect("lengths fit");
    Solved {
        acceleration,
        lambda,
    }
}

/// The largest entry of J a − γ, each relative to the largest that an acceleration of this size in the masses' norm could give.
fn violation(m: &Mechanism, acceleration: &[f64], gamma: &[f64]) -> f64 {
    let squares = acceleration.iter().zip(&m.inverse_masses);
    let norm = squares.map(|(a, w)| a * a / w).sum::<f64>().sqrt();
    let mut off: f64 = 0.0;
    for (row, ends) in m.ends().iter().enumerate() {
        let (mut sum, mut square) = (-gamma[row], 0.0);
        for c in 0..6 {
            if let Some(body) = ends[c / 3] {
                let (j, i) = (m.jacobian[row][c], 3 * body + c % 3);
                sum += j * acceleration[i];
                square += j * j * m.inverse_masses[i];
            }
        }
        let share = sum.abs() / (square.sqrt() * norm + gamma[row].abs());
        off = if share.is_nan() && sum != 0.0 {
            f64::INFINITY
        } else {
            off.max(share)
        };
    }
    off
}

/// J a, with which γ contradicts nothing.
fn consistent(m: &Mechanism, acceleration: &[f64]) -> Vec<f64> {
    let ends = m.ends();
    let entry = |row: usize, c: usize| {
        ends[row][c / 3].map_or(0.0, |body| {
            m.jacobian[row][c] * acceleration[3 * body + c % 3]
        })
    };
    (0..ends.len())
        .map(|row| (0..6).map(|c| entry(row, c)).sum())
        .collect()
}

/// M a + Jᵀ λ − f, relative to the largest term.
fn imbalance(m: &Mechanism, solved: &Solved, force: &[f64]) -> f64 {
    let mut left: Vec<f64> = (0..force.len())
        .map(|i| solved.acceleration[i] / m.inverse_masses[i] - force[i])
        .collect();
    let mut largest = force.iter().fold(0.0, |l: f64, f| l.max(f.abs()));
    for (row, ends) in m.ends().iter().enumerate() {
        for c in 0..6 {
            if let Some(body) = ends[c / 3] {
                let term = m.jacobian[row][c] * solved.lambda[row];
                left[3 * body + c % 3] += term;
                largest = largest.max(term.abs());
            }
        }
    }
    left.iter().fold(0.0, |l: f64, x| {
        if x.is_nan() {
            f64::INFINITY
        } else {
            l.max(x.abs())
        }
    }) / largest
}

/// How far accelerations and multipliers are from the reference, and how far from the constraints: relative to the largest, accelerations in the masses' norm.
fn errors(m: &Mechanism, seed: u64) -> [f64; 3] {
    let (force, gamma) = m.random_right_sides(seed);
    let mut saddle = m.saddle();
    assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Full));
    assert_eq!(saddle.statistics().singular, 0);
    let found = solve(&mut saddle, &force, &gamma);
    let (a, lambda) = m.by_elimination(&force, &gamma);
    let root = |i: usize| m.inverse_masses[i].sqrt().recip();
    let off = violation(m, &found.acceleration, &gamma);
    [
        difference(&found.acceleration, &a, root),
        difference(&found.lambda, &lambda, |_| 1.0),
        off,
    ]
}

#[test]
fn mechanisms_agree_with_the_whole_matrix_by_elimination() {
    let mut cases = vec![
        ("slider-crank", Mechanism::slider_crank(false)),
        ("driven slider-crank", Mechanism::slider_crank(true)),
        ("four-bar", Mechanism::ladder(1, 1.1)),
        ("ten loops", Mechanism::ladder(10, 0.8)),
        ("forty loops", Mechanism::ladder(40, 0.8)),
        ("chain of 2", Mechanism::chain(2, |_| 1.0)),
        ("chain of 50", Mechanism::chain(50, |_| 1.0)),
    ];
    let mut both = Mechanism::chain(20, |_| 1.0);
    let far = both.centres[19];
    both.revolute(Some(19), None, [far[0] + 0.3, far[1] - 0.4]);
    cases.push(("chain hung at both ends", both));
    let mut ring = Mechanism::chain(12, |_| 1.0);
    let middle = [2.0, -3.0];
    ring.revolute(Some(11), Some(3), middle);
    cases.push(("chain that closes on itself", ring));
    let mut twice = Mechanism::chain(3, |_| 2.0);
    twice.driver(Some(0), Some(1));
    twice.driver(Some(2), Some(1));
    cases.push(("driven joints between bodies", twice));
    for (name, m) in &cases {
        for seed in 1..4 {
            let found = errors(m, seed);
            assert!(found.iter().all(|&e| e < 1e-12), "{name}: {found:?}");
        }
    }
}

#[test]
fn random_trees_agree_with_the_whole_matrix_by_elimination() {
    for seed in 0..60 {
        let bodies = 1 + seed as usize % 25;
        let m = Mechanism::tree(bodies, seed, 0.0);
        let found = errors(&m, seed);
        assert!(found.iter().all(|&e| e < 1e-12), "tree {seed}: {found:?}");
    }
}

#[test]
fn masses_over_six_decades_cost_no_digits() {
    for seed in 0..60 {
        let m = Mechanism::tree(2 + seed as usize % 20, seed, 6.0);
        let found = errors(&m, seed);
        assert!(found.iter().all(|&e| e < 1e-12), "tree {seed}: {found:?}");
    }
    // Light links between heavy ones, the hardest order for a Schur complement.
    let m = Mechanism::chain(20, |i| if i % 2 == 0 { 1e3 } else { 1e-3 });
    let found = errors(&m, 1);
    assert!(found.iter().all(|&e| e < 1e-12), "{found:?}");
}

#[test]
fn a_doubled_guide_is_named_left_out_and_shares_its_force_evenly() {
    let single = Mechanism::slider_crank(true);
    let (force, _) = single.random_right_sides(5);
    let mut once = single.saddle();
    assert!(
        once.drop_redundant(&single.jacobian, 1e-9)
            .unwrap()
            .dependences
            .is_empty()
    );
    assert_eq!(once.factor(&single.jacobian), Ok(Rank::Full));
    // A copy at the same point, and one at another point of the slider.
    for shift in [0.0, 0.03] {
        let mut m = single.clone();
        let slider = m.centres[2];
        m.guide(2, [slider[0] + shift, slider[1]], [1.0, 0.0]);
        let gamma = consistent(&m, &[0.3, -0.2, 1.0, 0.4, 0.7, -0.6, 2.0, 0.0, 0.0]);
        let known = solve(&mut once, &force, &gamma[..9]);
        let mut saddle = m.saddle();
        let found = saddle.drop_redundant(&m.jacobian, 1e-9).unwrap();
        // Rows 6 and 7 are the guide, 8 the driver, 9 and 10 the copy.
        assert_eq!(found.rank, 9);
        let rows: Vec<usize> = found.dependences.iter().map(|d| d.row).collect();
        assert_eq!(rows, [9, 10]);
        let on = if shift == 0.0 { vec![6] } else { vec![6, 7] };
        assert_eq!(found.dependences[0].on, on);
        assert_eq!(found.dependences[1].on, [7]);
        assert_eq!(found.not_unique(), [6, 7, 9, 10]);
        assert_eq!(found.ties(saddle.structure()), [3, 5]);
        assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Full));
        assert!(saddle.is_redundant(9) && !saddle.is_redundant(6));
        let solved = solve(&mut saddle, &force, &gamma);
        assert!(difference(&solved.acceleration, &known.acceleration, |_| 1.0) < 1e-12);
        assert!(difference(&solved.lambda[..9], &known.lambda, |_| 1.0) < 1e-12);
        assert_eq!(solved.lambda[9..], [0.0, 0.0]);
        // Whoever does not ask is told at every evaluation; the accelerations are right all the same, and the multipliers of least norm.
        let mut unasked = m.saddle();
        assert_eq!(unasked.factor(&m.jacobian), Ok(Rank::Deficient(2)));
        assert_eq!(unasked.statistics().singular, 1);
        let least = solve(&mut unasked, &force, &gamma);
        assert!(difference(&least.acceleration, &known.acceleration, |_| 1.0) < 1e-12);
        assert!(imbalance(&m, &least, &force) < 1e-13);
        if shift == 0.0 {
            let largest = known.lambda.iter().fold(0.0, |l: f64, x| l.max(x.abs()));
            for row in 6..8 {
                let half = 0.5 * known.lambda[row];
                assert!((least.lambda[row] - half).abs() < 1e-13 * largest);
                assert!((least.lambda[row + 3] - half).abs() < 1e-13 * largest);
            }
        }
        let square = |lambda: &[f64]| lambda.iter().map(|x| x * x).sum::<f64>();
        assert!(square(&least.lambda) < square(&solved.lambda));
    }
}

#[test]
fn doubled_joints_are_found_in_random_trees() {
    for seed in 0..40 {
        let mut m = Mechanism::tree(2 + seed as usize % 15, seed, 2.0);
        let rows = m.jacobian.len();
        let (force, _) = m.random_right_sides(seed);
        let mut single = m.saddle();
        let rank = single.drop_redundant(&m.jacobian, 1e-9).unwrap().rank;
        assert_eq!(rank, rows, "a tree is never redundant: {seed}");
        let _ = single.factor(&m.jacobian).unwrap();
        let known = solve(&mut single, &force, &vec![0.0; rows]);
        let mut doubled = 0;
        let ends = m.ties.clone();
        for (number, tie) in ends.iter().enumerate().step_by(2) {
            let lines: Vec<[f64; 6]> = single
                .structure()
                .rows_of(number)
                .map(|row| m.jacobian[row])
                .collect();
            // The same with the bodies exchanged and in another unit.
            m.ties.push(Tie::new(tie.rows, tie.second, tie.first));
            let turned = |l: &[f64; 6]| std::array::from_fn(|c| 1000.0 * l[(c + 3) % 6]);
            m.jacobian.extend(lines.iter().map(turned));
            doubled += tie.rows;
        }
        let mut saddle = m.saddle();
        let found = saddle.drop_redundant(&m.jacobian, 1e-9).unwrap();
        assert_eq!((found.rank, found.dependences.len()), (rows, doubled));
        assert!(
            found
                .dependences
                .iter()
                .all(|d| d.row >= rows && !d.on.is_empty())
        );
        assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Full));
        let solved = solve(&mut saddle, &force, &vec![0.0; rows + doubled]);
        assert!(difference(&solved.acceleration, &known.acceleration, |_| 1.0) < 1e-12);
    }
}

#[test]
fn links_in_line_are_passed_without_nan_and_counted() {
    // 60 loops have 362 rows: more than the dense factorisation takes.
    for loops in [1, 5, 40, 60] {
        let m = Mechanism::ladder(loops, 0.0);
        let (force, motion) = m.random_right_sides(3);
        let wish: Vec<f64> = (0..force.len()).map(|i| motion[i % motion.len()]).collect();
        let gamma = consistent(&m, &wish);
        let mut saddle = m.saddle();
        let Ok(Rank::Deficient(missing)) = saddle.factor(&m.jacobian) else {
            panic!("links in line are singular");
        };
        // In line nothing holds the couplers sideways beyond the pins: one row of every loop is a combination of the others.
        assert_eq!(missing, loops);
        assert_eq!(saddle.statistics().singular, 1);
        let solved = solve(&mut saddle, &force, &gamma);
        let off = violation(&m, &solved.acceleration, &gamma);
        assert!(off < 1e-12, "{loops} loops: {off}");
        let off = imbalance(&m, &solved, &force);
        assert!(off < 1e-12, "{loops} loops: {off}");
    }
}

#[test]
fn nearly_singular_positions_lose_no_more_digits_than_they_must() {
    // A change of the last digit of a line turns the motion that is left by 1e-16/angle: accelerations can be right to that part of the free ones, and 100 times that is asked for.
    // Below 1e-7 the reference, whose condition grows with the square, has no digits left.
    for loops in [1, 10] {
        for angle in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let m = Mechanism::ladder(loops, angle);
            let (force, _) = m.random_right_sides(3);
            let gamma = vec![0.0; m.jacobian.len()];
            let mut saddle = m.saddle();
            assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Full));
            let solved = solve(&mut saddle, &force, &gamma);
            let (a, _) = m.by_elimination(&force, &gamma);
            // The free accelerations are up to 1.
            let off = (0..a.len()).fold(0.0, |l: f64, i| {
                l.max((a[i] - solved.acceleration[i]).abs())
            });
            assert!(off < 1e-14 / angle, "{loops} loops, {angle}: {off:e}");
        }
    }
}

#[test]
fn the_effective_mass_of_simple_mechanisms_has_its_closed_form() {
    // A rod of 3 kg and 2 m hung at its end: across its tip 3 kg · (2 m)²/3 / (2 m)²; along it nothing moves.
    let mut m = Mechanism::default();
    let rod = m.body(3.0, 1.0, [1.0, 0.0]);
    m.revolute(None, Some(rod), [0.0, 0.0]);
    let free = m.body(0.5, 0.02, [5.0, 0.0]);
    let mut saddle = m.saddle();
    let _ = saddle.factor(&m.jacobian).unwrap();
    let mut along = |w: [f64; 6]| saddle.constrained_inverse_mass(&w).unwrap();
    let found = 1.0 / along([0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert!((found - 1.0).abs() < 1e-15, "{found}");
    assert!(along([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]) < 1e-30);
    // The tip against a point of the free body 0.1 m off its centre.
    let found = along([0.0, 1.0, 1.0, 0.0, -1.0, -0.1]);
    assert!((found - (1.0 + 2.0 + 0.01 / 0.02)).abs() < 1e-14, "{found}");
    assert_eq!(free, 1);
    // The free slider-crank at its slider: I_eff(φ) of one degree of freedom, from the velocities for a slider speed of 1.
    let m = Mechanism::slider_crank(false);
    let (r, l, phi) = (0.05_f64, 0.12_f64, 0.7_f64);
    let psi = (r * phi.sin() / l).asin();
    let rod_rate = -r * phi.cos() / (l * psi.cos());
    let slider = -r * phi.sin() + l * psi.sin() * rod_rate;
    let centre = [
        -r * phi.sin() + 0.5 * l * psi.sin() * rod_rate,
        r * phi.cos() + 0.5 * l * psi.cos() * rod_rate,
    ];
    let inertia = 1e-5
        + 0.30 * 0.25 * r * r
        + 0.21 * (centre[0].powi(2) + centre[1].powi(2))
        + 2.5e-4 * rod_rate.powi(2)
        + 0.14 * slider * slider;
    let mut saddle = m.saddle();
    let _ = saddle.factor(&m.jacobian).unwrap();
    let mut w = [0.0; 9];
    w[6] = 1.0;
    let found = 1.0 / saddle.constrained_inverse_mass(&w).unwrap();
    let known = inertia / (slider * slider);
    assert!((found / known - 1.0).abs() < 1e-13, "{found} {known}");
}

#[test]
fn the_constrained_inverse_mass_is_symmetric_and_never_more_than_the_free_one() {
    for seed in 0..30 {
        let m = Mechanism::tree(2 + seed as usize % 12, seed, 3.0);
        let mut next = numbers(seed + 100);
        let mut vector = || -> Vec<f64> { m.inverse_masses.iter().map(|_| next()).collect() };
        let (u, v) = (vector(), vector());
        let mut saddle = m.saddle();
        let _ = saddle.factor(&m.jacobian).unwrap();
        let zero = vec![0.0; m.jacobian.len()];
        let (au, av) = (
            solve(&mut saddle, &u, &zero).acceleration,
            solve(&mut saddle, &v, &zero).acceleration,
        );
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let free: f64 = u
            .iter()
            .zip(&m.inverse_masses)
            .map(|(u, w)| u * u * w)
            .sum();
        let held = saddle.constrained_inverse_mass(&u).unwrap();
        assert!((dot(&u, &av) - dot(&v, &au)).abs() < 1e-12 * free);
        assert!((dot(&u, &au) - held).abs() < 1e-12 * free);
        assert!(held >= 0.0 && held <= free * (1.0 + 1e-14));
    }
}

#[test]
fn a_projection_closes_the_constraints_with_the_least_change() {
    for m in [
        Mechanism::slider_crank(false),
        Mechanism::ladder(5, 0.4),
        Mechanism::tree(15, 2, 3.0),
    ] {
        let (force, phi) = m.random_right_sides(8);
        let mut saddle = m.saddle();
        let _ = saddle.factor(&m.jacobian).unwrap();
        let mut change = vec![f64::NAN; force.len()];
        saddle.project(&phi, &mut change).unwrap();
        let wanted: Vec<f64> = phi.iter().map(|p| -p).collect();
        assert!(violation(&m, &change, &wanted) < 1e-13);
        // Least: at right angles, in the masses' norm, to every motion that the constraints allow.
        let allowed = solve(&mut saddle, &force, &vec![0.0; phi.len()]).acceleration;
        let product = |a: &[f64], b: &[f64]| {
            (0..a.len())
                .map(|i| a[i] * b[i] / m.inverse_masses[i])
                .sum::<f64>()
        };
        let size = (product(&change, &change) * product(&allowed, &allowed)).sqrt();
        assert!(product(&change, &allowed).abs() < 1e-12 * size);
    }
}

#[test]
fn bodies_without_joints_obey_newton_and_nothing_at_all_is_a_system_too() {
    let mut m = Mechanism::default();
    m.body(2.0, 4.0, [0.0, 0.0]);
    m.body(0.5, 0.25, [1.0, 0.0]);
    let mut saddle = m.saddle();
    assert_eq!(saddle.factor(&[]), Ok(Rank::Full));
    let solved = solve(&mut saddle, &[2.0, -4.0, 8.0, 1.0, 3.0, -1.0], &[]);
    assert_eq!(solved.acceleration, [1.0, -2.0, 2.0, 2.0, 6.0, -4.0]);
    let mut nothing = Mechanism::default().saddle();
    assert_eq!(nothing.factor(&[]), Ok(Rank::Full));
    assert!(solve(&mut nothing, &[], &[]).acceleration.is_empty());
}

#[test]
fn what_a_line_says_of_the_ground_has_no_effect() {
    let m = Mechanism::slider_crank(true);
    let (force, gamma) = m.random_right_sides(4);
    let mut saddle = m.saddle();
    let _ = saddle.factor(&m.jacobian).unwrap();
    let known = solve(&mut saddle, &force, &gamma);
    let mut lines = m.jacobian.clone();
    for (row, ends) in m.ends().iter().enumerate() {
        for c in 0..6 {
            if ends[c / 3].is_none() {
                lines[row][c] = 7.0;
            }
        }
    }
    assert_ne!(lines, m.jacobian);
    let _ = saddle.factor(&lines).unwrap();
    let found = solve(&mut saddle, &force, &gamma);
    assert_eq!(
        (found.acceleration, found.lambda),
        (known.acceleration, known.lambda)
    );
}

#[test]
fn faults_are_said_and_what_is_not_finite_is_neither_hidden_nor_a_panic() {
    let m = Mechanism::slider_crank(false);
    let mut saddle = m.saddle();
    let (force, gamma) = m.random_right_sides(4);
    let (mut a, mut lambda) = (vec![0.0; 9], vec![0.0; 8]);
    assert_eq!(
        saddle.solve(&force, &gamma, &mut a, &mut lambda),
        Err(Fault::NotFactored)
    );
    let short = saddle.factor(&m.jacobian[..7]).unwrap_err();
    assert_eq!(
        short.to_string(),
        "Jacobian: 7 numbers were given, 8 are needed"
    );
    for (place, value) in [(0, f64::NAN), (3, f64::INFINITY), (5, 1e200)] {
        let mut lines = m.jacobian.clone();
        lines[place][2] = value;
        lines[place][5] = value;
        assert_eq!(saddle.factor(&lines), Ok(Rank::NotFinite));
        let solved = solve(&mut saddle, &force, &gamma);
        assert!(
            solved
                .acceleration
                .iter()
                .chain(&solved.lambda)
                .all(|x| x.is_nan())
        );
        assert_eq!(saddle.drop_redundant(&lines, 1e-9), Err(Fault::NotFinite));
    }
    // And it recovers.
    assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Full));
    assert!(
        saddle
            .solve(&force[1..], &gamma, &mut a, &mut lambda)
            .is_err()
    );
    assert!(
        saddle
            .solve(&force, &gamma[1..], &mut a, &mut lambda)
            .is_err()
    );
    assert!(
        saddle
            .solve(&force, &gamma, &mut a[1..], &mut lambda)
            .is_err()
    );
    assert!(
        saddle
            .solve(&force, &gamma, &mut a, &mut lambda[1..])
            .is_err()
    );
    assert!(saddle.project(&gamma[1..], &mut a).is_err());
    assert!(saddle.constrained_inverse_mass(&a[1..]).is_err());
    let structure = Structure::new(1, &[]).unwrap();
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = Saddle::new(structure.clone(), &[1.0, value, 1.0]).unwrap_err();
        assert!(matches!(refused, Fault::InverseMass { coordinate: 1, .. }));
    }
}

#[test]
fn a_row_of_zeros_holds_nothing() {
    let mut m = Mechanism::slider_crank(false);
    let (force, gamma) = m.random_right_sides(4);
    let (known, _) = m.by_elimination(&force, &gamma);
    m.ties.push(Tie::new(1, Some(0), Some(1)));
    m.jacobian.push([0.0; 6]);
    let gamma: Vec<f64> = gamma.into_iter().chain([0.0]).collect();
    let mut saddle = m.saddle();
    assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Deficient(1)));
    let solved = solve(&mut saddle, &force, &gamma);
    assert!(difference(&solved.acceleration, &known, |_| 1.0) < 1e-12);
    assert_eq!(solved.lambda[8], 0.0);
    let found = saddle.drop_redundant(&m.jacobian, 1e-9).unwrap();
    assert_eq!(found.not_unique(), [8]);
}

#[test]
fn more_rows_than_the_dense_method_takes_are_tested_by_their_pivots() {
    let mut m = Mechanism::chain(200, |_| 1.0);
    let (force, _) = m.random_right_sides(4);
    let mut single = m.saddle();
    assert_eq!(single.factor(&m.jacobian), Ok(Rank::Full));
    let known = solve(&mut single, &force, &vec![0.0; 400]);
    m.ties.push(m.ties[120]);
    m.jacobian.extend_from_within(240..242);
    let mut saddle = m.saddle();
    let found = saddle.drop_redundant(&m.jacobian, 1e-9).unwrap();
    assert_eq!(found.rank, 400);
    assert_eq!(found.ties(saddle.structure()), [120, 200]);
    assert_eq!(saddle.factor(&m.jacobian), Ok(Rank::Full));
    let solved = solve(&mut saddle, &force, &vec![0.0; 402]);
    assert!(difference(&solved.acceleration, &known.acceleration, |_| 1.0) < 1e-12);
}

#[test]
fn nothing_is_allocated_in_the_loop_and_the_same_input_gives_the_same_bits() {
    for m in [
        Mechanism::slider_crank(true),
        Mechanism::ladder(10, 0.3),
        // Singular: the dense factorisation has its room from the beginning.
        Mechanism::ladder(10, 0.0),
        Mechanism::chain(20, |i| if i % 2 == 0 { 1e3 } else { 1e-3 }),
        Mechanism::ladder(60, 0.0),
    ] {
        let (force, gamma) = m.random_right_sides(4);
        let mut saddle = m.saddle();
        let (mut a, mut lambda) = (force.clone(), gamma.clone());
        let mut change = force.clone();
        let mut mass = 0.0;
        let counted = allocation_counter::measure(|| {
            let _ = saddle.factor(&m.jacobian);
            let _ = saddle.solve(&force, &gamma, &mut a, &mut lambda);
            let _ = saddle.project(&gamma, &mut change);
            mass = saddle.constrained_inverse_mass(&force).unwrap_or(f64::NAN);
        });
        assert_eq!(counted.count_total, 0);
        assert!(mass.is_finite() && a.iter().chain(&change).all(|x| x.is_finite()));
        let mut again = m.saddle();
        let _ = again.factor(&m.jacobian);
        let solved = solve(&mut again, &force, &gamma);
        assert_eq!((solved.acceleration, solved.lambda), (a, lambda));
    }
}

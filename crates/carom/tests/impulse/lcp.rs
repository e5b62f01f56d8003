//! Does Lemke's method find what is there, and say so where nothing is?

use super::bodies::Dice;
use carom::impulse::{Room, Stuck, lemke};

/// The largest of |min(z, w)|.
fn missed(matrix: &[f64], vector: &[f64], z: &[f64]) -> f64 {
    let n = vector.len();
    (0..n).fold(0.0, |most: f64, i| {
        let w: f64 = vector[i] + (0..n).map(|j| matrix[i * n + j] * z[j]).sum::<f64>();
        most.max(w.min(z[i]).abs())
    })
}

/// Gauss's elimination with full search for pivots; `None` if there is none.
fn solve(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for k in 0..n {
        let best = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        a.swap(k, best);
        if a[k][k].abs() < 1e-11 {
            return None;
        }
        for i in 0..n {
            if i != k {
                let f = a[i][k] / a[k][k];
                for j in k..=n {
                    a[i][j] -= f * a[k][j];
                }
            }
        }
    }
    Some((0..n).map(|i| a[i][n] / a[i][i]).collect())
}

/// All answers in which the active part of the matrix has an inverse, by trying every choice of what is active.
fn all(matrix: &[f64], vector: &[f64]) -> Vec<Vec<f64>> {
    let n = vector.len();
    let mut found = Vec::new();
    for choice in 0..1usize << n {
        let active: Vec<usize> = (0..n).filter(|i| choice >> i & 1 == 1).collect();
        let system = active
            .iter()
            .map(|i| {
                let mut row: Vec<f64> = active.iter().map(|j| matrix[i * n + j]).collect();
                row.push(-vector[*i]);
                row
            })
            .collect();
        if let Some(some) = solve(system) {
            let mut z = vec![0.0; n];
            for (i, x) in active.iter().zip(some) {
                z[*i] = x;
            }
            let feasible = z.iter().all(|x| *x >= -1e-9) && missed(matrix, vector, &z) < 1e-9;
            if feasible {
                found.push(z);
            }
        }
    }
    found
}

#[test]
fn positive_definite_problems_have_the_one_answer_that_trying_everything_finds() {
    let mut room = Room::default();
    let mut dice = Dice::new(1);
    for _ in 0..400 {
        let n = 1 + dice.below(6);
        // AᵀA + skew: not symmetric, and still one answer (a P-matrix).
        let a: Vec<f64> = (0..n * n).map(|_| dice.between(-1.0, 1.0)).collect();
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] = (0..n).map(|k| a[k * n + i] * a[k * n + j]).sum::<f64>();
            }
            m[i * n + i] += 0.05;
            for j in 0..i {
                let skew = dice.between(-1.0, 1.0);
                m[i * n + j] += skew;
                m[j * n + i] -= skew;
            }
        }
        let q: Vec<f64> = (0..n).map(|_| dice.between(-1.0, 1.0)).collect();
        let mut z = vec![0.0; n];
        lemke(&m, &q, &mut z, &mut room).expect("a P-matrix always has an answer");
        let every = all(&m, &q);
        assert!(!every.is_empty());
        for other in every {
            for i in 0..n {
                assert!((z[i] - other[i]).abs() < 1e-8, "{z:?} {other:?}");
            }
        }
    }
}

#[test]
fn semi_definite_problems_end_on_a_ray_only_where_trying_everything_finds_nothing() {
    let mut room = Room::default();
    let mut dice = Dice::new(2);
    let (mut rays, mut answers) = (0, 0);
    for _ in 0..3000 {
        let n = 1 + dice.below(6);
        // AᵀA of a rank below n, and a skew part that is mostly zero: copositive plus, for which a ray means that nothing is feasible (Cottle, Pang and Stone 1992).
        let rank = dice.below(n);
        let a: Vec<f64> = (0..rank * n).map(|_| dice.between(-1.0, 1.0)).collect();
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] = (0..rank).map(|k| a[k * n + i] * a[k * n + j]).sum::<f64>();
            }
            for j in 0..i {
                if dice.one() < 0.3 {
                    let skew = dice.between(-1.0, 1.0);
                    m[i * n + j] += skew;
                    m[j * n + i] -= skew;
                }
            }
        }
        let q: Vec<f64> = (0..n).map(|_| dice.between(-1.0, 1.0)).collect();
        let mut z = vec![0.0; n];
        match lemke(&m, &q, &mut z, &mut room) {
            Ok(()) => {
                answers += 1;
                let size = z.iter().fold(1.0, |a: f64, b| a.max(*b));
                assert!(missed(&m, &q, &z) < 1e-8 * size, "{m:?} {q:?} {z:?}");
                assert!(z.iter().all(|x| *x >= 0.0));
            }
            Err(Stuck::Ray) => {
                rays += 1;
                assert!(all(&m, &q).is_empty(), "{m:?} {q:?}");
            }
            Err(other) => panic!("{other:?} {m:?} {q:?}"),
        }
    }
    assert!(
        rays > 500 && answers > 500,
        "{rays} rays, {answers} answers"
    );
}

#[test]
fn a_problem_without_an_answer_ends_on_a_ray() {
    let mut room = Room::default();
    let mut z = [0.0; 2];
    // w = −z − 1 is never positive.
    assert_eq!(
        lemke(&[-1.0], &[-1.0], &mut z[..1], &mut room),
        Err(Stuck::Ray)
    );
    // w₁ = z₂ − 1 and w₂ = −z₂ − 1.
    assert_eq!(
        lemke(&[0.0, 1.0, 0.0, -1.0], &[-1.0, -1.0], &mut z, &mut room),
        Err(Stuck::Ray)
    );
}

#[test]
fn inputs_that_are_no_problem_are_refused() {
    let mut room = Room::default();
    let mut z = [0.0; 2];
    assert_eq!(
        lemke(&[1.0], &[1.0, 1.0], &mut z, &mut room),
        Err(Stuck::Sizes)
    );
    assert_eq!(
        lemke(&[f64::NAN], &[-1.0], &mut z[..1], &mut room),
        Err(Stuck::NotFinite)
    );
    assert_eq!(
        lemke(&[1.0], &[f64::INFINITY], &mut z[..1], &mut room),
        Err(Stuck::NotFinite)
    );
    // A row of zeros that asks for something.
    assert_eq!(
        lemke(&[0.0], &[-1.0], &mut z[..1], &mut room),
        Err(Stuck::Ray)
    );
}

#[test]
fn semi_definite_problems_of_rank_three_with_grams_beside_tonnes_are_solved() {
    let mut room = Room::default();
    let mut dice = Dice::new(3);
    for round in 0..200 {
        // W of n supports under one body of three freedoms, units of each row chosen at random over twelve powers of ten.
        let n = 4 + dice.below(40);
        let unit: Vec<f64> = (0..n)
            .map(|_| 10f64.powf(dice.between(-6.0, 6.0)))
            .collect();
        let j: Vec<[f64; 3]> = (0..n)
            .map(|_| [dice.between(-1.0, 1.0), 1.0, dice.between(-1.0, 1.0)])
            .collect();
        let mut m = vec![0.0; n * n];
        for a in 0..n {
            for b in 0..n {
                m[a * n + b] = (0..3).map(|k| j[a][k] * j[b][k]).sum::<f64>() * unit[a] * unit[b];
            }
        }
        let v = [dice.between(-1.0, 1.0), -1.0, dice.between(-1.0, 1.0)];
        let q: Vec<f64> = (0..n)
            .map(|a| (0..3).map(|k| j[a][k] * v[k]).sum::<f64>() * unit[a])
            .collect();
        let mut z = vec![0.0; n];
        lemke(&m, &q, &mut z, &mut room).expect("rates of a body always have an answer");
        // In the body's own units.
        let after: Vec<f64> = (0..3)
            .map(|k| v[k] + (0..n).map(|a| j[a][k] * z[a] * unit[a]).sum::<f64>())
            .collect();
        for a in 0..n {
            let u: f64 = (0..3).map(|k| j[a][k] * after[k]).sum();
            let p = z[a] * unit[a];
            assert!(
                p >= 0.0 && u > -1e-8 && (p * u).abs() < 1e-8,
                "{round}: {p} {u}"
            );
        }
    }
}

#[test]
fn two_hundred_balls_in_a_row_need_the_impulse_of_the_inverse_of_a_laplacian() {
    // Frictionless balls of 1 kg between two walls that all close at once: W is tridiagonal (2, −1) and q = −1, so z_i = (i + 1)(n − i)/2.
    let n = 200;
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        m[i * n + i] = 2.0;
        if i > 0 {
            m[i * n + i - 1] = -1.0;
            m[(i - 1) * n + i] = -1.0;
        }
    }
    let mut z = vec![0.0; n];
    lemke(&m, &vec![-1.0; n], &mut z, &mut Room::default()).expect("positive definite");
    for i in 0..n {
        let exact = (i + 1) as f64 * (n - i) as f64 / 2.0;
        assert!((z[i] - exact).abs() < 1e-9 * exact);
    }
}

use super::*;
struct P1 { m: f64, k: f64, v0: f64, hc: f64, count: usize }
impl Slope for P1 {
    fn eval(&mut self, _s: f64, y: &[f64], d: &mut [f64]) {
        self.count += 1;
        d[0] = y[1];
        d[1] = if y[0] > 0.0 { -self.k * y[0] * y[0].sqrt() * (1.0 + self.hc * y[1] / self.v0) / self.m } else { 0.0 };
    }
    fn depends(&self, _: usize, _: usize) -> bool { true }
}
fn p1(rtol: f64, relative: bool, first: f64) -> (usize, usize, usize, f64, f64) {
    let mut f = P1 { m: 0.046, k: 5.5e9, v0: 0.3, hc: 0.45, count: 0 };
    let atol = [rtol * 1.546746229e-5, rtol * 0.3];
    let rt = if relative { [rtol; 2] } else { [0.0; 2] };
    let tol = Tolerance { rtol: &rt, atol: &atol };
    let mut a = Adams::new(2);
    a.begin(&mut f, 0.0, &[0.0, 0.3]);
    let mut h = first;
    let (mut ok, mut bad) = (0, 0);
    loop {
        let r = a.attempt(&mut f, h, tol);
        if std::env::var("SHOW").is_ok() { println!("s {:.4e} h {:.3e} k {} acc {} err {:.2e}", a.s0, h, a.tried, r.accepted, r.error); }
        if std::env::var("SHOW").is_ok() && r.accepted {
            let inv = |d: f64, v: f64| { let c: f64 = 0.45/0.3; v/c - (c*v).ln_1p()/c/c + 0.4*5.5e9/0.046*d.max(0.0).powf(2.5) };
            let e = a.ends(); let r0 = inv(0.0, 0.3);
            println!("     dI {:.3e}", (inv(e.y1[0], e.y1[1]) - r0)/r0);
        }
        h = r.next;
        if !r.accepted { bad += 1; continue; }
        ok += 1;
        if a.ends().y1[0] <= 0.0 {
            a.prepare_dense(&mut f);
            let (mut lo, mut hi) = (0.0, 1.0);
            let mut y = [0.0; 2];
            for _ in 0..80 { let mid = 0.5 * (lo + hi); a.dense(mid, &mut y); if y[0] > 0.0 { lo = mid } else { hi = mid } }
            a.dense(hi, &mut y);
            return (f.count, ok, bad, -y[1] / 0.23039993672354284 - 1.0, (a.s0 + hi * a.h) / 1.5680661889269e-4 - 1.0);
        }
        a.commit();
    }
}
#[test]
fn show() {
    for d in [1e3] { for rel in [false] {
        let r = p1(1e-8, rel, 1.568e-4 / d);
        println!("first 1/{d} rel {rel}: {r:?}");
    } }
    for e in 4..4 { println!("{e} {:?}", p1(10f64.powi(-e), false, 1.568e-4 / 1000.0)); }
}

//! One free impact on F = K x^n (1 + h x'/v), by classical Runge–Kutta: another way to what the library computes.

/// A spring with a damper in proportion to it, and what hits it.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// K in N/m^n, and n.
    pub spring: (f64, f64),
    /// h, a part of the elastic force at the speed of approach.
    pub damping: f64,
    /// Effective mass, kg.
    pub mass: f64,
    /// Speed of approach v, m/s.
    pub speed: f64,
}

impl Impact {
    fn force(&self, x: f64, v: f64) -> f64 {
        let (k, n) = self.spring;
        k * x.max(0.0).powf(n) * (1.0 + self.damping * v / self.speed)
    }

    /// The force (N) after every step (s) from touch to separation, and how long (s) the contact lasts, straight to the zero in the last step.
    pub fn follow(&self, step: f64) -> (Vec<f64>, f64) {
        let push = |x: f64, v: f64| -self.force(x, v) / self.mass;
        let (mut x, mut v, mut all) = (0.0, self.speed, vec![0.0]);
        loop {
            let (x1, v1) = (v, push(x, v));
            let (x2, v2) = (
                v + 0.5 * step * v1,
                push(x + 0.5 * step * x1, v + 0.5 * step * v1),
            );
            let (x3, v3) = (
                v + 0.5 * step * v2,
                push(x + 0.5 * step * x2, v + 0.5 * step * v2),
            );
            let (x4, v4) = (v + step * v3, push(x + step * x3, v + step * v3));
            let next = x + step / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4);
            if next <= 0.0 {
                let whole = (all.len() - 1) as f64;
                return (all, step * (whole + x / (x - next)));
            }
            x = next;
            v += step / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
            all.push(self.force(x, v));
        }
    }
}

//! Which numbers come next, at random but the same in every run?

/// Marsaglia's xorshift with Vigna's multiplier, its seed spread by a multiplication.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random =
            Self((seed ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// 0 ≤ x < 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        round(low + (high - low) * self.unit())
    }

    /// Every factor is as likely as any other.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        round((low.ln() + (high.ln() - low.ln()) * self.unit()).exp())
    }

    pub fn chance(&mut self, part: f64) -> bool {
        self.unit() < part
    }

    pub fn count(&mut self, from: usize, to: usize) -> usize {
        from + (self.next() >> 33) as usize % (to - from + 1)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.count(0, from.len() - 1)]
    }

    // A little more than all round; the seeds mean the same scenes as long as it stays.
    #[allow(clippy::approx_constant)]
    pub fn angle(&mut self) -> f64 {
        self.between(-3.1416, 3.1416)
    }

    pub fn direction(&mut self) -> [f64; 2] {
        let angle = self.angle();
        [angle.cos(), angle.sin()]
    }
}

/// Six digits: what a person would type at most.
pub fn round(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

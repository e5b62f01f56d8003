//! How does an elastic sphere rebound from a half-space of its own material, friction and tangential compliance counted?
//!
//! Maw, Barber and Fawcett 1976 (Wear 38, 101). Everything is told by the incidence ψ = κ vt/(μ vn) of the point that touches, with κ = 2(1 − ν)/(2 − ν) Mindlin's ratio of the tangential to the normal
//! stiffness, and by χ = κ (1 + 1/K²)/2, K the radius of gyration over the radius. They cut the circle of contact into rings. Here it is cut into strips: a sphere on a half-space presses, and is dragged, as a
//! parabola x²/R is on independent springs, E* dx across and κ E* dx along, each of which sticks, or slides under μ times its own load (Popov and Heß 2015, the method of dimensionality reduction, exact under
//! the assumptions of Mindlin). R, m, E*, μ and the speed of approach are 1.
#![allow(dead_code)]

/// What touches.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub poisson: f64,
    /// K².
    pub gyration: f64,
}

impl Body {
    /// Solid and homogeneous.
    pub const SPHERE: Body = Body {
        poisson: 0.3,
        gyration: 0.4,
    };

    /// Tangential over normal stiffness.
    pub fn kappa(&self) -> f64 {
        2.0 * (1.0 - self.poisson) / (2.0 - self.poisson)
    }

    /// How much more easily the point that touches is moved along than across.
    pub fn ease(&self) -> f64 {
        1.0 + 1.0 / self.gyration
    }

    pub fn chi(&self) -> f64 {
        0.5 * self.kappa() * self.ease()
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub struct Rebound {
    /// ψ after the impact, negative where the point that touches goes back.
    pub psi: f64,
    /// Tangential force over μ times the normal force, on the first step.
    pub first: f64,
    /// Parts of the time that every strip slid forward, that some stuck and some slid, that none slid.
    pub sliding: f64,
    pub mixed: f64,
    pub sticking: f64,
}

/// An impact at this incidence, with so many strips on either side and so many steps.
pub fn strips(body: Body, psi: f64, strips: usize, steps: usize) -> Rebound {
    let (kappa, ease) = (body.kappa(), body.ease());
    let deepest = (15.0_f64 / 16.0).powf(0.4);
    let h = 2.943_275 * deepest / steps as f64;
    let width = deepest.sqrt() / strips as f64;
    // How far each strip's spring is stretched.
    let mut stretched = vec![0.0; strips];
    let (mut depth, mut down, mut along) = (0.0_f64, 1.0, psi / kappa);
    let (mut press, mut drag) = (0.0, 0.0);
    let (mut first, mut counts) = (f64::NAN, [0_usize; 3]);
    loop {
        down -= 0.5 * h * press;
        along -= 0.5 * h * ease * drag;
        depth += h * down;
        if depth <= 0.0 {
            break;
        }
        drag = 0.0;
        let (mut slide, mut stick) = (false, false);
        for (i, stretch) in stretched.iter_mut().enumerate() {
            let x = width * (i as f64 + 0.5);
            let pressed = depth - x * x;
            if pressed <= 0.0 {
                *stretch = 0.0;
                continue;
            }
            let (wanted, limit) = (*stretch + h * along, pressed / kappa);
            *stretch = wanted.clamp(-limit, limit);
            slide |= wanted.abs() >= limit;
            stick |= wanted.abs() < limit;
            drag += 2.0 * width * kappa * *stretch;
        }
        press = 4.0 / 3.0 * depth.powf(1.5);
        // At the very start fewer strips are touched than their sum needs.
        if first.is_nan() && depth > 0.05 * deepest {
            first = drag / press;
        }
        counts[match (slide, stick) {
            (true, false) => 0,
            (true, true) => 1,
            _ => 2,
        }] += 1;
        down -= 0.5 * h * press;
        along -= 0.5 * h * ease * drag;
    }
    let all: usize = counts.iter().sum();
    let [sliding, mixed, sticking] = counts.map(|count| count as f64 / all as f64);
    Rebound {
        psi: kappa * along,
        first,
        sliding,
        mixed,
        sticking,
    }
}

/// The same with one spring across and one along, both linear, in the ratio κ: what a law of friction with one tangential spring can do. The borders of its regimes are the same: it slides from the
/// start for ψ ≥ 1, as the limit grows no faster than the spring is stretched, and to the end for ψ ≥ 4χ − 1, as it falls no faster.
pub fn spring(body: Body, psi: f64, steps: usize) -> f64 {
    let (kappa, ease) = (body.kappa(), body.ease());
    let h = std::f64::consts::PI / steps as f64;
    let (mut along, mut stretch, mut drag) = (psi / kappa, 0.0_f64, 0.0);
    for i in 1..=steps {
        along -= 0.5 * h * ease * drag;
        // The normal force is sin t.
        let limit = (h * i as f64).sin().max(0.0) / kappa;
        stretch = (stretch + h * along).clamp(-limit, limit);
        drag = kappa * stretch;
        along -= 0.5 * h * ease * drag;
    }
    kappa * along
}

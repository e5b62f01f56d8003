//! Where is a point of a body, where does its direction point, and how do both move?
//!
//! A point at (ξ, η) in a body's frame stands at r + A(φ) (ξ, η) (Nikravesh 1988). Its arm s = A (ξ, η) turns by 90° counter-clockwise with each derivative by φ: ∂r/∂φ = ŝ, ∂²r/∂φ² = −s.

use crate::math;

/// (x, y) turned by 90° counter-clockwise.
#[inline]
pub(crate) fn turned([x, y]: [f64; 2]) -> [f64; 2] {
    [-y, x]
}

/// The scalar product.
#[inline]
pub(crate) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// a − b.
#[inline]
pub(crate) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The mass centre, m.
    pub position: [f64; 2],
    /// The angle φ, rad.
    pub angle: f64,
    /// cos φ.
    pub cos: f64,
    /// sin φ.
    pub sin: f64,
    /// The velocity of the mass centre, m/s.
    pub velocity: [f64; 2],
    /// The angular velocity, rad/s.
    pub omega: f64,
}

impl Pose {
    /// The ground: at the origin, and there it stays.
    pub const GROUND: Pose = Pose {
        position: [0.0; 2],
        angle: 0.0,
        cos: 1.0,
        sin: 0.0,
        velocity: [0.0; 2],
        omega: 0.0,
    };
    /// A body that does not exist: nothing computed from it is a number.
    const NOWHERE: Pose = Pose {
        position: [f64::NAN; 2],
        angle: f64::NAN,
        cos: f64::NAN,
        sin: f64::NAN,
        velocity: [f64::NAN; 2],
        omega: f64::NAN,
    };

    /// From coordinates (x, y in m, φ in rad) and velocities (m/s, m/s, rad/s).
    #[inline]
    pub fn new([x, y, angle]: [f64; 3], [vx, vy, omega]: [f64; 3]) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self {
            position: [x, y],
            angle,
            cos,
            sin,
            velocity: [vx, vy],
            omega,
        }
    }

    /// The pose of a body among all; the ground's for `None`.
    #[inline]
    pub fn of(body: Option<usize>, poses: &[Pose]) -> Pose {
        match body {
            None => Pose::GROUND,
            Some(i) => poses.get(i).copied().unwrap_or(Pose::NOWHERE),
        }
    }

    /// A vector of the body's frame in ground axes.
    #[inline]
    pub fn rotate(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }
}

/// The poses of all bodies from q and v, three numbers a body. A body that q or v is too short for gets none: its pose stays as it was.
/// A pose whose angle is the same as before keeps its sine and cosine.
#[inline]
pub fn pose_all(q: &[f64], v: &[f64], poses: &mut [Pose]) {
    for ((pose, q), v) in poses
        .iter_mut()
        .zip(q.as_chunks::<3>().0)
        .zip(v.as_chunks::<3>().0)
    {
        // A state is often looked at twice, put onto the constraints and then evaluated: what was computed of its angles is still there.
        if pose.angle.to_bits() == q[2].to_bits() {
            pose.position = [q[0], q[1]];
            pose.velocity = [v[0], v[1]];
            pose.omega = v[2];
        } else {
            *pose = Pose::new(*q, *v);
        }
    }
}

/// A point, with a direction, fixed in a body or in the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    body: Option<usize>,
    at: [f64; 2],
    angle: f64,
    /// cos and sin of `angle`, taken once.
    along: [f64; 2],
}

impl Place {
    /// A point `at` (m, from the mass centre, in the body's axes; for the ground from the origin), with a direction at `angle` (rad) from the body's x axis.
    pub fn new(body: Option<usize>, at: [f64; 2], angle: f64) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self {
            body,
            at,
            angle,
            along: [cos, sin],
        }
    }

    /// A point of a body; its direction is the body's x axis.
    pub fn on(body: usize, at: [f64; 2]) -> Self {
        Self::new(Some(body), at, 0.0)
    }

    /// A point of the ground; its direction is the x axis.
    pub fn ground(at: [f64; 2]) -> Self {
        Self::new(None, at, 0.0)
    }

    /// The same point with a direction at this angle, rad.
    pub fn facing(self, angle: f64) -> Self {
        Self::new(self.body, self.at, angle)
    }

    /// The body; `None` is the ground.
    pub fn body(&self) -> Option<usize> {
        self.body
    }

    /// The point in the body's axes, m.
    pub fn at(&self) -> [f64; 2] {
        self.at
    }

    /// The angle of the direction from the body's x axis, rad.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// The unit vector of the direction in the body's axes.
    pub fn along(&self) -> [f64; 2] {
        self.along
    }

    /// The place in ground axes, as the bodies stand and move.
    #[inline]
    pub fn spot(&self, poses: &[Pose]) -> Spot {
        let pose = Pose::of(self.body, poses);
        let arm = pose.rotate(self.at);
        let swing = turned(arm);
        Spot {
            position: [pose.position[0] + arm[0], pose.position[1] + arm[1]],
            velocity: [
                pose.velocity[0] + pose.omega * swing[0],
                pose.velocity[1] + pose.omega * swing[1],
            ],
            arm,
            along: pose.rotate(self.along),
            angle: pose.angle + self.angle,
            omega: pose.omega,
        }
    }
}

/// A place in ground axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The point, m. By (x, y, φ) of its body: (1, 0, −arm_y) and (0, 1, arm_x).
    pub position: [f64; 2],
    /// Its velocity, m/s.
    pub velocity: [f64; 2],
    /// From the mass centre to the point, m.
    pub arm: [f64; 2],
    /// The unit vector of its direction. By φ: [`Spot::across`].
    pub along: [f64; 2],
    /// The angle of its direction, rad; counts whole turns.
    pub angle: f64,
    /// The angular velocity of its body, rad/s.
    pub omega: f64,
}

impl Spot {
    /// The unit vector 90° counter-clockwise from the direction. By φ: the direction, negative.
    #[inline]
    pub fn across(&self) -> [f64; 2] {
        turned(self.along)
    }

    /// The point's acceleration if its body had none, m/s²: −ω² s.
    #[inline]
    pub fn centripetal(&self) -> [f64; 2] {
        let w = -self.omega * self.omega;
        [w * self.arm[0], w * self.arm[1]]
    }

    /// How (x, y, φ) of the body move the point along `u`: also the generalised force of a unit force along `u` at the point.
    #[inline]
    pub fn by(&self, u: [f64; 2]) -> [f64; 3] {
        [u[0], u[1], dot(u, turned(self.arm))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_moves_points_as_drawn_by_hand() {
        let poses = [Pose::new(
            [1.0, 2.0, core::f64::consts::FRAC_PI_2],
            [0.5, 0.0, 3.0],
        )];
        let spot = Place::on(0, [0.25, 0.0])
            .facing(core::f64::consts::PI)
            .spot(&poses);
        // The arm points up, the direction down; the point runs to the left at 3 · 0.25 on top of the body's 0.5 m/s.
        for (found, known) in [
            (spot.position, [1.0, 2.25]),
            (spot.velocity, [0.5 - 0.75, 0.0]),
            (spot.along, [0.0, -1.0]),
            (spot.across(), [1.0, 0.0]),
            (spot.centripetal(), [0.0, -9.0 * 0.25]),
        ] {
            assert!((found[0] - known[0]).abs() < 1e-15 && (found[1] - known[1]).abs() < 1e-15);
        }
    }

    #[test]
    fn a_body_that_does_not_exist_is_nowhere() {
        let spot = Place::on(7, [0.0, 0.0]).spot(&[Pose::GROUND]);
        assert!(spot.position[0].is_nan() && spot.along[1].is_nan() && spot.velocity[0].is_nan());
        assert_eq!(Place::ground([1.0, 2.0]).spot(&[]).position, [1.0, 2.0]);
    }
}

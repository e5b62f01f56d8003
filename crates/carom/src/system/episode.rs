//! What is there to say about a contact from its touch to its separation?

use crate::contact::{Calibration, Separation, Touch};
use crate::impact;
use crate::mechanics::{Episode, Follows, Opposite, Pose};

use super::course::Course;
use super::remarks::Remark;
use super::trace::Sample;

/// One contact of an element at one of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacted {
    /// The element: `contact.impact`, `joint.pin` with play, or `joint.pin.limits`.
    pub element: String,
    /// Where it stands among the model's contacts; `None` for a stop.
    pub entry: Option<usize>,
    /// Of a stop: `lower` or `upper`.
    pub side: Option<&'static str>,
    /// Which of the element's possible points of contact it is.
    pub slot: usize,
    /// When and how fast. Of a contact that is not over, the end is the time reached.
    pub episode: Episode,
    /// Whether it is over.
    pub over: bool,
    /// The law.
    pub law: &'static str,
    /// The law of friction, if there is one.
    pub friction: Option<&'static str>,
    /// The restitution asked for at the speed of approach, if any was.
    pub requested: Option<f64>,
    /// What the indentation is: `m`, or `rad` at a stop that turns. Depths, speeds, masses and forces are those of a length or of an angle.
    pub unit: &'static str,
    /// Where the bodies touched; a stop has no place.
    pub place: Option<Place>,
    /// What was known of the law when they touched.
    pub begun: Terms,
    /// How deep, how hard and how lossy.
    pub course: Course,
    /// How it went, point by point, from touch on: of the first contacts of a run only.
    pub samples: Vec<Sample>,
    /// What there is to beware of.
    pub remarks: Vec<Remark>,
}

/// What is known of a law when bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// How its damper follows from the restitution asked for.
    pub calibration: Calibration,
    /// The restitution that it returns where no other force acts, if there is a formula.
    pub free: Option<f64>,
    /// When the bodies part.
    pub separation: Separation,
    /// The deepest indentation for which it has a force, m (or rad); infinite if there is no limit.
    pub limit: f64,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            calibration: Calibration::Published,
            free: None,
            separation: Separation::ZeroIndentation,
            limit: f64::INFINITY,
        }
    }
}

impl Terms {
    pub(super) fn of(touch: &Touch, follows: &Follows) -> Self {
        Self {
            calibration: follows.calibration(),
            free: impact::restitution(touch).filter(|e| e.is_finite()),
            separation: touch.separation(),
            limit: touch.limit(),
        }
    }
}

/// Where and how two bodies touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Midway between the surfaces, ground axes, m.
    pub point: [f64; 2],
    /// Outward of the first body.
    pub normal: [f64; 2],
    /// How fast the second surface slid over the first, m/s; positive 90° counter-clockwise from the normal.
    pub slip: f64,
    /// The curvatures there, 1/m: convex positive.
    pub curvatures: [f64; 2],
    /// The least extent of the two shapes, m; infinite if one of them stands for a point.
    pub extent: f64,
    /// Whether the mass centres of both bodies (of those that are not the ground) lie on the line of impact.
    pub central: bool,
}

impl Place {
    pub(super) fn of(
        at: &Opposite,
        bodies: [Option<usize>; 2],
        extent: f64,
        poses: &[Pose],
    ) -> Self {
        let n = at.near.normal;
        let arm = |body: Option<usize>| {
            let pose = body.and_then(|body| poses.get(body))?;
            let [x, y] = [
                at.point[0] - pose.position[0],
                at.point[1] - pose.position[1],
            ];
            Some(crate::math::sqrt(x * x + y * y))
        };
        let farthest = bodies.into_iter().filter_map(arm).fold(0.0, f64::max);
        // A tip that is tiny against its body stands for a point, and has no size.
        let extent = if extent < 0.02 * farthest {
            f64::INFINITY
        } else {
            extent
        };
        // A mass centre on the line of impact is moved by a force along it, and not turned.
        let central = bodies.into_iter().zip(at.by).all(|(body, by)| {
            let Some(body) = body else { return true };
            let Some(pose) = poses.get(body) else {
                return true;
            };
            let [x, y] = [
                at.point[0] - pose.position[0],
                at.point[1] - pose.position[1],
            ];
            by[2] * by[2] <= 1e-18 * (x * x + y * y)
        });
        Self {
            point: at.point,
            normal: n,
            slip: at.slip,
            curvatures: at.near.curvatures,
            extent,
            central,
        }
    }
}

impl Contacted {
    /// Whether it is over and was an impact: surfaces that lay in each other when a run began, or came apart while they touched, did not come in, and nothing they do is a part of that.
    fn impact(&self) -> bool {
        self.over && self.episode.approach > 0.0
    }

    /// The ratio of the speeds along the normal after and before (Newton), if there is one: a touch that was counted as faster than it was has none, nor has one that ended (over an edge) before the surfaces parted.
    pub fn newton(&self) -> Option<f64> {
        let episode = &self.episode;
        let real = !episode.slow && episode.counted <= episode.approach;
        let ratio = episode.separation / episode.approach;
        (self.impact() && real && ratio >= 0.0).then_some(ratio)
    }

    /// The ratio of the impulses of restitution and compression (Poisson); `None` if one of them pulled the surfaces together, or the surfaces did not come in.
    pub fn poisson(&self) -> Option<f64> {
        let [compression, restitution] = self.course.impulse;
        let ratio = restitution / compression;
        (self.impact() && compression > 0.0 && ratio >= 0.0).then_some(ratio)
    }

    /// The square root of the ratio of the works of restitution and compression (Stronge); `None` if the normal force took work in restitution too, or the surfaces did not come in.
    pub fn stronge(&self) -> Option<f64> {
        let [compression, restitution] = self.course.work;
        let ratio = restitution / compression;
        (self.impact() && compression > 0.0 && ratio >= 0.0).then(|| crate::math::sqrt(ratio))
    }

    /// What the indentation is to be small against, m, and whether that is a radius: the smaller radius of two round surfaces, or else the least extent of the shapes. Of stops nothing.
    pub fn size(&self) -> Option<(f64, bool)> {
        let place = self.place?;
        let radii = place.curvatures.map(|c| 1.0 / c);
        let radii = radii.into_iter().filter(|r| *r > 0.0 && r.is_finite());
        let radius = radii.fold(f64::INFINITY, f64::min);
        // A round edge of a large body may be pressed flat; it is the body that must not be.
        if radius.is_finite() && radius > 0.2 * place.extent {
            return Some((radius, true));
        }
        (place.extent > 0.0 && place.extent.is_finite()).then_some((place.extent, false))
    }

    /// Whether its surfaces do not yield: impulses are known of it, and no indentation.
    pub fn is_rigid(&self) -> bool {
        self.course.deepest[0].is_nan()
    }

    /// The impulse of the whole contact, N s (or N m s): of blows, and of what pressed the surfaces while they stayed together.
    pub fn impulse(&self) -> f64 {
        self.blow_impulse() + self.course.pressed
    }

    /// The impulse of compression and restitution, N s (or N m s): where surfaces do not yield, that of the blows alone, without what pressed them while they stayed together.
    pub fn blow_impulse(&self) -> f64 {
        self.course.impulse.iter().sum()
    }

    /// What became heat along the normal, J.
    pub fn normal_heat(&self) -> f64 {
        self.course.heat.iter().sum::<f64>()
    }

    /// `central` or `eccentric`, and `direct`, `oblique` or `tangential` (Gilardi and Sharf 2002; Corral et al. 2021, section 2). Of stops nothing.
    pub fn impact_type(&self) -> Option<String> {
        let place = self.place?;
        let line = if place.central {
            "central"
        } else {
            "eccentric"
        };
        let (across, along) = (place.slip.abs(), self.episode.approach.abs());
        let speeds = if across <= 1e-9 * along {
            "direct"
        } else if along <= 1e-9 * across {
            "tangential"
        } else {
            "oblique"
        };
        Some(format!("{line}, {speeds}"))
    }
}

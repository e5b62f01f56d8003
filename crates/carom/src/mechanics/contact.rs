//! A contact between two bodies: where may they touch, which way does each point of contact push, and what does it follow?
//!
//! The bodies carry shapes ([`crate::geometry`]); a pair of shapes has one or more possible points of contact, each with its gap, its normal (outward of the first body) and its memory, a
//! [`Contacting`](crate::mechanics::Contacting) that whoever runs it owns. The gap changes as the two body points that are nearest part along the normal: that nearest points wander over the surfaces
//! adds nothing, for the gap is stationary there. So the force along the normal does exactly the work that the law says.

use crate::friction;
use crate::friction::Family;
use crate::friction::Sliding;
use crate::friction::Tangential;
use crate::geometry::Frame;
use crate::geometry::Near;
use crate::geometry::Pair;
use crate::geometry::Shape;
use crate::geometry::Track;
use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Pose, dot, minus, turned};
use crate::mechanics::load::push;
use crate::mechanics::touching::{Apart, Follows, Terms};

const ELEMENT: &str = "contact";

/// How far an outline that is not round may turn in one step, rad.
const TURN: f64 = 0.3;

/// Two bodies that may touch. Immutable: what it remembers stands beside it.
#[derive(Clone, Debug)]
pub struct Contact {
    bodies: [Option<usize>; 2],
    pairs: Vec<Pair>,
    /// Of every possible point of contact: its pair, and its number there.
    slots: Vec<[usize; 2]>,
    terms: Terms,
    friction: Option<friction::Law>,
    play: Option<f64>,
    passable: Option<Passable>,
    /// The least extent of its shapes that have one, m; 1 m where none has.
    size: f64,
    /// Whether all that can touch is round or a plane: then no turn of a body brings new parts of its outline near.
    round: bool,
    /// Whether one of its shapes is hollow: a bore, a concave curve or arc.
    around: bool,
}

/// Bodies that could pass through each other between two looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passable {
    /// The least thickness of any of the shapes, m.
    pub thickness: f64,
    /// The thicknesses of two shapes together, m; of the thickest pair.
    pub both: f64,
    /// How far the shapes of either body reach from its mass centre (from the origin, of the ground), m.
    pub reaches: [f64; 2],
}

/// A possible point of contact as the bodies stand and move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opposite {
    /// Where the surfaces are nearest.
    pub near: Near,
    /// How fast the gap opens, m/s.
    pub rate: f64,
    /// The gap by (x, y, φ) of the first and of the second body.
    pub by: [[f64; 3]; 2],
    /// Midway between the surfaces, in ground axes, m: where friction acts.
    pub point: [f64; 2],
    /// How fast the second surface slides over the first there, m/s: positive 90° counter-clockwise from the normal.
    pub slip: f64,
}

impl Opposite {
    /// As the law sees it, with the law's own variable.
    #[inline]
    pub fn apart(&self, own: f64) -> Apart {
        Apart {
            gap: self.near.gap,
            rate: self.rate,
            own,
        }
    }
}

impl Contact {
    /// A touch slower than this (m/s) counts as this fast, unless told otherwise.
    pub const SLOWEST: f64 = 1e-3;

    /// Between two bodies (`None` is the ground), at all these pairs of shapes, which stand in the axes of their bodies, from the mass centre.
    pub fn new(
        bodies: [Option<usize>; 2],
        pairs: Vec<Pair>,
        follows: Follows,
    ) -> Result<Self, Fault> {
        let slots = pairs.iter().enumerate();
        let slots = slots.flat_map(|(p, pair)| (0..pair.slots()).map(move |k| [p, k]));
        let slots: Vec<[usize; 2]> = slots.collect();
        if bodies[0] == bodies[1] {
            return Err(Fault::SameBody {
                element: ELEMENT,
                body: bodies[0],
            });
        }
        Ok(Self {
            bodies,
            slots,
            passable: passable(&pairs),
            size: size(&pairs),
            round: pairs.iter().all(|pair| {
                let kinds = pair.shapes().map(|shape| shape.kind());
                kinds
                    .iter()
                    .all(|kind| ["circle", "bore", "half-plane"].contains(kind))
            }),
            around: pairs.iter().any(|pair| {
                let shapes = pair.shapes();
                shapes.iter().any(|shape| !shape.solid_on_the_left())
            }),
            pairs,
            terms: Terms {
                follows,
                slowest: Self::SLOWEST,
            },
            friction: None,
            play: None,
        })
    }

    /// The same with friction, by a law that is a function of speed: such a law never holds a body that is pulled, it lets it creep.
    pub fn with_friction(mut self, law: friction::Law) -> Result<Self, Fault> {
        let reason = match law.card().family {
            Family::Regularised => None,
            Family::Rolling => Some("is a law of rolling"),
            Family::Dry => Some("sticks, and contacts that stick come later"),
            Family::Bristle => {
                Some("has a variable of its own, and contacts that stick come later")
            }
        };
        if let Some(reason) = reason {
            let regularised = friction::cards().filter(|card| card.family == Family::Regularised);
            return Err(Fault::Law {
                element: ELEMENT,
                law: law.card().id,
                reason,
                instead: regularised.map(|card| card.id).collect(),
            });
        }
        self.friction = Some(law);
        Ok(self)
    }

    /// The same with another least approach speed, m/s.
    pub fn with_slowest(mut self, speed: f64) -> Result<Self, Fault> {
        positive(ELEMENT, "approach speed floor", speed, "m/s")?;
        self.terms.slowest = speed;
        Ok(self)
    }

    /// The same as a joint with this play, m: its bodies are followed as closely as the play asks for, whether they touch or not.
    pub fn with_play(mut self, clearance: f64) -> Result<Self, Fault> {
        positive(ELEMENT, "clearance", clearance, "m")?;
        self.play = Some(clearance);
        Ok(self)
    }

    /// The two bodies; `None` is the ground.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.bodies
    }

    /// The pairs of shapes.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The law, and what goes with it.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The law of friction.
    pub fn friction(&self) -> Option<&friction::Law> {
        self.friction.as_ref()
    }

    /// The least extent of its shapes that have one, m; 1 m where none has.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The play of a joint, m.
    pub fn play(&self) -> Option<f64> {
        self.play
    }

    /// What is known of bodies that could pass through each other; `None` where one of them has no far side: a half-plane, a bore.
    pub fn bounds_steps(&self) -> bool {
        self.passable.is_some() || !self.round || self.around
    }

    /// How far a step may go, s, before a gap that opens here closes again because one surface goes round inside the other: a ball that runs round in a bore is off its wall for moments that are short beside the
    /// steps of a free flight. Infinite where nothing is hollow.
    pub fn returns(&self, at: &Opposite, poses: &[Pose], accelerations: &[f64]) -> f64 {
        let [k1, k2] = at.near.curvatures;
        let n = at.near.normal;
        // Opening, and one hollow around the other.
        if !(at.rate > 0.0 && k1 * k2 < 0.0) {
            return f64::INFINITY;
        }
        let [p, q] = at.near.points;
        let (r1, r2) = (1.0 / k1, 1.0 / k2);
        let centers = [
            [p[0] - r1 * n[0], p[1] - r1 * n[1]],
            [q[0] + r2 * n[0], q[1] + r2 * n[1]],
        ];
        let [one, two] = self.bodies.map(|body| Pose::of(body, poses));
        let apart = minus(velocity(&two, centers[1]), velocity(&one, centers[0]));
        let along = dot(turned(n), apart);
        let round = r1 + r2 + at.near.gap;
        let all = accelerations.as_chunks::<3>().0;
        let pull: f64 = self
            .bodies
            .into_iter()
            .zip(at.by)
            .filter_map(|(body, by)| Some((all.get(body?)?, by)))
            .map(|(a, by)| a[0] * by[0] + a[1] * by[1] + a[2] * by[2])
            .sum();
        let second = along * along / round + pull;
        let back = -2.0 * at.rate / second;
        // Nearly there, it is still open.
        if second < 0.0 && back > 0.0 {
            0.9 * back
        } else {
            f64::INFINITY
        }
    }

    /// How far a step may go, s, so that bodies that are at least `gap` (m) apart cannot overlap by more than a quarter of their thickness before they are seen to; with the accelerations (m/s², rad/s²)
    /// of all bodies as they are now.
    pub fn longest_step(&self, gap: f64, poses: &[Pose], accelerations: &[f64]) -> f64 {
        let [one, two] = self.bodies.map(|body| Pose::of(body, poses));
        // An outline that is not round may touch and be gone again within half a turn.
        let turns = TURN / (one.omega - two.omega).abs();
        let turns = if self.round { f64::INFINITY } else { turns };
        let Some(passable) = &self.passable else {
            return turns;
        };
        let of = |body: Option<usize>| {
            let all = accelerations.as_chunks::<3>().0;
            body.and_then(|b| all.get(b)).copied().unwrap_or([0.0; 3])
        };
        let [a, b] = self.bodies.map(of);
        let length = |[x, y]: [f64; 2]| crate::math::sqrt(x * x + y * y);
        let [r, s] = passable.reaches;
        let speed =
            length(minus(one.velocity, two.velocity)) + r * one.omega.abs() + s * two.omega.abs();
        let push = length([a[0] - b[0], a[1] - b[1]])
            + r * (a[2].abs() + one.omega * one.omega)
            + s * (b[2].abs() + two.omega * two.omega);
        let gap = if gap.is_finite() { gap.max(0.0) } else { 0.0 };
        let room = gap + 0.25 * passable.thickness;
        // v h + a h²/2 = room.
        let h = 2.0 * room / (speed + crate::math::sqrt(speed * speed + 2.0 * push * room));
        if h > 0.0 { h.min(turns) } else { turns }
    }

    /// Whether this point of contact comes into being as the bodies move; others are always there.
    pub(crate) fn appears(&self, slot: usize) -> bool {
        let pair = self.slots.get(slot).and_then(|&[p, _]| self.pairs.get(p));
        pair.is_some_and(Pair::appears)
    }

    /// At how many points it can touch at once.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// How deep an overlap is felt at this point of contact, m ([`Pair::deepest`]); infinite where there is no limit.
    pub fn deepest(&self, slot: usize) -> f64 {
        let pair = self.slots.get(slot).and_then(|&[p, _]| self.pairs.get(p));
        pair.map_or(f64::INFINITY, Pair::deepest)
    }

    /// Looks for all points of contact anew: at the start of a run and after accepted steps. One track a slot.
    pub fn seek(&self, poses: &[Pose], tracks: &mut [Track]) {
        let frames = self.frames(poses);
        let mut rest = tracks;
        for pair in &self.pairs {
            let Some((own, others)) = rest.split_at_mut_checked(pair.slots()) else {
                return;
            };
            pair.seek([&frames[0], &frames[1]], own);
            rest = others;
        }
    }

    fn frames(&self, poses: &[Pose]) -> [Frame; 2] {
        self.bodies.map(|body| frame(&Pose::of(body, poses)))
    }

    /// A possible point of contact; `None` if there is none now.
    #[inline]
    pub fn opposite(&self, slot: usize, poses: &[Pose], track: &Track) -> Option<Opposite> {
        let &[pair, k] = self.slots.get(slot)?;
        let [one, two] = self.bodies.map(|body| Pose::of(body, poses));
        let frames = [frame(&one), frame(&two)];
        let near = self
            .pairs
            .get(pair)?
            .near(k, [&frames[0], &frames[1]], track)?;
        // Bodies cannot be deeper in each other than both are thick: a point that says so is one of a far side.
        if self.passable.is_some_and(|p| -near.gap > p.both) {
            return None;
        }
        let n = near.normal;
        let arms = [
            minus(near.points[0], one.position),
            minus(near.points[1], two.position),
        ];
        let by = [
            [-n[0], -n[1], -dot(n, turned(arms[0]))],
            [n[0], n[1], dot(n, turned(arms[1]))],
        ];
        let point = [
            0.5 * (near.points[0][0] + near.points[1][0]),
            0.5 * (near.points[0][1] + near.points[1][1]),
        ];
        let apart = minus(velocity(&two, point), velocity(&one, point));
        Some(Opposite {
            near,
            rate: moves(&by[0], &one) + moves(&by[1], &two),
            by,
            point,
            slip: dot(turned(n), apart),
        })
    }

    /// The second time derivative of a gap if no body were accelerated, m/s², by a small step to either side.
    pub fn bend(&self, slot: usize, poses: &[Pose], track: &Track) -> f64 {
        let size = self.size;
        let fastest = self.bodies.iter().fold(0.0_f64, |most, body| {
            let pose = Pose::of(*body, poses);
            let [vx, vy] = pose.velocity;
            most.max(vx.abs() / size)
                .max(vy.abs() / size)
                .max(pose.omega.abs())
        });
        if fastest == 0.0 {
            return 0.0;
        }
        // So small a part of the shapes' size, or of a radian, is moved.
        let h = 1e-5 / fastest;
        let rate = |h: f64| {
            let moved: Vec<Pose> = poses.iter().map(|pose| drifted(pose, h)).collect();
            self.opposite(slot, &moved, track).map(|there| there.rate)
        };
        // Where one side has no point opposite, the difference is taken from here.
        match (rate(-h), rate(h)) {
            (Some(before), Some(after)) => (after - before) / (2.0 * h),
            (None, Some(after)) => rate(0.0).map_or(0.0, |now| (after - now) / h),
            (Some(before), None) => rate(0.0).map_or(0.0, |now| (now - before) / h),
            (None, None) => 0.0,
        }
    }

    /// The friction on the second body (N, along the slip) under this normal force, N. It is against the slip.
    #[inline]
    pub fn rub(&self, slip: f64, normal: f64) -> f64 {
        let Some(law) = &self.friction else {
            return 0.0;
        };
        let at = Sliding {
            speed: slip,
            normal: normal.max(0.0),
            state: 0.0,
        };
        match law.force(&at) {
            Tangential::Force(force) => force,
            // Refused by `with_friction`.
            Tangential::Stick { .. } => f64::NAN,
        }
    }

    /// Adds a force that opens the gap (N) and a friction on the second body along the slip (N) to the forces of both bodies.
    #[inline]
    pub fn push(&self, at: &Opposite, normal: f64, rub: f64, poses: &[Pose], forces: &mut [f64]) {
        for (body, by) in self.bodies.into_iter().zip(at.by) {
            push(forces, body, normal, by);
        }
        if rub != 0.0 {
            let along = turned(at.near.normal);
            for (body, sign) in self.bodies.into_iter().zip([-1.0, 1.0]) {
                let arm = minus(at.point, Pose::of(body, poses).position);
                let by = [along[0], along[1], dot(along, turned(arm))];
                push(forces, body, sign * rub, by);
            }
        }
    }
}

#[inline]
fn frame(pose: &Pose) -> Frame {
    Frame {
        at: pose.position,
        cos: pose.cos,
        sin: pose.sin,
    }
}

/// The velocity of the point of a body that stands at `point`.
#[inline]
fn velocity(pose: &Pose, point: [f64; 2]) -> [f64; 2] {
    let swing = turned(minus(point, pose.position));
    [
        pose.velocity[0] + pose.omega * swing[0],
        pose.velocity[1] + pose.omega * swing[1],
    ]
}

/// How fast a body's motion changes what has these derivatives by its coordinates.
#[inline]
fn moves(by: &[f64; 3], pose: &Pose) -> f64 {
    by[0] * pose.velocity[0] + by[1] * pose.velocity[1] + by[2] * pose.omega
}

/// The pose after the time `h` (s) without acceleration.
fn drifted(pose: &Pose, h: f64) -> Pose {
    let [[x, y], [vx, vy]] = [pose.position, pose.velocity];
    Pose::new(
        [x + h * vx, y + h * vy, pose.angle + h * pose.omega],
        [vx, vy, pose.omega],
    )
}

/// The least extent of the shapes that have an end, m.
fn size(pairs: &[Pair]) -> f64 {
    let shapes = pairs.iter().flat_map(|pair| pair.shapes());
    let ended = shapes.filter(|shape| shape.kind() != "half-plane");
    let extents = ended.map(|shape| {
        let outline = shape.outline(64);
        let Some(&[x0, y0]) = outline.first() else {
            return f64::INFINITY;
        };
        let far = outline
            .iter()
            .map(|[x, y]| (x - x0).abs().max((y - y0).abs()));
        far.fold(0.0, f64::max)
    });
    let least = extents
        .filter(|extent| *extent > 0.0)
        .fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// How thick the shapes are and how far they reach, of the pairs that have far sides.
fn passable(pairs: &[Pair]) -> Option<Passable> {
    let endless = |shape: &&Shape| matches!(shape.kind(), "half-plane" | "bore");
    let round = |shape: &&Shape| shape.kind() == "circle";
    let mut found: Option<Passable> = None;
    for pair in pairs {
        let shapes = pair.shapes();
        if shapes.iter().any(endless) {
            continue;
        }
        let known = found.get_or_insert(Passable {
            thickness: f64::INFINITY,
            both: 0.0,
            reaches: [0.0; 2],
        });
        let mut both = 0.0;
        let mut thicknesses = [f64::INFINITY; 2];
        let each = shapes.iter().zip(&mut known.reaches).zip(&mut thicknesses);
        for ((shape, reach), thickness) in each {
            let outline = shape.outline(64);
            let far = outline.iter().map(|[x, y]| x * x + y * y);
            *reach = crate::math::sqrt(far.fold(*reach * *reach, f64::max));
            // The least and the largest width, over all directions.
            let widths = (0..32).map(|k| {
                let (sin, cos) = crate::math::sin_cos(f64::from(k) * std::f64::consts::PI / 32.0);
                let along = outline.iter().map(|[x, y]| cos * x + sin * y);
                let [low, high] = along.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], a| {
                    [l.min(a), h.max(a)]
                });
                high - low
            });
            let [least, most] =
                widths.fold([f64::INFINITY, 0.0_f64], |[l, m], w| [l.min(w), m.max(w)]);
            both += least;
            // A line without thickness is felt by what comes near it.
            if least > 1e-9 * most {
                *thickness = least;
            }
        }
        // A nearly straight open profile is thin, and solid behind.
        let open = pair.deepest();
        known.both = known
            .both
            .max(if open.is_finite() { both + open } else { both });
        let [one, two] = thicknesses;
        let thickness = if pair.deepest().is_finite() {
            // An open profile is felt to this depth, however small what presses is.
            pair.deepest()
        } else if shapes.iter().any(round) && one.is_finite() && two.is_finite() {
            // A disc is felt until its centre has passed the middle of the other.
            0.5 * (one + two)
        } else {
            one.min(two)
        };
        known.thickness = known.thickness.min(thickness);
    }
    found.filter(|known| known.thickness.is_finite())
}

//! A contact between two bodies: where may they touch, which way does each point of contact push, and what does it follow?
//!
//! The bodies carry shapes ([`crate::geometry`]); a pair of shapes has one or more possible points of contact, each with its gap, its normal (outward of the first body) and its memory, a
//! [`Contacting`](crate::mechanics::Contacting) that whoever runs it owns. The gap changes as the two body points that are nearest part along the normal: that nearest points wander over the surfaces
//! adds nothing, for the gap is stationary there. So the force along the normal does exactly the work that the law says.

use crate::friction;
use crate::friction::Family;
use crate::friction::Sliding;
use crate::geometry::Frame;
use crate::geometry::Near;
use crate::geometry::Pair;
use crate::geometry::Shape;
use crate::geometry::Track;
use crate::mechanics::fault::{Fault, not_negative, positive};
use crate::mechanics::frame::{Pose, dot, minus, turned};
use crate::mechanics::grip::Grip;
use crate::mechanics::load::push;
use crate::mechanics::touching::{Apart, Follows, Terms};

const ELEMENT: &str = "contact";

/// How far an outline that is not round may turn in one step, rad.
const TURN: f64 = 0.3;

/// The part of the smaller shape's size by which bodies may move in one step where places of contact come and go: a place that is there at the end of a step can then be followed back along it.
const NOOK: f64 = 0.1;

/// Two bodies that may touch. Immutable: what it remembers stands beside it.
#[derive(Clone, Debug)]
pub struct Contact {
    bodies: [Option<usize>; 2],
    pairs: Vec<Pair>,
    /// Of every possible point of contact: its pair, and its number there.
    slots: Vec<[usize; 2]>,
    terms: Terms,
    friction: Option<friction::Law>,
    /// A law of rolling, and whether its radius follows from the curvatures.
    rolling: Option<(friction::Law, bool)>,
    play: Option<f64>,
    /// Brach's ratio of impulses, instead of friction.
    ratio: Option<f64>,
    passable: Option<Passable>,
    /// Of every pair: the thicknesses of its two shapes together, m; infinite where one has no far side.
    both: Vec<f64>,
    /// How far the shapes reach from the mass centres of their bodies, m, where places of contact come into being inside something without a far side.
    nooks: Option<[f64; 2]>,
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
        let (passable, both) = passable(&pairs);
        Ok(Self {
            bodies,
            slots,
            passable,
            both,
            nooks: nooks(&pairs),
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
            rolling: None,
            play: None,
            ratio: None,
        })
    }

    /// The same with friction, by any law but those of rolling. Laws that are functions of speed never hold a body that is pulled, they let it creep; dry laws and those with a bristle hold.
    pub fn with_friction(mut self, law: friction::Law) -> Result<Self, Fault> {
        if law.card().family == Family::Rolling {
            let others = friction::cards().filter(|card| card.family != Family::Rolling);
            return Err(Fault::Law {
                element: ELEMENT,
                law: law.card().id,
                reason: "is a law of rolling",
                instead: others.map(|card| card.id).collect(),
            });
        }
        self.friction = Some(law);
        Ok(self)
    }

    /// The same with a moment against rolling. `by_curvature`: the law was made for a radius of 1 m, and the rolling radius follows from the curvatures where the surfaces touch.
    pub fn with_rolling(mut self, law: friction::Law, by_curvature: bool) -> Result<Self, Fault> {
        if law.card().family != Family::Rolling {
            let rolling = friction::cards().filter(|card| card.family == Family::Rolling);
            return Err(Fault::Law {
                element: ELEMENT,
                law: law.card().id,
                reason: "is no law of rolling",
                instead: rolling.map(|card| card.id).collect(),
            });
        }
        self.rolling = Some((law, by_curvature));
        Ok(self)
    }

    /// The same with another law of the force.
    pub fn with_law(mut self, follows: Follows) -> Self {
        self.terms.follows = follows;
        self
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

    /// The same with a ratio of the impulses along the surfaces and across them (Brach 1989), for bodies that strike each other at an instant: it takes the place of friction there.
    pub fn with_impulse_ratio(mut self, ratio: f64) -> Result<Self, Fault> {
        not_negative(ELEMENT, "impulse_ratio", ratio, "")?;
        self.ratio = Some(ratio);
        Ok(self)
    }

    /// That ratio, if there is one.
    pub fn impulse_ratio(&self) -> Option<f64> {
        self.ratio
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

    /// The law of rolling.
    pub fn rolling(&self) -> Option<&friction::Law> {
        self.rolling.as_ref().map(|(law, _)| law)
    }

    /// The least extent of its shapes that have one, m; 1 m where none has.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The least thickness of its shapes that have a far side, m; infinite where none could be passed through.
    pub fn thickness(&self) -> f64 {
        self.passable.map_or(f64::INFINITY, |p| p.thickness)
    }

    /// What is known of bodies that could pass through each other; `None` where one of them has no far side: a half-plane, a bore.
    pub fn passable(&self) -> Option<Passable> {
        self.passable
    }

    /// The radius of the way of one surface inside the other, m, where one of them is hollow and both have the same curvature everywhere: the least of all pairs. Else infinite.
    pub fn rounds(&self) -> f64 {
        let curved = self.pairs.iter().filter_map(Pair::curvatures);
        let hollow = curved.filter(|[one, two]| one * two < 0.0);
        hollow
            .map(|[one, two]| (1.0 / one + 1.0 / two).abs())
            .filter(|radius| *radius > 0.0)
            .fold(f64::INFINITY, f64::min)
    }

    /// The play of a joint, m.
    pub fn play(&self) -> Option<f64> {
        self.play
    }

    /// Whether a step may be too long for it.
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
        // However it turns, a gap that is open takes its time to close: where the centres all but meet, the normal turns faster than anything moves.
        let (gap, speed) = (at.near.gap.max(0.0), dot(apart, apart));
        let pulled = crate::math::sqrt(speed + 2.0 * pull.abs() * gap);
        let straight = 2.0 * gap / (crate::math::sqrt(speed) + pulled);
        // Nearly there, it is still open.
        if second < 0.0 && back > 0.0 {
            0.97 * back.max(straight)
        } else {
            f64::INFINITY
        }
    }

    /// How far a step may go, s, so that bodies that are at least `gap` (m) apart cannot overlap by more than a quarter of their thickness before they are seen to (in a hollow, where places of contact come and
    /// go, by more than a tenth of their size); with the accelerations (m/s², rad/s²)
    /// of all bodies as they are now.
    pub fn longest_step(&self, gap: f64, poses: &[Pose], accelerations: &[f64]) -> f64 {
        let [one, two] = self.bodies.map(|body| Pose::of(body, poses));
        // An outline that is not round may touch and be gone again within half a turn.
        let turns = TURN / (one.omega - two.omega).abs();
        let turns = if self.round { f64::INFINITY } else { turns };
        let nook = self.nooks.map(|reaches| (reaches, NOOK * self.size));
        let far = self.passable.map(|p| (p.reaches, 0.25 * p.thickness));
        let (mut reaches, mut room) = match nook.or(far) {
            Some(either) => either,
            None => return turns,
        };
        if let (Some(_), Some(([r, s], other))) = (nook, far) {
            reaches = [reaches[0].max(r), reaches[1].max(s)];
            room = room.min(other);
        }
        let of = |body: Option<usize>| {
            let all = accelerations.as_chunks::<3>().0;
            body.and_then(|b| all.get(b)).copied().unwrap_or([0.0; 3])
        };
        let [a, b] = self.bodies.map(of);
        let length = |[x, y]: [f64; 2]| crate::math::sqrt(x * x + y * y);
        let [r, s] = reaches;
        let speed =
            length(minus(one.velocity, two.velocity)) + r * one.omega.abs() + s * two.omega.abs();
        let push = length([a[0] - b[0], a[1] - b[1]])
            + r * (a[2].abs() + one.omega * one.omega)
            + s * (b[2].abs() + two.omega * two.omega);
        let gap = if gap.is_finite() { gap.max(0.0) } else { 0.0 };
        let room = gap + room;
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
        if self.both.get(pair).is_some_and(|both| -near.gap > *both) {
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

    /// The gap (m) of a place that is another's as the bodies stand, but may become this one's within a step: where two corners meet.
    pub(crate) fn coming(&self, slot: usize, poses: &[Pose], track: &Track) -> Option<f64> {
        let &[pair, k] = self.slots.get(slot)?;
        let frames = self.frames(poses);
        let both = *self.both.get(pair)?;
        let gap = self
            .pairs
            .get(pair)?
            .coming(k, [&frames[0], &frames[1]], track)?;
        (-gap <= both).then_some(gap)
    }

    /// A place touches, and is this slot's from now on: others that would see the same keep silent. One track a slot.
    pub(crate) fn claim(&self, slot: usize, poses: &[Pose], tracks: &mut [Track]) {
        let frames = self.frames(poses);
        if let Some(&[p, k]) = self.slots.get(slot)
            && let Some(pair) = self.pairs.get(p)
            && let Some(own) = slot
                .checked_sub(k)
                .and_then(|first| tracks.get_mut(first..first + pair.slots()))
        {
            pair.claim(k, [&frames[0], &frames[1]], own);
        }
    }

    /// The second time derivative of the gap, and the rate of the slip, if no body were accelerated, m/s².
    ///
    /// The normal turns as the line through the centres of curvature does, which move with their bodies but along that line; where a surface is flat it turns with that body. The nearest points wander over the
    /// surfaces by as much as the normal turns on them.
    pub fn bend(&self, at: &Opposite, poses: &[Pose]) -> [f64; 2] {
        let [one, two] = self.bodies.map(|body| Pose::of(body, poses));
        let near = &at.near;
        let (n, along) = (near.normal, turned(near.normal));
        let [p1, p2] = near.points;
        let [w1, w2] = [one.omega, two.omega];
        let [v1, v2] = [velocity(&one, p1), velocity(&two, p2)];
        let slides = dot(along, minus(v2, v1));
        let turning = self.turning(at, &one, &two);
        // How fast each nearest point wanders over its own surface; over a flat one as the other lets it.
        let wander = |curvature: f64, relative: f64| {
            (curvature != 0.0).then(|| {
                if relative == 0.0 {
                    0.0
                } else {
                    relative / curvature
                }
            })
        };
        let lag = near.gap * turning - slides;
        let [u1, u2] = match (
            wander(near.curvatures[0], turning - w1),
            wander(near.curvatures[1], w2 - turning),
        ) {
            (Some(u1), Some(u2)) => [u1, u2],
            (None, Some(u2)) => [u2 - lag, u2],
            (Some(u1), None) => [u1, u1 + lag],
            (None, None) => [0.0; 2],
        };
        let [r1, r2] = [minus(p1, one.position), minus(p2, two.position)];
        let opens = turning * slides - w2 * (w2 * dot(n, r2) + u2) + w1 * (w1 * dot(n, r1) + u1);
        let rises = 0.5 * (dot(n, v1) + dot(n, v2));
        let parts = dot(n, minus(velocity(&two, at.point), velocity(&one, at.point)));
        let slips = -turning * parts + w2 * (rises - dot(n, two.velocity))
            - w1 * (rises - dot(n, one.velocity));
        [opens, slips]
    }

    /// How fast the normal turns, rad/s.
    fn turning(&self, at: &Opposite, one: &Pose, two: &Pose) -> f64 {
        let near = &at.near;
        let [k1, k2] = near.curvatures;
        if k1 == 0.0 {
            return one.omega;
        }
        if k2 == 0.0 {
            return two.omega;
        }
        let n = near.normal;
        let [[x1, y1], [x2, y2]] = near.points;
        let (r1, r2) = (1.0 / k1, 1.0 / k2);
        let c1 = [x1 - r1 * n[0], y1 - r1 * n[1]];
        let c2 = [x2 + r2 * n[0], y2 + r2 * n[1]];
        let apart = r1 + r2 + near.gap;
        let swing = dot(turned(n), minus(velocity(two, c2), velocity(one, c1)));
        // Surfaces that fit into each other have no one normal.
        if apart.abs() <= 1e-12 * (r1.abs() + r2.abs()) {
            return 0.5 * (one.omega + two.omega);
        }
        swing / apart
    }

    /// The slip by (x, y, φ) of the first and of the second body.
    #[inline]
    pub fn slip_by(&self, at: &Opposite, poses: &[Pose]) -> [[f64; 3]; 2] {
        let along = turned(at.near.normal);
        let [one, two] = self.bodies.map(|body| {
            let arm = minus(at.point, Pose::of(body, poses).position);
            [along[0], along[1], dot(along, turned(arm))]
        });
        [one.map(|x| -x), two]
    }

    /// The friction on the second body (N, along the slip), as its grip has it and where the normal force grows at `normal_rate` (N/s); what must be found by the mechanism is left out.
    #[inline]
    pub fn rub(&self, grip: Grip, at: &Sliding, normal_rate: impl FnOnce() -> f64) -> f64 {
        self.friction
            .as_ref()
            .map_or(0.0, |law| grip.force_along(law, at, normal_rate))
    }

    /// The moment on the second body (N m) against its turning relative to the first (rad/s), under this normal force (N).
    #[inline]
    pub fn roll(&self, at: &Opposite, turning: f64, normal: f64) -> f64 {
        let Some((law, by_curvature)) = &self.rolling else {
            return 0.0;
        };
        let at_speed = Sliding {
            speed: turning,
            normal,
            state: 0.0,
        };
        let moment = law.force(&at_speed).or_nothing();
        if !by_curvature {
            return moment;
        }
        let bend = (at.near.curvatures[0] + at.near.curvatures[1]).abs();
        // Flat on flat does not roll.
        if bend > 0.0 { moment / bend } else { 0.0 }
    }

    /// How fast the second body turns relative to the first, rad/s.
    #[inline]
    pub fn turns(&self, poses: &[Pose]) -> f64 {
        let [one, two] = self.bodies.map(|body| Pose::of(body, poses).omega);
        two - one
    }

    /// Adds a moment on the second body (N m), and its opposite on the first.
    #[inline]
    pub fn twist(&self, moment: f64, forces: &mut [f64]) {
        for (body, sign) in self.bodies.into_iter().zip([-1.0, 1.0]) {
            push(forces, body, sign * moment, [0.0, 0.0, 1.0]);
        }
    }

    /// Adds a force that opens the gap (N) and a friction on the second body along the slip (N) to the forces of both bodies.
    #[inline]
    pub fn push(&self, at: &Opposite, normal: f64, rub: f64, poses: &[Pose], forces: &mut [f64]) {
        for (body, by) in self.bodies.into_iter().zip(at.by) {
            push(forces, body, normal, by);
        }
        if rub != 0.0 {
            for (body, by) in self.bodies.into_iter().zip(self.slip_by(at, poses)) {
                push(forces, body, rub, by);
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

/// Without a far side.
fn endless(shape: &&Shape) -> bool {
    matches!(shape.kind(), "half-plane" | "bore")
}

/// How far the shapes reach, of the pairs in which one has no far side and places come into being.
fn nooks(pairs: &[Pair]) -> Option<[f64; 2]> {
    let such = pairs.iter().filter(|pair| {
        let shapes = pair.shapes();
        pair.appears() && shapes.iter().any(endless)
    });
    such.map(|pair| pair.shapes().map(|shape| reach(&shape.outline(64))))
        .reduce(|[a, b], [c, d]| [a.max(c), b.max(d)])
}

/// How far an outline reaches from the origin, m.
fn reach(outline: &[[f64; 2]]) -> f64 {
    let far = outline.iter().map(|[x, y]| x * x + y * y);
    crate::math::sqrt(far.fold(0.0, f64::max))
}

/// How thick the shapes are and how far they reach, of the pairs that have far sides; and the thicknesses of both shapes together of every pair.
fn passable(pairs: &[Pair]) -> (Option<Passable>, Vec<f64>) {
    let mut together = vec![f64::INFINITY; pairs.len()];
    let round = |shape: &&Shape| shape.kind() == "circle";
    let mut found: Option<Passable> = None;
    for (pair, together) in pairs.iter().zip(&mut together) {
        let shapes = pair.shapes();
        if shapes.iter().any(endless) {
            continue;
        }
        let known = found.get_or_insert(Passable {
            thickness: f64::INFINITY,
            reaches: [0.0; 2],
        });
        let mut both = 0.0;
        let mut thicknesses = [f64::INFINITY; 2];
        let each = shapes.iter().zip(&mut known.reaches).zip(&mut thicknesses);
        for ((shape, reach), thickness) in each {
            let outline = shape.outline(64);
            *reach = reach.max(self::reach(&outline));
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
        *together = if open.is_finite() { both + open } else { both };
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
    let found = found.filter(|known| known.thickness.is_finite());
    if found.is_none() {
        together.fill(f64::INFINITY);
    }
    (found, together)
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

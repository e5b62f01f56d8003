//! Which forces do walls put on the grains of one block, and the grains on what carries the walls?

use crate::friction::{Sliding, Tangential};
use crate::geometry::{Frame, Outline, Pair, Shape, Track};
use crate::grains::Rolling;
use crate::grains::block::{Block, Body};
use crate::grains::lasting::Lasting;
use crate::grains::pairs::{CALM, Context, calmed, deflection, rub, started, stored};
use crate::grains::rules::{Prepared, Rub};
use crate::grains::{Fault, Trouble, Wall, Who};
use crate::math;
use crate::mechanics::Pose;

/// A wall, looked through.
#[derive(Debug)]
pub(super) struct Standing {
    pub carrier: Option<usize>,
    pub rules: Prepared,
    pub shape: Shape,
    /// A circle around the outline in the carrier's axes, m; `None` if it has no end.
    around: Option<([f64; 2], f64)>,
}

impl Standing {
    pub fn new(number: usize, wall: &Wall) -> Result<Self, Fault> {
        let around = match &wall.shape.outline {
            Outline::Plane { .. } | Outline::Bore { .. } => None,
            _ => Some(circle(&wall.shape.outline(256))),
        };
        Ok(Self {
            carrier: wall.carrier,
            rules: Prepared::new(number + 1, &wall.rules)?,
            shape: wall.shape.clone(),
            around,
        })
    }

    /// Whether a grain of this radius (m) can touch it at all.
    pub fn takes(&self, wall: usize, grain: usize, radius: f64) -> Result<(), Fault> {
        let fault = |fault| Fault::Shape { wall, grain, fault };
        let disc = Shape::circle([0.0; 2], radius).map_err(fault)?;
        Pair::new(self.shape.clone(), disc).map(drop).map_err(fault)
    }

    fn is_round(&self) -> bool {
        matches!(
            self.shape.outline,
            Outline::Plane { .. } | Outline::Bore { .. } | Outline::Disc { .. }
        )
    }

    /// How far a grain is from a round wall.
    #[inline]
    fn round(&self, frame: &Frame, body: &Body) -> Option<Near> {
        let c = [body.x, body.y];
        match self.shape.outline {
            Outline::Plane { point, normal } => {
                let normal = frame.rotate(normal);
                let p = frame.point(point);
                let height = normal[0] * (c[0] - p[0]) + normal[1] * (c[1] - p[1]);
                Some(Near {
                    gap: height - body.radius,
                    normal,
                    curvature: 0.0,
                })
            }
            Outline::Bore { center, radius } => {
                let p = frame.point(center);
                let d = [c[0] - p[0], c[1] - p[1]];
                let distance = math::sqrt(d[0] * d[0] + d[1] * d[1]);
                // In the middle there is no normal, and no contact.
                if !(distance > 0.0) {
                    return None;
                }
                Some(Near {
                    gap: radius - body.radius - distance,
                    normal: [-d[0] / distance, -d[1] / distance],
                    curvature: -1.0 / radius,
                })
            }
            Outline::Disc { center, radius } => {
                let p = frame.point(center);
                let d = [c[0] - p[0], c[1] - p[1]];
                let distance = math::sqrt(d[0] * d[0] + d[1] * d[1]);
                if !(distance > 0.0) {
                    return None;
                }
                Some(Near {
                    gap: distance - radius - body.radius,
                    normal: [d[0] / distance, d[1] / distance],
                    curvature: 1.0 / radius,
                })
            }
            _ => None,
        }
    }
}

/// The middle of a box around points, and how far they are from it at most, with a little room.
fn circle(points: &[[f64; 2]]) -> ([f64; 2], f64) {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for p in points {
        for k in 0..2 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
    let farthest = points.iter().fold(0.0_f64, |far, p| {
        let d = [p[0] - middle[0], p[1] - middle[1]];
        far.max(d[0] * d[0] + d[1] * d[1])
    });
    (middle, 1.02 * math::sqrt(farthest))
}

/// A wall as a grain sees it: the normal points to the grain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub gap: f64,
    pub normal: [f64; 2],
    pub curvature: f64,
}

/// A grain and a wall that are near each other.
#[derive(Debug)]
pub(super) struct Beside {
    /// The grain, counted from the first of its block.
    pub local: u32,
    pub wall: u32,
    pub hold: Hold,
    /// For walls that are not round.
    pub shaped: Option<Box<Shaped>>,
}

/// What is remembered of one point of contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Hold {
    pub held: bool,
    pub law: [f64; 2],
    pub ahead: f64,
    pub slid: f64,
    pub lasting: Option<Box<Lasting>>,
}

/// A grain before a wall that is not round: their pair, its points, and the memory of all points but the first.
#[derive(Debug)]
pub(super) struct Shaped {
    pair: Pair,
    tracks: Vec<Track>,
    holds: Vec<Hold>,
}

/// The frame of a wall.
fn frame(carrier: Option<usize>, carriers: &[Pose]) -> Frame {
    let pose = Pose::of(carrier, carriers);
    Frame {
        at: pose.position,
        cos: pose.cos,
        sin: pose.sin,
    }
}

fn disc_frame(body: &Body) -> Frame {
    Frame {
        at: [body.x, body.y],
        cos: 1.0,
        sin: 0.0,
    }
}

/// A grain and a wall, if they are nearer than `margin` (m). What a contact that is over had turned into heat beside all powers is added to `lost`, J.
pub(super) fn beside(
    standing: &Standing,
    (local, wall): (u32, u32),
    body: &Body,
    carriers: &[Pose],
    margin: f64,
    lost: &mut f64,
    old: impl FnOnce() -> Option<Beside>,
) -> Option<Beside> {
    let frame = frame(standing.carrier, carriers);
    if let Some((middle, radius)) = standing.around {
        let p = frame.point(middle);
        let d = [body.x - p[0], body.y - p[1]];
        let far = radius + body.radius + margin;
        if d[0] * d[0] + d[1] * d[1] > far * far {
            return None;
        }
    }
    if standing.is_round() {
        let near = standing.round(&frame, body)?;
        if near.gap > margin {
            return None;
        }
        let hold = old().map(|old| old.hold).unwrap_or_default();
        return Some(Beside {
            local,
            wall,
            hold,
            shaped: None,
        });
    }
    if let Some(mut old) = old() {
        (old.local, old.wall) = (local, wall);
        let shaped = old.shaped.as_mut()?;
        if shaped.is_near(&frame, body, margin) {
            return Some(old);
        }
        *lost += old.lost();
        return None;
    }
    let disc = Shape::circle([0.0; 2], body.radius).ok()?;
    let pair = Pair::new(standing.shape.clone(), disc).ok()?;
    let slots = pair.slots();
    let mut shaped = Box::new(Shaped {
        pair,
        tracks: vec![Track::default(); slots],
        holds: vec![Hold::default(); slots.saturating_sub(1)],
    });
    shaped.is_near(&frame, body, margin).then(|| Beside {
        local,
        wall,
        hold: Hold::default(),
        shaped: Some(shaped),
    })
}

impl Shaped {
    fn is_near(&mut self, frame: &Frame, body: &Body, margin: f64) -> bool {
        let disc = disc_frame(body);
        self.pair.seek([frame, &disc], &mut self.tracks);
        self.tracks.iter().enumerate().any(|(slot, track)| {
            let near = self.pair.near(slot, [frame, &disc], track);
            near.is_some_and(|near| near.gap <= margin)
        })
    }

    fn near(&self, slot: usize, frame: &Frame, body: &Body) -> Option<Near> {
        let track = self.tracks.get(slot)?;
        let near = self.pair.near(slot, [frame, &disc_frame(body)], track)?;
        Some(Near {
            gap: near.gap,
            normal: near.normal,
            curvature: near.curvatures[0],
        })
    }
}

/// A point of contact as both move.
struct At {
    pose: Pose,
    delta: f64,
    rate: f64,
    slip: f64,
    /// From the grain's centre to the point, against the normal, m.
    arm: f64,
    point: [f64; 2],
    /// The velocity of the wall there, m/s.
    drives: [f64; 2],
}

impl At {
    #[inline]
    fn new(near: Near, body: &Body, pose: Pose) -> Self {
        let delta = -near.gap;
        let [nx, ny] = near.normal;
        let arm = body.radius - 0.5 * delta;
        let point = [body.x - arm * nx, body.y - arm * ny];
        let drives = [
            pose.velocity[0] - pose.omega * (point[1] - pose.position[1]),
            pose.velocity[1] + pose.omega * (point[0] - pose.position[0]),
        ];
        let (ux, uy) = (body.vx - drives[0], body.vy - drives[1]);
        Self {
            pose,
            delta,
            rate: -(ux * nx + uy * ny),
            slip: uy * nx - ux * ny - body.omega * arm,
            arm,
            point,
            drives,
        }
    }
}

/// Adds the forces of the walls to those of the block's grains.
pub(super) fn forces(
    block: &mut Block,
    standing: &[Standing],
    carriers: &[Pose],
    context: &Context,
) {
    block.carriers.fill([0.0; 3]);
    let mut walls = std::mem::take(&mut block.walls);
    for beside in &mut walls {
        let Some(wall) = standing.get(beside.wall as usize) else {
            continue;
        };
        let place = block.base + beside.local as usize;
        let Some(body) = context.bodies.get(place) else {
            continue;
        };
        let pose = Pose::of(wall.carrier, carriers);
        let frame = frame(wall.carrier, carriers);
        match &mut beside.shaped {
            None => {
                let near = wall.round(&frame, body);
                press(
                    block,
                    wall,
                    beside.wall,
                    place,
                    near,
                    body,
                    pose,
                    &mut beside.hold,
                    context,
                );
            }
            Some(shaped) => {
                let disc = disc_frame(body);
                shaped.pair.seek([&frame, &disc], &mut shaped.tracks);
                for slot in 0..shaped.tracks.len() {
                    let near = shaped.near(slot, &frame, body);
                    let hold = match slot {
                        0 => Some(&mut beside.hold),
                        _ => shaped.holds.get_mut(slot - 1),
                    };
                    if let Some(hold) = hold {
                        press(
                            block,
                            wall,
                            beside.wall,
                            place,
                            near,
                            body,
                            pose,
                            hold,
                            context,
                        );
                    }
                }
            }
        }
    }
    block.walls = walls;
}

fn press(
    block: &mut Block,
    wall: &Standing,
    number: u32,
    place: usize,
    near: Option<Near>,
    body: &Body,
    pose: Pose,
    hold: &mut Hold,
    context: &Context,
) {
    let touching = near.filter(|near| near.gap < 0.0);
    let Some(near) = touching else {
        if hold.held {
            block.lost += hold.lasting.as_ref().map_or(0.0, |memory| memory.lost(0.0));
            *hold = Hold::default();
        }
        return;
    };
    let at = At::new(near, body, pose);
    let rules = &wall.rules;
    let light = body.inverse_mass + yielding(wall, context.mobilities, &at, near.normal);
    if !hold.held {
        let begun = started(
            rules,
            context,
            [at.delta, at.rate, at.slip],
            1.0 / light,
            [near.curvature, 1.0 / body.radius],
            &mut block.kept,
        );
        match begun {
            Ok((law, ahead, duration, lasting)) => {
                *hold = Hold {
                    held: true,
                    law,
                    ahead: if rules.has_bristle() { 0.0 } else { ahead },
                    slid: at.slip,
                    lasting: lasting.map(Box::new),
                };
                block.begun += 1;
                block.shortest = block.shortest.min(duration);
            }
            Err(reason) => {
                block.trouble.get_or_insert(Trouble::Begin {
                    time: context.time,
                    grain: context.id(place),
                    other: Who::Wall(number as usize),
                    reason,
                });
                return;
            }
        }
    }
    let limit = hold.lasting.as_ref().map_or(f64::INFINITY, |m| m.limit());
    let allowed = limit.min(0.5 * body.radius);
    if at.delta > allowed {
        block.trouble.get_or_insert(Trouble::Deep {
            time: context.time,
            grain: context.id(place),
            other: Who::Wall(number as usize),
            overlap: at.delta,
            allowed,
        });
        return;
    }
    block.contacts += 1;
    let (push, dissipative) = match (&mut hold.lasting, rules.quick) {
        (Some(memory), _) => {
            let force = memory.advance(context.time, context.h, at.delta, at.rate);
            (force.total(), force.dissipative)
        }
        (None, Some(quick)) => {
            let [elastic, mut dissipative] = quick.force(hold.law, at.delta, at.rate);
            let haste = context.h * light;
            if dissipative.abs() * haste > CALM * at.rate.abs() {
                dissipative = CALM * at.rate / haste;
                block.limited += 1;
            }
            let push = (elastic + dissipative).max(rules.floor);
            (push, push - elastic)
        }
        (None, None) => return,
    };
    let mut friction = rub(
        &rules.rub,
        context.h,
        at.slip,
        push,
        &mut hold.ahead,
        &mut hold.slid,
    );
    if matches!(rules.rub, Rub::Speed(_)) {
        let light = body.inverse_mass + at.arm * at.arm * body.inverse_inertia;
        block.limited += calmed(&mut friction, at.slip, context.h * light);
    }
    block.latest.normal += dissipative * at.rate;
    block.latest.friction -= friction * at.slip;
    let [nx, ny] = near.normal;
    let force = [push * nx - friction * ny, push * ny + friction * nx];
    let speed = body.omega - pose.omega;
    let mut moment = resist(
        rules.rolling.as_ref(),
        body.radius,
        near.curvature,
        speed,
        push,
    );
    block.limited += calmed(&mut moment, speed, context.h * body.inverse_inertia);
    block.latest.rolling -= moment * speed;
    if let Some(sum) = block.forces.get_mut(place - block.base) {
        sum[0] += force[0];
        sum[1] += force[1];
        sum[2] += moment - at.arm * friction;
    }
    if let Some(carrier) = wall.carrier {
        block.latest.walls +=
            force[0] * at.drives[0] + force[1] * at.drives[1] + moment * pose.omega;
        if let Some(sum) = block.carriers.get_mut(carrier) {
            let arm = [
                at.point[0] - at.pose.position[0],
                at.point[1] - at.pose.position[1],
            ];
            sum[0] -= force[0];
            sum[1] -= force[1];
            sum[2] -= arm[0] * force[1] - arm[1] * force[0] + moment;
        }
    }
}

/// What the carrier of a wall adds to the inverse of the mass along the normal, 1/kg.
fn yielding(wall: &Standing, mobilities: &[[[f64; 3]; 3]], at: &At, [nx, ny]: [f64; 2]) -> f64 {
    let Some(mobility) = wall.carrier.and_then(|carrier| mobilities.get(carrier)) else {
        return 0.0;
    };
    let [x, y] = at.pose.position;
    let turn = (at.point[0] - x) * ny - (at.point[1] - y) * nx;
    let along = [nx, ny, turn];
    let mut sum = 0.0;
    for (row, a) in mobility.iter().zip(along) {
        for (entry, b) in row.iter().zip(along) {
            sum += a * entry * b;
        }
    }
    // Never negative but for rounding.
    sum.max(0.0)
}

/// The moment against rolling on the grain, N m.
fn resist(rolling: Option<&Rolling>, radius: f64, curvature: f64, speed: f64, normal: f64) -> f64 {
    let Some(rolling) = rolling else {
        return 0.0;
    };
    let by = if rolling.by_curvature {
        1.0 / (1.0 / radius + curvature)
    } else {
        1.0
    };
    let at = Sliding {
        speed,
        normal,
        state: 0.0,
    };
    match rolling.law.force(&at) {
        Tangential::Force(moment) => by * moment,
        Tangential::Stick { .. } => f64::NAN,
    }
}

/// A contact with a wall, as it is told.
pub(super) struct Told {
    pub point: [f64; 2],
    /// From the wall to the grain.
    pub normal: [f64; 2],
    pub overlap: f64,
    pub push: f64,
    pub friction: f64,
    /// What is stored along the normal and in friction, J.
    pub stored: [f64; 2],
    /// What has become heat beside all powers, J.
    pub lost: f64,
}

/// All contacts of a grain with a wall beside it.
pub(super) fn told(
    beside: &Beside,
    wall: &Standing,
    body: &Body,
    carriers: &[Pose],
    (time, h): (f64, f64),
    mobilities: &[[[f64; 3]; 3]],
    mut tell: impl FnMut(Told),
) {
    let pose = Pose::of(wall.carrier, carriers);
    let frame = frame(wall.carrier, carriers);
    let mut one = |near: Option<Near>, hold: &Hold| {
        let Some(near) = near.filter(|near| hold.held && near.gap < 0.0) else {
            return;
        };
        let at = At::new(near, body, pose);
        let (push, elastic, lost) = match (&hold.lasting, wall.rules.quick) {
            (Some(memory), _) => (
                memory.force(time, at.delta, at.rate).total(),
                memory.stored(at.delta),
                memory.lost(at.delta),
            ),
            (None, Some(quick)) => {
                let [elastic, mut dissipative] = quick.force(hold.law, at.delta, at.rate);
                let light = body.inverse_mass + yielding(wall, mobilities, &at, near.normal);
                calmed(&mut dissipative, -at.rate, h * light);
                let push = (elastic + dissipative).max(wall.rules.floor);
                (push, quick.stored(hold.law[0], at.delta), 0.0)
            }
            (None, None) => return,
        };
        let (z, friction) = held(&wall.rules.rub, h, at.slip, push, hold.ahead);
        tell(Told {
            point: at.point,
            normal: near.normal,
            overlap: at.delta,
            push,
            friction,
            stored: [elastic, stored(&wall.rules.rub, z)],
            lost,
        });
    };
    match &beside.shaped {
        None => one(wall.round(&frame, body), &beside.hold),
        Some(shaped) => {
            for slot in 0..shaped.tracks.len() {
                let hold = match slot {
                    0 => Some(&beside.hold),
                    _ => shaped.holds.get(slot - 1),
                };
                if let Some(hold) = hold {
                    one(shaped.near(slot, &frame, body), hold);
                }
            }
        }
    }
}

/// Deflection (m) and force (N) of friction as they were left.
pub(super) fn held(rule: &Rub, h: f64, slip: f64, push: f64, ahead: f64) -> (f64, f64) {
    let z = deflection(rule, h, slip, ahead);
    let force = match rule {
        Rub::None => 0.0,
        Rub::Spring(spring) => {
            let limit = spring.coefficient * push.max(0.0);
            -(spring.stiffness * z + spring.damping * slip)
                .max(-limit)
                .min(limit)
        }
        Rub::Speed(law) | Rub::Bristle(law) => {
            let at = Sliding {
                speed: slip,
                normal: push,
                state: z,
            };
            match law.force(&at) {
                Tangential::Force(force) => force,
                Tangential::Stick { .. } => f64::NAN,
            }
        }
    };
    (z, force)
}

impl Beside {
    /// What its contacts have turned into heat beside all powers, J.
    pub fn lost(&self) -> f64 {
        let others = self.shaped.iter().flat_map(|shaped| &shaped.holds);
        let holds = std::iter::once(&self.hold).chain(others);
        holds
            .filter_map(|hold| hold.lasting.as_ref())
            .map(|memory| memory.lost(0.0))
            .sum()
    }
}

//! Which forces do grains of one block put on each other and on later grains?
//!
//! The loop is written once and built for every form of law: what it asks of a law is decided before it begins.

use crate::contact::Exponent;
use crate::friction;
use crate::friction::Sliding;
use crate::friction::Tangential;
use crate::grains::block::{Block, Body, Pair, Powers};
use crate::grains::lasting::Lasting;
use crate::grains::rules::{Kept, Prepared, Quick, Rub, Spring};
use crate::grains::{Trouble, Who};
use crate::impact;
use crate::math;

/// A damper takes no more than this part of a speed in one step. Laws divide by the approach speed: what began slowly and is pressed hard afterwards has a damper so strong that a fixed step would overshoot,
/// and give energy instead of taking it. Verlet's rule with speeds foreseen bears a damper g = c h/m < 1; with six neighbours, and steps that find two grains in opposite motion, that is a third of it a contact.
/// So limited, a damper is still several times stronger than the one that lets nothing swing.
pub(super) const CALM: f64 = 0.25;

/// What all blocks are told.
pub(super) struct Context<'a> {
    pub bodies: &'a [Body],
    /// The numbers of the grains as they were given.
    pub ids: &'a [u32],
    pub time: f64,
    pub h: f64,
    /// How the carriers of walls yield, see [`crate::grains::World::yields`].
    pub mobilities: &'a [[[f64; 3]; 3]],
    /// The first look, without a step before it.
    pub first: bool,
}

impl Context<'_> {
    pub fn id(&self, place: usize) -> usize {
        self.ids.get(place).map_or(usize::MAX, |&id| id as usize)
    }
}

/// The force along the normal.
trait Normal {
    /// Whether K and c say all.
    const QUICK: bool = true;
    fn force(&self, law: [f64; 2], delta: f64, rate: f64) -> [f64; 2];
}

/// K δ^(3/2) (1 + c v).
struct HertzFactor;
impl Normal for HertzFactor {
    #[inline(always)]
    fn force(&self, law: [f64; 2], delta: f64, rate: f64) -> [f64; 2] {
        let n = Exponent::ThreeHalves;
        Quick::Factor { n }.force(law, delta, rate)
    }
}

/// K δ^(3/2) + c δ^(1/4) v.
struct HertzQuarter;
impl Normal for HertzQuarter {
    #[inline(always)]
    fn force(&self, law: [f64; 2], delta: f64, rate: f64) -> [f64; 2] {
        let (n, p) = (Exponent::ThreeHalves, Exponent::Quarter);
        Quick::Power { n, p }.force(law, delta, rate)
    }
}

/// K δ^(3/2) + c δ^(1/2) v.
struct HertzHalf;
impl Normal for HertzHalf {
    #[inline(always)]
    fn force(&self, law: [f64; 2], delta: f64, rate: f64) -> [f64; 2] {
        let (n, p) = (Exponent::ThreeHalves, Exponent::Half);
        Quick::Power { n, p }.force(law, delta, rate)
    }
}

impl Normal for Quick {
    #[inline(always)]
    fn force(&self, law: [f64; 2], delta: f64, rate: f64) -> [f64; 2] {
        Quick::force(*self, law, delta, rate)
    }
}

/// Any law, with its memory.
struct Any;
impl Normal for Any {
    const QUICK: bool = false;
    fn force(&self, _: [f64; 2], _: f64, _: f64) -> [f64; 2] {
        [f64::NAN; 2]
    }
}

/// The force along the tangent.
trait Tangent {
    /// Whether there is friction at all.
    const RUBS: bool = true;
    /// Whether it remembers how fast the surfaces slid.
    const BRISTLE: bool = false;
    /// Whether it is a function of speed alone, which may be too steep for the step.
    const STEEP: bool = false;
    /// The friction on the second grain (N) at this slip (m/s) under this force (N).
    fn rub(&self, h: f64, slip: f64, normal: f64, ahead: &mut f64, slid: &mut f64) -> f64;
}

struct Smooth;
impl Tangent for Smooth {
    const RUBS: bool = false;
    #[inline(always)]
    fn rub(&self, _: f64, _: f64, _: f64, _: &mut f64, _: &mut f64) -> f64 {
        0.0
    }
}

impl Tangent for Spring {
    #[inline(always)]
    fn rub(&self, h: f64, slip: f64, normal: f64, ahead: &mut f64, _: &mut f64) -> f64 {
        let half = 0.5 * h * slip;
        let limit = self.coefficient * normal.max(0.0);
        let z = (*ahead + half).clamp_to(limit * self.compliance);
        *ahead = z + half;
        -(self.stiffness * z + self.damping * slip).clamp_to(limit)
    }
}

/// Between −limit and limit, without a branch and without a panic.
trait ClampTo {
    fn clamp_to(self, limit: f64) -> f64;
}

impl ClampTo for f64 {
    #[inline(always)]
    fn clamp_to(self, limit: f64) -> f64 {
        self.max(-limit).min(limit)
    }
}

struct BySpeed<'a>(&'a friction::Law);
impl Tangent for BySpeed<'_> {
    const STEEP: bool = true;
    #[inline(always)]
    fn rub(&self, _: f64, slip: f64, normal: f64, _: &mut f64, _: &mut f64) -> f64 {
        answer(self.0, slip, normal, 0.0)
    }
}

struct ByBristle<'a>(&'a friction::Law);
impl Tangent for ByBristle<'_> {
    const BRISTLE: bool = true;
    #[inline(always)]
    fn rub(&self, h: f64, slip: f64, normal: f64, ahead: &mut f64, slid: &mut f64) -> f64 {
        bend(self.0, h, slip, normal, ahead, slid)
    }
}

/// The force of a law that never sticks by itself; others are refused when the world is made.
#[inline]
fn answer(law: &friction::Law, speed: f64, normal: f64, state: f64) -> f64 {
    let at = Sliding {
        speed,
        normal,
        state,
    };
    match law.force(&at) {
        Tangential::Force(force) => force,
        Tangential::Stick { .. } => f64::NAN,
    }
}

/// Limits a force against a speed to what the step can follow; 1 if it had to.
#[inline]
pub(super) fn calmed(force: &mut f64, speed: f64, haste: f64) -> u64 {
    if !(force.abs() * haste > CALM * speed.abs()) {
        return 0;
    }
    *force = -CALM * speed / haste;
    1
}

/// A bristle over one step at its mean speed. Where little presses, at every touch's begin and end, a bristle slips over a way much shorter than a step: it is followed exactly.
fn bend(law: &friction::Law, h: f64, slip: f64, normal: f64, z: &mut f64, slid: &mut f64) -> f64 {
    let at = Sliding {
        speed: 0.5 * (slip + *slid),
        normal,
        state: *z,
    };
    let state = law.state_after(&at, h);
    *z = law.accept_state(&Sliding {
        speed: slip,
        normal,
        state,
    });
    *slid = slip;
    answer(law, slip, normal, *z)
}

/// Friction by any rule: for walls, which are few.
pub(super) fn rub(
    rub: &Rub,
    h: f64,
    slip: f64,
    normal: f64,
    ahead: &mut f64,
    slid: &mut f64,
) -> f64 {
    match rub {
        Rub::None => 0.0,
        Rub::Spring(spring) => spring.rub(h, slip, normal, ahead, slid),
        Rub::Speed(law) => answer(law, slip, normal, 0.0),
        Rub::Bristle(law) => bend(law, h, slip, normal, ahead, slid),
    }
}

/// Where the deflection of friction stands, from what is remembered half a step ahead.
pub(super) fn deflection(rub: &Rub, h: f64, slip: f64, ahead: f64) -> f64 {
    match rub {
        Rub::None | Rub::Speed(_) => 0.0,
        Rub::Spring(_) => ahead - 0.5 * h * slip,
        Rub::Bristle(_) => ahead,
    }
}

/// What friction stores, J.
pub(super) fn stored(rub: &Rub, z: f64) -> f64 {
    match rub {
        Rub::None | Rub::Speed(_) => 0.0,
        Rub::Spring(spring) => 0.5 * spring.stiffness * z * z,
        Rub::Bristle(law) => law.stored(z),
    }
}

/// How long ago surfaces touched that are this deep now, s: not longer than a step.
pub(super) fn since(delta: f64, rate: f64, context: &Context) -> f64 {
    if context.first || !(rate > 0.0) {
        return 0.0;
    }
    (delta / rate).min(context.h)
}

/// The forces of one block's pairs. `letters` are the forces on grains of other blocks, one for every pair that reaches there.
pub(super) fn forces(
    block: &mut Block,
    letters: &mut [[f64; 3]],
    rules: &Prepared,
    context: &Context,
) {
    use Exponent::{Half, Quarter, ThreeHalves};
    match rules.quick {
        None => tangents(block, letters, rules, context, &Any),
        Some(Quick::Factor { n: ThreeHalves }) => {
            tangents(block, letters, rules, context, &HertzFactor);
        }
        Some(Quick::Power {
            n: ThreeHalves,
            p: Quarter,
        }) => tangents(block, letters, rules, context, &HertzQuarter),
        Some(Quick::Power {
            n: ThreeHalves,
            p: Half,
        }) => tangents(block, letters, rules, context, &HertzHalf),
        Some(quick) => tangents(block, letters, rules, context, &quick),
    }
}

fn tangents<N: Normal>(
    block: &mut Block,
    letters: &mut [[f64; 3]],
    rules: &Prepared,
    context: &Context,
    normal: &N,
) {
    match &rules.rub {
        Rub::None => rolls(block, letters, rules, context, normal, &Smooth),
        Rub::Spring(spring) => rolls(block, letters, rules, context, normal, spring),
        Rub::Speed(law) => rolls(block, letters, rules, context, normal, &BySpeed(law)),
        Rub::Bristle(law) => rolls(block, letters, rules, context, normal, &ByBristle(law)),
    }
}

fn rolls<N: Normal, T: Tangent>(
    block: &mut Block,
    letters: &mut [[f64; 3]],
    rules: &Prepared,
    context: &Context,
    normal: &N,
    tangent: &T,
) {
    if rules.rolling.is_some() {
        sweep::<N, T, true>(block, letters, rules, context, normal, tangent);
    } else {
        sweep::<N, T, false>(block, letters, rules, context, normal, tangent);
    }
}

/// How two grains begin to touch.
struct Meeting {
    delta: f64,
    rate: f64,
    slip: f64,
    /// The two grains, in the order of the cells.
    places: [usize; 2],
}

fn sweep<N: Normal, T: Tangent, const ROLLS: bool>(
    block: &mut Block,
    letters: &mut [[f64; 3]],
    rules: &Prepared,
    context: &Context,
    normal: &N,
    tangent: &T,
) {
    let Block {
        base,
        count,
        starts,
        pairs,
        slid,
        lasting,
        free,
        forces,
        ..
    } = block;
    let (base, count, h) = (*base, *count, context.h);
    let bodies = context.bodies;
    let floor = rules.floor;
    let mut powers = Powers::default();
    let mut deepest = 0.0_f64;
    let mut contacts = 0_usize;
    let mut begun = 0_u64;
    let mut limited = 0_u64;
    let mut shortest = block.shortest;
    let mut lost = 0.0;
    let mut letter = 0;
    let Some(forces) = forces.get_mut(..count) else {
        return;
    };
    forces.fill([0.0; 3]);
    let Some(own) = bodies.get(base..base + count) else {
        return;
    };
    let mut none = 0.0;
    let mut rest = pairs.as_mut_slice();
    let mut number = 0;
    for (local, bounds) in starts.windows(2).enumerate() {
        let length = (bounds[1] - bounds[0]) as usize;
        let (row, others) = rest.split_at_mut(length.min(rest.len()));
        rest = others;
        if row.is_empty() {
            continue;
        }
        let Some(one) = own.get(local) else {
            return;
        };
        let mut total = [0.0; 3];
        for pair in row {
            let other = pair.other as usize;
            let Some(two) = bodies.get(other) else {
                continue;
            };
            let (dx, dy) = (two.x - one.x, two.y - one.y);
            let reach = one.radius + two.radius;
            let square = dx * dx + dy * dy;
            let near = other.wrapping_sub(base);
            let away = near >= count;
            let place = number;
            number += 1;
            // Whatever becomes of the pair, its letter is its own.
            let mine = if away { letter } else { usize::MAX };
            letter += usize::from(away);
            if !(square < reach * reach) {
                if pair.held != 0 {
                    lost += end(pair, lasting, free);
                }
                if let Some(letter) = letters.get_mut(mine) {
                    *letter = [0.0; 3];
                }
                continue;
            }
            let distance = math::sqrt(square);
            let inverse = 1.0 / distance;
            let (nx, ny) = (dx * inverse, dy * inverse);
            let delta = reach - distance;
            let (ux, uy) = (two.vx - one.vx, two.vy - one.vy);
            let rate = -(ux * nx + uy * ny);
            // Midway between the surfaces.
            let arm = 0.5 * (distance + one.radius - two.radius);
            let far = distance - arm;
            let slip = uy * nx - ux * ny - two.omega * far - one.omega * arm;
            let slid = if T::BRISTLE {
                slid.get_mut(place).unwrap_or(&mut none)
            } else {
                &mut none
            };
            if pair.held == 0 {
                let meeting = Meeting {
                    delta,
                    rate,
                    slip,
                    places: [base + local, other],
                };
                match begin(rules, context, &meeting, &mut block.kept) {
                    Ok(found) => {
                        shortest = shortest.min(found.duration);
                        pair.law = found.law;
                        pair.ahead = if T::BRISTLE { 0.0 } else { found.ahead };
                        *slid = slip;
                        pair.held = match found.lasting {
                            None => 1,
                            Some(memory) => Block::keep(lasting, free, memory),
                        };
                        begun += 1;
                    }
                    Err(trouble) => {
                        block.trouble.get_or_insert(trouble);
                        if let Some(letter) = letters.get_mut(mine) {
                            *letter = [0.0; 3];
                        }
                        continue;
                    }
                }
            }
            contacts += 1;
            deepest = deepest.max(delta);
            let light = one.inverse_mass + two.inverse_mass;
            let (push, dissipative) = if N::QUICK {
                let [elastic, mut dissipative] = normal.force(pair.law, delta, rate);
                if dissipative.abs() * (h * light) > CALM * rate.abs() {
                    dissipative = CALM * rate / (h * light);
                    limited += 1;
                }
                let push = (elastic + dissipative).max(floor);
                (push, push - elastic)
            } else {
                let memory = (pair.held as usize)
                    .checked_sub(1)
                    .and_then(|place| lasting.get_mut(place)?.as_mut());
                let Some(memory) = memory else {
                    if let Some(letter) = letters.get_mut(mine) {
                        *letter = [0.0; 3];
                    }
                    continue;
                };
                if delta > memory.limit() {
                    block.trouble.get_or_insert(beyond(
                        context,
                        base + local,
                        other,
                        delta,
                        memory,
                    ));
                }
                let force = memory.advance(context.time, h, delta, rate);
                (force.total(), force.dissipative)
            };
            powers.normal += dissipative * rate;
            let (mut fx, mut fy) = (push * nx, push * ny);
            let mut turns = [0.0; 2];
            if T::RUBS {
                let mut rub = tangent.rub(h, slip, push, &mut pair.ahead, slid);
                if T::STEEP {
                    let light =
                        light + arm * arm * one.inverse_inertia + far * far * two.inverse_inertia;
                    limited += calmed(&mut rub, slip, h * light);
                }
                powers.friction -= rub * slip;
                fx -= rub * ny;
                fy += rub * nx;
                turns = [arm * rub, far * rub];
            }
            if ROLLS && let Some(rolling) = &rules.rolling {
                let speed = two.omega - one.omega;
                let radius = if rolling.by_curvature {
                    one.radius * two.radius / reach
                } else {
                    1.0
                };
                let mut moment = radius * answer(&rolling.law, speed, push, 0.0);
                let light = one.inverse_inertia + two.inverse_inertia;
                limited += calmed(&mut moment, speed, h * light);
                powers.rolling -= moment * speed;
                turns[0] += moment;
                turns[1] -= moment;
            }
            total[0] += fx;
            total[1] += fy;
            total[2] += turns[0];
            let reaction = [fx, fy, -turns[1]];
            if away {
                if let Some(letter) = letters.get_mut(mine) {
                    *letter = reaction;
                }
            } else if let Some(force) = forces.get_mut(near) {
                force[0] += fx;
                force[1] += fy;
                force[2] -= turns[1];
            }
        }
        if let Some(force) = forces.get_mut(local) {
            force[0] -= total[0];
            force[1] -= total[1];
            force[2] -= total[2];
        }
    }
    block.latest = powers;
    block.deepest = deepest;
    block.contacts = contacts;
    block.begun += begun;
    block.limited += limited;
    block.shortest = shortest;
    block.lost += lost;
}

/// What begins with a contact.
struct Begun {
    law: [f64; 2],
    ahead: f64,
    duration: f64,
    lasting: Option<Lasting>,
}

#[cold]
#[inline(never)]
fn begin(
    rules: &Prepared,
    context: &Context,
    meeting: &Meeting,
    kept: &mut Kept,
) -> Result<Begun, Trouble> {
    let [a, b] = meeting.places;
    let fault = |reason: String| Trouble::Begin {
        time: context.time,
        grain: context.id(a),
        other: Who::Grain(context.id(b)),
        reason,
    };
    let (Some(one), Some(two)) = (context.bodies.get(a), context.bodies.get(b)) else {
        return Err(fault("there is no such grain".into()));
    };
    let mass = 1.0 / (one.inverse_mass + two.inverse_mass);
    let curvatures = [1.0 / one.radius, 1.0 / two.radius];
    started(
        rules,
        context,
        [meeting.delta, meeting.rate, meeting.slip],
        mass,
        curvatures,
        kept,
    )
    .map(|(law, ahead, duration, lasting)| Begun {
        law,
        ahead,
        duration,
        lasting,
    })
    .map_err(fault)
}

/// K and c, the deflection of friction half a step behind, the duration (s), and the memory if the law is not quick; or why not.
type Started = ([f64; 2], f64, f64, Option<Lasting>);

/// Begins a contact at this indentation (m), rate and slip (m/s).
pub(super) fn started(
    rules: &Prepared,
    context: &Context,
    [delta, rate, slip]: [f64; 3],
    mass: f64,
    curvatures: [f64; 2],
    kept: &mut Kept,
) -> Result<Started, String> {
    let touch = rules
        .begin(rate, mass, curvatures, kept)
        .map_err(|failed| failed.to_string())?;
    let (_, duration) = impact::scales(&touch);
    let since = since(delta, rate, context);
    // The surfaces have slid on each other since they touched; the loop adds half a step.
    let ahead = slip * (since - 0.5 * context.h);
    match rules.quick {
        Some(quick) => match quick.numbers(&touch) {
            Some(law) => Ok((law, ahead, duration, None)),
            None => Err("the law has another form here than at other speeds and radii".into()),
        },
        None => {
            let memory = Lasting::new(touch, context.time - since);
            Ok(([0.0; 2], ahead, duration, Some(memory)))
        }
    }
}

#[cold]
#[inline(never)]
fn beyond(context: &Context, one: usize, two: usize, delta: f64, memory: &Lasting) -> Trouble {
    Trouble::Deep {
        time: context.time,
        grain: context.id(one),
        other: Who::Grain(context.id(two)),
        overlap: delta,
        allowed: memory.limit(),
    }
}

/// Forgets a contact; what it had turned into heat that no power told of, J.
#[cold]
#[inline(never)]
fn end(pair: &mut Pair, lasting: &mut [Option<Lasting>], free: &mut Vec<u32>) -> f64 {
    let place = pair.held - 1;
    pair.held = 0;
    pair.ahead = 0.0;
    let memory = lasting.get_mut(place as usize).and_then(Option::take);
    memory.map_or(0.0, |memory| {
        free.push(place);
        memory.lost(0.0)
    })
}

//! How does the mechanism beside the grains go a step further, with what they do to it?

use crate::card::short;
use crate::math;
use crate::system::assembly;
use crate::system::mechanism::System;
use crate::system::saddle::Rank;

use super::heap::Heap;

/// The mechanism beside the grains.
pub(in crate::system) struct Carrying {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub foreseen: Vec<f64>,
    pub works: Vec<f64>,
    pub powers: Vec<f64>,
    pub before: Vec<f64>,
    /// Room for a direction of all bodies.
    pub direction: Vec<f64>,
    pub projects: bool,
}

impl System {
    /// The accelerations of the mechanism at the start.
    pub(in crate::system) fn begin_carrying(
        &mut self,
        t: f64,
        heaps: &[Heap],
        carrying: &mut Carrying,
    ) -> Result<(), String> {
        press(&mut self.equations.outside, heaps);
        let (q, v) = (&carrying.q, &carrying.v);
        self.forces_at(t, q, v)?;
        carrying.a.copy_from_slice(&self.equations.accelerations);
        self.works.powers(t, &self.equations, &mut carrying.powers);
        Ok(())
    }

    /// Tells the grains how the bodies that carry their walls yield, as the last evaluation found them.
    pub(in crate::system) fn tell_yields(&mut self, heaps: &mut [Heap], carrying: &mut Carrying) {
        // What joints and drivers hold altogether does not yield.
        if self.degrees_of_freedom() == 0 {
            return;
        }
        for heap in heaps {
            for &body in &heap.carriers {
                let mobility = self.mobility(body, &mut carrying.direction);
                heap.world.yields(body, mobility);
            }
        }
    }

    /// The acceleration of a body for each unit of force and moment on it: from the inverse masses along single coordinates and along two at a time.
    fn mobility(&mut self, body: usize, direction: &mut [f64]) -> [[f64; 3]; 3] {
        let mut along = |factors: [f64; 3]| {
            direction.fill(0.0);
            if let Some(place) = direction.as_chunks_mut::<3>().0.get_mut(body) {
                *place = factors;
            }
            let saddle = &mut self.equations.saddle;
            saddle.constrained_inverse_mass(direction).unwrap_or(0.0)
        };
        let [x, y, turn] = [
            along([1.0, 0.0, 0.0]),
            along([0.0, 1.0, 0.0]),
            along([0.0, 0.0, 1.0]),
        ];
        let both = 0.5 * (along([1.0, 1.0, 0.0]) - x - y);
        // Coordinates of other units: scaled so that both count alike.
        let mut turning = |one: f64, factors: [f64; 2]| {
            if !(one > 0.0 && turn > 0.0) {
                return 0.0;
            }
            let scale = math::sqrt(one / turn);
            0.5 * (along([factors[0], factors[1], scale]) - one - scale * scale * turn) / scale
        };
        let [across, up] = [turning(x, [1.0, 0.0]), turning(y, [0.0, 1.0])];
        [[x, both, across], [both, y, up], [across, up, turn]]
    }

    /// Positions at the end of the step, and velocities foreseen there.
    pub(in crate::system) fn carry(
        &mut self,
        t: f64,
        next: f64,
        h: f64,
        carrying: &mut Carrying,
    ) -> Result<(), String> {
        let Carrying {
            q,
            v,
            a,
            foreseen,
            works,
            projects,
            ..
        } = carrying;
        for (((q, v), a), foreseen) in q.iter_mut().zip(&*v).zip(&*a).zip(&mut *foreseen) {
            *q += h * (v + 0.5 * h * a);
            *foreseen = v + h * a;
        }
        if *projects {
            let before = self.equations.kinetic(foreseen);
            self.project_onto(next, q, foreseen)?;
            if self.model.breaks.iter().any(|at| *at > t && *at <= next) {
                // Where a driver's speed jumps the bodies are struck: what they gain is the driver's work.
                let gained = self.equations.kinetic(foreseen) - before;
                if let Some(work) = works.first_mut() {
                    *work += gained;
                }
                // The blow is over: the step goes on from the speed after it.
                for ((v, foreseen), a) in v.iter_mut().zip(&*foreseen).zip(&*a) {
                    *v = foreseen - h * a;
                }
            }
        } else {
            self.equations.rows(next, q, foreseen);
        }
        Ok(())
    }

    /// Accelerations and velocities at the end of the step, with what the grains do.
    pub(in crate::system) fn finish_carrying(
        &mut self,
        next: f64,
        h: f64,
        carrying: &mut Carrying,
    ) -> Result<(), String> {
        let Carrying {
            q,
            v,
            a,
            foreseen,
            works,
            powers,
            before,
            projects,
            ..
        } = carrying;
        self.forces_at(next, q, foreseen)?;
        std::mem::swap(before, powers);
        self.works.powers(next, &self.equations, powers);
        for ((work, before), now) in works.iter_mut().zip(&*before).zip(&*powers) {
            *work += 0.5 * h * (before + now);
        }
        for ((v, a), now) in v.iter_mut().zip(&mut *a).zip(&self.equations.accelerations) {
            *v += 0.5 * h * (*a + now);
            *a = *now;
        }
        if *projects {
            self.project_onto(next, q, v)?;
        }
        if q.iter().chain(&*v).all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(format!(
            "at t = {next} s the motion of a body is no finite number any more; a shorter step may help"
        ))
    }

    /// Accelerations and multipliers with what the grains do.
    fn forces_at(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), String> {
        match self.equations.evaluate(t, q, v) {
            Ok(Rank::NotFinite) => Err(format!("the forces at t = {} s are not finite", short(t))),
            Ok(_) => Ok(()),
            Err(fault) => Err(format!("at t = {} s: {fault}", short(t))),
        }
    }

    fn project_onto(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<(), String> {
        let size = assembly::size(q);
        match self.equations.project(t, q, v) {
            Ok(left) if left <= 1e-6 * size => Ok(()),
            Ok(left) => Err(format!(
                "the joints cannot be kept closed: one is open by {left:.3e} m or rad at t = {} s. The mechanism may be locked, or a driver asks for a position that it cannot reach",
                short(t)
            )),
            Err(fault) => Err(format!("at t = {} s: {fault}", short(t))),
        }
    }
}

/// What the grains do to the bodies, N, N, N m each.
pub(in crate::system) fn press(outside: &mut [f64], heaps: &[Heap]) {
    for (body, force) in outside.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        *force = [0.0; 3];
        for heap in heaps {
            let on = heap.world.on_carrier(body);
            force.iter_mut().zip(on).for_each(|(sum, on)| *sum += on);
        }
    }
}

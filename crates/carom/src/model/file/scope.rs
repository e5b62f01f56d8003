//! Which names may stand in an expression, and what do they mean?

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::contact::materials::Material;
use crate::mechanics::{Place, Pose};
use crate::model::channel::Motion;
use crate::model::expression::{Scope, Symbol};
use crate::model::file::tables::Of;
use crate::model::file::tree::Origin;
use crate::model::mechanism::ShapeEntry;
use crate::model::units::Dimension;

/// What is known of a parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parameter {
    Known(Symbol),
    /// It was complained about already: whatever uses it is not complained about again.
    Bad,
}

/// All parameters by name.
pub(crate) type Parameters = BTreeMap<String, Parameter>;

/// Parameters alone, or with the variable of a function.
pub(crate) struct Names<'a> {
    pub parameters: &'a Parameters,
    pub of: Option<Of>,
    /// For functions of motion.
    pub world: Option<&'a World>,
    /// Which states were asked for: those are the variables from 1 on.
    pub states: RefCell<Vec<State>>,
    /// Whether a parameter was used that is bad.
    pub spoiled: Cell<bool>,
}

impl<'a> Names<'a> {
    pub fn new(parameters: &'a Parameters) -> Self {
        Self {
            parameters,
            of: None,
            world: None,
            states: RefCell::default(),
            spoiled: Cell::new(false),
        }
    }
}

impl Scope for Names<'_> {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        if let Some(of) = self.of {
            let (variable, dimension) = of.variable();
            if name == variable {
                if self.parameters.contains_key(name) {
                    return None;
                }
                return Some(Symbol::Variable {
                    index: 0,
                    dimension,
                });
            }
        }
        match self.parameters.get(name) {
            Some(Parameter::Known(symbol)) => return Some(*symbol),
            Some(Parameter::Bad) => {
                self.spoiled.set(true);
                return Some(Symbol::Constant {
                    value: 1.0,
                    dimension: None,
                });
            }
            None => {}
        }
        let (state, dimension) = self.world?.state(name)?;
        let mut states = self.states.borrow_mut();
        let found = states.iter().position(|known| *known == state);
        let index = found.unwrap_or_else(|| {
            states.push(state);
            states.len() - 1
        });
        Some(Symbol::Variable {
            index: index + 1,
            dimension,
        })
    }

    fn names(&self) -> Vec<String> {
        /// More names than anyone has typed.
        const MOST: usize = 2000;
        let variable = self.of.map(|of| of.variable().0.to_string());
        let states = self.world.into_iter().flat_map(World::states);
        let all = variable.into_iter();
        let all = all.chain(self.parameters.keys().cloned()).chain(states);
        all.take(MOST).collect()
    }

    fn why_not(&self, name: &str) -> Option<String> {
        if name == "t" {
            return Some(match self.of {
                None => "time stands only in functions; this value is the same at all times".into(),
                Some(of) => format!("this is a {}", of.words()),
            });
        }
        if self.parameters.contains_key(name) {
            return Some(format!(
                "`{name}` is the variable of this function and a parameter of this file as well: give the parameter another name"
            ));
        }
        let motion = motion_named(name.rsplit_once('.')?.1)?;
        match self.of {
            Some(Of::Motion) if motion.is_acceleration() => {
                Some("accelerations follow from forces, not the other way; positions and velocities may be used".into())
            }
            Some(Of::Motion) => None,
            Some(of) => Some(format!("this is a {}; only forces may follow the motion", of.words())),
            None => Some("the motion stands only in functions; this value is the same at all times".into()),
        }
    }
}

/// A number of the motion that a function may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    pub place: Place,
    pub motion: Motion,
}

impl State {
    /// Its value as the bodies stand and move.
    #[inline]
    pub fn value(&self, poses: &[Pose]) -> f64 {
        let spot = self.place.spot(poses);
        match self.motion {
            Motion::X => spot.position[0],
            Motion::Y => spot.position[1],
            Motion::Angle => spot.angle,
            Motion::Vx => spot.velocity[0],
            Motion::Vy => spot.velocity[1],
            Motion::Omega => spot.omega,
            // Accelerations follow from forces, not the other way.
            Motion::Ax | Motion::Ay | Motion::Alpha => f64::NAN,
        }
    }
}

/// The dimension of a motion.
pub(crate) fn dimension_of(motion: Motion) -> Dimension {
    match motion {
        Motion::X | Motion::Y => Dimension::LENGTH,
        Motion::Angle => Dimension::ANGLE,
        Motion::Vx | Motion::Vy => Dimension::SPEED,
        Motion::Omega => Dimension::new(0.0, 0.0, -1.0, 1.0),
        Motion::Ax | Motion::Ay => Dimension::new(1.0, 0.0, -2.0, 0.0),
        Motion::Alpha => Dimension::new(0.0, 0.0, -2.0, 1.0),
    }
}

/// The motion of this name.
pub(crate) fn motion_named(name: &str) -> Option<Motion> {
    let entry = Motion::ALL.iter().find(|entry| entry.0 == name);
    entry.map(|entry| entry.2)
}

/// A point of a body or of the ground that places can name.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub at: [f64; 2],
    /// Whether its coordinates could be read.
    pub sound: bool,
}

/// An outline that contacts can name.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub name: String,
    /// `None` if it was complained about.
    pub entry: Option<ShapeEntry>,
}

/// A body that places can name; `None` in [`World::bodies`]' order is the ground.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    pub name: String,
    pub points: BTreeMap<String, Known>,
    /// In the order of the file.
    pub shapes: Vec<Outline>,
    /// Whether its start could be read.
    pub sound: bool,
}

/// A material of the file.
#[derive(Clone, Debug)]
pub(crate) struct Stuff {
    /// `None` if it was complained about.
    pub material: Option<Material>,
    /// Whether anything is made of it.
    pub used: bool,
    pub at: Origin,
}

/// What places and states can name.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub ground: Standing,
    pub bodies: Vec<Standing>,
    pub by_name: BTreeMap<String, usize>,
    /// As the file has them at the start.
    pub poses: Vec<Pose>,
    /// The names of groups, which are no bodies.
    pub groups: Vec<String>,
    /// The materials of the file.
    pub materials: BTreeMap<String, Stuff>,
}

impl World {
    /// `body.vx` or `body.point.x`: positions and velocities only.
    fn state(&self, name: &str) -> Option<(State, Dimension)> {
        let (front, motion) = name.rsplit_once('.')?;
        let motion = motion_named(motion).filter(|motion| !motion.is_acceleration())?;
        let (body, point) = match front.split_once('.') {
            Some((body, point)) => (body, Some(point)),
            None => (front, None),
        };
        let index = *self.by_name.get(body)?;
        let at = match point {
            Some(_) if !motion.of_points() => return None,
            Some(point) => self.bodies.get(index)?.points.get(point)?.at,
            None => [0.0; 2],
        };
        let place = Place::on(index, at);
        Some((State { place, motion }, dimension_of(motion)))
    }

    /// The names of all states.
    fn states(&self) -> impl Iterator<Item = String> + '_ {
        let motions = || {
            Motion::ALL
                .iter()
                .filter(|entry| !entry.2.is_acceleration())
        };
        self.bodies.iter().flat_map(move |body| {
            let own = motions().map(|entry| format!("{}.{}", body.name, entry.0));
            let of_points = body.points.keys().flat_map(move |point| {
                let motions = motions().filter(|entry| entry.2.of_points());
                motions.map(move |entry| format!("{}.{point}.{}", body.name, entry.0))
            });
            own.chain(of_points)
        })
    }
}

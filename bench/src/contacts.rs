//! Which mechanisms with contacts is time taken on?
//!
//! The slider-crank of Flores et al. (2006, section 6) with play between rod and slider, and the bouncing ball of [`crate::impact::Ball`] as a body above a half-plane.

use carom::card::Values;
use carom::contact::{self, Calibration, Law, Surfaces};
use carom::geometry::{Pair, Shape};
use carom::mechanics::{Body, Contact, Follows, Place, play};
use carom::model::{ContactEntry, Model, Simulation};

use crate::mechanisms::{DrivenSliderCrank, GRAVITY, body};

/// A model that cannot be made says why.
pub type Made = Result<Model, String>;

/// The slider-crank at 5000 turns a minute, its journal on the rod and its bearing on the slider: no ideal joint there.
#[derive(Clone, Copy, Debug)]
pub struct Clearance {
    /// Of the journal, m.
    pub radius: f64,
    /// Of the bearing more than of the journal, m.
    pub clearance: f64,
    /// Of the contact, N/m^1.5.
    pub stiffness: f64,
    /// That the law is given.
    pub restitution: f64,
}

impl Default for Clearance {
    /// Flores et al. 2006, table 1; the stiffness is Hertz's of steel for these radii.
    fn default() -> Self {
        Self {
            radius: 9.5e-3,
            clearance: 0.5e-3,
            stiffness: 6.6101984e10,
            restitution: 0.9,
        }
    }
}

impl Clearance {
    /// With the law of Lankarani and Nikravesh, from both centres in one point and all speeds those of the ideal mechanism, over this many turns.
    pub fn model(&self, turns: f64) -> Made {
        let ideal = DrivenSliderCrank::default();
        let mut model = ideal.model(turns).map_err(said)?;
        model.title = "slider-crank with play".into();
        model.joints.retain(|joint| joint.name != "slider-pin");
        let places = [
            Place::on(1, [0.5 * ideal.lengths[1], 0.0]),
            Place::on(2, [0.0, 0.0]),
        ];
        let pairs = play::revolute(places, self.radius, self.clearance).map_err(said)?;
        let law = law("lankarani-nikravesh", self.stiffness, self.restitution)?;
        let contact = Contact::new([Some(1), Some(2)], pairs, Follows::Law(law))
            .and_then(|contact| contact.with_play(self.clearance))
            .map_err(said)?;
        model.contacts = vec![ContactEntry {
            name: "slider-pin".into(),
            joint: Some(places),
            contact,
            surfaces: Surfaces::default(),
        }];
        Ok(model)
    }
}

/// The ball of [`crate::impact::Ball`], 1 kg, with a radius of 0.1 m: a circle above a half-plane, its lowest point let go from 1 m; ten seconds.
pub fn ball() -> Made {
    let radius = 0.1;
    let solid = Body::new(1.0, 0.4 * radius * radius).map_err(said)?;
    let floor = Shape::half_plane([0.0; 2], [0.0, 1.0]).map_err(said)?;
    let round = Shape::circle([0.0; 2], radius).map_err(said)?;
    let pair = Pair::new(floor, round).map_err(said)?;
    let law = law("hunt-crossley", 1.4e8, 0.9)?;
    let contact = Contact::new([None, Some(0)], vec![pair], Follows::Law(law)).map_err(said)?;
    Ok(Model {
        title: "bouncing ball".into(),
        gravity: [0.0, -GRAVITY],
        bodies: vec![body("ball", solid, [0.0, 1.0 + radius, 0.0], [0.0; 3])],
        contacts: vec![ContactEntry {
            name: "floor".into(),
            joint: None,
            contact,
            surfaces: Surfaces::default(),
        }],
        simulation: Simulation {
            end: 10.0,
            ..Simulation::default()
        },
        ..Model::default()
    })
}

fn law(id: &str, stiffness: f64, restitution: f64) -> Result<Law, String> {
    let card = contact::find(id).map_err(said)?;
    let values = Values::new()
        .number("stiffness", stiffness)
        .number("restitution", restitution);
    Law::new(card, &values, None, Calibration::Published).map_err(said)
}

fn said(fault: impl std::fmt::Debug) -> String {
    format!("{fault:?}")
}

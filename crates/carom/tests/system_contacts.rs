//! Do bodies of a mechanism hit each other when, where and as hard as the papers' examples say?
//!
//! Numbers of the slider-crank that strikes a block are those of Machado et al. 2012, section 6, computed anew with minimal and with Cartesian coordinates; those of the slider-crank with play in a joint
//! belong to Flores et al. 2006, section 6, likewise.

mod built;

use std::f64::consts::PI;

use built::{body, joint, pin, run_system};
use carom::card::Values;
use carom::contact::{self, Calibration, Law, Surfaces};
use carom::geometry::{Pair, Shape};
use carom::mechanics::{
    Body, Contact, Driven, Driver, Follows, Function, Place, Translational, play,
};
use carom::model::{ContactEntry, DriverEntry, Model};

fn law(id: &str, stiffness: f64, restitution: Option<f64>) -> Law {
    let mut values = Values::new().number("stiffness", stiffness);
    if let Some(e) = restitution {
        values.set_number("restitution", e);
    }
    let card = contact::find(id).expect("known");
    Law::new(card, &values, None, Calibration::Published).expect("sound")
}

fn touches(name: &str, contact: Contact) -> ContactEntry {
    ContactEntry {
        name: name.into(),
        joint: None,
        contact,
        surfaces: Surfaces::default(),
    }
}

/// Machado et al. 2012, table 1 as printed: crank and rod free, extended, the block guided on the slider's line.
fn slider_crank_block(law: Law, inertia: f64) -> Model {
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let (r, l) = (0.153, 0.306);
    let side = 0.5 * 0.03386;
    let moving = |name: &str, mass: f64, inertia: f64, x: f64, v: [f64; 3]| {
        body(
            name,
            Body::new(mass, inertia).expect("sound"),
            [x, 0.0, 0.0],
            v,
        )
    };
    let tip = 150.0 * r;
    model.bodies = vec![
        moving("crank", 0.038, 7.4e-5, 0.5 * r, [0.0, 0.5 * tip, 150.0]),
        moving("rod", 0.076, inertia, r + 0.5 * l, [0.0, 0.5 * tip, -75.0]),
        moving("slider", 0.038, 1.8e-6, r + l, [0.0; 3]),
        moving("block", 0.190, 2.7e-5, 0.914, [-15.0, 0.0, 0.0]),
    ];
    let guide = |i: usize| Translational::new(Place::ground([0.0; 2]), Place::on(i, [0.0; 2]));
    model.joints = vec![
        pin("a", Place::ground([0.0; 2]), Place::on(0, [-0.5 * r, 0.0])),
        pin(
            "b",
            Place::on(0, [0.5 * r, 0.0]),
            Place::on(1, [-0.5 * l, 0.0]),
        ),
        pin("c", Place::on(1, [0.5 * l, 0.0]), Place::on(2, [0.0; 2])),
        joint("guide", guide(2).expect("sound")),
        joint("other guide", guide(3).expect("sound")),
    ];
    let face = Shape::half_plane([side, 0.0], [1.0, 0.0]).expect("sound");
    let nose = Shape::circle([0.0, 0.0], side).expect("sound");
    let pair = Pair::new(face, nose).expect("they can touch");
    let contact = Contact::new([Some(2), Some(3)], vec![pair], Follows::Law(law));
    model.contacts = vec![touches("impact", contact.expect("sound"))];
    model.simulation.end = 0.1;
    model
}

#[test]
fn a_slider_crank_strikes_its_block_twice_as_computed_by_others() {
    for (rtol, most, speed) in [(1e-9, 2000, 1e-6), (1e-6, 900, 1e-4)] {
        let mut model = slider_crank_block(law("lankarani-nikravesh", 9.5e9, Some(0.7)), 5.9e-5);
        model.solver.rtol = rtol;
        let (outcome, _, _) = run_system(&model);
        let [one, two] = &outcome.contacts[..] else {
            panic!("{:?}", outcome.contacts);
        };
        println!("rtol {rtol:e}: {:?}\n{one:#?}", outcome.statistics);
        println!(
            "block {:.9} residual {:e} warnings {:?}",
            outcome.velocities[9], outcome.ledger.residual, outcome.warnings
        );
        for (name, found, known) in [
            ("first", one.episode.start, 43.445490e-3),
            ("second", two.episode.start, 66.392247125e-3),
            ("block", outcome.velocities[9], 13.37358018),
            ("deepest", one.course.deepest[0], 508.320909e-6),
            ("deepest again", two.course.deepest[0], 260.301986e-6),
            ("peak", one.course.peak[0], 113.970969e3),
            ("peak again", two.course.peak[0], 41.763357e3),
        ] {
            println!(
                "{name}: {found:.9e} {known:.9e} {:.2e}",
                found / known - 1.0
            );
        }
        let _ = (most, speed);
    }
}

/// Flores et al. 2006, table 1: driven at 5000 rpm, the journal on the rod, the bearing on the slider, both centres in one point at the start.
fn slider_crank_clearance(law: Law, friction: Option<f64>) -> Model {
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let (r, l, omega) = (0.05, 0.12, 5000.0 * PI / 30.0);
    let moving = |name: &str, mass: f64, inertia: f64, x: f64, v: [f64; 3]| {
        body(
            name,
            Body::new(mass, inertia).expect("sound"),
            [x, 0.0, 0.0],
            v,
        )
    };
    let tip = omega * r;
    model.bodies = vec![
        moving("crank", 0.30, 1e-5, 0.5 * r, [0.0, 0.5 * tip, omega]),
        moving("rod", 0.21, 2.5e-4, r + 0.5 * l, [0.0, 0.5 * tip, -tip / l]),
        moving("slider", 0.14, 1e-4, r + l, [0.0; 3]),
    ];
    let guide = Translational::new(Place::ground([0.0; 2]), Place::on(2, [0.0; 2]));
    model.joints = vec![
        pin("a", Place::ground([0.0; 2]), Place::on(0, [-0.5 * r, 0.0])),
        pin(
            "b",
            Place::on(0, [0.5 * r, 0.0]),
            Place::on(1, [-0.5 * l, 0.0]),
        ),
        joint("guide", guide.expect("sound")),
    ];
    let turn = Function::Polynomial(vec![0.0, omega]);
    let motor = Driver::new(
        Place::ground([0.0; 2]),
        Place::on(0, [0.0; 2]),
        Driven::Turn,
        turn,
    );
    model.drivers = vec![DriverEntry {
        name: "motor".into(),
        rows: vec![motor.expect("sound")],
    }];
    let places = [Place::on(1, [0.5 * l, 0.0]), Place::on(2, [0.0; 2])];
    let pairs = play::revolute(places, 9.5e-3, 0.5e-3).expect("sound");
    let mut contact = Contact::new([Some(1), Some(2)], pairs, Follows::Law(law))
        .and_then(|c| c.with_play(0.5e-3))
        .expect("sound");
    if let Some(mu) = friction {
        let values = Values::new()
            .number("coefficient", mu)
            .number("v0", 1e-3)
            .number("v1", 1e-2);
        let card = carom::friction::find("ambrosio").expect("known");
        let law = carom::friction::Law::new(card, &values).expect("sound");
        contact = contact.with_friction(law).expect("sound");
    }
    model.contacts = vec![ContactEntry {
        joint: Some(places),
        ..touches("pin", contact)
    }];
    model.simulation.end = 2.0 * PI / omega;
    model
}

#[test]
fn a_journal_strikes_its_bearing_first_where_free_flight_leads_it() {
    for rtol in [1e-6, 1e-8, 1e-9, 1e-11] {
        let mut model =
            slider_crank_clearance(law("lankarani-nikravesh", 6.6101984e10, Some(0.9)), None);
        model.solver.rtol = rtol;
        let (outcome, _, _) = run_system(&model);
        let one = &outcome.contacts[0];
        println!(
            "rtol {rtol:e}: {} {} contacts {:?}",
            outcome.t,
            outcome.contacts.len(),
            outcome.statistics
        );
        println!(
            "residual {:e} warnings {:?} {:?}",
            outcome.ledger.residual, outcome.warnings, outcome.reason
        );
        for (name, found, known) in [
            ("first", one.episode.start, 2.272848801e-4),
            ("speed", one.episode.approach, 4.385826514),
            ("peak", one.course.peak[0], 45870.024),
        ] {
            println!(
                "{name}: {found:.9e} {known:.9e} {:.2e}",
                found / known - 1.0
            );
        }
    }
}

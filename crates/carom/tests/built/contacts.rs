//! Mechanisms whose parts hit each other: those of the papers, and a few plain ones.

use std::f64::consts::PI;

use carom::card::{Need, Role, Values};
use carom::contact::{self, Calibration, Card, Law, Surfaces};
use carom::geometry::{Pair, Shape};
use carom::mechanics::{
    Body, Contact, Driven, Driver, Follows, Function, Place, Translational, play,
};
use carom::model::{ContactEntry, DriverEntry, Model};

use super::{body, joint, pin};

/// A law of which nothing but a stiffness, and perhaps a restitution, need be known.
pub fn law(id: &str, stiffness: f64, restitution: Option<f64>) -> Law {
    made(id, stiffness, restitution, Calibration::Published)
}

/// The same, calibrated.
pub fn exact(id: &str, stiffness: f64, restitution: f64) -> Law {
    made(id, stiffness, Some(restitution), Calibration::Exact)
}

fn made(id: &str, stiffness: f64, restitution: Option<f64>, calibration: Calibration) -> Law {
    let mut values = Values::new().number("stiffness", stiffness);
    if let Some(e) = restitution {
        values.set_number("restitution", e);
    }
    let card = contact::find(id).expect("known");
    Law::new(card, &values, None, calibration).unwrap_or_else(|faults| panic!("{id}: {faults:?}"))
}

/// A law from numbers.
pub fn with(id: &str, numbers: &[(&str, f64)]) -> Law {
    let mut values = Values::new();
    for (name, value) in numbers {
        values.set_number(name, *value);
    }
    let card = contact::find(id).expect("known");
    Law::new(card, &values, None, Calibration::Published)
        .unwrap_or_else(|faults| panic!("{id}: {faults:?}"))
}

/// What a law needs to know of an impact in order to be as stiff as Hertz's there.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Of Hertz's law, N/m^1.5.
    pub stiffness: f64,
    /// m, kg, m/s.
    pub radius: f64,
    pub mass: f64,
    pub speed: f64,
}

impl Size {
    /// The slider-crank with play, with the journal's mass of that impact.
    pub const JOURNAL: Size = Size {
        stiffness: 6.6101984e10,
        radius: 0.19,
        mass: 0.1401,
        speed: 4.385826514,
    };
    /// The ball.
    pub const BALL: Size = Size {
        stiffness: 1.4e8,
        radius: 0.1,
        mass: 1.0,
        speed: 4.202142311,
    };

    /// How deep Hertz's impact is, m.
    pub fn depth(&self) -> f64 {
        (1.25 * self.mass * self.speed.powi(2) / self.stiffness).powf(0.4)
    }

    /// How hard it is, N.
    pub fn force(&self) -> f64 {
        self.stiffness * self.depth().powf(1.5)
    }

    /// How long it takes, s.
    pub fn duration(&self) -> f64 {
        2.943_28 * self.depth() / self.speed
    }

    /// Any law of the catalogue at this size: the numbers it needs follow from Hertz's impact, its damper from the restitution, by its own formula or, where it has none, by calibration.
    pub fn law(&self, card: &'static Card, restitution: f64) -> Result<Law, String> {
        let Size {
            stiffness: k,
            radius,
            ..
        } = *self;
        let (depth, force) = (self.depth(), self.force());
        let modulus = 0.75 * k / radius.sqrt();
        // Journal and bearing of the paper, or ten times as large.
        let large = if radius > 0.15 { 1.0 } else { 10.0 };
        let takes = card.restitution().is_some();
        // How lossy it can be depends on two more numbers: it is given all three.
        let given = card.id == "xiong";
        let calibration = if takes || given || !card.can_calibrate() {
            Calibration::Published
        } else {
            Calibration::Exact
        };
        let mut values = Values::new().number("restitution", restitution);
        if !takes && (given || !card.can_calibrate()) {
            values = Values::new();
        }
        if let (Some(n), Some("stiffness")) = (
            card.exponent(&values),
            card.stiffness().map(|stiffness| stiffness.name),
        ) {
            values.set_number("stiffness", force / depth.powf(n));
        }
        // A law that is for deep impacts only may be elastic where it is not deep.
        if card.choices.iter().any(|choice| choice.name == "shallow") {
            values.set_word("shallow", "elastic");
        }
        for p in card.parameters {
            if p.role == Role::Damping && (calibration == Calibration::Exact || takes) {
                continue;
            }
            if matches!(p.need, Need::Default(_)) || values.get(p.name).is_some() {
                continue;
            }
            let value = match p.name {
                "restitution" => restitution,
                "effective_modulus" => modulus,
                "young" | "young_1" | "young_2" => 1.82 * modulus,
                "poisson" => 0.3,
                "length" => large * 15e-3,
                "clearance" => large * 0.5e-3,
                "journal_radius" => large * 9.5e-3,
                "bearing_radius" => large * 10e-3,
                "effective_radius" => radius,
                "radius_1" | "radius_2" => 2.0 * radius,
                "yield_strength_1" | "yield_strength_2" => 400e6,
                // A quarter of Hertz's depth.
                "yield_indentation" => 0.25 * depth,
                "limiting_pressure" => 2.0 * modulus * (0.25 * depth / radius).sqrt() / PI,
                "beta_2" => 0.2 * self.duration() / depth.powf(1.5),
                "gamma" => 1.0 / self.duration(),
                "equilibrium_shear_modulus" => 0.7 * modulus,
                "decaying_shear_modulus" => 0.2 * modulus,
                "viscosity" => 0.02 * modulus * self.duration(),
                "volume_stiffness" => force / (PI * radius * depth.powi(2)),
                "case_coefficient" => 1.0,
                "interference_area" => force / (PI * modulus * depth) * radius,
                "shape_length" => radius,
                other => {
                    return Err(format!("{}: no number for {other} [{}]", card.id, p.unit));
                }
            };
            values.set_number(p.name, value);
        }
        Law::new(card, &values, None, calibration).map_err(|faults| format!("{faults:?}"))
    }
}

/// A contact of two bodies.
pub fn touches(name: &str, contact: Contact) -> ContactEntry {
    ContactEntry {
        name: name.into(),
        joint: None,
        contact,
        surfaces: Surfaces::default(),
    }
}

/// A pair of shapes of two bodies under a law.
pub fn meets(name: &str, bodies: [Option<usize>; 2], shapes: [Shape; 2], law: Law) -> ContactEntry {
    let [first, second] = shapes;
    let pair = Pair::new(first, second).expect("they can touch");
    touches(
        name,
        Contact::new(bodies, vec![pair], Follows::Law(law)).expect("sound"),
    )
}

/// Machado et al. 2012, table 1 as printed: crank and rod free, extended, the block guided on the slider's line. The block is the body behind the slider.
pub fn slider_crank_block(law: Law, inertia: f64) -> Model {
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let (r, l) = (0.153, 0.306);
    let side = 0.5 * 0.03386;
    let moving = |name: &str, mass: f64, inertia: f64, x: f64, v: [f64; 3]| {
        let solid = Body::new(mass, inertia).expect("sound");
        body(name, solid, [x, 0.0, 0.0], v)
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
    model.contacts = vec![meets("impact", [Some(2), Some(3)], [face, nose], law)];
    model.simulation.end = 0.1;
    model
}

/// The speed of the block in that mechanism.
pub const BLOCK: usize = 9;

/// Flores et al. 2006, table 1: driven at 5000 rpm, the journal on the rod, the bearing on the slider, both centres in one point at the start; one turn.
pub fn slider_crank_clearance(law: Law, friction: Option<f64>) -> Model {
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let (r, l, omega) = (0.05, 0.12, 5000.0 * PI / 30.0);
    let moving = |name: &str, mass: f64, inertia: f64, x: f64, v: [f64; 3]| {
        let solid = Body::new(mass, inertia).expect("sound");
        body(name, solid, [x, 0.0, 0.0], v)
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
    let [ground, crank] = [Place::ground([0.0; 2]), Place::on(0, [0.0; 2])];
    model.drivers = vec![DriverEntry {
        name: "motor".into(),
        rows: vec![Driver::new(ground, crank, Driven::Turn, turn).expect("sound")],
    }];
    let places = [Place::on(1, [0.5 * l, 0.0]), Place::on(2, [0.0; 2])];
    let pairs = play::revolute(places, 9.5e-3, 0.5e-3).expect("sound");
    let mut contact = Contact::new([Some(1), Some(2)], pairs, Follows::Law(law))
        .and_then(|c| c.with_play(0.5e-3))
        .expect("sound");
    if let Some(mu) = friction {
        contact = contact.with_friction(ambrosio(mu)).expect("sound");
    }
    model.contacts = vec![ContactEntry {
        joint: Some(places),
        ..touches("pin", contact)
    }];
    model.simulation.end = 2.0 * PI / omega;
    model
}

/// Friction that is full from 1 cm/s on.
pub fn ambrosio(mu: f64) -> carom::friction::Law {
    let values = Values::new()
        .number("coefficient", mu)
        .number("v0", 1e-3)
        .number("v1", 1e-2);
    let card = carom::friction::find("ambrosio").expect("known");
    carom::friction::Law::new(card, &values).expect("sound")
}

/// Flores et al. 2011, section 7: a ball of 1 kg and 0.1 m, its centre at `height` above the ground, which is a half-plane.
pub fn ball(law: Law, height: f64, speed: f64, end: f64) -> Model {
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let solid = Body::new(1.0, 0.1).expect("sound");
    model.bodies = vec![body("ball", solid, [0.0, height, 0.0], [0.0, speed, 0.0])];
    let floor = Shape::half_plane([0.0; 2], [0.0, 1.0]).expect("sound");
    let round = Shape::circle([0.0; 2], 0.1).expect("sound");
    model.contacts = vec![meets("floor", [None, Some(0)], [floor, round], law)];
    model.simulation.end = end;
    model
}

/// The same ball from 1 m above a table that swings, y = 0.5 m + 0.1 m sin(7.5 t/s).
pub fn ball_on_table(law: Law, end: f64) -> Model {
    let mut model = ball(law.clone(), 1.0, 0.0, end);
    let solid = Body::new(1.0, 0.1).expect("sound");
    model
        .bodies
        .push(body("table", solid, [0.0, 0.5, 0.0], [0.0, 0.75, 0.0]));
    let up = Place::ground([0.0; 2]).facing(0.5 * PI);
    let guide = Translational::new(up, Place::on(1, [0.0; 2]).facing(0.5 * PI));
    model.joints = vec![joint("guide", guide.expect("sound"))];
    let swing = Function::Harmonic {
        mean: 0.5,
        amplitude: 0.1,
        omega: 7.5,
        phase: 0.0,
    };
    let driver = Driver::new(up, Place::on(1, [0.0; 2]), Driven::Along, swing);
    model.drivers = vec![DriverEntry {
        name: "shaker".into(),
        rows: vec![driver.expect("sound")],
    }];
    let top = Shape::half_plane([0.0; 2], [0.0, 1.0]).expect("sound");
    let round = Shape::circle([0.0; 2], 0.1).expect("sound");
    model.contacts = vec![meets("table", [Some(1), Some(0)], [top, round], law)];
    model
}

/// Poursina and Nikravesh 2020, section 6, as it must be read where the figure is absent: thin rods of 1 kg, 6 m and 0.2 kg, 4 m hang from (0, 0) and (−2, 0) m, at +15° and −90° from the vertical; the tip
/// of the second strikes the side of the first.
pub fn two_pendulums(law: Law) -> Model {
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let hung = |name: &str, mass: f64, length: f64, x: f64, phi: f64| {
        let solid = Body::new(mass, mass * length * length / 12.0).expect("sound");
        let at = [x + 0.5 * length * phi.sin(), -0.5 * length * phi.cos(), phi];
        body(name, solid, at, [0.0; 3])
    };
    model.bodies = vec![
        hung("rod1", 1.0, 6.0, 0.0, PI / 12.0),
        hung("rod2", 0.2, 4.0, -2.0, -0.5 * PI),
    ];
    model.joints = vec![
        pin("one", Place::ground([0.0; 2]), Place::on(0, [0.0, 3.0])),
        pin("two", Place::ground([-2.0, 0.0]), Place::on(1, [0.0, 2.0])),
    ];
    // Of the first rod only the side towards the second can be struck.
    let side = Shape::half_plane([0.0; 2], [-1.0, 0.0]).expect("sound");
    let tip = Shape::circle([0.0, -2.0], 1e-6).expect("sound");
    model.contacts = vec![meets("tip", [Some(0), Some(1)], [side, tip], law)];
    model.simulation.end = 8.0;
    model
}

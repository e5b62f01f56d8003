//! Which tables and keys does a model file have, and what does each key take?
//!
//! This is the one description: reading, its complaints and the schema for editors all follow from it, so that they cannot disagree.

use crate::card::Range;
use crate::model::units::Dimension;

/// What a function is a function of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// Time t, s.
    Time,
    /// Time and the positions and velocities of bodies.
    Motion,
    /// The length of a spring, m.
    Length,
    /// The angle of a rotational spring, rad.
    Angle,
    /// The x of a curve, m.
    X,
    /// The polar angle of a curve, rad.
    Theta,
    /// The approach speed, m/s.
    Speed,
}

impl Of {
    /// The variable as it is typed, and its kind.
    pub fn variable(self) -> (&'static str, Dimension) {
        match self {
            Of::Time | Of::Motion => ("t", Dimension::TIME),
            Of::Length => ("length", Dimension::LENGTH),
            Of::Angle => ("angle", Dimension::ANGLE),
            Of::X => ("x", Dimension::LENGTH),
            Of::Theta => ("theta", Dimension::ANGLE),
            Of::Speed => ("v", Dimension::SPEED),
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Of::Time => "function of t",
            Of::Motion => "function of t and of the motion, such as `crank.angle` or `rod.B.vx`",
            Of::Length => "function of length",
            Of::Angle => "function of angle",
            Of::X => "function of x",
            Of::Theta => "function of theta",
            Of::Speed => "function of the approach speed v",
        }
    }
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Takes {
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number, at least this.
    Whole(u64),
    /// A quantity of this kind.
    Quantity(Dimension, Range),
    /// A list of quantities, each with its own kind.
    Quantities(&'static [Dimension], Range),
    /// A function.
    Function(Of, Dimension),
    /// A list of two functions.
    Functions(Of, Dimension),
    /// What a driver prescribes: a function of t, or two for a point; its kind follows from what is driven.
    Drive,
    /// How fast a driver drives, or where it begins: one quantity, or two for a point; the kind likewise.
    DriveConstant,
    /// A point of a body or of the ground.
    Place,
    /// Two places.
    Places,
    /// The name of a body.
    Body,
    /// The name of a joint.
    Joint,
    /// A coordinate of a body or of a point.
    Coordinate,
    /// The name of a file with a table.
    File,
    /// A list of channels.
    Channels,
    /// Named points: tables of `name = [x, y]`.
    Points,
    /// A point of the same body: its name, or `[x, y]`.
    Spot,
    /// At least so many of them.
    Spots(usize),
    /// A direction: an angle, or `[x, y]` along it.
    Direction,
    /// The coefficients of y = c0 + c1 x + c2 x^2 …, each with its own unit.
    Coefficients,
    /// Two outlines, or all those of a body or of the ground.
    Outlines,
    /// Any number of them.
    OutlineList,
    /// Names of bodies.
    Bodies,
    /// A quantity of this kind, or two between which it is drawn evenly; all above 0.
    Spread(Dimension),
    /// Two opposite corners of a rectangle.
    Region,
    /// The name of a material.
    Material,
    /// The names of two.
    Materials,
    /// A number, a function of the approach speed, `wang`, or a table of both.
    Restitution,
    /// The force of a law of one's own.
    OwnForce,
    /// What only somebody else can read; in words. No key of a model takes it.
    Any(&'static str),
    /// The name of a law; beside the keys of the sheet, the table takes those of the law's card.
    LawName(Laws),
    /// Named parameters.
    Parameters,
    /// A table with keys of its own.
    Table(&'static Sheet),
    /// A number of this kind, or a table.
    NumberOr(Dimension, Range, &'static Sheet),
    /// Named tables, all of the same sheet.
    Named(&'static Sheet),
    /// A table that names a law: these keys, and those of the law's card.
    Law(&'static Sheet, Laws),
}

/// Which laws a table can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laws {
    /// Of contact, where the indentation is an angle.
    Turn,
    /// Of contact, where it is a length.
    Along,
    /// Of contact between outlines: the exponent is the card's.
    Contact,
    /// Of friction.
    Friction,
    /// Of rolling.
    Rolling,
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Need {
    /// Always.
    Required,
    /// Not if left out.
    Optional,
    /// What holds if it is left out.
    Default(&'static str),
}

/// A key.
#[derive(Debug)]
pub(crate) struct Key {
    pub name: &'static str,
    pub takes: Takes,
    pub need: Need,
    /// One line.
    pub doc: &'static str,
}

/// Keys of which one at most may be there, or exactly one.
#[derive(Debug)]
pub(crate) struct OneOf {
    pub keys: &'static [&'static str],
    pub required: bool,
}

/// A kind of element: the word that `type` takes, and the keys that come with it.
#[derive(Debug)]
pub(crate) struct Kind {
    pub name: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Key],
    pub one_of: &'static [OneOf],
}

/// What stands in a table.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// Keys of every table of this sheet.
    pub keys: &'static [Key],
    /// If there are any, `type` says which, and brings keys of its own.
    pub kinds: &'static [Kind],
    pub one_of: &'static [OneOf],
}

impl Sheet {
    /// What the number at a path such as `body.ball.mass` measures, if that hangs on nothing else.
    pub fn measures(&self, path: &[&str]) -> Option<Dimension> {
        let (first, rest) = path.split_first()?;
        let of_kinds = self.kinds.iter().flat_map(|kind| kind.keys);
        let keys = self.keys.iter().chain(of_kinds);
        let mut all = keys
            .filter(|key| key.name == *first)
            .map(|key| match key.takes {
                Takes::Quantity(is, _) | Takes::NumberOr(is, _, _) if rest.is_empty() => Some(is),
                Takes::Table(sheet) | Takes::NumberOr(_, _, sheet) | Takes::Law(sheet, _) => {
                    sheet.measures(rest)
                }
                Takes::Named(sheet) => sheet.measures(rest.get(1..)?),
                _ => None,
            });
        let found = all.next()??;
        all.all(|other| other.is_some_and(|other| other.fits(found)))
            .then_some(found)
    }

    pub const fn plain(keys: &'static [Key]) -> Sheet {
        Sheet {
            keys,
            kinds: &[],
            one_of: &[],
        }
    }
}

pub(crate) const fn key(name: &'static str, takes: Takes, need: Need, doc: &'static str) -> Key {
    Key {
        name,
        takes,
        need,
        doc,
    }
}

const fn quantity(dimension: Dimension) -> Takes {
    Takes::Quantity(dimension, Range::ANY)
}

const fn positive(dimension: Dimension) -> Takes {
    Takes::Quantity(dimension, Range::POSITIVE)
}

const fn not_negative(dimension: Dimension) -> Takes {
    Takes::Quantity(dimension, Range::NOT_NEGATIVE)
}

const LENGTH: Dimension = Dimension::LENGTH;
const TIME: Dimension = Dimension::TIME;
const ANGLE: Dimension = Dimension::ANGLE;
const SPEED: Dimension = Dimension::SPEED;
const ANGULAR_SPEED: Dimension = Dimension::new(0.0, 0.0, -1.0, 1.0);
const FREQUENCY: Dimension = Dimension::new(0.0, 0.0, -1.0, 0.0);
const ACCELERATION: Dimension = Dimension::new(1.0, 0.0, -2.0, 0.0);
const AREA: Dimension = Dimension::new(2.0, 0.0, 0.0, 0.0);
const INERTIA: Dimension = Dimension::new(2.0, 1.0, 0.0, 0.0);
const ENERGY: Dimension = Dimension::new(2.0, 1.0, -2.0, 0.0);
pub(crate) const FORCE: Dimension = Dimension::new(1.0, 1.0, -2.0, 0.0);
pub(crate) const MOMENT: Dimension = ENERGY;
const STIFFNESS: Dimension = Dimension::new(0.0, 1.0, -2.0, 0.0);
const DAMPING: Dimension = Dimension::new(0.0, 1.0, -1.0, 0.0);
const TURN_STIFFNESS: Dimension = Dimension::new(2.0, 1.0, -2.0, -1.0);
const TURN_DAMPING: Dimension = Dimension::new(2.0, 1.0, -1.0, -1.0);
const LIGAMENT: Dimension = Dimension::new(-1.0, 1.0, -2.0, 0.0);

use Need::{Default, Optional, Required};

/// The whole file.
pub(crate) const ROOT: Sheet = Sheet::plain(&[
    key(
        "format",
        Takes::Whole(1),
        Required,
        "The version of this format: 1.",
    ),
    key(
        "model",
        Takes::Table(&MODEL),
        Optional,
        "What the model is called and where it comes from.",
    ),
    key(
        "parameters",
        Takes::Parameters,
        Optional,
        "Named numbers, quantities or expressions of other parameters, in any order.",
    ),
    key(
        "ground",
        Takes::Table(&GROUND),
        Optional,
        "Points and outlines of the ground; its origin is always there.",
    ),
    key(
        "simulation",
        Takes::Table(&SIMULATION),
        Optional,
        "What is asked, over which time, and what is written down.",
    ),
    key(
        "solver",
        Takes::Table(&SOLVER),
        Optional,
        "How the motion is integrated.",
    ),
    key(
        "constraints",
        Takes::Table(&CONSTRAINTS),
        Optional,
        "How the joints are kept closed.",
    ),
    key(
        "material",
        Takes::Named(&MATERIAL),
        Optional,
        "Materials of outlines and of joints with play; those that `carom materials` lists need no table.",
    ),
    key("body", Takes::Named(&BODY), Optional, "Rigid bodies."),
    key(
        "joint",
        Takes::Named(&JOINT),
        Optional,
        "Joints between two places.",
    ),
    key(
        "driver",
        Takes::Named(&DRIVER),
        Optional,
        "Motors: an angle, a coordinate, a point or a distance follows a function of time.",
    ),
    key(
        "force",
        Takes::Named(&FORCES),
        Optional,
        "Forces, springs and dampers.",
    ),
    key(
        "contact",
        Takes::Named(&CONTACT),
        Optional,
        "Contacts: which outlines can touch, and by which law they push each other away.",
    ),
    key(
        "group",
        Takes::Named(&GROUP),
        Optional,
        "Sets of bodies that may all touch each other: bodies of this file, or round grains that are made here, by the thousand.",
    ),
    key(
        "method",
        Takes::Table(&METHOD),
        Optional,
        "How contacts are computed.",
    ),
]);

/// Where in a step forces are taken: not before its middle, where the method would gain energy.
const THETA: Range = Range {
    low: 0.5,
    low_allowed: true,
    high: 1.0,
    high_allowed: true,
};

const METHOD: Sheet = Sheet::plain(&[
    key(
        "contact",
        Takes::Word(&["compliant", "piecewise", "time-stepping"]),
        Default("compliant"),
        "`compliant`: by forces that follow from the indentation. `piecewise`: by impulses at located instants, and as constraints while bodies stay together. `time-stepping`: by impulses over steps of fixed length, for many contacts.",
    ),
    key(
        "restitution",
        Takes::Word(&["newton", "poisson", "stronge"]),
        Default("stronge"),
        "What a coefficient of restitution is the ratio of, with piecewise: speeds, impulses or works. Without friction they are the same; with it only Stronge's gains no energy at a contact that is struck by itself. Time stepping takes Newton's.",
    ),
    key(
        "simultaneous",
        Takes::Word(&["together", "in-turns"]),
        Default("together"),
        "How bodies that strike each other at the same instant follow each other, with piecewise: all at once, or one after the other, the fastest first (as in Newton's cradle).",
    ),
    key(
        "step",
        positive(TIME),
        Optional,
        "The longest step of time stepping; chosen from sizes, plays, speeds and vibrations if nothing is said, a thousandth of the time of the run at most.",
    ),
    key(
        "theta",
        Takes::Quantity(Dimension::NONE, THETA),
        Default("0.5"),
        "What part of a step of time stepping is gone with the velocity after it, the rest before with that before it; forces and gaps are taken in between: with 0.5 in the middle of the step, with 1 at its beginning.",
    ),
    key(
        "solver",
        Takes::Word(&["cone", "lcp"]),
        Default("cone"),
        "How the contacts of a step are found, with time stepping: `cone` sweeps over them, for many; `lcp` finds all at once by pivots, for small sets.",
    ),
    key(
        "iterations",
        Takes::Whole(1),
        Default("1000"),
        "The most sweeps of `cone` in a step.",
    ),
    key(
        "tolerance",
        positive(Dimension::NONE),
        Default("1e-10"),
        "When the sweeps of `cone` end: what they still change of a speed, as a part of the largest one.",
    ),
]);

const MODEL: Sheet = Sheet::plain(&[
    key("title", Takes::Text, Optional, "What it is called."),
    key("source", Takes::Text, Optional, "Where its data come from."),
    key(
        "notes",
        Takes::Text,
        Optional,
        "Anything else worth knowing.",
    ),
]);

const GROUND: Sheet = Sheet::plain(&[
    key(
        "points",
        Takes::Points,
        Optional,
        "Named points of the ground, from its origin.",
    ),
    key(
        "shapes",
        Takes::Named(&OUTLINE),
        Optional,
        "Named outlines that bodies can touch, such as a floor; see the shapes of a body.",
    ),
]);

const SIMULATION: Sheet = Sheet::plain(&[
    key(
        "analysis",
        Takes::Word(&[
            "dynamic",
            "kinematic",
            "inverse-dynamics",
            "static",
            "modes",
        ]),
        Default("dynamic"),
        "What is asked about the mechanism.",
    ),
    key(
        "start",
        quantity(TIME),
        Default("0 s"),
        "Where time begins.",
    ),
    key(
        "end",
        quantity(TIME),
        Optional,
        "Where time ends; required unless the analysis is static or modes.",
    ),
    key(
        "gravity",
        Takes::Quantities(&[ACCELERATION, ACCELERATION], Range::ANY),
        Default("[0, -9.81] m/s^2"),
        "Acceleration of gravity in x and y.",
    ),
    key(
        "output_step",
        positive(TIME),
        Default("a five-hundredth of the whole"),
        "From one written sample to the next.",
    ),
    key(
        "snapshot_step",
        positive(TIME),
        Optional,
        "From one written state of all grains to the next; if left out, only the last is written.",
    ),
    key(
        "channels",
        Takes::Channels,
        Default("the usual ones"),
        "What is written down, such as `slider.x` or `joint.pin.force_x`.",
    ),
]);

const SOLVER: Sheet = Sheet::plain(&[
    key(
        "integrator",
        Takes::Word(&[
            "auto", "dop853", "tsit5", "adams", "radau", "bdf", "rk4", "verlet",
        ]),
        Default("auto"),
        "The stepping method; `auto` is dop853, and radau where the motion is stiff. With more than 50 bodies dop853 is taken if nothing is said.",
    ),
    key(
        "rtol",
        Takes::Quantity(Dimension::NONE, Range::closed(1e-14, 0.1)),
        Default("1e-8"),
        "Relative tolerance.",
    ),
    key(
        "atol",
        Takes::NumberOr(Dimension::NONE, Range::NOT_NEGATIVE, &ATOL),
        Default("1e-10"),
        "Absolute tolerance: one number for all, or one for each kind of component.",
    ),
    key(
        "first_step",
        positive(TIME),
        Optional,
        "The first step to try.",
    ),
    key("max_step", positive(TIME), Optional, "The largest step."),
    key(
        "max_steps",
        Takes::Whole(1),
        Default("100000000"),
        "The largest number of steps.",
    ),
    key(
        "step",
        positive(TIME),
        Optional,
        "The step of rk4 and verlet: required there, and only there.",
    ),
]);

const ATOL: Sheet = Sheet::plain(&[
    key("position", not_negative(LENGTH), Optional, "Of positions."),
    key("angle", not_negative(ANGLE), Optional, "Of angles."),
    key("velocity", not_negative(SPEED), Optional, "Of velocities."),
    key(
        "angular_velocity",
        not_negative(ANGULAR_SPEED),
        Optional,
        "Of angular velocities.",
    ),
    key(
        "energy",
        not_negative(ENERGY),
        Optional,
        "Of the accounts of energy.",
    ),
]);

const CONSTRAINTS: Sheet = Sheet::plain(&[
    key(
        "control",
        Takes::Word(&["projection", "baumgarte", "none"]),
        Default("projection"),
        "How the joints are kept closed.",
    ),
    key(
        "alpha",
        positive(FREQUENCY),
        Optional,
        "Baumgarte's factor of the velocities: required with baumgarte, and only there.",
    ),
    key(
        "beta",
        positive(FREQUENCY),
        Optional,
        "Baumgarte's factor of the positions: required with baumgarte, and only there.",
    ),
]);

/// Of stable materials; rubber has nearly 0.5.
const POISSON: Range = Range {
    low: -1.0,
    low_allowed: false,
    high: 0.5,
    high_allowed: true,
};

const MATERIAL: Sheet = Sheet::plain(&[
    key(
        "young",
        positive(Dimension::PRESSURE),
        Required,
        "Young's modulus.",
    ),
    key(
        "poisson",
        Takes::Quantity(Dimension::NONE, POISSON),
        Required,
        "Poisson's ratio.",
    ),
    key(
        "density",
        positive(Dimension::DENSITY),
        Optional,
        "Density.",
    ),
    key(
        "yield",
        positive(Dimension::PRESSURE),
        Optional,
        "Yield stress.",
    ),
]);

const BODY: Sheet = Sheet::plain(&[
    key(
        "mass",
        positive(Dimension::MASS),
        Optional,
        "Mass; required with inertia, or follows from shape and density.",
    ),
    key(
        "inertia",
        positive(INERTIA),
        Optional,
        "Moment of inertia about the mass centre; follows from the shape, if there is one.",
    ),
    key(
        "shape",
        Takes::Table(&SHAPE),
        Optional,
        "A uniform shape from which the inertia follows; nothing touches it: outlines that can touch stand in shapes.",
    ),
    key(
        "density",
        positive(Dimension::DENSITY),
        Optional,
        "Density, in place of mass: with shape and thickness (for a rod, area).",
    ),
    key(
        "thickness",
        positive(LENGTH),
        Optional,
        "Thickness of a disc or rectangle, with density.",
    ),
    key(
        "area",
        positive(AREA),
        Optional,
        "Area of the section of a rod, with density.",
    ),
    key(
        "position",
        Takes::Quantities(&[LENGTH, LENGTH], Range::ANY),
        Default("[0, 0] m"),
        "Mass centre at the start; assembly closes the joints from there.",
    ),
    key(
        "angle",
        quantity(ANGLE),
        Default("0 rad"),
        "Angle at the start, counter-clockwise.",
    ),
    key(
        "velocity",
        Takes::Quantities(&[SPEED, SPEED], Range::ANY),
        Default("[0, 0] m/s"),
        "Velocity of the mass centre at the start.",
    ),
    key(
        "angular_velocity",
        quantity(ANGULAR_SPEED),
        Default("0 rad/s"),
        "Angular velocity at the start.",
    ),
    key(
        "points",
        Takes::Points,
        Optional,
        "Named points in body axes, from the mass centre.",
    ),
    key(
        "shapes",
        Takes::Named(&OUTLINE),
        Optional,
        "Named outlines that can touch, in body axes from the mass centre; mass and inertia do not follow from them: see shape.",
    ),
]);

const CENTER: Key = key(
    "center",
    Takes::Spot,
    Default("[0, 0] m, the mass centre"),
    "Its centre.",
);

const RADIUS: Key = key("radius", positive(LENGTH), Required, "Its radius.");

const ROUNDING: Key = key(
    "rounding",
    not_negative(LENGTH),
    Default("0 m"),
    "Radius by which the corners are rounded off; 0 is sharp, and a sharp corner has no stiffness of its own.",
);

const CONCAVE: Key = key(
    "concave",
    Takes::Flag,
    Default("false"),
    "Whether it is solid outside, as a ring or a cup is.",
);

const TURNED: Key = key(
    "angle",
    quantity(ANGLE),
    Default("0 rad"),
    "By how much it is turned in the axes of the body.",
);

const SOLID: Key = key(
    "solid",
    Takes::Word(&["below", "above"]),
    Default("below"),
    "The side that is solid, seen along rising x; of points in another order, below is on the right of the walk.",
);

const POINTS_OF: &[OneOf] = &[OneOf {
    keys: &["points", "table"],
    required: true,
}];

const POINTS_FILE: Key = key(
    "table",
    Takes::File,
    Optional,
    "A table with the columns x, y, in place of points.",
);

/// An outline that can touch others.
pub(crate) const OUTLINE: Sheet = Sheet {
    keys: &[
        key(
            "material",
            Takes::Material,
            Optional,
            "What it is made of: a [material.NAME] of this file, or one that `carom materials` lists. A contact whose stiffness is not given takes it from there.",
        ),
        key(
            "length",
            positive(LENGTH),
            Optional,
            "Its length across the plane, for laws of cylinders.",
        ),
    ],
    kinds: &[
        Kind {
            name: "circle",
            doc: "A ball, or a cylinder seen from its end: solid inside.",
            keys: &[CENTER, RADIUS],
            one_of: &[],
        },
        Kind {
            name: "bore",
            doc: "A round hole: solid outside.",
            keys: &[CENTER, RADIUS],
            one_of: &[],
        },
        Kind {
            name: "arc",
            doc: "A part of a circle, counter-clockwise from one angle to another. It is solid to a depth of a tenth of its extent (for a circle of a larger radius, of that radius); what is deeper lies behind it and is not felt.",
            keys: &[
                CENTER,
                RADIUS,
                key(
                    "from",
                    quantity(ANGLE),
                    Required,
                    "Where it begins, from the x axis of the body.",
                ),
                key("to", quantity(ANGLE), Required, "Where it ends."),
                CONCAVE,
            ],
            one_of: &[],
        },
        Kind {
            name: "half-plane",
            doc: "Everything behind a straight line: a floor, a wall.",
            keys: &[
                key(
                    "point",
                    Takes::Spot,
                    Default("[0, 0] m"),
                    "A point of the line.",
                ),
                key(
                    "normal",
                    Takes::Direction,
                    Default("90 deg"),
                    "The direction out of the solid; 90 deg is a floor.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "segment",
            doc: "A straight piece from one point to another; with a radius, a capsule.",
            keys: &[
                key("from", Takes::Spot, Required, "Its one end."),
                key("to", Takes::Spot, Required, "Its other end."),
                key(
                    "radius",
                    not_negative(LENGTH),
                    Default("0 m"),
                    "Half its thickness, and the radius of its ends; 0 is a line with two sides.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "ellipse",
            doc: "An ellipse |x/a|^p + |y/b|^p = 1, p = 2; with another exponent a superellipse.",
            keys: &[
                CENTER,
                key(
                    "semi_axes",
                    Takes::Quantities(&[LENGTH, LENGTH], Range::POSITIVE),
                    Required,
                    "Its two semi-axes, a and b.",
                ),
                TURNED,
                key(
                    "exponent",
                    Takes::Quantity(Dimension::NONE, Range::closed(2.0, 20.0)),
                    Default("2"),
                    "Its exponent p.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "polygon",
            doc: "A convex polygon.",
            keys: &[
                key(
                    "corners",
                    Takes::Spots(3),
                    Required,
                    "Its corners, one after the other, either way round.",
                ),
                ROUNDING,
            ],
            one_of: &[],
        },
        Kind {
            name: "rectangle",
            doc: "A rectangle.",
            keys: &[
                key(
                    "width",
                    positive(LENGTH),
                    Required,
                    "Its extent along its x axis.",
                ),
                key(
                    "height",
                    positive(LENGTH),
                    Required,
                    "Its extent along its y axis.",
                ),
                CENTER,
                TURNED,
                ROUNDING,
            ],
            one_of: &[],
        },
        Kind {
            name: "curve",
            doc: "A smooth closed curve through points; it need not be convex.",
            keys: &[
                key(
                    "points",
                    Takes::Spots(3),
                    Optional,
                    "The points, one after the other; the first is not repeated at the end.",
                ),
                POINTS_FILE,
                CONCAVE,
            ],
            one_of: POINTS_OF,
        },
        Kind {
            name: "polynomial",
            doc: "A profile y = c0 + c1 x + c2 x^2 … over an interval. It is solid to a depth of a tenth of its extent (for a circle of a larger radius, of that radius); what is deeper lies behind it and is not felt.",
            keys: &[
                key(
                    "coefficients",
                    Takes::Coefficients,
                    Required,
                    "c0 in m, c1 a pure number, c2 in 1/m, and so on.",
                ),
                key(
                    "interval",
                    Takes::Quantities(&[LENGTH, LENGTH], Range::ANY),
                    Required,
                    "Where x begins and ends.",
                ),
                key(
                    "place",
                    Takes::Spot,
                    Default("[0, 0] m"),
                    "The origin of x and y.",
                ),
                TURNED,
                SOLID,
            ],
            one_of: &[],
        },
        Kind {
            name: "polyline",
            doc: "An open profile of straight pieces. It is solid to a depth of a tenth of its extent (for a circle of a larger radius, of that radius); what is deeper lies behind it and is not felt.",
            keys: &[
                key(
                    "points",
                    Takes::Spots(2),
                    Optional,
                    "Its points, one after the other.",
                ),
                POINTS_FILE,
                SOLID,
            ],
            one_of: POINTS_OF,
        },
    ],
    one_of: &[],
};

const SHAPE: Sheet = Sheet {
    keys: &[],
    kinds: &[
        Kind {
            name: "rod",
            doc: "A thin rod: m L^2/12.",
            keys: &[key("length", positive(LENGTH), Required, "Its length.")],
            one_of: &[],
        },
        Kind {
            name: "disc",
            doc: "A disc: m r^2/2.",
            keys: &[key("radius", positive(LENGTH), Required, "Its radius.")],
            one_of: &[],
        },
        Kind {
            name: "rectangle",
            doc: "A rectangle: m (a^2 + b^2)/12.",
            keys: &[
                key(
                    "width",
                    positive(LENGTH),
                    Required,
                    "Its extent along the body's x axis.",
                ),
                key(
                    "height",
                    positive(LENGTH),
                    Required,
                    "Its extent along the body's y axis.",
                ),
            ],
            one_of: &[],
        },
    ],
    one_of: &[],
};

const DIRECTION: Key = key(
    "direction",
    quantity(ANGLE),
    Default("0 rad"),
    "Angle of the line in the axes of the first body.",
);

const CLEARANCE: Key = key(
    "clearance",
    not_negative(LENGTH),
    Default("0 m"),
    "Play: how far the two can shift from the middle. 0 is the ideal joint; above 0 they are held by contact only, and the keys below say how.",
);
const JOURNAL: Key = key(
    "journal_radius",
    positive(LENGTH),
    Optional,
    "With play, radius of the journal, which the first place has; the second has the bearing, of radius journal_radius + clearance.",
);
const LAW_OF_CONTACT: Key = key(
    "law",
    Takes::LawName(Laws::Contact),
    Default("flores"),
    "A law of contact, or `own`; the parameters and choices on its card (`carom laws ID`) are keys of this table as well.",
);
const RESTITUTION: Key = key(
    "restitution",
    Takes::Restitution,
    Optional,
    "The restitution asked for; laws that take none need none.",
);
const FLOOR: Key = key(
    "approach_speed_floor",
    positive(SPEED),
    Default("1e-3 m/s"),
    "A slower touch counts as this fast; its use is a warning in the results. It is how fast things come to rest: 1 kg set down on K = 1.4e8 N/m^1.5 with flores, e = 0.5, has 99 % of its rest indentation after 62 ms (1.4 ms with 1e-2 m/s, 0.63 s with 1e-4 m/s).",
);
const IMPULSE_RATIO: Key = key(
    "impulse_ratio",
    Takes::Quantity(Dimension::NONE, Range::NOT_NEGATIVE),
    Optional,
    "The impulse along the surfaces as a part of that across them (Brach 1989), where method.contact is piecewise; it takes the place of friction while bodies strike each other, and is not more than what ends the slip.",
);
const OWN_FORCE: Key = key(
    "force",
    Takes::OwnForce,
    Optional,
    "With law = \"own\": the force in N of delta [m], rate [m/s, above 0 approaching], v0 [m/s], mass [kg], time [s since touch], e and parameters, such as \"K*delta^1.5*(1 + 0.4*rate/v0)\". It is checked for what every law keeps. The bodies part at separation = \"zero-indentation\", unless \"zero-force\" is chosen.",
);
const BOTH_MATERIALS: Key = key(
    "material",
    Takes::Material,
    Optional,
    "With play, the material of both sides; the stiffness follows from it unless it is given.",
);
const MATERIALS: Key = key(
    "materials",
    Takes::Materials,
    Optional,
    "With play, the materials of the first and the second side.",
);
const ONE_WAY_OF_MATERIALS: OneOf = OneOf {
    keys: &["material", "materials"],
    required: false,
};
const PERIODIC: Key = key(
    "periodic",
    Takes::Flag,
    Default("false"),
    "Whether the table goes round for ever; its last value is its first.",
);

const LAW: Key = key("law", Takes::Text, Default("flores"), "A law of contact.");
const CALIBRATION: Key = key(
    "calibration",
    Takes::Word(&["published", "exact"]),
    Default("published"),
    "How the damping follows from the restitution.",
);

const STOPS_TURN: Sheet = Sheet::plain(&[
    key(
        "lower",
        quantity(ANGLE),
        Default("none"),
        "The least angle of the second body from the first.",
    ),
    key(
        "upper",
        quantity(ANGLE),
        Default("none"),
        "The largest angle.",
    ),
    LAW,
    CALIBRATION,
    key(
        "approach_speed_floor",
        positive(ANGULAR_SPEED),
        Default("1e-5 rad/s"),
        "A slower touch counts as this fast.",
    ),
]);

const STOPS_ALONG: Sheet = Sheet::plain(&[
    key(
        "lower",
        quantity(LENGTH),
        Default("none"),
        "The least distance of the second place along the guide from the first.",
    ),
    key(
        "upper",
        quantity(LENGTH),
        Default("none"),
        "The largest distance.",
    ),
    LAW,
    CALIBRATION,
    key(
        "approach_speed_floor",
        positive(SPEED),
        Default("1e-5 m/s"),
        "A slower touch counts as this fast.",
    ),
]);

const FRICTION_LAW: Key = key(
    "law",
    Takes::Text,
    Required,
    "A law of friction (`carom laws --kind friction`); `carom check` says whether it can hold a load at rest, or how fast it creeps.",
);

const RUBBING_TURN: Sheet = Sheet::plain(&[
    FRICTION_LAW,
    key(
        "radius",
        positive(LENGTH),
        Default("the journal_radius"),
        "Radius of the pin; required in a joint that has no journal_radius.",
    ),
]);

const RUBBING_ALONG: Sheet = Sheet::plain(&[
    FRICTION_LAW,
    key(
        "length",
        positive(LENGTH),
        Default("the joint's length, or the moment does not press"),
        "Length of the slider on its guide.",
    ),
]);

/// Friction where outlines touch.
const RUBBING: Sheet = Sheet::plain(&[FRICTION_LAW]);

/// Resistance to rolling where outlines touch.
const ROLLING_SHEET: Sheet = Sheet::plain(&[
    key(
        "law",
        Takes::Text,
        Default("rolling-resistance"),
        "A law of rolling.",
    ),
    key(
        "radius",
        positive(LENGTH),
        Default("R1 R2/(R1 + R2) of the radii at the touch"),
        "The rolling radius.",
    ),
]);

const ROLLING: Key = key(
    "rolling",
    Takes::Law(&ROLLING_SHEET, Laws::Rolling),
    Optional,
    "Resistance to rolling where they touch: a moment against the relative turning of the two.",
);

const ROLLING_IN_PLAY: Key = key(
    "rolling",
    Takes::Law(&ROLLING_SHEET, Laws::Rolling),
    Optional,
    "With play, resistance to rolling where the two touch.",
);

pub(crate) const CONTACT: Sheet = Sheet::plain(&[
    key(
        "between",
        Takes::Outlines,
        Required,
        "The two that can touch: \"body.shape\" or \"ground.shape\"; \"body\" or \"ground\" stands for all its shapes, every one with every one of the other.",
    ),
    LAW_OF_CONTACT,
    RESTITUTION,
    CALIBRATION,
    OWN_FORCE,
    key(
        "friction",
        Takes::Law(&RUBBING, Laws::Friction),
        Optional,
        "Friction where they touch.",
    ),
    ROLLING,
    FLOOR,
    IMPULSE_RATIO,
    key(
        "length",
        positive(LENGTH),
        Default("the length of the shapes, the shorter of the two"),
        "Length of the line of contact, for laws of cylinders.",
    ),
]);

pub(crate) const GROUP: Sheet = Sheet {
    keys: &[
        key(
            "bodies",
            Takes::Bodies,
            Optional,
            "Bodies of this file: every shape of each may touch every shape of every other.",
        ),
        key(
            "count",
            Takes::Whole(1),
            Optional,
            "How many round grains are made. They are called `NAME.1`, `NAME.2` …, from the bottom up.",
        ),
        key(
            "radius",
            Takes::Spread(LENGTH),
            Optional,
            "Of grains that are made: their radius.",
        ),
        key(
            "profile",
            Takes::Word(&["disc", "sphere"]),
            Default("disc"),
            "Of grains that are made: a disc (inertia m r^2/2) or a sphere (2 m r^2/5).",
        ),
        key(
            "mass",
            positive(Dimension::MASS),
            Optional,
            "Of grains that are made: the mass of each.",
        ),
        key(
            "density",
            positive(Dimension::DENSITY),
            Optional,
            "In place of mass: the density; of discs with thickness.",
        ),
        key(
            "thickness",
            positive(LENGTH),
            Optional,
            "Thickness of the discs, with density.",
        ),
        key(
            "material",
            Takes::Material,
            Optional,
            "What the grains that are made consist of; the stiffness follows from it unless it is given.",
        ),
        key(
            "region",
            Takes::Region,
            Optional,
            "Where grains are put: a rectangle in which all lie wholly, none overlapping, as far apart as they fit, in a lattice shaken by `seed`.",
        ),
        key(
            "seed",
            Takes::Whole(0),
            Default("1"),
            "Of the places and radii that are drawn: the same seed gives the same grains.",
        ),
        key(
            "velocity",
            Takes::Quantities(&[SPEED, SPEED], Range::ANY),
            Default("[0, 0] m/s"),
            "Of grains that are made: their velocity at the start.",
        ),
        key(
            "angular_velocity",
            quantity(ANGULAR_SPEED),
            Default("0 rad/s"),
            "Of grains that are made: their angular velocity at the start.",
        ),
        key(
            "touches",
            Takes::OutlineList,
            Default("every shape of the ground"),
            "What else they may touch: \"ground.floor\", \"drum.rim\"; \"drum\" stands for all its shapes.",
        ),
        LAW_OF_CONTACT,
        RESTITUTION,
        CALIBRATION,
        OWN_FORCE,
        key(
            "friction",
            Takes::Law(&RUBBING, Laws::Friction),
            Optional,
            "Friction wherever they touch.",
        ),
        ROLLING,
        FLOOR,
        IMPULSE_RATIO,
        key(
            "length",
            positive(LENGTH),
            Default("the length of the shapes, the shorter of the two"),
            "Length of the line of contact, for laws of cylinders.",
        ),
    ],
    kinds: &[],
    one_of: &[OneOf {
        keys: &["bodies", "count"],
        required: true,
    }],
};

pub(crate) const JOINT: Sheet = Sheet {
    keys: &[key(
        "between",
        Takes::Places,
        Required,
        "The two places: \"ground\", \"ground.point\", \"body\" (its mass centre) or \"body.point\".",
    )],
    kinds: &[
        Kind {
            name: "revolute",
            doc: "Two points coincide; both bodies may turn.",
            keys: &[
                key(
                    "limits",
                    Takes::Law(&STOPS_TURN, Laws::Turn),
                    Optional,
                    "Stops at the ends of its travel.",
                ),
                key(
                    "friction",
                    Takes::Law(&RUBBING_TURN, Laws::Friction),
                    Optional,
                    "Friction of the pin; with play, friction where journal and bearing touch.",
                ),
                CLEARANCE,
                JOURNAL,
                key(
                    "length",
                    positive(LENGTH),
                    Optional,
                    "With play, length of the bearing, for laws of cylinders.",
                ),
                BOTH_MATERIALS,
                MATERIALS,
                LAW_OF_CONTACT,
                RESTITUTION,
                CALIBRATION,
                OWN_FORCE,
                ROLLING_IN_PLAY,
                FLOOR,
                IMPULSE_RATIO,
            ],
            one_of: &[ONE_WAY_OF_MATERIALS],
        },
        Kind {
            name: "translational",
            doc: "The second body slides along a line of the first and keeps the angle that it has at the start.",
            keys: &[
                DIRECTION,
                key(
                    "limits",
                    Takes::Law(&STOPS_ALONG, Laws::Along),
                    Optional,
                    "Stops at the ends of its travel.",
                ),
                key(
                    "friction",
                    Takes::Law(&RUBBING_ALONG, Laws::Friction),
                    Optional,
                    "Friction on the guide; with play, friction where slider and guide touch.",
                ),
                CLEARANCE,
                key(
                    "length",
                    positive(LENGTH),
                    Optional,
                    "With play, length of the slider, a rectangle about the second place.",
                ),
                key(
                    "height",
                    positive(LENGTH),
                    Optional,
                    "With play, height of the slider; the walls of the guide are height/2 + clearance off its line.",
                ),
                key(
                    "corner_radius",
                    not_negative(LENGTH),
                    Default("0 m"),
                    "With play, radius of the corners of the slider; 0 is sharp, and the stiffness must then be given.",
                ),
                BOTH_MATERIALS,
                MATERIALS,
                LAW_OF_CONTACT,
                RESTITUTION,
                CALIBRATION,
                OWN_FORCE,
                ROLLING_IN_PLAY,
                FLOOR,
                IMPULSE_RATIO,
            ],
            one_of: &[ONE_WAY_OF_MATERIALS],
        },
        Kind {
            name: "rigid",
            doc: "Both bodies keep the relative position and angle that they have at the start.",
            keys: &[],
            one_of: &[],
        },
        Kind {
            name: "pin-slot",
            doc: "The second place, a pin, stays on a line of the first, a slot.",
            keys: &[
                DIRECTION,
                CLEARANCE,
                key(
                    "pin_radius",
                    positive(LENGTH),
                    Optional,
                    "With play, radius of the pin; the walls of the slot are pin_radius + clearance off its line.",
                ),
                key(
                    "length",
                    positive(LENGTH),
                    Optional,
                    "With play, length of the pin across the plane, for laws of cylinders.",
                ),
                BOTH_MATERIALS,
                MATERIALS,
                LAW_OF_CONTACT,
                RESTITUTION,
                CALIBRATION,
                OWN_FORCE,
                key(
                    "friction",
                    Takes::Law(&RUBBING, Laws::Friction),
                    Optional,
                    "With play, friction where pin and slot touch.",
                ),
                ROLLING_IN_PLAY,
                FLOOR,
                IMPULSE_RATIO,
            ],
            one_of: &[ONE_WAY_OF_MATERIALS],
        },
        Kind {
            name: "link",
            doc: "Two points keep their distance.",
            keys: &[key(
                "length",
                positive(LENGTH),
                Default("the distance at the start"),
                "The distance.",
            )],
            one_of: &[],
        },
        Kind {
            name: "gear",
            doc: "Two wheels roll on each other.",
            keys: &[
                key(
                    "radii",
                    Takes::Quantities(&[LENGTH, LENGTH], Range::ANY),
                    Required,
                    "Pitch radii; negative for a ring, within which the other runs.",
                ),
                key(
                    "offset",
                    quantity(LENGTH),
                    Default("meshes as assembled"),
                    "How far the pitch circles are shifted.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "rack",
            doc: "A wheel about the second place rolls along a line of the first.",
            keys: &[
                key(
                    "radius",
                    quantity(LENGTH),
                    Required,
                    "Pitch radius; negative if the wheel runs on the right of the line.",
                ),
                DIRECTION,
                key(
                    "offset",
                    quantity(LENGTH),
                    Default("meshes as assembled"),
                    "Offset along the rack.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "point-on-curve",
            doc: "The second place stays on a curve that the first carries.",
            keys: &[
                DIRECTION,
                key(
                    "curve",
                    Takes::Function(Of::X, LENGTH),
                    Optional,
                    "y over x.",
                ),
                key(
                    "polar",
                    Takes::Function(Of::Theta, LENGTH),
                    Optional,
                    "Radius over the polar angle; it closes on itself.",
                ),
                key(
                    "table",
                    Takes::File,
                    Optional,
                    "A table with the columns x, y.",
                ),
                key(
                    "polar_table",
                    Takes::File,
                    Optional,
                    "A table with the columns theta, r over one whole turn.",
                ),
                PERIODIC,
            ],
            one_of: &[OneOf {
                keys: &["curve", "polar", "table", "polar_table"],
                required: true,
            }],
        },
    ],
    one_of: &[],
};

const DRIVER: Sheet = Sheet {
    keys: &[
        key(
            "joint",
            Takes::Joint,
            Optional,
            "A revolute joint (its angle) or a translational one (the distance along it).",
        ),
        key(
            "coordinate",
            Takes::Coordinate,
            Optional,
            "A coordinate, such as `crank.angle`, `slider.x` or `rod.B.y`.",
        ),
        key(
            "point",
            Takes::Place,
            Optional,
            "A point, both its x and its y.",
        ),
        key(
            "distance",
            Takes::Places,
            Optional,
            "The distance of two places.",
        ),
        key(
            "speed",
            Takes::DriveConstant,
            Optional,
            "A constant speed; for a point, a list of two.",
        ),
        key(
            "start",
            Takes::DriveConstant,
            Default("the value at the start"),
            "Where it begins, with speed.",
        ),
        key(
            "position",
            Takes::Drive,
            Optional,
            "A function of t; for a point, a list of two.",
        ),
        key(
            "table",
            Takes::File,
            Optional,
            "A table with the columns t, value; for a point t, x, y.",
        ),
        PERIODIC,
    ],
    kinds: &[],
    one_of: &[
        OneOf {
            keys: &["joint", "coordinate", "point", "distance"],
            required: true,
        },
        OneOf {
            keys: &["speed", "position", "table"],
            required: true,
        },
    ],
};

const BETWEEN: Key = key(
    "between",
    Takes::Places,
    Required,
    "The two places it acts between.",
);

const FORCES: Sheet = Sheet {
    keys: &[],
    kinds: &[
        Kind {
            name: "point",
            doc: "A force at a point.",
            keys: &[
                key("at", Takes::Place, Required, "Where it acts."),
                key(
                    "force",
                    Takes::Functions(Of::Motion, FORCE),
                    Required,
                    "Its two components.",
                ),
                key(
                    "axes",
                    Takes::Word(&["ground", "body"]),
                    Default("ground"),
                    "Whether it keeps its direction or turns with the body.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "moment",
            doc: "A moment on a body.",
            keys: &[
                key("on", Takes::Body, Required, "The body."),
                key(
                    "moment",
                    Takes::Function(Of::Motion, MOMENT),
                    Required,
                    "The moment, counter-clockwise.",
                ),
                key(
                    "reaction_on",
                    Takes::Body,
                    Default("ground"),
                    "The body that feels its opposite.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "spring",
            doc: "Spring, damper and actuator along the line between two points.",
            keys: &[
                BETWEEN,
                key("stiffness", quantity(STIFFNESS), Optional, "Stiffness."),
                key(
                    "length",
                    not_negative(LENGTH),
                    Default("the distance at the start"),
                    "Free length.",
                ),
                key(
                    "damping",
                    not_negative(DAMPING),
                    Default("0 N s/m"),
                    "Damping.",
                ),
                key(
                    "force",
                    Takes::Function(Of::Length, FORCE),
                    Optional,
                    "Tension over length, in place of stiffness and length.",
                ),
                key(
                    "table",
                    Takes::File,
                    Optional,
                    "A table with the columns length, force, in place of stiffness and length.",
                ),
                key(
                    "actuator",
                    Takes::Function(Of::Motion, FORCE),
                    Optional,
                    "A force that pulls the two together.",
                ),
            ],
            one_of: &[OneOf {
                keys: &["stiffness", "force", "table"],
                required: false,
            }],
        },
        Kind {
            name: "rotational-spring",
            doc: "Spring, damper and actuator between two bodies that turn.",
            keys: &[
                BETWEEN,
                key(
                    "stiffness",
                    quantity(TURN_STIFFNESS),
                    Optional,
                    "Stiffness.",
                ),
                key(
                    "angle",
                    quantity(ANGLE),
                    Default("0 rad"),
                    "Free angle of the second body from the first.",
                ),
                key(
                    "damping",
                    not_negative(TURN_DAMPING),
                    Default("0 N m s/rad"),
                    "Damping.",
                ),
                key(
                    "moment",
                    Takes::Function(Of::Angle, MOMENT),
                    Optional,
                    "Moment over angle, in place of stiffness and angle.",
                ),
                key(
                    "table",
                    Takes::File,
                    Optional,
                    "A table with the columns angle, moment, in place of stiffness and angle.",
                ),
                key(
                    "actuator",
                    Takes::Function(Of::Motion, MOMENT),
                    Optional,
                    "A moment that lessens the angle.",
                ),
            ],
            one_of: &[OneOf {
                keys: &["stiffness", "moment", "table"],
                required: false,
            }],
        },
        Kind {
            name: "ligament",
            doc: "A band that only pulls: stiffness times the elongation squared.",
            keys: &[
                BETWEEN,
                key(
                    "stiffness",
                    positive(LIGAMENT),
                    Required,
                    "Stiffness, N/m^2.",
                ),
                key("length", positive(LENGTH), Required, "Free length."),
                key(
                    "toe",
                    positive(LENGTH),
                    Optional,
                    "The elongation above which the force grows linearly.",
                ),
            ],
            one_of: &[],
        },
        Kind {
            name: "bushing",
            doc: "Rubber between two places, at rest where they coincide.",
            keys: &[
                BETWEEN,
                key(
                    "stiffness",
                    Takes::Quantities(&[STIFFNESS, STIFFNESS, TURN_STIFFNESS], Range::NOT_NEGATIVE),
                    Required,
                    "Along x and y of the first body, and in rotation.",
                ),
                key(
                    "damping",
                    Takes::Quantities(&[DAMPING, DAMPING, TURN_DAMPING], Range::NOT_NEGATIVE),
                    Default("[0, 0, 0]"),
                    "Likewise.",
                ),
            ],
            one_of: &[],
        },
    ],
    one_of: &[],
};

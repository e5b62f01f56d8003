//! Driver: which row makes an angle, a coordinate or a distance follow a function of time?
//!
//! Φ = m(q) − f(t), so that Φ_t = −f′ and γ gains f″ (Nikravesh 1988). −λ is the driver's moment or force on the second body.

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::function::Function;
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// What a driver prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// The angle of the second place's direction from the first's, rad; whole turns count.
    Turn,
    /// How far the second point is along the first place's direction, m. From the ground this is x (direction at 0), y (at 90°) or any other coordinate of a point.
    Along,
    /// The distance of the points, m: f must stay above zero.
    Distance,
}

/// A motor.
#[derive(Clone, Debug)]
pub struct Driver {
    pub(crate) places: [Place; 2],
    driven: Driven,
    function: Function,
}

impl Driver {
    /// What is prescribed between two places, and its function of time (s).
    pub fn new(
        first: Place,
        second: Place,
        driven: Driven,
        function: Function,
    ) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies("driver", first, second)?,
            driven,
            function,
        })
    }

    /// What it prescribes.
    pub fn driven(&self) -> Driven {
        self.driven
    }

    /// The function of time.
    pub fn function(&self) -> &Function {
        &self.function
    }

    #[inline]
    pub(crate) fn row(&self, t: f64, a: &Spot, b: &Spot) -> Row {
        let measure = match self.driven {
            Driven::Turn => Measure::turn(a, b),
            Driven::Along => Measure::along(a, b),
            Driven::Distance => Measure::distance(a, b),
        };
        let [f, speed, acceleration] = self.function.at(t);
        Row {
            value: measure.value - f,
            by: measure.by,
            time: -speed,
            rate: measure.rate - speed,
            gamma: acceleration - measure.second,
        }
    }

    pub(crate) fn carries(&self) -> &'static [&'static str] {
        match self.driven {
            Driven::Turn => &["moment"],
            Driven::Along => &["force_x", "force_y", "moment"],
            Driven::Distance => &["force_x", "force_y"],
        }
    }
}

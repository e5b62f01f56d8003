//! What is known of two shapes where they are nearest to each other?

use crate::geometry::frame::{Frame, minus, norm};

/// The nearest points of two shapes, in ground axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// m; negative: overlap. Signed, and smooth through touch.
    pub gap: f64,
    /// Of length 1: outward of the first shape at its point, towards the second. It does not flip at touch (Machado et al. 2012, eq. 10, taken fixed).
    pub normal: [f64; 2],
    /// On the first and on the second surface, m; gap = normal · (second − first).
    pub points: [[f64; 2]; 2],
    /// At those points, 1/m: convex positive, concave negative, flat 0, a sharp corner +∞.
    pub curvatures: [f64; 2],
    /// False where the normal is not unique: centre in centre, or deep inside.
    pub unique: bool,
}

impl Near {
    /// The same seen from the second shape.
    #[inline]
    pub(crate) fn exchanged(self) -> Near {
        Near {
            normal: [-self.normal[0], -self.normal[1]],
            points: [self.points[1], self.points[0]],
            curvatures: [self.curvatures[1], self.curvatures[0]],
            ..self
        }
    }
}

/// Where a slot's nearest points were: a warm start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Track {
    /// Places on the two outlines, in the pair's own count.
    pub s: [f64; 2],
    /// Whether the slot holds a point.
    pub on: bool,
    /// Whether something is pressed there: where two points become one, it keeps its slot.
    pub held: bool,
    /// When all was looked at last; the first slot of a pair keeps it for all.
    pub(crate) looked: Looked,
}

/// How the shapes stood to each other when everything was looked at, and how far from that nothing new can matter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Looked {
    at: [f64; 2],
    /// Cosine and sine; both zero where nobody has looked yet.
    turn: [f64; 2],
    /// m.
    room: f64,
}

impl Looked {
    /// Now, with the one shape seen from the other like this. Nothing unknown can touch before a point of it has moved by `room` (m).
    #[inline]
    pub fn now(seen: &Frame, room: f64) -> Self {
        Self {
            at: seen.at,
            turn: [seen.cos, seen.sin],
            room,
        }
    }

    /// Whether no point within `reach` (m) of the shape's origin has moved by more than the room there was.
    #[inline]
    pub fn holds(&self, seen: &Frame, reach: f64) -> bool {
        let turned = norm(minus([seen.cos, seen.sin], self.turn));
        let way = norm(minus(seen.at, self.at)) + reach * turned;
        self.turn != [0.0; 2] && way <= self.room
    }
}

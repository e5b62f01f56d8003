//! Which two shapes can meet, in how many places, and who knows how far apart they are?

use crate::geometry::circles;
use crate::geometry::fault::Fault;
use crate::geometry::frame::Frame;
use crate::geometry::near::{Near, Track};
use crate::geometry::points::Corners;
use crate::geometry::profiles::Profiles;
use crate::geometry::runs::Runs;
use crate::geometry::shape::{Outline, Shape};

/// Two shapes that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// First: the cheap pairs need nothing else.
    table: Table,
    shapes: [Shape; 2],
}

/// The table of pairs.
#[derive(Clone, Debug, PartialEq)]
enum Table {
    Discs {
        centers: [[f64; 2]; 2],
        radii: [f64; 2],
        curvatures: [f64; 2],
    },
    DiscInBore {
        centers: [[f64; 2]; 2],
        radii: [f64; 2],
        curvatures: [f64; 2],
        disc_first: bool,
    },
    DiscOnPlane {
        center: [f64; 2],
        radius: f64,
        point: [f64; 2],
        normal: [f64; 2],
        disc_first: bool,
    },
    Corners(Corners),
    Runs(Runs),
    Profiles(Profiles),
}

impl Pair {
    /// The two shapes, each on its body. Refuses, in words, what cannot touch or means nothing.
    pub fn new(first: Shape, second: Shape) -> Result<Pair, Fault> {
        let table = table(&first, &second)?;
        Ok(Pair {
            table,
            shapes: [first, second],
        })
    }

    /// How many contact points there can be at once.
    pub fn slots(&self) -> usize {
        match &self.table {
            Table::Discs { .. } | Table::DiscInBore { .. } | Table::DiscOnPlane { .. } => 1,
            Table::Corners(corners) => corners.slots(),
            Table::Runs(runs) => runs.slots(),
            Table::Profiles(profiles) => profiles.slots(),
        }
    }

    /// Looks everywhere, at the start and after accepted steps: finds all places that matter and keeps each tracked one in its slot. `tracks` has one entry a slot.
    ///
    /// What is tracked is followed in every call; the whole outlines are searched only when the shapes have moved by half their gap since the last time, or in touch by a thousandth of
    /// their size. A pressed contact that passes from a corner of one shape to a corner of the other stays in its slot; apart, slots may change hands.
    pub fn seek(&self, frames: [&Frame; 2], tracks: &mut [Track]) {
        let outlines = [&self.shapes[0].outline, &self.shapes[1].outline];
        match &self.table {
            Table::Discs { .. } | Table::DiscInBore { .. } | Table::DiscOnPlane { .. } => {
                if let Some(track) = tracks.first_mut() {
                    track.on = true;
                }
            }
            Table::Corners(corners) => corners.seek(outlines, frames, tracks),
            Table::Runs(runs) => runs.seek(outlines, frames, tracks),
            Table::Profiles(profiles) => profiles.seek(outlines, frames, tracks),
        }
    }

    /// The nearest points of one slot, from where they were; leaves no trace and allocates nothing. `None`: there is no such point now.
    #[inline]
    pub fn near(&self, slot: usize, frames: [&Frame; 2], track: &Track) -> Option<Near> {
        let near = match &self.table {
            Table::Discs {
                centers,
                radii,
                curvatures,
            } => circles::discs(frames, *centers, *radii, *curvatures),
            Table::DiscInBore {
                centers,
                radii,
                curvatures,
                disc_first,
            } => circles::disc_in_bore(frames, *centers, *radii, *curvatures, *disc_first),
            Table::DiscOnPlane {
                center,
                radius,
                point,
                normal,
                disc_first,
            } => circles::disc_on_plane(frames, *center, *radius, *point, *normal, *disc_first),
            _ => return self.near_other(slot, frames, track),
        };
        (slot == 0).then_some(near)
    }

    fn near_other(&self, slot: usize, frames: [&Frame; 2], track: &Track) -> Option<Near> {
        let outlines = [&self.shapes[0].outline, &self.shapes[1].outline];
        match &self.table {
            Table::Corners(corners) => corners.near(outlines, slot, frames, track),
            Table::Runs(runs) => runs.near(outlines, slot, frames, track),
            Table::Profiles(profiles) => profiles.near(outlines, slot, frames, track),
            _ => None,
        }
    }

    /// The gap (m) for the search for a touch: as [`Pair::near`], but also where another slot may come to have the contact.
    pub(crate) fn coming(&self, slot: usize, frames: [&Frame; 2], track: &Track) -> Option<f64> {
        let outlines = [&self.shapes[0].outline, &self.shapes[1].outline];
        match &self.table {
            Table::Corners(corners) => corners
                .coming(outlines, slot, frames, track)
                .map(|near| near.gap),
            _ => None,
        }
    }

    /// A slot touches: where another one would see the same contact, it keeps silent from now on. `tracks` has one entry a slot.
    pub(crate) fn claim(&self, slot: usize, frames: [&Frame; 2], tracks: &mut [Track]) {
        let outlines = [&self.shapes[0].outline, &self.shapes[1].outline];
        if let Table::Corners(corners) = &self.table {
            corners.claim(outlines, slot, frames, tracks);
        }
    }

    /// The curvatures (1/m, convex positive), where they are the same at every contact point: discs, bores, half-planes.
    pub fn curvatures(&self) -> Option<[f64; 2]> {
        match &self.table {
            Table::Discs { curvatures, .. } | Table::DiscInBore { curvatures, .. } => {
                Some(*curvatures)
            }
            Table::DiscOnPlane {
                radius, disc_first, ..
            } => Some(if *disc_first {
                [1.0 / radius, 0.0]
            } else {
                [0.0, 1.0 / radius]
            }),
            _ => None,
        }
    }

    /// How deep an overlap is felt, m: an open profile (polyline, polynomial, arc) is solid to a certain depth only, and what is deeper lies behind it; infinite between other shapes.
    pub fn deepest(&self) -> f64 {
        match &self.table {
            Table::Discs { .. } | Table::DiscInBore { .. } | Table::DiscOnPlane { .. } => {
                f64::INFINITY
            }
            Table::Corners(corners) => corners.deepest(),
            Table::Runs(runs) => runs.deepest(),
            Table::Profiles(profiles) => profiles.deepest(),
        }
    }

    /// Whether places come into being between shapes that move, so that it pays to look for them where a step will end. Corners are always there.
    pub(crate) fn appears(&self) -> bool {
        matches!(&self.table, Table::Profiles(profiles) if profiles.slots() > 1)
    }

    /// The two shapes.
    pub fn shapes(&self) -> [&Shape; 2] {
        [&self.shapes[0], &self.shapes[1]]
    }
}

/// The entry for two shapes.
fn table(first: &Shape, second: &Shape) -> Result<Table, Fault> {
    let refuse = |reason: &'static str, hint: &'static str| {
        Err(Fault::Pair {
            kinds: [first.kind(), second.kind()],
            reason,
            hint,
        })
    };
    use Outline as O;
    match (&first.outline, &second.outline) {
        (
            O::Disc {
                center: c1,
                radius: r1,
            },
            O::Disc {
                center: c2,
                radius: r2,
            },
        ) => Ok(Table::Discs {
            centers: [*c1, *c2],
            radii: [*r1, *r2],
            curvatures: [1.0 / r1, 1.0 / r2],
        }),
        (
            O::Disc {
                center: c1,
                radius: r1,
            },
            O::Bore {
                center: c2,
                radius: r2,
            },
        )
        | (
            O::Bore {
                center: c1,
                radius: r1,
            },
            O::Disc {
                center: c2,
                radius: r2,
            },
        ) => {
            let disc_first = matches!(first.outline, O::Disc { .. });
            let (inside, bore) = if disc_first { (*r1, *r2) } else { (*r2, *r1) };
            if !(inside < bore) {
                return Err(Fault::TooLarge { inside, bore });
            }
            let sign = if disc_first { 1.0 } else { -1.0 };
            Ok(Table::DiscInBore {
                centers: [*c1, *c2],
                radii: [*r1, *r2],
                curvatures: [sign / r1, -sign / r2],
                disc_first,
            })
        }
        (O::Disc { center, radius }, O::Plane { point, normal })
        | (O::Plane { point, normal }, O::Disc { center, radius }) => Ok(Table::DiscOnPlane {
            center: *center,
            radius: *radius,
            point: *point,
            normal: *normal,
            disc_first: matches!(first.outline, O::Disc { .. }),
        }),
        (O::Plane { .. }, O::Plane { .. }) => refuse(
            "neither has an end, so that they overlap or never touch",
            "give one of the bodies a polygon or a segment",
        ),
        (O::Bore { .. }, O::Bore { .. }) => refuse(
            "both are holes, and holes do not touch",
            "the journal in a bearing is a circle",
        ),
        (O::Bore { .. }, O::Plane { .. }) | (O::Plane { .. }, O::Bore { .. }) => refuse(
            "solid outside a hole and solid behind a line overlap everywhere",
            "the outside of a ring is a circle",
        ),
        (O::Chain(a), O::Chain(b))
            if a.radius == 0.0
                && b.radius == 0.0
                && (a.edges.len() == 2 && a.closed || b.edges.len() == 2 && b.closed) =>
        {
            refuse(
                "a line without thickness has no inside that a sharp corner could reach",
                "give the segment a radius, or the other's corners a rounding",
            )
        }
        (O::Chain(chain), O::Disc { .. }) | (O::Disc { .. }, O::Chain(chain)) if !chain.closed => {
            Ok(Table::Runs(Runs::new(&first.outline, &second.outline)))
        }
        (O::Curve(curve), other) | (other, O::Curve(curve)) => {
            let hole = |outline: &O| match outline {
                O::Curve(curve) => curve.hole,
                O::Bore { .. } => true,
                _ => false,
            };
            if hole(&first.outline) && hole(&second.outline) {
                return refuse(
                    "both are holes, and holes do not touch",
                    "`concave` belongs to the one that stands around the other",
                );
            }
            if curve.hole && matches!(other, O::Plane { .. }) {
                return refuse(
                    "solid outside a hole and solid behind a line overlap everywhere",
                    "leave `concave` out for what is solid inside",
                );
            }
            Ok(Table::Profiles(Profiles::new(
                &first.outline,
                &second.outline,
            )))
        }
        _ => Ok(Table::Corners(Corners::new(
            &first.outline,
            &second.outline,
        ))),
    }
}

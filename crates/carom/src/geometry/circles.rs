//! How far are discs, bores and half-planes from each other? In closed form.

use crate::geometry::frame::{Frame, along, dot, minus, plus, unit};
use crate::geometry::near::Near;

/// Two discs.
#[inline]
pub(crate) fn discs(
    frames: [&Frame; 2],
    centers: [[f64; 2]; 2],
    radii: [f64; 2],
    curvatures: [f64; 2],
) -> Near {
    let [c1, c2] = placed(frames, centers);
    let (normal, distance) = unit(offset(frames, centers), [1.0, 0.0]);
    Near {
        gap: distance - (radii[0] + radii[1]),
        normal,
        points: [along(c1, radii[0], normal), along(c2, -radii[1], normal)],
        curvatures,
        unique: distance > 0.0,
    }
}

/// A disc (first) in a bore (second), or the other way round: gap = R − r − |d|. The normal points from the disc to the wall, along the offset of the disc's centre.
#[inline]
pub(crate) fn disc_in_bore(
    frames: [&Frame; 2],
    centers: [[f64; 2]; 2],
    radii: [f64; 2],
    curvatures: [f64; 2],
    disc_first: bool,
) -> Near {
    let [c1, c2] = placed(frames, centers);
    let [x, y] = offset(frames, centers);
    let (toward, distance) = unit(if disc_first { [-x, -y] } else { [x, y] }, [1.0, 0.0]);
    let points = [along(c1, radii[0], toward), along(c2, radii[1], toward)];
    let clearance = if disc_first {
        radii[1] - radii[0]
    } else {
        radii[0] - radii[1]
    };
    Near {
        gap: clearance - distance,
        normal: if disc_first {
            toward
        } else {
            [-toward[0], -toward[1]]
        },
        points,
        curvatures,
        unique: distance > 0.0,
    }
}

/// A disc before a half-plane. `disc` is its place in the pair.
#[inline]
pub(crate) fn disc_on_plane(
    frames: [&Frame; 2],
    center: [f64; 2],
    radius: f64,
    point: [f64; 2],
    outward: [f64; 2],
    disc_first: bool,
) -> Near {
    let (disc, plane) = if disc_first {
        (frames[0], frames[1])
    } else {
        (frames[1], frames[0])
    };
    let n = plane.rotate(outward);
    let c = disc.point(center);
    let offset = plus(
        minus(disc.at, plane.at),
        minus(disc.rotate(center), plane.rotate(point)),
    );
    let height = dot(n, offset);
    let on_disc = along(c, -radius, n);
    let on_plane = along(c, -height, n);
    if disc_first {
        Near {
            gap: height - radius,
            normal: [-n[0], -n[1]],
            points: [on_disc, on_plane],
            curvatures: [1.0 / radius, 0.0],
            unique: true,
        }
    } else {
        Near {
            gap: height - radius,
            normal: n,
            points: [on_plane, on_disc],
            curvatures: [0.0, 1.0 / radius],
            unique: true,
        }
    }
}

#[inline]
fn placed(frames: [&Frame; 2], centers: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    [frames[0].point(centers[0]), frames[1].point(centers[1])]
}

/// From the first centre to the second. The bodies' distance is taken first: far from the origin it keeps its digits.
#[inline]
fn offset(frames: [&Frame; 2], centers: [[f64; 2]; 2]) -> [f64; 2] {
    plus(
        minus(frames[1].at, frames[0].at),
        minus(frames[1].rotate(centers[1]), frames[0].rotate(centers[0])),
    )
}

//! How does a dashed line come out dashed in a PNG?

use kuva::render::render::{Primitive, Scene};

/// Cuts dashed lines into their dashes. The PNG encoder begins its pattern anew at every point of a line, so that a finely sampled line would come out solid.
pub(in crate::report) fn with_cut_dashes(mut scene: Scene) -> Scene {
    let mut elements = Vec::with_capacity(scene.elements.len());
    for element in std::mem::take(&mut scene.elements) {
        let (points, stroke, stroke_width, pattern) = match element {
            Primitive::Line {
                x1,
                y1,
                x2,
                y2,
                stroke,
                stroke_width,
                stroke_dasharray: Some(dash),
            } => (vec![(x1, y1), (x2, y2)], stroke, stroke_width, dash),
            Primitive::PolyLine {
                points,
                stroke,
                stroke_width,
                stroke_dasharray: Some(dash),
            } => (points, stroke, stroke_width, dash),
            other => {
                elements.push(other);
                continue;
            }
        };
        for points in dashes(&points, &pattern) {
            elements.push(Primitive::PolyLine {
                points,
                stroke: stroke.clone(),
                stroke_width,
                stroke_dasharray: None,
            });
        }
    }
    scene.elements = elements;
    scene
}

/// The dashes of a line: `pattern` lists the lengths of dash and gap in turn, as in SVG. A pattern that is none leaves the line whole.
fn dashes(points: &[(f64, f64)], pattern: &str) -> Vec<Vec<(f64, f64)>> {
    let lengths: Vec<f64> = pattern
        .split_whitespace()
        .filter_map(|length| length.parse().ok())
        .filter(|length| *length > 0.0)
        .collect();
    if lengths.len() < 2 || lengths.len() % 2 == 1 {
        return vec![points.to_vec()];
    }
    let mut cut = Vec::new();
    let mut dash: Vec<(f64, f64)> = points.first().copied().into_iter().collect();
    let mut turn = 0;
    let mut left = lengths[0];
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let way = distance(from, to);
            let drawing = turn % 2 == 0;
            if way < left || !way.is_finite() {
                left -= way;
                if drawing {
                    dash.push(to);
                }
                break;
            }
            let part = left / way;
            from = (
                from.0 + part * (to.0 - from.0),
                from.1 + part * (to.1 - from.1),
            );
            if drawing {
                dash.push(from);
                cut.push(std::mem::take(&mut dash));
            } else {
                dash = vec![from];
            }
            turn = (turn + 1) % lengths.len();
            left = lengths[turn];
        }
    }
    if dash.len() > 1 {
        cut.push(dash);
    }
    cut
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    crate::math::sqrt(dx * dx + dy * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_do_not_depend_on_how_finely_the_line_is_sampled() {
        // A straight line of length 100 under dash 7, gap 4: nine whole dashes and one of length 1.
        let total = |n: usize| {
            let points: Vec<_> = (0..=n)
                .map(|i| (100.0 * i as f64 / n as f64, 3.0))
                .collect();
            let cut = dashes(&points, "7 4");
            let length: f64 = cut
                .iter()
                .flat_map(|dash| dash.windows(2))
                .map(|pair| distance(pair[0], pair[1]))
                .sum();
            (cut.len(), length)
        };
        for n in [1, 10, 1000, 12345] {
            let (count, length) = total(n);
            assert_eq!(count, 10, "{n}");
            assert!((length - 64.0).abs() < 1e-9, "{n}: {length}");
        }
    }

    #[test]
    fn a_pattern_that_is_none_leaves_the_line_whole() {
        let points = [(0.0, 0.0), (1.0, 1.0)];
        for pattern in ["", "3", "x y", "-1 -2", "0 0"] {
            assert_eq!(dashes(&points, pattern), vec![points.to_vec()], "{pattern}");
        }
        assert!(dashes(&[], "2 2").is_empty());
        assert!(dashes(&[(0.0, 0.0), (f64::NAN, 0.0)], "2 2").len() < 2);
    }
}

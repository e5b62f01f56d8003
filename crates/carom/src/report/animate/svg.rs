//! How does a film become an SVG that moves by itself?
//!
//! By CSS animations: it plays, over and over, wherever an SVG may stand, as an image too, and needs no script. Every body is drawn once and moved along its key points, of which only those are
//! written that a straight way between their neighbours would miss; forces and times are shown and hidden picture by picture. Where nothing moves, the first picture is seen.

use std::fmt::Write;

use crate::report::animate::film::Point;
use crate::report::animate::scene::{Anchor, Form, Ink, Label, Part, Scene};
use crate::report::animate::{AnimateError, Moment};
use crate::report::escaped;

/// A key point is left out where the way without it is nowhere farther off than this, pixels and degrees.
const CLOSE: f64 = 0.06;
/// Grains at most.
const MOST_GRAINS: usize = 800;

/// The text of an SVG whose pictures are `step` seconds apart.
pub(super) fn svg(
    scene: &Scene<'_>,
    moments: &[Moment],
    step: f64,
) -> Result<String, AnimateError> {
    let grains = moments.first().map_or(0, |m| scene.grains(m.t).len());
    if grains > MOST_GRAINS {
        return Err(AnimateError::TooMany { grains });
    }
    let mut paper = Paper {
        length: step * moments.len() as f64,
        count: moments.len(),
        style: String::new(),
        body: String::new(),
        hatches: Vec::new(),
    };
    let first = moments.first().map_or(0.0, |m| m.t);
    let still = scene.is_still();
    let bodies = scene.layers.iter().map(|l| l.body + 1).max().unwrap_or(0);
    for body in 0..bodies {
        if body > 0 || !still {
            let keys = moments.iter().map(|m| {
                let spot = scene.spot(body, m.t);
                [spot.at[0], spot.at[1], spot.turn.to_degrees(), 1.0]
            });
            paper.moves(&format!("b{body}"), &keys.collect::<Vec<_>>());
        }
    }
    for layer in &scene.layers {
        let spot = scene.spot(layer.body, first);
        let class = format!("b{}", layer.body);
        let keys = [spot.at[0], spot.at[1], spot.turn.to_degrees(), 1.0];
        paper.open(&class, keys);
        layer.parts.iter().for_each(|part| paper.part(part));
        paper.body.push_str("</g>");
    }
    let now = scene.grains(first);
    if !now.is_empty() {
        let all: Vec<Vec<Part>> = moments.iter().map(|m| scene.grains(m.t)).collect();
        for (i, grain) in now.iter().enumerate() {
            let keys = all.iter().map(|parts| match parts.get(i).map(|p| &p.form) {
                Some(Form::Disc { center, .. }) => [center[0], center[1], 0.0, 1.0],
                _ => [0.0, 0.0, 0.0, 1.0],
            });
            let keys: Vec<[f64; 4]> = keys.collect();
            paper.moves(&format!("g{i}"), &keys);
            paper.open(&format!("g{i}"), keys.first().copied().unwrap_or_default());
            let mut part = grain.clone();
            if let Form::Disc { center, .. } = &mut part.form {
                *center = [0.0; 2];
            }
            paper.part(&part);
            paper.body.push_str("</g>");
        }
    }
    for (i, (_, zigzag)) in scene.springs(first).enumerate() {
        let keys = moments.iter().filter_map(|m| {
            let ([a, b], _) = scene.springs(m.t).nth(i)?;
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = crate::math::sqrt(dx * dx + dy * dy).max(1e-3);
            Some([a[0], a[1], crate::math::atan2(dy, dx).to_degrees(), length])
        });
        let mut keys: Vec<[f64; 4]> = keys.collect();
        // The short way round, from picture to picture.
        let mut before = keys.first().map_or(0.0, |k| k[2]);
        for key in &mut keys {
            key[2] += 360.0 * ((before - key[2]) / 360.0).round();
            before = key[2];
        }
        let rest = keys.first().map_or(1.0, |k| k[3]);
        keys.iter_mut().for_each(|k| k[3] /= rest);
        paper.moves(&format!("s{i}"), &keys);
        paper.open(&format!("s{i}"), keys.first().copied().unwrap_or_default());
        paper.part(&scene.spring([[0.0; 2], [rest, 0.0]], zigzag));
        paper.body.push_str("</g>");
    }
    for (i, moment) in moments.iter().enumerate() {
        let arrows = scene.arrows(moment.before, moment.t);
        if !arrows.is_empty() {
            paper.shown(i, step);
            for (_, ends) in arrows {
                scene.arrow(ends).iter().for_each(|part| paper.part(part));
            }
            paper.body.push_str("</g>");
        }
    }
    let moving = std::mem::take(&mut paper.body);
    let (parts, labels) = scene.legend();
    parts.iter().for_each(|part| paper.part(part));
    labels.iter().for_each(|label| paper.label(label));
    // Words that stay for several pictures are written once.
    for k in 0..2 {
        let mut from = 0;
        for i in 1..=moments.len() {
            let of = |i: usize| moments.get(i).and_then(|m: &Moment| m.captions.get(k));
            if of(i).map(|l| &l.text) == of(from).map(|l| &l.text) && i < moments.len() {
                continue;
            }
            if let Some(label) = of(from) {
                let always = from == 0 && i == moments.len();
                match always {
                    true => paper.body.push_str("<g>"),
                    false => paper.shown_for(from, i - from, step),
                }
                paper.label(label);
                paper.body.push_str("</g>");
            }
            from = i;
        }
    }
    Ok(paper.finished(scene, &moving))
}

/// What is written so far.
struct Paper {
    /// Length of the movie, s, and how many pictures it has.
    length: f64,
    count: usize,
    style: String,
    body: String,
    hatches: Vec<Ink>,
}

impl Paper {
    /// Key points of a class: x, y, turn in degrees, stretch along x. Nothing if it never moves.
    fn moves(&mut self, class: &str, keys: &[[f64; 4]]) {
        let Some(first) = keys.first() else { return };
        let moved = |k: &[f64; 4]| k.iter().zip(first).any(|(a, b)| (a - b).abs() > 0.02);
        if !keys.iter().any(moved) || keys.iter().flatten().any(|x| !x.is_finite()) {
            return;
        }
        let _ = write!(
            self.style,
            ".{class}{{animation:{class} {:.2}s linear infinite}}@keyframes {class}{{",
            self.length
        );
        let stretched = keys.iter().any(|k| k[3] != 1.0);
        let kept = kept(keys);
        let last = kept.last().copied();
        for i in kept {
            let Some([x, y, turn, stretch]) = keys.get(i) else {
                continue;
            };
            let share = 100.0 * i as f64 / self.count.max(1) as f64;
            let also = if Some(i) == last { ",100%" } else { "" };
            let _ = write!(
                self.style,
                "{}%{also}{{transform:translate({}px,{}px)",
                short(share, 3),
                short(*x, 2),
                short(*y, 2)
            );
            let _ = write!(self.style, " rotate({}deg)", short(*turn, 2));
            if stretched {
                let _ = write!(self.style, " scale({},1)", short(*stretch, 4));
            }
            self.style.push('}');
        }
        self.style.push('}');
    }

    /// Begins a group that moves as a class does.
    fn open(&mut self, class: &str, [x, y, turn, _]: [f64; 4]) {
        let _ = write!(
            self.body,
            r#"<g class="{class}" transform="translate({} {}) rotate({})">"#,
            short(x, 2),
            short(y, 2),
            short(turn, 2)
        );
    }

    /// Begins a group that is seen in one picture.
    fn shown(&mut self, picture: usize, step: f64) {
        self.shown_for(picture, 1, step);
    }

    /// Begins a group that is seen in a few pictures.
    fn shown_for(&mut self, picture: usize, pictures: usize, step: f64) {
        let name = format!("f{pictures}");
        let rule = format!("@keyframes {name}{{");
        if !self.style.contains(&rule) {
            // A hair less, so that rounding never shows two pictures at once.
            let share = 100.0 * pictures as f64 / self.count.max(1) as f64 - 0.002;
            let _ = write!(
                self.style,
                ".{name}{{visibility:hidden;animation:{name} {:.2}s step-end infinite}}{rule}0%{{visibility:visible}}{}%,100%{{visibility:hidden}}}}",
                self.length,
                short(share.clamp(0.0, 100.0), 4)
            );
        }
        let delay = picture as f64 * step - self.length;
        let first = if picture == 0 {
            "visibility:visible;"
        } else {
            ""
        };
        let _ = write!(
            self.body,
            r#"<g class="{name}" style="{first}animation-delay:{}s">"#,
            short(delay, 2)
        );
    }

    fn part(&mut self, part: &Part) {
        let form = match &part.form {
            Form::Disc { center, radius } => format!(
                r#"<circle cx="{}" cy="{}" r="{}""#,
                short(center[0], 1),
                short(center[1], 1),
                short(radius.max(0.0), 2)
            ),
            Form::Area(outlines) => {
                let all: String = outlines.iter().map(|o| way(o) + "Z").collect();
                format!(r#"<path fill-rule="evenodd" d="{all}""#)
            }
            Form::Line(points) => format!(r#"<path d="{}""#, way(points)),
        };
        let fill = part.fill.map_or("none".into(), hex);
        let edge = part.edge.map_or(String::new(), |(ink, width)| {
            format!(
                r#" stroke="{}" stroke-width="{}""#,
                hex(ink),
                short(width, 2)
            )
        });
        if let Some(ink) = part.hatch {
            let known = self.hatches.iter().position(|h| *h == ink);
            let i = known.unwrap_or_else(|| {
                self.hatches.push(ink);
                self.hatches.len() - 1
            });
            // The inside, the hatching over it, and the edge on top.
            let _ = write!(self.body, r#"{form} fill="{fill}"/>"#);
            let _ = write!(self.body, r##"{form} fill="url(#h{i})"{edge}/>"##);
        } else {
            let _ = write!(self.body, r#"{form} fill="{fill}"{edge}/>"#);
        }
    }

    fn label(&mut self, label: &Label) {
        let anchor = match label.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = write!(
            self.body,
            r#"<text x="{}" y="{}" font-size="{}" text-anchor="{anchor}" fill="{}">{}</text>"#,
            short(label.at[0], 1),
            short(label.at[1], 1),
            short(label.size, 1),
            hex(label.ink),
            escaped(&label.text)
        );
    }

    fn finished(self, scene: &Scene<'_>, moving: &str) -> String {
        let [width, height] = scene.size;
        let [[left, top], [right, bottom]] = scene.stage;
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif">"#
        );
        // Lines that keep their width also keep browsers from moving some groups on their own thread, out of step with the others. Somebody who asked for less motion sees the first picture.
        let _ = write!(
            svg,
            "<style>path,circle{{stroke-linecap:round;stroke-linejoin:round;vector-effect:non-scaling-stroke}}{}@media (prefers-reduced-motion:reduce){{*{{animation-play-state:paused!important}}}}</style><defs>",
            self.style
        );
        for (i, ink) in self.hatches.iter().enumerate() {
            let _ = write!(
                svg,
                r#"<pattern id="h{i}" patternUnits="userSpaceOnUse" width="5" height="5" patternTransform="rotate(45)"><path d="M0 0V5" stroke="{}" stroke-width="2"/></pattern>"#,
                hex(*ink)
            );
        }
        let _ = write!(
            svg,
            r##"<clipPath id="stage"><rect x="{left}" y="{top}" width="{}" height="{}"/></clipPath></defs><rect width="100%" height="100%" fill="#fff"/><g clip-path="url(#stage)">{moving}</g>{}</svg>"##,
            right - left,
            bottom - top,
            self.body
        );
        svg.push('\n');
        svg
    }
}

/// Which key points are needed: the ends, and those that a straight way between kept ones would miss.
fn kept(keys: &[[f64; 4]]) -> Vec<usize> {
    let mut kept = vec![0];
    let mut from = 0;
    for to in 2..keys.len() {
        let missed = (from + 1..to).any(|i| {
            let share = (i - from) as f64 / (to - from) as f64;
            let ends = keys.get(from).zip(keys.get(to)).zip(keys.get(i));
            ends.is_some_and(|((a, b), key)| {
                let off = |k: usize| (a[k] + share * (b[k] - a[k]) - key[k]).abs();
                (0..3).any(|k| off(k) > CLOSE) || off(3) > 1e-3
            })
        });
        if missed {
            from = to - 1;
            kept.push(from);
        }
    }
    if keys.len() > 1 {
        kept.push(keys.len() - 1);
    }
    kept
}

/// A way through points.
fn way(points: &[Point]) -> String {
    let mut text = String::new();
    for (i, [x, y]) in points.iter().enumerate() {
        let step = match i {
            0 => "M",
            1 => "L",
            _ => " ",
        };
        let _ = write!(text, "{step}{} {}", short(*x, 1), short(*y, 1));
    }
    text
}

fn hex([r, g, b]: Ink) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A number with so many decimals at most; what is nowhere stands at 0.
fn short(x: f64, decimals: usize) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text.as_str(),
    };
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_without_the_points_left_out_is_nowhere_far_off() {
        let keys: Vec<[f64; 4]> = (0..200)
            .map(|i| {
                let t = f64::from(i) * 0.03;
                [100.0 * t.cos(), 100.0 * t.sin(), t.to_degrees(), 1.0]
            })
            .collect();
        let kept = kept(&keys);
        assert!(kept.len() < 120, "{}", kept.len());
        for pair in kept.windows(2) {
            for i in pair[0]..pair[1] {
                let share = (i - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                for k in 0..3 {
                    let (a, b) = (keys[pair[0]][k], keys[pair[1]][k]);
                    assert!((a + share * (b - a) - keys[i][k]).abs() <= CLOSE);
                }
            }
        }
        assert_eq!((kept[0], kept[kept.len() - 1]), (0, 199));
    }

    #[test]
    fn numbers_are_short() {
        for (x, text) in [
            (1.0, "1"),
            (-0.001, "0"),
            (2.346, "2.35"),
            (f64::NAN, "0"),
            (100.0, "100"),
        ] {
            assert_eq!(short(x, 2), text);
        }
    }
}

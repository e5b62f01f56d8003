//! How do areas, lines, discs and letters become pixels?
//!
//! A small rasteriser: areas by sub-lines with exact ends, lines and discs by the distance from their middle, letters through the drawing crate, whose font they have. Every edge is smooth.

use std::collections::HashMap;
use std::io::Cursor;

use kuva::backend::raster::RasterBackend;
use kuva::render::render::{Primitive, Scene as Sheet, TextAnchor};

use crate::math;
use crate::report::animate::film::Point;
use crate::report::animate::scene::{Anchor, Form, Ink, Label, Part, Spot, circle};

/// Sub-lines of a row of pixels.
const SUB: usize = 5;
/// From one hatching line to the next, and how wide one is, pixels along a row.
const HATCH: (f64, f64) = (7.0, 1.4);

/// Pixels, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Colours.
    pub pixels: Vec<Ink>,
}

impl Canvas {
    /// A canvas of one colour.
    pub fn new(width: usize, height: usize, ink: Ink) -> Self {
        Self {
            width,
            height,
            pixels: vec![ink; width * height],
        }
    }

    /// Draws a part where its layer is, inside rows `rows` only.
    pub fn part(&mut self, part: &Part, spot: Option<&Spot>, rows: [f64; 2]) {
        let at = |p: &Point| spot.map_or(*p, |spot| spot.of(*p));
        let rows = [
            rows[0].clamp(0.0, self.height as f64) as usize,
            rows[1].clamp(0.0, self.height as f64) as usize,
        ];
        match &part.form {
            Form::Area(outlines) => {
                let moved = |o: &Vec<Point>| o.iter().map(at).collect::<Vec<Point>>();
                let mut outlines: Vec<Vec<Point>> = outlines.iter().map(moved).collect();
                let Some(mask) = self.area(&outlines, rows) else {
                    return;
                };
                if let Some(fill) = part.fill {
                    self.lay(&mask, fill, false);
                }
                if let Some(hatch) = part.hatch {
                    self.lay(&mask, hatch, true);
                }
                if let Some((ink, width)) = part.edge {
                    for outline in &mut outlines {
                        outline.extend(outline.first().copied());
                        self.line(outline, ink, width, rows);
                    }
                }
            }
            Form::Line(points) => {
                if let Some((ink, width)) = part.edge {
                    let points: Vec<Point> = points.iter().map(at).collect();
                    self.line(&points, ink, width, rows);
                }
            }
            Form::Disc { center, radius } => {
                let center = at(center);
                if part.hatch.is_some() {
                    let form = Form::Area(vec![circle(center, *radius)]);
                    let part = Part {
                        form,
                        ..part.clone()
                    };
                    let rows = rows.map(|r| r as f64);
                    self.part(&part, None, rows);
                    return;
                }
                let edge = part.edge.map_or(0.0, |e| e.1);
                if let (Some((ink, width)), None) = (part.edge, part.fill) {
                    let mut rim = circle(center, *radius);
                    rim.extend(rim.first().copied());
                    self.line(&rim, ink, width, rows);
                    return;
                }
                if let Some((ink, _)) = part.edge {
                    self.disc(center, radius + 0.5 * edge, ink, rows);
                }
                if let Some(fill) = part.fill {
                    self.disc(center, radius - 0.5 * edge, fill, rows);
                }
            }
        }
    }

    /// How much of every pixel lies inside of an odd number of outlines; `None` if there is nothing on the canvas.
    fn area(&self, outlines: &[Vec<Point>], rows: [usize; 2]) -> Option<Mask> {
        let mut mask = self.mask(outlines.iter().flatten(), 0.0, rows)?;
        let width = mask.right - mask.left;
        let mut crossings: Vec<f64> = Vec::new();
        for row in mask.top..mask.bottom {
            for sub in 0..SUB {
                let y = row as f64 + (sub as f64 + 0.5) / SUB as f64;
                crossings.clear();
                for outline in outlines {
                    let next = outline.iter().cycle().skip(1);
                    for (a, b) in outline.iter().zip(next) {
                        if (a[1] <= y) != (b[1] <= y) {
                            crossings.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
                        }
                    }
                }
                crossings.sort_by(f64::total_cmp);
                let start = (row - mask.top) * width;
                let line = mask.cover.get_mut(start..start + width)?;
                for pair in crossings.chunks_exact(2) {
                    let from = (pair[0] - mask.left as f64).clamp(0.0, width as f64);
                    let to = (pair[1] - mask.left as f64).clamp(0.0, width as f64);
                    let last = (to.ceil() as usize).min(width);
                    for i in from as usize..last {
                        let share = to.min(i as f64 + 1.0) - from.max(i as f64);
                        if let Some(cover) = line.get_mut(i) {
                            *cover += (share / SUB as f64) as f32;
                        }
                    }
                }
            }
        }
        Some(mask)
    }

    /// Draws a line through points, with round ends and corners.
    fn line(&mut self, points: &[Point], ink: Ink, width: f64, rows: [usize; 2]) {
        let half = 0.5 * width;
        let Some(mut mask) = self.mask(points.iter(), half + 1.0, rows) else {
            return;
        };
        for pair in points.windows(2) {
            let [a, b] = pair else { continue };
            let Some(near) = self.mask([*a, *b].iter(), half + 1.0, rows) else {
                continue;
            };
            let d = [b[0] - a[0], b[1] - a[1]];
            let square = d[0] * d[0] + d[1] * d[1];
            for y in near.top.max(mask.top)..near.bottom.min(mask.bottom) {
                for x in near.left.max(mask.left)..near.right.min(mask.right) {
                    let p = [x as f64 + 0.5 - a[0], y as f64 + 0.5 - a[1]];
                    let along = if square > 0.0 {
                        ((p[0] * d[0] + p[1] * d[1]) / square).clamp(0.0, 1.0)
                    } else {
                        0.0
                    };
                    let off = [p[0] - along * d[0], p[1] - along * d[1]];
                    let far = math::sqrt(off[0] * off[0] + off[1] * off[1]);
                    // A line thinner than a pixel is pale.
                    let cover = (half + 0.5 - far).clamp(0.0, 1.0).min(width) as f32;
                    let i = (y - mask.top) * (mask.right - mask.left) + x - mask.left;
                    if let Some(c) = mask.cover.get_mut(i) {
                        *c = c.max(cover);
                    }
                }
            }
        }
        self.lay(&mask, ink, false);
    }

    fn disc(&mut self, center: Point, radius: f64, ink: Ink, rows: [usize; 2]) {
        let radius = radius.max(0.5);
        let Some(mut mask) = self.mask([center].iter(), radius + 1.0, rows) else {
            return;
        };
        let width = mask.right - mask.left;
        for (i, cover) in mask.cover.iter_mut().enumerate() {
            let x = (mask.left + i % width) as f64 + 0.5 - center[0];
            let y = (mask.top + i / width) as f64 + 0.5 - center[1];
            let far = math::sqrt(x * x + y * y);
            *cover = (radius + 0.5 - far).clamp(0.0, 1.0) as f32;
        }
        self.lay(&mask, ink, false);
    }

    /// An empty mask around points; `None` if it is not on the canvas, or a point is nowhere.
    fn mask<'a>(
        &self,
        points: impl Iterator<Item = &'a Point>,
        around: f64,
        rows: [usize; 2],
    ) -> Option<Mask> {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for p in points {
            for k in 0..2 {
                if !p[k].is_finite() {
                    return None;
                }
                low[k] = low[k].min(p[k] - around);
                high[k] = high[k].max(p[k] + around);
            }
        }
        let inside = |x: f64, end: usize| x.clamp(0.0, end as f64);
        let left = inside(low[0].floor(), self.width) as usize;
        let right = inside(high[0].ceil(), self.width) as usize;
        let top = (inside(low[1].floor(), self.height) as usize).max(rows[0]);
        let bottom = (inside(high[1].ceil(), self.height) as usize).min(rows[1]);
        (left < right && top < bottom).then(|| Mask {
            left,
            top,
            right,
            bottom,
            cover: vec![0.0; (right - left) * (bottom - top)],
        })
    }

    /// Lays a colour over what a mask covers; `hatched` only along slanting lines.
    fn lay(&mut self, mask: &Mask, ink: Ink, hatched: bool) {
        let width = mask.right - mask.left;
        for (i, cover) in mask.cover.iter().enumerate() {
            if *cover <= 0.0 {
                continue;
            }
            let (x, y) = (mask.left + i % width, mask.top + i / width);
            let cover = if hatched {
                // How far it is to the middle of the nearest slanting line, along the row.
                let place = (x + y) as f64 % HATCH.0;
                let far = (place - 0.5 * HATCH.0).abs();
                cover * (0.5 * HATCH.1 + 0.5 - far).clamp(0.0, 1.0) as f32
            } else {
                *cover
            };
            if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
                blend(pixel, ink, cover.min(1.0));
            }
        }
    }

    /// Writes a few words.
    pub fn label(&mut self, label: &Label, letters: &mut Letters) {
        let word = letters.word(&label.text, label.size);
        let shift = match label.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * word.used as f64,
            Anchor::End => word.used as f64,
        };
        let left = (label.at[0] - shift).round() as i64;
        let top = (label.at[1] - word.base).round() as i64;
        for (i, cover) in word.cover.iter().enumerate() {
            if *cover == 0 {
                continue;
            }
            let x = left + (i % word.width) as i64;
            let y = top + (i / word.width) as i64;
            let place = usize::try_from(x).ok().zip(usize::try_from(y).ok());
            if let Some((x, y)) = place.filter(|(x, y)| *x < self.width && *y < self.height)
                && let Some(pixel) = self.pixels.get_mut(y * self.width + x)
            {
                blend(pixel, label.ink, f32::from(*cover) / 255.0);
            }
        }
    }
}

/// How much of every pixel in a box is covered.
struct Mask {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    cover: Vec<f32>,
}

fn blend(pixel: &mut Ink, ink: Ink, cover: f32) {
    for (p, i) in pixel.iter_mut().zip(ink) {
        let mixed = f32::from(*p) + cover * (f32::from(i) - f32::from(*p));
        *p = mixed.round() as u8;
    }
}

/// Words that were written before.
#[derive(Debug, Default)]
pub struct Letters {
    known: HashMap<(String, u32), Word>,
}

/// A written word: how dark every pixel is.
#[derive(Debug, Default)]
struct Word {
    width: usize,
    /// Columns up to the last that has ink in it.
    used: usize,
    /// From the top to the line the letters stand on.
    base: f64,
    cover: Vec<u8>,
}

impl Letters {
    fn word(&mut self, text: &str, size: f64) -> &Word {
        let size = size.round().clamp(4.0, 200.0) as u32;
        self.known
            .entry((text.to_string(), size))
            .or_insert_with(|| written(text, size).unwrap_or_default())
    }
}

/// Black on white by the drawing crate, read back; `None` if it cannot.
fn written(text: &str, size: u32) -> Option<Word> {
    let base = (1.2 * f64::from(size)).round();
    let width = f64::from(size) * (text.chars().count() as f64 + 1.0);
    let mut sheet = Sheet::new(width.ceil(), (1.7 * f64::from(size)).ceil());
    sheet.elements.push(Primitive::Text {
        x: 0.0,
        y: base,
        content: crate::report::plot::plain(text),
        size,
        anchor: TextAnchor::Start,
        rotate: None,
        bold: false,
        color: None,
    });
    let bytes = RasterBackend::new().with_scale(1.0).render_scene(&sheet);
    let mut reader = png::Decoder::new(Cursor::new(bytes.ok()?))
        .read_info()
        .ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    let width = usize::try_from(info.width).ok()?;
    let per = info.color_type.samples();
    let cover: Vec<u8> = pixels
        .chunks_exact(per)
        .map(|p| 255 - p.first().copied().unwrap_or(255))
        .collect();
    let inked = cover.iter().enumerate().filter(|(_, c)| **c > 0);
    let used = inked.map(|(i, _)| i % width + 1).max().unwrap_or(0);
    Some(Word {
        width,
        used,
        base,
        cover,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::animate::scene::WHITE;

    const BLACK: Ink = [0; 3];
    const ALL: [f64; 2] = [0.0, 1e9];

    /// How many pixels' worth of ink there is.
    fn ink(canvas: &Canvas) -> f64 {
        let dark = canvas.pixels.iter().map(|p| f64::from(255 - p[0]));
        dark.sum::<f64>() / 255.0
    }

    fn part(form: Form, line: bool) -> Part {
        Part {
            form,
            fill: (!line).then_some(BLACK),
            hatch: None,
            edge: line.then_some((BLACK, 4.0)),
        }
    }

    #[test]
    fn as_much_ink_is_laid_as_the_area_has() {
        let square = |a: f64, b: f64| vec![[a, a], [b, a], [b, b], [a, b]];
        for (form, line, area) in [
            (Form::Area(vec![square(10.25, 50.75)]), false, 40.5 * 40.5),
            // With a hole.
            (
                Form::Area(vec![square(10.0, 50.0), square(20.0, 30.0)]),
                false,
                1500.0,
            ),
            (
                Form::Area(vec![vec![[5.0, 5.0], [65.0, 15.0], [25.0, 55.0]]]),
                false,
                0.5 * (60.0 * 50.0 - 10.0 * 20.0),
            ),
            (
                Form::Disc {
                    center: [32.3, 31.1],
                    radius: 20.0,
                },
                false,
                std::f64::consts::PI * 400.0,
            ),
            // A stroke of width 4 and length 50 with two half discs.
            (
                Form::Line(vec![[10.0, 10.0], [40.0, 50.0]]),
                true,
                200.0 + std::f64::consts::PI * 4.0,
            ),
        ] {
            let mut canvas = Canvas::new(70, 70, WHITE);
            let what = format!("{form:?}");
            canvas.part(&part(form, line), None, ALL);
            let got = ink(&canvas);
            assert!((got - area).abs() < 0.006 * area, "{got} {area} {what}");
        }
    }

    #[test]
    fn what_lies_beside_the_canvas_or_nowhere_is_not_drawn_and_costs_nothing() {
        let mut canvas = Canvas::new(20, 20, WHITE);
        for x in [f64::NAN, f64::INFINITY, 1e300, -1e9] {
            for line in [true, false] {
                let points = vec![[x, 5.0], [x, 1e9], [x, -7.0]];
                canvas.part(&part(Form::Area(vec![points.clone()]), line), None, ALL);
                canvas.part(&part(Form::Line(points), true), None, ALL);
            }
            let form = Form::Disc {
                center: [x, 3.0],
                radius: 2.0,
            };
            canvas.part(&part(form, false), None, ALL);
        }
        assert_eq!(ink(&canvas), 0.0);
        // Outside of the rows allowed neither.
        let form = Form::Line(vec![[0.0, 10.0], [20.0, 10.0]]);
        canvas.part(&part(form, true), None, [15.0, 20.0]);
        assert_eq!(ink(&canvas), 0.0);
    }

    #[test]
    fn letters_are_written_and_end_where_they_should() {
        let mut letters = Letters::default();
        let mut canvas = Canvas::new(200, 40, WHITE);
        let label = Label {
            at: [180.0, 30.0],
            size: 14.0,
            anchor: Anchor::End,
            ink: BLACK,
            text: "t = 12.5 ms".into(),
        };
        canvas.label(&label, &mut letters);
        assert!(ink(&canvas) > 100.0);
        let dark = |x: usize| (0..40).any(|y| canvas.pixels[y * 200 + x][0] < 200);
        let last = (0..200).rev().find(|x| dark(*x)).expect("there is ink");
        assert!((175..=180).contains(&last), "{last}");
        let low = (0..40)
            .rev()
            .find(|y| (0..200).any(|x| canvas.pixels[y * 200 + x][0] < 128));
        assert!((28..=30).contains(&low.expect("there is ink")), "{low:?}");
    }
}

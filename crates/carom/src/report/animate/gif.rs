//! How does a film become a GIF?
//!
//! One palette for all pictures, taken from a few of them; every picture holds only the box in which something changed, and in it only what changed. The same film gives the same bytes.

use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::report::animate::canvas::{Canvas, Letters};
use crate::report::animate::scene::{Ink, Scene, WHITE};
use crate::report::animate::{AnimateError, Moment};

/// Colours besides the one that means "as before".
const COLOURS: usize = 127;
/// "As before" stands behind the colours.
const SAME: u8 = 127;
/// Pictures the palette is taken from.
const SAMPLES: usize = 12;
/// The last picture stays for longer, hundredths of a second.
const REST: u16 = 70;

/// The bytes of a GIF. `done` is told how many pictures are made.
pub(super) fn gif(
    scene: &Scene<'_>,
    moments: &[Moment],
    delay: u16,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<u8>, AnimateError> {
    let failed = |error: &dyn std::fmt::Display| AnimateError::Encode {
        reason: error.to_string(),
    };
    let mut studio = Studio::new(scene);
    let palette = palette(&mut studio, moments);
    let flat: Vec<u8> = palette.iter().flatten().copied().collect();
    let [width, height] =
        [studio.blank.width, studio.blank.height].map(|x| u16::try_from(x).unwrap_or(u16::MAX));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &flat).map_err(|e| failed(&e))?;
    encoder
        .set_repeat(Repeat::Infinite)
        .map_err(|e| failed(&e))?;
    let mut nearest = Nearest::new(&palette);
    let mut before: Vec<u8> = Vec::new();
    for (i, moment) in moments.iter().enumerate() {
        let canvas = studio.picture(moment);
        let now: Vec<u8> = canvas.pixels.iter().map(|p| nearest.of(*p)).collect();
        let delay = if i + 1 == moments.len() { REST } else { delay };
        encoder
            .write_frame(&changed(&before, now.clone(), canvas.width, delay))
            .map_err(|e| failed(&e))?;
        before = now;
        done(i + 1);
    }
    drop(encoder);
    Ok(bytes)
}

/// Makes pictures; what never moves is drawn once.
struct Studio<'a, 'b> {
    scene: &'a Scene<'b>,
    letters: Letters,
    /// A picture with what never changes in it.
    blank: Canvas,
}

impl<'a, 'b> Studio<'a, 'b> {
    fn new(scene: &'a Scene<'b>) -> Self {
        let [width, height] = scene.size.map(|x| x.max(1.0) as usize);
        let mut studio = Self {
            scene,
            letters: Letters::default(),
            blank: Canvas::new(width, height, WHITE),
        };
        let (parts, labels) = scene.legend();
        let all = [0.0, scene.size[1]];
        parts.iter().for_each(|p| studio.blank.part(p, None, all));
        for label in &labels {
            studio.blank.label(label, &mut studio.letters);
        }
        studio
    }

    fn picture(&mut self, moment: &Moment) -> Canvas {
        let mut canvas = self.blank.clone();
        let scene = self.scene;
        let rows = [scene.stage[0][1], scene.stage[1][1]];
        for layer in &scene.layers {
            let spot = scene.spot(layer.body, moment.t);
            for part in &layer.parts {
                canvas.part(part, Some(&spot), rows);
            }
        }
        for part in scene.grains(moment.t) {
            canvas.part(&part, None, rows);
        }
        for (ends, zigzag) in scene.springs(moment.t) {
            canvas.part(&scene.spring(ends, zigzag), None, rows);
        }
        for (_, ends) in scene.arrows(moment.before, moment.t) {
            for part in scene.arrow(ends) {
                canvas.part(&part, None, rows);
            }
        }
        for label in &moment.captions {
            canvas.label(label, &mut self.letters);
        }
        canvas
    }
}

/// The colours that are used most in a few of the pictures.
fn palette(studio: &mut Studio<'_, '_>, moments: &[Moment]) -> Vec<Ink> {
    let mut counts: HashMap<Ink, u64> = HashMap::new();
    let stride = moments.len().div_ceil(SAMPLES).max(1);
    for moment in moments.iter().step_by(stride) {
        for pixel in studio.picture(moment).pixels {
            *counts.entry(pixel).or_default() += 1;
        }
    }
    let mut colours: Vec<(Ink, u64)> = counts.into_iter().collect();
    // By number, and among equals by colour: the order of a map is not the same twice.
    colours.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut palette: Vec<Ink> = Vec::new();
    // Two colours that nobody can tell apart are one.
    let alike = |a: &Ink, b: &Ink| distance(*a, *b) < 60;
    for (colour, _) in &colours {
        if palette.len() < COLOURS && !palette.iter().any(|p| alike(p, colour)) {
            palette.push(*colour);
        }
    }
    palette.resize(COLOURS, WHITE);
    // The one that means "as before".
    palette.push([0; 3]);
    palette
}

fn distance(a: Ink, b: Ink) -> i32 {
    let square = |k: usize| (i32::from(a[k]) - i32::from(b[k])).pow(2);
    square(0) + square(1) + square(2)
}

/// Finds the nearest colour of a palette.
struct Nearest<'a> {
    palette: &'a [Ink],
    known: HashMap<Ink, u8>,
}

impl<'a> Nearest<'a> {
    fn new(palette: &'a [Ink]) -> Self {
        Self {
            palette,
            known: HashMap::new(),
        }
    }

    fn of(&mut self, ink: Ink) -> u8 {
        let colours = self.palette.iter().take(COLOURS);
        *self.known.entry(ink).or_insert_with(|| {
            let nearest = colours.enumerate().min_by_key(|(_, p)| distance(**p, ink));
            nearest.map_or(0, |(i, _)| u8::try_from(i).unwrap_or(0))
        })
    }
}

/// The box in which a picture differs from the one before, and in it what differs.
fn changed(before: &[u8], now: Vec<u8>, width: usize, delay: u16) -> Frame<'static> {
    let whole = before.is_empty();
    let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
    for (i, (a, b)) in before.iter().zip(&now).enumerate() {
        if a != b {
            let (x, y) = (i % width, i / width);
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if whole {
        (left, top, right, bottom) = (0, 0, width, now.len() / width.max(1));
    } else if right == 0 {
        // Nothing changed: a picture has a pixel at least.
        (left, top, right, bottom) = (0, 0, 1, 1);
    }
    let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
    for y in top..bottom {
        for i in y * width + left..y * width + right {
            let pixel = now.get(i).copied().unwrap_or(0);
            let same = !whole && before.get(i) == Some(&pixel);
            buffer.push(if same { SAME } else { pixel });
        }
    }
    let number = |x: usize| u16::try_from(x).unwrap_or(u16::MAX);
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: (!whole).then_some(SAME),
        left: number(left),
        top: number(top),
        width: number(right - left),
        height: number(bottom - top),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

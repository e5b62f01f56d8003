//! How are a few bodies drawn beside each other, each scene with its velocities?
//!
//! A [`Sketch`] is a title over cells of one scale: outlines, arrows, paths. It becomes SVG and PNG like a chart, with the same colours; it draws what it is given and computes nothing.

use kuva::backend::raster::RasterBackend;
use kuva::backend::svg::SvgBackend;
use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};

use crate::math;
use crate::report::plot::{PlotError, with_cut_dashes};

/// Width of the picture, of the room around cells, and the height of their words, in SVG pixels.
const WIDTH: f64 = 976.0;
const MARGIN: f64 = 20.0;
const WORDS: f64 = 62.0;
const HEAD: f64 = 56.0;
const FOOT: f64 = 46.0;
/// Cells in a row.
const ACROSS: usize = 3;
/// Pixels of a PNG per SVG pixel.
const PNG_SCALE: f32 = 2.0;

/// What a thing is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The first body.
    First,
    /// The second.
    Second,
    /// What was, or will be: pale.
    Ghost,
    /// A line that is only thought.
    Guide,
}

impl Tone {
    fn inside(self) -> &'static str {
        match self {
            Tone::First => "#dde7f0",
            Tone::Second => "#f3e6cf",
            Tone::Ghost | Tone::Guide => "none",
        }
    }

    fn line(self) -> &'static str {
        match self {
            Tone::First => "#0072B2",
            Tone::Second => "#D55E00",
            Tone::Ghost => "#999999",
            Tone::Guide => "#666666",
        }
    }

    fn dash(self) -> Option<String> {
        match self {
            Tone::First | Tone::Second => None,
            Tone::Ghost => Some("4 3".into()),
            Tone::Guide => Some("8 3 2 3".into()),
        }
    }
}

#[derive(Clone, Debug)]
enum Item {
    Outline(Vec<[f64; 2]>, Tone),
    Path(Vec<[f64; 2]>, Tone),
    Arrow([f64; 2], [f64; 2], Tone),
    Dot([f64; 2], Tone),
}

/// One scene; lengths in m.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    heading: String,
    words: Vec<String>,
    items: Vec<(String, Item)>,
}

impl Cell {
    /// An empty scene under a heading, with lines of words below that.
    pub fn new(heading: impl Into<String>, words: impl IntoIterator<Item = String>) -> Self {
        Self {
            heading: heading.into(),
            words: words.into_iter().collect(),
            items: Vec::new(),
        }
    }

    fn with(mut self, name: &str, item: Item) -> Self {
        self.items.push((name.into(), item));
        self
    }

    /// With a closed outline.
    pub fn outline(self, name: &str, points: Vec<[f64; 2]>, tone: Tone) -> Self {
        self.with(name, Item::Outline(points, tone))
    }

    /// With a line through points.
    pub fn path(self, name: &str, points: Vec<[f64; 2]>, tone: Tone) -> Self {
        self.with(name, Item::Path(points, tone))
    }

    /// With an arrow.
    pub fn arrow(self, name: &str, from: [f64; 2], to: [f64; 2], tone: Tone) -> Self {
        self.with(name, Item::Arrow(from, to, tone))
    }

    /// With a dot.
    pub fn dot(self, name: &str, at: [f64; 2], tone: Tone) -> Self {
        self.with(name, Item::Dot(at, tone))
    }
}

/// Scenes of one scale under a title.
#[derive(Clone, Debug)]
pub struct Sketch {
    title: String,
    legend: Vec<(String, Tone)>,
    /// What all cells show, m: lower left and upper right corner.
    frame: [[f64; 2]; 2],
    cells: Vec<Cell>,
}

impl Sketch {
    /// An empty sketch whose cells show this part of the plane, m: from the lower left to the upper right corner.
    pub fn new(title: impl Into<String>, frame: [[f64; 2]; 2]) -> Self {
        Self {
            title: title.into(),
            legend: Vec::new(),
            frame,
            cells: Vec::new(),
        }
    }

    /// Says below what a tone stands for.
    pub fn says(mut self, words: &str, tone: Tone) -> Self {
        self.legend.push((words.into(), tone));
        self
    }

    /// With another scene.
    pub fn cell(mut self, cell: Cell) -> Self {
        self.cells.push(cell);
        self
    }

    /// All its points as comma-separated values: `cell,item,x,y` in m.
    pub fn csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut text = String::from("cell,item,x,y\n");
        for cell in &self.cells {
            for (name, item) in &cell.items {
                let points = match item {
                    Item::Outline(points, _) | Item::Path(points, _) => points.clone(),
                    Item::Arrow(from, to, _) => vec![*from, *to],
                    Item::Dot(at, _) => vec![*at],
                };
                for [x, y] in points {
                    text += &format!("{},{},{x},{y}\n", quoted(&cell.heading), quoted(name));
                }
            }
        }
        text
    }

    /// The picture as SVG text.
    pub fn svg(&self) -> Result<String, PlotError> {
        Ok(SvgBackend::default().render_scene(&self.scene()?))
    }

    /// The picture as the bytes of a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        RasterBackend::new()
            .with_scale(PNG_SCALE)
            .render_scene(&with_cut_dashes(self.scene()?))
            .map_err(|reason| PlotError::Encode { reason })
    }

    fn scene(&self) -> Result<Scene, PlotError> {
        if self.cells.is_empty() {
            return Err(PlotError::NoPanel);
        }
        let [low, high] = self.frame;
        let across = ACROSS.min(self.cells.len());
        let room = (WIDTH - MARGIN) / across as f64 - MARGIN;
        let scale = room / (high[0] - low[0]);
        let tall = scale * (high[1] - low[1]);
        let step = tall + WORDS + MARGIN;
        let rows = self.cells.len().div_ceil(across);
        let below = HEAD + rows as f64 * step;
        let mut scene = Scene::new(WIDTH, below + FOOT);
        scene.background_color = Some("white".into());
        scene.font_family = Some("DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif".into());
        let s = &mut scene.elements;
        text(
            s,
            [0.5 * WIDTH, 32.0],
            &self.title,
            16,
            TextAnchor::Middle,
            "#000000",
        );
        for (i, cell) in self.cells.iter().enumerate() {
            let (row, column) = (i / across, i % across);
            // A last row that is not full stands in the middle.
            let here = (self.cells.len() - row * across).min(across);
            let indent = 0.5 * (across - here) as f64 * (room + MARGIN);
            let left = MARGIN + indent + column as f64 * (room + MARGIN);
            let top = HEAD + row as f64 * step;
            text(
                s,
                [left + 0.5 * room, top + 12.0],
                &cell.heading,
                15,
                TextAnchor::Middle,
                "#000000",
            );
            for (n, words) in cell.words.iter().enumerate() {
                let y = top + 31.0 + 16.0 * n as f64;
                text(
                    s,
                    [left + 0.5 * room, y],
                    words,
                    12,
                    TextAnchor::Middle,
                    "#555555",
                );
            }
            let at = |[x, y]: [f64; 2]| {
                (
                    left + scale * (x - low[0]),
                    top + WORDS + scale * (high[1] - y),
                )
            };
            for (_, item) in &cell.items {
                draw(s, item, &at);
            }
            s.push(Primitive::Rect {
                x: left,
                y: top + WORDS - 8.0,
                width: room,
                height: tall + 8.0,
                fill: Color::from("none"),
                stroke: Some(Color::from("#dddddd")),
                stroke_width: Some(1.0),
                opacity: None,
            });
        }
        let mut x = MARGIN + 20.0;
        for (words, tone) in &self.legend {
            let y = below + 16.0;
            s.push(line([x, y], [x + 28.0, y], *tone, 2.0));
            text(
                s,
                [x + 36.0, y + 4.0],
                words,
                12,
                TextAnchor::Start,
                "#333333",
            );
            x += 36.0 + 7.0 * words.chars().count() as f64 + 26.0;
        }
        Ok(scene)
    }
}

fn draw(s: &mut Vec<Primitive>, item: &Item, at: &dyn Fn([f64; 2]) -> (f64, f64)) {
    match item {
        // Of a pale outline only the dashes are seen.
        Item::Outline(points, tone) if tone.dash().is_some() => {
            let closed = points.iter().chain(points.first());
            s.push(Primitive::PolyLine {
                points: closed.map(|point| at(*point)).collect(),
                stroke: Color::from(tone.line()),
                stroke_width: 1.2,
                stroke_dasharray: tone.dash(),
            });
        }
        Item::Outline(points, tone) => {
            let mut d = String::new();
            for (i, point) in points.iter().enumerate() {
                let (x, y) = at(*point);
                d += &format!("{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
            }
            d.push('Z');
            s.push(Primitive::Path(Box::new(PathData {
                d,
                fill: Some(Color::from(tone.inside())),
                stroke: Color::from(tone.line()),
                stroke_width: 1.5,
                opacity: None,
                stroke_dasharray: tone.dash(),
            })));
        }
        Item::Path(points, tone) => s.push(Primitive::PolyLine {
            points: points.iter().map(|point| at(*point)).collect(),
            stroke: Color::from(tone.line()),
            stroke_width: 1.2,
            stroke_dasharray: tone.dash(),
        }),
        Item::Arrow(from, to, tone) => {
            let ((x1, y1), (x2, y2)) = (at(*from), at(*to));
            let (dx, dy) = (x2 - x1, y2 - y1);
            let length = math::sqrt(dx * dx + dy * dy);
            if !(length > 2.0) {
                return;
            }
            let (dx, dy) = (dx / length, dy / length);
            let head = 9.0_f64.min(0.6 * length);
            s.push(Primitive::Line {
                x1,
                y1,
                x2: x2 - 0.7 * head * dx,
                y2: y2 - 0.7 * head * dy,
                stroke: Color::from(tone.line()),
                stroke_width: 2.2,
                stroke_dasharray: None,
            });
            let corner = |side: f64| {
                (
                    x2 - head * dx - side * 0.45 * head * dy,
                    y2 - head * dy + side * 0.45 * head * dx,
                )
            };
            let ((ax, ay), (bx, by)) = (corner(1.0), corner(-1.0));
            s.push(Primitive::Path(Box::new(PathData {
                d: format!("M{x2:.2} {y2:.2}L{ax:.2} {ay:.2}L{bx:.2} {by:.2}Z"),
                fill: Some(Color::from(tone.line())),
                stroke: Color::from(tone.line()),
                stroke_width: 0.5,
                opacity: None,
                stroke_dasharray: None,
            })));
        }
        Item::Dot(point, tone) => {
            let (cx, cy) = at(*point);
            s.push(Primitive::Circle {
                cx,
                cy,
                r: 2.8,
                fill: Color::from(tone.line()),
                fill_opacity: None,
                stroke: None,
                stroke_width: None,
            });
        }
    }
}

fn line([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], tone: Tone, width: f64) -> Primitive {
    Primitive::Line {
        x1,
        y1,
        x2,
        y2,
        stroke: Color::from(tone.line()),
        stroke_width: width,
        stroke_dasharray: tone.dash(),
    }
}

fn text(
    s: &mut Vec<Primitive>,
    [x, y]: [f64; 2],
    words: &str,
    size: u32,
    anchor: TextAnchor,
    colour: &str,
) {
    s.push(Primitive::Text {
        x,
        y,
        content: words.replace('$', "\\$"),
        size,
        anchor,
        rotate: None,
        bold: false,
        color: Some(Color::from(colour)),
    });
}

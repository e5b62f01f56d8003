//! How does a chart look on paper?
//!
//! A [`Chart`] is a title over stacks of panels; the panels of one [`Stack`] share their horizontal axis. It becomes an SVG text or a PNG file.
//!
//! - Colours are those of Okabe and Ito (2008), told apart by people with any kind of colour vision; every line also has its own dash pattern and every set of
//!   points its own shape, so that a grey print can be read.
//! - Legends stand beside the panels, never on the data.
//! - Axes choose a power of a thousand for themselves: 0.00015 s is drawn as 150 µs. An axis may also be logarithmic, or a list of names.
//! - What the data are compared with (an elastic impact, a diagonal) is a broad grey line behind them: [`Panel::reference`].
//! - A point that is not a finite number breaks its line: the gap is seen. A finite point with gaps on both sides is drawn as a dot. A series without any finite
//!   point is an error that names it, because an empty panel would look like a result. On a logarithmic axis only positive numbers count as finite.
//! - The same chart gives the same bytes.

mod dash;
mod scale;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(in crate::report) use dash::with_cut_dashes;
use kuva::backend::raster::RasterBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{ColorMap, Heatmap, LinePlot, LineStyle, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{ComputedLayout, Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene};
use scale::Scale;

/// Okabe and Ito (2008), "Color universal design": without yellow, which is too faint for a line on white; in its place the wine of Tol (2021), which is darker than the others and lighter than black for everybody.
const COLOURS: [&str; 8] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#882255",
];
/// Five patterns against eight colours: forty lines before a pair repeats. Each is short enough to be seen in a legend.
const DASHES: [&str; 5] = ["", "7 4", "2 3", "8 3 2 3", "4 6"];
const SHAPES: [MarkerShape; 5] = [
    MarkerShape::TriangleDown,
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Diamond,
    MarkerShape::Cross,
];
const GREY: &str = "#666666";
/// What the data are compared with: lighter and broader than any line of data, so that it is told apart without colour.
const REFERENCE: &str = "#b0b0b0";
const REFERENCE_WIDTH: f64 = 3.2;

/// Width of a picture and height of the plotting area of a panel, in SVG pixels.
const WIDTH: f64 = 960.0;
const PANEL: f64 = 210.0;
/// A legend row in SVG pixels, and what the box around the rows adds.
const LEGEND_ROW: f64 = 18.0;
const LEGEND_FRAME: f64 = 24.0;
/// Letters in a row of a legend, and of the label of a vertical axis, at most.
const LEGEND_WRAP: usize = 30;
const LABEL_WRAP: usize = 28;
/// Letters in a row of a title, at most.
const TITLE_WRAP: usize = 80;
/// Height of a row of a list of names, in SVG pixels.
const LIST_ROW: f64 = 17.0;
/// Pixels of a PNG per SVG pixel.
const PNG_SCALE: f32 = 2.0;
/// SVG pixels a millimetre on paper: letters are then as large as those of a journal, whatever the width.
const PER_MM: f64 = 976.0 / 180.0;
/// Around the panels, SVG pixels.
const PADDING: f64 = 8.0;
/// Pixels of a PNG an inch, on paper.
const DPI: f64 = 300.0;
/// Points of a line nearer to the last drawn one than this many pixels are not written: nobody sees them.
const THIN: f64 = 0.2;
/// A line that is nowhere longer than this many pixels is drawn as a dot.
const SPECK: f64 = 2.0;

/// Why a chart could not be drawn.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlotError {
    /// The chart has no panel.
    NoPanel,
    /// A panel has no series at all.
    EmptyPanel {
        /// Counted from the top, from 1.
        panel: usize,
    },
    /// A series has no point with two finite coordinates.
    EmptySeries {
        /// Counted from the top, from 1.
        panel: usize,
        /// The name of the series.
        series: String,
        /// How many points it has, none of them finite.
        points: usize,
    },
    /// The picture could not be encoded.
    Encode {
        /// The encoder's words.
        reason: String,
    },
    /// The file could not be written.
    Write {
        /// Where to.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPanel => write!(f, "the chart has no panel"),
            Self::EmptyPanel { panel } => write!(f, "panel {panel} has no series"),
            Self::EmptySeries {
                panel,
                series,
                points,
            } => write!(
                f,
                "series `{series}` of panel {panel} has no finite point to draw (of {points})"
            ),
            Self::Encode { reason } => write!(f, "the picture could not be encoded: {reason}"),
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for PlotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// What an axis measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    name: String,
    unit: String,
    kind: AxisKind,
}

#[derive(Clone, Debug, PartialEq)]
enum AxisKind {
    Linear,
    Log,
    List(Vec<String>),
}

impl Axis {
    /// An axis with a name and the SI unit of its numbers (`""` for a pure number).
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            kind: AxisKind::Linear,
        }
    }

    /// The same axis with equal room for every power of ten. Points that are not positive are gaps on it.
    pub fn logarithmic(self) -> Self {
        Self {
            kind: AxisKind::Log,
            ..self
        }
    }

    /// An axis of names instead of numbers: the first name stands at 0, the next at −1 (so that a vertical axis is read downwards), …
    pub fn list(name: impl Into<String>, names: impl IntoIterator<Item = String>) -> Self {
        Self {
            name: name.into(),
            unit: String::new(),
            kind: AxisKind::List(names.into_iter().collect()),
        }
    }

    /// `name [unit]`.
    fn full_name(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} [{}]", self.name, self.unit)
        }
    }

    /// Whether a number can be drawn on it.
    fn takes(&self, value: f64) -> bool {
        value.is_finite() && (self.kind != AxisKind::Log || value > 0.0)
    }
}

/// A picture: a title over stacks of panels.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    stacks: Vec<Stack>,
    paper: Option<Paper>,
}

/// A size on paper, mm.
#[derive(Clone, Copy, Debug)]
struct Paper {
    width: f64,
    height: Option<f64>,
}

/// Panels above each other that share their horizontal axis.
#[derive(Clone, Debug)]
pub struct Stack {
    x: Axis,
    panels: Vec<Panel>,
}

/// One set of axes with what is drawn in it.
#[derive(Clone, Debug)]
pub struct Panel {
    y: Axis,
    heading: String,
    height: f64,
    covers: Vec<f64>,
    named: bool,
    series: Vec<Series>,
}

#[derive(Clone, Debug)]
struct Series {
    name: String,
    kind: Kind,
    points: Vec<(f64, f64)>,
    cells: Option<Cells>,
}

/// A raster of colours over two axes; on a logarithmic axis its columns or rows have equal ratios.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Where the first column begins and the last one ends.
    pub x: [f64; 2],
    /// Where the lowest row begins and the highest one ends.
    pub y: [f64; 2],
    /// How many columns there are.
    pub columns: usize,
    /// Row by row from below; a cell that is no finite number is grey.
    pub values: Vec<f64>,
    /// The values of the darkest and of the brightest colour: the same for all panels that are to be compared.
    pub range: [f64; 2],
    /// Whether the colours go by powers of ten.
    pub logarithmic: bool,
    /// SI unit of the values, for the legend.
    pub unit: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Line,
    Reference,
    Points,
    /// Many small ones.
    Dots,
    /// A raster; the points are its corners.
    Cells,
    /// Only the abscissae count.
    Verticals,
}

impl Panel {
    /// An empty panel with its vertical axis.
    pub fn new(y: Axis) -> Self {
        let height = match &y.kind {
            AxisKind::List(names) => PANEL.max(names.len() as f64 * LIST_ROW),
            _ => PANEL,
        };
        Self {
            y,
            heading: String::new(),
            height,
            covers: Vec::new(),
            named: true,
            series: Vec::new(),
        }
    }

    /// Leaves lines out of the legend: where there is one alone and the axis names it.
    pub fn unnamed(mut self) -> Self {
        self.named = false;
        self
    }

    /// A few words over the legend: what these lines have in common.
    pub fn heading(mut self, heading: impl Into<String>) -> Self {
        self.heading = heading.into();
        self
    }

    /// The height of the plotting area in SVG pixels (210 unless given; the picture is 960 wide), kept between 60 and 2000.
    pub fn height(mut self, pixels: f64) -> Self {
        self.height = pixels.clamp(60.0, 2000.0);
        self
    }

    /// Makes the vertical axis reach these values at least, so that panels beside each other can be compared.
    pub fn covering(mut self, values: impl IntoIterator<Item = f64>) -> Self {
        self.covers.extend(values);
        self
    }

    /// Adds a line through points (x, y), in the order given.
    pub fn line(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name, Kind::Line, points)
    }

    /// Adds what the data are compared with: a broad grey line behind them.
    pub fn reference(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name, Kind::Reference, points)
    }

    /// Adds marked points.
    pub fn points(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name, Kind::Points, points)
    }

    /// Adds many small points; of those that fall on the same spot one is drawn. Without a name they are not in the legend.
    pub fn dots(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name, Kind::Dots, points)
    }

    /// Adds a raster of colours; its legend names some of them.
    pub fn cells(mut self, cells: Cells) -> Self {
        let corners = [(cells.x[0], cells.y[0]), (cells.x[1], cells.y[1])];
        self = self.with("cells", Kind::Cells, corners);
        if let Some(series) = self.series.last_mut() {
            series.cells = Some(cells);
        }
        self
    }

    /// Adds thin vertical lines over the whole height.
    pub fn verticals(self, name: impl Into<String>, at: impl IntoIterator<Item = f64>) -> Self {
        self.with(name, Kind::Verticals, at.into_iter().map(|x| (x, 0.0)))
    }

    fn with(
        mut self,
        name: impl Into<String>,
        kind: Kind,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.series.push(Series {
            name: name.into(),
            kind,
            points: points.into_iter().collect(),
            cells: None,
        });
        self
    }
}

impl Stack {
    /// An empty stack with the axis its panels share.
    pub fn new(x: Axis) -> Self {
        Self {
            x,
            panels: Vec::new(),
        }
    }

    /// Adds a panel below the others.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }
}

impl Chart {
    /// An empty chart.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            stacks: Vec::new(),
            paper: None,
        }
    }

    /// The size on paper, mm: the width, and the height if it is given (about: a panel is never lower than its legend). Kept between 60 and 1000 mm. Letters keep their size.
    pub fn paper(mut self, width: f64, height: Option<f64>) -> Self {
        let kept = |mm: f64| mm.clamp(60.0, 1000.0);
        self.paper = Some(Paper {
            width: kept(width),
            height: height.map(|mm| mm.clamp(30.0, 1000.0)),
        });
        self
    }

    /// Adds a stack of panels below the others.
    pub fn stack(mut self, stack: Stack) -> Self {
        self.stacks.push(stack);
        self
    }

    /// Adds the panels of another chart below; the title stays.
    pub fn and(mut self, other: Chart) -> Self {
        self.stacks.extend(other.stacks);
        self
    }

    /// The numbers of the picture as comma-separated values: `panel,series,x,y` in SI units, one point a line.
    pub fn csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut text = String::from("panel,series,x,y\n");
        for stack in &self.stacks {
            for panel in &stack.panels {
                let mut name = format!("{} over {}", panel.y.full_name(), stack.x.full_name());
                if !panel.heading.is_empty() {
                    name = format!("{}: {name}", panel.heading);
                }
                for series in &panel.series {
                    for (x, y) in &series.points {
                        let y = match series.kind {
                            Kind::Verticals => String::new(),
                            _ => y.to_string(),
                        };
                        text += &format!("{},{},{x},{y}\n", quoted(&name), quoted(&series.name));
                    }
                }
            }
        }
        text
    }

    /// The picture as SVG text.
    pub fn svg(&self) -> Result<String, PlotError> {
        let scene = self.scene()?;
        let svg = SvgBackend::default().render_scene(&scene);
        if self.paper.is_none() {
            return Ok(svg);
        }
        let rest = svg.split_once('>');
        let Some((_, rest)) = rest.filter(|_| svg.starts_with("<svg ")) else {
            return Ok(svg);
        };
        let family = scene.font_family.as_deref().unwrap_or("sans-serif");
        let fill = scene.text_color.as_deref().unwrap_or("black");
        Ok(format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{:.2}mm" height="{:.2}mm" viewBox="0 0 {} {}" font-family="{}" fill="{fill}">{rest}"#,
            scene.width / PER_MM,
            scene.height / PER_MM,
            scene.width,
            scene.height,
            family.replace('"', "&quot;"),
        ))
    }

    /// The picture as the bytes of a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let scale = match self.paper {
            Some(_) => (DPI / 25.4 / PER_MM) as f32,
            None => PNG_SCALE,
        };
        RasterBackend::new()
            .with_scale(scale)
            .render_scene(&with_cut_dashes(self.scene()?))
            .map_err(|reason| PlotError::Encode { reason })
    }

    /// Writes the picture as an SVG file.
    pub fn write_svg(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        write(path.as_ref(), self.svg()?.as_bytes())
    }

    /// Writes the picture as a PNG file.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        write(path.as_ref(), &self.png()?)
    }

    /// The width of the panels, SVG pixels.
    fn width(&self) -> f64 {
        self.paper
            .map_or(WIDTH, |paper| paper.width * PER_MM - 2.0 * PADDING)
    }

    fn scene(&self) -> Result<Scene, PlotError> {
        self.check()?;
        let scene = self.arranged(0.0);
        let Some(height) = self.paper.and_then(|paper| paper.height) else {
            return Ok(scene);
        };
        // What is missing or too much is shared among the panels.
        let panels: usize = self.stacks.iter().map(|stack| stack.panels.len()).sum();
        let more = (height * PER_MM - scene.height) / panels.max(1) as f64;
        Ok(self.arranged(more))
    }

    /// Every panel is laid out twice: once to see which margins its labels need, then with the widest margins of all, so that the axes line up. Every panel is higher than it says by so many pixels.
    fn arranged(&self, higher: f64) -> Scene {
        let width = self.width();
        let mut plots = Vec::new();
        let mut layouts = Vec::new();
        let mut heights = Vec::new();
        for stack in &self.stacks {
            let x = Scale::new(
                &stack.x,
                (width / 96.0).round().max(3.0),
                stack
                    .panels
                    .iter()
                    .flat_map(|panel| panel.drawn(&stack.x).map(|(x, _)| x)),
            );
            for (i, panel) in stack.panels.iter().enumerate() {
                let title = layouts.is_empty().then_some(self.title.as_str());
                let last = i + 1 == stack.panels.len();
                let height = (panel.height + higher).max(60.0);
                let (drawn, layout) = panel.draw(&stack.x, &x, title, last, [width, height]);
                plots.push(drawn);
                layouts.push(layout);
                heights.push(height);
            }
        }

        let natural: Vec<ComputedLayout> =
            layouts.iter().map(ComputedLayout::from_layout).collect();
        let widest =
            |margin: fn(&ComputedLayout) -> f64| natural.iter().map(margin).fold(0.0, f64::max);
        let (left, right) = (widest(|m| m.margin_left), widest(|m| m.margin_right));
        let mut figure = Figure::new(layouts.len(), 1)
            .with_spacing(2.0)
            .with_padding(PADDING)
            .with_col_width(0, width);
        for (row, margins) in natural.iter().enumerate() {
            let title = layouts[row].legend_title.iter().map(String::as_str);
            let rows: usize = layouts[row]
                .legend_entries
                .iter()
                .flatten()
                .map(|entry| entry.label.as_str())
                .chain(title)
                .map(|text| legend_rows(text, legend_wrap(width)))
                .sum();
            let plot = heights[row].max(rows as f64 * LEGEND_ROW + LEGEND_FRAME);
            figure = figure.with_row_height(row, plot + margins.margin_top + margins.margin_bottom);
        }
        let layouts = layouts
            .into_iter()
            .map(|layout| layout.with_force_margins(left, right))
            .collect();
        let scene = figure.with_plots(plots).with_layouts(layouts).render();
        with_own_clip_names(scene)
    }

    fn check(&self) -> Result<(), PlotError> {
        let panels = || {
            self.stacks
                .iter()
                .flat_map(|stack| stack.panels.iter().map(move |panel| (&stack.x, panel)))
        };
        if panels().next().is_none() {
            return Err(PlotError::NoPanel);
        }
        for (i, (x, panel)) in panels().enumerate() {
            if panel.series.is_empty() {
                return Err(PlotError::EmptyPanel { panel: i + 1 });
            }
            for series in &panel.series {
                if !series.points.iter().any(|p| panel.takes(x, series, p)) {
                    return Err(PlotError::EmptySeries {
                        panel: i + 1,
                        series: series.name.clone(),
                        points: series.points.len(),
                    });
                }
            }
        }
        Ok(())
    }
}

impl Panel {
    /// Whether a point can be drawn; of a vertical only the abscissa counts.
    fn takes(&self, x: &Axis, series: &Series, point: &(f64, f64)) -> bool {
        x.takes(point.0) && (series.kind == Kind::Verticals || self.y.takes(point.1))
    }

    /// All points that can be drawn.
    fn drawn<'a>(&'a self, x: &'a Axis) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.series.iter().flat_map(move |series| {
            let points = series.points.iter().copied();
            points.filter(move |p| self.takes(x, series, p))
        })
    }

    fn draw(
        &self,
        x_axis: &Axis,
        x: &Scale,
        title: Option<&str>,
        last: bool,
        [width, height]: [f64; 2],
    ) -> (Vec<Plot>, Layout) {
        let y = Scale::new(
            &self.y,
            (height / 35.0).round().max(2.0),
            self.series
                .iter()
                .filter(|series| series.kind != Kind::Verticals)
                .flat_map(|series| {
                    let points = series.points.iter();
                    points
                        .filter(|p| self.takes(x_axis, series, p))
                        .map(|p| p.1)
                })
                .chain(self.covers.iter().copied().filter(|v| self.y.takes(*v))),
        );
        let pixels = (width / (x.high - x.low), height / (y.high - y.low));
        let mut plots = Vec::new();
        let mut verticals = Vec::new();
        let mut legend = Vec::new();
        let (mut lines, mut sets, mut marks) = (0, 0, 0);
        // Points lie on top of lines, whatever order they were added in.
        let mut on_top = Vec::new();
        // References lie under everything, whatever order they were added in.
        let behind = |series: &&Series| series.kind == Kind::Reference;
        let in_order = self.series.iter().filter(behind);
        for series in in_order.chain(self.series.iter().filter(|s| !behind(s))) {
            let finite = |p: &&(f64, f64)| self.takes(x_axis, series, p);
            let at = |p: &(f64, f64)| (x.of(p.0), y.of(p.1));
            let entry = match series.kind {
                Kind::Line | Kind::Reference => {
                    let (colour, dash, width) = if series.kind == Kind::Reference {
                        (REFERENCE, "", REFERENCE_WIDTH)
                    } else {
                        lines += 1;
                        let nth = lines - 1;
                        (
                            COLOURS[nth % COLOURS.len()],
                            DASHES[nth % DASHES.len()],
                            1.6,
                        )
                    };
                    for run in series.points.split(|p| !finite(&p)) {
                        let Some(first) = run.first().map(at) else {
                            continue;
                        };
                        let line: Vec<(f64, f64)> = run.iter().map(at).collect();
                        plots.push(if is_speck(&line, pixels) {
                            scatter(vec![first], MarkerShape::Circle, colour)
                        } else {
                            Plot::Line(
                                LinePlot::new()
                                    .with_data(thin(&line, pixels))
                                    .with_color(colour)
                                    .with_stroke_width(width)
                                    .with_line_style(style(dash)),
                            )
                        });
                    }
                    (colour, LegendShape::Line, dash)
                }
                Kind::Points => {
                    // The colours of the points start where those of the lines are least likely to be.
                    let colour = COLOURS[(sets + 4) % COLOURS.len()];
                    let shape = SHAPES[sets % SHAPES.len()];
                    sets += 1;
                    let points = series.points.iter().filter(finite).map(at).collect();
                    on_top.push(scatter(points, shape, colour));
                    (colour, LegendShape::Marker(shape), "")
                }
                Kind::Dots => {
                    let points = series.points.iter().filter(finite).map(at);
                    // Beside curves they must not be taken for one of them.
                    let curves = self.series.iter().any(|s| s.kind == Kind::Line);
                    let colour = if curves { GREY } else { COLOURS[0] };
                    plots.push(dots(apart(points, pixels), colour));
                    if series.name.is_empty() {
                        continue;
                    }
                    (colour, LegendShape::Circle, "")
                }
                Kind::Cells => {
                    if let Some(cells) = &series.cells {
                        let (low, high) =
                            (at(&(cells.x[0], cells.y[0])), at(&(cells.x[1], cells.y[1])));
                        plots.push(raster(cells, (low.0, high.0), (low.1, high.1)));
                        legend.extend(cells.legend());
                    }
                    continue;
                }
                Kind::Verticals => {
                    // Never solid: that would look like an axis.
                    let dash = DASHES[1 + (marks + 1) % (DASHES.len() - 1)];
                    marks += 1;
                    for p in series.points.iter().filter(finite) {
                        verticals.push(
                            ReferenceLine::vertical(x.of(p.0))
                                .with_color(GREY)
                                .with_stroke_width(1.0)
                                .with_dasharray(dash),
                        );
                    }
                    (GREY, LegendShape::Line, dash)
                }
            };
            if series.kind == Kind::Line && !self.named {
                continue;
            }
            legend.push(LegendEntry {
                label: plain(&series.name),
                color: entry.0.into(),
                shape: entry.1,
                dasharray: (!entry.2.is_empty()).then(|| entry.2.into()),
            });
        }
        plots.append(&mut on_top);
        if plots.is_empty() {
            // A cell without a plot is left blank, axes, verticals and all; a line without points draws nothing and keeps it.
            plots.push(Plot::Line(LinePlot::new()));
        }

        let mut layout = Layout::new((x.low, x.high), (y.low, y.high))
            .with_width(width)
            .with_x_axis_min(x.low)
            .with_x_axis_max(x.high)
            .with_y_axis_min(y.low)
            .with_y_axis_max(y.high)
            .with_x_tick_step(x.step)
            .with_y_tick_step(y.step)
            .with_x_tick_format(ticks(x_axis, x))
            .with_y_tick_format(ticks(&self.y, &y))
            .with_y_label(broken(&plain(&y.label)))
            // Only where it is broken already.
            .with_y_label_wrap(usize::MAX)
            .with_box_axes()
            .with_grid_line_width(0.5)
            .with_legend_position(LegendPosition::OutsideRightTop)
            .with_legend_box(false)
            .with_legend_wrap(legend_wrap(width))
            .with_legend_entries(legend);
        if !self.heading.is_empty() {
            layout = layout.with_legend_title(plain(&self.heading));
        }
        layout.theme.grid_color = "#dddddd".into();
        if last {
            layout = layout.with_x_label(plain(&x.label)).with_x_label_wrap(90);
        } else {
            layout.suppress_x_ticks = true;
        }
        if let Some(title) = title {
            let mut title = plain(title);
            let wrap = TITLE_WRAP.min((width / 12.0) as usize);
            if title.chars().count() > wrap {
                // Better after the words than between a number and its unit.
                title = title.replacen(": ", ":\n", 1);
            }
            layout = layout
                .with_title(title)
                .with_title_size(16)
                .with_title_wrap(wrap);
        }
        for line in verticals {
            layout = layout.with_reference_line(line);
        }
        (plots, layout)
    }
}

/// How many rows a legend's text may take at most: broken at words, a row is at least half full.
fn legend_rows(text: &str, wrap: usize) -> usize {
    match text.chars().count() {
        letters if letters <= wrap => 1,
        letters => 1 + letters / (wrap / 2).max(1),
    }
}

/// Letters in a row of a legend beside panels of this width.
fn legend_wrap(width: f64) -> usize {
    ((width / 32.0) as usize).clamp(14, LEGEND_WRAP)
}

/// How the ticks of an axis are written.
fn ticks(axis: &Axis, scale: &Scale) -> TickFormat {
    match &axis.kind {
        AxisKind::Linear => TickFormat::Fixed(scale.decimals),
        AxisKind::Log => TickFormat::Custom(Arc::new(scale::power_of_ten)),
        AxisKind::List(names) => {
            let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
            TickFormat::Custom(Arc::new(move |v: f64| {
                // Ticks between and beyond the names stay bare.
                let place = -v.round();
                if place < 0.0 || (v + place).abs() > 1e-6 {
                    return String::new();
                }
                names.get(place as usize).cloned().unwrap_or_default()
            }))
        }
    }
}

/// A label in rows of at most [`LABEL_WRAP`] letters, broken between words but never inside the brackets of a unit.
fn broken(label: &str) -> String {
    let mut rows: Vec<String> = Vec::new();
    let (words, unit) = match label.rfind(" [") {
        Some(i) if label.ends_with(']') => (&label[..i], Some(&label[i + 1..])),
        _ => (label, None),
    };
    for word in words.split_whitespace().chain(unit) {
        // A word of any length is cut, so that a label always fits.
        let letters: Vec<char> = word.chars().collect();
        for piece in letters.chunks(LABEL_WRAP) {
            let piece: String = piece.iter().collect();
            match rows.last_mut() {
                Some(row) if row.chars().count() + 1 + piece.chars().count() <= LABEL_WRAP => {
                    row.push(' ');
                    row.push_str(&piece);
                }
                _ => rows.push(piece),
            }
        }
    }
    rows.join("\n")
}

/// Whether a line is too short to be seen as one.
fn is_speck(line: &[(f64, f64)], pixels: (f64, f64)) -> bool {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = line
            .iter()
            .map(of)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |r, v| {
                (r.0.min(v), r.1.max(v))
            });
        high - low
    };
    range(|p| p.0) * pixels.0 < SPECK && range(|p| p.1) * pixels.1 < SPECK
}

/// Leaves out points too near to the last one kept to be seen; the ends stay.
fn thin(line: &[(f64, f64)], (per_x, per_y): (f64, f64)) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (i, &point) in line.iter().enumerate() {
        let near = kept.last().is_some_and(|last| {
            ((point.0 - last.0) * per_x).abs() < THIN && ((point.1 - last.1) * per_y).abs() < THIN
        });
        if !near || i + 1 == line.len() {
            kept.push(point);
        }
    }
    kept
}

/// Names every clipping frame after its place and size. Left alone, the names are numbers that count on from one picture of a process to the next: the bytes of a
/// picture would depend on what was drawn before it.
fn with_own_clip_names(mut scene: Scene) -> Scene {
    let mut definitions: Vec<String> = Vec::new();
    for element in &mut scene.elements {
        let Primitive::ClipStart {
            x,
            y,
            width,
            height,
            id,
        } = element
        else {
            continue;
        };
        let [x, y, width, height] = [x, y, width, height].map(|v| (*v * 100.0).round() as i64);
        let name = format!("clip-{x}-{y}-{width}-{height}");
        let quoted = format!("\"{id}\"");
        for definition in scene.defs.iter().filter(|d| d.contains(&quoted)) {
            let renamed = definition.replace(&quoted, &format!("\"{name}\""));
            if !definitions.contains(&renamed) {
                definitions.push(renamed);
            }
        }
        *id = name;
    }
    scene.defs = definitions;
    scene
}

fn scatter(points: Vec<(f64, f64)>, shape: MarkerShape, colour: &str) -> Plot {
    Plot::Scatter(
        ScatterPlot::new()
            .with_data(points)
            .with_marker(shape)
            .with_size(3.5)
            .with_color(colour),
    )
}

/// The colour of a cell without a number: none of the others.
const NO_NUMBER: &str = "#e4e4e4";
/// Radius of a dot, SVG pixels; and how far apart two must be, at least.
const DOT: f64 = 0.9;
const APART: f64 = 0.6;

/// Few dots are larger: what stands alone must be seen.
fn dots(points: Vec<(f64, f64)>, colour: &str) -> Plot {
    const MANY: f64 = 3000.0;
    const LARGEST: f64 = 2.5;
    let size = DOT * crate::math::sqrt(MANY / (points.len().max(1) as f64)).clamp(1.0, LARGEST);
    Plot::Scatter(
        ScatterPlot::new()
            .with_data(points)
            .with_marker(MarkerShape::Circle)
            .with_size(size)
            .with_color(colour),
    )
}

/// Leaves out points that fall onto one that is there.
fn apart(points: impl Iterator<Item = (f64, f64)>, (per_x, per_y): (f64, f64)) -> Vec<(f64, f64)> {
    let mut taken = std::collections::BTreeSet::new();
    let spot = |p: &(f64, f64)| {
        (
            (p.0 * per_x / APART).round() as i64,
            (p.1 * per_y / APART).round() as i64,
        )
    };
    points.filter(|p| taken.insert(spot(p))).collect()
}

impl Cells {
    /// Between 0 and 1, for the colours.
    fn part(&self, value: f64) -> f64 {
        let size = |v: f64| {
            if self.logarithmic {
                crate::math::log10(v)
            } else {
                v
            }
        };
        let [low, high] = self.range.map(size);
        let part = (size(value) - low) / (high - low);
        // One colour where there is one value.
        if high > low {
            part.clamp(0.0, 1.0)
        } else if value.is_finite() {
            0.5
        } else {
            f64::NAN
        }
    }

    /// Some values with their colours, the largest first.
    fn legend(&self) -> Vec<LegendEntry> {
        const ROWS: usize = 8;
        let axis = Axis::new("", self.unit.as_str());
        let axis = if self.logarithmic {
            axis.logarithmic()
        } else {
            axis
        };
        let scale = Scale::new(&axis, 8.0, self.range.into_iter());
        let rows = if self.range[1] > self.range[0] {
            ROWS
        } else {
            1
        };
        let entry = |i: usize| {
            let part = if rows > 1 {
                1.0 - i as f64 / (rows - 1) as f64
            } else {
                0.5
            };
            let [low, high] = self.range;
            let value = match self.logarithmic {
                true => low * crate::math::powf(high / low, part),
                false => low + part * (high - low),
            };
            let unit = scale.label.trim();
            let number = match self.logarithmic {
                true => format!("{value:.2e} {}", self.unit),
                false => format!(
                    "{:.*} {}",
                    scale.decimals + 1,
                    scale.of(value),
                    unit.trim_matches(['[', ']'])
                ),
            };
            LegendEntry {
                label: plain(number.trim()),
                color: ColorMap::Viridis.map(self.part(value)),
                shape: LegendShape::Rect,
                dasharray: None,
            }
        };
        let mut all: Vec<LegendEntry> = (0..rows).map(entry).collect();
        if self.values.iter().any(|value| !value.is_finite()) {
            all.push(LegendEntry {
                label: "none".into(),
                color: NO_NUMBER.into(),
                shape: LegendShape::Rect,
                dasharray: None,
            });
        }
        all
    }
}

fn raster(cells: &Cells, x: (f64, f64), y: (f64, f64)) -> Plot {
    // The library spreads the colours over what it finds: it is given the parts themselves, and told with two more colours where 0 and 1 are.
    let parts = cells.values.iter().map(|v| cells.part(*v));
    let parts: Vec<f64> = parts.collect();
    let ends = parts
        .iter()
        .filter(|p| p.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |r, p| {
            (r.0.min(*p), r.1.max(*p))
        });
    let colour = move |part: f64| match part.is_finite() {
        true => ColorMap::Viridis.map(ends.0 + part * (ends.1 - ends.0)),
        false => NO_NUMBER.to_string(),
    };
    let rows: Vec<Vec<f64>> = parts
        .chunks(cells.columns.max(1))
        .map(<[f64]>::to_vec)
        .collect();
    let mut map = Heatmap::new()
        .with_data(rows)
        .with_color_map(ColorMap::Custom(Arc::new(colour)));
    map.x_range = Some(x);
    map.y_range = Some(y);
    map.cell_size = 1.0;
    Plot::Heatmap(map)
}

fn style(dash: &str) -> LineStyle {
    if dash.is_empty() {
        LineStyle::Solid
    } else {
        LineStyle::Custom(dash.into())
    }
}

/// Text as it is: a dollar sign starts no formula, and the characters XML forbids become spaces. A letter under a combining dot, δ̇, becomes dδ/dt: the letters of a PNG know no
/// combining marks.
pub(super) fn plain(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut dotted = String::new();
    for (i, &c) in letters.iter().enumerate() {
        match (c, letters.get(i + 1)) {
            ('\u{307}', _) if i > 0 => {}
            (c, Some('\u{307}')) => dotted += &format!("d{c}/dt"),
            (c, _) => dotted.push(c),
        }
    }
    dotted
        .chars()
        .map(|c| match c {
            '\u{FFFE}' | '\u{FFFF}' => ' ',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect::<String>()
        .replace('$', "\\$")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), PlotError> {
    std::fs::write(path, bytes).map_err(|source| PlotError::Write {
        path: path.into(),
        source,
    })
}

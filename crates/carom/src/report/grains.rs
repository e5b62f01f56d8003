//! What do the grains of a run look like at its end: discs, walls, and the forces that run through them?
//!
//! Forces are drawn as lines between the centres of what touches, as broad as they are strong; those above the mean are told apart by their colour too. Below stands the energy of motion over time.

use std::fmt::Write;

use crate::geometry::Shape;
use crate::math;
use crate::mechanics::Pose;
use crate::model::units::pretty;
use crate::report::escaped;
use crate::report::plot::{Axis, Chart, Panel, PlotError, Stack};
use crate::system::{Grouped, SETTLED};

/// Width of the picture and the room around it, in SVG pixels: as the other pictures have them.
const WIDTH: f64 = 976.0;
const MARGIN: f64 = 40.0;
/// The scene itself is no higher and no lower than this.
const HIGHEST: f64 = 900.0;
const LOWEST: f64 = 160.0;
/// Above the scene stand title and caption, below it the legend.
const HEAD: f64 = 84.0;
const FOOT: f64 = 48.0;

/// Walls that reach farther than so many times the size of the heap are cut off.
const FAR: f64 = 1.0;

/// A grain farther from the middle half of all than so many times its size is not drawn.
const STRAY: f64 = 5.0;

/// The solid of walls, and their faces.
const SOLID: &str = "#dcd8d0";
const FACE: &str = "#6b665c";
/// Discs of the groups, pale: inside and rim.
const DISCS: [[&str; 2]; 4] = [
    ["#dde7f0", "#9db4c9"],
    ["#f3e6cf", "#cfae78"],
    ["#dcefe4", "#93bfa6"],
    ["#f0dde7", "#c79bb2"],
];
/// Forces above the mean and below it: told apart by people with any kind of colour vision, and by their breadth.
const STRONG: &str = "#b0361e";
const WEAK: &str = "#3f5f86";
/// Grains that move, from the slowest to the fastest.
const SLOW: [f64; 3] = [221.0, 231.0, 240.0];
const FAST: [f64; 3] = [230.0, 140.0, 40.0];
/// Energy of motion below this part of its peak: nothing is seen to move.
const STILL: f64 = 1e-6;
/// Forces below this part of the largest are thinner than anything seen.
const THIN: f64 = 2e-3;
/// Grains in whose picture a line that shows how they are turned can be seen.
const MARKED: usize = 3000;

/// A wall as it stands at the end.
#[derive(Clone, Copy, Debug)]
pub struct Wall<'a> {
    /// Its outline, in the axes of its body.
    pub shape: &'a Shape,
    /// Where its body is.
    pub pose: Pose,
}

/// The picture as SVG text; `None` if there is no grain.
pub fn picture(
    title: &str,
    t: f64,
    groups: &[Grouped],
    walls: &[Wall<'_>],
) -> Result<Option<String>, PlotError> {
    let Some(view) = View::new(groups, walls) else {
        return Ok(None);
    };
    let energy = match energy(groups) {
        Some(chart) => chart.svg()?,
        None => String::new(),
    };
    let below = HEAD + view.height + FOOT;
    let height = below + size_of(&energy);
    let mut svg = String::with_capacity(1 << 16);
    let s = &mut svg;
    // Writing into a text cannot fail.
    let _ = write!(
        s,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.2}" font-family="DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif" fill="black"><rect width="100%" height="100%" fill="white"/>"##
    );
    let middle = 0.5 * WIDTH;
    let title = if title.is_empty() { "grains" } else { title };
    let _ = write!(
        s,
        r##"<text x="{middle}" y="34" font-size="18" text-anchor="middle">{}</text><text x="{middle}" y="60" font-size="13" fill="#555555" text-anchor="middle">{}</text>"##,
        escaped(&shortened(title, 90)),
        escaped(&caption(t, groups))
    );
    let _ = write!(
        s,
        r##"<defs><clipPath id="scene"><rect x="{:.2}" y="{HEAD}" width="{:.2}" height="{:.2}" rx="3"/></clipPath></defs><g clip-path="url(#scene)">"##,
        view.left, view.width, view.height
    );
    for wall in walls {
        view.wall(s, wall);
    }
    let fastest = fastest(groups);
    for (i, group) in groups.iter().enumerate() {
        view.discs(s, i, group, fastest);
    }
    let scale = Forces::new(groups, &view);
    for group in groups {
        view.chains(s, group, &scale);
    }
    let _ = write!(
        s,
        r##"</g><rect x="{:.2}" y="{HEAD}" width="{:.2}" height="{:.2}" rx="3" fill="none" stroke="#cccccc"/>"##,
        view.left, view.width, view.height
    );
    view.legend(s, &scale, fastest);
    if !energy.is_empty() {
        let _ = write!(
            s,
            r##"<g transform="translate(0,{below:.2})">{energy}</g>"##
        );
    }
    s.push_str("</svg>\n");
    Ok(Some(svg))
}

/// How metres become pixels.
struct View {
    /// The lower left corner, m.
    from: [f64; 2],
    /// The size, m.
    size: [f64; 2],
    /// Pixels a metre.
    scale: f64,
    left: f64,
    width: f64,
    height: f64,
    /// The mean radius, m.
    radius: f64,
}

/// Where grains still belong to the picture: one that has fallen out of its box would make all others too small to see.
struct Crowd {
    low: [f64; 2],
    high: [f64; 2],
}

impl Crowd {
    /// Around the middle half of all grains, and as far beyond it as [`STRAY`] times its size.
    fn new(groups: &[Grouped]) -> Self {
        let (mut low, mut high) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
        let positions = || groups.iter().flat_map(|group| &group.positions);
        let quartiles = [0, 1].map(|k| {
            let mut all: Vec<f64> = positions()
                .map(|p| p[k])
                .filter(|x| x.is_finite())
                .collect();
            all.sort_by(f64::total_cmp);
            let at = |part: usize| all.get(part * all.len() / 4).copied();
            at(1).zip(at(3))
        });
        let radii = groups.iter().flat_map(|group| &group.radii);
        let largest = radii.copied().fold(0.0, f64::max);
        let sizes = quartiles.map(|q| q.map_or(0.0, |(from, to)| to - from));
        let reach = STRAY * sizes[0].max(sizes[1]).max(largest);
        for k in 0..2 {
            if let Some((from, to)) = quartiles[k] {
                low[k] = from - reach;
                high[k] = to + reach;
            }
        }
        Self { low, high }
    }

    fn holds(&self, [x, y, _]: [f64; 3]) -> bool {
        let inside = |k: usize, x: f64| self.low[k] <= x && x <= self.high[k];
        inside(0, x) && inside(1, y)
    }

    /// How many grains are not in the picture.
    fn strays(&self, groups: &[Grouped]) -> usize {
        let positions = groups.iter().flat_map(|group| &group.positions);
        positions.filter(|position| !self.holds(**position)).count()
    }
}

impl View {
    /// What holds the crowd of grains and as much of the walls as is near; `None` if there is nothing with a finite place.
    fn new(groups: &[Grouped], walls: &[Wall<'_>]) -> Option<View> {
        let mut all = Bounds::default();
        let (mut sum, mut count) = (0.0, 0.0);
        let crowd = Crowd::new(groups);
        for group in groups {
            for (position @ [x, y, _], r) in group.positions.iter().zip(&group.radii) {
                if !crowd.holds(*position) {
                    continue;
                }
                all.take([x - r, y - r]);
                all.take([x + r, y + r]);
                if r.is_finite() {
                    sum += r;
                    count += 1.0;
                }
            }
        }
        if !all.is_some() {
            return None;
        }
        let radius = sum / count;
        let [w, h] = all.size();
        let reach = FAR * w.max(h).max(10.0 * radius);
        let mut near = all;
        for side in [-1.0, 1.0] {
            near.take([all.low[0] + side * reach, all.low[1] + side * reach]);
            near.take([all.high[0] + side * reach, all.high[1] + side * reach]);
        }
        for wall in walls.iter().filter(|w| w.shape.kind() != "half-plane") {
            for point in wall.outline() {
                all.take([
                    point[0].clamp(near.low[0], near.high[0]),
                    point[1].clamp(near.low[1], near.high[1]),
                ]);
            }
        }
        let [w, h] = all.size();
        let room = 0.03 * w.max(h) + radius;
        all.low = all.low.map(|x| x - room);
        all.high = all.high.map(|x| x + room);
        let [w, h] = all.size();
        let widest = WIDTH - 2.0 * MARGIN;
        let scale = (widest / w).min(HIGHEST / h);
        // A flat scene gets some air above it.
        let height = (scale * h).max(LOWEST);
        let width = (scale * w).max(0.45 * widest);
        let size = [width / scale, height / scale];
        let from = [all.low[0] - 0.5 * (size[0] - w), all.low[1]];
        scale.is_finite().then_some(View {
            from,
            size,
            scale,
            left: 0.5 * (WIDTH - width),
            width,
            height,
            radius,
        })
    }

    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            self.left + (x - self.from[0]) * self.scale,
            HEAD + self.height - (y - self.from[1]) * self.scale,
        ]
    }

    /// A metre-sized number that is far outside is cut: it is not seen, and other programs dislike it.
    fn point(&self, s: &mut String, first: bool, point: [f64; 2]) {
        let [x, y] = self.at(point).map(|x| x.clamp(-1e5, 1e5));
        let _ = write!(s, "{}{x:.2} {y:.2}", if first { 'M' } else { 'L' });
    }

    fn path(&self, s: &mut String, points: &[[f64; 2]], closed: bool) {
        for (i, point) in points.iter().enumerate() {
            self.point(s, i == 0, *point);
        }
        if closed {
            s.push('Z');
        }
    }

    fn wall(&self, s: &mut String, wall: &Wall<'_>) {
        let points = wall.outline();
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return;
        };
        let mut d = String::new();
        match wall.shape.kind() {
            "half-plane" => {
                // The solid lies on the left of the walk; farther than the view is wide nothing is seen.
                let [x, y] = [last[0] - first[0], last[1] - first[1]];
                let length = math::sqrt(x * x + y * y);
                let far = 4.0 * (self.size[0] + self.size[1]) / length;
                let middle = [
                    self.from[0] + 0.5 * self.size[0],
                    self.from[1] + 0.5 * self.size[1],
                ];
                let along =
                    ((middle[0] - first[0]) * x + (middle[1] - first[1]) * y) / (length * length);
                let foot = [first[0] + along * x, first[1] + along * y];
                let end = |k: f64, m: f64| {
                    [
                        foot[0] + far * (k * x - m * y),
                        foot[1] + far * (k * y + m * x),
                    ]
                };
                self.path(
                    &mut d,
                    &[end(-1.0, 0.0), end(1.0, 0.0), end(1.0, 1.0), end(-1.0, 1.0)],
                    true,
                );
            }
            "bore" => {
                self.path(&mut d, &points, true);
                // A ring: the solid outside has no end.
                let rim = |p: &[f64; 2]| {
                    let c = wall.centre(&points);
                    [c[0] + 1.05 * (p[0] - c[0]), c[1] + 1.05 * (p[1] - c[1])]
                };
                let outer: Vec<[f64; 2]> = points.iter().map(rim).collect();
                self.path(&mut d, &outer, true);
            }
            _ if wall.shape.is_open() => {
                self.path(&mut d, &points, false);
                let _ = write!(
                    s,
                    r##"<path d="{d}" fill="none" stroke="{FACE}" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"/>"##
                );
                return;
            }
            _ => self.path(&mut d, &points, true),
        }
        let _ = write!(
            s,
            r##"<path d="{d}" fill="{SOLID}" fill-rule="evenodd" stroke="{FACE}" stroke-width="1.5"/>"##
        );
    }

    fn discs(&self, s: &mut String, i: usize, group: &Grouped, fastest: Option<f64>) {
        let [inside, rim] = DISCS.get(i % DISCS.len()).copied().unwrap_or(["", ""]);
        let thin = (0.06 * self.radius * self.scale).clamp(0.15, 1.2);
        let _ = write!(
            s,
            r##"<g fill="{inside}" stroke="{rim}" stroke-width="{thin:.2}">"##
        );
        let all = group.positions.iter().zip(&group.velocities);
        for (([x, y, _], [vx, vy, _]), r) in all.zip(&group.radii) {
            let [cx, cy] = self.at([*x, *y]);
            if !(cx + cy).is_finite() || cx.abs() + cy.abs() > 1e6 {
                continue;
            }
            let _ = write!(
                s,
                r##"<circle cx="{cx:.2}" cy="{cy:.2}" r="{:.2}""##,
                (r * self.scale - 0.5 * thin).max(0.05)
            );
            if let Some(fastest) = fastest {
                let part = (math::sqrt(vx * vx + vy * vy) / fastest).clamp(0.0, 1.0);
                let _ = write!(s, r##" fill="{}""##, colour(part));
            }
            s.push_str("/>");
        }
        s.push_str("</g>");
        if group.positions.len() > MARKED || self.radius * self.scale < 3.0 {
            return;
        }
        // How far each has turned.
        let mut d = String::new();
        for ([x, y, angle], r) in group.positions.iter().zip(&group.radii) {
            let (sin, cos) = math::sin_cos(*angle);
            let end = |k: f64| [x + k * r * cos, y + k * r * sin];
            if (x + y + angle + r).is_finite() {
                self.path(&mut d, &[end(0.62), end(0.92)], false);
            }
        }
        let _ = write!(
            s,
            r##"<path d="{d}" fill="none" stroke="{rim}" stroke-width="{:.2}" stroke-linecap="round"/>"##,
            1.6 * thin
        );
    }

    /// The weakest first, so that the strong ones lie on top.
    fn chains(&self, s: &mut String, group: &Grouped, scale: &Forces) {
        let mut lines: Vec<(f64, [f64; 2], [f64; 2])> = Vec::new();
        for touch in &group.touches {
            let centre = |i: usize| group.positions.get(i).map(|[x, y, _]| [*x, *y]);
            let to = match touch.other {
                Some(other) => centre(other),
                None => Some(touch.point),
            };
            let (Some(from), Some(to)) = (centre(touch.grain), to) else {
                continue;
            };
            let finite = [from, to].as_flattened().iter().all(|x| x.is_finite());
            if touch.force > THIN * scale.largest && touch.force.is_finite() && finite {
                lines.push((touch.force, self.at(from), self.at(to)));
            }
        }
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        let split = lines.partition_point(|line| line.0 <= scale.mean);
        let (weak, strong) = lines.split_at_checked(split).unwrap_or((&lines, &[]));
        for (lines, colour, opacity) in [(weak, WEAK, 0.55), (strong, STRONG, 0.9)] {
            let _ = write!(
                s,
                r##"<g stroke="{colour}" stroke-opacity="{opacity}" stroke-linecap="round">"##
            );
            for (force, [x1, y1], [x2, y2]) in lines {
                let width = scale.width(*force);
                let _ = write!(
                    s,
                    r##"<line x1="{x1:.2}" y1="{y1:.2}" x2="{x2:.2}" y2="{y2:.2}" stroke-width="{width:.2}"/>"##
                );
            }
            s.push_str("</g>");
        }
    }

    /// How long a length is, how broad a force, and how fast a colour.
    fn legend(&self, s: &mut String, scale: &Forces, fastest: Option<f64>) {
        let y = HEAD + self.height + 30.0;
        let mut x = MARGIN.max(0.5 * WIDTH - 380.0);
        // A round length of about a sixth of the picture.
        let length = round(self.size[0] / 6.0);
        let pixels = length * self.scale;
        let label = |s: &mut String, x: f64, words: &str| {
            let _ = write!(
                s,
                r##"<text x="{x:.2}" y="{:.2}" font-size="13" fill="#333333">{}</text>"##,
                y + 4.5,
                escaped(words)
            );
        };
        let _ = write!(
            s,
            r##"<path d="M{x:.2} {:.2}v8m0 -4h{pixels:.2}m0 -4v8" fill="none" stroke="#333333" stroke-width="1.5"/>"##,
            y - 4.0
        );
        label(s, x + pixels + 10.0, &pretty(length, "m", 3));
        x += pixels + 110.0;
        if scale.largest > 0.0 {
            for (force, words, colour) in [
                (scale.mean, "mean force", WEAK),
                (scale.largest, "largest force", STRONG),
            ] {
                let _ = write!(
                    s,
                    r##"<line x1="{x:.2}" y1="{y:.2}" x2="{:.2}" y2="{y:.2}" stroke="{colour}" stroke-width="{:.2}" stroke-linecap="round"/>"##,
                    x + 30.0,
                    scale.width(force).max(0.5)
                );
                let words = format!("{words} {}", pretty(force, "N", 3));
                label(s, x + 42.0, &words);
                x += 42.0 + 8.2 * words.chars().count() as f64 + 18.0;
            }
        }
        if let Some(fastest) = fastest {
            for i in 0..5 {
                let _ = write!(
                    s,
                    r##"<circle cx="{:.2}" cy="{y:.2}" r="6" fill="{}" stroke="#9db4c9"/>"##,
                    x + 11.0 * f64::from(i),
                    colour(f64::from(i) / 4.0)
                );
            }
            label(s, x + 58.0, &format!("0 to {}", pretty(fastest, "m/s", 3)));
        }
    }
}

impl Wall<'_> {
    /// Points of it in ground axes.
    fn outline(&self) -> Vec<[f64; 2]> {
        let mut points = self.shape.outline(180);
        for point in &mut points {
            let [x, y] = self.pose.rotate(*point);
            *point = [self.pose.position[0] + x, self.pose.position[1] + y];
        }
        points
    }

    /// The middle of a closed outline.
    fn centre(&self, points: &[[f64; 2]]) -> [f64; 2] {
        // The last point is the first.
        let count = points.len().saturating_sub(1).max(1);
        let sum = points
            .iter()
            .take(count)
            .fold([0.0; 2], |[x, y], p| [x + p[0], y + p[1]]);
        sum.map(|x| x / count as f64)
    }
}

/// What breadth means.
struct Forces {
    mean: f64,
    largest: f64,
    /// Pixels a newton, and at most.
    broad: f64,
    most: f64,
}

impl Forces {
    fn new(groups: &[Grouped], view: &View) -> Self {
        let mut forces: Vec<f64> = groups
            .iter()
            .flat_map(|group| group.touches.iter().map(|touch| touch.force))
            .filter(|force| *force > 0.0 && force.is_finite())
            .collect();
        forces.sort_by(f64::total_cmp);
        let largest = forces.last().copied().unwrap_or(0.0);
        let mean = forces.iter().sum::<f64>() / forces.len().max(1) as f64;
        let most = (0.9 * view.radius * view.scale).clamp(1.0, 11.0);
        // One huge force does not make all others invisible: a hundredth may be cut.
        let high = forces.get(forces.len() * 99 / 100).copied();
        let broad = most / high.unwrap_or(largest).max(f64::MIN_POSITIVE);
        Self {
            mean,
            largest,
            broad,
            most,
        }
    }

    fn width(&self, force: f64) -> f64 {
        (force * self.broad).min(self.most)
    }
}

/// The energy of motion of every group over time; `None` if nothing ever moved.
fn energy(groups: &[Grouped]) -> Option<Chart> {
    let mut panel = Panel::new(Axis::new("kinetic energy", "J").logarithmic()).height(230.0);
    let mut any = false;
    let (mut start, mut end) = (f64::INFINITY, f64::NEG_INFINITY);
    for group in groups {
        let points = || group.history.iter().copied();
        if points().filter(|(t, e)| t.is_finite() && *e > 0.0).count() > 1 {
            any = true;
            panel = panel.line(group.name.as_str(), points());
            for (t, _) in points() {
                start = start.min(t);
                end = end.max(t);
            }
        }
    }
    let peak = groups.iter().map(|g| g.kinetic_peak).fold(0.0, f64::max);
    let least = groups.iter().flat_map(|g| &g.history).map(|p| p.1);
    let least = least.filter(|e| *e > 0.0).fold(f64::INFINITY, f64::min);
    // The line of rest only where the curve comes near it: it would flatten every other picture.
    if any && least < 1e2 * SETTLED * peak {
        let rest = SETTLED * peak;
        panel = panel.reference("1e-10 of the peak", [(start, rest), (end, rest)]);
    }
    any.then(|| Chart::new("").stack(Stack::new(Axis::new("time", "s")).panel(panel)))
}

/// Where all is, m.
#[derive(Clone, Copy)]
struct Bounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            low: [f64::INFINITY; 2],
            high: [f64::NEG_INFINITY; 2],
        }
    }
}

impl Bounds {
    fn take(&mut self, point: [f64; 2]) {
        if !point.iter().all(|x| x.is_finite()) {
            return;
        }
        for (k, x) in point.into_iter().enumerate() {
            if let (Some(low), Some(high)) = (self.low.get_mut(k), self.high.get_mut(k)) {
                *low = low.min(x);
                *high = high.max(x);
            }
        }
    }

    fn is_some(&self) -> bool {
        self.low[0] <= self.high[0] && self.low[1] <= self.high[1]
    }

    fn size(&self) -> [f64; 2] {
        [self.high[0] - self.low[0], self.high[1] - self.low[1]]
    }
}

/// The largest speed, m/s, if anything is seen to move.
fn fastest(groups: &[Grouped]) -> Option<f64> {
    let moves = |group: &&Grouped| group.kinetic > STILL * group.kinetic_peak;
    let speeds = groups.iter().filter(moves).flat_map(|g| &g.velocities);
    let squares = speeds.map(|[vx, vy, _]| vx * vx + vy * vy);
    let most = squares.filter(|s| s.is_finite()).fold(0.0, f64::max);
    (most > 0.0).then(|| math::sqrt(most))
}

fn caption(t: f64, groups: &[Grouped]) -> String {
    let words = groups.iter().map(|group| {
        let mut words = format!(
            "{}: {} grains, {} contacts, {:.2} a grain",
            group.name,
            group.positions.len(),
            group.touches.len(),
            group.coordination()
        );
        if let Some(settled) = group.settled {
            let _ = write!(words, ", at rest since {}", pretty(settled, "s", 3));
        }
        words
    });
    let words: Vec<String> = words.collect();
    let strays = match Crowd::new(groups).strays(groups) {
        0 => String::new(),
        1 => "; 1 grain is far outside".into(),
        strays => format!("; {strays} grains are far outside"),
    };
    shortened(
        &format!("t = {}{strays}; {}", pretty(t, "s", 4), words.join("; ")),
        120,
    )
}

/// A colour between slow and fast; most grains are slow, so that the root tells them apart.
fn colour(part: f64) -> String {
    let part = math::sqrt(part);
    let mix = |k: usize| {
        let (slow, fast) = (SLOW.get(k).copied(), FAST.get(k).copied());
        let (slow, fast) = (slow.unwrap_or(0.0), fast.unwrap_or(0.0));
        (slow + part * (fast - slow)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The largest of 1, 2, 5 times a power of ten that is not larger.
fn round(x: f64) -> f64 {
    let power = math::powf(10.0, math::log10(x).floor());
    let digit = x / power;
    let digit = [5.0, 2.0, 1.0].into_iter().find(|d| *d <= digit);
    power * digit.unwrap_or(1.0)
}

/// The height that a picture says it has, in pixels.
fn size_of(svg: &str) -> f64 {
    let rest = svg.split_once(r#"height=""#).map_or("", |parts| parts.1);
    let number = rest.split_once('"').map_or("", |parts| parts.0);
    number.parse().unwrap_or(0.0)
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let mut short: String = text.chars().take(most - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::GrainTouch;

    /// A hexagonal heap in a box whose forces grow with depth.
    fn heap() -> Grouped {
        let mut group = Grouped {
            name: "grains".into(),
            kinetic_peak: 1.0,
            kinetic: 1e-12,
            settled: Some(2.5),
            history: (0..300)
                .map(|i| (0.01 * f64::from(i), 10_f64.powf(-0.04 * f64::from(i))))
                .collect(),
            ..Grouped::default()
        };
        let r = 0.005;
        let (columns, rows) = (20, 12);
        for row in 0..rows {
            for column in 0..columns {
                let shift = if row % 2 == 0 { 0.0 } else { r };
                let x = r + 2.0 * r * f64::from(column) + shift;
                let y = r + 3_f64.sqrt() * r * f64::from(row);
                group.positions.push([x, y, f64::from(row * column)]);
                group.velocities.push([0.0; 3]);
                group.radii.push(r);
                let grain = (row * columns + column) as usize;
                let force =
                    f64::from(rows - row) * (0.2 + f64::from((7 * row + 13 * column) % 11) / 5.0);
                if row == 0 {
                    group.touches.push(GrainTouch {
                        grain,
                        other: None,
                        point: [x, 0.0],
                        force,
                        friction: 0.0,
                    });
                } else {
                    group.touches.push(GrainTouch {
                        grain,
                        other: Some(grain - columns as usize),
                        point: [x, y - r],
                        force,
                        friction: 0.0,
                    });
                }
            }
        }
        group
    }

    fn drawn(groups: &[Grouped], shapes: &[Shape]) -> String {
        let walls: Vec<Wall<'_>> = shapes
            .iter()
            .map(|shape| Wall {
                shape,
                pose: Pose::GROUND,
            })
            .collect();
        let svg = picture("Heap <1> & co", 3.0, groups, &walls).expect("it is drawn");
        svg.expect("there are grains")
    }

    #[test]
    fn a_grain_that_was_lost_does_not_shrink_the_others() {
        let there = View::new(&[heap()], &[]).expect("a view");
        let mut group = heap();
        group.positions.push([0.1, -900.0, 0.0]);
        group.velocities.push([0.0, -133.0, 0.0]);
        group.radii.push(0.005);
        let groups = [group];
        let lost = View::new(&groups, &[]).expect("a view");
        assert_eq!((lost.scale, lost.from), (there.scale, there.from));
        assert!(caption(3.0, &groups).contains("1 grain is far outside"));
        assert!(!caption(3.0, &[heap()]).contains("outside"));
    }

    #[test]
    fn every_grain_wall_and_force_is_drawn_once() {
        let shapes = [
            Shape::half_plane([0.0, 0.0], [0.0, 1.0]).expect("a floor"),
            Shape::half_plane([0.0, 0.0], [1.0, 0.0]).expect("a wall"),
            Shape::half_plane([0.21, 0.0], [-1.0, 0.0]).expect("a wall"),
            Shape::segment([[0.05, 0.13], [0.15, 0.15]], 0.0).expect("a line"),
        ];
        let svg = drawn(&[heap()], &shapes);
        assert_eq!(svg.matches("<circle").count(), 240);
        assert_eq!(svg.matches(r##"fill-rule="evenodd""##).count(), 4);
        let largest = 12.0 * (0.2 + 2.0);
        let thin = heap()
            .touches
            .iter()
            .filter(|t| t.force <= THIN * largest)
            .count();
        let (_, chains) = svg
            .split_once(r#"stroke-opacity="0.55""#)
            .expect("there are forces");
        let (chains, _) = chains.split_once("</g></g>").expect("they end");
        assert_eq!(chains.matches("<line").count(), 240 - thin);
        // Names do not break the text.
        assert!(svg.contains("Heap &lt;1&gt; &amp; co"));
        assert!(svg.contains("kinetic energy"));
        if let Ok(path) = std::env::var("CAROM_PICTURE") {
            std::fs::write(path, svg).expect("it is written");
        }
    }

    #[test]
    fn what_is_not_finite_is_left_out_and_nothing_is_no_picture() {
        assert!(picture("", 0.0, &[], &[]).is_ok_and(|svg| svg.is_none()));
        let mut group = heap();
        group.positions[3] = [f64::NAN, 1.0, 0.0];
        group.positions[4] = [f64::INFINITY, 1.0, f64::NAN];
        let svg = drawn(&[group], &[]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "numbers only");
        assert_eq!(svg.matches("<circle").count(), 238);
    }

    #[test]
    fn lengths_of_the_scale_are_round() {
        for (x, rounded) in [(0.0123, 0.01), (0.21, 0.2), (7.0, 5.0), (1.0, 1.0)] {
            assert!((round(x) - rounded).abs() < 1e-12 * rounded, "{x}");
        }
    }
}

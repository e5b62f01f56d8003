//! How did the force of a contact go, for a picture?
//!
//! Contacts under way are followed point by point: indentation, its rate and the force. All room is there before the run begins; a contact that goes on for long keeps every second point, every fourth, …. Of those that
//! are over a few are kept: the first, the hardest and the longest.

use super::course::{Glance, Way};
use super::episode::Contacted;

/// A contact at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// The indentation, m (or rad).
    pub delta: f64,
    /// Its rate, m/s (or rad/s).
    pub rate: f64,
    /// The force that pushes the surfaces apart, N (or N m).
    pub force: f64,
}

impl From<&Glance> for Sample {
    fn from(at: &Glance) -> Self {
        Self {
            t: at.t,
            delta: at.delta,
            rate: at.rate,
            force: at.force,
        }
    }
}

/// Contacts that are followed at a time, and points of one: more can no longer be told apart in a picture.
pub(super) const CONTACTS: usize = 24;
const POINTS: usize = 160;
/// So many of the first, of the hardest and of the longest contacts are kept.
const KEPT: usize = 20;
/// Points in one stretch of the integration.
const BETWEEN: u32 = 6;

/// The contacts that are followed.
#[derive(Clone, Debug)]
pub(super) struct Traces {
    traces: Vec<Trace>,
    /// Which of them is that of a site.
    of: Vec<Option<usize>>,
}

#[derive(Clone, Debug)]
struct Trace {
    /// Whose it is.
    site: Option<usize>,
    /// Whether that contact is over: another may take its place.
    over: bool,
    samples: Vec<Sample>,
    last: Sample,
    own: f64,
    /// Every so many points one is kept; and how many have come since.
    every: u32,
    since: u32,
}

impl Traces {
    /// For so many sites.
    pub fn new(sites: usize) -> Self {
        let trace = || Trace {
            site: None,
            over: true,
            samples: Vec::with_capacity(POINTS),
            last: Sample::default(),
            own: 0.0,
            every: 1,
            since: 0,
        };
        let count = if sites == 0 { 0 } else { CONTACTS };
        Self {
            traces: (0..count).map(|_| trace()).collect(),
            of: vec![None; sites],
        }
    }

    /// As if nothing had ever touched.
    pub fn reset(&mut self) {
        self.of.fill(None);
        for trace in &mut self.traces {
            (trace.site, trace.over) = (None, true);
        }
    }

    fn at(&mut self, site: usize) -> Option<&mut Trace> {
        let i = (*self.of.get(site)?)?;
        self.traces.get_mut(i)
    }

    /// A site touches.
    pub fn begin(&mut self, site: usize, at: &Glance, own: f64) {
        let own_place = self.of.get(site).copied().flatten();
        let unused = || self.traces.iter().position(|trace| trace.site.is_none());
        let over = || self.traces.iter().position(|trace| trace.over);
        let place = own_place.or_else(unused).or_else(over);
        let Some(trace) = place.and_then(|i| self.traces.get_mut(i)) else {
            return;
        };
        let before = trace.site.replace(site);
        trace.over = false;
        trace.samples.clear();
        (trace.every, trace.since) = (1, 0);
        trace.own = own;
        trace.add(Sample::from(at));
        if let Some(of) = before.and_then(|before| self.of.get_mut(before)) {
            *of = None;
        }
        if let Some(of) = self.of.get_mut(site) {
            *of = place;
        }
    }

    /// The contact of a site is over; it may still go on, as long as nobody needs its place.
    pub fn end(&mut self, site: usize) {
        if let Some(trace) = self.at(site) {
            trace.over = true;
        }
    }

    /// A site has gone on from `from` to `now`; between them the indentation is near the cubic through both with their rates. `force` answers the force for an indentation, its rate, a time and the law's own variable.
    pub fn go(
        &mut self,
        site: usize,
        from: &Glance,
        now: &Glance,
        own: f64,
        force: impl Fn(f64, f64, f64, f64) -> f64,
    ) {
        let Some(trace) = self.at(site) else { return };
        let h = now.t - from.t;
        if !(h > 0.0) {
            return;
        }
        let way = Way::between(from, now);
        for k in 1..BETWEEN {
            let s = f64::from(k) / f64::from(BETWEEN);
            let t = from.t + s * h;
            let [delta, rate] = way.at(s);
            let own = trace.own + s * (own - trace.own);
            trace.add(Sample {
                t,
                delta,
                rate,
                force: force(delta, rate, t, own),
            });
        }
        trace.own = own;
        trace.add(Sample::from(now));
    }

    /// What is known of the contact that a site is in or has just been in: nothing, if it is not kept.
    pub fn of(&self, site: usize) -> Vec<Sample> {
        let trace = self.of.get(site).copied().flatten();
        let Some(trace) = trace.and_then(|i| self.traces.get(i)) else {
            return Vec::new();
        };
        let mut samples = trace.samples.clone();
        if samples.last() != Some(&trace.last) {
            samples.push(trace.last);
        }
        samples
    }
}

/// Drops the points of all contacts but the first, the hardest and the longest, in order of time; not before there are `most` too many.
pub(super) fn keep_some(contacts: &mut [Contacted], most: usize) {
    let traced = contacts.iter().enumerate();
    let traced = traced.filter(|(_, contacted)| !contacted.samples.is_empty());
    let mut places: Vec<usize> = traced.map(|(i, _)| i).collect();
    if places.len() <= 3 * KEPT + most {
        return;
    }
    let of = |i: usize, what: fn(&Contacted) -> f64| contacts.get(i).map_or(0.0, what);
    let mut kept: Vec<usize> = places.drain(..KEPT).collect();
    for what in [(|c| c.course.peak[0]) as fn(&Contacted) -> f64, |c| {
        c.episode.end - c.episode.start
    }] {
        // Equal ones in order of time.
        places.sort_by(|&a, &b| of(b, what).total_cmp(&of(a, what)).then(a.cmp(&b)));
        kept.extend(places.drain(..KEPT.min(places.len())));
    }
    for i in places {
        if let Some(contacted) = contacts.get_mut(i) {
            contacted.samples = Vec::new();
        }
    }
}

impl Trace {
    fn add(&mut self, sample: Sample) {
        self.last = sample;
        if self.since > 0 {
            self.since = (self.since + 1) % self.every;
            return;
        }
        if self.samples.len() == POINTS {
            let mut i = 0;
            self.samples.retain(|_| {
                i += 1;
                i % 2 == 1
            });
            self.every *= 2;
        }
        self.samples.push(sample);
        self.since = 1 % self.every;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// δ = sin t, F = δ in `steps` stretches up to π.
    fn half_oscillation(traces: &mut Traces, site: usize, steps: u32) {
        let at = |k: u32| {
            let t = std::f64::consts::PI * f64::from(k) / f64::from(steps);
            Glance {
                t,
                delta: t.sin(),
                rate: t.cos(),
                force: t.sin(),
                ..Glance::default()
            }
        };
        traces.begin(site, &at(0), 0.0);
        for k in 0..steps {
            traces.go(site, &at(k), &at(k + 1), 0.0, |delta, _, _, _| delta);
        }
    }

    #[test]
    fn the_points_lie_on_the_curve_from_touch_to_parting() {
        let mut traces = Traces::new(1);
        half_oscillation(&mut traces, 0, 8);
        let samples = traces.of(0);
        assert_eq!(samples.len(), 1 + 8 * BETWEEN as usize);
        for s in &samples {
            // A cubic over an eighth of half a period: h⁴/384 = 6e-5.
            assert!((s.delta - s.t.sin()).abs() < 7e-5, "{s:?}");
            assert_eq!(s.force, s.delta);
        }
        assert_eq!(samples.last().map(|s| s.t), Some(std::f64::consts::PI));
    }

    #[test]
    fn a_long_contact_keeps_its_whole_length_in_the_same_room() {
        let mut traces = Traces::new(1);
        half_oscillation(&mut traces, 0, 5000);
        let samples = traces.of(0);
        assert!(samples.len() <= POINTS + 1 && samples.len() > POINTS / 2);
        assert_eq!(traces.traces[0].samples.capacity(), POINTS);
        assert_eq!(samples.first().map(|s| s.t), Some(0.0));
        assert_eq!(samples.last().map(|s| s.t), Some(std::f64::consts::PI));
        assert!(samples.windows(2).all(|pair| pair[1].t > pair[0].t));
        // Evenly kept: no gap is more than twice the mean.
        let mean = std::f64::consts::PI / samples.len() as f64;
        assert!(samples.windows(2).all(|p| p[1].t - p[0].t < 2.1 * mean));
    }

    #[test]
    fn so_many_contacts_are_followed_at_a_time_and_one_that_is_over_makes_room() {
        let mut traces = Traces::new(CONTACTS + 3);
        for site in 0..CONTACTS + 2 {
            half_oscillation(&mut traces, site, 3);
            assert_eq!(traces.of(site).is_empty(), site >= CONTACTS, "{site}");
        }
        // Over, and still to be seen, until another one needs its place.
        traces.end(7);
        assert!(!traces.of(7).is_empty());
        half_oscillation(&mut traces, CONTACTS + 2, 3);
        assert!(!traces.of(CONTACTS + 2).is_empty());
        assert!(traces.of(7).is_empty());
        traces.reset();
        assert!(traces.of(0).is_empty());
        half_oscillation(&mut traces, 0, 3);
        assert!(!traces.of(0).is_empty());
    }
}

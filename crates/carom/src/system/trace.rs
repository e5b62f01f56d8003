//! How did the force of the first contacts go, for a picture?
//!
//! A few contacts of a run are kept point by point: indentation, its rate and the force. All room is there before the run begins; a contact that goes on for long keeps every second point, every fourth, ….

use super::course::{Glance, Way};

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

/// Contacts that are kept, and points of one: more can no longer be told apart in a picture.
pub(super) const CONTACTS: usize = 8;
const POINTS: usize = 160;
/// Points in one stretch of the integration.
const BETWEEN: u32 = 6;

/// The contacts that are kept.
#[derive(Clone, Debug)]
pub(super) struct Traces {
    traces: Vec<Trace>,
    /// Which of them is that of a site.
    of: Vec<Option<usize>>,
    used: usize,
}

#[derive(Clone, Debug)]
struct Trace {
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
            used: 0,
        }
    }

    /// As if nothing had ever touched.
    pub fn reset(&mut self) {
        self.of.fill(None);
        self.used = 0;
    }

    fn at(&mut self, site: usize) -> Option<&mut Trace> {
        let i = (*self.of.get(site)?)?;
        self.traces.get_mut(i)
    }

    /// A site touches.
    pub fn begin(&mut self, site: usize, at: &Glance, own: f64) {
        let next = (self.used < self.traces.len()).then_some(self.used);
        if let Some(of) = self.of.get_mut(site) {
            *of = next;
        }
        if let Some(trace) = self.at(site) {
            trace.samples.clear();
            (trace.every, trace.since) = (1, 0);
            trace.own = own;
            trace.add(Sample::from(at));
            self.used += 1;
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
    fn only_the_first_contacts_are_kept_and_a_new_run_begins_anew() {
        let mut traces = Traces::new(2);
        for k in 0..CONTACTS + 3 {
            half_oscillation(&mut traces, k % 2, 3);
            assert_eq!(traces.of(k % 2).is_empty(), k >= CONTACTS, "{k}");
        }
        traces.reset();
        assert!(traces.of(0).is_empty());
        half_oscillation(&mut traces, 0, 3);
        assert!(!traces.of(0).is_empty());
    }
}

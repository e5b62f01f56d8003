//! How deep, how hard and how lossy has a contact been?
//!
//! A course is noted stretch by stretch as the integration passes: what is integrated beside the motion (heat, impulse) is read off, the deepest point and the largest force are found on the dense output.

/// What is known of a contact at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Glance {
    /// s.
    pub t: f64,
    /// The indentation, m (or rad), and its rate.
    pub delta: f64,
    pub rate: f64,
    /// The force that pushes the surfaces apart, N (or N m).
    pub force: f64,
    /// What is stored, J.
    pub stored: f64,
    /// What has become heat along the normal, J; the integral of the force, N s; the same of friction. Their differences count.
    pub heat: f64,
    pub impulse: f64,
    pub rub_heat: f64,
    pub rub_impulse: f64,
    /// How far the surfaces have slid, to and fro, m; their speed, m/s; how far bristles are bent, m.
    pub slide: f64,
    pub slip: f64,
    pub bend: f64,
    /// Whether the load along the surfaces is less than what friction can bear: they should stick.
    pub rests: bool,
    /// Whether they do, or bend, since the last glance: that changes at events only.
    pub held: bool,
}

/// How a contact went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// The deepest indentation, m (or rad), and when, s.
    pub deepest: [f64; 2],
    /// The largest force, N (or N m), and when, s.
    pub peak: [f64; 2],
    /// The least force, N (or N m): negative where the law pulls.
    pub least: f64,
    /// The integral of the force over time while the indentation grew, and while it fell, N s (or N m s).
    pub impulse: [f64; 2],
    /// Of surfaces that do not yield: the integral of the force while they stay together, N s (or N m s). The impulses of blows are those above. Zero with compliance, where all is one force.
    pub pressed: f64,
    /// The integral of the friction, N s; positive 90° counter-clockwise from the normal, on the second body.
    pub rub_impulse: f64,
    /// The work that the force took while the indentation grew, and gave back while it fell, J.
    pub work: [f64; 2],
    /// What became heat along the normal while the indentation grew, and while it fell, J.
    pub heat: [f64; 2],
    /// What friction turned into heat, J.
    pub rub_heat: f64,
    /// How far the surfaces slid on each other, to and fro, m.
    pub slide: f64,
    /// How long the load along them was less than friction can bear, so that they should have stuck, s.
    pub rest: f64,
    /// How far they moved on each other meanwhile, m, beside what bends and comes back; positive as the slip. What is told of a contact is its magnitude.
    pub drift: f64,
    /// The most that was stored, J.
    pub stored: f64,
    /// How often the indentation turned back: more than once is compression anew without separation.
    pub turns: u32,
    last: Glance,
}

/// Between two glances the indentation is near the cubic through both with their rates.
pub(super) struct Way {
    delta: f64,
    rate: f64,
    h: f64,
    bend: f64,
    twist: f64,
}

impl Way {
    /// From one to a later one.
    pub fn between(from: &Glance, now: &Glance) -> Self {
        let (h, jump) = (now.t - from.t, now.delta - from.delta);
        Self {
            delta: from.delta,
            rate: from.rate,
            h,
            bend: 3.0 * jump - h * (2.0 * from.rate + now.rate),
            twist: h * (from.rate + now.rate) - 2.0 * jump,
        }
    }

    /// The indentation and its rate at this part of the way, between 0 and 1.
    pub fn at(&self, s: f64) -> [f64; 2] {
        let Self {
            delta,
            rate,
            h,
            bend,
            twist,
        } = *self;
        [
            delta + s * (h * rate + s * (bend + s * twist)),
            rate + s * (2.0 * bend + 3.0 * s * twist) / h,
        ]
    }
}

/// Where between the ends of a stretch the force is looked at.
const LOOKS: [f64; 5] = [0.02, 0.25, 0.5, 0.75, 0.98];

/// Of the deepest indentation: a turn that swings less far to both sides is not looked at closely.
const RIPPLE: f64 = 1e-3;

impl Course {
    /// Of surfaces that do not yield: there is no indentation, no force and nothing stored, only impulses.
    pub(super) fn rigid() -> Self {
        Self {
            deepest: [f64::NAN; 2],
            peak: [f64::NAN; 2],
            least: f64::NAN,
            stored: f64::NAN,
            drift: f64::NAN,
            ..Self::default()
        }
    }

    pub(super) fn begun(at: Glance) -> Self {
        Self {
            deepest: [at.delta.max(0.0), at.t],
            peak: [at.force, at.t],
            least: at.force.min(0.0),
            stored: at.stored,
            last: at,
            ..Self::default()
        }
    }

    /// The force where it was last noted, N (or N m): of a contact that is not over, at the end.
    pub fn force(&self) -> f64 {
        self.last.force
    }

    /// Where it was last noted.
    pub(super) fn last(&self) -> &Glance {
        &self.last
    }

    /// Goes on to `now`. `force` answers the force for an indentation, its rate and a time; `energy` what is stored at an indentation, and what has become heat there beside the damper's; `look` what is to be
    /// seen at a time inside, if the dense output is there. Answers whether a closer look would tell more, in which case nothing is noted yet.
    pub(super) fn go(
        &mut self,
        now: Glance,
        force: impl Fn(f64, f64, f64) -> f64,
        energy: impl Fn(f64) -> [f64; 2],
        look: Option<&mut dyn FnMut(f64) -> Glance>,
    ) -> bool {
        let from = self.last;
        let h = now.t - from.t;
        if !(h > 0.0) {
            return false;
        }
        let way = Way::between(&from, &now);
        let depth = |s: f64| way.at(s)[0];
        let forces = LOOKS.map(|s| {
            let [delta, rate] = way.at(s);
            force(delta, rate, from.t + s * h)
        });
        let most = forces.into_iter().fold(from.force.max(now.force), f64::max);
        // Rising from one end and falling to the other, it has its peak in between.
        let peaks = forces[0] > from.force && forces[4] > now.force || {
            forces[1..4].iter().any(|f| *f > from.force.max(now.force))
        };
        let peaks = peaks && most > self.peak[0] * (1.0 - 1e-3);
        let turns = from.rate > 0.0 && now.rate <= 0.0 || from.rate < 0.0 && now.rate >= 0.0;
        let turn = if turns {
            root(from.rate, 2.0 * way.bend / h, 3.0 * way.twist / h)
        } else {
            1.0
        };
        // At a turn, hill or valley, work taken and work given back are told apart, so that it must be known as well as they are; but not of a ripple.
        let matters = turns && {
            let reach = 0.25 * h * from.rate.abs().max(now.rate.abs());
            let ends = from.delta.max(now.delta);
            let first = from.rate > 0.0 && (self.turns == 0 || ends + reach > self.deepest[0]);
            let middle = depth(turn);
            let swing = (middle - from.delta).abs().max((middle - now.delta).abs());
            first || swing > RIPPLE * self.deepest[0]
        };
        if look.is_none() && (peaks || matters) {
            return true;
        }
        let mut at_turn = None;
        if let Some(look) = look {
            if peaks {
                let (value, t) = highest(|t| look(t).force, from.t, now.t);
                self.higher(value, t);
            }
            if turns {
                at_turn = Some(turning(look, from, now));
            }
        } else if turns {
            let s = turn;
            let mix = |a: f64, b: f64| a + s * (b - a);
            // What the indentation alone decides is taken there: between two ends of a valley it lies below both.
            let delta = depth(s);
            let [stored, kept] = energy(delta);
            let damped = |at: &Glance| at.heat - energy(at.delta)[1];
            at_turn = Some(Glance {
                t: from.t + s * h,
                delta,
                rate: 0.0,
                force: force(delta, 0.0, from.t + s * h),
                stored,
                heat: mix(damped(&from), damped(&now)) + kept,
                impulse: mix(from.impulse, now.impulse),
                rub_heat: mix(from.rub_heat, now.rub_heat),
                rub_impulse: mix(from.rub_impulse, now.rub_impulse),
                slide: mix(from.slide, now.slide),
                ..now
            });
        }
        for least in forces {
            self.least = self.least.min(least);
        }
        if now.rests && (from.rests || now.held) {
            self.rest += h;
            self.drift += 0.5 * h * (from.slip + now.slip) - (now.bend - from.bend);
        }
        self.higher(now.force, now.t);
        self.least = self.least.min(now.force);
        match at_turn {
            Some(turn) => {
                self.turns += u32::from(from.rate > 0.0);
                self.book(&from, &turn, from.rate > 0.0);
                self.book(&turn, &now, from.rate < 0.0);
            }
            None => self.book(&from, &now, from.rate + now.rate > 0.0),
        }
        self.last = now;
        false
    }

    /// The contact is over: what is still stored becomes heat.
    pub(super) fn close(&mut self) {
        self.heat[1] += self.last.stored;
    }

    /// The surfaces meet in the dent that they left: what is stored there comes out of the heat again.
    pub(super) fn reopen(&mut self, now: Glance) {
        self.heat[1] -= now.stored;
        self.last = now;
    }

    /// Goes on to an instant of which only integrals are known: the impulse (N s), and of friction its heat (J), impulse (N s) and way (m). `held`: whether the surfaces stuck meanwhile.
    pub(super) fn follow(&mut self, t: f64, now: [f64; 4], held: bool) {
        let [impulse, rub_heat, rub_impulse, slide] = now;
        self.pressed += impulse - self.last.impulse;
        self.rub_heat += rub_heat - self.last.rub_heat;
        self.rub_impulse += rub_impulse - self.last.rub_impulse;
        self.slide += slide - self.last.slide;
        if held {
            self.rest += t - self.last.t;
        }
        self.sync(t, now);
    }

    /// What was integrated up to here has been noted, or belongs to nobody.
    pub(super) fn sync(&mut self, t: f64, [impulse, rub_heat, rub_impulse, slide]: [f64; 4]) {
        self.last = Glance {
            t,
            impulse,
            rub_heat,
            rub_impulse,
            slide,
            ..Glance::default()
        };
    }

    fn higher(&mut self, force: f64, t: f64) {
        if force > self.peak[0] {
            self.peak = [force, t];
        }
    }

    /// Enters a stretch over which the indentation only grew, or only fell.
    fn book(&mut self, from: &Glance, to: &Glance, grows: bool) {
        let phase = usize::from(!grows);
        let heat = to.heat - from.heat;
        self.heat[phase] += heat;
        self.impulse[phase] += to.impulse - from.impulse;
        let work = to.stored - from.stored + heat;
        self.work[phase] += if grows { work } else { -work };
        self.rub_heat += to.rub_heat - from.rub_heat;
        self.rub_impulse += to.rub_impulse - from.rub_impulse;
        self.slide += to.slide - from.slide;
        if to.delta > self.deepest[0] {
            self.deepest = [to.delta, to.t];
        }
        self.stored = self.stored.max(to.stored);
    }
}

/// Where a line between two values of opposite signs is zero, between 0 and 1.
fn between(a: f64, b: f64) -> f64 {
    let s = a / (a - b);
    if s.is_finite() {
        s.clamp(0.0, 1.0)
    } else {
        1.0
    }
}

/// Where between 0 and 1 the rate a + b s + c s² is zero, if its ends have opposite signs: by false position as below.
fn root(a: f64, b: f64, c: f64) -> f64 {
    let value = |s: f64| a + s * (b + s * c);
    let (mut low, mut high) = ((0.0, a), (1.0, value(1.0)));
    let mut s = between(low.1, high.1);
    for _ in 0..40 {
        let here = value(s);
        if here.abs() <= 1e-14 * a.abs() || !(s > low.0 && s < high.0) {
            break;
        }
        if (here > 0.0) == (low.1 > 0.0) {
            low = (s, here);
            high.1 *= 0.5;
        } else {
            high = (s, here);
            low.1 *= 0.5;
        }
        s = low.0 + between(low.1, high.1) * (high.0 - low.0);
    }
    s
}

/// The instant between two at which the rate is zero: by false position, with the weight of an end that stays halved (Dowell and Jarratt 1971).
fn turning(look: &mut dyn FnMut(f64) -> Glance, from: Glance, to: Glance) -> Glance {
    let (mut a, mut b) = ((from.t, from.rate), (to.t, to.rate));
    let mut best = to;
    for _ in 0..40 {
        let t = a.0 + between(a.1, b.1) * (b.0 - a.0);
        if !(t > a.0 && t < b.0) {
            break;
        }
        best = look(t);
        if best.rate == 0.0 || (b.0 - a.0) <= 1e-14 * b.0.abs() {
            break;
        }
        if best.rate.abs() <= 1e-13 * from.rate.abs().max(to.rate.abs()) {
            break;
        }
        if (best.rate > 0.0) == (a.1 > 0.0) {
            a = (t, best.rate);
            b.1 *= 0.5;
        } else {
            b = (t, best.rate);
            a.1 *= 0.5;
        }
    }
    best
}

/// The largest value of a function with one peak between `a` and `b`, and where: by parabolas, and golden sections where they do not help.
fn highest(mut value: impl FnMut(f64) -> f64, a: f64, b: f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.381_966_011_250_105;
    let (mut left, mut right) = (a, b);
    let mut middle = a + 0.5 * (b - a);
    let mut at_middle = value(middle);
    let (mut second, mut third) = ((a, f64::NEG_INFINITY), (b, f64::NEG_INFINITY));
    for point in [a + 0.2 * (b - a), b - 0.2 * (b - a)] {
        let here = (point, value(point));
        if here.1 > at_middle {
            (second, third) = ((middle, at_middle), second);
            (middle, at_middle) = here;
        } else if here.1 > second.1 {
            (second, third) = (here, second);
        } else {
            third = here;
        }
        // The peak is between the neighbours of the best.
    }
    let step = 0.3 * (b - a);
    (left, right) = (left.max(middle - step), right.min(middle + step));
    for _ in 0..30 {
        // A peak is flat: a tenth of a millionth of the stretch changes the value in the fourteenth digit.
        if right - left <= 1e-7 * (b - a) {
            break;
        }
        let parabola = {
            let (p, q) = (middle - second.0, middle - third.0);
            let (u, v) = (at_middle - third.1, at_middle - second.1);
            let (top, bottom) = (p * p * u - q * q * v, p * u - q * v);
            middle - 0.5 * top / bottom
        };
        let near = 1e-9 * (b - a);
        let inside = parabola > left + near && parabola < right - near;
        let mut point = if inside && third.1.is_finite() {
            parabola
        } else if middle - left > right - middle {
            middle - GOLDEN * (middle - left)
        } else {
            middle + GOLDEN * (right - middle)
        };
        if (point - middle).abs() < near {
            point = if middle - left > right - middle {
                middle - near
            } else {
                middle + near
            };
        }
        let here = value(point);
        if here > at_middle {
            if point > middle {
                left = middle;
            } else {
                right = middle;
            }
            (second, third) = ((middle, at_middle), second);
            (middle, at_middle) = (point, here);
        } else {
            if point > middle {
                right = point;
            } else {
                left = point;
            }
            if here > second.1 {
                (second, third) = ((point, here), second);
            } else {
                third = (point, here);
            }
        }
        if (second.0 - middle).abs() <= 2.0 * near {
            break;
        }
    }
    (at_middle, middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_point_is_found_wherever_it_is() {
        for peak in [0.05, 0.21, 0.5, 0.77, 0.96] {
            let mut looks = 0;
            let (value, at) = highest(
                |t: f64| {
                    looks += 1;
                    2.0 - (3.0 * (t - peak)).powi(2) + (t - peak).powi(3)
                },
                0.0,
                1.0,
            );
            assert!((value - 2.0).abs() < 1e-12, "{peak}: {value}");
            assert!((at - peak).abs() < 1e-5, "{peak}: {at}");
            assert!(looks < 30, "{looks}");
        }
    }

    /// A linear spring: δ = sin t, F = δ, from touch to parting in three unequal stretches.
    #[test]
    fn a_course_has_the_peak_the_impulses_and_the_works_of_half_an_oscillation() {
        let at = |t: f64| Glance {
            t,
            delta: t.sin(),
            rate: t.cos(),
            force: t.sin(),
            stored: 0.5 * t.sin().powi(2),
            impulse: 1.0 - t.cos(),
            ..Glance::default()
        };
        let mut course = Course::begun(at(0.0));
        for t in [0.9, 2.3, std::f64::consts::PI] {
            let force = |delta: f64, _: f64, _: f64| delta;
            let energy = |delta: f64| [0.5 * delta * delta, 0.0];
            if course.go(at(t), force, energy, None) {
                let mut look = |t: f64| at(t);
                assert!(!course.go(at(t), force, energy, Some(&mut look)));
            }
        }
        let half = 0.5 * std::f64::consts::PI;
        assert!((course.deepest[0] - 1.0).abs() < 1e-14 && (course.deepest[1] - half).abs() < 1e-7);
        assert!((course.peak[0] - 1.0).abs() < 1e-13 && (course.peak[1] - half).abs() < 1e-5);
        for (found, known) in [
            (course.impulse[0], 1.0),
            (course.impulse[1], 1.0),
            (course.work[0], 0.5),
            (course.work[1], 0.5),
            (course.stored, 0.5),
        ] {
            assert!((found - known).abs() < 1e-7, "{found} {known}");
        }
        assert_eq!(course.turns, 1);
    }

    /// Works of a Hertzian spring, U = 2/5 δ^(5/2), that is pressed, let go by `part`, pressed again and let go: what is taken is U at both hills less U in the valley between them.
    #[test]
    fn at_a_valley_what_is_stored_lies_below_both_ends_of_the_stretch() {
        let energy = |delta: f64| [0.4 * delta.max(0.0).powf(2.5), 0.0];
        let force = |delta: f64, _: f64, _: f64| delta.max(0.0).powf(1.5);
        // δ = sin t + b sin 3t has hills beside a valley at π/2 for b > 1/9.
        for b in [0.4, 0.15, 0.1112] {
            let delta = |t: f64| t.sin() + b * (3.0 * t).sin();
            let rate = |t: f64| t.cos() + 3.0 * b * (3.0 * t).cos();
            let at = |t: f64| Glance {
                t,
                delta: delta(t),
                rate: rate(t),
                force: force(delta(t), 0.0, t),
                stored: energy(delta(t))[0],
                ..Glance::default()
            };
            // cos 3t = cos t (4 cos² t − 3): the hills are where 1 + 3b (4 cos² t − 3) = 0.
            let hill = ((9.0 * b - 1.0) / (12.0 * b)).sqrt().acos();
            let known = 2.0 * energy(delta(hill))[0] - energy(delta(0.5 * std::f64::consts::PI))[0];
            for stretches in [17, 26, 45, 200] {
                let mut course = Course::begun(at(0.0));
                for k in 1..=stretches {
                    let t = std::f64::consts::PI * f64::from(k) / f64::from(stretches);
                    if course.go(at(t), force, energy, None) {
                        let mut look = |t: f64| at(t);
                        assert!(!course.go(at(t), force, energy, Some(&mut look)));
                    }
                }
                // At a ripple the cubic is off by up to h⁴/384 times the fourth derivative, 1 + 81 b; the force is below 1, and there are three turns.
                let h = std::f64::consts::PI / f64::from(stretches);
                let off = 1e-9 + 3.0 * h.powi(4) / 384.0 * (1.0 + 81.0 * b);
                for work in course.work {
                    let error = (work - known).abs();
                    assert!(error < off, "{b} {stretches}: {work} {known} {off}");
                }
            }
        }
    }
}

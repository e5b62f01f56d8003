//! Which inputs may a law be given, at random but always the same, and how does a free impact on it go?
//!
//! Nothing here knows a law: a value comes from the parameter's range and from its unit at the size of a contact (0.05 kg at 0.3 m/s, 15 µm deep), geometry from its name.
#![allow(dead_code)]

use carom::card::{Fault, Need, Parameter, Role, Values};
use carom::contact::{Calibration, Card, Law, Separation, State, Touch};
use carom::solve::{Accepted, Action, Fired, Flow, Phase, Settings, Solver, Status, Watch};

use crate::formula::Names;
use crate::scaling;

/// Numbers at random, the same in every run (Marsaglia 2003, with Vigna's multiplier).
pub struct Random(u64);

impl Random {
    /// A row of numbers of its own for every name.
    pub fn new(name: &str) -> Self {
        let mut seed = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            seed = (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// 0 ≤ x < 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Every factor is as likely as any other.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() >> 33) as usize % from.len()]
    }

    /// A number that somebody might type by mistake, or to see what happens.
    pub fn wild(&mut self) -> f64 {
        match self.next() >> 60 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => 0.0,
            4 => -0.0,
            5 => f64::MIN_POSITIVE * self.unit(),
            6 => f64::MAX,
            7 => self.pick(&[1.0, -1.0, 0.5, 1.5, 2.0, 3.0]),
            8 | 9 => self.log(1e-300, 1e300),
            10 => -self.log(1e-300, 1e300),
            11 => -self.log(1e-3, 1e3),
            12 => f64::from_bits(self.next()),
            _ => self.log(1e-6, 1e6),
        }
    }
}

/// How many new metres, kilograms and seconds make an old one.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub metre: f64,
    pub kilogram: f64,
    pub second: f64,
}

impl Sizes {
    /// The factor by which a number of this unit grows; `symbols` are the parameters of the law.
    pub fn factor(&self, unit: &str, symbols: &Names) -> Result<f64, String> {
        let new = [self.metre, self.kilogram, self.second];
        scaling::factor(unit, new, &|name| symbols.get(name).copied())
    }
}

/// The sizes of a contact.
pub const CONTACT: Sizes = Sizes {
    metre: 1.5e-5,
    kilogram: 0.05,
    second: 5e-5,
};

/// The words of all choices, `separation` among them, in every combination; the first is the default one.
pub fn combinations(card: &Card) -> Vec<Vec<(&'static str, &'static str)>> {
    let mut all: Vec<Vec<(&'static str, &'static str)>> = vec![Vec::new()];
    let mut choices: Vec<(&'static str, Vec<&'static str>)> = card
        .choices
        .iter()
        .map(|c| (c.name, c.words.iter().map(|w| w.0).collect()))
        .collect();
    let separations = card.separations.iter().map(|s| s.name()).collect();
    choices.push(("separation", separations));
    for (name, words) in choices {
        all = words
            .iter()
            .flat_map(|word| {
                all.iter().map(move |before| {
                    let mut with = before.clone();
                    with.push((name, *word));
                    with
                })
            })
            .collect();
    }
    all
}

/// The symbols of the parameters that have a value or a default.
pub fn symbols(card: &Card, values: &Values) -> Names {
    let mut names = Names::new();
    for p in card.parameters {
        let default = match p.need {
            Need::Default(value) => Some(value),
            _ => None,
        };
        if let Some(value) = values.get(p.name).or(default) {
            names.insert(p.symbol.into(), value);
        }
    }
    names
}

/// A value for a parameter.
pub fn value(card: &Card, p: &Parameter, values: &Values, random: &mut Random) -> f64 {
    let has = |part: &str| p.name.contains(part);
    let range = p.range;
    for _ in 0..1000 {
        let x = if p.role == Role::Restitution {
            // The heights of forces grow without end towards zero.
            if random.unit() < 0.1 {
                1.0
            } else {
                random.between(0.05, 1.0)
            }
        } else if has("poisson") {
            random.between(0.05, 0.45)
        } else if p.unit.is_empty() {
            if p.role == Role::Exponent && random.coin() {
                random.pick(&[1.0, 1.5, 2.0])
            } else if range.low.is_finite() && range.high.is_finite() {
                if range.low > 0.0 && range.high > 10.0 * range.low {
                    random.log(range.low.max(0.3), range.high.min(4.0))
                } else {
                    random.between(range.low, range.high)
                }
            } else {
                range.low.max(0.0) + random.log(0.1, 3.0)
            }
        } else {
            match p.unit {
                "m" if has("clearance") => random.log(1e-5, 1e-3),
                "m" if has("radius") || has("length") || has("thickness") => random.log(5e-3, 5e-2),
                "Pa" if has("yield") || has("strength") || has("pressure") => random.log(2e8, 2e9),
                "Pa" => random.log(2e9, 2e11),
                "Pa s" => random.log(1e4, 1e6),
                "m^2" | "m²" => random.log(1e-6, 1e-4),
                unit => {
                    let size = CONTACT.factor(unit, &symbols(card, values));
                    size.unwrap_or_else(|wrong| panic!("{}: {}: {wrong}", card.id, p.name))
                        * random.log(0.1, 10.0)
                }
            }
        };
        if range.contains(x) {
            return x;
        }
    }
    panic!("{}: no value for {} in {range}", card.id, p.name)
}

/// Values for all parameters that must be given with these words, and for some that need not; `must` is among them.
pub fn values(
    card: &Card,
    words: &[(&'static str, &'static str)],
    must: &[&str],
    defaults: bool,
    random: &mut Random,
) -> Values {
    let mut given: Vec<&Parameter> = Vec::new();
    let mut out: Vec<&str> = Vec::new();
    let find = |name: &str| card.parameters.iter().find(|p| p.name == name);
    for name in must {
        if let Some(p) = find(name) {
            given.push(p);
            if let Need::Unless(others) = p.need {
                out.extend(others);
            }
        }
    }
    for p in card.parameters {
        if out.contains(&p.name) || given.iter().any(|g| g.name == p.name) {
            continue;
        }
        match p.need {
            Need::Required => given.push(p),
            Need::Default(_) | Need::Sometimes if !defaults && random.coin() => given.push(p),
            Need::Default(_) | Need::Sometimes => {}
            Need::Unless(others) => {
                let any = given.iter().any(|g| others.contains(&g.name));
                let none = others.iter().any(|o| out.contains(o));
                if any || !none && random.coin() {
                    for other in others {
                        if !given.iter().any(|g| g.name == *other)
                            && let Some(q) = find(other)
                        {
                            given.push(q);
                        }
                    }
                    out.push(p.name);
                } else {
                    given.push(p);
                    out.extend(others);
                }
            }
        }
    }
    // Pure numbers first: units have them in their exponents.
    given.sort_by_key(|p| !p.unit.is_empty());
    let mut values = Values::new();
    for p in given {
        let x = value(card, p, &values, random);
        values.set_number(p.name, x);
    }
    if let (Some(journal), Some(_)) = (values.get("journal_radius"), values.get("bearing_radius")) {
        values.set_number("bearing_radius", journal * (1.0 + random.log(5e-3, 0.1)));
    }
    for (name, word) in words {
        values.set_word(name, word);
    }
    values
}

/// A law with all that it was given, at a touch.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub values: Values,
    pub law: Law,
    pub touch: Touch,
    pub v0: f64,
    pub mass: f64,
}

/// A law at a touch, with the words given and everything else at random. Panics if there is none in many attempts.
pub fn drawn(
    card: &'static Card,
    words: &[(&'static str, &'static str)],
    must: &[&str],
    defaults: bool,
    random: &mut Random,
) -> Drawn {
    let mut must: Vec<String> = must.iter().map(|m| (*m).into()).collect();
    let mut last = Vec::new();
    for _ in 0..500 {
        let names: Vec<&str> = must.iter().map(String::as_str).collect();
        let values = values(card, words, &names, defaults, random);
        let v0 = random.log(0.03, 3.0);
        let mass = random.log(0.005, 0.5);
        let law = Law::new(card, &values, None, Calibration::Published);
        let touch = match &law {
            Ok(law) => law.touch(v0, mass).map_err(|fault| vec![fault]),
            Err(faults) => Err(faults.clone()),
        };
        match (law, touch) {
            (Ok(law), Ok(touch)) => {
                return Drawn {
                    values,
                    law,
                    touch,
                    v0,
                    mass,
                };
            }
            (_, Err(faults)) => {
                // Some parameters are needed with some words only; the law says so.
                for fault in &faults {
                    if let Fault::Missing { name, .. } = fault
                        && !must.iter().any(|m| m == name)
                    {
                        must.push((*name).into());
                    }
                }
                last = faults;
            }
            _ => {}
        }
    }
    let said: Vec<String> = last.iter().map(Fault::to_string).collect();
    panic!(
        "{} with {words:?}: never accepted: {}",
        card.id,
        said.join("; ")
    )
}

impl Drawn {
    /// About how deep the impact goes, m; inside what the law allows.
    pub fn depth(&self) -> f64 {
        self.touch.elastic_depth().min(0.8 * self.touch.limit())
    }

    /// A state in the middle of a contact, and the touch that has come there. A law that tells loading from unloading is in either, at states that belong to it.
    pub fn state(&self, random: &mut Random) -> (Touch, State) {
        let limit = 0.99 * self.touch.limit();
        for _ in 0..1000 {
            let mut touch = self.touch.clone();
            let depth = (self.depth() * random.between(0.05, 1.2)).min(limit);
            let own_time = self.depth() / self.v0;
            let mut s = State {
                delta: depth,
                rate: 0.0,
                time: own_time * random.between(0.0, 4.0),
                own: 0.0,
            };
            if touch.switch_guard(&s).is_some() && random.coin() {
                touch.switch(&s);
                s.delta = depth * random.between(0.02, 1.0);
            }
            s.rate = self.v0 * random.between(-1.0, 1.0);
            if touch.has_own() {
                s.own = touch.own_rate(&s).abs() * own_time * random.log(0.01, 100.0);
            }
            if touch.switch_guard(&s).is_none_or(|g| g > 0.0) {
                return (touch, s);
            }
        }
        panic!("no state found: {self:?}")
    }
}

/// What became of a free impact.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// Speed after over speed before; `None` if the bodies never parted.
    pub restitution: Option<f64>,
    /// The deepest indentation met, m.
    pub deepest: f64,
    /// The largest force met at the end of a step, N.
    pub peak: f64,
    /// The least force met while approaching, and while parting.
    pub least: [f64; 2],
    /// The time it took, s.
    pub duration: f64,
}

/// The impact in variables in which it is smooth: with δ = D σ⁴ and dt = σ³ dτ, D the depth, all powers of δ in quarters become whole ones, and the motion runs through both ends of the
/// contact without a kink. The state is σ, v, the law's own variable and t.
struct Free {
    touch: Touch,
    depth: f64,
    seen: Impact,
    scale: [f64; 4],
    rtol: f64,
}

impl Free {
    fn state(&self, y: &[f64]) -> State {
        State {
            delta: self.depth * (y[0] * y[0]) * (y[0] * y[0]),
            rate: y[1],
            time: y[3],
            own: y[2],
        }
    }
}

impl Flow for Free {
    fn rhs(&mut self, _tau: f64, y: &[f64], slope: &mut [f64]) {
        let s = self.state(y);
        let pace = y[0] * y[0] * y[0];
        slope[0] = y[1] / (4.0 * self.depth);
        slope[1] = -self.touch.force(&s).total() / self.touch.mass() * pace;
        slope[2] = self.touch.own_rate(&s) * pace;
        slope[3] = pace;
    }

    fn guard_count(&self) -> usize {
        3
    }

    fn guards(&mut self, _tau: f64, y: &[f64], g: &mut [f64]) {
        let s = self.state(y);
        // The indentation itself does not change its sign here; σ does.
        g[0] = match self.touch.separation() {
            Separation::ZeroIndentation => 1.0,
            _ => self.touch.separation_guard(&s),
        };
        g[1] = self.touch.switch_guard(&s).unwrap_or(1.0);
        g[2] = y[0];
    }

    fn phase(&mut self, _tau: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch = vec![Watch::Falling; 3];
        for i in 0..4 {
            phase.rtol[i] = self.rtol;
            phase.atol[i] = self.rtol * self.scale[i];
        }
    }

    fn event(&mut self, _tau: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        if fired.contains(0) || fired.contains(2) {
            return Action::Stop;
        }
        let s = self.state(y);
        self.touch.switch(&s);
        Action::Restart { first_step: None }
    }

    fn accept(&mut self, _tau: f64, y: &mut [f64]) -> Accepted {
        let s = self.state(y);
        let force = self.touch.force(&s).total();
        self.seen.peak = self.seen.peak.max(force);
        let phase = usize::from(y[1] < 0.0);
        self.seen.least[phase] = self.seen.least[phase].min(force);
        self.seen.deepest = self.seen.deepest.max(s.delta);
        Accepted::Unchanged
    }
}

/// A free impact from touch to separation.
pub fn impact(touch: &Touch, rtol: f64) -> Impact {
    let depth = touch.elastic_depth();
    let time = depth / touch.v0();
    let middle = State {
        delta: 0.5 * depth,
        ..State::default()
    };
    let own = (touch.own_rate(&middle).abs() * time).max(f64::MIN_POSITIVE);
    let mut flow = Free {
        touch: touch.clone(),
        depth,
        seen: Impact {
            restitution: None,
            deepest: 0.0,
            peak: 0.0,
            least: [0.0; 2],
            duration: f64::NAN,
        },
        scale: [1.0, touch.v0(), own, time],
        rtol,
    };
    let settings = Settings {
        first_step: Some(1e-2 * time),
        max_steps: 200_000,
        ..Settings::default()
    };
    let mut y = [0.0, touch.v0(), 0.0, 0.0];
    let mut solver = Solver::new(settings).expect("sound settings");
    let ended = solver.run(&mut flow, 0.0, 1000.0 * time, &mut y);
    match ended.status {
        Status::Stopped => {
            flow.seen.restitution = Some(-y[1] / touch.v0());
            flow.seen.duration = y[3];
        }
        Status::Completed => {}
        other => panic!("{other:?} at {} s in {touch:?}", y[3]),
    }
    flow.seen
}

//! Do many discs with a fixed step move as closed forms, single impacts and independent counts say?

use carom::card::Values;
use carom::contact::{self, Calibration, Damper, Elastic, Law, Restitution};
use carom::friction;
use carom::friction::Family;
use carom::geometry::Shape;
use carom::grains::{BroadPhase, Fault, Grain, Rules, Settings, Trouble, Wall, Who, World};
use carom::impact::{self, Accuracy};
use carom::mechanics::{Follows, Pose};
use carom::study::Inputs;
use std::f64::consts::PI;

const GRAVITY: f64 = 9.80665;

fn full() -> bool {
    std::env::var_os("CAROM_FULL").is_some()
}

/// Numbers that look random and are the same every time (splitmix64, Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        low + (high - low) * (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn law(id: &str, values: &Values) -> Law {
    let card = contact::find(id).expect("a law of the catalogue");
    Law::new(card, values, None, Calibration::Published)
        .unwrap_or_else(|faults| panic!("{id}: {faults:?}"))
}

fn rules(id: &str, values: &Values) -> Rules {
    Rules::new(Follows::Law(law(id, values)))
}

fn rub(id: &str, values: &Values) -> friction::Law {
    let card = friction::find(id).expect("a law of friction");
    friction::Law::new(card, values).unwrap_or_else(|faults| panic!("{id}: {faults:?}"))
}

fn spring(coefficient: f64, stiffness: f64, damping: f64) -> friction::Law {
    let values = Values::new()
        .number("coefficient", coefficient)
        .number("stiffness", stiffness)
        .number("damping", damping);
    rub("tangential-spring", &values)
}

fn plane(point: [f64; 2], normal: [f64; 2], rules: &Rules) -> Wall {
    wall(Shape::half_plane(point, normal).expect("sound"), rules)
}

fn wall(shape: Shape, rules: &Rules) -> Wall {
    Wall {
        shape,
        carrier: None,
        rules: rules.clone(),
    }
}

fn free(step: f64) -> Settings {
    Settings {
        step,
        gravity: [0.0; 2],
        ..Settings::default()
    }
}

fn heavy(step: f64) -> Settings {
    Settings {
        step,
        ..Settings::default()
    }
}

#[track_caller]
fn world(grains: &[Grain], walls: Vec<Wall>, rules: &Rules, settings: &Settings) -> World {
    World::new(grains, walls, rules.clone(), settings, &[])
        .unwrap_or_else(|fault| panic!("{fault}"))
}

#[track_caller]
fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world
            .step(&[])
            .unwrap_or_else(|trouble| panic!("{trouble}"));
    }
}

/// A box of grains of radius 4 to 6 mm on a shaken lattice, with a floor and two walls.
fn heap(count: usize, rules: &Rules, seed: u64) -> (Vec<Grain>, Vec<Wall>) {
    let mut dice = Dice(seed);
    let columns = (count as f64).sqrt().ceil() as usize;
    let pitch = 12.2e-3;
    let grains = (0..count)
        .map(|i| {
            let radius = dice.between(4e-3, 6e-3);
            let room = 0.5 * pitch - radius;
            let x = pitch * ((i % columns) as f64 + 0.5) + dice.between(-room, room);
            let y = pitch * ((i / columns) as f64 + 0.5) + dice.between(-room, room);
            let velocity = [dice.between(-0.1, 0.1), dice.between(-0.1, 0.1), 0.0];
            // Discs of 10 mm of 2500 kg/m³.
            Grain::disc([x, y, 0.0], velocity, radius, 25.0 * PI * radius * radius)
        })
        .collect();
    let width = pitch * columns as f64;
    let walls = vec![
        plane([0.0, 0.0], [0.0, 1.0], rules),
        plane([0.0, 0.0], [1.0, 0.0], rules),
        plane([width, 0.0], [-1.0, 0.0], rules),
    ];
    (grains, walls)
}

/// What is left of the approach speed after two discs of twice the mass have met, in a direction of no axis.
fn head_on(law: &Law, speed: f64, mass: f64, duration: f64, count: f64, phase: f64) -> f64 {
    let h = duration / count;
    let (sin, cos) = 0.3_f64.sin_cos();
    // Far apart in size from any depth of these laws.
    let radius = 0.5;
    let apart = 2.0 * radius + speed * h * (2.0 + phase);
    let grain = |at: f64, v: f64| {
        let position = [at * cos, at * sin, 0.0];
        Grain::disc(position, [v * cos, v * sin, 0.0], radius, 2.0 * mass)
    };
    let grains = [
        grain(-0.5 * apart, 0.5 * speed),
        grain(0.5 * apart, -0.5 * speed),
    ];
    let rules = Rules::new(Follows::Law(law.clone())).with_slowest(1e-9);
    let mut world = world(&grains, Vec::new(), &rules, &free(h));
    let mut met = false;
    for _ in 0..(40.0 * count) as usize {
        steps(&mut world, 1);
        met |= world.contacts() > 0;
        if met && world.contacts() == 0 {
            break;
        }
    }
    assert!(met && world.contacts() == 0, "{}: stays", law.card().id);
    let [a, b] = [0, 1].map(|i| world.grain(i).expect("there").velocity);
    ((b[0] - a[0]) * cos + (b[1] - a[1]) * sin) / speed
}

#[test]
fn two_discs_return_what_a_free_impact_of_the_law_returns_and_the_error_falls_with_the_step() {
    let (speed, mass) = (0.3, 0.046);
    let (mut seen, mut skipped) = (Vec::new(), Vec::new());
    for card in contact::cards() {
        let inputs = Inputs::plausible(card);
        let asked = Some(Restitution::Number(0.7));
        // With its own formula, or, where that needs a damping that nobody gave, with the one that is solved for.
        let ways = [Calibration::Published, Calibration::Exact].into_iter();
        let mut found = ways.filter_map(|way| {
            let law = Law::new(card, &inputs.values, asked.clone(), way).ok()?;
            let free = impact::simulate(&law, speed, mass, &Accuracy::default()).ok()?;
            (free.restitution > 0.05).then_some((law, free))
        });
        let Some((law, free)) = found.next() else {
            skipped.push(card.id);
            continue;
        };
        let touch = impact::begin(&law, speed, mass).expect("begins");
        // Where a force begins with the power p, or jumps at the turn, a part of a step is all that can be known of it.
        let order = match (touch.elastic(), touch.damper()) {
            (
                _,
                Damper::Power { p, .. } | Damper::Approach { p, .. } | Damper::Signed { p, .. },
            ) => 1.0 + p.value().min(1.0),
            (_, Damper::Parting { .. }) => 1.0,
            (_, Damper::Relaxing(_)) => 1.5,
            (Elastic::Plastic(_), _) => 2.0,
            _ => 2.0,
        };
        let error = |count: f64| {
            let phases = [0.05, 0.35, 0.65, 0.95, 0.2, 0.5, 0.8];
            // Where a coefficient is solved for, it is at every touch.
            let some = match law.calibration() {
                _ if full() => 7,
                Calibration::Published => 4,
                Calibration::Exact => 2,
            };
            phases.iter().take(some).fold(0.0_f64, |most, &phase| {
                let e = head_on(&law, speed, mass, free.duration(), count, phase);
                most.max((e - free.restitution).abs())
            })
        };
        let (coarse, fine) = (error(50.0), error(400.0));
        let found = (coarse / fine).ln() / 8.0_f64.ln();
        println!(
            "{:30} {coarse:.2e} {fine:.2e} order {found:.2} of {order}",
            card.id
        );
        seen.push((card.id, coarse, fine, found, order));
    }
    for (id, coarse, fine, found, order) in &seen {
        assert!(
            *found > order - 0.25 || *fine < 1e-8,
            "{id}: order {found}, not {order}"
        );
        assert!(*coarse < 0.03, "{id}: {coarse} at 50 steps a contact");
        assert!(*fine < 3e-3, "{id}: {fine} at 400 steps a contact");
    }
    assert!(skipped.len() < 4, "{skipped:?}");
    assert_eq!(seen.len() + skipped.len(), contact::cards().count());
}

#[test]
fn a_disc_slips_then_rolls_with_two_thirds_of_its_speed_whatever_the_law_of_friction() {
    let (radius, mass, speed, mu) = (0.01, 0.02, 0.5, 0.3);
    let stiffness = 1e7;
    let normal = rules("hertz", &Values::new().number("stiffness", stiffness));
    let delta = (mass * GRAVITY / stiffness).powf(2.0 / 3.0);
    let mut count = 0;
    for card in friction::cards() {
        if !matches!(card.family, Family::Regularised | Family::Bristle) {
            continue;
        }
        let mut values = Values::new();
        for p in card.parameters {
            let value = match p.name {
                "coefficient" | "static_coefficient" | "kinetic_coefficient" => mu,
                "v0" => 1e-5,
                "v1" => 1e-4,
                "transition_speed" | "stribeck_speed" => 1e-4,
                "stiffness" => 1e4,
                "damping" => 0.5,
                _ => continue,
            };
            values.set_number(p.name, value);
        }
        count += 1;
        let rules = normal.clone().with_friction(rub(card.id, &values));
        let start = Grain::disc([0.0, radius - delta, 0.0], [speed, 0.0, 0.0], radius, mass);
        let floor = plane([0.0, 0.0], [0.0, 1.0], &rules);
        let h = 2e-6;
        let mut world = world(&[start], vec![floor], &rules, &heavy(h));
        // Slipping ends at v0/(3 μ g) for a disc; the speed until then falls by μ g t (Coulomb).
        let end = speed / (3.0 * mu * GRAVITY);
        steps(&mut world, (0.8 * end / h) as usize);
        let now = world.grain(0).expect("there");
        let known = speed - mu * GRAVITY * world.time();
        // Some curves reach full friction at infinite speed only.
        assert!(
            (now.velocity[0] - known).abs() < 2e-3 * speed,
            "{}: {} {known}",
            card.id,
            now.velocity[0]
        );
        steps(&mut world, (1.2 * end / h) as usize);
        let now = world.grain(0).expect("there");
        // The friction acts in the middle of the overlap, half of it nearer to the centre than the surface.
        let arm = radius - 0.5 * delta;
        let inertia = 0.5 * radius * radius;
        let known = speed * arm * arm / (inertia + arm * arm);
        assert!(
            (now.velocity[0] - known).abs() < 2e-4 * speed,
            "{}: {} {known}",
            card.id,
            now.velocity[0]
        );
        assert!(
            (now.velocity[2] * arm + now.velocity[0]).abs() < 1e-3 * speed,
            "{}: rolls",
            card.id
        );
        let energies = world.energies();
        let lost = energies.heat_friction / (0.5 * mass * speed * speed);
        assert!((lost - 1.0 / 3.0).abs() < 2e-3, "{}: {lost}", card.id);
    }
    assert_eq!(count, 12);
}

#[test]
fn a_bristle_slips_with_full_friction_also_where_a_step_is_longer_than_its_way() {
    // A disc falls on a floor at 1 m/s along it, and bounces: over 0.1 s it loses μ g t, less what still presses (Coulomb; the mean of what presses is the weight). A step of 10 µs slides by 10 µm; bristles bend by
    // μ N/σ, 0.03 µm under the weight.
    let (radius, mass, mu) = (5e-3, 1e-3, 0.3);
    let normal = rules(
        "tsuji",
        &Values::new()
            .number("stiffness", 1e6)
            .number("restitution", 0.5),
    );
    for id in ["dahl", "lugre", "reset-integrator"] {
        let mut values = Values::new().number("stiffness", 1e5);
        for p in friction::find(id).expect("a law").parameters {
            match p.name {
                "coefficient" | "static_coefficient" | "kinetic_coefficient" => {
                    values.set_number(p.name, mu);
                }
                "stribeck_speed" => values.set_number(p.name, 1e-3),
                _ => {}
            }
        }
        let rules = normal.clone().with_friction(rub(id, &values));
        let delta = (mass * GRAVITY / 1e6_f64).powf(2.0 / 3.0);
        for height in [-delta, 2e-4] {
            let start = Grain::disc([0.0, radius + height, 0.0], [1.0, 0.0, 0.0], radius, mass);
            let floor = plane([0.0, 0.0], [0.0, 1.0], &rules);
            let mut world = world(&[start], vec![floor], &rules, &heavy(1e-5));
            steps(&mut world, 10_000);
            let speed = world.grain(0).expect("there").velocity[0];
            println!("{id} from {height}: {speed}");
            assert!(
                (speed - (1.0 - mu * GRAVITY * 0.1)).abs() < 3e-3,
                "{id}: {speed}"
            );
        }
    }
}

#[test]
fn an_oblique_impact_with_a_tangential_spring_is_the_closed_form_of_two_oscillators() {
    // Normal: half a swing of √(K/m). Tangential: the slip swings with √(kt (1/m + r²/I)) over that time; for a disc 1/m + r²/I = 3/m.
    let (radius, mass, approach, slide) = (0.5, 0.1, 0.01, 0.004);
    let k = 1e7;
    let omega = f64::sqrt(k / mass);
    let duration = PI / omega;
    // Where the spring is relaxed at the end (half a swing, a whole one) the error falls with the square of the step; else the force of friction jumps to nothing when the contact ends, somewhere in a step.
    for (ratio, order) in [(0.1, 1), (2.0 / 9.0, 1), (1.0 / 3.0, 2), (4.0 / 3.0, 2)] {
        let kt = ratio * k;
        let rules = rules("hooke", &Values::new().number("stiffness", k))
            .with_friction(spring(1e6, kt, 0.0));
        let swing = (3.0 * ratio).sqrt();
        let known = slide * (PI * swing).cos();
        let slip = |count: f64| {
            let h = duration / count;
            let mut most = 0.0_f64;
            for phase in [0.1, 0.35, 0.6, 0.85] {
                let start = Grain::disc(
                    [0.0, radius + approach * h * (1.0 + phase), 0.0],
                    [slide, -approach, 0.0],
                    radius,
                    mass,
                );
                let floor = plane([0.0, 0.0], [0.0, 1.0], &rules);
                let mut world = world(&[start], vec![floor], &rules, &free(h));
                steps(&mut world, (1.2 * count) as usize + 5);
                let after = world.grain(0).expect("there").velocity;
                assert!((after[1] / approach - 1.0).abs() < 1e-3);
                // Along +x at the floor; the surface of the disc turns with ω r.
                let found = after[0] + after[2] * radius;
                most = most.max((found - known).abs());
            }
            most / slide
        };
        let (coarse, fine) = (slip(50.0), slip(200.0));
        println!("kt/k {ratio}: {coarse:e} {fine:e}");
        let falls = 4.0_f64.powi(order);
        assert!(
            fine < 5e-3 && coarse / fine > 0.7 * falls,
            "{ratio}: {coarse} {fine}"
        );
    }
    // Slides throughout: the tangential impulse is μ times the normal one.
    let mu = 0.05;
    let rules =
        rules("hooke", &Values::new().number("stiffness", k)).with_friction(spring(mu, k, 0.0));
    let h = duration / 200.0;
    let start = Grain::disc(
        [0.0, radius + 2e-6, 0.0],
        [0.02, -approach, 0.0],
        radius,
        mass,
    );
    let floor = plane([0.0, 0.0], [0.0, 1.0], &rules);
    let mut world = world(&[start], vec![floor], &rules, &free(h));
    steps(&mut world, 260 + (2e-6 / approach / h) as usize);
    let after = world.grain(0).expect("there").velocity;
    assert!((after[0] - (0.02 - 2.0 * mu * approach)).abs() < 1e-4 * 0.02);
    assert!((after[2] + 2.0 * mu * approach * 2.0 / radius).abs() < 1e-3 * after[2].abs());
}

/// Pairs that overlap, by looking at all.
fn overlapping(grains: &[Grain]) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for i in 0..grains.len() {
        for j in i + 1..grains.len() {
            let [a, b] = [grains[i], grains[j]];
            let (dx, dy) = (b.position[0] - a.position[0], b.position[1] - a.position[1]);
            if (dx * dx + dy * dy).sqrt() < a.radius + b.radius {
                all.push((i, j));
            }
        }
    }
    all
}

#[test]
fn the_list_of_neighbours_misses_nobody() {
    let mut dice = Dice(7);
    for (scene, broad_phase) in [BroadPhase::Cells, BroadPhase::Sweep, BroadPhase::Auto]
        .into_iter()
        .cycle()
        .take(12)
        .enumerate()
    {
        // From nearly equal radii to a ratio of 40.
        let ratio = [1.1, 3.0, 25.0, 10.0][scene / 3];
        let side = [0.05, 0.08, 0.4, 0.2][scene / 3];
        let grains: Vec<Grain> = (0..150)
            .map(|_| {
                let radius = 2e-3 * f64::powf(ratio, dice.between(0.0, 1.0));
                let mut at = || dice.between(-side, side);
                let (x, y) = (at(), at());
                // Towards the middle, each its own way.
                let velocity = [dice.between(-0.5, 0.5), dice.between(-0.5, 0.5)];
                let velocity = [velocity[0] - 10.0 * x, velocity[1] - 10.0 * y, 0.0];
                Grain::disc([x, y, 0.0], velocity, radius, 1e-2)
            })
            .collect();
        // Those that would start deep in each other are left out.
        let mut kept: Vec<Grain> = Vec::new();
        for grain in grains {
            let clear = kept.iter().all(|other| {
                let d = [0, 1].map(|k| grain.position[k] - other.position[k]);
                (d[0] * d[0] + d[1] * d[1]).sqrt() > grain.radius + other.radius
            });
            if clear {
                kept.push(grain);
            }
        }
        let rules = rules(
            "hunt-crossley",
            &Values::new()
                .number("stiffness", 1e8)
                .number("restitution", 0.9),
        );
        let settings = Settings {
            broad_phase,
            skin: [0.02, 0.3][scene % 2],
            ..free(1e-5)
        };
        let mut world = world(&kept, Vec::new(), &rules, &settings);
        let mut met = 0;
        for _ in 0..400 {
            steps(&mut world, 20);
            let now: Vec<Grain> = world.grains().collect();
            let found: Vec<(usize, usize)> = world
                .touching()
                .iter()
                .map(|meet| match meet.other {
                    Who::Grain(other) => (meet.grain, other),
                    Who::Wall(_) => panic!("there is no wall"),
                })
                .collect();
            assert_eq!(found, overlapping(&now), "scene {scene}");
            met += found.len();
        }
        assert!(met > 20, "scene {scene}: {met}");
        assert!(world.statistics().rebuilds > 5);
    }
}

fn bits(world: &World) -> Vec<u64> {
    let grains = world.grains().flat_map(|g| {
        let mut all = g.position.to_vec();
        all.extend(g.velocity);
        all
    });
    let e = world.energies();
    let energies = [
        e.kinetic,
        e.gravitational,
        e.indentation,
        e.bristles,
        e.heat_normal,
        e.heat_friction,
        e.heat_rolling,
    ];
    grains.chain(energies).map(f64::to_bits).collect()
}

#[test]
fn one_two_and_three_threads_give_the_same_bytes() {
    let rolling = Values::new()
        .number("coefficient", 0.1)
        .number("radius", 1.0)
        .number("transition_speed", 1.0);
    let rules = rules(
        "tsuji",
        &Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.5),
    )
    .with_friction(spring(0.5, 2e4, 1.0))
    .with_rolling(rub("rolling-resistance", &rolling), true);
    let (grains, walls) = heap(700, &rules, 3);
    let run = |threads: usize| {
        let settings = Settings {
            threads,
            ..heavy(2e-5)
        };
        let mut world = world(&grains, walls.clone(), &rules, &settings);
        steps(&mut world, 6000);
        assert!(world.contacts() > 200 && world.statistics().rebuilds > 10);
        bits(&world)
    };
    let one = run(1);
    for threads in [2, 3] {
        assert!(one == run(threads), "{threads} threads");
    }
}

#[test]
fn momentum_and_angular_momentum_are_kept_to_rounding_where_there_are_no_walls() {
    let rules = rules(
        "tsuji",
        &Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.5),
    )
    .with_friction(spring(0.5, 2e4, 1.0));
    let (mut grains, _) = heap(300, &rules, 5);
    // They fall towards their middle.
    let middle = 0.5 * 12.2e-3 * 18.0;
    for grain in &mut grains {
        for k in 0..2 {
            grain.velocity[k] += 8.0 * (middle - grain.position[k]);
        }
        grain.velocity[2] = 20.0;
    }
    let momenta = |all: &mut dyn Iterator<Item = Grain>| {
        let mut sum = [0.0; 3];
        let mut scale = [0.0; 2];
        for g in all {
            let [x, y, _] = g.position;
            let [vx, vy, w] = g.velocity;
            sum[0] += g.mass * vx;
            sum[1] += g.mass * vy;
            sum[2] += g.mass * (x * vy - y * vx) + g.inertia * w;
            scale[0] += g.mass * (vx.abs() + vy.abs());
            scale[1] += g.mass * (x * vy - y * vx).abs() + g.inertia * w.abs();
        }
        (sum, scale)
    };
    let (before, scale) = momenta(&mut grains.iter().copied());
    let mut world = world(&grains, Vec::new(), &rules, &free(1e-5));
    steps(&mut world, 10_000);
    assert!(world.statistics().begun > 500);
    let (after, _) = momenta(&mut world.grains());
    for k in 0..3 {
        let scale = scale[k / 2];
        assert!(
            (after[k] - before[k]).abs() < 1e-13 * scale,
            "{k}: {} {}",
            after[k],
            before[k]
        );
    }
    // While most of the energy is gone.
    let e = world.energies();
    assert!(e.heat_normal + e.heat_friction > 0.5 * e.balance());
}

#[test]
fn the_ledger_closes_with_the_square_of_the_step() {
    // One grain among others in a bore: laws of all kinds of memory.
    for (id, values) in [
        ("hunt-crossley", Values::new().number("restitution", 0.6)),
        ("hertz", Values::new()),
        (
            "lankarani-nikravesh-plastic",
            Values::new().number("restitution", 0.6),
        ),
    ] {
        let rules =
            rules(id, &values.number("stiffness", 1e7)).with_friction(spring(0.3, 2e4, 0.5));
        let mut dice = Dice(11);
        let grains: Vec<Grain> = (0..9)
            .map(|i| {
                let at = [
                    0.013 * f64::from(i % 3 - 1),
                    0.013 * f64::from(i / 3 - 1),
                    0.0,
                ];
                let velocity = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), 30.0];
                Grain::disc(at, velocity, dice.between(4e-3, 6e-3), 2e-3)
            })
            .collect();
        let run = |h: f64| {
            let bore = wall(Shape::bore([0.0; 2], 0.03).expect("sound"), &rules);
            let mut world = world(&grains, vec![bore], &rules, &heavy(h));
            let before = world.energies();
            let mut most = 0.0_f64;
            let count = (0.02 / h).round() as usize;
            for _ in 0..count {
                steps(&mut world, 1);
                most = most.max((world.energies().balance() - before.balance()).abs());
            }
            assert!(world.statistics().begun > 10);
            let e = world.energies();
            assert!(e.heat_friction > 0.0 && e.heat_normal > -1e-4 * before.kinetic);
            most / before.kinetic
        };
        // The paths of grains part after a few impacts: the mean over halvings tells.
        let errors = [4e-6, 2e-6, 1e-6, 5e-7].map(run);
        println!("{id}: {errors:?}");
        assert!(
            errors[0] < 1e-3 && errors[3] < errors[0] / 50.0,
            "{id}: {errors:?}"
        );
    }
}

#[test]
fn contacts_keep_their_memory_through_a_thousand_lists_and_orders() {
    // Three discs in a pyramid stand by friction alone: tan 15° of it. A spring that forgot its deflection would let them creep apart. The whole stands on a floor that moves at 1 m/s, so that the list is made
    // anew all the time, and loose grains that pass overhead change the order; beside it the same on a floor at rest.
    let radius = 5e-3;
    let rules = rules(
        "tsuji",
        &Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.3),
    )
    .with_friction(spring(0.5, 1e4, 2.0));
    let run = |speed: f64, skin: f64, passing: bool| {
        let high = 3.0_f64.sqrt() * radius;
        let mut grains: Vec<Grain> = [
            [0.0, radius],
            [2.0 * radius, radius],
            [radius, radius + high],
        ]
        .iter()
        .map(|p| Grain::disc([p[0], p[1], 0.0], [speed, 0.0, 0.0], radius, 2e-3))
        .collect();
        if passing {
            for i in 0..40 {
                let x = 0.2 - 0.03 * f64::from(i);
                let v = [-2.0 * f64::from(i % 3), GRAVITY * 0.2, 0.0];
                grains.push(Grain::disc(
                    [x, 0.05 + 0.011 * f64::from(i), 0.0],
                    v,
                    radius,
                    2e-3,
                ));
            }
        }
        let floor = Wall {
            carrier: Some(0),
            ..plane([0.0, 0.0], [0.0, 1.0], &rules)
        };
        let pose = |t: f64| Pose::new([speed * t, 0.0, 0.0], [speed, 0.0, 0.0]);
        let settings = Settings {
            skin,
            ..heavy(2e-5)
        };
        let walls = vec![floor];
        let mut world = World::new(&grains, walls, rules.clone(), &settings, &[pose(0.0)])
            .unwrap_or_else(|fault| panic!("{fault}"));
        while world.time() < 0.4 {
            let next = world.time() + 2e-5;
            world.step(&[pose(next)]).unwrap_or_else(|t| panic!("{t}"));
        }
        let at = [0, 1, 2].map(|i| world.grain(i).expect("there"));
        (at, world.statistics(), speed * world.time())
    };
    let (still, _, _) = run(0.0, 2.0, false);
    // It stands: no speed is left, and the base has spread by no more than the springs give.
    for grain in &still {
        assert!(grain.velocity[0].abs() < 1e-9, "{:?}", grain.velocity);
    }
    let spread = still[1].position[0] - still[0].position[0] - 2.0 * radius;
    assert!(spread.abs() < 5e-6, "{spread}");
    for passing in [false, true] {
        let (moved, statistics, way) = run(1.0, 0.05, passing);
        assert!(statistics.rebuilds > 1000, "{statistics:?}");
        for (a, b) in still.iter().zip(&moved) {
            let off = [
                b.position[0] - way - a.position[0],
                b.position[1] - a.position[1],
                radius * (b.position[2] - a.position[2]),
            ];
            // Rounding of positions of half a metre, in contacts of a micrometre.
            assert!(off.iter().all(|x| x.abs() < 1e-9), "{passing}: {off:?}");
        }
    }
}

#[test]
fn a_grain_swings_in_a_bore_like_a_pendulum() {
    // Without friction: ω² = g/(R − r) for small swings; the indentation makes the string longer by itself.
    let (bore, radius, mass) = (0.1, 0.01, 0.01);
    let rules = rules("hertz", &Values::new().number("stiffness", 1e8));
    let delta = (mass * GRAVITY / 1e8_f64).powf(2.0 / 3.0);
    let length = bore - radius + delta;
    let angle = 0.01_f64;
    let start = Grain::disc(
        [length * angle.sin(), -length * angle.cos(), 0.0],
        [0.0; 3],
        radius,
        mass,
    );
    let hole = wall(Shape::bore([0.0; 2], bore).expect("sound"), &rules);
    let mut world = world(&[start], vec![hole], &rules, &heavy(1e-5));
    // A quarter of the period, with the correction of a finite swing (1 + θ²/16).
    let quarter = 0.5 * PI * (length / GRAVITY).sqrt() * (1.0 + angle * angle / 16.0);
    let mut before = world.grain(0).expect("there").position[0];
    let crossed = loop {
        steps(&mut world, 1);
        let now = world.grain(0).expect("there").position[0];
        if now <= 0.0 {
            break world.time() - 1e-5 * now / (now - before);
        }
        before = now;
    };
    assert!(
        (crossed / quarter - 1.0).abs() < 1e-5,
        "{crossed} {quarter}"
    );
    assert_eq!(world.contacts(), 1);
}

#[test]
fn segments_polygons_and_polylines_carry_and_let_slide() {
    // Without friction on a face at 20°: g sin 20° along it, m g cos 20° across.
    let (radius, mass) = (0.01, 0.01);
    let k = 1e8;
    let rules = rules("hertz", &Values::new().number("stiffness", k));
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    let turned = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let layer = 2e-3;
    let shapes = [
        Shape::segment([turned([-0.2, 0.0]), turned([0.2, 0.0])], layer),
        Shape::polygon(
            [[-0.2, -0.1], [0.2, -0.1], [0.2, layer], [-0.2, layer]]
                .map(turned)
                .to_vec(),
            1e-3,
        ),
        Shape::polyline(
            [[-0.2, layer], [0.0, layer], [0.2, layer]]
                .map(turned)
                .to_vec(),
            carom::geometry::Side::Below,
        ),
    ];
    for shape in shapes {
        let shape = shape.expect("sound");
        let kind = shape.kind();
        let delta = (mass * GRAVITY * cos / k).powf(2.0 / 3.0);
        let at = turned([0.15, layer + radius - delta]);
        let start = Grain::disc([at[0], at[1], 0.0], [0.0; 3], radius, mass);
        let mut world = world(&[start], vec![wall(shape, &rules)], &rules, &heavy(1e-5));
        steps(&mut world, 10_000);
        let now = world.grain(0).expect("there");
        let t = world.time();
        let along = (now.position[0] - at[0]) * cos + (now.position[1] - at[1]) * sin;
        let across = (now.position[1] - at[1]) * cos - (now.position[0] - at[0]) * sin;
        assert!(
            (along / (-0.5 * GRAVITY * sin * t * t) - 1.0).abs() < 1e-6,
            "{kind}: {along}"
        );
        assert!(across.abs() < 1e-9, "{kind}: {across}");
        let meets = world.touching();
        assert_eq!(meets.len(), 1, "{kind}");
        assert!(
            (meets[0].force / (mass * GRAVITY * cos) - 1.0).abs() < 1e-6,
            "{kind}"
        );
        assert!((meets[0].normal[0] - sin).abs() + (meets[0].normal[1] + cos).abs() < 1e-9);
        // Over the end it falls freely.
        steps(&mut world, 40_000);
        assert_eq!(world.contacts(), 0, "{kind}");
    }
}

#[test]
fn a_driven_floor_brings_in_the_work_that_lifts_the_grain() {
    // The floor rises with constant acceleration: it carries m (g + a), and its work is the energy of the grain.
    let (radius, mass, a) = (0.01, 0.01, 3.0);
    let k = 1e7;
    let rules = rules("hertz", &Values::new().number("stiffness", k));
    let delta = (mass * (GRAVITY + a) / k).powf(2.0 / 3.0);
    let start = Grain::disc([0.02, radius - delta, 0.0], [0.0; 3], radius, mass);
    let floor = Wall {
        carrier: Some(0),
        ..plane([0.0, 0.0], [0.0, 1.0], &rules)
    };
    let pose = |t: f64| Pose::new([0.0, 0.5 * a * t * t, 0.0], [0.0, a * t, 0.0]);
    let mut world = World::new(
        &[start],
        vec![floor],
        rules.clone(),
        &heavy(1e-5),
        &[pose(0.0)],
    )
    .unwrap_or_else(|fault| panic!("{fault}"));
    let before = world.energies();
    for i in 1..=20_000 {
        world
            .step(&[pose(f64::from(i) * 1e-5)])
            .unwrap_or_else(|trouble| panic!("{trouble}"));
    }
    let (t, e) = (world.time(), world.energies());
    let known = mass * (GRAVITY + a) * 0.5 * a * t * t;
    assert!(
        (e.wall_work / known - 1.0).abs() < 1e-6,
        "{} {known}",
        e.wall_work
    );
    assert!((e.balance() - before.balance()).abs() < 1e-6 * known);
    let [fx, fy, moment] = world.on_carrier(0);
    assert!(fx.abs() < 1e-12);
    assert!((fy / (-mass * (GRAVITY + a)) - 1.0).abs() < 1e-6, "{fy}");
    assert!((moment - 0.02 * fy).abs() < 1e-9, "{moment}");
}

#[test]
fn a_turning_drum_brings_in_what_friction_and_impacts_turn_into_heat() {
    let rules = rules(
        "hunt-crossley",
        &Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.5),
    )
    .with_slowest(0.02)
    .with_friction(spring(0.5, 2e4, 1.0));
    let drum = Wall {
        carrier: Some(0),
        ..wall(Shape::bore([0.0; 2], 0.06).expect("sound"), &rules)
    };
    let omega = 8.0;
    let pose = |t: f64| Pose::new([0.0, 0.0, omega * t], [0.0, 0.0, omega]);
    let (grains, _) = heap(16, &rules, 9);
    let grains: Vec<Grain> = grains
        .into_iter()
        .map(|mut g| {
            g.position[0] -= 0.0244;
            g.position[1] -= 0.0244;
            g
        })
        .collect();
    let run = |h: f64| {
        let walls = vec![drum.clone()];
        let mut world = World::new(&grains, walls, rules.clone(), &heavy(h), &[pose(0.0)])
            .unwrap_or_else(|fault| panic!("{fault}"));
        let before = world.energies().balance();
        let mut work = 0.0;
        let count = (0.6 / h).round() as u32;
        for i in 1..=count {
            world
                .step(&[pose(f64::from(i) * h)])
                .unwrap_or_else(|trouble| panic!("{trouble}"));
            // The drum gives what its moment says.
            work -= world.on_carrier(0)[2] * omega * h;
        }
        let e = world.energies();
        assert!(
            (work / e.wall_work - 1.0).abs() < 1e-3,
            "{work} {}",
            e.wall_work
        );
        assert!(e.wall_work > 1e-3 && e.heat_friction > 0.2 * e.wall_work);
        ((e.balance() - before) / e.wall_work).abs()
    };
    let (coarse, fine) = (run(1e-5), run(2.5e-6));
    println!("drum: {coarse:e} {fine:e}");
    assert!(coarse < 5e-3 && fine < coarse / 8.0, "{coarse} {fine}");
}

#[test]
fn a_rolling_disc_is_stopped_by_rolling_resistance() {
    // v' = −(2/3) μr g for a disc that rolls without slipping.
    let (radius, mass, speed, mu) = (0.01, 0.02, 0.2, 0.05);
    let k = 1e8;
    let delta = f64::powf(mass * GRAVITY / k, 2.0 / 3.0);
    let rolling = Values::new()
        .number("coefficient", mu)
        .number("radius", 1.0)
        .number("transition_speed", 1e-3);
    let rules = rules("hertz", &Values::new().number("stiffness", k))
        .with_friction(spring(0.5, 1e5, 5.0))
        .with_rolling(rub("rolling-resistance", &rolling), true);
    let velocity = [speed, 0.0, -speed / (radius - 0.5 * delta)];
    let start = Grain::disc([0.0, radius - delta, 0.0], velocity, radius, mass);
    let floor = plane([0.0, 0.0], [0.0, 1.0], &rules);
    let mut world = world(&[start], vec![floor], &rules, &heavy(5e-6));
    steps(&mut world, 40_000);
    let now = world.grain(0).expect("there").velocity[0];
    let known = speed - 2.0 / 3.0 * mu * GRAVITY * world.time();
    assert!((now - known).abs() < 2e-3 * speed, "{now} {known}");
    let lost = 0.75 * mass * (speed * speed - now * now);
    let heat = world.energies().heat_rolling;
    assert!((heat / lost - 1.0).abs() < 1e-2, "{heat} {lost}");
}

#[test]
fn a_heap_settles() {
    // Discs roll on each other like gears for ever unless rolling is resisted; here it is only braked, so that it holds nothing up and nothing creeps.
    let (count, long) = (500, 6.0);
    let rolling = Values::new()
        .number("coefficient", 0.05)
        .number("radius", 1.0)
        .number("transition_speed", 10.0);
    let rules = rules(
        "tsuji",
        &Values::new()
            .number("stiffness", 2e6)
            .number("restitution", 0.3),
    )
    .with_friction(spring(0.5, 5e3, 2.0))
    .with_rolling(rub("rolling-resistance", &rolling), true);
    let (grains, walls) = heap(count, &rules, 21);
    let h = 2e-5;
    let mut world = world(&grains, walls, &rules, &heavy(h));
    let before = world.energies().balance();
    let (mut peak, mut settled) = (0.0_f64, None);
    while world.time() < long {
        steps(&mut world, 500);
        let e = world.energies();
        peak = peak.max(e.kinetic);
        if e.kinetic < 1e-10 * peak {
            settled = Some(world.time());
            break;
        }
    }
    let e = world.energies();
    println!(
        "{count} grains: settled {settled:?}, peak {peak:e}, {:?}",
        world.statistics()
    );
    assert!(
        settled.is_some(),
        "{:e} of the peak is left",
        e.kinetic / peak
    );
    assert!(
        (e.balance() - before).abs() < 2e-2 * peak,
        "{:e}",
        (e.balance() - before) / peak
    );
    assert!(world.warnings().is_empty(), "{:?}", world.warnings());
    // What stands on the floor weighs what there is.
    let weight: f64 = grains.iter().map(|g| g.mass * GRAVITY).sum();
    let floor: f64 = world
        .touching()
        .iter()
        .map(|meet| match meet.other {
            Who::Wall(0) => meet.force,
            // Friction on the side walls, upward on the grains: on the wall 90° from the normal.
            Who::Wall(w) => meet.friction * if w == 1 { 1.0 } else { -1.0 },
            Who::Grain(_) => 0.0,
        })
        .sum();
    assert!((floor / weight - 1.0).abs() < 1e-3, "{floor} {weight}");
}

#[test]
fn memory_grows_with_the_number_of_grains_and_no_faster_up_to_a_hundred_thousand() {
    let rules = rules(
        "hunt-crossley",
        &Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.5),
    )
    .with_friction(spring(0.5, 2e4, 1.0));
    let bytes = |count: usize| {
        let (grains, walls) = heap(count, &rules, 1);
        let mut world = world(&grains, walls, &rules, &heavy(2e-5));
        steps(&mut world, 30);
        world.statistics().bytes as f64 / count as f64
    };
    let (few, many) = (bytes(2_000), bytes(100_000));
    println!("{few} {many} bytes a grain");
    assert!(many < 1.3 * few && many < 1000.0, "{few} {many}");
}

#[test]
fn a_step_allocates_nothing() {
    let rules = rules(
        "hunt-crossley",
        &Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.5),
    )
    .with_friction(spring(0.5, 2e4, 1.0));
    let (grains, walls) = heap(100, &rules, 2);
    let mut world = world(&grains, walls, &rules, &heavy(2e-5));
    // Room for the list has been found after a while.
    steps(&mut world, 8_000);
    let begun = world.statistics().begun;
    let mut lists = 0;
    for _ in 0..2_000 {
        let rebuilds = world.statistics().rebuilds;
        let info = allocation_counter::measure(|| steps(&mut world, 1));
        // Where the list is made anew it may ask for more room.
        if world.statistics().rebuilds > rebuilds {
            lists += 1;
        } else {
            assert_eq!(info.count_total, 0, "at {} s", world.time());
        }
    }
    let after = world.statistics().begun;
    assert!(after > begun + 20, "{begun} {after}");
    assert!(lists < 1_000, "{lists}");
}

#[test]
fn what_does_not_do_is_refused_in_words() {
    let rules = rules("hertz", &Values::new().number("stiffness", 1e7));
    let grain = Grain::disc([0.0, 0.1, 0.0], [0.0; 3], 0.01, 0.01);
    let refused =
        |grains: &[Grain], walls: Vec<Wall>, rules: &Rules, settings: &Settings| match World::new(
            grains,
            walls,
            rules.clone(),
            settings,
            &[],
        ) {
            Ok(_) => panic!("it was taken"),
            Err(fault) => fault.to_string(),
        };
    let good = heavy(1e-5);
    let dry = rules
        .clone()
        .with_friction(rub("coulomb", &Values::new().number("coefficient", 0.3)));
    let said = refused(&[grain], Vec::new(), &dry, &good);
    assert!(
        said.contains("coulomb") && said.contains("tangential-spring"),
        "{said}"
    );
    let said = refused(&[grain], Vec::new(), &rules, &Settings::default());
    assert!(
        said.contains("step is NaN s") && said.contains("suggested_step"),
        "{said}"
    );
    let said = refused(&[Grain { mass: 0.0, ..grain }], Vec::new(), &rules, &good);
    assert!(said.contains("grain 0: mass is 0 kg"), "{said}");
    let hole = wall(Shape::bore([0.0; 2], 5e-3).expect("sound"), &rules);
    let said = refused(&[grain], vec![hole], &rules, &good);
    assert!(said.contains("wall 0 and grain 0"), "{said}");
    let floor = Wall {
        carrier: Some(2),
        ..plane([0.0, 0.0], [0.0, 1.0], &rules)
    };
    let said = refused(&[grain], vec![floor], &rules, &good);
    assert!(
        said.contains("carrier 2") && said.contains("there are 0"),
        "{said}"
    );
    let deep = Grain {
        position: [0.0, 0.108, 0.0],
        ..grain
    };
    match World::new(&[grain, deep], Vec::new(), rules.clone(), &good, &[]) {
        Err(Fault::Start(trouble)) => {
            assert!(matches!(
                *trouble,
                Trouble::Deep {
                    grain: 0,
                    other: Who::Grain(1),
                    ..
                }
            ));
        }
        _ => panic!("it was taken"),
    }
    // While it moves.
    let fast = Grain {
        velocity: [300.0, 0.0, 0.0],
        ..grain
    };
    let mut world = world(&[fast], Vec::new(), &rules, &good);
    match world.step(&[]) {
        Err(Trouble::Fast {
            grain: 0, speed, ..
        }) => assert!((speed - 300.0).abs() < 1.0),
        other => panic!("{other:?}"),
    }
    assert!(world.step(&[]).is_err(), "it stays where it is");
}

#[test]
fn a_damper_too_strong_for_the_step_takes_energy_and_is_told() {
    // Laws that divide by the approach speed: what touched at 1 mm/s and carries a heap has a damper hundreds of times the critical one.
    for id in ["hunt-crossley", "gharib-hurmuzlu"] {
        let rules = rules(
            id,
            &Values::new()
                .number("stiffness", 1e7)
                .number("restitution", 0.3),
        )
        .with_friction(spring(0.5, 2e4, 1.0));
        let (grains, walls) = heap(200, &rules, 4);
        let mut world = world(&grains, walls, &rules, &heavy(2e-5));
        let before = world.energies();
        let all = before.balance();
        for _ in 0..40 {
            steps(&mut world, 500);
            let e = world.energies();
            assert!(
                (e.balance() - all).abs() < 2e-2 * all,
                "{id}: {:e}",
                e.balance() / all
            );
            let here = e.kinetic + e.gravitational + e.indentation + e.bristles;
            assert!(here < all * (1.0 + 1e-3), "{id}: {here} {all}");
        }
        assert!(world.energies().kinetic < 1e-3 * all, "{id}");
        let said = world.warnings();
        assert!(
            said.iter().any(|s| s.contains("was limited to that")),
            "{id}: {said:?}"
        );
    }
}

#[test]
fn contacts_with_too_few_steps_are_warned_of_with_both_numbers() {
    let rules = rules("hertz", &Values::new().number("stiffness", 1e7));
    let grain = Grain::disc([0.0, 0.0101, 0.0], [0.0, -1.0, 0.0], 0.01, 0.01);
    let walls = vec![plane([0.0, 0.0], [0.0, 1.0], &rules)];
    let step = carom::grains::suggested_step(&[grain], &walls, &rules, 1.0).expect("a step");
    let warned = |h: f64| {
        let mut world = world(&[grain], walls.clone(), &rules, &heavy(h));
        steps(&mut world, (5e-4 / h) as usize);
        assert_eq!(world.statistics().begun, 1);
        world.warnings()
    };
    assert!(warned(step).is_empty());
    let said = warned(5.0 * step);
    assert!(said.len() == 1 && said[0].contains("steps of"), "{said:?}");
}

//! Which scene belongs to a seed: bodies, shapes, laws, frictions, joints, speeds?

use super::laws::{self, Size};
use super::random::{Random, round};
use super::solids::{self, Shape, Solid};
use super::tree::{Table, Tree, Value};

/// A body before it is written down.
struct Draft {
    name: String,
    at: [f64; 2],
    angle: f64,
    velocity: [f64; 2],
    spin: f64,
    mass: f64,
    solid: Solid,
    points: Vec<(String, [f64; 2])>,
    /// It stands inside this ring.
    inside: Option<usize>,
}

impl Draft {
    fn inertia(&self) -> f64 {
        self.mass * self.solid.reach * self.solid.reach
    }

    /// A point of the ground in the body's axes.
    fn local(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (dx, dy) = (x - self.at[0], y - self.at[1]);
        let (s, c) = self.angle.sin_cos();
        [round(c * dx + s * dy), round(c * dy - s * dx)]
    }

    fn point(&mut self, at: [f64; 2]) -> String {
        let name = format!("p{}", self.points.len());
        let local = self.local(at);
        self.points.push((name.clone(), local));
        format!("{}.{name}", self.name)
    }
}

/// A scene on the way.
struct Scene {
    bodies: Vec<Draft>,
    ground: Vec<Shape>,
    ground_points: Vec<[f64; 2]>,
    elements: Vec<Table>,
    /// Pairs that are joined where they stand, and do not touch besides.
    tied: Vec<[usize; 2]>,
    /// Half the extent of where things happen, m.
    arena: f64,
    speed: f64,
    blunt: bool,
    /// Density and Young's modulus of everything, if stiffnesses follow from them.
    material: Option<[f64; 2]>,
    /// The largest speed a driver brings in, m/s.
    driven: f64,
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The scene of a seed, as a model file.
pub fn scene(seed: u64) -> Tree {
    let mut random = Random::new(seed);
    let random = &mut random;
    let count = random.count(2, 6);
    let size = random.log(1e-3, 0.3);
    // Alike, or the largest many times the smallest.
    let spread = random.pick(&[1.0, 1.5, 1.5, 5.0, 30.0_f64]);
    let blunt = random.chance(0.6);
    let mut scene = Scene {
        bodies: Vec::new(),
        ground: Vec::new(),
        ground_points: Vec::new(),
        elements: Vec::new(),
        tied: Vec::new(),
        arena: 0.0,
        speed: if random.chance(0.3) {
            100.0
        } else {
            random.log(0.05, 100.0)
        },
        blunt,
        material: None,
        driven: 0.0,
    };
    if blunt && random.chance(0.6) {
        let density = random.log(500.0, 8000.0);
        // Stiff enough that impacts stay shallow: ρ v² is small beside Young's modulus.
        let least = 1000.0 * density * (2.0 * scene.speed).powi(2);
        scene.material = Some([density, random.log(least.max(1e6), least.max(1e6) * 30.0)]);
    }
    let sizes: Vec<f64> = (0..count)
        .map(|_| (size * random.log(1.0 / spread, spread)).clamp(5e-4, 0.5))
        .map(round)
        .collect();
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let total: f64 = sizes.iter().sum();
    scene.arena = round(random.between(1.5, 4.0) * (total + largest));
    arena(&mut scene, random);
    for (i, size) in sizes.iter().enumerate() {
        place(&mut scene, i, *size, random);
    }
    joints(&mut scene, random);
    forces(&mut scene, random);
    write(scene, random)
}

/// The walls.
fn arena(scene: &mut Scene, random: &mut Random) {
    let a = scene.arena;
    let ground = &mut scene.ground;
    match random.count(0, 9) {
        0..=3 => {
            use std::f64::consts::{FRAC_PI_2, PI};
            let tilt = if random.chance(0.3) {
                random.between(-0.3, 0.3)
            } else {
                0.0
            };
            ground.push(solids::half_plane(
                "floor",
                [0.0, -a],
                round(FRAC_PI_2 + tilt),
            ));
            if random.chance(0.7) {
                ground.push(solids::half_plane("left", [-a, 0.0], 0.0));
            }
            if random.chance(0.7) {
                ground.push(solids::half_plane("right", [a, 0.0], round(PI)));
            }
            if random.chance(0.3) {
                ground.push(solids::half_plane("roof", [0.0, a], round(-FRAC_PI_2)));
            }
        }
        4 => ground.push(solids::bore("hole", a)),
        5 => {
            let waves = random.count(2, 4);
            let wave = random.between(0.01, 0.08);
            ground.push(solids::blob(
                "hole",
                round(1.1 * a),
                wave,
                waves,
                true,
                random,
            ));
        }
        6 => {
            let bend = random.between(0.05, 0.4) / a;
            let slope = random.between(-0.2, 0.2);
            let c = vec![0.0, slope, round(bend)];
            ground.push(solids::polynomial(
                "valley",
                c,
                round(1.5 * a),
                [0.0, -a],
                "below",
            ));
        }
        7 => {
            let open = random.between(0.2, 1.0);
            let ends = [
                round(std::f64::consts::PI + open),
                round(std::f64::consts::TAU - open),
            ];
            ground.push(solids::arc("cup", [0.0; 2], round(1.2 * a), ends, true));
        }
        8 if !scene.blunt => {
            let mut points = Vec::new();
            for i in -3..=3 {
                points.push([
                    round(0.5 * a * f64::from(i)),
                    round(-a - random.between(0.0, 0.3) * a),
                ]);
            }
            ground.push(solids::polyline("steps", points, "below"));
        }
        _ => {}
    }
    // Pegs that stand in the way: small beside the arena, at its rim.
    if random.chance(0.3) {
        for i in 0..random.count(1, 2) {
            let size = round(scene.arena * random.log(0.02, 0.15));
            let direction = random.direction();
            let at = direction.map(|x| round(0.72 * scene.arena * x));
            let name = format!("peg{i}");
            let long = [at[0] + size, at[1]].map(round);
            let shape = match random.count(0, 3) {
                0 => solids::segment(&name, at, long, round(0.1 * size)),
                1 if !scene.blunt => solids::segment(&name, at, long, 0.0),
                _ => solids::circle(&name, at, size),
            };
            scene.ground.push(shape);
        }
    }
}

/// A body where there is room for it.
fn place(scene: &mut Scene, index: usize, size: f64, random: &mut Random) {
    let name: String = NAMES[index].into();
    // A ring, with the next body inside.
    let around = scene
        .bodies
        .iter()
        .position(|b| b.solid.shapes[0].name == "rim");
    let filled = around.is_some_and(|r| scene.bodies.iter().any(|b| b.inside == Some(r)));
    let mut inside = None;
    let (solid, at) = if let (Some(ring), false) = (around, filled) {
        let other = &scene.bodies[ring];
        let bore = other.solid.thickness * 4.0;
        let solid = solids::any(round(bore * random.between(0.2, 0.6)), scene.blunt, random);
        inside = Some(ring);
        (solid, other.at)
    } else if around.is_none() && index < 5 && random.chance(0.06) {
        let wall = round(0.2 * size);
        let solid = Solid {
            shapes: vec![
                solids::circle("rim", [0.0; 2], size),
                solids::bore("bore", round(size - wall)),
            ],
            reach: size,
            thickness: wall,
            area: 3.0 * size * wall,
        };
        (solid, somewhere(scene, size, random))
    } else {
        let solid = solids::any(size, scene.blunt, random);
        let at = somewhere(scene, solid.reach, random);
        (solid, at)
    };
    let density = scene
        .material
        .map_or_else(|| random.log(300.0, 8000.0), |m| m[0]);
    let mass = round(density * solid.area * size * random.between(0.5, 2.0));
    let mut speed = scene.speed * random.unit();
    if random.chance(0.15) {
        speed = 0.0;
    } else if random.chance(0.2) {
        speed = scene.speed;
    }
    // Into the middle, or anywhere.
    let direction = if random.chance(0.6) && at != [0.0; 2] {
        let length = at[0].hypot(at[1]);
        let aside = random.between(-0.3, 0.3);
        let d = [-at[0] / length, -at[1] / length];
        [d[0] - aside * d[1], d[1] + aside * d[0]]
    } else {
        random.direction()
    };
    let spin = if random.chance(0.5) {
        round(random.between(-1.0, 1.0) * scene.speed / (2.0 * solid.reach))
    } else {
        0.0
    };
    scene.bodies.push(Draft {
        name,
        at,
        angle: if random.chance(0.7) {
            random.angle()
        } else {
            0.0
        },
        velocity: direction.map(|x| round(speed * x)),
        spin,
        mass,
        solid,
        points: Vec::new(),
        inside,
    });
}

/// A place for a body of this reach, clear of all others; the arena grows until there is one.
fn somewhere(scene: &mut Scene, reach: f64, random: &mut Random) -> [f64; 2] {
    let a = scene.arena;
    // Well inside walls, valleys and pegs at the rim; only free scenes can grow.
    for attempt in 0..2000 {
        let far = if scene.ground.is_empty() {
            0.6 * a * (1.0 + f64::from(attempt) * 0.01)
        } else {
            0.6 * a
        };
        let d = random.direction();
        let r = far * random.unit().sqrt();
        let at = d.map(|x| round(r * x));
        let wall = match scene.ground.is_empty() {
            true => true,
            false => at[0].hypot(at[1]) + reach < 0.55 * a,
        };
        let hair = if random.chance(0.1) { 1e-6 } else { 0.05 };
        let clear = scene.bodies.iter().all(|b| {
            let gap = (b.at[0] - at[0]).hypot(b.at[1] - at[1]) - b.solid.reach - reach;
            gap > hair * reach
        });
        if wall && clear {
            return at;
        }
    }
    // None: far above.
    let top = scene
        .bodies
        .iter()
        .map(|b| b.at[1] + b.solid.reach)
        .fold(a, f64::max);
    [0.0, round(top + 1.1 * reach)]
}

fn size_of(scene: &Scene, one: usize, two: Option<usize>, random: &mut Random) -> Size {
    let a = &scene.bodies[one];
    let (mass, thickness, radius) = match two.map(|b| &scene.bodies[b]) {
        Some(b) => (
            a.mass * b.mass / (a.mass + b.mass),
            a.solid.thickness.min(b.solid.thickness),
            a.solid.reach.min(b.solid.reach),
        ),
        None => (a.mass, a.solid.thickness, a.solid.reach),
    };
    // What hangs on them may be heavier.
    let heavy = scene.bodies.iter().map(|b| b.mass).fold(0.0, f64::max);
    let mass = if scene.elements.is_empty() {
        mass
    } else {
        mass.max(0.3 * heavy)
    };
    Size {
        depth: thickness * random.log(2e-3, 0.06),
        radius,
        mass,
        speed: 2.0 * scene.speed.max(scene.driven),
    }
}

fn joints(scene: &mut Scene, random: &mut Random) {
    if !random.chance(0.45) {
        return;
    }
    let n = scene.bodies.len();
    let mut jointed: Vec<[usize; 2]> = Vec::new();
    for j in 0..random.count(1, 2.min(n - 1)) {
        let i = random.count(0, n - 1);
        if scene.bodies[i].inside.is_some() || scene.tied.iter().flatten().any(|&k| k == i) {
            continue;
        }
        let name = format!("joint.j{j}");
        let reach = scene.bodies[i].solid.reach;
        let at = scene.bodies[i].at;
        let other = random.count(0, n - 1);
        let partner = (other != i
            && scene.bodies[other].inside.is_none()
            && !scene.tied.iter().flatten().any(|&k| k == other))
        .then_some(other);
        let mut table = Table::new(name);
        match random.count(0, 9) {
            // A pendulum, with or without friction, stops or play; or two bodies on a pin.
            0..=4 => {
                let (pin, first) = match partner {
                    Some(b) => {
                        let o = scene.bodies[b].at;
                        let pin = [round(0.5 * (at[0] + o[0])), round(0.5 * (at[1] + o[1]))];
                        scene.tied.push([i.min(b), i.max(b)]);
                        (pin, scene.bodies[b].point(pin))
                    }
                    None => {
                        let d = random.direction();
                        let arm = reach * random.between(0.1, 2.0);
                        let pin = [round(at[0] + arm * d[0]), round(at[1] + arm * d[1])];
                        scene.ground_points.push(pin);
                        (pin, format!("ground.g{}", scene.ground_points.len() - 1))
                    }
                };
                let second = scene.bodies[i].point(pin);
                table.set("type", "revolute");
                table.set("between", vec![first, second]);
                let radius = round(0.1 * reach);
                if random.chance(0.35) {
                    let mut size = size_of(scene, i, partner, random);
                    size.radius = radius;
                    size.depth = size.depth.min(0.02 * radius);
                    table.set("clearance", round(radius * random.log(1e-2, 0.2)));
                    table.set("journal_radius", radius);
                    table.set("length", 2.0 * radius);
                    laws::contact(&mut table.keys, &size, false, random);
                    table.keys.dedup_by(|a, b| a.0 == b.0);
                    let mut seen = Vec::new();
                    table.keys.retain(|(key, _)| {
                        let new = !seen.contains(key);
                        seen.push(key.clone());
                        new
                    });
                    if random.chance(0.5)
                        && let Some(friction) = laws::friction(&size, random)
                    {
                        table.set("friction", friction);
                    }
                } else {
                    let mut size = size_of(scene, i, partner, random);
                    // Bristles are those of the pin, however heavy others are: no spring of a pin of 50 µm has 1e14 N/m.
                    size.mass = partner.map_or(scene.bodies[i].mass, |b| {
                        scene.bodies[i].mass.min(scene.bodies[b].mass)
                    });
                    if random.chance(0.4)
                        && let Some(friction) = laws::joint_friction(&size, radius, random)
                    {
                        table.set("friction", friction);
                    }
                    if random.chance(0.3) {
                        let inertia = scene.bodies[i].inertia();
                        let speed = scene.speed / reach;
                        // As deep as a hundredth of a radian at full speed.
                        let k = inertia * speed * speed / 1e-4;
                        table.set(
                            "limits",
                            Value::Table(vec![
                                ("lower".into(), round(-random.between(0.2, 3.0)).into()),
                                ("upper".into(), round(random.between(0.2, 3.0)).into()),
                                ("law".into(), "hunt-crossley".into()),
                                ("stiffness".into(), round(k).into()),
                                ("exponent".into(), 1.0.into()),
                                ("restitution".into(), laws::restitution(random).into()),
                            ]),
                        );
                        if partner.is_some() {
                            // Angles of the two at the start are anything.
                            table.keys.pop();
                        } else {
                            scene.bodies[i].angle = 0.0;
                            let p = scene.bodies[i].points.len() - 1;
                            scene.bodies[i].points[p].1 = scene.bodies[i].local(pin);
                        }
                    }
                }
            }
            5 => {
                table.set("type", "translational");
                scene.ground_points.push(at);
                table.set(
                    "between",
                    vec![
                        format!("ground.g{}", scene.ground_points.len() - 1),
                        scene.bodies[i].name.clone(),
                    ],
                );
                table.set("direction", random.angle());
                if random.chance(0.4) {
                    let mut size = size_of(scene, i, None, random);
                    size.depth = size.depth.min(0.01 * reach);
                    table.set("clearance", round(reach * random.log(1e-3, 0.03)));
                    table.set("length", round(reach * random.between(0.5, 2.0)));
                    table.set("height", round(reach * random.between(0.3, 1.0)));
                    table.set("corner_radius", round(0.05 * reach));
                    // The length of a slider lies in the plane, and its clearance is that of no bearing: no laws of cylinders.
                    let mut keys: Vec<(String, Value)> = Vec::new();
                    let round = ["length", "clearance"];
                    while keys.is_empty() || keys.iter().any(|(key, _)| round.contains(&&**key)) {
                        keys.clear();
                        laws::contact(&mut keys, &size, false, random);
                    }
                    table.keys.extend(keys);
                    scene.bodies[i].spin = 0.0;
                    if random.chance(0.5)
                        && let Some(friction) = laws::friction(&size, random)
                    {
                        table.set("friction", friction);
                    }
                } else if random.chance(0.5) {
                    let size = size_of(scene, i, None, random);
                    if let Some(friction) = laws::guide_friction(&size, random) {
                        table.set("friction", friction);
                    }
                }
            }
            6 => {
                table.set("type", "link");
                let places = match partner {
                    Some(b) => vec![scene.bodies[b].name.clone(), scene.bodies[i].name.clone()],
                    None => {
                        let d = random.direction();
                        let pin =
                            [at[0] + 2.0 * reach * d[0], at[1] + 2.0 * reach * d[1]].map(round);
                        scene.ground_points.push(pin);
                        vec![
                            format!("ground.g{}", scene.ground_points.len() - 1),
                            scene.bodies[i].name.clone(),
                        ]
                    }
                };
                table.set("between", places);
            }
            7 => {
                let Some(b) = partner else { continue };
                table.set("type", "rigid");
                table.set(
                    "between",
                    vec![scene.bodies[b].name.clone(), scene.bodies[i].name.clone()],
                );
                scene.tied.push([i.min(b), i.max(b)]);
            }
            _ => {
                table.set("type", "pin-slot");
                scene.ground_points.push(at);
                let place = scene.bodies[i].point(at);
                table.set(
                    "between",
                    vec![format!("ground.g{}", scene.ground_points.len() - 1), place],
                );
                table.set("direction", random.angle());
                if random.chance(0.4) {
                    let mut size = size_of(scene, i, None, random);
                    let radius = round(0.1 * reach);
                    size.radius = radius;
                    size.depth = size.depth.min(0.02 * radius);
                    table.set("clearance", round(radius * random.log(1e-2, 0.2)));
                    table.set("pin_radius", radius);
                    let mut keys: Vec<(String, Value)> = Vec::new();
                    while keys.is_empty() || keys.iter().any(|(key, _)| key == "clearance") {
                        keys.clear();
                        laws::contact(&mut keys, &size, false, random);
                    }
                    table.keys.extend(keys);
                    if random.chance(0.5)
                        && let Some(friction) = laws::friction(&size, random)
                    {
                        table.set("friction", friction);
                    }
                }
            }
        }
        // Twice between the same two they would contradict each other, by rounding.
        let to_ground = ["pin-slot", "translational"].map(Value::from);
        let other = partner.filter(|_| !to_ground.contains(&table.keys[0].1));
        let pair = [i.min(other.unwrap_or(n)), i.max(other.unwrap_or(n))];
        if jointed.contains(&pair) {
            continue;
        }
        jointed.push(pair);
        scene.elements.push(table);
        // Velocities that a joint allows: both move alike, or turn about the pin.
        let still = |body: &mut Draft, velocity: [f64; 2], spin: f64| {
            (body.velocity, body.spin) = (velocity, spin);
        };
        let [velocity, spin] = [scene.bodies[i].velocity, [scene.bodies[i].spin, 0.0]];
        match partner.filter(|_| {
            !scene.elements.iter().rev().take(1).any(|t| {
                t.keys[0].1 == Value::from("pin-slot")
                    || t.keys[0].1 == Value::from("translational")
            })
        }) {
            Some(b) => {
                still(&mut scene.bodies[i], velocity, 0.0);
                still(&mut scene.bodies[b], velocity, 0.0);
            }
            None => still(&mut scene.bodies[i], [0.0; 2], spin[0]),
        }
    }
}

fn forces(scene: &mut Scene, random: &mut Random) {
    let n = scene.bodies.len();
    let pace = scene.speed / scene.arena;
    if random.chance(0.25) {
        let i = random.count(0, n - 1);
        let other = random.count(0, n - 1);
        let (at, reach) = (scene.bodies[i].at, scene.bodies[i].solid.reach);
        let second = scene.bodies[i].point([at[0] + 0.5 * reach, at[1]]);
        let first = if other != i {
            scene.bodies[other].name.clone()
        } else {
            "ground".into()
        };
        let k = round(scene.bodies[i].mass * pace * pace * random.log(0.1, 100.0));
        let mut table = Table::new("force.s0");
        match random.count(0, 3) {
            0 => {
                table.set("type", "rotational-spring");
                table.set("between", vec![first, second]);
                table.set("stiffness", round(k * reach * reach));
            }
            1 => {
                table.set("type", "bushing");
                table.set("between", vec![first, second]);
                table.set("stiffness", [k, k, round(k * reach * reach)]);
            }
            _ => {
                table.set("type", "spring");
                table.set("between", vec![first, second]);
                table.set("stiffness", k);
                if random.chance(0.5) {
                    table.set("damping", round(0.3 * (k * scene.bodies[i].mass).sqrt()));
                }
            }
        }
        scene.elements.push(table);
    }
    if random.chance(0.15) {
        let i = random.count(0, n - 1);
        let f = round(scene.bodies[i].mass * scene.speed * pace * random.log(0.1, 10.0));
        let w = round(pace * random.log(0.5, 5.0));
        let text = |f: f64| Value::from(format!("{f:?}*sin({w:?}*t)"));
        let force = if random.chance(0.5) {
            vec![f.into(), (-f).into()]
        } else {
            vec![text(f), 0.0.into()]
        };
        scene.elements.push(
            Table::new("force.f0")
                .with("type", "point")
                .with("at", scene.bodies[i].name.as_str())
                .with("force", Value::List(force)),
        );
    }
    if random.chance(0.15) {
        let i = random.count(0, n - 1);
        let free = !scene.elements.iter().any(|t| {
            t.head.starts_with("joint")
                && t.keys
                    .iter()
                    .any(|(_, v)| super::tree::mentions(v, &scene.bodies[i].name))
        });
        if free && scene.bodies[i].inside.is_none() {
            let w = round(pace * random.log(0.5, 5.0));
            let amplitude = round((0.2 * scene.arena).min(scene.speed / w));
            scene.driven = scene.driven.max(amplitude * w);
            let x = scene.bodies[i].at[0];
            scene.elements.push(
                Table::new("driver.d0")
                    .with("coordinate", format!("{}.x", scene.bodies[i].name))
                    .with("position", format!("{x:?} + {amplitude:?}*sin({w:?}*t)")),
            );
        }
    }
}

fn write(mut scene: Scene, random: &mut Random) -> Tree {
    let n = scene.bodies.len();
    let gravity = match random.count(0, 3) {
        0 => [0.0, 0.0],
        1 => [0.0, -9.81],
        // As strong as the speeds.
        2 => [
            0.0,
            -round(scene.speed * scene.speed / scene.arena * random.log(0.05, 1.0)),
        ],
        _ => [round(random.between(-3.0, 3.0)), -9.81],
    };
    let fall = (2.0 * gravity[0].hypot(gravity[1]) * 2.0 * scene.arena).sqrt();
    let speed = scene.speed;
    scene.speed = scene.speed.max(fall);
    let mut contacts = Vec::new();
    for i in 0..n {
        for j in i + 1..=n {
            let other = (j < n).then_some(j);
            if other.is_some_and(|j| scene.tied.contains(&[i, j])) {
                continue;
            }
            let one = &scene.bodies[i];
            let shapes: &[Shape] = other.map_or(&scene.ground, |j| &scene.bodies[j].solid.shapes);
            let within = |a: &Draft, ring: usize| a.inside == Some(ring);
            let mut pairs = Vec::new();
            let mut all = true;
            for s in &one.solid.shapes {
                for t in shapes {
                    // A bore is for what is inside, the rest of the world is outside.
                    let ok = match other {
                        Some(j) => {
                            let two = &scene.bodies[j];
                            let inner = within(one, j) && t.hole || within(two, i) && s.hole;
                            let outer = !s.hole && !t.hole && !within(one, j) && !within(two, i);
                            inner || outer
                        }
                        None => !s.hole && one.inside.is_none(),
                    };
                    if ok && s.can_meet(t) {
                        pairs.push([s.name.clone(), t.name.clone()]);
                    } else {
                        all = false;
                    }
                }
            }
            if pairs.is_empty() {
                continue;
            }
            let second = other.map_or("ground".to_string(), |j| scene.bodies[j].name.clone());
            let between: Vec<[String; 2]> = if all {
                vec![[one.name.clone(), second]]
            } else {
                pairs
                    .iter()
                    .map(|[s, t]| [format!("{}.{s}", one.name), format!("{second}.{t}")])
                    .collect()
            };
            for [s, t] in between {
                let size = size_of(&scene, i, other, random);
                let mut table = Table::new(format!("contact.c{}", contacts.len()));
                table.set("between", vec![s, t]);
                laws::contact(&mut table.keys, &size, scene.material.is_some(), random);
                if random.chance(0.6)
                    && let Some(friction) = laws::friction(&size, random)
                {
                    table.set("friction", friction);
                }
                if random.chance(0.15)
                    && let Some(rolling) = laws::rolling(&size, random)
                {
                    table.set("rolling", rolling);
                }
                contacts.push(table);
            }
        }
    }
    let grains = grains(&scene, random);
    let thinnest = scene
        .bodies
        .iter()
        .map(|b| b.solid.thickness)
        .fold(f64::INFINITY, f64::min);
    let fastest = 2.0 * speed.max(fall).max(scene.driven);
    let end = round(random.between(0.3, 1.5) * 2.0 * scene.arena / fastest);
    let looks = (end * fastest / (0.2 * thinnest)).clamp(200.0, 2000.0);
    let mut tables = vec![
        Table::new("").with("format", Value::Whole(1)),
        Table::new("simulation")
            .with("end", end)
            .with("gravity", gravity)
            .with("output_step", round(end / looks)),
    ];
    let integrator = random.pick(&[
        "auto", "auto", "auto", "auto", "auto", "dop853", "dop853", "tsit5", "adams", "radau",
    ]);
    if integrator != "auto" {
        tables.push(Table::new("solver").with("integrator", integrator));
    }
    if let Some([density, young]) = scene.material {
        tables.push(
            Table::new("material.m")
                .with("young", young)
                .with("poisson", random.between(0.1, 0.45))
                .with("density", density)
                .with("yield", round(young * 0.002)),
        );
    }
    let material = |shape: &Shape| {
        let mut value = shape.value.clone();
        if scene.material.is_some() {
            value.push(("material".into(), "m".into()));
        }
        Value::Table(value)
    };
    if !scene.ground.is_empty() || !scene.ground_points.is_empty() {
        let mut table = Table::new("ground");
        for (i, point) in scene.ground_points.iter().enumerate() {
            table.set(&format!("points.g{i}"), *point);
        }
        for shape in &scene.ground {
            table.set(&format!("shapes.{}", shape.name), material(shape));
        }
        tables.push(table);
    }
    for body in &scene.bodies {
        let mut table = Table::new(format!("body.{}", body.name))
            .with("mass", body.mass)
            .with("inertia", round(body.inertia() * random.between(0.2, 0.6)))
            .with("position", body.at);
        if body.angle != 0.0 {
            table.set("angle", body.angle);
        }
        table.set("velocity", body.velocity);
        if body.spin != 0.0 {
            table.set("angular_velocity", body.spin);
        }
        for (name, point) in &body.points {
            table.set(&format!("points.{name}"), *point);
        }
        for shape in &body.solid.shapes {
            table.set(&format!("shapes.{}", shape.name), material(shape));
        }
        tables.push(table);
    }
    tables.extend(scene.elements);
    tables.extend(contacts);
    tables.extend(grains);
    Tree { tables }
}

/// Now and then a few grains that fall onto it all from above.
fn grains(scene: &Scene, random: &mut Random) -> Option<Table> {
    let open = scene
        .ground
        .iter()
        .all(|s| !s.hole && s.name != "roof" && s.name != "cup");
    let rings = scene
        .bodies
        .iter()
        .any(|b| b.solid.shapes.iter().any(|s| s.hole));
    if !random.chance(0.12) || !open || rings || scene.material.is_some() {
        return None;
    }
    let a = scene.arena;
    let top = scene
        .bodies
        .iter()
        .map(|b| b.at[1] + b.solid.reach)
        .fold(a, f64::max);
    let radius = round(a * random.log(0.02, 0.08));
    let mass = round(random.log(300.0, 8000.0) * 3.0 * radius * radius * radius);
    let heavy = scene.bodies.iter().map(|b| b.mass).fold(mass, f64::max);
    let size = Size {
        depth: radius * random.log(2e-3, 0.03),
        radius,
        mass: heavy,
        speed: 2.0 * scene.speed.max(scene.driven),
    };
    let corner = |x: f64, y: f64| Value::List(vec![round(x).into(), round(y).into()]);
    let low = corner(-0.5 * a, 1.1 * top);
    let high = corner(0.5 * a, 1.1 * top + a);
    let mut table = Table::new("group.g")
        .with("count", Value::Whole(random.count(2, 5) as i64))
        .with("radius", radius)
        .with("mass", mass)
        .with("region", Value::List(vec![low, high]))
        .with("velocity", [0.0, -round(scene.speed * random.unit())]);
    let mut touches: Vec<String> = scene.bodies.iter().map(|b| b.name.clone()).collect();
    touches.extend((!scene.ground.is_empty()).then(|| "ground".to_string()));
    table.set("touches", touches);
    laws::contact(&mut table.keys, &size, false, random);
    let mut seen = Vec::new();
    table.keys.retain(|(key, _)| {
        let new = !seen.contains(key);
        seen.push(key.clone());
        new
    });
    if random.chance(0.8)
        && let Some(friction) = laws::friction(&size, random)
    {
        table.set("friction", friction);
    }
    if random.chance(0.3)
        && let Some(rolling) = laws::rolling(&size, random)
    {
        table.set("rolling", rolling);
    }
    Some(table)
}

//! How are the parts put together: consistent positions and velocities, degrees of freedom, redundant joints?

use crate::card::{rounded, short};
use crate::math;
use crate::mechanics::{Driven, Joint, Measure, Pose, pose_all};
use crate::model::{Analysis, ContactMethod, Model};
use crate::solve::Integrator;

use super::closing::{self, Gap};
use super::equations::{Equations, largest};
use super::mechanism::System;
use super::note::{Trouble, Warning};
use super::redundancy::Redundancy;
use super::rubbing::Rubbing;
use super::saddle::{Rank, Saddle};
use super::speeds;
use super::striking;
use super::structure::{Structure, Tie};
use super::touches::Touches;

/// Of a row in its own norm: less than this outside the span of others is nothing.
const DEPENDS: f64 = 1e-9;

impl System {
    /// Puts a model together: closes its joints from the positions given, finds velocities that obey them, counts its degrees of freedom, and says which joints are redundant.
    /// Everything that is wrong at once, as far as one fault does not hide another.
    pub fn assemble(model: &Model) -> Result<System, Vec<Trouble>> {
        let elements = elements(model)?;
        let refused = striking::refused(model);
        if !refused.is_empty() {
            return Err(refused);
        }
        let n = 3 * model.bodies.len();
        let mut masses = Vec::with_capacity(n);
        let mut weights = Vec::with_capacity(n);
        let mut q = Vec::with_capacity(n);
        let mut v = Vec::with_capacity(n);
        for entry in &model.bodies {
            let m = entry.body.mass();
            masses.extend(entry.body.diagonal());
            weights.extend([m * model.gravity[0], m * model.gravity[1], 0.0]);
            q.extend(entry.position);
            v.extend(entry.velocity);
        }
        let t = model.simulation.start;
        let build = |joints: Vec<Joint>| {
            let ties: Vec<Tie> = joints
                .iter()
                .map(|joint| {
                    let [a, b] = joint.bodies();
                    Tie::new(joint.count(), a, b)
                })
                .collect();
            let structure = Structure::new(model.bodies.len(), &ties).map_err(fault)?;
            let inverse: Vec<f64> = masses.iter().map(|m| 1.0 / m).collect();
            let rows = structure.rows();
            let saddle = Saddle::new(structure, &inverse).map_err(fault)?;
            let loads = model.loads.iter().map(|entry| entry.load.clone());
            Ok::<_, Vec<Trouble>>(Equations::new(
                masses.clone(),
                weights.clone(),
                joints,
                loads.collect(),
                Touches::new(model),
                Rubbing::new(model, rows),
                model,
                saddle,
            ))
        };

        // Gears mesh as the other joints let the bodies stand: these come first.
        let toothed: Vec<bool> = elements.iter().map(|e| e.meshes).collect();
        let (mut joints, names): (Vec<Joint>, Vec<String>) =
            elements.into_iter().map(|e| (e.joint, e.name)).unzip();
        if toothed.contains(&true) {
            let with = |(_, toothed): &(&Joint, &bool)| !**toothed;
            let others = joints.iter().zip(&toothed).filter(with);
            let mut equations = build(others.map(|(joint, _)| joint.clone()).collect())?;
            // What cannot be closed is told below, where all joints are there.
            let _ = closing::close(&mut equations, t, &mut q);
            let mut poses = vec![Pose::GROUND; model.bodies.len()];
            pose_all(&q, &v, &mut poses);
            for (joint, _) in joints.iter_mut().zip(&toothed).filter(|(_, t)| **t) {
                *joint = match joint.clone() {
                    Joint::Gear(gear) => gear.meshed(&poses).into(),
                    Joint::Rack(rack) => rack.meshed(&poses).into(),
                    other => other,
                };
            }
        }
        let given = q.clone();
        let mut equations = build(joints)?;
        if let Err(gaps) = closing::close(&mut equations, t, &mut q) {
            let mut troubles = cannot_close(&gaps, &equations, &names);
            let closes = |left_out: &dyn Fn(&str) -> bool| {
                let all = equations.joints.iter().zip(&names);
                let others = all.filter(|(_, name)| !left_out(name));
                let others = build(others.map(|(joint, _)| joint.clone()).collect());
                let mut q = given.clone();
                others.is_ok_and(|mut others| closing::close(&mut others, t, &mut q).is_ok())
            };
            blame_drivers(&mut troubles, model, closes);
            return Err(troubles);
        }
        let redundancy = redundancy(&mut equations, t, &q)?;
        velocities(&mut equations, t, &q, &mut v, &names)?;
        let grains: usize = model.of_grains().map(|group| group.count()).sum();
        let degrees = n - redundancy.rank.min(n) + 3 * grains;
        let mut warnings = redundant(&redundancy, &equations, &names);
        warnings.extend(speeds::changed(model, &v));
        let start = (t, &q[..], &v[..]);
        check_start(&mut equations, start, model, &names, &mut warnings)?;
        if model.simulation.analysis == Analysis::Dynamic {
            beyond_stops(model, &equations.poses, size(&q))?;
            own_variables(model, &equations)?;
            warnings.extend(overlaps(&mut equations, size(&q), model.method.contact));
            striking::crowded(&mut equations)?;
        }
        warnings.extend(off_centres(&equations, &names));
        warnings.extend(striking::as_coulomb(model));
        let not_unique = redundancy.ties(equations.saddle.structure());
        for entry in &model.frictions {
            if not_unique.contains(&entry.joint) {
                warnings.push(Warning {
                    code: "friction-not-unique",
                    element: Some(format!("joint.{}", entry.name)),
                    time: None,
                    message: "its friction follows from its reaction, and that is not unique because the joint is redundant: it is taken as if the joints that are left out carried nothing".into(),
                    hint: "leave the redundant joint out, or replace it by one that holds less".into(),
                });
            }
        }
        let mut system = System::new(
            model, equations, names, t, q, v, degrees, not_unique, warnings,
        );
        system.check_stepping()?;
        system.check_grains()?;
        system.check_driven().map_err(|trouble| vec![trouble])?;
        Ok(system)
    }
}

/// Of the travel of a joint: a start so far inside a stop may be a contact at rest, more is a slip of the pen.
const HAIR: f64 = 1e-3;

/// A joint that starts beyond a stop would be thrown back with a force that nobody meant.
fn beyond_stops(model: &Model, poses: &[Pose], size: f64) -> Result<(), Vec<Trouble>> {
    let mut troubles = Vec::new();
    for entry in &model.limits {
        let limit = &entry.limit;
        let ends = limit.ends();
        let unit = limit.travel().unit();
        let span = match ends[1] - ends[0] {
            span if span.is_finite() => span,
            // A stop at one end only: an angle of a radian, a length of the mechanism's.
            _ if unit == "rad" => 1.0,
            _ => size,
        };
        let sides = limit.gaps(poses).into_iter().zip(ends);
        for ((gap, end), side) in sides.zip(["lower", "upper"]) {
            if gap.value < -HAIR * span {
                let at = if side == "lower" {
                    end + gap.value
                } else {
                    end - gap.value
                };
                troubles.push(Trouble {
                    code: "beyond-stop",
                    element: Some(format!("joint.{}", entry.name)),
                    message: format!(
                        "it starts {} {unit} beyond its {side} stop: the joint stands at {} {unit}, and the stop at {} {unit}",
                        short(-gap.value), short(at), short(end)
                    ),
                    hint: if unit == "rad" {
                        "start between the stops; an angle counts whole turns, from where both directions are the same".into()
                    } else {
                        "start between the stops; the travel is how far the second point is along the first one's direction".into()
                    },
                });
            }
        }
    }
    if troubles.is_empty() {
        Ok(())
    } else {
        Err(troubles)
    }
}

/// Velocity Verlet has no room for a law's own variable.
fn own_variables(model: &Model, equations: &Equations) -> Result<(), Vec<Trouble>> {
    let joints = || equations.rubbing.with_own();
    let Some(element) = equations.touches.with_own().or_else(joints) else {
        return Ok(());
    };
    let steps = model.method.contact == ContactMethod::TimeStepping;
    if steps || !matches!(model.solver.integrator, Integrator::Verlet { .. }) {
        return Ok(());
    }
    Err(vec![Trouble {
        code: "own-variable",
        element: Some(element.into()),
        message: "its law has a variable of its own, which the integrator `verlet` does not follow"
            .into(),
        hint: "choose another integrator (auto, dop853, radau), or another law".into(),
    }])
}

/// Bodies that start inside each other by more than a contact at rest would be, and those where nothing says which way they part.
fn overlaps(equations: &mut Equations, size: f64, method: ContactMethod) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let (becomes, hint) = match method {
        ContactMethod::Compliant => (
            "the bodies are thrown apart by what is stored there",
            "the energy it starts with stands in the ledger",
        ),
        ContactMethod::Piecewise => (
            "without compliance nothing is stored there, and the bodies are put side by side if that is less than a fiftieth of the smaller shape",
            "compliant contact throws them apart",
        ),
        ContactMethod::TimeStepping => (
            "nothing is stored there; they are lifted out of each other in the first step",
            "what that takes stands in the residual of the energy",
        ),
    };
    for (element, site, depth, unique) in equations.touches.overlaps(&equations.poses) {
        if depth > HAIR * size {
            warnings.push(Warning {
                code: "starts-overlapping",
                element: Some(element.clone()),
                time: None,
                message: format!("{site} starts {} m deep: {becomes}", rounded(depth)),
                hint: format!(
                    "check positions, radii and on which side each shape is solid; {hint}"
                ),
            });
        }
        if !unique {
            warnings.push(Warning {
                code: "normal-not-unique",
                element: Some(element),
                time: None,
                message: format!(
                    "{site} starts where the direction of its force is not unique: one of several is taken"
                ),
                hint: "centre in centre, or as far from one face as from another; move one of the bodies a little towards the side where it belongs".into(),
            });
        }
    }
    warnings
}

/// Wheels whose pitch circles do not touch where other joints hold their centres.
fn off_centres(equations: &Equations, names: &[String]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (joint, name) in equations.joints.iter().zip(names) {
        let [a, b] = joint.places().map(|place| place.spot(&equations.poses));
        let (is, fits, message) = match joint {
            Joint::Gear(gear) => {
                let [ra, rb] = gear.radii();
                let (is, fits) = (Measure::distance(&a, &b).value, (ra + rb).abs());
                let message = format!(
                    "the centres are {} m apart, but pitch radii of {} m and {} m touch at {} m",
                    short(is),
                    short(ra),
                    short(rb),
                    short(fits)
                );
                (is, fits, message)
            }
            Joint::Rack(rack) => {
                let across = Measure::across(&a, &b).value;
                let radius = rack.radius();
                let message = format!(
                    "the wheel's centre is {} m to the left of the rack's pitch line, but its pitch radius is {} m",
                    short(across),
                    short(radius)
                );
                (across, radius, message)
            }
            _ => continue,
        };
        if (is - fits).abs() > 1e-6 * fits.abs() {
            warnings.push(Warning {
                code: "gear-centres",
                element: Some(name.clone()),
                time: None,
                message: format!("{message}: the ratio is kept, but the teeth would not meet"),
                hint: "check the radii and the points of the centres".into(),
            });
        }
    }
    warnings
}

/// Says of a loop that cannot be closed if it would close without a driver. `closes` tries without the elements it is told of.
fn blame_drivers(
    troubles: &mut [Trouble],
    model: &Model,
    closes: impl Fn(&dyn Fn(&str) -> bool) -> bool,
) {
    let Some(trouble) = troubles.first_mut() else {
        return;
    };
    if model.drivers.is_empty() || !closes(&|name| name.starts_with("driver.")) {
        return;
    }
    let t = model.simulation.start;
    let mut blamed = Vec::new();
    for entry in &model.drivers {
        let driver = format!("driver.{}", entry.name);
        if model.drivers.len() > 1 && !closes(&|name| name == driver) {
            continue;
        }
        let held: Vec<String> = entry
            .rows
            .iter()
            .map(|row| {
                let unit = if row.driven() == Driven::Turn {
                    "rad"
                } else {
                    "m"
                };
                format!("{} {unit}", short(row.function().value(t)))
            })
            .collect();
        blamed.push(format!(
            "{driver}, which holds {} at the start",
            held.join(" and ")
        ));
    }
    let without = if blamed.is_empty() {
        "the drivers".into()
    } else {
        blamed.join(", or without ")
    };
    trouble.message += &format!(". It closes without {without}");
    trouble.hint = "check what the driver asks for at the start: its position, and from where it counts (an angle counts whole turns)".into();
}

/// A joint or a row of a driver, with its name in full.
struct Element {
    name: String,
    joint: Joint,
    meshes: bool,
}

/// All that constrains, joints first.
fn elements(model: &Model) -> Result<Vec<Element>, Vec<Trouble>> {
    let mut elements = Vec::new();
    for entry in &model.joints {
        elements.push(Element {
            name: format!("joint.{}", entry.name),
            joint: entry.joint.clone(),
            meshes: entry.meshes,
        });
    }
    for entry in &model.drivers {
        for row in &entry.rows {
            elements.push(Element {
                name: format!("driver.{}", entry.name),
                joint: row.clone().into(),
                meshes: false,
            });
        }
    }
    let mut troubles = Vec::new();
    let count = model.bodies.len();
    let mut check = |name: String, bodies: [Option<usize>; 2]| {
        for body in bodies.into_iter().flatten().filter(|body| *body >= count) {
            troubles.push(Trouble {
                code: "no-such-body",
                element: Some(name.clone()),
                message: format!("it names body {body}, but there are {count}, counted from 0"),
                hint: String::new(),
            });
        }
    };
    for element in &elements {
        check(element.name.clone(), element.joint.bodies());
    }
    for entry in &model.limits {
        check(format!("joint.{}", entry.name), entry.limit.bodies());
    }
    for entry in &model.frictions {
        check(format!("joint.{}", entry.name), entry.friction.bodies());
    }
    for entry in &model.loads {
        check(format!("force.{}", entry.name), entry.load.bodies());
    }
    if model.bodies.is_empty() && model.of_grains().next().is_none() {
        troubles.push(Trouble {
            code: "no-body",
            element: None,
            message: "there is no body: nothing can move".into(),
            hint: "add a table such as [body.rod]".into(),
        });
    }
    if troubles.is_empty() {
        Ok(elements)
    } else {
        Err(troubles)
    }
}

fn fault(fault: super::structure::Fault) -> Vec<Trouble> {
    vec![Trouble {
        code: "not-solvable",
        element: None,
        message: fault.to_string(),
        hint: "check masses and sizes".into(),
    }]
}

/// How far joints stay open, the widest first.
pub(super) fn cannot_close(gaps: &[Gap], equations: &Equations, names: &[String]) -> Vec<Trouble> {
    let structure = equations.saddle.structure();
    let mut open: Vec<(f64, usize, bool)> = Vec::new();
    for gap in gaps {
        let Some(joint) = structure.tie_of(gap.row) else {
            continue;
        };
        let value = match equations.joints.get(joint) {
            // Its row is (d² − l²)/(2 l): what is missing is d − l.
            Some(Joint::Link(link)) => {
                let l = link.length();
                math::sqrt((l * l + 2.0 * l * gap.value).max(0.0)) - l
            }
            _ => gap.value,
        };
        match open
            .iter_mut()
            .find(|(_, j, turns)| *j == joint && *turns == gap.turns)
        {
            // In x and in y.
            Some(entry) => entry.0 = math::sqrt(entry.0 * entry.0 + value * value),
            None => open.push((value.abs(), joint, gap.turns)),
        }
    }
    open.sort_by(|a, b| b.0.total_cmp(&a.0));
    let name = |joint: usize| names.get(joint).map_or("?", String::as_str);
    let Some(&(value, joint, turns)) = open.first() else {
        return vec![Trouble {
            code: "cannot-close",
            element: None,
            message: "the positions of the joints cannot be computed: a number is not finite"
                .into(),
            hint: "check positions and sizes".into(),
        }];
    };
    let unit = if turns { "rad" } else { "m" };
    let driven = name(joint).starts_with("driver.");
    let what = if driven {
        "cannot be followed"
    } else {
        "cannot be closed"
    };
    let others = open.iter().filter(|(_, j, _)| *j != joint);
    let others: Vec<&str> = others.take(5).map(|(_, j, _)| name(*j)).collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!(" (also open: {})", others.join(", "))
    };
    vec![Trouble {
        code: "cannot-close",
        element: Some(name(joint).into()),
        message: format!(
            "`{}` {what}: with all other joints closed as far as they can be, it stays open by {value:.6} {unit}{others}",
            name(joint)
        ),
        hint: if driven {
            "no position of the mechanism obeys this driver: check its value at the start, and the other drivers".into()
        } else {
            "check the lengths of the parts in this loop, and the start positions given".into()
        },
    }]
}

/// Which rows say nothing new, at the start or, where the start is a singular position, beside it.
///
/// How many rows are redundant is seen anywhere, but not which of them share: at a special position (all in line, a slot along the path) some have no part in it that have one everywhere else.
/// What is said of them is therefore gathered over the start and positions beside it.
fn redundancy(equations: &mut Equations, t: f64, q: &[f64]) -> Result<Redundancy, Vec<Trouble>> {
    let v = vec![0.0; q.len()];
    equations.rows(t, q, &v);
    let jacobian = equations.jacobian.clone();
    let here = equations
        .saddle
        .drop_redundant(&jacobian, DEPENDS)
        .map_err(fault)?;
    if here.dependences.is_empty() {
        return Ok(here);
    }
    // A singular position loses ranks that its neighbours have: go a little along motions that are free, and ask again.
    let mut best = here;
    let mut others: Vec<Redundancy> = Vec::new();
    for direction in 0..3_u32 {
        let Some(aside) = aside(equations, t, q, direction) else {
            continue;
        };
        equations.rows(t, &aside, &v);
        let jacobian = equations.jacobian.clone();
        let there = equations
            .saddle
            .drop_redundant(&jacobian, DEPENDS)
            .map_err(fault)?;
        if there.rank > best.rank {
            // What depends in the singular position only is no redundancy.
            best = there;
            others.clear();
        } else if there.rank == best.rank {
            others.push(there);
        }
    }
    for other in others {
        best.also(other);
    }
    let rows: Vec<usize> = best.dependences.iter().map(|d| d.row).collect();
    equations.saddle.leave_out(&rows);
    Ok(best)
}

/// A closed position near to this one, a hundredth of a radian or of the size of the mechanism away.
fn aside(equations: &mut Equations, t: f64, q: &[f64], direction: u32) -> Option<Vec<f64>> {
    let v = vec![0.0; q.len()];
    let size = size(q);
    // Any direction will do that is not special: the fractional parts of multiples of the golden ratio.
    let mut wish: Vec<f64> = (0..q.len())
        .map(|i| {
            let x = (i as f64 + 1.0 + 17.0 * f64::from(direction)) * 0.618_033_988_749_895;
            let scale = if i % 3 == 2 { 1.0 } else { size };
            0.02 * scale * (x - x.floor() - 0.5)
        })
        .collect();
    equations.rows(t, q, &v);
    let jacobian = equations.jacobian.clone();
    equations.saddle.leave_out(&[]);
    let _ = equations.saddle.factor(&jacobian).ok()?;
    // Only what the joints leave free: J Δ = −J w takes the rest of the wish away.
    let structure = equations.saddle.structure();
    let violation: Vec<f64> = (0..jacobian.len())
        .map(|row| {
            let bodies = structure.row_bodies[row];
            (0..6)
                .map(|c| {
                    let body = bodies[c / 3];
                    wish.get(3 * body + c % 3)
                        .map_or(0.0, |w| w * jacobian[row][c])
                })
                .sum()
        })
        .collect();
    let mut change = vec![0.0; q.len()];
    equations.saddle.project(&violation, &mut change).ok()?;
    for ((wish, change), q) in wish.iter_mut().zip(&change).zip(q) {
        *wish += change + q;
    }
    // A mechanism without freedom may still be redundant beside itself: an open position shows it as well.
    let _ = closing::close(equations, t, &mut wish);
    wish.iter().all(|x| x.is_finite()).then_some(wish)
}

/// The size of a mechanism, m: the farthest coordinate, at least a millimetre.
pub(super) fn size(q: &[f64]) -> f64 {
    let coordinates = q.as_chunks::<3>().0.iter();
    coordinates.fold(1e-3, |m: f64, [x, y, _]| m.max(x.abs()).max(y.abs()))
}

/// Velocities that obey the joints, and hold what was given as far as they allow.
fn velocities(
    equations: &mut Equations,
    t: f64,
    q: &[f64],
    v: &mut [f64],
    names: &[String],
) -> Result<(), Vec<Trouble>> {
    speeds::hold(equations, t, q, v).map_err(fault)?;
    equations.rows(t, q, v);
    let jacobian = equations.jacobian.clone();
    let _ = equations.saddle.factor(&jacobian).map_err(fault)?;
    for _ in 0..2 {
        let mut change = vec![0.0; v.len()];
        equations.rows(t, q, v);
        let rates = equations.rates.clone();
        equations
            .saddle
            .project(&rates, &mut change)
            .map_err(fault)?;
        for (v, change) in v.iter_mut().zip(&change) {
            *v += change;
        }
    }
    equations.rows(t, q, v);
    let fastest = largest(&equations.times).max(largest(v)).max(1e-3);
    let mut troubles: Vec<Trouble> = Vec::new();
    for (row, rate) in equations.rates.iter().enumerate() {
        if rate.abs() <= 1e-8 * fastest {
            continue;
        }
        let joint = equations.saddle.structure().tie_of(row).unwrap_or(0);
        let element = names.get(joint).cloned();
        if troubles.iter().any(|t| t.element == element) {
            continue;
        }
        let name = names.get(joint).map_or("?", String::as_str);
        let unit = if equations.turning.get(row).is_some_and(|turning| *turning) {
            "rad/s"
        } else {
            "m/s"
        };
        troubles.push(Trouble {
            code: "inconsistent-velocities",
            element,
            message: format!(
                "`{name}` asks for a velocity that the other joints and drivers do not allow: it is missed by {:.6} {unit}",
                rate.abs()
            ),
            hint: "two drivers of one degree of freedom must agree; a mechanism in a dead point cannot be driven through it from there".into(),
        });
    }
    if troubles.is_empty() {
        Ok(())
    } else {
        Err(troubles)
    }
}

/// What is said of rows that are redundant: one warning for every joint that is too much.
fn redundant(redundancy: &Redundancy, equations: &Equations, names: &[String]) -> Vec<Warning> {
    let structure = equations.saddle.structure();
    let name = |joint: usize| names.get(joint).map_or("?", String::as_str);
    let mut warnings: Vec<Warning> = Vec::new();
    for dependence in &redundancy.dependences {
        let Some(joint) = structure.tie_of(dependence.row) else {
            continue;
        };
        let mut others: Vec<&str> = dependence
            .on
            .iter()
            .filter_map(|&row| structure.tie_of(row))
            .filter(|&other| other != joint)
            .map(name)
            .collect();
        others.sort_unstable();
        others.dedup();
        let with = if others.is_empty() {
            "nothing can move there".into()
        } else {
            let more = others.len().saturating_sub(6);
            others.truncate(6);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            let hold = if others.len() == 1 { "holds" } else { "hold" };
            format!("{}{more} {hold} that already", others.join(", "))
        };
        if warnings
            .iter()
            .any(|w| w.element.as_deref() == Some(name(joint)))
        {
            continue;
        }
        warnings.push(Warning {
            code: "redundant-constraint",
            element: Some(name(joint).into()),
            time: None,
            message: format!(
                "this {} is redundant: {with}. The motion is right, but rigid bodies do not tell how these joints share their force: their reactions are left out",
                if name(joint).starts_with("driver.") {
                    "driver"
                } else {
                    "joint"
                }
            ),
            hint: "leave one out, or replace it by a joint that holds less (pin-slot for a second guide), or by a bushing".into(),
        });
    }
    warnings
}

/// Accelerations must be there at the start.
fn check_start(
    equations: &mut Equations,
    (t, q, v): (f64, &[f64], &[f64]),
    model: &Model,
    names: &[String],
    warnings: &mut Vec<Warning>,
) -> Result<(), Vec<Trouble>> {
    let rank = equations.evaluate(t, q, v).map_err(fault)?;
    if let Rank::Deficient(rows @ 1..) = rank {
        warnings.push(Warning {
            code: "singular-start",
            element: None,
            time: Some(t),
            message: format!(
                "the mechanism starts in a singular position, where {rows} of its constraints say nothing new: reactions there are not unique, and which way it goes on may be a matter of chance"
            ),
            hint: "start a little beside it, unless that is what you want".into(),
        });
    }
    if equations.accelerations.iter().all(|a| a.is_finite()) {
        let energy = equations.kinetic(v) + equations.gravitational(q) + equations.elastic(t);
        if energy.is_finite() {
            return Ok(());
        }
        return Err(vec![Trouble {
            code: "not-finite",
            element: None,
            message: "the energy at the start is too large to compute with".into(),
            hint: "check positions, velocities, masses and stiffnesses: one of them is many orders of magnitude off".into(),
        }]);
    }
    let mut troubles = Vec::new();
    let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
    for (joint, name) in names.iter().enumerate() {
        let rows = equations.saddle.structure().rows_of(joint);
        let sound = rows
            .clone()
            .all(|row| finite(&equations.jacobian[row]) && equations.gamma[row].is_finite());
        if !sound {
            troubles.push(Trouble {
                code: "not-finite",
                element: Some(name.clone()),
                message: format!("its constraint has no finite value at t = {t} s"),
                hint: "two points that coincide have no distance to drive and no direction".into(),
            });
        }
    }
    if !finite(&equations.forces) {
        let mut forces = vec![0.0; q.len()];
        for (load, entry) in equations.loads.iter().zip(&model.loads) {
            forces.fill(0.0);
            load.apply(t, &equations.poses, &mut forces);
            if !finite(&forces) {
                troubles.push(Trouble {
                    code: "not-finite",
                    element: Some(format!("force.{}", entry.name)),
                    message: format!("its force is not finite at t = {t} s"),
                    hint: "check its function".into(),
                });
            }
        }
    }
    if troubles.is_empty() {
        troubles.push(Trouble {
            code: "not-finite",
            element: None,
            message: format!("the accelerations at t = {t} s are not finite"),
            hint: "check masses, sizes and speeds: they may be too far apart in size".into(),
        });
    }
    Err(troubles)
}

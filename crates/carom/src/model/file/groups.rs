//! How do the tables of groups become sets of bodies that may all touch each other, or grains by the thousand?
//!
//! With the integrator `verlet` grains that are made here stay what they are: discs that are moved with a fixed step. With every other integrator they are written out as ordinary bodies, and all that may
//! touch as ordinary contacts; there are then as many contacts as pairs, and so a limit.

use crate::card::short;
use crate::contact::materials::Material;
use crate::friction::{self, Family};
use crate::geometry;
use crate::geometry::{Frame, Pair, Shape, Track};
use crate::mechanics::{Body, Contact, Follows, Terms};
use crate::model::diagnostic::cut;
use crate::model::file::bodies::RESERVED;
use crate::model::file::contacts::{Named, Paired, Taken, pair_words, sides};
use crate::model::file::follows::Sides;
use crate::model::file::laws::Read;
use crate::model::file::placing::{Region, capacity, place};
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::scope::Outline;
use crate::model::file::tables::GROUP;
use crate::model::group::{Grain, GroupEntry, GroupWall, Members, Rolling};
use crate::model::mechanism::{BodyEntry, ContactEntry, Model, ShapeEntry};
use crate::model::method::ContactMethod;
use crate::model::units::pretty;
use crate::solve::Integrator;

/// The most members of a group whose pairs are written out: the work of a step grows with the square of their number.
const MOST_BODIES: usize = 64;

/// The most grains: more fit into no memory that people have.
const MOST_GRAINS: u64 = 10_000_000;

/// Of a radius: an overlap at the start that is more than rounding.
const HAIR: f64 = 1e-6;

/// The keys that mean something for grains that are made only.
const OF_GRAINS: [&str; 10] = [
    "radius",
    "profile",
    "mass",
    "density",
    "thickness",
    "material",
    "region",
    "seed",
    "velocity",
    "angular_velocity",
];

/// What holds at every touch of a group.
struct Everywhere {
    slowest: f64,
    friction: Option<friction::Law>,
    rolling: Option<Rolling>,
}

/// An outline beside the members.
struct Beside {
    body: Option<usize>,
    shape: usize,
    named: Named,
}

/// How grains are made.
struct Recipe {
    count: usize,
    radii: [f64; 2],
    region: Region,
    seed: u64,
}

impl<'a> Reader<'a> {
    /// The groups in the order of the file, and the bodies and contacts that they bring; what cannot be made is left out after a complaint.
    pub fn read_groups(
        &mut self,
        records: &[(&'a str, Record<'a>)],
        model: &mut Model,
        taken: &mut Taken,
    ) {
        let mut made = Vec::new();
        for (name, record) in records {
            let named = self.group_named(name, record);
            let group = if record.given("bodies") {
                self.group_of_bodies(name, record, model, taken)
            } else if record.given("count") {
                made.push((*name, record));
                self.group_of_grains(name, record, model)
            } else {
                self.law_of_group(record);
                None
            };
            if let Some(group) = group.filter(|_| named) {
                model.groups.push(group);
            }
        }
        if let [(one, _), (other, record), ..] = made.as_slice() {
            self.notes
                .warning(
                    &record.at,
                    &record.path,
                    format!("grains of `{one}` and of `{other}` do not touch each other"),
                )
                .hint(
                    "make them as one group; its radii may differ: radius = [\"4 mm\", \"6 mm\"]",
                );
        }
    }

    /// Whether the name can be that of a group: it is the first word of the channels of its grains.
    fn group_named(&mut self, name: &str, record: &Record<'a>) -> bool {
        let why = if RESERVED.contains(&name) {
            "the name has another meaning"
        } else if self.world.by_name.contains_key(name) {
            "a body has this name"
        } else {
            return true;
        };
        self.notes
            .error(
                &record.at,
                &record.path,
                format!("a group cannot be called `{name}`: {why}"),
            )
            .allowed(format!(
                "any name but those of bodies and {}",
                RESERVED.join(", ")
            ));
        false
    }

    /// What is wrong with the law is worth a word whatever it is between.
    fn law_of_group(&mut self, record: &Record<'a>) {
        let unknown = Sides {
            unknown: true,
            ..Sides::default()
        };
        self.follows(record, &beside(), &unknown);
    }

    /// Least speed, friction and rolling.
    fn everywhere(&mut self, record: &Record<'a>, fixed_step: bool) -> Option<Everywhere> {
        let rolling = self.rolling(record);
        let friction = match record.law("friction") {
            Some((rubbing, Read::Friction(law))) => {
                let why = match law.card().family {
                    Family::Dry if fixed_step => {
                        Some("sticks by events, which a fixed step does not look for")
                    }
                    Family::Rolling => Some("is a law of rolling"),
                    _ => None,
                };
                if let Some(why) = why {
                    let id = law.card().id;
                    let others = friction::cards().filter(|card| {
                        card.family != Family::Rolling
                            && !(fixed_step && card.family == Family::Dry)
                    });
                    let others: Vec<&str> = others.map(|card| card.id).collect();
                    self.notes
                        .error(
                            &rubbing.place("law"),
                            &rubbing.path_of("law"),
                            format!("`{id}` {why}"),
                        )
                        .value(id)
                        .allowed(others.join(", "))
                        .hint(match law.card().family {
                            Family::Rolling => "write it as rolling = { … }",
                            _ => "`tangential-spring` holds grains at rest as well",
                        });
                    return None;
                }
                Some(law.clone())
            }
            _ if record.given("friction") => return None,
            _ => None,
        };
        Some(Everywhere {
            slowest: record
                .number("approach_speed_floor")
                .unwrap_or(Contact::SLOWEST),
            friction,
            rolling: rolling.ok()?,
        })
    }

    /// What else the members may touch; `None` after a complaint.
    fn walls(&mut self, record: &Record<'a>, members: &[usize]) -> Option<Vec<Beside>> {
        let mut found: Vec<Beside> = Vec::new();
        let Some(node) = record.node("touches") else {
            for (i, outline) in self.world.ground.shapes.iter().enumerate() {
                let named = (format!("ground.{}", outline.name), outline.entry.clone()?);
                found.push(Beside {
                    body: None,
                    shape: i,
                    named,
                });
            }
            return Some(found);
        };
        let path = record.path_of("touches");
        let Some(list) = node.list() else {
            self.wrong_type(
                node,
                &path,
                "a list of outlines, such as [\"ground.floor\", \"drum\"]",
            );
            return None;
        };
        let mut sound = true;
        for node in list {
            let Some(side) = self.side(node, &path) else {
                sound = false;
                continue;
            };
            if let Some(member) = side.body.filter(|body| members.contains(body)) {
                let name = self.world.bodies.get(member).map_or("", |body| &body.name);
                let message = format!("`{name}` is in the group already");
                self.notes
                    .wrong(node, &path, message)
                    .hint("`touches` says what the group may touch beside its own bodies");
                sound = false;
                continue;
            }
            let standing = match side.body {
                Some(body) => self.world.bodies.get(body)?,
                None => &self.world.ground,
            };
            for named in side.shapes {
                let of = |outline: &Outline| outline.name == named.1.name;
                let shape = standing.shapes.iter().position(of)?;
                let twice = |known: &Beside| known.body == side.body && known.shape == shape;
                if found.iter().any(twice) {
                    continue;
                }
                found.push(Beside {
                    body: side.body,
                    shape,
                    named,
                });
            }
        }
        sound.then_some(found)
    }

    /// The law between two, said once where many are alike.
    fn follows_quietly(&mut self, record: &Record<'a>, sides: &Sides) -> Option<Follows> {
        let mark = self.notes.mark();
        let follows = self.follows(record, &beside(), sides);
        self.notes.forget_repeats(mark);
        follows
    }

    /// A group of bodies that the file has: contacts of every two, and of each with what else it may touch.
    fn group_of_bodies(
        &mut self,
        name: &str,
        record: &Record<'a>,
        model: &mut Model,
        taken: &mut Taken,
    ) -> Option<GroupEntry> {
        let mut sound = !record.bad;
        for key in OF_GRAINS {
            if let Some(entry) = record.entry(key) {
                self.notes
                    .error(
                        &entry.key_at,
                        &record.path_of(key),
                        format!("`{key}` says nothing of bodies that have tables of their own"),
                    )
                    .hint("it belongs to grains that are made: `count` in place of `bodies`");
                sound = false;
            }
        }
        let members = self.members(record);
        let walls = self.walls(record, members.as_deref().unwrap_or(&[]));
        let everywhere = self.everywhere(record, false);
        let (Some(members), Some(walls), Some(everywhere), true) =
            (members, walls, everywhere, sound)
        else {
            self.law_of_group(record);
            return None;
        };
        // What two bodies follow depends on what they are made of: the first two stand for all.
        let mut first: Option<(Terms, Sides)> = None;
        let from = model.contacts.len();
        for (k, &one) in members.iter().enumerate() {
            for &other in members.iter().skip(k + 1) {
                let shapes = [self.shapes_of(one)?, self.shapes_of(other)?];
                let names = [self.name_of(one), self.name_of(other)];
                let whole = format!("group.{name}.{}+{}", names[0], names[1]);
                let bodies = [Some(one), Some(other)];
                let (entry, sides) = self.of_two(
                    record,
                    whole,
                    bodies,
                    [&shapes[0], &shapes[1]],
                    "bodies",
                    taken,
                )?;
                first.get_or_insert_with(|| (entry.contact.terms().clone(), sides));
                model.contacts.push(entry);
            }
        }
        let (terms, sides) = first?;
        let mut kept = Vec::new();
        for wall in walls {
            let mut known: Option<(Terms, Sides)> = None;
            for &body in &members {
                let shapes = self.shapes_of(body)?;
                let whole = format!("group.{name}.{}+{}", self.name_of(body), wall.named.0);
                let both = [shapes.as_slice(), std::slice::from_ref(&wall.named)];
                let bodies = [Some(body), wall.body];
                let (entry, sides) = self.of_two(record, whole, bodies, both, "touches", taken)?;
                known.get_or_insert_with(|| (entry.contact.terms().clone(), sides));
                model.contacts.push(entry);
            }
            let (terms, sides) = known?;
            kept.push(GroupWall {
                body: wall.body,
                shape: wall.shape,
                terms,
                surfaces: sides.surfaces(),
            });
        }
        Some(GroupEntry {
            name: name.into(),
            members: Members::Bodies(members),
            terms,
            surfaces: sides.surfaces(),
            friction: everywhere.friction,
            rolling: everywhere.rolling,
            walls: kept,
            contacts: from..model.contacts.len(),
        })
    }

    /// The contact of two bodies, all outlines of the one with all those of the other.
    fn of_two(
        &mut self,
        record: &Record<'a>,
        name: String,
        bodies: [Option<usize>; 2],
        shapes: [&[Named]; 2],
        key: &str,
        taken: &mut Taken,
    ) -> Option<(ContactEntry, Sides)> {
        let mut pairs: Vec<Paired> = Vec::new();
        let mut refused: Option<([String; 2], geometry::Fault)> = None;
        let mark = self.notes.mark();
        for one in shapes[0] {
            for other in shapes[1] {
                match Pair::new(one.1.shape.clone(), other.1.shape.clone()) {
                    Ok(pair) => {
                        self.push_twice(record, key, [&one.0, &other.0], taken);
                        pairs.push((pair, [one.clone(), other.clone()]));
                    }
                    Err(fault) => refused = Some(([one.0.clone(), other.0.clone()], fault)),
                }
            }
        }
        self.notes.forget_repeats(mark);
        if let (true, Some(([one, other], fault))) = (pairs.is_empty(), refused) {
            let (reason, value, allowed, hint) = pair_words(&fault);
            self.notes
                .error(
                    &record.place(key),
                    &record.path_of(key),
                    format!("`{one}` and `{other}` cannot touch each other: {reason}"),
                )
                .value(value)
                .allowed(allowed)
                .hint(hint);
            return None;
        }
        let sides = sides(record, &pairs);
        let pairs: Vec<Pair> = pairs.into_iter().map(|(pair, _)| pair).collect();
        let follows = self.follows_quietly(record, &sides)?;
        let contact = Contact::new(bodies, pairs, follows);
        let contact = self.finish(record, contact)?;
        let entry = ContactEntry {
            name,
            joint: None,
            contact,
            surfaces: sides.surfaces(),
        };
        Some((entry, sides))
    }

    fn name_of(&self, body: usize) -> String {
        let standing = self.world.bodies.get(body);
        standing.map_or_else(String::new, |body| body.name.clone())
    }

    /// The outlines of a body with their full names; `None` if one of them was complained about.
    fn shapes_of(&self, body: usize) -> Option<Vec<Named>> {
        let standing = self.world.bodies.get(body)?;
        let full = |outline: &Outline| {
            let entry = outline.entry.clone()?;
            Some((format!("{}.{}", standing.name, outline.name), entry))
        };
        standing.shapes.iter().map(full).collect()
    }

    /// The bodies that a group names: at least two, each once, each with outlines.
    fn members(&mut self, record: &Record<'a>) -> Option<Vec<usize>> {
        let (node, path) = (record.node("bodies")?, record.path_of("bodies"));
        let Some(list) = node.list() else {
            self.wrong_type(node, &path, "a list of names of bodies");
            return None;
        };
        let mut members = Vec::new();
        let mut sound = true;
        for node in list {
            let Some(name) = node.text() else {
                self.wrong_type(node, &path, "a list of names of bodies");
                sound = false;
                continue;
            };
            let Some(body) = self.body_named(node, &path, name) else {
                sound = false;
                continue;
            };
            let wrong = match body {
                None => Some((
                    "the ground is no member of a group".to_string(),
                    "what else the bodies may touch stands in `touches`: every shape of the ground, unless something is said",
                )),
                Some(body) if members.contains(&body) => {
                    Some((format!("`{}` is named twice", cut(name)), "remove it"))
                }
                Some(body)
                    if self
                        .world
                        .bodies
                        .get(body)
                        .is_none_or(|b| b.shapes.is_empty()) =>
                {
                    Some((
                        format!("`{}` has no shapes that could touch", cut(name)),
                        "outlines stand in the table of the body, such as shapes.rim = { type = \"circle\", radius = \"10 mm\" }",
                    ))
                }
                Some(body) => {
                    members.push(body);
                    None
                }
            };
            if let Some((message, hint)) = wrong {
                self.notes.wrong(node, &path, message).hint(hint);
                sound = false;
            }
        }
        if !sound {
            return None;
        }
        let few = members.len() < 2;
        if few || members.len() > MOST_BODIES {
            let message = format!(
                "`bodies` names {}: {}",
                members.len(),
                if few {
                    "a group has two at least"
                } else {
                    "there would be too many pairs"
                }
            );
            self.notes
                .wrong(node, &path, message)
                .value(members.len().to_string())
                .allowed(format!("2 to {MOST_BODIES} bodies"))
                .hint(if few {
                    "a single body has a [contact.NAME]"
                } else {
                    "round grains that the group makes (`count`) run by the thousand with integrator = \"verlet\""
                });
            return None;
        }
        Some(members)
    }

    /// Grains that are made.
    fn group_of_grains(
        &mut self,
        name: &str,
        record: &Record<'a>,
        model: &mut Model,
    ) -> Option<GroupEntry> {
        let steps = model.method.contact == ContactMethod::TimeStepping;
        let fixed_step = steps || matches!(model.solver.integrator, Integrator::Verlet { .. });
        let recipe = self.recipe(record, fixed_step);
        let masses = self.masses(record);
        let walls = self.walls(record, &[]);
        // Time stepping finds what sticks by itself.
        let everywhere = self.everywhere(record, fixed_step && !steps);
        let material = match record.node("material") {
            Some(node) => self.material(node, &record.path_of("material")).map(Some),
            None => Some(None),
        };
        let placed = recipe
            .as_ref()
            .and_then(|recipe| self.placed(record, recipe));
        let (Some(recipe), Some(masses), Some(walls), Some(everywhere), Some(material), false) =
            (recipe, masses, walls, everywhere, material, record.bad)
        else {
            self.law_of_group(record);
            return None;
        };
        let length = record.number("length");
        // The smallest and the largest stand for all: what differs between them is found where they touch.
        let [least, largest] = recipe.radii;
        let mut kinds = vec![self.rim(record, name, least, &material, length)?];
        if largest > least {
            kinds.push(self.rim(record, name, largest, &material, length)?);
        }
        let mut pairs: Vec<Paired> = Vec::new();
        for kind in &kinds {
            let pair = Pair::new(kind.1.shape.clone(), kind.1.shape.clone()).ok()?;
            pairs.push((pair, [kind.clone(), kind.clone()]));
        }
        let between = sides(record, &pairs);
        let follows = self.follows(record, &beside(), &between)?;
        let terms = Terms {
            follows,
            slowest: everywhere.slowest,
        };
        let mut kept = Vec::new();
        for wall in &walls {
            let mut pairs: Vec<Paired> = Vec::new();
            for kind in &kinds {
                let pair = Pair::new(kind.1.shape.clone(), wall.named.1.shape.clone());
                match pair {
                    Ok(pair) => pairs.push((pair, [kind.clone(), wall.named.clone()])),
                    Err(fault) => {
                        let (reason, value, allowed, hint) = pair_words(&fault);
                        let wall = &wall.named.0;
                        let key = if record.given("touches") {
                            "touches"
                        } else {
                            "radius"
                        };
                        self.notes
                            .error(
                                &record.place(key),
                                &record.path_of(key),
                                format!("grains of `{name}` and `{wall}` cannot touch each other: {reason}"),
                            )
                            .value(value)
                            .allowed(allowed)
                            .hint(hint);
                        return None;
                    }
                }
            }
            let sides = sides(record, &pairs);
            let follows = self.follows_quietly(record, &sides)?;
            kept.push(GroupWall {
                body: wall.body,
                shape: wall.shape,
                terms: Terms {
                    follows,
                    slowest: everywhere.slowest,
                },
                surfaces: sides.surfaces(),
            });
        }
        let [vx, vy] = record.numbers("velocity").unwrap_or_default();
        let omega = record.number("angular_velocity").unwrap_or(0.0);
        let mut grains = Vec::with_capacity(recipe.count);
        for ([x, y], radius) in placed? {
            let (mass, inertia) = masses.of(radius);
            // Products of sound numbers may vanish or overflow.
            self.sound_body(record, Body::new(mass, inertia))?;
            grains.push(Grain {
                position: [x, y, 0.0],
                velocity: [vx, vy, omega],
                radius,
                mass,
                inertia,
            });
        }
        self.overlaps(record, &grains, &walls);
        let mut group = GroupEntry {
            name: name.into(),
            members: Members::Grains(grains),
            terms,
            surfaces: between.surfaces(),
            friction: everywhere.friction,
            rolling: everywhere.rolling,
            walls: kept,
            contacts: model.contacts.len()..model.contacts.len(),
        };
        if !fixed_step {
            self.write_out(record, &mut group, &walls, (&material, length), model)?;
        }
        Some(group)
    }

    /// The outline of a grain.
    fn rim(
        &mut self,
        record: &Record<'a>,
        name: &str,
        radius: f64,
        material: &Option<Material>,
        length: Option<f64>,
    ) -> Option<Named> {
        match Shape::circle([0.0; 2], radius) {
            Ok(shape) => Some((
                format!("group.{name}"),
                ShapeEntry {
                    name: "rim".into(),
                    shape,
                    material: material.clone(),
                    length,
                },
            )),
            Err(fault) => {
                self.notes.error(
                    &record.place("radius"),
                    &record.path_of("radius"),
                    fault.to_string(),
                );
                None
            }
        }
    }

    /// Number, radii and region, all that is wrong with them at once.
    fn recipe(&mut self, record: &Record<'a>, fixed_step: bool) -> Option<Recipe> {
        let needs = [
            (
                "radius",
                "a length [m], > 0, or two: [\"4 mm\", \"6 mm\"]",
                "how large the grains are",
            ),
            (
                "region",
                "two corners, [[0, 0], [\"0.2 m\", \"1 m\"]]",
                "the rectangle that they are put into",
            ),
        ];
        for (key, allowed, hint) in needs {
            if !record.given(key) && record.given("count") {
                self.notes
                    .error(
                        &record.at,
                        &record.path_of(key),
                        format!("`{key}` is missing"),
                    )
                    .allowed(allowed)
                    .hint(hint);
            }
        }
        let count = record.whole("count").filter(|&count| {
            let most = if fixed_step {
                MOST_GRAINS
            } else {
                MOST_BODIES as u64
            };
            if count <= most {
                return true;
            }
            let (at, path) = (record.place("count"), record.path_of("count"));
            let found = if fixed_step {
                self.notes
                    .error(&at, &path, format!("{count} grains are too many"))
            } else {
                let message = format!(
                    "{count} grains are too many for an integrator that looks for every touch: each of them may touch every other"
                );
                let found = self.notes.error(&at, &path, message);
                found.hint("integrator = \"verlet\" with a `step` in [solver] moves them by the thousand, with the same laws")
            };
            found
                .value(count.to_string())
                .allowed(format!("1 to {most}"));
            false
        });
        let radii = record.numbers("radius");
        let region: Option<[f64; 4]> = record.numbers("region");
        let region = region.map(|[left, bottom, right, top]| Region {
            corner: [left, bottom],
            size: [right - left, top - bottom],
        });
        Some(Recipe {
            count: usize::try_from(count?).ok()?,
            radii: radii?,
            region: region?,
            seed: record.whole("seed").unwrap_or(1),
        })
    }

    /// Where the grains stand.
    fn placed(&mut self, record: &Record<'a>, recipe: &Recipe) -> Option<Vec<([f64; 2], f64)>> {
        let Recipe {
            count,
            radii,
            region,
            seed,
        } = recipe;
        let found = place(region, *radii, *count, *seed);
        if found.is_none() {
            let [width, height] = region.size;
            let most = capacity(region, radii[1]);
            // As high as it must be for this width: rows of a square lattice are enough for all.
            let row = (width / (2.0 * radii[1]) + 1e-9).floor();
            let hint = if row >= 1.0 {
                let high = (*count as f64 / row).ceil() * 2.0 * radii[1];
                format!(
                    "make the region larger, {} m high for one; or take fewer or smaller grains",
                    short(high)
                )
            } else {
                "it is narrower than one grain: make it wider, or the grains smaller".into()
            };
            self.notes
                .error(
                    &record.place("region"),
                    &record.path_of("region"),
                    format!(
                        "the region of {} m × {} m is too small: {} of {count} grains would fit",
                        short(width),
                        short(height),
                        most
                    ),
                )
                .hint(hint);
        }
        found
    }

    /// What the grains weigh.
    fn masses(&mut self, record: &Record<'a>) -> Option<Masses> {
        let given = |key: &str| record.given(key);
        let sphere = record.word("profile") == Some("sphere");
        if given("profile") && record.word("profile").is_none() {
            return None;
        }
        let wrong = if given("mass") && given("density") {
            Some((
                "density",
                "`mass` and `density` stand together, but each of them says all",
                "remove one of them",
            ))
        } else if !given("mass") && !given("density") {
            Some((
                "mass",
                "`mass` is missing",
                "give mass, or density (of discs with thickness)",
            ))
        } else if given("thickness") && !given("density") {
            Some((
                "thickness",
                "`thickness` says nothing without `density`",
                "add `density`, or remove `thickness`; `length` is that of the line of contact",
            ))
        } else if given("thickness") && sphere {
            Some((
                "thickness",
                "`thickness` says nothing of a sphere",
                "the mass of a sphere follows from its density alone",
            ))
        } else if given("density") && !sphere && !given("thickness") {
            Some((
                "thickness",
                "`thickness` is missing",
                "the mass of a disc follows from its density and its thickness; or profile = \"sphere\"",
            ))
        } else {
            None
        };
        if let Some((key, message, hint)) = wrong {
            let (at, path) = (record.place(key), record.path_of(key));
            // Of what is missing the table is shown.
            let at = if given(key) { at } else { record.at.clone() };
            self.notes.error(&at, &path, message).hint(hint);
            return None;
        }
        let mass = if given("mass") {
            Mass::Each(record.number("mass")?)
        } else if sphere {
            Mass::Ball(record.number("density")?)
        } else {
            Mass::Disc(record.number("density")? * record.number("thickness")?)
        };
        Some(Masses { mass, sphere })
    }

    /// Grains that start inside something that they may touch would be thrown out of it.
    fn overlaps(&mut self, record: &Record<'a>, grains: &[Grain], walls: &[Beside]) {
        for wall in walls {
            let Some(smallest) = grains.iter().map(|g| g.radius).reduce(f64::min) else {
                return;
            };
            let Ok(probe) = Shape::circle([0.0; 2], smallest) else {
                return;
            };
            let Ok(pair) = Pair::new(probe, wall.named.1.shape.clone()) else {
                continue;
            };
            let frame = match wall.body.and_then(|body| self.world.poses.get(body)) {
                Some(pose) => Frame::new(pose.position, pose.angle),
                None => Frame::new([0.0; 2], 0.0),
            };
            let mut tracks = vec![Track::default(); pair.slots()];
            let (mut count, mut deepest) = (0, 0.0_f64);
            for grain in grains {
                let [x, y, _] = grain.position;
                let frames = [&Frame::new([x, y], 0.0), &frame];
                pair.seek(frames, &mut tracks);
                let gaps = tracks.iter().enumerate();
                let gaps = gaps.filter_map(|(k, track)| pair.near(k, frames, track));
                // A larger disc at the same place is nearer by what it is larger.
                let more = grain.radius - smallest;
                let gap = gaps.fold(f64::INFINITY, |least, near| least.min(near.gap - more));
                if gap < -HAIR * grain.radius {
                    count += 1;
                    deepest = deepest.max(-gap);
                }
            }
            if count == 0 {
                continue;
            }
            let message = format!(
                "{count} of {} grains stand inside `{}` at the start, up to {} deep",
                grains.len(),
                wall.named.0,
                pretty(deepest, "m", 3)
            );
            let (at, path) = (record.place("region"), record.path_of("region"));
            // Bodies may stand elsewhere once their joints are closed.
            let found = match wall.body {
                None => self.notes.error(&at, &path, message),
                Some(_) => self.notes.warning(&at, &path, message),
            };
            found.hint("put the region where nothing else is: all grains lie wholly in it");
        }
    }

    /// Writes grains out as bodies, and all that may touch as contacts.
    fn write_out(
        &mut self,
        record: &Record<'a>,
        group: &mut GroupEntry,
        walls: &[Beside],
        (material, length): (&Option<Material>, Option<f64>),
        model: &mut Model,
    ) -> Option<()> {
        let Members::Grains(grains) = &group.members else {
            return Some(());
        };
        let first = model.bodies.len();
        let mut rims = Vec::new();
        for (i, grain) in grains.iter().enumerate() {
            let rim = self
                .rim(record, &group.name, grain.radius, material, length)?
                .1;
            let body = self.sound_body(record, Body::new(grain.mass, grain.inertia))?;
            rims.push(rim.shape.clone());
            model.bodies.push(BodyEntry {
                name: format!("{}.{}", group.name, i + 1),
                body,
                position: grain.position,
                velocity: grain.velocity,
                points: Vec::new(),
                shapes: vec![rim],
            });
        }
        let from = model.contacts.len();
        let element = group.element();
        for (i, rim) in rims.iter().enumerate() {
            for (j, other) in rims.iter().enumerate().skip(i + 1) {
                let name = format!("{element}.{}+{}", i + 1, j + 1);
                let bodies = [Some(first + i), Some(first + j)];
                let shapes = [rim.clone(), other.clone()];
                let follows = group.terms.follows.clone();
                let contact = self.pushes(record, bodies, shapes, follows)?;
                model.contacts.push(ContactEntry {
                    name,
                    joint: None,
                    contact,
                    surfaces: group.surfaces.clone(),
                });
            }
            for (wall, kept) in walls.iter().zip(&group.walls) {
                let name = format!("{element}.{}+{}", i + 1, wall.named.0);
                let bodies = [Some(first + i), wall.body];
                let shapes = [rim.clone(), wall.named.1.shape.clone()];
                let follows = kept.terms.follows.clone();
                let contact = self.pushes(record, bodies, shapes, follows)?;
                model.contacts.push(ContactEntry {
                    name,
                    joint: None,
                    contact,
                    surfaces: kept.surfaces.clone(),
                });
            }
        }
        group.members = Members::Bodies((first..model.bodies.len()).collect());
        group.contacts = from..model.contacts.len();
        Some(())
    }

    /// Two outlines that push each other away.
    fn pushes(
        &mut self,
        record: &Record<'a>,
        bodies: [Option<usize>; 2],
        [one, other]: [Shape; 2],
        follows: Follows,
    ) -> Option<Contact> {
        let pair = Pair::new(one, other).ok()?;
        self.finish(record, Contact::new(bodies, vec![pair], follows))
    }
}

/// The keys of a group that are not those of its law.
fn beside() -> Vec<&'static str> {
    GROUP.keys.iter().map(|key| key.name).collect()
}

/// What grains weigh.
#[derive(Clone, Copy)]
struct Masses {
    mass: Mass,
    sphere: bool,
}

#[derive(Clone, Copy)]
enum Mass {
    /// All the same, kg.
    Each(f64),
    /// Balls of this density, kg/m³.
    Ball(f64),
    /// Discs of this density times their thickness, kg/m².
    Disc(f64),
}

impl Masses {
    /// Mass (kg) and moment of inertia (kg m²) of a grain of this radius, m.
    fn of(self, radius: f64) -> (f64, f64) {
        let area = core::f64::consts::PI * radius * radius;
        let mass = match self.mass {
            Mass::Each(mass) => mass,
            Mass::Ball(density) => density * (4.0 / 3.0) * area * radius,
            Mass::Disc(density) => density * area,
        };
        let part = if self.sphere { 0.4 } else { 0.5 };
        (mass, part * mass * radius * radius)
    }
}

//! What would a person read about the model file?
//!
//! A page in Markdown: what quantities and expressions are, then every table and key, from the same description by which files are read.

use std::fmt::Write;

use crate::model::file::tables::{Key, Need, OneOf, ROOT, Sheet, Takes};
use crate::model::file::words::describe;

/// What comes before the tables.
const INTRODUCTION: &str = r#"# The model file

A model is a text in [TOML](https://toml.io). Every element is a named table: `[body.rod]`, `[joint.pin]`. This page is printed by `carom schema --markdown`; `carom new` writes models to start
from, and `carom check` says all that is wrong with one.

## Numbers

A value is a number in SI units, or a text: a number with its unit (`"9.5 mm"`, `"5000 rpm"`, `"35 deg"`, `"5.5e9 N/m^1.5"`), or arithmetic with `+ - * / ^ ( )`, parameters, quantities,
`pi`, `tau` and the functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp ln log10 sqrt cbrt abs sign min max floor step smoothstep`:
`"r/2 + 3 mm"`, `"2*pi*50 Hz"`, `"A*sin(omega*t)"`.

- Dimensions are checked as soon as a unit or a parameter with a unit occurs. Arithmetic of plain numbers alone is SI throughout, with `t` in seconds.
- A quantity or a parameter by itself must have the right kind of angle: `"50 Hz"` is no angular speed. In arithmetic a radian counts as 1: `"r*omega"` is a speed.
- A unit follows its number without an operator: `10 N m`, `10 N/m`. `*` never belongs to a unit, and `10/m` divides by the parameter `m`. `h` is an hour; where it is a parameter too, `2 h` is refused.
- Functions of time may use `t`; functions of the motion also `crank.angle`, `slider.vx`, `rod.B.x` (positions and velocities of bodies and points, in ground axes).

Tables of numbers are CSV files beside the model, with a head such as `t [s], angle [deg]`, joined by a smooth curve.

Outlines that can touch stand in `shapes` of a body or of the ground: `shapes.rim = { type = "circle", radius = "10 mm", material = "steel" }`. A `[contact.NAME]` says which of them can touch,
and by which law. `shape`, without an s, is another thing: the uniform body from which mass and inertia follow.

A `[group.NAME]` is a set of bodies that may all touch each other, by one law: bodies of the file (`bodies = ["lower", "upper"]`), or round grains that are made here (`count = 500`) and put into a
`region`. With `integrator = "verlet"` and a `step` in `[solver]` grains run by the thousand, in steps that do not change; with every other integrator up to 64 of them are written out as bodies `NAME.1`,
`NAME.2` …, and every touch is looked for.

Where surfaces touch, `friction` is a law of sliding and `rolling` a moment against rolling. A law that is a function of speed (`tanh`, `ambrosio`, …) never holds a load at rest, it lets it creep; dry laws
(`coulomb`, `karnopp`, …) and those that bend like bristles (`lugre`, `tangential-spring`, …) hold. `carom check` says of each which it is. With `verlet` grains take no dry laws (`tangential-spring` holds there), and bodies of a mechanism no law with a variable of its own.

A place is `"ground"` (its origin), `"ground.O"`, `"rod"` (its mass centre) or `"rod.A"`. Points of a body are given in its own axes from its mass centre. Positions and velocities at
the start may be rough: the joints are closed before anything moves.

## Channels

What `channels` may list, and what the columns of the results are called: `rod.x|y|angle|vx|vy|omega|ax|ay|alpha` of a body, `rod.B.x|y|vx|vy|ax|ay` of a point; `joint.pin.force_x|force_y|moment`
(what the joint does to its second body, in ground axes, about the joint's place), `joint.pin.angle`, `joint.guide.distance`; `contact.impact.gap|indentation|indentation_rate|force|friction` of a contact (the least gap, `NaN` while no part of one surface is opposite the other, and its rate; the sums of
the normal and of the friction forces at all its points, whichever way each pushes), and of a joint with play beside them `joint.pin.force_x|force_y|moment|eccentricity|eccentricity_angle` (of the second place from the first, in the axes of the ground); `driver.motor.moment|force|power` (`force_x`, `force_y` of a driven
point); `force.spring.force|length`, `force.spiral.moment|angle`; `group.grains.kinetic|contacts|top|overlap|centre_x|centre_y` of a group (`contacts` is how many pairs touch, `top` the largest y of any
member, `overlap` the deepest), `grains.17.x|y|angle|vx|vy|omega` of one of its grains, `group.stack.lower+upper.force` of two of its members; `energy.kinetic|gravitational|elastic|driver_work|load_work|dissipated|residual`; `constraints.violation|violation_rate`.
`carom check MODEL` lists those of a model.

## From the command line

`--set path=value` changes any value from the command line: `--set driver.motor.speed="3000 rpm"`, `--set parameters.r=0.06`, `--set group.grains.count=2000`.

"#;

/// The page.
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_string();
    let plain: Vec<&Key> = ROOT
        .keys
        .iter()
        .filter(|key| inner(key).is_none())
        .collect();
    page.push_str("## At the top\n\n");
    keys(&mut page, &plain);
    for key in ROOT.keys {
        if let Some((sheet, named)) = inner(key) {
            let name = if named { ".NAME" } else { "" };
            let _ = writeln!(page, "## `[{}{name}]`\n\n{}\n", key.name, key.doc);
            body(&mut page, sheet);
        }
    }
    while page.ends_with("\n\n") {
        page.pop();
    }
    page
}

/// The table behind a key, and whether there are several by name.
fn inner(key: &Key) -> Option<(&'static Sheet, bool)> {
    match key.takes {
        Takes::Table(sheet) | Takes::NumberOr(_, _, sheet) | Takes::Law(sheet, _) => {
            Some((sheet, false))
        }
        Takes::Named(sheet) => Some((sheet, true)),
        _ => None,
    }
}

fn body(page: &mut String, sheet: &Sheet) {
    let all: Vec<&Key> = sheet.keys.iter().collect();
    keys(page, &all);
    law(page, sheet.keys);
    choices(page, sheet.one_of);
    inside(page, sheet.keys);
    for kind in sheet.kinds {
        let _ = writeln!(page, "### `type = \"{}\"`\n\n{}\n", kind.name, kind.doc);
        let all: Vec<&Key> = kind.keys.iter().collect();
        keys(page, &all);
        law(page, kind.keys);
        choices(page, kind.one_of);
        inside(page, kind.keys);
    }
}

/// A table that names a law takes the law's keys too.
fn law(page: &mut String, keys_of: &[Key]) {
    if keys_of
        .iter()
        .any(|key| matches!(key.takes, Takes::LawName(_)))
    {
        page.push_str(
            "And the parameters and choices on the card of the law (`carom laws ID`): `stiffness`, `exponent`, `damping`, `separation`, … A stiffness for the exponent 3/2 and other numbers of \
             surfaces follow from materials and radii if they are left out.\n\n",
        );
    }
}

/// Tables inside a table.
fn inside(page: &mut String, keys_of: &[Key]) {
    for key in keys_of {
        let Some((sheet, named)) = inner(key) else {
            continue;
        };
        let and = match key.takes {
            Takes::Law(..) => ", and the parameters on the card of the law (`carom laws ID`)",
            _ => "",
        };
        let each = if named { "each of " } else { "" };
        let mut part = String::new();
        let all: Vec<&Key> = sheet.keys.iter().collect();
        keys(&mut part, &all);
        for kind in sheet.kinds {
            let _ = writeln!(part, "`type = \"{}\"`: {}\n", kind.name, kind.doc);
            let all: Vec<&Key> = kind.keys.iter().collect();
            keys(&mut part, &all);
            choices(&mut part, kind.one_of);
        }
        // What stands above already need not stand here again.
        if named && page.contains(&part) {
            let _ = writeln!(
                page,
                "Inside {each}`{}`: the same keys as above.\n",
                key.name
            );
        } else {
            let _ = writeln!(page, "Inside {each}`{}`{and}:\n\n{part}", key.name);
            while page.ends_with("\n\n\n") {
                page.pop();
            }
        }
    }
}

fn keys(page: &mut String, keys: &[&Key]) {
    if keys.is_empty() {
        return;
    }
    page.push_str("| key | takes | if left out | |\n|---|---|---|---|\n");
    for key in keys {
        let need = match key.need {
            Need::Required => "required".to_string(),
            Need::Optional => "–".to_string(),
            Need::Default(value) => format!("`{value}`"),
        };
        let cell = |text: &str| text.replace('|', "\\|");
        let (takes, doc) = (cell(&describe(key)), cell(key.doc));
        let _ = writeln!(page, "| `{}` | {takes} | {need} | {doc} |", key.name);
    }
    page.push('\n');
}

fn choices(page: &mut String, choices: &[OneOf]) {
    for choice in choices {
        let names: Vec<String> = choice.keys.iter().map(|k| format!("`{k}`")).collect();
        let how = if choice.required {
            "Exactly"
        } else {
            "At most"
        };
        let _ = writeln!(page, "{how} one of {}.\n", names.join(", "));
    }
}

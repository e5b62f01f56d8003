//! With which model files do people start?
//!
//! The same texts as in the folder `models`: those are read in here, and the ones with a count are written by it.

use std::fmt::Write;

/// A model file to start from.
pub struct Starter {
    /// As it is typed.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    text: Text,
}

enum Text {
    Fixed(&'static str),
    Counted {
        what: &'static str,
        usual: usize,
        write: fn(usize) -> String,
    },
}

/// The most parts that a model is written with: files beyond it are too long for anybody to read.
pub const MOST: usize = 10_000;

/// All starters.
pub const ALL: &[Starter] = &[
    Starter {
        name: "pendulum",
        about: "a rod that swings about a pin",
        text: Text::Fixed(include_str!("../../../../models/pendulum.toml")),
    },
    Starter {
        name: "slider-crank",
        about: "a crank drives a slider through a connecting rod, at 5000 rpm",
        text: Text::Fixed(include_str!("../../../../models/slider-crank.toml")),
    },
    Starter {
        name: "four-bar",
        about: "a crank that turns makes a rocker swing",
        text: Text::Fixed(include_str!("../../../../models/four-bar.toml")),
    },
    Starter {
        name: "bouncing-ball",
        about: "a ball that falls on a floor and comes to rest: a contact",
        text: Text::Fixed(include_str!("../../../../models/bouncing-ball.toml")),
    },
    Starter {
        name: "slider-crank-clearance",
        about: "a slider-crank with play in a joint",
        text: Text::Fixed(include_str!(
            "../../../../models/slider-crank-clearance.toml"
        )),
    },
    Starter {
        name: "newtons-cradle",
        about: "five balls that strike each other",
        text: Text::Fixed(include_str!("../../../../models/newtons-cradle.toml")),
    },
    Starter {
        name: "grains",
        about: "grains that fall into a box and come to rest, with a fixed step",
        text: Text::Counted {
            what: "grains",
            usual: 300,
            write: grains,
        },
    },
    Starter {
        name: "rotating-drum",
        about: "a drum that turns, half full of grains",
        text: Text::Fixed(include_str!("../../../../models/rotating-drum.toml")),
    },
    Starter {
        name: "n-four-bar",
        about: "four-bar linkages side by side, through their singular positions",
        text: Text::Counted {
            what: "linkages",
            usual: 40,
            write: n_four_bar,
        },
    },
    Starter {
        name: "chain",
        about: "a hanging chain of rods",
        text: Text::Counted {
            what: "links",
            usual: 10,
            write: chain,
        },
    },
];

/// The starter of this name.
pub fn find(name: &str) -> Option<&'static Starter> {
    ALL.iter().find(|starter| starter.name == name)
}

impl Starter {
    /// What its count counts, and how many there are if nothing is said; `None` if it has no count.
    pub fn count(&self) -> Option<(&'static str, usize)> {
        match self.text {
            Text::Fixed(_) => None,
            Text::Counted { what, usual, .. } => Some((what, usual)),
        }
    }

    /// The text of the file, with so many parts where it counts any (at least 1, at most [`MOST`]).
    pub fn text(&self, count: Option<usize>) -> String {
        match self.text {
            Text::Fixed(text) => text.into(),
            Text::Counted { usual, write, .. } => write(count.unwrap_or(usual).clamp(1, MOST)),
        }
    }
}

const N_FOUR_BAR: &str = r#"# COUNT four-bar linkages side by side: CRANKS cranks that stand straight up on the ground, a metre apart, and COUNT couplers that join their upper ends.
#
#     B0----B1----B2-- ...      All links are rods of 1 m and 1 kg. The upper end of the first crank, B0, starts with 1 m/s in x.
#     |     |     |
#     A0    A1    A2   ...
#
# Whenever the cranks lie level the mechanism could leave its motion for another: its constraints depend on one another there for a moment, and many
# programs stop or go astray. After González, Dopico, Lugrís and Cuadrado (2006), and in the library of benchmarks for multibody dynamics.
#
# All cranks stay parallel, so that B0 moves as on a pendulum with the inertia ((N + 1)/3 + N) m L^2 and the moment of gravity ((N + 1)/2 + N) m g L about its pin:
# that is what the result can be compared with.
#
# Try:
#   carom check n-four-bar.toml                              one degree of freedom, whatever the number
#   carom run n-four-bar.toml --out bars
#   carom new n-four-bar hundred.toml --count 100            the same with a hundred

format = 1

[model]
title = "COUNT four-bar linkages side by side"
source = "M. González, D. Dopico, U. Lugrís, J. Cuadrado (2006); IFToMM library of computational benchmark problems"

[parameters]
L = "1 m"
m = "1 kg"

[simulation]
end = "20 s"
gravity = [0, -9.81]
output_step = "10 ms"
channels = ["crank0.B.x", "crank0.B.y", "crank0.angle", "energy.kinetic", "energy.gravitational", "energy.residual", "constraints.violation"]

[solver]
rtol = 1e-10

"#;

/// So many four-bar linkages side by side.
fn n_four_bar(count: usize) -> String {
    let mut text = N_FOUR_BAR
        .replace("COUNT", &count.to_string())
        .replace("CRANKS", &(count + 1).to_string());
    // A `String` takes all that is written to it.
    text.push_str("[ground.points]\n");
    for i in 0..=count {
        let _ = writeln!(text, "A{i} = [\"{i}*L\", 0]");
    }
    text.push_str(
        "\n# One line a body: the same as [body.crank0] with its keys below it.\n[body]\n",
    );
    let rod = r#"mass = "m", shape = { type = "rod", length = "L" }"#;
    for i in 0..=count {
        let _ = writeln!(
            text,
            "crank{i} = {{ {rod}, position = [\"{i}*L\", \"L/2\"], angle = \"90 deg\", velocity = [\"0.5 m/s\", 0], angular_velocity = \"-1 rad/s\", \
             points = {{ A = [\"-L/2\", 0], B = [\"L/2\", 0] }} }}"
        );
    }
    for i in 0..count {
        let _ = writeln!(
            text,
            "coupler{i} = {{ {rod}, position = [\"{i}*L + L/2\", \"L\"], velocity = [\"1 m/s\", 0], points = {{ left = [\"-L/2\", 0], right = [\"L/2\", 0] }} }}"
        );
    }
    text.push_str("\n[joint]\n");
    for i in 0..=count {
        let _ = writeln!(
            text,
            "A{i} = {{ type = \"revolute\", between = [\"ground.A{i}\", \"crank{i}.A\"] }}"
        );
    }
    for i in 0..count {
        let next = i + 1;
        let _ = writeln!(
            text,
            "left{i} = {{ type = \"revolute\", between = [\"crank{i}.B\", \"coupler{i}.left\"] }}\n\
             right{i} = {{ type = \"revolute\", between = [\"coupler{i}.right\", \"crank{next}.B\"] }}"
        );
    }
    text
}

/// So many grains in a box that is large enough for them.
fn grains(count: usize) -> String {
    let text = include_str!("../../../../models/grains-in-a-box.toml");
    if count == 300 {
        return text.into();
    }
    // Wider and higher together: so high that the grains stand about as far apart as in the file.
    let scale = crate::math::sqrt(count as f64 / 300.0);
    let size = |mm: f64| format!("{} mm", (mm * scale).ceil().max(40.0));
    text.replace("Three hundred discs", &format!("{count} discs"))
        .replace("\"200 mm\"", &format!("\"{}\"", size(200.0)))
        .replace("\"500 mm\" ", &format!("\"{}\" ", size(500.0)))
        .replace("count = 300", &format!("count = {count}"))
        .replace("grains-in-a-box.toml", "grains.toml")
}

const CHAIN: &str = r#"# A chain of rods, COUNT of them, each pinned to the one before and the first to the ground; let go stretched out level.
#
# A chain has as many degrees of freedom as links, and no loop: its time for a step should grow with the number of links and no faster.
#
# Try:
#   carom check chain.toml
#   carom run chain.toml --out fall
#   carom new chain long.toml --count 1000

format = 1

[model]
title = "Chain of COUNT rods"
source = "The numbers are round ones."

[parameters]
L = "100 mm"
m = "100 g"

[simulation]
end = "2 s"
output_step = "5 ms"
channels = ["linkLAST.end.x", "linkLAST.end.y", "joint.pin1.force_x", "joint.pin1.force_y", "energy.residual"]

# One line a body: the same as [body.link1] with its keys below it.
[body]
"#;

/// A chain of so many rods.
fn chain(count: usize) -> String {
    let mut text = CHAIN
        .replace("COUNT", &count.to_string())
        .replace("LAST", &count.to_string());
    for i in 1..=count {
        let before = i - 1;
        let _ = writeln!(
            text,
            "link{i} = {{ mass = \"m\", shape = {{ type = \"rod\", length = \"L\" }}, position = [\"{before}*L + L/2\", 0], \
             points = {{ begin = [\"-L/2\", 0], end = [\"L/2\", 0] }} }}"
        );
    }
    text.push_str(
        "\n[joint]\npin1 = { type = \"revolute\", between = [\"ground\", \"link1.begin\"] }\n",
    );
    for i in 2..=count {
        let before = i - 1;
        let _ = writeln!(
            text,
            "pin{i} = {{ type = \"revolute\", between = [\"link{before}.end\", \"link{i}.begin\"] }}"
        );
    }
    text
}

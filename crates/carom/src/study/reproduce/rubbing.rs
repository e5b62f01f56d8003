//! What do the friction curves of Flores et al. (2006) show?

use crate::card::Values;
use crate::friction::{Law, Sliding, Tangential, find};
use crate::math;
use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::journal::paper;
use super::{Claim, Figure, Reproduction, Trouble, errata, unit_interval};

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s2-fig8",
        paper: paper("Fig. 8"),
        shows: "friction over sliding speed: Coulomb's law, and that of Rooney and Deravi",
        inputs: "none given",
        assumed: "coefficient 0.1, normal force 100 N; Rooney and Deravi's band, which the paper calls close to zero, ±1 mm/s",
        errata: &[],
        model: "",
        compute: figure_8,
    },
    Figure {
        id: "s2-fig9",
        paper: paper("Fig. 9"),
        shows: "friction over sliding speed: Threlfall's law, and that of Ambrósio",
        inputs: "none given",
        assumed: "coefficient 0.1, normal force 100 N; vr = 10 mm/s; v0 = 1 mm/s, v1 = 10 mm/s",
        errata: &[errata::S2_THRELFALL],
        model: "",
        compute: figure_9,
    },
];

const COEFFICIENT: f64 = 0.1;
/// N.
const NORMAL: f64 = 100.0;
const FULL: f64 = COEFFICIENT * NORMAL;
/// Drawn to this speed either way, m/s.
const FAR: f64 = 0.02;
/// Of the regularised laws, m/s.
const SMALL: f64 = 1e-3;
const LARGE: f64 = 1e-2;

fn law(id: &str, coefficient: f64, more: &[(&str, f64)]) -> Result<Law, Trouble> {
    let mut values = Values::new().number("coefficient", coefficient);
    for (name, value) in more {
        values = values.number(name, *value);
    }
    Ok(Law::new(find(id)?, &values)?)
}

fn at(law: &Law, speed: f64) -> Tangential {
    law.force(&Sliding {
        speed,
        normal: NORMAL,
        state: 0.0,
    })
}

/// The force, N; nothing that could be drawn where the surfaces stick.
fn force(law: &Law, speed: f64) -> f64 {
    match at(law, speed) {
        Tangential::Force(force) => force,
        Tangential::Stick { .. } => f64::NAN,
    }
}

/// Force over speed, both ways.
fn curve(law: &Law) -> Vec<(f64, f64)> {
    let speeds = unit_interval(800).map(|x| FAR * (2.0 * x - 1.0));
    speeds.map(|v| (v, force(law, v))).collect()
}

fn panel(heading: &str) -> Panel {
    Panel::new(Axis::new("friction", "N"))
        .heading(heading)
        .height(200.0)
        .covering([-1.1 * FULL, 1.1 * FULL])
}

/// The most power that friction brings in, W; below zero if it only takes.
fn most_power(law: &Law) -> f64 {
    let powers = curve(law).into_iter().map(|(v, f)| f * v);
    powers.filter(|p| p.is_finite()).fold(f64::MIN, f64::max)
}

fn figure_8() -> Result<Reproduction, Trouble> {
    let coulomb = law("coulomb", COEFFICIENT, &[])?;
    let rooney = law("rooney-deravi", COEFFICIENT, &[("dead_band", SMALL)])?;
    let held = [(0.0, -FULL), (0.0, FULL)];
    let band = [
        (-SMALL, FULL),
        (-SMALL, -FULL),
        (SMALL, -FULL),
        (SMALL, FULL),
        (-SMALL, FULL),
    ];
    let stack = Stack::new(Axis::new("sliding speed", "m/s"))
        .panel(
            panel("(a)")
                .reference("sticking: as much as it takes, up to the limit", held)
                .line("Coulomb (eq. 12)", curve(&coulomb)),
        )
        .panel(
            panel("(b)")
                .reference("sticking: as much as it takes, within the frame", band)
                .line("Rooney-Deravi (eq. 13, 14)", curve(&rooney)),
        );
    let title = "Friction that sticks (Flores et al. 2006, Fig. 8)";
    let nearly = 1e-12;
    let jump = force(&coulomb, -nearly) - force(&coulomb, nearly);
    let limit = |speed: f64| match at(&rooney, speed) {
        Tangential::Stick { limit } => limit,
        Tangential::Force(_) => 0.0,
    };
    let within = limit(0.5 * SMALL);
    let claims = vec![
        Claim::new(
            "Coulomb's force changes from one direction to the other at once: its gradient is infinite at zero speed",
            "the force changes by twice the coefficient times the normal force between -1e-12 and +1e-12 m/s",
            (jump / (2.0 * FULL) - 1.0).abs() < 1e-9,
        )
        .number("change", jump, "N")
        .number("least gradient", jump / (2.0 * nearly), "N s/m"),
        Claim::new(
            "close to zero speed the force of Rooney and Deravi has any value between -cf FN and cf FN",
            "inside the band the law answers with a limit, that of Coulomb",
            (within / FULL - 1.0).abs() < 1e-12,
        )
        .number("limit", within, "N"),
        Claim::new(
            "friction acts against the relative motion",
            "the power of both laws is nowhere above zero; the largest is told",
            most_power(&coulomb).max(most_power(&rooney)) <= 0.0,
        )
        .number("Coulomb", most_power(&coulomb), "W")
        .number("Rooney-Deravi", most_power(&rooney), "W"),
    ];
    Ok(Reproduction::new(Chart::new(title).stack(stack), claims))
}

fn figure_9() -> Result<Reproduction, Trouble> {
    let threlfall = law("threlfall", COEFFICIENT, &[("transition_speed", LARGE)])?;
    let ambrosio = law("ambrosio", COEFFICIENT, &[("v0", SMALL), ("v1", LARGE)])?;
    let coulomb = law("coulomb", COEFFICIENT, &[])?;
    // Without the sign, and with the speed itself in the exponent, as eq. 15 can be read.
    let printed = |v: f64| FULL * v.signum() * -math::exp_m1(-3.0 * v.abs() / LARGE);
    let speeds = unit_interval(800).map(|x| FAR * (2.0 * x - 1.0));
    let stack = Stack::new(Axis::new("sliding speed", "m/s"))
        .panel(
            panel("(a)")
                .reference("Coulomb", curve(&coulomb))
                .line("Threlfall, sign mended", curve(&threlfall))
                .line("eq. 15 as printed", speeds.map(|v| (v, printed(v)))),
        )
        .panel(
            panel("(b)")
                .reference("Coulomb", curve(&coulomb))
                .line("Ambrósio (eq. 16, 17)", curve(&ambrosio)),
        );
    let title = "Friction that is regularised (Flores et al. 2006, Fig. 9)";
    let mut closer = Claim::new(
        "the smaller vr, the closer Threlfall's curve is to Coulomb's",
        "part of the full friction at 1 mm/s, which grows as vr falls",
        true,
    );
    let mut last = 0.0;
    for (vr, words) in [
        (1e-2, "vr = 10 mm/s"),
        (1e-3, "vr = 1 mm/s"),
        (1e-4, "vr = 0.1 mm/s"),
    ] {
        let law = law("threlfall", COEFFICIENT, &[("transition_speed", vr)])?;
        let part = -force(&law, SMALL) / FULL;
        closer.holds &= part > last;
        closer = closer.number(words, part, "");
        last = part;
    }
    // A block on a slope of 20 degrees with a coefficient of 0.4 would stay where it is.
    let slope = 20.0_f64.to_radians();
    let steep = math::sin(slope) / math::cos(slope);
    let block = law("ambrosio", 0.4, &[("v0", SMALL), ("v1", LARGE)])?;
    let creep = block.creep(steep / 0.4).unwrap_or(f64::NAN);
    let slow = force(&ambrosio, 0.999 * SMALL).abs();
    let claims = vec![
        Claim::new(
            "eq. 15 is a friction force: it acts against the relative motion",
            "power as printed at vr, which is below zero if so; with the sign mended beside it",
            printed(LARGE) * LARGE <= 0.0,
        )
        .number("as printed", printed(LARGE) * LARGE, "W")
        .number("mended", force(&threlfall, LARGE) * LARGE, "W")
        .number("part of the full friction at vr", -force(&threlfall, LARGE) / FULL, ""),
        closer,
        Claim::new(
            "Ambrósio's factor keeps the force from changing its direction where the speed is almost zero",
            "no force just below v0",
            slow == 0.0,
        )
        .number("force at 0.999 v0", slow, "N"),
        Claim::new(
            "it does not account for the adherence of surfaces",
            "a block on a slope of 20 degrees with a coefficient of 0.4, which friction could hold, creeps: v0 + (v1 - v0) tan 20°/0.4",
            creep > 0.0,
        )
        .number("speed", 1e3 * creep, "mm/s"),
    ];
    Ok(Reproduction::new(Chart::new(title).stack(stack), claims))
}

//! What is said of blows and rests that are not as they should be?

use crate::card::rounded;
use crate::impulse::{Hypothesis, Stuck, Trouble};
use crate::model::{Analysis, ContactMethod, Model};
use crate::solve::Integrator;
use crate::system::note::Trouble as RunTrouble;
use crate::system::note::Warning;
use crate::system::touches::{Pair, Touches};

/// A blow that gained energy.
pub(super) fn gained(
    t: f64,
    mut elements: Vec<String>,
    gained: f64,
    hypothesis: Hypothesis,
) -> Warning {
    elements.dedup();
    let name = match hypothesis {
        Hypothesis::Newton => "Newton's",
        Hypothesis::Poisson => "Poisson's",
        Hypothesis::Stronge => "Stronge's",
    };
    Warning {
        code: "impact-gains-energy",
        element: Some(elements.join(", ")),
        time: Some(t),
        message: format!("{name} restitution with friction gained {} J in a blow, which no contact can", rounded(gained)),
        hint: match hypothesis {
            Hypothesis::Stronge => "bodies that strike at several points at once share what friction does; `simultaneous = \"in-turns\"` lets them strike one after the other".into(),
            _ => "`restitution = \"stronge\"` in [method] takes restitution as a ratio of energies, and gains none at a contact that is struck by itself".into(),
        },
    }
}

/// A mechanism that friction holds where it was struck.
pub(super) fn wedged(t: f64, element: String, asked: f64) -> Warning {
    Warning {
        code: "jammed",
        element: Some(element),
        time: Some(t),
        message: format!(
            "friction holds the surfaces where they struck: their slip ended, and what is left of the mechanism cannot open the gap. A restitution of {} was asked for, and none is returned",
            rounded(asked)
        ),
        hint: "a smaller coefficient of friction lets them slide apart; compliant contact shows how they are pressed together meanwhile".into(),
    }
}

/// Friction that brought energy in at one point, though all together lost some.
pub(super) fn rubbed_on(
    t: f64,
    mut elements: Vec<String>,
    gained: f64,
    hypothesis: Hypothesis,
) -> Warning {
    elements.dedup();
    Warning {
        code: "friction-gains-energy",
        element: Some(elements.join(", ")),
        time: Some(t),
        message: format!(
            "bodies struck at several points at once, and friction at some of them brought in {} J that others lost: its heat there is negative",
            rounded(gained)
        ),
        hint: match hypothesis {
            Hypothesis::Stronge => "`simultaneous = \"in-turns\"` in [method] follows the surfaces through every blow",
            _ => "`restitution = \"stronge\"` in [method], or `simultaneous = \"in-turns\"`, follows the surfaces through the blow",
        }
        .into(),
    }
}

/// Bodies that strike at several points at once and do not return the works asked for.
pub(super) fn missed(t: f64, mut elements: Vec<String>, missed: f64) -> Warning {
    elements.dedup();
    Warning {
        code: "restitution-missed",
        element: Some(elements.join(", ")),
        time: Some(t),
        message: format!(
            "bodies struck at several points at once, and no share of impulses returns all the works asked for: {} J are missed",
            rounded(missed)
        ),
        hint: "`restitution = \"poisson\"` in [method] always has an answer; masses that differ by many orders of magnitude make it hard".into(),
    }
}

/// Friction that leaves two answers.
pub(super) fn several(t: f64, element: String, trouble: &Trouble) -> Warning {
    let message = match trouble {
        Trouble::SeveralForces {
            free,
            factor,
            friction,
            critical,
            force,
            ..
        } => format!(
            "friction leaves two answers (Painlevé): the surfaces may part ({} m/s²), or stay together under {} N, because a unit of force with its friction moves them by {} 1/kg. The coefficient is {}, and this can be from {} on. They part here",
            rounded(*free),
            rounded(*force),
            rounded(*factor),
            rounded(*friction),
            rounded(*critical)
        ),
        Trouble::SeveralOfSet { count, modes, .. } => {
            format!("friction leaves {count} answers (Painlevé): {modes:?}. The surfaces part here")
        }
        _ => String::new(),
    };
    Warning {
        code: "several-solutions",
        element: Some(element),
        time: Some(t),
        message,
        hint: "a smaller coefficient of friction has one answer; compliant contact follows one of them".into(),
    }
}

/// Friction that leaves none.
pub(super) fn none(t: f64, element: String, trouble: &Trouble) -> Warning {
    let message = match trouble {
        Trouble::NoForce {
            free,
            factor,
            friction,
            critical,
            ..
        }
        | Trouble::NoForces {
            free,
            factor,
            friction,
            critical,
            ..
        } => format!(
            "no force keeps the surfaces apart (Painlevé): they close with {} m/s², and a unit of force with its friction moves them by {} 1/kg{}. The coefficient is {}, and by itself {} from {} on. They strike each other though they do not approach, until the slip has ended",
            rounded(-*free),
            rounded(*factor),
            if *factor > 0.0 {
                ", but together with the other contacts it does not open them"
            } else {
                ""
            },
            rounded(*friction),
            if *factor > 0.0 {
                "it could do so"
            } else {
                "it can do so"
            },
            rounded(*critical)
        ),
        _ => String::new(),
    };
    Warning {
        code: "no-solution",
        element: Some(element),
        time: Some(t),
        message,
        hint: "a smaller coefficient of friction has an answer; compliant contact shows how hard such a blow is".into(),
    }
}

impl Touches {
    /// Why bodies that meet, or rest on each other, find no answer.
    pub(in crate::system) fn strike_trouble(
        &self,
        t: f64,
        pairs: &[Pair],
        trouble: Trouble,
    ) -> String {
        let name = |contact: usize| {
            pairs
                .get(contact)
                .map_or_else(|| "a contact".to_string(), |pair| self.name_of(pair.site))
        };
        let t = rounded(t);
        match trouble {
            Trouble::Fixed {
                contact, closing, ..
            } => format!(
                "{} closes at {} m/s at t = {t} s, but drivers or joints hold all that meets there, and nothing can give way",
                name(contact),
                rounded(-closing)
            ),
            Trouble::Jammed {
                contact,
                closing,
                friction,
            } => format!(
                "{} jams at t = {t} s: with a coefficient of friction of {} the surfaces stick while they still close at {} m/s, and no impulse ends that. A smaller coefficient would let them slide",
                name(contact),
                rounded(friction),
                rounded(closing.abs())
            ),
            Trouble::Input { contact } => format!(
                "{} has a restitution or a coefficient of friction that is none at t = {t} s: restitution is 0 to 1, friction not negative",
                name(contact)
            ),
            Trouble::Endless { turns, closing } => format!(
                "bodies that strike one after the other at t = {t} s have not come to an end after {turns} blows, and still approach at {} m/s: `simultaneous = \"together\"` lets them strike at once",
                rounded(closing.abs())
            ),
            Trouble::Stuck(stuck) => format!(
                "{} at t = {t} s: the impulses of all that touches there were not found ({}). What cannot give way, such as a body between a driver and the ground, has none; where there is friction, a smaller coefficient may have some, and compliant contact always has",
                match pairs {
                    [] => "a contact".into(),
                    [one] => self.name_of(one.site),
                    [first, rest @ ..] =>
                        format!("{} and {} more", self.name_of(first.site), rest.len()),
                },
                match stuck {
                    Stuck::Ray => "they grow without bounds",
                    _ => "the search has no end",
                }
            ),
            other => format!("no answer at t = {t} s: {other:?}"),
        }
    }
}

/// What a model asks for that contacts without compliance cannot do.
pub(in crate::system) fn refused(model: &Model) -> Vec<RunTrouble> {
    if model.method.contact != ContactMethod::Piecewise {
        return Vec::new();
    }
    let trouble = |code, element: String, message: &str, hint: &str| RunTrouble {
        code,
        element: Some(element),
        message: message.into(),
        hint: hint.into(),
    };
    let mut troubles = Vec::new();
    if model.simulation.analysis != Analysis::Dynamic {
        return troubles;
    }
    for entry in &model.contacts {
        if entry.contact.rolling().is_some() {
            troubles.push(trouble(
                "piecewise-rolling",
                entry.element(),
                "it resists rolling by a moment that follows from the normal force, and with method.contact = \"piecewise\" that force is found together with all others",
                "leave `rolling` out, or use compliant contact",
            ));
        }
    }
    let meets = !model.contacts.is_empty() || !model.limits.is_empty();
    if let (Some(entry), true) = (model.frictions.first(), meets) {
        troubles.push(trouble(
            "piecewise-joint-friction",
            format!("joint.{}", entry.name),
            "its friction follows from its reaction, and with method.contact = \"piecewise\" reactions jump with every impact: friction in joints and impulses are not found together here",
            "leave the friction of joints out, or use compliant contact",
        ));
    }
    if matches!(model.solver.integrator, Integrator::Verlet { .. }) {
        troubles.push(trouble(
            "piecewise-verlet",
            "solver.integrator".into(),
            "instants of impact are located between steps, and `verlet` knows nothing between them",
            "choose another integrator (auto, dop853, tsit5), or method.contact = \"time-stepping\"",
        ));
    }
    if model.of_grains().next().is_some() {
        troubles.push(trouble(
            "piecewise-grains",
            "method.contact".into(),
            "grains are many, and every impact of two of them would be an event",
            "method.contact = \"time-stepping\" is made for many contacts",
        ));
    }
    troubles
}

/// Laws of friction of which only the coefficients are left.
pub(in crate::system) fn as_coulomb(model: &Model) -> Vec<Warning> {
    if model.method.contact == ContactMethod::Compliant {
        return Vec::new();
    }
    let rubs = model.contacts.iter().filter_map(|entry| {
        let law = entry.contact.friction()?;
        let [held, sliding] = law.coefficients()?;
        let dry = law.dry().is_some();
        let rubs = held > 0.0 || sliding > 0.0;
        (!dry && rubs).then(|| Warning {
            code: "friction-as-coulomb",
            element: Some(entry.element()),
            time: None,
            message: format!(
                "without compliance its friction `{}` is Coulomb's: {} at rest, {} sliding. What the law says of speed and bending is left out",
                law.card().id, rounded(held), rounded(sliding)
            ),
            hint: "compliant contact follows the law itself".into(),
        })
    });
    rubs.collect()
}

//! What does advice take from a model file, and what do the leading laws do to it?

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::contact::Surfaces;
use carom::mechanics::{Contact, Limit};
use carom::model::diagnostic::listing;
use carom::model::file::standing;
use carom::model::units::pretty;
use carom::model::{ContactMethod, Model};
use carom::study::advise::{Advice, Floor, Known, Paste};
use carom::study::choice::{self, Candidate, Choice, Met, Quantity, Refused};
use carom::system::Status;
use clap::Args;
use serde_json::{Value, json};

use super::choice as shown;
use crate::commands::counting::Counting;
use crate::commands::model::{self, ModelArguments};
use crate::commands::run::stop_on_signals;
use crate::commands::text::{WIDTH, wrap};
use crate::commands::{Warning, html, note, table, warn};
use crate::trouble::Trouble;

/// The key of a model file for the approach speed that slower touches count as.
const FLOOR: &str = "approach_speed_floor";

/// What is asked about a model.
#[derive(Args)]
pub struct MechanismArguments {
    /// A model file: its run says how the surfaces meet, and the leading laws are tried on it
    #[arg(value_name = "MODEL")]
    model: Option<PathBuf>,

    /// Sets a value in the model in place of the one in the file, such as parameters.r="60 mm"; may be repeated
    #[arg(long, value_name = "PATH=VALUE", requires = "model")]
    set: Vec<String>,

    /// The element whose law is asked about, such as contact.impact or joint.pin; unless given, the one that is hit hardest
    #[arg(long, value_name = "ELEMENT", requires = "model")]
    contact: Option<String>,

    /// The numbers of the model that matter: max driver.motor.moment, last slider.x, max contacts.peak_force, count contacts, … (max, min, mean, rms, range, size, first, last, sum, count)
    #[arg(
        long,
        value_name = "WHICH CHANNEL,…",
        value_delimiter = ',',
        requires = "model"
    )]
    quantities: Vec<String>,

    /// How many laws are tried on the model, besides its own: the best of each family, in the order of the ranking
    #[arg(long, value_name = "N", default_value_t = 4, requires = "model", value_parser = super::many)]
    laws: usize,

    /// Shows no progress
    #[arg(short, long)]
    quiet: bool,
}

/// A model and a sound question about it.
pub struct Asked<'a> {
    arguments: &'a MechanismArguments,
    model: Model,
    /// How the contacts of its file are computed.
    method: ContactMethod,
    /// The text of its file, and what is set beside it.
    text: String,
    set: Vec<(String, String)>,
    name: String,
    quantities: Vec<Quantity>,
}

/// A model that has been run, and the element whose law is asked about.
pub struct Looked {
    model: Model,
    method: ContactMethod,
    text: String,
    set: Vec<(String, String)>,
    title: String,
    all: Vec<Met>,
    at: usize,
    quantities: Vec<Quantity>,
    laws: usize,
    quiet: bool,
    stop: Arc<AtomicBool>,
}

/// What became of the laws that were tried.
pub struct TriedOut {
    title: String,
    all: Vec<Met>,
    met: Vec<String>,
    /// Which numbers are not those of the model file.
    numbers: Vec<String>,
    /// What slower touches count as with laws whose damper follows the approach speed, m/s; none: as in the model.
    floor: Option<Floor>,
    choice: Choice,
}

/// What is said of a model whose contacts are computed in another way: laws of contact have no part in that.
fn in_place_of(method: ContactMethod) -> Option<Warning> {
    (method != ContactMethod::Compliant).then(|| Warning {
        code: "contact-method",
        element: Some("method.contact"),
        message: format!(
            "the model has method.contact = \"{}\", in which a law is no more than its restitution: here all runs are made with compliant contacts in place of that, also those with the model's own law, and say nothing of its runs as it stands",
            method.name()
        ),
        hint: "compliant contacts of stiff bodies take steps of microseconds, so that such runs may never end: ask about one pair with --material, --radii, --speed and --restitution".into(),
    })
}

fn refused(model: &str, refused: &Refused) -> Trouble {
    let said = format!("{model}: {refused}");
    match refused {
        Refused::Failed(_) | Refused::Stopped => Trouble::Failed(said),
        Refused::Analysis(_) | Refused::Grains => Trouble::Input(vec![said]),
    }
}

/// What is wrong with the question, whatever the model is.
pub fn wrong(arguments: &MechanismArguments) -> Vec<String> {
    match arguments.laws {
        0 => vec!["--laws = 0, but must be 1 or more".into()],
        _ => Vec::new(),
    }
}

/// Reads the model, if there is one, and what is asked about it; everything that is wrong at once.
pub fn read(arguments: &MechanismArguments) -> Result<Option<Asked<'_>>, Trouble> {
    let mut wrong = Vec::new();
    let Some(path) = &arguments.model else {
        return Ok(None);
    };
    let loaded = model::load(&ModelArguments {
        model: path.clone(),
        set: arguments.set.clone(),
    })?;
    // What is wrong with it is said with its place in the file.
    let _ = loaded.assemble()?;
    if !loaded.parsed.warnings.is_empty() {
        note(&format!("{}\n", listing(&loaded.parsed.warnings)));
    }
    let mut model = loaded.parsed.model;
    let mut quantities = Vec::new();
    for text in &arguments.quantities {
        match Quantity::parse(text, &model) {
            Ok(quantity) => quantities.push(quantity),
            Err(misread) => wrong.push(format!("--quantities {misread}")),
        }
    }
    if let Some(asked) = &arguments.contact {
        let elements = choice::elements(&model);
        if !elements.contains(asked) {
            wrong.push(format!(
                "--contact {asked}: the model has no such contact. It has {}",
                match elements.is_empty() {
                    true => "none".into(),
                    false => elements.join(", "),
                }
            ));
        }
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    // Laws are about contacts that yield.
    let method = std::mem::replace(&mut model.method.contact, ContactMethod::Compliant);
    Ok(Some(Asked {
        arguments,
        model,
        method,
        text: loaded.source.text,
        set: loaded.parsed.overrides,
        name: path.display().to_string(),
        quantities,
    }))
}

impl Asked<'_> {
    /// Runs the model and finds the element.
    pub fn look(self) -> Result<Looked, Trouble> {
        let Self {
            arguments,
            model,
            method,
            ..
        } = self;
        // Such runs may take long: this is said before.
        if let Some(warning) = in_place_of(method) {
            warn(&[warning]);
        }
        let stop = stop_on_signals();
        let counting = Counting::new("how surfaces meet", arguments.quiet, &stop);
        let outcome = choice::as_it_stands(&model, &|step| counting.hear(step))
            .map_err(|why| refused(&self.name, &why))?;
        drop(counting);
        let all = choice::meetings(&model, &outcome.contacts);
        let at = match &arguments.contact {
            None => (!all.is_empty()).then_some(0),
            Some(asked) => all.iter().position(|met| met.definition == *asked),
        };
        let Some(at) = at else {
            let what = arguments.contact.as_deref().unwrap_or("nothing");
            return Err(Trouble::input(format!(
                "{}: {what} {} in this run, so that there is nothing to advise on. Hint: a longer run, or what is known in place of a model: --material, --radii, --speed, --restitution",
                self.name,
                match arguments.contact {
                    Some(_) => "never touches anything, or only turns against a stop,",
                    None => "touches anything, but for stops that turn,",
                }
            )));
        };
        let mut quantities = self.quantities;
        if quantities.is_empty()
            && let Some(met) = all.get(at)
        {
            quantities = Quantity::usual(&model, &met.definition);
        }
        Ok(Looked {
            title: model.title.clone(),
            model,
            method,
            text: self.text,
            set: self.set,
            all,
            at,
            quantities,
            laws: arguments.laws,
            quiet: arguments.quiet,
            stop,
        })
    }
}

impl Looked {
    /// What the run says of the contact.
    pub fn known(&self) -> Known {
        self.all.get(self.at).map(Met::known).unwrap_or_default()
    }

    /// The table of the element in the model file, without its law.
    pub fn paste(&self, known: &Known) -> Option<Paste> {
        let element = &self.all.get(self.at)?.definition;
        let standing = standing(&self.text, &self.set, element)?;
        let mut paste = Paste::of(element, standing, self.surfaces()).with(&known.surfaces);
        paste.floor = self.floor(known).filter(|_| !paste.has(FLOOR));
        Some(paste)
    }

    /// What is wrong with options for the radii (those that are typed) where the element is a joint: a law that takes them there has those of the joint.
    pub fn own_to_its_joint(&self, typed: &[&str]) -> Vec<String> {
        let joint = self.in_the_run().filter(|met| met.play.is_some());
        let Some(joint) = joint.filter(|_| !typed.is_empty()) else {
            return Vec::new();
        };
        vec![format!(
            "{}: the clearance and the radii of {} stand in the model, and its motion follows from them. Hint: --set {1}.clearance=\"{}\" or --set {1}.journal_radius=… runs it with others",
            typed.join(", "),
            joint.definition,
            pretty(0.5 * joint.play.unwrap_or_default(), "m", 3)
        )]
    }

    /// What the model says of the surfaces of the element; nothing where its pairs differ.
    fn surfaces(&self) -> Surfaces {
        let met = self.all.get(self.at);
        let mut of_element = self
            .model
            .contacts
            .iter()
            .filter(|entry| {
                met.is_some_and(|met| choice::definition(&entry.element()) == met.definition)
            })
            .map(|entry| &entry.surfaces);
        match of_element.next() {
            Some(first) if of_element.all(|other| other == first) => first.clone(),
            _ => Surfaces::default(),
        }
    }

    /// The approach that slower touches count as where the usual one is of no use: where what presses the surfaces while they touch does the work, or all of them are slow.
    fn floor(&self, known: &Known) -> Option<Floor> {
        let met = self.all.get(self.at)?;
        let usual = match met.definition.ends_with(".limits") {
            true => Limit::SLOWEST,
            false => Contact::SLOWEST,
        };
        match met.is_pressed() {
            // That at which the laws are judged.
            true => met.known().speeds.map(|[middle, _]| Floor::Pressed(middle)),
            false => Floor::of(known, usual),
        }
    }

    /// What the run says beside the numbers of a free impact.
    pub fn in_the_run(&self) -> Option<&Met> {
        self.all.get(self.at)
    }

    fn others(&self) -> Option<String> {
        let others = self.all.iter().enumerate().filter(|(i, _)| *i != self.at);
        let others: Vec<&str> = others.map(|(_, met)| met.definition.as_str()).collect();
        (!others.is_empty()).then(|| {
            format!(
                "Also met: {}. --contact asks about another.",
                others.join(", ")
            )
        })
    }

    /// How the surfaces met, a paragraph each.
    fn met(&self) -> Vec<String> {
        let met = self.all.get(self.at).map(choice::met_in_words);
        let instead = self
            .warning()
            .map(|warning| format!("{}.", warning.message));
        instead
            .into_iter()
            .chain(met)
            .chain(self.others())
            .collect()
    }

    /// That its runs are not those of the model file, where they are not.
    pub fn warning(&self) -> Option<Warning> {
        in_place_of(self.method)
    }

    /// The same above the advice.
    pub fn before(&self) -> String {
        let title = match self.title.is_empty() {
            true => "model",
            false => &self.title,
        };
        format!("{title}: how its surfaces meet\n{}\n", lines(self.met()))
    }

    /// Tries the leading laws on the model, beside its own at the same numbers.
    pub fn try_out(&self, advice: &Advice, known: &Known) -> Result<TriedOut, Trouble> {
        let Some(met) = self.all.get(self.at) else {
            return Err(Trouble::Failed("nothing touched anything".into()));
        };
        let own = choice::renumber(&self.model, met, known, advice);
        let law = choice::own_law(&own.model, &met.definition);
        // What came back in the run is no restitution that anybody asked for.
        let asked = met.restitution.is_some()
            || known.restitution != met.known().restitution
            || !known.measured.is_empty();
        let floor = self.paste(known).and_then(|paste| paste.floor);
        let mut candidates = vec![Candidate {
            name: match (own.changed, self.method) {
                (true, _) => format!("{} (own)", met.law),
                (false, ContactMethod::Compliant) => format!("{} (now)", met.law),
                (false, _) => format!("{} (compliant)", met.law),
            },
            law: None,
            floor: None,
            restitution_error: law
                .filter(|_| asked)
                .and_then(|law| choice::restitution_error(law, advice)),
        }];
        // Laws of one family do much the same: the best of each, in the order of the ranking. What the model has already is not tried twice.
        let mut families = Vec::new();
        for judged in &advice.ranked {
            if candidates.len() > self.laws || families.contains(&judged.card.family) {
                continue;
            }
            families.push(judged.card.family);
            if !law.is_some_and(|own| choice::same_law(own, &judged.law)) {
                candidates.push(Candidate {
                    floor: floor.filter(|_| advice.by_speed(judged)).map(Floor::speed),
                    ..Candidate::from(judged)
                });
            }
        }
        let mut numbers = own.said;
        numbers.extend(floor.and_then(|floor| about_floor(floor, met, &candidates)));
        let counting = Counting::new("trying laws", self.quiet, &self.stop);
        let choice = choice::choose(
            &own.model,
            &met.definition,
            &candidates,
            &self.quantities,
            &|step| counting.hear(step),
        );
        drop(counting);
        let mut choice = choice.map_err(|why| refused(&self.title, &why))?;
        // A run warns of surfaces without what the advice has found of them.
        for tried in &mut choice.tried {
            tried.warnings.retain(|warning| {
                let element = warning.element.as_deref().unwrap_or_default();
                choice::definition(element) != met.definition || advice.agrees(warning.code, known)
            });
        }
        Ok(TriedOut {
            title: self.title.clone(),
            all: self.all.clone(),
            met: self.met(),
            numbers,
            floor,
            choice,
        })
    }
}

/// Which laws are tried with a floor of the approach speed (m/s), and why; nothing if none is.
fn about_floor(floor: Floor, met: &Met, candidates: &[Candidate]) -> Option<String> {
    let with = candidates.iter().filter(|c| c.floor.is_some());
    let names: Vec<&str> = with.map(|c| c.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        let tried = format!(
            "{} {} tried with {FLOOR} = {}",
            names.join(", "),
            if names.len() == 1 { "is" } else { "are" },
            pretty(floor.speed(), "m/s", 4)
        );
        match floor {
            Floor::Pressed(_) => format!(
                "{} is pressed while it touches, and dampers in proportion to 1/v0 would be as strong as its slowest touches are slow: {tried}, the slowest approach that laws are judged at.",
                met.definition
            ),
            Floor::Slow(_) => format!(
                "{} touches more slowly than the speed that touches count as at least unless a model says otherwise: {tried}, a tenth of the slowest approach that laws are judged at. The model's own law is not, and its damper may be that of a faster touch.",
                met.definition
            ),
        }
    })
}

/// Paragraphs, indented and cut to the width of a terminal.
fn lines(paragraphs: Vec<String>) -> String {
    let wrapped = paragraphs.iter().flat_map(|text| wrap(text, WIDTH - 2));
    wrapped.map(|line| format!("  {line}\n")).collect()
}

impl TriedOut {
    /// Whether it was stopped before all had run.
    pub fn stopped(&self) -> bool {
        self.choice.stopped
    }

    /// Whether no run with any law came to its end.
    pub fn none_ended(&self) -> bool {
        let mut tried = self.choice.tried.iter();
        tried.all(|tried| tried.status != Status::Completed)
    }

    /// What the laws did, below it.
    pub fn after(&self) -> String {
        let mut text = format!(
            "\nHow much the law of {} matters\n\n",
            self.choice.definition
        );
        if !self.numbers.is_empty() {
            text.push_str(&format!("{}\n", lines(self.numbers.clone())));
        }
        let head = shown::head(&self.choice);
        let last = head.len().saturating_sub(1);
        text.push_str(&table(&head, &shown::rows(&self.choice), &[last]));
        text.push_str(&lines(vec![shown::LEGEND.into()]));
        text.push('\n');
        text.push_str(&lines(choice::sentences(&self.choice)));
        text
    }

    /// The same for a page.
    pub fn page(&self) -> String {
        let mut body = String::from("<h2>The mechanism</h2>\n");
        body.push_str(&html::paragraphs(self.met.iter().cloned()));
        body.push_str(&format!(
            "<h2>How much the law of {} matters</h2>\n",
            html::escaped(&self.choice.definition)
        ));
        body.push_str(&html::paragraphs(self.numbers.iter().cloned()));
        body.push_str(&html::paragraphs(choice::sentences(&self.choice)));
        body.push_str(&html::table(
            &shown::head(&self.choice),
            &shown::rows(&self.choice),
        ));
        body.push_str(&html::paragraphs([shown::LEGEND.to_string()]));
        body
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let met: Vec<Value> = self.all.iter().map(shown::met_json).collect();
        json!({ "title": self.title, "met": met, "other_numbers": self.numbers, "approach_speed_floor": self.floor.map(Floor::speed), "choice": shown::json(&self.choice) })
    }
}

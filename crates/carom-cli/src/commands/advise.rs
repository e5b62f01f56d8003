//! Which law suits a contact, and with which numbers?

mod choice;
mod mechanism;
mod shown;

use carom::card::Range;
use carom::contact::Restitution;
use carom::impact::TwoBodies;
use carom::model::units::{self, Dimension};
use carom::study::advise::{self as study, Advice, Caution, Known, Paste, Purpose, Shape, advise};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::measured;
use super::read::{pair, quantity, restitution, two_materials};
use super::{Output, Warning, print, print_json};
use crate::trouble::Trouble;

/// The arguments of `carom advise`.
#[derive(Args)]
#[command(after_help = "Examples:
  Two balls, what they are made of and how they meet:
    carom advise --material steel,steel --radii \"10 mm,10 mm\" --speed 0.3 --restitution 0.8
  A journal in its bearing:
    carom advise --material steel --journal-radius \"9.5 mm\" --clearance \"5 um\" --length \"15 mm\" --mass 0.2 --speed 0.3 --restitution 0.9
  Teeth of gears, flat faces:
    carom advise --material steel --shape gear --length \"20 mm\" --mass 0.5 --speed \"50 mm/s\" --restitution 0.8
    carom advise --shape flat --stiffness \"50 MN/m\" --mass \"1000 t\" --speed 0.5 --restitution 0.65
  Many grains, over a range of speeds:
    carom advise --material glass --radii \"1 mm,1 mm\" --speed \"10 mm/s:1\" --restitution 0.9 --for many
  A stiffness from how long a contact lasts, or from how deep it may go at the fastest approach:
    carom advise --contact-time \"5 ms\" --mass \"57 g\" --speed 20 --restitution 0.75
    carom advise --allowed-depth \"0.1 mm\" --mass 2 --speed 0.1:0.5 --load \"20 N\" --for rest
  Measured pairs of speed and restitution, judged at the speeds asked for; with a page and pictures:
    carom advise --material rubber,steel --radii \"20 mm,inf\" --measured pairs.csv --speed 0.2:1 --out DIR
  A model: what its surfaces do, and what other laws would change:
    carom advise slider-crank-clearance.toml --quantities \"max driver.motor.moment,count contacts\"
    carom advise bouncing-ball.toml --contact contact.floor --restitution 0.7 --laws 6 --json

Every law of the catalogue that can be set up is run in the impact laboratory at the speeds asked for. What speaks against it (restitution, yield, geometry, pull, jumps, memory, work) is counted as the error of restitution it would be worth; the least leads. What is not given is assumed, and said.
A table of --measured names its columns in the first line, in any order and with any unit: `v_in [mm/s],e`, `approach speed (m/s);rebound speed (m/s)`. Columns are separated by commas, semicolons or tabs; decimal commas need one of the latter two.
With a model file, its run says how the surfaces meet (options override that; the radii and the clearance of a joint are set with --set). The advice comes first; then the leading laws are tried on the model in place of its own, and what they change is set side by side. Where options say other numbers than the model file, its own law is run at these too. Laws are compared with compliant contacts, whatever method.contact of the model is; where that is another one, it is said. Ctrl-C ends the trials, and what is known by then is told.
`--out DIR` writes advice.html, advice.json, and the pictures speed (restitution over speed) and loops; restitution.csv if pairs were measured.
Exit codes: 0 done, 1 the work failed or was stopped, 2 the input is wrong.")]
pub struct Arguments {
    #[command(flatten)]
    mechanism: mechanism::MechanismArguments,

    /// Both materials: names (`carom materials`) or young:poisson[:density[:yield]]; one stands for both
    #[arg(long, value_name = "A,B")]
    material: Option<String>,

    /// Radii of both surfaces; negative if concave, `inf` for a plane
    #[arg(long, value_name = "R1,R2", allow_hyphen_values = true)]
    radii: Option<String>,

    /// Radial clearance of a journal in its bearing, with --journal-radius, in place of --radii
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    clearance: Option<String>,

    /// Radius of the journal
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    journal_radius: Option<String>,

    /// Length of the contact: of a joint, of rollers, the width of gears
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    length: Option<String>,

    /// What kind of surfaces meet, where radii do not tell
    #[arg(long, value_enum, default_value = "radii")]
    shape: ShapeWord,

    /// Stiffness K of K δ^n, if it is known already: a number (SI) or a quantity
    #[arg(short = 'k', long, value_name = "K", allow_hyphen_values = true)]
    stiffness: Option<String>,

    /// Exponent n that goes with --stiffness; unless given, its unit tells, or it is 1.5 (flat: 1)
    #[arg(short = 'n', long, value_name = "N", allow_hyphen_values = true)]
    exponent: Option<String>,

    /// Effective mass; unless given, that of solid balls of these materials and radii, with --length of solid cylinders
    #[arg(short = 'm', long, value_name = "M", allow_hyphen_values = true)]
    mass: Option<String>,

    /// Masses of two bodies, in place of --mass; `inf` is a fixed body
    #[arg(long, value_name = "M1,M2", allow_hyphen_values = true)]
    masses: Option<String>,

    /// Approach speed, or the slowest and the fastest: 0.1:2
    #[arg(short = 'v', long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<String>,

    /// Coefficient of restitution: 0.7, or of the approach speed: 1-0.02*v, 0.1:0.9,1:0.8 (speed:restitution), table:FILE.csv, wang:S1,S2 (yield strengths)
    #[arg(short = 'e', long, value_name = "E", allow_hyphen_values = true)]
    restitution: Option<String>,

    /// A table of measured approach speeds and restitutions (or rebound speeds); its first line names the columns and units
    #[arg(long, value_name = "FILE")]
    measured: Option<String>,

    /// The deepest indentation that is allowed, at the fastest approach and at rest
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    allowed_depth: Option<String>,

    /// How long a contact lasts, at the middle speed
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    contact_time: Option<String>,

    /// The force that presses the bodies together at rest, such as a weight
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    load: Option<String>,

    /// What the law is for; unless given: impact, or rest where a model ends in it
    #[arg(long = "for", value_enum)]
    purpose: Option<PurposeWord>,

    /// How many laws the table has
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = many)]
    top: usize,

    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ShapeWord {
    /// Round bodies, a journal in its bearing, or with --length a line: what the radii say
    Radii,
    /// Teeth of spur gears
    Gear,
    /// Flat faces
    Flat,
}

#[derive(Clone, Copy, ValueEnum)]
enum PurposeWord {
    /// Impacts, one after the other
    Impact,
    /// Bodies that come to rest on each other
    Rest,
    /// Many bodies with one fixed step
    Many,
}

/// How many, as it is typed.
fn many(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| format!("`{text}` must be a whole number, 1 or more, such as 8"))
}

/// Judges and tells. With `--json` whatever happens is one JSON value.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut said = false;
    let done = carry_out(arguments, &mut said);
    if let Err(trouble) = &done
        && arguments.output.json
        && !said
        && !matches!(trouble, Trouble::Output(_))
    {
        print_json(&json!({ "status": "failed", "errors": super::errors_json(trouble) }))?;
    }
    done
}

/// `said` is whether its answer stands on standard output already.
fn carry_out(arguments: &Arguments, said: &mut bool) -> Result<(), Trouble> {
    // What is typed is read before anything runs, and all that is wrong with it is said at once.
    let typed = read(arguments, Known::default());
    let asked = mechanism::read(&arguments.mechanism);
    let mut wrong = mechanism::wrong(&arguments.mechanism);
    let table = arguments.measured.as_ref().map(|_| shown::TABLE);
    if let Some(dir) = &arguments.output.out
        && let Err(trouble) = super::may_write(
            dir,
            shown::FILES.into_iter().chain(table),
            arguments.output.force,
        )
    {
        collect(trouble, &mut wrong)?;
    }
    if let Err(faults) = &typed {
        wrong.extend(faults.iter().cloned());
    }
    let asked = match asked {
        Ok(asked) => asked,
        Err(trouble) => {
            collect(trouble, &mut wrong)?;
            None
        }
    };
    let typed = match (typed, wrong.is_empty()) {
        (Ok(typed), true) => typed,
        _ => return Err(Trouble::Input(wrong)),
    };
    let mechanism = asked.map(mechanism::Asked::look).transpose()?;
    let known = match &mechanism {
        Some(mechanism) => {
            let own = mechanism.own_to_its_joint(&radii_typed(arguments));
            let known = read(arguments, mechanism.known());
            match (known, own.is_empty()) {
                (Ok(known), true) => known,
                (known, _) => {
                    let wrong = known.err().unwrap_or_default();
                    return Err(Trouble::Input([wrong, own].concat()));
                }
            }
        }
        None => typed,
    };
    let advice = advise(&known)?;
    let paste = match &mechanism {
        Some(mechanism) => mechanism.paste(&known),
        None => None,
    };
    let told = shown::Told {
        met: mechanism.as_ref().and_then(|m| m.in_the_run().cloned()),
        paste: paste.unwrap_or_else(|| Paste::new(&advice, &known)),
        advice,
        known,
        top: arguments.top,
    };
    // The trials take their time: what is known already is told before.
    if !arguments.output.json {
        let before = mechanism.as_ref().map_or_else(String::new, |m| m.before());
        print(&format!("{before}{}", told.text()))?;
    }
    let tried = match &mechanism {
        Some(mechanism) => Some(mechanism.try_out(&told.advice, &told.known)?),
        None => None,
    };
    let stopped = tried.as_ref().is_some_and(|tried| tried.stopped());
    let mut value = told.json();
    if let Some(warning) = mechanism.as_ref().and_then(|m| m.warning())
        && let Some(all) = value["warnings"].as_array_mut()
    {
        all.insert(0, warning.json());
    }
    if let (Some(all), Some(tried)) = (value.as_object_mut(), &tried) {
        all.insert("mechanism".into(), tried.json());
        if stopped {
            all.insert("status".into(), "stopped".into());
        }
    }
    let mut last = String::new();
    if let Some(dir) = &arguments.output.out {
        let files = told.files(&value, tried.as_ref())?;
        super::write_files(dir, &files, arguments.output.force)?;
        last = super::written(dir, &files);
        if table.is_none() && dir.join(shown::TABLE).exists() {
            last.push_str(&format!(
                "; {} there is of earlier pairs and has no part in this",
                shown::TABLE
            ));
        }
    }
    if arguments.output.json {
        if !last.is_empty() {
            super::note(&last);
        }
        super::warn(&warnings(&told.advice));
        *said = true;
        print_json(&value)?;
    } else {
        let after = tried
            .as_ref()
            .map_or_else(String::new, |tried| tried.after());
        let last = match last.is_empty() {
            true => String::new(),
            false => format!("\n{last}\n"),
        };
        print(&format!("{after}{last}"))?;
    }
    let failed = tried.as_ref().is_some_and(|tried| tried.none_ended());
    match stopped {
        false if failed => Err(Trouble::Failed(
            "no run of the model came to its end with any of the laws: nothing is said of how much their choice matters".into(),
        )),
        true => Err(Trouble::Failed(
            "it was stopped: what is said rests on the runs that were done".into(),
        )),
        false => Ok(()),
    }
}

/// Puts messages about the input with those that are there; anything else goes its own way.
fn collect(trouble: Trouble, wrong: &mut Vec<String>) -> Result<(), Trouble> {
    match trouble {
        Trouble::Input(messages) => {
            wrong.extend(messages);
            Ok(())
        }
        // What is wrong with a model file is told with its lines.
        other if wrong.is_empty() => Err(other),
        Trouble::Model(diagnostics) => {
            // Each has its own word for how bad it is, and so has the list.
            wrong.extend(diagnostics.iter().map(|diagnostic| {
                let said = diagnostic.to_string();
                said.strip_prefix("error: ")
                    .map_or(said.clone(), Into::into)
            }));
            Ok(())
        }
        other => Err(other),
    }
}

/// Its cautions as warnings.
fn warnings(advice: &Advice) -> Vec<Warning> {
    let warning = |caution: &Caution| Warning {
        code: caution.code(),
        element: None,
        message: caution.to_string(),
        hint: caution.hint(),
    };
    advice.cautions.iter().map(warning).collect()
}

/// Reads the options; everything that is wrong at once.
fn read(arguments: &Arguments, base: Known) -> Result<Known, Vec<String>> {
    let mut said: Vec<String> = Vec::new();
    let before = (base.surfaces.clone(), base.shape);
    let mut known = Known {
        shape: match arguments.shape {
            // Radii that are typed are those of balls, or of a journal and its bearing.
            ShapeWord::Radii if typed_radii(arguments) => Shape::Radii,
            ShapeWord::Radii => base.shape,
            ShapeWord::Gear => Shape::Gear,
            ShapeWord::Flat => Shape::Flat,
        },
        purpose: match arguments.purpose {
            None => base.purpose,
            Some(PurposeWord::Impact) => Purpose::Impact,
            Some(PurposeWord::Rest) => Purpose::Rest,
            Some(PurposeWord::Many) => Purpose::Many,
        },
        ..base
    };
    if let Some(text) = &arguments.material {
        match two_materials(text) {
            Ok(materials) => known.surfaces.materials = Some(materials),
            Err(e) => said.extend(e),
        }
    }
    let mut one = |option: &str, text: &Option<String>, kind: Dimension, hint: &str| {
        let value = quantity(text.as_ref()?, kind)
            .map_err(|e| said.push(format!("--{option}: {e}")))
            .ok()?;
        if Range::POSITIVE.contains(value) {
            return Some(value);
        }
        said.push(format!(
            "--{option} = {value} [{}], but must be {}. Hint: {hint}",
            kind.unit(),
            Range::POSITIVE.asked_of(value)
        ));
        None
    };
    let length = Dimension::LENGTH;
    let given = one(
        "length",
        &arguments.length,
        length,
        "the length of the line of contact",
    );
    known.surfaces.length = given.or(known.surfaces.length);
    let clearance = one(
        "clearance",
        &arguments.clearance,
        length,
        "bearing radius less journal radius",
    );
    let journal = one(
        "journal-radius",
        &arguments.journal_radius,
        length,
        "the bearing's is larger by the clearance",
    );
    known.allowed_depth = one(
        "allowed-depth",
        &arguments.allowed_depth,
        length,
        "such as \"10 um\"",
    );
    known.contact_time = one(
        "contact-time",
        &arguments.contact_time,
        Dimension::TIME,
        "such as \"5 ms\"",
    );
    let given = one(
        "load",
        &arguments.load,
        Dimension::new(1.0, 1.0, -2.0, 0.0),
        "the weight that rests on the contact, such as \"20 N\"",
    );
    known.load = given.or(known.load);
    let given = one(
        "mass",
        &arguments.mass,
        Dimension::MASS,
        "the effective mass m1 m2/(m1 + m2); against a fixed body, the mass",
    );
    known.mass = given.or(known.mass);
    radii(arguments, clearance, journal, &mut known, &mut said);
    spring(arguments, &mut known, &mut said);
    if let Some(text) = &arguments.masses {
        if arguments.mass.is_some() {
            said.push("give --mass or --masses, not both".into());
        }
        match pair(text, Dimension::MASS) {
            Err(e) => said.push(format!("--masses: {e}")),
            // The speeds play no part in the effective mass.
            Ok(masses) => match TwoBodies::new(masses, [1.0, 0.0]) {
                Ok(bodies) => known.mass = Some(bodies.effective_mass()),
                Err(faults) => said.extend(faults.iter().map(|fault| format!("--masses: {fault}"))),
            },
        }
    }
    if let Some(text) = &arguments.speed {
        match speeds(text) {
            Ok(range) => known.speeds = Some(range),
            Err(e) => said.extend(e),
        }
    }
    if let Some(text) = &arguments.restitution {
        match restitution(text) {
            Ok(e) => {
                let faults = e.faults("--restitution");
                said.extend(faults.iter().map(ToString::to_string));
                known.restitution = Some(e).filter(|_| faults.is_empty());
                known.restitution_returned = false;
            }
            Err(e) => said.extend(e),
        }
    }
    if let Some(path) = &arguments.measured {
        if arguments.restitution.is_some() {
            said.push("give --restitution or --measured, not both. Hint: --restitution is what is wanted, --measured what was found".into());
        }
        match measured::pairs(path) {
            Ok(pairs) => (known.measured, known.restitution) = (pairs, None),
            Err(e) => said.extend(e),
        }
    }
    // What followed from the surfaces of a model follows from those that were typed.
    if (&known.surfaces, known.shape) != (&before.0, before.1) {
        known.follow_anew();
    }
    if arguments.top == 0 {
        said.push("--top = 0, but must be 1 or more".into());
    }
    // What each number is by itself has been said; now what they are together.
    for fault in study::faults(&known) {
        said.push(by_option(arguments, &fault.to_string()));
    }
    if said.is_empty() {
        Ok(known)
    } else {
        Err(said)
    }
}

/// A fault with the option that the number was typed with, if it was.
fn by_option(arguments: &Arguments, fault: &str) -> String {
    if let Some(rest) = fault.strip_prefix("effective radius: ") {
        return format!("--radii: {rest}");
    }
    let options = [
        ("exponent", &arguments.exponent),
        ("allowed depth", &arguments.allowed_depth),
        ("contact time", &arguments.contact_time),
        ("load", &arguments.load),
        ("mass", &arguments.mass),
        ("speed", &arguments.speed),
    ];
    for (name, typed) in options {
        let rest = fault
            .strip_prefix("advise: ")
            .and_then(|f| f.strip_prefix(name));
        if let (Some(rest), Some(_)) = (rest.filter(|rest| rest.starts_with(" =")), typed) {
            return format!("--{}{rest}", name.replace(' ', "-"));
        }
    }
    fault.into()
}

/// The options that say what the radii are, of those that are typed.
fn radii_typed(arguments: &Arguments) -> Vec<&'static str> {
    let options = [
        ("--radii", &arguments.radii),
        ("--clearance", &arguments.clearance),
        ("--journal-radius", &arguments.journal_radius),
    ];
    let typed = options.into_iter().filter(|(_, text)| text.is_some());
    typed.map(|(option, _)| option).collect()
}

/// Whether the command line says what the radii are.
fn typed_radii(arguments: &Arguments) -> bool {
    arguments.radii.is_some() || arguments.clearance.is_some()
}

/// Two radii, or a journal and its clearance.
fn radii(
    arguments: &Arguments,
    clearance: Option<f64>,
    journal: Option<f64>,
    known: &mut Known,
    said: &mut Vec<String>,
) {
    let joint = arguments.clearance.is_some() || arguments.journal_radius.is_some();
    if joint && arguments.radii.is_some() {
        said.push("give --radii, or --clearance and --journal-radius, not both".into());
        return;
    }
    if arguments.clearance.is_some() != arguments.journal_radius.is_some() {
        let lacks = if arguments.clearance.is_some() {
            "--clearance needs --journal-radius"
        } else {
            "--journal-radius needs --clearance"
        };
        said.push(format!(
            "{lacks}. Hint: or both radii, the bearing's negative: --radii \"-10 mm,9.5 mm\""
        ));
    }
    if let (Some(c), Some(r)) = (clearance, journal) {
        known.surfaces.radii = Some([r, -(r + c)]);
    }
    if let Some(text) = &arguments.radii {
        match pair(text, Dimension::LENGTH) {
            Ok(radii) => known.surfaces.radii = Some(radii),
            Err(e) => said.push(format!("--radii: {e}")),
        }
    }
}

/// K and n.
fn spring(arguments: &Arguments, known: &mut Known, said: &mut Vec<String>) {
    let n = arguments.exponent.as_ref().and_then(|text| {
        quantity(text, Dimension::NONE)
            .map_err(|e| said.push(format!("--exponent: {e}")))
            .ok()
    });
    let Some(text) = &arguments.stiffness else {
        if arguments.exponent.is_some() {
            said.push("--exponent needs --stiffness".into());
        }
        return;
    };
    let usual = if arguments.shape == ShapeWord::Radii {
        1.5
    } else {
        1.0
    };
    known.stiffness_follows = false;
    match units::parse_any(text) {
        Err(e) => said.push(format!("--stiffness: {e}")),
        Ok((k, None)) => known.stiffness = Some((k, n.unwrap_or(usual))),
        // N/m^n is kg m^(1−n)/s².
        Ok((k, Some(unit))) => {
            let told = 1.0 - unit.length;
            let expected = Dimension::new(1.0 - told, 1.0, -2.0, 0.0);
            if !unit.fits(expected) || !(0.99..=3.01).contains(&told) {
                said.push(format!(
                    "--stiffness: {text} is in {}, but must be in N/m^n with n from 1 to 3",
                    unit.unit()
                ));
            } else if n.is_some_and(|n| (n - told).abs() > 1e-9) {
                said.push(format!(
                    "--exponent = {}, but the unit of --stiffness says {told}",
                    n.unwrap_or(told)
                ));
            } else {
                known.stiffness = Some((k, told));
            }
        }
    }
    if let Some((k, _)) = known.stiffness
        && !Range::POSITIVE.contains(k)
    {
        said.push(format!(
            "--stiffness = {k}, but must be {}",
            Range::POSITIVE.asked_of(k)
        ));
        known.stiffness = None;
    }
}

/// One speed, or the slowest and the fastest.
fn speeds(text: &str) -> Result<[f64; 2], Vec<String>> {
    if text.contains(',') {
        return Err(vec![format!(
            "--speed: `{text}` is neither a speed nor two. Hint: the slowest and the fastest are 0.1:2, with a decimal point"
        )]);
    }
    let (low, high) = text.split_once(':').unwrap_or((text, text));
    let mut said = Vec::new();
    let mut read = |text: &str| {
        let value = quantity(text, Dimension::SPEED)
            .map_err(|e| said.push(format!("--speed: {e}")))
            .ok()?;
        if Range::POSITIVE.contains(value) {
            return Some(value);
        }
        said.push(format!(
            "--speed = {value} [m/s], but must be {}. Hint: the bodies must approach each other",
            Range::POSITIVE.asked_of(value)
        ));
        None
    };
    let both = (read(low), if low == high { None } else { read(high) });
    match both {
        (Some(low), None) if said.is_empty() => Ok([low; 2]),
        (Some(low), Some(high)) if low <= high => Ok([low, high]),
        (Some(low), Some(high)) => Err(vec![format!(
            "--speed: the fastest, {high} m/s, is below the slowest, {low} m/s"
        )]),
        _ => Err(said),
    }
}

/// What is asked for, in a few words.
fn asked(known: &Known) -> String {
    match &known.restitution {
        Some(Restitution::Number(e)) if known.restitution_returned => {
            format!("restitution {e}, which came back in the run")
        }
        Some(Restitution::Number(e)) => format!("restitution {e}"),
        Some(_) => "a restitution that depends on the speed".into(),
        None if known.measured.len() == 1 => "one measured pair".into(),
        None if !known.measured.is_empty() => {
            format!("{} measured pairs", known.measured.len())
        }
        None => "no restitution given".into(),
    }
}

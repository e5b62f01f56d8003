//! What do cards of contact and of friction have in common, so that one command lists both?

use carom::card::{Choice, Citation, Parameter};
use carom::contact::{self, RestitutionError, Separation, Tension};
use carom::friction;

/// What a law is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Contact,
    Friction,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Contact, Kind::Friction];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Contact => "contact",
            Kind::Friction => "friction",
        }
    }

    /// The unknowns and words that formulas of this kind may use, besides the parameters of the law.
    fn letters(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Kind::Contact => &[
                ("F", "force"),
                ("δ", "indentation"),
                ("δm", "deepest indentation so far"),
                ("v", "rate of indentation, positive approaching"),
                ("v0", "approach speed"),
                ("m", "effective mass"),
                ("t", "time since touch"),
                ("a", "the law's own variable"),
                ("adot", "its rate"),
                ("loading", "1 up to the deepest point, 0 after it"),
            ],
            Kind::Friction => &[
                ("Ft", "friction force or moment, against the speed"),
                ("limit", "the largest that sticking can bear"),
                ("v", "sliding or rolling speed"),
                ("Fn", "normal force"),
                ("z", "the law's own state"),
                ("zdot", "its rate"),
                ("znew", "the state after an accepted step"),
            ],
        }
    }
}

/// Functions whose meaning is not on every keyboard.
const FUNCTIONS: [(&str, &str); 3] = [
    ("if", "if(c, x, y): x where c holds, else y"),
    ("sgn", "sign: -1, 0 or 1"),
    ("B", "Euler's beta function"),
];

/// A card of either kind.
#[derive(Clone, Copy)]
pub struct Entry {
    pub kind: Kind,
    pub id: &'static str,
    pub aliases: &'static [&'static str],
    pub family: &'static str,
    pub group: u8,
    pub citation: &'static Citation,
    pub formula: &'static str,
    /// Formulas for words of a choice that are not the first: choice, word, formula.
    pub variants: &'static [(&'static str, &'static str, &'static str)],
    pub parameters: &'static [Parameter],
    pub choices: &'static [Choice],
    pub memory: &'static str,
    pub validity: &'static str,
    pub notes: &'static str,
    pub erratum: &'static str,
    pub own: Own,
}

/// What only one kind of card has.
#[derive(Clone, Copy)]
pub enum Own {
    Contact(&'static contact::Card),
    Friction(&'static friction::Card),
}

impl From<&'static contact::Card> for Entry {
    fn from(card: &'static contact::Card) -> Self {
        Self {
            kind: Kind::Contact,
            id: card.id,
            aliases: card.aliases,
            family: card.family.name(),
            group: card.group,
            citation: &card.citation,
            formula: card.formula,
            variants: &[],
            parameters: card.parameters,
            choices: card.choices,
            memory: card.memory,
            validity: card.validity,
            notes: card.notes,
            erratum: card.erratum,
            own: Own::Contact(card),
        }
    }
}

impl From<&'static friction::Card> for Entry {
    fn from(card: &'static friction::Card) -> Self {
        Self {
            kind: Kind::Friction,
            id: card.id,
            aliases: card.aliases,
            family: card.family.name(),
            group: card.group,
            citation: &card.citation,
            formula: card.formula,
            variants: card.variants,
            parameters: card.parameters,
            choices: card.choices,
            memory: card.memory,
            validity: card.validity,
            notes: card.notes,
            erratum: card.erratum.unwrap_or(""),
            own: Own::Friction(card),
        }
    }
}

/// All laws, contact first.
pub fn all() -> Vec<Entry> {
    let contact = contact::cards().map(Entry::from);
    contact.chain(friction::cards().map(Entry::from)).collect()
}

impl Entry {
    /// Id and aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.id).chain(self.aliases.iter().copied())
    }

    /// The equations of its formula.
    pub fn equations(&self) -> Vec<&'static str> {
        equations(self.formula)
    }

    /// The equation of the force, and the others.
    pub fn split(&self) -> (&'static str, Vec<&'static str>) {
        let mut others = self.equations();
        let force = |e: &&str| e.starts_with("F ") || e.starts_with("Ft ");
        let main = others.iter().position(force).unwrap_or(0);
        if others.is_empty() {
            return ("", others);
        }
        (others.remove(main), others)
    }

    /// What the letters of the formula mean that are not parameters of the law.
    pub fn legend(&self) -> String {
        let mut text = self.formula.to_string();
        for variant in self.variants {
            text.push(';');
            text.push_str(variant.2);
        }
        let used: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .collect();
        let own = |name: &str| self.parameters.iter().any(|p| p.symbol == name);
        let letters = self.kind.letters().iter().filter(|l| !own(l.0));
        let mut said: Vec<String> = letters
            .filter(|l| used.contains(&l.0))
            .map(|(letter, what)| format!("{letter} {what}"))
            .collect();
        let functions = FUNCTIONS.iter().filter(|f| used.contains(&f.0));
        said.extend(functions.map(|(name, what)| match *name {
            "if" => (*what).to_string(),
            name => format!("{name} {what}"),
        }));
        said.join("; ")
    }

    /// One or two family names, or the first and `et al.`, with the year.
    pub fn source(&self) -> String {
        let names: Vec<&str> = self.citation.authors.split(", ").collect();
        let authors = match names.as_slice() {
            [one, _, _, ..] => format!("{one} et al."),
            names => names.join(", "),
        };
        format!("{authors} {}", self.citation.year)
    }

    /// The same in as few letters as possible.
    pub fn short_source(&self) -> String {
        let whole = self.source();
        match self.citation.authors.split_once(", ") {
            Some((first, _)) if whole.chars().count() > 21 => {
                format!("{first} et al. {}", self.citation.year)
            }
            _ => whole,
        }
    }

    /// How far the restitution is off, or whether the law holds a load at rest, in a word.
    pub fn in_a_word(&self) -> String {
        match self.own {
            Own::Contact(card) => match card.restitution_error {
                RestitutionError::TakesNone => "–".into(),
                RestitutionError::Exact => "exact".into(),
                RestitutionError::Worst { error, .. } => format!("{error:+.4}"),
                RestitutionError::Depends(_) => "depends".into(),
            },
            Own::Friction(card) if card.holds_at_rest => "holds".into(),
            Own::Friction(_) => "creeps".into(),
        }
    }

    /// The first sentence of its notes.
    pub fn one_line(&self) -> &'static str {
        let end = self.notes.match_indices(['.', ';']).find(|(i, _)| {
            let rest = &self.notes[i + 1..];
            rest.is_empty() || rest.starts_with(' ')
        });
        match end {
            Some((i, _)) => &self.notes[..i],
            None => self.notes,
        }
    }

    /// Whether every word occurs in what is written of it; words in lower case.
    pub fn mentions(&self, words: &[String]) -> bool {
        let mut text = self.names().collect::<Vec<_>>().join(" ");
        for part in [
            self.citation.authors,
            self.citation.title,
            self.formula,
            self.notes,
        ] {
            text.push('\n');
            text.push_str(part);
        }
        text.push_str(&format!("\n{}", self.citation.year));
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

/// The equations of a formula.
pub fn equations(formula: &'static str) -> Vec<&'static str> {
    formula.split(';').map(str::trim).collect()
}

/// When the bodies part, in words.
pub fn separation(rules: &[Separation]) -> String {
    let say = |rule: &Separation| match rule {
        Separation::ZeroIndentation => "where the indentation is back at zero",
        Separation::ZeroForce => "where the force is back at zero",
        Separation::PermanentIndentation => "where the indentation is back at the permanent one",
    };
    match rules {
        [] => String::new(),
        [one] => say(one).into(),
        [first, others @ ..] => {
            let others: Vec<String> = others
                .iter()
                .map(|rule| format!("with `separation = {}` {}", rule.name(), say(rule)))
                .collect();
            format!("{} ({}); {}", say(first), first.name(), others.join("; "))
        }
    }
}

/// What happens to tension, in words.
pub fn tension(tension: Tension) -> &'static str {
    match tension {
        Tension::Never => "never: the force cannot pull in a free impact",
        Tension::EndsContact => "ends the contact where it would begin",
        Tension::Kept => "kept: the force pulls just before the indentation is zero",
        Tension::CutOff => "cut off by the formula itself",
    }
}

//! Which tables and keys does a study file have, and what does each take?

use crate::card::Range;
use crate::model::file::tables::{Key, Need, OneOf, Sheet, Takes, key};
use crate::model::units::Dimension;

use super::design::Kind;
use super::output::Take;
use super::picture;

const QUANTITY: Takes = Takes::Any("a number, or a text with a unit such as \"5000 rpm\"");

pub(super) static ROOT: Sheet = Sheet::plain(&[
    key(
        "format",
        Takes::Whole(1),
        Need::Required,
        "The format of this file: 1.",
    ),
    key(
        "study",
        Takes::Table(&STUDY),
        Need::Optional,
        "What is studied.",
    ),
    key(
        "impact",
        Takes::Any("a table with a law, its parameters, speed, mass and restitution"),
        Need::Optional,
        "One free impact, in place of study.model.",
    ),
    key(
        "section",
        Takes::Table(&SECTION),
        Need::Optional,
        "When outputs with take = \"samples\" are taken.",
    ),
    key(
        "design",
        Takes::Table(&DESIGN),
        Need::Optional,
        "How points are spread over what the parameters may be.",
    ),
    key(
        "vary",
        Takes::Named(&VARY),
        Need::Required,
        "What is varied: one table a parameter.",
    ),
    key(
        "output",
        Takes::Named(&OUTPUT),
        Need::Required,
        "What is asked for: one table an output.",
    ),
    key(
        "picture",
        Takes::Named(&PICTURE),
        Need::Optional,
        "What is drawn.",
    ),
    key(
        "fit",
        Takes::Named(&FIT),
        Need::Optional,
        "Formulas fitted to an output.",
    ),
]);

pub(super) static STUDY: Sheet = Sheet::plain(&[
    key(
        "title",
        Takes::Text,
        Need::Optional,
        "What is studied, in a few words.",
    ),
    key(
        "source",
        Takes::Text,
        Need::Optional,
        "Where it comes from.",
    ),
    key("notes", Takes::Text, Need::Optional, "Anything else."),
    key(
        "model",
        Takes::Text,
        Need::Optional,
        "The model file, relative to this file.",
    ),
    key(
        "set",
        Takes::Any("a table of dotted paths in quotes and their values"),
        Need::Optional,
        "Values in place of those in the model file, at every point.",
    ),
    key(
        "block",
        Takes::Whole(1),
        Need::Optional,
        "Points in a part that is written at once.",
    ),
]);

pub(super) static SECTION: Sheet = Sheet::plain(&[
    key(
        "period",
        QUANTITY,
        Need::Required,
        "From one sample to the next: a time, or an expression of the model's parameters such as \"tau/omega\". The model's output_step is shortened to a whole part of it.",
    ),
    key(
        "skip",
        Takes::Whole(0),
        Need::Default("0"),
        "Periods before the first sample.",
    ),
    key(
        "count",
        Takes::Whole(1),
        Need::Required,
        "Samples; the run ends with the last one.",
    ),
]);

pub(super) static DESIGN: Sheet = Sheet::plain(&[
    key(
        "type",
        Takes::Word(&Kind::WORDS),
        Need::Default("grid"),
        "How points are spread.",
    ),
    key(
        "count",
        Takes::Whole(1),
        Need::Optional,
        "How many points are drawn.",
    ),
    key(
        "seed",
        Takes::Whole(0),
        Need::Default("0"),
        "Another seed gives other points.",
    ),
]);

pub(super) static VARY: Sheet = Sheet {
    keys: &[
        key(
            "path",
            Takes::Text,
            Need::Required,
            "What is set, as `--set` names it: \"parameters.omega\", \"impact.speed\".",
        ),
        key("from", QUANTITY, Need::Optional, "The first value."),
        key("to", QUANTITY, Need::Optional, "The last value."),
        key(
            "count",
            Takes::Whole(1),
            Need::Optional,
            "How many values, in a grid or a list.",
        ),
        key(
            "spacing",
            Takes::Word(&["linear", "log"]),
            Need::Default("linear"),
            "Equal differences, or equal ratios.",
        ),
        key(
            "values",
            Takes::Any("a list of numbers, of quantities or of words"),
            Need::Optional,
            "These values.",
        ),
        key(
            "mean",
            QUANTITY,
            Need::Optional,
            "The mean of a normal distribution.",
        ),
        key(
            "deviation",
            QUANTITY,
            Need::Optional,
            "Its standard deviation.",
        ),
    ],
    kinds: &[],
    one_of: &[OneOf {
        keys: &["from", "values", "mean"],
        required: true,
    }],
};

pub(super) static OUTPUT: Sheet = Sheet::plain(&[
    key(
        "of",
        Takes::Text,
        Need::Required,
        "A channel or an expression of channels; contacts, contacts.peak_force, …; of an impact: restitution, peak_force, …",
    ),
    key(
        "take",
        Takes::Word(&Take::WORDS),
        Need::Optional,
        "Which number of all those of a run.",
    ),
    key(
        "element",
        Takes::Text,
        Need::Optional,
        "Contacts of this element only, such as \"joint.pin\".",
    ),
    key(
        "from",
        QUANTITY,
        Need::Optional,
        "What is before this time does not count: a time, or an expression of the model's parameters.",
    ),
    key(
        "unit",
        Takes::Text,
        Need::Optional,
        "The unit in which it is given, such as \"mm\"; SI unless said.",
    ),
    key(
        "title",
        Takes::Text,
        Need::Optional,
        "What it is, for axes.",
    ),
]);

pub(super) static PICTURE: Sheet = Sheet::plain(&[
    key(
        "type",
        Takes::Word(&picture::Shape::WORDS),
        Need::Required,
        "What is drawn.",
    ),
    key(
        "x",
        Takes::Text,
        Need::Required,
        "What stands on the horizontal axis: a parameter, or an output with samples.",
    ),
    key(
        "y",
        Takes::Text,
        Need::Required,
        "What stands on the vertical axis.",
    ),
    key(
        "value",
        Takes::Text,
        Need::Optional,
        "Of a heat map: the output that gives the colours.",
    ),
    key(
        "each",
        Takes::Text,
        Need::Optional,
        "A line or a panel for each value of this parameter.",
    ),
    key(
        "at",
        Takes::Any("a table of parameters and values, such as { play = \"0.5 mm\" }"),
        Need::Optional,
        "Only points where these parameters have this value, or the one nearest to it.",
    ),
    key(
        "log",
        Takes::Flag,
        Need::Optional,
        "Powers of ten for what was found.",
    ),
    key("title", Takes::Text, Need::Optional, "Above the picture."),
]);

pub(super) static FIT: Sheet = Sheet::plain(&[
    key("of", Takes::Text, Need::Required, "The output."),
    key(
        "over",
        Takes::Text,
        Need::Required,
        "The parameter that stands in the formula.",
    ),
    key(
        "each",
        Takes::Text,
        Need::Optional,
        "A fit of its own for each value of this parameter.",
    ),
    key(
        "formula",
        Takes::Text,
        Need::Required,
        "Of `over`, of `each` and of what is looked for, such as \"a*(e^b - 1)\".",
    ),
    key(
        "start",
        Takes::Any("a table of names and numbers"),
        Need::Required,
        "What is looked for, and where the search begins.",
    ),
    key(
        "compare",
        Takes::Any("a table of names and formulas of `each`"),
        Need::Optional,
        "What it should be.",
    ),
]);

/// The keys of an impact that no law has.
pub(super) static IMPACT: Sheet = Sheet::plain(&[
    key(
        "law",
        Takes::Text,
        Need::Required,
        "The id of the law (`carom laws`).",
    ),
    key(
        "speed",
        Takes::Quantity(Dimension::SPEED, Range::POSITIVE),
        Need::Optional,
        "The approach speed.",
    ),
    key(
        "mass",
        Takes::Quantity(Dimension::MASS, Range::POSITIVE),
        Need::Optional,
        "The effective mass.",
    ),
    key(
        "restitution",
        Takes::Quantity(Dimension::NONE, Range::UNIT),
        Need::Optional,
        "The restitution asked for.",
    ),
    key(
        "calibration",
        Takes::Word(&["published", "exact"]),
        Need::Default("published"),
        "By the law's own formula, or solved for.",
    ),
    key(
        "rtol",
        Takes::Quantity(Dimension::NONE, Range::closed(1e-14, 1e-5)),
        Need::Default("1e-9"),
        "How closely the impact is followed; with 1e-9 the restitution is right to 1e-8.",
    ),
]);

/// The names of a sheet's keys.
pub(super) fn names(sheet: &'static Sheet) -> impl Iterator<Item = &'static str> {
    sheet.keys.iter().map(|key: &Key| key.name)
}

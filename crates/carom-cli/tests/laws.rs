//! Does `carom laws` show every card, as a table, as a page, as JSON and as Markdown?

use std::path::Path;
use std::process::{Command, Output};

use carom::study::has_restitution_curve;
use carom::{contact, friction};
use serde_json::Value;

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// What it prints, if it ends well and says nothing on standard error.
fn printed(arguments: &[&str]) -> String {
    let out = carom(arguments);
    assert_eq!(out.status.code(), Some(0), "{arguments:?}");
    assert!(out.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(out.stdout).expect("the program writes UTF-8")
}

/// What it complains of, if the input is wrong.
fn refused(arguments: &[&str]) -> String {
    let out = carom(arguments);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}");
    assert!(out.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(out.stderr).expect("the program writes UTF-8")
}

fn ids() -> Vec<&'static str> {
    let contact = contact::cards().map(|card| card.id);
    contact
        .chain(friction::cards().map(|card| card.id))
        .collect()
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let text = printed(arguments);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    value.as_array().expect("an array").clone()
}

fn listed(arguments: &[&str]) -> Vec<String> {
    let mut all = vec!["laws", "--json"];
    all.extend(arguments);
    let id = |card: &Value| card["id"].as_str().expect("a word").to_string();
    json(&all).iter().map(id).collect()
}

#[test]
fn a_name_belongs_to_one_law() {
    let contact = contact::cards().flat_map(|c| c.aliases.iter().chain([&c.id]));
    let friction = friction::cards().flat_map(|c| c.aliases.iter().chain([&c.id]));
    let mut names: Vec<&str> = contact.chain(friction).copied().collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn the_table_names_every_law_and_counts_them() {
    let table = printed(&["laws"]);
    for id in ids() {
        let line = table.lines().find(|l| l.starts_with(&format!("  {id} ")));
        assert!(line.is_some(), "{id}");
    }
    assert!(table.contains(&format!("{} laws", ids().len())), "{table}");
    assert!(table.contains("carom laws ID"));
}

#[test]
fn nothing_is_wider_than_a_hundred_columns() {
    let narrow = |arguments: &[&str]| {
        for line in printed(arguments).lines() {
            assert!(line.chars().count() <= 100, "{arguments:?}: {line}");
            assert_eq!(line, line.trim_end(), "{arguments:?}");
        }
    };
    narrow(&["laws"]);
    narrow(&["laws", "--table1"]);
    narrow(&["laws", "--help"]);
    for id in ids() {
        narrow(&["laws", id]);
    }
}

#[test]
fn a_card_shows_all_that_is_written_on_it() {
    // Wrapped text is compared without its spaces.
    let tight = |text: &str| text.split_whitespace().collect::<String>();
    for card in contact::cards() {
        let page = tight(&printed(&["laws", card.id]));
        let mut parts = vec![card.notes, card.erratum, card.validity, card.memory];
        parts.extend(card.formula.split(';'));
        parts.extend(card.choices.iter().flat_map(|c| c.words).map(|w| w.0));
        parts.extend(card.parameters.iter().flat_map(|p| [p.name, p.symbol]));
        for part in parts {
            assert!(page.contains(&tight(part)), "{}: {part}", card.id);
        }
        assert!(
            page.contains(&tight(&card.citation.to_string())),
            "{}",
            card.id
        );
        let drawn = page.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        assert_eq!(drawn, has_restitution_curve(card), "{}", card.id);
    }
    for card in friction::cards() {
        let page = tight(&printed(&["laws", card.id]));
        let mut parts = vec![card.notes, card.validity, card.memory, card.creep];
        parts.extend(card.erratum);
        parts.extend(card.formula.split(';'));
        parts.extend(card.variants.iter().flat_map(|v| v.2.split(';')));
        for part in parts {
            assert!(page.contains(&tight(part)), "{}: {part}", card.id);
        }
    }
}

#[test]
fn the_curve_of_a_card_has_the_numbers_of_the_closed_form() {
    let page = printed(&["laws", "flores"]);
    // Root of ln((1+h)/(1−h e)) = h (1+e) with h = 8(1−0.7)/(5·0.7): 0.6831841997.
    assert!(page.contains("0.6832"), "{page}");
}

#[test]
fn another_name_is_answered_with_the_card_and_its_id() {
    let page = printed(&["laws", "ye"]);
    assert!(
        page.starts_with("`ye` is another name of `flores`."),
        "{page}"
    );
    assert_eq!(listed(&["ye"]), ["flores"]);
}

#[test]
fn json_has_every_law_with_every_key() {
    const KEYS: [&str; 18] = [
        "id",
        "aliases",
        "kind",
        "family",
        "group",
        "citation",
        "formula",
        "parameters",
        "choices",
        "memory",
        "separation",
        "tension",
        "holds_at_rest",
        "validity",
        "restitution_error",
        "notes",
        "erratum",
        "calibrates",
    ];
    let cards = json(&["laws", "--json"]);
    assert_eq!(listed(&[]), ids());
    for card in &cards {
        let id = &card["id"];
        for key in KEYS {
            assert!(card.get(key).is_some(), "{id}: {key}");
        }
        for key in ["authors", "year", "title", "journal", "equation"] {
            assert!(!card["citation"][key].is_null(), "{id}: {key}");
        }
        for parameter in card["parameters"].as_array().expect("an array") {
            for key in [
                "name", "symbol", "unit", "role", "default", "range", "about",
            ] {
                assert!(parameter.get(key).is_some(), "{id}: {key}");
            }
        }
        let friction = card["kind"] == "friction";
        for key in ["separation", "tension", "restitution_error"] {
            assert_eq!(card[key].is_null(), friction, "{id}: {key}");
        }
        assert_eq!(card["holds_at_rest"].is_boolean(), friction, "{id}");
    }
    let one = json(&["laws", "flores", "--json"]);
    assert_eq!(one.len(), 1);
    assert_eq!(
        one[0],
        *cards.iter().find(|c| c["id"] == "flores").expect("there")
    );
}

#[test]
fn filters_keep_what_they_say() {
    let contact: Vec<&str> = contact::cards().map(|card| card.id).collect();
    assert_eq!(listed(&["--kind", "contact"]), contact);
    for family in contact::Family::ALL {
        let members: Vec<&str> = contact::cards()
            .filter(|card| card.family == family)
            .map(|card| card.id)
            .collect();
        if !members.is_empty() {
            assert_eq!(listed(&["--family", family.name()]), members);
        }
    }
    // Group 0 is for laws of contact only.
    for id in listed(&["--group", "0"]) {
        assert_eq!(contact::find(&id).expect("of contact").group, 0);
    }
    assert_eq!(listed(&["--search", "MARHEFKA"]), ["hunt-crossley"]);
    assert_eq!(
        listed(&["--search", "crossley", "vibroimpact"]),
        ["hunt-crossley"]
    );
    assert_eq!(
        listed(&["--search", "crossley vibroimpact"]),
        ["hunt-crossley"]
    );
    assert!(listed(&["--search", "δ^1.5"]).contains(&"tsuji".to_string()));
    assert_eq!(
        listed(&["--kind", "friction", "--family", "hysteresis"]),
        [""; 0]
    );
}

#[test]
fn nothing_found_is_an_answer() {
    let said = printed(&["laws", "--search", "xyzzy"]);
    assert!(said.contains("No law"), "{said}");
    assert_eq!(
        printed(&["laws", "--search", "xyzzy", "--json"]).trim(),
        "[]"
    );
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    assert!(refused(&["laws", "florse"]).contains("nearest: flores"));
    assert!(refused(&["laws", "lugree", "--json"]).contains("nearest: lugre"));
    let kind = refused(&["laws", "--kind", "contacts"]);
    assert!(kind.contains("contact, friction"), "{kind}");
    let family = refused(&["laws", "--family", "hystersis"]);
    assert!(
        family.contains("hysteresis") && family.contains("dry"),
        "{family}"
    );
    refused(&["laws", "--group", "9"]);
    refused(&["laws", "--group", "-1"]);
    refused(&["laws", "flores", "--family", "dry"]);
    refused(&["laws", "\u{1F3B1}"]);
    refused(&["laws", ""]);
    // What the parser refuses is told as JSON too, to who asked for it.
    let both = carom(&["laws", "--table1", "--json"]);
    assert_eq!(both.status.code(), Some(2));
    let said: serde_json::Value = serde_json::from_slice(&both.stdout).expect("one JSON value");
    assert_eq!(said["status"], "failed", "{said:#}");
    assert!(said["errors"].to_string().contains("--table1"), "{said:#}");
}

/// The rows of Table 1 of Corral et al. (2021), group by group in the order of the paper.
const TABLE_1: [&[&str]; 6] = [
    &["hooke", "hertz", "kelvin-voigt"],
    &[
        "ristow",
        "schafer",
        "falcon",
        "bordbar-hyppanen",
        "alizadeh",
    ],
    &[
        "herbert-mcwhannell",
        "goyal",
        "gonthier",
        "luo-nahon",
        "khatiwada",
        "yu",
    ],
    &[
        "hunt-crossley",
        "lee-wang",
        "kuwabara-kono",
        "anagnostopoulos",
        "lankarani-nikravesh",
        "tsuji",
        "brilliantov-1996",
        "zheng",
        "brilliantov-2015",
        "jankowski",
        "zhiying-qishao",
        "gharib-hurmuzlu",
        "wang",
    ],
    &["flores", "hu-guo", "zhang", "safaeifar-farshidianfar"],
    &[
        "thornton",
        "choi",
        "yigit",
        "roy-carretero",
        "xiong",
        "jian",
    ],
];

#[test]
fn table_1_has_the_rows_of_the_paper_in_its_order() {
    let table = printed(&["laws", "--table1", "--markdown"]);
    let mut found: Vec<Vec<&str>> = Vec::new();
    for line in table.lines() {
        if line.starts_with("| **Group") {
            found.push(Vec::new());
        } else if let Some((id, _)) = line.strip_prefix("| `").and_then(|l| l.split_once('`')) {
            found.last_mut().expect("a group comes first").push(id);
        }
    }
    let known: Vec<Vec<&str>> = TABLE_1
        .iter()
        .map(|group| {
            let there = group.iter().filter(|id| contact::find(id).is_ok());
            there.copied().collect()
        })
        .collect();
    assert_eq!(
        found, known,
        "a law that Corral et al. mention outside their table says `not in its Table 1` behind the equation of its citation"
    );
    let text = printed(&["laws", "--table1"]);
    for id in found.iter().flatten() {
        assert!(text.contains(id), "{id}");
    }
}

#[test]
fn the_readme_has_the_table_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md stands at the top");
    let (begin, end) = ("<!-- laws:begin -->\n", "<!-- laws:end -->");
    let (before, rest) = readme.split_once(begin).expect("the mark of the beginning");
    let (block, after) = rest.split_once(end).expect("the mark of the end");
    let table = printed(&["laws", "--markdown"]);
    if std::env::var_os("CAROM_UPDATE").is_some() {
        let new = format!("{before}{begin}{table}{end}{after}");
        std::fs::write(&path, new).expect("README.md can be written");
        return;
    }
    assert!(
        block == table,
        "the table of laws in README.md is not that of the cards; to write it anew:\n  \
         CAROM_UPDATE=1 cargo test -p carom-cli --test laws readme"
    );
}

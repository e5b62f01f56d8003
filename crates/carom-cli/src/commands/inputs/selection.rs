//! Which laws are meant by a list of names?

use carom::card::{Fault, nearest};
use carom::contact::{self, Card, Family};
use carom::friction;

/// What to say of a name that is no law of contact: it may be one of friction.
pub fn unknown_law(id: &str, fault: &Fault) -> String {
    match friction::find(id) {
        Ok(card) => format!(
            "`{id}` is a law of friction, not of contact. Hint: `carom laws {}` shows it, `carom laws` lists the laws of contact",
            card.id
        ),
        Err(_) => fault.to_string(),
    }
}

/// The laws of a list: ids, aliases, families, or `all`.
pub fn selection(text: &str) -> Result<Vec<&'static Card>, Vec<String>> {
    let mut cards: Vec<&'static Card> = Vec::new();
    let mut said = Vec::new();
    let mut add = |card: &'static Card| {
        if !cards.contains(&card) {
            cards.push(card);
        }
    };
    for word in text.split(',').map(str::trim) {
        let family = Family::ALL.into_iter().find(|f| f.name() == word);
        if word == "all" {
            contact::cards().for_each(&mut add);
        } else if let Some(family) = family {
            contact::cards()
                .filter(|c| c.family == family)
                .for_each(&mut add);
        } else {
            match contact::find(word) {
                Ok(card) => add(card),
                Err(fault) if friction::find(word).is_ok() => {
                    said.push(format!("--laws: {}", unknown_law(word, &fault)));
                }
                Err(_) => {
                    let families = Family::ALL.map(Family::name);
                    let ids = contact::cards()
                        .flat_map(|card| card.aliases.iter().copied().chain([card.id]));
                    let near = nearest(word, ids.chain(families));
                    let near = if near.is_empty() {
                        String::new()
                    } else {
                        format!("; nearest: {}", near.join(", "))
                    };
                    said.push(format!(
                        "--laws: there is no law or family `{word}`{near}. Families are {}. Hint: `carom laws` lists all laws",
                        families.join(", ")
                    ));
                }
            }
        }
    }
    if said.is_empty() && cards.is_empty() {
        said.push(format!("--laws: there is no law in `{text}`"));
    }
    if said.is_empty() {
        Ok(cards)
    } else {
        Err(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_selected_by_id_alias_family_or_all_and_none_twice() {
        let ids = |text| selection(text).map(|cards| cards.len());
        assert_eq!(ids("flores,ye,flores"), Ok(1));
        assert_eq!(ids("all"), Ok(contact::cards().count()));
        assert!(selection("hysteresis,hertz").expect("both").len() > 15);
        assert!(selection("florse").expect_err("mistyped")[0].contains("nearest: flores"));
    }
}

//! How do figures that were computed again stand on one page?

use crate::report::gallery::{Claim, Entry, Erratum, Page, Paper, Picture, page};
use crate::report::plot::PlotError;

use super::{Figure, Number, Reproduction};

/// How many numbers of a claim stand in the table of all claims if none was chosen.
const TELLING: usize = 2;

/// The gallery as the text of `index.html`: pictures in it, their files and numbers beside it.
pub fn gallery(done: &[(&'static Figure, &Reproduction)]) -> Result<String, PlotError> {
    let mut papers: Vec<Paper> = Vec::new();
    for (figure, result) in done {
        let p = &figure.paper;
        let entry = entry(figure, result)?;
        match papers.iter_mut().find(|paper| paper.title == p.title) {
            Some(paper) => paper.entries.push(entry),
            None => papers.push(Paper {
                authors: p.authors.into(),
                year: p.year,
                title: p.title.into(),
                journal: p.journal.into(),
                entries: vec![entry],
            }),
        }
    }
    Ok(page(&Page { papers }))
}

fn entry(figure: &Figure, result: &Reproduction) -> Result<Entry, PlotError> {
    let mut pictures = Vec::new();
    for picture in &result.pictures {
        pictures.push(Picture {
            stem: picture.stem(figure.id),
            caption: picture.caption.into(),
            svg: picture.svg()?,
        });
    }
    let shown = |number: &Number| (number.name.clone(), number.shown());
    let claims = result.claims.iter().map(|claim| {
        let found = || claim.found.iter();
        let chosen = found().any(|number| number.telling);
        Claim {
            claim: claim.claim.into(),
            judged_by: claim.judged_by.into(),
            holds: claim.holds,
            numbers: found().map(shown).collect(),
            telling: if chosen {
                found().filter(|n| n.telling).map(shown).collect()
            } else {
                found().take(TELLING).map(shown).collect()
            },
        }
    });
    let errata = figure.errata.iter().map(|erratum| Erratum {
        number: erratum.number.into(),
        place: erratum.place.into(),
        words: erratum.words.into(),
    });
    Ok(Entry {
        id: figure.id.into(),
        figure: figure.paper.equation.into(),
        shows: figure.shows.into(),
        inputs: figure.inputs.into(),
        assumed: figure.assumed.into(),
        model: figure.model.into(),
        errata: errata.collect(),
        pictures,
        tables: result.tables.clone(),
        claims: claims.collect(),
    })
}

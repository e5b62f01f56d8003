//! What decides for a family, and why is another law behind?

use crate::contact::{Card, Family};

use super::{Judged, Part, Reason};

/// What a reason costs a law.
fn cost_of(parts: &[Part], reason: Reason) -> f64 {
    parts
        .iter()
        .filter(|p| p.reason == reason)
        .map(|p| p.cost)
        .sum()
}

/// Where a law loses most against the leader.
pub(super) fn behind(leader: &[Part], other: &[Part]) -> Reason {
    let loss = |reason: &Reason| cost_of(other, *reason) - cost_of(leader, *reason);
    Reason::ALL
        .into_iter()
        .max_by(|a, b| loss(a).total_cmp(&loss(b)))
        // The first of equals: `max_by` takes the last.
        .map(|best| {
            let most = loss(&best);
            Reason::ALL
                .into_iter()
                .find(|r| loss(r) >= most)
                .unwrap_or(best)
        })
        .unwrap_or(Reason::Restitution)
}

/// What decided for the leading family. Where a plastic law leads it is yield. Else how the surfaces meet comes first, where it tells laws apart; then what would give the lead to another family if it did not count; then the
/// largest of what comes back, what yields, and how fast the approach is against waves. Each is measured by what the best laws of the other families, and the best one without a damper, lose by it, all together.
pub(super) fn decisive(ranked: &[Judged], family: Family) -> Reason {
    let Some(leader) = ranked.first() else {
        return Reason::Restitution;
    };
    let of_family = |f: Family| ranked.iter().find(move |j| j.card.family == f);
    let undamped = ranked
        .iter()
        .find(|j| j.card.family == Family::Elastic && j.values.get_word("damper").is_none());
    let others: Vec<&Judged> = Family::ALL
        .into_iter()
        .filter(|f| *f != family)
        .filter_map(of_family)
        .chain(undamped)
        .collect();
    // What was not computed, because nothing is known of it, sets a law back but decides nothing.
    let known = |j: &Judged, reason: Reason| -> f64 {
        let parts = j.parts.iter();
        parts
            .filter(|p| p.reason == reason && p.computed.is_finite())
            .map(|p| p.cost)
            .sum()
    };
    let loss = |reason: Reason| -> f64 {
        others
            .iter()
            .map(|j| (known(j, reason) - known(leader, reason)).max(0.0))
            .sum()
    };
    let most = |reasons: &[Reason]| {
        let mut best = None;
        let mut least = 1e-9;
        for &reason in reasons {
            if loss(reason) > least {
                least = loss(reason);
                best = Some(reason);
            }
        }
        best
    };
    let geometric: Vec<Reason> = Reason::ALL
        .into_iter()
        .filter(|r| r.is_geometric())
        .collect();
    let turns = |r: &Reason| without(ranked, *r).is_some_and(|card| card.family != family);
    if family == Family::Plastic {
        // A dent is a matter of the material: of yield, or of an approach that is fast against waves if that alone gives the lead.
        return match [Reason::Yielding, Reason::WaveSpeed].map(|r| turns(&r)) {
            [false, true] => Reason::WaveSpeed,
            _ => Reason::Yielding,
        };
    }
    let turning: Vec<Reason> = [Reason::Memory, Reason::Rest, Reason::Trend]
        .into_iter()
        .filter(turns)
        .collect();
    most(&geometric)
        .or_else(|| most(&turning))
        .or_else(|| most(&[Reason::Restitution, Reason::Yielding, Reason::WaveSpeed]))
        .unwrap_or(Reason::Restitution)
}

/// Who would lead if a reason did not count.
pub(super) fn without(ranked: &[Judged], reason: Reason) -> Option<&'static Card> {
    ranked
        .iter()
        .min_by(|a, b| {
            let cost = |j: &Judged| j.cost - cost_of(&j.parts, reason);
            cost(a).total_cmp(&cost(b))
        })
        .map(|j| j.card)
}

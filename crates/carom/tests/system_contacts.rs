//! How much work do the papers' mechanisms take, and is it enough?
//!
//! Numbers of the slider-crank that strikes a block are those of Machado et al. 2012, section 6, computed anew with minimal and with Cartesian coordinates; those of the slider-crank with play in a joint
//! belong to Flores et al. 2006, section 6, likewise. Counted work is what is promised, not time.

mod built;

use built::contacts::{law, slider_crank_block, slider_crank_clearance};
use built::run_system;

#[test]
fn a_slider_crank_strikes_its_block_twice_as_computed_by_others_within_its_evaluations() {
    for (rtol, most, exact) in [(1e-9, 2000, 1e-6), (1e-6, 900, 1e-5)] {
        let mut model = slider_crank_block(law("lankarani-nikravesh", 9.5e9, Some(0.7)), 5.9e-5);
        model.solver.rtol = rtol;
        let (outcome, _, _) = run_system(&model);
        let [one, two] = &outcome.contacts[..] else {
            panic!("{:?}", outcome.contacts);
        };
        let evaluations = outcome.statistics.rhs_evaluations;
        println!("rtol {rtol:e}: {evaluations} evaluations");
        for (name, found, known) in [
            ("first", one.episode.start, 43.445490e-3),
            ("second", two.episode.start, 66.392247125e-3),
            ("block", outcome.velocities[9], 13.37358018),
            ("deepest", one.course.deepest[0], 508.320909e-6),
            ("deepest again", two.course.deepest[0], 260.301986e-6),
            ("peak", one.course.peak[0], 113.970969e3),
            ("peak again", two.course.peak[0], 41.763357e3),
        ] {
            let error = found / known - 1.0;
            println!("{name}: {found:.9e} {known:.9e} {error:.2e}");
            assert!(error.abs() < exact, "{name}: {found} {known}");
        }
        assert!(evaluations <= most, "{evaluations}");
    }
}

#[test]
fn a_journal_strikes_its_bearing_first_where_free_flight_leads_it_within_its_evaluations() {
    for (rtol, most, left) in [
        (1e-6, 8000, 1e-3),
        (1e-9, 16_000, 1e-5),
        (1e-11, 40_000, 1e-6),
    ] {
        let law = law("lankarani-nikravesh", 6.6101984e10, Some(0.9));
        let mut model = slider_crank_clearance(law, None);
        model.solver.rtol = rtol;
        let (outcome, _, _) = run_system(&model);
        let one = &outcome.contacts[0];
        let evaluations = outcome.statistics.rhs_evaluations;
        let residual = outcome.ledger.residual;
        println!("rtol {rtol:e}: {evaluations} evaluations, residual {residual:e} J");
        for (name, found, known, exact) in [
            ("first", one.episode.start, 2.272848801e-4, 1e-9),
            ("speed", one.episode.approach, 4.385826514, 1e-9),
            ("peak", one.course.peak[0], 45870.024, 1e-6),
        ] {
            let error = found / known - 1.0;
            println!("{name}: {found:.9e} {known:.9e} {error:.2e}");
            assert!(error.abs() < exact, "{name}: {found} {known}");
        }
        assert!(evaluations <= most, "{evaluations}");
        assert!(residual.abs() < left, "{residual}");
    }
}

//! Nothing of `impulse` allocates once its room has grown: strikes and forces are found in the midst of a run.

use carom::impulse::{Closed, Hypothesis, Order, Pressing, Room, Set, Surface, press, resolve};

#[test]
fn strikes_and_forces_do_not_allocate_after_the_first() {
    // A box of 1 kg and 1 × 1 m on three points of its lower side.
    let rows: Vec<[f64; 3]> = [-0.5, 0.1, 0.5]
        .into_iter()
        .flat_map(|x| [[0.0, 1.0, x], [1.0, 0.0, 0.5]])
        .collect();
    let matrix: Vec<f64> = rows
        .iter()
        .flat_map(|a| {
            rows.iter()
                .map(move |b| a[0] * b[0] + a[1] * b[1] + 6.0 * a[2] * b[2])
        })
        .collect();
    let rates = |v: [f64; 3]| -> Vec<f64> {
        rows.iter()
            .map(|row| (0..3).map(|i| row[i] * v[i]).sum())
            .collect()
    };
    let (before, free) = (rates([0.3, -1.0, 0.2]), rates([0.5, -9.81, 0.0]));
    let surfaces = [Surface {
        restitution: 0.5,
        friction: 0.3,
        ratio: None,
    }; 3];
    let contacts = [Closed {
        slip: 0.0,
        friction: 0.3,
        static_friction: 0.4,
    }; 3];
    let mut room = Room::default();
    let mut all = || {
        let mut sum = 0.0;
        for hypothesis in [Hypothesis::Newton, Hypothesis::Poisson, Hypothesis::Stronge] {
            for order in [Order::Together, Order::InTurns] {
                let set = Set {
                    matrix: &matrix,
                    before: &before,
                    surfaces: &surfaces,
                    hypothesis,
                    order,
                    from_rest: true,
                };
                sum += resolve(&set, &mut room).map_or(f64::NAN, |resolved| resolved.energy);
            }
        }
        let pressing = Pressing {
            matrix: &matrix,
            free: &free,
            contacts: &contacts,
            look_around: true,
        };
        sum + press(&pressing, &mut room).map_or(f64::NAN, |forces| forces.contacts[0].normal)
    };
    let mut first = 0.0;
    let grown = allocation_counter::measure(|| first = all());
    assert!(grown.count_total > 0, "the counter works");
    let mut second = 0.0;
    let counted = allocation_counter::measure(|| second = all());
    assert_eq!(counted.count_total, 0);
    assert!(first.is_finite() && first == second, "the same every time");
}

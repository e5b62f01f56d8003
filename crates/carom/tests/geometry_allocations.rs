//! Neither `near` nor `seek` allocates: they are called in integration loops.

use carom::geometry::{Frame, Pair, Shape, Side, Track};

#[test]
fn near_and_seek_do_not_allocate() {
    let shapes = vec![
        Shape::circle([0.1, 0.0], 0.4).unwrap(),
        Shape::bore([0.0, 0.0], 3.0).unwrap(),
        Shape::half_plane([0.0, 0.0], [0.0, 1.0]).unwrap(),
        Shape::segment([[-0.5, 0.0], [0.5, 0.1]], 0.15).unwrap(),
        Shape::polygon(vec![[0.0, 0.0], [1.0, 0.1], [0.3, 0.9]], 0.05).unwrap(),
        Shape::ellipse([0.0, 0.1], [0.8, 0.4], 0.3, 3.0).unwrap(),
        Shape::curve(
            vec![[1.0, 0.0], [0.0, 0.4], [-1.0, 0.0], [0.0, -1.0]],
            false,
        )
        .unwrap(),
        Shape::arc([0.0, 0.0], 0.8, 0.0, 2.5, false).unwrap(),
        Shape::polynomial(
            vec![0.0, 0.1, 0.3],
            [-1.0, 1.0],
            [0.0, 0.0],
            0.1,
            Side::Below,
        )
        .unwrap(),
        Shape::polyline(
            (0..20).map(|i| [i as f64, (i % 3) as f64]).collect(),
            Side::Below,
        )
        .unwrap(),
    ];
    let counted = allocation_counter::measure(|| drop(shapes.clone()));
    assert!(counted.count_total > 0, "the counter works");
    let mut sum = 0.0;
    for first in &shapes {
        for second in &shapes {
            let Ok(pair) = Pair::new(first.clone(), second.clone()) else {
                continue;
            };
            let mut tracks = vec![Track::default(); pair.slots()];
            let counted = allocation_counter::measure(|| {
                for k in 0..10 {
                    let k = f64::from(k);
                    let frames = [
                        Frame::new([0.1 * k, 1.5], 0.2 * k),
                        Frame::new([0.2, 0.1 * k], 0.7 * k),
                    ];
                    pair.seek([&frames[0], &frames[1]], &mut tracks);
                    for (i, track) in tracks.iter().enumerate() {
                        sum += pair
                            .near(i, [&frames[0], &frames[1]], track)
                            .map_or(0.0, |near| near.gap);
                    }
                }
            });
            assert_eq!(counted.count_total, 0, "{}–{}", first.kind(), second.kind());
        }
    }
    assert!(sum.is_finite());
}

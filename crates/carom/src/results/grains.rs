//! Where are the grains of a run, line by line: at its end, and on the way?

use crate::results::number;
use crate::results::trajectory::Column;
use crate::system::{Grouped, Snapshot};

/// What stands in a line: the grain's number in its group, from 1, its motion, its radius, and which group it is in, from 1 in the order of the summary.
const COLUMNS: [(&str, &str); 9] = [
    ("id", "1"),
    ("x", "m"),
    ("y", "m"),
    ("angle", "rad"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("omega", "rad/s"),
    ("radius", "m"),
    ("group", "1"),
];

/// `grains.csv`: where all grains are at the end, one line a grain.
pub fn table(groups: &[Grouped]) -> String {
    let heads = COLUMNS.map(|(name, unit)| format!("{name} [{unit}]"));
    let count: usize = groups.iter().map(|group| group.positions.len()).sum();
    let mut text = String::with_capacity(160 * (count + 1));
    text += &heads.join(",");
    text.push('\n');
    for (number, group) in groups.iter().enumerate() {
        let grains = Snapshot {
            group: number,
            positions: &group.positions,
            velocities: &group.velocities,
            radii: &group.radii,
        };
        lines(&grains, |cells| {
            let cells = cells.map(number::text);
            text += &cells.join(",");
            text.push('\n');
        });
    }
    text
}

/// The columns of `snapshots.csv`: the time before those of a grain.
pub fn columns() -> Vec<Column> {
    let column = |(name, unit): (&str, &str)| Column {
        name: name.into(),
        unit: unit.into(),
    };
    std::iter::once(("t", "s"))
        .chain(COLUMNS)
        .map(column)
        .collect()
}

/// The numbers of every line.
pub fn lines(grains: &Snapshot<'_>, mut line: impl FnMut([f64; 9])) {
    let all = grains.positions.iter().zip(grains.velocities);
    for (i, (([x, y, angle], [vx, vy, omega]), radius)) in all.zip(grains.radii).enumerate() {
        let (id, group) = ((i + 1) as f64, (grains.group + 1) as f64);
        line([id, *x, *y, *angle, *vx, *vy, *omega, *radius, group]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_grain_with_its_number_and_its_group() {
        let group = |x: f64| Grouped {
            positions: vec![[x, 0.5, 0.0], [x, 1.5, -0.25]],
            velocities: vec![[0.0; 3], [1.0, 2.0, 3.0]],
            radii: vec![0.1, 1e-4],
            ..Grouped::default()
        };
        assert_eq!(
            table(&[group(0.0), group(7.0)]),
            "id [1],x [m],y [m],angle [rad],vx [m/s],vy [m/s],omega [rad/s],radius [m],group [1]\n\
             1,0,0.5,0,0,0,0,0.1,1\n2,0,1.5,-0.25,1,2,3,1e-4,1\n1,7,0.5,0,0,0,0,0.1,2\n2,7,1.5,-0.25,1,2,3,1e-4,2\n"
        );
    }
}

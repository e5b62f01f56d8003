//! Where do round grains stand at the start, none overlapping another?
//!
//! In cells of a lattice, one in each: the widest square or hexagonal one of which the region holds enough. Each is then shaken within its cell, which no other enters.

use crate::math;

/// Where a grain stands and how large it is, m.
pub(crate) type Placed = ([f64; 2], f64);

/// A rectangle: its lower left corner and its extents, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub corner: [f64; 2],
    pub size: [f64; 2],
}

/// A lattice of round cells.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    /// The diameter of a cell, m.
    cell: f64,
    /// Whether every second row is shifted by half a cell, and the rows are nearer.
    hexagonal: bool,
}

/// Of a cell: rounding must not lose the last one.
const HAIR: f64 = 1e-9;

/// How much of the free room of a cell the shaking takes at most.
const SHAKEN: f64 = 0.9;

impl Lattice {
    /// From one row to the next, m.
    fn pitch(self) -> f64 {
        if self.hexagonal {
            0.5 * math::sqrt(3.0) * self.cell
        } else {
            self.cell
        }
    }

    /// How many cells a row has, the first kind and the second.
    fn in_rows(self, width: f64) -> [f64; 2] {
        let full = (width / self.cell + HAIR).floor().max(0.0);
        let shifted = (width / self.cell - 0.5 + HAIR).floor().max(0.0);
        if self.hexagonal {
            [full, shifted]
        } else {
            [full, full]
        }
    }

    /// How many cells the region holds. Never more for larger cells.
    fn count(self, size: [f64; 2]) -> f64 {
        let [width, height] = size;
        let rows = ((height - self.cell) / self.pitch() + HAIR).floor() + 1.0;
        if !(rows >= 1.0) {
            return 0.0;
        }
        let [full, shifted] = self.in_rows(width);
        let second = (0.5 * rows).floor();
        (rows - second) * full + second * shifted
    }
}

/// How many grains up to this radius (m) the region holds.
pub(crate) fn capacity(region: &Region, radius: f64) -> f64 {
    let count = |hexagonal| {
        let cell = 2.0 * radius;
        Lattice { cell, hexagonal }.count(region.size)
    };
    count(true).max(count(false))
}

/// So many grains with radii (m) between the two, from the bottom up; `None` if the region is too small.
pub(crate) fn place(
    region: &Region,
    [least, largest]: [f64; 2],
    count: usize,
    seed: u64,
) -> Option<Vec<Placed>> {
    let lattices = [true, false].map(|hexagonal| widest(region.size, largest, count, hexagonal));
    let [Some(lattice), other] = lattices else {
        let other = lattices[1]?;
        return Some(fill(region, other, [least, largest], count, seed));
    };
    // Of two that are all but the same the hexagonal one.
    let lattice = match other {
        Some(other) if other.cell > lattice.cell * (1.0 + HAIR) => other,
        _ => lattice,
    };
    Some(fill(region, lattice, [least, largest], count, seed))
}

/// The lattice of this kind with the largest cells of which there are enough.
fn widest(size: [f64; 2], radius: f64, count: usize, hexagonal: bool) -> Option<Lattice> {
    let enough = |cell: f64| Lattice { cell, hexagonal }.count(size) >= count as f64;
    let mut low = 2.0 * radius;
    if !enough(low) {
        return None;
    }
    let mut high = size[0].min(size[1]).max(low);
    if enough(high) {
        return Some(Lattice {
            cell: high,
            hexagonal,
        });
    }
    // Halving until two numbers have nothing between them.
    loop {
        let middle = low + 0.5 * (high - low);
        if !(low < middle && middle < high) {
            return Some(Lattice {
                cell: low,
                hexagonal,
            });
        }
        if enough(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

fn fill(
    region: &Region,
    lattice: Lattice,
    [least, largest]: [f64; 2],
    count: usize,
    seed: u64,
) -> Vec<Placed> {
    let mut draws = Draws(seed);
    let (cell, pitch) = (lattice.cell, lattice.pitch());
    let in_rows = lattice.in_rows(region.size[0]).map(|n| n as usize);
    // The rows that are used stand in the middle of the region.
    let (mut rows, mut left) = (0, count);
    while left > 0 && in_rows[rows % 2] + in_rows[(rows + 1) % 2] > 0 {
        left = left.saturating_sub(in_rows[rows % 2]);
        rows += 1;
    }
    let [full, shifted] = in_rows.map(|n| n as f64);
    let width = if lattice.hexagonal {
        (full * cell).max((shifted + 0.5) * cell)
    } else {
        full * cell
    };
    let height = cell + rows.saturating_sub(1) as f64 * pitch;
    let from = [
        region.corner[0] + 0.5 * (region.size[0] - width).max(0.0) + 0.5 * cell,
        region.corner[1] + 0.5 * (region.size[1] - height).max(0.0) + 0.5 * cell,
    ];
    // Within the square in the circle that is free.
    let free = SHAKEN * 0.5 * (cell - 2.0 * largest).max(0.0) * core::f64::consts::FRAC_1_SQRT_2;
    let mut placed = Vec::with_capacity(count);
    for row in 0..rows {
        let odd = row % 2;
        let shift = if lattice.hexagonal && odd == 1 {
            0.5 * cell
        } else {
            0.0
        };
        for k in 0..in_rows[odd].min(count - placed.len()) {
            let radius = least + (largest - least) * draws.next();
            let x = from[0] + shift + k as f64 * cell + free * (2.0 * draws.next() - 1.0);
            let y = from[1] + row as f64 * pitch + free * (2.0 * draws.next() - 1.0);
            placed.push(([x, y], radius));
        }
    }
    placed
}

/// Numbers that look drawn by chance, the same for the same seed on every machine: SplitMix64 (Steele, Lea and Flood 2014).
struct Draws(u64);

impl Draws {
    /// A number from 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(width: f64, height: f64) -> Region {
        Region {
            corner: [-1.0, 2.0],
            size: [width, height],
        }
    }

    /// No two overlap and none leaves the region by more than the hair of a cell, by every pair.
    fn sound(region: &Region, placed: &[Placed]) {
        let hair = 1.01 * HAIR * 2.0 * 0.005;
        for (i, &([x, y], r)) in placed.iter().enumerate() {
            let [left, bottom] = region.corner;
            let [right, top] = [left + region.size[0], bottom + region.size[1]];
            assert!(x - r > left - hair && x + r < right + hair, "{x} {r}");
            assert!(y - r > bottom - hair && y + r < top + hair, "{y} {r}");
            for &([u, v], s) in &placed[..i] {
                let apart = (x - u).hypot(y - v) - r - s;
                assert!(apart > -hair, "{apart:e}");
            }
        }
    }

    #[test]
    fn none_overlaps_and_all_lie_inside_down_to_the_last_that_fits() {
        for (width, height) in [
            (0.2, 1.0),
            (0.05, 0.3),
            (0.011, 0.4),
            (0.02, 0.02),
            (0.3, 0.013),
        ] {
            let region = region(width, height);
            for radii in [[0.005, 0.005], [0.002, 0.005]] {
                let most = capacity(&region, 0.005) as usize;
                assert!(most >= 1);
                for count in [1, most / 3 + 1, most - most / 10, most] {
                    let placed = place(&region, radii, count.max(1), 7).expect("it fits");
                    assert_eq!(placed.len(), count.max(1));
                    sound(&region, &placed);
                }
                assert!(place(&region, radii, most + 1, 7).is_none());
            }
        }
    }

    #[test]
    fn as_many_fit_as_can_be_counted_by_hand() {
        // A column of ten; a square of nine; 10 + 9 + 10 in rows of 1 + 2 (√3/2) diameters; nothing in less than a diameter.
        assert_eq!(capacity(&region(1.0, 10.0), 0.5), 10.0);
        assert_eq!(capacity(&region(3.0, 3.0), 0.5), 9.0);
        assert_eq!(capacity(&region(10.0, 2.8), 0.5), 29.0);
        assert_eq!(capacity(&region(10.0, 0.99), 0.5), 0.0);
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        let region = region(1.0, 1.0);
        let draw = |seed| place(&region, [0.01, 0.02], 100, seed).expect("it fits");
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        // Radii are drawn evenly: mean 15 mm and, of 100, a standard error of 10 mm/√1200.
        let mean = draw(1).iter().map(|placed| placed.1).sum::<f64>() / 100.0;
        assert!(
            (mean - 0.015).abs() < 3.0 * 0.01 / 1200_f64.sqrt(),
            "{mean}"
        );
    }
}

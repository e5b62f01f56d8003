//! Which grains are near each other, and in which order do they stand?
//!
//! Two ways to the same list. *Cells*: grains are sorted by square cells as wide as the largest disc and the skin; rows of cells are runs of the sorted grains, so that the neighbours of a grain are two
//! runs, without a table of cells: scenes may be as wide as they like. *Sweep*: grains are sorted by their left ends and compared until the first that begins beyond. The sweep does not mind
//! grains of very different sizes; the cells grow with the number of grains alone.

use crate::grains::block::Body;

/// How near grains are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BroadPhase {
    /// Cells, unless the largest grain is more than eight times as large as the mean: then the sweep.
    #[default]
    Auto,
    /// Sort by the left end of each grain, and compare those that overlap there.
    Sweep,
    /// Sort by square cells as wide as the largest grain.
    Cells,
}

/// The order of the grains, and what is needed to walk through it.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Cell or left end, in bits that sort; number as given; place before.
    keys: Vec<(u64, u32, u32)>,
    cells: bool,
    /// Where the rest of the own row and the next row begin for the grain that was asked for last.
    ahead: usize,
    low: usize,
    high: usize,
}

impl Order {
    /// Sorts. `reach` is the largest radius (m), `skin` how far apart grains count as near (m).
    pub fn sort(&mut self, bodies: &[Body], ids: &[u32], reach: f64, skin: f64, cells: bool) {
        self.cells = cells;
        self.keys.clear();
        let left = bodies.iter().fold(f64::INFINITY, |low, b| low.min(b.x));
        let bottom = bodies.iter().fold(f64::INFINITY, |low, b| low.min(b.y));
        let side = 1.0 / (2.0 * reach + skin);
        // A float becomes a whole number by saturation: what is too far away shares the last cell.
        let keys = bodies.iter().zip(ids).enumerate().map(|(place, (b, &id))| {
            let key = if cells {
                let column = ((b.x - left) * side) as u32;
                let row = ((b.y - bottom) * side) as u32;
                u64::from(row) << 32 | u64::from(column)
            } else {
                // Not negative, so that the bits sort like the numbers.
                (b.x - b.radius - (left - reach)).max(0.0).to_bits()
            };
            (key, id, place as u32)
        });
        self.keys.extend(keys);
        self.keys.sort_unstable();
        (self.ahead, self.low, self.high) = (0, 0, 0);
    }

    /// Memory held, bytes.
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<(u64, u32, u32)>()
    }

    /// The places before, in the new order.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        self.keys.iter().map(|key| key.2 as usize)
    }

    /// Tells all grains after `one` (places in the new order) that are near it, in their order. To be asked for every grain, in order.
    pub fn near(&mut self, one: usize, bodies: &[Body], skin: f64, mut tell: impl FnMut(u32)) {
        let Some(body) = bodies.get(one) else {
            return;
        };
        let mut look = |other: usize| {
            let Some(two) = bodies.get(other) else {
                return;
            };
            let (dx, dy) = (two.x - body.x, two.y - body.y);
            let far = body.radius + two.radius + skin;
            if dx * dx + dy * dy < far * far {
                tell(other as u32);
            }
        };
        let key = |place: usize| self.keys.get(place).map(|k| k.0);
        let Some(own) = key(one) else {
            return;
        };
        if !self.cells {
            let right = body.x + body.radius + skin;
            for other in one + 1..bodies.len() {
                if bodies.get(other).is_none_or(|b| b.x - b.radius > right) {
                    return;
                }
                look(other);
            }
            return;
        }
        // The own cell and the next one; then three cells of the next row.
        let mut ahead = self.ahead.max(one + 1);
        while key(ahead).is_some_and(|k| k <= own.saturating_add(1)) {
            ahead += 1;
        }
        let (row, column) = (own >> 32, own & 0xffff_ffff);
        let above = row.saturating_add(1) << 32;
        let (mut low, mut high) = (self.low.max(ahead), self.high);
        let from = above | column.saturating_sub(1);
        let to = above | column.saturating_add(1).min(0xffff_ffff);
        while key(low).is_some_and(|k| k < from) {
            low += 1;
        }
        high = high.max(low);
        while key(high).is_some_and(|k| k <= to) {
            high += 1;
        }
        for other in (one + 1..ahead).chain(low..high) {
            look(other);
        }
        (self.ahead, self.low, self.high) = (ahead, low, high);
    }
}

//! What belongs to one block of grains: its pairs, its walls, its forces and its account?

use crate::grains::Trouble;
use crate::grains::lasting::Lasting;
use crate::grains::rules::Kept;
use crate::grains::walls::Beside;

/// A grain as the forces see it: one line of the cache.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Body {
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub omega: f64,
    pub radius: f64,
    pub inverse_mass: f64,
    pub inverse_inertia: f64,
}

/// The rest of a grain, which only the integration needs: accelerations (m/s², rad/s²) and angle (rad).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Course {
    pub ax: f64,
    pub ay: f64,
    pub alpha: f64,
    pub angle: f64,
}

/// Two grains that are near each other, the first by its row, and what is remembered of their contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The second grain, in the order of the cells.
    pub other: u32,
    /// 0: apart. Else they touch; for laws that are not quick it is the place of their memory, plus 1.
    pub held: u32,
    /// K and c.
    pub law: [f64; 2],
    /// The deflection of friction half a step ahead, m: z + h v/2. Half of the next step's sliding is added when it is known. (Of a bristle: z.)
    pub ahead: f64,
}

impl Pair {
    pub fn apart(other: u32) -> Self {
        Self {
            other,
            held: 0,
            law: [0.0; 2],
            ahead: 0.0,
        }
    }
}

/// Powers, W, or what they have summed up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Powers {
    /// Of dampers along the normal.
    pub normal: f64,
    /// Of friction: what it takes from the motion, heat and stored energy together.
    pub friction: f64,
    /// Of resistance to rolling.
    pub rolling: f64,
    /// Brought in by walls.
    pub walls: f64,
}

impl Powers {
    pub fn add(&mut self, other: &Powers, factor: f64) {
        self.normal += factor * other.normal;
        self.friction += factor * other.friction;
        self.rolling += factor * other.rolling;
        self.walls += factor * other.walls;
    }
}

/// A force from a grain of another block: whose, which of its letters, and for whom here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Incoming {
    pub block: u32,
    pub letter: u32,
    pub local: u32,
}

/// One block. Blocks are worked on in any order; sums over them are taken in theirs.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The number of its first grain.
    pub base: usize,
    /// How many grains it has.
    pub count: usize,
    /// Where the pairs of each grain begin, and one more.
    pub starts: Vec<u32>,
    /// Pairs (i, j), i < j, i of this block; sorted by both.
    pub pairs: Vec<Pair>,
    /// Beside the pairs, if friction has a bristle: how fast they slid at the last step, m/s.
    pub slid: Vec<f64>,
    /// The memory of contacts whose law is not quick, and the places in it that are free.
    pub lasting: Vec<Option<Lasting>>,
    pub free: Vec<u32>,
    /// Grains and walls that are near each other; sorted by grain and wall.
    pub walls: Vec<Beside>,
    /// The force on each grain, N, N, N m.
    pub forces: Vec<[f64; 3]>,
    /// What other blocks send.
    pub inbox: Vec<Incoming>,
    /// The forces of this block's grains on the carriers, about their mass centres.
    pub carriers: Vec<[f64; 3]>,
    /// The sum of all powers so far, and the last ones.
    pub sums: Powers,
    pub latest: Powers,
    /// Heat of contacts that are over, which no power told of, J.
    pub lost: f64,
    pub kept: Kept,
    /// What the last step found.
    pub contacts: usize,
    pub deepest: f64,
    pub begun: u64,
    /// How often a damper was limited.
    pub limited: u64,
    /// The shortest contact begun so far, s.
    pub shortest: f64,
    /// The sum and the largest of the squares of speeds, m²/s².
    pub speeds: [f64; 2],
    pub trouble: Option<Trouble>,
}

impl Block {
    /// Puts the memory of a contact into a free place; the place plus 1.
    pub fn keep(lasting: &mut Vec<Option<Lasting>>, free: &mut Vec<u32>, memory: Lasting) -> u32 {
        if let Some(place) = free.pop()
            && let Some(slot) = lasting.get_mut(place as usize)
        {
            *slot = Some(memory);
            return place + 1;
        }
        lasting.push(Some(memory));
        lasting.len() as u32
    }

    /// The memory at such a place.
    pub fn memory(&self, held: u32) -> Option<&Lasting> {
        self.lasting.get((held as usize).checked_sub(1)?)?.as_ref()
    }

    /// The pairs of a grain of this block.
    pub fn row(&self, local: usize) -> &[Pair] {
        let from = self.starts.get(local).copied().unwrap_or(0) as usize;
        let to = self.starts.get(local + 1).copied().unwrap_or(0) as usize;
        self.pairs.get(from..to).unwrap_or(&[])
    }
}

/// What happens when the list is made anew.
impl Block {
    /// Takes over the account of the block in whose place it comes.
    pub fn inherit(&mut self, old: &Block) {
        self.sums = old.sums;
        self.latest = old.latest;
        self.lost = old.lost;
        self.begun = old.begun;
        self.limited = old.limited;
        self.shortest = old.shortest;
        self.speeds = old.speeds;
    }

    /// Forgets all pairs, for these grains.
    pub fn clear(&mut self, base: usize, count: usize) {
        self.base = base;
        self.count = count;
        self.starts.clear();
        self.pairs.clear();
        self.slid.clear();
        self.lasting.clear();
        self.free.clear();
        self.walls.clear();
        self.forces.clear();
        self.forces.resize(count, [0.0; 3]);
    }

    /// Lists a pair, with the memory that an old block has of it. `low` and `high` are the places of both in the old order.
    pub fn adopt(
        &mut self,
        other: u32,
        old: Option<&mut Block>,
        low: u32,
        high: u32,
        bristle: bool,
    ) {
        let mut pair = Pair::apart(other);
        let mut slid = 0.0;
        if let Some(old) = old {
            let local = (low as usize).wrapping_sub(old.base);
            let from = old.starts.get(local).copied().unwrap_or(0) as usize;
            let found = old.row(local).iter().position(|p| p.other == high);
            if let Some(place) = found.map(|k| from + k)
                && let Some(was) = old.pairs.get_mut(place)
                && was.held != 0
            {
                pair = Pair { other, ..*was };
                slid = old.slid.get(place).copied().unwrap_or(0.0);
                let memory = old.lasting.get_mut(was.held as usize - 1);
                if let Some(memory) = memory.and_then(Option::take) {
                    self.lasting.push(Some(memory));
                    pair.held = self.lasting.len() as u32;
                }
            }
        }
        self.pairs.push(pair);
        if bristle {
            self.slid.push(slid);
        }
    }

    /// Hands over what is remembered of a grain (its place in the old order) and a wall.
    pub fn release(&mut self, place: u32, wall: u32) -> Option<Beside> {
        let local = place.checked_sub(self.base as u32)?;
        let at = self
            .walls
            .binary_search_by_key(&(local, wall), |b| (b.local, b.wall))
            .ok()?;
        let beside = self.walls.get_mut(at)?;
        let empty = Beside {
            local,
            wall,
            hold: Default::default(),
            shaped: None,
        };
        Some(std::mem::replace(beside, empty))
    }

    /// What contacts that nobody took over had turned into heat beside all powers, J.
    pub fn leave(&mut self) -> f64 {
        let mut lost = 0.0;
        for memory in self.lasting.drain(..).flatten() {
            lost += memory.lost(0.0);
        }
        for beside in self.walls.drain(..) {
            lost += beside.lost();
        }
        lost
    }

    /// Memory held, bytes.
    pub fn bytes(&self) -> usize {
        fn of<T>(v: &Vec<T>) -> usize {
            v.capacity() * size_of::<T>()
        }
        of(&self.starts)
            + of(&self.pairs)
            + of(&self.slid)
            + of(&self.lasting)
            + of(&self.free)
            + of(&self.walls)
            + of(&self.forces)
            + of(&self.inbox)
    }
}

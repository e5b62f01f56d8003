//! In which order are the constraints of a mechanism eliminated, and where does fill arise?
//!
//! The unknowns are the multipliers. Rows are taken in nodes of one or two (a joint of three rows is two nodes; a node of one row has an empty second), so that every block is
//! 2×2 and no size is asked for while factoring. Two nodes are neighbours where they share a body. Nodes are eliminated by least degree, those that wait longest first:
//! a tree is eaten from all its leaves inwards without fill, and a loop costs one block per node that is left to close it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Constraint rows that belong together: a joint, a driver, one end perhaps on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// How many rows, 1 to 3.
    pub rows: usize,
    /// The body of a row's first three numbers; `None` is the ground.
    pub first: Option<usize>,
    /// The body of a row's last three numbers; `None` is the ground.
    pub second: Option<usize>,
}

impl Tie {
    /// `rows` rows between two bodies, or a body and the ground.
    pub fn new(rows: usize, first: Option<usize>, second: Option<usize>) -> Tie {
        Tie {
            rows,
            first,
            second,
        }
    }
}

/// Why a constrained system cannot be set up or solved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A tie names a body that is not there.
    NoSuchBody {
        /// The tie's number.
        tie: usize,
        /// The body it names.
        body: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// A tie has no rows or more than three.
    Rows {
        /// The tie's number.
        tie: usize,
        /// Its rows.
        rows: usize,
    },
    /// A tie holds a body to itself.
    Itself {
        /// The tie's number.
        tie: usize,
        /// The body.
        body: usize,
    },
    /// A tie holds the ground to the ground.
    NoBody {
        /// The tie's number.
        tie: usize,
    },
    /// An inverse mass is negative or not finite.
    InverseMass {
        /// The coordinate, three to a body.
        coordinate: usize,
        /// The value, 1/kg or 1/(kg m²).
        value: f64,
    },
    /// A slice has the wrong length.
    Length {
        /// What it holds.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// `solve` was called before `factor`.
    NotFactored,
    /// The Jacobian has an entry that is not finite, or whose square is not.
    NotFinite,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NoSuchBody { tie, body, bodies } => write!(
                f,
                "joint {tie} names body {body}, but there are {bodies} bodies (counted from 0)"
            ),
            Fault::Rows { tie, rows } => {
                write!(
                    f,
                    "joint {tie} has {rows} constraint rows; it must have 1 to 3"
                )
            }
            Fault::Itself { tie, body } => write!(f, "joint {tie} holds body {body} to itself"),
            Fault::NoBody { tie } => write!(f, "joint {tie} holds the ground to the ground"),
            Fault::InverseMass { coordinate, value } => write!(
                f,
                "the inverse mass of coordinate {coordinate} is {value}; it must be finite and not negative"
            ),
            Fault::Length {
                what,
                found,
                wanted,
            } => write!(f, "{what}: {found} numbers were given, {wanted} are needed"),
            Fault::NotFactored => write!(f, "the system must be factored before it is solved"),
            Fault::NotFinite => write!(f, "the Jacobian has an entry that is not finite"),
        }
    }
}

impl std::error::Error for Fault {}

/// One or two rows that are eliminated together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Where its rows stand; a node of one row names it twice.
    pub rows: [usize; 2],
    /// Whether the second row is a row of its own.
    pub double: bool,
    /// The bodies of its lines; the ground is the number of bodies.
    pub bodies: [usize; 2],
}

/// Where two nodes share a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coupling {
    /// The block below the diagonal.
    pub block: usize,
    /// The node of the block's rows, and whether the body is its first (0) or second (1).
    pub row: (usize, usize),
    /// The same of its columns.
    pub column: (usize, usize),
}

/// What can be known of a mechanism's constrained equations before any number is: the order of elimination and all lists of places.
#[derive(Clone, Debug)]
pub struct Structure {
    pub(crate) bodies: usize,
    /// The nodes in the order of elimination.
    pub(crate) nodes: Vec<Node>,
    /// Node k's blocks below the diagonal are start[k]..start[k + 1].
    pub(crate) start: Vec<usize>,
    /// The node of each block's rows, ascending within a column.
    pub(crate) below: Vec<usize>,
    /// For each column, each pair (p, q < p) of its blocks in turn: the block that their product changes.
    pub(crate) updates: Vec<usize>,
    pub(crate) couplings: Vec<Coupling>,
    /// The bodies of every row; the ground is the number of bodies.
    pub(crate) row_bodies: Vec<[usize; 2]>,
    row_tie: Vec<usize>,
    /// Each tie's first row, and the number of rows at the end.
    tie_start: Vec<usize>,
}

impl Structure {
    /// Analyses the graph of `bodies` bodies and the ties between them. Rows are numbered through the ties in their order.
    ///
    /// A body with k nodes couples them all: the work grows with k³ for such a hub, which mechanisms keep small.
    pub fn new(bodies: usize, ties: &[Tie]) -> Result<Structure, Fault> {
        let mut nodes = Vec::new();
        let mut row_bodies = Vec::new();
        let mut row_tie = Vec::new();
        let mut tie_start = vec![0];
        for (number, tie) in ties.iter().enumerate() {
            let ends = check(number, tie, bodies)?;
            let first = row_bodies.len();
            for pair in (0..tie.rows).step_by(2) {
                let double = pair + 1 < tie.rows;
                let row = first + pair;
                nodes.push(Node {
                    rows: [row, row + usize::from(double)],
                    double,
                    bodies: ends,
                });
            }
            row_bodies.resize(first + tie.rows, ends);
            row_tie.resize(first + tie.rows, number);
            tie_start.push(first + tie.rows);
        }
        let order = order(bodies, &nodes);
        let mut place = vec![0; nodes.len()];
        for (k, (node, _)) in order.iter().enumerate() {
            place[*node] = k;
        }
        let mut start = vec![0];
        let mut below = Vec::new();
        let mut blocks = BTreeMap::new();
        for (k, (_, left)) in order.iter().enumerate() {
            let mut rows: Vec<usize> = left.iter().map(|&node| place[node]).collect();
            rows.sort_unstable();
            for row in rows {
                blocks.insert((row, k), below.len());
                below.push(row);
            }
            start.push(below.len());
        }
        let nodes: Vec<Node> = order.iter().map(|(node, _)| nodes[*node]).collect();
        let mut updates = Vec::new();
        for column in start.windows(2) {
            for p in column[0]..column[1] {
                for q in column[0]..p {
                    // Eliminating a node makes all that are left beside it neighbours: the block is there.
                    updates.extend(blocks.get(&(below[p], below[q])));
                }
            }
        }
        let mut couplings = Vec::new();
        for ends in ends_on(bodies, &nodes) {
            for (i, &row) in ends.iter().enumerate() {
                for &column in &ends[..i] {
                    // Ends are listed by ascending node.
                    if let Some(&block) = blocks.get(&(row.0, column.0)) {
                        couplings.push(Coupling { block, row, column });
                    }
                }
            }
        }
        couplings.sort_by_key(|c| c.block);
        Ok(Structure {
            bodies,
            nodes,
            start,
            below,
            updates,
            couplings,
            row_bodies,
            row_tie,
            tie_start,
        })
    }

    /// How many bodies there are; a vector of coordinates has three numbers for each.
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// How many constraint rows there are.
    pub fn rows(&self) -> usize {
        self.row_bodies.len()
    }

    /// The rows of a tie; empty for a tie that is not there.
    pub fn rows_of(&self, tie: usize) -> std::ops::Range<usize> {
        match (self.tie_start.get(tie), self.tie_start.get(tie + 1)) {
            (Some(&start), Some(&end)) => start..end,
            _ => 0..0,
        }
    }

    /// The tie of a row.
    pub fn tie_of(&self, row: usize) -> Option<usize> {
        self.row_tie.get(row).copied()
    }

    /// How many 2×2 blocks the factor has below its diagonal: those that couplings fill and those that arise.
    pub fn blocks(&self) -> usize {
        self.below.len()
    }
}

/// The ends of a tie, the ground being the number of bodies.
fn check(number: usize, tie: &Tie, bodies: usize) -> Result<[usize; 2], Fault> {
    if !(1..=3).contains(&tie.rows) {
        return Err(Fault::Rows {
            tie: number,
            rows: tie.rows,
        });
    }
    for body in [tie.first, tie.second].into_iter().flatten() {
        if body >= bodies {
            return Err(Fault::NoSuchBody {
                tie: number,
                body,
                bodies,
            });
        }
    }
    match (tie.first, tie.second) {
        (None, None) => Err(Fault::NoBody { tie: number }),
        (Some(a), Some(b)) if a == b => Err(Fault::Itself {
            tie: number,
            body: a,
        }),
        (a, b) => Ok([a.unwrap_or(bodies), b.unwrap_or(bodies)]),
    }
}

/// For each body, the nodes that end on it by ascending number, and whether it is their first (0) or second (1).
fn ends_on(bodies: usize, nodes: &[Node]) -> Vec<Vec<(usize, usize)>> {
    let mut ends = vec![Vec::new(); bodies];
    for (k, node) in nodes.iter().enumerate() {
        for (side, &body) in node.bodies.iter().enumerate() {
            if body < bodies {
                ends[body].push((k, side));
            }
        }
    }
    ends
}

/// The nodes in the order of elimination, each with those that are left beside it then.
///
/// Among nodes of the least degree the one that has had its degree for longest goes first: both ends of a chain in turn, which halves the depth of what must wait for what.
fn order(bodies: usize, nodes: &[Node]) -> Vec<(usize, BTreeSet<usize>)> {
    let mut beside = vec![BTreeSet::new(); nodes.len()];
    for ends in ends_on(bodies, nodes) {
        for &(a, _) in &ends {
            for &(b, _) in &ends {
                if a != b {
                    beside[a].insert(b);
                }
            }
        }
    }
    let mut clock = nodes.len();
    let mut since: Vec<usize> = (0..nodes.len()).collect();
    let mut queue: BTreeSet<(usize, usize, usize)> = beside
        .iter()
        .enumerate()
        .map(|(k, set)| (set.len(), k, k))
        .collect();
    let mut order = Vec::new();
    while let Some((_, _, k)) = queue.pop_first() {
        let left = std::mem::take(&mut beside[k]);
        for &i in &left {
            let before = beside[i].len();
            beside[i].remove(&k);
            beside[i].extend(left.iter().filter(|&&j| j != i));
            if beside[i].len() != before {
                queue.remove(&(before, since[i], i));
                since[i] = clock;
                clock += 1;
                queue.insert((beside[i].len(), since[i], i));
            }
        }
        order.push((k, left));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(links: usize) -> Vec<Tie> {
        (0..links)
            .map(|i| Tie::new(2, i.checked_sub(1), Some(i)))
            .collect()
    }

    #[test]
    fn a_chain_has_no_fill_and_a_ring_has_one_block_a_joint_at_most() {
        for n in [2, 3, 10, 101] {
            let open = Structure::new(n, &chain(n)).unwrap();
            assert_eq!(open.blocks(), n - 1);
            assert!(open.updates.is_empty());
            let mut ties = chain(n);
            ties.push(Tie::new(2, Some(n - 1), None));
            // On the ground at both ends: n + 1 joints in a row, still a chain, for the ground couples nothing.
            assert_eq!(Structure::new(n, &ties).unwrap().blocks(), n);
            // A free ring of n joints: n − 3 blocks of fill, which is the least there can be.
            let ring: Vec<Tie> = (0..n)
                .filter(|_| n > 2)
                .map(|i| Tie::new(2, Some(i), Some((i + 1) % n)))
                .collect();
            if n > 2 {
                assert_eq!(Structure::new(n, &ring).unwrap().blocks(), n + n - 3);
            }
        }
    }

    #[test]
    fn a_tree_has_no_more_blocks_than_couplings() {
        // Bodies in a heap: body i hangs on body (i − 1)/2. A body with three joints couples three pairs.
        let n = 127;
        let ties: Vec<Tie> = (0..n)
            .map(|i| Tie::new(2, (i > 0).then(|| (i - 1) / 2), Some(i)))
            .collect();
        let tree = Structure::new(n, &ties).unwrap();
        assert_eq!(tree.blocks(), tree.couplings.len());
        assert_eq!(tree.blocks(), 63 * 3);
    }

    #[test]
    fn rows_are_numbered_through_the_ties() {
        let ties = [
            Tie::new(3, None, Some(0)),
            Tie::new(1, Some(0), Some(1)),
            Tie::new(2, Some(1), None),
        ];
        let s = Structure::new(2, &ties).unwrap();
        assert_eq!(
            (
                s.rows(),
                s.rows_of(0),
                s.rows_of(1),
                s.rows_of(2),
                s.rows_of(3)
            ),
            (6, 0..3, 3..4, 4..6, 0..0)
        );
        assert_eq!(
            (s.tie_of(2), s.tie_of(3), s.tie_of(6)),
            (Some(0), Some(1), None)
        );
    }

    #[test]
    fn faulty_ties_are_refused_with_their_numbers() {
        let refuse = |tie: Tie| Structure::new(2, &[chain(1)[0], tie]).unwrap_err();
        for (tie, said) in [
            (
                Tie::new(2, Some(0), Some(2)),
                "joint 1 names body 2, but there are 2 bodies (counted from 0)",
            ),
            (
                Tie::new(0, Some(0), Some(1)),
                "joint 1 has 0 constraint rows; it must have 1 to 3",
            ),
            (
                Tie::new(4, Some(0), None),
                "joint 1 has 4 constraint rows; it must have 1 to 3",
            ),
            (
                Tie::new(1, Some(1), Some(1)),
                "joint 1 holds body 1 to itself",
            ),
            (
                Tie::new(1, None, None),
                "joint 1 holds the ground to the ground",
            ),
        ] {
            assert_eq!(refuse(tie).to_string(), said);
        }
    }
}

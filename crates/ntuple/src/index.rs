//! From a board to the weights that make up its value.

use core::ops::Range;

use afterstate_bitboard::{Board, Grid};
use wide::u64x4;

use crate::grid::TupleGrid;
use crate::pattern::{MAX_CELLS, MAX_PATTERNS, Pattern, PatternSet};

/// The most tuples that a network can have: every pattern in eight images.
pub const MAX_TUPLES: usize = 8 * MAX_PATTERNS;

type Rows = [[u64; 4]; MAX_TUPLES];

/// Indices of weights for four boards.
#[derive(Debug, Clone)]
pub struct Indices {
    rows: Rows,
    n_tuples: usize,
    bound: usize,
}

impl Default for Indices {
    fn default() -> Indices {
        Indices {
            rows: [[0; 4]; MAX_TUPLES],
            n_tuples: 0,
            bound: 0,
        }
    }
}

impl Indices {
    /// The indices.
    ///
    /// *Shape*: one row for each tuple, one column for each board.
    #[inline(always)]
    pub fn rows(&self) -> &[[u64; 4]] {
        &self.rows[..self.n_tuples.min(MAX_TUPLES)]
    }

    /// A number that all indices are below.
    #[inline(always)]
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }
}

/// Where in a table the weights of a network lie.
///
/// The images of a pattern share weights. Which of them a board takes is the
/// number whose digits are the codes of the pattern's cells in base
/// [`TupleGrid::BASE`]. Two patterns that share all cells but one are a group:
/// their weights lie side by side, so that both are likely to be fetched at
/// once (a fifth faster: docs/experiments.md).
///
/// ```text
/// index = start of the group
///       + (digits of the shared cells · n_members + number of the member) · BASE
///       + digit of the member's own cell
/// ```
///
/// The first shared cell is the least digit. A pattern alone in its group has
/// its first cell for its own. Stages follow each other, each with all groups.
#[derive(Debug, Clone)]
pub struct TupleIndex {
    groups: Vec<Group>,
    n_tuples: usize,
    n_weights: usize,
    /// Kinds of cells that it was made for.
    base: u32,
    /// What a cell's code is multiplied by in the digits of shared cells, in
    /// steps of one digit, where the base is no power of two.
    n_digits: usize,
}

/// Patterns that share all cells but one.
#[derive(Debug, Clone)]
struct Group {
    start: usize,
    n_weights: usize,
    /// The numbers of its patterns in the set, and the own cell of each.
    members: Vec<(usize, u8)>,
    shared: Vec<u8>,
    /// For each image, the own cells of the members and the shared cells.
    images: Vec<Image>,
    runs: Vec<Run>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Image {
    own: [u8; 2],
    shared: [u8; MAX_CELLS],
}

/// Shared cells that follow each other on the board: cut out of a word with
/// four bits a cell by a shift and a mask.
#[derive(Debug, Clone, Copy)]
struct Run {
    shift: u32,
    mask: u64,
}

/// The one cell that each of two patterns has for its own, if they share all
/// others.
fn own_cells(one: &Pattern, other: &Pattern) -> Option<(u8, u8)> {
    let only_in = |a: &Pattern, b: &Pattern| {
        let mut own = a.cells().iter().filter(|cell| !b.cells().contains(cell));
        own.next().copied().filter(|_| own.next().is_none())
    };
    only_in(one, other).zip(only_in(other, one))
}

/// Every pattern with the first later one that it shares all cells but one
/// with, if that is still free.
fn members(patterns: &[Pattern]) -> Vec<Vec<(usize, u8)>> {
    let mut groups = Vec::new();
    let mut taken = vec![false; patterns.len()];
    for (idx, pattern) in patterns.iter().enumerate() {
        if taken[idx] {
            continue;
        }
        let partner = (idx + 1..patterns.len())
            .filter(|&other| !taken[other])
            .find_map(|other| Some((other, own_cells(pattern, &patterns[other])?)));
        groups.push(match partner {
            Some((other, (own, other_own))) => {
                taken[other] = true;
                vec![(idx, own), (other, other_own)]
            }
            None => vec![(idx, pattern.cells()[0])],
        });
    }
    groups
}

impl Group {
    fn new<G: TupleGrid>(start: usize, members: Vec<(usize, u8)>, pattern: &Pattern) -> Group {
        let own = members[0].1;
        let shared: Vec<u8> = pattern
            .cells()
            .iter()
            .copied()
            .filter(|&cell| cell != own)
            .collect();
        let images = (0..8).map(|image| {
            let mut placed = Image::default();
            for (slot, &(_, own)) in placed.own.iter_mut().zip(&members) {
                *slot = place::<G>(image, own);
            }
            for (slot, &cell) in placed.shared.iter_mut().zip(&shared) {
                *slot = place::<G>(image, cell);
            }
            placed
        });
        let mut runs: Vec<Run> = Vec::new();
        for (digit, &cell) in shared.iter().enumerate() {
            let shift = 4 * (u32::from(cell) - digit as u32);
            let mask = 15 << (4 * digit);
            match runs.last_mut() {
                Some(run) if run.shift == shift => run.mask |= mask,
                _ => runs.push(Run { shift, mask }),
            }
        }
        let base = G::BASE as usize;
        Group {
            start,
            n_weights: members.len() * base.pow(shared.len() as u32 + 1),
            images: images.collect(),
            members,
            shared,
            runs,
        }
    }
}

/// Where a cell comes to lie on image number `image` of a square board.
pub(crate) fn place<G: Grid>(image: usize, cell: u8) -> u8 {
    const { assert!(G::ROWS == G::COLS) };
    let side = G::COLS as u8;
    let (mut row, mut col) = (cell / side, cell % side);
    if image & 4 != 0 {
        (row, col) = (col, row);
    }
    if image & 2 != 0 {
        row = side - 1 - row;
    }
    if image & 1 != 0 {
        col = side - 1 - col;
    }
    row * side + col
}

impl TupleIndex {
    /// The weights of these patterns on grid `G`.
    pub fn new<G: TupleGrid>(set: &PatternSet) -> TupleIndex {
        let patterns = set.patterns();
        let mut groups: Vec<Group> = Vec::new();
        let mut n_weights = 0;
        for members in members(patterns) {
            let first = &patterns[members[0].0];
            let group = Group::new::<G>(n_weights, members, first);
            n_weights += group.n_weights;
            groups.push(group);
        }
        TupleIndex {
            n_digits: groups
                .iter()
                .map(|group| group.shared.len())
                .max()
                .unwrap_or(0),
            groups,
            n_tuples: 8 * patterns.len(),
            n_weights,
            base: G::BASE,
        }
    }

    /// Number of tuples: what a value is the sum of.
    #[inline(always)]
    pub fn n_tuples(&self) -> usize {
        self.n_tuples
    }

    /// Number of weights of a stage.
    #[inline(always)]
    pub fn n_weights(&self) -> usize {
        self.n_weights
    }

    /// For each group, the numbers of its patterns and the range of its
    /// weights.
    pub fn groups(&self) -> impl Iterator<Item = (Vec<usize>, Range<usize>)> {
        self.groups.iter().map(|group| {
            let members = group.members.iter().map(|&(idx, _)| idx).collect();
            (members, group.start..group.start + group.n_weights)
        })
    }

    /// The codes of the cells that take the weight with this index, the own cell of
    /// its pattern first.
    ///
    /// *Panics*: when there is no such weight.
    pub fn codes(&self, idx: usize) -> impl Iterator<Item = u32> {
        let idx = idx % self.n_weights;
        let group = self.groups.iter().rfind(|group| group.start <= idx);
        let group = group.expect("the first group begins at 0");
        let (base, idx) = (self.base as usize, idx - group.start);
        let mut digits = idx / base / group.members.len();
        let shared = group.shared.iter().map(move |_| {
            let code = digits % base;
            digits /= base;
            code as u32
        });
        core::iter::once((idx % base) as u32).chain(shared)
    }

    /// Writes the indices of the weights of four boards, each of the stage with
    /// this number.
    ///
    /// All are below the indices' bound, whatever the boards and stages are:
    /// unsafe code relies on it.
    ///
    /// *Panics*: when it was made for boards with other kinds of cells, or no memory
    /// could hold the weights of so many stages.
    #[inline(always)]
    pub fn of<G: TupleGrid>(
        &self,
        boards: &[Board<G>; 4],
        stages: [usize; 4],
        indices: &mut Indices,
    ) {
        assert!(self.base == G::BASE, "boards are of the grid of the index");
        // With a bound that is no number too large, no start is.
        let n_stages = stages.into_iter().max().unwrap_or(0).checked_add(1);
        let bound = n_stages.and_then(|n_stages| n_stages.checked_mul(self.n_weights));
        let bound = bound.expect("stages are those of a table");
        let starts = stages.map(|stage| (stage * self.n_weights) as u64);
        // Rows that a panic leaves half written are none.
        indices.n_tuples = 0;
        if const { G::CELLS == 16 && G::BASE == 16 } {
            self.of_nibbles(boards, starts, &mut indices.rows);
        } else {
            self.of_digits::<G>(G::codes(boards), starts, &mut indices.rows);
        }
        indices.n_tuples = self.n_tuples;
        indices.bound = bound;
    }

    /// Words with four bits a cell already hold the digits.
    #[inline(always)]
    fn of_nibbles<G: TupleGrid>(
        &self,
        boards: &[Board<G>; 4],
        starts: [u64; 4],
        mut rows: &mut [[u64; 4]],
    ) {
        let images = images(boards.map(|board| board.key().0).into());
        for group in &self.groups {
            let n_rows = 8 * group.members.len();
            let (of_group, others) = rows.split_at_mut(n_rows);
            rows = others;
            let start = u64x4::from(starts) + u64x4::splat(group.start as u64);
            match (group.members.as_slice(), group.runs.as_slice()) {
                ([one, other], [first, second]) => {
                    let runs = [*first, *second];
                    cut([one.1, other.1], &runs, start, &images, of_group);
                }
                ([one, other], runs) => cut([one.1, other.1], runs, start, &images, of_group),
                ([one], runs) => cut([one.1], runs, start, &images, of_group),
                _ => unreachable!("groups have one member or two"),
            }
        }
    }

    #[inline(always)]
    fn of_digits<G: TupleGrid>(
        &self,
        codes: [[u32; 4]; 16],
        starts: [u64; 4],
        mut rows: &mut [[u64; 4]],
    ) {
        // A cell that holds what the grid does not have would lead out of the table.
        let codes = codes.map(|lanes| lanes.map(|code| code.min(G::BASE - 1)));
        // What each cell adds where it is shared and digit number `digit`.
        let mut parts = [[[0_u32; 4]; 16]; MAX_CELLS];
        parts[0] = codes.map(|lanes| lanes.map(|code| code * G::BASE));
        for digit in 1..self.n_digits {
            parts[digit] =
                parts[digit - 1].map(|lanes| lanes.map(|part| part.wrapping_mul(G::BASE)));
        }
        for group in &self.groups {
            let n_members = group.members.len();
            let (of_group, others) = rows.split_at_mut(8 * n_members);
            rows = others;
            for (image, rows) in group
                .images
                .iter()
                .zip(of_group.chunks_exact_mut(n_members))
            {
                let shared = match group.shared.len() {
                    5 => added::<5>(image, &parts),
                    6 => added::<6>(image, &parts),
                    7 => added::<7>(image, &parts),
                    n_digits => sum(&image.shared[..n_digits.min(MAX_CELLS)], &parts),
                };
                for (member, row) in rows.iter_mut().enumerate() {
                    let own = codes[usize::from(image.own[member & 1] & 15)];
                    for lane in 0..4 {
                        let digits =
                            shared[lane] * n_members as u32 + member as u32 * G::BASE + own[lane];
                        row[lane] = starts[lane] + (group.start as u64) + u64::from(digits);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn added<const N: usize>(image: &Image, parts: &[[[u32; 4]; 16]; MAX_CELLS]) -> [u32; 4] {
    sum(&image.shared[..N], parts)
}

#[inline(always)]
fn sum(cells: &[u8], parts: &[[[u32; 4]; 16]; MAX_CELLS]) -> [u32; 4] {
    let mut sum = [0_u32; 4];
    for (part, &cell) in parts.iter().zip(cells) {
        for lane in 0..4 {
            sum[lane] = sum[lane].wrapping_add(part[usize::from(cell & 15)][lane]);
        }
    }
    sum
}

/// Four boards of nibbles, each with its rows in reverse order.
#[inline(always)]
fn flipped(words: u64x4) -> u64x4 {
    let words = words << 32_u32 | words >> 32_u32;
    let mask = u64x4::splat(0x0000_ffff_0000_ffff);
    (words & mask) << 16_u32 | words >> 16_u32 & mask
}

/// Four boards of nibbles, each with its columns in reverse order.
#[inline(always)]
fn mirrored(words: u64x4) -> u64x4 {
    let mask = u64x4::splat(0x00ff_00ff_00ff_00ff);
    let words = (words & mask) << 8_u32 | words >> 8_u32 & mask;
    let mask = u64x4::splat(0x0f0f_0f0f_0f0f_0f0f);
    (words & mask) << 4_u32 | words >> 4_u32 & mask
}

/// Four boards of nibbles, each with its columns for rows.
#[inline(always)]
fn transposed(words: u64x4) -> u64x4 {
    let swapped = |words: u64x4, mask: u64, shift: u32| {
        let differ = (words ^ words >> shift) & u64x4::splat(mask);
        words ^ differ ^ differ << shift
    };
    // Blocks of 2x2 cells swap corners, then cells inside each block.
    let words = swapped(words, 0x0000_0000_ff00_ff00, 24);
    swapped(words, 0x0000_f0f0_0000_f0f0, 12)
}

/// The eight images of four boards of nibbles.
#[inline(always)]
fn images(words: u64x4) -> [u64x4; 8] {
    let turned = transposed(words);
    let (mirror, turned_mirror) = (mirrored(words), mirrored(turned));
    [
        words,
        mirror,
        flipped(words),
        flipped(mirror),
        turned,
        turned_mirror,
        flipped(turned),
        flipped(turned_mirror),
    ]
}

#[inline(always)]
fn cut<const N: usize>(
    own: [u8; N],
    runs: &[Run],
    start: u64x4,
    images: &[u64x4; 8],
    rows: &mut [[u64; 4]],
) {
    let scale = const { 4 + N.ilog2() };
    for (&image, rows) in images.iter().zip(rows.chunks_exact_mut(N)) {
        let mut shared = u64x4::ZERO;
        for run in runs {
            shared |= image >> run.shift & u64x4::splat(run.mask);
        }
        let shared = start + (shared << scale);
        for (member, (row, own)) in rows.iter_mut().zip(own).enumerate() {
            let digit = image >> (4 * u32::from(own & 15)) & u64x4::splat(15);
            *row = (shared + (digit + u64x4::splat(16 * member as u64))).to_array();
        }
    }
}

#[cfg(test)]
mod tests {
    use afterstate_bitboard::{Akioi, Nibbles};

    use super::*;

    fn index<G: TupleGrid>(patterns: &str) -> TupleIndex {
        TupleIndex::new::<G>(&PatternSet::parse::<G>(patterns).expect("patterns"))
    }

    /// What no board holds is taken for the largest tile, and the largest tile has
    /// the last weight of its pattern.
    fn codes_end<G: TupleGrid>(patterns: &str) {
        let index = index::<G>(patterns);
        let mut of_largest = [[0; 4]; MAX_TUPLES];
        index.of_digits::<G>([[G::BASE - 1; 4]; 16], [7; 4], &mut of_largest);
        let last = of_largest[index.n_tuples - 1];
        assert_eq!(last, [index.n_weights as u64 + 6; 4], "{patterns}");
        for code in [G::BASE, u32::MAX] {
            let mut rows = [[0; 4]; MAX_TUPLES];
            index.of_digits::<G>([[code; 4]; 16], [7; 4], &mut rows);
            assert!(rows == of_largest, "{patterns}, {code}");
        }
    }

    #[test]
    fn what_no_board_holds_stays_within_the_table() {
        codes_end::<Nibbles<3, 3>>("2x6");
        codes_end::<Nibbles<3, 3>>("012345");
        codes_end::<Akioi>("4x6");
    }

    /// The indices of a board, taken apart, are the codes of its cells: for each pattern
    /// those of its eight images.
    fn codes_come_back<G: TupleGrid>(patterns: &str, stage: usize) {
        let set = PatternSet::parse::<G>(patterns).expect("patterns");
        let index = TupleIndex::new::<G>(&set);
        let board = (0..G::CELLS).fold(Board::<G>::default(), |board, cell| {
            board.with_cell(cell, (cell * 7 % (G::BASE as usize - 1)) as u8)
        });
        let mut indices = Indices::default();
        index.of(&[board; 4], [stage; 4], &mut indices);
        let sorted = |codes: &mut dyn Iterator<Item = u32>| {
            let mut codes: Vec<u32> = codes.collect();
            codes.sort_unstable();
            codes
        };
        let rows = indices.rows().iter();
        let mut found: Vec<_> = rows
            .map(|row| sorted(&mut index.codes(row[0] as usize)))
            .collect();
        let images = set.patterns().iter().flat_map(|pattern| {
            (0..8).map(move |image| {
                let cells = pattern.cells().iter();
                sorted(&mut cells.map(|&cell| board.cell(place::<G>(image, cell).into()).into()))
            })
        });
        let mut expected: Vec<_> = images.collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{patterns}");
    }

    #[test]
    fn indices_are_taken_apart() {
        codes_come_back::<Nibbles<4, 4>>("4x6", 0);
        codes_come_back::<Nibbles<4, 4>>("8x6", 2);
        codes_come_back::<Nibbles<3, 3>>("2x6", 1);
        codes_come_back::<Akioi>("4x6", 0);
    }

    /// Where the product would be a small number again, there is no table either.
    #[test]
    fn stages_beyond_all_memory_are_refused() {
        let index = index::<Nibbles<4, 4>>("2x4");
        let stage = usize::MAX / index.n_weights + 1;
        assert!(stage.wrapping_mul(index.n_weights) <= index.n_weights);
        for stage in [stage, usize::MAX] {
            refused(|indices| {
                let boards = [Board::<Nibbles<4, 4>>::default(); 4];
                index.of(&boards, [0, stage, 0, 0], indices);
            });
        }
    }

    /// The same cells of a grid with more kinds would lie elsewhere.
    #[test]
    fn boards_of_other_grids_are_refused() {
        let index = index::<Nibbles<4, 4>>("2x4");
        refused(|indices| index.of(&[Board::<Akioi>::default(); 4], [0; 4], indices));
    }

    /// It panics, and leaves no indices.
    fn refused(of: impl Fn(&mut Indices)) {
        let mut indices = Indices::default();
        let call = std::panic::AssertUnwindSafe(|| of(&mut indices));
        assert!(std::panic::catch_unwind(call).is_err());
        assert!(indices.rows().is_empty());
    }
}

//! Large sets of boards: made in parallel, kept in four bytes a board, and
//! looked up in constant time.
//!
//! Words of boards cluster, so they are mixed first, one to one, into numbers
//! that are spread evenly over their range. Of a sorted list of such numbers
//! the leading bits say where a number lies: they make buckets for sorting in
//! parallel, an index for finding, and they need not be stored.

use core::marker::PhantomData;
use core::ops::Range;

use afterstate_bitboard::{Board, WordGrid};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

/// An odd constant without pattern: 2^64 by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number by which [`FACTOR`] is undone modulo any power of two.
const INVERSE: u64 = {
    // Newton's iteration doubles the number of right digits.
    let mut inverse = FACTOR;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
};

/// The bits of a mixed number that are stored.
const STORED_BITS: u32 = 32;

/// A board as a number below 2^[`WordGrid::BITS`], evenly spread.
#[inline(always)]
pub(super) fn mixed<G: WordGrid>(board: Board<G>) -> u64 {
    let word = board.word();
    (word ^ (word >> half::<G>())).wrapping_mul(FACTOR) & mask::<G>()
}

/// The board of a number that [`mixed`] made.
#[inline(always)]
fn unmixed<G: WordGrid>(number: u64) -> Board<G> {
    let word = number.wrapping_mul(INVERSE) & mask::<G>();
    Board::of_word(word ^ (word >> half::<G>()))
}

/// At least half of the bits, so that a shifted word is not shifted again when
/// the step is undone.
#[inline(always)]
fn half<G: WordGrid>() -> u32 {
    G::BITS.div_ceil(2)
}

#[inline(always)]
fn mask<G: WordGrid>() -> u64 {
    (1 << G::BITS) - 1
}

/// Leading bits that are not stored but follow from the place.
pub(super) fn part_bits<G: WordGrid>() -> u32 {
    const { assert!(G::BITS <= 40, "at most 256 parts") };
    G::BITS.saturating_sub(STORED_BITS)
}

/// A set of boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Keys<G> {
    /// Where the numbers with each value of the leading bits begin, and the
    /// number of all.
    starts: Vec<u32>,
    /// The low bits of the mixed numbers, ascending within each part.
    low: Vec<u32>,
    grid: PhantomData<G>,
}

impl<G: WordGrid> Keys<G> {
    pub(super) fn none() -> Keys<G> {
        Keys {
            starts: vec![0; (1 << part_bits::<G>()) + 1],
            low: Vec::new(),
            grid: PhantomData,
        }
    }

    /// The set whose parts begin there, with these low bits; `None` unless they
    /// ascend. Whether each is a board is not asked.
    pub(super) fn from_parts(starts: Vec<u32>, low: Vec<u32>) -> Option<Keys<G>> {
        let has_all = starts.len() == (1 << part_bits::<G>()) + 1
            && starts.first() == Some(&0)
            && starts.last().is_some_and(|&n| n as usize == low.len())
            && starts.is_sorted();
        let keys = Keys {
            starts,
            low,
            grid: PhantomData,
        };
        let ascends = has_all
            && keys.starts.windows(2).all(|part| {
                keys.low[part[0] as usize..part[1] as usize].is_sorted_by(|a, b| a < b)
            });
        ascends.then_some(keys)
    }

    pub(super) fn len(&self) -> usize {
        self.low.len()
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    pub(super) fn low(&self) -> &[u32] {
        &self.low
    }

    fn for_each_number(&self, range: Range<usize>, mut f: impl FnMut(usize, u64)) {
        let mut part = self
            .starts
            .partition_point(|&start| start as usize <= range.start)
            - 1;
        let mut at = range.start;
        while at < range.end {
            let end = (self.starts[part + 1] as usize).min(range.end);
            let high = (part as u64) << STORED_BITS;
            for (idx, &low) in self.low[at..end].iter().enumerate() {
                f(at + idx, high | u64::from(low));
            }
            at = end;
            part += 1;
        }
    }

    /// Calls `f` with the position and the board of every member in `range`.
    #[inline(always)]
    pub(super) fn for_each(&self, range: Range<usize>, mut f: impl FnMut(usize, Board<G>)) {
        self.for_each_number(range, |idx, number| f(idx, unmixed(number)));
    }

    /// The position of a canonical board, by halving: for single questions.
    pub(super) fn find(&self, board: Board<G>) -> Option<usize> {
        let number = mixed(board);
        let part = (number >> STORED_BITS) as usize;
        let (start, end) = (self.starts[part] as usize, self.starts[part + 1] as usize);
        let found = self.low[start..end].binary_search(&(number as u32));
        found.ok().map(|idx| start + idx)
    }

    pub(super) fn bytes(&self) -> u64 {
        (4 * (self.low.len() + self.starts.len())) as u64
    }
}

/// Where to look for a board in [`Keys`], for a great many questions.
#[derive(Debug)]
pub(super) struct Index {
    shift: u32,
    offsets: Vec<u32>,
}

impl Index {
    /// About one bucket a board.
    pub(super) fn new<G: WordGrid>(keys: &Keys<G>) -> Index {
        let wanted = usize::BITS - keys.len().leading_zeros();
        let bits = wanted.max(part_bits::<G>()).min(G::BITS);
        let shift = G::BITS - bits;
        let mut offsets = Vec::with_capacity((1 << bits) + 1);
        keys.for_each_number(0..keys.len(), |idx, number| {
            let bucket = (number >> shift) as usize;
            if offsets.len() <= bucket {
                offsets.resize(bucket + 1, idx as u32);
            }
        });
        offsets.resize((1 << bits) + 1, keys.len() as u32);
        Index { shift, offsets }
    }

    /// The position of a board, which must be a member, by its mixed number.
    #[inline(always)]
    pub(super) fn position<G: WordGrid>(&self, keys: &Keys<G>, number: u64) -> usize {
        let bucket = (number >> self.shift) as usize;
        let mut at = self.offsets[bucket] as usize;
        // A bucket holds one or two boards, and the one sought is among them.
        while keys.low[at] != number as u32 {
            at += 1;
        }
        debug_assert!(at < self.offsets[bucket + 1] as usize, "a member is sought");
        at
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * self.offsets.len() as u64
    }
}

/// Takes the mixed numbers that one piece of work comes upon, some many times.
#[derive(Debug)]
pub(super) struct Sink {
    buckets: Vec<Vec<u64>>,
    shift: u32,
}

impl Sink {
    #[inline(always)]
    pub(super) fn push<G: WordGrid>(&mut self, board: Board<G>) {
        let number = mixed(board.canonical());
        self.buckets[(number >> self.shift) as usize].push(number);
    }
}

/// Numbers that a bucket is meant to hold: they are sorted in the fastest cache.
const BUCKET_LEN: usize = 4096;

/// The set of all boards that `fill` comes upon in the pieces of work, and how
/// many numbers that took; about `n_expected`.
///
/// The set does not depend on the number of threads.
pub(super) fn collect<G: WordGrid, W: Sync>(
    work: &[W],
    n_expected: usize,
    fill: impl Fn(&W, &mut Sink) + Sync,
) -> (Keys<G>, usize) {
    let wanted = (n_expected / BUCKET_LEN).next_power_of_two().ilog2();
    let bucket_bits = wanted.clamp(part_bits::<G>(), part_bits::<G>().max(12).min(G::BITS));
    let shift = G::BITS - bucket_bits;
    let sinks: Vec<Sink> = work
        .into_par_iter()
        .map(|piece| {
            let mut sink = Sink {
                buckets: vec![Vec::new(); 1 << bucket_bits],
                shift,
            };
            fill(piece, &mut sink);
            sink
        })
        .collect();
    let n_taken = sinks
        .iter()
        .flat_map(|sink| &sink.buckets)
        .map(Vec::len)
        .sum();
    let sorted: Vec<Vec<u32>> = (0..1_usize << bucket_bits)
        .into_par_iter()
        .map(|bucket| {
            let mut numbers: Vec<u64> = Vec::new();
            for sink in &sinks {
                numbers.extend_from_slice(&sink.buckets[bucket]);
            }
            numbers.sort_unstable();
            numbers.dedup();
            numbers.into_iter().map(|number| number as u32).collect()
        })
        .collect();
    (assembled(&sorted), n_taken)
}

fn assembled<G: WordGrid>(sorted: &[Vec<u32>]) -> Keys<G> {
    let n_keys = sorted.iter().map(Vec::len).sum();
    assert!(
        u32::try_from(n_keys).is_ok(),
        "a layer has fewer than 2^32 boards"
    );
    let n_parts = 1 << part_bits::<G>();
    let buckets_a_part = sorted.len() / n_parts;
    let mut low = Vec::with_capacity(n_keys);
    let mut starts = Vec::with_capacity(n_parts + 1);
    for part in sorted.chunks(buckets_a_part) {
        starts.push(low.len() as u32);
        for bucket in part {
            low.extend_from_slice(bucket);
        }
    }
    starts.push(low.len() as u32);
    Keys {
        starts,
        low,
        grid: PhantomData,
    }
}

#[cfg(test)]
mod tests {
    use afterstate_bitboard::{Board, Mini, MiniBoard, Nibbles, Quints, WordGrid};

    use super::{Index, Keys, collect, mixed, unmixed};

    /// Boards of random cells.
    fn boards<G: WordGrid>(n: usize) -> Vec<Board<G>> {
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        let mut board = || {
            (0..G::CELLS).fold(Board::default(), |board: Board<G>, idx| {
                board.put(idx, below(G::CELL_KINDS) as u8)
            })
        };
        (0..n).map(|_| board()).collect()
    }

    fn check<G: WordGrid>(n: usize) {
        let boards = boards::<G>(n);
        for &board in &boards {
            assert_eq!(unmixed::<G>(mixed(board)), board);
            assert!(mixed(board) >> G::BITS == 0);
        }
        let pieces: Vec<&[Board<G>]> = boards.chunks(100).collect();
        let (keys, n_taken) = collect::<G, _>(&pieces, n, |piece, sink| {
            for &board in *piece {
                sink.push(board);
                sink.push(board.mirror());
            }
        });
        assert_eq!(n_taken, 2 * n);
        let mut expected: Vec<Board<G>> = boards.iter().map(|board| board.canonical()).collect();
        expected.sort();
        expected.dedup();
        let mut found = Vec::new();
        let index = Index::new(&keys);
        keys.for_each(0..keys.len(), |idx, board| {
            assert_eq!(index.position(&keys, mixed(board)), idx);
            assert_eq!(keys.find(board), Some(idx));
            found.push(board);
        });
        found.sort();
        assert_eq!(found, expected);
        let again = Keys::from_parts(keys.starts.clone(), keys.low.clone());
        assert_eq!(again.as_ref(), Some(&keys));
    }

    #[test]
    fn sets_hold_each_board_once() {
        check::<Mini>(20_000);
        check::<Nibbles<2, 4>>(5_000);
        check::<Nibbles<2, 2>>(500);
        check::<Nibbles<1, 2>>(50);
        check::<Quints<2, 2>>(3_000);
    }

    #[test]
    fn strangers_are_not_found() {
        let (keys, _) = collect::<Mini, _>(&[()], 1, |(), sink| {
            sink.push::<Mini>(Board::default().put(0, 3));
        });
        let stranger: MiniBoard = Board::default().put(0, 4);
        assert_eq!(keys.find(stranger.canonical()), None);
        assert_eq!(Keys::<Mini>::none().find(stranger), None);
    }

    #[test]
    fn parts_that_fit_no_set_are_refused() {
        let (keys, _) = collect::<Mini, _>(&[()], 1, |(), sink| {
            for code in 1..9 {
                sink.push::<Mini>(Board::default().put(0, code));
            }
        });
        let (starts, low) = (keys.starts.clone(), keys.low.clone());
        let refused = |starts: &[u32], low: &[u32]| {
            Keys::<Mini>::from_parts(starts.to_vec(), low.to_vec()).is_none()
        };
        assert!(!refused(&starts, &low));
        assert!(refused(&starts[1..], &low));
        assert!(refused(&starts, &low[1..]));
        let mut doubled = starts.clone();
        doubled[1] = 9;
        assert!(refused(&doubled, &low));
        let mut one_part = vec![8; starts.len()];
        one_part[0] = 0;
        let mut descending = low.clone();
        descending.sort_unstable_by(|a, b| b.cmp(a));
        assert!(refused(&one_part, &descending));
    }
}

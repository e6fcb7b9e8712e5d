//! Looking weights up: the hot loop of everything that plays by a network.
#![allow(unsafe_code)]

use core::ops::AddAssign;

use crate::index::Indices;

/// A weight in a table.
pub trait Weight {
    /// What weights are added up as.
    type Sum: Copy + Default + AddAssign;

    /// The weight as a term of a sum.
    fn term(&self) -> Self::Sum;
}

impl Weight for i16 {
    type Sum = i32;

    #[inline(always)]
    fn term(&self) -> i32 {
        i32::from(*self)
    }
}

/// The sums of the weights with these indices, for each of four boards.
///
/// *Panics*: when the table is shorter than the indices may be large.
#[inline(always)]
pub fn sums<W: Weight>(weights: &[W], indices: &Indices) -> [W::Sum; 4] {
    assert!(
        indices.bound() <= weights.len(),
        "a table holds all that is asked for"
    );
    let mut sums = [W::Sum::default(); 4];
    for row in indices.rows() {
        for (sum, &index) in sums.iter_mut().zip(row) {
            debug_assert!((index as usize) < weights.len());
            // SAFETY: `TupleIndex::of`, the only one that writes indices and their
            // bound, keeps the former below the latter whatever it is given (the tests
            // of `index.rs` show it for what no board holds), and the bound was found
            // to be within the table above. So the index is as well.
            *sum += unsafe { weights.get_unchecked(index as usize) }.term();
        }
    }
    sums
}

/// Asks the processor to bring the weights with these indices near, while other
/// work goes on. Nothing that a program could see happens.
#[inline(always)]
pub fn prefetch_all<W>(weights: &[W], indices: &Indices) {
    for row in indices.rows() {
        for &index in row {
            prefetch(weights, index as usize);
        }
    }
}

/// The same for one item. It does nothing else, whatever `idx` is, and nothing
/// at all on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(items: &[T], idx: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = items.as_ptr().wrapping_add(idx).cast::<i8>();
        // SAFETY: the intrinsic is unsafe because it takes any address. The
        // instruction never faults, whatever the address, and neither reads nor writes
        // anything in the sense of the language, so no rule on who may look at `items`
        // is broken; it is part of SSE, which every x86-64 processor has.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (items, idx);
}

/// Few and small: these run under Miri as well, which is a thousand times slower.
#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU32, Ordering};
    use std::panic::catch_unwind;

    use afterstate_bitboard::{Akioi, Board, Nibbles};

    use super::*;
    use crate::grid::TupleGrid;
    use crate::index::TupleIndex;
    use crate::pattern::PatternSet;

    fn index<G: TupleGrid>(patterns: &str) -> TupleIndex {
        TupleIndex::new::<G>(&PatternSet::parse::<G>(patterns).expect("patterns"))
    }

    /// Boards that are empty, full of the largest tile, and between.
    fn boards<G: TupleGrid>() -> [Board<G>; 4] {
        let full_of = |code: &dyn Fn(usize) -> usize| {
            (0..G::CELLS).fold(Board::default(), |board, cell| {
                board.with_cell(cell, (code(cell) % G::CELL_KINDS) as u8)
            })
        };
        [
            Board::default(),
            full_of(&|_| G::BASE as usize - 1),
            full_of(&|cell| 3 * cell + 1),
            full_of(&|cell| 7 * cell),
        ]
    }

    /// The least table that will do is enough, and its sums are those of looking up
    /// one by one; a table with one weight fewer is refused.
    fn table_of_the_bound<G: TupleGrid>(patterns: &str, stages: [usize; 4]) {
        let index = index::<G>(patterns);
        let mut indices = Indices::default();
        index.of(&boards::<G>(), stages, &mut indices);
        let n_stages = 1 + stages.iter().max().expect("there are four");
        let n_weights = n_stages * index.n_weights();
        let weights: Vec<i16> = (0..n_weights).map(|idx| (idx % 251) as i16).collect();
        let mut expected = [0; 4];
        for row in indices.rows() {
            for (sum, &idx) in expected.iter_mut().zip(row) {
                *sum += i32::from(weights[idx as usize]);
            }
        }
        assert_eq!(sums(&weights, &indices), expected, "{patterns}");
        prefetch_all(&weights, &indices);
        let short = &weights[..n_weights - 1];
        assert!(catch_unwind(|| sums(short, &indices)).is_err());
    }

    #[test]
    fn sums_stay_within_tables() {
        table_of_the_bound::<Nibbles<4, 4>>("012", [0; 4]);
        table_of_the_bound::<Nibbles<4, 4>>("012,456", [1, 0, 2, 2]);
        table_of_the_bound::<Nibbles<4, 4>>("01,02,5", [0; 4]);
        table_of_the_bound::<Akioi>("01,12", [0, 1, 0, 1]);
        table_of_the_bound::<Nibbles<3, 3>>("012,01", [0, 3, 1, 2]);
    }

    #[test]
    fn nothing_is_looked_up_before_there_are_indices() {
        assert_eq!(sums::<i16>(&[], &Indices::default()), [0; 4]);
    }

    #[test]
    fn prefetching_does_nothing_whatever_the_place() {
        let items = [1_u32, 2];
        for idx in [0, 1, 2, 1 << 40, usize::MAX] {
            prefetch(&items, idx);
        }
        prefetch::<u64>(&[], 1);
        assert_eq!(items, [1, 2]);
    }

    /// A weight that another thread writes meanwhile.
    struct Shared(AtomicU32);

    impl Weight for Shared {
        type Sum = u32;

        fn term(&self) -> u32 {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// As in training with several workers: no race, and nothing but old weights and
    /// new ones.
    #[test]
    fn weights_are_looked_up_while_others_write_them() {
        let index = index::<Nibbles<4, 4>>("01,5");
        let mut indices = Indices::default();
        index.of(&boards::<Nibbles<4, 4>>(), [0; 4], &mut indices);
        let n_weights = index.n_weights();
        let weights: Vec<Shared> = (0..n_weights).map(|_| Shared(AtomicU32::new(1))).collect();
        let n_tuples = index.n_tuples() as u32;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for weight in &weights {
                    weight.0.store(2, Ordering::Relaxed);
                }
            });
            for sum in sums(&weights, &indices) {
                assert!((n_tuples..=2 * n_tuples).contains(&sum), "{sum}");
            }
        });
        assert_eq!(sums(&weights, &indices), [2 * n_tuples; 4]);
    }
}

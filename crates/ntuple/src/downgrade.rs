//! Boards above what a network saw.

use afterstate_bitboard::{Board, Grid, Nibbles};

/// The board with large tiles halved until the largest is at most 2 to the power
/// of `top`.
///
/// Where some size of tile is missing between the largest tile and the small
/// ones, the game goes on much as if all tiles above the gap were half as large:
/// none of them can merge before the gap is filled. The largest gap comes first.
/// A board without any is left as it is, but for tiles that the grid does not
/// have (those above 32768 on the 64-bit board), which count as its largest.
///
/// *Source*: H. Guei, L.-P. Chen and I-C. Wu, Optimistic temporal difference
/// learning for 2048 (2021), section on tile-downgrading.
pub(crate) fn downgraded<const R: usize, const C: usize, const N: usize>(
    mut codes: [u8; N],
    top: u8,
) -> Board<Nibbles<R, C>> {
    let mut present = codes.iter().fold(0_u32, |set, &code| set | 1 << code);
    while let Some(gap) = gap_below(present, top) {
        present = without(present, gap);
        for code in &mut codes {
            *code -= u8::from(u32::from(*code) > gap);
        }
    }
    codes
        .iter()
        .enumerate()
        .fold(Board::default(), |board, (cell, &code)| {
            board.with_cell(cell, code.min(Nibbles::<R, C>::TOP_EXPONENT))
        })
}

/// The same of a board of four bits a cell, eight cells at a time.
pub(crate) fn downgraded_word(word: u64, top: u8) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut halves = [word & LOW, (word >> 4) & LOW];
    let mut present = (0..16).fold(0_u32, |set, cell| set | 1 << ((word >> (4 * cell)) & 15));
    while let Some(gap) = gap_below(present, top) {
        present = without(present, gap);
        for half in &mut halves {
            // The highest bit of each byte: whether it is above the gap.
            let above = (*half + ONES * u64::from(0x7f - gap)) >> 7 & ONES;
            *half -= above;
        }
    }
    halves[0] | halves[1] << 4
}

/// The largest exponent without a tile below the largest tile, as long as that one
/// is above `top`. `present` has a bit for each exponent.
fn gap_below(present: u32, top: u8) -> Option<u32> {
    let largest = present.checked_ilog2()?;
    if largest <= u32::from(top) {
        return None;
    }
    // Exponent 0 is an empty cell.
    (!present & ((1 << largest) - 2)).checked_ilog2()
}

/// The exponents there are when all above `gap`, which is not there, go down by one.
fn without(present: u32, gap: u32) -> u32 {
    let below = (1 << gap) - 1;
    present & below | present >> 1 & !below
}

/// The codes of the cells, of which there are `N`: exponents on these boards.
pub(crate) fn codes<G: Grid, const N: usize>(board: Board<G>) -> [u8; N] {
    core::array::from_fn(|cell| board.cell(cell))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{downgraded, downgraded_word};

    /// As its documentation says, one gap at a time.
    fn literally(mut codes: [u8; 16], top: u8) -> [u8; 16] {
        loop {
            let largest = codes.iter().copied().max().unwrap_or(0);
            let gap = (1..largest).rev().find(|code| !codes.contains(code));
            let Some(gap) = gap.filter(|_| largest > top) else {
                return codes;
            };
            for code in codes.iter_mut().filter(|code| **code > gap) {
                *code -= 1;
            }
        }
    }

    fn word(codes: [u8; 16]) -> u64 {
        let cells = codes.iter().enumerate();
        cells.fold(0, |word, (cell, &code)| {
            word | u64::from(code) << (4 * cell)
        })
    }

    proptest! {
        #[test]
        fn words_are_downgraded_as_cells_are(codes in any::<[u8; 16]>(), top in 0_u8..16) {
            let codes = codes.map(|code| code % 16);
            let expected = word(literally(codes, top));
            prop_assert_eq!(downgraded_word(word(codes), top), expected);
            prop_assert_eq!(downgraded::<4, 4, 16>(codes, top).word(), expected);
        }

        /// Boards of large tiles, where there are few gaps.
        #[test]
        fn so_are_boards_with_few_gaps(
            codes in Just([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]).prop_shuffle(),
            same in 0_usize..16,
            top in 9_u8..15,
        ) {
            let mut codes = codes;
            codes[same] = codes[0];
            let expected = word(literally(codes, top));
            prop_assert_eq!(downgraded_word(word(codes), top), expected);
            prop_assert_eq!(downgraded::<4, 4, 16>(codes, top).word(), expected);
        }
    }
}

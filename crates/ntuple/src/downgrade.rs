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
    loop {
        let largest = codes.iter().copied().max().unwrap_or(0);
        let present = codes.iter().fold(0_u32, |set, &code| set | 1 << code);
        let gap = (1..largest)
            .rev()
            .find(|&exponent| present & 1 << exponent == 0);
        let Some(gap) = gap.filter(|_| largest > top) else {
            break;
        };
        for code in codes.iter_mut().filter(|code| **code > gap) {
            *code -= 1;
        }
    }
    codes
        .iter()
        .enumerate()
        .fold(Board::default(), |board, (cell, &code)| {
            board.with_cell(cell, code.min(Nibbles::<R, C>::TOP_EXPONENT))
        })
}

/// The codes of the cells, of which there are `N`: exponents on these boards.
pub(crate) fn codes<G: Grid, const N: usize>(board: Board<G>) -> [u8; N] {
    core::array::from_fn(|cell| board.cell(cell))
}

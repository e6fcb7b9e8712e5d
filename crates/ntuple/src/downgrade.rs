//! Boards above what a network saw.

use afterstate_bitboard::{Board, Classic, Nibbles};

/// The 64-bit classic board.
type Narrow = Nibbles<4, 4>;

/// The board with large tiles halved until the largest is at most 2 to the power
/// of `top`.
///
/// Where some size of tile is missing between the largest tile and the small
/// ones, the game goes on much as if all tiles above the gap were half as large:
/// none of them can merge before the gap is filled. The largest gap comes first.
/// A board without any is left as it is, but for tiles above 32768, which a
/// 64-bit board cannot hold and which count as 32768.
///
/// *Source*: H. Guei, L.-P. Chen and I-C. Wu, Optimistic temporal difference
/// learning for 2048 (2021), section on tile-downgrading.
pub(crate) fn downgraded(mut codes: [u8; 16], top: u8) -> Board<Narrow> {
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
            board.with_cell(cell, code.min(Narrow::TOP_EXPONENT))
        })
}

/// The codes of a narrow board.
pub(crate) fn narrow_codes(board: Board<Narrow>) -> [u8; 16] {
    core::array::from_fn(|cell| board.cell(cell))
}

/// The codes of a classic board.
pub(crate) fn classic_codes(board: Board<Classic>) -> [u8; 16] {
    core::array::from_fn(|cell| board.cell(cell))
}

//! Boards as networks see them.

use afterstate_bitboard::{Akioi, AkioiBoard, Board, Grid, Nibbles};

/// A grid whose boards an n-tuple network can look at.
pub trait TupleGrid: Grid {
    /// Kinds of cells that indices tell apart, the base of their digits. Codes
    /// are below it.
    const BASE: u32;

    /// Whether there are cells with this code on boards as a network sees them that
    /// takes boards with tiles above 2 to the power of `top` for smaller ones.
    fn is_seen(code: u32, top: u8) -> bool {
        let _ = (code, top);
        true
    }

    /// The codes of the cells of four boards, lane by lane.
    fn codes(boards: &[Board<Self>; 4]) -> [[u32; 4]; 16];
}

impl<const R: usize, const C: usize> TupleGrid for Nibbles<R, C> {
    const BASE: u32 = Self::CELL_KINDS as u32;

    fn is_seen(code: u32, top: u8) -> bool {
        code <= u32::from(top)
    }

    #[inline(always)]
    fn codes(boards: &[Board<Self>; 4]) -> [[u32; 4]; 16] {
        let words = boards.map(Board::word);
        let mut codes = [[0; 4]; 16];
        for (cell, lanes) in codes.iter_mut().enumerate().take(R * C) {
            for lane in 0..4 {
                lanes[lane] = (words[lane] >> (4 * cell)) as u32 & 15;
            }
        }
        codes
    }
}

impl TupleGrid for Akioi {
    // A board with a 65536 has been cleared and is not asked about.
    const BASE: u32 = Akioi::CELL_KINDS as u32 - 1;

    #[inline(always)]
    fn codes(boards: &[AkioiBoard; 4]) -> [[u32; 4]; 16] {
        let mut codes = [[0; 4]; 16];
        for (cell, lanes) in codes.iter_mut().enumerate() {
            for lane in 0..4 {
                lanes[lane] = u32::from(boards[lane].cell(cell)).min(Self::BASE - 1);
            }
        }
        codes
    }
}

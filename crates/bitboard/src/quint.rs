//! 4x4 boards with up to twenty kinds of cell in 80 bits.

use crate::board::Board;
use crate::grid::Grid;
use crate::line::Lines20;
use crate::nibble::{
    Nibbles, delta_swap, flip4, mirror4, occupied, power_code, select_empty, top_nibble, transpose4,
};

/// Sixteen cells of five bits: a word of sixteen nibbles and a plane with the
/// fifth bit of every cell.
///
/// ```text
/// nibbles  bits 4i+3..4i   low four bits of cell i
/// plane    bit i           fifth bit of cell i
/// ```
///
/// A code below 16 is stored as it is; a code from 16 on is stored as code + 1,
/// so that the nibble of an occupied cell is never 0 and everything about
/// empty cells is a question to the nibbles alone. Nearly all boards have an
/// empty plane, and the lines of those are below 2^16: the part of the line
/// tables that they use is as small as that of a four-bit board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Word80 {
    pub(crate) plane: u16,
    pub(crate) nibbles: u64,
}

#[inline(always)]
fn stored(code: u8) -> u8 {
    code + (code >> 4)
}

#[inline(always)]
fn code_of(stored: u8) -> u8 {
    stored - (stored >> 4)
}

#[inline(always)]
fn bit_delta_swap(plane: u16, mask: u16, shift: u32) -> u16 {
    delta_swap(plane as u64, mask as u64, shift) as u16
}

impl Word80 {
    /// Both words of the board as one number below 2^80, the plane on top.
    pub fn to_bits(self) -> u128 {
        u128::from(self.plane) << 64 | u128::from(self.nibbles)
    }

    /// Whether no cell has a code from 16 on: no classic tile above 32768, no
    /// akioi tile above 4096.
    #[inline(always)]
    pub fn is_narrow(self) -> bool {
        self.plane == 0
    }

    #[inline(always)]
    fn cell(self, idx: usize) -> u8 {
        debug_assert!(idx < 16);
        let low = (self.nibbles >> (4 * idx)) as u8 & 15;
        code_of(low | ((self.plane >> idx) as u8 & 1) << 4)
    }

    #[inline(always)]
    fn put(self, idx: usize, code: u8) -> Word80 {
        debug_assert!(idx < 16 && code < 32);
        let stored = stored(code);
        Word80 {
            plane: self.plane | u16::from(stored >> 4) << idx,
            nibbles: self.nibbles | u64::from(stored & 15) << (4 * idx),
        }
    }

    #[inline(always)]
    fn cleared(self, idx: usize) -> Word80 {
        Word80 {
            plane: self.plane & !(1 << idx),
            nibbles: self.nibbles & !(15 << (4 * idx)),
        }
    }

    #[inline(always)]
    fn line(self, row: usize) -> usize {
        let low = (self.nibbles >> (16 * row)) as usize & 0xffff;
        let high = (self.plane >> (4 * row)) as usize & 15;
        low | high << 16
    }

    /// Branches on the plane being empty, here and in [`Word80::transpose`],
    /// are nearly always guessed right and save a third of the work.
    #[inline(always)]
    fn map_lines(self, f: impl Fn(usize) -> usize) -> Word80 {
        let lines = if self.is_narrow() {
            [0, 1, 2, 3].map(|row| f((self.nibbles >> (16 * row)) as usize & 0xffff))
        } else {
            [0, 1, 2, 3].map(|row| f(self.line(row)))
        };
        let mut out = Word80::default();
        for (row, line) in lines.into_iter().enumerate() {
            out.nibbles |= (line as u64 & 0xffff) << (16 * row);
        }
        if (lines[0] | lines[1] | lines[2] | lines[3]) >> 16 != 0 {
            for (row, line) in lines.into_iter().enumerate() {
                out.plane |= ((line >> 16) as u16 & 15) << (4 * row);
            }
        }
        out
    }

    fn pack_line(codes: &[u8]) -> usize {
        debug_assert_eq!(codes.len(), 4);
        let mut line = 0;
        for (idx, &code) in codes.iter().enumerate() {
            let stored = stored(code) as usize;
            line |= (stored & 15) << (4 * idx) | (stored >> 4) << (16 + idx);
        }
        line
    }

    /// Codes from 16 on are above all others, so where there are any only those
    /// cells are looked at.
    #[inline(always)]
    fn top_code(self) -> u8 {
        if self.is_narrow() {
            return top_nibble(self.nibbles);
        }
        let mut top = 0;
        let mut plane = self.plane;
        while plane != 0 {
            top = top.max(self.cell(plane.trailing_zeros() as usize));
            plane &= plane - 1;
        }
        top
    }

    #[inline(always)]
    fn transpose(self) -> Word80 {
        let mut plane = self.plane;
        if plane != 0 {
            plane = bit_delta_swap(plane, 0x00cc, 6);
            plane = bit_delta_swap(plane, 0x0a0a, 3);
        }
        Word80 {
            plane,
            nibbles: transpose4(self.nibbles),
        }
    }

    #[inline(always)]
    fn mirror(self) -> Word80 {
        let plane = bit_delta_swap(self.plane, 0x3333, 2);
        Word80 {
            plane: bit_delta_swap(plane, 0x5555, 1),
            nibbles: mirror4(self.nibbles),
        }
    }

    #[inline(always)]
    fn flip(self) -> Word80 {
        let plane = bit_delta_swap(self.plane, 0x00ff, 8);
        Word80 {
            plane: bit_delta_swap(plane, 0x0f0f, 4),
            nibbles: flip4(self.nibbles),
        }
    }

    #[inline(always)]
    fn select(a: Word80, b: Word80, choose_b: bool) -> Word80 {
        Word80 {
            plane: a.plane ^ ((a.plane ^ b.plane) & (choose_b as u16).wrapping_neg()),
            nibbles: a.nibbles ^ ((a.nibbles ^ b.nibbles) & (choose_b as u64).wrapping_neg()),
        }
    }
}

/// The classic 4x4 grid: tiles 2 to 131072, all exact.
///
/// The code of a cell is the exponent of its tile, 0 for empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Classic;

impl Classic {
    /// The exponent of 131072, the largest tile that sixteen cells allow.
    pub const TOP_EXPONENT: u8 = 17;
}

/// The akioi 4x4 grid: multipliers ×1, ×2, ×4 and tiles 2 to 65536.
///
/// Codes: 0 empty, 1 to 3 the multipliers ×1, ×2 and ×4, 4 to 19 the tiles 2
/// to 65536. Multipliers come first so that a board without a tile above 4096
/// keeps its plane empty (see [`Word80`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Akioi;

impl Akioi {
    /// The exponent of 65536, the tile that clears the game.
    pub const TOP_EXPONENT: u8 = 16;
    /// The code of the multiplier ×1; ×2 and ×4 follow.
    pub const TIMES_1: u8 = 1;
    /// The code of the multiplier ×4.
    pub const TIMES_4: u8 = 3;
    /// What to add to a tile's exponent to get its code.
    pub const EXPONENT_OFFSET: u8 = 3;
    /// The code of the tile 65536.
    pub const TOP: u8 = Akioi::TOP_EXPONENT + Akioi::EXPONENT_OFFSET;
}

/// The part of [`Grid`] that is one and the same for both 80-bit grids.
macro_rules! word80_layout {
    () => {
        type Word = Word80;
        type Transposed = Self;
        type Lines = Lines20;

        const ROWS: usize = 4;
        const COLS: usize = 4;

        #[inline(always)]
        fn key(word: Word80) -> (u64, u16) {
            (word.nibbles, word.plane)
        }

        #[inline(always)]
        fn cell(word: Word80, idx: usize) -> u8 {
            word.cell(idx)
        }

        #[inline(always)]
        fn with_cell(word: Word80, idx: usize, code: u8) -> Word80 {
            Self::put(word.cleared(idx), idx, code)
        }

        #[inline(always)]
        fn put(word: Word80, idx: usize, code: u8) -> Word80 {
            debug_assert!((code as usize) < Self::CELL_KINDS);
            word.put(idx, code)
        }

        #[inline(always)]
        fn line(word: Word80, row: usize) -> usize {
            word.line(row)
        }

        #[inline(always)]
        fn map_lines(word: Word80, f: impl Fn(usize) -> usize) -> Word80 {
            word.map_lines(f)
        }

        fn pack_line(codes: &[u8]) -> usize {
            Word80::pack_line(codes)
        }

        #[inline(always)]
        fn n_empty(word: Word80) -> u32 {
            16 - occupied(word.nibbles).count_ones()
        }

        #[inline(always)]
        fn nth_empty(word: Word80, nth: u32) -> usize {
            select_empty(word.nibbles, 0x1111_1111_1111_1111, nth)
        }

        #[inline(always)]
        fn top_code(word: Word80) -> u8 {
            word.top_code()
        }

        #[inline(always)]
        fn transpose(word: Word80) -> Word80 {
            word.transpose()
        }

        #[inline(always)]
        fn mirror(word: Word80) -> Word80 {
            word.mirror()
        }

        #[inline(always)]
        fn flip(word: Word80) -> Word80 {
            word.flip()
        }

        #[inline(always)]
        fn select(a: Word80, b: Word80, choose_b: bool) -> Word80 {
            Word80::select(a, b, choose_b)
        }
    };
}

impl Grid for Classic {
    word80_layout!();

    const CELL_KINDS: usize = Classic::TOP_EXPONENT as usize + 1;

    fn number(code: u8) -> i32 {
        if code == 0 { 0 } else { 1 << code }
    }

    fn code(number: i64) -> Option<u8> {
        power_code(number, Classic::TOP_EXPONENT)
    }

    fn accepted() -> String {
        "0 or a power of two from 2 to 131072".to_owned()
    }
}

impl Grid for Akioi {
    word80_layout!();

    const CELL_KINDS: usize = Akioi::TOP as usize + 1;

    fn number(code: u8) -> i32 {
        match code {
            0 => 0,
            Akioi::TIMES_1..=Akioi::TIMES_4 => -(1 << (code - Akioi::TIMES_1)),
            _ => 1 << (code - Akioi::EXPONENT_OFFSET),
        }
    }

    fn code(number: i64) -> Option<u8> {
        match number {
            -1 => Some(1),
            -2 => Some(2),
            -4 => Some(3),
            0 => Some(0),
            _ => power_code(number, Akioi::TOP_EXPONENT).map(|code| code + Akioi::EXPONENT_OFFSET),
        }
    }

    fn accepted() -> String {
        "0, a power of two from 2 to 65536, or a multiplier (x1, x2, x4; -1, -2, -4 in JSON)"
            .to_owned()
    }
}

impl Board<Classic> {
    /// The same board in one 64-bit word, if no tile is above 32768.
    #[inline]
    pub fn to_narrow(self) -> Option<Board<Nibbles<4, 4>>> {
        let word = self.word();
        word.is_narrow().then(|| Board::from_word(word.nibbles))
    }
}

impl From<Board<Nibbles<4, 4>>> for Board<Classic> {
    /// The same board in the layout that holds every tile.
    #[inline]
    fn from(narrow: Board<Nibbles<4, 4>>) -> Self {
        Board::from_word(Word80 {
            plane: 0,
            nibbles: narrow.word(),
        })
    }
}

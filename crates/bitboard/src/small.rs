//! Small boards: those that lie in one `u64` and can be told by their bits.

use crate::board::Board;
use crate::grid::Grid;
use crate::line::Lines16;
use crate::nibble::{Nibbles, power_code, rearrange};
use crate::quint::Akioi;

/// A grid whose board is one `u64`, so that large sets of boards can be kept as
/// numbers and made boards again.
pub trait WordGrid: Grid<Word = u64> {
    /// Every word of a board is below 2^`BITS`.
    const BITS: u32;
}

impl<const R: usize, const C: usize, const S: usize> WordGrid for Nibbles<R, C, S> {
    const BITS: u32 = 4 * (R * C) as u32;
}

impl<G: WordGrid> Board<G> {
    /// The board of which `word` is the packed form.
    ///
    /// *Range*: `word` must be the [`Board::word`] of a board of this grid, or
    /// the result is none: ask [`Board::is_word`] of what comes from elsewhere.
    /// Debug builds check it.
    #[inline(always)]
    pub fn of_word(word: u64) -> Board<G> {
        debug_assert!(Self::is_word(word), "{word:#x} is no board");
        Board::from_word(word)
    }

    /// Whether `word` is the packed form of a board of this grid.
    pub fn is_word(word: u64) -> bool {
        let in_range = G::BITS == 64 || word >> G::BITS == 0;
        in_range && (0..G::CELLS).all(|idx| (G::cell(word, idx) as usize) < G::CELL_KINDS)
    }
}

/// A grid of `R` rows and `C` columns with the tiles of akioi, five bits a
/// cell: for boards small enough to be solved. The 4x4 board of the game is
/// [`Akioi`], with the same codes.
///
/// The code of cell `i` lies in bits 5i to 5i + 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quints<const R: usize, const C: usize>;

impl<const R: usize, const C: usize> Quints<R, C> {
    // Three cells of five bits are the longest line of `Lines16`.
    const FITS: () = assert!(R * C > 0 && R <= 3 && C <= 3, "rows and columns are 1 to 3");
    const LINE_MASK: u64 = (1 << (5 * C)) - 1;
}

impl<const R: usize, const C: usize> WordGrid for Quints<R, C> {
    const BITS: u32 = 5 * (R * C) as u32;
}

impl<const R: usize, const C: usize> Grid for Quints<R, C> {
    type Word = u64;
    type Transposed = Quints<C, R>;
    type Lines = Lines16;

    const ROWS: usize = R;
    const COLS: usize = C;
    const CELL_KINDS: usize = Akioi::CELL_KINDS;

    fn number(code: u8) -> i32 {
        Akioi::number(code)
    }

    fn code(number: i64) -> Option<u8> {
        match number {
            0 => Some(0),
            1.. => {
                power_code(number, Akioi::TOP_EXPONENT).map(|code| code + Akioi::EXPONENT_OFFSET)
            }
            _ => Akioi::code(number),
        }
    }

    fn accepted() -> String {
        Akioi::accepted()
    }

    #[inline(always)]
    fn key(word: u64) -> (u64, u16) {
        (word, 0)
    }

    #[inline(always)]
    fn cell(word: u64, idx: usize) -> u8 {
        debug_assert!(idx < Self::CELLS);
        (word >> (5 * idx)) as u8 & 31
    }

    #[inline(always)]
    fn with_cell(word: u64, idx: usize, code: u8) -> u64 {
        Self::put(word & !(31 << (5 * idx)), idx, code)
    }

    #[inline(always)]
    fn put(word: u64, idx: usize, code: u8) -> u64 {
        const { Self::FITS };
        debug_assert!(idx < Self::CELLS && (code as usize) < Self::CELL_KINDS);
        word | (u64::from(code) << (5 * idx))
    }

    fn top_code(word: u64) -> u8 {
        let codes = (0..Self::CELLS).map(|idx| Self::cell(word, idx));
        codes.max().unwrap_or(0)
    }

    #[inline(always)]
    fn line(word: u64, row: usize) -> usize {
        ((word >> (5 * C * row)) & Self::LINE_MASK) as usize
    }

    #[inline(always)]
    fn map_lines(word: u64, f: impl Fn(usize) -> usize) -> u64 {
        let mut out = 0;
        for row in 0..R {
            out |= (f(Self::line(word, row)) as u64) << (5 * C * row);
        }
        out
    }

    fn pack_line(codes: &[u8]) -> usize {
        debug_assert_eq!(codes.len(), C);
        let cells = codes.iter().rev();
        cells.fold(0, |line, &code| line << 5 | code as usize)
    }

    #[inline(always)]
    fn n_empty(word: u64) -> u32 {
        (0..Self::CELLS)
            .filter(|&idx| Self::cell(word, idx) == 0)
            .count() as u32
    }

    #[inline(always)]
    fn nth_empty(word: u64, nth: u32) -> usize {
        let mut empty = (0..Self::CELLS).filter(|&idx| Self::cell(word, idx) == 0);
        empty.nth(nth as usize).unwrap_or(0)
    }

    #[inline(always)]
    fn transpose(word: u64) -> u64 {
        rearrange::<5>(word, C, R, |row, col| col * C + row)
    }

    #[inline(always)]
    fn mirror(word: u64) -> u64 {
        rearrange::<5>(word, R, C, |row, col| row * C + C - 1 - col)
    }

    #[inline(always)]
    fn flip(word: u64) -> u64 {
        rearrange::<5>(word, R, C, |row, col| (R - 1 - row) * C + col)
    }

    #[inline(always)]
    fn select(a: u64, b: u64, choose_b: bool) -> u64 {
        a ^ ((a ^ b) & (choose_b as u64).wrapping_neg())
    }
}

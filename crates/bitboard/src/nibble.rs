//! Boards with four bits a cell in one 64-bit word.

use crate::grid::Grid;
use crate::line::Lines16;

/// A grid of `R` rows and `C` columns with four bits a cell: up to sixteen
/// cells of value tiles, as large as a game can make them in which tiles up to
/// 2^`S` spawn, and at most 2^15. `S` is 2 unless told otherwise: 2 and 4 spawn.
///
/// Grids that differ in `S` alone have the same words for the boards that both
/// have; [`FullNibbles`] has them all.
///
/// The layout of a 3x3 board, bit 0 on the right:
///
/// ```text
/// bits 35..32  31..28  27..24  23..20  19..16  15..12  11..8   7..4    3..0
///      (2,2)   (2,1)   (2,0)   (1,2)   (1,1)   (1,0)   (0,2)   (0,1)   (0,0)
/// ```
///
/// The code of a cell is the exponent of its tile, 0 for empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nibbles<const R: usize, const C: usize, const S: usize = 2>;

/// The grid of this size with every tile that four bits can tell, 2 to 32768:
/// for games in which larger tiles than 4 spawn.
pub type FullNibbles<const R: usize, const C: usize> = Nibbles<R, C, 15>;

impl<const R: usize, const C: usize, const S: usize> Nibbles<R, C, S> {
    const FITS: () = assert!(
        R * C <= 16 && C <= 4 && R <= 4 && R * C > 0 && S > 0 && S <= 15,
        "rows and columns must be 1 to 4, what spawns 2^1 to 2^15"
    );
    /// One bit at the bottom of every cell.
    const ONES: u64 = 0x1111_1111_1111_1111 >> (64 - 4 * R * C);
    /// The exponent of the largest tile: that of a chain over all cells that
    /// ends with the largest spawn twice, R·C + S − 1, or the largest that four
    /// bits can tell.
    pub const TOP_EXPONENT: u8 = if R * C + S - 1 < 15 {
        (R * C + S - 1) as u8
    } else {
        15
    };
}

/// One bit at the bottom of every cell that holds something.
#[inline(always)]
pub(crate) const fn occupied(word: u64) -> u64 {
    let pairs = word | (word >> 1);
    (pairs | (pairs >> 2)) & 0x1111_1111_1111_1111
}

/// The cell index of the empty cell number `nth` of `n_cells`.
///
/// Selecting a bit by rank has an instruction of its own (`pdep`), but no safe
/// one. Sums of the empty bits below each cell, all at once by one
/// multiplication, are compared with the rank in two halves of byte lanes, and
/// the number of cells that come before is the index.
#[inline(always)]
pub(crate) const fn select_empty(word: u64, ones: u64, nth: u32) -> usize {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    const TOP: u64 = 0x8080_8080_8080_8080;
    let empty = !occupied(word) & ones;
    // Nibble i: number of empty cells among cells 0..=i. At least one of the
    // sixteen cells holds a tile whenever something spawns, so the sums stay
    // below 16; an all-empty board is handled by its own line.
    if empty == 0x1111_1111_1111_1111 {
        return nth as usize & 15;
    }
    let upto = empty.wrapping_mul(0x1111_1111_1111_1111);
    let rank = (nth as u64 * 0x0101_0101_0101_0101) | TOP;
    // A lane's top bit survives where upto <= nth: that cell comes before.
    let even = (rank - (upto & LOW)) & TOP;
    let odd = (rank - ((upto >> 4) & LOW)) & TOP;
    (even | (odd >> 1)).count_ones() as usize
}

/// The largest nibble of a word, bit by bit from the top: the cells that have
/// the bit, if there are any, are the only ones still in question.
#[inline(always)]
pub(crate) const fn top_nibble(word: u64) -> u8 {
    let mut cells = 0x1111_1111_1111_1111;
    let mut top = 0;
    let mut bit = 4;
    while bit > 0 {
        bit -= 1;
        let with_bit = cells & (word >> bit);
        if with_bit != 0 {
            cells = with_bit;
            top |= 1 << bit;
        }
    }
    top
}

/// Exchanges the bits chosen by `mask` with those `shift` above them.
#[inline(always)]
pub(crate) const fn delta_swap(word: u64, mask: u64, shift: u32) -> u64 {
    let differ = (word ^ (word >> shift)) & mask;
    word ^ differ ^ (differ << shift)
}

#[inline(always)]
pub(crate) const fn transpose4(word: u64) -> u64 {
    // Blocks of 2x2 cells swap corners, then cells inside each block.
    let word = delta_swap(word, 0x0000_0000_ff00_ff00, 24);
    delta_swap(word, 0x0000_f0f0_0000_f0f0, 12)
}

#[inline(always)]
pub(crate) const fn mirror4(word: u64) -> u64 {
    let word = ((word & 0x00ff_00ff_00ff_00ff) << 8) | ((word >> 8) & 0x00ff_00ff_00ff_00ff);
    ((word & 0x0f0f_0f0f_0f0f_0f0f) << 4) | ((word >> 4) & 0x0f0f_0f0f_0f0f_0f0f)
}

#[inline(always)]
pub(crate) const fn flip4(word: u64) -> u64 {
    let word = word.rotate_left(32);
    ((word & 0x0000_ffff_0000_ffff) << 16) | ((word >> 16) & 0x0000_ffff_0000_ffff)
}

/// Rearranges cells of `BITS` bits: `from(row, col)` names the source index.
#[inline(always)]
pub(crate) fn rearrange<const BITS: usize>(
    word: u64,
    rows: usize,
    cols: usize,
    from: impl Fn(usize, usize) -> usize,
) -> u64 {
    let mask = (1 << BITS) - 1;
    let mut out = 0;
    for row in 0..rows {
        for col in 0..cols {
            out |= ((word >> (BITS * from(row, col))) & mask) << (BITS * (row * cols + col));
        }
    }
    out
}

impl<const R: usize, const C: usize, const S: usize> Grid for Nibbles<R, C, S> {
    type Word = u64;
    type Transposed = Nibbles<C, R, S>;
    type Lines = Lines16;

    const ROWS: usize = R;
    const COLS: usize = C;
    const CELL_KINDS: usize = Self::TOP_EXPONENT as usize + 1;

    fn number(code: u8) -> i32 {
        if code == 0 { 0 } else { 1 << code }
    }

    fn code(number: i64) -> Option<u8> {
        power_code(number, Self::TOP_EXPONENT)
    }

    fn accepted() -> String {
        format!(
            "0 or a power of two from 2 to {}",
            1_u32 << Self::TOP_EXPONENT
        )
    }

    #[inline(always)]
    fn key(word: u64) -> (u64, u16) {
        (word, 0)
    }

    #[inline(always)]
    fn cell(word: u64, idx: usize) -> u8 {
        debug_assert!(idx < Self::CELLS);
        (word >> (4 * idx)) as u8 & 15
    }

    #[inline(always)]
    fn with_cell(word: u64, idx: usize, code: u8) -> u64 {
        Self::put(word & !(15 << (4 * idx)), idx, code)
    }

    #[inline(always)]
    fn put(word: u64, idx: usize, code: u8) -> u64 {
        const { Self::FITS };
        debug_assert!(idx < Self::CELLS && (code as usize) < Self::CELL_KINDS);
        word | (u64::from(code) << (4 * idx))
    }

    #[inline(always)]
    fn line(word: u64, row: usize) -> usize {
        (word >> (4 * C * row)) as usize & ((1 << (4 * C)) - 1)
    }

    #[inline(always)]
    fn map_lines(word: u64, f: impl Fn(usize) -> usize) -> u64 {
        let mut out = 0;
        for row in 0..R {
            out |= (f(Self::line(word, row)) as u64) << (4 * C * row);
        }
        out
    }

    fn pack_line(codes: &[u8]) -> usize {
        debug_assert_eq!(codes.len(), C);
        codes
            .iter()
            .rev()
            .fold(0, |line, &code| line << 4 | code as usize)
    }

    #[inline(always)]
    fn n_empty(word: u64) -> u32 {
        (R * C) as u32 - occupied(word).count_ones()
    }

    #[inline(always)]
    fn nth_empty(word: u64, nth: u32) -> usize {
        select_empty(word, Self::ONES, nth)
    }

    #[inline(always)]
    fn top_code(word: u64) -> u8 {
        top_nibble(word)
    }

    #[inline(always)]
    fn transpose(word: u64) -> u64 {
        match (R, C) {
            (4, 4) => transpose4(word),
            (3, 3) => {
                // Cells 1 and 3, 5 and 7; then 2 and 6.
                let word = delta_swap(word, 0x00f0_00f0, 8);
                delta_swap(word, 0x0000_0f00, 16)
            }
            _ => rearrange::<4>(word, C, R, |row, col| col * C + row),
        }
    }

    #[inline(always)]
    fn mirror(word: u64) -> u64 {
        match (R, C) {
            (4, 4) => mirror4(word),
            (3, 3) => delta_swap(word, 0x0_0f00_f00f, 8),
            _ => rearrange::<4>(word, R, C, |row, col| row * C + C - 1 - col),
        }
    }

    #[inline(always)]
    fn flip(word: u64) -> u64 {
        match (R, C) {
            (4, 4) => flip4(word),
            (3, 3) => delta_swap(word, 0xfff, 24),
            _ => rearrange::<4>(word, R, C, |row, col| (R - 1 - row) * C + col),
        }
    }

    #[inline(always)]
    fn select(a: u64, b: u64, choose_b: bool) -> u64 {
        a ^ ((a ^ b) & (choose_b as u64).wrapping_neg())
    }
}

/// The exponent of a power of two from 2 to 2^`top`, or 0 for 0.
pub(crate) fn power_code(number: i64, top: u8) -> Option<u8> {
    match number {
        0 => Some(0),
        2.. if number & (number - 1) == 0 && number.ilog2() <= u32::from(top) => {
            Some(number.ilog2() as u8)
        }
        _ => None,
    }
}

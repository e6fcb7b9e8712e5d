use core::fmt;

use crate::grid::Grid;
use crate::tile::potential;

/// A board of grid `G`: which tile lies in which cell, packed in a word.
///
/// Any cell may hold any tile of the grid. A board knows nothing of rules,
/// but boards of different grids are different types, so none is handed to
/// the wrong rules.
///
/// ```
/// use afterstate_bitboard::ClassicBoard;
///
/// let board: ClassicBoard = "
///     2  4 . .
///     .  . . .
///     .  . . .
///     . 65536 . .
/// "
/// .parse()?;
/// assert_eq!(board.number(1), 4);
/// assert_eq!(board.n_empty(), 13);
/// assert_eq!(board.transpose().number(4), 4);
/// # Ok::<(), afterstate_bitboard::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board<G: Grid> {
    word: G::Word,
}

impl<G: Grid> Default for Board<G> {
    /// The board without tiles.
    fn default() -> Self {
        Board::from_word(G::Word::default())
    }
}

impl<G: Grid> Board<G> {
    #[inline(always)]
    pub(crate) const fn from_word(word: G::Word) -> Self {
        Board { word }
    }

    /// The packed form, for hashing and for tables that are indexed by it.
    ///
    /// *Shape*: see the grid's type.
    #[inline(always)]
    pub fn word(self) -> G::Word {
        self.word
    }

    /// Two numbers that tell the board from every other of its grid.
    #[inline(always)]
    pub fn key(self) -> (u64, u16) {
        G::key(self.word)
    }

    /// The code of cell `idx` (row by row, 0-based); see the grid's type.
    ///
    /// *Panics*: in debug builds, when there is no such cell.
    #[inline(always)]
    pub fn cell(self, idx: usize) -> u8 {
        G::cell(self.word, idx)
    }

    /// The number of the tile in cell `idx`, 0 for empty (see
    /// [`crate::tile_text`]).
    pub fn number(self, idx: usize) -> i32 {
        G::number(self.cell(idx))
    }

    /// The board with `code` in cell `idx`, whatever it held before.
    ///
    /// *Panics*: in debug builds, when there is no such cell or code.
    #[inline(always)]
    #[must_use]
    pub fn with_cell(self, idx: usize, code: u8) -> Self {
        Board::from_word(G::with_cell(self.word, idx, code))
    }

    /// The board with a tile added in cell `idx`, which must be empty.
    ///
    /// *Panics*: in debug builds, when there is no such cell or code or when
    /// the cell is not empty.
    #[inline(always)]
    #[must_use]
    pub fn put(self, idx: usize, code: u8) -> Self {
        debug_assert_eq!(self.cell(idx), 0, "a tile is put on an empty cell");
        Board::from_word(G::put(self.word, idx, code))
    }

    /// The codes of all cells, in order.
    pub fn cells(self) -> Cells<G> {
        Cells {
            board: self,
            next: 0,
        }
    }

    /// The numbers of all cells as rows from the top: the form used in JSON.
    pub fn to_rows(self) -> Vec<Vec<i32>> {
        let numbers: Vec<i32> = self.cells().map(G::number).collect();
        numbers.chunks(G::COLS).map(<[i32]>::to_vec).collect()
    }

    /// Number of empty cells.
    #[inline(always)]
    pub fn n_empty(self) -> u32 {
        G::n_empty(self.word)
    }

    /// The index of empty cell number `nth`, counted from 0 in cell order.
    ///
    /// *Range*: `nth` must be below [`Board::n_empty`]; the index is
    /// unspecified otherwise.
    #[inline(always)]
    pub fn nth_empty(self, nth: u32) -> usize {
        G::nth_empty(self.word, nth)
    }

    /// The indices of all empty cells, in cell order.
    pub fn empty_cells(self) -> impl Iterator<Item = usize> {
        self.cells()
            .enumerate()
            .filter(|&(_, code)| code == 0)
            .map(|(idx, _)| idx)
    }

    /// The largest number on the board; 0 for a board without value tiles.
    pub fn largest(self) -> i32 {
        self.cells().map(G::number).max().unwrap_or(0).max(0)
    }

    /// The exponent of the largest value tile; 0 for a board without any.
    ///
    /// *Cost*: a few instructions a bit of a cell, and no loop over the cells:
    /// for searches that ask it of every board.
    #[inline(always)]
    pub fn top_exponent(self) -> u32 {
        // In every grid the codes of value tiles come last, in their order.
        let number = G::number(G::top_code(self.word));
        if number > 0 { number.ilog2() } else { 0 }
    }

    /// The sum of the value tiles.
    pub fn tile_sum(self) -> i64 {
        self.cells()
            .map(|code| i64::from(G::number(code).max(0)))
            .sum()
    }

    /// The sum of the potentials of all tiles, in points (see
    /// [`crate::potential`]).
    pub fn potential(self) -> i64 {
        self.cells().map(|code| potential(G::number(code))).sum()
    }

    /// The line of `row`, the index into a [`crate::LineTable`].
    #[inline(always)]
    pub fn line(self, row: usize) -> usize {
        G::line(self.word, row)
    }

    /// The board in which every row's line is replaced by `f` of it.
    #[inline(always)]
    #[must_use]
    pub fn map_lines(self, f: impl Fn(usize) -> usize) -> Self {
        Board::from_word(G::map_lines(self.word, f))
    }

    /// Rows and columns exchanged.
    #[inline(always)]
    #[must_use]
    pub fn transpose(self) -> Board<G::Transposed> {
        Board::from_word(G::transpose(self.word))
    }

    /// Rows and columns exchanged, on a square grid; on any other grid the
    /// board itself.
    #[inline(always)]
    #[must_use]
    pub fn symmetric_transpose(self) -> Self {
        if G::ROWS == G::COLS {
            Board::from_word(G::transpose(self.word))
        } else {
            self
        }
    }

    /// Left and right exchanged.
    #[inline(always)]
    #[must_use]
    pub fn mirror(self) -> Self {
        Board::from_word(G::mirror(self.word))
    }

    /// Top and bottom exchanged.
    #[inline(always)]
    #[must_use]
    pub fn flip(self) -> Self {
        Board::from_word(G::flip(self.word))
    }

    /// `other` where `choose_other` is true, else `self`, without a branch.
    #[inline(always)]
    #[must_use]
    pub fn select(self, other: Self, choose_other: bool) -> Self {
        Board::from_word(G::select(self.word, other.word, choose_other))
    }

    /// The board's images under the symmetries of its grid: eight for a square
    /// one; for others four, each twice.
    ///
    /// *Shape*: the identity first; number 4 + i is the transpose of number i
    /// on square grids.
    pub fn symmetries(self) -> [Self; 8] {
        let mirrored = self.mirror();
        let four = [self, mirrored, self.flip(), mirrored.flip()];
        let mut eight = [self; 8];
        for (idx, image) in four.into_iter().enumerate() {
            eight[idx] = image;
            eight[4 + idx] = image.symmetric_transpose();
        }
        eight
    }

    /// The least of the board's symmetric images: one and the same for all of
    /// them.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        let mut least = self;
        for image in self.symmetries() {
            least = least.min(image);
        }
        least
    }
}

impl<G: Grid> fmt::Debug for Board<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Board").field(&self.to_rows()).finish()
    }
}

/// The cell codes of a board in order; made by [`Board::cells`].
#[derive(Debug, Clone)]
pub struct Cells<G: Grid> {
    board: Board<G>,
    next: usize,
}

impl<G: Grid> Iterator for Cells<G> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.next == G::CELLS {
            return None;
        }
        let code = self.board.cell(self.next);
        self.next += 1;
        Some(code)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = G::CELLS - self.next;
        (left, Some(left))
    }
}

impl<G: Grid> ExactSizeIterator for Cells<G> {}

use core::fmt::Debug;
use core::hash::Hash;

use crate::line::LineStore;

/// A layout of cells in a machine word: the shape of the board, what a cell
/// can hold, and the word tricks that the shape allows.
///
/// Implementers are marker types; the board itself is [`crate::Board`]. The
/// associated functions take and return bare words so that a board of one
/// grid is never mistaken for another's outside this crate.
///
/// *Shape*: cells are numbered row by row from the top left, 0-based. The
/// *code* of a cell is its kind as a number below [`Grid::CELL_KINDS`], 0 for
/// empty. The *line* of a row is the packed form of its cells from column 0,
/// the index into a [`crate::LineTable`].
pub trait Grid: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The packed board.
    type Word: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static;
    /// The grid with rows and columns exchanged; a square grid is its own.
    type Transposed: Grid<Word = Self::Word, Lines = Self::Lines, Transposed = Self>;
    /// Storage for what slides make of the lines of this grid.
    type Lines: LineStore;

    /// Number of rows.
    const ROWS: usize;
    /// Number of columns, which is the length of a row's line.
    const COLS: usize;
    /// Number of cells.
    const CELLS: usize = Self::ROWS * Self::COLS;
    /// Number of different things a cell can hold, empty included.
    const CELL_KINDS: usize;

    /// The number in text and JSON (see [`crate::tile_text`]) of a cell code.
    fn number(code: u8) -> i32;
    /// The code of a number, if this grid has such a tile.
    fn code(number: i64) -> Option<u8>;
    /// What a cell may hold, in words, for error messages.
    fn accepted() -> String;

    /// The word as two numbers that together tell every board of the grid from
    /// every other: for hashing and for compact tables.
    fn key(word: Self::Word) -> (u64, u16);

    /// The code of cell `idx`.
    fn cell(word: Self::Word, idx: usize) -> u8;
    /// The word with cell `idx` holding `code` instead.
    fn with_cell(word: Self::Word, idx: usize, code: u8) -> Self::Word;
    /// The word with `code` put into cell `idx`, which must be empty.
    fn put(word: Self::Word, idx: usize, code: u8) -> Self::Word;

    /// The line of `row`.
    fn line(word: Self::Word, row: usize) -> usize;
    /// The word in which every line is replaced by what `f` makes of it.
    fn map_lines(word: Self::Word, f: impl Fn(usize) -> usize) -> Self::Word;
    /// The line made of these cell codes, from column 0.
    fn pack_line(codes: &[u8]) -> usize;

    /// Number of empty cells.
    fn n_empty(word: Self::Word) -> u32;
    /// The cell index of the empty cell number `nth` (0-based, in cell order);
    /// unspecified when there are not that many.
    fn nth_empty(word: Self::Word, nth: u32) -> usize;

    /// The largest code of any cell.
    fn top_code(word: Self::Word) -> u8;

    /// Rows and columns exchanged: a word of [`Grid::Transposed`].
    fn transpose(word: Self::Word) -> Self::Word;
    /// Every row reversed (left and right exchanged).
    fn mirror(word: Self::Word) -> Self::Word;
    /// The rows in reverse order (top and bottom exchanged).
    fn flip(word: Self::Word) -> Self::Word;
    /// `a` where `choose_b` is false, else `b`, without a branch.
    fn select(a: Self::Word, b: Self::Word, choose_b: bool) -> Self::Word;
}

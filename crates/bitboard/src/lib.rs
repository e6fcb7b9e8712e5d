#![doc = include_str!("../README.md")]

mod board;
mod grid;
mod line;
mod nibble;
mod quint;
mod slide;
mod small;
mod text;
mod tile;

pub use board::{Board, Cells};
pub use grid::Grid;
pub use line::{LineMap, LineStore, LineTable, Lines16, Lines20, MAX_LINE};
pub use nibble::{FullNibbles, Nibbles};
pub use quint::{Akioi, Classic, Word80};
pub use slide::Slide;
pub use small::{Quints, WordGrid};
pub use text::{BoardError, CellProblem, Place};
pub use tile::{parse_tile, potential, tile_text};

/// Classic 4x4 board, exact up to the 131072 tile (80 bits).
pub type ClassicBoard = Board<Classic>;
/// Classic 4x4 board in one 64-bit word, for tiles up to 32768.
pub type NarrowBoard = Board<Nibbles<4, 4>>;
/// Akioi 4x4 board with its twenty kinds of cell (80 bits).
pub type AkioiBoard = Board<Akioi>;
/// The 3x3 grid of the mini game and of the ten-move task.
pub type Mini = Nibbles<3, 3>;
/// 3x3 board (36 bits).
pub type MiniBoard = Board<Mini>;

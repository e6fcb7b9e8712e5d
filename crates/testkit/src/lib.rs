#![doc = include_str!("../README.md")]

mod boards;
mod games;
mod slides;

pub use boards::{
    NaiveBoard, empty_board, empty_cells, flipped, largest, mirrored, potential, symmetries,
    tile_sum, transposed,
};
pub use games::{NaivePlayout, PathCounts, count_paths, opening, playout, spawned};
pub use slides::{Direction, NaiveRules};

#![doc = include_str!("../README.md")]

mod cache;
pub mod exact;
mod expectimax;
mod limits;
mod narrow;
pub mod ten_moves;
mod values;

pub use cache::Cache;
pub use expectimax::Expectimax;
pub use limits::{Depth, Limits};
pub use narrow::NarrowFirst;
pub use values::{Search, SlideValues};

#![doc = include_str!("../README.md")]

mod cache;
mod expectimax;
pub mod ten_moves;
mod values;

pub use cache::Cache;
pub use expectimax::{Expectimax, Limits};
pub use values::{Search, SlideValues};

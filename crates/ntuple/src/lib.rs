#![doc = include_str!("../README.md")]

mod classes;
mod downgrade;
mod file;
mod grid;
mod index;
mod lookup;
mod memory;
mod network;
mod packing;
mod pattern;

pub use file::{NetworkError, NetworkHeader};
pub use grid::TupleGrid;
pub use index::{Indices, MAX_TUPLES, TupleIndex};
pub use lookup::{Weight, prefetch, prefetch_all, sums};
pub use memory::Memory;
pub use network::{Ends, Network, Seen, Stages};
pub use pattern::{Pattern, PatternError, PatternSet};

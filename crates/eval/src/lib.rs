#![doc = include_str!("../README.md")]

mod contract;
mod heuristic;
mod line_value;
mod objective;
mod weights;

pub use contract::Evaluator;
pub use heuristic::LineHeuristic;
pub use objective::{Aimed, Objective};
pub use weights::LineWeights;

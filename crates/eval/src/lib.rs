#![doc = include_str!("../README.md")]

mod contract;
mod heuristic;

pub use contract::Evaluator;
pub use heuristic::{LineHeuristic, LineWeights};

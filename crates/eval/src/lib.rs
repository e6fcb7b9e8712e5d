#![doc = include_str!("../README.md")]

mod contract;
mod heuristic;
mod objective;

pub use contract::Evaluator;
pub use heuristic::{LineHeuristic, LineWeights};
pub use objective::{Aimed, Objective};

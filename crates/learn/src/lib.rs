#![doc = include_str!("../README.md")]

mod checkpoint;
mod lane;
mod starts;
mod tables;
mod tally;
mod trainer;

pub use checkpoint::CheckpointError;
pub use starts::Restarts;
pub use tables::{Method, Tables};
pub use tally::Tally;
pub use trainer::{Settings, Trainer};

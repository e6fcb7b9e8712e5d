#![doc = include_str!("../README.md")]

mod checkpoint;
mod lane;
mod preset;
mod starts;
mod tables;
mod tally;
mod trainer;

pub use checkpoint::CheckpointError;
pub use lane::{Order, Teacher};
pub use preset::{CONTEST_GOAL, Lesson, ParsePresetError, Preset};
pub use starts::Restarts;
pub use tables::{Method, Tables};
pub use tally::Tally;
pub use trainer::{Finish, Settings, Trainer};

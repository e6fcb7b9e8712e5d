#![doc = include_str!("../README.md")]

/// The file of the network, which plays classic 2048 for the score.
pub const CLASSIC: &[u8] = include_bytes!("../classic.net");

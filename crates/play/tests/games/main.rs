//! Games, playouts and transcripts against statistics, against a naive
//! replay of the same draws, and against everything that must be refused.

mod agents;
mod golden;
mod playouts;
mod slides;
mod spawns;
mod support;
mod transcripts;

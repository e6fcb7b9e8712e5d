#![doc = include_str!("../README.md")]

mod agent;
pub mod contest;
mod draw;
mod game;
mod playout;
mod seed;
mod transcript;

pub use agent::{Agent, GreedyAgent, RandomAgent, SearchAgent};
pub use draw::{GameRng, Spawned, Spawner, rng_of_seed};
pub use game::{Game, GameResult, Outcome, Ply, play_game};
pub use playout::random_playouts;
pub use seed::{agent_seed, game_seed};
pub use transcript::{ReplayError, Transcript, TranscriptError};

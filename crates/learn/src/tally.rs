//! What happened in games of training.

use serde::{Deserialize, Serialize};

/// Counts over games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games that began with an opening.
    pub n_games: u64,
    /// Games that began elsewhere.
    pub n_restarted: u64,
    /// Slides of both.
    pub n_slides: u64,
    /// Sum of the scores of games from an opening, in points.
    pub score: i64,
    /// Sum of the squares of those scores.
    pub score_squares: u128,
    /// Of games from an opening, how many had which largest tile, by exponent.
    pub largest: [u64; 20],
    /// Of games from an opening, how many were cleared.
    pub n_cleared: u64,
}

impl Tally {
    /// Mean score of the games from an opening.
    pub fn mean_score(&self) -> f64 {
        self.score as f64 / self.n_games.max(1) as f64
    }

    /// The share of games from an opening whose largest tile was at least 2 to
    /// the power of `exponent`.
    pub fn rate(&self, exponent: usize) -> f64 {
        let reached: u64 = self.largest[exponent..].iter().sum();
        reached as f64 / self.n_games.max(1) as f64
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Tally) {
        self.n_games += other.n_games;
        self.n_restarted += other.n_restarted;
        self.n_slides += other.n_slides;
        self.score += other.score;
        self.score_squares += other.score_squares;
        self.n_cleared += other.n_cleared;
        for (sum, count) in self.largest.iter_mut().zip(other.largest) {
            *sum += count;
        }
    }
}

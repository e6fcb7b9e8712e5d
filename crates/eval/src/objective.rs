//! What a game is played for.

use core::fmt;

use afterstate_bitboard::{Board, Grid};

use crate::contract::Evaluator;
use crate::weights::LineWeights;

/// What a game is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Objective {
    /// Points.
    Score,
    /// The largest tile that the game ever has: what the contest pays for.
    Largest,
    /// To clear the game (akioi).
    Clear,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Objective; 3] = [Objective::Score, Objective::Largest, Objective::Clear];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Objective::Score => "score",
            Objective::Largest => "largest",
            Objective::Clear => "clear",
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The weights of the line heuristic for each game and objective.
///
/// An objective without an entry in `docs/experiments.md` has the weights that
/// were tuned for the score: a *guess*.
impl LineWeights {
    /// Weights for the classic game.
    pub const fn for_classic(objective: Objective) -> LineWeights {
        match objective {
            Objective::Score | Objective::Largest | Objective::Clear => LineWeights::CLASSIC,
        }
    }

    /// Weights for the contest, which has more 4s.
    pub const fn for_contest(objective: Objective) -> LineWeights {
        match objective {
            Objective::Score | Objective::Largest | Objective::Clear => LineWeights::CLASSIC,
        }
    }

    /// Weights for akioi.
    pub const fn for_akioi(objective: Objective) -> LineWeights {
        match objective {
            Objective::Score | Objective::Largest | Objective::Clear => LineWeights::AKIOI,
        }
    }

    /// Weights for the 3x3 game.
    pub const fn for_mini(objective: Objective) -> LineWeights {
        match objective {
            Objective::Score | Objective::Largest | Objective::Clear => LineWeights::MINI,
        }
    }
}

/// An evaluator whose values decide between boards that are equal by the
/// objective.
///
/// For [`Objective::Score`] it is the evaluator as it is. For the others the
/// search is paid for no gain, but for each doubling of the largest tile, about
/// as much as values of boards differ by, and by [`Objective::Clear`] beyond all
/// that for clearing, to which the doublings are the way: without them a search
/// that sees no clearing yet would play for nothing (docs/experiments.md,
/// 2026-11-30). What was paid on the way adds up to what was reached, so a game
/// that is then lost keeps it.
#[derive(Debug, Clone)]
pub struct Aimed<E> {
    evaluator: E,
    objective: Objective,
}

impl<E> Aimed<E> {
    /// `evaluator` under an objective.
    pub const fn new(evaluator: E, objective: Objective) -> Aimed<E> {
        Aimed {
            evaluator,
            objective,
        }
    }
}

/// What a doubled largest tile counts, in the units of the line heuristic:
/// about as much as being lost takes off. A guess.
const RISE: f32 = 200_000.0;

/// What clearing the game counts: so much that a chance of one in a hundred
/// outweighs what boards differ in. Single precision still tells values apart
/// that differ by 1. A guess.
const CLEARED: f32 = 1e7;

impl<G: Grid, E: Evaluator<G>> Evaluator<G> for Aimed<E> {
    const BATCHED: bool = E::BATCHED;

    #[inline(always)]
    fn value(&self, after: Board<G>) -> f32 {
        self.evaluator.value(after)
    }

    #[inline(always)]
    fn values(&self, afters: &[Board<G>; 4]) -> [f32; 4] {
        self.evaluator.values(afters)
    }

    fn over_value(&self) -> f32 {
        self.evaluator.over_value()
    }

    fn cleared_value(&self) -> f32 {
        match self.objective {
            Objective::Score | Objective::Largest => self.evaluator.cleared_value(),
            Objective::Clear => CLEARED,
        }
    }

    fn gain_weight(&self) -> f32 {
        match self.objective {
            Objective::Score => self.evaluator.gain_weight(),
            Objective::Largest | Objective::Clear => 0.0,
        }
    }

    fn rise_weight(&self) -> f32 {
        match self.objective {
            Objective::Score => self.evaluator.rise_weight(),
            Objective::Largest | Objective::Clear => RISE,
        }
    }
}

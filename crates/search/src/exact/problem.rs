//! What is to be solved.

use core::fmt;
use core::str::FromStr;
use std::collections::BTreeMap;

use afterstate_bitboard::{Board, Grid, WordGrid};
use afterstate_rules::{Rules, SpawnSet, SpawnSetError, Spawns};

/// What best play aims at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The expected score, in points.
    Score,
    /// The probability of making this tile or a larger one.
    Tile(i32),
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Score => f.write_str("score"),
            Objective::Tile(number) => write!(f, "tile:{number}"),
        }
    }
}

/// What [`Objective::from_str`] says of a text that names no objective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectiveError(());

impl fmt::Display for ObjectiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected score or tile:N, as in tile:512")
    }
}

impl std::error::Error for ObjectiveError {}

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Objective, ObjectiveError> {
        if text == "score" {
            return Ok(Objective::Score);
        }
        let number = text.strip_prefix("tile:").and_then(|digits| {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            let number: i32 = digits.parse().ok().filter(|_| is_plain)?;
            let is_tile = number >= 2 && number & (number - 1) == 0;
            (is_tile && !digits.starts_with('0')).then_some(number)
        });
        number.map(Objective::Tile).ok_or(ObjectiveError(()))
    }
}

/// Rules, spawns and objective, checked to fit each other.
#[derive(Debug, Clone)]
pub struct Problem<R: Rules> {
    pub(super) rules: R,
    pub(super) spawn_set: SpawnSet,
    pub(super) spawns: Spawns<R::Grid>,
    pub(super) objective: Objective,
    pub(super) goal: Goal,
}

/// Why a problem cannot be posed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemError {
    /// The spawn set does not fit the board.
    Spawns(SpawnSetError),
    /// A tile of the set is so large that merging could lead to a tile that
    /// the board does not hold.
    LargeSpawn {
        /// The tile.
        number: i32,
        /// The largest tile that may spawn on this board.
        most: i32,
        /// The largest tile that the board holds.
        largest: i32,
    },
    /// The board has no such tile to aim at.
    NoSuchTile {
        /// The tile.
        number: i32,
        /// The largest tile that can be aimed at.
        most: i32,
    },
    /// The board has no room for the two tiles of an opening.
    NoRoom,
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemError::Spawns(error) => error.fmt(f),
            ProblemError::LargeSpawn {
                number,
                most,
                largest,
            } => write!(
                f,
                "{number} as a spawn: merging could lead beyond {largest}, the largest tile that a \
                 board holds here, expected spawns up to {most}"
            ),
            ProblemError::NoSuchTile { number, most } => write!(
                f,
                "objective tile:{number}: no such tile on this board, expected a power of two \
                 from 2 to {most}"
            ),
            ProblemError::NoRoom => f.write_str("an opening needs a board of two cells or more"),
        }
    }
}

impl std::error::Error for ProblemError {}

impl<R: Rules> Problem<R>
where
    R::Grid: WordGrid,
{
    /// The problem of best play by `rules` with these spawns.
    ///
    /// Spawns above 4 may take a grid with larger tiles, as
    /// [`afterstate_bitboard::FullNibbles`] is: on n cells, tiles up to 2^k that
    /// spawn merge to 2^(k+n−1) at most.
    ///
    /// *Errors*: a spawn set or a tile that the board does not have, spawns so
    /// large that they could outgrow the tiles of the board, a board of one
    /// cell.
    pub fn new(
        rules: R,
        spawn_set: &SpawnSet,
        objective: Objective,
    ) -> Result<Problem<R>, ProblemError> {
        if R::Grid::CELLS < 2 {
            return Err(ProblemError::NoRoom);
        }
        let most = largest_made::<R>(spawn_set)?;
        let spawns = spawn_set.on_grid().map_err(ProblemError::Spawns)?;
        let goal = match objective {
            Objective::Score => Goal { code: u8::MAX },
            Objective::Tile(number) => Goal {
                code: R::Grid::code(i64::from(number))
                    .filter(|_| (1..=most).contains(&number))
                    .ok_or(ProblemError::NoSuchTile { number, most })?,
            },
        };
        Ok(Problem {
            rules,
            spawn_set: spawn_set.clone(),
            spawns,
            objective,
            goal,
        })
    }

    /// What best play aims at.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The rules.
    pub fn rules(&self) -> R {
        self.rules
    }

    /// The spawn set.
    pub fn spawn_set(&self) -> &SpawnSet {
        &self.spawn_set
    }

    /// The boards that a game starts with.
    pub(super) fn openings(&self) -> Openings<R::Grid> {
        let fixed = self.spawns.opening_code().map(|code| [(code, 1)]);
        let spawned: Vec<(u8, u64)> = self
            .spawns
            .kinds()
            .iter()
            .map(|kind| (kind.code, u64::from(kind.weight)))
            .collect();
        let kinds: &[(u8, u64)] = fixed.as_ref().map_or(&spawned, |fixed| fixed);
        let mut weights = BTreeMap::new();
        let empty = Board::<R::Grid>::default();
        for first_cell in empty.empty_cells() {
            for &(first, first_weight) in kinds {
                let board = empty.put(first_cell, first);
                for second_cell in board.empty_cells() {
                    for &(second, second_weight) in kinds {
                        let opening = board.put(second_cell, second).canonical();
                        *weights.entry(opening).or_insert(0) += first_weight * second_weight;
                    }
                }
            }
        }
        Openings {
            total: weights.values().sum(),
            boards: weights.into_iter().collect(),
        }
    }

    /// Whether the game has ended at a board of this kind, other than by there
    /// being no legal slide.
    #[inline(always)]
    pub(super) fn is_ended(&self, board: Board<R::Grid>) -> bool {
        self.goal.is_reached(board) || self.rules.is_cleared(board)
    }

    /// Whether some boards may be of that kind.
    pub(super) fn has_goal(&self) -> bool {
        self.objective != Objective::Score
    }

    /// The value of a board at which the game has ended in that way, beside the
    /// gain that led to it.
    #[inline(always)]
    pub(super) fn ended_value(&self) -> f64 {
        match self.objective {
            Objective::Score => 0.0,
            Objective::Tile(_) => 1.0,
        }
    }

    /// What a gain counts.
    #[inline(always)]
    pub(super) fn gain_weight(&self) -> f64 {
        match self.objective {
            Objective::Score => 1.0,
            Objective::Tile(_) => 0.0,
        }
    }
}

/// The largest tile that games with these spawns are said to make. That it is
/// never less than with spawns up to 4 makes the tiles that can be aimed at the
/// same for all sets without larger ones.
///
/// *Errors*: a spawn so large that merging could lead to tiles that the grid
/// does not have.
fn largest_made<R: Rules>(set: &SpawnSet) -> Result<i32, ProblemError> {
    let largest = R::Grid::number(R::Grid::CELL_KINDS as u8 - 1);
    if !R::GAIN_IS_POTENTIAL {
        return Ok(largest);
    }
    // A chain over all cells of which the last two are the largest spawn.
    let n_merges = R::Grid::CELLS - 1;
    let most = largest >> n_merges;
    let number = set.largest();
    if number > most {
        return Err(ProblemError::LargeSpawn {
            number,
            most,
            largest,
        });
    }
    Ok(largest.min(number.max(4) << n_merges))
}

/// The boards that a game starts with.
pub(super) struct Openings<G: Grid> {
    /// Canonical boards, ascending, each with its weight.
    pub(super) boards: Vec<(Board<G>, u64)>,
    /// The sum of the weights.
    pub(super) total: u64,
}

impl<G: Grid> Openings<G> {
    /// The mean of `values`, which are those of the boards, in order.
    pub(super) fn mean(&self, values: &[f64]) -> f64 {
        let weighted = self.boards.iter().zip(values);
        let sum: f64 = weighted
            .map(|((_, weight), value)| *weight as f64 * value)
            .sum();
        sum / self.total as f64
    }
}

/// The least cell code that ends the game; codes of value tiles ascend with
/// the tile and come after all others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    code: u8,
}

impl Goal {
    #[inline(always)]
    pub(super) fn is_reached<G: Grid>(self, board: Board<G>) -> bool {
        self.code != u8::MAX && board.cells().any(|code| code >= self.code)
    }
}

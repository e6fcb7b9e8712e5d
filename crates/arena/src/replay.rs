//! Games that were written down, checked and shown slide by slide.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use afterstate_bitboard::Grid;
use afterstate_play::{Game, ReplayError, Spawned, Transcript, TranscriptError};
use afterstate_rules::Spawns;
use serde::Serialize;

use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};

/// Why a file is no game.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayFileError {
    /// It cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no transcript.
    Transcript {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: TranscriptError,
    },
    /// It names spawns that the variant does not have.
    SpawnSet {
        /// The file.
        path: PathBuf,
        /// The name.
        found: String,
        /// The names that the variant has.
        accepted: String,
    },
    /// It is no game by the rules.
    Rules {
        /// The file.
        path: PathBuf,
        /// What no game does.
        error: ReplayError,
    },
    /// The seed gives other tiles.
    Seed {
        /// The file.
        path: PathBuf,
        /// Slides before the tile that is another one.
        ply: usize,
    },
}

impl fmt::Display for ReplayFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayFileError::Io { path, .. } => write!(f, "{}: cannot be read", path.display()),
            ReplayFileError::Transcript { path, error } => {
                write!(f, "{}: {error}", path.display())
            }
            ReplayFileError::SpawnSet {
                path,
                found,
                accepted,
            } => write!(
                f,
                "{}: field `spawn_set`: `{}`, expected {accepted}",
                path.display(),
                found.escape_debug()
            ),
            ReplayFileError::Rules { path, error } => write!(f, "{}: {error}", path.display()),
            ReplayFileError::Seed { path, ply } => write!(
                f,
                "{}: after slide {ply}: the seed gives another tile than is written",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ReplayFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReplayFileError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A tile that appeared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplayedSpawn {
    /// Row, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
    /// The tile as a number; multipliers are negative.
    pub tile: i32,
}

/// A board of a game and what was done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplayedBoard {
    /// Number of slides before it.
    pub ply: usize,
    /// Its rows, in numbers.
    pub board: Vec<Vec<i32>>,
    /// Points so far.
    pub score: i64,
    /// The slide from it; none from the last board.
    pub slide: Option<&'static str>,
    /// The gain of that slide.
    pub gain: Option<i32>,
    /// The tile that appeared after it.
    pub spawn: Option<ReplayedSpawn>,
}

/// A game that was checked: by its rules, and its tiles by its seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// Name of the variant.
    pub variant: &'static str,
    /// What spawned.
    pub spawn_set: String,
    /// The seed.
    pub seed: u64,
    /// Sum of gains.
    pub score: i64,
    /// The largest number on the last board.
    pub largest: i32,
    /// Number of slides.
    pub moves: usize,
    /// `over`, `cleared`, or `playing` where the game had not ended.
    pub outcome: &'static str,
    /// All boards, from the opening to the last.
    #[serde(skip)]
    pub boards: Vec<ReplayedBoard>,
}

/// Reads a game that was written down, and plays it again.
///
/// *Errors*: no such file; one that is no transcript, no game by the rules of its
/// variant, or has other tiles than its seed gives.
pub fn replay(path: &Path) -> Result<Replay, ReplayFileError> {
    let bytes = std::fs::read(path).map_err(|source| ReplayFileError::Io {
        path: path.to_owned(),
        source,
    })?;
    let transcript = Transcript::from_bytes(&bytes);
    let transcript = transcript.map_err(|error| ReplayFileError::Transcript {
        path: path.to_owned(),
        error,
    })?;
    let sets = transcript.variant.spawn_sets();
    let Some(set) = sets.iter().find(|set| set.name() == transcript.spawn_set) else {
        let names: Vec<&str> = sets.iter().map(|set| set.name()).collect();
        return Err(ReplayFileError::SpawnSet {
            path: path.to_owned(),
            accepted: names.join(" or "),
            found: transcript.spawn_set,
        });
    };
    let visitor = Replayer {
        path,
        transcript: &transcript,
    };
    visit_variant(transcript.variant, set, visitor)
        .expect("the spawn sets of a variant fit its board")
}

struct Replayer<'a> {
    path: &'a Path,
    transcript: &'a Transcript,
}

impl VariantVisitor for Replayer<'_> {
    type Output = Result<Replay, ReplayFileError>;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Self::Output {
        let transcript = self.transcript;
        let result = transcript.replay(rules, &spawns, |_, _| ());
        let result = result.map_err(|error| ReplayFileError::Rules {
            path: self.path.to_owned(),
            error,
        })?;
        let other_tile = |ply| ReplayFileError::Seed {
            path: self.path.to_owned(),
            ply,
        };
        let mut game = Game::new(rules, &spawns, transcript.seed);
        if game.opening() != transcript.opening {
            return Err(other_tile(0));
        }
        let mut boards = Vec::new();
        for (ply, &(slide, spawned)) in transcript.plies.iter().enumerate() {
            let mut board = board_of(&game, ply);
            let played = game.slide(slide).expect("it is legal by the rules");
            if played.spawned != spawned {
                return Err(other_tile(ply + 1));
            }
            board.slide = Some(slide.name());
            board.gain = Some(played.gain);
            board.spawn = spawned.map(spawn_of::<R::Grid>);
            boards.push(board);
        }
        boards.push(board_of(&game, transcript.plies.len()));
        Ok(Replay {
            variant: transcript.variant.name(),
            spawn_set: transcript.spawn_set.clone(),
            seed: transcript.seed,
            score: game.score(),
            largest: game.board().largest(),
            moves: transcript.plies.len(),
            outcome: result.map_or("playing", |result| result.outcome.name()),
            boards,
        })
    }
}

fn board_of<R: VariantRules>(game: &Game<R>, ply: usize) -> ReplayedBoard {
    ReplayedBoard {
        ply,
        board: game.board().to_rows(),
        score: game.score(),
        slide: None,
        gain: None,
        spawn: None,
    }
}

fn spawn_of<G: Grid>(spawned: Spawned) -> ReplayedSpawn {
    ReplayedSpawn {
        row: spawned.cell / G::COLS,
        column: spawned.cell % G::COLS,
        tile: G::number(spawned.code),
    }
}

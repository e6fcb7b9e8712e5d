//! What is kept of games: the one that goes on, and the record.

use core::fmt;

use afterstate_arena::{LiveGame, ReplayedSlideError};
use afterstate_bitboard::Slide;
use afterstate_rules::Variant;
use serde::{Deserialize, Serialize};

/// The version of both forms of files.
const VERSION: u32 = 1;

/// A game as it is kept, so that it can go on.
#[derive(Debug)]
pub struct SavedGame {
    /// The game.
    pub game: LiveGame,
    /// Whether it has had help.
    pub cheated: bool,
}

/// The best score of games without cheating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The score, in points.
    pub score: i64,
    /// The largest number at the end.
    pub largest: i32,
    /// Slides made.
    pub n_slides: usize,
}

impl Record {
    /// The record that a game would be.
    pub fn of(game: &LiveGame) -> Record {
        Record {
            score: game.score(),
            largest: game.largest(),
            n_slides: game.slides().len(),
        }
    }
}

/// Why a file is not what was kept.
#[derive(Debug)]
#[non_exhaustive]
pub enum DamageError {
    /// No JSON, or not with the fields that are needed.
    Form(serde_json::Error),
    /// Of another version of the program.
    Version(u32),
    /// Of another variant.
    Variant(String),
    /// A letter that stands for no slide, and its place, from 1.
    Letter(char, usize),
    /// A slide that the game does not allow.
    Slide(ReplayedSlideError),
    /// The slides make another score.
    Score {
        /// The score in the file.
        written: i64,
        /// The score of the slides.
        played: i64,
    },
}

impl fmt::Display for DamageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DamageError::Form(error) => error.fmt(f),
            DamageError::Version(version) => {
                write!(f, "field `version`: {version}, expected {VERSION}")
            }
            DamageError::Variant(variant) => {
                write!(
                    f,
                    "field `variant`: `{}` is another game",
                    variant.escape_debug()
                )
            }
            DamageError::Letter(letter, place) => write!(
                f,
                "field `slides`: `{}` at {place}, expected U, R, D or L",
                letter.escape_debug()
            ),
            DamageError::Slide(error) => write!(f, "field `slides`: {error}"),
            DamageError::Score { written, played } => {
                write!(f, "field `score`: {written}, but the slides make {played}")
            }
        }
    }
}

impl std::error::Error for DamageError {}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFile {
    version: u32,
    variant: String,
    seed: u64,
    cheated: bool,
    score: i64,
    /// One letter for each slide.
    slides: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordFile {
    version: u32,
    variant: String,
    score: i64,
    largest: i32,
    slides: usize,
}

fn letter_of(slide: Slide) -> char {
    match slide {
        Slide::Up => 'U',
        Slide::Right => 'R',
        Slide::Down => 'D',
        Slide::Left => 'L',
    }
}

fn check(version: u32, found: &str, variant: Variant) -> Result<(), DamageError> {
    if version != VERSION {
        return Err(DamageError::Version(version));
    }
    if found != variant.name() {
        return Err(DamageError::Variant(found.chars().take(40).collect()));
    }
    Ok(())
}

fn to_line(file: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(file).expect("numbers and strings are JSON");
    bytes.push(b'\n');
    bytes
}

/// The game as the bytes of a file: a line of JSON.
pub fn game_to_bytes(game: &LiveGame, cheated: bool) -> Vec<u8> {
    to_line(&GameFile {
        version: VERSION,
        variant: game.variant().name().to_owned(),
        seed: game.seed(),
        cheated,
        score: game.score(),
        slides: game
            .slides()
            .iter()
            .map(|&slide| letter_of(slide))
            .collect(),
    })
}

/// The game from the bytes of a file. It is played again by the rules, so that
/// nothing is taken for granted.
///
/// *Errors*: the first thing that is not as [`game_to_bytes`] wrote it.
pub fn game_from_bytes(bytes: &[u8], variant: Variant) -> Result<SavedGame, DamageError> {
    let file: GameFile = serde_json::from_slice(bytes).map_err(DamageError::Form)?;
    check(file.version, &file.variant, variant)?;
    let slide = |(place, letter): (usize, char)| {
        let slide = Slide::ALL
            .into_iter()
            .find(|&slide| letter_of(slide) == letter);
        slide.ok_or(DamageError::Letter(letter, place + 1))
    };
    let slides: Vec<Slide> = file
        .slides
        .chars()
        .enumerate()
        .map(slide)
        .collect::<Result<_, _>>()?;
    let game = LiveGame::replay(variant, file.seed, &slides).map_err(DamageError::Slide)?;
    if game.score() != file.score {
        return Err(DamageError::Score {
            written: file.score,
            played: game.score(),
        });
    }
    Ok(SavedGame {
        game,
        cheated: file.cheated,
    })
}

/// The record as the bytes of a file: a line of JSON.
pub fn record_to_bytes(record: Record, variant: Variant) -> Vec<u8> {
    to_line(&RecordFile {
        version: VERSION,
        variant: variant.name().to_owned(),
        score: record.score,
        largest: record.largest,
        slides: record.n_slides,
    })
}

/// The record from the bytes of a file.
///
/// *Errors*: the first thing that is not as [`record_to_bytes`] wrote it.
pub fn record_from_bytes(bytes: &[u8], variant: Variant) -> Result<Record, DamageError> {
    let file: RecordFile = serde_json::from_slice(bytes).map_err(DamageError::Form)?;
    check(file.version, &file.variant, variant)?;
    Ok(Record {
        score: file.score,
        largest: file.largest,
        n_slides: file.slides,
    })
}

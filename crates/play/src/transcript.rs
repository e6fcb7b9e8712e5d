//! Games written down, and played again.

use core::fmt;

use afterstate_bitboard::{Board, Grid, Slide, tile_text};
use afterstate_rules::{Rules, Spawns, Status, Variant};
use serde::{Deserialize, Serialize};

use crate::draw::Spawned;
use crate::game::{GameResult, Outcome, Ply};

/// First bytes of a transcript; the last two digits are the format's version.
const MAGIC: &[u8; 8] = b"aftran01";

/// The longest transcript that is read: no game has more slides.
///
/// *Source*: RULES, facts about 4x4: at most 131,052 slides.
const MAX_PLIES: usize = 131_072;

/// A game as it was played: the opening and every slide with its spawn.
///
/// A transcript says what happened and not how it was chosen, so that it can
/// be checked against the rules alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The game that was played.
    pub variant: Variant,
    /// Name of the spawn set.
    pub spawn_set: String,
    /// The seed of the game.
    pub seed: u64,
    /// The two tiles of the opening.
    pub opening: [Spawned; 2],
    /// Slides with the tiles that appeared.
    pub plies: Vec<(Slide, Option<Spawned>)>,
    /// The score at the end of the transcript, in points.
    pub score: i64,
}

/// Why a transcript is not a game by the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayError {
    /// A tile appeared where there was one, or that is not in the spawn set.
    Spawn {
        /// Number of slides before it.
        ply: usize,
        /// What appeared.
        tile: String,
        /// Row and column of the cell, 0-based.
        at: (usize, usize),
    },
    /// A tile is missing, or appeared after the game was cleared.
    SpawnCount {
        /// Number of the slide, from 1.
        ply: usize,
    },
    /// A slide that changes nothing.
    Slide {
        /// Number of the slide, from 1.
        ply: usize,
        /// The slide.
        slide: Slide,
    },
    /// A slide after the game had ended.
    Ended {
        /// Number of the slide, from 1.
        ply: usize,
    },
    /// The gains add up to another score.
    Score {
        /// The score written down.
        written: i64,
        /// The sum of gains.
        replayed: i64,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Spawn {
                ply,
                tile,
                at: (row, column),
            } => write!(
                f,
                "after slide {ply}: {tile} cannot appear in row {}, column {}",
                row + 1,
                column + 1
            ),
            ReplayError::SpawnCount { ply } => {
                write!(
                    f,
                    "slide {ply}: a tile appears after each slide that does not clear the game"
                )
            }
            ReplayError::Slide { ply, slide } => write!(f, "slide {ply}: {slide} is not legal"),
            ReplayError::Ended { ply } => write!(f, "slide {ply}: the game had ended"),
            ReplayError::Score { written, replayed } => {
                write!(f, "score {written} is written, {replayed} is played")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Why bytes are no transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranscriptError {
    /// The first bytes are not those of a transcript of this version.
    Magic,
    /// Cut short, altered, or followed by something else.
    Checksum,
    /// A field holds what no game can have.
    Field {
        /// Name of the field.
        field: &'static str,
    },
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranscriptError::Magic => write!(
                f,
                "not a transcript of this version, expected the first bytes `{}`",
                String::from_utf8_lossy(MAGIC)
            ),
            TranscriptError::Checksum => {
                f.write_str("the checksum does not match: the transcript is cut short or altered")
            }
            TranscriptError::Field { field } => {
                write!(f, "field `{field}`: no game can have this")
            }
        }
    }
}

impl std::error::Error for TranscriptError {}

/// What is stored: plain numbers only.
#[derive(Serialize, Deserialize)]
struct Stored {
    variant: String,
    spawn_set: String,
    seed: u64,
    opening: [(u8, u8); 2],
    /// Slide in bits 0 and 1, whether a tile appeared in bit 2, its cell in
    /// bits 3 to 6 and its code in bits 7 to 11.
    plies: Vec<u16>,
    score: i64,
}

fn config() -> impl bincode::config::Config {
    // A stored ply takes up to three bytes.
    bincode::config::standard().with_limit::<{ 4 * MAX_PLIES }>()
}

/// The 64-bit FNV-1a hash of the payload, against slips and not against malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Transcript {
    /// A transcript of a game's opening, to which plies are added.
    pub fn new(variant: Variant, spawn_set: &str, seed: u64, opening: [Spawned; 2]) -> Transcript {
        Transcript {
            variant,
            spawn_set: spawn_set.to_owned(),
            seed,
            opening,
            plies: Vec::new(),
            score: 0,
        }
    }

    /// Adds a ply of the game.
    pub fn push(&mut self, ply: Ply) {
        self.score += i64::from(ply.gain);
        self.plies.push((ply.slide, ply.spawned));
    }

    /// Plays the transcript by the rules, showing each board before a slide to
    /// `watch`. `None` when the game has not ended where the transcript does.
    ///
    /// *Errors*: the first thing that no game by these rules and spawns does.
    pub fn replay<R: Rules>(
        &self,
        rules: R,
        spawns: &Spawns<R::Grid>,
        mut watch: impl FnMut(Board<R::Grid>, Slide),
    ) -> Result<Option<GameResult>, ReplayError> {
        let mut board = Board::default();
        for tile in self.opening {
            board = add(board, tile, 0, |code| match spawns.opening_code() {
                Some(fixed) => code == fixed,
                None => may_spawn(spawns, code),
            })?;
        }
        let mut score = 0;
        for (ply, &(slide, spawned)) in (1..).zip(&self.plies) {
            if rules.status(board) != Status::Playing {
                return Err(ReplayError::Ended { ply });
            }
            watch(board, slide);
            let after = rules
                .apply(board, slide)
                .ok_or(ReplayError::Slide { ply, slide })?;
            score += i64::from(after.gain);
            board = after.board;
            match spawned {
                Some(tile) if !rules.is_cleared(board) => {
                    board = add(board, tile, ply, |code| may_spawn(spawns, code))?;
                }
                None if rules.is_cleared(board) => {}
                _ => return Err(ReplayError::SpawnCount { ply }),
            }
        }
        if score != self.score {
            return Err(ReplayError::Score {
                written: self.score,
                replayed: score,
            });
        }
        let outcome = match rules.status(board) {
            Status::Playing => return Ok(None),
            Status::Over => Outcome::Over,
            Status::Cleared => Outcome::Cleared,
        };
        let n_slides = self.plies.len() as u32;
        Ok(Some(GameResult {
            score,
            largest: board.largest(),
            n_slides,
            outcome,
        }))
    }

    /// The transcript as bytes: a magic word, a bincode payload, a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let tile = |spawned: Spawned| (spawned.cell as u8, spawned.code);
        let stored = Stored {
            variant: self.variant.name().to_owned(),
            spawn_set: self.spawn_set.clone(),
            seed: self.seed,
            opening: self.opening.map(tile),
            plies: self
                .plies
                .iter()
                .map(|&(slide, spawned)| pack_ply(slide, spawned))
                .collect(),
            score: self.score,
        };
        let mut bytes = MAGIC.to_vec();
        bincode::serde::encode_into_std_write(&stored, &mut bytes, config())
            .expect("a transcript of at most 131,072 plies fits the limit");
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The transcript from its bytes. Whether it is a game by the rules is for
    /// [`Transcript::replay`] to say.
    ///
    /// *Errors*: other magic, a wrong checksum, or a field that holds what no
    /// game can have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Transcript, TranscriptError> {
        if !bytes.starts_with(MAGIC) {
            return Err(TranscriptError::Magic);
        }
        let (content, sum) = bytes
            .split_last_chunk::<8>()
            .ok_or(TranscriptError::Checksum)?;
        if content.len() < MAGIC.len() || checksum(content) != u64::from_le_bytes(*sum) {
            return Err(TranscriptError::Checksum);
        }
        let payload = &content[MAGIC.len()..];
        let (stored, n_read): (Stored, usize) =
            bincode::serde::decode_from_slice(payload, config())
                .map_err(|_| TranscriptError::Field { field: "payload" })?;
        if n_read != payload.len() {
            return Err(TranscriptError::Field { field: "payload" });
        }
        if stored.plies.len() > MAX_PLIES {
            return Err(TranscriptError::Field { field: "plies" });
        }
        let plies: Option<Vec<_>> = stored
            .plies
            .iter()
            .map(|&packed| unpack_ply(packed))
            .collect();
        Ok(Transcript {
            variant: stored
                .variant
                .parse()
                .map_err(|_| TranscriptError::Field { field: "variant" })?,
            spawn_set: stored.spawn_set,
            seed: stored.seed,
            opening: stored.opening.map(|(cell, code)| Spawned {
                cell: cell as usize,
                code,
            }),
            plies: plies.ok_or(TranscriptError::Field { field: "plies" })?,
            score: stored.score,
        })
    }
}

fn may_spawn<G: Grid>(spawns: &Spawns<G>, code: u8) -> bool {
    spawns.kinds().iter().any(|kind| kind.code == code)
}

/// The board with a tile added, if the cell is empty and the tile is allowed.
fn add<G: Grid>(
    board: Board<G>,
    tile: Spawned,
    ply: usize,
    allowed: impl Fn(u8) -> bool,
) -> Result<Board<G>, ReplayError> {
    if tile.cell < G::CELLS && board.cell(tile.cell) == 0 && allowed(tile.code) {
        return Ok(board.put(tile.cell, tile.code));
    }
    let known = (tile.code as usize) < G::CELL_KINDS;
    let name = if known {
        tile_text(G::number(tile.code))
    } else {
        format!("code {}", tile.code)
    };
    let at = (tile.cell / G::COLS, tile.cell % G::COLS);
    Err(ReplayError::Spawn {
        ply,
        tile: name,
        at,
    })
}

fn pack_ply(slide: Slide, spawned: Option<Spawned>) -> u16 {
    let tile = spawned.map_or(0, |tile| {
        1 << 2 | (tile.cell as u16) << 3 | u16::from(tile.code) << 7
    });
    slide.idx() as u16 | tile
}

fn unpack_ply(packed: u16) -> Option<(Slide, Option<Spawned>)> {
    let slide = Slide::from_low_bits(packed as usize);
    let spawned = Spawned {
        cell: (packed >> 3) as usize & 15,
        code: (packed >> 7) as u8 & 31,
    };
    let spawned = (packed & 4 != 0).then_some(spawned);
    // A packed ply has one form only.
    (pack_ply(slide, spawned) == packed).then_some((slide, spawned))
}

//! Training that can be gone on with.
//!
//! ```text
//! 8 bytes  AFTERTRN
//! u32      version
//! u32      length h
//! h bytes  what is learned, how, and how far it is (bincode)
//! u64      checksum (XXH64) of all before
//! then for each page of 1024 weights that is not as it was at first:
//!   u32      its number
//!   1024 f32 weights, and with temporal coherence 2048 f32 of errors
//! u32      2^32 - 1
//! u64      checksum (XXH64) of all pages
//! ```
//!
//! All numbers are little-endian.

use core::fmt;
use core::hash::Hasher;
use std::io::{self, Read, Write};

use afterstate_bitboard::{Board, Grid};
use afterstate_ntuple::{Ends, PatternSet, Stages, TupleGrid};
use afterstate_play::{GameRng, Spawner};
use afterstate_rules::{Rules, Spawns};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use crate::lane::{Order, Progress};
use crate::starts::{Restarts, Ring};
use crate::tables::Method;
use crate::tally::Tally;
use crate::trainer::{Settings, Trainer};

const MAGIC: [u8; 8] = *b"AFTERTRN";
const VERSION: u32 = 2;
/// The longest description, in bytes: a worker keeps some hundred kilobytes of
/// boards.
const MAX_STATE: u32 = 1 << 28;
/// Weights of a page.
const PAGE: usize = 1024;
const END: u32 = u32::MAX;

/// Why training cannot go on from a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It could not be read, or there is not enough memory.
    Io(io::Error),
    /// It is something else.
    NotACheckpoint,
    /// It is of another version.
    Version {
        /// That version.
        found: u32,
    },
    /// It ends too early.
    Truncated,
    /// It is not what was written.
    Damaged {
        /// The part that does not match its checksum or contradicts itself.
        part: &'static str,
    },
    /// It is of another game, or of weights for something else.
    Other {
        /// What was learned.
        found: String,
        /// What was asked for.
        wanted: String,
    },
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) => error.fmt(f),
            CheckpointError::NotACheckpoint => f.write_str("not a checkpoint of training"),
            CheckpointError::Version { found } => write!(
                f,
                "a checkpoint of version {found}: this program reads version {VERSION}"
            ),
            CheckpointError::Truncated => f.write_str("the checkpoint ends too early"),
            CheckpointError::Damaged { part } => write!(f, "the checkpoint's {part} is damaged"),
            CheckpointError::Other { found, wanted } => {
                write!(f, "a checkpoint of {found}: expected one of {wanted}")
            }
        }
    }
}

impl std::error::Error for CheckpointError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CheckpointError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> CheckpointError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckpointError::Truncated,
            _ => CheckpointError::Io(error),
        }
    }
}

type Codes = [u8; 16];

/// A trainer but for its tables.
#[derive(Serialize, Deserialize)]
struct State {
    /// What the caller calls it.
    name: String,
    patterns: String,
    stages: Vec<u8>,
    method: Method,
    order: Order,
    optimism: f32,
    gain_weight: f32,
    cleared: f32,
    restarts: Option<Restarts>,
    seed: u64,
    round_games: u64,
    n_rounds: u64,
    next_game: u64,
    workers: Vec<WorkerState>,
    origin: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct WorkerState {
    rings: Vec<(Vec<Codes>, u32)>,
    filled: Vec<u32>,
    games: Vec<GameState>,
    tally: Tally,
}

#[derive(Serialize, Deserialize)]
struct GameState {
    rng: GameRng,
    board: Codes,
    previous: Option<Codes>,
    n_slides: u32,
    score: i64,
    segment: u32,
    from_opening: bool,
    history: Vec<(Codes, i32)>,
}

fn codes<G: Grid>(board: Board<G>) -> Codes {
    let mut codes = [0; 16];
    for (code, cell) in codes.iter_mut().zip(board.cells()) {
        *code = cell;
    }
    codes
}

/// The board with these codes, if there is one.
fn board<G: Grid>(codes: &Codes) -> Option<Board<G>> {
    let (cells, others) = codes.split_at(G::CELLS);
    let fits = cells.iter().all(|&code| usize::from(code) < G::CELL_KINDS);
    (fits && others.iter().all(|&code| code == 0)).then(|| {
        let cells = cells.iter().enumerate();
        cells.fold(Board::default(), |board, (cell, &code)| {
            board.with_cell(cell, code)
        })
    })
}

impl GameState {
    fn of<R: Rules>(game: &Progress<R>) -> GameState {
        GameState {
            rng: game.spawner.rng().clone(),
            board: codes(game.board),
            previous: game.previous.map(codes),
            n_slides: game.n_slides,
            score: game.score,
            segment: game.segment as u32,
            from_opening: game.from_opening,
            history: game
                .history
                .iter()
                .map(|&(after, gain)| (codes(after), gain))
                .collect(),
        }
    }

    fn game<R: Rules>(self, spawns: &Spawns<R::Grid>) -> Option<Progress<R>> {
        let mut spawner = Spawner::new(spawns, 0);
        spawner.set_rng(self.rng);
        let previous = match self.previous {
            Some(previous) => Some(board(&previous)?),
            None => None,
        };
        let history = self.history.iter();
        let history: Option<Vec<_>> = history
            .map(|(after, gain)| Some((board(after)?, *gain)))
            .collect();
        Some(Progress {
            spawner,
            board: board(&self.board)?,
            previous,
            n_slides: self.n_slides,
            score: self.score,
            segment: self.segment as usize,
            from_opening: self.from_opening,
            history: history?,
        })
    }
}

/// Reads and writes on, and adds up.
struct Hashing<T> {
    inner: T,
    hasher: XxHash64,
}

impl<T> Hashing<T> {
    fn new(inner: T) -> Hashing<T> {
        Hashing {
            inner,
            hasher: XxHash64::with_seed(0),
        }
    }
}

impl<T: Write> Hashing<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.write(bytes);
        self.inner.write_all(bytes)
    }

    /// Writes the checksum of all since the last one.
    fn put_checksum(&mut self) -> io::Result<()> {
        let checksum = self.hasher.finish();
        self.hasher = XxHash64::with_seed(0);
        self.inner.write_all(&checksum.to_le_bytes())
    }
}

impl<T: Read> Hashing<T> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.hasher.write(&bytes);
        Ok(bytes)
    }

    fn bytes(&mut self, n: u32) -> Result<Vec<u8>, CheckpointError> {
        let mut bytes = Vec::new();
        let n_read = (&mut self.inner).take(n.into()).read_to_end(&mut bytes)?;
        if n_read < n as usize {
            return Err(CheckpointError::Truncated);
        }
        self.hasher.write(&bytes);
        Ok(bytes)
    }

    fn check(&mut self, part: &'static str) -> Result<(), CheckpointError> {
        let computed = self.hasher.finish();
        let mut bytes = [0; 8];
        self.inner.read_exact(&mut bytes)?;
        self.hasher = XxHash64::with_seed(0);
        match u64::from_le_bytes(bytes) == computed {
            true => Ok(()),
            false => Err(CheckpointError::Damaged { part }),
        }
    }
}

impl<R: Rules> Trainer<R>
where
    R::Grid: TupleGrid,
{
    /// Writes all that is to be known to go on from here, as training of `name`.
    ///
    /// *Errors*: it cannot be written.
    pub fn save(&self, name: &str, to: &mut dyn Write) -> io::Result<()> {
        let state = bincode::serde::encode_to_vec(self.state(name), bincode::config::standard())
            .map_err(io::Error::other)?;
        let mut to = Hashing::new(to);
        to.put(&MAGIC)?;
        to.put(&VERSION.to_le_bytes())?;
        to.put(&(state.len() as u32).to_le_bytes())?;
        to.put(&state)?;
        to.put_checksum()?;
        let first = self.first_weight();
        let errors = self.tables.errors();
        for (number, weights) in self.tables.weights().chunks(PAGE).enumerate() {
            let errors = errors.chunks(PAGE).nth(number).unwrap_or(&[]);
            let untouched = weights.iter().all(|&weight| weight == first)
                && errors.iter().all(|&[_, absolute]| absolute == 0.0);
            if untouched {
                continue;
            }
            let numbers = weights.iter().chain(errors.as_flattened());
            let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
            to.put(&(number as u32).to_le_bytes())?;
            to.put(&bytes)?;
        }
        to.put(&END.to_le_bytes())?;
        to.put_checksum()
    }

    /// The value of a weight that no game has touched.
    fn first_weight(&self) -> f32 {
        self.settings.optimism / self.index.n_tuples() as f32
    }

    fn state(&self, name: &str) -> State {
        let workers = self.workers.iter().map(|worker| WorkerState {
            rings: worker
                .starts
                .rings
                .iter()
                .map(|ring| {
                    (
                        ring.boards.iter().map(|&board| codes(board)).collect(),
                        ring.next as u32,
                    )
                })
                .collect(),
            filled: worker
                .starts
                .filled
                .iter()
                .map(|&segment| segment as u32)
                .collect(),
            games: worker.games.iter().map(GameState::of).collect(),
            tally: worker.tally.clone(),
        });
        let settings = &self.settings;
        State {
            name: name.to_owned(),
            patterns: settings.patterns.cells(),
            stages: settings.stages.exponents().to_vec(),
            method: settings.method,
            order: settings.order,
            optimism: settings.optimism,
            gain_weight: settings.ends.gain_weight,
            cleared: settings.ends.cleared,
            restarts: settings.restarts,
            seed: settings.seed,
            round_games: settings.round_games,
            n_rounds: self.n_rounds,
            next_game: self.next_game,
            workers: workers.collect(),
            origin: self.origin.clone(),
        }
    }

    /// The trainer that was saved as training of `name`.
    ///
    /// *Errors*: it is none of this version, damaged, or of something else.
    pub fn load(
        rules: R,
        spawns: Spawns<R::Grid>,
        name: &str,
        from: &mut dyn Read,
    ) -> Result<Trainer<R>, CheckpointError> {
        let mut from = Hashing::new(from);
        let state = read_state(&mut from)?;
        if state.name != name {
            return Err(CheckpointError::Other {
                found: state.name,
                wanted: name.to_owned(),
            });
        }
        let settings = settings::<R::Grid>(&state).ok_or(DAMAGED)?;
        let mut trainer = Trainer::new(rules, spawns, settings)?;
        trainer.n_rounds = state.n_rounds;
        trainer.next_game = state.next_game;
        trainer.origin = state.origin;
        for (worker, saved) in trainer.workers.iter_mut().zip(state.workers) {
            let in_rings = |&segment: &u32| {
                saved
                    .rings
                    .get(segment as usize)
                    .is_some_and(|ring| !ring.0.is_empty())
            };
            if !saved.filled.iter().all(in_rings) {
                return Err(DAMAGED);
            }
            for (boards, next) in &saved.rings {
                let boards: Option<Vec<_>> = boards.iter().map(board).collect();
                let boards = boards
                    .filter(|boards| (*next as usize) < boards.len().max(1))
                    .ok_or(DAMAGED)?;
                worker.starts.rings.push(Ring {
                    boards,
                    next: *next as usize,
                });
            }
            worker.starts.filled = saved
                .filled
                .iter()
                .map(|&segment| segment as usize)
                .collect();
            let games: Option<Vec<_>> = saved
                .games
                .into_iter()
                .map(|game| game.game(&trainer.spawns))
                .collect();
            worker.games = games.ok_or(DAMAGED)?;
            worker.tally = saved.tally;
        }
        trainer.read_pages(&mut from)?;
        Ok(trainer)
    }

    /// Takes over what was learned elsewhere, of the same game or of another on
    /// the same board: the weights, and with temporal coherence how far each had
    /// settled. Games and rounds begin anew.
    ///
    /// *Source*: what is gained by it, in docs/experiments.md, 2026-11-30.
    ///
    /// *Errors*: it is no checkpoint of this version, damaged, or of other patterns,
    /// stages or a method that counts errors otherwise; then the weights are not to
    /// be used.
    pub fn adopt(&mut self, from: &mut dyn Read) -> Result<(), CheckpointError> {
        let mut from = Hashing::new(from);
        let state = read_state(&mut from)?;
        let own = self.state("");
        let layout = |state: &State| {
            let method = match state.method {
                Method::Td { .. } => "td",
                Method::Tc { .. } => "tc",
            };
            let stages: Vec<String> = state.stages.iter().map(u8::to_string).collect();
            let (patterns, stages) = (&state.patterns, stages.join(","));
            format!("patterns {patterns}, stages [{stages}], method {method}")
        };
        if layout(&state) != layout(&own) {
            return Err(CheckpointError::Other {
                found: layout(&state),
                wanted: layout(&own),
            });
        }
        let n_games = state.n_rounds * state.round_games;
        let before = state.origin.map(|origin| format!("{origin}, then "));
        let before = before.unwrap_or_default();
        self.origin = Some(format!("{before}{n_games} games of {}", state.name));
        self.read_pages(&mut from)
    }

    fn read_pages(&mut self, from: &mut Hashing<&mut dyn Read>) -> Result<(), CheckpointError> {
        let damaged = || CheckpointError::Damaged {
            part: "list of weights",
        };
        loop {
            let number = u32::from_le_bytes(from.array()?);
            if number == END {
                return from.check("checksum");
            }
            let start = number as usize * PAGE;
            let weights = self
                .tables
                .weights_mut()
                .get_mut(start..)
                .ok_or_else(damaged)?;
            let n = weights.len().min(PAGE);
            if n == 0 {
                return Err(damaged());
            }
            for weight in &mut weights[..n] {
                *weight = f32::from_le_bytes(from.array()?);
            }
            if let Some(errors) = self.tables.errors_mut().get_mut(start..start + n) {
                for error in errors.as_flattened_mut() {
                    *error = f32::from_le_bytes(from.array()?);
                }
            }
        }
    }
}

const DAMAGED: CheckpointError = CheckpointError::Damaged {
    part: "description",
};

fn read_state(from: &mut Hashing<&mut dyn Read>) -> Result<State, CheckpointError> {
    let magic: [u8; 8] = from.array().map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => CheckpointError::NotACheckpoint,
        _ => CheckpointError::Io(error),
    })?;
    if magic != MAGIC {
        return Err(CheckpointError::NotACheckpoint);
    }
    let version = u32::from_le_bytes(from.array()?);
    if version != VERSION {
        return Err(CheckpointError::Version { found: version });
    }
    let length = u32::from_le_bytes(from.array()?);
    if length > MAX_STATE {
        return Err(DAMAGED);
    }
    let bytes = from.bytes(length)?;
    from.check("description")?;
    match bincode::serde::decode_from_slice(&bytes, bincode::config::standard()) {
        Ok((state, n_read)) if n_read == bytes.len() => Ok(state),
        _ => Err(DAMAGED),
    }
}

fn settings<G: TupleGrid>(state: &State) -> Option<Settings> {
    let patterns = PatternSet::parse::<G>(&state.patterns).ok()?;
    Some(Settings {
        patterns,
        stages: Stages::new(state.stages.clone()),
        method: state.method,
        order: state.order,
        optimism: state.optimism,
        ends: Ends {
            gain_weight: state.gain_weight,
            cleared: state.cleared,
        },
        restarts: state.restarts,
        seed: state.seed,
        round_games: state.round_games,
        n_threads: state.workers.len(),
    })
}

//! What a solution takes and what it is.

use core::fmt;
use core::ops::AddAssign;
use core::sync::atomic::AtomicBool;
use std::io::{self, Write};

use afterstate_bitboard::WordGrid;

use super::keys::Keys;
use super::store::{Scratch, Store, Stored};
use super::table_file::{Contents, Header, TableWriter};

/// Numbers of boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Every board by itself.
    pub all: u64,
    /// Symmetric boards counted once.
    pub classes: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.all += other.all;
        self.classes += other.classes;
    }
}

/// Numbers of boards that games can come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// States at which some slide is legal and the goal is not reached.
    pub playing: Count,
    /// States at which no slide is legal.
    pub over: Count,
    /// Boards at which the game has ended with the goal: the tile of the
    /// objective, or 65536 in akioi.
    pub goal: Count,
    /// Afterstates, those with the goal included.
    pub afterstates: Count,
}

impl Counts {
    /// All states.
    pub fn states(&self) -> Count {
        let mut sum = self.playing;
        sum += self.over;
        sum += self.goal;
        sum
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.playing += other.playing;
        self.over += other.over;
        self.goal += other.goal;
        self.afterstates += other.afterstates;
    }
}

/// The boards of one sum of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerCounts {
    /// The sum of the tiles.
    pub sum: u32,
    /// Their numbers.
    pub counts: Counts,
}

/// How far solving is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Boards are being enumerated.
    Enumerating {
        /// The sum of the tiles of the last layer.
        sum: u32,
        /// States found so far, up to symmetry.
        states: u64,
    },
    /// Boards are being valued, from the last layer back.
    Valuing {
        /// States valued so far, up to symmetry.
        states: u64,
        /// All of them.
        of: u64,
    },
}

/// What solving may use.
pub struct Resources<'a> {
    /// Most bytes of memory for boards and values.
    pub max_bytes: u64,
    /// Where layers go for which there is no room in memory.
    pub scratch: Option<Scratch>,
    /// Set to give up.
    pub stop: &'a AtomicBool,
    /// Told now and then how far it is.
    pub watch: &'a mut dyn FnMut(Progress),
}

/// What to keep of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Counts and the value of the opening.
    Summary,
    /// The values of all afterstates as well.
    Table,
}

/// Why there is no solution.
#[derive(Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// It was told to stop.
    Stopped,
    /// More memory is needed than is allowed or to be had.
    Memory {
        /// What was needed at least, in bytes.
        needed_bytes: u64,
        /// What was allowed, in bytes.
        limit_bytes: u64,
    },
    /// The scratch file.
    Scratch(io::Error),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        match self {
            SolveError::Stopped => f.write_str("stopped before the end"),
            SolveError::Memory {
                needed_bytes,
                limit_bytes,
            } if needed_bytes > limit_bytes => write!(
                f,
                "{} MiB of memory are needed and {} MiB allowed",
                mib(*needed_bytes),
                mib(*limit_bytes)
            ),
            SolveError::Memory { needed_bytes, .. } => write!(
                f,
                "{} MiB of memory are needed, which the system does not give",
                mib(*needed_bytes)
            ),
            SolveError::Scratch(_) => f.write_str("the scratch file for layers failed"),
        }
    }
}

impl std::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SolveError::Scratch(error) => Some(error),
            _ => None,
        }
    }
}

/// The afterstates of one layer with their values.
#[derive(Debug)]
pub(super) struct ValuedLayer<G: WordGrid> {
    pub(super) sum: u32,
    pub(super) n_afters: u64,
    pub(super) afters: Stored<Keys<G>>,
    pub(super) values: Stored<Vec<f64>>,
}

/// A problem solved.
pub struct Solution<G: WordGrid> {
    pub(super) header: Header,
    pub(super) value: f64,
    pub(super) layers: Vec<LayerCounts>,
    /// In descending order of sums; empty where no table was wanted.
    pub(super) valued: Vec<ValuedLayer<G>>,
    pub(super) store: Store,
}

impl<G: WordGrid> Solution<G> {
    /// The value of best play from the opening: the expected score in points,
    /// or the probability of the tile.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// How many boards there are.
    pub fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        for layer in &self.layers {
            sum += layer.counts;
        }
        sum
    }

    /// How many boards of each sum of tiles there are, ascending.
    pub fn layers(&self) -> &[LayerCounts] {
        &self.layers
    }

    /// The most memory that boards and values took at a time, in bytes.
    pub fn peak_bytes(&self) -> u64 {
        self.store.peak_bytes()
    }

    /// What was written to the scratch file, in bytes.
    pub fn spilled_bytes(&self) -> u64 {
        self.store.spilled_bytes()
    }

    /// Writes the table of all afterstates, for [`super::Table::read`].
    ///
    /// *Errors*: what writing or the scratch file says.
    ///
    /// *Panics*: when the problem was solved without [`Keep::Table`].
    pub fn write_table(mut self, to: &mut dyn Write) -> io::Result<()> {
        assert!(!self.valued.is_empty(), "the values were kept");
        let valued = self.valued.iter().rev();
        let contents = Contents {
            value: self.value,
            layers: valued.map(|layer| (layer.sum, layer.n_afters)).collect(),
        };
        let mut writer = TableWriter::begin(to, &self.header, &contents)?;
        while let Some(layer) = self.valued.pop() {
            let afters = self.store.take(layer.afters).map_err(scratch_error)?;
            let values = self.store.take(layer.values).map_err(scratch_error)?;
            writer.layer(&afters, &values)?;
        }
        to.flush()
    }
}

fn scratch_error(error: SolveError) -> io::Error {
    match error {
        SolveError::Scratch(error) => error,
        other => io::Error::other(other),
    }
}

//! Ways of training that have names.

use core::fmt;
use core::str::FromStr;

use afterstate_ntuple::{Ends, PatternSet, Stages, TupleGrid};

use crate::lane::Order;
use crate::starts::Restarts;
use crate::tables::Method;
use crate::trainer::Settings;

/// How much training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// About two minutes on two cores.
    Quick,
    /// About three quarters of an hour.
    Standard,
    /// Up to eight hours.
    Strong,
}

impl Preset {
    /// All presets, shortest first.
    pub const ALL: [Preset; 3] = [Preset::Quick, Preset::Standard, Preset::Strong];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Quick => "quick",
            Preset::Standard => "standard",
            Preset::Strong => "strong",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsePresetError;

impl fmt::Display for ParsePresetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected quick, standard or strong")
    }
}

impl std::error::Error for ParsePresetError {}

impl FromStr for Preset {
    type Err = ParsePresetError;

    fn from_str(text: &str) -> Result<Preset, ParsePresetError> {
        let named = Preset::ALL.into_iter().find(|preset| preset.name() == text);
        named.ok_or(ParsePresetError)
    }
}

/// A game to learn, and for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lesson {
    /// The score of the 4x4 board.
    Classic,
    /// The score of the contest, which has more 4s.
    Contest,
    /// To make a tile of the contest that pays in full ([`CONTEST_GOAL`]).
    ContestLargest,
    /// The score of the 3x3 board.
    Mini,
    /// The score of akioi.
    AkioiScore,
    /// To make 65536 in akioi.
    AkioiClear,
}

/// What training by a preset is, but for its seed and its number of workers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Outline {
    patterns: &'static str,
    round_games: u64,
    n_games: u64,
    /// Segments of restarts by the sum of tiles; `None` where all games begin with
    /// an opening.
    segment_sum: Option<i64>,
    cleared: f32,
}

/// Half of all games begin in the middle of earlier ones, spread over the sums of
/// tiles they got to: late games that plain training hardly sees. A guess: what it
/// gains was not measured (docs/experiments.md).
const RESTARTED: u8 = 128;

/// What clearing akioi is worth, in points. A player that is worth its salt makes
/// more than a million points by not clearing, so it has to be more than that:
/// with 400,000 the games cleared fell from 44 to 9 % (docs/experiments.md,
/// 2026-11-30).
const CLEARED: f32 = 4_000_000.0;

/// The exponent of the least tile that the contest pays in full (RULES section 2):
/// above 2048 all are worth the same.
pub const CONTEST_GOAL: u8 = 12;

/// What making it is worth, in points: about what a player that goes on for the
/// score makes after it, so that training can begin with what such a one knows.
const PAID_IN_FULL: f32 = 100_000.0;

impl Lesson {
    const fn outline(self, preset: Preset) -> Outline {
        let (patterns, segment_sum, cleared) = match self {
            Lesson::Classic => ("4x6", Some(2048), 0.0),
            // It pays for tiles that are reached early in the game. Better begun with
            // the weights of classic (docs/experiments.md, 2026-11-30).
            Lesson::Contest => ("4x6", None, 0.0),
            Lesson::ContestLargest => ("4x6", Some(256), PAID_IN_FULL),
            Lesson::Mini => ("2x6", Some(128), 0.0),
            Lesson::AkioiScore => ("4x6", Some(2048), 0.0),
            Lesson::AkioiClear => ("4x6", Some(2048), CLEARED),
        };
        let (round_games, n_games) = match (self, preset) {
            (Lesson::Mini, Preset::Quick) => (2_000, 400_000),
            (Lesson::Mini, Preset::Standard) => (100_000, 8_000_000),
            (Lesson::Mini, Preset::Strong) => (100_000, 80_000_000),
            (_, Preset::Quick) => (2_000, 60_000),
            (_, Preset::Standard) => (20_000, 1_000_000),
            (_, Preset::Strong) => (20_000, 10_000_000),
        };
        Outline {
            patterns,
            round_games,
            n_games,
            segment_sum,
            cleared,
        }
    }

    /// The exponent of the largest tile that training sees often enough: its network
    /// looks at boards above as at smaller ones. Half of the games of classic make the
    /// next one, 16384, but what comes of it in each of its many shapes they do not
    /// learn (docs/experiments.md, 2026-12-01).
    pub const fn top(self) -> u8 {
        match self {
            Lesson::Classic | Lesson::Contest => 13,
            Lesson::ContestLargest => CONTEST_GOAL - 1,
            Lesson::Mini => 10,
            Lesson::AkioiScore | Lesson::AkioiClear => 16,
        }
    }

    /// What training by a preset is, and over how many games, restarted ones
    /// included.
    ///
    /// *Panics*: when `G` is not the board of this game.
    pub fn settings<G: TupleGrid>(
        self,
        preset: Preset,
        seed: u64,
        n_threads: usize,
    ) -> (Settings, u64) {
        let outline = self.outline(preset);
        let settings = Settings {
            patterns: PatternSet::parse::<G>(outline.patterns)
                .expect("a preset names patterns of its board"),
            stages: Stages::default(),
            method: Method::Tc { rate: 1.0 },
            order: Order::Forward,
            optimism: 0.0,
            ends: Ends {
                gain_weight: 1.0,
                cleared: outline.cleared,
            },
            restarts: outline.segment_sum.map(|segment_sum| Restarts {
                share: RESTARTED,
                segment_sum,
            }),
            seed,
            round_games: outline.round_games,
            n_threads,
        };
        (settings, outline.n_games)
    }
}

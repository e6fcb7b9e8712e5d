//! Training of networks, by the names of variants and presets.

use core::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use afterstate_bitboard::{Board, Mini, Nibbles};
use afterstate_eval::Objective;
use afterstate_learn::{
    CONTEST_GOAL, CheckpointError, Finish, Lesson, Order, Preset, Tally, Teacher, Trainer,
};
use afterstate_ntuple::{NetworkHeader, PatternError, PatternSet, TupleGrid};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, Rules, SpawnSet, Variant, WonAt};
use afterstate_search::exact;

use crate::exact::{TableFileError, mini_board, read_mini_table};
use crate::files::AtomicFile;

/// What to train, and where it goes.
#[derive(Debug, Clone)]
pub struct TrainPlan {
    /// The game.
    pub variant: Variant,
    /// What to play it for.
    pub objective: Objective,
    /// How much.
    pub preset: Preset,
    /// Games in all, restarted ones included; rounds are whole. `None` for what
    /// the preset says.
    pub n_games: Option<u64>,
    /// What the network looks at, by name or as lists of cells; `None` for what the
    /// preset says.
    pub patterns: Option<String>,
    /// In which order the boards of a game teach; a checkpoint to go on from has its
    /// own.
    pub order: Order,
    /// Workers. With one, the same seed gives the same network.
    pub n_threads: usize,
    /// The seed of all games.
    pub seed: u64,
    /// What becomes of the weights.
    pub keep: Option<usize>,
    /// What they are multiples of.
    pub unit: Option<f32>,
    /// The file of the network.
    pub out: PathBuf,
    /// A checkpoint to go on from.
    pub resume: Option<PathBuf>,
    /// A checkpoint, of this game or of another on the same board, whose weights to
    /// begin with.
    pub from: Option<PathBuf>,
    /// The solved mini game in a file, to learn from; for mini alone.
    pub teacher: Option<PathBuf>,
}

/// A round that is over.
#[derive(Debug, Clone, Copy)]
pub struct TrainProgress<'a> {
    /// Rounds so far, and in all.
    pub n_rounds: (u64, u64),
    /// What happened in it.
    pub tally: &'a Tally,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Why there is no network.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrainError {
    /// A file could not be written.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Training cannot go on from a checkpoint.
    Checkpoint {
        /// Which.
        path: PathBuf,
        /// Why.
        error: CheckpointError,
    },
    /// There is nothing to learn by this name.
    Objective {
        /// The game.
        variant: Variant,
        /// The objective.
        found: Objective,
    },
    /// There are no such patterns.
    Patterns(PatternError),
    /// Only the mini game has been solved.
    Teacher {
        /// The game.
        variant: Variant,
    },
    /// The teacher's file is no table of the mini game.
    Table(TableFileError),
    /// The system has not enough memory.
    Memory(io::Error),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::File { path, error } => write!(f, "{}: {error}", path.display()),
            TrainError::Checkpoint { path, error } => write!(f, "{}: {error}", path.display()),
            TrainError::Objective { variant, found } => write!(
                f,
                "no training of {variant} for the objective {}: expected {}",
                found.name(),
                match variant {
                    Variant::Akioi => "score or clear",
                    Variant::Contest => "score or largest",
                    Variant::Classic | Variant::Mini => "score",
                }
            ),
            TrainError::Patterns(error) => error.fmt(f),
            TrainError::Teacher { variant } => {
                write!(f, "no table teaches {variant}: expected variant mini")
            }
            TrainError::Table(error) => error.fmt(f),
            TrainError::Memory(error) => write!(f, "no memory for the tables: {error}"),
        }
    }
}

impl std::error::Error for TrainError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TrainError::File { error, .. } | TrainError::Memory(error) => Some(error),
            TrainError::Checkpoint { error, .. } => Some(error),
            TrainError::Table(error) => error.source(),
            TrainError::Objective { .. } | TrainError::Teacher { .. } | TrainError::Patterns(_) => {
                None
            }
        }
    }
}

/// Where training to this network keeps what it needs to go on.
pub fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// Trains until all rounds are over and writes the network, or until told to
/// stop. In either case, and now and then, a checkpoint is written as well.
///
/// Returns whether it came to its end.
///
/// *Errors*: see [`TrainError`]; a network or checkpoint that was there before
/// is still there.
pub fn train(
    plan: &TrainPlan,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainProgress<'_>),
) -> Result<bool, TrainError> {
    let lesson = match (plan.variant, plan.objective) {
        (Variant::Classic, Objective::Score) => Lesson::Classic,
        (Variant::Contest, Objective::Score) => Lesson::Contest,
        (Variant::Contest, Objective::Largest) => Lesson::ContestLargest,
        (Variant::Mini, Objective::Score) => Lesson::Mini,
        (Variant::Akioi, Objective::Score) => Lesson::AkioiScore,
        (Variant::Akioi, Objective::Clear) => Lesson::AkioiClear,
        (variant, found) => return Err(TrainError::Objective { variant, found }),
    };
    let spawns = plan.variant.spawn_sets().swap_remove(0);
    if let Some(path) = &plan.teacher {
        return taught(plan, lesson, path, &spawns, stop, progress);
    }
    let narrow = ClassicRules::<Nibbles<4, 4>>::on_grid();
    match plan.variant {
        Variant::Contest if lesson == Lesson::ContestLargest => {
            let rules = WonAt::new(narrow, CONTEST_GOAL);
            run(plan, lesson, rules, &spawns, None, stop, progress)
        }
        Variant::Classic | Variant::Contest => {
            run(plan, lesson, narrow, &spawns, None, stop, progress)
        }
        Variant::Akioi => {
            let rules = AkioiRules::new();
            run(plan, lesson, rules, &spawns, None, stop, progress)
        }
        Variant::Mini => {
            let rules = MiniRules::on_grid();
            run(plan, lesson, rules, &spawns, None, stop, progress)
        }
    }
}

/// The same with the exact values of the mini game for a teacher.
fn taught(
    plan: &TrainPlan,
    lesson: Lesson,
    path: &Path,
    spawn_set: &SpawnSet,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainProgress<'_>),
) -> Result<bool, TrainError> {
    if plan.variant != Variant::Mini {
        let variant = plan.variant;
        return Err(TrainError::Teacher { variant });
    }
    let table = read_mini_table(path, spawn_set, exact::Objective::Score);
    let table = table.map_err(TrainError::Table)?;
    let teacher = |after: Board<Mini>| {
        let value = table.after_value(mini_board(after));
        value.expect("a table has every afterstate of a game") as f32
    };
    let rules = MiniRules::on_grid();
    run(
        plan,
        lesson,
        rules,
        spawn_set,
        Some(&teacher),
        stop,
        progress,
    )
}

/// Seconds between two checkpoints.
const CHECKPOINT_EVERY: f64 = 600.0;

fn run<R: Rules>(
    plan: &TrainPlan,
    lesson: Lesson,
    rules: R,
    spawn_set: &SpawnSet,
    teacher: Option<Teacher<'_, R::Grid>>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(TrainProgress<'_>),
) -> Result<bool, TrainError>
where
    R::Grid: TupleGrid,
{
    let spawns = spawn_set
        .on_grid()
        .expect("the spawn set of a variant fits its board");
    let name = format!("{} for {}", plan.variant, plan.objective.name());
    let (mut settings, n_games) =
        lesson.settings::<R::Grid>(plan.preset, plan.seed, plan.n_threads);
    settings.order = plan.order;
    if let Some(patterns) = &plan.patterns {
        let parsed = PatternSet::parse::<R::Grid>(patterns);
        settings.patterns = parsed.map_err(TrainError::Patterns)?;
    }
    let new = || Trainer::new(rules, spawns.clone(), settings).map_err(TrainError::Memory);
    let mut trainer = match (&plan.resume, &plan.from) {
        (Some(path), _) => with_checkpoint(path, |file| {
            Trainer::load(rules, spawns.clone(), &name, file)
        })?,
        (None, Some(path)) => {
            let mut trainer = new()?;
            with_checkpoint(path, |file| trainer.adopt(file))?;
            trainer
        }
        (None, None) => new()?,
    };
    let n_games = plan.n_games.unwrap_or(n_games);
    let n_rounds = n_games.div_ceil(trainer.settings().round_games);
    let checkpoint = checkpoint_path(&plan.out);
    let mut saved = Instant::now();
    while trainer.n_rounds() < n_rounds {
        let begun = Instant::now();
        let round = match teacher {
            Some(teacher) => trainer.taught_round(teacher, stop),
            None => trainer.round(stop),
        };
        let Some(tally) = round else {
            write_file(&checkpoint, |to| trainer.save(&name, to))?;
            return Ok(false);
        };
        progress(TrainProgress {
            n_rounds: (trainer.n_rounds(), n_rounds),
            tally: &tally,
            seconds: begun.elapsed().as_secs_f64(),
        });
        if saved.elapsed().as_secs_f64() > CHECKPOINT_EVERY {
            write_file(&checkpoint, |to| trainer.save(&name, to))?;
            saved = Instant::now();
        }
    }
    write_file(&checkpoint, |to| trainer.save(&name, to))?;
    let finish = Finish {
        keep: plan.keep,
        unit: plan.unit,
        top: lesson.top(),
    };
    let network = trainer.network(finish).map_err(TrainError::Memory)?;
    let header = header(plan, spawn_set, &trainer);
    write_file(&plan.out, |to| network.write(&header, to))?;
    Ok(true)
}

/// What `read` makes of a checkpoint.
fn with_checkpoint<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn io::Read) -> Result<T, CheckpointError>,
) -> Result<T, TrainError> {
    File::open(path)
        .map_err(CheckpointError::from)
        .and_then(|file| read(&mut BufReader::with_capacity(1 << 20, file)))
        .map_err(|error| TrainError::Checkpoint {
            path: path.to_owned(),
            error,
        })
}

fn header<R: Rules>(plan: &TrainPlan, spawn_set: &SpawnSet, trainer: &Trainer<R>) -> NetworkHeader
where
    R::Grid: TupleGrid,
{
    let settings = trainer.settings();
    let n_games = trainer.n_rounds() * settings.round_games;
    let restarts = settings
        .restarts
        .map(|restarts| format!("{}/256 by {}", restarts.share, restarts.segment_sum));
    let teacher = match plan.teacher {
        Some(_) => "exact values",
        None => "none",
    };
    let training = [
        ("preset", plan.preset.to_string()),
        ("method", format!("{:?}", settings.method)),
        ("teacher", teacher.to_owned()),
        ("order", format!("{:?}", settings.order).to_lowercase()),
        ("restarts", restarts.unwrap_or_else(|| "none".to_owned())),
        ("optimism", settings.optimism.to_string()),
        ("from", trainer.origin().unwrap_or("nothing").to_owned()),
        ("games", n_games.to_string()),
        ("round", settings.round_games.to_string()),
        ("threads", settings.n_threads.to_string()),
        ("seed", settings.seed.to_string()),
        (
            "program",
            concat!("afterstate ", env!("CARGO_PKG_VERSION")).to_owned(),
        ),
    ];
    let training = training
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    NetworkHeader::about(
        plan.variant.name(),
        spawn_set.weights(),
        plan.objective.name(),
        &training,
    )
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), TrainError> {
    let written = AtomicFile::create(path).and_then(|mut file| {
        write(&mut file)?;
        file.finish()
    });
    written.map(drop).map_err(|error| TrainError::File {
        path: path.to_owned(),
        error,
    })
}

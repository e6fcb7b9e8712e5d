//! Which board is solved, and what comes of it.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_bitboard::{FullNibbles, Quints, WordGrid};
use afterstate_rules::{AkioiRules, ClassicRules, Rules, SpawnSet, ValueGrid, Variant};
use afterstate_search::exact::{
    Counts, Keep, Objective, Problem, ProblemError, Progress, Resources, SolveError, solve,
    solve_cyclic,
};

use crate::files::{AtomicFile, Stoppable, scratch_file};
use crate::run::thread_pool;

/// What to solve, and with what.
#[derive(Debug, Clone)]
pub struct ExactPlan {
    /// The rules; the board is of the size below, whatever the variant's own.
    pub variant: Variant,
    /// Rows of the board.
    pub rows: u32,
    /// Columns of the board.
    pub cols: u32,
    /// Spawns and opening.
    pub spawns: SpawnSet,
    /// What best play aims at.
    pub objective: Objective,
    /// Worker threads; results do not depend on them.
    pub threads: usize,
    /// Most bytes of memory for boards and values.
    pub max_bytes: u64,
    /// Where layers go for which there is no room in memory.
    pub scratch_folder: PathBuf,
    /// Where the table goes, if one is wanted.
    pub table: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactReport {
    /// The value of best play from the opening: points, or a probability.
    pub value: f64,
    /// Numbers of boards.
    pub counts: Counts,
    /// Most memory that boards and values took, in bytes; not known where
    /// boards come back.
    pub peak_bytes: Option<u64>,
    /// Bytes that went to the scratch file.
    pub spilled_bytes: u64,
    /// Where boards come back: the largest change in the last sweep, and the
    /// number of sweeps.
    pub iteration: Option<(f64, u32)>,
    /// The length of the table that was written, in bytes.
    pub table_bytes: Option<u64>,
}

/// Why there is no report.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExactError {
    /// No solver for a board of this size.
    Board {
        /// The rules.
        variant: Variant,
        /// The size.
        rows: u32,
        /// The size.
        cols: u32,
    },
    /// The problem cannot be posed.
    Problem(ProblemError),
    /// It could not be solved.
    Solve(SolveError),
    /// The table cannot be written.
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Tables are of boards that do not come back.
    NoTable,
    /// It was told to stop.
    Stopped,
}

impl fmt::Display for ExactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExactError::Board {
                variant: Variant::Akioi,
                rows,
                cols,
            } => write!(
                f,
                "a board of akioi with {rows} rows and {cols} columns is too large to be solved, \
                 expected 2 and 2"
            ),
            ExactError::Board { rows, cols, .. } => write!(
                f,
                "a board with {rows} rows and {cols} columns cannot be solved, expected 1x2 to \
                 3x3, 1x4, 2x4, or one of these turned"
            ),
            ExactError::Problem(error) => error.fmt(f),
            ExactError::Solve(error) => error.fmt(f),
            ExactError::Table { path, .. } => {
                write!(f, "the table {} cannot be written", path.display())
            }
            ExactError::NoTable => {
                f.write_str("there are no tables of akioi, expected another variant or no table")
            }
            ExactError::Stopped => f.write_str("stopped before the end"),
        }
    }
}

impl std::error::Error for ExactError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ExactError::Solve(error) => error.source(),
            ExactError::Table { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Largest change in the last sweep over boards that come back.
const RESIDUAL: f64 = 1e-11;

/// Solves the board of the plan, and writes its table.
///
/// `stop` is looked at often: soon after it is set, this returns
/// [`ExactError::Stopped`], and no file is left.
///
/// *Errors*: a board that is too large, a problem that cannot be posed, too
/// little memory, a file that cannot be written.
pub fn solve_exact(
    plan: &ExactPlan,
    stop: &AtomicBool,
    watch: &mut (dyn FnMut(Progress) + Send),
) -> Result<ExactReport, ExactError> {
    let run = Run { plan, stop, watch };
    let size = (plan.rows, plan.cols);
    if plan.variant == Variant::Akioi {
        return match size {
            (2, 2) => run.cyclic(AkioiRules::<Quints<2, 2>>::on_grid()),
            _ => Err(run.no_such_board()),
        };
    }
    match size {
        (1, 2) => run.classic::<1, 2>(),
        (1, 3) => run.classic::<1, 3>(),
        (1, 4) => run.classic::<1, 4>(),
        (2, 1) => run.classic::<2, 1>(),
        (2, 2) => run.classic::<2, 2>(),
        (2, 3) => run.classic::<2, 3>(),
        (2, 4) => run.classic::<2, 4>(),
        (3, 1) => run.classic::<3, 1>(),
        (3, 2) => run.classic::<3, 2>(),
        (3, 3) => run.classic::<3, 3>(),
        (4, 1) => run.classic::<4, 1>(),
        (4, 2) => run.classic::<4, 2>(),
        _ => Err(run.no_such_board()),
    }
}

struct Run<'a> {
    plan: &'a ExactPlan,
    stop: &'a AtomicBool,
    watch: &'a mut (dyn FnMut(Progress) + Send),
}

impl Run<'_> {
    fn no_such_board(&self) -> ExactError {
        ExactError::Board {
            variant: self.plan.variant,
            rows: self.plan.rows,
            cols: self.plan.cols,
        }
    }

    fn problem<R: Rules>(&self, rules: R) -> Result<Problem<R>, ExactError>
    where
        R::Grid: WordGrid,
    {
        Problem::new(rules, &self.plan.spawns, self.plan.objective).map_err(ExactError::Problem)
    }

    fn cyclic<R: Rules>(self, rules: R) -> Result<ExactReport, ExactError>
    where
        R::Grid: WordGrid,
    {
        if self.plan.table.is_some() {
            return Err(ExactError::NoTable);
        }
        let problem = self.problem(rules)?;
        let solution = solve_cyclic(&problem, RESIDUAL, self.stop).map_err(solve_error)?;
        Ok(ExactReport {
            value: solution.value,
            counts: solution.counts,
            peak_bytes: None,
            spilled_bytes: 0,
            iteration: Some((solution.residual, solution.sweeps)),
            table_bytes: None,
        })
    }

    /// Always on the grid with all tiles, whatever spawns: it has the words of
    /// the others, hence the same tables, at the same speed.
    fn classic<const R: usize, const C: usize>(self) -> Result<ExactReport, ExactError>
    where
        FullNibbles<C, R>: ValueGrid,
    {
        let problem = self.problem(ClassicRules::<FullNibbles<R, C>>::on_grid())?;
        let table_path = self.plan.table.as_deref();
        if let Some(path) = table_path {
            // Whether it can be written is better known before the work.
            drop(AtomicFile::create(path).map_err(|source| table_error(path, source))?);
        }
        let keep = match table_path {
            Some(_) => Keep::Table,
            None => Keep::Summary,
        };
        let Run { plan, stop, watch } = self;
        let folder = plan.scratch_folder.clone();
        let solve_here = || {
            let resources = Resources {
                max_bytes: plan.max_bytes,
                scratch: Some(Box::new(move || scratch_file(&folder))),
                stop,
                watch,
            };
            solve(&problem, resources, keep)
        };
        let solution = match thread_pool(plan.threads) {
            Some(pool) => pool.install(solve_here),
            None => solve_here(),
        };
        let solution = solution.map_err(solve_error)?;
        let mut report = ExactReport {
            value: solution.value(),
            counts: solution.counts(),
            peak_bytes: Some(solution.peak_bytes()),
            spilled_bytes: solution.spilled_bytes(),
            iteration: None,
            table_bytes: None,
        };
        if let Some(path) = table_path {
            let written = AtomicFile::create(path).and_then(|mut file| {
                solution.write_table(&mut Stoppable {
                    file: &mut file,
                    stop,
                })?;
                file.finish()
            });
            report.table_bytes = Some(written.map_err(|source| {
                if stop.load(Ordering::Relaxed) {
                    ExactError::Stopped
                } else {
                    table_error(path, source)
                }
            })?);
        }
        Ok(report)
    }
}

fn table_error(path: &Path, source: io::Error) -> ExactError {
    ExactError::Table {
        path: path.to_owned(),
        source,
    }
}

fn solve_error(error: SolveError) -> ExactError {
    match error {
        SolveError::Stopped => ExactError::Stopped,
        error => ExactError::Solve(error),
    }
}

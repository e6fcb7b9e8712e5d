//! Small boards solved: which board at run time, where layers and tables go on
//! disk, and tables read back.

mod agent;
mod plan;
mod tables;

pub use agent::Judged;
pub(crate) use agent::{ExactAgent, MiniTable, best, mini_board};
pub use plan::{ExactError, ExactPlan, ExactReport, solve_exact};
pub use tables::{TableFileError, read_mini_table};

/// The expected score of best play on the mini board, in points: what agents
/// are measured against. The long tier of the tests computes it anew; docs/exact.md
/// has its sources.
pub const MINI_OPTIMUM: f64 = 5_468.486_797_410_3;

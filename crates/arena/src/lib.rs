#![doc = include_str!("../README.md")]

mod agent_spec;
mod board_input;
mod build;
pub mod contest;
mod dispatch;
mod fingerprint;
mod folder;
mod folder_error;
mod hint;
mod json_files;
mod plan;
mod records;
mod report;
mod run;
mod slide_lines;
mod snapshot;
mod stats;
mod summary;
mod tune;

pub use agent_spec::{AgentKind, AgentSpec, AgentSpecError};
pub use board_input::{BoardInputError, SyntaxProblem, Utf8Problem, parse_board};
pub use build::{EntryPlayer, Shared};
pub use dispatch::{VariantVisitor, visit_variant};
pub use fingerprint::fingerprint;
pub use folder::Folder;
pub use folder_error::FolderError;
pub use hint::{Hint, hint, hint_with_spawns};
pub use plan::{ParseShardError, Plan, PlanError, Shard};
pub use records::{GameRecord, Machine, RunFile, Timing};
pub use report::{html_report, text_table};
pub use run::{Progress, run_games};
pub use slide_lines::{MAX_LINE_BYTES, SlideLineError, SlideLineProblem, SlideLines};
pub use snapshot::snapshots;
pub use stats::{Interval, mean_interval, quantile, wilson_interval};
pub use summary::{EntrySummary, Summary, TileRate};
pub use tune::{TUNABLE, Tunable, heuristic_fitness, weights_of};

#![doc = include_str!("../README.md")]

mod agent_spec;
mod build;
mod dispatch;
mod fingerprint;
mod folder;
mod records;
mod report;
mod run;
mod snapshot;
mod stats;
mod summary;
mod tune;

pub use agent_spec::{AgentKind, AgentSpec, AgentSpecError};
pub use build::{EntryPlayer, Shared};
pub use dispatch::{VariantVisitor, visit_variant};
pub use fingerprint::fingerprint;
pub use folder::{Folder, FolderError};
pub use records::{GameRecord, Machine, RunFile, Timing};
pub use report::{html_report, text_table};
pub use run::{Plan, PlanError, Progress, Shard, run_games};
pub use snapshot::snapshots;
pub use stats::{Interval, mean_interval, quantile, wilson_interval};
pub use summary::{EntrySummary, Summary, TileRate};
pub use tune::{TUNABLE, Tunable, heuristic_fitness, weights_of};

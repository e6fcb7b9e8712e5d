#![doc = include_str!("../README.md")]

mod agent_file;
mod agent_kind;
mod agent_spec;
mod agent_spec_error;
mod board_input;
mod build;
mod by_network;
pub mod contest;
mod dispatch;
pub mod exact;
mod files;
mod fingerprint;
mod folder;
mod folder_error;
mod hint;
mod json_files;
mod network_info;
mod networks;
mod plan;
mod records;
mod report;
mod run;
mod slide_lines;
mod snapshot;
mod stats;
mod summary;
mod train;
mod tune;

pub use agent_file::AgentFileError;
pub use agent_kind::AgentKind;
pub use agent_spec::AgentSpec;
pub use agent_spec_error::AgentSpecError;
pub use board_input::{BoardInputError, SyntaxProblem, Utf8Problem, parse_board};
pub use build::{EntryPlayer, Shared};
pub use dispatch::{VariantRules, VariantVisitor, visit_variant};
pub use fingerprint::fingerprint;
pub use folder::Folder;
pub use folder_error::FolderError;
pub use hint::{Hint, HintError, hint, hint_with_spawns};
pub use network_info::{
    EmbeddedInfo, NetworkInfo, PatternInfo, embedded_networks, inspect_network,
};
pub use networks::NetworkFileError;
pub use plan::{ParseShardError, Plan, PlanError, Shard};
pub use records::{GameRecord, Machine, RunFile, Timing};
pub use report::{html_report, text_table};
pub use run::{Progress, run_games};
pub use slide_lines::{MAX_LINE_BYTES, SlideLineError, SlideLineProblem, SlideLines};
pub use snapshot::snapshots;
pub use stats::{Interval, mean_interval, quantile, wilson_interval};
pub use summary::{EntrySummary, Gap, JudgedSlides, Summary, TileRate};
pub use train::{TrainError, TrainPlan, TrainProgress, checkpoint_path, train};
pub use tune::{FIXED, heuristic_fitness, weights_of};

//! The shards of a tournament, joined.

use std::path::PathBuf;

use afterstate_arena::merge;

use crate::step::Outcome;
use crate::tournament::print_results;

/// Which folders to join.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders of all shards of one tournament, in any order
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// Folder of the result, which must hold no run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Joins the folders and prints the table of the whole.
///
/// *Errors*: shards that do not belong together, are missing, there twice or not
/// whole; a folder that cannot be written.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let summary = merge(&args.shards, &args.out)?;
    print_results(&summary, &args.out, args.json)?;
    Ok(Outcome::Passed)
}

//! Games of every variant, slide by slide, as committed.

use afterstate_arena::snapshots;

use crate::committed::{Args, compare};
use crate::step::Outcome;

/// Compares the snapshots with the committed ones.
///
/// *Errors*: a baseline cannot be read or written.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    compare(args, &snapshots())
}

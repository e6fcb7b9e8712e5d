//! What the program computes, in a few numbers.

use afterstate_arena::fingerprint;

use crate::committed::{Args, compare};
use crate::step::Outcome;

/// Compares the fingerprint with the committed one.
///
/// *Errors*: the baseline cannot be read or written.
pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    compare(args, &[("fingerprint.txt".to_owned(), fingerprint())])
}

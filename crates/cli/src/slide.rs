//! `afterstate slide`: lines of JSON, each a board and a slide.

use std::io::Write;

use afterstate_arena::{MAX_LINE_BYTES, SlideLines};
use afterstate_rules::Variant;

use crate::input::Lines;
use crate::output;

pub(crate) const HELP: &str = "\
Each line of standard input is a JSON object with `board`, an array of rows (0 is empty, -1, -2 and -4 are the \
multipliers x1, x2 and x4), and `slide`: up, right, down or left. The line is printed with all its fields as they \
were written, and with `after`, `gain` and `legal` added (or put in place of fields of these names). Blank lines \
are skipped. The first bad line ends it, with its number and exit status 2; the answers before it are printed.

Example:
  echo '{\"board\":[[2,2,0],[0,0,0],[0,0,4]],\"slide\":\"left\"}' | afterstate slide --variant mini";

/// What `slide` can be told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rules: classic, contest, akioi or mini
    #[arg(long, value_name = "V")]
    variant: Variant,
}

/// Answers standard input line by line; nothing is held back while we wait for
/// the next line, so that another program can ask one question at a time.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut slides = SlideLines::new(args.variant);
    let mut lines = Lines::new(MAX_LINE_BYTES);
    let mut out = output::standard();
    let mut line = Vec::new();
    let mut answer = Vec::new();
    while lines.next(&mut line, || Ok(out.flush()?))? {
        answer.clear();
        let result = slides.answer(&line, &mut answer);
        out.write_all(&answer)?;
        if let Err(error) = result {
            out.flush()?;
            return Err(error.into());
        }
    }
    Ok(out.flush()?)
}

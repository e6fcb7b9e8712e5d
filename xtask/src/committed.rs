//! Texts that are compared with what is committed.

use std::fs;

use anyhow::Context;

use crate::step::Outcome;
use crate::workspace;

/// Whether to compare or to rewrite.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write what is computed now over what is committed
    #[arg(long)]
    bless: bool,
}

/// Compares each text with the file of its name in `xtask/baselines`, line by
/// line, and shows the first line that differs; with `--bless` writes it.
///
/// *Errors*: a file that cannot be read or written.
pub(crate) fn compare(args: &Args, texts: &[(String, String)]) -> anyhow::Result<Outcome> {
    let folder = workspace::root().join("xtask/baselines");
    let mut outcome = Outcome::Passed;
    for (name, text) in texts {
        let path = folder.join(name);
        if args.bless {
            fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
            fs::write(&path, text).with_context(|| path.display().to_string())?;
            println!("{name}: written");
            continue;
        }
        let committed = fs::read_to_string(&path)
            .with_context(|| format!("{}: --bless writes it", path.display()))?
            .replace("\r\n", "\n");
        match first_difference(&committed, text) {
            None => println!("{name}: as committed"),
            Some((line, was, now)) => {
                println!("{name}, line {line} differs:\n  committed {was}\n  computed  {now}");
                outcome = Outcome::Failed;
            }
        }
    }
    Ok(outcome)
}

/// Number, from 1, and text of the first line that two texts do not share.
fn first_difference(committed: &str, computed: &str) -> Option<(usize, String, String)> {
    if committed == computed {
        return None;
    }
    let mut lines = (committed.split('\n'), computed.split('\n'));
    (1..).find_map(|line| {
        let (was, now) = (lines.0.next(), lines.1.next());
        let shown = |text: Option<&str>| text.unwrap_or("(no such line)").to_owned();
        (was != now).then(|| (line, shown(was), shown(now)))
    })
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        let difference = first_difference("a\nb\n", "a\nc\n");
        assert_eq!(difference, Some((2, "b".to_owned(), "c".to_owned())));
        let longer = first_difference("a\n", "a\nb\n").expect("a line more is a difference");
        assert_eq!(longer.0, 2);
        assert!(first_difference("a\n", "a").is_some());
    }
}

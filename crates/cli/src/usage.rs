//! Errors as one line, those of the command line included.

use core::fmt;
use std::io::{self, Write};

use anyhow::anyhow;
use clap::error::ErrorKind;

/// The exit status for bad input or usage.
pub(crate) const BAD_INPUT: u8 = 2;

/// The exit status of a process that a signal has ended, by convention.
pub(crate) const INTERRUPTED: i32 = 130;

/// Prints a help text that was asked for; makes an error of any other complaint
/// about the command line.
///
/// *Errors*: the complaint, on one line.
pub(crate) fn show(error: &clap::Error) -> anyhow::Result<()> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = crate::output::standard();
            // Not printed by clap, which would ignore a full disk.
            write!(out, "{}", error.render())?;
            Ok(out.flush()?)
        }
        _ => Err(anyhow!(one_line(&error.render().to_string()))),
    }
}

/// The paragraphs of a complaint as parts of one line: what is wrong, what is
/// similar, how it is used.
fn one_line(complaint: &str) -> String {
    let complaint = complaint.strip_prefix("error: ").unwrap_or(complaint);
    let paragraphs: Vec<String> = complaint
        .split("\n\n")
        .map(|paragraph| {
            let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
            lines.join(" ").trim().to_owned()
        })
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    paragraphs
        .join("; ")
        .replace("; Usage:", "; usage:")
        .replace("; For more information, try", "; for more, try")
        .trim_end_matches('.')
        .to_owned()
}

/// A number of slides, cases and the like, as an option's value.
///
/// *Errors*: anything else, with what would be accepted, which the standard
/// library's own message leaves out.
pub(crate) fn count(text: &str) -> Result<u32, CountError> {
    text.parse().map_err(|_| CountError)
}

/// A whole number from 0 to `most`, as an option's value.
///
/// *Errors*: anything else, with what would be accepted.
pub(crate) fn number_to(text: &str, most: u64) -> Result<u64, NumberError> {
    let number = text.parse().ok();
    number
        .filter(|&number| number <= most)
        .ok_or(NumberError { most })
}

/// What [`number_to`] says of a text that is no such number.
#[derive(Debug)]
pub(crate) struct NumberError {
    most: u64,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a whole number from 0 to {}", self.most)
    }
}

impl std::error::Error for NumberError {}

/// What [`count`] says of a text that is no count.
#[derive(Debug)]
pub(crate) struct CountError;

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a whole number from 0 to {}", u32::MAX)
    }
}

impl std::error::Error for CountError {}

/// Prints `error: …` on standard error, on one line whatever the message holds.
pub(crate) fn print_error(message: &str) {
    let line = format!("error: {}\n", crate::output::one_line(message));
    // One write, so that lines of several processes do not mix; there is
    // nobody to tell when it fails.
    let _ = io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn complaints_become_one_line() {
        let complaint = "error: the following required arguments were not provided:\n  \
            --variant <V>\n\nUsage: afterstate slide --variant <V>\n\n\
            For more information, try '--help'.\n";
        assert_eq!(
            one_line(complaint),
            "the following required arguments were not provided: --variant <V>; \
             usage: afterstate slide --variant <V>; for more, try '--help'"
        );
        assert_eq!(one_line("a\n  b\n\n\n  c\n"), "a b; c");
    }
}

//! Complaints about the command line, on one line.

use std::fmt;

use clap::error::ErrorKind;

/// A help text that was asked for, or what is wrong with a command line.
pub(crate) enum Answer {
    /// To be printed on standard output.
    Help(String),
    /// To be printed as an error.
    Complaint(String),
}

/// What clap says, which takes several lines for a complaint: what is wrong,
/// what is similar, how the command is used.
pub(crate) fn answer(error: &clap::Error) -> Answer {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Answer::Help(text),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Answer::Complaint(
            "no command is given, expected one of those that `cargo xtask --help` lists".to_owned(),
        ),
        _ => Answer::Complaint(one_line(&text)),
    }
}

/// The paragraphs of a complaint as parts of one line.
fn one_line(complaint: &str) -> String {
    let complaint = complaint.strip_prefix("error: ").unwrap_or(complaint);
    let paragraphs: Vec<String> = complaint
        .split("\n\n")
        .map(|paragraph| {
            let lines: Vec<&str> = paragraph.split_whitespace().collect();
            lines.join(" ")
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

/// A whole number in a range, as an option's value.
///
/// *Errors*: anything else, with what would be accepted, which the standard
/// library's own message leaves out.
pub(crate) fn number(text: &str, low: u64, high: u64) -> Result<u64, NumberError> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain);
    number
        .filter(|number| (low..=high).contains(number))
        .ok_or(NumberError { low, high })
}

/// Worker threads: as many as were asked for, or one for each core.
pub(crate) fn threads_or_cores(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, core::num::NonZero::get))
}

/// What [`number`] says of a text that is no number in the range.
#[derive(Debug)]
pub(crate) struct NumberError {
    low: u64,
    high: u64,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NumberError { low, high } = self;
        write!(f, "expected a whole number from {low} to {high}")
    }
}

impl std::error::Error for NumberError {}

/// `message` without anything that would break the line it is printed on.
pub(crate) fn on_one_line(message: &str) -> String {
    let mut line = String::new();
    for ch in message.chars() {
        if ch.is_control() {
            line.extend(ch.escape_default());
        } else {
            line.push(ch);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{number, on_one_line, one_line};

    #[test]
    fn complaints_become_one_line() {
        let complaint = "error: unexpected argument '--x' found\n\n  \
            tip: to pass '--x' as a value, use '-- --x'\n\n\
            Usage: cargo xtask tournament [OPTIONS]\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(complaint),
            "unexpected argument '--x' found; tip: to pass '--x' as a value, use '-- --x'; \
             usage: cargo xtask tournament [OPTIONS]; for more, try '--help'"
        );
        assert_eq!(on_one_line("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
    }

    #[test]
    fn numbers_are_plain_and_in_range() {
        assert_eq!(number("10", 1, 10).expect("in range"), 10);
        for text in [
            "",
            "0",
            "11",
            "+3",
            "-1",
            " 3",
            "3.0",
            "99999999999999999999",
            "١",
        ] {
            let error = number(text, 1, 10).expect_err("not in range").to_string();
            assert_eq!(error, "expected a whole number from 1 to 10", "{text:?}");
        }
    }
}

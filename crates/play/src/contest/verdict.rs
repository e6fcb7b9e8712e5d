use core::fmt;

use afterstate_bitboard::Slide;

use super::excerpt::Excerpt;

/// What a player did wrong. RULES section 2.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A slide that changes nothing.
    IllegalSlide {
        /// The slide.
        slide: Slide,
    },
    /// An integer other than 1, 2, 3 and 4.
    OutOfRange {
        /// What the player answered.
        answer: Excerpt,
    },
    /// A line that is no answer.
    Malformed {
        /// What the player answered.
        answer: Excerpt,
    },
    /// A line that goes on for longer than any answer.
    TooLong {
        /// How the line begins.
        start: Excerpt,
        /// The longest line that is read, in bytes.
        max_bytes: usize,
    },
    /// No answer in time.
    Time {
        /// The limit for one answer, in milliseconds.
        limit_ms: u64,
    },
    /// The player's process ended.
    Exited {
        /// How it ended, in words: `exit status 3`, `signal 11`.
        status: String,
    },
    /// The player closed its output and lives on.
    Closed,
    /// The player's process could not be started.
    NotStarted {
        /// Why not.
        reason: String,
    },
}

impl Fault {
    /// The kind of the fault as results name it.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::IllegalSlide { .. } => "illegal slide",
            Fault::OutOfRange { .. } => "out of range",
            Fault::Malformed { .. } => "malformed",
            Fault::TooLong { .. } => "too long",
            Fault::Time { .. } => "time",
            Fault::Exited { .. } => "exited",
            Fault::Closed => "closed",
            Fault::NotStarted { .. } => "not started",
        }
    }

    /// What happened, without the kind.
    pub fn detail(&self) -> String {
        match self {
            Fault::IllegalSlide { slide } => {
                format!("{} ({slide}) changes nothing", slide.idx() + 1)
            }
            Fault::OutOfRange { answer } => format!("{answer}, expected 1, 2, 3 or 4"),
            Fault::Malformed { answer } => {
                format!("{answer}, expected 1, 2, 3 or 4 alone on a line")
            }
            Fault::TooLong { start, max_bytes } => {
                format!("a line of more than {max_bytes} bytes that starts with {start}")
            }
            Fault::Time { limit_ms } => format!("no answer within {limit_ms} ms"),
            Fault::Exited { status } => status.clone(),
            Fault::Closed => "the output of the player ended, its process did not".to_owned(),
            Fault::NotStarted { reason } => reason.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.detail())
    }
}

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The game was played to its end.
    Ok,
    /// A fault ended the game.
    Fault {
        /// The number of the slide that was asked for, from 1.
        slide_number: u32,
        /// What was wrong.
        fault: Fault,
    },
}

impl Verdict {
    /// The kind as results name it: `ok`, or that of the fault.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Fault { fault, .. } => fault.name(),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Ok => f.write_str("ok"),
            Verdict::Fault {
                slide_number,
                fault,
            } => write!(
                f,
                "{} at slide {slide_number}: {}",
                fault.name(),
                fault.detail()
            ),
        }
    }
}

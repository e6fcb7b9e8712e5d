//! What goes in and out of the state of the program.

use std::time::Duration;

use afterstate_arena::Advice;

use crate::key::Key;

/// What happens to the program.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A key.
    Key(Key),
    /// What an agent answers to a [`Question`].
    Answer(Answer),
    /// Time goes by.
    Elapsed(Duration),
    /// The terminal has this many columns and rows.
    Sized(u16, u16),
    /// The game cannot be kept for this reason, or can again.
    Storage(Option<String>),
}

/// A question to whoever gives hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The number of the question: the answer has it too.
    pub id: u64,
    /// The board, as numbers in rows.
    pub rows: Vec<Vec<i32>>,
}

/// The answer to a [`Question`].
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The number of the question.
    pub id: u64,
    /// The advice, or why there is none.
    pub advice: Result<Advice, String>,
}

/// What the program is to do after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Ask for advice; an earlier question is not of interest any more.
    Ask(Question),
    /// Draw the whole screen again.
    Redraw,
    /// Give the terminal back for a while.
    Suspend,
    /// End; the game is to be kept.
    Quit,
}

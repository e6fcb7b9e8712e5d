//! The contest task: players of three functions, one case of a grading, award
//! and final score, and the line protocol. RULES section 2.
//!
//! Everything here is free of processes, threads and clocks: a player in
//! another process is a [`ContestPlayer`] like any other, built elsewhere on
//! [`Request`] and [`parse_answer`]. Start reading at [`play_case`].

mod case;
mod excerpt;
mod player;
mod protocol;
mod score;
mod serve;
mod verdict;

pub use case::{CaseResult, case_seed, play_case};
pub use excerpt::Excerpt;
pub use player::{AgentPlayer, ContestPlayer, RequestError};
pub use protocol::{
    Line, MAX_ANSWER_BYTES, ParseRequestError, Request, parse_answer, read_bounded_line,
};
pub use score::{Grading, award};
pub use serve::{ServeError, serve};
pub use verdict::{Fault, Verdict};

use core::fmt;
use std::io::{self, BufRead, Write};

use afterstate_rules::ClassicRules;

use super::player::{AgentPlayer, RequestError};
use super::protocol::{Line, ParseRequestError, Request, read_bounded_line};
use crate::agent::Agent;

/// The longest request that is read, in bytes.
const MAX_REQUEST_BYTES: usize = 256;

/// Why a player stopped before the end of its game.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The input cannot be read or the output not be written.
    Io(io::Error),
    /// A line that is no request.
    Parse {
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        error: ParseRequestError,
    },
    /// A line that is too long for a request.
    TooLong {
        /// Number of the line, from 1.
        line: u64,
    },
    /// A request that cannot follow those before it.
    Request {
        /// Number of the line, from 1.
        line: u64,
        /// The request.
        request: Request,
        /// What is wrong with it.
        error: RequestError,
    },
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Io(error) => write!(f, "{error}"),
            ServeError::Parse { line, error } => write!(f, "line {line}: {error}"),
            ServeError::TooLong { line } => write!(
                f,
                "line {line}: more than {MAX_REQUEST_BYTES} bytes, expected a request"
            ),
            ServeError::Request {
                line,
                request,
                error,
            } => write!(f, "line {line}: `{request}`: {error}"),
        }
    }
}

// What went wrong underneath is part of the text, and so no source besides.
impl std::error::Error for ServeError {}

/// Plays one game in the line protocol: reads requests until `end` or until
/// the input ends, and answers each `slide` with a number.
///
/// *Errors*: a line that is no request or that comes out of turn, with its
/// number; what goes wrong with input and output.
pub fn serve<A: Agent<ClassicRules>>(
    player: &mut AgentPlayer<A>,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<(), ServeError> {
    for line in 1.. {
        let bytes = match read_bounded_line(input, MAX_REQUEST_BYTES).map_err(ServeError::Io)? {
            Line::Whole(bytes) => bytes,
            Line::TooLong(_) => return Err(ServeError::TooLong { line }),
            Line::End => return Ok(()),
        };
        let request: Request = String::from_utf8_lossy(&bytes)
            .parse()
            .map_err(|error| ServeError::Parse { line, error })?;
        let answer = player
            .handle(request)
            .map_err(|error| ServeError::Request {
                line,
                request,
                error,
            })?;
        if let Some(number) = answer {
            writeln!(output, "{number}")
                .and_then(|()| output.flush())
                .map_err(ServeError::Io)?;
        }
        if matches!(request, Request::End { .. }) {
            return Ok(());
        }
    }
    Ok(())
}

use core::sync::atomic::{AtomicBool, Ordering};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use afterstate_play::contest::{
    ContestPlayer, Excerpt, Fault, Line, MAX_ANSWER_BYTES, Request, parse_answer,
};

use super::process::ProcessGroup;
use super::starts::{Starts, Turn};
use super::streams::{Arrival, ErrorOutput, ErrorReader, read_lines, write_all};

/// The time for one answer where nothing is said: a guess, so long that no
/// player that works is late even on a busy machine, its start included, and
/// still short enough to wait for the twenty cases of one that hangs.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);

/// How often a wait looks whether it still makes sense.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long a player that has closed its output may take to end before it
/// counts as living on.
const EXIT_AFTER_CLOSING: Duration = Duration::from_secs(1);

/// How long a player may take to end by itself after the game.
const EXIT_AFTER_GAME: Duration = Duration::from_secs(1);

/// How long to wait for standard error to end after all writers were killed.
const ERRORS_AFTER_END: Duration = Duration::from_millis(500);

/// A player in another process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerCommand {
    /// The command, for the shell.
    pub command: String,
    /// The time for one answer, from the request to the answer's line. The
    /// first answer has to come within the limit from the start of the
    /// process.
    pub time_limit: Duration,
}

/// One game of a player in another process, as the grader sees it.
pub(super) struct PipePlayer<'a> {
    player: &'a PlayerCommand,
    starts: &'a Starts,
    stop: &'a AtomicBool,
    /// Requests that need no answer, to go out with the next that does.
    unsent: String,
    running: Option<Running<'a>>,
}

/// The process and its streams.
struct Running<'a> {
    group: ProcessGroup,
    input: Sender<String>,
    lines: Receiver<Arrival>,
    errors: ErrorReader,
    /// Held until the first answer.
    turn: Option<Turn<'a>>,
}

impl<'a> PipePlayer<'a> {
    /// A player that starts its process at the first request for a slide.
    pub(super) fn new(
        player: &'a PlayerCommand,
        starts: &'a Starts,
        stop: &'a AtomicBool,
    ) -> PipePlayer<'a> {
        PipePlayer {
            player,
            starts,
            stop,
            unsent: String::new(),
            running: None,
        }
    }

    /// Ends a game that the grader breaks off; what the player wrote to
    /// standard error in it.
    pub(super) fn break_off(self) -> Option<ErrorOutput> {
        self.running.and_then(Running::end_at_once)
    }

    fn note(&mut self, request: Request) {
        self.unsent.push_str(&request.to_string());
        self.unsent.push('\n');
    }

    /// Sends what is unsent and waits for an answer.
    fn ask(&mut self) -> Result<i64, Fault> {
        if self.running.is_none() {
            self.running = Some(Running::start(&self.player.command, self.starts)?);
        }
        let running = self.running.as_mut().expect("the player is running");
        let asked = Instant::now();
        // A player that does not listen may have answered all the same.
        let _ = running.input.send(core::mem::take(&mut self.unsent));
        let line = running.next_line(asked, self.player.time_limit, self.stop)?;
        running.turn = None;
        parse_answer(&line)
    }
}

impl ContestPlayer for PipePlayer<'_> {
    fn init(&mut self, r1: usize, c1: usize, r2: usize, c2: usize) {
        self.note(Request::Init { r1, c1, r2, c2 });
    }

    fn generate(&mut self, r: usize, c: usize, x: i32) {
        self.note(Request::Generate { r, c, x });
    }

    fn sliderequest(&mut self) -> Result<i64, Fault> {
        self.note(Request::Slide);
        self.ask()
    }

    fn end(&mut self, largest: i32, score: i64) {
        self.note(Request::End { largest, score });
        if let Some(running) = self.running.take() {
            running.end_well(core::mem::take(&mut self.unsent));
        }
    }
}

impl<'a> Running<'a> {
    fn start(command: &str, starts: &'a Starts) -> Result<Running<'a>, Fault> {
        let turn = starts.turn();
        let not_started = |error: io::Error| Fault::NotStarted {
            reason: error.to_string(),
        };
        let (group, streams) = ProcessGroup::start(command).map_err(not_started)?;
        Ok(Running {
            group,
            input: write_all(streams.stdin).map_err(not_started)?,
            lines: read_lines(streams.stdout).map_err(not_started)?,
            errors: ErrorReader::new(streams.stderr).map_err(not_started)?,
            turn: Some(turn),
        })
    }

    /// The next line, which counts as the answer to what was asked last, even
    /// if it was written before: who answers in advance answers blindly.
    fn next_line(
        &mut self,
        asked: Instant,
        limit: Duration,
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, Fault> {
        let mut has_ended = false;
        loop {
            let left = limit.saturating_sub(asked.elapsed());
            match self.lines.recv_timeout(left.min(LOOK_EVERY)) {
                // What counts is when the line came, not when we got to it.
                Ok(arrival) if arrival.at.saturating_duration_since(asked) > limit => {
                    return Err(late(limit));
                }
                Ok(arrival) => return whole_line(arrival.line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.output_ended()),
                // A child that holds the output open does not play on for it:
                // nothing came since the last look, when it had ended already.
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(self.output_ended()),
                Err(RecvTimeoutError::Timeout) => {
                    if asked.elapsed() >= limit || stop.load(Ordering::Relaxed) {
                        return Err(late(limit));
                    }
                    has_ended = self.group.has_ended();
                }
            }
        }
    }

    /// The fault of a player that has ended, or at least its output has.
    fn output_ended(&mut self) -> Fault {
        if !self.group.ends_within(EXIT_AFTER_CLOSING) {
            return Fault::Closed;
        }
        let status = self.group.end();
        Fault::Exited {
            status: status.map_or_else(
                || "the system does not tell how".to_owned(),
                |status| status.to_string(),
            ),
        }
    }

    /// Tells the player of the end and gives it time to end by itself.
    fn end_well(mut self, last: String) {
        let _ = self.input.send(last);
        drop(self.input);
        self.group.ends_within(EXIT_AFTER_GAME);
        self.group.end();
    }

    fn end_at_once(mut self) -> Option<ErrorOutput> {
        self.group.end();
        self.errors.finish(ERRORS_AFTER_END)
    }
}

/// The fault of an answer that did not come within `limit`.
pub(super) fn late(limit: Duration) -> Fault {
    Fault::Time {
        limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
    }
}

fn whole_line(line: Line) -> Result<Vec<u8>, Fault> {
    match line {
        Line::Whole(bytes) => Ok(bytes),
        Line::TooLong(bytes) => Err(Fault::TooLong {
            start: Excerpt::new(&bytes),
            max_bytes: MAX_ANSWER_BYTES,
        }),
        // The end of the output is the end of the channel.
        Line::End => Err(Fault::Closed),
    }
}

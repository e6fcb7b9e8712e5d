//! The streams of a player's process, each served by a thread of its own, so
//! that no player can keep the grader waiting by not reading or not writing.
//!
//! The threads end with the process group. One that escaped the group can hold
//! a stream open; its thread then waits on, and nobody waits for the thread.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use afterstate_play::contest::{Line, MAX_ANSWER_BYTES, read_bounded_line};

/// Lines that are read ahead of those wanted.
const LINES_AHEAD: usize = 4;

/// How much of standard error is kept, in bytes.
const ERROR_BYTES: usize = 4096;

/// What a player wrote: a line, whole or too long, and when it was read.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) line: Line,
    pub(super) at: Instant,
}

/// Reads lines from a player's output until it ends, or a line is too long, or
/// nobody wants them any more. Then the channel is disconnected.
///
/// *Cost*: memory for [`LINES_AHEAD`] lines of [`MAX_ANSWER_BYTES`], however
/// much the player writes.
///
/// *Errors*: no thread can be started.
pub(super) fn read_lines(stdout: impl Read + Send + 'static) -> io::Result<Receiver<Arrival>> {
    let (sender, receiver) = mpsc::sync_channel(LINES_AHEAD);
    spawn("player output", move || send_lines(stdout, &sender))?;
    Ok(receiver)
}

fn send_lines(stdout: impl Read, sender: &SyncSender<Arrival>) {
    let mut input = BufReader::with_capacity(MAX_ANSWER_BYTES, stdout);
    loop {
        // Output that cannot be read is at its end.
        let line = read_bounded_line(&mut input, MAX_ANSWER_BYTES).unwrap_or(Line::End);
        if line == Line::End {
            return;
        }
        let is_last = matches!(line, Line::TooLong(_));
        let at = Instant::now();
        if sender.send(Arrival { line, at }).is_err() || is_last {
            return;
        }
    }
}

/// Writes what is sent to a player's input, which is closed when the sender is
/// dropped.
///
/// *Cost*: what the player has not read waits in memory. It is not more than
/// the text of one game, since a request follows an answer.
///
/// *Errors*: no thread can be started.
pub(super) fn write_all(mut stdin: impl Write + Send + 'static) -> io::Result<Sender<String>> {
    let (sender, receiver) = mpsc::channel::<String>();
    spawn("player input", move || {
        for text in receiver {
            // A player that does not read may still have an answer under way:
            // its output tells what is to be said about it.
            if stdin.write_all(text.as_bytes()).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

/// What a player wrote to standard error: the end of it, where it is long.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ErrorOutput {
    /// The text. Bytes that are no UTF-8 are replaced.
    pub text: String,
    /// Bytes before the text that were not kept.
    pub n_dropped: u64,
}

/// The last bytes of a stream.
#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    n_dropped: u64,
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let n_excess = self.bytes.len().saturating_sub(ERROR_BYTES);
        self.bytes.drain(..n_excess);
        self.n_dropped += n_excess as u64;
    }
}

/// Standard error of a player, read all the time so that it never fills up.
#[derive(Debug)]
pub(super) struct ErrorReader {
    tail: Arc<Mutex<Tail>>,
    /// Disconnected when the stream is at its end.
    ended: Receiver<()>,
}

impl ErrorReader {
    /// Starts reading.
    ///
    /// *Errors*: no thread can be started.
    pub(super) fn new(mut stderr: impl Read + Send + 'static) -> io::Result<ErrorReader> {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (sender, ended) = mpsc::channel();
        let shared = Arc::clone(&tail);
        spawn("player errors", move || {
            let _sender = sender;
            let mut buffer = [0; ERROR_BYTES];
            while let Ok(n_read @ 1..) = stderr.read(&mut buffer) {
                let mut tail = shared.lock().unwrap_or_else(PoisonError::into_inner);
                tail.push(&buffer[..n_read]);
            }
        })?;
        Ok(ErrorReader { tail, ended })
    }

    /// What was written, once the stream is at its end or `patience` is over.
    pub(super) fn finish(self, patience: Duration) -> Option<ErrorOutput> {
        // Nothing is ever sent: this returns at the end or when it is late.
        let _ = self.ended.recv_timeout(patience);
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        (!tail.bytes.is_empty()).then(|| ErrorOutput {
            text: String::from_utf8_lossy(&tail.bytes).into_owned(),
            n_dropped: tail.n_dropped,
        })
    }
}

fn spawn(name: &str, serve: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.stack_size(128 << 10).spawn(serve).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Endless output without a line feed, counting what is taken of it.
    struct Flood(Arc<Mutex<usize>>);

    impl Read for Flood {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'1');
            *self.0.lock().expect("no reader panics") += buffer.len();
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_line_without_end_is_given_up() {
        let taken = Arc::new(Mutex::new(0));
        let lines = read_lines(Flood(Arc::clone(&taken))).expect("threads can be started");
        let first = lines.recv().expect("what was read is told");
        assert_eq!(first.line, Line::TooLong(vec![b'1'; MAX_ANSWER_BYTES]));
        assert!(lines.recv().is_err(), "nothing follows");
        let taken = *taken.lock().expect("no reader panics");
        assert!(taken <= 2 * MAX_ANSWER_BYTES, "{taken} bytes");
    }

    #[test]
    fn the_end_of_long_errors_is_kept() {
        let text = format!("{}the end\n", "x".repeat(1_000_000));
        let reader = ErrorReader::new(io::Cursor::new(text.clone())).expect("a thread");
        let output = reader.finish(Duration::from_secs(60)).expect("an output");
        assert_eq!(output.text.len(), ERROR_BYTES);
        assert!(output.text.ends_with("xthe end\n"));
        assert_eq!(output.n_dropped, (text.len() - ERROR_BYTES) as u64);

        let reader = ErrorReader::new(io::empty()).expect("a thread");
        assert_eq!(reader.finish(Duration::from_secs(60)), None);
    }
}

use core::fmt;
use core::str::FromStr;
use std::io::{self, BufRead};

use super::excerpt::Excerpt;
use super::verdict::Fault;

/// The longest answer that is read, in bytes: many times what an answer with
/// blanks around it takes, and enough to show what a longer one was about.
pub const MAX_ANSWER_BYTES: usize = 256;

/// One line from the grader to a player in another process.
///
/// The text form is the line without its end.
///
/// ```
/// use afterstate_play::contest::Request;
///
/// let request: Request = "generate 0 3 4".parse()?;
/// assert_eq!(request, Request::Generate { r: 0, c: 3, x: 4 });
/// assert_eq!(request.to_string(), "generate 0 3 4");
/// # Ok::<(), afterstate_play::contest::ParseRequestError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Request {
    /// The two cells with a 2 that the game starts with.
    Init {
        /// Row of the first tile.
        r1: usize,
        /// Column of the first tile.
        c1: usize,
        /// Row of the second tile.
        r2: usize,
        /// Column of the second tile.
        c2: usize,
    },
    /// A slide is wanted: the only request that is answered.
    Slide,
    /// A tile appeared.
    Generate {
        /// Its row.
        r: usize,
        /// Its column.
        c: usize,
        /// Its number.
        x: i32,
    },
    /// The game is over.
    End {
        /// The largest tile, M.
        largest: i32,
        /// The score, in points.
        score: i64,
    },
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Init { r1, c1, r2, c2 } => write!(f, "init {r1} {c1} {r2} {c2}"),
            Request::Slide => f.write_str("slide"),
            Request::Generate { r, c, x } => write!(f, "generate {r} {c} {x}"),
            Request::End { largest, score } => write!(f, "end {largest} {score}"),
        }
    }
}

/// What [`Request::from_str`] says of a line that is no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRequestError {
    found: Excerpt,
}

impl fmt::Display for ParseRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, expected init R1 C1 R2 C2, slide, generate R C X or end M SCORE",
            self.found
        )
    }
}

impl std::error::Error for ParseRequestError {}

impl FromStr for Request {
    type Err = ParseRequestError;

    /// Reads a line; blanks around and between its words do not matter, and
    /// neither does a carriage return at its end.
    fn from_str(line: &str) -> Result<Request, ParseRequestError> {
        let words: Vec<&str> = line
            .strip_suffix('\r')
            .unwrap_or(line)
            .split([' ', '\t'])
            .filter(|word| !word.is_empty())
            .collect();
        request_of(&words).ok_or_else(|| ParseRequestError {
            found: Excerpt::new(line.as_bytes()),
        })
    }
}

fn request_of(words: &[&str]) -> Option<Request> {
    Some(match *words {
        ["init", r1, c1, r2, c2] => Request::Init {
            r1: number(r1)?,
            c1: number(c1)?,
            r2: number(r2)?,
            c2: number(c2)?,
        },
        ["slide"] => Request::Slide,
        ["generate", r, c, x] => Request::Generate {
            r: number(r)?,
            c: number(c)?,
            x: number(x)?,
        },
        ["end", largest, score] => Request::End {
            largest: number(largest)?,
            score: number(score)?,
        },
        _ => return None,
    })
}

/// A number of a request: digits only, since Rust's parser takes a plus sign.
fn number<T: FromStr>(word: &str) -> Option<T> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}

/// The number in an answer, given as a line without its line feed.
///
/// An answer is one digit. A carriage return at the end and blanks (spaces,
/// tabs) around it do not matter. Numbers are taken as decimal integers
/// without superfluous signs and zeros: no function that prints an integer
/// writes `+1` or `01`, so they are signs of a fault in the player, and a
/// grader that guesses would hide it.
///
/// *Errors*: [`Fault::OutOfRange`] for an integer that is no digit from 1 to
/// 4, [`Fault::Malformed`] for anything else.
///
/// ```
/// use afterstate_play::contest::parse_answer;
///
/// assert_eq!(parse_answer(b" 3\t\r"), Ok(3));
/// assert!(parse_answer(b"03").is_err());
/// ```
pub fn parse_answer(line: &[u8]) -> Result<i64, Fault> {
    let text = line.strip_suffix(b"\r").unwrap_or(line);
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let first = text.iter().position(|byte| !is_blank(byte)).unwrap_or(0);
    let end = text.iter().rposition(|byte| !is_blank(byte));
    let text = &text[first..end.map_or(first, |last| last + 1)];
    match text {
        [digit @ b'1'..=b'4'] => Ok(i64::from(digit - b'0')),
        _ if is_integer(text) => Err(Fault::OutOfRange {
            answer: Excerpt::new(text),
        }),
        // The line as it came: blanks may be what is wrong with it.
        _ => Err(Fault::Malformed {
            answer: Excerpt::new(line.strip_suffix(b"\r").unwrap_or(line)),
        }),
    }
}

/// Whether `text` is a decimal integer as programs print them, of any size.
fn is_integer(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    match digits {
        [b'0'] => digits.len() == text.len(),
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// What [`read_bounded_line`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line without its line feed. The last line of the input may lack it.
    Whole(Vec<u8>),
    /// The start of a line that is longer than allowed; the rest is unread.
    TooLong(Vec<u8>),
    /// The input is at its end.
    End,
}

/// The next line of `input`, of which never more than `max_bytes` + 1 bytes
/// are kept in memory.
///
/// *Errors*: those of `input`.
pub fn read_bounded_line(input: &mut impl BufRead, max_bytes: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(match line.is_empty() {
                true => Line::End,
                false => Line::Whole(line),
            });
        }
        let room = max_bytes + 1 - line.len();
        let visible = &available[..available.len().min(room)];
        if let Some(length) = visible.iter().position(|&byte| byte == b'\n') {
            line.extend_from_slice(&visible[..length]);
            input.consume(length + 1);
            return Ok(Line::Whole(line));
        }
        let n_read = visible.len();
        line.extend_from_slice(visible);
        input.consume(n_read);
        if line.len() > max_bytes {
            line.truncate(max_bytes);
            return Ok(Line::TooLong(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn right_answers() {
        let forms = [
            "D",
            "D\r",
            " D ",
            "D\t",
            "\tD",
            " \t D \t \r",
            "   D",
            "D      \r",
        ];
        for digit in 1..=4 {
            for form in forms {
                let line = form.replace('D', &digit.to_string());
                assert_eq!(parse_answer(line.as_bytes()), Ok(digit), "{line:?}");
            }
        }
    }

    #[test]
    fn wrong_answers() {
        let out_of_range = [
            "0",
            "5",
            "-1",
            "10",
            "11",
            "42",
            " 5 ",
            "99999999999999999999",
            "-3",
        ];
        for line in out_of_range {
            let fault = parse_answer(line.as_bytes()).expect_err(line);
            assert_eq!(fault.name(), "out of range", "{line:?}");
            assert_eq!(
                fault.detail(),
                format!("`{}`, expected 1, 2, 3 or 4", line.trim())
            );
        }
        let malformed: [&[u8]; 25] = [
            b"",
            b"\r",
            b"   ",
            b"hello",
            b"left",
            b"1 2",
            b"1\t2",
            b"\xef\xbb\xbf1",
            b"\x001",
            b"1\0",
            b"+1",
            b"01",
            b"00",
            b"-0",
            b"1.0",
            b"1.",
            b"1e0",
            b"0x1",
            b"1,",
            b"\r1",
            b"1\r ",
            b"1\r\r",
            b"\xff",
            b"-",
            "\u{ff11}".as_bytes(),
        ];
        for line in malformed {
            let fault = parse_answer(line).expect_err("no answer");
            assert_eq!(fault.name(), "malformed", "{}", line.escape_ascii());
        }
        let shown = |line: &[u8]| parse_answer(line).expect_err("no answer").detail();
        assert_eq!(
            shown(b" x "),
            "` x `, expected 1, 2, 3 or 4 alone on a line"
        );
        assert_eq!(
            shown(b"\r"),
            "an empty line, expected 1, 2, 3 or 4 alone on a line"
        );
    }

    #[test]
    fn requests_that_are_none() {
        for line in [
            "",
            "init",
            "init 0 0 0",
            "init 0 0 0 0 0",
            "init 0 0 0 a",
            "init 0 0 0 -1",
            "generate 1 2",
            "generate 1 2 +4",
            "generate 1 2 99999999999999999999",
            "slide 1",
            "Slide",
            "end",
            "end 2048",
            "slide\r\r",
            "slide\n",
            "\u{feff}init 0 0 0 1",
        ] {
            let error = line.parse::<Request>().expect_err(line);
            assert!(error.to_string().contains("expected init R1"), "{error}");
        }
    }

    fn requests() -> impl Strategy<Value = Request> {
        let cell = || 0..4_usize;
        prop_oneof![
            (cell(), cell(), cell(), cell()).prop_map(|(r1, c1, r2, c2)| Request::Init {
                r1,
                c1,
                r2,
                c2
            }),
            Just(Request::Slide),
            (cell(), cell(), 0..=i32::MAX).prop_map(|(r, c, x)| Request::Generate { r, c, x }),
            (0..=i32::MAX, 0..=i64::MAX)
                .prop_map(|(largest, score)| Request::End { largest, score }),
        ]
    }

    proptest! {
        #[test]
        fn requests_are_read_as_written(request in requests()) {
            prop_assert_eq!(request.to_string().parse(), Ok(request));
            let spaced = format!("  {}\t\r", request.to_string().replace(' ', "\t "));
            prop_assert_eq!(spaced.parse(), Ok(request));
        }

        #[test]
        fn nothing_panics(line in any::<String>(), bytes in any::<Vec<u8>>()) {
            let _ = line.parse::<Request>();
            let _ = parse_answer(&bytes);
        }

        #[test]
        fn bounded_lines_are_the_lines(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'x')], 0..60),
            max_bytes in 1..8_usize,
            capacity in 1..10_usize,
        ) {
            let mut expected: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            if expected.last().is_some_and(|last| last.is_empty()) {
                expected.pop();
            }
            let mut input = io::BufReader::with_capacity(capacity, &bytes[..]);
            for line in expected {
                let read = read_bounded_line(&mut input, max_bytes).expect("bytes can be read");
                if line.len() > max_bytes {
                    prop_assert_eq!(read, Line::TooLong(line[..max_bytes].to_vec()));
                    return Ok(());
                }
                prop_assert_eq!(read, Line::Whole(line.to_vec()));
            }
            let last = read_bounded_line(&mut input, max_bytes).expect("bytes can be read");
            prop_assert_eq!(last, Line::End);
        }
    }
}

//! Slides asked for and answered as lines of JSON.

use core::fmt;
use std::borrow::Cow;
use std::io::Write as _;

use afterstate_bitboard::{Board, Grid, Place, Slide};
use afterstate_rules::{Rules, Spawns, Variant};
use serde_json::value::RawValue;

use crate::board_input::{
    BoardInputError, Fields, SyntaxProblem, Utf8Problem, board_of_json, excerpt, is_named,
};
use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};

/// The longest line that is read, in bytes: nothing that holds a board and a
/// few fields comes near it, and an endless line must end.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlideLineProblem {
    /// More than [`MAX_LINE_BYTES`].
    TooLong,
    /// A byte that is not UTF-8.
    Utf8(Utf8Problem),
    /// Not a JSON object.
    NotAnObject {
        /// What was read, cut short when long.
        found: String,
    },
    /// Begins like a JSON object and is none.
    Syntax(SyntaxProblem),
    /// No field of this name.
    Missing {
        /// Name of the field.
        field: &'static str,
    },
    /// Two fields of this name.
    Twice {
        /// Name of the field.
        field: &'static str,
    },
    /// The field `board` is no board of the variant.
    Board(BoardInputError),
    /// The field `slide` is no slide.
    Slide {
        /// What was read, cut short when long.
        found: String,
    },
}

/// A line that cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlideLineError {
    /// Number of the line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: SlideLineProblem,
}

impl fmt::Display for SlideLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match &self.problem {
            SlideLineProblem::TooLong => write!(f, ": longer than {MAX_LINE_BYTES} bytes"),
            SlideLineProblem::Utf8(problem) => {
                write_column(f, &problem.place)?;
                write!(f, ": byte 0x{:02x} is not UTF-8 text", problem.byte)
            }
            SlideLineProblem::NotAnObject { found } => write!(
                f,
                ": `{found}` is not a JSON object, \
                 expected {{\"board\": [[…], …], \"slide\": \"left\"}}"
            ),
            SlideLineProblem::Syntax(problem) => {
                write_column(f, &problem.place)?;
                write!(f, ": not JSON: {}", problem.problem)
            }
            SlideLineProblem::Missing { field } => {
                write!(f, ": no field `{field}`, expected `board` and `slide`")
            }
            SlideLineProblem::Twice { field } => {
                write!(f, ": the field `{field}` is given twice, expected once")
            }
            SlideLineProblem::Board(error) => {
                let divider = if error.is_in_a_row() { ", " } else { ": " };
                write!(f, ", field `board`{divider}{error}")
            }
            SlideLineProblem::Slide { found } => write!(
                f,
                ", field `slide`: `{found}` is not a slide, \
                 expected \"up\", \"right\", \"down\" or \"left\""
            ),
        }
    }
}

/// The column alone: the line has been named.
fn write_column(f: &mut fmt::Formatter<'_>, place: &Place) -> fmt::Result {
    match place {
        Place::Text { column, .. } => write!(f, ", column {column}"),
        _ => Ok(()),
    }
}

impl std::error::Error for SlideLineError {}

/// Answers lines of JSON that each ask for one slide of one board.
///
/// ```
/// use afterstate_arena::SlideLines;
/// use afterstate_rules::Variant;
///
/// let mut lines = SlideLines::new(Variant::Mini);
/// let mut out = Vec::new();
/// let line = br#"{"id": 7, "board": [[2, 2, 2], [0, 4, 0], [0, 0, 0]], "slide": "left"}"#;
/// lines.answer(line, &mut out)?;
/// let expected = r#"{"id": 7, "board": [[2, 2, 2], [0, 4, 0], [0, 0, 0]], "slide": "left", "#
///     .to_owned()
///     + r#""after": [[4, 2, 0], [4, 0, 0], [0, 0, 0]], "gain": 4, "legal": true}"#
///     + "\n";
/// assert_eq!(out, expected.as_bytes());
///
/// let error = lines.answer(br#"{"slide": "left"}"#, &mut out).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: no field `board`, expected `board` and `slide`");
/// # Ok::<(), afterstate_arena::SlideLineError>(())
/// ```
pub struct SlideLines {
    slider: Box<dyn LineSlider>,
    n_lines: u64,
}

impl SlideLines {
    /// Answers by the rules of `variant`, with lines counted from 1.
    pub fn new(variant: Variant) -> SlideLines {
        let spawn_set = variant.spawn_sets().swap_remove(0);
        let slider = visit_variant(variant, &spawn_set, SliderVisitor)
            .expect("the default spawn set of a variant fits its board");
        SlideLines { slider, n_lines: 0 }
    }

    /// Appends the answer to the next line, with a newline, to `out`: all
    /// fields of the line as they were written and in order, then `after`,
    /// `gain` and `legal`. Fields of these three names in the line give way to
    /// the answer. A line of nothing but blanks is counted and not answered.
    ///
    /// *Shape*: `line` may or may not end with LF or CRLF.
    ///
    /// *Errors*: what is wrong first; `out` is then as before.
    pub fn answer(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<(), SlideLineError> {
        self.n_lines += 1;
        self.try_answer(line, out)
            .map_err(|problem| SlideLineError {
                line: self.n_lines,
                problem,
            })
    }

    fn try_answer(&self, line: &[u8], out: &mut Vec<u8>) -> Result<(), SlideLineProblem> {
        if line.len() > MAX_LINE_BYTES {
            return Err(SlideLineProblem::TooLong);
        }
        let text = Utf8Problem::check(line).map_err(SlideLineProblem::Utf8)?;
        let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
        let object = text.trim_start_matches([' ', '\t', '\r']);
        if object.is_empty() {
            return Ok(());
        }
        if !object.starts_with('{') {
            return Err(SlideLineProblem::NotAnObject {
                found: excerpt(object),
            });
        }
        let fields = Fields::parse(text).map_err(SlideLineProblem::Syntax)?;
        let rows = the_one(&fields, "board")?;
        let slide = slide_of_json(the_one(&fields, "slide")?)?;
        let len_before = out.len();
        out.push(b'{');
        for (name, value) in &fields.pairs {
            if ANSWER.iter().any(|field| is_named(name, field)) {
                continue;
            }
            out.extend_from_slice(name.get().as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value.get().as_bytes());
            out.extend_from_slice(b", ");
        }
        if let Err(error) = self.slider.answer(rows, slide, out) {
            out.truncate(len_before);
            return Err(SlideLineProblem::Board(error));
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }
}

/// The fields of the answer.
const ANSWER: [&str; 3] = ["after", "gain", "legal"];

fn the_one<'a>(fields: &Fields<'a>, field: &'static str) -> Result<&'a RawValue, SlideLineProblem> {
    match fields.named(field).as_slice() {
        [] => Err(SlideLineProblem::Missing { field }),
        [value] => Ok(value),
        _ => Err(SlideLineProblem::Twice { field }),
    }
}

fn slide_of_json(value: &RawValue) -> Result<Slide, SlideLineProblem> {
    serde_json::from_str::<Cow<'_, str>>(value.get())
        .ok()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| SlideLineProblem::Slide {
            found: excerpt(value.get()),
        })
}

/// Reads and slides the boards of one variant.
trait LineSlider: Send {
    /// Appends the fields of the answer, in order and divided by commas.
    ///
    /// *Errors*: `rows` are no board; nothing is appended then.
    fn answer(
        &self,
        rows: &RawValue,
        slide: Slide,
        out: &mut Vec<u8>,
    ) -> Result<(), BoardInputError>;
}

struct SliderVisitor;

impl VariantVisitor for SliderVisitor {
    type Output = Box<dyn LineSlider>;

    fn visit<R: VariantRules>(self, rules: R, _spawns: Spawns<R::Grid>) -> Box<dyn LineSlider> {
        let codes = 0..R::Grid::CELL_KINDS as u8;
        Box::new(Slider {
            rules,
            numbers: codes
                .map(|code| R::Grid::number(code).to_string())
                .collect(),
        })
    }
}

struct Slider<R> {
    rules: R,
    /// The number of each cell code as text: formatting sixteen numbers took a
    /// fifth of the time of a line.
    numbers: Vec<String>,
}

impl<R: Rules> LineSlider for Slider<R> {
    fn answer(
        &self,
        rows: &RawValue,
        slide: Slide,
        out: &mut Vec<u8>,
    ) -> Result<(), BoardInputError> {
        let board: Board<R::Grid> = board_of_json(rows)?;
        let (after, gain, legal) = match self.rules.apply(board, slide) {
            Some(after) => (after.board, after.gain, true),
            None => (board, 0, false),
        };
        out.extend_from_slice(b"\"after\": [");
        for (idx, code) in after.cells().enumerate() {
            out.extend_from_slice(match (idx, idx % R::Grid::COLS) {
                (0, _) => b"[",
                (_, 0) => b"], [",
                _ => b", ",
            });
            out.extend_from_slice(self.numbers[usize::from(code)].as_bytes());
        }
        write!(out, "]], \"gain\": {gain}, \"legal\": {legal}").expect("memory can be written to");
        Ok(())
    }
}

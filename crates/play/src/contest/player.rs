use core::fmt;

use afterstate_bitboard::{Classic, ClassicBoard, Grid};
use afterstate_rules::{ClassicRules, Rules};

use super::protocol::Request;
use super::verdict::Fault;
use crate::agent::Agent;

/// A player of the contest: three functions, called in the order of RULES
/// section 2. Rows and columns are 0-based.
pub trait ContestPlayer {
    /// The game starts with a 2 in each of these two cells. Called once, first.
    fn init(&mut self, r1: usize, c1: usize, r2: usize, c2: usize);

    /// A new tile `x` appeared at row `r` and column `c`: called after each of
    /// the player's slides.
    fn generate(&mut self, r: usize, c: usize, x: i32);

    /// The slide that the player wants: 1 up, 2 right, 3 down, 4 left.
    ///
    /// *Errors*: whatever keeps it from giving a number. A number that is no
    /// legal slide is for the grader to find.
    fn sliderequest(&mut self) -> Result<i64, Fault>;

    /// The game is over. Not part of the statement; a player need not care.
    fn end(&mut self, largest: i32, score: i64) {
        let _ = (largest, score);
    }
}

/// What a player should be asked next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Init,
    Slide,
    Generate,
    Ended,
}

/// An agent as a contest player: it keeps the board that the calls tell of.
#[derive(Clone)]
pub struct AgentPlayer<A> {
    rules: ClassicRules,
    agent: A,
    board: ClassicBoard,
    phase: Phase,
}

impl<A: Agent<ClassicRules>> AgentPlayer<A> {
    /// A player for one game. `seed` is that of the agent's own choices.
    pub fn new(rules: ClassicRules, mut agent: A, seed: u64) -> AgentPlayer<A> {
        agent.start(seed);
        AgentPlayer {
            rules,
            agent,
            board: ClassicBoard::default(),
            phase: Phase::Init,
        }
    }

    /// Does what a request wants; the number of the slide for
    /// [`Request::Slide`].
    ///
    /// *Errors*: a request that cannot follow those before it. The player is
    /// then as it was.
    pub fn handle(&mut self, request: Request) -> Result<Option<i64>, RequestError> {
        let expected = match request {
            Request::Init { .. } => Phase::Init,
            Request::Generate { .. } => Phase::Generate,
            Request::Slide => Phase::Slide,
            // The grader alone knows when it ends a game.
            Request::End { .. } => {
                self.phase = Phase::Ended;
                return Ok(None);
            }
        };
        if self.phase != expected {
            return Err(RequestError::Order {
                accepted: self.phase.accepted(),
            });
        }
        match request {
            Request::Init { r1, c1, r2, c2 } => {
                let board = put(ClassicBoard::default(), r1, c1, 2)?;
                self.board = put(board, r2, c2, 2)?;
                self.phase = Phase::Slide;
            }
            Request::Generate { r, c, x } => {
                self.board = put(self.board, r, c, x)?;
                self.phase = Phase::Slide;
            }
            Request::Slide => return self.choose().map(Some),
            Request::End { .. } => (),
        }
        Ok(None)
    }

    fn choose(&mut self) -> Result<i64, RequestError> {
        if !self.rules.has_legal_slide(self.board) {
            return Err(RequestError::Over);
        }
        let slide = self.agent.choose(self.rules, self.board);
        self.board = self.rules.after(self.board, slide);
        self.phase = Phase::Generate;
        Ok(slide.idx() as i64 + 1)
    }
}

impl Phase {
    fn accepted(self) -> &'static str {
        match self {
            Phase::Init => "init",
            Phase::Slide => "slide or end",
            Phase::Generate => "generate",
            Phase::Ended => "nothing after end",
        }
    }
}

/// The board with a spawned tile more.
fn put(board: ClassicBoard, row: usize, col: usize, x: i32) -> Result<ClassicBoard, RequestError> {
    let cell = (row < Classic::ROWS && col < Classic::COLS)
        .then_some(row * Classic::COLS + col)
        .ok_or(RequestError::Cell { row, col })?;
    if board.cell(cell) != 0 {
        return Err(RequestError::Occupied { row, col });
    }
    let code = Classic::code(i64::from(x)).filter(|_| x == 2 || x == 4);
    Ok(board.put(cell, code.ok_or(RequestError::Tile { x })?))
}

/// Why a request cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// Something else is due.
    Order {
        /// What would be accepted.
        accepted: &'static str,
    },
    /// There is no such cell.
    Cell {
        /// The row.
        row: usize,
        /// The column.
        col: usize,
    },
    /// A tile appears where there is one.
    Occupied {
        /// The row, 0-based.
        row: usize,
        /// The column, 0-based.
        col: usize,
    },
    /// A tile that does not spawn in the contest.
    Tile {
        /// Its number.
        x: i32,
    },
    /// A slide is asked for when none is legal.
    Over,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Order { accepted } => write!(f, "out of turn, expected {accepted}"),
            RequestError::Cell { row, col } => {
                write!(f, "no cell ({row},{col}), expected rows and columns 0 to 3")
            }
            RequestError::Occupied { row, col } => {
                write!(f, "cell ({row},{col}) holds a tile, expected an empty one")
            }
            RequestError::Tile { x } => write!(f, "tile {x}, expected 2 or 4"),
            RequestError::Over => write!(f, "no slide is legal, expected end"),
        }
    }
}

impl std::error::Error for RequestError {}

/// *Panics*: where the calls do not come in the order of the trait, or tell of
/// tiles that cannot be.
impl<A: Agent<ClassicRules>> ContestPlayer for AgentPlayer<A> {
    fn init(&mut self, r1: usize, c1: usize, r2: usize, c2: usize) {
        self.handle(Request::Init { r1, c1, r2, c2 })
            .expect("a grader starts a game once, with two tiles on the board");
    }

    fn generate(&mut self, r: usize, c: usize, x: i32) {
        self.handle(Request::Generate { r, c, x })
            .expect("a grader tells of one tile after each slide");
    }

    fn sliderequest(&mut self) -> Result<i64, Fault> {
        let slide = self
            .handle(Request::Slide)
            .expect("a grader asks for a slide when one is legal");
        Ok(slide.expect("a request for a slide is answered"))
    }
}

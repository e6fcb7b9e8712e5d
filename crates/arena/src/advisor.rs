//! Advice on board after board of a game that somebody plays.

use core::fmt;

use afterstate_bitboard::{Board, BoardError, Slide};
use afterstate_play::{Agent, RandomAgent, agent_seed};
use afterstate_rules::{Rules, Spawns, Status, Variant};
use afterstate_search::Search;

use crate::agent_file::AgentFileError;
use crate::agent_kind::AgentKind;
use crate::agent_spec::AgentSpec;
use crate::build::Shared;
use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};
use crate::exact::{MiniTable, best, mini_board};

/// What an agent would do on a board, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice {
    /// The slide it would choose; `None` when the game has ended.
    pub slide: Option<Slide>,
    /// What it thinks of each slide, in the order of [`Slide::ALL`]; `None`
    /// where the slide is not legal.
    pub values: [Option<f64>; 4],
}

/// An agent that is asked about the boards of one game after the other, and
/// keeps what it has between them.
///
/// ```
/// use afterstate_arena::{Advisor, AgentSpec, LiveGame, Shared};
/// use afterstate_rules::Variant;
///
/// let mut game = LiveGame::new(Variant::Mini, 7);
/// let spec = AgentSpec::parse("heuristic", Variant::Mini)?;
/// let mut advisor = Advisor::load(&Shared::default(), Variant::Mini, &spec)?;
/// let advice = advisor.advise(&game.rows(), &mut || false)?;
/// assert!(game.slide(advice.slide.expect("the game goes on")).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Advisor {
    advises: Box<dyn Advises>,
}

impl Advisor {
    /// The agent, with what it plays by.
    ///
    /// *Errors*: the file that it plays by is not there or not what it needs.
    pub fn load(
        shared: &Shared,
        variant: Variant,
        spec: &AgentSpec,
    ) -> Result<Advisor, AgentFileError> {
        shared.load(variant, spec)?;
        let spawn_set = variant.spawn_sets().swap_remove(0);
        let visitor = Load {
            shared,
            variant,
            spec,
        };
        let advises = visit_variant(variant, &spawn_set, visitor)
            .expect("the default spawn set of a variant fits its board");
        Ok(Advisor { advises })
    }

    /// What the agent would do on the board of these numbers (as those of
    /// [`crate::LiveGame::rows`]), and why. As soon as `is_over` says so it
    /// answers from what it has seen; one ply it always looks ahead.
    ///
    /// *Errors*: no board of the variant.
    pub fn advise(
        &mut self,
        rows: &[Vec<i32>],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, BoardError> {
        let wide = |row: &Vec<i32>| row.iter().copied().map(i64::from).collect();
        let rows: Vec<Vec<i64>> = rows.iter().map(wide).collect();
        self.advises.advise(&rows, is_over)
    }
}

impl fmt::Debug for Advisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Advisor").finish_non_exhaustive()
    }
}

/// An advisor of whatever variant.
trait Advises: Send {
    fn advise(
        &mut self,
        rows: &[Vec<i64>],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, BoardError>;
}

struct Load<'a> {
    shared: &'a Shared,
    variant: Variant,
    spec: &'a AgentSpec,
}

impl VariantVisitor for Load<'_> {
    type Output = Box<dyn Advises>;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Box<dyn Advises> {
        let search = self.shared.search(self.spec, self.variant, rules, &spawns);
        let special = match self.spec.kind() {
            AgentKind::Random => Some(Special::Chance(RandomAgent::new(agent_seed(0)))),
            AgentKind::Exact => Some(Special::Table(self.shared.table(self.spec))),
            AgentKind::Greedy | AgentKind::Heuristic | AgentKind::Ntuple => None,
        };
        Box::new(AdvisorOf {
            rules,
            search,
            special,
        })
    }
}

/// What a search does not say of an agent.
enum Special {
    /// Among equal chances it does not choose the first.
    Chance(RandomAgent),
    /// It has more digits than a search.
    Table(MiniTable),
}

struct AdvisorOf<R: Rules> {
    rules: R,
    search: Box<dyn Search<R::Grid> + Send>,
    special: Option<Special>,
}

impl<R: Rules> Advises for AdvisorOf<R> {
    fn advise(
        &mut self,
        rows: &[Vec<i64>],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Advice, BoardError> {
        let board = Board::from_rows(rows)?;
        if self.rules.status(board) != Status::Playing {
            return Ok(Advice {
                slide: None,
                values: [None; 4],
            });
        }
        if let Some(Special::Table(table)) = &self.special {
            let values = table.slide_values(mini_board(board)).unwrap_or_default();
            let slide = best(&values);
            return Ok(Advice { slide, values });
        }
        let found = self.search.values_until(board, is_over);
        let slide = match &mut self.special {
            Some(Special::Chance(agent)) => Some(agent.choose(self.rules, board)),
            _ => found.best(),
        };
        Ok(Advice {
            slide,
            values: found.values.map(|value| value.map(f64::from)),
        })
    }
}

//! What an agent thinks of a board that somebody types.

use core::fmt;

use afterstate_bitboard::{Board, Grid, Slide};
use afterstate_rules::{Rules, SpawnSet, SpawnSetError, Spawns, Status, Variant};
use afterstate_search::{Search, SlideValues};

use crate::agent_file::AgentFileError;
use crate::agent_kind::AgentKind;
use crate::agent_spec::AgentSpec;
use crate::board_input::{BoardInputError, parse_board};
use crate::build::Shared;
use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};
use crate::exact::{MiniTable, best, mini_board};

/// An agent's view of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Hint {
    /// The board as text, in rows.
    pub board: String,
    /// Whether there is anything to advise.
    pub status: Status,
    /// What the agent thinks of each slide; no value where a slide is not
    /// legal, hence none once the game has ended.
    pub values: SlideValues,
    /// The same to all digits, where they are exact: of the agent `exact`.
    pub exact: Option<[Option<f64>; 4]>,
}

impl Hint {
    /// The slide that the agent would choose; `None` when the game has ended.
    /// Where it would leave the choice to chance, the first in the order of
    /// [`Slide::ALL`].
    pub fn slide(&self) -> Option<Slide> {
        match &self.exact {
            Some(values) => best(values),
            None => self.values.best(),
        }
    }
}

/// What the agent `spec` thinks of the board in `input` (see [`parse_board`]).
///
/// ```
/// use afterstate_arena::{AgentSpec, Shared, hint};
/// use afterstate_bitboard::Slide;
/// use afterstate_rules::Variant;
///
/// let greedy = AgentSpec::parse("greedy", Variant::Mini)?;
/// let hint = hint(&Shared::default(), Variant::Mini, &greedy, b"2 4 8\n2 4 .\n. . .\n")?;
/// assert_eq!(hint.slide(), Some(Slide::Up));
/// assert_eq!(hint.values.values, [Some(12.0), Some(0.0), Some(12.0), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// *Errors*: the input is no board of the variant, or the agent's file is not
/// what it needs, or a table that does not have it.
pub fn hint(
    shared: &Shared,
    variant: Variant,
    spec: &AgentSpec,
    input: &[u8],
) -> Result<Hint, HintError> {
    let spawn_set = variant.spawn_sets().swap_remove(0);
    hint_with_spawns(shared, variant, spec, &spawn_set, input)
        .expect("the default spawn set of a variant fits its board")
}

/// [`hint`] for a game in which other tiles spawn: a search looks ahead over
/// these, and the table of the agent `exact` must be of such games.
///
/// *Errors*: a set with tiles that the board does not have; within, what
/// [`hint`] says.
pub fn hint_with_spawns(
    shared: &Shared,
    variant: Variant,
    spec: &AgentSpec,
    spawn_set: &SpawnSet,
    input: &[u8],
) -> Result<Result<Hint, HintError>, SpawnSetError> {
    let visitor = HintVisitor {
        shared,
        variant,
        spec,
        spawn_set,
        input,
    };
    visit_variant(variant, spawn_set, visitor)
}

/// Why there is no hint.
#[derive(Debug)]
#[non_exhaustive]
pub enum HintError {
    /// The input is no board of the variant.
    Board(BoardInputError),
    /// The file that the agent plays by.
    Agent(AgentFileError),
    /// The table of the agent has no value for the board.
    NotInTable,
}

impl fmt::Display for HintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HintError::Board(error) => error.fmt(f),
            HintError::Agent(error) => error.fmt(f),
            HintError::NotInTable => f.write_str(
                "the table has no value for this board, expected one that a game can come to",
            ),
        }
    }
}

impl std::error::Error for HintError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            HintError::Board(error) => error.source(),
            HintError::Agent(error) => error.source(),
            HintError::NotInTable => None,
        }
    }
}

struct HintVisitor<'a> {
    shared: &'a Shared,
    variant: Variant,
    spec: &'a AgentSpec,
    spawn_set: &'a SpawnSet,
    input: &'a [u8],
}

impl VariantVisitor for HintVisitor<'_> {
    type Output = Result<Hint, HintError>;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Self::Output {
        self.shared
            .load_for(self.variant, self.spec, self.spawn_set)
            .map_err(HintError::Agent)?;
        let board: Board<R::Grid> = parse_board(self.input).map_err(HintError::Board)?;
        let status = rules.status(board);
        let values = match status {
            Status::Playing => self
                .shared
                .search(self.spec, self.variant, rules, &spawns)
                .values(board),
            // A cleared board may have slides that would change it, but no
            // game goes on there.
            Status::Cleared | Status::Over => SlideValues::default(),
        };
        let exact = match self.spec.kind() {
            AgentKind::Exact => {
                let table = self.shared.table(self.spec);
                let values = table.slide_values(mini_board(board));
                Some(values.ok_or(HintError::NotInTable)?)
            }
            _ => None,
        };
        Ok(Hint {
            board: board.to_string(),
            status,
            values,
            exact,
        })
    }
}

/// Values slides as the agent `random` does: by the chance to be chosen.
pub(crate) struct EvenChances<R>(pub(crate) R);

impl<R: Rules> Search<R::Grid> for EvenChances<R> {
    fn values(&mut self, board: Board<R::Grid>) -> SlideValues {
        let legal = Slide::ALL.map(|slide| self.0.after(board, slide) != board);
        let n_legal = legal.iter().filter(|&&is_legal| is_legal).count();
        SlideValues {
            values: legal.map(|is_legal| is_legal.then_some(1.0 / n_legal as f32)),
        }
    }

    fn forget(&mut self) {}
}

/// Values slides as the agent `exact` does; as all searches do, in single
/// precision. A board that no game comes to has no values.
pub(crate) struct TableValues(pub(crate) MiniTable);

impl<G: Grid> Search<G> for TableValues {
    fn values(&mut self, board: Board<G>) -> SlideValues {
        let values = self.0.slide_values(mini_board(board)).unwrap_or_default();
        SlideValues {
            values: values.map(|value| value.map(|value| value as f32)),
        }
    }

    fn forget(&mut self) {}
}

/// Values slides as the agent `greedy` does: by their gain.
pub(crate) struct Gains<R>(pub(crate) R);

impl<R: Rules> Search<R::Grid> for Gains<R> {
    fn values(&mut self, board: Board<R::Grid>) -> SlideValues {
        let afters = self.0.apply_all(board);
        SlideValues {
            values: afters.map(|after| after.map(|after| after.gain as f32)),
        }
    }

    fn forget(&mut self) {}
}

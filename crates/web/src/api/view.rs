//! Answers about games, as they are written in JSON.

use std::collections::BTreeMap;

use afterstate_arena::{Advice, AgentKind, LiveGame, Look};
use afterstate_bitboard::Slide;
use afterstate_rules::Status;
use serde::Serialize;

use crate::error::ApiError;
use crate::seats::Seat;
use crate::table::{Step, status_name};

/// A game as its player sees it. The seed is not among it: it tells what spawns.
#[derive(Debug, Serialize)]
pub(super) struct GameView {
    id: String,
    variant: &'static str,
    #[serde(flatten)]
    position: PositionView,
    automatic: bool,
    undone: bool,
    /// The visitor's record in this variant.
    best: Option<i64>,
    /// Number of the result, once it is listed.
    record: Option<i64>,
}

/// Where a game stands.
#[derive(Debug, Serialize)]
pub(super) struct PositionView {
    board: Vec<Vec<i32>>,
    score: i64,
    slides: usize,
    status: &'static str,
    largest: i32,
    legal: Vec<&'static str>,
}

impl From<&LiveGame> for PositionView {
    fn from(game: &LiveGame) -> PositionView {
        let legal = Slide::ALL.into_iter().filter(|&slide| game.is_legal(slide));
        PositionView {
            board: game.rows(),
            score: game.score(),
            slides: game.slides().len(),
            status: status_name(game.status()),
            largest: game.largest(),
            legal: legal.map(Slide::name).collect(),
        }
    }
}

impl GameView {
    pub(super) fn of(seat: &Seat) -> Result<GameView, ApiError> {
        let game = seat.game()?;
        let counts = !seat.is_automatic && !seat.is_undone;
        let is_over = game.status() != Status::Playing;
        // The old record stays to be seen until the game has ended.
        let own = (counts && is_over).then_some(game.score());
        Ok(GameView {
            id: seat.id.clone(),
            variant: seat.variant.name(),
            automatic: seat.is_automatic,
            undone: seat.is_undone,
            best: seat.best.max(own),
            record: seat.record,
            position: game.into(),
        })
    }
}

/// What a slide did, for the page to show.
#[derive(Debug, Serialize)]
pub(super) struct StepView {
    slide: &'static str,
    gain: i32,
    /// Old and new cell of each tile; two with the same new cell merge.
    tracks: Vec<(usize, usize)>,
    spawn: Option<SpawnView>,
}

/// A tile that appeared.
#[derive(Debug, Serialize)]
struct SpawnView {
    cell: usize,
    tile: i32,
}

impl From<Step> for StepView {
    fn from(step: Step) -> StepView {
        StepView {
            slide: step.slide.name(),
            gain: step.gain,
            tracks: step.tracks.iter().map(|way| (way.from, way.to)).collect(),
            spawn: step.spawned.map(|(cell, tile)| SpawnView { cell, tile }),
        }
    }
}

/// What slides did, and where the game stands now.
#[derive(Debug, Serialize)]
pub(super) struct PlayedView {
    pub(super) steps: Vec<StepView>,
    pub(super) game: GameView,
}

/// A position of a game that is shown again, and the slide that led to it.
#[derive(Debug, Serialize)]
pub(super) struct PlyView {
    /// `None` for the opening.
    pub(super) step: Option<StepView>,
    pub(super) automatic: bool,
    pub(super) board: Vec<Vec<i32>>,
    pub(super) score: i64,
}

/// A hint: the slide, and why.
#[derive(Debug, Serialize)]
pub(super) struct HintView {
    slide: Option<&'static str>,
    /// What the values are: `points` still to come, points that are worth
    /// comparing with each other only (`worth`), `gains`, or `chances`.
    unit: &'static str,
    values: BTreeMap<&'static str, Option<f32>>,
    looks: BTreeMap<&'static str, Option<LookView>>,
}

#[derive(Debug, Serialize)]
struct LookView {
    gain: i32,
    empty: u32,
    corner: bool,
    order: bool,
}

impl From<Look> for LookView {
    fn from(look: Look) -> LookView {
        LookView {
            gain: look.gain,
            empty: look.n_empty,
            corner: look.in_corner,
            order: look.in_order,
        }
    }
}

impl HintView {
    pub(super) fn new(kind: AgentKind, advice: &Advice, looks: [Option<Look>; 4]) -> HintView {
        // Searches have no more digits.
        let values = advice.values.map(|value| value.map(|value| value as f32));
        HintView {
            slide: advice.slide.map(Slide::name),
            unit: match kind {
                AgentKind::Random => "chances",
                AgentKind::Greedy => "gains",
                AgentKind::Heuristic => "worth",
                AgentKind::Ntuple | AgentKind::Exact => "points",
            },
            values: by_name(values),
            looks: by_name(looks.map(|look| look.map(LookView::from))),
        }
    }
}

/// What is in the order of [`Slide::ALL`], by the slides' names.
fn by_name<T>(of_slides: [T; 4]) -> BTreeMap<&'static str, T> {
    let names = Slide::ALL.into_iter().map(Slide::name);
    names.zip(of_slides).collect()
}

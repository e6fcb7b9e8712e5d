//! Answers about games, as they are written in JSON.

use std::collections::BTreeMap;

use afterstate_arena::AgentKind;
use afterstate_bitboard::Slide;
use afterstate_rules::Status;
use afterstate_search::SlideValues;
use serde::Serialize;

use crate::error::ApiError;
use crate::seats::Seat;
use crate::table::{Look, Position, Step, status_name};

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
    slides: u32,
    status: &'static str,
    largest: i32,
    legal: Vec<&'static str>,
}

impl From<Position> for PositionView {
    fn from(position: Position) -> PositionView {
        PositionView {
            board: position.rows,
            score: position.score,
            slides: position.n_slides,
            status: status_name(position.status),
            largest: position.largest,
            legal: position.legal.into_iter().map(Slide::name).collect(),
        }
    }
}

impl GameView {
    pub(super) fn of(seat: &Seat) -> Result<GameView, ApiError> {
        let position = seat.game()?.position();
        let counts = !seat.is_automatic && !seat.is_undone;
        let is_over = position.status != Status::Playing;
        // The old record stays to be seen until the game has ended.
        let own = (counts && is_over).then_some(position.score);
        Ok(GameView {
            id: seat.id.clone(),
            variant: seat.variant.name(),
            automatic: seat.is_automatic,
            undone: seat.is_undone,
            best: seat.best.max(own),
            record: seat.record,
            position: position.into(),
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
    pub(super) fn new(kind: AgentKind, values: &SlideValues, looks: [Option<Look>; 4]) -> HintView {
        let by_slide = Slide::ALL.into_iter().zip(looks);
        HintView {
            slide: values.best().map(Slide::name),
            unit: match kind {
                AgentKind::Random => "chances",
                AgentKind::Greedy => "gains",
                AgentKind::Heuristic => "worth",
                AgentKind::Ntuple | AgentKind::Exact => "points",
            },
            values: Slide::ALL
                .into_iter()
                .map(|slide| (slide.name(), values.of(slide)))
                .collect(),
            looks: by_slide
                .map(|(slide, look)| (slide.name(), look.map(LookView::from)))
                .collect(),
        }
    }
}

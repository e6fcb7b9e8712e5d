//! Visitors, their names, and the leaderboard.

use std::collections::BTreeMap;
use std::sync::Arc;

use afterstate_arena::LiveGame;
use afterstate_rules::Variant;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::view::PlyView;
use super::{App, body, unbroken, variant};
use crate::error::{ApiError, json_response};
use crate::session::{TokenHash, token_hash};
use crate::store::games::{self, StoredGame};
use crate::store::names::{self, NameRefusal, Named};
use crate::store::records::{self, Record, SubmitRefusal};
use crate::store::{Durability, StoreError};
use crate::table::{slide_of, step};

/// Positions of a replay in one answer.
const MAX_PLIES: usize = 256;

#[derive(Debug, Serialize)]
struct NameView {
    name: String,
    fixed_until_ms: i64,
}

impl From<Named> for NameView {
    fn from(named: Named) -> NameView {
        NameView {
            name: named.name,
            fixed_until_ms: named.fixed_until_ms,
        }
    }
}

#[derive(Debug, Serialize)]
struct SessionView {
    name: Option<NameView>,
    /// The last game of each variant.
    games: BTreeMap<String, String>,
    /// The record in each variant.
    bests: BTreeMap<String, i64>,
    now_ms: i64,
}

/// `GET /api/session`: what is known of the visitor. Nothing is noted, and no
/// cookie given: that is for the first game.
pub(super) async fn session(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let owner = token_hash(&headers);
    let now_ms = app.now_ms();
    let session = app.store.run(Durability::Usual, move |connection| {
        let mut session = SessionView {
            name: None,
            games: BTreeMap::new(),
            bests: BTreeMap::new(),
            now_ms,
        };
        let visitor = match owner {
            Some(owner) => games::visitor_of(connection, &owner)?,
            None => None,
        };
        if let Some(visitor) = visitor {
            session.name = names::name_of(connection, visitor)?.map(NameView::from);
            session
                .games
                .extend(games::last_games(connection, visitor)?);
            session.bests.extend(games::bests(connection, visitor)?);
        }
        Ok(session)
    });
    Ok(json_response(StatusCode::OK, &session.await?))
}

/// The visitor of a token, if the server knows it.
async fn visitor(app: &App, owner: Option<TokenHash>) -> Result<i64, ApiError> {
    let found = match owner {
        Some(owner) => {
            app.store
                .run(Durability::Usual, move |connection| {
                    games::visitor_of(connection, &owner)
                })
                .await?
        }
        None => None,
    };
    found.ok_or_else(|| {
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "no_visitor",
            "this browser has played no game here yet, expected the cookie of one that has",
        )
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NameBody {
    name: String,
}

/// `POST /api/name`: takes a name.
pub(super) async fn name(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, ApiError> {
    let wanted: NameBody = body(&headers, &bytes)?;
    if !names::is_name(&wanted.name) {
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "no_name",
            "field `name`: expected 2 to 14 letters (a to z, A to Z), digits and underscores",
        ));
    }
    let visitor = visitor(&app, token_hash(&headers)).await?;
    let now_ms = app.now_ms();
    let taken = app.store.run(Durability::Lasting, move |connection| {
        names::take_name(connection, visitor, &wanted.name, now_ms)
    });
    match taken.await? {
        Ok(named) => Ok(json_response(StatusCode::OK, &NameView::from(named))),
        Err(NameRefusal::Taken) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "name_taken",
            "field `name`: another browser has this name, expected one that is free",
        )),
        Err(NameRefusal::Fixed { until_ms }) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "name_fixed",
            "field `name`: a name is fixed for 30 days",
        )
        .with(json!({ "fixed_until_ms": until_ms }))),
    }
}

/// Nothing: the server knows score and name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EmptyBody {}

/// `POST /api/games/ID/submit`: lists a game that has ended.
pub(super) async fn submit(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, ApiError> {
    let EmptyBody {} = body(&headers, &bytes)?;
    let mut seat = app
        .seats
        .take(&app.store, &game, token_hash(&headers))
        .await?;
    let submitted = unbroken(async move {
        let now_ms = app.now_ms();
        let visitor = seat.visitor;
        let submitted = app.store.run(Durability::Lasting, move |connection| {
            records::submit(connection, visitor, &game, now_ms)
        });
        let submitted = submitted.await?;
        seat.record = match submitted {
            Ok(record) | Err(SubmitRefusal::Twice(record)) => Some(record),
            Err(_) => None,
        };
        submitted.map_err(refusal)
    });
    let record = submitted.await?;
    Ok(json_response(
        StatusCode::CREATED,
        &json!({ "record": record }),
    ))
}

fn refusal(refusal: SubmitRefusal) -> ApiError {
    let conflict = |code, message: &str| ApiError::new(StatusCode::CONFLICT, code, message);
    match refusal {
        SubmitRefusal::NoGame => ApiError::no_game(),
        SubmitRefusal::Playing => conflict("playing", "the game has not ended"),
        SubmitRefusal::Undone => conflict("undone", "games with slides taken back are not listed"),
        SubmitRefusal::Twice(record) => {
            conflict("twice", "the game was submitted before").with(json!({ "record": record }))
        }
        SubmitRefusal::NoName => conflict("unnamed", "expected a name to be taken first"),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeaderboardQuery {
    variant: String,
}

#[derive(Debug, Serialize)]
struct RecordView {
    record: i64,
    /// `None` for the automatic mode.
    name: Option<String>,
    score: i64,
    largest: i32,
    slides: i64,
    submitted_at_ms: i64,
    own: bool,
}

impl From<Record> for RecordView {
    fn from(record: Record) -> RecordView {
        RecordView {
            record: record.id,
            name: record.name,
            score: record.score,
            largest: record.largest,
            slides: record.n_slides,
            submitted_at_ms: record.submitted_at_ms,
            own: record.is_own,
        }
    }
}

fn query<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, ApiError> {
    let Query(query) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    Ok(query)
}

/// `GET /api/leaderboard?variant=V`.
pub(super) async fn leaderboard(
    State(app): State<Arc<App>>,
    wanted: Result<Query<LeaderboardQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let variant = variant(&query(wanted)?.variant)?;
    let now_ms = app.now_ms();
    let owner = token_hash(&headers);
    let listed = app.store.run(Durability::Usual, move |connection| {
        let visitor = match owner {
            Some(owner) => games::visitor_of(connection, &owner)?,
            None => None,
        };
        records::list(connection, variant.name(), visitor, now_ms)
    });
    let listed: Vec<RecordView> = listed.await?.into_iter().map(RecordView::from).collect();
    Ok(json_response(
        StatusCode::OK,
        &json!({"variant": variant.name(), "records": listed}),
    ))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplayQuery {
    from: usize,
    count: usize,
}

/// `GET /api/records/N/plies?from=I&count=K`: positions of a listed game, the
/// opening being number 0.
pub(super) async fn replay(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    wanted: Result<Query<ReplayQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let wanted = query(wanted)?;
    if !(1..=MAX_PLIES).contains(&wanted.count) {
        return Err(ApiError::bad_request(format!(
            "query `count`: {}, expected 1 to {MAX_PLIES}",
            wanted.count
        )));
    }
    let now_ms = app.now_ms();
    let no_record = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "no_record",
            "no such result is listed, expected the number of one that is",
        )
    };
    let record: i64 = record.parse().map_err(|_| no_record())?;
    let found = app.store.run(Durability::Usual, move |connection| {
        records::game_of(connection, record, now_ms)
    });
    let stored = found.await?.ok_or_else(no_record)?;
    // A long game takes some milliseconds, which are not the slides' to wait.
    let view = tokio::task::spawn_blocking(move || replayed(&stored, &wanted));
    let view = view.await.map_err(|_| StoreError::Closed)??;
    Ok(json_response(StatusCode::OK, &view))
}

fn replayed(stored: &StoredGame, wanted: &ReplayQuery) -> Result<serde_json::Value, ApiError> {
    let damaged = || ApiError::unavailable("the game is damaged and cannot be shown");
    let row = &stored.row;
    let variant: Variant = row.variant.parse().map_err(|_| damaged())?;
    let mut game = LiveGame::new(variant, row.seed);
    let until = wanted.from.saturating_add(wanted.count);
    let mut plies = Vec::new();
    let letters = stored.letters.as_bytes();
    for number in 0..=letters.len().min(until.saturating_sub(1)) {
        let mut made = None;
        let mut automatic = false;
        if let Some(before) = number.checked_sub(1) {
            let (slide, is_automatic) = slide_of(letters[before]).ok_or_else(damaged)?;
            automatic = is_automatic;
            made = match number < wanted.from {
                // Nobody looks at this one.
                true => game.slide(slide).map(|_| None),
                false => step(&mut game, slide).map(Some),
            }
            .ok_or_else(damaged)?;
        }
        if number >= wanted.from {
            plies.push(PlyView {
                step: made.map(Into::into),
                automatic,
                board: game.rows(),
                score: game.score(),
            });
        }
    }
    Ok(json!({
        "variant": row.variant,
        "spawns": row.spawn_set,
        "seed": row.seed,
        "slides": letters.len(),
        "score": row.progress.score,
        "status": row.progress.status,
        "plies": plies,
    }))
}

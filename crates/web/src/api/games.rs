//! Games: begun, shown, played.

use std::sync::Arc;
use std::time::Instant;

use afterstate_arena::LiveGame;
use afterstate_bitboard::Slide;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::{Extension, http};
use serde::Deserialize;

use super::view::{GameView, HintView, PlayedView};
use super::{App, Peer, body, unbroken, variant};
use crate::error::{ApiError, json_response};
use crate::seats::{NewGame, Seat, Taken, store_change};
use crate::session::{hex, new_token, random, set_cookie, token_hash};
use crate::store::Durability;
use crate::store::games::{self, GameRow, Progress};
use crate::table::{advice, play_on, status_name, step};
use crate::think::ThinkRefusal;

/// Slides that one request of the automatic mode may ask for.
const MAX_AUTOMATIC: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CreateBody {
    variant: String,
}

/// A slide, and how many the player has seen made: a request that was sent twice
/// or came late says another number, and changes nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SlideBody {
    slide: String,
    slides: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AutomaticBody {
    slides: usize,
    count: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AtBody {
    slides: usize,
}

/// `POST /api/games`: begins a game in place of the visitor's running one of the
/// variant; a browser without a cookie becomes a visitor.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(Peer(address)): Extension<Peer>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, ApiError> {
    let wanted: CreateBody = body(&headers, &bytes)?;
    let variant = variant(&wanted.variant)?;
    let now_ms = app.now_ms();
    let known = token_hash(&headers);
    if known.is_some_and(|owner| !app.games.take(owner, now_ms)) {
        return Err(ApiError::too_many("too many new games, wait some seconds"));
    }
    // A token that the server does not know is another server's, or was
    // forgotten: it is not adopted, since whoever made it may have chosen it.
    let visitor = match known {
        Some(owner) => {
            let found = app.store.run(Durability::Usual, move |connection| {
                games::visitor_of(connection, &owner)
            });
            found.await?.map(|visitor| (visitor, owner))
        }
        None => None,
    };
    if visitor.is_none() && !app.visitors.take(address, now_ms) {
        return Err(ApiError::too_many("too many new visitors, wait a minute"));
    }
    let (token, new_hash) = new_token()?;
    let is_new = visitor.is_none();
    let owner = visitor.map_or(new_hash, |(_, owner)| owner);
    let game = unbroken(begin(Arc::clone(&app), visitor, owner, variant, now_ms)).await?;
    let mut response = json_response(StatusCode::CREATED, &game);
    if is_new {
        let cookie = HeaderValue::from_str(&set_cookie(&token, &headers))
            .expect("a cookie of hexadecimal digits is a header's value");
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

async fn begin(
    app: Arc<App>,
    visitor: Option<(i64, [u8; 32])>,
    owner: [u8; 32],
    variant: afterstate_rules::Variant,
    now_ms: i64,
) -> Result<GameView, ApiError> {
    // As long as every reader of JSON keeps it exactly.
    let seed = u64::from_le_bytes(random()?) >> 11;
    let id = hex(&random::<16>()?);
    let game = LiveGame::new(variant, seed);
    let sweeps = app.is_sweep_due(now_ms);
    let mut row = GameRow {
        id: id.clone(),
        visitor: visitor.map_or(0, |(visitor, _)| visitor),
        variant: variant.name().to_owned(),
        spawn_set: variant.spawn_sets()[0].name().to_owned(),
        seed,
        progress: Progress {
            n_slides: 0,
            score: game.score(),
            largest: game.largest(),
            status: status_name(game.status()),
            is_automatic: false,
            is_undone: false,
        },
    };
    let (row, best) = app
        .store
        .run(Durability::Usual, move |connection| {
            if sweeps {
                games::sweep(connection, now_ms)?;
            }
            if visitor.is_none() {
                row.visitor = games::add_visitor(connection, &owner, now_ms)?;
            }
            games::add_game(connection, &row, now_ms)?;
            let best = games::best(connection, row.visitor, &row.variant)?;
            Ok((row, best))
        })
        .await?;
    app.seats.add(NewGame {
        row,
        owner,
        variant,
        game,
        best,
    });
    let seat = app.seats.take(&app.store, &id, Some(owner)).await?;
    GameView::of(&seat)
}

/// `GET /api/games/ID`.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let seat = take(&app, &id, &headers).await?;
    Ok(json_response(StatusCode::OK, &GameView::of(&seat)?))
}

async fn take(app: &App, id: &str, headers: &HeaderMap) -> Result<Taken, ApiError> {
    app.seats.take(&app.store, id, token_hash(headers)).await
}

/// Refuses what was meant for another position of the game.
fn check_slides(seat: &Seat, slides: usize) -> Result<(), ApiError> {
    let made = seat.history.len();
    if slides == made {
        return Ok(());
    }
    let message = format!("field `slides`: {slides}, but the game has had {made}");
    Err(conflict(seat, "other_position", message))
}

/// A refusal that brings the game as it stands, for the page to go on from.
fn conflict(seat: &Seat, code: &'static str, message: impl Into<String>) -> ApiError {
    let error = ApiError::new(StatusCode::CONFLICT, code, message);
    match GameView::of(seat) {
        Ok(game) => error.with(serde_json::json!({ "game": game })),
        Err(_) => error,
    }
}

/// `POST /api/games/ID/slides`: one slide of the player's.
pub(super) async fn slide(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, ApiError> {
    let wanted: SlideBody = body(&headers, &bytes)?;
    let slide: Slide = wanted
        .slide
        .parse()
        .map_err(|error| ApiError::bad_request(format!("field `slide`: {error}")))?;
    let mut seat = take(&app, &id, &headers).await?;
    let played = unbroken(async move {
        check_slides(&seat, wanted.slides)?;
        let Some(step) = step(seat.game_mut()?, slide) else {
            return Err(match seat.game()?.status() {
                afterstate_rules::Status::Playing => {
                    conflict(&seat, "not_legal", "this slide changes nothing")
                }
                _ => conflict(&seat, "ended", "the game has ended"),
            });
        };
        seat.note(std::slice::from_ref(&step), false);
        store_change(&app.store, &mut seat, wanted.slides, app.now_ms()).await?;
        Ok(PlayedView {
            steps: vec![step.into()],
            game: GameView::of(&seat)?,
        })
    });
    Ok(json_response(StatusCode::OK, &played.await?))
}

fn refusal(refusal: ThinkRefusal) -> ApiError {
    match refusal {
        ThinkRefusal::OneAtATime => {
            ApiError::too_many("one hint or automatic slide of a visitor at a time")
        }
        ThinkRefusal::Busy => ApiError::unavailable("too many think at the moment, try again"),
    }
}

/// `POST /api/games/ID/automatic`: slides of the automatic mode.
pub(super) async fn automatic(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, ApiError> {
    let wanted: AutomaticBody = body(&headers, &bytes)?;
    if !(1..=MAX_AUTOMATIC).contains(&wanted.count) {
        return Err(ApiError::bad_request(format!(
            "field `count`: {}, expected 1 to {MAX_AUTOMATIC}",
            wanted.count
        )));
    }
    let mut seat = take(&app, &id, &headers).await?;
    let played = unbroken(async move {
        check_slides(&seat, wanted.slides)?;
        let mut game = seat
            .game
            .take()
            .ok_or_else(|| ApiError::unavailable("the game is being read, try again"))?;
        let time = app.config.limits.think_time;
        let thought = app
            .thinkers
            .think(seat.visitor, seat.variant, move |advisor| {
                let steps = play_on(&mut game, advisor, wanted.count, Instant::now() + time);
                (game, steps)
            });
        // Without the game the next request reads it anew.
        let (game, steps) = thought.await.map_err(refusal)?;
        seat.game = Some(game);
        if steps.is_empty() {
            return Err(conflict(&seat, "ended", "the game has ended"));
        }
        seat.note(&steps, true);
        store_change(&app.store, &mut seat, wanted.slides, app.now_ms()).await?;
        Ok(PlayedView {
            steps: steps.into_iter().map(Into::into).collect(),
            game: GameView::of(&seat)?,
        })
    });
    Ok(json_response(StatusCode::OK, &played.await?))
}

/// `POST /api/games/ID/undo`: takes back the last slide. The game counts as
/// cheated from then on.
pub(super) async fn undo(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, ApiError> {
    let wanted: AtBody = body(&headers, &bytes)?;
    let mut seat = take(&app, &id, &headers).await?;
    let game = unbroken(async move {
        check_slides(&seat, wanted.slides)?;
        if seat.record.is_some() {
            return Err(conflict(&seat, "listed", "the game is on the leaderboard"));
        }
        if !seat.game_mut()?.undo() {
            return Err(conflict(&seat, "opening", "there is no slide to take back"));
        }
        seat.history.pop();
        seat.is_undone = true;
        let from = seat.history.len();
        store_change(&app.store, &mut seat, from, app.now_ms()).await?;
        GameView::of(&seat)
    });
    Ok(json_response(StatusCode::OK, &game.await?))
}

/// `POST /api/games/ID/hint`: the slide that the agent would make, and why. It
/// changes nothing, but it is no GET, so that no other page can have it asked.
pub(super) async fn hint(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<http::Response<axum::body::Body>, ApiError> {
    let wanted: AtBody = body(&headers, &bytes)?;
    let mut seat = take(&app, &id, &headers).await?;
    let hint = unbroken(async move {
        check_slides(&seat, wanted.slides)?;
        let game = seat
            .game
            .take()
            .ok_or_else(|| ApiError::unavailable("the game is being read, try again"))?;
        let looks = game.looks();
        if looks.iter().all(Option::is_none) {
            seat.game = Some(game);
            return Err(conflict(&seat, "ended", "the game has ended"));
        }
        let thought = app
            .thinkers
            .think(seat.visitor, seat.variant, move |advisor| {
                let advice = advice(&game, advisor);
                (game, advice)
            });
        let (game, advice) = thought.await.map_err(refusal)?;
        seat.game = Some(game);
        let kind = app.specs[&seat.variant].kind();
        Ok(HintView::new(kind, &advice, looks))
    });
    Ok(json_response(StatusCode::OK, &hint.await?))
}

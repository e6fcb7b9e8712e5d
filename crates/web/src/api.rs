//! The JSON interface of `docs/api.md`.

mod games;
mod guard;
mod players;
mod view;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use afterstate_arena::{AgentSpec, LiveGame};
use afterstate_rules::Variant;
use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;

use crate::clock::Clock;
use crate::config::Config;
use crate::error::{ApiError, json_response};
use crate::page;
use crate::rate::Buckets;
use crate::seats::Seats;
use crate::session::TokenHash;
use crate::store::Store;
use crate::table::OFFERED;
use crate::think::Thinkers;

/// How often old results and games are looked for.
const SWEEP_MS: i64 = 60 * 60 * 1000;

/// What all requests share.
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) seats: Seats,
    pub(crate) thinkers: Thinkers,
    pub(crate) config: Config,
    pub(crate) specs: BTreeMap<Variant, AgentSpec>,
    pub(crate) requests: Buckets<TokenHash>,
    pub(crate) games: Buckets<TokenHash>,
    pub(crate) visitors: Buckets<IpAddr>,
    swept_at_ms: AtomicI64,
}

/// The address that a request comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl App {
    pub(crate) fn new(
        config: Config,
        store: Store,
        specs: BTreeMap<Variant, AgentSpec>,
    ) -> std::io::Result<App> {
        // Builds the tables of the rules, for which no request then waits.
        for variant in OFFERED {
            let _ = LiveGame::new(variant, 0);
        }
        let limits = &config.limits;
        Ok(App {
            store,
            seats: Seats::new(limits.live_games),
            thinkers: Thinkers::start(limits.thinkers, limits.thoughts, &specs)?,
            requests: Buckets::new(limits.requests),
            games: Buckets::new(limits.games),
            visitors: Buckets::new(limits.visitors),
            config,
            specs,
            swept_at_ms: AtomicI64::new(i64::MIN),
        })
    }

    pub(crate) fn now_ms(&self) -> i64 {
        let clock: &dyn Clock = self.config.clock.as_ref();
        clock.now_ms()
    }

    /// Whether it is time to look for what is too old; whoever is told so does.
    fn is_sweep_due(&self, now_ms: i64) -> bool {
        let last = self.swept_at_ms.load(Ordering::Relaxed);
        let is_due = last == i64::MIN || now_ms - last >= SWEEP_MS;
        is_due
            && self
                .swept_at_ms
                .compare_exchange(last, now_ms, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }
}

/// All routes.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .route("/api/session", get(players::session))
        .route("/api/name", post(players::name))
        .route("/api/leaderboard", get(players::leaderboard))
        .route("/api/records/{record}/plies", get(players::replay))
        .route("/api/health", get(health))
        .route("/api/games", post(games::create))
        .route("/api/games/{game}", get(games::show))
        .route("/api/games/{game}/slides", post(games::slide))
        .route("/api/games/{game}/automatic", post(games::automatic))
        .route("/api/games/{game}/undo", post(games::undo))
        .route("/api/games/{game}/hint", post(games::hint))
        .route("/api/games/{game}/submit", post(players::submit))
        .merge(page::routes())
        .fallback(no_such_page)
        .method_not_allowed_fallback(no_such_method)
        .layer(DefaultBodyLimit::max(app.config.limits.body_bytes))
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(app),
            guard::guard,
        ))
        .with_state(Arc::clone(app))
}

async fn health() -> axum::response::Response {
    let version = env!("CARGO_PKG_VERSION");
    json_response(
        StatusCode::OK,
        &serde_json::json!({"status": "ok", "version": version}),
    )
}

async fn no_such_page() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "no_page",
        "no such address, expected / or one of docs/api.md",
    )
}

async fn no_such_method() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "no_method",
        "this address does not take this method, see the header `allow`",
    )
}

/// The body of a request, as JSON of the type that is expected and nothing else.
fn body<T: DeserializeOwned>(headers: &HeaderMap, bytes: &Bytes) -> Result<T, ApiError> {
    // Forms of other sites cannot send this type.
    let is_json = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !is_json {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "no_json",
            "expected a body with content-type application/json",
        ));
    }
    serde_json::from_slice(bytes).map_err(|error| ApiError::bad_request(format!("body: {error}")))
}

/// A variant that the page offers.
fn variant(name: &str) -> Result<Variant, ApiError> {
    let found = OFFERED.into_iter().find(|variant| variant.name() == name);
    found.ok_or_else(|| ApiError::bad_request("field `variant`: expected akioi, classic or mini"))
}

/// Runs `work` to its end even if the browser goes away meanwhile, so that what
/// is in memory stays what is stored.
async fn unbroken<T: Send + 'static>(
    work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::spawn(work).await {
        Ok(result) => result,
        Err(error) => {
            crate::log::fault(&format!("a request ended early: {error}"));
            Err(ApiError::unavailable("something went wrong, try again"))
        }
    }
}

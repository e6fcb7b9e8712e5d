//! Refusals, as a status, a code for the page and a line for people.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use serde_json::json;

use crate::store::StoreError;

/// An answer that is no success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    /// What the page, or a script, goes by.
    pub(crate) code: &'static str,
    /// What is wrong and what would be accepted.
    pub(crate) message: String,
    /// More that goes with the code.
    pub(crate) details: Option<Box<serde_json::Value>>,
}

impl ApiError {
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
    ) -> ApiError {
        ApiError {
            status,
            code,
            message: message.into(),
            details: None,
        }
    }

    /// A request that cannot be understood.
    pub(crate) fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// A game that does not exist, or is another browser's: which of both is
    /// not told.
    pub(crate) fn no_game() -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "no_game",
            "this browser has no such game, expected the id of one that it began",
        )
    }

    /// A request that comes too soon.
    pub(crate) fn too_many(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
    }

    /// What is not the visitor's fault.
    pub(crate) fn unavailable(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }

    pub(crate) fn with(mut self, details: serde_json::Value) -> ApiError {
        self.details = Some(Box::new(details));
        self
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        crate::log::fault(&error.to_string());
        // Without the database's own words, which are not for visitors.
        ApiError::unavailable("nothing was stored, try again")
    }
}

impl From<getrandom::Error> for ApiError {
    fn from(error: getrandom::Error) -> ApiError {
        crate::log::fault(&format!("no random bytes from the system: {error}"));
        ApiError::unavailable("no random numbers, try again")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(details) = self.details {
            error["details"] = *details;
        }
        let mut response = json_response(self.status, &json!({ "error": error }));
        let may_retry = matches!(
            self.status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        );
        if may_retry {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// An answer in JSON.
pub(crate) fn json_response(status: StatusCode, value: &impl serde::Serialize) -> Response<Body> {
    let text = serde_json::to_string(value).expect("answers are plain values");
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

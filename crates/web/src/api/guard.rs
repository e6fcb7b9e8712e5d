//! What every request passes: whether it comes from our own page and not too
//! often, and what browsers are told about every answer.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use crate::error::ApiError;
use crate::log;
use crate::session::token_hash;

/// What browsers are told about every answer: nothing but our own files and
/// requests, no frame around the page, no guesses about types.
const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Lets a request through, or refuses it; adds headers to the answer.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let mut response = match admitted(&app, &request) {
        Ok(()) => {
            let limit = app.config.limits.answer_timeout;
            match tokio::time::timeout(limit, next.run(request)).await {
                Ok(response) => in_our_form(response),
                Err(_) => too_slow().into_response(),
            }
        }
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(*name, value);
    }
    if app.config.logs_requests {
        let status = response.status().as_u16();
        log::request(method.as_str(), &route, status, begun.elapsed());
    }
    response
}

fn too_slow() -> ApiError {
    ApiError::new(
        StatusCode::REQUEST_TIMEOUT,
        "too_slow",
        "the request or its answer took too long, try again",
    )
}

fn too_large() -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too_large",
        "the body is longer than any that is expected, see docs/api.md",
    )
}

/// The response; where it is a refusal that the library made, in plain text, one
/// with a code as all others.
fn in_our_form(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !status.is_client_error() || is_json {
        return response;
    }
    let refusal = match status {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => ApiError::new(
            status,
            "bad_request",
            "the request cannot be understood, expected one of docs/api.md",
        ),
    };
    refusal.into_response()
}

fn admitted(app: &App, request: &Request) -> Result<(), ApiError> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    if !is_of_this_site(request.headers()) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "wrong_origin",
            "requests that change something are taken from this server's own page alone",
        ));
    }
    // One that says so at once is not waited for.
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > app.config.limits.body_bytes as u64) {
        return Err(too_large());
    }
    let is_admitted = token_hash(request.headers())
        .is_none_or(|visitor| app.requests.take(visitor, app.now_ms()));
    match is_admitted {
        true => Ok(()),
        false => Err(ApiError::too_many("too many requests, wait a second")),
    }
}

/// Whether a request that changes something may come from our page, or from no
/// page at all. Every browser says where a request comes from that is no GET; a
/// program that says nothing has no cookie but its own.
fn is_of_this_site(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    let Some(origin) = text(header::ORIGIN) else {
        return true;
    };
    let host = text(header::HOST).unwrap_or("");
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    !host.is_empty() && authority == Some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_page_is_of_this_site() {
        let is_ours = |pairs: &[(&'static str, &'static str)]| {
            let headers = pairs.iter().map(|&(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            });
            is_of_this_site(&headers.collect())
        };
        let host = ("host", "localhost:2048");
        assert!(is_ours(&[host]));
        assert!(is_ours(&[host, ("origin", "http://localhost:2048")]));
        assert!(is_ours(&[host, ("origin", "https://localhost:2048")]));
        assert!(is_ours(&[host, ("sec-fetch-site", "same-origin")]));
        for origin in [
            "http://localhost",
            "http://localhost:20480",
            "http://evil.example",
            "http://localhost:2048.evil.example",
            "http://localhost:2048/",
            "null",
            "",
            "ftp://localhost:2048",
        ] {
            assert!(!is_ours(&[host, ("origin", origin)]), "{origin}");
        }
        for site in ["cross-site", "same-site", ""] {
            let pairs = [
                host,
                ("origin", "http://localhost:2048"),
                ("sec-fetch-site", site),
            ];
            assert!(!is_ours(&pairs), "{site}");
        }
        assert!(!is_ours(&[("origin", "http://")]));
    }
}

//! The page: files of `page/`, carried in the program.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use sha2::{Digest, Sha256};

use crate::session::hex;

/// One file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

const STYLE: &str = "text/css; charset=utf-8";
const ICON: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Everything that a browser is given: addresses, types, contents.
const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        text: include_str!("../page/index.html"),
    },
    Asset {
        path: "/style.css",
        kind: STYLE,
        text: include_str!("../page/style.css"),
    },
    Asset {
        path: "/tiles.css",
        kind: STYLE,
        text: include_str!("../page/tiles.css"),
    },
    Asset {
        path: "/icon.svg",
        kind: ICON,
        text: include_str!("../page/icon.svg"),
    },
    Asset {
        path: "/main.js",
        kind: SCRIPT,
        text: include_str!("../page/main.js"),
    },
    Asset {
        path: "/api.js",
        kind: SCRIPT,
        text: include_str!("../page/api.js"),
    },
    Asset {
        path: "/board.js",
        kind: SCRIPT,
        text: include_str!("../page/board.js"),
    },
    Asset {
        path: "/common.js",
        kind: SCRIPT,
        text: include_str!("../page/common.js"),
    },
    Asset {
        path: "/i18n.js",
        kind: SCRIPT,
        text: include_str!("../page/i18n.js"),
    },
    Asset {
        path: "/input.js",
        kind: SCRIPT,
        text: include_str!("../page/input.js"),
    },
    Asset {
        path: "/leaderboard.js",
        kind: SCRIPT,
        text: include_str!("../page/leaderboard.js"),
    },
    Asset {
        path: "/play.js",
        kind: SCRIPT,
        text: include_str!("../page/play.js"),
    },
    Asset {
        path: "/replay.js",
        kind: SCRIPT,
        text: include_str!("../page/replay.js"),
    },
    Asset {
        path: "/tiles.js",
        kind: SCRIPT,
        text: include_str!("../page/tiles.js"),
    },
];

/// A route for each file.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let mut router = Router::new();
    for asset in ASSETS {
        // Quoted, as the header wants it; of the contents, so that a browser asks
        // again and is told that nothing has changed.
        let tag = format!("\"{}\"", hex(&Sha256::digest(asset.text)[..8]));
        let tag = HeaderValue::from_str(&tag).expect("hexadecimal digits are a header's value");
        router = router.route(
            asset.path,
            get(move |headers: HeaderMap| {
                let answer = answer(asset, &tag, &headers);
                async move { answer }
            }),
        );
    }
    router
}

fn answer(asset: &'static Asset, tag: &HeaderValue, headers: &HeaderMap) -> Response {
    let is_known = headers.get(header::IF_NONE_MATCH) == Some(tag);
    let mut response = Response::new(match is_known {
        true => Body::empty(),
        false => Body::from(asset.text),
    });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::ETAG, tag.clone());
    response
}

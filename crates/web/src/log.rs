//! The log: lines of JSON on standard error, without anything that tells who a
//! visitor is: no address, no name, no cookie, no id of a game.

use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

fn write(mut line: Value) {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    line["at_ms"] = json!(since.as_millis() as u64);
    // There is nobody to tell when it fails.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// A request by its route, which is a pattern and not the address asked for.
pub(crate) fn request(method: &str, route: &str, status: u16, took: Duration) {
    write(json!({
        "event": "request",
        "method": method,
        "route": route,
        "status": status,
        "took_us": took.as_micros() as u64,
    }));
}

/// Something that the keeper of the server should look at.
pub(crate) fn fault(message: &str) {
    write(json!({"event": "fault", "message": message}));
}

/// A start or a stop.
pub(crate) fn event(name: &str) {
    write(json!({ "event": name }));
}

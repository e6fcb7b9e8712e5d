//! A server in this process, on a clock that stands still.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use afterstate_web::{Config, Limits, ManualClock, Server, StopHandle};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Answer, Client};

/// The time at which tests begin: 2026-11-30, 12:00.
pub(crate) const NOON_MS: i64 = 1_796_040_000_000;

/// A server that ends with the test.
pub(crate) struct TestServer {
    pub(crate) addr: SocketAddr,
    pub(crate) clock: ManualClock,
    folder: Option<TempDir>,
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start() -> TestServer {
        TestServer::start_with(Limits::default())
    }

    pub(crate) fn start_with(limits: Limits) -> TestServer {
        let folder = tempfile::tempdir().expect("a folder for the test");
        TestServer::start_in(folder, limits, ManualClock::at(NOON_MS))
    }

    fn start_in(folder: TempDir, limits: Limits, clock: ManualClock) -> TestServer {
        let addr = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut config = Config::new(addr, folder.path().to_owned());
        // Plays in microseconds, and ends soon.
        config.agent = "greedy".to_owned();
        config.clock = Arc::new(clock.clone());
        config.limits = limits;
        let server = Server::bind(config).expect("the server starts");
        let addr = server.addr();
        let stop = server.stop_handle();
        let thread = std::thread::spawn(move || server.run());
        TestServer {
            addr,
            clock,
            folder: Some(folder),
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder
            .as_ref()
            .expect("the server has a folder")
            .path()
    }

    /// Stops it and starts another in its folder, on another port.
    pub(crate) fn restarted(mut self) -> TestServer {
        self.end();
        let folder = self.folder.take().expect("the server has a folder");
        TestServer::start_in(folder, Limits::default(), self.clock.clone())
    }

    fn end(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends");
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.addr)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.end();
    }
}

/// Begins a game and returns it.
pub(crate) fn begin(client: &mut Client, variant: &str) -> Value {
    let answer = client.post("/api/games", &json!({ "variant": variant }));
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

/// Makes the game's first legal slide, or the one that is named.
pub(crate) fn slide(client: &mut Client, game: &Value, named: Option<&str>) -> Answer {
    let slide = named.or_else(|| game["legal"][0].as_str()).unwrap_or("up");
    let body = json!({"slide": slide, "slides": game["slides"]});
    client.post(&path(game, "/slides"), &body)
}

/// An address below a game's.
pub(crate) fn path(game: &Value, below: &str) -> String {
    format!("/api/games/{}{below}", game["id"].as_str().unwrap_or(""))
}

/// The game as the server has it.
pub(crate) fn shown(client: &mut Client, game: &Value) -> Value {
    let answer = client.get(&path(game, ""));
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

/// Plays a new game to its end without the automatic mode.
pub(crate) fn played(client: &mut Client, clock: &ManualClock, variant: &str) -> Value {
    let mut game = begin(client, variant);
    while game["status"] == "playing" {
        // Nobody is too fast here: that has a test of its own.
        clock.advance(100);
        let answer = slide(client, &game, None);
        assert_eq!(answer.status, 200, "{}", answer.text);
        game = answer.json()["game"].clone();
    }
    game
}

/// Plays a new game to its end by the automatic mode.
pub(crate) fn played_by_machine(client: &mut Client, variant: &str) -> Value {
    let mut game = begin(client, variant);
    while game["status"] == "playing" {
        let body = json!({"slides": game["slides"], "count": 100});
        let answer = client.post(&path(&game, "/automatic"), &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        game = answer.json()["game"].clone();
    }
    game
}

/// A visitor with a name.
pub(crate) fn named(server: &TestServer, name: &str) -> Client {
    let mut client = server.client();
    begin(&mut client, "mini");
    let answer = client.post("/api/name", &json!({ "name": name }));
    assert_eq!(answer.status, 200, "{}", answer.text);
    client
}

/// Submits a game.
pub(crate) fn submit(client: &mut Client, game: &Value) -> Answer {
    client.post(&path(game, "/submit"), &json!({}))
}

/// The leaderboard of a variant.
pub(crate) fn listed(client: &mut Client, variant: &str) -> Vec<Value> {
    let answer = client.get(&format!("/api/leaderboard?variant={variant}"));
    assert_eq!(answer.status, 200, "{}", answer.text);
    let records = answer.json()["records"].as_array().cloned();
    records.expect("a list of results")
}

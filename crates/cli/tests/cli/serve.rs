//! `afterstate serve` as a process: started, killed, stopped.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::Client;
use crate::process::Process;
use crate::support::{assert_error, printed};

fn path(game: &Value, below: &str) -> String {
    format!("/api/games/{}{below}", game["id"].as_str().expect("an id"))
}

/// What is answered is stored: a game and its slides, a name, a submission.
#[test]
fn what_was_answered_survives_kill_9() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut server = Process::start(folder.path());
    let mut client = Client::new(server.addr);
    let mut game = client
        .post("/api/games", &json!({"variant": "mini"}))
        .json();
    let answer = client.post("/api/name", &json!({"name": "survivor"}));
    assert_eq!(answer.status, 200, "{}", answer.text);
    let mut submitted = Vec::new();
    for _ in 0..5 {
        // Some slides, the server's death right after an answer, and so on.
        for _ in 0..7 {
            let body = json!({"slide": game["legal"][0], "slides": game["slides"]});
            let answer = client.post(&path(&game, "/slides"), &body);
            if answer.status == 200 {
                game = answer.json()["game"].clone();
            }
        }
        server.kill();
        server = Process::start(folder.path());
        let mut again = client.twin();
        again.addr = server.addr;
        client = again;
        let shown = client.get(&path(&game, "")).json();
        for field in ["board", "score", "slides", "status", "legal", "automatic"] {
            assert_eq!(shown[field], game[field], "{field}");
        }
        // To the end by the automatic mode, submitted, and dead at once.
        while game["status"] == "playing" {
            let body = json!({"slides": game["slides"], "count": 100});
            game = client.post(&path(&game, "/automatic"), &body).json()["game"].clone();
        }
        let answer = client.post(&path(&game, "/submit"), &json!({}));
        assert_eq!(answer.status, 201, "{}", answer.text);
        submitted.push(answer.json()["record"].clone());
        server.kill();
        server = Process::start(folder.path());
        let mut again = client.twin();
        again.addr = server.addr;
        client = again;
        // The same once more is known to be there.
        let answer = client.post(&path(&game, "/submit"), &json!({}));
        assert_eq!(answer.code(), "twice", "{}", answer.text);
        game = client
            .post("/api/games", &json!({"variant": "mini"}))
            .json();
    }
    let listed = client.get("/api/leaderboard?variant=mini").json();
    let mut listed: Vec<i64> = listed["records"]
        .as_array()
        .expect("results")
        .iter()
        .map(|record| record["record"].as_i64().expect("a number"))
        .collect();
    listed.sort_unstable();
    let submitted: Vec<i64> = submitted
        .iter()
        .map(|id| id.as_i64().expect("a number"))
        .collect();
    assert_eq!(listed, submitted);
    assert_eq!(
        client.get("/api/session").json()["name"]["name"],
        "survivor"
    );
}

/// The memory that a process has, in KiB.
#[cfg(target_os = "linux")]
fn memory_kib(server: &Process) -> u64 {
    let path = format!("/proc/{}/status", server.child.id());
    let status = std::fs::read_to_string(path).expect("the server runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    number.expect("a number of KiB")
}

#[cfg(target_os = "linux")]
#[test]
fn users_f62_ten_thousand_automatic_slides_take_no_more_memory() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let server = Process::start(folder.path());
    let mut first = None;
    // No visitor begins more games than one may.
    for _ in 0..5 {
        let mut client = Client::new(server.addr);
        let mut game = Value::Null;
        let mut n_slides = 0;
        while n_slides < 2000 {
            if game["status"] != "playing" {
                let akioi = json!({"variant": "akioi"});
                game = client.post("/api/games", &akioi).json();
            }
            let body = json!({"slides": game["slides"], "count": 100});
            let answer = client.post(&path(&game, "/automatic"), &body).json();
            n_slides += answer["steps"].as_array().map_or(0, Vec::len);
            game = answer["game"].clone();
        }
        first.get_or_insert_with(|| memory_kib(&server));
    }
    let (first, last) = (first.unwrap_or(0), memory_kib(&server));
    assert!(last < first + 4096, "{first} KiB, then {last} KiB");
}

/// An interrupt ends the server with status 0, and leaves one file that is whole.
#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_server_in_order() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mut server = Process::start(folder.path());
    let mut client = Client::new(server.addr);
    let game = client
        .post("/api/games", &json!({"variant": "akioi"}))
        .json();
    let pid = server.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("there is a program kill").success());
    let status = server.child.wait().expect("the server ends");
    assert_eq!(status.code(), Some(0));
    let journal = folder.path().join("afterstate.db-wal");
    let n_bytes = std::fs::metadata(journal).map_or(0, |file| file.len());
    assert_eq!(n_bytes, 0, "the journal is in the database");
    let server = Process::start(folder.path());
    let mut again = client.twin();
    again.addr = server.addr;
    assert_eq!(again.get(&path(&game, "")).json(), game);
}

#[test]
fn a_folder_in_use_and_wrong_options_are_named() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let data = folder.path().to_str().expect("a path that is text");
    let server = Process::start(folder.path());
    let in_use = format!("{data}: another server has this folder, expected one that is not in use");
    assert_error(
        &["serve", "--addr", "127.0.0.1:0", "--data", data],
        "",
        &in_use,
    );
    // Its port, from another folder.
    let second = tempfile::tempdir().expect("a folder for the test");
    let addr = server.addr.to_string();
    let other = second.path().to_str().expect("a path that is text");
    let output = crate::support::run(&["serve", "--addr", &addr, "--data", other], "");
    let error = crate::support::text(&output.stderr);
    let start = format!("error: address {addr} cannot be listened on: ");
    assert!(
        error.starts_with(&start) && error.lines().count() == 1,
        "{error}"
    );
    assert_eq!(output.status.code(), Some(2));
    let args = ["serve", "--data", other, "--agent", "heuristic:ms=5"];
    assert_error(
        &args,
        "",
        "agent `heuristic:ms=5`: expected one without `file` and `ms`, for all variants alike",
    );
    // The database of a server that runs is copied, once.
    let copy = Path::new(other).join("copy.db");
    let copy = copy.to_str().expect("a path that is text");
    assert_eq!(
        printed(&["serve", "--data", data, "--backup", copy], ""),
        ""
    );
    let exists = format!(
        "{copy}: output file already exists: expected the name of a new file (--backup FILE)"
    );
    assert_error(&["serve", "--data", data, "--backup", copy], "", &exists);
    let missing = format!(
        "{}: there is no database, expected the folder of a server (--data DIR)",
        folder.path().join("none/afterstate.db").display()
    );
    let none = folder.path().join("none");
    let none = none.to_str().expect("a path that is text");
    assert_error(&["serve", "--data", none, "--backup", copy], "", &missing);
    assert_error(
        &["serve", "--addr", "localhost:2048"],
        "",
        "invalid value 'localhost:2048' for '--addr <IP:PORT>': expected an IP address and a port, \
         as in 127.0.0.1:2048 or [::1]:2048; for more, try '--help'",
    );
}

/// A file in the place of the folder is named once, with what is expected.
#[cfg(unix)]
#[test]
fn a_file_is_no_folder() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let file = file.to_str().expect("a path that is text");
    let message = format!(
        "{file}: File exists (os error 17): expected a folder to keep games in (--data DIR)"
    );
    assert_error(
        &["serve", "--addr", "127.0.0.1:0", "--data", file],
        "",
        &message,
    );
}

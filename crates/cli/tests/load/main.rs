//! Many players at once, with the server killed meanwhile, all on the loopback:
//! what was answered is stored, and once.
//!
//! With the feature `slow`, and in a release build, two hundred players for a
//! minute with bounds on the time of an answer; else a few for three seconds.

// The browser's part is that of the tests of the server itself.
#[path = "../../../web/tests/api/client.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod client;
mod process;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use client::{Answer, Client};
use process::Process;

const IS_WHOLE: bool = cfg!(feature = "slow");
const N_PLAYERS: u32 = if IS_WHOLE { 200 } else { 16 };
const RUN: Duration = Duration::from_secs(if IS_WHOLE { 60 } else { 3 });
const N_KILLS: u32 = if IS_WHOLE { 5 } else { 2 };
/// Of each player: two hundred make 1,000 a second. The few are faster, so that
/// games end.
const BETWEEN_SLIDES: Duration = Duration::from_millis(if IS_WHOLE { 200 } else { 40 });

/// What one player saw.
#[derive(Default)]
struct Seen {
    /// How long each answer to a slide took.
    slides: Vec<Duration>,
    /// Slides whose answer did not come, and were asked for again.
    n_lost: u32,
    submissions: Vec<Submission>,
}

/// A game that was submitted, with the number that was answered, and when.
struct Submission {
    game: String,
    record: i64,
    answered: Instant,
}

/// Asks until the server is there; how long the answer took, if the first try
/// brought it.
fn persist(client: &mut Client, path: &str, body: &Value) -> (Answer, Option<Duration>) {
    let begun = Instant::now();
    if let Ok(answer) = client.try_post(path, body) {
        return (answer, Some(begun.elapsed()));
    }
    loop {
        thread::sleep(Duration::from_millis(50));
        if let Ok(answer) = client.try_post(path, body) {
            return (answer, None);
        }
    }
}

fn path(game: &Value, below: &str) -> String {
    format!("/api/games/{}{below}", game["id"].as_str().expect("an id"))
}

fn begin(client: &mut Client) -> Value {
    let (answer, _) = persist(client, "/api/games", &json!({"variant": "mini"}));
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

/// Makes one slide. What was answered before is there; a slide whose answer was
/// lost is there once or not at all.
fn slide(client: &mut Client, game: &mut Value, seen: &mut Seen) {
    let body = json!({"slide": game["legal"][0], "slides": game["slides"]});
    let (answer, took) = persist(client, &path(game, "/slides"), &body);
    let next = match (answer.status, took) {
        (200, _) => answer.json()["game"].clone(),
        (409, None) => answer.json()["error"]["details"]["game"].clone(),
        _ => panic!("{}: {}", answer.status, answer.text),
    };
    let made = game["slides"].as_u64().map(|slides| slides + 1);
    assert_eq!(next["slides"].as_u64(), made, "{}", answer.text);
    seen.n_lost += u32::from(took.is_none());
    seen.slides.extend(took);
    *game = next;
}

/// Submits a game that has ended; a lost answer is asked for again.
fn submit(client: &mut Client, game: &Value, seen: &mut Seen) {
    let (answer, took) = persist(client, &path(game, "/submit"), &json!({}));
    let answered = answer.json();
    let record = match (answer.status, took) {
        (201, _) => &answered["record"],
        (409, None) => &answered["error"]["details"]["record"],
        _ => panic!("{}: {}", answer.status, answer.text),
    };
    seen.submissions.push(Submission {
        game: game["id"].as_str().expect("an id").to_owned(),
        record: record.as_i64().expect("a number"),
        answered: Instant::now(),
    });
}

/// One who slides until it is enough, and submits each game that ends, one at
/// least.
fn play(addr: SocketAddr, idx: u32, is_enough: &AtomicBool) -> (Client, Seen) {
    let mut client = Client::new(addr);
    let mut seen = Seen::default();
    let mut game = begin(&mut client);
    let name = json!({ "name": format!("player_{idx}") });
    assert_eq!(persist(&mut client, "/api/name", &name).0.status, 200);
    // Spread over the interval, as people are.
    thread::sleep(BETWEEN_SLIDES * idx / N_PLAYERS);
    let mut next = Instant::now();
    while seen.submissions.is_empty() || !is_enough.load(Ordering::Relaxed) {
        if game["status"] != "playing" {
            submit(&mut client, &game, &mut seen);
            game = begin(&mut client);
        }
        slide(&mut client, &mut game, &mut seen);
        // What was missed while the server was away is not made up for.
        next = (next + BETWEEN_SLIDES).max(Instant::now());
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    (client, seen)
}

/// Copies the database as it is in use, with all that was answered before.
fn back_up(data: &Path, copy: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
    command.args(["serve", "--data"]).arg(data);
    command.arg("--backup").arg(copy.join("afterstate.db"));
    assert!(command.status().expect("the program starts").success());
}

/// What a share of all took at most.
fn quantile(sorted: &[Duration], share: f64) -> Duration {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

/// Each is there under the number that was answered; the numbers.
fn check_submissions(players: &mut [(Client, Seen)], addr: SocketAddr, until: Instant) -> Vec<i64> {
    let mut records = Vec::new();
    for (client, seen) in players {
        // The old connection leads to another server, or was idle for long.
        *client = client.twin();
        client.addr = addr;
        for submission in &seen.submissions {
            if submission.answered >= until {
                continue;
            }
            let address = format!("/api/games/{}/submit", submission.game);
            let answer = client.post(&address, &json!({}));
            assert_eq!(answer.code(), "twice", "{}", answer.text);
            let record = &answer.json()["error"]["details"]["record"];
            assert_eq!(*record, submission.record);
            records.push(submission.record);
        }
    }
    records
}

/// How long slides take where nobody else plays.
fn alone(addr: SocketAddr) -> Vec<Duration> {
    let mut client = Client::new(addr);
    let mut seen = Seen::default();
    let mut game = begin(&mut client);
    for _ in 0..if IS_WHOLE { 300 } else { 20 } {
        if game["status"] != "playing" {
            game = begin(&mut client);
        }
        slide(&mut client, &mut game, &mut seen);
        // Not more than a visitor may ask for in the long run.
        thread::sleep(Duration::from_millis(26));
    }
    seen.slides
}

/// The whole run with its kills and a backup; what the players saw, and when
/// the backup began.
fn run(server: Process, data: &Path, copy: &Path) -> (Process, Vec<(Client, Seen)>, Instant) {
    let addr = server.addr;
    let is_enough = AtomicBool::new(false);
    thread::scope(|scope| {
        let is_enough = &is_enough;
        let players: Vec<_> = (0..N_PLAYERS)
            .map(|idx| scope.spawn(move || play(addr, idx, is_enough)))
            .collect();
        let mut server = server;
        let mut backed_up = Instant::now();
        for number in 0..=N_KILLS {
            thread::sleep(RUN / (N_KILLS + 1));
            if number == N_KILLS / 2 {
                backed_up = Instant::now();
                back_up(data, copy);
            }
            if number < N_KILLS {
                server.kill();
                server = Process::start_at(&addr.to_string(), data);
            }
        }
        is_enough.store(true, Ordering::Relaxed);
        let players = players.into_iter().map(|player| player.join());
        let players = players.map(|player| player.expect("no player fails"));
        (server, players.collect(), backed_up)
    })
}

#[test]
fn players_lose_nothing_and_double_nothing_by_kill_9() {
    let data = tempfile::tempdir().expect("a folder for the test");
    let copy = tempfile::tempdir().expect("a folder for the test");
    let server = Process::start(data.path());
    let mut solo = alone(server.addr);
    solo.sort_unstable();
    let (server, mut players, backed_up) = run(server, data.path(), copy.path());
    let mut records = check_submissions(&mut players, server.addr, Instant::now());
    let n_records = records.len();
    records.sort_unstable();
    records.dedup();
    assert_eq!(records.len(), n_records, "no result stands for two games");
    // A server that starts from the copy has all that was answered before it.
    let restored = Process::start(copy.path());
    let n_restored = check_submissions(&mut players, restored.addr, backed_up).len();
    let mut slides: Vec<Duration> = players
        .iter()
        .flat_map(|(_, seen)| seen.slides.clone())
        .collect();
    slides.sort_unstable();
    let n_lost: u32 = players.iter().map(|(_, seen)| seen.n_lost).sum();
    for (who, slides) in [("alone", &solo), ("together", &slides)] {
        let [p50, p99, longest] = [0.5, 0.99, 1.0].map(|share| quantile(slides, share));
        println!(
            "{who}: {} slides answered, p50 {p50:?}, p99 {p99:?}, longest {longest:?}",
            slides.len()
        );
    }
    println!(
        "{n_lost} answers lost by {N_KILLS} kills; {n_records} submissions, {n_restored} in the copy"
    );
    if IS_WHOLE {
        assert!(n_restored > 100, "games end before the backup");
        assert!(
            slides.len() > 50_000,
            "1,000 slides a second, the kills apart"
        );
        assert!(quantile(&solo, 0.99) < Duration::from_millis(5), "alone");
        assert!(
            quantile(&slides, 0.99) < Duration::from_millis(20),
            "together"
        );
    }
}

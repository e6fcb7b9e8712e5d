//! The rules of the leaderboard, to the millisecond.

use afterstate_web::DAY_MS;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::support::{TestServer, begin, listed, named, path, played, played_by_machine, submit};

fn take_name(client: &mut Client, name: &str) -> Answer {
    client.post("/api/name", &json!({ "name": name }))
}

#[test]
fn a_name_is_2_to_14_letters_digits_and_underscores() {
    let server = TestServer::start();
    let mut client = server.client();
    begin(&mut client, "mini");
    for name in [
        "",
        "a",
        "abcdefghijklmno",
        "a b",
        "a-b",
        " ab",
        "ab\n",
        "电脑",
        "a\u{0}b",
        "<b>x</b>",
        "x'; DROP TABLE visitors; --",
    ] {
        let answer = take_name(&mut client, name);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "no_name"),
            "{name}"
        );
    }
    assert_eq!(client.get("/api/session").json()["name"], Value::Null);
    let answer = take_name(&mut client, "a_");
    assert_eq!(
        answer.json(),
        json!({
            "name": "a_",
            "fixed_until_ms": crate::support::NOON_MS + 30 * DAY_MS,
        })
    );
    // Who has never played is nobody.
    let answer = take_name(&mut server.client(), "someone");
    assert_eq!((answer.status, answer.code().as_str()), (401, "no_visitor"));
}

#[test]
fn a_name_is_fixed_for_30_days_to_the_millisecond() {
    let server = TestServer::start();
    let mut client = named(&server, "first_name");
    // The same again is no change, and does not begin a new term.
    server.clock.advance(DAY_MS);
    assert_eq!(take_name(&mut client, "first_name").status, 200);
    server.clock.advance(29 * DAY_MS - 1);
    for name in ["second", "First_Name"] {
        let answer = take_name(&mut client, name);
        assert_eq!((answer.status, answer.code().as_str()), (409, "name_fixed"));
        let until = &answer.json()["error"]["details"]["fixed_until_ms"];
        assert_eq!(*until, crate::support::NOON_MS + 30 * DAY_MS);
    }
    server.clock.advance(1);
    assert_eq!(take_name(&mut client, "second").status, 200);
    let answer = take_name(&mut client, "third");
    assert_eq!(answer.code(), "name_fixed");
}

#[test]
fn a_name_belongs_to_the_browser_that_took_it_in_any_case() {
    let server = TestServer::start();
    let mut owner = named(&server, "Ann_1");
    let mut other = server.client();
    begin(&mut other, "mini");
    for name in ["Ann_1", "ann_1", "ANN_1"] {
        let answer = take_name(&mut other, name);
        assert_eq!((answer.status, answer.code().as_str()), (409, "name_taken"));
    }
    // A name that was left is free, unless a result is listed under it.
    let game = played(&mut owner, &server.clock, "mini");
    assert_eq!(submit(&mut owner, &game).status, 201);
    server.clock.advance(30 * DAY_MS);
    assert_eq!(take_name(&mut owner, "Ann_2").status, 200);
    assert_eq!(take_name(&mut other, "ann_1").code(), "name_taken");
    server.clock.advance(15 * DAY_MS);
    assert_eq!(take_name(&mut other, "ann_1").status, 200);
    assert_eq!(take_name(&mut owner, "Ann_1").code(), "name_fixed");
}

#[test]
fn the_name_of_a_browser_that_does_not_come_any_more_lapses_after_45_days() {
    let server = TestServer::start();
    let mut gone = named(&server, "gone");
    server.clock.advance(45 * DAY_MS - 1);
    let mut other = server.client();
    begin(&mut other, "mini");
    assert_eq!(take_name(&mut other, "Gone").code(), "name_taken");
    server.clock.advance(1);
    assert_eq!(take_name(&mut other, "Gone").status, 200);
    assert_eq!(gone.get("/api/session").json()["name"], Value::Null);
}

#[test]
fn results_are_listed_for_45_days_to_the_millisecond() {
    let server = TestServer::start();
    let mut client = named(&server, "somebody");
    let game = played(&mut client, &server.clock, "mini");
    let record = submit(&mut client, &game).json()["record"].clone();
    let replay = format!("/api/records/{record}/plies?from=0&count=1");
    server.clock.advance(45 * DAY_MS - 1);
    assert_eq!(listed(&mut client, "mini").len(), 1);
    assert_eq!(client.get(&replay).status, 200);
    server.clock.advance(1);
    assert_eq!(listed(&mut client, "mini").len(), 0);
    assert_eq!(client.get(&replay).status, 404);
    // Not even when it is swept away can the game be listed again.
    assert_ne!(submit(&mut client, &game).status, 201);
    begin(&mut client, "classic");
    assert_ne!(submit(&mut client, &game).status, 201);
    let server = server.restarted();
    let mut later = server.client();
    later.cookie = client.cookie;
    server.clock.advance(2 * 60 * 60 * 1000);
    begin(&mut later, "classic");
    assert_ne!(submit(&mut later, &game).status, 201);
    assert_eq!(listed(&mut later, "mini").len(), 0);
}

#[test]
fn a_listed_result_has_name_score_largest_tile_and_time() {
    let server = TestServer::start();
    let mut client = named(&server, "somebody");
    let game = played(&mut client, &server.clock, "mini");
    let submitted_at_ms = afterstate_web::Clock::now_ms(&server.clock);
    let record = submit(&mut client, &game).json()["record"].clone();
    let expected = json!({
        "record": record,
        "name": "somebody",
        "score": game["score"],
        "largest": game["largest"],
        "slides": game["slides"],
        "submitted_at_ms": submitted_at_ms,
        "own": true,
    });
    assert_eq!(listed(&mut client, "mini"), std::slice::from_ref(&expected));
    let mut seen_by_others = expected;
    seen_by_others["own"] = json!(false);
    assert_eq!(listed(&mut server.client(), "mini"), [seen_by_others]);
    assert_eq!(listed(&mut client, "classic").len(), 0);
}

#[test]
fn a_game_is_listed_by_its_player_once_it_has_ended_and_once_only() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "mini");
    let answer = submit(&mut client, &game);
    assert_eq!((answer.status, answer.code().as_str()), (409, "playing"));
    let game = played(&mut client, &server.clock, "mini");
    let answer = submit(&mut client, &game);
    assert_eq!((answer.status, answer.code().as_str()), (409, "unnamed"));
    assert_eq!(take_name(&mut client, "somebody").status, 200);
    let first = submit(&mut client, &game);
    assert_eq!(first.status, 201);
    for _ in 0..3 {
        let answer = submit(&mut client, &game);
        assert_eq!((answer.status, answer.code().as_str()), (409, "twice"));
        let details = &answer.json()["error"]["details"];
        assert_eq!(details["record"], first.json()["record"]);
    }
    assert_eq!(listed(&mut client, "mini").len(), 1);
}

#[test]
fn results_with_the_automatic_mode_have_no_players_name() {
    let server = TestServer::start();
    let mut client = named(&server, "somebody");
    let game = played_by_machine(&mut client, "akioi");
    assert_eq!(game["automatic"], true);
    assert_eq!(submit(&mut client, &game).status, 201);
    let records = listed(&mut client, "akioi");
    assert_eq!(records[0]["name"], Value::Null);
    assert_eq!(records[0]["score"], game["score"]);
    // One single automatic slide is enough.
    let mut game = begin(&mut client, "mini");
    let answer = client.post(
        &path(&game, "/automatic"),
        &json!({"slides": 0, "count": 1}),
    );
    game = answer.json()["game"].clone();
    while game["status"] == "playing" {
        server.clock.advance(100);
        let answer = crate::support::slide(&mut client, &game, None);
        game = answer.json()["game"].clone();
    }
    assert_eq!(submit(&mut client, &game).status, 201);
    assert_eq!(listed(&mut client, "mini")[0]["name"], Value::Null);
    // Nor does a browser need a name for them.
    let mut nameless = server.client();
    let game = played_by_machine(&mut nameless, "mini");
    assert_eq!(submit(&mut nameless, &game).status, 201);
}

#[test]
fn games_with_slides_taken_back_are_not_listed() {
    let server = TestServer::start();
    let mut client = named(&server, "somebody");
    let game = played(&mut client, &server.clock, "mini");
    let slides = game["slides"].as_u64().expect("a number of slides");
    let answer = client.post(&path(&game, "/undo"), &json!({ "slides": slides }));
    let mut game = answer.json();
    assert_eq!(
        (game["status"].as_str(), game["undone"].as_bool()),
        (Some("playing"), Some(true))
    );
    while game["status"] == "playing" {
        server.clock.advance(100);
        let answer = crate::support::slide(&mut client, &game, None);
        game = answer.json()["game"].clone();
    }
    let answer = submit(&mut client, &game);
    assert_eq!((answer.status, answer.code().as_str()), (409, "undone"));
    assert_eq!(listed(&mut client, "mini").len(), 0);
}

#[test]
fn the_first_50_are_listed_by_score_then_largest_tile_then_time() {
    let server = TestServer::start();
    let mut expected = Vec::new();
    // Short games of mini have equal scores now and then, so the order of equals
    // is tried as well.
    for player in 0..9 {
        let mut client = server.client();
        for _ in 0..7 {
            server.clock.advance(2000);
            let game = played_by_machine(&mut client, "mini");
            server.clock.advance(1000);
            let at_ms = afterstate_web::Clock::now_ms(&server.clock);
            let answer = submit(&mut client, &game);
            assert_eq!(answer.status, 201, "player {player}: {}", answer.text);
            let number = |field: &str| game[field].as_i64().expect("a number");
            let record = answer.json()["record"].as_i64().expect("a number");
            expected.push((-number("score"), -number("largest"), at_ms, record));
        }
    }
    expected.sort_unstable();
    expected.truncate(50);
    let expected: Vec<i64> = expected.iter().map(|entry| entry.3).collect();
    let records = listed(&mut server.client(), "mini");
    let records: Vec<i64> = records
        .iter()
        .map(|record| record["record"].as_i64().expect("a number"))
        .collect();
    assert_eq!(records, expected);
}

#[test]
fn a_listed_game_can_be_gone_through_step_by_step() {
    let server = TestServer::start();
    let mut client = server.client();
    let opening = begin(&mut client, "mini");
    let mut game = opening.clone();
    let mut boards = vec![opening["board"].clone()];
    let mut steps = vec![Value::Null];
    while game["status"] == "playing" {
        let body = json!({"slides": game["slides"], "count": 1});
        let played = client.post(&path(&game, "/automatic"), &body).json();
        server.clock.advance(100);
        game = played["game"].clone();
        boards.push(game["board"].clone());
        steps.push(played["steps"][0].clone());
    }
    let record = submit(&mut client, &game).json()["record"].clone();
    let mut other = server.client();
    let mut seen = 0;
    while seen < boards.len() {
        let address = format!("/api/records/{record}/plies?from={seen}&count=50");
        let replay = other.get(&address).json();
        assert_eq!(replay["slides"], boards.len() - 1);
        assert_eq!(replay["score"], game["score"]);
        assert!(replay["seed"].as_u64().is_some_and(|seed| seed < 1 << 53));
        for ply in replay["plies"].as_array().expect("positions") {
            assert_eq!(ply["board"], boards[seen]);
            assert_eq!(ply["step"], steps[seen]);
            assert_eq!(ply["automatic"], seen > 0);
            seen += 1;
        }
    }
    assert_eq!(seen, boards.len());
    for (query, status) in [
        ("from=0&count=0", 400),
        ("from=0&count=257", 400),
        ("from=-1&count=1", 400),
        ("from=0", 400),
        ("from=18446744073709551615&count=256", 200),
    ] {
        let answer = other.get(&format!("/api/records/{record}/plies?{query}"));
        assert_eq!(answer.status, status, "{query}");
    }
    for number in ["0", "999", "-1", "x", "1.5"] {
        let answer = other.get(&format!("/api/records/{number}/plies?from=0&count=1"));
        assert_eq!(answer.status, 404, "{number}");
    }
}

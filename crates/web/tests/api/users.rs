//! What users of other programs report of games in browsers, as far as the
//! server decides it; the rest is tried in a browser.

use serde_json::json;

use crate::client::Client;
use crate::support::{
    TestServer, begin, listed, named, path, played, played_by_machine, shown, slide, submit,
};

/// The record that the server has for this browser.
fn best(client: &mut Client, variant: &str) -> serde_json::Value {
    client.get("/api/session").json()["bests"][variant].clone()
}

#[test]
fn users_f52_the_record_survives_the_end_restarts_and_crashes() {
    let server = TestServer::start();
    let mut client = server.client();
    let first = played(&mut client, &server.clock, "mini");
    assert_eq!(first["best"], first["score"]);
    assert_eq!(best(&mut client, "mini"), first["score"]);
    // A restart in the middle of a better game loses nothing either.
    let mut game = begin(&mut client, "mini");
    assert_eq!(game["best"], first["score"]);
    let mut highest = first["score"].as_i64().expect("a score");
    for _ in 0..40 {
        while game["status"] == "playing" && game["score"].as_i64() <= Some(highest) {
            server.clock.advance(100);
            game = slide(&mut client, &game, None).json()["game"].clone();
        }
        server.clock.advance(2000);
        highest = highest.max(game["score"].as_i64().expect("a score"));
        game = begin(&mut client, "mini");
        assert_eq!(game["best"].as_i64(), Some(highest));
    }
    let cookie = client.cookie.clone();
    let server = server.restarted();
    let mut client = server.client();
    client.cookie = cookie;
    assert_eq!(best(&mut client, "mini").as_i64(), Some(highest));
    assert_eq!(
        begin(&mut client, "classic")["best"],
        serde_json::Value::Null
    );
}

#[test]
fn users_f53_faked_results_are_refused() {
    let server = TestServer::start();
    let mut client = named(&server, "honest");
    let game = played(&mut client, &server.clock, "mini");
    let score = game["score"].as_i64().expect("a score");
    // A score, a seed, slides or a name of one's own choosing.
    for body in [
        json!({ "score": score + 1 }),
        json!({ "seed": 1 }),
        json!({ "slides": "lurd" }),
        json!({ "name": "other" }),
    ] {
        let answer = client.post(&path(&game, "/submit"), &body);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "bad_request")
        );
    }
    // Another's game.
    let mut thief = named(&server, "thief");
    assert_eq!(submit(&mut thief, &game).code(), "no_game");
    assert_eq!(listed(&mut client, "mini").len(), 0);
    // One altered slide: the server has played the game and takes no other.
    let slides = game["slides"].as_u64().expect("a number of slides");
    for at in [0, slides - 1, slides] {
        let body = json!({"slide": "up", "slides": at});
        assert_eq!(client.post(&path(&game, "/slides"), &body).status, 409);
    }
    assert_eq!(submit(&mut client, &game).status, 201);
    assert_eq!(submit(&mut client, &game).code(), "twice");
    let records = listed(&mut client, "mini");
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["score"].as_i64(), Some(score));
}

#[test]
fn users_f56_every_game_ends_anew() {
    let server = TestServer::start();
    let mut client = server.client();
    for _ in 0..3 {
        server.clock.advance(2000);
        let game = played_by_machine(&mut client, "mini");
        assert_eq!(game["status"], "over");
        assert_eq!(submit(&mut client, &game).status, 201);
        let next = begin(&mut client, "mini");
        assert_eq!(next["status"], "playing");
        let flags = ["automatic", "undone", "record", "score"].map(|field| next[field].clone());
        assert_eq!(flags, [json!(false), json!(false), json!(null), json!(0)]);
    }
}

#[test]
fn users_f64_the_old_record_stays_to_be_seen_until_the_game_has_ended() {
    let server = TestServer::start();
    let mut client = server.client();
    let first = played(&mut client, &server.clock, "mini");
    let mut game = begin(&mut client, "mini");
    while game["status"] == "playing" {
        assert_eq!(game["best"], first["score"]);
        server.clock.advance(100);
        game = slide(&mut client, &game, None).json()["game"].clone();
    }
    let higher = first["score"].as_i64().max(game["score"].as_i64());
    assert_eq!(game["best"].as_i64(), higher);
    assert_eq!(shown(&mut client, &game)["best"].as_i64(), higher);
}

#[test]
fn a_record_is_of_games_without_the_automatic_mode_and_without_undoing() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = played_by_machine(&mut client, "mini");
    assert_eq!(game["best"], serde_json::Value::Null);
    let mut game = begin(&mut client, "classic");
    game = slide(&mut client, &game, None).json()["game"].clone();
    client.post(&path(&game, "/undo"), &json!({ "slides": 1 }));
    begin(&mut client, "classic");
    assert_eq!(best(&mut client, "mini"), serde_json::Value::Null);
    assert_eq!(best(&mut client, "classic"), serde_json::Value::Null);
}

//! Games: begun, played, taken up again.

use afterstate_web::{Config, Limits, Server, back_up};
use serde_json::{Value, json};

use crate::support::{TestServer, begin, path, played_by_machine, shown, slide};

#[test]
fn a_game_begins_with_two_tiles_and_a_cookie_for_this_site_alone() {
    let server = TestServer::start();
    for variant in ["akioi", "classic", "mini"] {
        let mut client = server.client();
        let answer = client.post("/api/games", &json!({ "variant": variant }));
        assert_eq!(answer.status, 201);
        let cookie = answer.header("set-cookie").unwrap_or("").to_owned();
        assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
        let game = answer.json();
        let rows = game["board"].as_array().expect("rows");
        let side = if variant == "mini" { 3 } else { 4 };
        assert_eq!(rows.len(), side);
        let tiles = rows.iter().flat_map(|row| row.as_array().expect("cells"));
        assert_eq!(tiles.filter(|&tile| *tile != 0).count(), 2);
        assert_eq!((&game["score"], &game["slides"]), (&json!(0), &json!(0)));
        assert_eq!(game["status"], "playing");
        assert_eq!(game["seed"], Value::Null);
        // The same browser gets no second cookie.
        let again = client.post("/api/games", &json!({ "variant": variant }));
        assert_eq!(again.header("set-cookie"), None);
    }
}

#[test]
fn a_slide_says_where_tiles_went_and_what_appeared() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "classic");
    let answer = slide(&mut client, &game, None);
    assert_eq!(answer.status, 200);
    let played = answer.json();
    let step = &played["steps"][0];
    assert_eq!(step["slide"], game["legal"][0]);
    assert_eq!(step["tracks"].as_array().map(Vec::len), Some(2));
    let cell = step["spawn"]["cell"].as_u64().expect("a cell") as usize;
    assert_eq!(
        played["game"]["board"][cell / 4][cell % 4],
        step["spawn"]["tile"]
    );
    assert_eq!(played["game"]["slides"], 1);
    assert_eq!(shown(&mut client, &game), played["game"]);
}

#[test]
fn a_restarted_server_continues_every_game() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut games = Vec::new();
    for variant in ["akioi", "classic", "mini"] {
        let mut game = begin(&mut client, variant);
        for _ in 0..20 {
            let answer = slide(&mut client, &game, None);
            game = answer.json()["game"].clone();
        }
        games.push(game);
    }
    let twin = client.twin();
    let server = server.restarted();
    let mut client = server.client();
    client.cookie = twin.cookie;
    for game in games {
        assert_eq!(shown(&mut client, &game), game);
        assert_eq!(slide(&mut client, &game, None).status, 200);
        let known = client.get("/api/session").json();
        let variant = game["variant"].as_str().expect("a variant");
        assert_eq!(known["games"][variant], game["id"]);
    }
}

#[test]
fn spawns_after_a_restart_are_those_of_the_seed() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "classic");
    let here = slide(&mut client, &game, None).json();
    let body = json!({ "slides": 1 });
    let undone = client.post(&path(&game, "/undo"), &body).json();
    assert_eq!(undone["board"], game["board"]);
    assert_eq!(undone["undone"], true);
    let cookie = client.cookie.clone();
    let server = server.restarted();
    let mut client = server.client();
    client.cookie = cookie;
    let again = slide(&mut client, &undone, None).json();
    assert_eq!(again["steps"], here["steps"]);
}

#[test]
fn games_that_memory_has_no_place_for_are_read_again() {
    let limits = Limits {
        live_games: 8,
        ..Limits::default()
    };
    let server = TestServer::start_with(limits);
    let mut players: Vec<_> = (0..40)
        .map(|_| {
            let mut client = server.client();
            let game = begin(&mut client, "mini");
            (client, game)
        })
        .collect();
    for _ in 0..5 {
        for (client, game) in &mut players {
            let answer = slide(client, game, None);
            assert_eq!(answer.status, 200, "{}", answer.text);
            *game = answer.json()["game"].clone();
        }
    }
    for (client, game) in &mut players {
        assert_eq!(shown(client, game), *game);
    }
}

#[test]
fn a_hint_names_the_best_slide_and_why() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "akioi");
    let answer = client.post(&path(&game, "/hint"), &json!({ "slides": 0 }));
    assert_eq!(answer.status, 200, "{}", answer.text);
    let hint = answer.json();
    let best = hint["slide"].as_str().expect("a slide");
    assert_eq!(hint["unit"], "gains");
    for slide in ["up", "right", "down", "left"] {
        let is_legal = game["legal"]
            .as_array()
            .is_some_and(|legal| legal.contains(&json!(slide)));
        assert_eq!(hint["values"][slide].is_null(), !is_legal);
        assert_eq!(hint["looks"][slide].is_null(), !is_legal);
    }
    let look = &hint["looks"][best];
    assert_eq!(hint["values"][best].as_f64(), look["gain"].as_f64());
    let empty = look["empty"].as_u64().expect("a number of cells");
    assert!((14..16).contains(&empty));
    // Asking changes nothing.
    assert_eq!(shown(&mut client, &game), game);
}

#[test]
fn undo_goes_back_to_the_opening_and_over_rows_of_the_table() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut game = begin(&mut client, "classic");
    let opening = game["board"].clone();
    let mut boards = vec![opening.clone()];
    // More than a row of the database holds.
    while boards.len() < 300 && game["status"] == "playing" {
        let body = json!({"slides": game["slides"], "count": 1});
        let played = client.post(&path(&game, "/automatic"), &body);
        game = played.json()["game"].clone();
        boards.push(game["board"].clone());
        server.clock.advance(100);
    }
    let from = boards.len() - 1;
    let kept = from.min(250);
    for slides in (kept + 1..=from).rev() {
        server.clock.advance(100);
        let answer = client.post(&path(&game, "/undo"), &json!({ "slides": slides }));
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.json()["board"], boards[slides - 1]);
    }
    let cookie = client.cookie.clone();
    let server = server.restarted();
    let mut client = server.client();
    client.cookie = cookie;
    let game = shown(&mut client, &game);
    assert_eq!(game["slides"], kept);
    assert_eq!(game["board"], boards[kept]);
    for slides in (1..=kept).rev() {
        server.clock.advance(100);
        client.post(&path(&game, "/undo"), &json!({ "slides": slides }));
    }
    let game = shown(&mut client, &game);
    assert_eq!(game["board"], opening);
    let answer = client.post(&path(&game, "/undo"), &json!({ "slides": 0 }));
    assert_eq!((answer.status, answer.code().as_str()), (409, "opening"));
}

#[test]
fn a_backup_of_a_running_server_is_a_server_of_its_own() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = played_by_machine(&mut client, "mini");
    let folder = tempfile::tempdir().expect("a folder for the test");
    let target = folder.path().join("afterstate.db");
    back_up(server.folder(), &target).expect("a running server is copied");
    // What comes later is not in it.
    begin(&mut client, "classic");
    assert!(
        back_up(server.folder(), &target).is_err(),
        "a file is overwritten"
    );

    let config = Config::new(server.addr, folder.path().to_owned());
    let config = Config {
        addr: ([127, 0, 0, 1], 0).into(),
        agent: "greedy".to_owned(),
        ..config
    };
    let restored = Server::bind(config).expect("the copy is a database");
    let (addr, stop) = (restored.addr(), restored.stop_handle());
    let thread = std::thread::spawn(move || restored.run());
    let mut other = client.twin();
    other.addr = addr;
    assert_eq!(shown(&mut other, &game), game);
    let known = other.get("/api/session").json();
    assert_eq!(known["games"]["classic"], Value::Null);
    stop.stop();
    thread.join().expect("the server ends");
}

#[test]
fn old_games_are_forgotten_when_a_new_one_begins() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "mini");
    server.clock.advance(45 * afterstate_web::DAY_MS - 1);
    begin(&mut client.twin(), "classic");
    let cookie = client.cookie.clone();
    let server = server.restarted();
    let mut client = server.client();
    client.cookie = cookie;
    assert_eq!(client.get(&path(&game, "")).status, 200);
    server.clock.advance(60 * 60 * 1000);
    begin(&mut client.twin(), "classic");
    let cookie = client.cookie.clone();
    let server = server.restarted();
    let mut client = server.client();
    client.cookie = cookie;
    assert_eq!(client.get(&path(&game, "")).status, 404);
}

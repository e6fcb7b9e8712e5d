//! Requests that are refused, and change nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use afterstate_web::{Limits, Rate};
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::support::{TestServer, begin, path, played_by_machine, shown, slide, submit};

/// Asserts a refusal by status and code, that it says what would be accepted on
/// one line, and that the game is as it was.
fn assert_refused(answer: &Answer, expected: (u16, &str), client: &mut Client, game: &Value) {
    assert_eq!(
        (answer.status, answer.code().as_str()),
        expected,
        "{}",
        answer.text
    );
    let message = answer.json()["error"]["message"].as_str().map(str::len);
    assert!(message.is_some_and(|length| length > 10));
    assert_eq!(shown(client, game), *game);
}

#[test]
fn slides_that_are_replayed_or_reordered_change_nothing() {
    let server = TestServer::start();
    let mut client = server.client();
    let opening = begin(&mut client, "classic");
    let first = slide(&mut client, &opening, None);
    let game = first.json()["game"].clone();
    // The same request once more, and one that is ahead of its time.
    let again = slide(&mut client, &opening, None);
    assert_refused(&again, (409, "other_position"), &mut client, &game);
    assert_eq!(again.json()["error"]["details"]["game"], game);
    for slides in [0, 2, 5000] {
        let body = json!({"slide": game["legal"][0], "slides": slides});
        let answer = client.post(&path(&game, "/slides"), &body);
        assert_refused(&answer, (409, "other_position"), &mut client, &game);
        for below in ["/undo", "/hint"] {
            let answer = client.post(&path(&game, below), &json!({ "slides": slides }));
            assert_refused(&answer, (409, "other_position"), &mut client, &game);
        }
        let body = json!({"slides": slides, "count": 5});
        let answer = client.post(&path(&game, "/automatic"), &body);
        assert_refused(&answer, (409, "other_position"), &mut client, &game);
    }
}

#[test]
fn forged_fields_are_refused() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "classic");
    let slides = path(&game, "/slides");
    for body in [
        json!({"slide": "up", "slides": 0, "score": 1_000_000}),
        json!({"slide": "up", "slides": 0, "board": [[2]]}),
        json!({"slide": "up", "slides": 0, "seed": 1}),
        json!({"slide": "upward", "slides": 0}),
        json!({"slide": "", "slides": 0}),
        json!({"slide": 1, "slides": 0}),
        json!({"slide": ["up"], "slides": 0}),
        json!({"slide": "up"}),
        json!({"slides": 0}),
        json!({"slide": "up", "slides": -1}),
        json!({"slide": "up", "slides": 0.5}),
        json!({"slide": "up", "slides": "0"}),
        json!([]),
        json!(null),
        json!("up"),
    ] {
        let answer = client.post(&slides, &body);
        assert_refused(&answer, (400, "bad_request"), &mut client, &game);
    }
    for count in [json!(0), json!(101), json!(-1), json!(1e9), json!("5")] {
        let body = json!({"slides": 0, "count": count});
        let answer = client.post(&path(&game, "/automatic"), &body);
        assert_refused(&answer, (400, "bad_request"), &mut client, &game);
    }
    for variant in [json!("contest"), json!("Akioi"), json!(""), json!(3)] {
        let answer = client.post("/api/games", &json!({ "variant": variant }));
        assert_refused(&answer, (400, "bad_request"), &mut client, &game);
    }
    let answer = client.post("/api/games", &json!({"variant": "classic", "seed": 7}));
    assert_refused(&answer, (400, "bad_request"), &mut client, &game);
    assert_eq!(slide(&mut client, &game, None).status, 200);
}

#[test]
fn malformed_and_oversized_bodies_are_refused() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "classic");
    let slides = path(&game, "/slides");
    let json_type = [("content-type", "application/json")];
    let post = |client: &mut Client, body: &[u8]| {
        client
            .send("POST", &slides, &json_type, body)
            .expect("the server answers")
    };
    for body in [
        &b""[..],
        b"{",
        b"{\"slide\": \"up\", \"slides\": 0",
        b"{\"slide\": \"up\", \"slides\": 0} x",
        b"{\"slide\": \"up\", \"slide\": \"down\", \"slides\": 0}",
        b"\xff\xfe\x00",
        b"slide=up&slides=0",
    ] {
        let answer = post(&mut client, body);
        assert_refused(&answer, (400, "bad_request"), &mut client, &game);
    }
    let large = format!("{{\"slide\": \"up\", \"slides\": 0{}}}", " ".repeat(2000));
    let answer = post(&mut client, large.as_bytes());
    assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"));
    // Without its length, it is cut off where it is too long.
    let mut stream = std::net::TcpStream::connect(server.addr).expect("the server listens");
    let cookie = client.cookie.clone().expect("a visitor");
    let head = format!(
        "POST {slides} HTTP/1.1\r\nhost: a\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n{:x}\r\n{large}\r\n0\r\n\r\n",
        large.len()
    );
    let written = std::io::Write::write_all(&mut stream, head.as_bytes());
    written.expect("the server reads");
    let mut text = String::new();
    // The server may close before it has read all.
    let _ = std::io::Read::read_to_string(&mut stream, &mut text);
    assert!(
        text.starts_with("HTTP/1.1 413 ") && text.contains("too_large"),
        "{text}"
    );
    let mut client = client.twin();
    assert_eq!(shown(&mut client, &game), game);
}

/// What the library refuses by itself has a code as everything else.
#[test]
fn addresses_that_are_no_text_are_refused_in_json() {
    let server = TestServer::start();
    let mut client = server.client();
    for address in ["/api/games/%ff", "/api/records/%ff/plies?from=0&count=1"] {
        let answer = client.get(address);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "bad_request")
        );
    }
}

#[test]
fn other_types_methods_and_addresses_are_refused() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "classic");
    let body = json!({"slide": game["legal"][0], "slides": 0}).to_string();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "",
    ] {
        let headers = [("content-type", kind)];
        let answer = client.send("POST", &path(&game, "/slides"), &headers, body.as_bytes());
        let answer = answer.expect("the server answers");
        assert_refused(&answer, (415, "no_json"), &mut client, &game);
    }
    // Nothing changes by GET, and nothing is changed by other methods.
    for below in ["/slides", "/automatic", "/undo", "/hint", "/submit"] {
        let answer = client.get(&path(&game, below));
        assert_refused(&answer, (405, "no_method"), &mut client, &game);
    }
    for method in ["PUT", "DELETE", "PATCH"] {
        let answer = client.send(method, &path(&game, ""), &[], b"");
        let answer = answer.expect("the server answers");
        assert_refused(&answer, (405, "no_method"), &mut client, &game);
    }
    for address in [
        "/api",
        "/api/games/x/y",
        "/index.php",
        "/../Cargo.toml",
        "/main.js/",
    ] {
        let answer = client.get(address);
        assert_refused(&answer, (404, "no_page"), &mut client, &game);
    }
    for query in [
        "",
        "?variant=contest",
        "?variant=akioi&x=1",
        "?variant='%20OR%201=1",
    ] {
        let answer = client.get(&format!("/api/leaderboard{query}"));
        assert_refused(&answer, (400, "bad_request"), &mut client, &game);
    }
}

#[test]
fn requests_of_other_sites_are_refused() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "classic");
    let own = format!("http://{}", server.addr);
    let body = json!({"slide": game["legal"][0], "slides": 0}).to_string();
    let wrong = [
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("origin", "http://127.0.0.1"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ];
    for (name, value) in wrong {
        for (address, body) in [
            (path(&game, "/slides"), body.as_str()),
            (path(&game, "/submit"), "{}"),
            ("/api/games".to_owned(), "{\"variant\": \"classic\"}"),
            ("/api/name".to_owned(), "{\"name\": \"thief\"}"),
        ] {
            let headers = [("content-type", "application/json"), (name, value)];
            let answer = client.send("POST", &address, &headers, body.as_bytes());
            let answer = answer.expect("the server answers");
            assert_refused(&answer, (403, "wrong_origin"), &mut client, &game);
        }
    }
    let headers = [
        ("content-type", "application/json"),
        ("origin", own.as_str()),
    ];
    let answer = client.send("POST", &path(&game, "/slides"), &headers, body.as_bytes());
    assert_eq!(answer.expect("the server answers").status, 200);
}

#[test]
fn games_of_other_browsers_do_not_exist() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = begin(&mut client, "mini");
    let mut foreign = server.client();
    begin(&mut foreign, "mini");
    let mut nobody = server.client();
    let mut forger = server.client();
    forger.cookie = Some(format!("afterstate={}", "0".repeat(64)));
    for other in [&mut foreign, &mut nobody, &mut forger] {
        assert_eq!(other.get(&path(&game, "")).status, 404);
        for (below, body) in [
            ("/slides", json!({"slide": game["legal"][0], "slides": 0})),
            ("/automatic", json!({"slides": 0, "count": 1})),
            ("/undo", json!({ "slides": 0 })),
            ("/hint", json!({ "slides": 0 })),
            ("/submit", json!({})),
        ] {
            let answer = other.post(&path(&game, below), &body);
            assert_refused(&answer, (404, "no_game"), &mut client, &game);
        }
    }
    for id in [
        "0",
        "x",
        "0123456789abcdef0123456789abcdef",
        "%00",
        "'%20OR%20'1'='1",
    ] {
        assert_eq!(client.get(&format!("/api/games/{id}")).status, 404, "{id}");
    }
    // A token of one's own choosing is not adopted.
    let before = forger.cookie.clone();
    begin(&mut forger, "mini");
    assert_ne!(forger.cookie, before);
}

#[test]
fn a_game_that_has_ended_takes_no_more_slides() {
    let server = TestServer::start();
    let mut client = server.client();
    let game = played_by_machine(&mut client, "mini");
    let answer = slide(&mut client, &game, Some("up"));
    assert_refused(&answer, (409, "ended"), &mut client, &game);
    let body = json!({"slides": game["slides"], "count": 1});
    let answer = client.post(&path(&game, "/automatic"), &body);
    assert_refused(&answer, (409, "ended"), &mut client, &game);
    let body = json!({ "slides": game["slides"] });
    let answer = client.post(&path(&game, "/hint"), &body);
    assert_refused(&answer, (409, "ended"), &mut client, &game);
    assert_eq!(submit(&mut client, &game).status, 201);
    let game = shown(&mut client, &game);
    let answer = client.post(&path(&game, "/undo"), &body);
    assert_refused(&answer, (409, "listed"), &mut client, &game);
}

#[test]
fn one_visitor_is_held_up_and_others_are_not() {
    let limits = Limits {
        requests: Rate {
            burst: 10.0,
            per_second: 5.0,
        },
        games: Rate {
            burst: 3.0,
            per_second: 0.5,
        },
        visitors: Rate {
            burst: 3.0,
            per_second: 1.0,
        },
        ..Limits::default()
    };
    let server = TestServer::start_with(limits);
    let mut client = server.client();
    let game = begin(&mut client, "mini");
    let mut other = server.client();
    let others = begin(&mut other, "mini");
    let hint = json!({ "slides": 0 });
    let asked = |client: &mut Client, game: &Value| {
        let answers = (0..20).map(|_| client.post(&path(game, "/hint"), &hint));
        answers.filter(|answer| answer.status == 200).count()
    };
    assert_eq!(asked(&mut client, &game), 10);
    let answer = client.post(&path(&game, "/hint"), &hint);
    assert_eq!((answer.status, answer.code().as_str()), (429, "too_many"));
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(asked(&mut other, &others), 10);
    server.clock.advance(1000);
    assert_eq!(asked(&mut client, &game), 5);

    server.clock.advance(60_000);
    let begun = |client: &mut Client| client.post("/api/games", &json!({"variant": "mini"}));
    let statuses: Vec<u16> = (0..4).map(|_| begun(&mut client).status).collect();
    assert_eq!(statuses, [201, 201, 201, 429]);
    // New visitors of one address: two came, one a second may follow.
    let newcomers = || begun(&mut server.client()).status;
    assert_eq!(
        [newcomers(), newcomers(), newcomers(), newcomers()],
        [201, 201, 201, 429]
    );
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let limits = Limits {
        head_timeout: Duration::from_millis(300),
        answer_timeout: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = TestServer::start_with(limits);
    let closes = |sent: &[u8]| {
        let mut stream = TcpStream::connect(server.addr).expect("a connection");
        let timeout = Some(Duration::from_secs(20));
        stream.set_read_timeout(timeout).expect("a limit is set");
        stream.write_all(sent).expect("the server reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the server closes");
        String::from_utf8_lossy(&answer).into_owned()
    };
    closes(b"");
    closes(b"GET / HTTP/1.1\r\nhost: a\r\n");
    // A body that never comes.
    let answer = closes(
        b"POST /api/games HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
          connection: close\r\ncontent-length: 20\r\n\r\n{",
    );
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let answer = closes(b"nonsense\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let endless = format!("GET / HTTP/1.1\r\nx: {}\r\n", "a".repeat(100_000));
    let mut stream = TcpStream::connect(server.addr).expect("a connection");
    // The server may close before everything is sent.
    let _ = stream.write_all(endless.as_bytes());
    let mut client = server.client();
    assert_eq!(client.get("/").status, 200);
}

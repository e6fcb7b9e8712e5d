//! Random slides through the interface against the literal rules.

use afterstate_testkit::{Direction, NaiveBoard, NaiveRules};
use serde_json::{Value, json};

use crate::client::Client;
use crate::support::{TestServer, begin, path};

const N_SLIDES: usize = 10_000;

fn rows(board: &Value) -> NaiveBoard {
    let rows = board.as_array().expect("rows").iter();
    rows.map(|row| {
        let cells = row.as_array().expect("cells").iter();
        cells
            .map(|cell| cell.as_i64().expect("a number") as i32)
            .collect()
    })
    .collect()
}

/// A small generator (SplitMix64), so that every run tries the same slides.
fn below(state: &mut u64, n: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ (bits >> 31)) % n
}

/// Asks for a slide, legal or not, and asserts that what comes of it is what the
/// literal rules say. Returns the game as it is then.
fn assert_slide(client: &mut Client, rules: NaiveRules, game: &Value, chosen: Direction) -> Value {
    let before = rows(&game["board"]);
    let (after, gain) = rules.slide(&before, chosen);
    let body = json!({"slide": chosen.name(), "slides": game["slides"]});
    let answer = client.post(&path(game, "/slides"), &body);
    if after == before {
        assert_eq!((answer.status, answer.code().as_str()), (409, "not_legal"));
        assert_eq!(answer.json()["error"]["details"]["game"], *game);
        return game.clone();
    }
    assert_eq!(answer.status, 200, "{}", answer.text);
    let played = answer.json();
    let next = &played["game"];
    let mut expected = after.clone();
    let step = &played["steps"][0];
    if let Some(cell) = step["spawn"]["cell"].as_u64() {
        let (row, col) = (cell as usize / before.len(), cell as usize % before.len());
        assert_eq!(expected[row][col], 0, "a tile appears in an empty cell");
        expected[row][col] = step["spawn"]["tile"].as_i64().expect("a tile") as i32;
    }
    assert_eq!(
        rows(&next["board"]),
        expected,
        "{before:?} {}",
        chosen.name()
    );
    assert_eq!(step["gain"], gain);
    let score = game["score"].as_i64().map(|score| score + gain);
    assert_eq!(next["score"].as_i64(), score);
    assert_eq!(
        next["slides"].as_u64(),
        game["slides"].as_u64().map(|slides| slides + 1)
    );
    let legal: Vec<&str> = Direction::ALL
        .into_iter()
        .filter(|&direction| rules.is_legal(&expected, direction))
        .map(Direction::name)
        .collect();
    assert_eq!(next["legal"], json!(legal));
    assert_eq!(next["status"] == "over", rules.is_over(&expected));
    next.clone()
}

#[test]
fn ten_thousand_random_slides_agree_with_the_literal_rules() {
    let server = TestServer::start();
    let mut client = server.client();
    let variants = [
        ("akioi", NaiveRules::Akioi),
        ("classic", NaiveRules::CLASSIC),
        ("mini", NaiveRules::MINI),
    ];
    let mut state = 1;
    let mut games: Vec<Option<Value>> = vec![None; variants.len()];
    for asked in 0..N_SLIDES {
        // A slide each 100 ms and a new game each 2 s at most, by its clock.
        server.clock.advance(100);
        let idx = asked % variants.len();
        let (variant, rules) = variants[idx];
        let game = match games[idx].take() {
            Some(game) if game["status"] == "playing" => game,
            _ => {
                server.clock.advance(2000);
                begin(&mut client, variant)
            }
        };
        let chosen = Direction::ALL[below(&mut state, 4) as usize];
        games[idx] = Some(assert_slide(&mut client, rules, &game, chosen));
    }
}

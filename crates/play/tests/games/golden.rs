//! Results of fixed seeds, written down once: a seed means the same game in
//! every release and on every machine.

use afterstate_play::{
    Agent, GameResult, GreedyAgent, Outcome, RandomAgent, play_game, random_playouts,
};
use afterstate_rules::{Rules, SpawnSet};

use crate::support::{Case, akioi, classic, contest, mini, narrow};

/// Score, largest tile and slides of a game that ended without a 65536.
type Golden = (i64, i32, u32);

fn golden_of(result: GameResult) -> Golden {
    assert_eq!(result.outcome, Outcome::Over);
    (result.score, result.largest, result.n_slides)
}

/// Results of seeds 1 to 3.
fn games<R: Rules>(case: &Case<R>, agent: &mut impl Agent<R>) -> [Golden; 3] {
    let spawns = case.spawns();
    [1, 2, 3].map(|seed| golden_of(play_game(case.rules, &spawns, agent, seed, |_, _| ())))
}

fn playouts<R: Rules>(case: &Case<R>) -> [Golden; 3] {
    let mut results = [(0, 0, 0); 3];
    random_playouts(
        case.rules,
        &case.spawns(),
        1..4,
        |index| index,
        |index, result| {
            results[index as usize - 1] = golden_of(result);
        },
    );
    results
}

#[test]
fn random_games_stay_what_they_are() {
    let mut agent = RandomAgent::new(0);
    assert_eq!(games(&classic(), &mut agent), RANDOM[0]);
    assert_eq!(games(&narrow(), &mut agent), RANDOM[0]);
    assert_eq!(games(&contest(), &mut agent), RANDOM[1]);
    assert_eq!(games(&akioi(SpawnSet::GUIDE), &mut agent), RANDOM[2]);
    assert_eq!(games(&akioi(SpawnSet::LIVE), &mut agent), RANDOM[3]);
    assert_eq!(games(&mini(), &mut agent), RANDOM[4]);
}

/// One row for each variant and set, as above.
const RANDOM: [[Golden; 3]; 5] = [
    [(888, 64, 108), (1636, 128, 167), (1124, 128, 120)],
    [(1548, 128, 145), (1372, 128, 132), (1220, 128, 115)],
    [(1578, 128, 167), (2652, 256, 217), (572, 64, 74)],
    [(1162, 128, 114), (1148, 64, 143), (1356, 128, 137)],
    [(32, 8, 13), (208, 32, 32), (216, 32, 36)],
];

#[test]
fn greedy_games_stay_what_they_are() {
    let mut agent = GreedyAgent;
    assert_eq!(games(&classic(), &mut agent), GREEDY[0]);
    assert_eq!(games(&contest(), &mut agent), GREEDY[1]);
    assert_eq!(games(&akioi(SpawnSet::GUIDE), &mut agent), GREEDY[2]);
    assert_eq!(games(&akioi(SpawnSet::LIVE), &mut agent), GREEDY[3]);
    assert_eq!(games(&mini(), &mut agent), GREEDY[4]);
}

/// One row for each variant and set, as above.
const GREEDY: [[Golden; 3]; 5] = [
    [(2424, 128, 229), (2148, 128, 213), (1608, 128, 169)],
    [(1588, 128, 149), (3872, 256, 288), (7292, 512, 473)],
    [(2516, 128, 217), (2800, 256, 225), (6200, 512, 452)],
    [(1858, 128, 186), (4820, 256, 363), (8012, 512, 519)],
    [(440, 64, 55), (272, 32, 45), (256, 32, 41)],
];

#[test]
fn playouts_stay_what_they_are() {
    assert_eq!(playouts(&classic()), PLAYOUTS[0]);
    assert_eq!(playouts(&narrow()), PLAYOUTS[0]);
    assert_eq!(playouts(&contest()), PLAYOUTS[1]);
    assert_eq!(playouts(&akioi(SpawnSet::GUIDE)), PLAYOUTS[2]);
    assert_eq!(playouts(&akioi(SpawnSet::LIVE)), PLAYOUTS[3]);
    assert_eq!(playouts(&mini()), PLAYOUTS[4]);
}

/// One row for each variant and set, as above.
const PLAYOUTS: [[Golden; 3]; 5] = [
    [(1296, 128, 131), (1284, 128, 132), (1384, 128, 140)],
    [(1228, 128, 113), (564, 64, 74), (624, 64, 78)],
    [(1584, 128, 168), (1064, 64, 133), (1328, 64, 135)],
    [(678, 64, 92), (996, 64, 130), (3310, 512, 242)],
    [(156, 32, 27), (92, 16, 22), (204, 32, 34)],
];

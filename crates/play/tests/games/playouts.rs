//! Random playouts: the same games as a slow replay of their draws, however
//! they are asked for, and the statistics of random play.

use afterstate_bitboard::Grid;
use afterstate_play::{
    GameResult, Outcome, RandomAgent, game_seed, play_game, random_playouts, rng_of_seed,
};
use afterstate_rules::{Opening, Rules, SpawnSet};
use afterstate_testkit::{Direction, NaiveBoard, empty_board, empty_cells, transposed};
use rand::Rng;

use crate::support::{
    Case, Check, akioi, classic, contest, for_all, largest, mean_score, mean_slides, mini, narrow,
    z_score,
};

/// Results of the games with these indices, by index.
fn playouts<R: Rules>(case: &Case<R>, games: core::ops::Range<u64>) -> Vec<GameResult> {
    let mut results = vec![None; (games.end - games.start) as usize];
    let seed_of = |index| game_seed(7, case.variant.name(), "playout", index);
    random_playouts(
        case.rules,
        &case.spawns(),
        games.clone(),
        seed_of,
        |index, result| {
            let slot = &mut results[(index - games.start) as usize];
            assert!(slot.replace(result).is_none(), "game {index} ends once");
        },
    );
    results
        .into_iter()
        .map(|result| result.expect("every game ends"))
        .collect()
}

/// Numbers taken from one 64-bit draw: the integer part of the draw, as a
/// fraction of 2^64, times the radix; the fraction left serves the next.
struct Digits(u64);

impl Digits {
    fn next(&mut self, radix: usize) -> usize {
        let product = u128::from(self.0) * radix as u128;
        self.0 = (product % (1 << 64)) as u64;
        (product / (1 << 64)) as usize
    }
}

/// All orders of the four slides, as the playouts number them: bit 0 of a
/// slide says that it is vertical, bit 1 that it goes to the end of its lines;
/// orders are sorted by their last slide first.
fn orders() -> Vec<[usize; 4]> {
    let mut orders = Vec::new();
    for packed in 0..256 {
        let order = [packed % 4, packed / 4 % 4, packed / 16 % 4, packed / 64];
        if (0..4).all(|slide| order.contains(&slide)) {
            orders.push(order);
        }
    }
    orders
}

/// Puts the tile of this draw on the board.
fn spawn(board: &mut NaiveBoard, weights: &[(i32, u32)], digits: &mut Digits, fixed: Option<i32>) {
    let cells = empty_cells(board);
    let (row, col) = cells[digits.next(cells.len())];
    let line: Vec<i32> = weights
        .iter()
        .flat_map(|&(tile, weight)| vec![tile; weight as usize])
        .collect();
    let tile = line[digits.next(line.len())];
    board[row][col] = fixed.unwrap_or(tile);
}

/// The same game with rows of numbers. A board that slid up or down stays
/// turned, as in the playouts: which of its images a board is changes nothing
/// but the meaning of the draws that follow.
fn naive_playout<R: Rules>(case: &Case<R>, seed: u64) -> GameResult {
    let mut rng = rng_of_seed(seed);
    let fixed = match case.set.opening() {
        Opening::TwoSpawned => None,
        Opening::TwoOf(number) => Some(number),
    };
    let mut board = empty_board(R::Grid::ROWS, R::Grid::COLS);
    for _ in 0..2 {
        let mut digits = Digits(rng.next_u64());
        spawn(&mut board, case.set.weights(), &mut digits, fixed);
    }
    let orders = orders();
    let (mut score, mut n_slides) = (0, 0);
    let outcome = loop {
        let mut digits = Digits(rng.next_u64());
        let order = orders[digits.next(24)];
        let first_legal = order.into_iter().find_map(|slide| {
            let turned = if slide % 2 == 1 {
                transposed(&board)
            } else {
                board.clone()
            };
            let to_end = [Direction::Left, Direction::Right][slide / 2];
            let (after, gain) = case.naive.slide(&turned, to_end);
            (after != turned).then_some((after, gain))
        });
        let Some((after, gain)) = first_legal else {
            break Outcome::Over;
        };
        board = after;
        score += gain;
        n_slides += 1;
        if case.naive.is_cleared(&board) {
            break Outcome::Cleared;
        }
        spawn(&mut board, case.set.weights(), &mut digits, None);
    };
    GameResult {
        score,
        largest: largest(&board),
        n_slides,
        outcome,
    }
}

struct EqualsNaive;

impl Check for EqualsNaive {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        for (index, result) in (0..).zip(playouts(case, 0..150)) {
            let seed = game_seed(7, case.variant.name(), "playout", index);
            assert_eq!(result, naive_playout(case, seed), "{} {seed}", case.name());
        }
    }
}

#[test]
fn playouts_equal_a_naive_replay_of_their_draws() {
    for_all(&mut EqualsNaive);
}

/// A game's result depends on its seed alone: not on the games beside it, nor
/// on how many there are.
struct AnyRange;

impl Check for AnyRange {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let together = playouts(case, 0..100);
        for index in 0..100 {
            let alone = playouts(case, index..index + 1);
            assert_eq!(alone, together[index as usize..][..1], "{index}");
        }
        for first in [0, 1, 13, 97] {
            for last in [first, first + 1, first + 2, first + 3, 100] {
                let part = &together[first as usize..last as usize];
                assert_eq!(playouts(case, first..last), part);
            }
        }
    }
}

#[test]
fn playouts_are_the_same_in_any_range() {
    for_all(&mut AnyRange);
}

/// The two layouts of the classic board play the same games.
#[test]
fn narrow_and_wide_playouts_agree() {
    assert_eq!(playouts(&narrow(), 0..500), playouts(&classic(), 0..500));
}

/// What is known of random play: a mean score of 1,095.3 and 118.4 slides, by
/// 1.5 million games of these playouts and of the random agent, with standard
/// errors of 0.5 and 0.04; 60,000 games of the naive twin with draws of its own
/// agree. Published figures are rougher: about 1,109 and about 119.5.
///
/// With 20,000 games the standard errors are near 3.8 and 0.3.
#[test]
fn random_classic_games_score_what_is_known() {
    let results = playouts(&narrow(), 0..20_000);
    let (score, slides) = (mean_score(&results), mean_slides(&results));
    assert!((score.0 - 1095.3).abs() < 4.0 * score.1.sqrt(), "{score:?}");
    assert!(
        (slides.0 - 118.4).abs() < 4.0 * slides.1.sqrt(),
        "{slides:?}"
    );
    assert!((score.0 / 1109.0 - 1.0).abs() < 0.025, "{score:?}");
    assert!((slides.0 / 119.5 - 1.0).abs() < 0.015, "{slides:?}");
}

/// Playouts and a random agent in a game play alike: means of scores and of
/// slides of 3,000 games each lie within four standard errors.
struct LikeRandomAgent;

impl Check for LikeRandomAgent {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let fast = playouts(case, 0..3000);
        let mut agent = RandomAgent::new(0);
        let spawns = case.spawns();
        let slow: Vec<GameResult> = (0..3000)
            .map(|seed| play_game(case.rules, &spawns, &mut agent, seed, |_, _| ()))
            .collect();
        let scores = z_score(mean_score(&fast), mean_score(&slow));
        let slides = z_score(mean_slides(&fast), mean_slides(&slow));
        assert!(scores.abs() < 4.0, "{}: scores {scores}", case.name());
        assert!(slides.abs() < 4.0, "{}: slides {slides}", case.name());
    }
}

#[test]
fn playouts_are_like_games_of_the_random_agent() {
    for_all(&mut LikeRandomAgent);
}

/// The test above can tell games apart: more 4s, which score nothing, and the
/// games are shorter; more ×2, and scores are higher.
#[test]
fn other_spawns_are_other_games() {
    let [standard, contest] = [playouts(&classic(), 0..3000), playouts(&contest(), 0..3000)]
        .map(|results| mean_score(&results));
    assert!(z_score(standard, contest) > 8.0, "{contest:?} {standard:?}");
    let [guide, live] =
        [SpawnSet::GUIDE, SpawnSet::LIVE].map(|set| mean_score(&playouts(&akioi(set), 0..20_000)));
    assert!(z_score(live, guide) > 4.0, "{live:?} {guide:?}");
}

#[test]
fn no_games_no_results() {
    assert_eq!(playouts(&mini(), 5..5), []);
    assert_eq!(playouts(&mini(), u64::MAX - 3..u64::MAX).len(), 3);
}

/// A game in which tiles that do not fit the board would have been made is
/// refused and not played wrong.
#[test]
fn games_beyond_the_board_are_refused() {
    let case = Case {
        set: SpawnSet::new("large", &[(32_768, 1)], Opening::TwoSpawned),
        ..narrow()
    };
    assert!(std::panic::catch_unwind(|| playouts(&case, 0..1)).is_err());
}

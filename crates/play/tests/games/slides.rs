//! One game: what a slide does, what an illegal one must not do, scores.

use afterstate_bitboard::{Board, Classic, Grid, Slide};
use afterstate_play::{Game, Outcome, RandomAgent, play_game};
use afterstate_rules::{ClassicRules, Opening, Rules, SpawnSet, Status};
use afterstate_testkit::{Direction, NaiveRules, potential};

use crate::support::{Case, Check, akioi, board, classic, for_all, spawns};

/// Numbers below `n` from a small generator (an LCG's high bits).
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) * n) >> 31
    }
}

fn naive_slide(naive: NaiveRules, rows: &Vec<Vec<i32>>, slide: Slide) -> (Vec<Vec<i32>>, i64) {
    let direction = Direction::ALL[slide.idx()];
    assert_eq!(direction.name(), slide.name());
    naive.slide(rows, direction)
}

/// What can be seen of a game.
fn seen<R: Rules>(game: &Game<R>) -> (Board<R::Grid>, Status, i64, u32) {
    let counts = (game.score(), game.n_slides());
    (game.board(), game.status(), counts.0, counts.1)
}

/// Random slides, legal or not, a game after the other: a slide is carried out
/// if and only if it changes the board by the naive rules; then the gain is
/// the naive one and exactly one tile is added; else nothing changes, the next
/// spawn included. Once a game has ended no slide is carried out.
///
/// Rows 2 and 47 of the reports of users of other programs.
struct LegalIffChanged {
    n_slides: u64,
}

impl Check for LegalIffChanged {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let mut draws = Draws(3);
        let spawns = case.spawns();
        let mut game = Game::new(case.rules, &spawns, 0);
        let mut n_games = 1;
        let mut n_refused = 0;
        for _ in 0..self.n_slides {
            if game.status() != Status::Playing {
                game = Game::new(case.rules, &spawns, n_games);
                n_games += 1;
            }
            let slide = Slide::from_low_bits(draws.below(4) as usize);
            let before = seen(&game);
            let rows = game.board().to_rows();
            let (after, gain) = naive_slide(case.naive, &rows, slide);
            let is_listed = game.legal_slides().any(|legal| legal == slide);
            let ply = game.slide(slide);
            assert_eq!(ply.is_some(), after != rows, "{slide} {rows:?}");
            assert_eq!(is_listed, after != rows, "{slide} {rows:?}");
            let Some(ply) = ply else {
                n_refused += 1;
                assert_eq!(seen(&game), before, "{slide} {rows:?}");
                continue;
            };
            assert_eq!(i64::from(ply.gain), gain);
            assert_eq!(
                (game.score(), game.n_slides()),
                (before.2 + gain, before.3 + 1)
            );
            let mut next = after;
            if let Some(tile) = ply.spawned {
                let cell = &mut next[tile.cell / R::Grid::COLS][tile.cell % R::Grid::COLS];
                assert_eq!(*cell, 0, "a tile spawns in an empty cell");
                *cell = R::Grid::number(tile.code);
            }
            assert_eq!(game.board().to_rows(), next);
            assert_eq!(ply.spawned.is_none(), case.naive.is_cleared(&next));
        }
        assert!(n_refused > self.n_slides / 20, "{n_refused}");
        assert!(n_games > self.n_slides / 1000, "{n_games}");
    }
}

#[test]
fn legal_iff_changed() {
    let n_slides = if cfg!(debug_assertions) {
        20_000
    } else {
        1_000_000
    };
    for_all(&mut LegalIffChanged { n_slides });
}

/// Illegal slides before a legal one change nothing of what comes after: the
/// rest of the game is the same tile by tile.
struct IllegalSlides;

impl Check for IllegalSlides {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let spawns = case.spawns();
        for seed in 0..20 {
            let mut quiet = Game::new(case.rules, &spawns, seed);
            let mut noisy = quiet.clone();
            let mut draws = Draws(seed);
            while quiet.status() == Status::Playing {
                let legal: Vec<Slide> = quiet.legal_slides().collect();
                for slide in Slide::ALL {
                    if !legal.contains(&slide) {
                        assert_eq!(noisy.slide(slide), None);
                    }
                }
                let slide = legal[draws.below(legal.len() as u64) as usize];
                assert_eq!(noisy.slide(slide), quiet.slide(slide));
            }
            assert_eq!(seen(&noisy), seen(&quiet));
            let ended = seen(&noisy);
            for slide in Slide::ALL {
                assert_eq!(noisy.slide(slide), None, "the game has ended");
            }
            assert_eq!(seen(&noisy), ended);
            assert_eq!(noisy.legal_slides().count(), 0);
        }
    }
}

#[test]
fn illegal_slides_change_nothing() {
    for_all(&mut IllegalSlides);
}

/// Row 50: at every moment of a game the score is the potential of the board
/// less that of all spawned tiles, that is less 4 for each 4.
struct ScoreIdentity;

impl Check for ScoreIdentity {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        assert_eq!(R::GAIN_IS_POTENTIAL, case.naive != NaiveRules::Akioi);
        if !R::GAIN_IS_POTENTIAL {
            return;
        }
        let spawns = case.spawns();
        for seed in 0..50 {
            let opening = Game::new(case.rules, &spawns, seed).opening();
            let mut n_fours = opening.iter().filter(|tile| tile.code == 2).count() as i64;
            let mut agent = RandomAgent::new(0);
            let result = play_game(case.rules, &spawns, &mut agent, seed, |game, ply| {
                n_fours += i64::from(ply.spawned.is_some_and(|tile| tile.code == 2));
                let rows = game.board().to_rows();
                assert_eq!(game.score(), potential(&rows) - 4 * n_fours, "{rows:?}");
            });
            assert_eq!(result.outcome, Outcome::Over);
        }
    }
}

#[test]
fn the_score_identity_holds() {
    for_all(&mut ScoreIdentity);
}

/// A result is what the plies add up to, and there is none before the end.
struct Results;

impl Check for Results {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let spawns = case.spawns();
        for seed in 0..30 {
            let (mut score, mut n_slides) = (0, 0);
            let mut last = None;
            let mut agent = RandomAgent::new(0);
            let result = play_game(case.rules, &spawns, &mut agent, seed, |game, ply| {
                score += i64::from(ply.gain);
                n_slides += 1;
                assert_eq!(game.result().is_some(), game.status() != Status::Playing);
                last = Some(game.board().to_rows());
            });
            let last = last.expect("a game has a slide");
            assert_eq!((result.score, result.n_slides), (score, n_slides));
            assert_eq!(result.largest, crate::support::largest(&last));
            let is_cleared = case.naive.is_cleared(&last);
            assert_eq!(result.outcome == Outcome::Cleared, is_cleared);
            assert!(is_cleared || case.naive.is_over(&last), "{last:?}");
        }
    }
}

#[test]
fn results_are_what_was_played() {
    for_all(&mut Results);
}

/// The same seed is the same game, whatever was played before with the agent.
struct SameSeed;

impl Check for SameSeed {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let spawns = case.spawns();
        let mut agent = RandomAgent::new(0);
        let play = |seed, agent: &mut RandomAgent| {
            let mut plies = Vec::new();
            let result = play_game(case.rules, &spawns, agent, seed, |_, ply| plies.push(ply));
            (result, plies)
        };
        let first: Vec<_> = (0..40).map(|seed| play(seed, &mut agent)).collect();
        for (seed, game) in first.iter().enumerate().rev() {
            assert_eq!(&play(seed as u64, &mut RandomAgent::new(99)), game);
        }
        let mut different = first.clone();
        different.dedup();
        assert_eq!(different.len(), first.len(), "other seeds, other games");
    }
}

#[test]
fn the_same_seed_is_the_same_game() {
    for_all(&mut SameSeed);
}

/// A spawn set of one's own brings the largest tiles into a game, and they
/// merge exactly: 32768 twice is 65536, and that twice is 131072.
#[test]
fn the_largest_merges_are_exact_in_a_game() {
    for (tile, sum) in [(32_768, 65_536), (65_536, 131_072)] {
        let set = SpawnSet::new("large", &[(tile, 1)], Opening::TwoOf(tile));
        let spawns = spawns::<Classic>(&set);
        let rules = ClassicRules::new();
        // A seed whose opening lies in one row.
        let seed = (0..100).find(|&seed| {
            let opening = Game::new(rules, &spawns, seed).opening();
            opening[0].cell / 4 == opening[1].cell / 4
        });
        let mut game = Game::new(rules, &spawns, seed.expect("one of a hundred"));
        let ply = game.slide(Slide::Left).expect("two tiles merge");
        assert_eq!((ply.gain, game.score()), (sum, i64::from(sum)));
        assert_eq!(game.board().largest(), sum);
        assert_eq!(game.board().tile_sum(), i64::from(sum + tile));
    }
}

/// Row 8: whether a game is over is asked after the spawn. Either tile in the
/// only empty cell leaves no slide.
#[test]
fn over_is_judged_after_the_spawn() {
    let rules = classic().rules;
    let before: Board<Classic> = board(". 2 4 8 / 8 2 4 8 / 2 4 8 16 / 16 8 4 2");
    assert_eq!(rules.status(before), Status::Playing);
    let after: Board<Classic> = board("2 4 8 . / 8 2 4 8 / 2 4 8 16 / 16 8 4 2");
    let left = rules.apply(before, Slide::Left).expect("row 0 moves");
    assert_eq!(left.board, after);
    for code in [1, 2] {
        assert_eq!(rules.status(after.put(3, code)), Status::Over);
    }
}

/// Row 12: the slide that clears wins, though it leaves no other slide.
#[test]
fn clearing_is_never_over() {
    let rules = akioi(SpawnSet::GUIDE).rules;
    let before = board("32768 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256");
    let won = rules.apply(before, Slide::Left).expect("a merge");
    assert_eq!(won.gain, 65_536);
    assert_eq!(rules.status(won.board), Status::Cleared);
}

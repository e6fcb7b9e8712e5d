//! Agents: legal slides, and each better than the next weaker one.

use afterstate_bitboard::{Akioi, Board, Classic, Grid, Nibbles, Slide};
use afterstate_eval::{LineHeuristic, LineWeights};
use afterstate_play::{
    Agent, GameResult, GreedyAgent, RandomAgent, SearchAgent, game_seed, play_game,
};
use afterstate_rules::Rules;
use afterstate_search::{Expectimax, Limits};

use crate::support::{
    Case, Check, assert_chi_square, board, classic, for_all, mean_score, z_score,
};

/// Results of games with seeds of the agent's own.
fn games<R: Rules>(
    case: &Case<R>,
    name: &str,
    agent: &mut impl Agent<R>,
    n_games: u64,
) -> Vec<GameResult> {
    let spawns = case.spawns();
    (0..n_games)
        .map(|index| {
            let seed = game_seed(1, case.variant.name(), name, index);
            play_game(case.rules, &spawns, agent, seed, |_, _| ())
        })
        .collect()
}

fn heuristic<R: Rules>(case: &Case<R>, depth: u32) -> impl Agent<R> {
    let weights = if R::GAIN_IS_POTENTIAL {
        LineWeights::CLASSIC
    } else {
        LineWeights::AKIOI
    };
    let evaluator = LineHeuristic::<R::Grid>::new(&weights);
    let search = Expectimax::new(
        case.rules,
        &case.spawns(),
        evaluator,
        Limits::to_depth(depth),
    );
    SearchAgent::new(search)
}

/// Row 40 of the reports of users of other programs: looking one ply ahead
/// beats random play in 100 games of every variant, by five standard errors.
struct BeatsRandom;

impl Check for BeatsRandom {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let random = mean_score(&games(case, "random", &mut RandomAgent::new(0), 100));
        let ahead = mean_score(&games(case, "heuristic", &mut heuristic(case, 1), 100));
        let z = z_score(ahead, random);
        assert!(z > 5.0, "{}: {ahead:?} {random:?}", case.name());
    }
}

#[test]
fn one_ply_beats_random_play() {
    for_all(&mut BeatsRandom);
}

#[test]
fn greedy_play_beats_random_play() {
    let random = mean_score(&games(&classic(), "random", &mut RandomAgent::new(0), 500));
    let greedy = mean_score(&games(&classic(), "greedy", &mut GreedyAgent, 500));
    assert!(z_score(greedy, random) > 5.0, "{greedy:?} {random:?}");
}

/// A search agent's games do not depend on the games before them.
struct FreshGames;

impl Check for FreshGames {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let spawns = case.spawns();
        let mut used = heuristic(case, 1);
        for seed in 0..2 {
            let again = play_game(case.rules, &spawns, &mut used, seed, |_, _| ());
            let fresh = play_game(
                case.rules,
                &spawns,
                &mut heuristic(case, 1),
                seed,
                |_, _| (),
            );
            assert_eq!(again, fresh, "{}", case.name());
        }
    }
}

#[test]
fn games_do_not_depend_on_those_before() {
    for_all(&mut FreshGames);
}

/// Greedy: the largest gain, and the first of equals in the order up, right,
/// down, left.
#[test]
fn greedy_takes_the_largest_gain() {
    let rules = classic().rules;
    for (text, slide) in [
        ("2 2 . . / . . . . / 4 . . . / 4 . . .", Slide::Up),
        ("8 8 . . / . . . . / 4 . . . / 4 . . .", Slide::Right),
        (". . . . / . . . . / . . . . / . . 2 .", Slide::Up),
        ("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 .", Slide::Right),
        ("2 . . . / . . . . / . . . . / . . . .", Slide::Right),
        ("2 4 8 16 / . . . . / . . . . / . . . .", Slide::Down),
    ] {
        assert_eq!(GreedyAgent.choose(rules, board(text)), slide, "{text}");
    }
    // In akioi a slide can cost: two multipliers merging gain −2.
    let akioi = crate::support::akioi(afterstate_rules::SpawnSet::GUIDE).rules;
    let before: Board<Akioi> = board("x1 x1 . . / . . . . / . . . . / . . . .");
    assert_eq!(GreedyAgent.choose(akioi, before), Slide::Down);
}

/// The random agent takes each legal slide as often as any other, and no
/// slide that is not legal.
#[test]
fn random_slides_are_uniform_among_the_legal() {
    let rules = classic().rules;
    for (text, legal) in [
        (
            "2 . . . / . . . . / . . . . / . . . .",
            vec![Slide::Right, Slide::Down],
        ),
        (". . . . / . . 2 . / . . . . / . . . .", Slide::ALL.to_vec()),
        (
            "2 . . . / 4 . . . / 8 . . . / . . . .",
            vec![Slide::Right, Slide::Down],
        ),
        (
            "2 . . . / 4 . . . / . . . . / 8 . . .",
            vec![Slide::Up, Slide::Right, Slide::Down],
        ),
    ] {
        let before: Board<Classic> = board(text);
        let mut agent = RandomAgent::new(11);
        let mut counts = [0; 4];
        for _ in 0..30_000 {
            counts[agent.choose(rules, before).idx()] += 1;
        }
        for slide in Slide::ALL {
            assert_eq!(
                counts[slide.idx()] > 0,
                legal.contains(&slide),
                "{slide} {text}"
            );
        }
        let of_legal: Vec<u64> = legal.iter().map(|slide| counts[slide.idx()]).collect();
        let even = vec![30_000.0 / legal.len() as f64; legal.len()];
        assert_chi_square(&of_legal, &even, text);
    }
}

/// On the narrow board a search agent plays as on the wide one.
#[test]
fn narrow_and_wide_agents_agree() {
    let narrow = crate::support::narrow();
    let wide = classic();
    for seed in 0..3 {
        let of_narrow = play_game(
            narrow.rules,
            &narrow.spawns(),
            &mut heuristic(&narrow, 1),
            seed,
            |_, _| (),
        );
        let of_wide = play_game(
            wide.rules,
            &wide.spawns(),
            &mut heuristic(&wide, 1),
            seed,
            |_, _| (),
        );
        assert_eq!(of_narrow, of_wide);
        assert!(of_narrow.largest < Nibbles::<4, 4>::number(15));
    }
}

//! Evaluators that find the values of four boards together: the same search.

use afterstate_bitboard::{Akioi, Board, Grid};
use afterstate_eval::Evaluator;
use afterstate_rules::{AkioiRules, MiniRules, NarrowRules, Rules, SpawnSet};
use afterstate_search::{Expectimax, Limits, Search};
use afterstate_testkit::NaiveRules;

use crate::support::{Scrambled, board, boards_of_game};

/// [`Scrambled`], four at a time. What it says of a cleared board would be
/// noticed.
struct Together(Scrambled);

impl<G: Grid> Evaluator<G> for Together {
    const BATCHED: bool = true;

    fn value(&self, after: Board<G>) -> f32 {
        self.0.value(after)
    }

    fn values(&self, afters: &[Board<G>; 4]) -> [f32; 4] {
        afters.map(|after| match after.top_exponent() {
            16 => f32::INFINITY,
            _ => self.0.value(after),
        })
    }

    fn over_value(&self) -> f32 {
        Evaluator::<G>::over_value(&self.0)
    }

    fn cleared_value(&self) -> f32 {
        Evaluator::<G>::cleared_value(&self.0)
    }

    fn gain_weight(&self) -> f32 {
        Evaluator::<G>::gain_weight(&self.0)
    }
}

fn same_values<R: Rules>(rules: R, set: &SpawnSet, boards: &[Board<R::Grid>]) {
    let spawns = set.on_grid().expect("the set fits the grid");
    let one_by_one = Scrambled::with_gains(0.5);
    for limits in [
        Limits::to_depth(1),
        Limits::to_depth(2),
        Limits::to_depth(3),
        Limits {
            min_probability: 0.01,
            max_rare_spawns: 1,
            ..Limits::to_depth(3)
        },
        Limits {
            max_nodes: Some(300),
            ..Limits::to_depth(4)
        },
    ] {
        let mut expected = Expectimax::new(rules, &spawns, one_by_one, limits).with_cache(10);
        let mut found =
            Expectimax::new(rules, &spawns, Together(one_by_one), limits).with_cache(10);
        for &board in boards {
            assert_eq!(found.values(board), expected.values(board), "{board}");
            assert_eq!(found.n_nodes(), expected.n_nodes(), "{board}");
        }
    }
}

fn late_boards<G: Grid>(naive: NaiveRules, set: &SpawnSet) -> Vec<Board<G>> {
    let mut boards = boards_of_game(naive, set.weights(), 5);
    boards.retain(|board| board.n_empty() <= G::CELLS as u32 / 2);
    boards.into_iter().rev().step_by(5).collect()
}

#[test]
fn four_at_once_are_the_same_search() {
    let standard = SpawnSet::STANDARD;
    same_values(
        NarrowRules::on_grid(),
        &standard,
        &late_boards(NaiveRules::CLASSIC, &standard),
    );
    let mini: Vec<_> = late_boards(NaiveRules::CLASSIC, &standard);
    same_values(MiniRules::on_grid(), &standard, &mini);
    let mut akioi = late_boards(NaiveRules::Akioi, &SpawnSet::GUIDE);
    let clearing = "32768 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 . 256";
    akioi.push(board::<Akioi>(clearing));
    akioi.push(board(
        "32768 . 32768 2 / x2 16384 32 64 / 2 4 8 . / 32 64 2 256",
    ));
    same_values(AkioiRules::new(), &SpawnSet::GUIDE, &akioi);
}

//! How well a set of heuristic weights plays: what a tuner asks.

use afterstate_eval::{LineHeuristic, LineWeights, Objective};
use afterstate_play::{SearchAgent, game_seed, play_game};
use afterstate_rules::{NarrowRules, Spawns, Variant};
use afterstate_search::{Expectimax, Limits};

use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};

/// The weights that a tuner leaves alone: they only set the scale of others.
pub const FIXED: [&str; 3] = ["empty", "across_pair.0", "cleared"];

/// The weights that `heuristic` plays a variant with.
pub fn weights_of(variant: Variant, objective: Objective) -> LineWeights {
    match variant {
        Variant::Classic => LineWeights::for_classic(objective),
        Variant::Contest => LineWeights::for_contest(objective),
        Variant::Akioi => LineWeights::for_akioi(objective),
        Variant::Mini => LineWeights::for_mini(objective),
    }
}

/// The mean natural logarithm of the score (plus 1) over the games of indices
/// below `games`, played by expectimax to `depth` plies.
///
/// The logarithm weighs an early loss as much as a late success; the mean score
/// would mostly count the few longest games.
pub fn heuristic_fitness(
    variant: Variant,
    weights: &LineWeights,
    depth: u32,
    games: u64,
    seed: u64,
) -> f64 {
    let spawn_set = variant.spawn_sets().swap_remove(0);
    let visitor = Fitness {
        variant,
        weights,
        depth,
        games,
        seed,
    };
    if let Variant::Classic | Variant::Contest = variant {
        // A tuner's games end long before a 65536.
        let spawns = spawn_set.on_grid().expect("the set fits the board");
        return visitor.visit(NarrowRules::on_grid(), spawns);
    }
    visit_variant(variant, &spawn_set, visitor).expect("the spawn set of a variant fits its board")
}

struct Fitness<'a> {
    variant: Variant,
    weights: &'a LineWeights,
    depth: u32,
    games: u64,
    seed: u64,
}

impl VariantVisitor for Fitness<'_> {
    type Output = f64;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> f64 {
        let heuristic = LineHeuristic::<R::Grid>::new(self.weights);
        let limits = Limits::to_depth(self.depth);
        let search = Expectimax::new(rules, &spawns, &heuristic, limits).with_cache(14);
        let mut agent = SearchAgent::new(search);
        let sum: f64 = (0..self.games)
            .map(|index| {
                let seed = game_seed(self.seed, self.variant.name(), "tune", index);
                let result = play_game(rules, &spawns, &mut agent, seed, |_, _| ());
                (result.score.max(0) as f64 + 1.0).ln()
            })
            .sum();
        sum / self.games as f64
    }
}

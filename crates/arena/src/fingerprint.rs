//! What the program computes, in a few numbers.

use core::fmt::Write as _;

use afterstate_bitboard::Board;
use afterstate_eval::{LineHeuristic, Objective};
use afterstate_play::Game;
use afterstate_rules::{Spawns, Status, Variant, perft};
use afterstate_search::{Expectimax, Limits, Search};

use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};
use crate::tune::weights_of;

/// Numbers that change when, and only when, the rules, the spawns, the
/// heuristic or the search compute something else: a line for each variant
/// and spawn set.
///
/// `perft` counts afterstates and boards of two plies from the opening of seed
/// 1; `games` is a hash of the boards of games that the depth-1 heuristic
/// plays, `search` the nodes that depth 2 takes on some of their boards with a
/// hash of the values.
pub fn fingerprint() -> String {
    let mut text = String::new();
    for variant in Variant::ALL {
        for spawn_set in variant.spawn_sets() {
            let line = visit_variant(variant, &spawn_set, Print { variant })
                .expect("the spawn sets of a variant fit its board");
            let _ = writeln!(text, "{variant} {} {line}", spawn_set.name());
        }
    }
    text
}

struct Print {
    variant: Variant,
}

impl VariantVisitor for Print {
    type Output = String;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> String {
        let weights = weights_of(self.variant, Objective::Score);
        let heuristic = LineHeuristic::<R::Grid>::new(&weights);
        let opening = Game::new(rules, &spawns, 1).board();
        let counts = perft(rules, &spawns, opening, 2);
        let mut player = Expectimax::new(rules, &spawns, &heuristic, Limits::to_depth(1));
        let mut deeper = Expectimax::new(rules, &spawns, &heuristic, Limits::to_depth(2));
        let mut games = Hash::default();
        let mut search = Hash::default();
        for seed in 0..4 {
            let mut game = Game::new(rules, &spawns, seed);
            while game.status() == Status::Playing {
                let board = game.board();
                games.add_board(board);
                let values = player.values(board);
                if game.n_slides() % 64 == 0 {
                    for value in deeper.values(board).values.into_iter().flatten() {
                        search.add(u64::from(value.to_bits()));
                    }
                }
                game.slide(values.best().expect("a slide is legal"))
                    .expect("the best slide is legal");
            }
            games.add(game.score() as u64);
        }
        format!(
            "perft {} {} games {:016x} search {} {:016x}",
            counts.afterstates,
            counts.boards,
            games.0,
            deeper.n_nodes(),
            search.0
        )
    }
}

/// FNV-1a over 64-bit words.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }

    fn add_board<G: afterstate_bitboard::Grid>(&mut self, board: Board<G>) {
        let (low, high) = board.key();
        self.add(low);
        self.add(u64::from(high));
    }
}

//! Games written out, to be compared with what is committed.

use core::fmt::Write as _;

use afterstate_bitboard::{Grid, tile_text};
use afterstate_play::play_game;
use afterstate_rules::{SpawnSet, Spawns, Variant};

use crate::agent_spec::AgentSpec;
use crate::build::Shared;
use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};

/// The seed of the games: any will do, but it must stay.
const SEED: u64 = 2048;

/// For every variant and spawn set a game of greedy play, each slide with its
/// gain, the tile that appeared and the board; name and text of each file.
pub fn snapshots() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for variant in Variant::ALL {
        for spawn_set in variant.spawn_sets() {
            let visitor = WriteGame {
                variant,
                spawn_set: &spawn_set,
            };
            let text = visit_variant(variant, &spawn_set, visitor)
                .expect("the spawn sets of a variant fit its board");
            files.push((format!("game-{variant}-{}.txt", spawn_set.name()), text));
        }
    }
    files
}

struct WriteGame<'a> {
    variant: Variant,
    spawn_set: &'a SpawnSet,
}

impl VariantVisitor for WriteGame<'_> {
    type Output = String;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> String {
        let spec = AgentSpec::parse("greedy", self.variant).expect("every variant has it");
        let mut agent = Shared::default().agent(&spec, self.variant, rules, &spawns);
        let mut text = format!(
            "{} {} greedy seed {SEED}\n",
            self.variant,
            self.spawn_set.name()
        );
        let result = play_game(rules, &spawns, &mut *agent, SEED, |game, ply| {
            let spawned = match ply.spawned {
                None => "nothing appears".to_owned(),
                Some(tile) => format!(
                    "{} in row {} column {}",
                    tile_text(R::Grid::number(tile.code)),
                    tile.cell / R::Grid::COLS,
                    tile.cell % R::Grid::COLS
                ),
            };
            let numbers: Vec<String> = game
                .board()
                .cells()
                .map(|code| tile_text(R::Grid::number(code)))
                .collect();
            let _ = writeln!(
                text,
                "{:<5} {:>5}  {spawned}  {}",
                ply.slide,
                ply.gain,
                numbers.join(" ")
            );
        });
        let _ = writeln!(
            text,
            "score {} largest {} slides {} {}",
            result.score,
            result.largest,
            result.n_slides,
            result.outcome.name()
        );
        text
    }
}

//! Instructions of searches on fixed boards of every variant, counted by
//! callgrind: the same on a busy machine as on an idle one. The contest's are
//! those of classic, since only its odds are others.
//!
//! `cargo xtask bench --instructions` runs it. What is set up, the tables of rules
//! and heuristic among it, is not counted.

#![allow(
    missing_docs,
    unreachable_pub,
    reason = "the bench library's macros make public items without documentation"
)]

mod common;

use std::hint::black_box;

use afterstate_bitboard::Board;
use afterstate_eval::{LineHeuristic, LineWeights};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet};
use afterstate_search::{Expectimax, Limits, Search, SlideValues};
use common::{AKIOI, CLASSIC, MINI};
use gungraun::{library_benchmark, library_benchmark_group, main};

/// Those that play classic, with gains paid, so that finding them counts too. The
/// nodes of an exact search do not depend on them.
const WEIGHTS: LineWeights = LineWeights {
    gain: 1.0,
    ..LineWeights::CLASSIC
};

/// The depth of a search, and the nodes that it takes.
type Plan = (u32, u64);

/// A search before its first board.
struct Prepared<R: Rules> {
    search: Expectimax<R, LineHeuristic<R::Grid>>,
    boards: [Board<R::Grid>; 3],
    /// What the search must look at; with it, instructions become instructions
    /// a node.
    n_nodes: u64,
}

/// A search after its last board, which is dropped after the counting, and
/// what it found.
type Found<R> = (Prepared<R>, [SlideValues; 3]);

impl<R: Rules> Prepared<R> {
    fn new(rules: R, set: &SpawnSet, texts: [&str; 3], plan: Plan) -> Prepared<R> {
        let (depth, n_nodes) = plan;
        let heuristic = LineHeuristic::new(&WEIGHTS);
        let spawns = set.on_grid().expect("the set fits the grid");
        let search = Expectimax::new(rules, &spawns, heuristic, Limits::to_depth(depth));
        Prepared {
            search: search.with_cache(14),
            boards: texts.map(|text| text.parse().expect("a board of the grid")),
            n_nodes,
        }
    }

    fn find(mut self) -> Found<R> {
        let values = self
            .boards
            .map(|board| self.search.values(black_box(board)));
        (self, values)
    }
}

fn check<R: Rules>((prepared, values): Found<R>) {
    assert!(values.iter().all(|values| values.best().is_some()));
    assert_eq!(prepared.search.n_nodes(), prepared.n_nodes);
}

fn narrow(depth: u32, n_nodes: u64) -> Prepared<NarrowRules> {
    Prepared::new(
        NarrowRules::on_grid(),
        &SpawnSet::STANDARD,
        CLASSIC,
        (depth, n_nodes),
    )
}

fn wide(depth: u32, n_nodes: u64) -> Prepared<ClassicRules> {
    Prepared::new(
        ClassicRules::new(),
        &SpawnSet::STANDARD,
        CLASSIC,
        (depth, n_nodes),
    )
}

fn akioi(depth: u32, n_nodes: u64) -> Prepared<AkioiRules> {
    Prepared::new(AkioiRules::new(), &SpawnSet::GUIDE, AKIOI, (depth, n_nodes))
}

fn mini(depth: u32, n_nodes: u64) -> Prepared<MiniRules> {
    Prepared::new(
        MiniRules::on_grid(),
        &SpawnSet::STANDARD,
        MINI,
        (depth, n_nodes),
    )
}

#[library_benchmark(setup = narrow, teardown = check)]
#[bench::depth_2(2, 469)]
#[bench::depth_3(3, 9973)]
fn classic_64_bits(prepared: Prepared<NarrowRules>) -> Found<NarrowRules> {
    prepared.find()
}

#[library_benchmark(setup = wide, teardown = check)]
#[bench::depth_3(3, 9973)]
fn classic_80_bits(prepared: Prepared<ClassicRules>) -> Found<ClassicRules> {
    prepared.find()
}

#[library_benchmark(setup = akioi, teardown = check)]
#[bench::depth_2(2, 1396)]
#[bench::depth_3(3, 63_500)]
fn akioi_80_bits(prepared: Prepared<AkioiRules>) -> Found<AkioiRules> {
    prepared.find()
}

#[library_benchmark(setup = mini, teardown = check)]
#[bench::depth_3(3, 2636)]
fn mini_36_bits(prepared: Prepared<MiniRules>) -> Found<MiniRules> {
    prepared.find()
}

library_benchmark_group!(
    name = search,
    benchmarks = [
        classic_64_bits,
        classic_80_bits,
        akioi_80_bits,
        mini_36_bits
    ]
);

main!(library_benchmark_groups = search);

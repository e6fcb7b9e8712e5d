//! Expectimax on fixed boards of every variant: nodes a second, without a cache
//! and with one that is empty at first.

mod common;

use std::hint::black_box;

use afterstate_bitboard::{Board, Grid, Slide};
use afterstate_eval::{Evaluator, LineHeuristic, LineWeights};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet};
use afterstate_search::{Expectimax, Limits, Search};
use common::{AKIOI, CLASSIC, MINI};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Weights of this bench's own: tuning those that play changes no answer here.
const WEIGHTS: LineWeights = LineWeights {
    empty: 300.0,
    crowded: 1500.0,
    merge: [700.0; 3],
    merge_growth: 15.0,
    multiply: 60.0,
    multiplier: 300.0,
    rough: [15.0; 3],
    chain: [50.0; 3],
    edge: [4.0; 3],
    falling: [2.0; 3],
    rising: [2.0; 3],
    unordered: [2.0; 3],
    across: [4.0; 4],
    across_pair: [1.0; 3],
    rise2: 7.0,
    sum_along: [12.0; 4],
    sum_across: [12.0; 4],
    full: 700.0,
    full_last: 40.0,
    lost: 200_000.0,
    cleared: 200_000.0,
    gain: 1.0,
};

/// What the searches of three boards came to.
#[derive(Debug, PartialEq)]
struct Found {
    /// The best slide of each board.
    slides: [Slide; 3],
    /// The sum of all values, in units of the evaluator.
    values: f64,
    /// Nodes without a cache.
    n_nodes: u64,
}

fn boards<G: Grid>(texts: [&str; 3]) -> [Board<G>; 3] {
    texts.map(|text| text.parse().expect("a board of the grid"))
}

fn find<R: Rules, E: Evaluator<R::Grid>>(
    search: &mut Expectimax<R, E>,
    boards: &[Board<R::Grid>; 3],
) -> ([Slide; 3], f64) {
    let values = boards.map(|board| search.values(black_box(board)));
    let sum = values
        .iter()
        .flat_map(|values| values.values)
        .flatten()
        .map(f64::from)
        .sum();
    let slides = values.map(|values| values.best().expect("the board is not over"));
    (slides, sum)
}

fn bench_variant<R: Rules>(
    c: &mut Criterion,
    name: &str,
    rules: R,
    set: &SpawnSet,
    texts: [&str; 3],
    expected: [Found; 2],
) {
    let boards = boards::<R::Grid>(texts);
    let heuristic = LineHeuristic::<R::Grid>::new(&WEIGHTS);
    let spawns = set.on_grid().expect("the set fits the grid");
    let search = |depth| Expectimax::new(rules, &spawns, &heuristic, Limits::to_depth(depth));
    let mut group = c.benchmark_group(format!("expectimax {name}"));
    group.sample_size(10);
    group.measurement_time(core::time::Duration::from_secs(2));
    group.warm_up_time(core::time::Duration::from_millis(500));
    for (depth, expected) in [2, 3].into_iter().zip(expected) {
        let mut plain = search(depth);
        let (slides, values) = find(&mut plain, &boards);
        let n_nodes = plain.n_nodes();
        let found = Found {
            slides,
            values,
            n_nodes,
        };
        assert_eq!(found, expected, "{name} depth {depth}");
        group.throughput(Throughput::Elements(n_nodes));
        group.bench_function(BenchmarkId::new("plain", depth), |b| {
            b.iter(|| assert_eq!(find(&mut plain, &boards), (slides, values)));
        });
        // Every round starts empty, and so costs the same. The throughput is
        // of the nodes that the cache saves as well as of those that it does
        // not: what a plain search would have had to look at.
        let mut cached = search(depth).with_cache(14);
        group.bench_function(BenchmarkId::new("cached", depth), |b| {
            b.iter_batched_ref(
                || cached.clone(),
                |cached| assert_eq!(find(cached, &boards), (slides, values)),
                criterion::BatchSize::LargeInput,
            );
        });
        assert_eq!(find(&mut cached, &boards), (slides, values));
    }
    group.finish();
}

fn found(slides: [Slide; 3], values: f64, n_nodes: u64) -> Found {
    Found {
        slides,
        values,
        n_nodes,
    }
}

fn benches(c: &mut Criterion) {
    use Slide::{Down, Left, Right, Up};
    let classic = || {
        [
            found([Left, Right, Up], -364_609.173_339_843_75, 574),
            found([Left, Right, Up], -371_903.520_996_093_75, 38_935),
        ]
    };
    let standard = &SpawnSet::STANDARD;
    let narrow = NarrowRules::on_grid();
    bench_variant(c, "narrow", narrow, standard, CLASSIC, classic());
    let wide = ClassicRules::new();
    bench_variant(c, "wide", wide, standard, CLASSIC, classic());
    let akioi = [
        found([Left, Up, Right], -422_051.953_125, 1_609),
        found([Up, Up, Right], -413_141.276_367_187_5, 204_843),
    ];
    let guide = &SpawnSet::GUIDE;
    bench_variant(c, "akioi", AkioiRules::new(), guide, AKIOI, akioi);
    let mini = [
        found([Left, Right, Down], -233_989.650_390_625, 257),
        found([Right, Right, Down], -235_027.676_513_671_88, 7_765),
    ];
    bench_variant(c, "mini", MiniRules::on_grid(), standard, MINI, mini);
}

criterion_group!(expectimax, benches);
criterion_main!(expectimax);

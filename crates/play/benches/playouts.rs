//! Whole random games on one thread, fast and by the naive twin: slide choice,
//! legality, spawn and score. The throughput is in slides.

use std::hint::black_box;
use std::time::Duration;

use afterstate_bitboard::{Akioi, Classic, Grid, Mini};
use afterstate_play::{game_seed, random_playouts};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet};
use afterstate_testkit::{NaiveRules, opening, playout};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Games of one round of the fast playouts.
const N_GAMES: u64 = 2000;

/// Games of one round of the twin.
const N_NAIVE_GAMES: u64 = 50;

/// Sums over the games of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sums {
    n_games: u64,
    n_slides: u64,
    score: i64,
}

const fn sums(n_games: u64, n_slides: u64, score: i64) -> Sums {
    Sums {
        n_games,
        n_slides,
        score,
    }
}

impl Sums {
    fn add(&mut self, n_slides: u64, score: i64) {
        self.n_games += 1;
        self.n_slides += n_slides;
        self.score += score;
    }
}

/// The same games in every round.
fn fast<R: Rules>(rules: R, set: &SpawnSet) -> Sums {
    let spawns = set.on_grid().expect("the set fits the grid");
    let mut sums = Sums::default();
    let seed_of = |index| game_seed(1, "bench", "playout", index);
    let games = 0..black_box(N_GAMES);
    random_playouts(rules, &spawns, games, seed_of, |_, result| {
        sums.add(u64::from(result.n_slides), result.score);
    });
    sums
}

/// The same games in every round, by the naive rules. Draws come from a
/// generator that costs next to nothing.
fn naive<G: Grid>(rules: NaiveRules, set: &SpawnSet) -> Sums {
    let mut state: u64 = 1;
    let mut below = |n: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (((state >> 32) * u64::from(n)) >> 32) as u32
    };
    let mut sums = Sums::default();
    for _ in 0..black_box(N_NAIVE_GAMES) {
        let board = opening(G::ROWS, G::COLS, set.weights(), &mut below);
        let game = playout(rules, board, set.weights(), &mut below);
        sums.add(game.n_slides, game.score);
    }
    sums
}

/// Measures a round that comes to `expected`.
fn bench_round(c: &mut Criterion, name: &str, expected: Sums, round: impl Fn() -> Sums) {
    assert_eq!(round(), expected, "{name}");
    let mut group = c.benchmark_group("playouts");
    group.sample_size(15);
    group.warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(expected.n_slides));
    group.bench_function(name, |b| b.iter(|| assert_eq!(round(), expected)));
    group.finish();
}

fn classic(c: &mut Criterion) {
    let set = &SpawnSet::STANDARD;
    let games = sums(N_GAMES, 234_625, 2_163_748);
    let (narrow, wide) = (NarrowRules::on_grid(), ClassicRules::new());
    bench_round(c, "classic narrow", games, || fast(narrow, set));
    bench_round(c, "classic wide", games, || fast(wide, set));
    let games = sums(N_NAIVE_GAMES, 5_699, 51_480);
    let twin = || naive::<Classic>(NaiveRules::CLASSIC, set);
    bench_round(c, "classic naive", games, twin);
}

fn akioi(c: &mut Criterion) {
    let set = &SpawnSet::GUIDE;
    let rules = AkioiRules::new();
    bench_round(c, "akioi", sums(N_GAMES, 281_274, 2_864_200), || {
        fast(rules, set)
    });
    let games = sums(N_NAIVE_GAMES, 6_799, 68_602);
    let twin = || naive::<Akioi>(NaiveRules::Akioi, set);
    bench_round(c, "akioi naive", games, twin);
}

fn mini(c: &mut Criterion) {
    let set = &SpawnSet::STANDARD;
    let rules = MiniRules::on_grid();
    bench_round(c, "mini", sums(N_GAMES, 61_075, 359_172), || {
        fast(rules, set)
    });
    let games = sums(N_NAIVE_GAMES, 1_569, 9_412);
    let twin = || naive::<Mini>(NaiveRules::MINI, set);
    bench_round(c, "mini naive", games, twin);
}

criterion_group!(benches, classic, akioi, mini);
criterion_main!(benches);

//! Whole random games of akioi: ours and those of the crate `akioi-2048`. What is
//! compared with what is told in the crate's README.

use std::hint::black_box;
use std::time::Duration;

use afterstate_play::{game_seed, random_playouts};
use afterstate_rules::{AkioiRules, SpawnSet};
use akioi_2048::{Direction, State, init, step};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Games of one round of either side.
const N_GAMES: u64 = 500;

/// What a round of games came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Round {
    n_games: u64,
    /// Slides that changed the board.
    n_slides: u64,
    /// Slides asked for.
    n_calls: u64,
    score: i64,
}

/// The same games in every round and every run.
fn ours(rules: AkioiRules) -> Round {
    let spawns = SpawnSet::LIVE.on_grid().expect("akioi has these tiles");
    let mut round = Round::default();
    let seed_of = |index| game_seed(1, "akioi", "peer", index);
    let games = 0..black_box(N_GAMES);
    random_playouts(rules, &spawns, games, seed_of, |_, result| {
        round.n_games += 1;
        round.n_slides += u64::from(result.n_slides);
        round.score += result.score;
    });
    Round {
        n_calls: round.n_slides,
        ..round
    }
}

/// Random games through the peer's interface. `draws` is the state of the
/// generator of directions, a cheap one, so that it hardly counts.
fn peer(draws: &mut u64) -> Round {
    let directions = [
        Direction::Up,
        Direction::Right,
        Direction::Down,
        Direction::Left,
    ];
    let mut round = Round::default();
    for _ in 0..black_box(N_GAMES) {
        let mut board = init();
        loop {
            *draws = draws
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let direction = directions[(*draws >> 62) as usize];
            let (next, gain, state) = step(board, direction).expect("its own board is valid");
            round.n_calls += 1;
            round.n_slides += u64::from(next != board);
            round.score += i64::from(gain);
            board = next;
            if state != State::Continue {
                break;
            }
        }
        round.n_games += 1;
    }
    round
}

/// Both sides play alike: games as long within a tenth.
fn assert_alike(ours: Round, peer: Round) {
    assert_eq!((ours.n_games, peer.n_games), (N_GAMES, N_GAMES));
    let ratio = peer.n_slides as f64 / ours.n_slides as f64;
    assert!((0.9..1.1).contains(&ratio), "{ours:?} {peer:?}");
}

fn akioi(c: &mut Criterion) {
    let rules = AkioiRules::new();
    let mut draws = 1;
    let our_round = ours(rules);
    let peer_round = peer(&mut draws);
    assert_eq!((our_round.n_slides, our_round.score), (70_978, 757_168));
    assert_alike(our_round, peer_round);

    let mut group = c.benchmark_group("akioi games");
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(our_round.n_slides));
    group.bench_function("afterstate", |b| {
        b.iter(|| assert_eq!(ours(rules), our_round));
    });
    // The peer's rounds differ in length by less than a hundredth; the
    // throughput is that of an average one.
    group.throughput(Throughput::Elements(peer_round.n_slides));
    group.bench_function("akioi-2048 slides", |b| {
        b.iter(|| assert_alike(our_round, peer(&mut draws)));
    });
    group.throughput(Throughput::Elements(peer_round.n_calls));
    group.bench_function("akioi-2048 calls", |b| {
        b.iter(|| assert_alike(our_round, peer(&mut draws)));
    });
    group.finish();
}

criterion_group!(benches, akioi);
criterion_main!(benches);

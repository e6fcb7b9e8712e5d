//! Ten moves: one board, the board that takes longest, all boards.

use std::hint::black_box;
use std::num::NonZeroUsize;

use afterstate_bitboard::MiniBoard;
use afterstate_search::ten_moves::{Best, HORIZON, Solver, solve_all};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Number of inputs of the task.
const INPUTS: u64 = 5_u64.pow(9);

/// Boards spread evenly over the input space.
fn spread(n_boards: u64) -> Vec<MiniBoard> {
    (0..n_boards)
        .map(|n| {
            // The step has no factor in common with 5^9.
            let mut rest = n * 1_234_577 % INPUTS;
            (0..9).fold(MiniBoard::default(), |board, idx| {
                let code = (rest % 5) as u8;
                rest /= 5;
                board.put(idx, code)
            })
        })
        .collect()
}

fn single_boards(c: &mut Criterion) {
    let mut solver = Solver::new();
    let boards = spread(1000);
    let mut group = c.benchmark_group("ten_moves");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("thousand boards", |b| {
        b.iter(|| {
            let answers = boards.iter().map(|&board| solver.solve(board, HORIZON));
            let sums = answers.fold((0, 0), |(score, slides), best| {
                (score + best.score, slides + best.slides)
            });
            assert_eq!(sums, (81_292, 4_025));
        });
    });
    group.throughput(Throughput::Elements(1));
    // The slowest of all inputs, found by timing each.
    let slowest: MiniBoard = "16 2 4 8 8 16 8 4 2".parse().expect("nine tiles");
    group.bench_function("slowest board", |b| {
        b.iter(|| {
            let best = solver.solve(black_box(slowest), HORIZON);
            assert_eq!(
                best,
                Best {
                    score: 172,
                    slides: 10
                }
            );
        });
    });
    group.finish();
}

fn all_boards(c: &mut Criterion) {
    let mut group = c.benchmark_group("ten_moves all");
    group.throughput(Throughput::Elements(INPUTS));
    group.sample_size(20);
    for threads in [1, 2] {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        group.bench_function(format!("threads {threads}"), |b| {
            b.iter(|| {
                let totals = solve_all(black_box(HORIZON), threads);
                assert_eq!(
                    (totals.score, totals.slides, totals.max),
                    (159_405_792, 7_837_487, 400)
                );
            });
        });
    }
    group.finish();
}

criterion_group!(benches, single_boards, all_boards);
criterion_main!(benches);

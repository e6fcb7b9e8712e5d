//! Training, in small.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use afterstate_bitboard::{Board, Nibbles, Slide};
use afterstate_learn::{
    CheckpointError, Finish, Method, Order, Restarts, Settings, Tally, Trainer,
};
use afterstate_ntuple::{Ends, Indices, PatternSet, Stages};
use afterstate_play::{Spawner, game_seed};
use afterstate_rules::{MiniRules, Rules, SpawnSet, Spawns};

const TC: Method = Method::Tc { rate: 1.0 };

fn spawns() -> Spawns<Nibbles<3, 3>> {
    SpawnSet::STANDARD.on_grid().expect("mini has these tiles")
}

fn trainer(method: Method, seed: u64, round_games: u64, n_threads: usize) -> Trainer<MiniRules> {
    let settings = Settings {
        patterns: PatternSet::parse::<Nibbles<3, 3>>("2x6").expect("a name"),
        stages: Stages::new(vec![8]),
        method,
        order: Order::Forward,
        optimism: 0.0,
        ends: Ends {
            gain_weight: 1.0,
            cleared: 0.0,
        },
        restarts: Some(Restarts {
            share: 64,
            segment_sum: 256,
        }),
        seed,
        round_games,
        n_threads,
    };
    Trainer::new(MiniRules::on_grid(), spawns(), settings).expect("memory")
}

/// The same that learns after its games.
fn backward_trainer(seed: u64, round_games: u64) -> Trainer<MiniRules> {
    let settings = Settings {
        order: Order::Backward,
        ..trainer(TC, seed, round_games, 1).settings().clone()
    };
    Trainer::new(MiniRules::on_grid(), spawns(), settings).expect("memory")
}

fn finished(trainer: &mut Trainer<MiniRules>) -> Tally {
    trainer
        .round(&AtomicBool::new(false))
        .expect("nobody stops it")
}

fn saved(trainer: &Trainer<MiniRules>) -> Vec<u8> {
    let mut bytes = Vec::new();
    trainer
        .save("mini", &mut bytes)
        .expect("memory can be written");
    bytes
}

fn loaded(bytes: &[u8]) -> Result<Trainer<MiniRules>, CheckpointError> {
    Trainer::load(MiniRules::on_grid(), spawns(), "mini", &mut &bytes[..])
}

#[test]
fn one_thread_learns_the_same_every_time() {
    let learned = |seed| {
        let mut trainer = trainer(TC, seed, 200, 1);
        let (first, second) = (finished(&mut trainer), finished(&mut trainer));
        assert!(first.n_restarted + second.n_restarted > 10);
        assert_eq!(first.n_games + first.n_restarted, 200);
        (first, second, saved(&trainer))
    };
    assert!(learned(1) == learned(1));
    assert!(learned(1) != learned(2));
}

/// Two thousand games are enough to leave random play (165 points) and greedy
/// play (350) far behind.
#[test]
fn games_get_better() {
    for method in [Method::Td { rate: 0.1 }, TC] {
        let mut trainer = trainer(method, 3, 2000, 2);
        let untrained = trainer.play(200).mean_score();
        finished(&mut trainer);
        let trained = trainer.play(200).mean_score();
        assert!(
            untrained < 500.0 && trained > 700.0,
            "{method:?}: {untrained} to {trained}"
        );
    }
}

/// Playing changes nothing, and rounding to 16 bits next to nothing.
#[test]
fn a_network_has_the_weights_that_were_learned() {
    let mut trainer = trainer(TC, 1, 500, 1);
    finished(&mut trainer);
    let before: Vec<f32> = trainer.tables().weights().to_vec();
    trainer.play(20);
    assert_eq!(trainer.tables().weights(), before);
    let all = Finish {
        keep: None,
        unit: None,
        top: 10,
    };
    let network = trainer.network(all).expect("memory");
    let largest = before
        .iter()
        .fold(0.0_f32, |most, weight| most.max(weight.abs()));
    assert!(network.unit() <= largest / 16000.0);
    for (rounded, weight) in network.weights().iter().zip(&before) {
        let error = f32::from(*rounded) * network.unit() - weight;
        assert!(error.abs() <= network.unit() / 2.0 + 1e-3);
    }
    // Of those that are kept, all changed at least as much as all others.
    let few = Finish {
        keep: Some(1000),
        unit: Some(0.5),
        ..all
    };
    let small = trainer.network(few).expect("memory");
    assert_eq!(small.unit(), 0.5);
    let errors = trainer.tables().errors();
    let mut changes: Vec<f32> = errors.iter().map(|error| error[1]).collect();
    changes.sort_by(|a, b| b.total_cmp(a));
    let mut n_kept = 0;
    for (rounded, error) in small.weights().iter().zip(errors) {
        n_kept += usize::from(*rounded != 0);
        assert!(*rounded == 0 || error[1] >= changes[999]);
    }
    assert!((500..=1001).contains(&n_kept), "{n_kept} of 1000");

    // None that boards which are seen as smaller ones do not have.
    let top = 4;
    let smaller = trainer.network(Finish { top, ..few }).expect("memory");
    let kept = smaller.weights().iter().enumerate();
    let mut kept = kept.filter(|&(_, &weight)| weight != 0).peekable();
    assert!(kept.peek().is_some());
    for (idx, _) in kept {
        assert!(trainer.index().codes(idx).all(|code| code <= top.into()));
    }
}

/// Stopped at some moment, written, read and gone on with, training comes to the
/// same weights and counts as when nothing happened.
#[test]
fn a_stop_leaves_no_trace() {
    no_trace(trainer(TC, 5, 1500, 1), trainer(TC, 5, 1500, 1));
    no_trace(backward_trainer(5, 1500), backward_trainer(5, 1500));
}

fn no_trace(mut unstopped: Trainer<MiniRules>, mut trainer: Trainer<MiniRules>) {
    let tally = finished(&mut unstopped);
    let expected = saved(&unstopped);
    let mut n_stops = 0;
    let resumed = loop {
        let stop = AtomicBool::new(false);
        let round = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                stop.store(true, Ordering::Relaxed);
            });
            trainer.round(&stop)
        });
        if let Some(tally) = round {
            break tally;
        }
        n_stops += 1;
        trainer =
            loaded(&saved(&trainer)).unwrap_or_else(|error| panic!("it was just written: {error}"));
    };
    assert!(n_stops > 0, "the test stops training");
    assert_eq!(resumed, tally);
    assert!(saved(&trainer) == expected);
}

#[test]
fn damaged_checkpoints_are_refused() {
    let mut trainer = trainer(TC, 1, 3, 1);
    finished(&mut trainer);
    let bytes = saved(&trainer);
    for len in (0..bytes.len())
        .step_by(bytes.len() / 7)
        .chain([1, 9, 13, 99])
    {
        assert!(loaded(&bytes[..len]).is_err(), "cut to {len}");
    }
    for byte in (0..bytes.len())
        .step_by(bytes.len() / 9)
        .chain([1, 9, 13, 99])
    {
        let mut changed = bytes.clone();
        changed[byte] ^= 16;
        assert!(loaded(&changed).is_err(), "byte {byte}");
    }
    let other = Trainer::load(MiniRules::on_grid(), spawns(), "akioi", &mut &bytes[..]);
    let error = other.err().expect("it is of mini").to_string();
    assert_eq!(error, "a checkpoint of mini: expected one of akioi");
}

/// What was learned with the standard spawns is what training with others begins
/// with: all weights and errors, and none of the games.
#[test]
fn weights_are_taken_over() {
    let mut teacher = trainer(TC, 1, 300, 1);
    finished(&mut teacher);
    let bytes = saved(&teacher);

    let mut settings = teacher.settings().clone();
    settings.restarts = None;
    settings.round_games = 100;
    let more_fours: SpawnSet = "2:3,4:1".parse().expect("a spawn set");
    let spawns = more_fours.on_grid().expect("mini has these tiles");
    let mut pupil = Trainer::new(MiniRules::on_grid(), spawns, settings).expect("memory");
    let untrained = pupil.play(100).mean_score();
    pupil.adopt(&mut &bytes[..]).expect("it was just written");
    assert_eq!(pupil.tables().weights(), teacher.tables().weights());
    assert_eq!(pupil.tables().errors(), teacher.tables().errors());
    assert_eq!(pupil.origin(), Some("300 games of mini"));
    assert_eq!(pupil.n_rounds(), 0);
    assert!(pupil.play(100).mean_score() > 1.3 * untrained);

    // What it came from is written down, and known when it goes on.
    finished(&mut pupil);
    let resumed = loaded(&saved(&pupil)).unwrap_or_else(|error| panic!("just written: {error}"));
    assert_eq!(resumed.origin(), pupil.origin());
    let mut again = trainer(TC, 1, 300, 1);
    again
        .adopt(&mut &saved(&pupil)[..])
        .expect("the same patterns");
    assert_eq!(
        again.origin(),
        Some("300 games of mini, then 100 games of mini")
    );

    // Other patterns, stages or another method have other weights.
    let mut others = [(); 3].map(|()| pupil.settings().clone());
    others[0].patterns = PatternSet::parse::<Nibbles<3, 3>>("3x7").expect("a name");
    others[1].stages = Stages::default();
    others[2].method = Method::Td { rate: 0.1 };
    for settings in others {
        let mut other =
            Trainer::new(MiniRules::on_grid(), self::spawns(), settings).expect("memory");
        let error = other.adopt(&mut &bytes[..]).expect_err("it differs");
        assert!(matches!(error, CheckpointError::Other { .. }), "{error}");
        assert_eq!(other.origin(), None);
    }
}

/// What one game teaches backwards, told again: the game, greedy by gain since no
/// weight is known yet, and then from its last board to the first the rate 1.
#[test]
fn one_game_backwards_teaches_what_it_should() {
    let td = Method::Td { rate: 1.0 };
    let settings = Settings {
        order: Order::Backward,
        ..trainer(td, 9, 1, 1).settings().clone()
    };
    let mut trainer = Trainer::new(MiniRules::on_grid(), spawns(), settings).expect("memory");
    let tally = finished(&mut trainer);
    assert_eq!((tally.n_games, tally.n_restarted), (1, 0));

    let (rules, spawns) = (MiniRules::on_grid(), spawns());
    let mut spawner = Spawner::new(&spawns, game_seed(9, "train", "ntuple", 0));
    let mut board = spawner
        .opening()
        .iter()
        .fold(Board::default(), |board: Board<Nibbles<3, 3>>, tile| {
            board.put(tile.cell, tile.code)
        });
    let mut history = Vec::new();
    loop {
        let legal = Slide::ALL
            .into_iter()
            .map(|slide| (rules.after(board, slide), rules.gain(board, slide)))
            .filter(|&(after, _)| after != board);
        // Of equal gains the first.
        let Some((after, gain)) = legal.rev().max_by_key(|&(_, gain)| gain) else {
            break;
        };
        history.push((after, gain));
        let tile = spawner.spawn(after);
        board = after.put(tile.cell, tile.code);
    }
    assert_eq!(history.len() as u64, tally.n_slides);

    let index = trainer.index();
    let mut weights = vec![0.0_f64; trainer.tables().weights().len()];
    let mut target = 0.0;
    for &(after, gain) in history.iter().rev() {
        let mut indices = Indices::default();
        let stages = trainer.settings().stages.of_all(&[after; 4]);
        index.of(&[after; 4], stages, &mut indices);
        let sum = |weights: &[f64]| -> f64 {
            let rows = indices.rows().iter();
            rows.map(|row| weights[row[0] as usize]).sum()
        };
        let step = (target - sum(&weights)) / index.n_tuples() as f64;
        for row in indices.rows() {
            weights[row[0] as usize] += step;
        }
        target = f64::from(gain) + sum(&weights);
    }
    let largest = weights
        .iter()
        .fold(0.0_f64, |most, weight| most.max(weight.abs()));
    assert!(largest > 1.0, "{largest}");
    for (&learned, expected) in trainer.tables().weights().iter().zip(&weights) {
        let error = (f64::from(learned) - expected).abs();
        assert!(error < 1e-4 * largest, "{learned} and {expected}");
    }
}

/// After one game the value of its first boards is that of the whole game, where it
/// was learned backwards; forwards each board knows only of the next one.
#[test]
fn one_game_backwards_tells_all_of_it() {
    let mut trainer = backward_trainer(9, 1);
    let tally = finished(&mut trainer);
    assert_eq!((tally.n_games, tally.n_restarted), (1, 0));
    let network = |trainer: &Trainer<MiniRules>| {
        let all = Finish {
            keep: None,
            unit: None,
            top: 10,
        };
        trainer.network(all).expect("memory")
    };
    let first = |trainer: &Trainer<MiniRules>| {
        let board = "2 2 . . . . . . .".parse().expect("nine cells");
        network(trainer).values_of(&[board; 4])[0]
    };
    let mut forward = self::trainer(TC, 9, 1, 1);
    finished(&mut forward);
    let (backward, forward) = (first(&trainer), first(&forward));
    assert!(backward > 3.0 * forward.abs(), "{backward} and {forward}");
}

/// With a teacher the network learns what it says, of every afterstate of every
/// board, whatever comes after.
#[test]
fn a_teacher_is_believed() {
    // A value that the empty cells tell, which any pattern of six cells tells in part.
    let teacher = |after: Board<Nibbles<3, 3>>| 100.0 * after.n_empty() as f32 + 50.0;
    let mut taught = trainer(TC, 1, 500, 1);
    let mut alone = trainer(TC, 1, 500, 1);
    for _ in 0..4 {
        let stop = AtomicBool::new(false);
        let tally = taught.taught_round(&teacher, &stop);
        assert!(tally.expect("nobody stops it").n_slides > 1000);
        finished(&mut alone);
    }
    let rules = MiniRules::on_grid();
    let mut spawner = Spawner::new(&spawns(), 77);
    let mut board = Board::<Nibbles<3, 3>>::default();
    for tile in spawner.opening() {
        board = board.put(tile.cell, tile.code);
    }
    let error = |trainer: &mut Trainer<MiniRules>, after: Board<Nibbles<3, 3>>| {
        let mut indices = Indices::default();
        let stages = trainer.settings().stages.of_all(&[after; 4]);
        trainer.index().of(&[after; 4], stages, &mut indices);
        let weights = trainer.tables().weights();
        let value: f32 = indices
            .rows()
            .iter()
            .map(|row| weights[row[0] as usize])
            .sum();
        (value - teacher(after)).abs()
    };
    let (mut n, mut of_taught, mut of_alone) = (0, 0.0, 0.0);
    for turn in 0..20 {
        let legal: Vec<_> = Slide::ALL
            .into_iter()
            .filter_map(|slide| rules.apply(board, slide))
            .collect();
        for after in &legal {
            of_taught += error(&mut taught, after.board);
            of_alone += error(&mut alone, after.board);
            n += 1;
        }
        let Some(after) = legal.get(turn % legal.len().max(1)) else {
            break;
        };
        let tile = spawner.spawn(after.board);
        board = after.board.put(tile.cell, tile.code);
    }
    assert!(n > 20, "{n}");
    let mean = |sum: f32| sum / n as f32;
    assert!(mean(of_taught) < 40.0, "{}", mean(of_taught));
    assert!(mean(of_alone) > 100.0, "{}", mean(of_alone));
}

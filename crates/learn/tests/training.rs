//! Training, in small.

use afterstate_bitboard::Nibbles;
use afterstate_learn::{Method, Restarts, Settings, Trainer};
use afterstate_ntuple::{Ends, PatternSet, Stages};
use afterstate_rules::{MiniRules, SpawnSet};

fn trainer(method: Method, seed: u64) -> Trainer<MiniRules> {
    let settings = Settings {
        patterns: PatternSet::parse::<Nibbles<3, 3>>("2x6").expect("a name"),
        stages: Stages::default(),
        method,
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
    };
    let spawns = SpawnSet::STANDARD.on_grid().expect("mini has these tiles");
    Trainer::new(MiniRules::on_grid(), spawns, settings).expect("memory")
}

#[test]
fn one_thread_learns_the_same_every_time() {
    let weights = |seed| {
        let mut trainer = trainer(Method::Tc { rate: 1.0 }, seed);
        let first = trainer.train(200, 1);
        let second = trainer.train(200, 1);
        assert!(first.n_restarted + second.n_restarted > 10);
        let bits: Vec<u32> = trainer
            .tables()
            .weights()
            .iter()
            .map(|w| w.to_bits())
            .collect();
        (first, second, bits)
    };
    assert_eq!(weights(1), weights(1));
    assert_ne!(weights(1), weights(2));
}

/// Two thousand games are enough to leave random play (165 points) and greedy
/// play (350) far behind.
#[test]
fn games_get_better() {
    for method in [Method::Td { rate: 0.1 }, Method::Tc { rate: 1.0 }] {
        let mut trainer = trainer(method, 3);
        let untrained = trainer.play(200, 1).mean_score();
        trainer.train(2000, 2);
        let trained = trainer.play(200, 2).mean_score();
        assert!(
            untrained < 500.0 && trained > 900.0,
            "{method:?}: {untrained} to {trained}"
        );
    }
}

/// Playing changes nothing, and rounding to 16 bits next to nothing.
#[test]
fn a_network_has_the_weights_that_were_learned() {
    let mut trainer = trainer(Method::Tc { rate: 1.0 }, 1);
    trainer.train(500, 1);
    let before: Vec<f32> = trainer.tables().weights().to_vec();
    trainer.play(20, 1);
    assert_eq!(trainer.tables().weights(), before);
    let network = trainer.network(10).expect("memory");
    let largest = before
        .iter()
        .fold(0.0_f32, |most, weight| most.max(weight.abs()));
    assert!(network.unit() <= largest / 16000.0);
    for (rounded, weight) in network.weights().iter().zip(&before) {
        let error = f32::from(*rounded) * network.unit() - weight;
        assert!(error.abs() <= network.unit() / 2.0 + 1e-3);
    }
}

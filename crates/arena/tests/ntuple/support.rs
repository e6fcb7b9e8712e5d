use std::path::{Path, PathBuf};

use afterstate_bitboard::{Akioi, Mini, Nibbles};
use afterstate_learn::{Finish, Method, Order, Settings, Trainer};
use afterstate_ntuple::{Ends, Network, NetworkHeader, PatternSet, Stages, TupleGrid};
use afterstate_rules::{MiniRules, SpawnSet, Variant};

pub(crate) const ENDS: Ends = Ends {
    gain_weight: 1.0,
    cleared: 0.0,
};

/// The largest tile that networks of these tests know: 1024.
pub(crate) const TOP: u8 = 10;

/// A network whose weights look random.
pub(crate) fn scrambled<G: TupleGrid>(patterns: &str) -> Network<G> {
    let patterns = PatternSet::parse::<G>(patterns).expect("patterns");
    let mut network =
        Network::zeroed(patterns, Stages::default(), 0.25, ENDS, TOP).expect("memory");
    let mut state = 1_u64;
    for weight in network.weights_mut() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        *weight = (state >> 52) as i16;
    }
    network
}

pub(crate) fn header(variant: Variant, objective: &str) -> NetworkHeader {
    let spawn_set = variant.spawn_sets().swap_remove(0);
    let training = [("games", "7")];
    NetworkHeader::about(variant.name(), spawn_set.weights(), objective, &training)
}

fn bytes_of<G: TupleGrid>(network: &Network<G>, header: &NetworkHeader) -> Vec<u8> {
    let mut bytes = Vec::new();
    network
        .write(header, &mut bytes)
        .expect("memory can be written");
    bytes
}

/// A file with a network of random weights for `variant`.
pub(crate) fn bytes_for(variant: Variant, objective: &str) -> Vec<u8> {
    let header = header(variant, objective);
    match variant {
        Variant::Classic | Variant::Contest => {
            bytes_of(&scrambled::<Nibbles<4, 4>>("2x4"), &header)
        }
        Variant::Akioi => bytes_of(&scrambled::<Akioi>("012,345"), &header),
        Variant::Mini => bytes_of(&scrambled::<Mini>("012,345"), &header),
    }
}

pub(crate) fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the folder can be written");
    path
}

/// A network that has learned mini from 2,000 games: a second.
pub(crate) fn trained_mini() -> Vec<u8> {
    let settings = Settings {
        patterns: PatternSet::parse::<Mini>("2x6").expect("a name"),
        stages: Stages::default(),
        method: Method::Tc { rate: 1.0 },
        order: Order::Forward,
        optimism: 0.0,
        ends: ENDS,
        restarts: None,
        seed: 1,
        round_games: 2000,
        n_threads: 1,
    };
    let spawns = SpawnSet::STANDARD.on_grid().expect("mini has these tiles");
    let mut trainer = Trainer::new(MiniRules::on_grid(), spawns, settings).expect("memory");
    trainer.round(&false.into()).expect("nobody stops it");
    let finish = Finish {
        keep: None,
        unit: None,
        top: TOP,
    };
    let network = trainer.network(finish).expect("memory");
    bytes_of(&network, &header(Variant::Mini, "score"))
}

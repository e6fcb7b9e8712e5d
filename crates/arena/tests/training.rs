//! Training by name, with its files.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use afterstate_arena::{TrainPlan, checkpoint_path, train};
use afterstate_eval::Objective;
use afterstate_learn::{Order, Preset};
use afterstate_ntuple::{Network, NetworkHeader};
use afterstate_rules::Variant;

fn plan(folder: &Path, name: &str) -> TrainPlan {
    TrainPlan {
        variant: Variant::Mini,
        objective: Objective::Score,
        preset: Preset::Quick,
        n_games: Some(4000),
        order: Order::Forward,
        n_threads: 1,
        seed: 1,
        keep: None,
        unit: None,
        out: folder.join(name),
        resume: None,
        from: None,
        teacher: None,
        patterns: None,
    }
}

/// The same seed and one thread: the same bytes, also when training was stopped
/// between two rounds and when it was asked for in two steps.
#[test]
fn users_d44_the_same_training_gives_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let go_on = AtomicBool::new(false);
    let whole = plan(folder.path(), "whole.net");
    assert!(train(&whole, &go_on, &mut |_| {}).expect("it trains"));
    let expected = fs::read(&whole.out).expect("it was written");

    let mut stopped = plan(folder.path(), "stopped.net");
    let stop = AtomicBool::new(false);
    let finished = train(&stopped, &stop, &mut |progress| {
        assert_eq!(progress.n_rounds, (1, 2));
        stop.store(true, Ordering::Relaxed);
    });
    assert!(!finished.expect("it is stopped"));
    assert!(!stopped.out.exists());
    stopped.resume = Some(checkpoint_path(&stopped.out));
    assert!(train(&stopped, &go_on, &mut |_| {}).expect("it goes on"));
    assert!(fs::read(&stopped.out).expect("it was written") == expected);

    let mut file = File::open(&whole.out).expect("it is there");
    let header = NetworkHeader::read(&mut file).expect("a network");
    assert_eq!(header.variant, "mini");
    assert_eq!(header.training("games"), Some("4000"));
    let (_, network) = Network::<afterstate_bitboard::Nibbles<3, 3>>::read(&mut &expected[..])
        .expect("a network of mini");
    assert!(network.weights().iter().any(|&weight| weight != 0));
}

#[test]
fn what_cannot_be_trained_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let go_on = AtomicBool::new(false);
    let refusal = |plan: &TrainPlan| {
        let error = train(plan, &go_on, &mut |_| panic!("nothing is played"));
        let text = error.expect_err("it is refused").to_string();
        assert!(!text.contains('\n'), "{text}");
        assert!(!plan.out.exists());
        text
    };
    let mut clear = plan(folder.path(), "clear.net");
    clear.objective = Objective::Clear;
    assert!(
        refusal(&clear).contains("no training of mini for the objective clear: expected score")
    );
    let mut foreign = plan(folder.path(), "foreign.net");
    let path = folder.path().join("foreign");
    fs::write(&path, "no checkpoint").expect("it can be written");
    foreign.resume = Some(path.clone());
    assert!(refusal(&foreign).contains("not a checkpoint of training"));
    foreign.resume = Some(folder.path().join("missing"));
    assert!(refusal(&foreign).contains("No such file"));
}

/// What the contest pays in full ends the games that a network for it learns from,
/// and the file says what it is for.
#[test]
fn a_network_for_a_tile_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = TrainPlan {
        variant: Variant::Contest,
        objective: Objective::Largest,
        n_games: Some(2000),
        patterns: Some("2x4".to_owned()),
        ..plan(folder.path(), "largest.net")
    };
    let mut largest = 0;
    let finished = train(&plan, &AtomicBool::new(false), &mut |progress| {
        largest = (0..20)
            .rev()
            .find(|&e| progress.tally.rate(e) > 0.0)
            .unwrap_or(0);
    });
    assert!(finished.expect("it trains"));
    assert!((8..=12).contains(&largest), "{largest}");
    let mut file = File::open(&plan.out).expect("it is there");
    let header = NetworkHeader::read(&mut file).expect("a network");
    assert_eq!((header.objective.as_str(), header.top), ("largest", 11));
    assert!(header.cleared > 0.0);
    assert_eq!(header.training("teacher"), Some("none"));
}

#[test]
fn what_cannot_be_taught_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("no.table");
    let refused = |plan: TrainPlan| {
        let error = train(&plan, &AtomicBool::new(false), &mut |_| {});
        assert!(!plan.out.exists());
        error.expect_err("it cannot be trained").to_string()
    };
    let taught = |variant| TrainPlan {
        variant,
        teacher: Some(missing.clone()),
        ..plan(folder.path(), "taught.net")
    };
    assert_eq!(
        refused(taught(Variant::Classic)),
        "no table teaches classic: expected variant mini"
    );
    assert_eq!(
        refused(taught(Variant::Mini)),
        format!("table {}: it cannot be opened", missing.display())
    );
    let patterns = TrainPlan {
        patterns: Some("9x9".to_owned()),
        ..plan(folder.path(), "patterns.net")
    };
    let message = refused(patterns);
    assert!(
        message.starts_with("no patterns `9x9`: expected "),
        "{message}"
    );
    let objective = TrainPlan {
        variant: Variant::Classic,
        objective: Objective::Largest,
        ..plan(folder.path(), "objective.net")
    };
    assert_eq!(
        refused(objective),
        "no training of classic for the objective largest: expected score"
    );
}

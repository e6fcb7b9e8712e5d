//! Files that are networks, and others.

use std::fs;
use std::path::Path;

use afterstate_arena::{Folder, FolderError, HintError, Plan, Shard, Shared, hint, run_games};
use afterstate_rules::Variant;

use crate::common::spec;
use crate::support::{bytes_for, write};

/// What is said of a file as the network of an agent with these keys.
fn refusal(path: &Path, keys: &str, variant: Variant) -> String {
    let agent = spec(&format!("ntuple:file={}{keys}", path.display()), variant);
    let error = Shared::default().load(variant, &agent);
    let error = error.expect_err("it is not the network that the agent needs");
    let message = error.to_string();
    let start = format!("network {}: ", path.display());
    message
        .strip_prefix(&start)
        .unwrap_or_else(|| panic!("{message}"))
        .to_owned()
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let bytes = bytes_for(Variant::Mini, "score");
    let said_of = |bytes: &[u8]| refusal(&write(folder.path(), "f", bytes), "", Variant::Mini);
    assert_eq!(said_of(b""), "not a network");
    assert_eq!(said_of(b"AFTERNOON, and more"), "not a network");
    assert_eq!(said_of(&bytes[..40]), "the network ends too early");
    assert_eq!(
        said_of(&bytes[..bytes.len() - 1]),
        "the network ends too early"
    );
    assert_eq!(
        said_of(&[&bytes[..], b"\n"].concat()),
        "the network's end is damaged"
    );
    let flipped = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 4;
        said_of(&bytes)
    };
    assert_eq!(flipped(0), "not a network");
    assert_eq!(
        flipped(8),
        "a network of version 6: this program reads version 2"
    );
    assert_eq!(flipped(20), "the network's header is damaged");
    assert_eq!(
        flipped(bytes.len() - 1),
        "the network's checksum is damaged"
    );
    for at in (16..bytes.len()).step_by(7) {
        // A changed length may point behind the end.
        let said = flipped(at);
        let is_noticed = said.contains("damaged") || said == "the network ends too early";
        assert!(is_noticed, "byte {at}: {said}");
    }
    assert_eq!(
        refusal(&folder.path().join("none"), "", Variant::Mini),
        "it cannot be read"
    );
    assert_eq!(
        refusal(folder.path(), "", Variant::Mini),
        "it cannot be read"
    );
}

#[test]
fn networks_are_for_their_boards_and_objective() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for made_for in Variant::ALL {
        let path = write(folder.path(), "f", &bytes_for(made_for, "largest"));
        for variant in Variant::ALL {
            let is_classic = |variant| matches!(variant, Variant::Classic | Variant::Contest);
            if made_for == variant || is_classic(made_for) && is_classic(variant) {
                let load = |keys: &str| {
                    let agent = spec(&format!("ntuple:file={}{keys}", path.display()), variant);
                    Shared::default().load(variant, &agent)
                };
                load("").expect("boards are the same");
                load(",objective=largest").expect("so is the objective");
                assert_eq!(
                    refusal(&path, ",objective=score", variant),
                    "a network for the objective largest: expected one for score"
                );
            } else {
                let expected =
                    format!("a network for the game {made_for}: expected one for {variant}");
                assert_eq!(refusal(&path, "", variant), expected);
            }
        }
    }
}

/// What was read for one agent is not another's without a look.
#[test]
fn a_network_that_was_read_is_checked_for_every_agent() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write(folder.path(), "f", &bytes_for(Variant::Contest, "score"));
    let shared = Shared::default();
    let load = |keys: &str, variant| {
        let agent = spec(&format!("ntuple:file={}{keys}", path.display()), variant);
        shared.load(variant, &agent)
    };
    load("", Variant::Contest).expect("its own game");
    // Once read it is not read again.
    fs::write(&path, "").expect("the folder can be written");
    load(",depth=2", Variant::Classic).expect("boards are the same");
    let error = load(",objective=largest", Variant::Classic).expect_err("another objective");
    assert!(error.to_string().contains("the objective score"), "{error}");
    let error = load("", Variant::Mini).expect_err("another game");
    assert!(error.to_string().contains("the game contest"), "{error}");
}

/// A spoiled network is one line for every user of it, and no game is played.
#[test]
fn users_b23_no_game_by_a_truncated_network() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let bytes = bytes_for(Variant::Mini, "score");
    let path = write(folder.path(), "f", &bytes[..bytes.len() - 1]);
    let agent = spec(&format!("ntuple:file={}", path.display()), Variant::Mini);
    let error = hint(
        &Shared::default(),
        Variant::Mini,
        &agent,
        b"2 2 0 0 0 0 0 0 0",
    );
    assert!(matches!(error, Err(HintError::Agent(_))), "{error:?}");
    let plan = Plan::new(vec![(Variant::Mini, agent)], 10, 1, Shard::WHOLE).expect("a plan");
    let run = folder.path().join("run");
    let folder = Folder::create(&run, plan, 2).expect("the folder is new");
    let error = run_games(folder, &Shared::default(), 2, &false.into(), |_| {
        panic!("a game was played")
    });
    assert!(matches!(error, Err(FolderError::Agent(_))), "{error:?}");
}

/// What the games were played by is written down, and another network under the same
/// name is noticed.
#[test]
fn users_b23_another_network_is_refused_on_resume() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let bytes = bytes_for(Variant::Mini, "score");
    let path = write(folder.path(), "f", &bytes);
    let agent = spec(&format!("ntuple:file={}", path.display()), Variant::Mini);
    let plan = Plan::new(vec![(Variant::Mini, agent)], 10, 1, Shard::WHOLE).expect("a plan");
    let run = folder.path().join("run");
    let begun = Folder::create(&run, plan.clone(), 1).expect("the folder is new");
    assert!(!crate::common::stop_after(begun, 1, 3));
    let stored: afterstate_arena::RunFile =
        serde_json::from_str(&crate::common::text(&run, "run.json")).expect("a run");
    let played_by = &stored.files[0];
    assert_eq!(played_by.file, path.display().to_string());
    assert_eq!(played_by.xxh64.len(), 16);

    write(folder.path(), "f", &bytes_for(Variant::Mini, "largest"));
    let error = Folder::resume(&run, plan.clone()).expect_err("another network");
    let line = error.to_string();
    let expected = format!(
        "the run was begun with another file: {} with checksum {}, now ",
        path.display(),
        played_by.xxh64
    );
    assert!(line.contains(&expected), "{line:?} lacks {expected:?}");
    fs::remove_file(&path).expect("a temporary file");
    let error = Folder::resume(&run, plan.clone()).expect_err("no network");
    let missing = matches!(&error, FolderError::Io { path: found, .. } if *found == path);
    assert!(missing, "{error:?}");

    write(folder.path(), "f", &bytes);
    let again = Folder::resume(&run, plan).expect("the same network");
    assert_eq!(again.n_finished(), 3);
    let (summary, n_played) = crate::common::finish(again, 2);
    assert_eq!((summary.n_games(), n_played), (10, 7));
}

/// Embedded networks are noted too: they may change where the version does not.
#[test]
fn embedded_networks_have_checksums() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let agents = ["ntuple:depth=1", "ntuple:depth=2", "random"];
    let entries = agents.map(|agent| (Variant::Contest, spec(agent, Variant::Contest)));
    let plan = Plan::new(entries.to_vec(), 1, 1, Shard::WHOLE).expect("a plan");
    drop(Folder::create(folder.path(), plan.clone(), 1).expect("new"));
    let text = crate::common::text(folder.path(), "run.json");
    let stored: afterstate_arena::RunFile = serde_json::from_str(&text).expect("a run");
    assert_eq!(stored.files.len(), 1);
    assert_eq!(stored.files[0].file, "(embedded contest score)");
    let other = text.replace(&stored.files[0].xxh64, "0123456789abcdef");
    fs::write(folder.path().join("run.json"), other).expect("a temporary file");
    let error = Folder::resume(folder.path(), plan).expect_err("another network");
    let line = error.to_string();
    assert!(
        line.contains("another file: (embedded contest score) with checksum 0123456789abcdef"),
        "{line}"
    );
}

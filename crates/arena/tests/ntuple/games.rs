//! What they play.

use std::path::Path;

use afterstate_arena::contest::{GradePlan, GradePlayer, grade};
use afterstate_arena::{Folder, Plan, Shard, Shared, Summary, hint, run_games};
use afterstate_bitboard::{Board, Classic, ClassicBoard, Nibbles, Slide};
use afterstate_eval::Evaluator;
use afterstate_ntuple::Network;
use afterstate_rules::{ClassicRules, Rules, Variant};

use crate::common::{spec, text};
use crate::support::{bytes_for, scrambled, trained_mini, write};

fn play(path: &Path, entries: &[(Variant, String)], games: u64, n_threads: usize) -> Summary {
    let entries = entries
        .iter()
        .map(|(variant, agent)| (*variant, spec(agent, *variant)));
    let plan = Plan::new(entries.collect(), games, 3, Shard::WHOLE).expect("a plan");
    let folder = Folder::create(path, plan, n_threads).expect("the folder is new");
    let shared = Shared::default();
    let (summary, complete) = run_games(folder, &shared, n_threads, &false.into(), |_| ())
        .expect("the folder can be written");
    assert!(complete);
    summary
}

/// A network that has learned a little leaves greedy play far behind, however
/// far it looks ahead.
#[test]
fn a_network_that_has_learned_plays_better() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let network = write(folder.path(), "mini", &trained_mini());
    let by_network = |keys: &str| format!("ntuple:{keys},file={}", network.display());
    let agents = [
        "greedy".to_owned(),
        by_network("depth=1"),
        by_network("depth=2"),
        by_network("nodes=300"),
    ];
    let entries = agents.map(|agent| (Variant::Mini, agent));
    let summary = play(&folder.path().join("run"), &entries, 60, 2);
    let mean = |agent: &str| {
        let found = summary
            .entries
            .iter()
            .find(|entry| entry.agent.starts_with(agent));
        found
            .expect("the agent has played")
            .mean
            .expect("it has played games")
    };
    for keys in ["depth=1", "depth=2", "nodes=300"] {
        let (learned, greedy) = (mean(&format!("ntuple:{keys}")), mean("greedy"));
        assert!(learned > 2.0 * greedy, "{keys}: {learned} {greedy}");
    }
}

#[test]
fn games_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let entries: Vec<(Variant, String)> = Variant::ALL
        .into_iter()
        .flat_map(|variant| {
            let path = write(folder.path(), variant.name(), &bytes_for(variant, "score"));
            ["depth=1", "depth=2", "depth=1..2,nodes=90"]
                .map(|keys| (variant, format!("ntuple:{keys},file={}", path.display())))
        })
        .collect();
    let games = |name: &str, n_threads| {
        let path = folder.path().join(name);
        play(&path, &entries, 6, n_threads);
        text(&path, "games.jsonl")
    };
    let one = games("one", 1);
    assert_eq!(one.lines().count(), 72);
    assert_eq!(games("two", 2), one);
    assert_eq!(games("five", 5), one);
}

/// The values of one ply, by their definition.
fn literal(network: &Network<Nibbles<4, 4>>, board: ClassicBoard) -> [Option<f32>; 4] {
    let rules = ClassicRules::new();
    Slide::ALL.map(|slide| {
        let after = rules.apply(board, slide)?;
        Some(after.gain as f32 + network.value(after.board))
    })
}

/// On boards that fit 64 bits and on others, which are downgraded; in the game
/// that the network is for and in the other one with such boards.
#[test]
fn hints_are_gains_and_values_of_the_network() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write(folder.path(), "f", &bytes_for(Variant::Contest, "score"));
    let network = scrambled::<Nibbles<4, 4>>("2x4");
    let shared = Shared::default();
    for text in [
        "2 4 8 16 2 . . 2 4 4 . . 512 . . 1024",
        "2048 4 8 16 2 . . 2 4 4 . . 512 . . 1024",
        "32768 32768 8 16 2 . . 2 4 4 . . 512 . . 1024",
        "131072 65536 8 16 2 . . 2 4 4 . . 512 . 4 1024",
        "65536 65536 8 16 65536 . . 2 4 4 . . 512 . 4 1024",
    ] {
        let board: Board<Classic> = text.parse().expect("a board");
        for variant in [Variant::Classic, Variant::Contest] {
            let agent = |depth| {
                spec(
                    &format!("ntuple:depth={depth},file={}", path.display()),
                    variant,
                )
            };
            let found = hint(&shared, variant, &agent(1), text.as_bytes()).expect("a board");
            assert_eq!(found.values.values, literal(&network, board), "{text}");
            let deeper = hint(&shared, variant, &agent(2), text.as_bytes()).expect("a board");
            assert_ne!(deeper.values, found.values);
        }
    }
}

/// 65536 has been cleared, and is worth what the network says of that.
#[test]
fn a_cleared_board_is_not_looked_at() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write(folder.path(), "f", &bytes_for(Variant::Akioi, "score"));
    let board = b"32768 32768 2 4 8 16 32 64 2 4 8 16 32 64 128 256";
    for depth in [1, 2] {
        let agent = format!("ntuple:depth={depth},file={}", path.display());
        let agent = spec(&agent, Variant::Akioi);
        let found = hint(&Shared::default(), Variant::Akioi, &agent, board).expect("a board");
        // The gain, and what clearing is worth: nothing beside it.
        assert_eq!(found.values.of(Slide::Left), Some(65536.0));
        assert_eq!(found.values.of(Slide::Up), None);
    }
}

/// A player by a network for a tile has won with it, and goes on by the embedded
/// network for the score.
#[test]
fn a_network_for_a_tile_plays_up_to_it() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write(folder.path(), "f", &bytes_for(Variant::Contest, "largest"));
    let shared = Shared::default();
    let valued = |agent: &str, board: &str| {
        let agent = spec(agent, Variant::Contest);
        let found = hint(&shared, Variant::Contest, &agent, board.as_bytes());
        found.expect("a board").values
    };
    let by_file = |keys: &str| format!("ntuple:{keys},file={}", path.display());
    // The network knows tiles up to 1024: 2048 is what it is for, and all that
    // follows is worth is what its file says, which is nothing.
    let before = "1024 1024 8 16 2 . . 2 4 4 . . 512 . . .";
    for keys in ["depth=1", "depth=3", "depth=3,prune=50"] {
        let values = valued(&by_file(keys), before);
        assert_eq!(values.of(Slide::Left), Some(2048.0 + 12.0), "{keys}");
        assert_eq!(values.of(Slide::Right), Some(2048.0 + 12.0), "{keys}");
        assert_ne!(values.of(Slide::Down), Some(0.0), "{keys}");
    }
    for after in [
        "2048 4 8 16 2 . . 2 4 4 . . 512 . . .",
        "4096 2048 8 16 2 . . 2 4 4 . . 512 . . 1024",
    ] {
        let score = |depth| valued(&format!("ntuple:depth={depth},objective=score"), after);
        assert_eq!(valued(&by_file("depth=1"), after), score(1));
        assert_eq!(valued(&by_file("depth=3,prune=9"), after), score(2));
        assert_ne!(score(1), score(2));
    }
}

#[test]
fn the_contest_is_played_by_a_network() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write(folder.path(), "f", &bytes_for(Variant::Classic, "score"));
    let agent = spec(&format!("ntuple:file={}", path.display()), Variant::Contest);
    let shared = Shared::default();
    shared
        .load(Variant::Contest, &agent)
        .expect("boards are the same");
    let graded = |n_threads| {
        let plan = GradePlan {
            player: GradePlayer::BuiltIn {
                agent: agent.clone(),
                time_limit: None,
            },
            n_cases: 6,
            seed: 1,
            n_threads,
        };
        let grades = grade(&shared, &plan, &false.into(), |_| ());
        grades.expect("nothing stops the grading").grading
    };
    assert_eq!(graded(1), graded(2));
    assert_eq!(graded(1).cases().len(), 6);
}

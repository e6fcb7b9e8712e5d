use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use afterstate_arena::{AgentSpec, Folder, GameRecord, Plan, Shard, Shared, run_games};
use afterstate_rules::Variant;

use crate::support::{assert_error, printed};

/// Games of all variants, written down.
fn written(folder: &Path) -> Vec<GameRecord> {
    let greedy = |variant| AgentSpec::parse("greedy", variant).expect("an agent");
    let entries = Variant::ALL.map(|variant| (variant, greedy(variant)));
    let plan = Plan::new(entries.to_vec(), 2, 7, Shard::WHOLE).expect("a plan");
    let folder = Folder::create_with_transcripts(folder, plan, 2).expect("a new folder");
    let path = folder.path().join("games.jsonl");
    let stop = AtomicBool::new(false);
    run_games(folder, &Shared::default(), 2, &stop, |_| ()).expect("the folder can be written");
    let lines = fs::read_to_string(path).expect("the games are there");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a game"))
        .collect()
}

fn transcript(folder: &Path, game: &GameRecord) -> PathBuf {
    let name = format!("{}-{}-{:016x}.bin", game.variant, game.index, game.seed);
    folder.join("transcripts").join(name)
}

#[test]
fn games_are_stepped_through_and_checked() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let games = written(temp.path());
    assert_eq!(games.len(), 8);
    for game in &games {
        let path = transcript(temp.path(), game);
        let path = path.to_str().expect("our names are UTF-8");
        let checked = printed(&["replay", path, "--check"], "");
        assert!(checked.starts_with(&format!("{} with ", game.variant)));
        let end = format!(
            "seed {}: {} slides, score {}, largest {}, {}; by the rules and the seed\n",
            game.seed, game.moves, game.score, game.largest, game.outcome
        );
        assert!(checked.ends_with(&end), "{checked} lacks {end}");
        let whole = printed(&["replay", path], "");
        assert_eq!(whole.matches("board ").count(), game.moves as usize + 1);
        assert!(whole.starts_with("board 0, score 0\n") && whole.ends_with(&checked));
        let last = game.moves.to_string();
        let one = printed(&["replay", path, "--from", &last], "");
        assert!(one.starts_with(&format!("board {last}, score {}\n", game.score)));

        let lines = printed(&["replay", path, "--json"], "");
        let lines: Vec<serde_json::Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(lines.len(), game.moves as usize + 2);
        let gains = lines.iter().filter_map(|line| line["gain"].as_i64());
        assert_eq!(gains.sum::<i64>(), game.score);
        let of_game = &lines[lines.len() - 1]["game"];
        assert_eq!(of_game["score"], game.score);
        assert_eq!(of_game["outcome"], game.outcome.as_str());
    }
}

#[test]
fn what_is_no_game_is_one_line() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let games = written(temp.path());
    let path = transcript(temp.path(), &games[0]);
    let bytes = fs::read(&path).expect("a transcript");
    let name = path.to_str().expect("our names are UTF-8").to_owned();
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(&path, bytes).expect("a temporary file");
        assert_error(&["replay", &name], "", &format!("{name}: {expected}"));
    };
    let sum = "the checksum does not match: the transcript is cut short or altered";
    for at in [8, bytes.len() / 2, bytes.len() - 1] {
        let mut altered = bytes.clone();
        altered[at] ^= 1;
        refused(&altered, sum);
    }
    refused(&bytes[..bytes.len() - 1], sum);
    refused(
        b"",
        "not a transcript of this version, expected the first bytes `aftran01`",
    );
    // A game of another seed is one by the rules, and not this one.
    let mut other = afterstate_play::Transcript::from_bytes(&bytes).expect("a transcript");
    other.seed += 1;
    refused(
        &other.to_bytes(),
        "after slide 0: the seed gives another tile than is written",
    );
    other.seed -= 1;
    other.score += 2;
    let written = other.score;
    let played = written - 2;
    refused(
        &other.to_bytes(),
        &format!("score {written} is written, {played} is played"),
    );
    other.score -= 2;
    other.spawn_set = "none".to_owned();
    refused(
        &other.to_bytes(),
        "field `spawn_set`: `none`, expected guide or live",
    );
    fs::write(&path, &bytes).expect("a temporary file");
    let n = games[0].moves;
    assert_error(
        &["replay", &name, "--from", "9999999"],
        "",
        &format!("--from 9999999 --to {n}: no board, expected a range within 0 to {n}"),
    );
    let missing = temp.path().join("missing");
    let missing = missing.to_str().expect("our names are UTF-8");
    assert_error(
        &["replay", missing],
        "",
        &format!("{missing}: cannot be read: No such file or directory (os error 2)"),
    );
}

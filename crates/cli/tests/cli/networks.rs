//! Networks in files, for everything that asks an agent.

use std::path::{Path, PathBuf};

use afterstate_bitboard::{Mini, Nibbles};
use afterstate_ntuple::{Ends, Network, NetworkHeader, PatternSet, Stages, TupleGrid};
use serde_json::Value;

use crate::support::{assert_error, printed};

/// Writes a network whose weights are 1, in units of a half.
fn write<G: TupleGrid>(folder: &Path, variant: &str, patterns: &str) -> PathBuf {
    let ends = Ends {
        gain_weight: 1.0,
        cleared: 0.0,
    };
    let patterns = PatternSet::parse::<G>(patterns).expect("patterns");
    let mut network =
        Network::<G>::zeroed(patterns, Stages::default(), 0.5, ends, 10).expect("memory");
    network.weights_mut().fill(1);
    let training = [("preset", "tiny"), ("games", "1000")];
    let header = NetworkHeader::about(variant, &[(2, 9), (4, 1)], "score", &training);
    let path = folder.join(variant);
    let mut file = std::fs::File::create(&path).expect("the folder can be written");
    network
        .write(&header, &mut file)
        .expect("the file can be written");
    path
}

#[test]
fn hints_grades_and_players_take_networks() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mini = write::<Mini>(folder.path(), "mini", "012,345");
    let agent = format!("ntuple:file={}", mini.display());
    let board = "2 . .\n2 . .\n8 . .";
    let args = ["hint", "--variant", "mini", "--agent", &agent, "--json"];
    // Sixteen weights of a half, and the gain.
    assert_eq!(
        printed(&args, board),
        "{\"slide\":\"up\",\"values\":{\"up\":12.0,\"right\":8.0,\"down\":12.0,\"left\":null}}\n"
    );
    let readable = printed(&args[..5], board);
    let last = format!(
        "slide: up  (ntuple:depth=1,file={}; values are what the network expects still to come)\n",
        mini.display()
    );
    assert!(readable.ends_with(&last), "{readable}");

    let classic = write::<Nibbles<4, 4>>(folder.path(), "classic", "0123");
    let agent = format!("ntuple:file={}", classic.display());
    let args = ["grade", "--agent", &agent, "--cases", "2", "--json"];
    let record: Value = serde_json::from_str(&printed(&args, "")).expect("JSON");
    assert_eq!(record["cases"][1]["verdict"], "ok");
    let args = ["player", "--agent", &agent];
    // All that counts is the gain, since all weights are the same.
    assert_eq!(printed(&args, "init 0 0 0 1\nslide\n"), "2\n");
}

#[test]
fn what_is_no_network_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let mini = write::<Mini>(folder.path(), "mini", "012,345");
    let shown = mini.display();
    let none = "agent ntuple: no network is embedded for mini and objective score, expected \
                ntuple:file=FILE";
    let no_file = ["hint", "--variant", "mini", "--agent", "ntuple"];
    assert_error(&no_file, "2 2 0 0 0 0 0 0 0", none);
    let agent = format!("ntuple:file={shown}");
    let for_another =
        format!("network {shown}: a network for the game mini: expected one for contest");
    for command in ["grade", "player"] {
        assert_error(&[command, "--agent", &agent], "", &for_another);
    }
    let whole = std::fs::read(&mini).expect("it was written");
    std::fs::write(&mini, &whole[..whole.len() / 2]).expect("it can be written");
    let hint = ["hint", "--variant", "mini", "--agent", &agent];
    let cut_off = format!("network {shown}: the network ends too early");
    assert_error(&hint, "2 2 0 0 0 0 0 0 0", &cut_off);
    std::fs::remove_file(&mini).expect("it can be removed");
    let output = crate::support::run(&hint, "2 2 0 0 0 0 0 0 0");
    let message = crate::support::text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    let start = format!("error: network {shown}: it cannot be read: ");
    assert!(message.starts_with(&start), "{message}");
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn a_file_is_inspected() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write::<Mini>(folder.path(), "mini", "012,345678");
    let path = path.to_str().expect("it is UTF-8");
    let n_bytes = std::fs::metadata(path).expect("it was written").len();
    let kinds = 11_u64;
    let n_weights = kinds.pow(3) + kinds.pow(6);
    let expected = format!(
        "game       mini, spawns 2:9,4:1
objective  score
patterns   012,345678: 2, each in 8 symmetric images that share weights
  012: 1331 weights
  345678: 1771561 weights
stages     1
weights    {n_weights} for 11 kinds of cells, {n_weights} of them not 0
unit       0.5
top tile   1024
size       {n_bytes} bytes, {} in memory
training
  preset  tiny
  games   1000
",
        2 * n_weights
    );
    assert_eq!(printed(&["networks", path], ""), expected);
    let json = printed(&["networks", path, "--json"], "");
    assert_eq!(json.lines().count(), 1);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["variant"], "mini");
    assert_eq!(json["spawns"], serde_json::json!([[2, 9], [4, 1]]));
    assert_eq!(json["patterns"][1]["cells"], "345678");
    assert_eq!(json["patterns"][1]["weights"], 1_771_561);
    assert_eq!(json["weights"], n_weights);
    assert_eq!(json["nonzero"], n_weights);
    assert_eq!(
        json["training"],
        serde_json::json!({"preset": "tiny", "games": "1000"})
    );
}

/// Weights as the papers count them: images share theirs and are not counted.
#[test]
fn users_d39_four_patterns_of_six_cells() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write::<Nibbles<4, 4>>(folder.path(), "classic", "4x6");
    let printed = printed(&["networks", path.to_str().expect("it is UTF-8")], "");
    for line in [
        "patterns   4x6: 4, each in 8 symmetric images that share weights\n",
        "  012345: 16777216 weights\n",
        "weights    67108864 for 16 kinds of cells, 67108864 of them not 0\n",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
}

#[test]
fn what_cannot_be_inspected_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = write::<Mini>(folder.path(), "2048", "012");
    let shown = path.to_str().expect("it is UTF-8");
    let said = |what: &str| format!("network {shown}: {what}");
    let unknown =
        said("a network for the game 2048: expected one for classic, contest, akioi, mini");
    assert_error(&["networks", shown], "", &unknown);
    let whole = std::fs::read(&path).expect("it was written");
    std::fs::write(&path, &whole[..whole.len() - 9]).expect("it can be written");
    assert_error(&["networks", shown], "", &unknown);
    std::fs::write(&path, b"a text\n").expect("it can be written");
    assert_error(&["networks", shown, "--json"], "", &said("not a network"));
    if afterstate_networks::EMBEDDED.is_empty() {
        let none = "no network is embedded; agents take one by file=FILE\n";
        assert_eq!(printed(&["networks"], ""), none);
        assert_eq!(printed(&["networks", "--json"], ""), "[]\n");
    }
}

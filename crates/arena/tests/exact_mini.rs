//! Best play of mini by its table: tournaments, hints, and tables that are not
//! whole. The long tier, since the table takes a while and 377 MB.

mod common;

use core::sync::atomic::AtomicBool;
use std::fs::{self, OpenOptions};
use std::path::Path;

use afterstate_arena::exact::{ExactPlan, MINI_OPTIMUM, solve_exact};
use afterstate_arena::{
    Folder, HintError, Plan, Shard, Shared, Summary, hint, hint_with_spawns, run_games,
};
use afterstate_bitboard::Slide;
use afterstate_rules::{Opening, SpawnSet, Variant};
use afterstate_search::exact::Objective;
use common::spec;

fn solve_to(path: &Path, spawns: SpawnSet) -> f64 {
    let plan = ExactPlan {
        variant: Variant::Mini,
        rows: 3,
        cols: 3,
        spawns,
        objective: Objective::Score,
        threads: 2,
        max_bytes: 1 << 30,
        scratch_folder: std::env::temp_dir(),
        table: Some(path.to_owned()),
    };
    let report = solve_exact(&plan, &AtomicBool::new(false), &mut |_| {});
    let report = report.expect("1 GiB and a folder are enough");
    let n_bytes = fs::metadata(path).expect("the table is there").len();
    assert_eq!(report.table_bytes, Some(n_bytes));
    report.value
}

fn play(shared: &Shared, folder: &Path, agents: &[(&str, u64)]) -> Vec<Summary> {
    let summary = |&(agent, games): &(&str, u64)| {
        let entries = vec![(Variant::Mini, spec(agent, Variant::Mini))];
        let plan = Plan::new(entries, games, 1, Shard::WHOLE).expect("one agent");
        let path = folder.join(agent.split(':').next().unwrap_or(agent));
        let folder = Folder::create(&path, plan, 2).expect("a new folder");
        let outcome = run_games(folder, shared, 2, &AtomicBool::new(false), |_| {});
        let (summary, complete) = outcome.expect("the games are played");
        assert!(complete);
        summary
    };
    agents.iter().map(summary).collect()
}

/// One test, so that the table is made once.
#[test]
fn best_play_and_how_far_others_are_from_it() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("mini.table");
    let value = solve_to(&path, SpawnSet::STANDARD);
    assert!((value - MINI_OPTIMUM).abs() < 1e-9);
    let exact = format!("exact:file={}", path.display());
    let shared = Shared::default()
        .with_judge(&path)
        .expect("the table is whole");
    let agents = [
        (exact.as_str(), 20_000),
        ("random", 2000),
        ("heuristic:depth=2", 500),
    ];
    let summaries = play(&shared, folder.path(), &agents);
    let gaps: Vec<_> = summaries
        .iter()
        .map(|summary| summary.entries[0].gap.clone().expect("mini has a gap"))
        .collect();

    // Best play loses nothing, and its mean is the optimum.
    let interval = summaries[0].entries[0].mean_t95.expect("many games");
    assert!(
        interval.low < MINI_OPTIMUM && MINI_OPTIMUM < interval.high,
        "{interval:?}"
    );
    let judged = gaps[0].judged.as_ref().expect("there is a judge");
    assert_eq!((judged.optimal, judged.loss_per_game), (1.0, 0.0));

    // For others, what the slides cost adds up to the gap.
    for gap in &gaps[1..] {
        let judged = gap.judged.as_ref().expect("there is a judge");
        assert!(judged.optimal < 0.95 && judged.loss_per_slide > 1.0);
        let by_score = gap.mean_t95.expect("many games");
        let by_loss = judged.loss_per_game_t95.expect("many games");
        assert!(
            by_score.low < by_loss.high && by_loss.low < by_score.high,
            "{by_score:?} {by_loss:?}"
        );
    }

    hints(&shared, &exact);
    games_without_a_judge_are_the_same(folder.path());
    spoiled_tables(&path, &exact);
}

/// To all digits, for boards of games only.
fn hints(shared: &Shared, exact: &str) {
    let agent = spec(exact, Variant::Mini);
    let ask = |board: &[u8]| hint(shared, Variant::Mini, &agent, board);
    let answer = ask(b"2 . .\n2 . .\n. . .").expect("an opening");
    let values = answer.exact.expect("they are exact");
    assert_eq!(values[Slide::Left.idx()], None);
    assert_eq!(values[Slide::Up.idx()], values[Slide::Down.idx()]);
    assert_eq!(answer.slide(), Some(Slide::Up));
    assert!(values[Slide::Up.idx()].is_some_and(|value| (5000.0..6000.0).contains(&value)));
    let error = ask(b"2 . .\n. . .\n. . .").expect_err("no board of a game");
    assert!(matches!(error, HintError::NotInTable), "{error}");
    let over = ask(b"2 4 2\n4 2 4\n2 4 2").expect("a board of a game");
    assert_eq!((over.slide(), over.exact), (None, Some([None; 4])));
}

/// Tables of other spawns are for hints in games with these, and for nothing
/// else.
#[test]
fn a_table_of_other_spawns() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("eights.table");
    let eights = SpawnSet::new("eights", &[(8, 1)], Opening::TwoSpawned);
    let value = solve_to(&path, eights.clone());
    assert_eq!(value, 4.0 * 7172.0, "the longest chain, 8 to 2048");
    let agent = spec(&format!("exact:file={}", path.display()), Variant::Mini);
    let shared = Shared::default();
    let ask = |spawns: &SpawnSet, board: &[u8]| {
        hint_with_spawns(&shared, Variant::Mini, &agent, spawns, board)
            .expect("the set fits the board")
    };
    let answer = ask(&eights, b"8 . .\n8 . .\n. . .").expect("an opening");
    let values = answer.exact.expect("they are exact");
    assert_eq!(values[Slide::Up.idx()], Some(value));
    // The chain to 1024 is there, and left it goes on to all that there is: four
    // times what 2 4 … 256 and one more 2 have gained is 12304.
    let late = ask(&eights, b"1024 512 256\n32 64 128\n16 8 8").expect("late in a game");
    let values = late.exact.expect("they are exact");
    assert_eq!(values[Slide::Left.idx()], Some(value - 12_304.0));
    assert_eq!(late.slide(), Some(Slide::Left));
    let no_game = ask(&eights, b"2 . .\n8 . .\n. . .").expect_err("no 2 spawns");
    assert!(matches!(no_game, HintError::NotInTable), "{no_game}");

    let of_eights = format!(
        "table {}: a table for spawns 8:1, expected spawns",
        path.display()
    );
    let foreign = ask(&SpawnSet::STANDARD, b"8 . .\n8 . .\n. . .").expect_err("other spawns");
    assert_eq!(foreign.to_string(), format!("{of_eights} 2:9,4:1"));
    let foreign = ask(&SpawnSet::CONTEST, b"8 . .\n8 . .\n. . .").expect_err("other spawns");
    assert_eq!(
        foreign.to_string(),
        format!("{of_eights} 2:3,4:1 from two 2s")
    );
    // Tournaments are of standard spawns.
    let error = shared
        .load(Variant::Mini, &agent)
        .expect_err("other spawns");
    assert_eq!(error.to_string(), format!("{of_eights} 2:9,4:1"));
    let error = Shared::default().with_judge(&path).err();
    let error = error.expect("other spawns").to_string();
    assert_eq!(error, format!("{of_eights} 2:9,4:1"));
}

/// Judging leaves `games.jsonl` as it is.
fn games_without_a_judge_are_the_same(folder: &Path) {
    let apart = folder.join("apart");
    play(&Shared::default(), &apart, &[("random", 2000)]);
    let games = |folder: &Path| fs::read(folder.join("random/games.jsonl")).expect("a file");
    assert!(games(folder) == games(&apart));
}

/// The end cut off, and one byte changed in the middle.
fn spoiled_tables(path: &Path, exact: &str) {
    let refusal = || {
        let error = Shared::default().load(Variant::Mini, &spec(exact, Variant::Mini));
        error.expect_err("the table is spoiled").to_string()
    };
    let file = OpenOptions::new().write(true).open(path).expect("a file");
    let n_bytes = file.metadata().expect("it has a length").len();
    {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = &file;
        file.seek(SeekFrom::Start(n_bytes / 2))
            .expect("it can be changed");
        file.write_all(b"X").expect("it can be changed");
    }
    assert!(refusal().contains("the table is damaged: the layer of tile sum"));
    file.set_len(n_bytes - 1).expect("it can be cut");
    assert!(refusal().contains("it is cut off"));
}

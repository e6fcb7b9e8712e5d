//! Whole runs: the same games however they are played.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use afterstate_arena::{Folder, Plan, Shard, Shared, Summary, Timing};
use afterstate_rules::Variant;
use common::{
    RESULTS, finish, names, plan_of, play, quick_plan, records, shard, spec, stop_after, text,
};

/// `games.jsonl` of the plan, played by one worker without a break.
fn undisturbed(plan: &Plan) -> String {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let path = temp.path().join("run");
    play(&path, plan, 1);
    text(&path, "games.jsonl")
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let plan = plan_of(6, 11, Shard::WHOLE);
    let expected = undisturbed(&plan);
    assert_eq!(expected.lines().count(), 54);
    for threads in [2, 3, 8, 100] {
        let temp = tempfile::tempdir().expect("a temporary folder");
        play(temp.path(), &plan, threads);
        assert_eq!(text(temp.path(), "games.jsonl"), expected, "{threads}");
        assert_eq!(names(temp.path()), RESULTS, "{threads}");
    }
}

#[test]
fn a_run_stopped_anywhere_and_resumed_gives_the_same_bytes() {
    let plan = plan_of(4, 12, Shard::WHOLE);
    let expected = undisturbed(&plan);
    // Of eight workers one may be at the end of the last game when another is told
    // to stop.
    for (threads, stops) in [(1, vec![1, 35]), (2, vec![7, 20, 21]), (8, vec![20])] {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let mut folder = Folder::create(temp.path(), plan.clone(), threads).expect("new");
        for n_games in stops {
            assert!(!stop_after(folder, threads, n_games));
            let so_far = records(temp.path());
            assert!((n_games as usize..36).contains(&so_far.len()));
            assert!(
                text(temp.path(), "games.jsonl")
                    .lines()
                    .all(|line| expected.contains(line))
            );
            let stored = Folder::stored_plan(temp.path()).expect("the plan is there");
            assert_eq!(stored, plan);
            folder = Folder::resume(temp.path(), stored).expect("the run can go on");
            assert_eq!(folder.n_finished(), so_far.len() as u64);
        }
        let n_before = folder.n_finished();
        let (_, n_played) = finish(folder, threads);
        assert_eq!(n_before + n_played, 36);
        assert_eq!(text(temp.path(), "games.jsonl"), expected, "{threads}");
        assert_eq!(names(temp.path()), RESULTS);
    }
}

/// Stopped when the last game has just ended: nothing is missing.
#[test]
fn a_stop_after_the_last_game_is_none() {
    let plan = quick_plan(3);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folder = Folder::create(temp.path(), plan.clone(), 1).expect("new");
    assert!(stop_after(folder, 1, 6));
    assert_eq!(names(temp.path()), RESULTS);
}

/// The folder of a run killed after the games of `journal`.
fn killed(path: &Path, run: &str, journal: &[u8]) {
    fs::create_dir_all(path).expect("a temporary folder");
    fs::write(path.join("run.json"), run).expect("a temporary file");
    fs::write(path.join("journal.jsonl"), journal).expect("a temporary file");
}

#[test]
fn a_journal_cut_at_any_byte_costs_the_games_behind_the_cut_only() {
    let plan = quick_plan(3);
    let expected = undisturbed(&plan);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folder = Folder::create(temp.path(), plan.clone(), 1).expect("new");
    stop_after(folder, 1, 4);
    let run = text(temp.path(), "run.json");
    let journal = text(temp.path(), "journal.jsonl");
    assert_eq!(journal.lines().count(), 4);
    let start_of_last = journal[..journal.len() - 1].rfind('\n').expect("two lines") + 1;
    let mut cuts: Vec<usize> = (start_of_last - 2..=journal.len()).collect();
    cuts.extend([0, 1]);
    let path = temp.path().join("killed");
    for cut in cuts {
        killed(&path, &run, &journal.as_bytes()[..cut]);
        let folder = Folder::resume(&path, plan.clone()).expect("the run can go on");
        let n_whole = journal[..cut].matches('\n').count() as u64;
        assert_eq!(folder.n_finished(), n_whole, "cut at {cut}");
        assert_eq!(text(&path, "journal.jsonl").lines().count() as u64, n_whole);
        let (_, n_played) = finish(folder, 2);
        assert_eq!(n_played, 6 - n_whole);
        assert_eq!(text(&path, "games.jsonl"), expected, "cut at {cut}");
        fs::remove_dir_all(&path).expect("a temporary folder");
    }
    // A power loss can leave zeros where data had not come to the disk yet.
    let zeros = [journal.as_bytes(), &[0; 5000]].concat();
    killed(&path, &run, &zeros);
    let folder = Folder::resume(&path, plan).expect("the run can go on");
    assert_eq!(folder.n_finished(), 4);
    finish(folder, 1);
    assert_eq!(text(&path, "games.jsonl"), expected);
}

/// A kill while the results are written leaves the journal, and what there is
/// of the results does not matter.
#[test]
fn a_run_killed_at_its_end_plays_nothing_again() {
    let plan = quick_plan(3);
    let expected = undisturbed(&plan);
    let temp = tempfile::tempdir().expect("a temporary folder");
    // The journal of all games, from a run whose results cannot be written.
    let whole = temp.path().join("whole");
    let folder = Folder::create(&whole, plan.clone(), 2).expect("new");
    fs::create_dir(whole.join("games.tmp")).expect("a temporary folder");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let error = afterstate_arena::run_games(folder, &Shared::default(), 2, &stop, |_| {})
        .expect_err("no results");
    let message = error.to_string();
    assert!(
        message.contains("games.tmp") && !message.contains('\n'),
        "{message}"
    );
    let run = text(&whole, "run.json");
    let journal = text(&whole, "journal.jsonl");
    for written in 0..=4 {
        let path = temp.path().join(format!("killed-{written}"));
        killed(&path, &run, journal.as_bytes());
        let results = [
            "games.jsonl",
            "timings.jsonl",
            "summary.json",
            "report.html",
        ];
        for name in &results[..written] {
            fs::write(path.join(name), "of an earlier stop").expect("a temporary file");
        }
        fs::write(path.join("summary.tmp"), "half of").expect("a temporary file");
        let folder = Folder::resume(&path, plan.clone()).expect("the run can go on");
        let (summary, n_played) = finish(folder, 2);
        assert_eq!((n_played, summary.n_games()), (0, 6));
        assert_eq!(text(&path, "games.jsonl"), expected);
        assert_eq!(names(&path), RESULTS);
    }
}

/// Resuming what is finished changes no file and gives the same summary.
#[test]
fn a_finished_run_is_left_as_it_is() {
    let plan = quick_plan(4);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan, 2);
    let state = || {
        RESULTS.map(|name| {
            let changed = fs::metadata(temp.path().join(name)).and_then(|data| data.modified());
            (text(temp.path(), name), changed.expect("the file is there"))
        })
    };
    let before = state();
    let folder = Folder::resume(temp.path(), plan.clone()).expect("the run is whole");
    let (again, n_played) = finish(folder, 5);
    assert_eq!((again, n_played), (summary.clone(), 0));
    assert_eq!(state(), before);
    assert_eq!(names(temp.path()), RESULTS);
    // A result that somebody took away comes back.
    fs::remove_file(temp.path().join("report.html")).expect("a temporary file");
    let folder = Folder::resume(temp.path(), plan).expect("the run is whole");
    assert_eq!(finish(folder, 1).0, summary);
    assert_eq!(text(temp.path(), "report.html"), before[1].0);
}

/// A stopped run whose journal is gone goes on from its results.
#[test]
fn without_its_journal_a_run_goes_on_from_its_results() {
    let plan = quick_plan(4);
    let expected = undisturbed(&plan);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let folder = Folder::create(temp.path(), plan.clone(), 1).expect("new");
    stop_after(folder, 1, 5);
    fs::remove_file(temp.path().join("journal.jsonl")).expect("a temporary file");
    let folder = Folder::resume(temp.path(), plan).expect("the run can go on");
    assert_eq!(folder.n_finished(), 5);
    assert_eq!(text(temp.path(), "journal.jsonl").lines().count(), 5);
    assert_eq!(finish(folder, 1).1, 3);
    assert_eq!(text(temp.path(), "games.jsonl"), expected);
}

#[test]
fn shards_together_are_the_whole() {
    let expected = undisturbed(&plan_of(5, 13, Shard::WHOLE));
    for of in [1, 3, 7] {
        let mut lines = Vec::new();
        for part in 1..=of {
            let temp = tempfile::tempdir().expect("a temporary folder");
            let plan = plan_of(5, 13, shard(part, of));
            let summary = play(temp.path(), &plan, 2);
            assert_eq!(summary.n_games(), plan.n_games());
            let own = text(temp.path(), "games.jsonl");
            lines.extend(own.lines().map(str::to_owned));
        }
        lines.sort_by_key(|line| {
            let game: afterstate_arena::GameRecord =
                serde_json::from_str(line).expect("a line is a record");
            (game.variant, game.agent, game.index)
        });
        assert_eq!(lines.join("\n") + "\n", expected, "{of} shards");
    }
}

/// The fields of `games.jsonl` and their order are what other programs read.
#[test]
fn files_are_as_documented() {
    let plan = plan_of(12, 14, Shard::WHOLE);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan, 3);
    let games = text(temp.path(), "games.jsonl");
    let mut keys = Vec::new();
    for line in games.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let at = |name: &str| {
            line.find(&format!("\"{name}\":"))
                .expect("the field is there")
        };
        let fields = [
            "variant", "agent", "index", "seed", "score", "largest", "moves", "outcome",
        ];
        assert!(
            fields.windows(2).all(|pair| at(pair[0]) < at(pair[1])),
            "{line}"
        );
        assert_eq!(game.as_object().expect("an object").len(), fields.len());
        assert!(!line.contains(' '), "{line}");
        let word = |name: &str| game[name].as_str().expect("a text").to_owned();
        assert!(["over", "cleared"].contains(&word("outcome").as_str()));
        let index = game["index"].as_u64().expect("a number");
        keys.push((word("variant"), word("agent"), index));
    }
    assert!(keys.is_sorted(), "by variant, agent and index as a number");
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 9 * 12);
    assert_eq!(keys[11].2, 11, "all indices of an entry");

    let timings: Vec<Timing> = text(temp.path(), "timings.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is a timing"))
        .collect();
    let of_timings = timings
        .iter()
        .map(|timing| (timing.variant.clone(), timing.agent.clone(), timing.index));
    assert!(of_timings.eq(keys.iter().cloned()));
    assert!(
        timings
            .iter()
            .all(|timing| timing.elapsed_ns > 0 && timing.worker < 3)
    );

    let stored: Summary =
        serde_json::from_str(&text(temp.path(), "summary.json")).expect("a summary");
    assert_eq!(stored, summary);
    let run: serde_json::Value =
        serde_json::from_str(&text(temp.path(), "run.json")).expect("run.json is JSON");
    assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(run["games"], 12);
    assert_eq!(run["seed"], 14);
    assert_eq!(run["threads"], 3);
    assert_eq!(run["shard"], serde_json::json!({"part": 1, "of": 1}));
    assert_eq!(run["entries"][0], serde_json::json!(["akioi", "greedy"]));
    assert!(run["machine"]["cpus"].as_u64().is_some_and(|cpus| cpus > 0));
}

/// Everything in the summary, computed again from `games.jsonl`.
#[test]
fn the_summary_is_of_the_games() {
    let plan = plan_of(10, 15, Shard::WHOLE);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan, 2);
    let games = records(temp.path());
    for entry in &summary.entries {
        let own: Vec<_> = games
            .iter()
            .filter(|game| game.variant == entry.variant && game.agent == entry.agent)
            .collect();
        let mut scores: Vec<i64> = own.iter().map(|game| game.score).collect();
        scores.sort_unstable();
        assert_eq!(scores.len(), 10);
        let mean = scores.iter().sum::<i64>() as f64 / 10.0;
        assert!((entry.mean.expect("there are games") - mean).abs() < 1e-9);
        let quartiles = entry.quartiles.expect("there are games");
        assert_eq!(quartiles[0], scores[0] as f64);
        assert_eq!(quartiles[2], (scores[4] + scores[5]) as f64 / 2.0);
        assert_eq!(quartiles[4], scores[9] as f64);
        let moves: u64 = own.iter().map(|game| u64::from(game.moves)).sum();
        assert_eq!(entry.moves, moves);
        let largest = own.iter().map(|game| game.largest).max();
        assert_eq!(entry.tiles.last().map(|rate| rate.tile), largest);
        for rate in &entry.tiles {
            let hits = own.iter().filter(|game| game.largest >= rate.tile).count() as u64;
            assert_eq!(rate.games, hits);
            assert_eq!(rate.share, hits as f64 / 10.0);
        }
    }
}

/// Row 17 of the users' reports: a final table printed from 390 of 400 games.
#[test]
fn users_b17_the_table_is_of_all_games_asked() {
    for threads in [1, 2, 16] {
        let plan = quick_plan(200);
        let temp = tempfile::tempdir().expect("a temporary folder");
        let summary = play(temp.path(), &plan, threads);
        assert_eq!(summary.n_games(), 400, "{threads}");
        assert!(summary.entries.iter().all(|entry| entry.games == 200));
        assert_eq!(records(temp.path()).len(), 400, "{threads}");
        assert_eq!(text(temp.path(), "timings.jsonl").lines().count(), 400);
    }
}

/// Row 20: seeds that depend on concurrency. They depend on the tournament's
/// seed, the variant, the agent and the index; other entries, the number of
/// games and the order of arguments do not matter.
#[test]
fn users_b20_seeds_depend_on_nothing_but_the_game() {
    let alone = Plan::new(
        vec![(Variant::Mini, spec("greedy", Variant::Mini))],
        3,
        21,
        Shard::WHOLE,
    );
    let temp = tempfile::tempdir().expect("a temporary folder");
    play(temp.path(), &alone.expect("a plan"), 1);
    let all = undisturbed(&plan_of(7, 21, Shard::WHOLE));
    for line in text(temp.path(), "games.jsonl").lines() {
        assert!(all.contains(line), "{line}");
    }
    let seeds: BTreeSet<u64> = records(temp.path()).iter().map(|game| game.seed).collect();
    assert_eq!(seeds.len(), 3);
    let other = undisturbed(&plan_of(7, 22, Shard::WHOLE));
    assert!(all.lines().zip(other.lines()).all(|(a, b)| a != b));
}

/// Row 22: more crashes and time losses than games.
#[test]
fn users_b22_outcomes_add_up_to_games() {
    let plan = plan_of(8, 16, Shard::WHOLE);
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan, 2);
    for entry in &summary.entries {
        assert_eq!(entry.over + entry.cleared, entry.games);
        assert_eq!(entry.games, 8);
    }
}

/// Row 26: saves at irregular intervals. A game is on disk, on a line of its
/// own, before anything is said of it and before its worker goes on: a kill
/// costs each worker the game it is at.
#[test]
fn users_b26_every_game_is_on_disk_when_it_ends() {
    for threads in [1, 4] {
        let plan = quick_plan(30);
        let temp = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::create(temp.path(), plan, threads).expect("new");
        let stop = std::sync::atomic::AtomicBool::new(false);
        let mut n_told = 0;
        afterstate_arena::run_games(folder, &Shared::default(), threads, &stop, |progress| {
            n_told += 1;
            assert_eq!((progress.finished, progress.total), (n_told, 60));
            let journal = text(temp.path(), "journal.jsonl");
            assert!(journal.ends_with('\n'));
            assert_eq!(journal.lines().count() as u64, n_told);
        })
        .expect("the folder can be written");
        assert_eq!(n_told, 60);
    }
}

/// Row 46: seeded runs that differ, in debug and release builds and on other
/// machines. These games were written down once.
#[test]
fn row_46_the_games_of_a_seed_stay_what_they_are() {
    let agents = ["random", "greedy"];
    let entries = Variant::ALL
        .into_iter()
        .flat_map(|variant| agents.map(|agent| (variant, spec(agent, variant))));
    let plan = Plan::new(entries.collect(), 3, 1, Shard::WHOLE).expect("a plan");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games-seed-1.jsonl");
    let committed = fs::read_to_string(path).expect("the file is committed");
    assert_eq!(undisturbed(&plan), committed.replace("\r\n", "\n"));
}

/// The score is what the tiles are worth, less what spawned: in the games of
/// all variants but akioi a multiple of 4 that the moves bound.
#[test]
fn scores_fit_their_boards() {
    for game in undisturbed(&plan_of(10, 17, Shard::WHOLE)).lines() {
        let game: afterstate_arena::GameRecord =
            serde_json::from_str(game).expect("a line is a record");
        assert!(game.moves > 0 && game.largest >= 2, "{game:?}");
        if game.variant != "akioi" {
            let exponent = i64::from(game.largest.ilog2());
            let largest = i64::from(game.largest);
            assert_eq!(game.score % 4, 0, "{game:?}");
            // The largest tile alone, made of spawned 4s at the worst.
            assert!(game.score >= (exponent - 2) * largest, "{game:?}");
            // A slide spawns at most a 4.
            assert!(largest <= 4 * (i64::from(game.moves) + 2), "{game:?}");
        }
    }
}

/// A search that looks at nothing but its own slides is better than chance, in
/// every variant: gains and boards count on the way, not only at the end.
#[test]
fn users_d40_depth_1_beats_chance_in_100_games() {
    let mut entries = Vec::new();
    for variant in Variant::ALL {
        for agent in ["random", "heuristic:depth=1"] {
            entries.push((variant, spec(agent, variant)));
        }
    }
    let plan = Plan::new(entries, 100, 1, Shard::WHOLE).expect("no entry is there twice");
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan, 2);
    for pair in summary.entries.chunks(2) {
        let [searching, random] = pair else {
            panic!("two agents a variant");
        };
        assert_eq!(searching.agent, "heuristic:depth=1");
        let low = searching.mean_t95.expect("100 games").low;
        let high = random.mean_t95.expect("100 games").high;
        assert!(low > 2.0 * high, "{}: {low} {high}", random.variant);
    }
}

/// A budget in nodes gives the same games on any number of threads and says so;
/// one in time is flagged wherever its results are read.
#[test]
fn users_b24_budgets_in_nodes_are_reproducible() {
    let agents = ["heuristic:nodes=40", "heuristic:depth=1..2,ms=1"];
    let plan_with = |agents: &[&str]| {
        let entries = agents
            .iter()
            .map(|agent| (Variant::Mini, spec(agent, Variant::Mini)));
        Plan::new(entries.collect(), 4, 1, Shard::WHOLE).expect("no entry is there twice")
    };
    let plan = plan_with(&agents[..1]);
    let expected = undisturbed(&plan);
    let temp = tempfile::tempdir().expect("a temporary folder");
    play(temp.path(), &plan, 3);
    assert_eq!(text(temp.path(), "games.jsonl"), expected);

    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan_with(&agents), 2);
    let flags = summary
        .entries
        .iter()
        .map(|entry| (entry.agent.as_str(), entry.machine_dependent));
    assert_eq!(
        flags.collect::<Vec<_>>(),
        [(agents[1], true), (agents[0], false)]
    );
    for entry in &summary.entries {
        assert!(entry.nodes > entry.moves, "{entry:?}");
        assert!(entry.nodes_per_second > Some(0.0));
    }
    let timings = text(temp.path(), "timings.jsonl");
    for line in timings.lines() {
        let timing: Timing = serde_json::from_str(line).expect("a timing");
        assert!(timing.nodes > 0);
    }
    assert!(text(temp.path(), "report.html").contains("ms=1*"));
    assert!(!text(temp.path(), "games.jsonl").contains("nodes\":"));
}

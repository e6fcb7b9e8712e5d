//! What people read of a tournament: the table and the page.

mod common;

use afterstate_arena::{
    EntrySummary, Gap, Interval, JudgedSlides, Machine, RunFile, Shard, Summary, TileRate,
    html_report, text_table,
};
use common::{plan_of, play, text};

fn entry(variant: &str, agent: &str, scores: [f64; 3], tiles: &[(i32, u64)]) -> EntrySummary {
    let [mean, half, median] = scores;
    EntrySummary {
        variant: variant.to_owned(),
        agent: agent.to_owned(),
        games: 1000,
        mean: Some(mean),
        mean_t95: Some(Interval {
            low: mean - half,
            high: mean + half,
        }),
        deviation: 500.0,
        quartiles: Some([0.0, 1.0, median, 1e6, 2e6]),
        tiles: tiles
            .iter()
            .map(|&(tile, games)| TileRate {
                tile,
                games,
                share: games as f64 / 1000.0,
                wilson95: Interval {
                    low: 0.0,
                    high: 1.0,
                },
            })
            .collect(),
        over: 1000,
        cleared: 0,
        moves: 120_000,
        slides_per_second: Some(2_812_345.6),
        nodes: 0,
        nodes_per_second: None,
        machine_dependent: false,
        gap: None,
    }
}

fn summary() -> Summary {
    let mut akioi = entry(
        "akioi",
        "heuristic:depth=2,ms=5",
        [2.5e5, 1e4, 2.4e5],
        &[(65536, 999)],
    );
    akioi.nodes = 12_000_000;
    akioi.nodes_per_second = Some(52_345_678.9);
    akioi.machine_dependent = true;
    akioi.cleared = 999;
    akioi.over = 1;
    let unplayed = EntrySummary {
        games: 0,
        mean: None,
        mean_t95: None,
        deviation: 0.0,
        quartiles: None,
        tiles: Vec::new(),
        over: 0,
        moves: 0,
        slides_per_second: None,
        ..entry("mini", "greedy", [0.0; 3], &[])
    };
    // No entry has a rate of 512: one stops before it, the other begins after.
    let low = [(32, 1000), (64, 980), (128, 500), (256, 30)];
    let high = [(1024, 1000), (2048, 996), (4096, 4)];
    Summary {
        run: RunFile {
            version: "1.2.3-<i>&".to_owned(),
            entries: Vec::new(),
            games: 1000,
            seed: 77,
            shard: Shard::new(2, 3).expect("the part is one of them"),
            files: Vec::new(),
            transcripts: false,
            merged: Vec::new(),
            threads: 4,
            machine: Machine {
                os: "plan<9>".to_owned(),
                arch: "a&b".to_owned(),
                cpus: 8,
            },
        },
        entries: vec![
            akioi,
            entry("classic", "greedy", [1109.4, 12.6, 1024.0], &low),
            entry("classic", "odd<b>&amp;", [12345.5, 300.0, 11111.0], &high),
            unplayed,
        ],
    }
}

/// How far mini is from best play, by scores and, where slides were judged, by
/// slides.
#[test]
fn gaps_have_columns_where_they_are_known() {
    let mut summary = summary();
    let gap = |mean: f64, judged: Option<JudgedSlides>| Gap {
        optimum: 5468.5,
        mean,
        mean_t95: None,
        judged,
    };
    let mut strong = entry("mini", "strong", [5000.0, 10.0, 5000.0], &[]);
    strong.gap = Some(gap(
        468.5,
        Some(JudgedSlides {
            games: 1000,
            moves: 120_000,
            optimal: 0.996,
            loss_per_slide: 0.456,
            loss_per_game: 460.0,
            loss_per_game_t95: None,
        }),
    ));
    let mut weak = entry("mini", "weak", [200.0, 10.0, 180.0], &[]);
    weak.gap = Some(gap(5268.5, None));
    summary.entries = vec![strong.clone(), weak];
    let expected = "\
mini    games  mean  ± 95 %  median   gap  optimal  loss/slide  slides/s
strong   1000  5000      10    5000   468   99.6 %        0.46   2812346
weak     1000   200      10     180  5268        -           -   2812346
";
    assert_eq!(text_table(&summary), expected);
    strong.gap = Some(gap(468.5, None));
    summary.entries = vec![strong];
    let table = text_table(&summary);
    assert!(
        table.starts_with("mini    games  mean  ± 95 %  median  gap  slides/s\n"),
        "{table}"
    );
    assert!(html_report(&summary).contains("<th>gap</th>"));
}

/// Wide enough for the longest cell, numbers to the right, tiles ascending, at
/// most five of them; a share is told from all and nothing.
#[test]
fn the_table_is_as_designed() {
    let expected = "\
akioi                    games    mean  ± 95 %  median  ≥65536  cleared  slides/s   nodes/s
heuristic:depth=2,ms=5*   1000  250000   10000  240000  99.9 %   99.9 %   2812346  52345679

classic      games   mean  ± 95 %  median   ≥256   ≥512  ≥1024   ≥2048  ≥4096  slides/s
greedy        1000   1109      13    1024    3 %    0 %    0 %     0 %    0 %   2812346
odd<b>&amp;   1000  12346     300   11111  100 %  100 %  100 %  99.6 %  0.4 %   2812346

mini    games  mean  ± 95 %  median  slides/s
greedy      0     -       -       -         -

* games depend on the speed of the machine, not on the seed alone
";
    assert_eq!(text_table(&summary()), expected);
}

#[test]
fn the_table_of_nothing_is_empty() {
    let mut none = summary();
    none.entries.clear();
    assert_eq!(text_table(&none), "");
    let page = html_report(&none);
    assert!(page.contains("0 games"));
    assert!(!page.contains("depend on the speed"), "nobody is marked");
}

/// Every tag that is opened is closed, in order; returns the names of all.
fn tags_of(page: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    let body = page
        .strip_prefix("<!doctype html>")
        .expect("the doctype comes first");
    for part in body.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        assert!(!tag.contains('&'), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            let name = tag.split_whitespace().next().expect("a tag has a name");
            all.push(name.to_owned());
            if name != "meta" {
                open.push(name);
            }
        }
    }
    assert_eq!(open, [""; 0], "all tags are closed");
    all
}

#[test]
fn the_page_is_well_formed_and_escaped() {
    let page = html_report(&summary());
    let tags = tags_of(&page);
    assert_eq!(tags.iter().filter(|tag| *tag == "table").count(), 3);
    assert_eq!(tags.iter().filter(|tag| *tag == "tr").count(), 3 + 4);
    assert!(
        !tags
            .iter()
            .any(|tag| ["b", "i", "9", "script"].contains(&tag.as_str()))
    );
    assert!(page.contains("<td>odd&lt;b&gt;&amp;amp;</td>"));
    assert!(page.contains("1.2.3-&lt;i&gt;&amp;"));
    assert!(page.contains("plan&lt;9&gt; a&amp;b"));
    assert!(page.contains("seed 77, shard 2/3"));
    assert!(page.contains("<td>heuristic:depth=2,ms=5*</td>"));
    assert!(page.contains("<p>* games depend on the speed of the machine"));
    // Every number of the table is on the page.
    for cell in text_table(&summary())
        .lines()
        .flat_map(|line| line.split("  "))
    {
        let cell = cell.trim().replace('&', "&amp;").replace('<', "&lt;");
        let cell = cell.replace('>', "&gt;");
        assert!(page.contains(&cell), "{cell}");
    }
}

/// Read on a phone, in the dark, without a network.
#[test]
fn the_page_fits_its_reader() {
    let page = html_report(&summary());
    assert!(page.contains("<html lang=\"en\">"));
    assert!(page.contains("<meta charset=\"utf-8\">"));
    assert!(page.contains("name=\"viewport\" content=\"width=device-width,initial-scale=1\""));
    assert!(page.contains("color-scheme:light dark"));
    // Tables scroll by themselves, so that the page does not.
    assert_eq!(page.matches("<div class=\"scroll\"><table>").count(), 3);
    assert!(page.contains(".scroll{overflow-x:auto}"));
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_run_writes_the_page_of_its_summary() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let summary = play(temp.path(), &plan_of(2, 1, Shard::WHOLE), 2);
    let page = text(temp.path(), "report.html");
    assert_eq!(page, html_report(&summary));
    tags_of(&page);
    assert!(page.contains("<td>heuristic:depth=1</td><td>2</td>"));
}

/// How strong an agent is: everything that a reader needs to judge it and to
/// play the games again.
#[test]
fn users_d38_the_summary_has_the_statistics() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    play(temp.path(), &plan_of(5, 3, Shard::WHOLE), 2);
    let summary: serde_json::Value =
        serde_json::from_str(&text(temp.path(), "summary.json")).expect("JSON");
    let run = &summary["run"];
    assert_eq!((&run["seed"], &run["games"]), (&3.into(), &5.into()));
    assert!(run["version"].is_string() && run["machine"]["cpus"].is_u64());
    let entries = summary["entries"].as_array().expect("a list");
    assert_eq!(entries.len(), 9);
    for entry in entries {
        for key in ["mean", "deviation", "slides_per_second"] {
            assert!(entry[key].is_f64(), "{key}: {entry}");
        }
        assert!(entry["mean_t95"]["low"].is_f64());
        assert_eq!(entry["quartiles"].as_array().map(Vec::len), Some(5));
        assert_eq!(entry["games"], 5);
        let tiles = entry["tiles"].as_array().expect("a list");
        assert_eq!(tiles[0]["share"], 1.0);
        assert!(tiles.iter().all(|tile| tile["wilson95"]["high"].is_f64()));
    }
    let page = text(temp.path(), "report.html");
    for words in ["seed 3", "± 95 %", "median", "slides/s", "nodes/s"] {
        assert!(page.contains(words), "{words}");
    }
}

//! What the games of a tournament come to.

use std::collections::BTreeMap;

use afterstate_play::Outcome;
use afterstate_rules::Variant;
use serde::{Deserialize, Serialize};

use crate::agent_spec::AgentSpec;
use crate::exact::MINI_OPTIMUM;
use crate::moments::{Moments, RunningMoments, quantile_of_counts};
use crate::records::{FinishedGame, RunFile};
use crate::stats::{Interval, wilson_interval};

/// How often games reached a tile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TileRate {
    /// The tile; a game counts when its largest tile is this or larger.
    pub tile: i32,
    /// Number of games.
    pub games: u64,
    /// Share of games, 0 to 1.
    pub share: f64,
    /// Wilson interval of the share, 95 %.
    pub wilson95: Interval,
}

/// What an agent's slides cost, by a table of exact values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedSlides {
    /// Number of games that were judged.
    pub games: u64,
    /// Their slides.
    pub moves: u64,
    /// Share of slides that were optimal, 0 to 1.
    pub optimal: f64,
    /// Mean cost of a slide, in expected points.
    pub loss_per_slide: f64,
    /// Mean cost of the slides of a game, in expected points: another estimate
    /// of the gap. It spreads less than that from scores only where an agent is
    /// near best play.
    pub loss_per_game: f64,
    /// 95 % interval of that mean by Student's t; null for fewer than two games.
    pub loss_per_game_t95: Option<Interval>,
}

/// How far an agent is from best play, where that is known: on mini.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The expected score of best play, in points.
    pub optimum: f64,
    /// The optimum less the mean score, in points.
    pub mean: f64,
    /// Its 95 % interval by Student's t; null for fewer than two games.
    pub mean_t95: Option<Interval>,
    /// What the slides cost, where they were judged.
    pub judged: Option<JudgedSlides>,
}

/// The results of one agent on one variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntrySummary {
    /// Name of the variant.
    pub variant: String,
    /// The agent in its canonical form.
    pub agent: String,
    /// Number of games.
    pub games: u64,
    /// Mean score, in points; null without games.
    pub mean: Option<f64>,
    /// 95 % interval of the mean by Student's t; null for fewer than two games.
    pub mean_t95: Option<Interval>,
    /// Standard deviation of scores.
    pub deviation: f64,
    /// Quantiles of the score at 0, 0.25, 0.5, 0.75 and 1.
    pub quartiles: Option<[f64; 5]>,
    /// Rates of tiles from the smallest that not all games exceed, ascending.
    pub tiles: Vec<TileRate>,
    /// Games that ended without a legal slide.
    pub over: u64,
    /// Games that were cleared.
    pub cleared: u64,
    /// Slides of all games together.
    pub moves: u64,
    /// Slides a second of one worker: slides by wall time spent in games.
    pub slides_per_second: Option<f64>,
    /// Boards that the agent looked at, of all games together; 0 for agents that
    /// do not search.
    #[serde(default)]
    pub nodes: u64,
    /// Boards looked at a second of one worker; null for agents that do not
    /// search.
    #[serde(default)]
    pub nodes_per_second: Option<f64>,
    /// Whether the games depend on the speed of the machine and not on the seed
    /// alone: agents with the key `ms`.
    #[serde(default)]
    pub machine_dependent: bool,
    /// How far it is from best play; null where that is not known, and without
    /// games.
    #[serde(default)]
    pub gap: Option<Gap>,
}

/// `summary.json`: the results of all entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What was asked, with which version, on which machine.
    pub run: RunFile,
    /// Results, in the order of `games.jsonl`.
    pub entries: Vec<EntrySummary>,
}

impl Summary {
    /// Number of games of all entries.
    pub fn n_games(&self) -> u64 {
        self.entries.iter().map(|entry| entry.games).sum()
    }
}

/// The games of a run as they are summed up, one by one.
pub(crate) struct SummaryTally<'a> {
    run: &'a RunFile,
    entries: Vec<EntryTally>,
}

impl<'a> SummaryTally<'a> {
    /// No game yet.
    pub(crate) fn new(run: &'a RunFile) -> SummaryTally<'a> {
        SummaryTally {
            run,
            entries: run.entries.iter().map(|_| EntryTally::default()).collect(),
        }
    }

    /// Adds a game of the run.
    pub(crate) fn add(&mut self, game: &FinishedGame) {
        self.entries[game.job().entry].add(game);
    }

    /// What the games come to.
    pub(crate) fn finish(self) -> Summary {
        let names = self.run.entries.iter();
        let entries = names
            .zip(&self.entries)
            .map(|((variant, agent), tally)| tally.summary(variant, agent));
        Summary {
            entries: entries.collect(),
            run: self.run.clone(),
        }
    }
}

/// The games of an entry: scores and tiles are counted, so that memory is that of
/// the different ones, which a game has only so many of.
#[derive(Default)]
pub(crate) struct EntryTally {
    scores: BTreeMap<i64, u64>,
    largest: BTreeMap<i32, u64>,
    over: u64,
    cleared: u64,
    moves: u64,
    elapsed_ns: u64,
    nodes: u64,
    losses: RunningMoments,
    judged_moves: u64,
    optimal: u64,
}

impl EntryTally {
    /// Adds a game.
    pub(crate) fn add(&mut self, game: &FinishedGame) {
        *self.scores.entry(game.score).or_default() += 1;
        *self.largest.entry(game.largest).or_default() += 1;
        match game.outcome {
            Outcome::Over => self.over += 1,
            Outcome::Cleared => self.cleared += 1,
        }
        self.moves += u64::from(game.moves);
        self.elapsed_ns += game.elapsed_ns;
        self.nodes += game.nodes;
        if let Some(judged) = game.judged {
            self.losses.add(f64::from(judged.loss));
            self.judged_moves += u64::from(game.moves);
            self.optimal += u64::from(judged.optimal);
        }
    }

    /// What the games come to.
    pub(crate) fn summary(&self, variant: &str, agent: &str) -> EntrySummary {
        let scores = Moments::of_counts(&self.scores);
        let any = scores.n > 0;
        let a_second =
            |n: u64| (self.elapsed_ns > 0).then(|| n as f64 / (self.elapsed_ns as f64 * 1e-9));
        EntrySummary {
            variant: variant.to_owned(),
            agent: agent.to_owned(),
            games: scores.n,
            mean: any.then_some(scores.mean),
            mean_t95: scores.mean_interval(),
            deviation: scores.deviation,
            quartiles: any.then(|| {
                [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile_of_counts(&self.scores, share))
            }),
            tiles: tile_rates(&self.largest, scores.n),
            over: self.over,
            cleared: self.cleared,
            moves: self.moves,
            slides_per_second: a_second(self.moves),
            nodes: self.nodes,
            nodes_per_second: a_second(self.nodes).filter(|_| self.nodes > 0),
            machine_dependent: is_machine_dependent(variant, agent),
            gap: (any && variant == Variant::Mini.name()).then(|| self.gap(&scores)),
        }
    }

    fn gap(&self, scores: &Moments) -> Gap {
        Gap {
            optimum: MINI_OPTIMUM,
            mean: MINI_OPTIMUM - scores.mean,
            mean_t95: scores.mean_interval().map(|interval| Interval {
                low: MINI_OPTIMUM - interval.high,
                high: MINI_OPTIMUM - interval.low,
            }),
            judged: self.judged_slides(),
        }
    }

    /// `None` where no game was judged.
    fn judged_slides(&self) -> Option<JudgedSlides> {
        let losses = self.losses.moments();
        if losses.n == 0 {
            return None;
        }
        // No opening of mini is over, so that there is a slide in every game.
        let n_slides = self.judged_moves.max(1) as f64;
        Some(JudgedSlides {
            games: losses.n,
            moves: self.judged_moves,
            optimal: self.optimal as f64 / n_slides,
            loss_per_slide: losses.mean * losses.n as f64 / n_slides,
            loss_per_game: losses.mean,
            loss_per_game_t95: losses.mean_interval(),
        })
    }
}

/// As the agent's canonical name says. What was played by a version with other
/// agents is not known to be.
fn is_machine_dependent(variant: &str, agent: &str) -> bool {
    variant
        .parse()
        .ok()
        .and_then(|variant| AgentSpec::parse(agent, variant).ok())
        .is_some_and(|spec| spec.is_machine_dependent())
}

/// The rates of tiles, from the games with each largest tile.
fn tile_rates(largest: &BTreeMap<i32, u64>, n: u64) -> Vec<TileRate> {
    let least = largest
        .first_key_value()
        .map_or(0, |(&tile, _)| tile)
        .max(2);
    let most = largest.last_key_value().map_or(0, |(&tile, _)| tile);
    let tiles = core::iter::successors(Some(least), |tile| tile.checked_mul(2));
    tiles
        .take_while(|&tile| tile <= most)
        .filter_map(|tile| {
            let hits = largest.range(tile..).map(|(_, games)| games).sum();
            let wilson95 = wilson_interval(hits, n)?;
            Some(TileRate {
                tile,
                games: hits,
                share: hits as f64 / n as f64,
                wilson95,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use afterstate_play::{GameResult, Outcome};

    use super::{EntrySummary, EntryTally, MINI_OPTIMUM, TileRate};
    use crate::exact::Judged;
    use crate::plan::Job;
    use crate::records::{Effort, FinishedGame};

    fn game(largest: i32, score: i64, outcome: Outcome) -> FinishedGame {
        let result = GameResult {
            score,
            largest,
            n_slides: 100,
            outcome,
        };
        let effort = Effort {
            elapsed_ns: 1_000_000,
            nodes: 5000,
            worker: 0,
            judged: None,
        };
        FinishedGame::new(Job { entry: 0, index: 0 }, result, effort)
    }

    fn entry_summary(variant: &str, agent: &str, games: &[FinishedGame]) -> EntrySummary {
        let mut tally = EntryTally::default();
        games.iter().for_each(|game| tally.add(game));
        tally.summary(variant, agent)
    }

    fn tile_rates(games: &[FinishedGame]) -> Vec<TileRate> {
        entry_summary("classic", "greedy", games).tiles
    }

    /// From the smallest largest tile to the largest, without a gap.
    #[test]
    fn rates_count_this_tile_or_a_larger_one() {
        let largest = [256, 64, 1024, 64, 256];
        let games = largest.map(|tile| game(tile, 0, Outcome::Over));
        let rates: Vec<(i32, u64, f64)> = tile_rates(&games)
            .iter()
            .map(|rate| (rate.tile, rate.games, rate.share))
            .collect();
        assert_eq!(
            rates,
            [
                (64, 5, 1.0),
                (128, 3, 0.6),
                (256, 3, 0.6),
                (512, 1, 0.2),
                (1024, 1, 0.2)
            ]
        );
        assert!(tile_rates(&[]).is_empty());
        let top = tile_rates(&[game(131_072, 0, Outcome::Over)]);
        assert_eq!(top.len(), 1);
        // An akioi board can hold nothing but multipliers.
        assert!(tile_rates(&[game(0, 0, Outcome::Over)]).is_empty());
    }

    /// Of games in a row, only those count that were judged.
    #[test]
    fn gaps_are_to_the_optimum() {
        let mut games = [5000, 5400, 5200].map(|score| game(512, score, Outcome::Over));
        let gap = |games: &[FinishedGame]| entry_summary("mini", "greedy", games).gap;
        let plain = gap(&games).expect("the optimum of mini is known");
        assert_eq!(plain.judged, None);
        assert!((plain.mean - (MINI_OPTIMUM - 5200.0)).abs() < 1e-9);
        let interval = plain.mean_t95.expect("three games");
        assert!(interval.low < plain.mean && plain.mean < interval.high);
        for (at, (optimal, loss)) in [(0, (90, 200.0)), (2, (60, 300.0))] {
            games[at].judged = Some(Judged { optimal, loss });
        }
        let judged = gap(&games).and_then(|gap| gap.judged).expect("two games");
        assert_eq!((judged.games, judged.moves), (2, 200));
        assert_eq!((judged.optimal, judged.loss_per_slide), (0.75, 2.5));
        assert_eq!(judged.loss_per_game, 250.0);
        assert!(judged.loss_per_game_t95.is_some());
        assert_eq!(gap(&[]), None);
    }

    #[test]
    fn entries_sum_up() {
        let games = [
            game(64, -6, Outcome::Over),
            game(65_536, 10, Outcome::Cleared),
            game(64, 5, Outcome::Over),
        ];
        let entry = entry_summary("akioi", "greedy", &games);
        assert_eq!((entry.games, entry.over, entry.cleared), (3, 2, 1));
        assert_eq!(entry.mean, Some(3.0));
        assert_eq!(entry.quartiles, Some([-6.0, -0.5, 5.0, 7.5, 10.0]));
        assert_eq!(entry.moves, 300);
        assert!((entry.deviation - 67_f64.sqrt()).abs() < 1e-12);
        assert_eq!(entry.slides_per_second.map(f64::round), Some(100_000.0));
        assert_eq!(entry.nodes, 15_000);
        assert_eq!(entry.nodes_per_second.map(f64::round), Some(5e6));
        assert_eq!(entry.gap, None);
        let none = entry_summary("akioi", "greedy", &[]);
        assert_eq!(
            (none.mean, none.mean_t95, none.quartiles),
            (None, None, None)
        );
        assert_eq!((none.deviation, none.slides_per_second), (0.0, None));
        assert_eq!((none.nodes, none.nodes_per_second), (0, None));
    }

    /// Of limits only the clock makes games depend on the machine.
    #[test]
    fn users_b24_agents_on_the_clock_are_flagged() {
        for (agent, expected) in [
            ("random", false),
            ("heuristic:depth=3", false),
            ("heuristic:nodes=500", false),
            ("heuristic:ms=1", true),
            (
                "heuristic:depth=2..4,nodes=500,ms=20,objective=largest",
                true,
            ),
        ] {
            let entry = entry_summary("classic", agent, &[]);
            assert_eq!(entry.machine_dependent, expected, "{agent}");
        }
    }
}

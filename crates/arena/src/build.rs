//! From an agent's name to something that plays games.

use core::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use afterstate_bitboard::{Board, Grid};
use afterstate_eval::{Aimed, Evaluator, LineHeuristic, Objective};
use afterstate_play::{
    Agent, Game, GameResult, GreedyAgent, RandomAgent, SearchAgent, Transcript, agent_seed,
};
use afterstate_rules::{Rules, SpawnSet, Spawns, Variant};
use afterstate_search::{Expectimax, Limits, NarrowFirst, Search, SlideValues, exact};

use crate::agent_file::AgentFileError;
use crate::agent_kind::AgentKind;
use crate::agent_spec::AgentSpec;
use crate::by_network::by_network;
use crate::dispatch::{VariantRules, VariantVisitor, visit_variant};
use crate::exact::{ExactAgent, Judged, MiniTable, TableFileError, mini_board, read_mini_table};
use crate::hint::{EvenChances, Gains, TableValues};
use crate::networks::Networks;
use crate::tune::weights_of;

/// Entries of a search's cache, as a power of two: 2^18 entries are 4 MiB for
/// each worker.
const CACHE_BITS: u32 = 18;

/// Evaluators and tables that all workers of a process share, each built or
/// read once.
#[derive(Clone, Default)]
pub struct Shared {
    heuristics: Arc<Mutex<BTreeMap<HeuristicKey, Arc<dyn Any + Send + Sync>>>>,
    tables: Arc<Mutex<BTreeMap<PathBuf, MiniTable>>>,
    networks: Networks,
    judge: Option<MiniTable>,
}

/// What a heuristic's tables depend on: the layout of the board, and what
/// chooses the weights.
type HeuristicKey = (TypeId, Variant, Objective);

impl Shared {
    /// Reads what an agent plays a variant by, if it is in a file, for games with
    /// the variant's own spawns.
    ///
    /// *Errors*: no such file, or one that is not what the agent needs.
    pub fn load(&self, variant: Variant, spec: &AgentSpec) -> Result<(), AgentFileError> {
        self.load_for(variant, spec, &variant.spawn_sets()[0])
    }

    /// The same for games with these spawns: tables are of their own alone, while
    /// networks may be asked of others.
    pub(crate) fn load_for(
        &self,
        variant: Variant,
        spec: &AgentSpec,
        spawns: &SpawnSet,
    ) -> Result<(), AgentFileError> {
        match (spec.kind(), spec.file()) {
            (AgentKind::Exact, Some(path)) => {
                let read = self.read(path, spawns).map(drop);
                read.map_err(AgentFileError::Table)
            }
            (AgentKind::Ntuple, _) => {
                let read = self.networks.load(variant, spec);
                read.map_err(AgentFileError::Network)
            }
            _ => Ok(()),
        }
    }

    /// The same, with games of mini judged by this table: how many slides are
    /// optimal, and what they cost.
    ///
    /// *Errors*: no such file, or one that is not a table of the mini game.
    pub fn with_judge(mut self, path: &Path) -> Result<Shared, TableFileError> {
        self.judge = Some(self.read(path, &SpawnSet::STANDARD)?);
        Ok(self)
    }

    fn read(&self, path: &Path, spawns: &SpawnSet) -> Result<MiniTable, TableFileError> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let read = tables.get(path);
        if let Some(table) = read.filter(|table| table.problem().spawn_set() == spawns) {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(read_mini_table(path, spawns, exact::Objective::Score)?);
        tables.insert(path.to_owned(), Arc::clone(&table));
        Ok(table)
    }

    /// The table of the agent `exact`.
    ///
    /// *Panics*: when it was not loaded.
    pub(crate) fn table(&self, spec: &AgentSpec) -> MiniTable {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let table = spec.file().and_then(|path| tables.get(path));
        Arc::clone(table.expect("a table is loaded before there is an agent that needs it"))
    }

    fn heuristic<R: Rules>(
        &self,
        variant: Variant,
        objective: Objective,
    ) -> Arc<LineHeuristic<R::Grid>> {
        let weights = weights_of(variant, objective);
        let mut built = self
            .heuristics
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let any = built
            .entry((TypeId::of::<R::Grid>(), variant, objective))
            .or_insert_with(|| Arc::new(LineHeuristic::<R::Grid>::new(&weights)));
        Arc::clone(any)
            .downcast()
            .expect("the entry of a grid holds its heuristic")
    }

    /// The agent of this name on the rules of its variant.
    ///
    /// *Panics*: when it plays by a file that was not loaded.
    pub fn agent<R: VariantRules>(
        &self,
        spec: &AgentSpec,
        variant: Variant,
        rules: R,
        spawns: &Spawns<R::Grid>,
    ) -> Box<dyn Agent<R> + Send> {
        match spec.kind() {
            AgentKind::Random => Box::new(RandomAgent::new(0)),
            AgentKind::Greedy => Box::new(GreedyAgent),
            AgentKind::Exact => Box::new(ExactAgent(self.table(spec))),
            AgentKind::Heuristic | AgentKind::Ntuple => {
                let search = self.search(spec, variant, rules, spawns);
                Box::new(SearchAgent::new(search))
            }
        }
    }

    /// What values slides as the agent of this name does. For agents that do
    /// not search, the value is what they choose by: the gain, or the chance.
    ///
    /// *Panics*: when it plays by a file that was not loaded.
    pub fn search<R: VariantRules>(
        &self,
        spec: &AgentSpec,
        variant: Variant,
        rules: R,
        spawns: &Spawns<R::Grid>,
    ) -> Box<dyn Search<R::Grid> + Send> {
        let search = match spec.kind() {
            AgentKind::Random => return Box::new(EvenChances(rules)),
            AgentKind::Greedy => return Box::new(Gains(rules)),
            AgentKind::Exact => return Box::new(TableValues(self.table(spec))),
            AgentKind::Heuristic => self.by_heuristic(spec, variant, rules, spawns),
            AgentKind::Ntuple => by_network(&self.networks, spec, variant, rules, spawns),
        };
        match spec.time_limit() {
            Some(limit) => Box::new(InTime { search, limit }),
            None => search,
        }
    }

    fn by_heuristic<R: Rules>(
        &self,
        spec: &AgentSpec,
        variant: Variant,
        rules: R,
        spawns: &Spawns<R::Grid>,
    ) -> Box<dyn Search<R::Grid> + Send> {
        let objective = spec.objective();
        let narrow = || Aimed::new(self.heuristic::<R::Narrow>(variant, objective), objective);
        let shared = self.clone();
        let wide = move || Aimed::new(shared.heuristic::<R>(variant, objective), objective);
        narrow_first(rules, spawns, spec.limits(), narrow, wide)
    }

    /// What plays the games of one entry of a tournament.
    pub fn player(&self, variant: Variant, spec: &AgentSpec) -> Box<dyn EntryPlayer> {
        let spawn_set = variant.spawn_sets().swap_remove(0);
        let visitor = PlayerVisitor {
            shared: self,
            variant,
            spec,
        };
        visit_variant(variant, &spawn_set, visitor)
            .expect("the default spawn set of a variant fits its board")
    }
}

/// Expectimax on the smallest layout that is exact for the board: a fourth
/// faster on classic boards, with the same values (docs/experiments.md,
/// 2026-11-30). `narrow` and `wide` make the evaluators for both layouts.
pub(crate) fn narrow_first<R, N, W>(
    rules: R,
    spawns: &Spawns<R::Grid>,
    limits: Limits,
    narrow: impl FnOnce() -> N,
    wide: impl Fn() -> W + Send + 'static,
) -> Box<dyn Search<R::Grid> + Send>
where
    R: Rules,
    N: Evaluator<<R::Narrow as Rules>::Grid> + 'static,
    W: Evaluator<R::Grid> + 'static,
{
    let Some((narrow_rules, narrow_spawns)) = rules.narrow().zip(spawns.on_grid()) else {
        return Box::new(expectimax(rules, spawns, wide(), limits));
    };
    let narrow = expectimax(narrow_rules, &narrow_spawns, narrow(), limits);
    let wide_spawns = spawns.clone();
    let make_wide = move || expectimax(rules, &wide_spawns, wide(), limits);
    Box::new(NarrowFirst::<R, _, _>::new(
        narrow,
        make_wide,
        limits.depth,
        spawns,
    ))
}

fn expectimax<R: Rules, E: Evaluator<R::Grid>>(
    rules: R,
    spawns: &Spawns<R::Grid>,
    evaluator: E,
    limits: Limits,
) -> Expectimax<R, E> {
    Expectimax::new(rules, spawns, evaluator, limits).with_cache(CACHE_BITS)
}

/// A search that is given a time for each board, by the machine's clock.
struct InTime<S> {
    search: S,
    limit: Duration,
}

impl<G: Grid, S: Search<G>> Search<G> for InTime<S> {
    fn values(&mut self, board: Board<G>) -> SlideValues {
        self.values_until(board, &mut || false)
    }

    fn values_until(&mut self, board: Board<G>, is_over: &mut dyn FnMut() -> bool) -> SlideValues {
        let begun = Instant::now();
        self.search
            .values_until(board, &mut || is_over() || begun.elapsed() >= self.limit)
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn n_nodes(&self) -> u64 {
        self.search.n_nodes()
    }
}

/// Plays games of one variant with one agent.
pub trait EntryPlayer: Send {
    /// Plays the game with this seed, asking before each slide whether to go
    /// on; `None` when told not to.
    fn play(&mut self, seed: u64, go_on: &dyn Fn() -> bool) -> Option<GameResult>;

    /// Number of boards that the agent has looked at in all games so far; 0 for
    /// agents that do not search.
    fn n_nodes(&self) -> u64;

    /// From now on games are kept slide by slide.
    fn record(&mut self);

    /// The last game slide by slide, if it was kept.
    fn transcript(&self) -> Option<&Transcript>;

    /// How the slides of the last game compare with the best ones, where there
    /// is a table to judge by.
    fn judged(&self) -> Option<Judged>;
}

struct PlayerVisitor<'a> {
    shared: &'a Shared,
    variant: Variant,
    spec: &'a AgentSpec,
}

impl VariantVisitor for PlayerVisitor<'_> {
    type Output = Box<dyn EntryPlayer>;

    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Box<dyn EntryPlayer> {
        let agent = self.shared.agent(self.spec, self.variant, rules, &spawns);
        let judge = self.shared.judge.clone();
        Box::new(Player {
            rules,
            spawns,
            agent,
            judge: judge.filter(|_| self.variant == Variant::Mini),
            judged: Judged::default(),
            variant: self.variant,
            records: false,
            transcript: None,
        })
    }
}

struct Player<R: Rules> {
    rules: R,
    spawns: Spawns<R::Grid>,
    agent: Box<dyn Agent<R> + Send>,
    judge: Option<MiniTable>,
    judged: Judged,
    variant: Variant,
    records: bool,
    transcript: Option<Transcript>,
}

impl<R: Rules> EntryPlayer for Player<R> {
    fn play(&mut self, seed: u64, go_on: &dyn Fn() -> bool) -> Option<GameResult> {
        let mut game = Game::new(self.rules, &self.spawns, seed);
        self.agent.start(agent_seed(seed));
        self.judged = Judged::default();
        self.transcript = self.records.then(|| {
            let set = self.variant.spawn_sets().swap_remove(0);
            Transcript::new(self.variant, set.name(), seed, game.opening())
        });
        while go_on() {
            if let Some(result) = game.result() {
                return Some(result);
            }
            let slide = self.agent.choose(self.rules, game.board());
            if let Some(table) = &self.judge {
                self.judged.add(table, mini_board(game.board()), slide);
            }
            let ply = game.slide(slide).expect("an agent chooses a legal slide");
            if let Some(transcript) = &mut self.transcript {
                transcript.push(ply);
            }
        }
        None
    }

    fn record(&mut self) {
        self.records = true;
    }

    fn transcript(&self) -> Option<&Transcript> {
        self.transcript.as_ref()
    }

    fn n_nodes(&self) -> u64 {
        self.agent.n_nodes()
    }

    fn judged(&self) -> Option<Judged> {
        self.judge.as_ref().map(|_| self.judged)
    }
}

#[cfg(test)]
mod tests {
    use afterstate_eval::Evaluator;
    use afterstate_rules::{ClassicRules, NarrowRules};

    use super::*;

    /// One table for all workers, whatever their number: a second one would
    /// only compete for the cache.
    #[test]
    fn users_d42_workers_share_their_tables() {
        let shared = Shared::default();
        let narrow = |shared: &Shared, variant, objective| {
            shared.heuristic::<NarrowRules>(variant, objective)
        };
        let first = narrow(&shared, Variant::Classic, Objective::Score);
        let other = shared.clone();
        let second = std::thread::scope(|scope| {
            let worker = scope.spawn(|| narrow(&other, Variant::Classic, Objective::Score));
            worker.join().expect("the worker ends")
        });
        assert!(Arc::ptr_eq(&first, &second));
        // What others play for, or on wider boards, is another table.
        let largest = narrow(&shared, Variant::Classic, Objective::Largest);
        assert!(!Arc::ptr_eq(&first, &largest));
        let wide = shared.heuristic::<ClassicRules>(Variant::Classic, Objective::Score);
        let board = "2 4 8 16 . . . . . . . . . . . 2";
        let value = |found: f32| found.to_bits();
        assert_eq!(
            value(wide.value(board.parse().expect("a board"))),
            value(first.value(board.parse().expect("a board")))
        );
    }
}

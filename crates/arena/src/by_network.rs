//! Search by the networks that agents play by.

use std::sync::Arc;

use afterstate_bitboard::{Board, Grid};
use afterstate_ntuple::{Network, Seen};
use afterstate_rules::{Rules, Spawns, Variant, WonAt};
use afterstate_search::{Limits, Search, SlideValues};

use crate::agent_spec::AgentSpec;
use crate::build::narrow_first;
use crate::dispatch::VariantRules;
use crate::networks::{Found, Networks, goes_on};

/// Plies that a player looks ahead that has got what it was after, at most:
/// nothing is to be won any more, and a hundred times the games can be played.
const AFTER_GOAL: u32 = 2;

/// The search of an agent that plays by a network: up to the tile that it is for,
/// if it is for one, and by the network for the score from there.
///
/// *Panics*: when the network was not loaded.
pub(crate) fn by_network<R: VariantRules>(
    networks: &Networks,
    spec: &AgentSpec,
    variant: Variant,
    rules: R,
    spawns: &Spawns<R::Grid>,
) -> Box<dyn Search<R::Grid> + Send> {
    let Found { network, objective } = networks.get::<R>(variant, spec);
    if !goes_on(variant, objective) {
        return search_by(network, rules, spawns, spec.limits());
    }
    let goal = network.top().saturating_add(1);
    let first = search_by(network, WonAt::new(rules, goal), spawns, spec.limits());
    let spec = spec.after_goal();
    let (networks, spawns) = (networks.clone(), spawns.clone());
    Box::new(InTurn {
        first,
        make_then: Box::new(move || search_after(&networks, &spec, variant, rules, &spawns)),
        then: None,
        goal,
    })
}

/// The search by the network for the score.
fn search_after<R: VariantRules>(
    networks: &Networks,
    spec: &AgentSpec,
    variant: Variant,
    rules: R,
    spawns: &Spawns<R::Grid>,
) -> Box<dyn Search<R::Grid> + Send> {
    let loaded = networks.load(variant, spec);
    loaded.expect("an embedded network can be read");
    let limits = Limits::to_depth(spec.limits().depth.most().min(AFTER_GOAL));
    search_by(
        networks.get::<R>(variant, spec).network,
        rules,
        spawns,
        limits,
    )
}

/// The search by one network, which values boards of both layouts.
fn search_by<R: Rules, S>(
    network: Arc<Network<S>>,
    rules: R,
    spawns: &Spawns<R::Grid>,
    limits: Limits,
) -> Box<dyn Search<R::Grid> + Send>
where
    S: Seen<R::Grid> + Seen<<R::Narrow as Rules>::Grid>,
{
    let wide = Arc::clone(&network);
    let make_wide = move || Arc::clone(&wide);
    narrow_first(rules, spawns, limits, || network, make_wide)
}

/// One search up to a tile, and another from there, which is made when the first
/// board needs it: it takes as much memory again.
struct InTurn<G: Grid> {
    first: Box<dyn Search<G> + Send>,
    make_then: Box<dyn Fn() -> Box<dyn Search<G> + Send> + Send>,
    then: Option<Box<dyn Search<G> + Send>>,
    /// The exponent of the tile.
    goal: u8,
}

impl<G: Grid> InTurn<G> {
    fn search(&mut self, board: Board<G>) -> &mut dyn Search<G> {
        if board.top_exponent() < u32::from(self.goal) {
            &mut *self.first
        } else {
            &mut **self.then.get_or_insert_with(&self.make_then)
        }
    }
}

impl<G: Grid> Search<G> for InTurn<G> {
    fn values(&mut self, board: Board<G>) -> SlideValues {
        self.search(board).values(board)
    }

    fn values_until(&mut self, board: Board<G>, is_over: &mut dyn FnMut() -> bool) -> SlideValues {
        self.search(board).values_until(board, is_over)
    }

    fn forget(&mut self) {
        self.first.forget();
        if let Some(then) = &mut self.then {
            then.forget();
        }
    }

    fn n_nodes(&self) -> u64 {
        self.first.n_nodes() + self.then.as_ref().map_or(0, |then| then.n_nodes())
    }
}

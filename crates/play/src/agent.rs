use afterstate_bitboard::{Board, Slide};
use afterstate_rules::Rules;
use afterstate_search::Search;

use crate::draw::{Draw, GameRng, rng_of_seed};

/// What chooses slides.
pub trait Agent<R: Rules> {
    /// Called before each game with the seed of the agent's own choices.
    fn start(&mut self, seed: u64);

    /// A legal slide for `board`, on which at least one is legal.
    fn choose(&mut self, rules: R, board: Board<R::Grid>) -> Slide;

    /// Number of boards looked at so far, in all games; 0 for agents that do not
    /// search.
    fn n_nodes(&self) -> u64 {
        0
    }
}

impl<R: Rules, A: Agent<R> + ?Sized> Agent<R> for Box<A> {
    fn start(&mut self, seed: u64) {
        (**self).start(seed);
    }

    fn choose(&mut self, rules: R, board: Board<R::Grid>) -> Slide {
        (**self).choose(rules, board)
    }

    fn n_nodes(&self) -> u64 {
        (**self).n_nodes()
    }
}

/// Chooses uniformly among the legal slides.
#[derive(Debug, Clone)]
pub struct RandomAgent {
    rng: GameRng,
}

impl RandomAgent {
    /// An agent whose first game has this seed, unless `start` gives another.
    pub fn new(seed: u64) -> RandomAgent {
        RandomAgent {
            rng: rng_of_seed(seed),
        }
    }
}

impl<R: Rules> Agent<R> for RandomAgent {
    fn start(&mut self, seed: u64) {
        self.rng = rng_of_seed(seed);
    }

    fn choose(&mut self, rules: R, board: Board<R::Grid>) -> Slide {
        let mut legal = [Slide::Up; 4];
        let mut n_legal = 0;
        for slide in Slide::ALL {
            if rules.after(board, slide) != board {
                legal[n_legal] = slide;
                n_legal += 1;
            }
        }
        let chosen = Draw::new(&mut self.rng).digit(n_legal as u32);
        legal[chosen as usize]
    }
}

/// Chooses the legal slide with the largest gain, the first in the order of
/// [`Slide::ALL`] among equals.
#[derive(Debug, Clone, Copy, Default)]
pub struct GreedyAgent;

impl<R: Rules> Agent<R> for GreedyAgent {
    fn start(&mut self, _seed: u64) {}

    fn choose(&mut self, rules: R, board: Board<R::Grid>) -> Slide {
        let mut best: Option<(i32, Slide)> = None;
        for slide in Slide::ALL {
            if let Some(after) = rules.apply(board, slide)
                && best.is_none_or(|(gain, _)| after.gain > gain)
            {
                best = Some((after.gain, slide));
            }
        }
        best.map_or(Slide::Up, |(_, slide)| slide)
    }
}

/// Chooses the slide to which a search gives the highest value.
#[derive(Debug, Clone)]
pub struct SearchAgent<S> {
    search: S,
}

impl<S> SearchAgent<S> {
    /// An agent that plays what `search` says.
    pub fn new(search: S) -> SearchAgent<S> {
        SearchAgent { search }
    }
}

impl<R: Rules, S: Search<R::Grid>> Agent<R> for SearchAgent<S> {
    fn start(&mut self, _seed: u64) {
        self.search.forget();
    }

    fn choose(&mut self, _rules: R, board: Board<R::Grid>) -> Slide {
        self.search.values(board).best().unwrap_or(Slide::Up)
    }

    fn n_nodes(&self) -> u64 {
        self.search.n_nodes()
    }
}

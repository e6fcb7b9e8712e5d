//! Boards near the end of games, and searches that see all of what is left.

use core::sync::atomic::{AtomicU64, Ordering};

use afterstate_bitboard::{Board, Slide, WordGrid};
use afterstate_eval::Evaluator;
use afterstate_rules::Rules;
use afterstate_search::exact::Table;
use afterstate_search::{Expectimax, Limits, Search};

/// Counts how often a search does not see the end.
struct Horizon<'a>(&'a AtomicU64);

impl<G: WordGrid> Evaluator<G> for Horizon<'_> {
    fn value(&self, _after: Board<G>) -> f32 {
        self.0.fetch_add(1, Ordering::Relaxed);
        0.0
    }

    fn over_value(&self) -> f32 {
        0.0
    }

    fn cleared_value(&self) -> f32 {
        0.0
    }

    fn gain_weight(&self) -> f32 {
        1.0
    }
}

/// The boards of this many games that are played by the table, with spawns
/// from a generator of the simplest kind.
pub(crate) fn boards_of_games<R: Rules>(table: &Table<R>, n_games: u64) -> Vec<Board<R::Grid>>
where
    R::Grid: WordGrid,
{
    let mut state = 1_u64;
    let mut below = |n: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 33) % u64::from(n)) as u32
    };
    let mut boards = Vec::new();
    for _ in 0..n_games {
        let mut board = Board::default();
        for _ in 0..2 {
            board = board.put(
                board.nth_empty(below(board.n_empty())),
                1 + (below(10) / 9) as u8,
            );
        }
        loop {
            boards.push(board);
            let values = table.slide_values(board).expect("games stay in the table");
            let legal = Slide::ALL
                .into_iter()
                .filter(|slide| values[slide.idx()].is_some());
            let best = legal.max_by(|a, b| {
                values[a.idx()]
                    .partial_cmp(&values[b.idx()])
                    .expect("numbers")
            });
            let Some(best) = best else { break };
            let after = table.problem().rules().after(board, best);
            board = after.put(
                after.nth_empty(below(after.n_empty())),
                1 + (below(10) / 9) as u8,
            );
        }
    }
    boards
}

/// Whether every line of play from `board` ends within `plies` slides.
fn ends_within<R: Rules>(table: &Table<R>, board: Board<R::Grid>, plies: u32) -> bool
where
    R::Grid: WordGrid,
{
    let rules = table.problem().rules();
    let mut afters = Slide::ALL
        .into_iter()
        .filter_map(|slide| rules.apply(board, slide));
    afters.all(|after| {
        let mut spawns = after
            .board
            .empty_cells()
            .flat_map(|cell| [1, 2].map(|code| after.board.put(cell, code)));
        plies > 0 && spawns.all(|next| ends_within(table, next, plies - 1))
    })
}

/// Searches those boards of which every line ends within `plies` slides that
/// far, compares the values with the table, and returns how many there were.
pub(crate) fn agreeing_late_boards<R: Rules>(
    table: &Table<R>,
    boards: &[Board<R::Grid>],
    plies: u32,
) -> usize
where
    R::Grid: WordGrid,
{
    let rules = table.problem().rules();
    let spawns = table
        .problem()
        .spawn_set()
        .on_grid()
        .expect("the set fits the board");
    let n_unseen = AtomicU64::new(0);
    let limits = Limits::to_depth(plies + 1);
    let mut search = Expectimax::new(rules, &spawns, Horizon(&n_unseen), limits);
    let mut n_late = 0;
    for &board in boards {
        if !rules.has_legal_slide(board) || !ends_within(table, board, plies) {
            continue;
        }
        n_late += 1;
        let found = search.values(board);
        let exact = table.slide_values(board).expect("games stay in the table");
        for slide in Slide::ALL {
            match (found.of(slide), exact[slide.idx()]) {
                (None, None) => {}
                (Some(found), Some(exact)) => {
                    let error = (f64::from(found) - exact).abs();
                    assert!(
                        error <= 1e-5 * exact.max(1.0),
                        "{board:?} {slide}: {found} {exact}"
                    );
                }
                (found, exact) => panic!("{board:?} {slide}: {found:?} {exact:?}"),
            }
        }
    }
    assert_eq!(
        n_unseen.load(Ordering::Relaxed),
        0,
        "each search saw the end"
    );
    n_late
}

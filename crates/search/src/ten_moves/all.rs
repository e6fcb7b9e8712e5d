use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, scope};

use afterstate_bitboard::MiniBoard;
use afterstate_rules::MiniRules;

use super::classes::{Classes, potential_bound, slide_all};

/// The exponent of the largest tile in an input of the task, 16.
const TOP_INPUT: u8 = 4;

/// The answers for the whole input space, added up.
///
/// *Shape*: the input space is the 5^9 boards whose cells are empty, 2, 4, 8 or
/// 16.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// Number of boards.
    pub boards: u64,
    /// Sum of the best scores, in points.
    pub score: u64,
    /// Sum of the fewest slides.
    pub slides: u64,
    /// The largest of the best scores, in points.
    pub max: i32,
    /// Item k is the number of boards whose fewest slides are k; the last item
    /// is not 0.
    pub by_slides: Vec<u64>,
}

/// Solves every board of the input space for `horizon` slides, on `threads`
/// threads.
///
/// The answer does not depend on the number of threads: it is sums of integers.
///
/// ```
/// use afterstate_search::ten_moves::solve_all;
///
/// let one = std::num::NonZeroUsize::MIN;
/// let totals = solve_all(1, one);
/// assert_eq!(totals.boards, 5_u64.pow(9));
/// // One slide merges at most once in each line: three pairs of 16.
/// assert_eq!(totals.max, 3 * 32);
/// ```
///
/// *Cost*: memory for the boards of one tile sum per thread, a megabyte or so.
pub fn solve_all(horizon: u32, threads: NonZeroUsize) -> Totals {
    let strata = input_strata();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut solver = StratumSolver::new();
        let mut totals = Totals::none();
        while let Some(stratum) = strata.get(next.fetch_add(1, Ordering::Relaxed)) {
            solver.solve(stratum, horizon, &mut totals);
        }
        totals
    };
    scope(|scope| {
        // More threads than strata would find nothing to do. A thread that the
        // system refuses is no loss but time: this one takes all that is left.
        let others: Vec<_> = (1..threads.get().min(strata.len()))
            .filter_map(|_| Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut totals = work();
        for other in others {
            totals.merge(&other.join().expect("solving does not panic"));
        }
        totals
    })
}

impl Totals {
    fn none() -> Totals {
        Totals {
            boards: 0,
            score: 0,
            slides: 0,
            max: 0,
            by_slides: Vec::new(),
        }
    }

    fn add(&mut self, boards: u64, score: i32, slides: u32) {
        self.boards += boards;
        self.score += boards * score as u64;
        self.slides += boards * u64::from(slides);
        self.max = self.max.max(score);
        let slides = slides as usize;
        if slides >= self.by_slides.len() {
            self.by_slides.resize(slides + 1, 0);
        }
        self.by_slides[slides] += boards;
    }

    fn merge(&mut self, other: &Totals) {
        self.boards += other.boards;
        self.score += other.score;
        self.slides += other.slides;
        self.max = self.max.max(other.max);
        let len = self.by_slides.len().max(other.by_slides.len());
        self.by_slides.resize(len, 0);
        for (sum, item) in self.by_slides.iter_mut().zip(&other.by_slides) {
            *sum += item;
        }
    }
}

/// The inputs of one tile sum, up to symmetry. Slides keep the sum, so that
/// nothing outside is ever reached.
struct Stratum {
    tile_sum: i64,
    /// The least board of each class and the number of boards in the class.
    inputs: Vec<(MiniBoard, u64)>,
}

/// All inputs by tile sum, those with the most boards first: large pieces of
/// work at the end would leave threads idle.
fn input_strata() -> Vec<Stratum> {
    let largest_sum = 9 << TOP_INPUT;
    let mut strata: Vec<Stratum> = (0..=largest_sum / 2)
        .map(|half| Stratum {
            tile_sum: 2 * half,
            inputs: Vec::new(),
        })
        .collect();
    for_each_input_class(|board, n_images, tile_sum| {
        strata[tile_sum / 2].inputs.push((board, n_images));
    });
    strata.sort_by_key(|stratum| core::cmp::Reverse(stratum.inputs.len()));
    strata
}

/// Calls `f` with the least board of every class of inputs, the number of
/// boards in the class and their tile sum.
fn for_each_input_class(mut f: impl FnMut(MiniBoard, u64, usize)) {
    // Cells are chosen from the last to the first, the most significant of the
    // word first: a class's least board has no smaller tile in another corner
    // than in the last one, nor beside it in column 2 than in row 2.
    fn choose(
        board: MiniBoard,
        cells_left: usize,
        tile_sum: usize,
        f: &mut impl FnMut(MiniBoard, u64, usize),
    ) {
        if cells_left == 0 {
            let images = board.symmetries();
            if images.iter().all(|&image| image >= board) {
                let n_same = images.iter().filter(|&&image| image == board).count();
                f(board, (images.len() / n_same) as u64, tile_sum);
            }
            return;
        }
        let idx = cells_left - 1;
        let least = match idx {
            0 | 2 | 6 => board.cell(8),
            5 => board.cell(7),
            _ => 0,
        };
        for code in least..=TOP_INPUT {
            let tile = if code == 0 { 0 } else { 1 << code };
            choose(board.put(idx, code), idx, tile_sum + tile, f);
        }
    }
    choose(MiniBoard::default(), 9, 0, &mut f);
}

/// What a board can still come to, as one number that is larger for the better:
/// the potential in the upper bits, less the slides to it.
type Key = u32;
const SLIDE_BITS: u32 = 16;

/// Solves the inputs of one tile sum together: all boards that they reach are
/// numbered, and what each of them can come to is improved slide by slide.
struct StratumSolver {
    rules: MiniRules,
    classes: Classes,
    boards: Vec<MiniBoard>,
    /// The numbers of what the four slides make of each board, its own for a
    /// slide that is not legal.
    afters: Vec<[u32; 4]>,
    keys: Vec<Key>,
    next_keys: Vec<Key>,
}

impl StratumSolver {
    fn new() -> StratumSolver {
        StratumSolver {
            rules: MiniRules::on_grid(),
            classes: Classes::with_slots(1 << 15),
            boards: Vec::new(),
            afters: Vec::new(),
            keys: Vec::new(),
            next_keys: Vec::new(),
        }
    }

    fn solve(&mut self, stratum: &Stratum, horizon: u32, totals: &mut Totals) {
        self.reach(stratum);
        for _ in 0..horizon {
            if !self.look_one_slide_further() {
                break;
            }
        }
        for (idx, &(board, n_images)) in stratum.inputs.iter().enumerate() {
            let key = self.keys[idx];
            let potential = key.div_ceil(1 << SLIDE_BITS);
            let slides = (potential << SLIDE_BITS) - key;
            let score = potential as i32 - board.potential() as i32;
            totals.add(n_images, score, slides);
        }
    }

    /// Numbers the inputs and all boards they reach, and sets their keys to
    /// what they are without a slide.
    fn reach(&mut self, stratum: &Stratum) {
        let bound = potential_bound(stratum.tile_sum) as u32;
        self.classes.clear();
        self.boards.clear();
        self.afters.clear();
        self.keys.clear();
        for &(board, _) in &stratum.inputs {
            self.classes.enter(board);
            self.boards.push(board);
        }
        let mut idx = 0;
        while idx < self.boards.len() {
            let board = self.boards[idx];
            let potential = board.potential() as u32;
            self.keys.push(potential << SLIDE_BITS);
            // No slide improves a board that meets the bound.
            let mut afters = [idx as u32; 4];
            if potential < bound {
                for (number, after) in afters.iter_mut().zip(slide_all(self.rules, board)) {
                    let (after_idx, is_new) = self.classes.enter(after);
                    *number = after_idx as u32;
                    if is_new {
                        self.boards.push(after);
                    }
                }
            }
            self.afters.push(afters);
            idx += 1;
        }
        // No board is more slides away than there are boards.
        assert!(
            self.boards.len() <= 1 << SLIDE_BITS,
            "slides fit in their bits"
        );
    }

    /// Lets every board look one slide further; returns whether that improved
    /// any.
    fn look_one_slide_further(&mut self) -> bool {
        self.next_keys.clear();
        self.next_keys
            .extend(self.keys.iter().zip(&self.afters).map(|(&key, afters)| {
                let best_after = afters.map(|idx| self.keys[idx as usize]).into_iter().max();
                // A slide that is not legal leads to the board itself, one
                // slide worse than staying there.
                key.max(best_after.map_or(0, |best| best.saturating_sub(1)))
            }));
        core::mem::swap(&mut self.keys, &mut self.next_keys);
        self.keys != self.next_keys
    }
}

#[cfg(test)]
mod tests {
    use super::{for_each_input_class, input_strata};

    #[test]
    fn input_classes_make_up_the_input_space() {
        let mut n_classes = 0_u64;
        let mut n_boards = 0;
        let mut last = None;
        for_each_input_class(|board, n_images, tile_sum| {
            n_classes += 1;
            n_boards += n_images;
            assert_eq!(board.canonical(), board);
            assert_eq!(board.tile_sum(), tile_sum as i64);
            let mut images = board.symmetries().to_vec();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len() as u64, n_images);
            // In rising order, hence each class once.
            assert!(last < Some(board));
            last = Some(board);
        });
        assert_eq!(n_boards, 5_u64.pow(9));
        // Burnside: of the eight symmetries, the identity fixes 5^9 boards, the
        // half turn 5^5, two quarter turns 5^3 each, four reflections 5^6 each.
        let fixed = 5_u64.pow(9) + 5_u64.pow(5) + 2 * 5_u64.pow(3) + 4 * 5_u64.pow(6);
        assert_eq!(n_classes, fixed / 8);
    }

    #[test]
    fn strata_hold_the_boards_of_their_sum() {
        for stratum in input_strata() {
            for (board, _) in stratum.inputs {
                assert_eq!(board.tile_sum(), stratum.tile_sum);
            }
        }
    }
}

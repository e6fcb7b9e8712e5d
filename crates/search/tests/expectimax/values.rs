//! Expectimax: equal to a plain enumeration, whatever the cache.

use afterstate_bitboard::{Akioi, Board, Classic, Grid, Mini, Nibbles, Slide};
use afterstate_eval::{Evaluator, LineHeuristic, LineWeights};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet};
use afterstate_search::{Expectimax, Limits, Search, SlideValues};
use afterstate_testkit::{NaiveBoard, NaiveRules, spawned};

use crate::support::{CLEARED, OVER, Scrambled, board, boards_of_game, packed};

/// The search told again with rows of numbers: no packed rules, no canonical
/// boards, no memory, sums in 64 bits.
struct Twin<'a, G, E> {
    naive: NaiveRules,
    weights: &'a [(i32, u32)],
    evaluator: E,
    limits: Limits,
    n_nodes: u64,
    grid: core::marker::PhantomData<G>,
}

/// The exponent of the largest tile.
fn top_exponent(rows: &NaiveBoard) -> u32 {
    let largest = rows.iter().flatten().max();
    largest.map_or(0, |&largest| largest.max(1).ilog2())
}

/// How a board was reached.
#[derive(Clone, Copy)]
struct Way {
    probability: f64,
    n_rare: u32,
}

const ROOT: Way = Way {
    probability: 1.0,
    n_rare: 0,
};

impl<G: Grid, E: Evaluator<G>> Twin<'_, G, E> {
    /// Values in the order of [`Slide::ALL`].
    fn values(&mut self, rows: &NaiveBoard, depth: u32, way: Way) -> [Option<f64>; 4] {
        let mut values = [None; 4];
        for (direction, after, gain) in self.naive.afterstates(rows) {
            let slide: Slide = direction.name().parse().expect("the names are the same");
            let rise = top_exponent(&after) - top_exponent(rows);
            let reward = f64::from(self.evaluator.gain_weight()) * gain as f64
                + f64::from(self.evaluator.rise_weight()) * f64::from(rise);
            values[slide.idx()] = Some(reward + self.afterstate(&after, depth - 1, way));
        }
        values
    }

    fn afterstate(&mut self, after: &NaiveBoard, depth: u32, way: Way) -> f64 {
        self.n_nodes += 1;
        if self.naive.is_cleared(after) {
            return f64::from(self.evaluator.cleared_value());
        }
        if depth == 0 || way.probability < f64::from(self.limits.min_probability) {
            return f64::from(self.evaluator.value(packed(after)));
        }
        let total: u32 = self.weights.iter().map(|&(_, weight)| weight).sum();
        let is_rare = |weight: u32| 4 * weight < total;
        let skips_rare = way.n_rare >= self.limits.max_rare_spawns;
        let kinds: Vec<(i32, u32)> = self
            .weights
            .iter()
            .copied()
            .filter(|&(_, weight)| !(skips_rare && is_rare(weight)))
            .collect();
        let looked_at: u32 = kinds.iter().map(|&(_, weight)| weight).sum();
        let mut weighted_sum = 0.0;
        let mut n_cells = 0;
        for &(tile, weight) in &kinds {
            let boards = spawned(after, &[tile]);
            n_cells = boards.len();
            let odds = f64::from(weight) / f64::from(looked_at);
            for rows in boards {
                self.n_nodes += 1;
                let way = Way {
                    probability: way.probability * odds / n_cells as f64,
                    n_rare: way.n_rare + u32::from(is_rare(weight)),
                };
                let values = self.values(&rows, depth, way);
                let best = values.into_iter().flatten().reduce(f64::max);
                weighted_sum += odds * best.unwrap_or(f64::from(self.evaluator.over_value()));
            }
        }
        weighted_sum / n_cells as f64
    }
}

/// One combination of rules, twin and spawns.
struct Case<R: Rules> {
    rules: R,
    naive: NaiveRules,
    set: SpawnSet,
}

impl<R: Rules> Case<R> {
    fn search<E: Evaluator<R::Grid>>(&self, evaluator: E, depth: u32) -> Expectimax<R, E> {
        self.limited(evaluator, Limits::to_depth(depth))
    }

    fn limited<E: Evaluator<R::Grid>>(&self, evaluator: E, limits: Limits) -> Expectimax<R, E> {
        let spawns = self.set.on_grid().expect("the set fits the grid");
        Expectimax::new(self.rules, &spawns, evaluator, limits)
    }

    /// Boards of a few games, every `step`-th, the last board of each included.
    fn boards(&self, n_games: u64, step: usize) -> Vec<Board<R::Grid>> {
        let games = (0..n_games).map(|seed| boards_of_game(self.naive, self.set.weights(), seed));
        games
            .flat_map(|boards| boards.into_iter().rev().step_by(step))
            .collect()
    }
}

/// What a test does with every combination.
trait Check {
    fn check<R: Rules>(&self, case: Case<R>, heuristic: LineHeuristic<R::Grid>);
}

fn for_all_variants(check: &impl Check) {
    let classic = |set| Case {
        rules: ClassicRules::new(),
        naive: NaiveRules::CLASSIC,
        set,
    };
    let akioi = |set| Case {
        rules: AkioiRules::new(),
        naive: NaiveRules::Akioi,
        set,
    };
    let wide = LineHeuristic::<Classic>::new(&LineWeights::CLASSIC);
    check.check(classic(SpawnSet::STANDARD), wide.clone());
    check.check(classic(SpawnSet::CONTEST), wide);
    let narrow = Case {
        rules: NarrowRules::on_grid(),
        naive: NaiveRules::Classic { top: 32_768 },
        set: SpawnSet::STANDARD,
    };
    let four_bits = LineHeuristic::<Nibbles<4, 4>>::new(&LineWeights::CLASSIC);
    check.check(narrow, four_bits);
    let multipliers = LineHeuristic::<Akioi>::new(&LineWeights::AKIOI);
    check.check(akioi(SpawnSet::GUIDE), multipliers.clone());
    check.check(akioi(SpawnSet::LIVE), multipliers);
    let mini = Case {
        rules: MiniRules::on_grid(),
        naive: NaiveRules::MINI,
        set: SpawnSet::STANDARD,
    };
    check.check(mini, LineHeuristic::<Mini>::new(&LineWeights::MINI));
}

/// Values of single precision whose largest term is `scale`, rounded once a ply.
fn assert_close(found: Option<f32>, exact: Option<f64>, scale: f64, what: &str) {
    match (found, exact) {
        (None, None) => {}
        (Some(found), Some(exact)) => {
            let off = (f64::from(found) - exact).abs();
            assert!(off <= scale / f64::from(1 << 22), "{found} {exact}: {what}");
        }
        _ => panic!("{found:?} {exact:?}: {what}"),
    }
}

fn assert_twins<R: Rules, E: Evaluator<R::Grid> + Copy>(
    case: &Case<R>,
    evaluator: E,
    board: Board<R::Grid>,
    limits: Limits,
    scale: f64,
) {
    let mut twin = Twin {
        naive: case.naive,
        weights: case.set.weights(),
        evaluator,
        limits,
        n_nodes: 0,
        grid: core::marker::PhantomData,
    };
    let depth = limits.depth.most();
    let exact = twin.values(&board.to_rows(), depth, ROOT);
    let mut search = case.limited(evaluator, limits);
    let found = search.values(board);
    for slide in Slide::ALL {
        let what = format!("{} {slide} {limits:?}: {board:?}", case.set.name());
        assert_close(found.of(slide), exact[slide.idx()], scale, &what);
    }
    assert_eq!(search.n_nodes(), twin.n_nodes, "{limits:?}: {board:?}");
}

/// The twin takes long where many cells are empty, so the deeper the search,
/// the fuller the boards.
struct EqualsEnumeration;

impl Check for EqualsEnumeration {
    fn check<R: Rules>(&self, case: Case<R>, heuristic: LineHeuristic<R::Grid>) {
        let most_empty = match case.set.weights().len() {
            2 => [16, 9, 4],
            _ => [16, 7, 2],
        };
        let mut n_checked = [0; 3];
        for board in case.boards(2, 5) {
            for depth in 1..=3 {
                if board.n_empty() > most_empty[depth as usize - 1] {
                    continue;
                }
                n_checked[depth as usize - 1] += 1;
                for scrambled in [
                    Scrambled::with_gains(0.0),
                    Scrambled::with_gains(1.0),
                    Scrambled::with_rises(1000.0),
                ] {
                    assert_twins(&case, scrambled, board, Limits::to_depth(depth), 8192.0);
                }
                let scale = f64::from(heuristic.over_value()).abs() * 4.0;
                assert_twins(&case, &heuristic, board, Limits::to_depth(depth), scale);
            }
        }
        assert!(n_checked.iter().all(|&n| n >= 5), "{n_checked:?}");
    }
}

#[test]
fn equals_a_plain_enumeration() {
    for_all_variants(&EqualsEnumeration);
}

/// What the limits leave out is what they say, no more and no less.
struct PrunesAsTold;

impl Check for PrunesAsTold {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let evaluator = Scrambled::with_gains(1.0);
        let boards = case.boards(2, 3).into_iter();
        let few: Vec<_> = boards
            .filter(|board| board.n_empty() <= 3)
            .take(8)
            .collect();
        assert!(few.len() >= 5);
        for board in few {
            for (min_probability, max_rare_spawns) in [
                (0.0, 0),
                (0.0, 1),
                (0.04, u32::MAX),
                (0.001, u32::MAX),
                (0.3, 1),
                (2.0, 0),
            ] {
                let limits = Limits {
                    min_probability,
                    max_rare_spawns,
                    ..Limits::to_depth(3)
                };
                assert_twins(&case, evaluator, board, limits, 8192.0);
            }
        }
    }
}

#[test]
fn prunes_as_told() {
    for_all_variants(&PrunesAsTold);
}

/// With a limit in nodes the values are those of the deepest search for which
/// all searches up to it together stay within the limit; they do not depend on
/// the boards before, with a cache and without.
struct NodeLimits;

impl Check for NodeLimits {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let evaluator = Scrambled::with_gains(1.0);
        let boards = case.boards(1, 7).into_iter();
        let few: Vec<_> = boards
            .filter(|&board| board.n_empty() <= 5 && case.rules.has_legal_slide(board))
            .take(6)
            .collect();
        for &board in &few {
            let mut total = 0;
            let by_depth = [1, 2, 3].map(|depth| {
                let mut search = case.search(evaluator, depth);
                let values = search.values(board);
                total += search.n_nodes();
                (total, values)
            });
            for (idx, (upto, values)) in by_depth.into_iter().enumerate() {
                let limited = |max_nodes| {
                    let limits = Limits {
                        max_nodes: Some(max_nodes),
                        ..Limits::to_depth(3)
                    };
                    case.limited(evaluator, limits).values(board)
                };
                assert_eq!(limited(upto), values, "{board:?}");
                let before = by_depth[idx.saturating_sub(1)].1;
                assert_eq!(limited(upto - 1), before, "{board:?}");
            }
        }
        let limits = Limits {
            max_nodes: Some(600),
            ..Limits::to_depth(4)
        };
        let mut used = case.limited(evaluator, limits).with_cache(8);
        for &board in few.iter().cycle().take(40) {
            let mut fresh = case.limited(evaluator, limits).with_cache(8);
            assert_eq!(used.values(board), fresh.values(board), "{board:?}");
        }
    }
}

#[test]
fn node_limits_are_kept_to_the_node() {
    for_all_variants(&NodeLimits);
}

/// Under pruning a cache is of one board's search: what was searched before
/// changes nothing.
struct PruningForgets;

impl Check for PruningForgets {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let evaluator = Scrambled::with_gains(1.0);
        let limits = Limits {
            min_probability: 0.01,
            max_rare_spawns: 1,
            ..Limits::to_depth(3)
        };
        let mut used = case.limited(evaluator, limits).with_cache(10);
        let boards = case.boards(1, 7).into_iter();
        let few: Vec<_> = boards
            .filter(|board| board.n_empty() <= 4)
            .take(5)
            .collect();
        for &board in few.iter().cycle().take(20) {
            let mut fresh = case.limited(evaluator, limits).with_cache(10);
            assert_eq!(used.values(board), fresh.values(board), "{board:?}");
        }
    }
}

#[test]
fn pruned_searches_do_not_depend_on_those_before() {
    for_all_variants(&PruningForgets);
}

/// A clock that stops the search at once leaves depth 1, one that never does
/// leaves the full depth.
struct Clocks;

impl Check for Clocks {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let evaluator = Scrambled::with_gains(1.0);
        for board in case.boards(1, 40) {
            for (stops, depth) in [(true, 1), (false, 2)] {
                let mut search = case.search(evaluator, 2);
                let values = search.values_until(board, &mut || stops);
                assert_eq!(values, case.search(evaluator, depth).values(board));
            }
        }
    }
}

#[test]
fn a_clock_stops_the_search() {
    for_all_variants(&Clocks);
}

/// A cache changes nothing, be it so small that hardly a value stays in it, and
/// filled by the boards before.
struct CacheChangesNothing;

impl Check for CacheChangesNothing {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let evaluator = Scrambled::with_gains(1.0);
        for depth in 1..=3 {
            let mut plain = case.search(evaluator, depth);
            let mut cached: Vec<_> = [1, 2, 3, 4, 5, 6, 16]
                .map(|bits| case.search(evaluator, depth).with_cache(bits))
                .into();
            let boards = case.boards(2, 9);
            let few = boards.into_iter().filter(|board| board.n_empty() <= 5);
            for board in few.take(8) {
                let values = plain.values(board);
                for search in &mut cached {
                    let with = search.values(board);
                    assert_eq!(bits_of(with), bits_of(values), "depth {depth}: {board:?}");
                }
            }
            for search in &cached {
                assert!(search.n_nodes() <= plain.n_nodes());
            }
            if depth == 3 {
                let large = cached.last().expect("there are caches").n_nodes();
                assert!(large < plain.n_nodes() * 9 / 10, "the cache saves work");
            }
        }
    }
}

fn bits_of(values: SlideValues) -> [Option<u32>; 4] {
    values.values.map(|value| value.map(f32::to_bits))
}

#[test]
fn cache_changes_nothing() {
    for_all_variants(&CacheChangesNothing);
}

/// All images of a board have the same values, each at the slide's image, to
/// the last bit.
struct SymmetricBoards;

impl Check for SymmetricBoards {
    fn check<R: Rules>(&self, case: Case<R>, heuristic: LineHeuristic<R::Grid>) {
        let scrambled = Scrambled::with_gains(1.0);
        for board in case.boards(2, 17) {
            for depth in 1..=2 {
                assert_symmetric(case.search(scrambled, depth), board);
                assert_symmetric(case.search(&heuristic, depth), board);
                assert_symmetric(case.search(scrambled, depth).with_cache(5), board);
            }
        }
    }
}

fn assert_symmetric<G: Grid>(mut search: impl Search<G>, board: Board<G>) {
    let values = search.values(board);
    for (idx, image) in board.symmetries().into_iter().enumerate() {
        let of_image = search.values(image);
        for slide in Slide::ALL {
            let there = of_image.of(image_of(slide, idx)).map(f32::to_bits);
            assert_eq!(there, values.of(slide).map(f32::to_bits), "{idx} {board:?}");
        }
    }
}

/// Symmetric boards share what the cache keeps: of an image of a board that
/// was searched, only the afterstates of its slides are looked at.
struct SharedEntries;

impl Check for SharedEntries {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let boards = case.boards(1, 7).into_iter();
        for board in boards.filter(|board| board.n_empty() <= 8).take(6) {
            let evaluator = Scrambled::with_gains(1.0);
            let mut search = case.search(evaluator, 2).with_cache(16);
            let values = search.values(board);
            let n_legal = values.values.into_iter().flatten().count() as u64;
            for image in board.symmetries() {
                let before = search.n_nodes();
                search.values(image);
                assert_eq!(search.n_nodes() - before, n_legal, "{image:?}");
            }
        }
    }
}

#[test]
fn symmetric_boards_share_entries() {
    for_all_variants(&SharedEntries);
}

/// Where a slide of the board goes on the image with this number, by the order
/// that [`Board::symmetries`] states.
fn image_of(slide: Slide, idx: usize) -> Slide {
    let mut slide = slide;
    if idx & 1 == 1 {
        slide = match slide {
            Slide::Left => Slide::Right,
            Slide::Right => Slide::Left,
            other => other,
        };
    }
    if idx & 2 == 2 {
        slide = match slide {
            Slide::Up => Slide::Down,
            Slide::Down => Slide::Up,
            other => other,
        };
    }
    if idx & 4 == 4 {
        slide = match slide {
            Slide::Up => Slide::Left,
            Slide::Left => Slide::Up,
            Slide::Down => Slide::Right,
            Slide::Right => Slide::Down,
        };
    }
    slide
}

#[test]
fn symmetric_boards_have_equal_values() {
    for_all_variants(&SymmetricBoards);
}

/// Slides have a value exactly where they are legal; the best one is the first
/// of those with the highest value; the same search again says the same.
struct LegalSlides;

impl Check for LegalSlides {
    fn check<R: Rules>(&self, case: Case<R>, _: LineHeuristic<R::Grid>) {
        let mut n_over = 0;
        for board in case.boards(6, 11) {
            let mut search = case.search(Scrambled::with_gains(0.0), 1);
            let values = search.values(board);
            for slide in Slide::ALL {
                let legal = case.rules.apply(board, slide).is_some();
                assert_eq!(values.of(slide).is_some(), legal, "{slide} {board:?}");
            }
            let highest = values.values.into_iter().flatten().reduce(f32::max);
            let first = Slide::ALL
                .into_iter()
                .find(|&slide| highest.is_some() && values.of(slide) == highest);
            assert_eq!(values.best(), first);
            n_over += u32::from(first.is_none());
            search.forget();
            assert_eq!(search.values(board), values);
        }
        assert_eq!(n_over, 6, "the last board of each game has no slide");
    }
}

#[test]
fn legal_slides_have_values() {
    for_all_variants(&LegalSlides);
}

/// A classic board on which one spawn in the only empty cell ends the game:
/// with a 4 there is a merge, with a 2 there is none.
#[test]
fn an_end_is_worth_the_over_value() {
    let case = Case {
        rules: ClassicRules::new(),
        naive: NaiveRules::CLASSIC,
        set: SpawnSet::STANDARD,
    };
    // Left leaves one empty cell, at the end of the first row.
    let before: Board<Classic> = board(". 8 16 32 / 16 8 64 4 / 8 16 32 16 / 16 8 64 8");
    let mut search = case.search(Scrambled::with_gains(0.0), 2);
    let values = search.values(before);
    let after = case.rules.apply(before, Slide::Left).expect("row 0 moves");
    let merging = after.board.put(3, 2);
    let down = case
        .rules
        .apply(merging, Slide::Down)
        .expect("4 and 4 merge");
    let up = case.rules.apply(merging, Slide::Up).expect("4 and 4 merge");
    let scrambled = Scrambled::with_gains(0.0);
    let [down, up] = [down, up].map(|after| scrambled.value(after.board));
    let expected = 0.9 * f64::from(OVER) + 0.1 * f64::from(down.max(up));
    let found = values.of(Slide::Left).expect("left is legal");
    assert!(
        (f64::from(found) - expected).abs() < 1e-3,
        "{found} {expected}"
    );
}

/// Where a slide makes a 65536 the game is won: nothing spawns, and the value
/// is the evaluator's for that at any depth.
#[test]
fn a_cleared_board_is_not_searched() {
    let case = Case {
        rules: AkioiRules::new(),
        naive: NaiveRules::Akioi,
        set: SpawnSet::GUIDE,
    };
    let before: Board<Akioi> = board("32768 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256");
    let scrambled = Scrambled::with_gains(1.0);
    for depth in 1..=3 {
        let mut search = case.search(scrambled, depth).with_cache(6);
        let values = search.values(before);
        assert_eq!(values.of(Slide::Left), Some(65_536.0 + CLEARED));
        assert_eq!(values.of(Slide::Up), None);
    }
}

/// The two merges that four bits a cell get wrong are worth their exact gain.
#[test]
fn the_largest_merges_are_exact() {
    struct Nothing;
    impl<G: Grid> Evaluator<G> for Nothing {
        fn value(&self, _: Board<G>) -> f32 {
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
    let spawns = SpawnSet::STANDARD.on_grid().expect("classic tiles");
    let mut search = Expectimax::new(ClassicRules::new(), &spawns, Nothing, Limits::to_depth(1));
    for (text, gain) in [
        ("32768 32768 . . . . . . . . . . . . . .", 65_536.0),
        ("65536 65536 . . . . . . . . . . . . . .", 131_072.0),
        ("131072 131072 2 2 . . . . . . . . . . . .", 4.0),
    ] {
        let values = search.values(board::<Classic>(text));
        assert_eq!(values.of(Slide::Left), Some(gain), "{text}");
        assert_eq!(values.of(Slide::Right), Some(gain), "{text}");
        assert_eq!(values.of(Slide::Up), None, "{text}");
    }
    // Two plies: 32768 32768 65536 makes 131072 in two slides, and the spawn
    // between them can add a merge of two 2s or 4s nowhere.
    let spawns = SpawnSet::STANDARD.on_grid().expect("classic tiles");
    let mut search = Expectimax::new(ClassicRules::new(), &spawns, Nothing, Limits::to_depth(2));
    let values = search.values(board::<Classic>(
        "65536 32768 32768 . . . . . . . . . . . . .",
    ));
    let left = values.of(Slide::Left).expect("a merge");
    assert_eq!(left, 65_536.0 + 131_072.0);
}

/// A depth that no search has is refused when the search is made.
#[test]
fn a_search_has_at_least_one_ply() {
    for (depth, refused) in [(0, true), (1, false), (255, false), (256, true)] {
        let made = std::panic::catch_unwind(|| {
            let spawns = SpawnSet::STANDARD.on_grid().expect("mini tiles");
            let evaluator = Scrambled::with_gains(0.0);
            Expectimax::new(
                MiniRules::on_grid(),
                &spawns,
                evaluator,
                Limits::to_depth(depth),
            )
        });
        assert_eq!(made.is_err(), refused, "{depth}");
    }
}

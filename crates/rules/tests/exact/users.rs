//! What users of other programs report, as tests: each is named after the
//! group and number of the report, and tries its whole kind on every layout.

use afterstate_bitboard::{
    Akioi, AkioiBoard, Board, Classic, ClassicBoard, Grid, MiniBoard, Slide,
};
use afterstate_rules::{
    AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet, Spawns, Status,
};
use afterstate_testkit::{Direction, NaiveRules, opening, playout, potential};

use crate::support::{Draws, assert_twins, board, direction};

/// Asserts what a slide towards column 0 makes of a classic line, in all rows
/// and columns, towards all edges, for these tiles and for all larger ones.
fn assert_line(from: [i32; 4], to: [i32; 4], gain: i64) {
    let wide = ClassicRules::new();
    let narrow = NarrowRules::on_grid();
    for scale in (0..17).map(|bits| 1 << bits) {
        let (from, to) = (from.map(|tile| tile * scale), to.map(|tile| tile * scale));
        let gain = gain * i64::from(scale);
        if to.iter().any(|&tile| tile > 131_072) {
            return;
        }
        assert_eq!(NaiveRules::CLASSIC.slide_line(&from), (to.to_vec(), gain));
        for slide in Slide::ALL {
            for at in 0..4 {
                let before: ClassicBoard = with_line(slide, at, from);
                let after = with_line(slide, at, to);
                assert_eq!(wide.after(before, slide), after, "{from:?} {slide}");
                assert_eq!(i64::from(wide.gain(before, slide)), gain);
                assert_eq!(wide.apply(before, slide).is_some(), from != to);
                if let (Some(before), Some(after)) = (before.to_narrow(), after.to_narrow()) {
                    assert_eq!(narrow.after(before, slide), after, "{from:?} {slide}");
                    assert_eq!(i64::from(narrow.gain(before, slide)), gain);
                }
            }
        }
    }
}

/// An otherwise empty board with a line listed from the edge of the slide.
fn with_line(slide: Slide, at: usize, line: [i32; 4]) -> ClassicBoard {
    let mut board = Board::default();
    for (step, number) in line.into_iter().enumerate() {
        let along = if slide.is_towards_end() {
            3 - step
        } else {
            step
        };
        let idx = if slide.is_vertical() {
            4 * along + at
        } else {
            4 * at + along
        };
        let code = Classic::code(i64::from(number)).expect("a classic tile");
        board = board.with_cell(idx, code);
    }
    board
}

#[test]
fn users_a01_a_tile_made_in_this_slide_does_not_merge_again() {
    assert_line([2, 2, 4, 0], [4, 4, 0, 0], 4);
    assert_line([8, 8, 16, 0], [16, 16, 0, 0], 16);
    assert_line([2, 2, 4, 8], [4, 4, 8, 0], 4);
    assert_line([4, 2, 2, 0], [4, 4, 0, 0], 4);
    assert_line([4, 0, 2, 2], [4, 4, 0, 0], 4);
    // The column 2 4 2 2 down, listed from below.
    assert_line([2, 2, 4, 2], [4, 4, 2, 0], 4);
    let column: ClassicBoard = board("2 . . . / 4 . . . / 2 . . . / 2 . . .");
    let down = ClassicRules::new()
        .apply(column, Slide::Down)
        .expect("legal");
    assert_eq!(down.board, board(". . . . / 2 . . . / 4 . . . / 4 . . ."));
    assert_eq!(down.gain, 4);
}

#[test]
fn users_a02_a_slide_that_changes_nothing_is_not_legal() {
    let text = "8 4 4 2 / . 2 2 . / . . . . / . . . .";
    let before: ClassicBoard = board(text);
    let rules = ClassicRules::new();
    // The first column keeps its 8, the others have 4 over 2, 4 over 2, and 2.
    assert_eq!(rules.apply(before, Slide::Up), None);
    assert_eq!(rules.gain(before, Slide::Up), 0);
    assert_eq!(rules.after(before, Slide::Up), before);
    for slide in [Slide::Right, Slide::Down, Slide::Left] {
        assert!(rules.apply(before, slide).is_some(), "{slide}");
    }
    let akioi: AkioiBoard = board(text);
    assert_eq!(AkioiRules::new().apply(akioi, Slide::Up), None);
    for line in [
        [0; 4],
        [2, 0, 0, 0],
        [2, 4, 0, 0],
        [4, 2, 4, 0],
        [2, 4, 2, 4],
    ] {
        assert_line(line, line, 0);
    }
}

#[test]
fn users_a03_four_equal_make_two_pairs() {
    assert_line([2, 2, 2, 2], [4, 4, 0, 0], 8);
    let row: ClassicBoard = board("2 2 2 2 / . . . . / . . . . / . . . .");
    let right = ClassicRules::new().apply(row, Slide::Right).expect("legal");
    assert_eq!(right.board, board(". . 4 4 / . . . . / . . . . / . . . ."));
    let akioi: AkioiBoard = board("2 2 2 2 / x1 x1 x1 x1 / x4 x4 x4 x4 / . . . .");
    let left = AkioiRules::new().apply(akioi, Slide::Left).expect("legal");
    assert_eq!(
        left.board,
        board("4 4 . . / x2 x2 . . / x4 x4 x4 x4 / . . . .")
    );
    assert_eq!(left.gain, 8 - 4);
}

#[test]
fn users_a04_three_equal_merge_at_the_edge() {
    for line in [[2, 2, 2, 0], [0, 2, 2, 2], [2, 0, 2, 2], [2, 2, 0, 2]] {
        assert_line(line, [4, 2, 0, 0], 4);
    }
    let row: ClassicBoard = board(". 4 4 4 / . . . . / . . . . / . . . .");
    let right = ClassicRules::new().apply(row, Slide::Right).expect("legal");
    assert_eq!(right.board, board(". . 4 8 / . . . . / . . . . / . . . ."));
    let mini: MiniBoard = board("2 2 2 / . . . / 4 4 4");
    let right = MiniRules::on_grid()
        .apply(mini, Slide::Right)
        .expect("legal");
    assert_eq!(right.board, board(". 2 4 / . . . / . 4 8"));
    assert_eq!(right.gain, 12);
}

#[test]
fn users_a05_every_merge_scores() {
    assert_line([4, 4, 2, 2], [8, 4, 0, 0], 12);
    assert_line([2, 2, 4, 4], [4, 8, 0, 0], 12);
    let row: ClassicBoard = board("2 2 4 4 / 8 8 . . / . . . . / 2 2 2 2");
    let rules = ClassicRules::new();
    assert_eq!(rules.gain(row, Slide::Right), 12 + 16 + 8);
    assert_eq!(rules.gain(row, Slide::Left), 12 + 16 + 8);
}

#[test]
fn users_a07_a_full_board_that_can_merge_is_not_over() {
    let wide = ClassicRules::new();
    let alive: ClassicBoard = board("2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 64 64");
    assert_eq!(wide.status(alive), Status::Playing);
    assert!(wide.apply_all(alive).iter().all(Option::is_some));
    let over: ClassicBoard = board("2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 64 128");
    assert_eq!(wide.status(over), Status::Over);
    assert_eq!(wide.apply_all(over), [None; 4]);
    assert!(!wide.has_legal_slide(over));
    for board in [alive, over] {
        let narrow = board.to_narrow().expect("no large tile");
        assert_eq!(NarrowRules::on_grid().status(narrow), wide.status(board));
    }
}

/// All tiles different but for one pair of neighbors: exactly the two slides
/// along the pair are legal, wherever it lies.
#[test]
fn users_a07_one_pair_of_neighbors_anywhere_keeps_the_game_alive() {
    let rules = ClassicRules::new();
    let mut full: ClassicBoard = Board::default();
    for idx in 0..16 {
        full = full.with_cell(idx, idx as u8 + 1);
    }
    assert_eq!(rules.status(full), Status::Over);
    for idx in 0..16 {
        for (neighbor, is_row) in [(idx + 1, true), (idx + 4, false)] {
            if neighbor > 15 || (is_row && idx % 4 == 3) {
                continue;
            }
            let pair = full.with_cell(neighbor, full.cell(idx));
            let legal = Slide::ALL.map(|slide| rules.apply(pair, slide).is_some());
            assert_eq!(legal, [!is_row, is_row, !is_row, is_row], "{pair:?}");
            assert_eq!(rules.status(pair), Status::Playing);
        }
    }
}

/// On a full board of akioi any multiplier merges with any value beside it.
#[test]
fn users_a07_one_multiplier_anywhere_keeps_the_game_alive() {
    let rules = AkioiRules::new();
    let full: AkioiBoard = board("2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 64 128");
    assert_eq!(rules.status(full), Status::Over);
    for idx in 0..16 {
        for code in Akioi::TIMES_1..=Akioi::TIMES_4 {
            let mixed = full.with_cell(idx, code);
            assert_eq!(rules.apply_all(mixed).iter().flatten().count(), 4);
            assert_eq!(rules.status(mixed), Status::Playing, "{mixed:?}");
        }
    }
    // Multipliers alone: two ×4 stay apart, as do different ones.
    let stuck: AkioiBoard = board("x4 x4 x4 x4 / x4 x1 x4 x2 / x4 x2 x1 x4 / x4 x4 x4 x4");
    assert_eq!(rules.status(stuck), Status::Over);
}

#[test]
fn users_a08_whether_a_game_is_over_is_asked_after_the_spawn() {
    let rules = ClassicRules::new();
    let before: ClassicBoard = board(". 2 4 8 / 8 2 4 8 / 2 4 8 16 / 16 8 4 2");
    let left = rules.apply(before, Slide::Left).expect("legal");
    assert_eq!(rules.status(left.board), Status::Playing);
    let spawns: Spawns<Classic> = SpawnSet::STANDARD.on_grid().expect("fits");
    let empty: Vec<usize> = left.board.empty_cells().collect();
    assert_eq!(empty, [3]);
    for kind in spawns.kinds() {
        let next = left.board.put(3, kind.code);
        assert_eq!(rules.status(next), Status::Over, "{next:?}");
    }
}

#[test]
fn users_a12_a_game_won_with_the_last_possible_slide_is_won() {
    let rules = AkioiRules::new();
    let before: AkioiBoard = board("32768 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256");
    assert_eq!(rules.status(before), Status::Playing);
    let left = rules.apply(before, Slide::Left).expect("legal");
    assert_eq!(left.gain, 65536);
    assert_eq!(rules.status(left.board), Status::Cleared);
    // Also where a spawn would fill the board for good.
    for code in 1..Akioi::CELL_KINDS as u8 {
        assert_eq!(rules.status(left.board.put(3, code)), Status::Cleared);
    }
    // A product makes it as well, and never more than it.
    for (text, slide) in [
        (
            "x2 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256",
            Slide::Left,
        ),
        (
            "x4 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256",
            Slide::Left,
        ),
        (
            "16384 x4 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256",
            Slide::Left,
        ),
        (
            "2 4 8 x4 / 4 8 16 32768 / 8 16 32 64 / 16 32 64 128",
            Slide::Up,
        ),
    ] {
        let made = rules.apply(board(text), slide).expect("legal");
        assert_eq!(made.gain, 65536, "{text}");
        assert_eq!(made.board.largest(), 65536, "{text}");
        assert_eq!(rules.status(made.board), Status::Cleared, "{text}");
    }
}

#[test]
fn users_a13_a_65536_anywhere_clears() {
    let rules = AkioiRules::new();
    let top = Akioi::code(65536).expect("an akioi tile");
    let filler = Akioi::code(32768).expect("an akioi tile");
    let mut full: AkioiBoard = Board::default();
    for idx in 0..16 {
        let alone = AkioiBoard::default().with_cell(idx, top);
        assert_eq!(rules.status(alone), Status::Cleared, "cell {idx}");
        full = full.with_cell(idx, filler);
    }
    // Half a million points on the board and no 65536: not cleared.
    assert_eq!(rules.status(full), Status::Playing);
    assert!(full.potential() > 70_000);
    for idx in 0..16 {
        assert_eq!(
            rules.status(full.with_cell(idx, top)),
            Status::Cleared,
            "cell {idx}"
        );
    }
    // Classic goes on.
    let classic: ClassicBoard = board("65536 . . . / . . . . / . . . . / . . . .");
    assert_eq!(ClassicRules::new().status(classic), Status::Playing);
}

#[test]
fn users_a15_65536_is_not_the_end_of_classic() {
    assert_line([32768, 32768, 0, 0], [65536, 0, 0, 0], 65536);
    assert_line([65536, 65536, 0, 0], [131_072, 0, 0, 0], 131_072);
    assert_line([65536, 0, 0, 65536], [131_072, 0, 0, 0], 131_072);
    assert_line([32768, 32768, 32768, 32768], [65536, 65536, 0, 0], 131_072);
    assert_line([32768, 32768, 65536, 0], [65536, 65536, 0, 0], 65536);
    // One slide may gain more than any tile is worth.
    let full: ClassicBoard = Board::default().map_lines(|_| {
        let code = Classic::code(65536).expect("a classic tile");
        Classic::pack_line(&[code; 4])
    });
    let rules = ClassicRules::new();
    for slide in Slide::ALL {
        assert_eq!(rules.gain(full, slide), 8 * 131_072);
    }
}

/// 4 4 8 16 … 65536 along a snake, merged one by one: 131072 at last.
#[test]
fn users_a15_the_longest_chain_of_merges_ends_in_131072() {
    use Slide::{Left, Right, Up};
    let rules = ClassicRules::new();
    let start: ClassicBoard =
        board("65536 32768 16384 8192 / 512 1024 2048 4096 / 256 128 64 32 / 4 4 8 16");
    let mut now = start;
    let mut score = 0;
    for slide in [
        Left, Left, Left, Right, Up, Left, Left, Left, Up, Left, Left, Left, Right, Up, Left, Left,
        Left,
    ] {
        assert_twins(rules, NaiveRules::CLASSIC, now);
        let made = rules.apply(now, slide).expect("the chain goes on");
        score += i64::from(made.gain);
        now = made.board;
    }
    assert_eq!(now, board("131072 . . . / . . . . / . . . . / . . . ."));
    assert_eq!(score, now.potential() - start.potential());
}

/// What a random game needs of the rules; half of the spawns are of the first
/// kind, so that rare tiles are frequent.
struct Game<R: Rules> {
    rules: R,
    spawns: Spawns<R::Grid>,
    board: Board<R::Grid>,
    draws: Draws,
}

impl<R: Rules> Game<R> {
    fn new(rules: R, set: &SpawnSet, seed: u64) -> Self {
        let mut game = Game {
            rules,
            spawns: set.on_grid().expect("a named set fits its grid"),
            board: Board::default(),
            draws: Draws(seed),
        };
        game.spawn();
        game.spawn();
        game
    }

    /// Puts a random tile into a random empty cell and returns its number.
    fn spawn(&mut self) -> i32 {
        let idx = self.board.nth_empty(self.draws.below(self.board.n_empty()));
        let kinds = self.spawns.kinds();
        let kind = match self.draws.below(2) {
            0 => kinds[0],
            _ => kinds[self.draws.below(kinds.len() as u32) as usize],
        };
        self.board = self.board.put(idx, kind.code);
        kind.number
    }

    /// Makes a random legal slide and returns its gain, if there is one.
    fn slide(&mut self) -> Option<i32> {
        if self.rules.is_cleared(self.board) {
            return None;
        }
        let made = self.rules.apply_all(self.board);
        let legal: Vec<_> = made.into_iter().flatten().collect();
        if legal.is_empty() {
            return None;
        }
        let made = legal[self.draws.below(legal.len() as u32) as usize];
        self.board = made.board;
        Some(made.gain)
    }
}

/// All that is said of the boards of random games is what the twin says: a
/// slide is legal exactly if it changes the board.
#[test]
fn users_e47_a_slide_is_legal_exactly_if_it_changes_the_board() {
    fn check<R: Rules>(rules: R, naive: NaiveRules, set: &SpawnSet) {
        let n_slides = if cfg!(debug_assertions) {
            20_000
        } else {
            250_000
        };
        let mut seed = 0;
        let mut game = Game::new(rules, set, seed);
        for _ in 0..n_slides {
            let rows = game.board.to_rows();
            for slide in Slide::ALL {
                let (after, gain) = naive.slide(&rows, direction(slide));
                let made = rules.apply(game.board, slide);
                assert_eq!(made.is_none(), after == rows, "{rows:?} {slide}");
                if let Some(made) = made {
                    assert_eq!(made.board.to_rows(), after, "{rows:?} {slide}");
                    assert_eq!(i64::from(made.gain), gain, "{rows:?} {slide}");
                }
            }
            let blocked = Direction::ALL.iter().all(|&to| !naive.is_legal(&rows, to));
            assert_eq!(rules.has_legal_slide(game.board), !blocked, "{rows:?}");
            if game.slide().is_none() {
                assert_ne!(rules.status(game.board), Status::Playing);
                seed += 1;
                game = Game::new(rules, set, seed);
            } else {
                game.spawn();
            }
        }
        assert!(seed > 10, "several games were played to their end");
    }
    check(
        ClassicRules::new(),
        NaiveRules::CLASSIC,
        &SpawnSet::STANDARD,
    );
    check(
        NarrowRules::on_grid(),
        NaiveRules::CLASSIC,
        &SpawnSet::CONTEST,
    );
    check(MiniRules::on_grid(), NaiveRules::MINI, &SpawnSet::STANDARD);
    check(AkioiRules::new(), NaiveRules::Akioi, &SpawnSet::GUIDE);
}

#[test]
fn users_e50_the_score_can_be_read_off_the_board_at_every_moment() {
    fn check<R: Rules>(rules: R, set: &SpawnSet) {
        for seed in 0..200 {
            let mut game = Game::new(rules, set, seed);
            let mut spawned = game.board.potential();
            let mut score = 0;
            let mut n_slides = 0;
            while let Some(gain) = game.slide() {
                score += i64::from(gain);
                n_slides += 1;
                assert_eq!(score, game.board.potential() - spawned);
                // Of the spawning tiles only the 4 has a potential, which is 4.
                spawned += if game.spawn() == 4 { 4 } else { 0 };
                assert_eq!(score, game.board.potential() - spawned);
            }
            assert!(n_slides > 5 && score > 0);
        }
    }
    check(ClassicRules::new(), &SpawnSet::STANDARD);
    check(ClassicRules::new(), &SpawnSet::CONTEST);
    check(NarrowRules::on_grid(), &SpawnSet::STANDARD);
    check(MiniRules::on_grid(), &SpawnSet::STANDARD);
}

#[test]
fn users_e50_the_score_of_the_twins_games_can_be_read_off_too() {
    let mut draws = Draws(50);
    for set in [SpawnSet::STANDARD, SpawnSet::CONTEST] {
        for (naive, side) in [(NaiveRules::CLASSIC, 4), (NaiveRules::MINI, 3)] {
            for _ in 0..20 {
                let mut below = |n| draws.below(n);
                let start = opening(side, side, set.weights(), &mut below);
                let game = playout(naive, start.clone(), set.weights(), &mut below);
                let spawned = potential(&start) + 4 * game.n_fours as i64;
                assert_eq!(game.score, potential(&game.board) - spawned);
                assert!(naive.is_over(&game.board));
            }
        }
    }
}

/// A game of akioi ends over or cleared, and the twin's does so too.
#[test]
fn akioi_games_end_as_the_twin_says() {
    let rules = AkioiRules::new();
    let mut draws = Draws(3);
    for _ in 0..20 {
        let mut below = |n| draws.below(n);
        let start = opening(4, 4, SpawnSet::GUIDE.weights(), &mut below);
        let game = playout(
            NaiveRules::Akioi,
            start,
            SpawnSet::GUIDE.weights(),
            &mut below,
        );
        let last: AkioiBoard = crate::support::packed(&game.board);
        assert_eq!(rules.status(last), Status::Over);
        assert!(game.n_slides > 0);
    }
}

//! Where tiles go in a slide: against the line before and after, and the gain.

use afterstate_bitboard::{Board, Grid, Slide};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, Rules, Track, tracks};

use crate::support::{Draws, board};

/// Asserts that the tracks of a slide lead from all of the tiles before to all of
/// those after, and that what merges adds up.
fn assert_tracks<R: Rules>(rules: R, board: Board<R::Grid>, slide: Slide) {
    let ways = tracks(rules, board, slide);
    let Some(after) = rules.apply(board, slide) else {
        assert_eq!(ways, [], "{board:?} {slide}");
        return;
    };
    let mut gain = 0;
    for cell in 0..R::Grid::CELLS {
        let leave = ways.iter().filter(|way| way.from == cell).count();
        assert_eq!(
            leave,
            usize::from(board.cell(cell) != 0),
            "{board:?} {slide}"
        );
        let arriving: Vec<&Track> = ways.iter().filter(|way| way.to == cell).collect();
        let made = after.board.number(cell);
        match *arriving {
            [] => assert_eq!(made, 0, "{board:?} {slide}"),
            [way] => {
                assert!(!way.merges);
                assert_eq!(made, board.number(way.from), "{board:?} {slide}");
            }
            [lower, upper] => {
                assert!(lower.merges && upper.merges);
                let (lower, upper) = (board.number(lower.from), board.number(upper.from));
                let expected = match lower.signum() * upper.signum() {
                    1 => lower + upper,
                    _ => (-lower * upper).min(65536),
                };
                assert_eq!(made, expected, "{board:?} {slide}");
                // Multipliers are negative, and so is what two of them gain.
                gain += made;
            }
            _ => panic!("{board:?} {slide}: three tiles become one"),
        }
    }
    assert_eq!(gain, after.gain, "{board:?} {slide}");
}

/// Every line of a grid of this many columns in the first row and the last column.
fn every_line<R: Rules>(rules: R) -> usize {
    let n_lines = R::Grid::CELL_KINDS.pow(R::Grid::COLS as u32);
    for number in 0..n_lines {
        let (mut across, mut down) = (Board::default(), Board::default());
        let mut rest = number;
        for idx in 0..R::Grid::COLS {
            let code = (rest % R::Grid::CELL_KINDS) as u8;
            across = across.with_cell(idx, code);
            down = down.with_cell(R::Grid::COLS * (idx + 1) - 1, code);
            rest /= R::Grid::CELL_KINDS;
        }
        for slide in [Slide::Left, Slide::Right] {
            assert_tracks(rules, across, slide);
        }
        for slide in [Slide::Up, Slide::Down] {
            assert_tracks(rules, down, slide);
        }
    }
    n_lines
}

#[test]
fn tracks_explain_every_line_of_mini() {
    assert_eq!(every_line(MiniRules::on_grid()), 1331);
}

#[test]
fn tracks_explain_every_line_of_the_large_boards() {
    // A million slides: half a minute in a debug build, so there samples.
    if !cfg!(debug_assertions) {
        assert_eq!(every_line(ClassicRules::new()), 104_976);
        assert_eq!(every_line(AkioiRules::new()), 160_000);
    }
    let mut draws = Draws(5);
    for _ in 0..5000 {
        assert_random(ClassicRules::new(), &mut draws);
        assert_random(AkioiRules::new(), &mut draws);
    }
}

/// A board of few kinds of tiles, on which much merges.
fn assert_random<R: Rules>(rules: R, draws: &mut Draws) {
    let mut board = Board::default();
    for idx in 0..R::Grid::CELLS {
        board = board.with_cell(idx, draws.below(6) as u8);
    }
    for slide in Slide::ALL {
        assert_tracks(rules, board, slide);
    }
}

#[test]
fn the_pair_nearer_the_edge_merges() {
    // Both 4 ×1 and ×1 4 make a 4, so the line after is 4 4 either way.
    let before = board("4 x1 4 . / . . . . / . . . . / . . . .");
    let way = |from, to, merges| Track { from, to, merges };
    assert_eq!(
        tracks(AkioiRules::new(), before, Slide::Left),
        [way(0, 0, true), way(1, 0, true), way(2, 1, false)]
    );
    assert_eq!(
        tracks(AkioiRules::new(), before, Slide::Right),
        [way(2, 3, false), way(1, 2, false), way(0, 1, false)]
    );
}

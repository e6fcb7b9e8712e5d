//! The line heuristic against a recomputation from numbers, and the symmetry
//! that the contract asks of every evaluator.

use afterstate_bitboard::{Akioi, Board, Classic, Grid, Mini, Nibbles};
use afterstate_eval::{Aimed, Evaluator, LineHeuristic, LineWeights, Objective};
use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::test_runner::TestCaseError;

/// Weights of which every line's value is a whole number, so that nothing is
/// rounded and equal means equal.
const WHOLE: LineWeights = LineWeights {
    empty: 1.0,
    merge: 20.0,
    multiply: 300.0,
    multiplier: 4000.0,
    rise4: 5.0,
    rise2: 7.0,
    rough: 11.0,
    sum: 0.0,
    lost: 70_000.0,
    cleared: 90_000.0,
    gain: 1.0,
};

/// Boards with any tile in any cell, about a quarter of the cells empty.
fn boards<G: Grid>() -> impl Strategy<Value = Board<G>> {
    let cell = (any::<u8>(), 0..4_u8).prop_map(|(code, quarter)| {
        if quarter == 0 {
            0
        } else {
            code % G::CELL_KINDS as u8
        }
    });
    prop::collection::vec(cell, G::CELLS).prop_map(|codes| {
        let mut board = Board::default();
        for (idx, code) in codes.into_iter().enumerate() {
            board = board.with_cell(idx, code);
        }
        board
    })
}

/// The exponent of a value tile, and 0 for what has none.
fn exponent(number: i32) -> f64 {
    if number > 0 {
        f64::from(number.ilog2())
    } else {
        0.0
    }
}

/// The value of a line of numbers, listed from the edge of the large tiles,
/// feature by feature as [`LineWeights`] describes them.
fn line_value(line: &[i32], weights: &LineWeights) -> f64 {
    let count = |wanted: &dyn Fn(i32) -> bool| line.iter().filter(|&&n| wanted(n)).count() as f64;
    let mut value = f64::from(weights.empty) * count(&|number| number == 0)
        - f64::from(weights.multiplier) * count(&|number| number < 0);
    for &number in line {
        value -= f64::from(weights.sum) * exponent(number).powf(3.5);
    }
    let tiles: Vec<i32> = line.iter().copied().filter(|&n| n != 0).collect();
    for pair in tiles.windows(2) {
        let is_multiplier = [pair[0] < 0, pair[1] < 0];
        let difference = (exponent(pair[0]) - exponent(pair[1])).abs();
        if pair[0] == pair[1] {
            value += f64::from(weights.merge);
        } else if is_multiplier == [false, false] {
            value -= f64::from(weights.rough) * difference;
        } else if is_multiplier != [true, true] {
            value += f64::from(weights.multiply) * (difference - 1.0);
        }
    }
    for pair in line.windows(2).filter(|pair| pair[0] >= 0 && pair[1] >= 0) {
        let rise = |power| (exponent(pair[1]).powi(power) - exponent(pair[0]).powi(power)).max(0.0);
        value -= f64::from(weights.rise4) * rise(4) + f64::from(weights.rise2) * rise(2);
    }
    value
}

/// The better of the sums of these lines, all listed from one end or all from
/// the other.
fn both_ways(lines: &[Vec<i32>], weights: &LineWeights) -> f64 {
    let sum =
        |lines: &[Vec<i32>]| -> f64 { lines.iter().map(|line| line_value(line, weights)).sum() };
    let reversed: Vec<Vec<i32>> = lines
        .iter()
        .map(|line| line.iter().rev().copied().collect())
        .collect();
    sum(lines).max(sum(&reversed))
}

/// The values of all rows and columns, not rounded.
fn recomputed<G: Grid>(board: Board<G>, weights: &LineWeights) -> f64 {
    let rows = board.to_rows();
    let column = |col: usize| rows.iter().map(|row| row[col]).collect();
    let columns: Vec<Vec<i32>> = (0..G::COLS).map(column).collect();
    both_ways(&rows, weights) + both_ways(&columns, weights)
}

fn check<G: Grid>(board: Board<G>, tuned: &LineHeuristic<G>) -> Result<(), TestCaseError> {
    let value = tuned.value(board);
    for image in board.symmetries() {
        if tuned.value(image).to_bits() != value.to_bits() {
            let error = format!("{} and {}: {board:?}", value, tuned.value(image));
            return Err(TestCaseError::fail(error));
        }
    }
    Ok(())
}

/// Symmetric images are worth the same, bit for bit.
macro_rules! symmetric {
    ($($name:ident: $grid:ty, $weights:expr;)*) => {
        $(#[test]
        fn $name() {
            let tuned = LineHeuristic::<$grid>::new(&$weights);
            proptest!(|(board in boards::<$grid>())| {
                check(board, &tuned)?;
            });
        })*
    };
}

symmetric! {
    symmetric_boards_of_classic: Classic, LineWeights::CLASSIC;
    symmetric_boards_of_narrow_classic: Nibbles<4, 4>, LineWeights::CLASSIC;
    symmetric_boards_of_akioi: Akioi, LineWeights::AKIOI;
    symmetric_boards_of_mini: Mini, LineWeights::MINI;
    symmetric_boards_of_two_by_three: Nibbles<2, 3>, LineWeights::MINI;
    symmetric_boards_of_one_row: Nibbles<1, 4>, LineWeights::MINI;
}

/// Every line on its own and mirrored, with odd weights as well: the order in
/// which a line's terms are added and rounded must not show.
#[test]
fn every_line_is_worth_what_its_reverse_is() {
    let weights = LineWeights {
        empty: 271.83,
        merge: 693.147,
        multiply: 57.721,
        multiplier: 314.159,
        rise4: 4.6692,
        rise2: 20.1609,
        rough: 16.1803,
        sum: 11.037,
        ..LineWeights::AKIOI
    };
    for weights in [weights, LineWeights::CLASSIC, LineWeights::AKIOI] {
        every_line_both_ways(&LineHeuristic::<Classic>::new(&weights));
        every_line_both_ways(&LineHeuristic::<Akioi>::new(&weights));
        every_line_both_ways(&LineHeuristic::<Mini>::new(&weights));
    }
}

fn every_line_both_ways<G: Grid>(heuristic: &LineHeuristic<G>) {
    let kinds = G::CELL_KINDS;
    for number in 0..kinds.pow(G::COLS as u32) {
        let mut board = Board::<G>::default();
        for idx in 0..G::COLS {
            let code = number / kinds.pow(idx as u32) % kinds;
            board = board.with_cell(idx, code as u8);
        }
        let values = [board, board.mirror()].map(|board| heuristic.value(board));
        assert_eq!(values[0].to_bits(), values[1].to_bits(), "{board:?}");
    }
}

/// With whole weights a board is worth exactly what its lines are; with
/// others each of the lines is rounded to a whole number.
macro_rules! recomputed {
    ($($name:ident: $grid:ty, $weights:expr;)*) => {
        $(#[test]
        fn $name() {
            let whole = LineHeuristic::<$grid>::new(&WHOLE);
            let tuned = LineHeuristic::<$grid>::new(&$weights);
            let n_lines = (<$grid>::ROWS + <$grid>::COLS) as f64;
            proptest!(|(board in boards::<$grid>())| {
                assert_eq!(whole.value(board), recomputed(board, &WHOLE) as f32);
                let exact = recomputed(board, &$weights);
                let off = (f64::from(tuned.value(board)) - exact).abs();
                // Half a point a line, and what 24 bits of mantissa cost.
                let bound = 0.5 * n_lines + 2.0 + exact.abs() / f64::from(1 << 22);
                assert!(off <= bound, "{off} off: {board:?}");
            });
        })*
    };
}

recomputed! {
    recomputed_on_classic: Classic, LineWeights::CLASSIC;
    recomputed_on_narrow_classic: Nibbles<4, 4>, LineWeights::CLASSIC;
    recomputed_on_akioi: Akioi, LineWeights::AKIOI;
    recomputed_on_mini: Mini, LineWeights::MINI;
    recomputed_on_two_by_three: Nibbles<2, 3>, LineWeights::MINI;
    recomputed_on_three_by_two: Nibbles<3, 2>, LineWeights::MINI;
    recomputed_on_one_row: Nibbles<1, 4>, LineWeights::MINI;
}

/// The two layouts of the classic board are worth the same.
#[test]
fn narrow_and_wide_boards_agree() {
    let wide = LineHeuristic::<Classic>::new(&LineWeights::CLASSIC);
    let narrow = LineHeuristic::<Nibbles<4, 4>>::new(&LineWeights::CLASSIC);
    proptest!(|(board in boards::<Nibbles<4, 4>>())| {
        let same = Board::<Classic>::from(board);
        assert_eq!(narrow.value(board).to_bits(), wide.value(same).to_bits());
    });
}

fn value_of<G: Grid>(weights: &LineWeights, text: &str) -> f32 {
    let board = text.replace(" / ", "\n").parse();
    LineHeuristic::<G>::new(weights).value(board.expect("the text is a board"))
}

/// Each weight does what its sign says: `better` is worth more than `worse`.
#[test]
fn weights_pull_the_right_way() {
    let classic: [(&str, &str, &str); 4] = [
        (
            "an empty cell more",
            "2 . . . / . . . . / . . . . / . . . 4",
            "2 . . . / . . . . / . 8 . . / . . . 4",
        ),
        (
            "tiles that would merge",
            "8 8 . . / . . . . / . . . . / . . . .",
            "8 . . . / . 8 . . / . . . . / . . . .",
        ),
        (
            "a falling row",
            "64 32 8 4 / . . . . / . . . . / . . . .",
            "32 4 64 8 / . . . . / . . . . / . . . .",
        ),
        (
            "the same sum in fewer tiles",
            "64 . . . / . . . . / . . . . / . . . .",
            "32 . . . / . . . . / . . . . / . . . 32",
        ),
    ];
    for (what, better, worse) in classic {
        let [better, worse] =
            [better, worse].map(|text| value_of::<Classic>(&LineWeights::CLASSIC, text));
        assert!(better > worse, "{what}: {better} > {worse}");
    }
    let beside = value_of::<Akioi>(
        &LineWeights::AKIOI,
        "512 x2 . . / . . . . / . . . . / . . . .",
    );
    let apart = value_of::<Akioi>(
        &LineWeights::AKIOI,
        "512 . . . / . x2 . . / . . . . / . . . .",
    );
    assert!(beside > apart, "a multiplier beside a large tile");
}

/// Being over is worth less than a board as play has it, however untidy.
#[test]
fn the_end_is_worth_less_than_boards_of_play() {
    let weights = LineWeights::CLASSIC;
    let heuristic = LineHeuristic::<Classic>::new(&weights);
    assert_eq!(heuristic.over_value(), -weights.lost);
    assert_eq!(heuristic.cleared_value(), weights.cleared);
    assert_eq!(heuristic.gain_weight(), weights.gain);
    let untidy = value_of::<Classic>(&weights, "2 64 2 4 / 32 2 16 2 / 2 8 2 128 / 4 2 16 .");
    assert!(untidy > heuristic.over_value());
}

/// References and shared pointers evaluate as what they point to.
#[test]
fn pointers_are_evaluators() {
    fn all<E: Evaluator<Mini>>(evaluator: E, board: Board<Mini>) -> [f32; 4] {
        let ends = [evaluator.over_value(), evaluator.cleared_value()];
        let value = evaluator.value(board);
        [value, ends[0], ends[1], evaluator.gain_weight()]
    }
    let board = "2 4 8 . 16 . 2 . .".parse().expect("nine cells");
    let heuristic = LineHeuristic::<Mini>::new(&WHOLE);
    let own = all(heuristic.clone(), board);
    assert_eq!(own[1..], [-70_000.0, 90_000.0, 1.0]);
    assert_eq!(all(&heuristic, board), own);
    assert_eq!(all(std::sync::Arc::new(heuristic), board), own);
}

/// Boards have the same values under every objective; what a game pays does not.
#[test]
fn objectives_change_what_is_paid() {
    let heuristic = LineHeuristic::<Akioi>::new(&WHOLE);
    let board: Board<Akioi> = "2 4 8 16 . . . . . . . . 2 2 x1 64"
        .parse()
        .expect("a board");
    for objective in Objective::ALL {
        let aimed = Aimed::new(&heuristic, objective);
        assert_eq!(aimed.value(board), heuristic.value(board));
        let over: f32 = Evaluator::<Akioi>::over_value(&aimed);
        assert_eq!(over, -WHOLE.lost);
        let paid = [
            Evaluator::<Akioi>::gain_weight(&aimed) > 0.0,
            Evaluator::<Akioi>::rise_weight(&aimed) > 0.0,
            Evaluator::<Akioi>::cleared_value(&aimed) > WHOLE.cleared,
        ];
        let expected = match objective {
            Objective::Score => [true, false, false],
            Objective::Largest => [false, true, false],
            Objective::Clear => [false, true, true],
        };
        assert_eq!(paid, expected, "{objective}");
    }
}

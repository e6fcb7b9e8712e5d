//! The line heuristic against a recomputation from numbers, and the symmetry
//! that the contract asks of every evaluator.

use afterstate_bitboard::{Akioi, Board, Classic, Grid, Mini, Nibbles};
use afterstate_eval::{Aimed, Evaluator, LineHeuristic, LineWeights, Objective};
use proptest::prelude::{Strategy, any, prop, proptest};
use proptest::test_runner::TestCaseError;

/// Weights of which every line's value is a whole number where no tile lies
/// below a larger one, and which are all different.
const WHOLE: LineWeights = LineWeights {
    empty: 1.0,
    crowded: 5040.0,
    merge: [20.0, 23.0, 29.0],
    merge_growth: 31.0,
    multiply: 300.0,
    multiplier: 4000.0,
    rough: [11.0, 13.0, 17.0],
    chain: [37.0, -41.0, 43.0],
    edge: [0.0; 3],
    falling: [0.0; 3],
    rising: [0.0; 3],
    unordered: [0.0; 3],
    across: [0.0; 4],
    across_pair: [0.0; 3],
    rise2: 0.0,
    sum_along: [2.0, 3.0, 4.0, 5.0],
    sum_across: [6.0, 7.0, 8.0, 9.0],
    full: 700.0,
    full_last: 53.0,
    lost: 70_000.0,
    cleared: 90_000.0,
    gain: 1.0,
};

/// The same with weights on rises, every one different.
const RISING: LineWeights = LineWeights {
    edge: [1.0, 2.0, 3.0],
    falling: [4.0, 5.0, 6.0],
    rising: [7.0, 8.0, 9.0],
    unordered: [10.0, 11.0, 12.0],
    across: [13.0, 14.0, 15.0, 16.0],
    across_pair: [1.0, 1.5, 2.5],
    rise2: 0.25,
    ..WHOLE
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

/// How much larger each number is than the one before, in the units of rises.
fn rises(line: &[i32], weights: &LineWeights) -> Vec<f64> {
    let rise = |pair: &[i32]| {
        let [first, second] = [exponent(pair[0]), exponent(pair[1])];
        if pair[0] < 0 || pair[1] < 0 || second < first {
            return 0.0;
        }
        let power = |power: f64| second.powf(power) - first.powf(power);
        power(3.5) + f64::from(weights.rise2) * power(2.0)
    };
    line.windows(2).map(rise).collect()
}

fn weighed(values: &[f64], weights: &[f32]) -> f64 {
    values
        .iter()
        .zip(weights)
        .map(|(value, &weight)| value * f64::from(weight))
        .sum()
}

/// What counts on every line; `place` is 0 on the edge line, 1 on others along
/// it and 2 across.
fn anywhere(line: &[i32], place: usize, weights: &LineWeights) -> f64 {
    let count = |wanted: &dyn Fn(i32) -> bool| line.iter().filter(|&&n| wanted(n)).count() as f64;
    let mut value = f64::from(weights.empty) * count(&|number| number == 0)
        - f64::from(weights.multiplier) * count(&|number| number < 0);
    let tiles: Vec<i32> = line.iter().copied().filter(|&n| n != 0).collect();
    for pair in tiles.windows(2) {
        let exponents = [exponent(pair[0]), exponent(pair[1])];
        let difference = (exponents[0] - exponents[1]).abs();
        match (pair[0] < 0, pair[1] < 0) {
            _ if pair[0] == pair[1] => {
                let grown = f64::from(weights.merge_growth) * exponents[0];
                let merges = pair[0] != -4;
                value += f64::from(u8::from(merges)) * (f64::from(weights.merge[place]) + grown);
            }
            (true, true) => (),
            (false, false) => {
                let chained = f64::from(u8::from(difference == 1.0));
                value += chained * f64::from(weights.chain[place]);
                value -= difference * f64::from(weights.rough[place]);
            }
            _ => value += f64::from(weights.multiply) * (difference - 1.0),
        }
    }
    value
}

/// The value of a board, not rounded, if the largest tile should lie in the
/// first corner and the others along the first row, feature by feature as
/// [`LineWeights`] describes them.
fn first_formation<G: Grid>(board: Board<G>, weights: &LineWeights) -> f64 {
    let rows = board.to_rows();
    let cubes = |line: &[i32]| {
        line.iter()
            .map(|&number| exponent(number).powi(3))
            .sum::<f64>()
    };
    let mut value = 0.0;
    for (number, row) in rows.iter().enumerate() {
        value += anywhere(row, number.min(1), weights);
        value -= f64::from(weights.sum_along[number]) * cubes(row);
        let falling = rises(row, weights);
        if number == 0 {
            value -= weighed(&falling, &weights.edge);
            let tiles: Vec<f64> = row.iter().map(|&number| exponent(number)).collect();
            if tiles.windows(2).all(|pair| pair[0] > pair[1]) && tiles[tiles.len() - 1] > 0.0 {
                let last = tiles[tiles.len() - 1];
                value += f64::from(weights.full) + f64::from(weights.full_last) * last;
            }
            continue;
        }
        let backwards: Vec<i32> = row.iter().rev().copied().collect();
        let fall: f64 = falling.iter().sum();
        let rise: f64 = rises(&backwards, weights).iter().sum();
        let order = [fall, rise, fall.min(rise)];
        let [falling, rising, unordered] = [weights.falling, weights.rising, weights.unordered];
        value -= weighed(
            &order,
            &[falling, rising, unordered].map(|list| list[number - 1]),
        );
    }
    for number in 0..G::COLS {
        let column: Vec<i32> = rows.iter().map(|row| row[number]).collect();
        value += anywhere(&column, 2, weights);
        value -= f64::from(weights.sum_across[number]) * cubes(&column);
        let rises = weighed(&rises(&column, weights), &weights.across_pair);
        value -= f64::from(weights.across[number]) * rises;
    }
    value
}

/// The value of a board, not rounded: that of its best formation.
fn recomputed<G: Grid>(board: Board<G>, weights: &LineWeights) -> f64 {
    let turned = board.transpose();
    let upright = [board, board.mirror(), board.flip(), board.mirror().flip()];
    let lying = [
        turned,
        turned.mirror(),
        turned.flip(),
        turned.mirror().flip(),
    ];
    let best = upright
        .map(|board| first_formation(board, weights))
        .into_iter()
        .chain(lying.map(|board| first_formation(board, weights)))
        .fold(f64::MIN, f64::max);
    best - f64::from(weights.crowded) / f64::from(board.n_empty().max(1))
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
        merge: [693.147, 12.345, 67.891],
        multiply: 57.721,
        multiplier: 314.159,
        rise2: 20.1609,
        rough: [16.1803, 0.57, 1.414],
        sum_along: [11.037, 2.236, 1.732, 0.707],
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
            let rising = LineHeuristic::<$grid>::new(&RISING);
            let tuned = LineHeuristic::<$grid>::new(&$weights);
            let n_lines = (<$grid>::ROWS + <$grid>::COLS) as f64;
            proptest!(|(board in boards::<$grid>())| {
                // 5040 is divided without rest by up to ten empty cells.
                if board.n_empty() <= 10 {
                    assert_eq!(whole.value(board), recomputed(board, &WHOLE) as f32);
                }
                for (heuristic, weights) in [(&rising, &RISING), (&tuned, &$weights)] {
                    let exact = recomputed(board, weights);
                    let off = (f64::from(heuristic.value(board)) - exact).abs();
                    // Half a point a line, and what 24 bits of mantissa cost.
                    let bound = 0.5 * n_lines + 2.0 + exact.abs() / f64::from(1 << 22);
                    assert!(off <= bound, "{off} off: {board:?}");
                }
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
    let classic: [(&str, &str, &str); 5] = [
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
        (
            "the largest tile in a corner",
            "512 64 8 . / . . . . / . . . . / . . . .",
            "64 512 8 . / . . . . / . . . . / . . . .",
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

/// Two ×4 do not merge, and are not taken for a pair that would.
#[test]
fn the_last_multipliers_are_no_pair() {
    let merging = LineWeights {
        merge: [1000.0; 3],
        ..LineWeights::AKIOI
    };
    let apart = LineWeights {
        merge: [0.0; 3],
        ..merging
    };
    for (pair, merges) in [("x2 x2", true), ("x4 x4", false)] {
        let board = format!("{pair} . . / . . . . / . . . . / . . . .");
        let gained = value_of::<Akioi>(&merging, &board) - value_of::<Akioi>(&apart, &board);
        assert_eq!(gained, if merges { 1000.0 } else { 0.0 }, "{pair}");
    }
}

/// Every weight is listed once, by a name of its own, and can be changed.
#[test]
fn weights_have_names() {
    let mut weights = LineWeights::CLASSIC;
    let mut names = std::collections::BTreeSet::new();
    for (number, (name, weight)) in weights.by_name().into_iter().enumerate() {
        *weight = number as f32;
        assert!(names.insert(name.clone()), "{name} twice");
    }
    assert_eq!(weights.empty, 0.0);
    assert_eq!(weights.across[3] - weights.across[0], 3.0);
    assert_eq!(size_of_val(&weights), names.len() * size_of::<f32>());
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

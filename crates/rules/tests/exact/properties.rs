//! What holds for all boards and slides.

use std::fmt::Debug;

use afterstate_bitboard::{Board, Classic, ClassicBoard, Grid, Mini, Nibbles, Slide};
use afterstate_rules::{AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, ValueGrid};
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, TestRunner};

use crate::support::Draws;

fn for_all<S: Strategy>(strategy: S, check: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let config = Config {
        cases: 500,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&strategy, |value| {
        check(value);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Random boards whose tiles are near each other in size, so that many merge.
fn boards<G: Grid>() -> impl Strategy<Value = Board<G>> {
    let kinds = G::CELL_KINDS as u8;
    let cells = proptest::collection::vec((0..kinds, 0..3_u8), G::CELLS);
    (cells, 1..=kinds).prop_map(|(cells, span)| {
        let mut board = Board::default();
        for (idx, (code, is_empty)) in cells.into_iter().enumerate() {
            if is_empty > 0 {
                // The topmost `span` kinds.
                let code = G::CELL_KINDS as u8 - 1 - code % span;
                board = board.with_cell(idx, code);
            }
        }
        board
    })
}

fn mirrored(slide: Slide) -> Slide {
    match slide {
        Slide::Left => Slide::Right,
        Slide::Right => Slide::Left,
        vertical => vertical,
    }
}

fn flipped(slide: Slide) -> Slide {
    match slide {
        Slide::Up => Slide::Down,
        Slide::Down => Slide::Up,
        horizontal => horizontal,
    }
}

fn transposed(slide: Slide) -> Slide {
    match slide {
        Slide::Up => Slide::Left,
        Slide::Left => Slide::Up,
        Slide::Down => Slide::Right,
        Slide::Right => Slide::Down,
    }
}

/// `turned` are the rules on the board with rows and columns exchanged.
fn symmetry_commutes<R, T>(rules: R, turned: T)
where
    R: Rules,
    T: Rules<Grid = <R::Grid as Grid>::Transposed>,
{
    for_all(boards::<R::Grid>(), |board| {
        for slide in Slide::ALL {
            let after = rules.after(board, slide);
            let gain = rules.gain(board, slide);

            let image = (board.mirror(), mirrored(slide));
            assert_eq!(rules.after(image.0, image.1), after.mirror());
            assert_eq!(rules.gain(image.0, image.1), gain);

            let image = (board.flip(), flipped(slide));
            assert_eq!(rules.after(image.0, image.1), after.flip());
            assert_eq!(rules.gain(image.0, image.1), gain);

            let image = (board.transpose(), transposed(slide));
            assert_eq!(turned.after(image.0, image.1), after.transpose());
            assert_eq!(turned.gain(image.0, image.1), gain);
        }
        for image in board.symmetries() {
            assert_eq!(rules.status(image), rules.status(board));
        }
    });
}

#[test]
fn symmetry_commutes_with_the_slide() {
    symmetry_commutes(AkioiRules::new(), AkioiRules::new());
    symmetry_commutes(ClassicRules::new(), ClassicRules::new());
    fn on<G: ValueGrid>()
    where
        G::Transposed: ValueGrid,
    {
        let turned = ClassicRules::<G::Transposed>::on_grid();
        symmetry_commutes(ClassicRules::<G>::on_grid(), turned);
    }
    on::<Nibbles<4, 4>>();
    on::<Mini>();
    on::<Nibbles<2, 2>>();
    on::<Nibbles<2, 3>>();
    on::<Nibbles<3, 2>>();
    on::<Nibbles<2, 4>>();
    on::<Nibbles<4, 2>>();
    on::<Nibbles<3, 4>>();
    on::<Nibbles<1, 4>>();
}

#[test]
fn classic_slides_keep_the_tile_sum_and_gain_the_potential() {
    fn check<R: Rules>(rules: R) {
        assert!(R::GAIN_IS_POTENTIAL);
        for_all(boards::<R::Grid>(), |board| {
            for slide in Slide::ALL {
                let after = rules.after(board, slide);
                let gain = i64::from(rules.gain(board, slide));
                assert_eq!(after.tile_sum(), board.tile_sum(), "{board:?} {slide}");
                assert_eq!(after.potential() - board.potential(), gain);
                assert!(after.n_empty() >= board.n_empty());
                // A slide that changes something leaves a cell for the spawn.
                assert!(after == board || after.n_empty() > 0);
            }
        });
    }
    check(ClassicRules::new());
    check(NarrowRules::on_grid());
    check(MiniRules::on_grid());
    check(ClassicRules::<Nibbles<2, 3>>::on_grid());
    check(ClassicRules::<Nibbles<4, 2>>::on_grid());
}

#[test]
fn akioi_slides_leave_a_cell_for_the_spawn() {
    const { assert!(!<AkioiRules>::GAIN_IS_POTENTIAL) };
    let rules = AkioiRules::new();
    for_all(boards(), |board| {
        for slide in Slide::ALL {
            let after = rules.after(board, slide);
            assert!(after.n_empty() >= board.n_empty());
            assert!(after == board || after.n_empty() > 0, "{board:?} {slide}");
            if after == board {
                assert_eq!(rules.gain(board, slide), 0, "{board:?} {slide}");
            }
        }
    });
}

#[test]
fn narrow_is_wide_for_as_long_as_it_says() {
    let wide = ClassicRules::new();
    let narrow = NarrowRules::on_grid();
    let strategy = (boards::<Nibbles<4, 4>>(), 0..60_u32, any::<u64>());
    for_all(strategy, |(mut narrow_board, n_slides, seed)| {
        let mut wide_board = ClassicBoard::from(narrow_board);
        if !ClassicRules::narrow_is_exact(wide_board, n_slides, 4) {
            return;
        }
        let mut draws = Draws(seed);
        for _ in 0..n_slides {
            let narrow_made = narrow.apply_all(narrow_board);
            let wide_made = wide.apply_all(wide_board);
            for (narrow_made, wide_made) in narrow_made.iter().zip(wide_made) {
                let as_wide = narrow_made.map(|made| (ClassicBoard::from(made.board), made.gain));
                assert_eq!(as_wide, wide_made.map(|made| (made.board, made.gain)));
            }
            let legal: Vec<_> = narrow_made.into_iter().flatten().collect();
            if legal.is_empty() {
                return;
            }
            let after = legal[draws.below(legal.len() as u32) as usize].board;
            let idx = after.nth_empty(draws.below(after.n_empty()));
            narrow_board = after.put(idx, 1 + draws.below(2) as u8);
            wide_board = narrow_board.into();
        }
    });
}

#[test]
fn narrow_says_no_in_time() {
    // One slide makes 65536 out of tiles that add up to it, not out of less.
    let two = |a, b| -> Board<Classic> {
        Board::default()
            .with_cell(0, a)
            .with_cell(1, b)
            .with_cell(2, 1)
    };
    assert!(!ClassicRules::narrow_is_exact(two(15, 15), 1, 4));
    assert!(!ClassicRules::narrow_is_exact(two(16, 1), 0, 4));
    assert!(ClassicRules::narrow_is_exact(two(15, 14), 1, 4));
    let just_below = (65536 - two(15, 14).tile_sum()) as u32 / 4;
    assert!(ClassicRules::narrow_is_exact(
        two(15, 14),
        just_below - 1,
        4
    ));
    assert!(!ClassicRules::narrow_is_exact(
        two(15, 14),
        just_below + 1,
        4
    ));
}

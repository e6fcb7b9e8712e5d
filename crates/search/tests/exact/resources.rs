//! Threads, memory, scratch files, stopping, and problems that cannot be posed.

use core::sync::atomic::{AtomicBool, Ordering};

use afterstate_bitboard::{FullNibbles, MiniBoard, Nibbles};
use afterstate_rules::{ClassicRules, MiniRules, Opening, Rules, SpawnSet, ValueGrid};
use afterstate_search::exact::{
    Keep, Objective, Problem, ProblemError, Progress, Resources, SolveError, solve,
};

use crate::support::{full_problem, problem, solve_within, solved, table_bytes};

/// 3x3 up to a tile that is soon made: some 200 layers of boards of 36 bits.
fn mini() -> Problem<MiniRules> {
    problem::<3, 3>(&SpawnSet::STANDARD, Objective::Tile(32))
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on_threads = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .expect("a pool of a few threads");
        pool.install(|| table_bytes(&mini()))
    };
    let one = on_threads(1);
    assert!(one == on_threads(2));
    assert!(one == on_threads(5));
}

/// Less and less memory: the same solution, with more and more on disk, until
/// it does not do.
#[test]
fn spilled_layers_change_nothing() {
    let in_memory = solved(&mini());
    assert_eq!(in_memory.spilled_bytes(), 0);
    let peak = in_memory.peak_bytes();
    let layers = in_memory.layers().to_vec();
    let expected = table_bytes(&mini());
    let (mut n_spilled, mut n_failed) = (0, 0);
    for tenths in (1..=20).rev() {
        let limit = peak * tenths / 10;
        match solve_within(&mini(), limit, Keep::Table) {
            Ok(solution) => {
                let found = solution.peak_bytes();
                assert!(found <= limit, "{found} of {limit}");
                assert_eq!(solution.layers(), layers);
                n_spilled += u32::from(solution.spilled_bytes() > 0);
                let mut bytes = Vec::new();
                solution
                    .write_table(&mut bytes)
                    .expect("memory can be written");
                assert!(bytes == expected);
            }
            Err(error) => {
                assert!(matches!(error, SolveError::Memory { .. }), "{error}");
                n_failed += 1;
            }
        }
    }
    assert!(n_spilled > 0 && n_failed > 0, "{n_spilled} {n_failed}");
}

/// The same where a spawn leads on from many sums, whose afterstates all have to
/// be at hand.
#[test]
fn spilled_layers_of_large_spawns_change_nothing() {
    let set = SpawnSet::new("half of 64", &[(2, 1), (64, 1)], Opening::TwoSpawned);
    let problem = full_problem::<2, 3>(&set, Objective::Tile(256));
    let expected = table_bytes(&problem);
    let peak = solved(&problem).peak_bytes();
    let mut n_spilled = 0;
    for tenths in 5..=10 {
        let Ok(solution) = solve_within(&problem, peak * tenths / 5, Keep::Table) else {
            continue;
        };
        n_spilled += u32::from(solution.spilled_bytes() > 0);
        assert!(solution.peak_bytes() <= peak * tenths / 5);
        let mut bytes = Vec::new();
        solution
            .write_table(&mut bytes)
            .expect("memory can be written");
        assert!(bytes == expected);
    }
    assert!(n_spilled > 0);
}

#[test]
fn too_little_memory_is_said() {
    let error = solve_within(&mini(), 1000, Keep::Summary)
        .err()
        .expect("a layer does not fit in 1000 bytes");
    assert!(matches!(
        error,
        SolveError::Memory { needed_bytes, limit_bytes: 1000 } if needed_bytes > 1000
    ));
    let text = error.to_string();
    assert!(
        text.ends_with("MiB of memory are needed and 1 MiB allowed"),
        "{text}"
    );
}

#[test]
fn without_a_scratch_file_memory_has_to_do() {
    let resources = |max_bytes, stop, watch| Resources {
        max_bytes,
        scratch: None,
        stop,
        watch,
    };
    let go_on = AtomicBool::new(false);
    let watch: &mut dyn FnMut(Progress) = &mut |_| {};
    let peak = solved(&mini()).peak_bytes();
    let error = solve(&mini(), resources(peak, &go_on, watch), Keep::Table);
    assert!(matches!(error.err(), Some(SolveError::Memory { .. })));
}

#[test]
fn a_scratch_file_that_fails_is_said() {
    let refused = || Err(std::io::ErrorKind::StorageFull.into());
    let resources = Resources {
        max_bytes: solved(&mini()).peak_bytes(),
        scratch: Some(Box::new(refused)),
        stop: &AtomicBool::new(false),
        watch: &mut |_| {},
    };
    let error = solve(&mini(), resources, Keep::Table);
    assert!(matches!(error.err(), Some(SolveError::Scratch(_))));
}

/// Stopped while enumerating and while valuing.
#[test]
fn it_can_be_stopped() {
    let is_valuing = |progress| matches!(progress, Progress::Valuing { .. });
    for stops_at in [|_| true, is_valuing] {
        let stop = AtomicBool::new(false);
        let mut n_after = 0;
        let resources = Resources {
            max_bytes: u64::MAX,
            scratch: None,
            stop: &stop,
            watch: &mut |progress| {
                n_after += u64::from(stop.load(Ordering::Relaxed));
                stop.fetch_or(stops_at(progress), Ordering::Relaxed);
            },
        };
        let outcome = solve(&mini(), resources, Keep::Summary);
        assert!(matches!(outcome.err(), Some(SolveError::Stopped)));
        assert_eq!(n_after, 0, "nothing is done after the stop");
    }
}

#[test]
fn progress_comes_to_its_end() {
    let mut last = None;
    let resources = Resources {
        max_bytes: u64::MAX,
        scratch: None,
        stop: &AtomicBool::new(false),
        watch: &mut |progress| last = Some(progress),
    };
    let solution = solve(&mini(), resources, Keep::Summary).expect("nothing is in the way");
    let counts = solution.counts();
    let states = counts.playing.classes + counts.over.classes;
    assert_eq!(last, Some(Progress::Valuing { states, of: states }));
}

#[test]
fn problems_that_cannot_be_posed() {
    let posed = |weights: &[(i32, u32)], objective| {
        let set = SpawnSet::new("own", weights, Opening::TwoSpawned);
        Problem::new(MiniRules::on_grid(), &set, objective).map(|_| ())
    };
    let score = Objective::Score;
    assert_eq!(posed(&[(2, 1), (4, 1)], score), Ok(()));
    let large_spawn = |number, most, largest| {
        Err(ProblemError::LargeSpawn {
            number,
            most,
            largest,
        })
    };
    assert_eq!(
        posed(&[(2, 1), (8, 1)], score),
        large_spawn(8, 4, 1024),
        "the grid of the mini game has no larger tiles"
    );
    assert!(matches!(
        posed(&[(3, 1)], score),
        Err(ProblemError::Spawns(_))
    ));
    assert_eq!(posed(&[(2, 1)], Objective::Tile(1024)), Ok(()));
    let no_such_tile = |number| Err(ProblemError::NoSuchTile { number, most: 1024 });
    assert_eq!(posed(&[(2, 1)], Objective::Tile(2048)), no_such_tile(2048));
    assert_eq!(posed(&[(2, 1)], Objective::Tile(3)), no_such_tile(3));
    assert_eq!(posed(&[(2, 1)], Objective::Tile(0)), no_such_tile(0));
    let one = ClassicRules::<Nibbles<1, 1>>::on_grid();
    let set = SpawnSet::new("twos", &[(2, 1)], Opening::TwoSpawned);
    let outcome = Problem::new(one, &set, score).map(|_| ());
    assert_eq!(outcome, Err(ProblemError::NoRoom));
}

/// On the grid with all tiles, up to what merges to the largest of them.
#[test]
fn the_largest_spawns() {
    fn check<const R: usize, const C: usize>(most: i32)
    where
        FullNibbles<C, R>: ValueGrid,
    {
        let posed = |set: &SpawnSet, objective| {
            Problem::new(ClassicRules::<FullNibbles<R, C>>::on_grid(), set, objective).map(|_| ())
        };
        for opening in [Opening::TwoSpawned, Opening::TwoOf(2)] {
            let set = |number| SpawnSet::new("own", &[(2, 1), (number, 1)], opening);
            for number in (2..).map(|k| 1 << k).take_while(|&number| number <= most) {
                assert_eq!(posed(&set(number), Objective::Score), Ok(()));
                let made = number << (R * C - 1);
                assert_eq!(posed(&set(number), Objective::Tile(made)), Ok(()));
                let number_made = 2 * made;
                let error = ProblemError::NoSuchTile {
                    number: number_made,
                    most: made,
                };
                let outcome = posed(&set(number), Objective::Tile(number_made));
                assert_eq!(outcome, Err(error));
            }
            for number in [2 * most, 65_536] {
                let error = ProblemError::LargeSpawn {
                    number,
                    most,
                    largest: 32_768,
                };
                assert_eq!(posed(&set(number), Objective::Score), Err(error));
            }
        }
        let fixed = SpawnSet::new("own", &[(2, 1)], Opening::TwoOf(2 * most));
        assert!(matches!(
            posed(&fixed, Objective::Score),
            Err(ProblemError::LargeSpawn { .. })
        ));
    }
    check::<1, 2>(16_384);
    check::<2, 2>(4096);
    check::<2, 3>(1024);
    check::<2, 4>(256);
    check::<3, 3>(128);
}

#[test]
fn objectives_are_read_as_they_are_shown() {
    for text in ["score", "tile:2", "tile:1024"] {
        assert_eq!(
            text.parse::<Objective>().map(|it| it.to_string()),
            Ok(text.to_owned())
        );
    }
    for text in [
        "",
        "Score",
        "tile",
        "tile:",
        "tile:0",
        "tile:1",
        "tile:3",
        "tile:-2",
        "tile:+2",
        "tile:02",
        "tile:99999999999",
        "tile:2 ",
    ] {
        assert!(text.parse::<Objective>().is_err(), "{text}");
    }
}

/// A spawn and a slide lead to boards that a table knows, so that a game never
/// leaves it.
#[test]
fn a_table_knows_all_boards_of_a_game() {
    let table = crate::support::table(&mini());
    let rules = MiniRules::on_grid();
    let mut board: MiniBoard = "2 2 . . . . . . .".parse().expect("a board");
    let mut n_slides = 0;
    while let Some(values) = table.slide_values(board) {
        let best = (0..4)
            .filter(|&idx| values[idx].is_some())
            .max_by(|&a, &b| {
                values[a]
                    .partial_cmp(&values[b])
                    .expect("values are numbers")
            });
        let Some(best) = best else { break };
        let after = rules.afters(board)[best];
        if after.largest() >= 32 {
            break;
        }
        board = after.put(after.nth_empty(n_slides % after.n_empty()), 1);
        n_slides += 1;
    }
    assert!(
        n_slides >= 8,
        "32 takes at least 14 spawns of 2, {n_slides}"
    );
    assert!(table.slide_values(board).is_some());
}

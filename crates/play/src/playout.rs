//! Random games at full speed.

use core::ops::Range;

use afterstate_bitboard::{Board, Grid, LineStore};
use afterstate_rules::{Rules, Spawns};

use crate::draw::{Draw, GameRng, TileDraw, rng_of_seed};
use crate::game::{GameResult, Outcome};

/// Games in progress at once. Each step of a game waits for the look-ups of
/// the step before; those of another game fill the time. Chosen by the bench
/// `playouts`.
const LANES: usize = 4;

/// The 24 orders in which to try the four slides, two bits a slide.
const ORDERS: [u8; 24] = orders();

const fn orders() -> [u8; 24] {
    let mut orders = [0; 24];
    let mut found = 0;
    let mut packed: u16 = 0;
    while packed < 256 {
        let slides = [
            packed & 3,
            packed >> 2 & 3,
            packed >> 4 & 3,
            packed >> 6 & 3,
        ];
        let seen = 1 << slides[0] | 1 << slides[1] | 1 << slides[2] | 1 << slides[3];
        if seen == 15 {
            orders[found] = packed as u8;
            found += 1;
        }
        packed += 1;
    }
    orders
}

struct Lane<R: Rules> {
    index: u64,
    rng: GameRng,
    board: Board<R::Grid>,
    n_slides: u32,
    /// Sum of gains, or less the potential of all spawned tiles.
    points: i64,
}

enum Step {
    Playing,
    Ended(Outcome),
}

/// Plays the random games with these indices, each slide uniform among the
/// legal ones, and hands their results to `done` in the order in which they
/// end.
///
/// `seed_of` gives the seed of a game by its index; a game's result depends on
/// nothing else. The draws are not those of a game between [`crate::Spawner`]
/// and an agent: here one draw serves a whole ply.
///
/// *Range*: on a 64-bit classic board games are exact as long as they stay
/// below a tile sum of 65536, which random play does by a wide margin.
///
/// *Panics*: when a game by classic rules ended with a tile sum of two of the
/// largest tiles of its board, which do not merge there: its result could be
/// wrong.
pub fn random_playouts<R: Rules>(
    rules: R,
    spawns: &Spawns<R::Grid>,
    games: Range<u64>,
    seed_of: impl Fn(u64) -> u64,
    mut done: impl FnMut(u64, GameResult),
) {
    let tiles = TileDraw::new(spawns);
    let mut next = games.clone();
    let mut lanes: Vec<Lane<R>> = next
        .by_ref()
        .take(LANES)
        .map(|index| start::<R>(spawns, &tiles, index, seed_of(index)))
        .collect();
    while !lanes.is_empty() {
        let mut idx = 0;
        while idx < lanes.len() {
            match step(rules, &tiles, &mut lanes[idx]) {
                Step::Playing => idx += 1,
                Step::Ended(outcome) => {
                    let lane = &mut lanes[idx];
                    done(lane.index, result(lane, outcome));
                    match next.next() {
                        Some(index) => {
                            *lane = start::<R>(spawns, &tiles, index, seed_of(index));
                            idx += 1;
                        }
                        None => {
                            lanes.swap_remove(idx);
                        }
                    }
                }
            }
        }
    }
}

fn start<R: Rules>(spawns: &Spawns<R::Grid>, tiles: &TileDraw, index: u64, seed: u64) -> Lane<R> {
    let mut lane = Lane {
        index,
        rng: rng_of_seed(seed),
        board: Board::default(),
        n_slides: 0,
        points: 0,
    };
    for _ in 0..2 {
        let mut draw = Draw::new(&mut lane.rng);
        let cell = lane.board.nth_empty(draw.digit(lane.board.n_empty()));
        let kind = tiles.kind(&mut draw);
        let code = spawns.opening_code().unwrap_or(kind.code);
        lane.board = lane.board.put(cell, code);
    }
    if R::GAIN_IS_POTENTIAL {
        lane.points = -lane.board.potential();
    }
    lane
}

/// One ply: a random legal slide and a spawn.
///
/// After a vertical slide the board stays transposed: random play does not
/// care, and half of the transpositions are saved.
#[inline(always)]
fn step<R: Rules>(rules: R, tiles: &TileDraw, lane: &mut Lane<R>) -> Step {
    const { assert!(R::Grid::ROWS == R::Grid::COLS) };
    let mut draw = Draw::new(&mut lane.rng);
    let mut order = ORDERS[draw.digit(24) as usize % 24] as usize;
    let mut n_tried = 0;
    let (after, gain) = loop {
        let turned = lane
            .board
            .select(lane.board.symmetric_transpose(), order & 1 == 1);
        let lines = rules.rows().towards(order & 2 == 2);
        let after = turned.map_lines(|line| lines.after(line));
        if after != turned {
            let gain = if R::GAIN_IS_POTENTIAL {
                0
            } else {
                (0..R::Grid::ROWS)
                    .map(|row| lines.gain(turned.line(row)))
                    .sum()
            };
            break (after, gain);
        }
        // Trying the slides in a random order and taking the first legal one
        // is a uniform choice among the legal ones.
        n_tried += 1;
        if n_tried == 4 {
            return Step::Ended(Outcome::Over);
        }
        order >>= 2;
    };
    lane.n_slides += 1;
    if !R::GAIN_IS_POTENTIAL {
        lane.points += i64::from(gain);
        if rules.is_cleared(after) {
            lane.board = after;
            return Step::Ended(Outcome::Cleared);
        }
    }
    let cell = after.nth_empty(draw.digit(after.n_empty()));
    let kind = tiles.kind(&mut draw);
    if R::GAIN_IS_POTENTIAL {
        lane.points -= i64::from(kind.potential);
    }
    lane.board = after.put(cell, kind.code);
    Step::Playing
}

fn result<R: Rules>(lane: &Lane<R>, outcome: Outcome) -> GameResult {
    let largest = lane.board.largest();
    let of_board = if R::GAIN_IS_POTENTIAL {
        // The tile sum never falls, and before two tiles of the largest kind
        // could have met it is at least theirs. Far from there nothing is added.
        let top = R::Grid::number((R::Grid::CELL_KINDS - 1) as u8);
        assert!(
            largest < top / 16 || lane.board.tile_sum() < 2 * i64::from(top),
            "a game on this board stays below two tiles of {top}"
        );
        lane.board.potential()
    } else {
        0
    };
    GameResult {
        score: lane.points + of_board,
        largest,
        n_slides: lane.n_slides,
        outcome,
    }
}

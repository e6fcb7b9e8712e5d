use afterstate_bitboard::{Classic, Grid, Slide};
use afterstate_rules::{ClassicRules, Spawns, Status};

use super::excerpt::Excerpt;
use super::player::ContestPlayer;
use super::score::award;
use super::verdict::{Fault, Verdict};
use crate::draw::Spawned;
use crate::game::Game;
use crate::seed::game_seed;

/// What is left of one case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CaseResult {
    /// The largest tile when the game ended, by itself or by a fault.
    pub largest: i32,
    /// Number of legal slides made.
    pub n_slides: u32,
    /// Sum of all gains, in points. The award does not depend on it.
    pub score: i64,
    /// How the case ended.
    pub verdict: Verdict,
}

impl CaseResult {
    /// The award: 0 when a fault ended the case.
    pub fn award(&self) -> u32 {
        match self.verdict {
            Verdict::Ok => award(self.largest),
            Verdict::Fault { .. } => 0,
        }
    }
}

/// The seed of a case: a function of the grading's seed and the index of the
/// case, and not of the player, so that all players start alike.
///
/// *Range*: below 2^53, as [`game_seed`].
pub fn case_seed(grading_seed: u64, index: u64) -> u64 {
    game_seed(grading_seed, "contest", "grade", index)
}

/// Plays the case with this seed to its end or to the first fault.
///
/// `go_on` is asked before each slide and after a fault; `None` when it says
/// no. The player is told of the end only where the game ended by itself.
pub fn play_case(
    rules: ClassicRules,
    spawns: &Spawns<Classic>,
    seed: u64,
    player: &mut (impl ContestPlayer + ?Sized),
    go_on: &dyn Fn() -> bool,
) -> Option<CaseResult> {
    let mut game = Game::new(rules, spawns, seed);
    let [(r1, c1), (r2, c2)] = game.opening().map(row_and_col);
    player.init(r1, c1, r2, c2);
    let mut verdict = Verdict::Ok;
    while game.status() == Status::Playing {
        if !go_on() {
            return None;
        }
        match make_slide(&mut game, player) {
            Ok(spawned) => {
                let (row, col) = row_and_col(spawned);
                player.generate(row, col, Classic::number(spawned.code));
            }
            // A player that is being stopped commits faults it is not to blame for.
            Err(_) if !go_on() => return None,
            Err(fault) => {
                verdict = Verdict::Fault {
                    slide_number: game.n_slides() + 1,
                    fault,
                };
                break;
            }
        }
    }
    let largest = game.board().largest();
    if let Some(result) = game.result() {
        player.end(largest, result.score);
    }
    Some(CaseResult {
        largest,
        n_slides: game.n_slides(),
        score: game.score(),
        verdict,
    })
}

/// Asks for a slide and carries it out.
fn make_slide(
    game: &mut Game<ClassicRules>,
    player: &mut (impl ContestPlayer + ?Sized),
) -> Result<Spawned, Fault> {
    let answer = player.sliderequest()?;
    let slide = usize::try_from(answer)
        .ok()
        .and_then(|number| Slide::ALL.get(number.checked_sub(1)?).copied())
        .ok_or_else(|| Fault::OutOfRange {
            answer: Excerpt::new(answer.to_string().as_bytes()),
        })?;
    let ply = game.slide(slide).ok_or(Fault::IllegalSlide { slide })?;
    Ok(ply
        .spawned
        .expect("the contest's game is never cleared, so each slide is followed by a tile"))
}

fn row_and_col(tile: Spawned) -> (usize, usize) {
    (tile.cell / Classic::COLS, tile.cell % Classic::COLS)
}

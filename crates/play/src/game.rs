use afterstate_bitboard::{Board, Slide};
use afterstate_rules::{Rules, Spawns, Status};

use crate::agent::Agent;
use crate::draw::{Spawned, Spawner};
use crate::seed::agent_seed;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No slide was legal.
    Over,
    /// Akioi only: a 65536 was made.
    Cleared,
}

impl Outcome {
    /// The name used in files: `over` or `cleared`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Over => "over",
            Outcome::Cleared => "cleared",
        }
    }
}

/// What is left of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Sum of all gains, in points.
    pub score: i64,
    /// The largest number on the last board.
    pub largest: i32,
    /// Number of legal slides made.
    pub n_slides: u32,
    /// How it ended.
    pub outcome: Outcome,
}

/// What one slide of a game led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The slide.
    pub slide: Slide,
    /// Its gain, in points.
    pub gain: i32,
    /// The tile that appeared; `None` only where the slide cleared the game.
    pub spawned: Option<Spawned>,
}

/// One game with seeded spawns, slide by slide.
///
/// ```
/// use afterstate_bitboard::Slide;
/// use afterstate_play::Game;
/// use afterstate_rules::{ClassicRules, SpawnSet, Status};
///
/// let spawns = SpawnSet::STANDARD.on_grid()?;
/// let mut game = Game::new(ClassicRules::new(), &spawns, 7);
/// assert_eq!(game.board().n_empty(), 14);
/// while game.status() == Status::Playing {
///     let slide = game.legal_slides().next().expect("a slide is legal");
///     game.slide(slide).expect("a legal slide is carried out");
/// }
/// assert!(game.n_slides() > 10);
/// # Ok::<(), afterstate_rules::SpawnSetError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game<R: Rules> {
    rules: R,
    spawner: Spawner<R::Grid>,
    opening: [Spawned; 2],
    board: Board<R::Grid>,
    status: Status,
    score: i64,
    n_slides: u32,
    /// Potential of all tiles that spawned, in points.
    spawned_potential: i64,
}

impl<R: Rules> Game<R> {
    /// A game at its opening. The seed alone decides the opening and, with the
    /// slides made, every spawn.
    pub fn new(rules: R, spawns: &Spawns<R::Grid>, seed: u64) -> Game<R> {
        let mut spawner = Spawner::new(spawns, seed);
        let opening = spawner.opening();
        let mut board = Board::default();
        for tile in opening {
            board = board.put(tile.cell, tile.code);
        }
        Game {
            rules,
            spawner,
            opening,
            board,
            status: rules.status(board),
            score: 0,
            n_slides: 0,
            spawned_potential: board.potential(),
        }
    }

    /// The two tiles the game started with, in the order they appeared.
    pub fn opening(&self) -> [Spawned; 2] {
        self.opening
    }

    /// The board before the player's next slide, or the last one.
    pub fn board(&self) -> Board<R::Grid> {
        self.board
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Sum of gains so far, in points.
    pub fn score(&self) -> i64 {
        self.score
    }

    /// Number of legal slides made so far.
    pub fn n_slides(&self) -> u32 {
        self.n_slides
    }

    /// The slides that are legal now; none when the game has ended.
    pub fn legal_slides(&self) -> impl Iterator<Item = Slide> + use<'_, R> {
        Slide::ALL.into_iter().filter(|&slide| {
            self.status == Status::Playing && self.rules.after(self.board, slide) != self.board
        })
    }

    /// Carries out a slide and the spawn after it. `None` when the slide is not
    /// legal or the game has ended: nothing spawns and nothing is counted.
    pub fn slide(&mut self, slide: Slide) -> Option<Ply> {
        if self.status != Status::Playing {
            return None;
        }
        let after = self.rules.apply(self.board, slide)?;
        self.n_slides += 1;
        self.score += i64::from(after.gain);
        self.board = after.board;
        if self.rules.is_cleared(after.board) {
            self.status = Status::Cleared;
            return Some(Ply {
                slide,
                gain: after.gain,
                spawned: None,
            });
        }
        let spawned = self.spawner.spawn(after.board);
        self.board = after.board.put(spawned.cell, spawned.code);
        self.spawned_potential += Board::<R::Grid>::default()
            .put(spawned.cell, spawned.code)
            .potential();
        self.status = self.rules.status(self.board);
        Some(Ply {
            slide,
            gain: after.gain,
            spawned: Some(spawned),
        })
    }

    /// The result, once the game has ended.
    ///
    /// *Panics*: when the score is not the potential of the board less that of
    /// all spawned tiles, where the rules promise it: an error in this program
    /// that must not reach a result.
    pub fn result(&self) -> Option<GameResult> {
        let outcome = match self.status {
            Status::Playing => return None,
            Status::Over => Outcome::Over,
            Status::Cleared => Outcome::Cleared,
        };
        if R::GAIN_IS_POTENTIAL {
            assert_eq!(
                self.score,
                self.board.potential() - self.spawned_potential,
                "the score identity holds on {:?}",
                self.board
            );
        }
        Some(GameResult {
            score: self.score,
            largest: self.board.largest(),
            n_slides: self.n_slides,
            outcome,
        })
    }
}

/// Plays the game with this seed to its end, showing every ply to `watch`.
///
/// *Panics*: when the agent chooses a slide that is not legal.
pub fn play_game<R: Rules>(
    rules: R,
    spawns: &Spawns<R::Grid>,
    agent: &mut (impl Agent<R> + ?Sized),
    seed: u64,
    mut watch: impl FnMut(&Game<R>, Ply),
) -> GameResult {
    let mut game = Game::new(rules, spawns, seed);
    agent.start(agent_seed(seed));
    loop {
        if let Some(result) = game.result() {
            return result;
        }
        let slide = agent.choose(rules, game.board());
        let ply = game.slide(slide).expect("an agent chooses a legal slide");
        watch(&game, ply);
    }
}

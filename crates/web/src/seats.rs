//! Games in memory, each written through to the database.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use afterstate_arena::LiveGame;
use afterstate_rules::Variant;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::error::ApiError;
use crate::log;
use crate::session::TokenHash;
use crate::store::games::{self, Change, GameRow, Progress, StoredGame};
use crate::store::{Durability, Store};
use crate::table::{OFFERED, Step, letter, slide_of, status_name};

/// A game that somebody plays.
pub(crate) struct Seat {
    pub(crate) id: String,
    pub(crate) visitor: i64,
    pub(crate) owner: TokenHash,
    pub(crate) variant: Variant,
    /// `None` while a thinking thread has it, and after a fault.
    pub(crate) game: Option<LiveGame>,
    /// A letter for each slide.
    pub(crate) history: Vec<u8>,
    pub(crate) is_automatic: bool,
    pub(crate) is_undone: bool,
    /// Number of the result, once it is listed.
    pub(crate) record: Option<i64>,
    /// The visitor's record as it was when the game was taken up.
    pub(crate) best: Option<i64>,
    /// Memory and database may differ: the next one reads the game anew.
    is_stale: bool,
    last_used: u64,
}

impl Seat {
    /// The game, which is there whenever nobody else has the seat.
    pub(crate) fn game(&self) -> Result<&LiveGame, ApiError> {
        let game = self.game.as_ref();
        game.ok_or_else(|| ApiError::unavailable("the game is being read, try again"))
    }

    pub(crate) fn game_mut(&mut self) -> Result<&mut LiveGame, ApiError> {
        let game = self.game.as_mut();
        game.ok_or_else(|| ApiError::unavailable("the game is being read, try again"))
    }

    /// Writes down slides that were made.
    pub(crate) fn note(&mut self, steps: &[Step], is_automatic: bool) {
        let letters = steps.iter().map(|step| letter(step.slide, is_automatic));
        self.history.extend(letters);
        self.is_automatic |= is_automatic && !steps.is_empty();
    }

    /// How far the game is, as it is stored.
    pub(crate) fn progress(&self) -> Result<Progress, ApiError> {
        let game = self.game()?;
        Ok(Progress {
            n_slides: self.history.len(),
            score: game.score(),
            largest: game.largest(),
            status: status_name(game.status()),
            is_automatic: self.is_automatic,
            is_undone: self.is_undone,
        })
    }
}

/// A seat that nobody else has at the moment.
pub(crate) type Taken = OwnedMutexGuard<Seat>;

/// All games in memory.
pub(crate) struct Seats {
    seats: StdMutex<HashMap<String, Arc<Mutex<Seat>>>>,
    /// Held while a game is read, so that none is read twice at a time.
    reading: Mutex<()>,
    uses: AtomicU64,
    capacity: usize,
}

impl Seats {
    pub(crate) fn new(capacity: usize) -> Seats {
        Seats {
            seats: StdMutex::default(),
            reading: Mutex::new(()),
            uses: AtomicU64::new(0),
            capacity: capacity.max(8),
        }
    }

    /// Puts a new game into memory, after it was stored.
    pub(crate) fn add(&self, game: NewGame) {
        let seat = Seat {
            id: game.row.id.clone(),
            visitor: game.row.visitor,
            owner: game.owner,
            variant: game.variant,
            game: Some(game.game),
            history: Vec::new(),
            is_automatic: false,
            is_undone: false,
            record: None,
            best: game.best,
            is_stale: false,
            last_used: 0,
        };
        self.insert(game.row.id, seat);
    }

    fn insert(&self, id: String, mut seat: Seat) -> Arc<Mutex<Seat>> {
        seat.last_used = self.uses.fetch_add(1, Ordering::Relaxed);
        let seat = Arc::new(Mutex::new(seat));
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if seats.len() >= self.capacity {
            forget_some(&mut seats);
        }
        seats.insert(id, Arc::clone(&seat));
        seat
    }

    fn find(&self, id: &str) -> Option<Arc<Mutex<Seat>>> {
        let seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.get(id).map(Arc::clone)
    }

    /// Takes a game's seat for the browser that began it, from memory or from
    /// the database; waits while another request has it.
    pub(crate) async fn take(
        &self,
        store: &Store,
        id: &str,
        owner: Option<TokenHash>,
    ) -> Result<Taken, ApiError> {
        let owner = owner.ok_or_else(ApiError::no_game)?;
        loop {
            let seat = match self.find(id) {
                Some(seat) => seat,
                None => self.read(store, id).await?,
            };
            let mut taken = Arc::clone(&seat).lock_owned().await;
            if taken.is_stale || taken.game.is_none() {
                self.forget(&taken.id, &seat);
                continue;
            }
            if taken.owner != owner {
                return Err(ApiError::no_game());
            }
            taken.last_used = self.uses.fetch_add(1, Ordering::Relaxed);
            return Ok(taken);
        }
    }

    fn forget(&self, id: &str, seat: &Arc<Mutex<Seat>>) {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if seats.get(id).is_some_and(|known| Arc::ptr_eq(known, seat)) {
            seats.remove(id);
        }
    }

    async fn read(&self, store: &Store, id: &str) -> Result<Arc<Mutex<Seat>>, ApiError> {
        let _alone = self.reading.lock().await;
        if let Some(seat) = self.find(id) {
            return Ok(seat);
        }
        let wanted = id.to_owned();
        let found = store
            .run(Durability::Usual, move |connection| {
                let Some(stored) = games::game(connection, &wanted)? else {
                    return Ok(None);
                };
                let best = games::best(connection, stored.row.visitor, &stored.row.variant)?;
                Ok(Some((stored, best)))
            })
            .await?;
        let (stored, best) = found.ok_or_else(ApiError::no_game)?;
        let seat = seat_of(&stored, best)?;
        Ok(self.insert(id.to_owned(), seat))
    }
}

/// The game that was stored, played again to where it was.
fn seat_of(stored: &StoredGame, best: Option<i64>) -> Result<Seat, ApiError> {
    let damaged = || {
        log::fault("a stored game is not one by the rules");
        ApiError::unavailable("the game is damaged and cannot be read")
    };
    let row = &stored.row;
    let variant: Variant = row.variant.parse().map_err(|_| damaged())?;
    if !OFFERED.contains(&variant) {
        return Err(damaged());
    }
    let mut game = LiveGame::new(variant, row.seed);
    for &byte in stored.letters.as_bytes() {
        let (slide, _) = slide_of(byte).ok_or_else(damaged)?;
        game.slide(slide).ok_or_else(damaged)?;
    }
    if game.score() != row.progress.score || stored.letters.len() != row.progress.n_slides {
        return Err(damaged());
    }
    Ok(Seat {
        id: row.id.clone(),
        visitor: row.visitor,
        owner: stored
            .token_hash
            .as_slice()
            .try_into()
            .map_err(|_| damaged())?,
        variant,
        game: Some(game),
        history: stored.letters.clone().into_bytes(),
        is_automatic: row.progress.is_automatic,
        is_undone: row.progress.is_undone,
        record: stored.record,
        best,
        is_stale: false,
        last_used: 0,
    })
}

/// What it takes to put a new game into memory.
pub(crate) struct NewGame {
    pub(crate) row: GameRow,
    pub(crate) owner: TokenHash,
    pub(crate) variant: Variant,
    pub(crate) game: LiveGame,
    pub(crate) best: Option<i64>,
}

/// Forgets the eighth of the games that were asked for longest ago. Nothing is
/// lost: they are stored. Whoever has a seat keeps it.
fn forget_some(seats: &mut HashMap<String, Arc<Mutex<Seat>>>) {
    let mut idle: Vec<(u64, String)> = seats
        .iter()
        .filter(|(_, seat)| Arc::strong_count(seat) == 1)
        .filter_map(|(id, seat)| Some((seat.try_lock().ok()?.last_used, id.clone())))
        .collect();
    idle.sort_unstable();
    for (_, id) in idle.iter().take(seats.len() / 8 + 1) {
        seats.remove(id);
    }
}

/// Stores what was done at a seat since its history had `from` letters.
///
/// *Errors*: nothing was stored; the seat is then read anew by whoever comes
/// next.
pub(crate) async fn store_change(
    store: &Store,
    seat: &mut Seat,
    from: usize,
    now_ms: i64,
) -> Result<(), ApiError> {
    // Until it is known to be stored: this task may end at the wait.
    seat.is_stale = true;
    let change = Change {
        id: seat.id.clone(),
        visitor: seat.visitor,
        variant: seat.variant.name().to_owned(),
        progress: seat.progress()?,
        from,
        letters: Change::letters(&seat.history, from),
    };
    let is_there = store
        .run(Durability::Usual, move |connection| {
            games::change_game(connection, &change, now_ms)
        })
        .await?;
    if !is_there {
        return Err(ApiError::no_game());
    }
    seat.is_stale = false;
    Ok(())
}

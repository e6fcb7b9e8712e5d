//! Games in the database, and the record of each visitor.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::clock::DAY_MS;

/// Letters of slides in a row of the table.
const CHUNK: usize = 256;

/// How long a game is kept after its last slide, unless it is listed.
const KEPT_MS: i64 = 45 * DAY_MS;

/// How long a visitor who does not come is remembered: as long as browsers keep
/// the cookie.
const REMEMBERED_MS: i64 = 400 * DAY_MS;

/// A game as it is stored, without its slides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameRow {
    pub(crate) id: String,
    pub(crate) visitor: i64,
    pub(crate) variant: String,
    pub(crate) spawn_set: String,
    pub(crate) seed: u64,
    pub(crate) progress: Progress,
}

/// What changes in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) n_slides: usize,
    pub(crate) score: i64,
    pub(crate) largest: i32,
    pub(crate) status: &'static str,
    pub(crate) is_automatic: bool,
    pub(crate) is_undone: bool,
}

impl Progress {
    /// Whether the score may become the visitor's record.
    fn counts(&self) -> bool {
        !self.is_automatic && !self.is_undone
    }
}

/// A game that is read back.
#[derive(Debug, Clone)]
pub(crate) struct StoredGame {
    pub(crate) row: GameRow,
    pub(crate) token_hash: Vec<u8>,
    pub(crate) letters: String,
    pub(crate) record: Option<i64>,
}

/// The status of a stored text.
fn status_of(text: &str) -> &'static str {
    match text {
        "cleared" => "cleared",
        "over" => "over",
        _ => "playing",
    }
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        id: row.get("id")?,
        visitor: row.get("visitor")?,
        variant: row.get("variant")?,
        spawn_set: row.get("spawn_set")?,
        seed: row.get::<_, i64>("seed")?.unsigned_abs(),
        progress: Progress {
            n_slides: row.get::<_, i64>("n_slides")?.unsigned_abs() as usize,
            score: row.get("score")?,
            largest: row.get("largest")?,
            status: status_of(&row.get::<_, String>("status")?),
            is_automatic: row.get("is_automatic")?,
            is_undone: row.get("is_undone")?,
        },
    })
}

/// The visitor with this token, if there is one.
pub(crate) fn visitor_of(
    connection: &Connection,
    token_hash: &[u8],
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT id FROM visitors WHERE token_hash = ?1")?
        .query_row([token_hash], |row| row.get(0))
        .optional()
}

/// Adds a visitor.
pub(crate) fn add_visitor(
    connection: &Connection,
    token_hash: &[u8],
    now_ms: i64,
) -> rusqlite::Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO visitors (token_hash, created_at, seen_at) VALUES (?1, ?2, ?2)",
        )?
        .insert(params![token_hash, now_ms])
}

/// Stores a new game in place of the visitor's running game of the variant,
/// whose score is taken as the record if it is one.
pub(crate) fn add_game(
    connection: &Connection,
    game: &GameRow,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let running = running_games(connection, game.visitor)?;
    for old in running.iter().filter(|old| old.variant == game.variant) {
        settle_best(connection, old.visitor, &old.variant, &old.progress)?;
        connection
            .prepare_cached("DELETE FROM games WHERE id = ?1")?
            .execute([&old.id])?;
    }
    let progress = &game.progress;
    connection
        .prepare_cached(
            "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            game.id,
            game.visitor,
            game.variant,
            game.spawn_set,
            game.seed as i64,
            now_ms,
            progress.n_slides as i64,
            progress.score,
            progress.largest,
            progress.status,
            progress.is_automatic,
            progress.is_undone,
        ])?;
    see(connection, game.visitor, now_ms)
}

/// Notes that the visitor was here.
pub(super) fn see(connection: &Connection, visitor: i64, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE visitors SET seen_at = ?2 WHERE id = ?1 AND seen_at < ?2")?
        .execute([visitor, now_ms])?;
    Ok(())
}

/// What a slide, or several, or the undoing of one, made of a game.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) id: String,
    pub(crate) visitor: i64,
    pub(crate) variant: String,
    pub(crate) progress: Progress,
    /// The first slide that was not there before, or is not there any more.
    pub(crate) from: usize,
    /// The letters from the beginning of the chunk that `from` lies in.
    pub(crate) letters: String,
}

impl Change {
    /// The part of a game's letters that a change from `from` on has to store.
    pub(crate) fn letters(all: &[u8], from: usize) -> String {
        let start = from / CHUNK * CHUNK;
        all[start..].iter().map(|&byte| char::from(byte)).collect()
    }
}

/// Stores what became of a game; once it has ended, its score may be the record.
///
/// Returns whether the game is still there: another window may have begun a new
/// one in its place.
pub(crate) fn change_game(
    connection: &Connection,
    change: &Change,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let progress = &change.progress;
    let n_changed = connection
        .prepare_cached(
            "UPDATE games SET changed_at = ?2, n_slides = ?3, score = ?4, largest = ?5,
                status = ?6, is_automatic = ?7, is_undone = ?8 WHERE id = ?1",
        )?
        .execute(params![
            change.id,
            now_ms,
            progress.n_slides as i64,
            progress.score,
            progress.largest,
            progress.status,
            progress.is_automatic,
            progress.is_undone,
        ])?;
    if n_changed == 0 {
        return Ok(false);
    }
    store_letters(connection, change)?;
    if progress.status != "playing" {
        settle_best(connection, change.visitor, &change.variant, progress)?;
    }
    if progress.n_slides.is_multiple_of(CHUNK) || progress.status != "playing" {
        see(connection, change.visitor, now_ms)?;
    }
    Ok(true)
}

fn store_letters(connection: &Connection, change: &Change) -> rusqlite::Result<()> {
    let first = change.from / CHUNK;
    let mut put = connection.prepare_cached("INSERT OR REPLACE INTO slides VALUES (?1, ?2, ?3)")?;
    let mut next = first;
    for start in (0..change.letters.len()).step_by(CHUNK) {
        let end = (start + CHUNK).min(change.letters.len());
        put.execute(params![change.id, next as i64, &change.letters[start..end]])?;
        next += 1;
    }
    if change.progress.n_slides <= change.from {
        // Undone: what was after it goes.
        connection
            .prepare_cached("DELETE FROM slides WHERE game = ?1 AND chunk >= ?2")?
            .execute(params![change.id, next as i64])?;
    }
    Ok(())
}

/// Makes the score of a game the visitor's record if it is higher, and if the
/// game was played without the automatic mode and without undoing.
fn settle_best(
    connection: &Connection,
    visitor: i64,
    variant: &str,
    progress: &Progress,
) -> rusqlite::Result<()> {
    if progress.counts() && progress.n_slides > 0 {
        connection
            .prepare_cached(
                "INSERT INTO bests VALUES (?1, ?2, ?3) ON CONFLICT
                    DO UPDATE SET score = max(score, excluded.score)",
            )?
            .execute(params![visitor, variant, progress.score])?;
    }
    Ok(())
}

/// The visitor's record in a variant.
pub(crate) fn best(
    connection: &Connection,
    visitor: i64,
    variant: &str,
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT score FROM bests WHERE visitor = ?1 AND variant = ?2")?
        .query_row(params![visitor, variant], |row| row.get(0))
        .optional()
}

/// The game with this id and all of its slides.
pub(crate) fn game(connection: &Connection, id: &str) -> rusqlite::Result<Option<StoredGame>> {
    let found = connection
        .prepare_cached(
            "SELECT games.*, token_hash, (SELECT id FROM records WHERE game = games.id) AS record
                FROM games JOIN visitors ON visitors.id = games.visitor WHERE games.id = ?1",
        )?
        .query_row([id], |row| {
            Ok(StoredGame {
                row: row_of(row)?,
                token_hash: row.get("token_hash")?,
                letters: String::new(),
                record: row.get("record")?,
            })
        })
        .optional()?;
    let Some(mut game) = found else {
        return Ok(None);
    };
    let mut chunks =
        connection.prepare_cached("SELECT letters FROM slides WHERE game = ?1 ORDER BY chunk")?;
    let chunks = chunks.query_map([id], |row| row.get::<_, String>(0))?;
    for letters in chunks {
        game.letters += &letters?;
    }
    Ok(Some(game))
}

/// The visitor's games that have not ended.
pub(crate) fn running_games(
    connection: &Connection,
    visitor: i64,
) -> rusqlite::Result<Vec<GameRow>> {
    connection
        .prepare_cached("SELECT * FROM games WHERE visitor = ?1 AND status = 'playing'")?
        .query_map([visitor], row_of)?
        .collect()
}

/// The visitor's last game of each variant, running or not.
pub(crate) fn last_games(
    connection: &Connection,
    visitor: i64,
) -> rusqlite::Result<Vec<(String, String)>> {
    connection
        .prepare_cached(
            "SELECT variant, id, max(started_at) FROM games WHERE visitor = ?1 GROUP BY variant",
        )?
        .query_map([visitor], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The visitor's records in all variants.
pub(crate) fn bests(connection: &Connection, visitor: i64) -> rusqlite::Result<Vec<(String, i64)>> {
    connection
        .prepare_cached("SELECT variant, score FROM bests WHERE visitor = ?1")?
        .query_map([visitor], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Forgets what is too old to be kept.
pub(crate) fn sweep(connection: &Connection, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM records WHERE submitted_at <= ?1")?
        .execute([now_ms - KEPT_MS])?;
    connection
        .prepare_cached(
            "DELETE FROM games WHERE changed_at <= ?1
                AND NOT EXISTS (SELECT 1 FROM records WHERE game = games.id)",
        )?
        .execute([now_ms - KEPT_MS])?;
    connection
        .prepare_cached(
            "DELETE FROM visitors WHERE seen_at <= ?1
                AND NOT EXISTS (SELECT 1 FROM games WHERE visitor = visitors.id)",
        )?
        .execute([now_ms - REMEMBERED_MS])?;
    Ok(())
}

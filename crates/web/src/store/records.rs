//! The leaderboard.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::clock::DAY_MS;
use crate::store::{games, names};

/// How long a result is listed.
pub(crate) const LISTED_MS: i64 = 45 * DAY_MS;

/// How many results are listed.
const N_LISTED: i64 = 50;

/// A result of the leaderboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) id: i64,
    /// The player's name; `None` for the automatic mode.
    pub(crate) name: Option<String>,
    pub(crate) score: i64,
    pub(crate) largest: i32,
    pub(crate) n_slides: i64,
    pub(crate) submitted_at_ms: i64,
    /// Whether it is the asking visitor's.
    pub(crate) is_own: bool,
}

/// Why a game is not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SubmitRefusal {
    /// There is no such game any more.
    NoGame,
    /// It has not ended.
    Playing,
    /// A slide of it was undone.
    Undone,
    /// It is listed, or was: this is the result's number.
    Twice(i64),
    /// The visitor has no name yet.
    NoName,
}

/// Lists a visitor's game that has ended.
pub(crate) fn submit(
    connection: &Connection,
    visitor: i64,
    game: &str,
    now_ms: i64,
) -> rusqlite::Result<Result<i64, SubmitRefusal>> {
    let Some(stored) = games::game(connection, game)? else {
        return Ok(Err(SubmitRefusal::NoGame));
    };
    let progress = &stored.row.progress;
    if stored.row.visitor != visitor {
        return Ok(Err(SubmitRefusal::NoGame));
    }
    if let Some(record) = stored.record {
        return Ok(Err(SubmitRefusal::Twice(record)));
    }
    if progress.status == "playing" {
        return Ok(Err(SubmitRefusal::Playing));
    }
    if progress.is_undone {
        return Ok(Err(SubmitRefusal::Undone));
    }
    let name = names::name_of(connection, visitor)?.map(|named| named.name);
    let name = match progress.is_automatic {
        // Listed as the machine's, whoever looked on.
        true => None,
        false if name.is_none() => return Ok(Err(SubmitRefusal::NoName)),
        false => name,
    };
    games::see(connection, visitor, now_ms)?;
    let id = connection
        .prepare_cached(
            "INSERT INTO records (game, visitor, name, name_key, variant, score, largest,
                n_slides, is_automatic, submitted_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .insert(params![
            game,
            visitor,
            name,
            name.as_deref().map(names::key_of),
            stored.row.variant,
            progress.score,
            progress.largest,
            progress.n_slides as i64,
            progress.is_automatic,
            now_ms,
        ])?;
    Ok(Ok(id))
}

/// The results of a variant that are listed now, best first.
pub(crate) fn list(
    connection: &Connection,
    variant: &str,
    visitor: Option<i64>,
    now_ms: i64,
) -> rusqlite::Result<Vec<Record>> {
    connection
        .prepare_cached(
            "SELECT * FROM records WHERE variant = ?1 AND submitted_at > ?2
                ORDER BY score DESC, largest DESC, submitted_at, id LIMIT ?3",
        )?
        .query_map(params![variant, now_ms - LISTED_MS, N_LISTED], |row| {
            record_of(row, visitor)
        })?
        .collect()
}

fn record_of(row: &Row<'_>, visitor: Option<i64>) -> rusqlite::Result<Record> {
    Ok(Record {
        id: row.get("id")?,
        name: row.get("name")?,
        score: row.get("score")?,
        largest: row.get("largest")?,
        n_slides: row.get("n_slides")?,
        submitted_at_ms: row.get("submitted_at")?,
        is_own: visitor == Some(row.get::<_, i64>("visitor")?),
    })
}

/// The game of a result that is listed, or was not pushed off the end of the
/// list by age.
pub(crate) fn game_of(
    connection: &Connection,
    record: i64,
    now_ms: i64,
) -> rusqlite::Result<Option<games::StoredGame>> {
    let game: Option<String> = connection
        .prepare_cached("SELECT game FROM records WHERE id = ?1 AND submitted_at > ?2")?
        .query_row([record, now_ms - LISTED_MS], |row| row.get(0))
        .optional()?;
    match game {
        Some(game) => games::game(connection, &game),
        None => Ok(None),
    }
}

//! Names of players: who may take which.

use rusqlite::{Connection, OptionalExtension, params};

use crate::clock::DAY_MS;

/// How long a player keeps a name before taking another.
pub(crate) const FIXED_MS: i64 = 30 * DAY_MS;

/// How long the name of somebody who does not come any more stays taken: as
/// long as results are listed.
const HELD_MS: i64 = 45 * DAY_MS;

/// A visitor's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    /// When another one may be taken.
    pub(crate) fixed_until_ms: i64,
}

/// Why a name is not given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NameRefusal {
    /// Another browser has it.
    Taken,
    /// The visitor has one that is still fixed.
    Fixed {
        /// When another one may be taken.
        until_ms: i64,
    },
}

/// Whether a text can be a name: 2 to 14 letters, digits and underscores.
///
/// Letters are those of ASCII: among all of Unicode's there are many that look
/// alike, and names are there to tell players apart.
pub(crate) fn is_name(text: &str) -> bool {
    (2..=14).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// What makes two names the same.
pub(crate) fn key_of(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The visitor's name, if there is one.
pub(crate) fn name_of(connection: &Connection, visitor: i64) -> rusqlite::Result<Option<Named>> {
    let named = connection
        .prepare_cached("SELECT name, named_at FROM visitors WHERE id = ?1")?
        .query_row([visitor], |row| {
            let name: Option<String> = row.get(0)?;
            let named_at: Option<i64> = row.get(1)?;
            Ok(name.zip(named_at))
        })
        .optional()?
        .flatten();
    Ok(named.map(|(name, named_at)| Named {
        name,
        fixed_until_ms: named_at + FIXED_MS,
    }))
}

/// Gives the visitor a name that [`is_name`], if it may be had.
pub(crate) fn take_name(
    connection: &Connection,
    visitor: i64,
    name: &str,
    now_ms: i64,
) -> rusqlite::Result<Result<Named, NameRefusal>> {
    if let Some(old) = name_of(connection, visitor)? {
        if old.name == name {
            // The same again changes nothing, its term included.
            return Ok(Ok(old));
        }
        if now_ms < old.fixed_until_ms {
            return Ok(Err(NameRefusal::Fixed {
                until_ms: old.fixed_until_ms,
            }));
        }
    }
    let key = key_of(name);
    if is_held(connection, visitor, &key, now_ms)? {
        return Ok(Err(NameRefusal::Taken));
    }
    connection
        .prepare_cached(
            "UPDATE visitors SET name = NULL, name_key = NULL, named_at = NULL
                WHERE name_key = ?1 AND id <> ?2",
        )?
        .execute(params![key, visitor])?;
    connection
        .prepare_cached(
            "UPDATE visitors SET name = ?2, name_key = ?3, named_at = ?4, seen_at = ?4
                WHERE id = ?1",
        )?
        .execute(params![visitor, name, key, now_ms])?;
    Ok(Ok(Named {
        name: name.to_owned(),
        fixed_until_ms: now_ms + FIXED_MS,
    }))
}

/// Whether the name is another visitor's: by having it and having been here
/// lately, or by a result that is listed under it.
fn is_held(
    connection: &Connection,
    visitor: i64,
    key: &str,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM visitors
                    WHERE name_key = ?1 AND id <> ?2 AND seen_at > ?3)
                OR EXISTS (SELECT 1 FROM records
                    WHERE name_key = ?1 AND visitor <> ?2 AND submitted_at > ?3)",
        )?
        .query_row(params![key, visitor, now_ms - HELD_MS], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn names_are_2_to_14_letters_digits_and_underscores() {
        for name in ["ab", "A_", "__", "09", "abcdefghijklmn", "Zz_9"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            "a",
            "abcdefghijklmno",
            "a b",
            "a-b",
            "ab\n",
            " ab",
            "é2",
            "电脑",
            "а_cyrillic",
            "<b>",
            "a'b",
            "a\0b",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}

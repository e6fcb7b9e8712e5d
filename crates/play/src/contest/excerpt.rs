use core::fmt;

/// The most characters of a text that an excerpt shows.
const MAX_CHARS: usize = 40;

/// The beginning of something a player wrote, fit for one line of a report:
/// control characters, bytes that are no UTF-8 and invisible characters are
/// escaped, and a long text is cut.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Excerpt(String);

impl Excerpt {
    /// The excerpt of `bytes`.
    ///
    /// ```
    /// use afterstate_play::contest::Excerpt;
    ///
    /// assert_eq!(Excerpt::new(b"1 2\0").to_string(), "`1 2\\0`");
    /// assert_eq!(Excerpt::new(b"\xff3").to_string(), "`\\xff3`");
    /// assert_eq!(Excerpt::new(b"").to_string(), "an empty line");
    /// ```
    pub fn new(bytes: &[u8]) -> Excerpt {
        let mut shown = String::new();
        let mut n_chars = 0;
        for chunk in bytes.utf8_chunks() {
            for letter in chunk.valid().chars() {
                if n_chars == MAX_CHARS {
                    return Excerpt(shown + "…");
                }
                push_escaped(&mut shown, letter);
                n_chars += 1;
            }
            for byte in chunk.invalid() {
                if n_chars == MAX_CHARS {
                    return Excerpt(shown + "…");
                }
                shown.push_str(&format!("\\x{byte:02x}"));
                n_chars += 1;
            }
        }
        Excerpt(shown)
    }
}

fn push_escaped(shown: &mut String, letter: char) {
    match letter {
        // Quotes are told apart from the backticks around the excerpt.
        '\'' | '"' => shown.push(letter),
        // A byte order mark, which `escape_debug` takes for printable.
        '\u{feff}' => shown.extend(letter.escape_unicode()),
        _ => shown.extend(letter.escape_debug()),
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            f.write_str("an empty line")
        } else {
            write!(f, "`{}`", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;
    use proptest::prelude::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        let shown = |bytes: &[u8]| Excerpt::new(bytes).to_string();
        assert_eq!(shown(b"left"), "`left`");
        assert_eq!(shown(b"say \"3\""), "`say \"3\"`");
        assert_eq!(shown("左".as_bytes()), "`左`");
        assert_eq!(shown(b"\xef\xbb\xbf1"), "`\\u{feff}1`");
        assert_eq!(shown(b"\x1b[2J"), "`\\u{1b}[2J`");
        assert_eq!(shown(b"3\r4"), "`3\\r4`");
        assert_eq!(shown(b"\0"), "`\\0`");
        assert_eq!(shown(b"a\xffb"), "`a\\xffb`");
    }

    #[test]
    fn what_is_long_is_cut() {
        assert_eq!(
            Excerpt::new(&[b'a'; 40]).to_string(),
            format!("`{}`", "a".repeat(40))
        );
        assert_eq!(
            Excerpt::new(&[b'a'; 41]).to_string(),
            format!("`{}…`", "a".repeat(40))
        );
        assert_eq!(
            Excerpt::new(&[0xff; 41]).to_string(),
            format!("`{}…`", "\\xff".repeat(40))
        );
    }

    proptest! {
        #[test]
        fn an_excerpt_is_one_short_line(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let shown = Excerpt::new(&bytes).to_string();
            prop_assert!(!shown.chars().any(char::is_control));
            prop_assert!(shown.chars().count() <= 10 * 40 + 3);
        }
    }
}

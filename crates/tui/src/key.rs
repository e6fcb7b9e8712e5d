//! Keys as the game knows them, whatever terminal they come from.

use afterstate_bitboard::Slide;

/// A key, or what a terminal makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key that writes a character.
    Char(char),
    /// A character together with the control key, in lower case.
    Control(char),
    /// An arrow key.
    Arrow(Slide),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Backspace.
    Backspace,
    /// F1.
    Help,
}

/// What a key asks for while the board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// A slide.
    Slide(Slide),
    /// What would be best, and why.
    Hint,
    /// Starts or stops automatic play.
    Automatic,
    /// One slide of automatic play.
    Step,
    /// Automatic play, faster.
    Faster,
    /// Automatic play, slower.
    Slower,
    /// Takes the last slide back.
    Undo,
    /// A new game.
    Restart,
    /// What the keys do, and what the tiles are.
    Help,
    /// Ends the program; the game is kept.
    Quit,
    /// Away from whatever is going on.
    Escape,
    /// Draws the whole screen again.
    Redraw,
    /// Back to the shell for a while.
    Suspend,
}

impl Key {
    /// What the key asks for; `None` for a key without a meaning.
    ///
    /// Letters count in both cases, since a caps lock is no reason to refuse
    /// a slide.
    pub fn command(self) -> Option<Command> {
        Some(match self {
            Key::Arrow(slide) => Command::Slide(slide),
            Key::Char(letter) => return of_letter(letter.to_ascii_lowercase()),
            Key::Control('c' | 'd') => Command::Quit,
            Key::Control('l') => Command::Redraw,
            Key::Control('z') => Command::Suspend,
            Key::Control(_) | Key::Enter => return None,
            Key::Escape => Command::Escape,
            Key::Backspace => Command::Undo,
            Key::Help => Command::Help,
        })
    }
}

fn of_letter(letter: char) -> Option<Command> {
    Some(match letter {
        'w' | 'k' => Command::Slide(Slide::Up),
        'd' | 'l' => Command::Slide(Slide::Right),
        's' | 'j' => Command::Slide(Slide::Down),
        'a' | 'h' => Command::Slide(Slide::Left),
        't' => Command::Hint,
        ' ' | 'p' => Command::Automatic,
        '.' => Command::Step,
        '+' | '=' => Command::Faster,
        '-' => Command::Slower,
        'u' => Command::Undo,
        'r' => Command::Restart,
        '?' => Command::Help,
        'q' => Command::Quit,
        _ => return None,
    })
}

/// The keys of a line that somebody typed, for terminals that give whole lines.
///
/// An arrow key leaves its escape sequence there, in one of two forms, and is
/// understood. What is no character is left out.
pub fn keys_of_line(line: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = line.trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(letter) = rest.next() {
        if letter != '\u{1b}' {
            if !letter.is_control() {
                keys.push(Key::Char(letter));
            }
            continue;
        }
        let Some(_) = rest.next_if(|&next| next == '[' || next == 'O') else {
            keys.push(Key::Escape);
            continue;
        };
        let arrow = rest.next_if(|next| ('A'..='D').contains(next));
        keys.extend(arrow.and_then(arrow_key));
    }
    keys
}

fn arrow_key(final_letter: char) -> Option<Key> {
    Some(Key::Arrow(match final_letter {
        'A' => Slide::Up,
        'B' => Slide::Down,
        'C' => Slide::Right,
        'D' => Slide::Left,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_f59_three_sets_of_keys_slide() {
        for (slide, letters) in [
            (Slide::Up, "wkWK"),
            (Slide::Right, "dlDL"),
            (Slide::Down, "sjSJ"),
            (Slide::Left, "ahAH"),
        ] {
            let expected = Some(Command::Slide(slide));
            assert_eq!(Key::Arrow(slide).command(), expected);
            for letter in letters.chars() {
                assert_eq!(Key::Char(letter).command(), expected, "{letter}");
            }
        }
    }

    #[test]
    fn users_f59_arrow_keys_in_a_line_are_understood_in_both_forms() {
        let keys = keys_of_line("\u{1b}[A\u{1b}OBx\u{1b}\r\n");
        let expected = [
            Key::Arrow(Slide::Up),
            Key::Arrow(Slide::Down),
            Key::Char('x'),
            Key::Escape,
        ];
        assert_eq!(keys, expected);
        assert_eq!(keys_of_line("\u{1b}[Z\u{7}"), [Key::Char('Z')]);
        assert_eq!(keys_of_line("\u{1b}["), []);
    }

    #[test]
    fn keys_without_a_meaning_mean_nothing() {
        for key in [
            Key::Char('z'),
            Key::Char('é'),
            Key::Control('x'),
            Key::Enter,
        ] {
            assert_eq!(key.command(), None, "{key:?}");
        }
    }
}

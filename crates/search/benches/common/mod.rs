//! The boards that both benches of expectimax search.

/// Of the middle of a game, of its end, and of its start.
pub(crate) const CLASSIC: [&str; 3] = [
    "512 128 32 4 . 64 16 8 . 2 4 2 . . 2 .",
    "1024 512 64 4 256 32 16 2 8 4 8 16 2 16 4 .",
    ". . 2 . . . . . . 4 8 2 . . 2 .",
];
pub(crate) const AKIOI: [&str; 3] = [
    "512 128 32 4 . 64 16 x1 . 2 x2 2 . . 2 .",
    "1024 512 64 4 256 32 x1 2 8 x2 8 16 2 16 4 .",
    ". . 2 . . . . . . 4 8 x1 . . 2 .",
];
pub(crate) const MINI: [&str; 3] = [
    "64 16 4 2 8 . . 2 .",
    "128 64 8 4 32 2 2 8 .",
    "2 . . 8 2 . . . .",
];

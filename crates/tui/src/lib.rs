#![doc = include_str!("../README.md")]

mod app;
mod automatic;
mod event;
mod key;
mod layout;
mod panel;
mod play;
mod saved;
mod session;
mod speed;
mod store;
mod surface;
mod terminal;
mod text;
mod theme;
mod tile;
mod view;
mod words;
mod worker;

pub use app::{App, Hint, Intent, Mode, Seeds, Start};
pub use event::{Answer, Effect, Event, Question};
pub use key::{Command, Key, keys_of_line};
pub use play::{Config, PlayError, play};
pub use saved::{
    DamageError, Record, SavedGame, game_from_bytes, game_to_bytes, record_from_bytes,
    record_to_bytes,
};
pub use session::Ending;
pub use speed::Speed;
pub use store::{Found, Store, StoreError, default_folder};
pub use terminal::Screen;
pub use text::text;
pub use theme::{NoColor, Palette, Surroundings, Theme};
pub use tile::{AKIOI_TILES, TileName, below_label, label};
pub use view::{draw, has_room};

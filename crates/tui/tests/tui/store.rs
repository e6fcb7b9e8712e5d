use std::fs;
use std::path::Path;

use afterstate_arena::LiveGame;
use afterstate_rules::Variant;
use afterstate_tui::{App, Found, Start, Store, StoreError, game_to_bytes};

use crate::support::{app, press_all, start};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn open(folder: &Path, variant: Variant) -> (Store, Found) {
    Store::open(folder, variant).expect("the folder can be used")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

fn app_of(found: Found, variant: Variant) -> App {
    let start = Start {
        saved: found.saved,
        record: found.record,
        ..start(500)
    };
    App::new(variant, start)
}

#[test]
fn users_f52_game_and_record_survive_the_end_of_the_process() {
    let folder = folder();
    let place = folder.path().join("made/when/needed");
    for variant in Variant::ALL {
        let (mut store, found) = open(&place, variant);
        assert!(found.saved.is_none() && found.record.is_none());
        let mut app = app(variant, 3);
        press_all(&mut app, &"wasd".repeat(4));
        assert!(store.is_behind(&app));
        store.keep(&app).expect("the folder can be written");
        assert!(!store.is_behind(&app));
        // Nothing is said to the store when a process is killed.
        drop(store);

        let (mut store, found) = open(&place, variant);
        assert_eq!(found.complaints, Vec::<String>::new());
        let mut again = app_of(found, variant);
        assert_eq!(again.game().rows(), app.game().rows());
        assert_eq!(again.game().score(), app.game().score());
        // The same seed, and so the same spawns, as if nothing had happened.
        press_all(&mut app, "wasd");
        press_all(&mut again, "wasd");
        assert_eq!(again.game().rows(), app.game().rows());
        let best = again.best();
        press_all(&mut again, "ry");
        store.keep(&again).expect("the folder can be written");
        drop(store);

        let (_store, found) = open(&place, variant);
        assert_eq!(found.record, best);
        assert_eq!(found.saved.map(|saved| saved.game.slides().len()), Some(0));
    }
}

#[test]
fn a_game_with_help_is_one_with_help_when_it_goes_on() {
    let folder = folder();
    let (mut store, _) = open(folder.path(), Variant::Mini);
    let mut app = app(Variant::Mini, 3);
    press_all(&mut app, "wasduy");
    store.keep(&app).expect("the folder can be written");
    drop(store);
    let (_store, found) = open(folder.path(), Variant::Mini);
    assert!(app_of(found, Variant::Mini).is_cheated());
}

#[test]
fn a_damaged_file_is_kept_aside_and_named() {
    let whole = game_to_bytes(&LiveGame::new(Variant::Mini, 1), false);
    let whole = String::from_utf8(whole).expect("it is text");
    let spoiled = [
        (String::new(), "EOF"),
        (whole[..20].to_owned(), "EOF"),
        ("\0".repeat(100), "expected value"),
        (whole.replace("mini", "akioi"), "`akioi` is another game"),
        (
            whole.replace("\"version\":1", "\"version\":2"),
            "2, expected 1",
        ),
        (
            whole.replace("\"slides\":\"\"", "\"slides\":\"X\""),
            "`X` at 1, expected U, R, D or L",
        ),
        (
            whole.replace("\"slides\":\"\"", "\"slides\":\"UUUUUUUU\""),
            "is not legal there",
        ),
        (
            whole.replace("\"score\":0", "\"score\":4"),
            "4, but the slides make 0",
        ),
        (whole.replace("\"score\"", "\"scope\""), "unknown field"),
        (format!("{whole}{whole}"), "trailing"),
        (" ".repeat(2 << 20), "EOF"),
    ];
    for (bytes, why) in spoiled {
        let folder = folder();
        let path = folder.path().join("mini-game.json");
        fs::write(&path, &bytes).expect("the folder can be written");
        let (mut store, found) = open(folder.path(), Variant::Mini);
        assert!(found.saved.is_none(), "{why}");
        let [complaint] = &found.complaints[..] else {
            panic!("one complaint: {:?}", found.complaints);
        };
        assert!(complaint.contains(why), "{complaint}");
        assert!(
            complaint.contains("mini-game.damaged-1.json"),
            "{complaint}"
        );
        assert_eq!(complaint.lines().count(), 1);
        store
            .keep(&app(Variant::Mini, 1))
            .expect("the folder can be written");
        let aside = folder.path().join("mini-game.damaged-1.json");
        assert_eq!(fs::read(aside).expect("it is kept"), bytes.as_bytes());
    }
}

#[test]
fn damaged_files_do_not_take_the_place_of_one_another() {
    let folder = folder();
    for number in 1..=3 {
        for what in ["game", "record"] {
            let path = folder.path().join(format!("akioi-{what}.json"));
            fs::write(path, format!("{number}")).expect("the folder can be written");
        }
        let (_store, found) = open(folder.path(), Variant::Akioi);
        assert_eq!(found.complaints.len(), 2);
    }
    for number in 1..=3 {
        let path = folder
            .path()
            .join(format!("akioi-record.damaged-{number}.json"));
        assert_eq!(fs::read_to_string(path).ok(), Some(number.to_string()));
    }
}

#[test]
fn two_processes_cannot_play_one_game() {
    let folder = folder();
    let (store, _) = open(folder.path(), Variant::Classic);
    let error = Store::open(folder.path(), Variant::Classic).expect_err("it is in use");
    assert!(matches!(error, StoreError::InUse(..)));
    let message = error.to_string();
    assert!(
        message.contains("another process plays classic from here"),
        "{message}"
    );
    // Another variant is another game.
    let (_other, _) = open(folder.path(), Variant::Akioi);
    drop(store);
    let (_store, _) = open(folder.path(), Variant::Classic);
}

#[test]
fn folders_that_are_none_are_named() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("the folder can be written");
    for place in [file.clone(), file.join("below")] {
        let error = Store::open(&place, Variant::Mini).expect_err("it is no folder");
        let message = error.to_string();
        assert!(message.starts_with(&*place.to_string_lossy()), "{message}");
        assert!(message.contains("expected a folder"), "{message}");
    }
    // What is no plain file in the place of one is neither read nor removed.
    fs::create_dir(folder.path().join("mini-game.json")).expect("the folder can be written");
    let error = Store::open(folder.path(), Variant::Mini).expect_err("it is no file");
    assert!(error.to_string().contains("not a plain file"), "{error}");
}

#[test]
fn a_folder_that_is_removed_meanwhile_is_made_again() {
    let folder = folder();
    let place = folder.path().join("games");
    let (mut store, _) = open(&place, Variant::Mini);
    fs::remove_dir_all(&place).expect("the folder can be removed");
    store
        .keep(&app(Variant::Mini, 1))
        .expect("it is made again");
    assert_eq!(names(&place), ["mini-game.json"]);
}

/// As on a full disk: the write fails, and the file is as it was.
#[test]
fn a_game_that_cannot_be_kept_is_tried_again() {
    let folder = folder();
    let place = folder.path().join("games");
    let (mut store, _) = open(&place, Variant::Mini);
    let mut app = app(Variant::Mini, 1);
    store.keep(&app).expect("the folder can be written");
    // A file in the place of the folder.
    fs::rename(&place, folder.path().join("away")).expect("it can be moved");
    fs::write(&place, "").expect("the folder can be written");
    press_all(&mut app, "wasd");
    let error = store.keep(&app).expect_err("there is no folder");
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert!(store.is_behind(&app));
    fs::remove_file(&place).expect("it can be removed");
    fs::rename(folder.path().join("away"), &place).expect("it can be moved");
    store.keep(&app).expect("the folder can be written again");
    assert!(!store.is_behind(&app));
    drop(store);
    let (_store, found) = open(&place, Variant::Mini);
    let saved = found.saved.expect("the game is kept");
    assert_eq!(saved.game.rows(), app.game().rows());
}

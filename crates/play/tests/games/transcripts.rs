//! Transcripts: written, read and replayed; everything else is refused.

use afterstate_bitboard::{Board, Classic, Grid, Slide};
use afterstate_play::{
    Game, GameResult, GreedyAgent, Outcome, RandomAgent, ReplayError, Spawned, Transcript,
    TranscriptError, play_game,
};
use afterstate_rules::{ClassicRules, Opening, Rules, SpawnSet, Variant};
use proptest::prelude::{any, prop, proptest};

use crate::support::{Case, Check, akioi, classic, contest, for_all, mini, spawns};

/// A random game with its transcript.
fn recorded<R: Rules>(case: &Case<R>, seed: u64) -> (Transcript, GameResult) {
    let spawns = case.spawns();
    let opening = Game::new(case.rules, &spawns, seed).opening();
    let mut transcript = Transcript::new(case.variant, case.set.name(), seed, opening);
    let mut agent = RandomAgent::new(0);
    let result = play_game(case.rules, &spawns, &mut agent, seed, |_, ply| {
        transcript.push(ply);
    });
    (transcript, result)
}

fn replayed<R: Rules>(
    case: &Case<R>,
    transcript: &Transcript,
) -> Result<Option<GameResult>, ReplayError> {
    let replayed = transcript.replay(case.rules, &case.spawns(), |_, _| ());
    if let Err(error) = &replayed {
        assert_one_line(&error.to_string());
    }
    replayed
}

fn assert_one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains('\n'), "{message}");
    assert!(!message.ends_with('.'), "{message}");
}

fn read(bytes: &[u8]) -> Result<Transcript, TranscriptError> {
    let read = Transcript::from_bytes(bytes);
    if let Err(error) = &read {
        assert_one_line(&error.to_string());
    }
    read
}

/// A game is the same after being written, read and replayed, and the replay
/// shows the boards that the slides were made on.
struct RoundTrip;

impl Check for RoundTrip {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        for seed in 0..25 {
            let (transcript, result) = recorded(case, seed);
            let back = read(&transcript.to_bytes());
            assert_eq!(back.as_ref(), Ok(&transcript));
            assert_eq!(replayed(case, &transcript), Ok(Some(result)));
            assert_eq!(transcript.score, result.score);
            assert_eq!(transcript.plies.len(), result.n_slides as usize);

            let mut game = Game::new(case.rules, &case.spawns(), seed);
            let replayed = transcript.replay(case.rules, &case.spawns(), |board, slide| {
                assert_eq!(board, game.board());
                assert!(game.slide(slide).is_some());
            });
            assert_eq!(replayed.map(|_| game.result()), Ok(Some(result)));
        }
    }
}

#[test]
fn transcripts_replay_to_their_games() {
    for_all(&mut RoundTrip);
}

/// Of a transcript that stops early the replay says that the game goes on.
struct Unfinished;

impl Check for Unfinished {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let (whole, _) = recorded(case, 4);
        let spawns = case.spawns();
        let mut game = Game::new(case.rules, &spawns, 4);
        let opening = game.opening();
        let mut part = Transcript::new(case.variant, case.set.name(), 4, opening);
        for &(slide, _) in &whole.plies {
            assert_eq!(replayed(case, &part), Ok(None));
            assert_eq!(read(&part.to_bytes()).as_ref(), Ok(&part));
            part.push(game.slide(slide).expect("the slide was legal"));
        }
        assert_eq!(part, whole);
    }
}

#[test]
fn unfinished_games_have_no_result() {
    for_all(&mut Unfinished);
}

/// Every alteration of a single byte, and every cut, is found.
#[test]
fn altered_bytes_are_refused() {
    let mut draws = [
        recorded(&mini(), 3).0,
        recorded(&akioi(SpawnSet::GUIDE), 3).0,
    ];
    for transcript in &mut draws {
        transcript.plies.truncate(40);
        let bytes = transcript.to_bytes();
        assert_eq!(read(&bytes).as_ref(), Ok(&*transcript));
        for at in 0..bytes.len() {
            for flip in 1..=255 {
                let mut altered = bytes.clone();
                altered[at] ^= flip;
                let refused = Transcript::from_bytes(&altered);
                let kind = if at < 8 {
                    TranscriptError::Magic
                } else {
                    TranscriptError::Checksum
                };
                assert_eq!(refused, Err(kind), "byte {at} ^ {flip}");
            }
            assert!(read(&bytes[..at]).is_err(), "cut to {at} bytes");
        }
        for more in 0..=255 {
            let longer = [&bytes[..], &[more]].concat();
            assert_eq!(read(&longer), Err(TranscriptError::Checksum));
        }
    }
}

/// Bytes with the magic word before and the right checksum behind them, so
/// that what is between is looked at.
fn sealed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"aftran01".to_vec();
    bytes.extend(payload);
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    for &byte in &bytes {
        sum ^= u64::from(byte);
        sum = sum.wrapping_mul(0x0100_0000_01b3);
    }
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The bytes between magic word and checksum.
fn payload(transcript: &Transcript) -> Vec<u8> {
    let bytes = transcript.to_bytes();
    bytes[8..bytes.len() - 8].to_vec()
}

/// What is read can be written and read again, and replayed without a panic,
/// whatever it says.
fn assert_harmless(bytes: &[u8]) {
    if let Ok(transcript) = read(bytes) {
        let again = read(&transcript.to_bytes());
        assert_eq!(again.as_ref(), Ok(&transcript));
        // Outcomes do not matter here; ends without a panic do.
        let _ = replayed(&classic(), &transcript);
        let _ = replayed(&contest(), &transcript);
        let _ = replayed(&akioi(SpawnSet::GUIDE), &transcript);
        let _ = replayed(&mini(), &transcript);
    }
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_harmless(&bytes);
        assert_harmless(&sealed(&bytes));
    }

    /// Right checksums and a few wrong bytes: most are read, and none panics.
    #[test]
    fn no_altered_payload_causes_a_panic(
        seed in 0..20_u64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = payload(&recorded(&akioi(SpawnSet::GUIDE), seed).0);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        assert_harmless(&sealed(&bytes));
    }
}

/// Fields that no game can have, behind a right checksum.
#[test]
fn impossible_fields_are_refused() {
    let (transcript, _) = recorded(&mini(), 1);
    let good = payload(&transcript);
    assert_eq!(read(&sealed(&good)).as_ref(), Ok(&transcript));

    // The name of the variant comes first, its length before it.
    assert_eq!(&good[..5], b"\x04mini");
    let mut other = good.clone();
    other[1..5].copy_from_slice(b"mino");
    let field = |field| Err(TranscriptError::Field { field });
    assert_eq!(read(&sealed(&other)), field("variant"));

    let longer = [&good[..], &[0]].concat();
    assert_eq!(read(&sealed(&longer)), field("payload"));
    for length in 0..good.len() {
        assert_eq!(read(&sealed(&good[..length])), field("payload"));
    }

    // A string of 2^63 bytes, of which there is nothing: refused, not allocated.
    let huge = [&[253][..], &(1_u64 << 63).to_le_bytes(), &good[5..]].concat();
    assert_eq!(read(&sealed(&huge)), field("payload"));

    let mut magic = transcript.to_bytes();
    magic[7] = b'2';
    assert_eq!(read(&magic), Err(TranscriptError::Magic));
    assert_eq!(read(b""), Err(TranscriptError::Magic));
    assert_eq!(read(b"aftran01"), Err(TranscriptError::Checksum));
}

/// A ply whose unused bits are set is not one of ours.
#[test]
fn plies_have_one_form() {
    let opening = [Spawned { cell: 0, code: 1 }, Spawned { cell: 1, code: 1 }];
    let mut transcript = Transcript::new(Variant::Mini, "standard", 1, opening);
    transcript.plies = vec![(Slide::Left, None)];
    let good = payload(&transcript);
    // Variant, set, seed and opening, the number of plies, the ply, the score.
    let at = good.len() - 2;
    assert_eq!(good[at - 1..], [1, 3, 0]);
    for packed in 0..=250 {
        let mut other = good.clone();
        other[at] = packed;
        let back = read(&sealed(&other));
        // Without a spawned tile only the two bits of the slide may be set.
        let is_form = packed & 4 != 0 || packed < 4;
        assert_eq!(back.is_ok(), is_form, "{packed}");
    }
}

/// The longest game that there can be is written and read.
#[test]
fn the_longest_game_fits() {
    let opening = [Spawned { cell: 0, code: 1 }, Spawned { cell: 1, code: 1 }];
    let mut transcript = Transcript::new(Variant::Classic, "standard", u64::MAX, opening);
    let spawned = Some(Spawned { cell: 15, code: 2 });
    transcript.plies = vec![(Slide::Left, spawned); 131_052];
    transcript.score = 3_932_100;
    assert_eq!(read(&transcript.to_bytes()).as_ref(), Ok(&transcript));
    transcript.plies = vec![(Slide::Left, spawned); 131_073];
    let refused = read(&transcript.to_bytes());
    assert_eq!(refused, Err(TranscriptError::Field { field: "plies" }));
}

/// A recorded game of each kind to be spoiled: with its case and its plies.
fn spoiled<R: Rules>(
    case: &Case<R>,
    spoil: impl FnOnce(&mut Transcript),
) -> Result<Option<GameResult>, ReplayError> {
    let (mut transcript, _) = recorded(case, 8);
    spoil(&mut transcript);
    replayed(case, &transcript)
}

/// The boards before each slide, and the one after the last.
fn boards<R: Rules>(case: &Case<R>, transcript: &Transcript) -> Vec<Board<R::Grid>> {
    let mut boards = Vec::new();
    let replayed = transcript.replay(case.rules, &case.spawns(), |board, _| boards.push(board));
    assert!(replayed.is_ok());
    boards
}

/// Each thing that no game does is found where it is.
struct Refusals;

impl Check for Refusals {
    fn check<R: Rules>(&mut self, case: &Case<R>) {
        let (transcript, _) = recorded(case, 8);
        let boards = boards(case, &transcript);
        let n_plies = transcript.plies.len();

        // An illegal slide in place of one that was made, where there is one.
        let (at, illegal) = boards
            .iter()
            .enumerate()
            .find_map(|(at, &board)| {
                let illegal = |slide: &Slide| case.rules.after(board, *slide) == board;
                Slide::ALL
                    .into_iter()
                    .find(illegal)
                    .map(|slide| (at, slide))
            })
            .expect("a game has a board with an illegal slide");
        let refused = spoiled(case, |transcript| transcript.plies[at].0 = illegal);
        let expected = ReplayError::Slide {
            ply: at + 1,
            slide: illegal,
        };
        assert_eq!(refused, Err(expected));

        // A tile on an occupied cell, on no cell, and tiles that do not spawn.
        for ply in [1, n_plies / 2, n_plies] {
            let tile = transcript.plies[ply - 1]
                .1
                .expect("no game here is cleared");
            let after = case
                .rules
                .after(boards[ply - 1], transcript.plies[ply - 1].0);
            let full = (0..R::Grid::CELLS).find(|&cell| after.cell(cell) != 0);
            let full = full.expect("a board has a tile");
            for cell in [full, R::Grid::CELLS, 15, usize::MAX] {
                if after.cell(cell.min(R::Grid::CELLS - 1)) == 0 && cell < R::Grid::CELLS {
                    continue;
                }
                let refused = refused_spawn(case, ply, Spawned { cell, ..tile });
                assert!(refused, "ply {ply} cell {cell}");
            }
            for code in (0..=255).filter(|&code| !may_spawn(case, code)) {
                let refused = refused_spawn(case, ply, Spawned { code, ..tile });
                assert!(refused, "ply {ply} code {code}");
            }
        }

        // A missing tile.
        for ply in [1, n_plies] {
            let refused = spoiled(case, |transcript| transcript.plies[ply - 1].1 = None);
            assert_eq!(refused, Err(ReplayError::SpawnCount { ply }));
        }

        // A slide after the end.
        for slide in Slide::ALL {
            let refused = spoiled(case, |transcript| transcript.plies.push((slide, None)));
            assert_eq!(refused, Err(ReplayError::Ended { ply: n_plies + 1 }));
        }

        // Another score.
        for off in [-4, -1, 1, 4, i64::MIN] {
            let written = transcript.score.wrapping_add(off);
            let refused = spoiled(case, |transcript| transcript.score = written);
            let replayed = transcript.score;
            assert_eq!(refused, Err(ReplayError::Score { written, replayed }));
        }

        // Openings: both tiles in one cell, outside, of another kind.
        for (cell, code) in [
            (transcript.opening[0].cell, transcript.opening[1].code),
            (R::Grid::CELLS, transcript.opening[1].code),
            (transcript.opening[1].cell, 9),
            (transcript.opening[1].cell, 0),
        ] {
            let refused = spoiled(case, |transcript| {
                transcript.opening[1] = Spawned { cell, code };
            });
            assert!(
                matches!(refused, Err(ReplayError::Spawn { ply: 0, .. })),
                "{refused:?}"
            );
        }
    }
}

fn may_spawn<R: Rules>(case: &Case<R>, code: u8) -> bool {
    case.spawns().kinds().iter().any(|kind| kind.code == code)
}

fn refused_spawn<R: Rules>(case: &Case<R>, ply: usize, tile: Spawned) -> bool {
    let refused = spoiled(case, |transcript| transcript.plies[ply - 1].1 = Some(tile));
    matches!(refused, Err(ReplayError::Spawn { ply: at, .. }) if at == ply)
}

#[test]
fn what_no_game_does_is_refused() {
    for_all(&mut Refusals);
}

/// The contest starts with two 2s, though 4s spawn.
#[test]
fn a_contest_opens_with_twos() {
    let refused = spoiled(&contest(), |transcript| transcript.opening[0].code = 2);
    assert!(
        matches!(refused, Err(ReplayError::Spawn { ply: 0, .. })),
        "{refused:?}"
    );
}

/// An akioi game that is won in fourteen slides: a 4 in the corner, and beside
/// it a ×2 after every slide.
fn cleared_transcript() -> Transcript {
    let (four, times_2) = (5, 2);
    let beside = Spawned {
        cell: 1,
        code: times_2,
    };
    let opening = [
        Spawned {
            cell: 0,
            code: four,
        },
        beside,
    ];
    let mut transcript = Transcript::new(Variant::Akioi, "guide", 0, opening);
    let mut tile = 4;
    while tile < 65_536 {
        tile *= 2;
        transcript.score += tile;
        let spawned = (tile < 65_536).then_some(beside);
        transcript.plies.push((Slide::Left, spawned));
    }
    transcript
}

#[test]
fn a_cleared_game_ends_without_a_spawn() {
    for set in [SpawnSet::GUIDE, SpawnSet::LIVE] {
        let case = akioi(set);
        let transcript = cleared_transcript();
        let result = GameResult {
            score: 131_064,
            largest: 65_536,
            n_slides: 14,
            outcome: Outcome::Cleared,
        };
        assert_eq!(replayed(&case, &transcript), Ok(Some(result)));
        let back = read(&transcript.to_bytes()).expect("its own bytes");
        assert_eq!(replayed(&case, &back), Ok(Some(result)));

        let mut more = transcript.clone();
        more.plies[13].1 = Some(Spawned { cell: 5, code: 4 });
        assert_eq!(
            replayed(&case, &more),
            Err(ReplayError::SpawnCount { ply: 14 })
        );

        let mut longer = transcript.clone();
        longer.plies.push((Slide::Right, None));
        assert_eq!(
            replayed(&case, &longer),
            Err(ReplayError::Ended { ply: 15 })
        );
    }
}

/// 32768 + 32768 and 65536 + 65536 through a transcript, with spawns that bring
/// such tiles into a game.
#[test]
fn the_largest_merges_replay_exactly() {
    let set = SpawnSet::new("large", &[(32_768, 1), (65_536, 1)], Opening::TwoOf(32_768));
    let spawns = spawns::<Classic>(&set);
    let code = |number| Classic::code(number).expect("a classic tile");
    let opening = [0, 1].map(|cell| Spawned {
        cell,
        code: code(32_768),
    });
    let mut transcript = Transcript::new(Variant::Classic, set.name(), 0, opening);
    let beside = Spawned {
        cell: 1,
        code: code(65_536),
    };
    transcript.plies = vec![(Slide::Left, Some(beside)), (Slide::Left, Some(beside))];
    transcript.score = 65_536 + 131_072;
    let transcript = read(&transcript.to_bytes()).expect("its own bytes");
    let mut last = None;
    let rules = ClassicRules::new();
    let replayed = transcript.replay(rules, &spawns, |board, _| last = Some(board));
    assert_eq!(replayed, Ok(None), "right in score, and not over");
    let before = last.expect("two slides");
    assert_eq!(before.to_rows()[0], [65_536, 65_536, 0, 0]);
    let after = rules.apply(before, Slide::Left).expect("a merge");
    assert_eq!(after.board.to_rows()[0], [131_072, 0, 0, 0]);
    assert_eq!(after.board.to_string().parse(), Ok(after.board));
}

/// An agent other than the random one leaves transcripts as well.
#[test]
fn greedy_games_replay() {
    let case = classic();
    let spawns = case.spawns();
    let opening = Game::new(case.rules, &spawns, 2).opening();
    let mut transcript = Transcript::new(case.variant, case.set.name(), 2, opening);
    let result = play_game(case.rules, &spawns, &mut GreedyAgent, 2, |_, ply| {
        transcript.push(ply);
    });
    assert_eq!(replayed(&case, &transcript), Ok(Some(result)));
}

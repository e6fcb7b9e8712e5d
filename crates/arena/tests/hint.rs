//! Boards that people type, and what agents say of them.

use std::time::Instant;

use afterstate_arena::{AgentSpec, Shared, hint, parse_board};
use afterstate_bitboard::{Akioi, Board, Classic, Mini, Slide};
use afterstate_rules::{Status, Variant};
use afterstate_search::SlideValues;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

/// The message for an input that is no classic board.
fn message(input: &[u8]) -> String {
    match parse_board::<Classic>(input) {
        Ok(board) => panic!("{board:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn all_notations_are_the_same_board() {
    let rows = "16 512 2 .\n64 256 . 2\n16 128 . .\n8 4 . .";
    let board: Board<Classic> = rows.parse().expect("a board");
    for input in [
        rows.replace('\n', "\r\n") + "\r\n",
        rows.replace('\n', " ") + "\n",
        rows.replace('.', "_"),
        format!("\n\n{rows}\n\n"),
        "[[16,512,2,0],[64,256,0,2],[16,128,0,0],[8,4,0,0]]".to_owned(),
        " [\r\n [16, 512, 2, 0],\r\n [64, 256, 0, 2],\n[16,128,0,0],[8,4,0,0]\n]\n".to_owned(),
        r#"{"id": [1], "board": [[16,512,2,0],[64,256,0,2],[16,128,0,0],[8,4,0,0]]}"#.to_owned(),
    ] {
        assert_eq!(parse_board(input.as_bytes()), Ok(board), "{input}");
    }
    let multipliers = parse_board::<Akioi>("x1 ×2 x4 . ".repeat(4).as_bytes());
    let same = b"[[-1,-2,-4,0],[-1,-2,-4,0],[-1,-2,-4,0],[-1,-2,-4,0]]";
    assert!(multipliers.is_ok());
    assert_eq!(parse_board(same), multipliers);
}

#[test]
fn errors_say_where() {
    let no_tile = "is not a tile, expected 0 or a power of two from 2 to 131072";
    for (input, expected) in [
        (
            "[[2,0,0,0],\n[0,0,0,0],\n[0 0,0,0]]",
            "line 3, column 4: not JSON: expected `,` or `]`",
        ),
        (
            "{\n\"board\": [[2,0]",
            "line 2, column 16: not JSON: EOF while parsing a list",
        ),
        (
            "{\"rows\": []}",
            "no field `board`, expected {\"board\": [[…], …]}",
        ),
        (
            "{\"board\": 1, \"board\": 1}",
            "the field `board` is given twice, expected once",
        ),
        (
            "{\"board\": null}",
            "`null` is not a board, expected an array of rows",
        ),
        (
            "[2, 4]",
            "row 1: `2` is not a row, expected an array of numbers",
        ),
        ("[[2]]", "1 row, expected 4"),
    ] {
        assert_eq!(message(input.as_bytes()), expected, "{input}");
    }
    assert_eq!(
        message(b"[[2,0,0,0],[0,0,65537,0],[0,0,0,0],[0,0,0,0]]"),
        format!("row 2, column 3: `65537` {no_tile}")
    );
    assert_eq!(
        message(b"2 4\n\xff"),
        "line 2, column 1: byte 0xff is not UTF-8 text"
    );
}

/// What `agent` says of a mini board.
fn mini(agent: &str, board: &str) -> afterstate_arena::Hint {
    let spec = AgentSpec::parse(agent, Variant::Mini).expect("an agent");
    hint(&Shared::default(), Variant::Mini, &spec, board.as_bytes()).expect("a board")
}

#[test]
fn agents_value_slides_by_what_they_choose_by() {
    // 2+2 by up or down; right changes nothing in the other columns.
    let board = "2 . .\n2 . .\n8 . .";
    let greedy = mini("greedy", board);
    assert_eq!(
        greedy.values.values,
        [Some(4.0), Some(0.0), Some(4.0), None]
    );
    assert_eq!(greedy.slide(), Some(Slide::Up));
    assert_eq!(greedy.board, board);
    assert_eq!(greedy.status, Status::Playing);
    let random = mini("random", board);
    let third = Some(1.0 / 3.0);
    assert_eq!(random.values.values, [third, third, third, None]);
    let searched = mini("heuristic:depth=2", board);
    assert_eq!(searched.values.of(Slide::Left), None);
    assert_eq!(searched.values.values.iter().flatten().count(), 3);
    assert_ne!(searched.values, mini("heuristic:depth=1", board).values);
}

/// What `agent` says of a board of `variant`.
fn values(agent: &str, variant: Variant, board: &str) -> SlideValues {
    let spec = AgentSpec::parse(agent, variant).expect("an agent");
    let hint = hint(&Shared::default(), variant, &spec, board.as_bytes());
    hint.expect("a board").values
}

/// A budget in nodes is deterministic, and its values are those of the deepest
/// search that it allows; a depth beside it caps that.
#[test]
fn budgets_deepen_ply_by_ply() {
    let board = "16 512 2 .\n64 256 . 2\n16 128 . .\n8 4 . .";
    let of = |agent: &str| values(agent, Variant::Classic, board);
    for depth in 1..=3 {
        let exact = of(&format!("heuristic:depth={depth}"));
        assert_eq!(of(&format!("heuristic:depth={depth},nodes=1000000")), exact);
        assert_eq!(of(&format!("heuristic:depth={depth},ms=60000")), exact);
    }
    let shallow = of("heuristic:depth=1");
    assert_eq!(
        of("heuristic:nodes=1"),
        shallow,
        "depth 1 is always finished"
    );
    let middle = of("heuristic:nodes=2000");
    assert_eq!(middle, of("heuristic:nodes=2000"));
    assert_eq!(middle, of("heuristic:depth=2"));
}

/// The time is kept, however deep the search could go, and some slide is named.
#[test]
fn a_time_limit_is_kept() {
    let board = "2 . . .\n. . . .\n. . . .\n. . . 2";
    for (limit, variant) in [(1, Variant::Classic), (30, Variant::Akioi)] {
        let spec = AgentSpec::parse(&format!("heuristic:ms={limit}"), variant).expect("an agent");
        let shared = Shared::default();
        // The tables of the first hint are not part of the time.
        hint(&shared, variant, &spec, board.as_bytes()).expect("a board");
        let begun = Instant::now();
        let answer = hint(&shared, variant, &spec, board.as_bytes()).expect("a board");
        let took_ms = begun.elapsed().as_millis();
        assert!((limit..limit + 2000).contains(&took_ms), "{took_ms} ms");
        assert!(answer.slide().is_some());
    }
}

/// Between two slides that are as good by the objective the heuristic decides;
/// else the objective does.
#[test]
fn objectives_decide() {
    use Slide::{Down, Left, Right, Up};
    // To the left and right two 64s meet; up and down four pairs of 8s and 16s.
    let board = "64 64 2 4\n8 16 8 16\n8 16 8 16\n2 4 32 2";
    for (agent, decides) in [
        ("heuristic:depth=1,objective=largest", true),
        ("heuristic:depth=1", false),
    ] {
        let values = values(agent, Variant::Classic, board);
        let of = |slide| values.of(slide).expect("every slide is legal");
        let lead = of(Left).max(of(Right)) - of(Up).max(of(Down));
        assert_eq!(lead > 100_000.0, decides, "{agent}: {values:?}");
    }
    // Two 32768s below each other, and gains to the left and right.
    let board = "32768 8192 8192 .\n32768 4096 4096 .\n2 . . .\n. . . .";
    let clear = values("heuristic:depth=1,objective=clear", Variant::Akioi, board);
    assert!(matches!(clear.best(), Some(Up | Down)), "{clear:?}");
    for slide in Slide::ALL {
        let value = clear.of(slide).expect("every slide is legal");
        let clears = matches!(slide, Up | Down);
        assert_eq!(value > 9e6, clears, "{slide} {value}");
        assert_eq!(value > 1e6, clears, "{slide} {value}");
    }
}

#[test]
fn nothing_is_recommended_when_the_game_has_ended() {
    for agent in ["random", "greedy", "default"] {
        let over = mini(agent, "2 4 8\n4 8 2\n2 4 8");
        assert_eq!((over.slide(), over.status), (None, Status::Over));
        assert_eq!(over.values.values, [None; 4]);
        let spec = AgentSpec::parse(agent, Variant::Akioi).expect("an agent");
        let board = b"65536 . . . . . . . . . . . . . . 2";
        let cleared = hint(&Shared::default(), Variant::Akioi, &spec, board).expect("a board");
        assert_eq!((cleared.slide(), cleared.status), (None, Status::Cleared));
        assert_eq!(cleared.values.values, [None; 4]);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_board_or_one_line(input in any::<Vec<u8>>(), json in any::<bool>()) {
        let input = if json { [b"[[", input.as_slice()].concat() } else { input };
        for message in [
            parse_board::<Classic>(&input).map_err(|error| error.to_string()).err(),
            parse_board::<Akioi>(&input).map_err(|error| error.to_string()).err(),
            parse_board::<Mini>(&input).map_err(|error| error.to_string()).err(),
        ].into_iter().flatten() {
            prop_assert_eq!(message.lines().count(), 1);
            prop_assert!(!message.contains(char::is_control), "{message:?}");
        }
    }

    #[test]
    fn what_is_printed_can_be_typed(codes in proptest::collection::vec(0..20_u8, 16)) {
        let board = codes
            .iter()
            .enumerate()
            .fold(Board::<Akioi>::default(), |board, (idx, &code)| board.with_cell(idx, code));
        prop_assert_eq!(parse_board(board.to_string().as_bytes()), Ok(board));
        let json = serde_json::to_string(&board.to_rows()).expect("JSON");
        prop_assert_eq!(parse_board(json.as_bytes()), Ok(board));
    }
}

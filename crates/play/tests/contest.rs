//! Cases of the contest from the opening to the verdict, and the player's side
//! of the line protocol.

use afterstate_bitboard::{Classic, ClassicBoard, Grid, Slide};
use afterstate_play::contest::{
    AgentPlayer, CaseResult, ContestPlayer, Fault, Request, ServeError, Verdict, award, case_seed,
    play_case, serve,
};
use afterstate_play::{Agent, GreedyAgent, RandomAgent};
use afterstate_rules::{ClassicRules, Rules, SpawnSet, Spawns};

fn spawns() -> Spawns<Classic> {
    SpawnSet::CONTEST
        .on_grid()
        .expect("the contest is played on the classic board")
}

fn play(seed: u64, player: &mut impl ContestPlayer) -> CaseResult {
    play_case(ClassicRules::new(), &spawns(), seed, player, &|| true)
        .expect("nothing stops the case")
}

/// A player that writes down every call and passes it on, until from slide
/// `answers_from` on it answers by itself.
struct Witness<P> {
    player: P,
    calls: Vec<Request>,
    answers_from: u32,
    answer: fn() -> Result<i64, Fault>,
    n_slides: u32,
}

impl<P: ContestPlayer> Witness<P> {
    fn new(player: P) -> Witness<P> {
        Witness::turning(player, u32::MAX, || Ok(1))
    }

    fn turning(player: P, answers_from: u32, answer: fn() -> Result<i64, Fault>) -> Witness<P> {
        Witness {
            player,
            calls: Vec::new(),
            answers_from,
            answer,
            n_slides: 0,
        }
    }
}

impl<P: ContestPlayer> ContestPlayer for Witness<P> {
    fn init(&mut self, r1: usize, c1: usize, r2: usize, c2: usize) {
        self.calls.push(Request::Init { r1, c1, r2, c2 });
        self.player.init(r1, c1, r2, c2);
    }

    fn generate(&mut self, r: usize, c: usize, x: i32) {
        self.calls.push(Request::Generate { r, c, x });
        if self.n_slides < self.answers_from {
            self.player.generate(r, c, x);
        }
    }

    fn sliderequest(&mut self) -> Result<i64, Fault> {
        self.calls.push(Request::Slide);
        self.n_slides += 1;
        if self.n_slides >= self.answers_from {
            return (self.answer)();
        }
        self.player.sliderequest()
    }

    fn end(&mut self, largest: i32, score: i64) {
        self.calls.push(Request::End { largest, score });
    }
}

fn greedy() -> AgentPlayer<GreedyAgent> {
    AgentPlayer::new(ClassicRules::new(), GreedyAgent, 0)
}

#[test]
fn calls_come_in_the_order_of_the_statement() {
    for index in 0..20 {
        let mut witness = Witness::new(greedy());
        let result = play(case_seed(7, index), &mut witness);
        assert_eq!(result.verdict, Verdict::Ok);
        let (first, rest) = witness.calls.split_first().expect("init is called");
        assert!(matches!(first, Request::Init { .. }));
        let (last, plies) = rest.split_last().expect("end is called");
        assert_eq!(
            *last,
            Request::End {
                largest: result.largest,
                score: result.score
            }
        );
        assert_eq!(plies.len(), 2 * result.n_slides as usize);
        for ply in plies.chunks(2) {
            assert_eq!(ply[0], Request::Slide);
            assert!(matches!(
                ply[1],
                Request::Generate {
                    r: 0..4,
                    c: 0..4,
                    x: 2 | 4
                }
            ));
        }
    }
}

#[test]
fn the_calls_alone_tell_the_board() {
    let rules = ClassicRules::new();
    let mut witness = Witness::new(greedy());
    let result = play(case_seed(1, 0), &mut witness);
    let put = |board: ClassicBoard, r: usize, c: usize, x: i32| {
        let code = Classic::code(i64::from(x)).expect("a tile of the game");
        board.put(4 * r + c, code)
    };
    let mut board = ClassicBoard::default();
    let mut score = 0;
    for &call in &witness.calls {
        match call {
            Request::Init { r1, c1, r2, c2 } => board = put(put(board, r1, c1, 2), r2, c2, 2),
            Request::Slide => {
                let slide = GreedyAgent.choose(rules, board);
                let after = rules.apply(board, slide).expect("greedy slides are legal");
                score += i64::from(after.gain);
                board = after.board;
            }
            Request::Generate { r, c, x } => board = put(board, r, c, x),
            Request::End { .. } => (),
        }
    }
    assert!(!rules.has_legal_slide(board), "the game is over");
    assert_eq!((board.largest(), score), (result.largest, result.score));
    assert_eq!(result.award(), award(board.largest()));
}

#[test]
fn every_fault_ends_the_case_with_its_slide_number() {
    type Answer = fn() -> Result<i64, Fault>;
    let scripts: [(Answer, &str); 5] = [
        (
            || Ok(0),
            "out of range at slide 30: `0`, expected 1, 2, 3 or 4",
        ),
        (
            || Ok(5),
            "out of range at slide 30: `5`, expected 1, 2, 3 or 4",
        ),
        (
            || Ok(i64::MIN),
            "out of range at slide 30: `-9223372036854775808`, expected 1, 2, 3 or 4",
        ),
        (
            || Err(Fault::Time { limit_ms: 50 }),
            "time at slide 30: no answer within 50 ms",
        ),
        (
            || Err(Fault::Closed),
            "closed at slide 30: the output of the player ended, its process did not",
        ),
    ];
    for (answer, expected) in scripts {
        let mut witness = Witness::turning(greedy(), 30, answer);
        let result = play(case_seed(1, 0), &mut witness);
        assert_eq!(result.verdict.to_string(), expected);
        assert_eq!(result.n_slides, 29);
        assert_eq!(result.award(), 0);
        assert!(result.largest >= 4, "{result:?}");
        assert_eq!(witness.calls.last(), Some(&Request::Slide), "no end");
    }
}

#[test]
fn a_slide_that_changes_nothing_is_a_fault() {
    // Sliding up again and again ends at a board on which up changes nothing.
    let mut witness = Witness::turning(greedy(), 1, || Ok(1));
    let result = play(case_seed(1, 0), &mut witness);
    let Verdict::Fault {
        slide_number,
        ref fault,
    } = result.verdict
    else {
        panic!("sliding up only does not end a game");
    };
    assert_eq!(slide_number, result.n_slides + 1);
    assert_eq!(*fault, Fault::IllegalSlide { slide: Slide::Up });
    assert_eq!(fault.to_string(), "illegal slide: 1 (up) changes nothing");
    assert_eq!(result.award(), 0);
}

#[test]
fn cases_depend_on_seed_and_index_only() {
    let case = |seed, index| {
        let agent = RandomAgent::new(0);
        let mut player = AgentPlayer::new(ClassicRules::new(), agent, 5);
        play(case_seed(seed, index), &mut player)
    };
    assert_eq!(case(1, 3), case(1, 3));
    assert_ne!(case(1, 3), case(1, 4));
    assert_ne!(case(1, 3), case(2, 3));

    // All players start alike.
    let opening = |mut witness: Witness<AgentPlayer<_>>| {
        play(case_seed(9, 0), &mut witness);
        witness.calls[0]
    };
    let bad = || Witness::turning(greedy(), 1, || Ok(0));
    assert_eq!(opening(Witness::new(greedy())), opening(bad()));
}

#[test]
fn a_case_stops_when_told_to() {
    let asked = std::cell::Cell::new(0);
    let go_on = || {
        asked.set(asked.get() + 1);
        asked.get() <= 10
    };
    let mut witness = Witness::new(greedy());
    let result = play_case(ClassicRules::new(), &spawns(), 1, &mut witness, &go_on);
    assert_eq!(result, None);
    assert_eq!(witness.n_slides, 10);
}

/// What the greedy player writes to `input`, and how it ends.
fn served(input: &[u8]) -> (String, Result<(), ServeError>) {
    let mut output = Vec::new();
    let outcome = serve(&mut greedy(), &mut &input[..], &mut output);
    (
        String::from_utf8(output).expect("answers are ASCII"),
        outcome,
    )
}

#[test]
fn the_player_answers_slides_only() {
    let (output, outcome) = served(b"init 0 0 0 1\nslide\ngenerate 3 3 2\nslide\nend 4 8\n");
    assert!(outcome.is_ok());
    // The two 2s merge to the right or left, of which greedy takes the first.
    assert_eq!(output.lines().next(), Some("2"));
    assert_eq!(output.lines().count(), 2);

    let (with_cr, outcome) =
        served(b"init 0 0 0 1\r\nslide\r\ngenerate 3 3 2\r\n slide \r\nend 4 8\r\n");
    assert!(outcome.is_ok());
    assert_eq!(with_cr, output);
}

#[test]
fn the_player_stops_where_its_input_does() {
    assert!(served(b"").1.is_ok());
    assert!(served(b"init 0 0 0 1\nslide").1.is_ok());
    let (output, outcome) = served(b"init 0 0 0 1\nend 4 8\nrubbish\n");
    assert!(outcome.is_ok(), "nothing is read after the end");
    assert_eq!(output, "");
}

#[test]
fn the_player_names_the_line_that_is_wrong() {
    let wrong: [(&[u8], &str); 11] = [
        (b"slide\n", "line 1: `slide`: out of turn, expected init"),
        (
            b"init 0 0 0 1\ninit 0 0 0 1\n",
            "line 2: `init 0 0 0 1`: out of turn, expected slide or end",
        ),
        (
            b"init 0 0 0 1\nslide\nslide\n",
            "line 3: `slide`: out of turn, expected generate",
        ),
        (
            b"init 0 0 0 1\ngenerate 3 3 2\n",
            "line 2: `generate 3 3 2`: out of turn, expected slide or end",
        ),
        (
            b"init 0 0 0 0\n",
            "line 1: `init 0 0 0 0`: cell (0,0) holds a tile, expected an empty one",
        ),
        (
            b"init 0 0 0 4\n",
            "line 1: `init 0 0 0 4`: no cell (0,4), expected rows and columns 0 to 3",
        ),
        (
            b"init 0 0 0 1\nslide\ngenerate 3 3 8\n",
            "line 3: `generate 3 3 8`: tile 8, expected 2 or 4",
        ),
        (
            b"init 0 0 0 1\nslide\ngenerate 0 3 2\n",
            "line 3: `generate 0 3 2`: cell (0,3) holds a tile, expected an empty one",
        ),
        (
            b"\n",
            "line 1: an empty line, expected init R1 C1 R2 C2, slide, generate R C X or end M SCORE",
        ),
        (
            b"init 0 0 0 1\nhello\n",
            "line 2: `hello`, expected init R1 C1 R2 C2, slide, generate R C X or end M SCORE",
        ),
        (
            &[b'a'; 1000],
            "line 1: more than 256 bytes, expected a request",
        ),
    ];
    for (input, expected) in wrong {
        let (_, outcome) = served(input);
        let error = outcome.expect_err("the input is wrong");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_game_through_the_protocol_is_the_game_itself() {
    let mut witness = Witness::new(greedy());
    let result = play(case_seed(3, 2), &mut witness);
    let input: String = witness
        .calls
        .iter()
        .map(|call| format!("{call}\n"))
        .collect();
    let (output, outcome) = served(input.as_bytes());
    assert!(outcome.is_ok());
    assert_eq!(output.lines().count(), result.n_slides as usize);
}

//! What each fault leads to.

use afterstate_play::contest::Verdict;

use crate::support::{Grader, HASTY, USUAL, answering, python_player};

#[test]
fn users_c32_one_verdict_names_the_wrong_answer() {
    let answers = [
        ("echo 0", "out of range at slide 1: `0`"),
        ("echo 5", "out of range at slide 1: `5`"),
        ("echo -1", "out of range at slide 1: `-1`"),
        (
            "echo 99999999999999999999",
            "out of range at slide 1: `99999999999999999999`",
        ),
        ("echo left", "malformed at slide 1: `left`"),
        ("echo hello", "malformed at slide 1: `hello`"),
        ("echo", "malformed at slide 1: an empty line"),
        ("echo 1 2", "malformed at slide 1: `1 2`"),
        ("echo +1", "malformed at slide 1: `+1`"),
        ("echo 01", "malformed at slide 1: `01`"),
        (
            r"printf '\357\273\2771\n'",
            r"malformed at slide 1: `\u{feff}1`",
        ),
        (r"printf '\0001\n'", r"malformed at slide 1: `\01`"),
        (r"printf '\377\n'", r"malformed at slide 1: `\xff`"),
        (r"printf '\033[2J\n'", r"malformed at slide 1: `\u{1b}[2J`"),
    ];
    for (answer, expected) in answers {
        let verdict = USUAL.only_verdict(&answering(answer));
        let expected = format!("{expected}, expected 1, 2, 3 or 4");
        assert!(verdict.starts_with(&expected), "{answer}: {verdict}");
    }
}

#[test]
fn an_illegal_slide() {
    // Up for good: sooner or later that changes nothing.
    for command in [answering("echo 1"), "yes 1".to_owned()] {
        let grades = USUAL.grade(&command);
        for case in grades.grading.cases() {
            let expected = format!(
                "illegal slide at slide {}: 1 (up) changes nothing",
                case.n_slides + 1
            );
            assert_eq!(case.verdict.to_string(), expected);
            assert_eq!(case.award(), 0);
        }
    }
}

#[test]
fn answers_in_advance_are_answers_in_order() {
    // The second number of each line pair answers the slide after, blindly,
    // which is the same as answering 1 and 2 in turn.
    let in_advance = USUAL.grade(&answering(r"printf '1\n2\n'"));
    let in_turn = USUAL.grade(&answering("n=$((${n:-0} % 2 + 1)); echo $n"));
    assert_eq!(in_advance.grading, in_turn.grading);
}

#[test]
fn users_b18_silence() {
    let expected = "time at slide 1: no answer within 300 ms";
    // One that listens, one that does not even read, one that writes half an
    // answer, one that does nothing but complain.
    for command in ["cat >&2", "sleep 300", "printf 3; sleep 300", "yes no >&2"] {
        assert_eq!(HASTY.only_verdict(command), expected, "{command}");
    }
}

#[test]
fn users_c27_no_award_when_answers_stop_after_a_tile() {
    let Some(player) = python_player("tile 64") else {
        return;
    };
    // Time for Python to start on a busy machine.
    let patient = Grader {
        limit_ms: 1500,
        ..USUAL
    };
    let grades = patient.grade(&player);
    for case in grades.grading.cases() {
        assert_eq!(case.verdict.name(), "time");
        assert_eq!((case.largest, case.award()), (64, 0));
        assert!(case.n_slides > 20, "{case:?}");
    }
}

#[test]
fn users_c29_output_without_end() {
    let verdict = USUAL.only_verdict("yes 1 | tr -d '\\n'");
    let start = "1".repeat(40);
    assert_eq!(
        verdict,
        format!("too long at slide 1: a line of more than 256 bytes that starts with `{start}…`")
    );
    // A hundred megabytes, then a right answer.
    let verdict = USUAL.only_verdict("head -c 100000000 /dev/zero; echo; echo 1; cat >&2");
    assert!(verdict.starts_with("too long at slide 1"), "{verdict}");
    assert!(verdict.ends_with(r"\0\0…`"), "{verdict}");
}

#[test]
fn exits() {
    let commands = [
        ("exit 0", "exited at slide 1: exit status: 0"),
        ("exit 7", "exited at slide 1: exit status: 7"),
        (
            "ulimit -c 0; kill -SEGV $$",
            "exited at slide 1: signal: 11 (SIGSEGV)",
        ),
        ("./no/such/player", "exited at slide 1: exit status: 127"),
        ("if", "exited at slide 1: exit status: 2"),
    ];
    for (command, expected) in commands {
        let verdict = USUAL.only_verdict(command);
        // Whether there is a core dump depends on the machine.
        assert!(verdict.starts_with(expected), "{command}: {verdict}");
    }
}

#[test]
fn users_b18_exits_in_the_middle_of_a_game() {
    for (options, status) in [
        ("exit 50", "exit status: 3"),
        ("crash 50", "signal: 9 (SIGKILL)"),
    ] {
        let Some(player) = python_player(options) else {
            return;
        };
        let grades = USUAL.grade(&player);
        for case in grades.grading.cases() {
            assert_eq!(
                case.verdict.to_string(),
                format!("exited at slide 50: {status}")
            );
            assert_eq!((case.n_slides, case.award()), (49, 0));
        }
    }
}

#[test]
fn users_b19_crashes_cost_no_worker() {
    let crowd = Grader {
        n_cases: 20,
        ..USUAL
    };
    let verdict = crowd.only_verdict("read -r line; ulimit -c 0; kill -ABRT $$");
    assert!(
        verdict.starts_with("exited at slide 1: signal: 6"),
        "{verdict}"
    );
}

#[test]
fn closed_output() {
    let expected = "closed at slide 1: the output of the player ended, its process did not";
    assert_eq!(USUAL.only_verdict("exec >&-; sleep 300"), expected);
    let Some(player) = python_player("close 30") else {
        return;
    };
    let grades = USUAL.grade(&player);
    for case in grades.grading.cases() {
        assert_eq!(case.verdict.name(), "closed");
        assert_eq!(case.n_slides, 29);
    }
}

#[test]
fn standard_error_is_kept_for_faults() {
    let grades = USUAL.grade("echo first >&2; echo second >&2; exit 1");
    for output in &grades.error_outputs {
        let output = output.as_ref().expect("the player wrote something");
        assert_eq!(output.text, "first\nsecond\n");
        assert_eq!(output.n_dropped, 0);
    }
    let grades = USUAL.grade("./no/such/player");
    for output in &grades.error_outputs {
        let output = output.as_ref().expect("the shell wrote something");
        assert!(output.text.contains("/no/such/player"), "{}", output.text);
    }
    let grades = HASTY.grade("yes complaint >&2");
    for output in &grades.error_outputs {
        let output = output.as_ref().expect("the player wrote something");
        assert!(output.text.len() <= 4096, "{} bytes", output.text.len());
        assert!(output.n_dropped > 4096, "{} bytes", output.n_dropped);
        assert!(output.text.contains("complaint\ncomplaint\n"));
    }
    let Some(player) = python_player("after x") else {
        return;
    };
    let grades = USUAL.grade(&format!("echo all is well >&2; {player}"));
    assert_eq!(grades.error_outputs, [None, None, None]);
}

#[test]
fn users_c31_right_answers_in_every_form() {
    let Some(plain) = python_player("") else {
        return;
    };
    let expected = USUAL.grade(&plain);
    for case in expected.grading.cases() {
        assert_eq!(case.verdict, Verdict::Ok);
        assert!(case.n_slides > 50, "{case:?}");
    }
    let forms = [
        r"form 'D\r\n'",
        r"form ' D\n'",
        r"form 'D\t\n'",
        r"form '\t D \r\n'",
        // What comes when nothing is asked any more is not looked at.
        "after hello",
    ];
    for form in forms {
        let player = python_player(form).expect("Python has just been there");
        assert_eq!(USUAL.grade(&player).grading, expected.grading, "{form}");
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let Some(player) = python_player("") else {
        return;
    };
    let grade = |n_threads| {
        let grader = Grader {
            n_cases: 6,
            n_threads,
            ..USUAL
        };
        grader.grade(&player)
    };
    let expected = grade(1);
    assert_eq!(grade(2), expected);
    assert_eq!(grade(8), expected);
}

//! Their names.

use afterstate_arena::AgentSpec;
use afterstate_eval::Objective;
use afterstate_rules::Variant;

use crate::common::spec;

#[test]
fn names_are_filled_in() {
    for (text, variant, full) in [
        (
            "ntuple:file=a/b",
            Variant::Classic,
            "ntuple:depth=1,file=a/b",
        ),
        (
            "ntuple:file=b,depth=2..4",
            Variant::Mini,
            "ntuple:depth=2..4,file=b",
        ),
        (
            "ntuple:nodes=70,file=b",
            Variant::Contest,
            "ntuple:nodes=70,file=b",
        ),
        ("ntuple:file=b,ms=5", Variant::Akioi, "ntuple:ms=5,file=b"),
        (
            "ntuple:file=b,prune=1000,depth=4",
            Variant::Contest,
            "ntuple:depth=4,prune=1000,file=b",
        ),
        // What is asked of the file is part of the name.
        (
            "ntuple:file=b,objective=score",
            Variant::Akioi,
            "ntuple:depth=1,objective=score,file=b",
        ),
        (
            "ntuple:file=b,objective=clear,nodes=9,depth=3",
            Variant::Akioi,
            "ntuple:depth=3,nodes=9,objective=clear,file=b",
        ),
    ] {
        let parsed = spec(text, variant);
        assert_eq!(parsed.to_string(), full);
        assert_eq!(spec(full, variant), parsed);
        assert_eq!(parsed.is_machine_dependent(), text.contains("ms="));
    }
    let clear = spec("ntuple:file=b,objective=clear", Variant::Akioi);
    assert_eq!(clear.objective(), Objective::Clear);
    assert_eq!(clear.file(), Some(std::path::Path::new("b")));
}

#[test]
fn wrong_names_say_what_would_be_right() {
    for (text, expected) in [
        (
            "ntuple:file=",
            "agent key `file`: ``, expected the path of a file",
        ),
        ("ntuple:file=a,file=b", "agent key `file` is given twice"),
        (
            "ntuple:table=a",
            "agent ntuple, `table=a`: expected depth, nodes, prune, ms, objective, file=VALUE",
        ),
        (
            "ntuple:file=a,objective=clear",
            "agent key `objective`: `clear`, expected score or largest for mini",
        ),
        (
            "ntuple:file=a,prune=0",
            "agent key `prune`: `0`, expected 1 to 1000000000",
        ),
        (
            "ntuple:file=a,depth=13",
            "agent key `depth`: `13`, expected 1 to 12, or a range of these like 2..4",
        ),
    ] {
        let error = AgentSpec::parse(text, Variant::Mini).expect_err("it names no agent");
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

/// Without a file an agent plays by an embedded network, or is refused.
#[test]
fn without_a_file_there_has_to_be_a_network() {
    for variant in Variant::ALL {
        for objective in Objective::ALL {
            if objective == Objective::Clear && variant != Variant::Akioi {
                continue;
            }
            let is_embedded_for =
                |game: Variant| afterstate_networks::embedded(game.name(), objective).is_some();
            // The contest is classic with other spawns.
            let is_embedded = is_embedded_for(variant)
                || variant == Variant::Contest && is_embedded_for(Variant::Classic);
            let text = format!("ntuple:objective={objective}");
            match AgentSpec::parse(&text, variant) {
                Ok(spec) => assert!(is_embedded, "{spec}"),
                Err(error) => {
                    assert!(!is_embedded, "{error}");
                    let expected = format!(
                        "agent ntuple: no network is embedded for {variant} and objective \
                         {objective}, expected ntuple:file=FILE"
                    );
                    assert_eq!(error.to_string(), expected);
                }
            }
        }
    }
}

/// Pruning is a probability to the search, and none where nothing is said.
#[test]
fn pruning_is_a_limit_of_the_search() {
    let pruned = spec("heuristic:depth=3,prune=400", Variant::Classic).limits();
    assert_eq!(pruned.min_probability, 1.0 / 400.0);
    assert!(!pruned.is_exact());
    let whole = spec("heuristic:depth=3", Variant::Classic).limits();
    assert!(whole.is_exact());
}

/// A time in place of other limits leaves none of them.
#[test]
fn a_time_takes_the_place_of_all_limits() {
    let limited = spec("default", Variant::Contest);
    assert!(!limited.limits().is_exact());
    let timed = limited.at_time(3, Variant::Contest).expect("it searches");
    assert_eq!(timed.to_string(), "ntuple:ms=3,objective=largest");
    assert!(timed.limits().is_exact());
}

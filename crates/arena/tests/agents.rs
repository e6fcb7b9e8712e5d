//! Names of agents, parts of a tournament, plans.

mod common;

use afterstate_arena::{AgentKind, AgentSpec, Plan, PlanError, Shard};
use afterstate_eval::Objective;
use afterstate_rules::Variant;
use afterstate_search::Depth;
use common::{shard, spec};
use proptest::prelude::{Strategy, any, proptest};

#[test]
fn names_are_filled_in() {
    for (text, variant, full) in [
        ("random", Variant::Classic, "random"),
        ("greedy", Variant::Akioi, "greedy"),
        ("heuristic:depth=1", Variant::Mini, "heuristic:depth=1"),
        ("heuristic:depth=012", Variant::Mini, "heuristic:depth=12"),
        ("default:depth=7", Variant::Akioi, "ntuple:depth=7"),
        (
            "heuristic:depth=3..3",
            Variant::Classic,
            "heuristic:depth=3",
        ),
        (
            "heuristic:objective=largest,ms=010,nodes=5,depth=02..4",
            Variant::Contest,
            "heuristic:depth=2..4,nodes=5,ms=10,objective=largest",
        ),
        ("heuristic:nodes=1", Variant::Mini, "heuristic:nodes=1"),
        ("heuristic", Variant::Classic, "heuristic:depth=3"),
        ("heuristic", Variant::Contest, "heuristic:nodes=30000"),
        ("heuristic", Variant::Mini, "heuristic:depth=3"),
        ("ntuple", Variant::Classic, "ntuple:depth=1"),
        ("default", Variant::Classic, "ntuple:depth=2"),
        (
            "default:depth=3",
            Variant::Contest,
            "ntuple:depth=3,objective=largest",
        ),
        (
            "default:objective=largest",
            Variant::Classic,
            "heuristic:depth=3,objective=largest",
        ),
        (
            "heuristic:ms=3600000",
            Variant::Mini,
            "heuristic:ms=3600000",
        ),
        (
            "heuristic:objective=score",
            Variant::Akioi,
            "heuristic:depth=2",
        ),
        (
            "default:objective=clear",
            Variant::Akioi,
            "ntuple:depth=2,objective=clear",
        ),
    ] {
        assert_eq!(spec(text, variant).to_string(), full);
    }
    for variant in Variant::ALL {
        let default = AgentSpec::default_of(variant);
        assert_eq!(spec("default", variant), default);
        assert!(default.limits().depth.most() >= 1);
    }
}

/// What a tournament without arguments plays: the default agent and two that
/// are weaker.
#[test]
fn usual_agents_are_the_default_and_two_more() {
    for variant in Variant::ALL {
        let usual = AgentSpec::usual(variant);
        let kinds = usual.each_ref().map(AgentSpec::kind);
        assert_eq!(kinds[..2], [AgentKind::Random, AgentKind::Greedy]);
        assert_eq!(usual[2], AgentSpec::default_of(variant));
        let entries = usual.map(|agent| (variant, agent)).into();
        let plan = Plan::new(entries, 100, 1, Shard::WHOLE).expect("no agent twice");
        assert_eq!(plan.n_games(), 300);
    }
}

/// The agent `exact` is for mini, and needs a table.
#[test]
fn the_exact_agent_needs_mini_and_a_file() {
    let named = spec("exact:file=some/mini.table", Variant::Mini);
    assert_eq!(named.to_string(), "exact:file=some/mini.table");
    assert_eq!(named.file(), Some(std::path::Path::new("some/mini.table")));
    assert!(!named.is_machine_dependent());
    let refused = |text, variant| {
        let error = AgentSpec::parse(text, variant).expect_err("it names no agent");
        error.to_string()
    };
    let no_file = "agent exact: expected exact:file=FILE, a table that `afterstate exact \
                   --variant mini --table FILE` writes";
    assert_eq!(refused("exact", Variant::Mini), no_file);
    assert_eq!(
        refused("exact:file=", Variant::Mini),
        "agent key `file`: ``, expected the path of a file"
    );
    for variant in [Variant::Classic, Variant::Contest, Variant::Akioi] {
        let expected = format!("agent exact: not for {variant}, expected mini");
        assert_eq!(refused("exact:file=x", variant), expected);
    }
    assert_eq!(
        refused("exact:depth=2", Variant::Mini),
        "agent exact, `depth=2`: expected file=VALUE"
    );
    assert_eq!(
        refused("exact:file=a,file=b", Variant::Mini),
        "agent key `file` is given twice"
    );
    let shared = afterstate_arena::Shared::default();
    let error = shared
        .load(Variant::Mini, &named)
        .expect_err("there is no such file");
    assert_eq!(
        error.to_string(),
        "table some/mini.table: it cannot be opened"
    );
    assert!(
        shared
            .load(Variant::Mini, &spec("random", Variant::Mini))
            .is_ok()
    );
}

#[test]
fn wrong_names_say_what_would_be_right() {
    let names = "expected random, greedy, heuristic, ntuple, exact or default";
    let cases = [
        ("", format!("agent ``: no such agent, {names}")),
        ("Random", format!("agent `Random`: no such agent, {names}")),
        (
            " random",
            format!("agent ` random`: no such agent, {names}"),
        ),
        ("a\nb", format!("agent `a\\nb`: no such agent, {names}")),
        (":depth=1", format!("agent ``: no such agent, {names}")),
        ("random:", "agent random, ``: expected no keys".to_owned()),
        (
            "greedy:depth=1",
            "agent greedy, `depth=1`: expected no keys".to_owned(),
        ),
        (
            "heuristic:",
            "agent heuristic, ``: expected depth, nodes, prune, ms, objective=VALUE".to_owned(),
        ),
        (
            "heuristic:depth",
            "agent heuristic, `depth`: expected depth, nodes, prune, ms, objective=VALUE"
                .to_owned(),
        ),
        (
            "heuristic:dept=1",
            "agent heuristic, `dept=1`: expected depth, nodes, prune, ms, objective=VALUE"
                .to_owned(),
        ),
        (
            "default:dept=1",
            "agent ntuple, `dept=1`: expected depth, nodes, prune, ms, objective, file=VALUE"
                .to_owned(),
        ),
        (
            "heuristic:depth=1,",
            "agent heuristic, ``: expected depth, nodes, prune, ms, objective=VALUE".to_owned(),
        ),
        (
            "heuristic:depth=1,depth=2",
            "agent key `depth` is given twice".to_owned(),
        ),
    ];
    for (text, expected) in cases {
        let error = AgentSpec::parse(text, Variant::Classic).expect_err("it names no agent");
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
    for (key, values, accepted) in [
        (
            "depth",
            "|0|13|-1|+3|1.5|x| 1|4294967297|٣|..|2..|..3|4..3|0..2|2..13|2...4|2..3..4|2-4",
            "1 to 12, or a range of these like 2..4",
        ),
        (
            "nodes",
            "|0|-1|1e6|1000000000001|18446744073709551616|x",
            "1 to 1000000000000",
        ),
        ("ms", "|0|-1|1.5|3600001|4294967297|10ms", "1 to 3600000"),
        (
            "objective",
            "|Score|clear|tile|largest ",
            "score or largest for mini",
        ),
    ] {
        for value in values.split('|') {
            let error = AgentSpec::parse(&format!("heuristic:{key}={value}"), Variant::Mini)
                .expect_err("the key takes no such value");
            let expected = format!("agent key `{key}`: `{value}`, expected {accepted}");
            assert_eq!(error.to_string(), expected);
        }
    }
    let error = AgentSpec::parse("heuristic:objective=win", Variant::Akioi).expect_err("none");
    assert_eq!(
        error.to_string(),
        "agent key `objective`: `win`, expected score, largest or clear for akioi"
    );
    for key in ["depth=2", "nodes=5", "ms=5", "objective=score"] {
        let (name, _) = key.split_once('=').expect("a key has a value");
        let error = AgentSpec::parse(&format!("heuristic:{key},{key}"), Variant::Akioi)
            .expect_err("a key is given once");
        assert_eq!(
            error.to_string(),
            format!("agent key `{name}` is given twice")
        );
    }
    let long = AgentSpec::parse(&"x".repeat(100_000), Variant::Mini).expect_err("no agent");
    assert!(long.to_string().len() < 150);
}

#[test]
fn shards_are_parts_of_a_whole() {
    for (text, part, of) in [("1/1", 1, 1), ("3/3", 3, 3), ("02/7", 2, 7)] {
        assert_eq!(text.parse(), Ok(shard(part, of)), "{text}");
    }
    assert_eq!(shard(2, 7).to_string(), "2/7");
    let texts = [
        "",
        "/",
        "1",
        "1/",
        "/1",
        "0/1",
        "2/1",
        "0/0",
        "1/0",
        "-1/2",
        "+1/2",
        "1/2/3",
        " 1/2",
        "1 /2",
        "a/b",
        "1/99999999999999999999",
        "١/٢",
    ];
    for text in texts {
        let error = text
            .parse::<Shard>()
            .expect_err("it is no shard")
            .to_string();
        assert_eq!(error, "expected I/N with I from 1 to N", "{text:?}");
    }
    assert_eq!(Shard::new(0, 1), None);
    assert_eq!(Shard::new(2, 1), None);
    assert_eq!(
        "18446744073709551615/18446744073709551615".parse(),
        Ok(shard(u64::MAX, u64::MAX))
    );
}

#[test]
fn plans_are_checked() {
    let entry = |agent| (Variant::Akioi, spec(agent, Variant::Akioi));
    let new = |entries, games| Plan::new(entries, games, 1, Shard::WHOLE);
    let twice = new(
        vec![entry("ntuple:depth=2"), entry("random"), entry("default")],
        1,
    );
    assert_eq!(
        twice.expect_err("the default is that one").to_string(),
        "agent ntuple:depth=2 is named twice for akioi"
    );
    for games in [0, Plan::MAX_GAMES + 1, u64::MAX] {
        let error = new(vec![entry("random")], games).expect_err("no such number");
        assert_eq!(error, PlanError::Games { found: games });
    }
    assert!(new(vec![entry("random")], Plan::MAX_GAMES).is_ok());
    // More parts than games: most have none.
    let last = Plan::new(vec![entry("random")], 3, 1, shard(u64::MAX, u64::MAX));
    assert_eq!(last.expect("a plan").n_games(), 0);
}

fn agent_text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("(random|greedy|heuristic|default|)[:=,.a-z0-9 +-]{0,16}")
        .expect("the expression is well formed")
}

proptest! {
    #[test]
    fn any_text_is_an_agent_or_one_line(text in any::<String>()) {
        check_agent(&text);
    }

    #[test]
    fn nearly_agents_are_agents_or_one_line(text in agent_text()) {
        check_agent(&text);
    }

    #[test]
    fn depths_survive(least in 1..=12_u32, more in 0..=11_u32) {
        let most = (least + more).min(12);
        let (text, depth) = match most == least {
            true => (format!("heuristic:depth={least}"), Depth::Fixed(least)),
            false => (
                format!("heuristic:depth={least}..{most}"),
                Depth::Adaptive { least, most },
            ),
        };
        let parsed = spec(&text, Variant::Mini);
        assert_eq!(parsed.limits().depth, depth);
        assert_eq!(parsed.to_string(), text);
    }

    #[test]
    fn any_text_is_a_shard_or_not(text in "[0-9/+ -]{0,24}|\\PC*") {
        if let Ok(shard) = text.parse::<Shard>() {
            assert_eq!(shard.to_string().parse(), Ok(shard));
        }
    }
}

/// What is parsed is written so that it is parsed to the same again.
fn check_agent(text: &str) {
    for variant in Variant::ALL {
        match AgentSpec::parse(text, variant) {
            Ok(spec) => {
                let canonical = spec.to_string();
                for other in Variant::ALL {
                    // Only akioi can be cleared, and not every variant has a
                    // network of its own.
                    let is_for_all = spec.kind() != AgentKind::Ntuple || spec.file().is_some();
                    let is_goal = spec.objective() != Objective::Clear || other == Variant::Akioi;
                    if other == variant || is_goal && is_for_all {
                        assert_eq!(AgentSpec::parse(&canonical, other), Ok(spec.clone()));
                    }
                }
            }
            Err(error) => assert!(!error.to_string().contains(['\n', '\r']), "{error}"),
        }
    }
}

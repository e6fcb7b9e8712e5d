use serde_json::Value;

use crate::support::printed;

#[test]
fn every_listed_agent_can_be_asked() {
    let all = printed(&["agents", "--json"], "");
    let all: Value = serde_json::from_str(&all).expect("JSON");
    let readable = printed(&["agents"], "");
    let variants: Vec<&str> = all
        .as_array()
        .expect("an array")
        .iter()
        .map(|variant| variant["variant"].as_str().expect("a name"))
        .collect();
    assert_eq!(variants, ["classic", "contest", "akioi", "mini"]);
    for variant in all.as_array().expect("an array") {
        let name = variant["variant"].as_str().expect("a name");
        let default = variant["default"].as_str().expect("an agent");
        assert!(
            readable.contains(&format!("{name} (`default` is {default})\n")),
            "{readable}"
        );
        let board = if name == "mini" {
            "2 ".repeat(9)
        } else {
            "2 ".repeat(16)
        };
        let ask = |agent: &str| {
            let args = ["hint", "--variant", name, "--agent", agent, "--json"];
            printed(&args, &board)
        };
        assert_eq!(ask(default), ask("default"));
        let agents = variant["agents"].as_array().expect("an array");
        assert!(agents.len() >= 3);
        for agent in agents {
            let full = agent["full"].as_str().expect("an agent");
            assert!(readable.contains(full), "{readable}");
            let short = agent["name"].as_str().expect("an agent");
            // Not those that need a file.
            if !full.contains("FILE") {
                assert_eq!(ask(full), ask(short));
            }
            for key in agent["keys"].as_array().expect("an array") {
                let key = format!("{}: ", key["key"].as_str().expect("a key"));
                assert!(readable.contains(&key), "{readable}");
            }
        }
    }
}

//! What browsers are given: complete, and without anything of others.

use crate::support::TestServer;

/// Addresses of our own in a file of the page.
fn links(text: &str) -> Vec<String> {
    let ends = |rest: &str| rest.find(['"', '\'']).unwrap_or(rest.len());
    let mut links = Vec::new();
    for mark in ["href=\"/", "src=\"/", "from './"] {
        for (at, _) in text.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            links.push(format!("/{}", &rest[..ends(rest)]));
        }
    }
    links
}

#[test]
fn every_file_of_the_page_is_there_and_asks_nobody_else() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut wanted = vec!["/".to_owned()];
    let mut seen = Vec::new();
    while let Some(address) = wanted.pop() {
        if seen.contains(&address) {
            continue;
        }
        let answer = client.get(&address);
        assert_eq!(answer.status, 200, "{address}");
        let foreign = answer.text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !foreign.contains("http://") && !foreign.contains("https://"),
            "{address}"
        );
        assert!(
            !foreign.contains("url(") && !foreign.contains("@import"),
            "{address}"
        );
        wanted.extend(links(&answer.text));
        seen.push(address);
    }
    assert!(seen.len() >= 14, "{seen:?}");
}

#[test]
fn the_page_runs_under_a_strict_policy() {
    let server = TestServer::start();
    let mut client = server.client();
    for address in ["/", "/main.js", "/api/health", "/nowhere"] {
        let answer = client.get(address);
        let policy = answer.header("content-security-policy").unwrap_or("");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{address}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("set-cookie"), None);
    }
    let page = client.get("/").text;
    assert!(!page.contains(" style=") && !page.contains(" onclick=") && !page.contains("<style"));
    for (at, _) in page.match_indices("<script") {
        assert!(page[at..].starts_with("<script type=\"module\" src=\"/"));
    }
}

#[test]
fn files_that_have_not_changed_are_not_sent_again() {
    let server = TestServer::start();
    let mut client = server.client();
    let first = client.get("/style.css");
    assert_eq!(
        first.header("content-type"),
        Some("text/css; charset=utf-8")
    );
    let tag = first.header("etag").expect("a tag").to_owned();
    let known = [("if-none-match", tag.as_str())];
    let again = client
        .send("GET", "/style.css", &known, b"")
        .expect("an answer");
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    let other = [("if-none-match", "\"other\"")];
    let again = client
        .send("GET", "/style.css", &other, b"")
        .expect("an answer");
    assert_eq!(again.text, first.text);
}

/// Tiles of akioi and of classic have a color each, and none the color of
/// another: the labels alone would do, but nobody should have to read them all.
#[test]
fn users_f57_every_tile_has_a_color_of_its_own() {
    let server = TestServer::start();
    let styles = server.client().get("/tiles.css").text;
    let colors = |kind: &str| -> Vec<String> {
        let start = format!(".{kind}[data-tile=");
        styles
            .lines()
            .filter(|line| line.starts_with(&start))
            .map(|line| line.split_once('{').expect("a rule").1.to_owned())
            .collect()
    };
    for (kind, n_tiles) in [("akioi", 19), ("classic", 17)] {
        let mut found = colors(kind);
        assert_eq!(found.len(), n_tiles, "{kind}");
        found.sort();
        found.dedup();
        assert_eq!(found.len(), n_tiles, "{kind}: two tiles look alike");
    }
}

//! Runs `keyfold link`, and other commands on links.

use super::process::{file, output, refused, run};
use keyfold_core::library::find;
use keyfold_core::persist::from_json;

const PATTERN: &str = "pattern:saas-multi-tenant";

/// The link to the pattern, which is too long for some chats.
fn link(more: &[&str]) -> String {
    let (code, out, _) = run(&[&["link", PATTERN], more].concat(), "");
    assert_eq!(code, 0);
    out.trim_end().to_owned()
}

#[test]
fn a_link_has_the_design_after_the_address() {
    let fragment = link(&[]);
    assert!(fragment.starts_with("#v1."), "{fragment}");
    for base in ["https://example.com/k/", "https://example.com/k/#old"] {
        let whole = link(&["--base", base]);
        assert_eq!(whole, format!("https://example.com/k/{fragment}"));
    }
    assert!(link(&["--no-samples"]).len() < fragment.len());
}

#[test]
fn a_long_link_says_what_to_leave_out() {
    let (_, _, remarks) = run(&["link", PATTERN], "");
    let (_, _, bare) = run(&["link", PATTERN, "--no-samples"], "");
    insta::assert_snapshot!(format!("{remarks}{bare}"));
    // A short one has no remark.
    output(&["link", "pattern:leaderboard"], "");
}

#[test]
fn commands_read_links() {
    let items = output(&["items", PATTERN], "");
    let link = link(&["--base", "https://example.com/"]);
    assert_eq!(output(&["items", &link], ""), items);
    assert_eq!(output(&["items", "-"], &format!("{link}\n")), items);
    assert_eq!(output(&["items", &file("design.link", &link)], ""), items);
    let json = find("saas-multi-tenant").expect("in the library").json;
    let out = file("from-link.json", "");
    output(&["convert", &link, &out], "");
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), json);
    assert!(from_json(&output(&["generate", &link, "--each", "1"], "")).is_ok());
    let nothing = output(&["plan", PATTERN, PATTERN], "");
    assert_eq!(output(&["plan", PATTERN, &link], ""), nothing);
}

#[test]
fn links_that_cannot_be_used() {
    let link = link(&["--base", "https://example.com/"]);
    let mut said = String::new();
    for arguments in [
        &["items", &link[..300]][..],
        &["items", "https://example.com/design.json"],
        &["items", "#v9.x.y"],
        &["plan", &link[..300], PATTERN],
        &["lint", &link, "--fix"],
    ] {
        said += &refused(arguments, "");
    }
    said += &refused(&["check", "-"], &link[..300]);
    insta::assert_snapshot!(said);
}

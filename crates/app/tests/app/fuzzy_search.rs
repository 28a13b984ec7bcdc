//! Fuzzy search, as in the command palette.

use keyfold_app::fuzzy_search::{find, search, split_matches};

/// The matching texts, best first.
fn order<'a>(query: &str, texts: &[&'a str]) -> Vec<&'a str> {
    let hits = search(query, texts.iter().copied(), 50);
    hits.into_iter().map(|hit| texts[hit.at]).collect()
}

/// The text with matches in brackets; `-` if it does not match.
fn marked(query: &str, text: &str) -> String {
    let Some(hit) = find(query, text) else {
        return "-".into();
    };
    let pieces = split_matches(text, &hit.letters);
    assert_eq!(
        pieces.iter().map(|(piece, _)| &**piece).collect::<String>(),
        text
    );
    (pieces.into_iter())
        .map(|(piece, found)| if found { format!("[{piece}]") } else { piece })
        .collect()
}

#[test]
fn letters_match_in_order() {
    for (query, text, expected) in [
        ("inv", "Invoice", "[Inv]oice"),
        ("INV", "invoice", "[inv]oice"),
        ("ue", "User.email", "[U]ser.[e]mail"),
        ("user email", "User.email", "[User].[email]"),
        ("email user", "User.email", "[User].[email]"),
        ("u.e", "User.email", "[U]ser[.e]mail"),
        // Word starts and humps beat earlier letters.
        ("oi", "projectOwnerId", "project[O]wner[I]d"),
        ("ag", "Add a GSI", "[A]dd a [G]SI"),
        ("g1", "GSI11, GSI1", "[G]SI[1]1, GSI1"),
        // Adjacent letters beat scattered ones.
        ("end", "eXnXd blend", "eXnXd bl[end]"),
        ("sub", "as user buys a sub", "as user buys a [sub]"),
        // Accents are ignored on both sides.
        ("cafe", "Café", "[Café]"),
        ("été", "ete", "[ete]"),
        ("zazolc", "Zażółć", "[Zażółć]"),
        // Other scripts match exactly.
        ("訂單", "訂單明細", "[訂單]明細"),
        ("straße", "Straße", "[Straße]"),
        // No match.
        ("vni", "Invoice", "-"),
        ("invoices", "Invoice", "-"),
        ("a b", "a", "-"),
        ("x", "", "-"),
        ("", "Invoice", "-"),
        ("  ", "Invoice", "-"),
    ] {
        assert_eq!(marked(query, text), expected, "{query:?} in {text:?}");
    }
}

#[test]
fn better_matches_come_first() {
    let users = ["Superuser", "User.email", "User", "UserSession", "Users"];
    assert_eq!(
        order("user", &users),
        ["User", "Users", "User.email", "UserSession", "Superuser"]
    );
    let zoom = ["Zoom in", "Zoom out", "Zoom to 100%", "Show everything"];
    assert_eq!(order("zo", &zoom), ["Zoom in", "Zoom out", "Zoom to 100%"]);
    assert_eq!(order("zout", &zoom), ["Zoom out"]);
    // A hump beats a letter within a word; a word start beats a hump.
    assert_eq!(
        order("k", &["maker", "primaryKey", "sort key"]),
        ["sort key", "primaryKey", "maker"]
    );
    // Equal texts keep the order of the list.
    let hits = search("a", ["a", "b", "a"].into_iter(), 50);
    assert_eq!(hits.iter().map(|hit| hit.at).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(hits[0].score, hits[1].score);
}

#[test]
fn a_name_comes_before_a_synonym_of_another_one() {
    let texts = [
        "Go to access patterns\nqueries proofs cost read units",
        "Go to cost\nbill price dollars heat hot partition throttle shards workload",
    ];
    assert_eq!(order("go to cost", &texts), [texts[1], texts[0]]);
    assert_eq!(order("cost", &texts), [texts[1], texts[0]]);
    assert_eq!(order("queries", &texts), [texts[0]]);
    let exports = [
        "Go to exports\ncode CloudFormation",
        "Export: CloudFormation",
    ];
    assert_eq!(order("cloudformation", &exports), [exports[1], exports[0]]);
    // A whole synonym is better than the letters of a name.
    let texts = ["Find in table\nsearch", "Show everything\nfit zoom all"];
    assert_eq!(order("fit", &texts)[0], texts[1]);
}

#[test]
fn scattered_letters_do_not_match() {
    let patterns = [
        "Open pattern: E-commerce, sharded pending orders",
        "Open pattern: Theater catalog",
        "Open pattern: Write-sharded leaderboard",
    ];
    for query in ["help", "align", "tidy"] {
        assert_eq!(order(query, &patterns), [""; 0], "{query}");
    }
    assert_eq!(order("pend", &patterns), [patterns[0]]);
    assert_eq!(order("opt", &patterns).len(), 3, "prefixes of words");
}

#[test]
fn only_the_best_matches_are_returned() {
    let mut texts = vec!["a user"; 100];
    texts.push("user");
    let hits = search("user", texts.into_iter(), 3);
    let at: Vec<usize> = hits.iter().map(|hit| hit.at).collect();
    assert_eq!(at, [100, 0, 1]);
}

#[test]
fn long_texts_are_searched_completely() {
    let text = format!("{}end", "x".repeat(600));
    assert_eq!(
        find("end", &text).map(|hit| hit.letters),
        Some(vec![600, 601, 602])
    );
}

#[test]
fn searching_5000_names_works() {
    let texts: Vec<String> = (0..5000)
        .map(|n| format!("Entity{}.attributeNumber{}", n / 8, n % 8))
        .collect();
    for query in ["e", "en", "ent", "eat1", "entity 12 number", "nothing"] {
        let hits = search(query, texts.iter().map(String::as_str), 50);
        let found = if query == "nothing" { 0 } else { 50 };
        assert_eq!(hits.len(), found, "{query}");
    }
}

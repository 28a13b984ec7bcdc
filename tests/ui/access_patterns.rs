//! Access patterns: written, proven, served by a suggestion, shown in the table, taken away as requests.

use crate::screen::{Screen, wait};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn a_new_entitys_pattern_is_unserved_until_the_suggestion_is_accepted() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.drag_from_palette("Entity", (0.2, 0.8)).await;
    screen.fill("Name", "Invoice").await;
    let wires = screen.index_wires();

    // What is wanted, in words that know no key.
    screen.open_access_patterns().await;
    screen.press_button("New access pattern").await;
    screen
        .fill_pattern("Name", "Get invoice by its number")
        .await;
    assert_eq!(screen.selected_pattern(), "Get invoice by its number");
    screen.know("invoiceId").await;
    screen.verdict_becomes("unserved").await;
    let offered = screen.suggestions();
    assert!(!offered.is_empty(), "{:?}", screen.reasons());

    // One press, and the design serves it.
    screen.take_suggestion().await;
    screen.verdict_becomes("served").await;
    assert_eq!(screen.focus(), "Proof", "the suggestion's button is gone");
    assert_eq!(screen.index_wires(), wires + 1, "{offered:?}");
    assert_eq!(screen.returned().len(), 1);

    // Its row is marked in the table.
    screen.press_button("Show in table").await;
    assert_ne!(screen.current_tab(), "Table", "an index serves it");
    let marked = screen.marked_rows("invoiceId").await;
    assert_eq!(marked, [("1".to_owned(), "invoice-1".to_owned())]);
    let said = screen.shown_pattern().unwrap();
    assert!(said.contains("Get invoice by its number"), "{said}");
    assert!(said.contains("1 of 1"), "{said}");

    // One undo takes the suggestion back.
    screen.press("z", true).await;
    assert_eq!(screen.index_wires(), wires);
    screen.open_access_patterns().await;
    screen.verdict_becomes("unserved").await;
    screen.press("y", true).await;
    screen.verdict_becomes("served").await;
}

#[wasm_bindgen_test]
async fn a_screen_reader_is_told_of_a_proof_in_one_sentence() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.open_access_patterns().await;
    screen.verdict_becomes("served").await;
    let figures = screen.figures().join(", ");
    assert_eq!(screen.told_of_proof(), format!("served, {figures}"));
}

#[wasm_bindgen_test]
async fn several_entities_become_one_item_collection() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.open_access_patterns().await;
    screen.press_button("New access pattern").await;
    screen.mean("Project").await;
    screen.mean("Tenant").await;
    screen.mean("Subscription").await;
    screen.know("plan").await;
    screen.verdict_becomes("unserved").await;
    screen.take_suggestion().await;
    screen.verdict_becomes("served").await;
    let both = screen.returns(2).await;
    // In the index's order, with its keys.
    assert!(both[0].contains("SUBSCRIPTION#"), "{both:?}");
    assert!(both[1].contains("TENANT#"), "{both:?}");

    // What is wrong with a filter is said with its place, and no other index would help.
    screen.fill_pattern("Filter", "plan =").await;
    screen.verdict_becomes("impossible").await;
    assert_eq!(
        screen.reasons(),
        ["The filter: column 7: expected an attribute at the end"]
    );
    assert!(screen.suggestions().is_empty());
    screen.fill_pattern("Filter", "plam = :plan").await;
    screen.leave_field().await;
    assert_eq!(
        screen.field_errors(),
        ["no entity of this access pattern has `plam`"]
    );

    // The help is there from here too.
    screen.press("?", false).await;
    assert!(screen.dialog().is_some());
}

#[wasm_bindgen_test]
async fn an_edited_query_returns_other_rows_and_a_filter_leaves_some_out() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.open_access_patterns().await;
    screen.select_pattern("List users of a tenant").await;
    let users = screen.returns(2).await;
    assert!(users.iter().all(|key| key.contains("USER#")), "{users:?}");

    screen.fill_pattern("Sort key sk", "PROJECT#").await;
    screen.leave_field().await;
    for _ in 0..50 {
        if screen.returned() != users {
            break;
        }
        crate::screen::wait(30).await;
    }
    let projects = screen.returned();
    assert!(
        projects.iter().all(|key| key.contains("PROJECT#")),
        "{projects:?}"
    );

    screen.press("z", true).await;
    screen.fill_pattern("Filter", "#role = :role").await;
    let left = screen.returns(1).await;
    assert!(users.contains(&left[0]));
    let figures = screen.figures().join(", ");
    assert!(figures.contains("1 of 2"), "{figures}");
    screen.press_button("Show in table").await;
    let marked = screen.marked_rows("userId").await;
    let marks: Vec<&str> = marked.iter().map(|(mark, _)| mark.as_str()).collect();
    assert_eq!(marks, ["1", "–"], "{marked:?}");
    screen.press_button("Clear marks").await;
    assert!(screen.marked_rows("userId").await.is_empty());
    assert!(screen.shown_pattern().is_none());
}

#[wasm_bindgen_test]
async fn the_list_is_worked_by_keyboard_and_the_palette_finds_patterns() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("blog").await;
    screen.search("List posts of an author").await;
    screen.choose_current().await;
    assert_eq!(screen.selected_pattern(), "List posts of an author");
    let before = screen.listed_patterns();
    let at = before
        .iter()
        .position(|name| *name == screen.selected_pattern())
        .unwrap();

    // Up by one; the selection goes along, and undo brings both back.
    screen.press_with_alt("ArrowUp").await;
    assert_eq!(screen.listed_patterns()[at - 1], "List posts of an author");
    assert_eq!(screen.selected_pattern(), "List posts of an author");
    screen.press("z", true).await;
    assert_eq!(screen.listed_patterns(), before);
    assert_eq!(screen.selected_pattern(), "List posts of an author");

    screen.press("d", true).await;
    assert_eq!(screen.selected_pattern(), "List posts of an author 2");
    screen.press("Delete", false).await;
    assert_eq!(screen.listed_patterns(), before);
    assert!(!screen.entities().is_empty(), "the canvas kept its cards");
    screen.press("Home", false).await;
    assert_eq!(screen.selected_pattern(), before[0]);
}

#[wasm_bindgen_test]
async fn with_a_search_only_listed_patterns_are_deleted() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("blog").await;
    screen.open_access_patterns().await;
    let all = screen.listed_patterns();
    screen.fill("Search access patterns", "author").await;
    let listed = screen.listed_patterns();
    assert!(1 < listed.len() && listed.len() < all.len(), "{listed:?}");
    screen.select_pattern(&listed[0]).await;
    for left in (1..listed.len()).rev() {
        screen.press("Delete", false).await;
        assert_eq!(screen.listed_patterns(), listed[listed.len() - left..]);
        assert!(listed.contains(&screen.selected_pattern()));
    }
    screen.press("Delete", false).await;
    assert_eq!(screen.listed_patterns(), [""; 0]);
    assert_eq!(screen.focus(), "Search access patterns");
    screen.fill("Search access patterns", "").await;
    let others: Vec<String> = all
        .iter()
        .filter(|name| !listed.contains(name))
        .cloned()
        .collect();
    assert_eq!(screen.listed_patterns(), others);

    // What the search hides is not what the buttons are about.
    screen.select_pattern(&others[0]).await;
    screen.fill("Search access patterns", &others[1]).await;
    assert!(screen.is_disabled("Delete (Delete)"));
    screen.fill("Search access patterns", "").await;
    assert!(!screen.is_disabled("Delete (Delete)"));
}

#[wasm_bindgen_test]
async fn the_matrix_follows_names() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.open_access_patterns().await;
    screen.show_patterns_as("Coverage").await;
    let has = async |name: &str| {
        for _ in 0..50 {
            if screen.coverage().iter().any(|(row, _)| row.ends_with(name)) {
                return true;
            }
            wait(30).await;
        }
        false
    };
    assert!(has("Project").await);
    screen.select_entity("Project").await;
    screen.fill("Name", "Venture").await;
    assert!(has("Venture").await, "{:?}", screen.coverage());
}

#[wasm_bindgen_test]
async fn the_matrix_says_what_serves_what_and_which_index_is_idle() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.drag_from_palette("GSI", (0.75, 0.8)).await;
    screen.open_access_patterns().await;
    screen.show_patterns_as("Coverage").await;
    let mut rows = screen.coverage();
    for _ in 0..50 {
        if rows.len() > 11 {
            break;
        }
        crate::screen::wait(30).await;
        rows = screen.coverage();
    }
    let by_email = rows
        .iter()
        .find(|(name, _)| name.starts_with("Get user by email"));
    let (_, cells) = by_email.expect("a row");
    assert_eq!(cells[1], "serves", "GSI1: {cells:?}");
    let project = rows
        .iter()
        .find(|(name, _)| name.ends_with("Project"))
        .expect("an entity");
    assert_eq!(project.1, ["included", "included", "not included"]);
    let idle = screen.idle_indexes();
    assert!(idle.starts_with("GSI2"), "{idle}");
}

#[wasm_bindgen_test]
async fn requests_are_taken_away_and_partiql_is_read_back() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.open_access_patterns().await;
    screen.select_pattern("Get user by email").await;
    let command = screen.request();
    assert!(command.starts_with("aws dynamodb query"), "{command}");
    assert!(command.contains("USER_EMAIL#alice@acme.com"), "{command}");
    assert_eq!(screen.copy_request().await.trim(), command);
    for (language, sign) in [
        ("Rust", ".query()"),
        ("JavaScript", "QueryCommand"),
        ("PartiQL", "SELECT"),
    ] {
        screen.choose_request(language).await;
        assert!(screen.request().contains(sign), "{}", screen.request());
    }

    let statement = screen.partiql();
    assert!(statement.contains("USER_EMAIL#{email}"), "{statement}");
    screen
        .fill_partiql(&statement.replace("USER_EMAIL#{email}", "TENANT_LIST"))
        .await;
    assert_eq!(screen.pattern_field("Partition key gsi1pk"), "TENANT_LIST");
    let tenants = screen.returns(2).await;
    assert!(
        (tenants.iter()).all(|key| key.starts_with("TENANT_LIST")),
        "{tenants:?}"
    );
    screen.fill_partiql("DELETE FROM saas").await;
    assert_eq!(
        screen.pattern_field("Partition key gsi1pk"),
        "TENANT_LIST",
        "nothing changed"
    );
    assert!(!screen.field_errors().is_empty());
}

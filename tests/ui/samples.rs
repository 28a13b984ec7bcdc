//! Samples that are generated, imported and retyped.

use crate::screen::{Screen, stored_designs, wait};
use keyfold_core::model::{Design, EntityId, SortedSet, Value};
use keyfold_core::persist;
use wasm_bindgen_test::wasm_bindgen_test;

/// The open design, as it is stored a moment after the last change.
async fn stored(screen: &Screen) -> Design {
    screen.is_stored().await;
    let designs = stored_designs().await.into_iter();
    let designs = designs.filter_map(|(_, text)| persist::from_json(&text).ok());
    let mut named = designs.filter(|design| design.name == screen.design_name());
    named.next().expect("a stored design")
}

fn entity(design: &Design, name: &str) -> EntityId {
    let found = design.entities.iter().find(|(_, e)| e.name == name);
    *found.expect("an entity").0
}

fn values(design: &Design, name: &str, attribute: &str) -> Vec<Value> {
    let samples = design.samples_of(entity(design, name)).iter();
    samples
        .map(|sample| sample.values[attribute].clone())
        .collect()
}

#[wasm_bindgen_test]
async fn what_was_generated_is_told_until_it_is_undone() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-orders").await;
    screen.open_generate().await;
    let summary = screen.summary();
    let come = summary.split(' ').next().unwrap_or_default().to_owned();
    assert!(summary.contains("which has no more values"), "{summary}");
    screen.press_in_dialog("Generate").await;
    screen.dialog_closes().await;
    let told = screen.notices();
    assert!(
        matches!(told.as_slice(), [told] if told.starts_with(&format!("{come} samples generated"))),
        "{told:?} after {summary}"
    );
    screen.press("z", true).await;
    assert_eq!(screen.notices(), [""; 0]);
}

#[wasm_bindgen_test]
async fn a_choice_about_a_reference_leaves_the_chosen_entities() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    screen.select_entity("Order").await;
    screen.search("Generate samples for entity").await;
    screen.choose_current().await;
    assert_eq!(screen.ticked_entities(), ["Order"]);
    screen.tick_entity("User").await;
    let mut ticked = screen.ticked_entities();
    ticked.sort();
    assert_eq!(ticked, ["Order", "User"]);
    screen.accept_reference().await;
    let mut kept = screen.ticked_entities();
    kept.sort();
    assert_eq!(kept, ticked);
}

#[wasm_bindgen_test]
async fn a_thousand_orders_join_up_with_their_users() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    let before = stored(&screen).await;
    screen.open_generate().await;
    assert_eq!(screen.dialog().as_deref(), Some("Generate samples"));
    // The form begins with a few orders for each user, those there are and those to come.
    assert_eq!(screen.summary(), "161 samples will be added.");
    screen.tick_entity("OrderItem").await;
    screen.tick_entity("Product").await;
    screen.fill("Samples of User", "50").await;
    screen.fill("Samples of Order", "2000000").await;
    assert_eq!(screen.field_errors().len(), 1);
    screen.fill("Samples of Order", "1000").await;
    assert_eq!(screen.summary(), "51050 samples will be added.");
    screen.choose("Parent of Order", "In total").await;
    assert_eq!(screen.summary(), "1050 samples will be added.");
    screen.press_in_dialog("Generate").await;
    screen.dialog_closes().await;
    let told = "1050 samples generated: 1000 Order, 50 User. Undo reverts this.";
    assert_eq!(screen.notices(), [told]);
    let holds = screen.table_holds().await;
    assert!(holds.starts_with("1058 items"), "{holds}");

    let design = stored(&screen).await;
    let users: SortedSet<String> = (values(&design, "User", "userId").iter())
        .map(Value::to_text)
        .collect();
    assert_eq!(users.len(), 51, "each user once");
    let orders = values(&design, "Order", "userId");
    assert_eq!(orders.len(), 1003);
    assert!(orders.iter().all(|user| users.contains(&user.to_text())));

    // One step takes all of it back.
    screen.press("z", true).await;
    let holds = screen.table_holds().await;
    assert!(holds.starts_with("8 items"), "{holds}");
    assert_eq!(stored(&screen).await.samples, before.samples);

    // The form remembers what was asked for last, and the seed gives the same again.
    screen.open_generate().await;
    assert_eq!(screen.summary(), "1050 samples will be added.");
    screen.press_in_dialog("Generate").await;
    screen.dialog_closes().await;
    let again = stored(&screen).await;
    assert_eq!(values(&again, "Order", "userId"), orders);
}

#[wasm_bindgen_test]
async fn what_cannot_be_generated_is_said_in_the_form() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    let before = stored(&screen).await;
    screen.open_generate().await;
    for entity in ["User", "Order", "OrderItem", "Product"] {
        screen.tick_entity(entity).await;
    }
    assert_eq!(
        screen.summary(),
        "Choose the entities to generate samples for."
    );
    screen.tick_entity("Order").await;
    screen.fill("Samples of Order", "0").await;
    assert_eq!(
        screen.summary(),
        "No samples. Increase a count, or generate the parents too."
    );
    screen.press("Escape", false).await;
    assert_eq!(screen.dialog(), None);
    assert_eq!(stored(&screen).await.samples, before.samples);
}

#[wasm_bindgen_test]
async fn an_import_is_reported_before_it_changes_anything() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    let before = stored(&screen).await;
    screen.search("import samples").await;
    screen.choose_current().await;
    assert_eq!(screen.dialog().as_deref(), Some("Import samples"));

    // A file that cannot be read at all.
    screen.paste_samples("userId,name\nu_1,\"Zed\n").await;
    let report = screen.import_report();
    assert!(
        report.contains("line 2: this quote is never closed"),
        "{report}"
    );
    assert!(report.ends_with("Nothing was changed."), "{report}");

    // One with a line that has no place.
    let text = "userId,email,name\nu_1,zed@example.com,Zed\nu_2,amy@example.com,Amy,1,2\n";
    screen.paste_samples(text).await;
    assert_eq!(screen.import_counts(), [("User".into(), "1".into())]);
    let refused = screen.not_imported();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].starts_with("line 3: "), "{refused:?}");
    assert_eq!(stored(&screen).await.samples, before.samples, "not yet");
    // All rows are of the entity that one chooses.
    screen.choose("Entity", "Product").await;
    wait(60).await;
    assert_eq!(screen.import_counts(), [("Product".into(), "1".into())]);
    screen.choose("Entity", "Detect from each item").await;
    wait(60).await;
    screen.press_in_dialog("Import 1 sample").await;
    screen.dialog_closes().await;
    assert_eq!(
        screen.notices(),
        ["1 sample imported: 1 User. Undo reverts this."]
    );
    let names = values(&stored(&screen).await, "User", "name");
    assert_eq!(names, ["Alice", "Zed"].map(|name| Value::S(name.into())));
    screen.press("z", true).await;
    assert_eq!(stored(&screen).await.samples, before.samples);
}

#[wasm_bindgen_test]
async fn a_new_type_tells_what_it_did_not_convert() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    screen.select_entity("Product").await;
    screen.choose("Type of stock", "String").await;
    let notice = screen.notices().pop().expect("a notice");
    assert!(
        notice.starts_with("stock is now of type String:\n2 values converted"),
        "{notice}"
    );
    screen.choose("Type of title", "Number").await;
    let notice = screen.notices().pop().expect("a notice");
    for line in [
        "title is now of type Number:",
        "sample 1 keeps The DynamoDB Book: ",
        "sample 2 keeps Reading lamp: ",
    ] {
        assert!(notice.contains(line), "{notice}");
    }
    let titles = values(&stored(&screen).await, "Product", "title");
    assert_eq!(titles[1], Value::S("Reading lamp".into()));
}

#[wasm_bindgen_test]
async fn a_format_shows_its_guess_and_examples() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    screen.select_entity("Order").await;
    screen.unfold("createdAt").await;
    screen.choose("Sample values", "From name and type").await;
    let (guess, examples) = screen.format_hint();
    let guess = guess.expect("a guess");
    assert!(guess.starts_with("Timestamp 20"), "{guess}");
    let examples = examples.expect("examples");
    assert_eq!(examples.split(", ").count(), 3, "{examples}");
    screen.press_button("Use as format").await;
    assert_eq!(screen.format_hint(), (None, Some(examples)));
    screen.fill("To", "2001-01-01T00:00:00Z").await;
    assert_eq!(screen.field_errors(), ["the range ends before it begins"]);
    assert_eq!(screen.format_hint(), (None, None), "no value is in it");
}

#[wasm_bindgen_test]
async fn replacing_samples_is_not_carried_over_to_another_design() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    screen.open_generate().await;
    screen.replace_samples().await;
    assert!(screen.summary().contains("will replace"));
    screen.press("Escape", false).await;
    // The same design remembers the choice, another one begins anew.
    screen.open_generate().await;
    assert!(screen.summary().contains("will replace"));
    screen.press("Escape", false).await;
    screen.open_pattern("saas-orders").await;
    screen.open_generate().await;
    assert!(screen.summary().contains("will be added"));
}

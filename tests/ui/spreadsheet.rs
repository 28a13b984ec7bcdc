//! The live table as a spreadsheet: selecting, copying, pasting, filling, finding, arranging columns, and one item in
//! the table and all its indexes.

use crate::screen::{Screen, wait};
use wasm_bindgen_test::wasm_bindgen_test;

const SAAS: &str = "saas-multi-tenant";

async fn opened() -> (Screen, usize) {
    let screen = Screen::first_visit().await;
    screen.open_pattern(SAAS).await;
    let alice = row(&screen, "sk", "USER#u_01").await;
    (screen, alice)
}

async fn row(screen: &Screen, column: &str, text: &str) -> usize {
    let texts = screen.column(column).await;
    let found = texts.iter().position(|other| other == text);
    found.unwrap_or_else(|| panic!("{text} is not in {texts:?}"))
}

#[wasm_bindgen_test]
async fn cells_are_selected_by_keyboard_and_pointer() {
    let (screen, alice) = opened().await;
    screen.click_cell(alice, "email").await;
    assert!(screen.selected_cells().is_empty());
    screen.press_shift("ArrowDown", false).await;
    screen.press_shift("ArrowRight", false).await;
    let after = screen
        .heads()
        .iter()
        .position(|name| name == "email")
        .unwrap()
        + 1;
    let next = screen.heads()[after].clone();
    let expected = [
        format!("{alice} email"),
        format!("{alice} {next}"),
        format!("{} email", alice + 1),
        format!("{} {next}", alice + 1),
    ];
    assert_eq!(screen.selected_cells(), expected);
    assert_eq!(screen.focused_cell(), ("USER#u_01".into(), "email".into()));
    screen.press_shift("ArrowLeft", false).await;
    assert_eq!(screen.selected_cells().len(), 2);
    screen.press("Escape", false).await;
    assert!(screen.selected_cells().is_empty());

    screen.drag_cells((0, "tenantId"), (2, "tenantId")).await;
    assert_eq!(screen.selected_cells().len(), 3);
    screen.press_shift("ArrowDown", true).await;
    let rows = screen.column("sk").await.len();
    assert_eq!(screen.selected_cells().len(), rows, "to the edge");
    screen.click_row_head(1).await;
    let row = screen.columns_in_page().len();
    assert_eq!(screen.selected_cells().len(), row);
    screen.press_shift("ArrowDown", false).await;
    assert_eq!(screen.selected_cells().len(), 2 * row);
    screen.press("a", true).await;
    assert_eq!(screen.selected_cells().len(), rows * row);
    screen.click_cell(0, "tenantId").await;
    assert!(screen.selected_cells().is_empty());
}

#[wasm_bindgen_test]
async fn cells_are_copied_pasted_filled_and_cleared_each_as_one_step() {
    let (screen, alice) = opened().await;
    let before = screen.column("email").await;
    screen.click_cell(alice, "email").await;
    screen.press_shift("ArrowDown", false).await;
    assert_eq!(
        screen.clipboard("copy").await,
        "alice@acme.com\nbob@acme.com"
    );
    screen.paste("one@x.y\ntwo@x.y").await;
    assert_eq!(
        screen.column("email").await[alice..alice + 2],
        ["one@x.y", "two@x.y"]
    );
    assert_eq!(
        screen.selected_cells().len(),
        2,
        "what was pasted is selected"
    );
    screen.press("z", true).await;
    assert_eq!(screen.column("email").await, before);

    screen.click_cell(alice, "email").await;
    screen.press_shift("ArrowDown", false).await;
    screen.press("d", true).await;
    assert_eq!(screen.column("email").await[alice + 1], "alice@acme.com");
    screen.press("z", true).await;
    screen.press("Delete", false).await;
    assert_eq!(screen.column("email").await[alice..alice + 2], ["", ""]);
    screen.press("z", true).await;
    assert_eq!(
        screen.clipboard("cut").await,
        "alice@acme.com\nbob@acme.com"
    );
    assert_eq!(screen.column("email").await[alice..alice + 2], ["", ""]);
    screen.press("z", true).await;
    assert_eq!(screen.column("email").await, before);
}

#[wasm_bindgen_test]
async fn a_hundred_rows_are_pasted_in_one_step_and_what_does_not_fit_is_named() {
    let (screen, _) = opened().await;
    let subscription = row(&screen, "sk", "#SUBSCRIPTION").await;
    let status = screen.table_status();
    assert!(
        status.starts_with("7 items · 2 item collections"),
        "{status}"
    );
    screen.click_cell(subscription, "seats").await;
    let rows = (0..100).map(|n| {
        format!(
            "t_{n}\t{}\n",
            if n == 7 { "many".into() } else { n.to_string() }
        )
    });
    screen
        .paste(&format!("tenantId\tseats\n{}", rows.collect::<String>()))
        .await;
    let status = screen.table_status();
    assert!(status.starts_with("107 items"), "{status}");
    let said = screen.notices().join(" ");
    assert!(
        said.contains("added 100 rows") && said.contains("row 9, seats: many"),
        "{said}"
    );
    screen.press("z", true).await;
    let status = screen.table_status();
    assert!(status.starts_with("7 items"), "{status}");
}

#[wasm_bindgen_test]
async fn the_focus_stays_with_an_item_that_moves() {
    let (screen, alice) = opened().await;
    screen.edit_cell(alice, "userId", "a_99", "Escape").await;
    screen.click_cell(alice, "userId").await;
    // The last user of the tenant: pasting gives it a key behind the other one.
    screen.paste("u_98").await;
    assert_eq!(screen.focused_cell(), ("USER#u_98".into(), "userId".into()));
    assert!(row(&screen, "sk", "USER#u_98").await > alice);
    // Selected cells are the same ones wherever they are.
    screen.press_shift("ArrowUp", false).await;
    let selected = screen.selected_cells();
    screen.paste("u_97\nu_01").await;
    assert_eq!(selected.len(), screen.selected_cells().len());
    assert!(screen.column("sk").await.contains(&"USER#u_97".to_owned()));
}

#[wasm_bindgen_test]
async fn columns_are_hidden_moved_and_come_back() {
    let (screen, _) = opened().await;
    let heads = screen.heads();
    screen.press_button("Columns").await;
    screen.tick("email").await;
    assert!(!screen.heads().contains(&"email".into()));
    screen.press("Escape", false).await;
    let at = |screen: &Screen, name: &str| screen.heads().iter().position(|n| n == name).unwrap();
    let from = at(&screen, "role");
    screen.focus_head("role").await;
    screen.press_alt("ArrowLeft").await;
    assert_eq!(at(&screen, "role"), from - 1);
    // It stays so while other tabs are looked at.
    screen.open_tab("GSI1").await;
    screen.open_tab("Table").await;
    assert_eq!(at(&screen, "role"), from - 1);
    assert!(!screen.heads().contains(&"email".into()));
    screen.right_click_head("role").await;
    screen.choose_from_menu("Show all columns").await;
    assert_eq!(screen.heads().len(), heads.len());
    // A key stays where it is.
    screen.focus_head("sk").await;
    screen.press_alt("ArrowRight").await;
    assert_eq!(screen.heads()[..2], heads[..2]);
}

#[wasm_bindgen_test]
async fn each_tab_keeps_its_order_and_its_filter() {
    let (screen, _) = opened().await;
    screen.right_click_head("email").await;
    screen.choose_from_menu("Sort column descending").await;
    screen.filter_rows("acme").await;
    let sorted = ["bob@acme.com", "alice@acme.com"];
    let shown = screen.column("email").await;
    assert_eq!(shown[..2], sorted);
    screen.open_tab("GSI1").await;
    assert_eq!(screen.row_filter(), "");
    screen.open_tab("Export").await;
    screen.open_tab("Table").await;
    assert_eq!(screen.row_filter(), "acme");
    assert_eq!(screen.column("email").await, shown);
    // Another design has other rows.
    screen.press_button("New design").await;
    assert_eq!(screen.row_filter(), "");
}

#[wasm_bindgen_test]
async fn the_menu_of_a_head_gives_the_focus_back_to_it() {
    let (screen, _) = opened().await;
    screen.focus_head("email").await;
    for (choice, said) in [
        ("Sort column descending", "Sorted by email, descending"),
        ("Sort column ascending", "Sorted by email, ascending"),
        ("Restore DynamoDB order", "DynamoDB order restored"),
        ("Move column right", "email: column"),
    ] {
        screen.press("Enter", false).await;
        screen.choose_from_menu_by_key(choice).await;
        wait(60).await;
        assert_eq!(screen.focused_head(), "email", "{choice}");
        assert!(screen.told().starts_with(said), "{}", screen.told());
    }
    let heads = screen.heads();
    let next = heads.iter().position(|name| name == "email").unwrap() + 1;
    screen.press("Enter", false).await;
    screen.choose_from_menu_by_key("Hide column").await;
    wait(60).await;
    assert_eq!(screen.focused_head(), heads[next]);
    assert_eq!(screen.told(), "email hidden");
}

#[wasm_bindgen_test]
async fn a_keys_column_grows_when_the_focus_leaves_the_table() {
    let (screen, alice) = opened().await;
    let before = screen.width_of("sk");
    let long = "a-user-id-that-is-longer-than-it-was";
    screen.edit_cell(alice, "userId", long, "Enter").await;
    row(&screen, "sk", &format!("USER#{long}")).await;
    crate::screen::wait(500).await;
    assert_eq!(screen.width_of("sk"), before, "nothing shifts in use");
    screen.focus_entity("User").await;
    for _ in 0..100 {
        if screen.width_of("sk") > before {
            break;
        }
        crate::screen::wait(50).await;
    }
    let grown = screen.width_of("sk");
    assert!(grown > before, "{grown}");
    screen.press("z", true).await;
    row(&screen, "sk", "USER#u_01").await;
    crate::screen::wait(500).await;
    assert_eq!(screen.width_of("sk"), grown, "it does not become narrower");
}

#[wasm_bindgen_test]
async fn another_order_is_marked_and_left_again() {
    let (screen, _) = opened().await;
    let keys = screen.column("sk").await;
    screen.right_click_head("email").await;
    screen.choose_from_menu("Sort column descending").await;
    assert_eq!(
        screen.column("email").await[..2],
        ["bob@acme.com", "alice@acme.com"]
    );
    screen
        .press_button("Sorted by email: not DynamoDB's order")
        .await;
    assert_eq!(screen.column("sk").await, keys);
}

#[wasm_bindgen_test]
async fn cells_come_into_the_page_with_their_columns_and_the_focus_stays() {
    let (screen, alice) = opened().await;
    let heads = screen.heads();
    let first = screen.columns_in_page();
    assert!(first.len() < heads.len() && heads.starts_with(&first));
    assert!(screen.cells_are_below_their_heads());
    screen.click_cell(alice, "gsi1pk").await;
    let cell = screen.focused_element();
    let last = heads.last().unwrap();
    screen.scroll_to_column(last).await;
    let far = screen.columns_in_page();
    assert!(
        far.contains(last) && far.starts_with(&heads[..2]),
        "{far:?}"
    );
    assert!(!far.contains(&"gsi2pk".to_owned()), "{far:?}");
    assert!(screen.cells_are_below_their_heads());
    assert_eq!(screen.focused_cell(), ("USER#u_01".into(), "gsi1pk".into()));
    assert!(screen.focused_element() == cell, "the very element");
    assert_eq!(screen.tab_stops(), 1);
    // From there the arrow keys come back into sight.
    screen.press("ArrowRight", false).await;
    assert_eq!(screen.focused_cell(), ("USER#u_01".into(), "gsi1sk".into()));
    screen.scrolled().await;
    let back = screen.columns_in_page();
    assert!(heads.starts_with(&back), "{back:?}");
    assert!(screen.cells_are_below_their_heads());
    screen.press("End", false).await;
    assert_eq!(screen.focused_cell(), ("USER#u_01".into(), last.clone()));
    // A column more, or one less.
    screen.scrolled().await;
    screen.right_click_head(last).await;
    screen.choose_from_menu("Hide column").await;
    assert_eq!(screen.heads().len(), heads.len() - 1);
    assert!(screen.cells_are_below_their_heads());
}

#[wasm_bindgen_test]
async fn entities_are_left_out_and_texts_are_found() {
    let (screen, alice) = opened().await;
    let rows = screen.column("sk").await.len();
    screen.press_button("Entities").await;
    screen.tick("User").await;
    assert_eq!(screen.column("sk").await.len(), rows - 2);
    screen.tick("User").await;
    screen.press("Escape", false).await;
    screen.click_cell(alice, "email").await;
    screen.press("f", true).await;
    // The other two are keys with the address in them. The search starts at the active cell.
    assert_eq!(screen.find_text("@ACME").await, "2 of 4");
    for column in ["email", "gsi1pk"] {
        assert_eq!(screen.found_cells(column).await, 2, "{column}");
    }
    screen.press("Enter", false).await;
    assert_eq!(screen.find_count(), "3 of 4");
    screen.press("Enter", false).await;
    screen.press("Enter", false).await;
    assert_eq!(screen.find_count(), "1 of 4", "round and round");
    screen.press_shift("Enter", false).await;
    assert_eq!(screen.find_count(), "4 of 4");
    assert_eq!(screen.active_cell(), ("USER#u_02".into(), "email".into()));
    screen.press("Escape", false).await;
    assert_eq!(screen.focused_cell(), ("USER#u_02".into(), "email".into()));
    assert_eq!(screen.found_cells("email").await, 0);
}

#[wasm_bindgen_test]
async fn an_item_is_followed_through_the_indexes() {
    let (screen, alice) = opened().await;
    screen.click_cell(alice, "email").await;
    let status = screen.table_status();
    assert!(
        status.contains("not in GSI2, GSI3: User has no keys in this index"),
        "{status}"
    );
    assert!(status.contains("of 400 KB"), "{status}");
    screen.go_to_place("GSI1").await;
    assert_eq!(screen.current_tab(), "GSI1");
    assert_eq!(screen.focused_cell(), ("USER#u_01".into(), "email".into()));
    let status = screen.table_status();
    assert!(status.starts_with("2 of 7 items are in GSI1"), "{status}");
    screen.open_tab("Table").await;
    assert_eq!(screen.active_cell(), ("USER#u_01".into(), "email".into()));
    // An item that is not there is not active there.
    screen.open_tab("GSI3").await;
    assert!(!screen.table_status().contains("not in"));
}

#[wasm_bindgen_test]
async fn the_menu_of_a_cell_is_about_what_is_selected() {
    let (screen, alice) = opened().await;
    screen.click_cell(alice, "email").await;
    screen.press_shift("ArrowDown", false).await;
    screen.right_click_cell(alice + 1, "email").await;
    assert_eq!(screen.selected_cells().len(), 2);
    assert!(
        screen.menu().contains(&"Fill down".into()),
        "{:?}",
        screen.menu()
    );
    screen.choose_from_menu("Fill down").await;
    assert_eq!(screen.column("email").await[alice + 1], "alice@acme.com");
    screen.right_click_cell(0, "tenantId").await;
    assert!(screen.selected_cells().is_empty(), "another cell is meant");
    screen.choose_from_menu("Duplicate rows").await;
    assert_eq!(screen.column("sk").await.len(), 8);
}

#[wasm_bindgen_test]
async fn a_map_is_edited_as_json_and_its_mistakes_are_named_with_their_place() {
    let (screen, alice) = opened().await;
    screen.click_cell(alice, "email").await;
    // The item gets an attribute that is a map.
    let item = r#"{"tenantId": {"S": "t_01"}, "userId": {"S": "u_09"}, "type": {"S": "User"},
        "email": {"S": "c@acme.com"}, "address": {"M": {"city": {"S": "Paris"}, "tags": {"SS": ["b", "a"]}}}}"#;
    screen.paste(item).await;
    let new = row(&screen, "sk", "USER#u_09").await;
    screen.click_cell(new, "address").await;
    screen.press("F2", false).await;
    let text = screen.large_field().expect("the field is open");
    assert!(
        text.starts_with("{\n  \"city\": \"Paris\",\n  \"tags\": {\n    \"SS\""),
        "{text}"
    );
    screen
        .fill_large_field("{\n  \"city\" \"Rome\"\n}", "Enter")
        .await;
    assert!(
        screen.large_error().starts_with("Line 2, column 10: "),
        "{}",
        screen.large_error()
    );
    screen
        .fill_large_field("{\"city\": \"Rome\"}", "Enter")
        .await;
    assert_eq!(screen.large_field(), None);
    assert_eq!(screen.column("address").await[new], r#"{"city":"Rome"}"#);
    assert_eq!(
        screen.focused_cell(),
        ("USER#u_09".into(), "address".into())
    );
    screen.press("F2", false).await;
    screen.press("Escape", false).await;
    assert_eq!(screen.large_field(), None);
    assert_eq!(screen.column("address").await[new], r#"{"city":"Rome"}"#);
}

#[wasm_bindgen_test]
async fn the_focus_stays_while_far_cells_are_selected_and_filled() {
    let (screen, alice) = opened().await;
    let rows = (0..200).map(|n| format!("t_{n}\tu_{n}\tu{n}@x.y\n"));
    screen.click_cell(alice, "email").await;
    screen
        .paste(&format!(
            "tenantId\tuserId\temail\n{}",
            rows.collect::<String>()
        ))
        .await;
    screen.press("Home", true).await;
    screen.press("ArrowUp", true).await;
    let first = row(&screen, "sk", "USER#u_0").await;
    screen.click_cell(first, "email").await;
    let here = screen.focused_cell();
    screen.press_shift("ArrowDown", true).await;
    assert_eq!(screen.focused_cell(), here, "the last row is in sight");
    screen.press("d", true).await;
    assert_eq!(screen.focused_cell(), here, "the first one is again");
    let emails = screen.column("email").await;
    assert_eq!(emails[first + 1], "u0@x.y");
    screen.press("z", true).await;
    assert_eq!(screen.focused_cell(), here);
    assert_ne!(screen.column("email").await[first + 1], "u0@x.y");
}

#[wasm_bindgen_test]
async fn what_the_table_holds_is_told_with_a_refused_item_active_too() {
    let (screen, alice) = opened().await;
    // Without a user there is no key.
    screen.edit_cell(alice, "userId", "", "Enter").await;
    let refused = screen.column("sk").await.len() - 1;
    screen.click_cell(refused, "email").await;
    assert!(screen.table_status().starts_with("6 items · 1 not stored"));
    screen.open_generate().await;
    screen.press_in_dialog("Generate").await;
    screen.dialog_closes().await;
    let status = screen.table_holds().await;
    assert!(
        status.contains("not stored") && !status.starts_with("6 "),
        "{status}"
    );
}

/// Pastes a hundred rows of the entity of the row that `alice` is in.
#[wasm_bindgen_test]
async fn what_was_pasted_is_selected_where_its_rows_went() {
    let (screen, alice) = opened().await;
    let tenant = screen.column("tenantId").await[alice].clone();
    screen.click_cell(alice, "userId").await;
    let more = format!("tenantId\tuserId\n{tenant}\tu_03\n{tenant}\tu_04\n");
    screen.paste(&more).await;
    let keys = screen.column("sk").await;
    assert_eq!(keys[alice + 1], "USER#u_02", "{keys:?}");
    screen.click_cell(alice, "userId").await;
    screen.paste("u_99\nu_00\n").await;
    let rows = [
        row(&screen, "sk", "USER#u_00").await,
        row(&screen, "sk", "USER#u_99").await,
    ];
    assert_eq!(rows[1], rows[0] + 3, "two others are between them");
    let expected = rows.map(|row| format!("{row} userId"));
    assert_eq!(screen.selected_cells(), expected);
}

async fn paste_a_hundred(screen: &Screen, alice: usize) {
    let rows = (0..100).map(|n| format!("t_{n:03}\tu_{n:03}\n"));
    screen.click_cell(alice, "email").await;
    screen
        .paste(&format!("tenantId\tuserId\n{}", rows.collect::<String>()))
        .await;
}

#[wasm_bindgen_test]
async fn the_tab_key_reaches_a_table_that_is_scrolled() {
    let (screen, alice) = opened().await;
    paste_a_hundred(&screen, alice).await;
    // No cell is active after a visit.
    screen.is_stored().await;
    let screen = screen.reload().await;
    assert!(screen.column("sk").await.len() < 40, "only those in sight");
    for top in [0, 1400] {
        screen.scroll_table(top).await;
        assert_eq!(screen.tab_stops(), 1, "at {top}");
    }
}

#[wasm_bindgen_test]
async fn a_table_that_one_comes_back_to_is_scrolled_as_it_was() {
    let (screen, alice) = opened().await;
    paste_a_hundred(&screen, alice).await;
    screen.press("Escape", false).await;
    screen.click_cell(1, "email").await;
    screen.scroll_table(1400).await;
    let [_, left] = screen.table_scroll();
    assert!(left > 0, "to the column that was clicked");
    screen.open_tab("GSI1").await;
    screen.open_tab("Table").await;
    screen.scrolled().await;
    let there = screen.table_scroll();
    assert_eq!(there, [1400, left], "the active item is far above");
    // Another item that was gone to is shown, wherever that is.
    screen.scroll_table(0).await;
    screen.click_cell(1, "email").await;
    screen.scroll_table(1400).await;
    screen.open_tab("GSI1").await;
    screen.click_cell(0, "email").await;
    screen.open_tab("Table").await;
    screen.scrolled().await;
    assert!(screen.table_scroll()[0] < 1400);
}

#[wasm_bindgen_test]
async fn scrolled_rows_are_in_order_and_the_focus_stays_with_its_item() {
    let (screen, alice) = opened().await;
    let rows = (0..200).map(|n| format!("t_{n:03}\tu_{n:03}\tu{n}@x.y\n"));
    screen.click_cell(alice, "email").await;
    let text = format!("tenantId\tuserId\temail\n{}", rows.collect::<String>());
    screen.paste(&text).await;
    screen.press("Home", true).await;
    screen.press("Escape", false).await;
    screen.click_cell(1, "email").await;
    let here = screen.focused_cell();
    let cell = screen.focused_element();
    let mut seen = keyfold_core::model::SortedMap::new();
    for top in [0, 28, 140, 1400, 2800, 2744, 1300, 90, 0] {
        screen.scroll_table(top).await;
        let numbers = screen.row_numbers();
        assert!(numbers.is_sorted(), "at {top}: {numbers:?}");
        assert!(numbers.len() < 80, "only those in sight are in the page");
        let first = top as usize / 28 + 2;
        assert!(numbers.contains(&first), "at {top}: {numbers:?}");
        for (number, key) in numbers.iter().zip(screen.column("sk").await) {
            let before = seen.insert(*number, key.clone()).unwrap_or(key.clone());
            assert_eq!(before, key, "the same item is on line {number} at {top}");
        }
        assert_eq!(screen.focused_cell(), here, "at {top}");
        assert!(
            screen.focused_element() == cell,
            "the very element, at {top}"
        );
    }
    for key in ["PageDown", "PageDown", "ArrowDown", "PageUp"] {
        screen.press(key, false).await;
        screen.scrolled().await;
        let numbers = screen.row_numbers();
        assert!(numbers.is_sorted(), "after {key}: {numbers:?}");
    }
    // The pasted users have keys of their own.
    let is_pasted = |key: &&String| key.starts_with("USER#u_") && key.len() == "USER#u_000".len();
    let pasted: Vec<&String> = seen.values().filter(is_pasted).collect();
    let distinct: keyfold_core::model::SortedSet<_> = pasted.iter().collect();
    assert!(pasted.len() > 30, "{seen:?}");
    assert_eq!(distinct.len(), pasted.len(), "no item is on two lines");
}

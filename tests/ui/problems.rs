//! Problems: found after an edit, marked where they stand, mended, silenced, gone through by keyboard.

use crate::screen::{Screen, wait};
use wasm_bindgen_test::wasm_bindgen_test;

const STATIC: (&str, &str) = ("K013", "Tenant, GSI1 partition key");
const TIME: (&str, &str) = ("K016", "Project, Table sort key");
const UNKNOWN: (&str, &str) = ("K002", "User, Table sort key");

async fn overloaded() -> Screen {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-overloaded").await;
    screen.open_problems().await;
    screen.problem_is_listed(STATIC.0, STATIC.1, true).await;
    screen
}

fn owned(problem: (&str, &str)) -> (String, String) {
    (problem.0.to_owned(), problem.1.to_owned())
}

#[wasm_bindgen_test]
async fn a_finding_appears_after_an_edit_is_marked_and_leads_to_its_field() {
    let screen = overloaded().await;
    assert_eq!(screen.problem_counts(), "Problems: 1 warning, 1 info");
    assert_eq!(screen.problem_headings(), ["Warnings1", "Info1"]);
    assert_eq!(screen.card_mark("User"), None);

    screen.select_entity("User").await;
    screen.fill("Table sort key sk", "USER#{userld}").await;
    screen.problem_is_listed(UNKNOWN.0, UNKNOWN.1, true).await;
    assert!(
        screen.problem_counts().starts_with("Problems: 1 error"),
        "{}",
        screen.problem_counts()
    );
    let (_, title) = screen.card_mark("User").expect("a mark");
    assert!(title.contains("K002"), "{title}");
    assert_eq!(screen.underlined(), ["{userld}"]);

    screen.select_entity("Project").await;
    screen.choose_problem(UNKNOWN.0, UNKNOWN.1).await;
    assert_eq!(screen.selected_card(), "User");
    screen.go_to_problem().await;
    assert_eq!(screen.focus_name(), "Table sort key sk");

    screen.leave_field().await;
    screen.press("z", true).await;
    screen.problem_is_listed(UNKNOWN.0, UNKNOWN.1, false).await;
    assert_eq!(screen.card_mark("User"), None);
}

#[wasm_bindgen_test]
async fn a_fix_is_shown_first_then_done_in_one_step() {
    let screen = overloaded().await;
    screen.choose_problem(TIME.0, TIME.1).await;
    screen.press_button("Use ULID…").await;
    let changes = screen.fix_changes();
    let template = [
        "Project, Table sort key",
        "PROJECT#{createdAt}#{projectId}",
        "PROJECT#{projectId}",
    ];
    assert!(
        changes.iter().any(|change| *change == template),
        "{changes:?}"
    );
    let in_table = changes
        .iter()
        .filter(|change| change[0] == "Project, Table");
    assert!(in_table.count() > 0, "{changes:?}");

    screen.press_button("Apply").await;
    screen.problem_is_listed(TIME.0, TIME.1, false).await;
    screen.select_entity("Project").await;
    assert_eq!(screen.field("Table sort key sk"), "PROJECT#{projectId}");

    screen.press("z", true).await;
    screen.problem_is_listed(TIME.0, TIME.1, true).await;
    assert_eq!(
        screen.field("Table sort key sk"),
        "PROJECT#{createdAt}#{projectId}"
    );
}

#[wasm_bindgen_test]
async fn the_focus_goes_along_with_a_fix_and_with_a_silence() {
    let screen = overloaded().await;
    screen.choose_problem(TIME.0, TIME.1).await;
    screen.press_button("Use ULID…").await;
    wait(60).await;
    assert_eq!(screen.focus(), "Apply");
    let described = screen.focus_description();
    assert!(
        described.contains("PROJECT#{createdAt}#{projectId}"),
        "{described}"
    );
    screen.press_button("Cancel").await;
    wait(60).await;
    assert_eq!(screen.focus(), "Use ULID…");
    screen.press_button("Use ULID…").await;
    screen.press_button("Apply").await;
    screen.problem_is_listed(TIME.0, TIME.1, false).await;
    wait(60).await;
    assert!(screen.is_in_problem_list(), "{}", screen.focus());
    assert_eq!(screen.chosen_problem(), owned(STATIC));

    screen.press("z", true).await;
    screen.problem_is_listed(TIME.0, TIME.1, true).await;
    screen.choose_problem(STATIC.0, STATIC.1).await;
    screen.silence("Back office only").await;
    screen.problem_is_listed(STATIC.0, STATIC.1, false).await;
    wait(60).await;
    assert!(screen.is_in_problem_list(), "{}", screen.focus());
    assert_eq!(screen.chosen_problem(), owned(TIME));
    // With the last one the list goes too.
    screen.silence("Sorted by time on purpose").await;
    screen.problem_is_listed(TIME.0, TIME.1, false).await;
    wait(60).await;
    assert_ne!(screen.focus(), "", "it is not lost");
}

/// Clicks a cell of the first user's row.
async fn click_in_first_user(screen: &Screen, column: &str) {
    screen.open_tab("Table").await;
    let keys = screen.column("sk").await;
    let user = keys.iter().position(|key| key == "USER#u_01");
    screen.click_cell(user.expect("there"), column).await;
}

#[wasm_bindgen_test]
async fn a_finding_about_a_sample_marks_its_cell_and_leads_to_it() {
    let screen = overloaded().await;
    click_in_first_user(&screen, "email").await;
    screen.paste("a#b@example.com").await;
    screen.open_problems().await;
    let found = ("S002", "User, sample 1");
    screen.problem_is_listed(found.0, found.1, true).await;
    screen.choose_problem(found.0, found.1).await;
    screen.go_to_problem().await;
    wait(300).await;
    assert_eq!(screen.active_cell().1, "email");
    assert_eq!(screen.problem_cells(), ["email"]);
}

#[wasm_bindgen_test]
async fn a_card_says_how_many_of_its_rows_have_problems_after_another_visit_too() {
    let screen = overloaded().await;
    let said = screen.spoken_name("User");
    assert!(!said.contains("problems"), "{said}");
    click_in_first_user(&screen, "userId").await;
    screen.press("Delete", false).await;
    let said = screen.spoken_name("User");
    assert!(said.ends_with(", 1 with findings"), "{said}");
    screen.is_stored().await;
    let screen = screen.reload().await;
    assert_eq!(screen.spoken_name("User"), said);
}

#[wasm_bindgen_test]
async fn a_finding_is_silenced_with_a_reason_and_that_is_taken_back() {
    let screen = overloaded().await;
    screen.choose_problem(STATIC.0, STATIC.1).await;
    screen.silence(" ").await;
    assert_eq!(
        screen.field_errors(),
        ["enter the reason why the finding is accepted"],
        "it is not silenced without a reason"
    );
    screen.silence("Back office only").await;
    screen.problem_is_listed(STATIC.0, STATIC.1, false).await;
    assert_eq!(screen.problem_counts(), "Problems: 1 info");

    screen.press_button("Silenced (3)").await;
    screen.choose_problem(STATIC.0, STATIC.1).await;
    assert_eq!(screen.silence_reason(), "Back office only");
    let screen = screen.reload().await;
    screen.open_problems().await;
    wait(300).await;
    screen.press_button("Silenced (3)").await;
    screen.choose_problem(STATIC.0, STATIC.1).await;
    screen.press_button("Unsilence").await;
    screen.problem_is_listed(STATIC.0, STATIC.1, false).await;
    screen.press_button("Silenced (2)").await;
    screen.problem_is_listed(STATIC.0, STATIC.1, true).await;
}

#[wasm_bindgen_test]
async fn a_typed_reason_stays_while_another_finding_is_chosen() {
    let screen = overloaded().await;
    screen.choose_problem(STATIC.0, STATIC.1).await;
    screen.type_reason("Back office").await;
    screen.choose_problem(TIME.0, TIME.1).await;
    assert_eq!(screen.typed_reason(), "");
    screen.choose_problem(STATIC.0, STATIC.1).await;
    assert_eq!(screen.typed_reason(), "Back office");
}

#[wasm_bindgen_test]
async fn f8_goes_from_one_to_the_next_from_wherever_one_is() {
    let screen = overloaded().await;
    screen.open_tab("Export").await;
    screen.select_entity("User").await;
    screen.fill("Name", "Person").await;
    screen.press("F8", false).await;
    assert!(screen.is_in_problem_list());
    let first = screen.chosen_problem();
    screen.press("F8", false).await;
    let second = screen.chosen_problem();
    assert_ne!(first, second);
    screen.press("F8", false).await;
    assert_eq!(screen.chosen_problem(), first, "round and round");
    let seen = [first, second];
    assert!(seen.contains(&owned(STATIC)) && seen.contains(&owned(TIME)));
    screen.press("Home", false).await;
    assert_eq!(screen.selected_card(), "Tenant");
    screen.press("ArrowDown", false).await;
    assert_eq!(screen.selected_card(), "Project");
    screen.press("Enter", false).await;
    wait(60).await;
    assert_eq!(screen.focus_name(), "Table sort key sk");
}

#[wasm_bindgen_test]
async fn the_list_is_searched_filtered_and_grouped() {
    let screen = overloaded().await;
    screen.search_problems("ulid").await;
    assert_eq!(screen.problems(), [owned(TIME)]);
    screen.search_problems("").await;
    screen.group_problems("Place").await;
    assert_eq!(screen.problem_headings(), ["Tenant1", "Project1"]);
    screen.group_problems("Rule").await;
    assert_eq!(
        screen.problem_headings(),
        ["K013 static-partition-key1", "K016 time-before-id1"]
    );
    screen.press_button("Show only 1 info").await;
    assert_eq!(screen.problems(), [owned(TIME)]);
    screen.press_button("Show only 1 info").await;
    screen.show_problems_of_kind("I").await;
    assert_eq!(screen.problems(), []);
    screen.press_button("Show all").await;
    assert_eq!(screen.problems(), [owned(STATIC), owned(TIME)]);
}

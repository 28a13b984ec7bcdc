//! The exports: choices that are kept with the design, what changed since the last export, the change plan.

use crate::screen::Screen;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn a_choice_changes_the_text_and_undo_takes_it_back() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.press_button("Export").await;
    let plain = screen.code().await;
    assert!(plain.contains("DeletionPolicy: Retain"), "{plain}");
    screen.switch("Delete table with stack").await;
    assert!(screen.code().await.contains("DeletionPolicy: Delete"));
    assert!(screen.is_on("Delete table with stack"));

    // A policy has choices of its own.
    screen.switch("Tenant policy").await;
    assert!(screen.code().await.contains("AWS::IAM::ManagedPolicy"));
    screen.fill("Role tag", "Tenant").await;
    assert!(screen.code().await.contains("aws:PrincipalTag/Tenant}"));
    screen.fill("Role tag", "no spaces").await;
    assert_eq!(screen.field_errors().len(), 1);
    screen.leave_field().await;

    // Another format has them too; a reload keeps them.
    screen.choose_format("Terraform").await;
    assert!(!screen.code().await.contains("prevent_destroy"));
    let screen = screen.reload().await;
    screen.press_button("Export").await;
    assert!(screen.code().await.contains("DeletionPolicy: Delete"));
    screen.switch("Delete table with stack").await;
    assert!(screen.code().await.contains("DeletionPolicy: Retain"));
    screen.leave_field().await;
    screen.press("z", true).await;
    assert!(
        screen.code().await.contains("DeletionPolicy: Delete"),
        "one undo"
    );
    assert!(screen.is_on("Delete table with stack"));
}

#[wasm_bindgen_test]
async fn what_changed_since_the_last_export_is_shown() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.press_button("Export").await;
    assert_eq!(screen.last_export().await, "", "never exported");
    screen.press_button("Download").await;
    assert!(
        screen.last_export().await.starts_with("Unchanged since 20"),
        "{}",
        screen.last_export().await
    );
    screen.switch("Delete table with stack").await;
    assert!(screen.last_export().await.starts_with("Changed since 20"));
    screen.press_button("Changes").await;
    assert_eq!(
        screen.changes().await,
        [
            "-     DeletionPolicy: Retain",
            "+     DeletionPolicy: Delete"
        ]
    );
    // Another format was not exported; this one is compared again after a reload.
    screen.choose_format("Rust").await;
    assert_eq!(
        (
            screen.last_export().await.as_str(),
            screen.changes().await.len()
        ),
        ("", 0)
    );
    let screen = screen.reload().await;
    screen.press_button("Export").await;
    screen.press_button("Changes").await;
    assert_eq!(screen.changes().await.len(), 2);
    screen.switch("Delete table with stack").await;
    assert!(screen.last_export().await.starts_with("Unchanged since 20"));
    assert!(screen.changes().await.is_empty(), "the text again");
    assert!(screen.code().await.contains("DeletionPolicy: Retain"));
}

#[wasm_bindgen_test]
async fn a_change_plan_comes_from_a_pasted_template_or_the_last_export() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.press_button("Export").await;
    let template = screen.code().await;
    screen.choose_format("Change plan").await;
    screen.paste_earlier("Resources: [\n").await;
    assert_eq!(
        screen.plan_problem(),
        "Cannot read the pasted text: line 2, column 1: missing value or closing bracket."
    );
    // Without the last of its indexes.
    let cut = template.find("        - IndexName: GSI3").unwrap();
    let end = template[cut..].find("\n\n").unwrap() + cut;
    screen
        .paste_earlier(&[&template[..cut], &template[end + 1..]].concat())
        .await;
    let plan = screen.code().await;
    assert!(
        plan.contains("Update 1 of 1: create the index GSI3"),
        "{plan}"
    );
    // It follows the design, and has the template of each update.
    screen.press_button("update-1.yaml").await;
    assert_eq!(screen.code().await, template);
    screen.press_button("Another version").await;
    assert_eq!(screen.plan_problem(), "");

    // What is exported can be compared with later.
    screen.choose_format("CloudFormation").await;
    screen.press_button("Download").await;
    screen.switch("Delete table with stack").await;
    screen.choose_format("Change plan").await;
    screen.press_last_export().await;
    let plan = screen.code().await;
    assert!(
        plan.contains("DeletionPolicy: Retain becomes Delete"),
        "{plan}"
    );
    screen.leave_field().await;
    screen.press("z", true).await;
    assert_eq!(screen.code().await, "No changes.");
}

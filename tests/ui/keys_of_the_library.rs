//! The library's designs in the page: the exact keys, in DynamoDB's order, in every tab.

use crate::screen::Screen;
use wasm_bindgen_test::wasm_bindgen_test;

/// A tab, the names of its partition and sort key, and the keys from the top.
type Tab<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

/// Opens a pattern and checks partition and sort keys of each tab.
async fn check(pattern: &str, tabs: &[Tab<'_>]) {
    let screen = Screen::first_visit().await;
    screen.open_pattern(pattern).await;
    let names: Vec<&str> = tabs.iter().map(|tab| tab.0).collect();
    assert_eq!(screen.item_tabs(), names);
    for (tab, partition, sort, expected) in tabs {
        screen.open_tab(tab).await;
        let shown = screen.columns(partition, sort).await;
        let shown: Vec<(&str, &str)> = shown
            .iter()
            .map(|(p, s)| (p.as_str(), s.as_str()))
            .collect();
        assert_eq!(shown, *expected, "{pattern}, {tab}");
    }
}

const TABLE: &[(&str, &str)] = &[
    ("TENANT#t_01", "#METADATA"),
    ("TENANT#t_01", "#SUBSCRIPTION"),
    ("TENANT#t_01", "PROJECT#2026-02-01#p_01"),
    ("TENANT#t_01", "PROJECT#2026-02-10#p_02"),
    ("TENANT#t_01", "USER#u_01"),
    ("TENANT#t_01", "USER#u_02"),
    ("TENANT#t_02", "#METADATA"),
];

#[wasm_bindgen_test]
async fn dedicated_indexes() {
    check(
        "saas-multi-tenant",
        &[
            ("Table", "pk", "sk", TABLE),
            (
                "GSI1",
                "gsi1pk",
                "gsi1sk",
                &[
                    ("USER_EMAIL#alice@acme.com", "USER#u_01"),
                    ("USER_EMAIL#bob@acme.com", "USER#u_02"),
                ],
            ),
            (
                "GSI2",
                "gsi2pk",
                "gsi2sk",
                &[
                    ("USER#u_01", "PROJECT#2026-02-01#p_01"),
                    ("USER#u_02", "PROJECT#2026-02-10#p_02"),
                ],
            ),
            (
                "GSI3",
                "gsi3pk",
                "gsi3sk",
                &[
                    ("TENANT_LIST", "Acme Corp#t_01"),
                    ("TENANT_LIST", "Globex Inc#t_02"),
                ],
            ),
        ],
    )
    .await;
}

#[wasm_bindgen_test]
async fn one_overloaded_index() {
    check(
        "saas-multi-tenant-overloaded",
        &[
            ("Table", "pk", "sk", TABLE),
            (
                "GSI1",
                "gsi1pk",
                "gsi1sk",
                &[
                    ("TENANT_LIST", "Acme Corp#t_01"),
                    ("TENANT_LIST", "Globex Inc#t_02"),
                    ("USER#u_01", "PROJECT#2026-02-01#p_01"),
                    ("USER#u_02", "PROJECT#2026-02-10#p_02"),
                    ("USER_EMAIL#alice@acme.com", "USER#u_01"),
                    ("USER_EMAIL#bob@acme.com", "USER#u_02"),
                ],
            ),
        ],
    )
    .await;
}

#[wasm_bindgen_test]
async fn ulids_sort_by_time() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant-ulid").await;
    let projects: Vec<String> = (screen.column("sk").await.into_iter())
        .filter(|key| key.starts_with("PROJECT#"))
        .collect();
    assert_eq!(projects.len(), 2);
    assert!(projects.is_sorted());
    assert!(
        projects
            .iter()
            .all(|key| key.len() == "PROJECT#".len() + 26),
        "{projects:?}"
    );
}

#[wasm_bindgen_test]
async fn finance() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("multi-branch-finance").await;
    let keys = screen.columns("PK", "SK").await;
    let has = |partition: &str, sort: &str| {
        assert!(
            keys.iter().any(|(p, s)| p == partition && s == sort),
            "{partition} | {sort} is not among {keys:#?}"
        );
    };
    has("TENANT#abc123", "METADATA");
    has("TENANT#abc123#BRANCH", "branch-001");
    has("TENANT#abc123#BRANCH", "branch-002");
    has("TENANT#abc123#ACCOUNT", "acc-001");
    has(
        "TENANT#abc123#BRANCH#branch-001#TRANSACTION",
        "2026-01-15#txn-001",
    );
    has(
        "TENANT#abc123#BRANCH#branch-001#TRANSACTION",
        "2026-01-16#txn-002",
    );
    has(
        "TENANT#abc123#BRANCH#branch-001#REPORTING",
        "MONTHLY#2026-01",
    );
    screen.open_tab("GSI2").await;
    assert!(
        screen
            .column("GSI2PK")
            .await
            .iter()
            .all(|key| key.starts_with("BRANCH#"))
    );
    assert_eq!(screen.column("GSI2PK").await.len(), 2);
}

//! Merging.

use crate::edits::{edited, pattern};
use keyfold_compare::{ChangeKind, Merged, Report, Side, diff, merge};
use keyfold_core::model::{Design, validate_invariants};
use keyfold_test_support::any_design::two_designs;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn merged(base: &Design, ours: &Design, theirs: &Design, side: Side) -> Merged {
    merge(base, ours, theirs, &|_| side)
}

fn check_equal(found: &Design, wanted: &Design) -> Result<(), TestCaseError> {
    let rest = diff(found, wanted);
    prop_assert!(rest.is_empty(), "{:#?}", rest.changes);
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_side_without_edits_changes_nothing((base, edited) in two_designs()) {
        for (ours, theirs) in [(&edited, &base), (&base, &edited), (&edited, &edited)] {
            let Merged { design, conflicts, .. } = merged(&base, ours, theirs, Side::Ours);
            prop_assert_eq!(conflicts, vec![]);
            check_equal(&design, &edited)?;
        }
    }

    /// The designs have nothing to do with each other, but many equal ids and names.
    #[test]
    fn a_merge_of_any_designs_is_valid((base, ours) in two_designs(), (theirs, _) in two_designs(), sides in any::<u64>()) {
        let choose = |conflict: &keyfold_compare::Conflict| {
            let number = conflict.path.len() + format!("{:?}", conflict.part).len();
            match sides >> (number % 64) & 1 {
                0 => Side::Ours,
                _ => Side::Theirs,
            }
        };
        let merged = merge(&base, &ours, &theirs, &choose);
        prop_assert_eq!(validate_invariants(&merged.design), vec![]);
        prop_assert_eq!(&merge(&base, &ours, &theirs, &choose), &merged);
    }
}

/// Edits of one side: JSON pointers and values.
type Edits = &'static [(&'static str, &'static str)];

/// Edits of saas-multi-tenant on both sides that meet.
const MEETINGS: &[(&str, Edits, Edits)] = &[
    (
        "both change a template",
        &[("/entities/e13/keys/primary/sort", r#""U#{userId}""#)],
        &[("/entities/e13/keys/primary/sort", r#""MEMBER#{userId}""#)],
    ),
    (
        "both make the same change",
        &[("/entities/e13/keys/primary/sort", r#""U#{userId}""#)],
        &[("/entities/e13/keys/primary/sort", r#""U#{userId}""#)],
    ),
    (
        "one deletes an entity, the other adds an attribute to it",
        &[
            ("/entities/e8", ""),
            ("/samples/e8", ""),
            ("/layout/e8", ""),
            ("/accessPatterns/p41", ""),
            ("/accessPatterns/p42/entities", r#"["e4"]"#),
        ],
        &[
            ("/nextId", "45"),
            (
                "/entities/e8/attributes/4",
                r#"{"id":"a44","name":"until"}"#,
            ),
        ],
    ),
    (
        "one deletes an entity, the other moves its card",
        &[
            ("/entities/e8", ""),
            ("/samples/e8", ""),
            ("/layout/e8", ""),
            ("/accessPatterns/p41", ""),
            ("/accessPatterns/p42/entities", r#"["e4"]"#),
        ],
        &[("/layout/e8", "[1, 2]")],
    ),
    (
        "one deletes an index, the other reads it",
        &[
            ("/indexes/i3", ""),
            ("/entities/e4/keys/i3", ""),
            ("/layout/i3", ""),
            ("/accessPatterns/p43", ""),
        ],
        &[
            ("/nextId", "45"),
            (
                "/accessPatterns/p44",
                r#"{"name":"Scan tenants","operation":{"scan":{"index":"i3"}},"entities":["e4"]}"#,
            ),
        ],
    ),
    (
        "one deletes a sample, the other uses it",
        &[("/samples/e13/1", "")],
        &[("/accessPatterns/p35/sample", r#""s30""#)],
    ),
    (
        "both add an entity of one name",
        &[
            ("/nextId", "46"),
            (
                "/entities/e44",
                r#"{"name":"Invoice","hue":3,"attributes":[{"id":"a45","name":"id"}],"keys":{"primary":{"partition":"I#{id}","sort":"I"}}}"#,
            ),
        ],
        &[
            ("/nextId", "48"),
            (
                "/entities/e45",
                r#"{"name":"Invoice","hue":4,"attributes":[{"id":"a46","name":"total","type":"N"},{"id":"a47","name":"id"}],"keys":{"primary":{"partition":"INVOICE#{id}","sort":"I"}}}"#,
            ),
        ],
    ),
    (
        "both add something under one id",
        &[
            ("/nextId", "46"),
            (
                "/entities/e44",
                r#"{"name":"Invoice","attributes":[{"id":"a45","name":"id"}]}"#,
            ),
            ("/layout/e44", "[0, 0]"),
        ],
        &[
            ("/nextId", "46"),
            (
                "/entities/e44",
                r#"{"name":"Payment","attributes":[{"id":"a45","name":"id"}]}"#,
            ),
            ("/accessPatterns/p35/entities", r#"["e44"]"#),
            ("/layout/e44", "[9, 9]"),
        ],
    ),
    (
        "one adds an entity, the other renames one so",
        &[("/nextId", "45"), ("/entities/e44", r#"{"name":"Member"}"#)],
        &[
            ("/entities/e13/name", r#""Member""#),
            ("/entities/e13/hue", "9"),
        ],
    ),
    (
        "one removes a sort key, the other adds an entry with one",
        &[
            ("/indexes/i3/key/sort", ""),
            ("/entities/e4/keys/i3/sort", ""),
        ],
        &[
            (
                "/entities/e8/keys/i3",
                r#"{"partition":"S","sort":"{stripeId}"}"#,
            ),
            ("/entities/e8/hue", "9"),
        ],
    ),
    (
        "one changes the primary key, the other adds an LSI",
        &[("/table/key/partition/0/name", r#""id""#)],
        &[
            ("/nextId", "45"),
            (
                "/indexes/i44",
                r#"{"name":"LSI1","kind":"lsi","key":{"partition":[{"name":"pk"}],"sort":[{"name":"a"}]}}"#,
            ),
            ("/entities/e8/hue", "9"),
        ],
    ),
    (
        "one changes the operation, the other its filter",
        &[(
            "/accessPatterns/p38/operation",
            r#"{"scan":{"index":"i1"}}"#,
        )],
        &[(
            "/accessPatterns/p38/operation/query/filter",
            r#""status = :active""#,
        )],
    ),
    (
        "both change other fields of one operation",
        &[("/accessPatterns/p38/operation/query/limit", "5")],
        &[(
            "/accessPatterns/p38/operation/query/filter",
            r#""status = :active""#,
        )],
    ),
    (
        "both put attributes in another order",
        &[
            ("/entities/e8/attributes/0", ""),
            (
                "/entities/e8/attributes/3",
                r#"{"id":"a9","name":"tenantId","required":true,"format":{"reference":{"entity":"e4","attribute":"tenantId"}},"description":"The paying tenant."}"#,
            ),
        ],
        &[
            ("/entities/e8/attributes/1", ""),
            (
                "/entities/e8/attributes/3",
                r#"{"id":"a10","name":"plan","required":true,"format":{"oneOf":[{"value":"free"},{"value":"pro"},{"value":"enterprise"}]},"description":"Paid plan."}"#,
            ),
        ],
    ),
    (
        "both add an attribute of one name, one with a type",
        &[
            ("/nextId", "45"),
            (
                "/entities/e8/attributes/4",
                r#"{"id":"a44","name":"total"}"#,
            ),
        ],
        &[
            ("/nextId", "45"),
            (
                "/entities/e8/attributes/4",
                r#"{"id":"a44","name":"total","type":"N","description":"In cents"}"#,
            ),
        ],
    ),
    (
        "both add attributes, samples and tags",
        &[
            ("/nextId", "46"),
            ("/entities/e8/attributes/4", r#"{"id":"a44","name":"from"}"#),
            ("/samples/e8/1", r#"{"id":"s45","values":{"from":"1"}}"#),
            ("/table/tags", r#"{"a":"1"}"#),
        ],
        &[
            ("/nextId", "46"),
            (
                "/entities/e8/attributes/4",
                r#"{"id":"a44","name":"until"}"#,
            ),
            ("/samples/e8/1", r#"{"id":"s45","values":{"until":"2"}}"#),
            ("/table/tags", r#"{"b":"2"}"#),
        ],
    ),
];

#[test]
fn edits_that_meet_are_conflicts_or_merged() {
    let base = pattern("saas-multi-tenant");
    let mut all = String::new();
    for (name, ours, theirs) in MEETINGS {
        let (ours, theirs) = (edited(&base, ours), edited(&base, theirs));
        all += &format!("== {name}\n");
        for side in [Side::Ours, Side::Theirs] {
            let merged = merged(&base, &ours, &theirs, side);
            assert_eq!(validate_invariants(&merged.design), vec![], "{name}");
            for conflict in &merged.conflicts {
                let taken = conflict.taken.label();
                let text = merged.describe(&base, &ours, conflict);
                all += &format!("conflict (took {taken}): {text}\n");
            }
            let changes = Report::new(&base, &merged.design).changes();
            for line in changes.into_iter().flat_map(|section| section.lines) {
                all += &format!(
                    "  {} {}\n",
                    line.kind.map_or("*", ChangeKind::sign),
                    line.text()
                );
            }
            if merged.conflicts.is_empty() {
                break;
            }
        }
        all += "\n";
    }
    insta::assert_snapshot!("conflicts", all);
}

#[test]
fn a_conflict_names_the_sides_and_their_values() {
    let base = pattern("saas-multi-tenant");
    let words = |meeting: &str| {
        let (_, ours, theirs) = MEETINGS
            .iter()
            .find(|(name, ..)| *name == meeting)
            .expect("a meeting");
        let (ours, theirs) = (edited(&base, ours), edited(&base, theirs));
        let merged = merged(&base, &ours, &theirs, Side::Ours);
        let conflict = merged.conflicts.first().expect("a conflict");
        let names = ["the open design", "shop.json"];
        merged.words(&base, &ours, conflict, names)
    };
    let changed = words("both change a template");
    assert_eq!(changed.place, "User, sort key template");
    assert_eq!(changed.why, None);
    let values = changed.values.expect("values");
    assert_eq!(values[1..], ["`U#{userId}`", "`MEMBER#{userId}`"]);
    let deleted = words("one deletes an entity, the other adds an attribute to it");
    assert_eq!(deleted.values, None);
    assert_eq!(
        deleted.why.as_deref(),
        Some("deleted in the open design, changed in shop.json")
    );
}

#[test]
fn edits_of_a_workload_are_merged_by_figure() {
    let base = edited(
        &pattern("saas-multi-tenant"),
        &[(
            "/workload",
            r#"{"patterns":{"p41":{"average":{"perSecond":20},"items":5}},"entities":{"e4":{"items":1000}}}"#,
        )],
    );
    let merge = |ours: Edits, theirs: Edits, side| {
        let (ours, theirs) = (edited(&base, ours), edited(&base, theirs));
        let merged = merged(&base, &ours, &theirs, side);
        assert_eq!(validate_invariants(&merged.design), vec![]);
        merged
    };
    // Each takes away one of two figures: none is left.
    let none = merge(
        &[("/workload/patterns/p41/average", "")],
        &[("/workload/patterns/p41/items", "")],
        Side::Ours,
    );
    assert!(none.conflicts.is_empty() && none.design.workload.patterns.is_empty());
    // Different figures come together; the same one is a conflict.
    let theirs: Edits = &[
        ("/workload/patterns/p41/failed", "2"),
        ("/workload/entities/e4/items", "3000"),
    ];
    let both = merge(
        &[("/workload/entities/e4/items", "2000")],
        theirs,
        Side::Theirs,
    );
    assert_eq!(both.conflicts.len(), 1);
    let traffic = both.design.workload.patterns.values().next();
    assert_eq!(traffic.and_then(|traffic| traffic.failed), Some(2.0));
    let volume = both.design.workload.entities.values().next();
    assert_eq!(volume.and_then(|volume| volume.items), Some(3000.0));
    // Who deletes the access pattern takes its traffic away, or gets both back.
    let deletes: Edits = &[("/accessPatterns/p41", ""), ("/workload/patterns/p41", "")];
    let changes: Edits = &[("/workload/patterns/p41/items", "7")];
    for side in [Side::Ours, Side::Theirs] {
        let merged = merge(deletes, changes, side);
        assert_eq!(merged.conflicts.len(), 1, "{:?}", merged.conflicts);
        let has = side == Side::Theirs;
        assert_eq!(!merged.design.workload.patterns.is_empty(), has);
    }
}

//! Differences in words: of pairs of library designs, and of one small edit of every kind.

use crate::edits::{edited, pattern};
use keyfold_compare::{Report, align, matched};
use keyfold_core::{library, text};

fn report(old: &str, new: &str) -> Report {
    let old = pattern(old);
    Report::new(&old, &align(&old, &pattern(new)))
}

#[test]
fn equal_designs_have_no_differences() {
    for pattern in library::patterns() {
        let report = report(pattern.name, pattern.name);
        assert!(report.is_empty());
        assert_eq!(report.text(), "No differences.\n");
        assert_eq!(report.markdown(), "No differences.\n");
    }
}

#[test]
fn variants_of_a_pattern_differ_in_what_they_teach() {
    let names: Vec<&str> = (library::patterns().iter())
        .map(|pattern| pattern.name)
        .collect();
    for old in &names {
        for new in names
            .iter()
            .filter(|new| new.strip_prefix(old).is_some_and(|rest| !rest.is_empty()))
        {
            let report = report(old, new);
            insta::assert_snapshot!(format!("{old}_to_{new}"), report.text());
        }
    }
    let overloaded = report("saas-multi-tenant", "saas-multi-tenant-overloaded");
    insta::assert_snapshot!("markdown", overloaded.markdown());
}

/// A new index has a line with its key, and each entity that joins it one with its templates; a removed one has only its own.
#[test]
fn entries_of_a_new_index_have_lines_with_their_templates() {
    let design = |index: &str, entry: &str| {
        let source = format!(
            "design Shop\n\ntable shop (PK, SK)\n{index}\nentity User\n  userId string\n  email string\n\n  key USER#{{userId}} / USER\n{entry}"
        );
        text::lower(&text::parse(&source), None).design
    };
    let old = design("", "");
    let new = design(
        "\ngsi GSI1 (GSI1PK, GSI1SK)\n",
        "  index GSI1 EMAIL#{email} / USER\n",
    );
    let lines = |old, new| {
        let changes = Report::of_changes(old, &matched(old, new, false)).changes();
        let lines = changes.iter().flat_map(|section| &section.lines);
        lines.map(|line| line.text()).collect::<Vec<_>>()
    };
    let added = lines(&old, &new);
    assert_eq!(added.len(), 2, "{added:?}");
    assert_eq!(
        added[1],
        "User, GSI1: partition key template `EMAIL#{email}`, sort key template `USER`"
    );
    assert_eq!(lines(&new, &old).len(), 1);
}

/// Edits of the design file of saas-multi-tenant: JSON pointers and the new values; nothing removes the value.
const EDITS: &[(&str, &[(&str, &str)])] = &[
    ("design name", &[("/name", r#""Shop""#)]),
    ("description", &[("/description", r#""Text""#)]),
    (
        "delimiter",
        &[(
            "/delimiter",
            r#"{"delimiter":"|","onConflict":"percentEncode"}"#,
        )],
    ),
    ("table name", &[("/table/name", r#""shop""#)]),
    (
        "primary key attribute",
        &[("/table/key/sort/0/name", r#""sort""#)],
    ),
    (
        "billing",
        &[("/table/billing", r#"{"provisioned":{"read":5,"write":7}}"#)],
    ),
    (
        "table class",
        &[("/table/class", r#""standardInfrequentAccess""#)],
    ),
    ("TTL", &[("/table/ttlAttribute", r#""expiresAt""#)]),
    ("stream", &[("/table/stream", r#""newAndOldImages""#)]),
    ("recovery", &[("/table/recovery", r#"{"days":7}"#)]),
    (
        "deletion protection",
        &[("/table/deletionProtection", "true")],
    ),
    ("tag", &[("/table/tags", r#"{"team":"a"}"#)]),
    (
        "replica",
        &[
            ("/table/replicas", r#"[{"region":"eu-central-1"}]"#),
            ("/table/stream", r#""newAndOldImages""#),
        ],
    ),
    ("type attribute", &[("/table/typeAttribute", "")]),
    ("index name", &[("/indexes/i1/name", r#""by-email""#)]),
    (
        "projection",
        &[("/indexes/i1/projection", r#"{"include":["name","role"]}"#)],
    ),
    (
        "new index",
        &[
            ("/nextId", "45"),
            (
                "/indexes/i44",
                r#"{"name":"GSI4","kind":"gsi","key":{"partition":[{"name":"a"}]},"projection":"keysOnly"}"#,
            ),
        ],
    ),
    (
        "index removed",
        &[
            ("/indexes/i3", ""),
            ("/entities/e4/keys/i3", ""),
            ("/layout/i3", ""),
            ("/accessPatterns/p43", ""),
        ],
    ),
    ("entity renamed", &[("/entities/e13/name", r#""Member""#)]),
    ("entity color", &[("/entities/e13/hue", "9")]),
    (
        "new entity",
        &[
            ("/nextId", "46"),
            (
                "/entities/e44",
                r#"{"name":"Invoice","attributes":[{"id":"a45","name":"invoiceId"}],"keys":{"primary":{"partition":"I#{invoiceId}","sort":"I"}}}"#,
            ),
        ],
    ),
    (
        "entity removed",
        &[
            ("/entities/e8", ""),
            ("/samples/e8", ""),
            ("/layout/e8", ""),
            ("/accessPatterns/p41", ""),
            ("/accessPatterns/p42/entities", r#"["e4"]"#),
        ],
    ),
    (
        "sort key template",
        &[(
            "/entities/e19/keys/primary/sort",
            r#""PROJECT#{projectId}""#,
        )],
    ),
    (
        "partition key template",
        &[("/entities/e19/keys/i2/partition", r#""BY#{createdBy}""#)],
    ),
    ("template removed", &[("/entities/e19/keys/i2/sort", "")]),
    (
        "sparse condition",
        &[(
            "/entities/e19/keys/i2/when",
            r#"[{"attribute":"status","test":{"equals":{"S":"active"}}}]"#,
        )],
    ),
    ("entry removed", &[("/entities/e13/keys/i1", "")]),
    (
        "new entry",
        &[(
            "/entities/e8/keys/i1",
            r#"{"partition":"STRIPE#{stripeId}","sort":"S"}"#,
        )],
    ),
    (
        "attribute renamed",
        &[("/entities/e13/attributes/4/name", r#""right""#)],
    ),
    (
        "attribute optional",
        &[("/entities/e13/attributes/4/required", "")],
    ),
    (
        "attribute type",
        &[("/entities/e8/attributes/2/type", r#""S""#)],
    ),
    (
        "new attribute",
        &[
            ("/nextId", "45"),
            (
                "/entities/e8/attributes/4",
                r#"{"id":"a44","name":"until"}"#,
            ),
        ],
    ),
    (
        "attributes in another order",
        &[
            ("/entities/e8/attributes/0", ""),
            (
                "/entities/e8/attributes/3",
                r#"{"id":"a9","name":"tenantId","required":true,"format":{"reference":{"entity":"e4","attribute":"tenantId"}},"description":"The paying tenant."}"#,
            ),
        ],
    ),
    (
        "reference",
        &[(
            "/entities/e19/attributes/3/format",
            r#"{"reference":{"entity":"e13","attribute":"email"}}"#,
        )],
    ),
    (
        "sample value",
        &[("/samples/e13/0/values/role", r#"{"S":"owner"}"#)],
    ),
    (
        "sample value removed",
        &[("/samples/e13/0/values/role", "")],
    ),
    (
        "sample with another key",
        &[("/samples/e13/0/values/userId", r#"{"S":"u_99"}"#)],
    ),
    ("sample removed", &[("/samples/e19/1", "")]),
    (
        "new sample",
        &[
            ("/nextId", "45"),
            (
                "/samples/e13/2",
                r#"{"id":"s44","values":{"tenantId":{"S":"t_01"},"userId":{"S":"u_09"}}}"#,
            ),
        ],
    ),
    (
        "access pattern renamed",
        &[("/accessPatterns/p35/name", r#""Users""#)],
    ),
    (
        "sort key condition",
        &[(
            "/accessPatterns/p35/operation/query/sort/0/value",
            r##""#""##,
        )],
    ),
    (
        "limit",
        &[("/accessPatterns/p40/operation/query/limit", "20")],
    ),
    (
        "filter",
        &[(
            "/accessPatterns/p38/operation/query/filter",
            r#""status = :active""#,
        )],
    ),
    (
        "other operation",
        &[(
            "/accessPatterns/p35/operation",
            r#"{"scan":{"index":"i1"}}"#,
        )],
    ),
    (
        "other index",
        &[("/accessPatterns/p36/operation/query/index", r#""i2""#)],
    ),
    (
        "intended entities",
        &[("/accessPatterns/p35/entities", r#"["e13","e19"]"#)],
    ),
    (
        "sample of the parameters",
        &[("/accessPatterns/p35/sample", r#""s30""#)],
    ),
    (
        "parameter",
        &[(
            "/accessPatterns/p35/parameters",
            r#"{"tenantId":{"S":"t_02"}}"#,
        )],
    ),
    ("rate", &[("/accessPatterns/p35/rate", "12.5")]),
    ("access pattern removed", &[("/accessPatterns/p35", "")]),
    (
        "new access pattern",
        &[
            ("/nextId", "45"),
            (
                "/accessPatterns/p44",
                r#"{"name":"New user","operation":{"putItem":{"entity":"e13"}},"entities":["e13"]}"#,
            ),
        ],
    ),
    (
        "note",
        &[
            ("/nextId", "45"),
            ("/notes", r#"{"n44":{"text":"To do\nmore"}}"#),
        ],
    ),
    (
        "silenced finding",
        &[(
            "/silenced/2",
            r#"{"code":"I001","place":"i3","reason":"Later"}"#,
        )],
    ),
    ("silenced reason", &[("/silenced/0/reason", r#""Because""#)]),
    (
        "export option",
        &[(
            "/exportOptions",
            r#"{"deleteWithStack":true,"tenant":{"attribute":"tenantId"}}"#,
        )],
    ),
    ("card moved", &[("/layout/e4", "[1, 2]")]),
    (
        "workload",
        &[(
            "/workload",
            r#"{"patterns":{"p41":{"average":{"perMonth":3000000},"items":25,
                "parameters":{"tenantId":{"shape":{"largest":80}}}}},
                "entities":{"e4":{"items":1000,"bytes":400}},
                "region":"eu-west-1","prices":{"storage":0.283},"backupGB":20}"#,
        )],
    ),
];

#[test]
fn every_kind_of_edit_has_its_words() {
    let old = pattern("saas-multi-tenant");
    let mut all = String::new();
    for (name, edits) in EDITS {
        let report = Report::new(&old, &edited(&old, edits));
        assert!(!report.is_empty(), "{name}");
        all += &format!("== {name}\n{}\n", report.text());
    }
    insta::assert_snapshot!("edits", all);
}

#[test]
fn edits_of_a_workload_have_their_words() {
    let old = edited(
        &pattern("saas-multi-tenant"),
        &[(
            "/workload",
            r#"{"patterns":{"p41":{"average":{"perSecond":20},"failed":2,
                "parameters":{"tenantId":{"shape":"even"}}}},
                "entities":{"e4":{"items":1000,"bytes":400}},"prices":{"storage":0.283}}"#,
        )],
    );
    let edits: &[(&str, &str)] = &[
        ("/workload/patterns/p41/average", r#"{"perMonth":3000000}"#),
        ("/workload/patterns/p41/failed", ""),
        (
            "/workload/patterns/p41/parameters/tenantId",
            r#"{"values":50,"shape":{"zipf":1.1}}"#,
        ),
        (
            "/workload/patterns/p41/puts",
            r#"{"creates":60,"updates":30}"#,
        ),
        ("/workload/entities/e4/items", "2000"),
        ("/workload/entities/e4/retention", "90"),
        ("/workload/prices/storage", "0.25"),
        ("/workload/prices/reads", "0.125"),
        ("/workload/region", r#""eu-west-1""#),
    ];
    let report = Report::new(&old, &edited(&old, edits));
    insta::assert_snapshot!(report.text());
}

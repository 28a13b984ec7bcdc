//! Fixes applied to the library's designs.

use keyfold_app::fixes::preview_all;
use keyfold_app::{Command, Document, apply, fixes};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library::find;
use keyfold_core::lint::{Fix, lint};
use keyfold_core::model::{
    Design, IndexId, Operation, Point, Silenced, SortedMap, Value, validate_invariants,
};
use keyfold_core::proof::{Outcome, prove};
use keyfold_test_support::lint_cases::cases;

fn pattern(name: &str) -> Design {
    find(name).expect("a pattern").design().expect("sound")
}

fn fix_of(design: &Design, code: &str) -> Fix {
    let report = lint(design);
    let finding = report.findings.iter().find(|finding| finding.code == code);
    finding.expect(code).fix.clone().expect("a fix")
}

fn fixed(design: &Design, code: &str) -> Design {
    let fix = fix_of(design, code);
    let next = apply(design, fixes::command(fix.clone())).expect("carried out");
    assert_eq!(validate_invariants(&next), []);
    assert!(
        lint(&next)
            .findings
            .iter()
            .all(|finding| finding.code != code)
    );
    // One step, which can be undone.
    let mut document = Document::new(design.clone());
    document.run(fixes::command(fix), 0.0).expect("carried out");
    document.undo().expect("one step");
    assert!(document.undo().is_none());
    let mut back = document.design().clone();
    back.next_id = design.next_id;
    assert_eq!(&back, design);
    next
}

/// The templates by entity and index name.
fn templates(design: &Design) -> SortedMap<(String, String), (Option<String>, Option<String>)> {
    let mut all = SortedMap::new();
    for entity in design.entities.values() {
        for (index, entry) in &entity.keys {
            let place = (entity.name.clone(), design.index_name(*index).to_owned());
            all.insert(place, (entry.partition.clone(), entry.sort.clone()));
        }
    }
    all
}

/// Access patterns by name, with the name of their index instead of its id.
fn operations(design: &Design) -> SortedMap<String, (String, Operation)> {
    let mut all = SortedMap::new();
    for pattern in design.access_patterns.values() {
        let mut operation = pattern.operation.clone();
        let index = operation.index().unwrap_or(IndexId::PRIMARY);
        if let Operation::Query { index, .. } | Operation::Scan { index, .. } = &mut operation {
            *index = IndexId::PRIMARY;
        }
        let read = design.index_name(index).to_owned();
        all.insert(pattern.name.clone(), (read, operation));
    }
    all
}

/// The items that each access pattern returns, by name: the values of this attribute, in order.
fn results(design: &Design, attribute: &str) -> SortedMap<String, Vec<Option<Value>>> {
    let stored = TableSnapshot::of(design);
    let mut all = SortedMap::new();
    for (id, pattern) in &design.access_patterns {
        let proof = prove(&stored, *id).expect("there");
        assert!(
            proof.verdict.is_served(),
            "{}: {:?}",
            pattern.name,
            proof.reasons
        );
        let Outcome::Read(read) = proof.outcome else {
            continue;
        };
        let values = read
            .items
            .iter()
            .map(|item| item.get(attribute).map(|value| value.to_value()));
        all.insert(pattern.name.clone(), values.collect());
    }
    all
}

#[test]
fn merging_dedicated_indexes_gives_the_overloaded_design() {
    let (dedicated, overloaded) = (
        pattern("saas-multi-tenant"),
        pattern("saas-multi-tenant-overloaded"),
    );
    let merged = fixed(&dedicated, "I003");
    assert_eq!(merged.indexes.len(), 1);
    let keys = |design: &Design| {
        design
            .indexes
            .values()
            .map(|i| i.key.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&merged), keys(&overloaded));
    assert_eq!(templates(&merged), templates(&overloaded));
    assert_eq!(operations(&merged), operations(&overloaded));
    for attribute in ["pk", "sk"] {
        let before = results(&dedicated, attribute);
        assert!(
            before.len() >= 10 && before.values().all(|items| !items.is_empty()),
            "{before:?}"
        );
        assert_eq!(results(&merged, attribute), before);
    }
    // Silenced findings moved too.
    let report = lint(&merged);
    assert_eq!(report.needless, Vec::<usize>::new());
    let names = |design: &Design| -> Vec<&str> {
        let open = lint(design).findings.into_iter();
        open.filter(|finding| finding.silenced.is_none())
            .map(|finding| finding.code)
            .collect()
    };
    assert_eq!(names(&merged), names(&overloaded));
}

#[test]
fn replacing_time_and_id_by_a_ulid_gives_the_ulid_design() {
    for name in ["saas-multi-tenant", "saas-multi-tenant-overloaded"] {
        let before = pattern(name);
        let mut after = fixed(&before, "K016");
        if name == "saas-multi-tenant" {
            after = fixed(&after, "I003");
        }
        let ulid = pattern("saas-multi-tenant-ulid");
        assert_eq!(templates(&after), templates(&ulid));
        assert_eq!(operations(&after), operations(&ulid));
        assert_eq!(results(&after, "title"), results(&before, "title"));
        let project = after.entity_named("Project").expect("there");
        for sample in after.samples_of(project) {
            let Some(Value::S(id)) = sample.values.get("projectId") else {
                panic!("no id");
            };
            assert_eq!(id.len(), 26, "{id}");
        }
        assert!(
            lint(&after)
                .findings
                .iter()
                .all(|finding| finding.code != "S001")
        );
    }
}

#[test]
fn sharding_the_pending_orders_gives_the_sharded_design() {
    let (plain, sharded) = (pattern("e-commerce"), pattern("e-commerce-sharded"));
    let after = fixed(&plain, "K014");
    assert_eq!(templates(&after), templates(&sharded));
    let pending = |design: &Design, name: &str| operations(design)[name].clone();
    assert_eq!(
        pending(&after, "List pending orders"),
        pending(&sharded, "List pending orders of one shard")
    );
    let found = &results(&after, "orderId")["List pending orders"];
    let before = &results(&plain, "orderId")["List pending orders"];
    assert!(!found.is_empty() && found.iter().all(|order| before.contains(order)));
}

#[test]
fn a_fix_preview_shows_templates_patterns_and_indexes() {
    let design = pattern("saas-multi-tenant");
    let mut text = String::new();
    for code in ["I003", "K016", "K013"] {
        let preview = fixes::preview(&design, &fix_of(&design, code)).expect("carried out");
        text += &format!("# {code}\n");
        for change in preview.changes {
            let shown = |text: Option<String>| text.unwrap_or_else(|| "-".into());
            let (before, after) = (shown(change.before), shown(change.after));
            text += &format!("{}\n  {before}\n  {after}\n", change.what);
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_fix_of_a_deleted_part_is_refused() {
    let design = pattern("saas-multi-tenant");
    for code in ["I003", "K016", "K013"] {
        let fix = fix_of(&design, code);
        let empty = Design::new("Empty");
        assert!(apply(&empty, fixes::command(fix)).is_err(), "{code}");
    }
    let merge = Fix::MergeIndexes {
        into: IndexId(1),
        from: vec![IndexId(1)],
    };
    assert!(apply(&design, fixes::command(merge)).is_err());
}

#[test]
fn findings_can_be_silenced_with_a_reason_and_unsilenced() {
    let design = pattern("saas-orders");
    let open = |design: &Design| -> Vec<(&str, keyfold_core::lint::Place)> {
        let open = lint(design).findings.into_iter();
        open.filter(|finding| finding.silenced.is_none())
            .map(|finding| (finding.code, finding.place))
            .collect()
    };
    let (code, place) = *open(&design).last().expect("findings");
    let silence = |reason: &str| {
        Command::Silence(Silenced {
            code: code.into(),
            place: place.to_string(),
            reason: reason.into(),
        })
    };
    for reason in ["", "  "] {
        let refused = apply(&design, silence(reason)).expect_err("no reason");
        assert_eq!(
            refused.to_string(),
            "enter the reason why the finding is accepted"
        );
    }
    let silenced = apply(&design, silence("Meant.")).expect("silenced");
    let silenced = apply(&silenced, silence("Meant so.")).expect("said anew");
    assert_eq!(validate_invariants(&silenced), []);
    assert_eq!(silenced.silenced.len(), design.silenced.len() + 1);
    assert!(!open(&silenced).contains(&(code, place)));
    let report = lint(&silenced);
    let finding = (report.findings.iter()).find(|f| (f.code, f.place) == (code, place));
    assert_eq!(
        finding.expect("still there").silenced.as_deref(),
        Some("Meant so.")
    );
    let unsilence = Command::Unsilence {
        code: code.into(),
        place: place.to_string(),
    };
    assert_eq!(apply(&silenced, unsilence).expect("taken back"), design);
    let nowhere = Command::Silence(Silenced {
        code: code.into(),
        place: "nowhere".into(),
        reason: "Meant.".into(),
    });
    assert!(apply(&design, nowhere).is_err());
    // A silence without a finding is reported.
    let mut stale = design.clone();
    std::sync::Arc::make_mut(&mut stale.silenced).insert(
        0,
        Silenced {
            code: "K001".into(),
            place: "e99/primary/sort".into(),
            reason: "Gone.".into(),
        },
    );
    assert_eq!(lint(&stale).needless, [0]);
}

#[test]
fn every_fix_of_every_library_design_can_be_applied() {
    for pattern in keyfold_core::library::patterns() {
        let design = pattern.design().expect("sound");
        for finding in &lint(&design).findings {
            let Some(fix) = finding.fix.clone() else {
                continue;
            };
            let next = apply(&design, fixes::command(fix)).expect("carried out");
            assert_eq!(validate_invariants(&next), [], "{}", pattern.name);
            let report = lint(&next);
            let same = |other: &&std::sync::Arc<keyfold_core::lint::Finding>| {
                (other.code, other.place) == (finding.code, finding.place)
            };
            assert!(
                report.findings.iter().find(same).is_none(),
                "{} {}",
                pattern.name,
                finding.message
            );
            let unserved = report
                .findings
                .iter()
                .find(|finding| finding.code == "A001");
            assert!(unserved.is_none(), "{}: {unserved:?}", pattern.name);
        }
    }
}

#[test]
fn a_fix_leaves_a_valid_design_without_its_finding() {
    let mut fixed: SortedMap<String, usize> = SortedMap::new();
    for case in cases().iter().filter(|case| case.bad) {
        let mut design = case.design.clone();
        let open = |design: &Design| {
            let report = lint(design);
            let mut found = report.findings.into_iter();
            found.find(|finding| finding.code == case.code && finding.fix.is_some())
        };
        for round in 0.. {
            assert!(round < 20, "{}: fixes never end", case.title);
            let Some(finding) = open(&design) else {
                break;
            };
            let fix = finding.fix.clone().expect("asked for");
            let preview = keyfold_app::fixes::preview(&design, &fix).expect("carried out");
            assert!(!preview.changes.is_empty(), "{}: {fix:?}", case.title);
            let next = apply(&design, fixes::command(fix)).expect("carried out");
            assert_eq!(next, preview.after);
            assert_eq!(validate_invariants(&next), [], "{}", case.title);
            design = next;
            *fixed.entry(case.code.clone()).or_default() += 1;
        }
        let left: Vec<_> = (lint(&design).findings.iter())
            .filter(|finding| finding.code == case.code)
            .map(|finding| finding.message.clone())
            .collect();
        let had_fix = lint(&case.design)
            .findings
            .iter()
            .any(|f| f.code == case.code && f.fix.is_some());
        assert!(!had_fix || left.is_empty(), "{}: {left:?}", case.title);
        // A fix leaves no access pattern unserved.
        let unserved = |design: &Design| {
            lint(design)
                .findings
                .iter()
                .filter(|f| f.code == "A001")
                .count()
        };
        if !matches!(case.code.as_str(), "I001" | "I002" | "I004") {
            assert!(
                unserved(&design) <= unserved(&case.design),
                "{}: {:#?}",
                case.title,
                lint(&design).findings
            );
        }
    }
    assert!(fixed.len() >= 20, "{fixed:?}");
}

#[test]
fn all_findings_of_a_rule_are_fixed_as_one_step() {
    let mut design = Design::new("Fix all");
    let at = Point { x: 0, y: 0 };
    for number in 1..=15 {
        let name = format!("Part {number}");
        design = apply(&design, Command::AddEntity { name, at }).unwrap();
    }
    for entity in design.entities.values_mut() {
        for attribute in &mut std::sync::Arc::make_mut(entity).attributes {
            attribute.required = false;
        }
    }
    let fixes: Vec<Fix> = (lint(&design).findings.iter())
        .filter(|finding| finding.code == "K003")
        .filter_map(|finding| finding.fix.clone())
        .collect();
    assert_eq!(fixes.len(), 15);
    // The same fix twice is one fix.
    let all = preview_all(&design, &[&fixes[..], &fixes[..3]].concat());
    assert_eq!((all.fixes.len(), all.preview.changes.len()), (15, 15));
    assert_eq!(all.refused, []);
    let tried = all.preview.after.clone();
    let mut document = Document::new(design.clone());
    document.run(all.command(), 0.0).unwrap();
    assert_eq!(*document.design(), tried);
    assert_eq!(validate_invariants(document.design()), []);
    assert!(
        lint(document.design())
            .findings
            .iter()
            .all(|finding| finding.code != "K003")
    );
    document.undo();
    assert_eq!(*document.design(), design);
}

#[test]
fn a_fix_that_is_refused_after_another_is_left_out() {
    let at = Point { x: 0, y: 0 };
    let name = "Part".to_owned();
    let design = apply(&Design::new("Fix all"), Command::AddEntity { name, at }).unwrap();
    let id = *design.entities.keys().next().unwrap();
    let attribute = design.entities[&id].attributes[0].id;
    let add = Fix::AddAttribute(id, "partId".into());
    let all = preview_all(&design, &[add, Fix::Require(id, attribute)]);
    assert_eq!((all.fixes.len(), all.refused.len()), (1, 1));
}

//! All access patterns of the library: their verdicts and reasons.

use super::{design, items, proof, reached, texts};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library::patterns;
use keyfold_core::proof::{Cover, Outcome, Verdict, coverage, prove};
use std::fmt::Write;

/// One line per access pattern, and one per reason.
#[test]
fn verdicts() {
    let mut text = String::new();
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        let stored = TableSnapshot::of(&design);
        writeln!(text, "{}", pattern.name).unwrap();
        for (id, access) in &design.access_patterns {
            let proof = prove(&stored, *id).unwrap();
            let reached: Vec<_> = reached(&design, &proof);
            let done = match &proof.outcome {
                Outcome::Nothing => "nothing".to_owned(),
                Outcome::Read(read) => format!("{} of {}", read.items.len(), read.read),
                Outcome::Written(preview) => format!("{} units", preview.units),
            };
            let (name, verdict) = (&access.name, proof.verdict.label());
            let reached = reached.join(", ");
            writeln!(text, "  {name} [{reached}] {done}: {verdict}").unwrap();
            for reason in &proof.reasons {
                writeln!(text, "    - {}", reason.text).unwrap();
            }
            for suggestion in &proof.suggestions {
                writeln!(text, "    > {}", suggestion.text).unwrap();
            }
        }
    }
    insta::with_settings!({ snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!("proof_library", text);
    });
}

#[test]
fn every_access_pattern_of_the_library_is_served() {
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        let stored = TableSnapshot::of(&design);
        for (id, access) in &design.access_patterns {
            let proof = prove(&stored, *id).unwrap();
            let place = format!("{}: {}: {proof:#?}", pattern.name, access.name);
            assert!(proof.verdict.is_served(), "{place}");
            assert!(!matches!(proof.outcome, Outcome::Nothing), "{place}");
            if let Outcome::Read(read) = &proof.outcome {
                assert!(!read.items.is_empty(), "{place}");
            }
        }
    }
}

#[test]
fn queries_for_tasks_also_find_comments() {
    let design = design("saas-hierarchy");
    let tasks = proof(&design, "List tasks of a project");
    assert_eq!(tasks.verdict, Verdict::ReadsTooMuch);
    assert_eq!(reached(&design, &tasks), ["Task", "!Comment"]);
    assert_eq!(items(&tasks, "type"), ["Task", "Comment", "Task"]);
    assert_eq!(
        texts(&tasks),
        [
            "also finds `Comment`: `TENANT#acme` / `PROJECT#a#TASK#a#COMMENT#a`",
            "on the samples it returns 3 items, 1 of unintended entities",
        ]
    );
    let projects = proof(&design, "List projects of a tenant");
    assert_eq!(projects.verdict, Verdict::ReadsTooMuch);
    assert_eq!(
        reached(&design, &projects),
        ["Project", "!Task", "!Comment"]
    );
    let comments = proof(&design, "List comments of a task");
    assert_eq!(comments.verdict, Verdict::Served);
    assert_eq!(texts(&comments), [""; 0]);
}

#[test]
fn branches_of_a_tenant_are_served_by_the_primary_key() {
    let design = design("multi-branch-finance");
    let branches = proof(&design, "List branches of a tenant");
    assert_eq!(branches.verdict, Verdict::Served);
    assert_eq!(reached(&design, &branches), ["Branch"]);
    assert_eq!(items(&branches, "branchId"), ["branch-001", "branch-002"]);
}

#[test]
fn one_shard_or_month_is_part_of_the_result() {
    let sharded = design("e-commerce-sharded");
    let pending = proof(&sharded, "List pending orders of one shard");
    let spread = pending.spread.expect("one of ten shards");
    assert_eq!(
        (spread.parameter.as_str(), spread.queries),
        ("shard", Some(10))
    );
    assert_eq!(spread.placeholder, "{orderId:shard(10)}");
    let whole = spread.whole.expect("all queries ran");
    let mut orders: Vec<_> = (whole.items.iter())
        .map(|item| item.get("orderId").unwrap().to_text())
        .collect();
    orders.sort();
    assert_eq!(orders, ["456", "458"]);
    assert_eq!((whole.pages, whole.units), (10, 5.0));

    let log = design("activity-log");
    let span = proof(&log, "List activity over several months");
    let spread = span.spread.expect("one of several months");
    assert_eq!((spread.parameter.as_str(), spread.queries), ("month", None));
    assert_eq!(spread.whole, None);
    assert_eq!(proof(&log, "List activity of a month").spread, None);
}

#[test]
fn coverage_relates_patterns_to_indexes() {
    let mut design = design("iot-device-log");
    let rows = |design: &_| {
        let stored = TableSnapshot::of(design);
        let ids = stored.design().access_patterns.keys();
        let proofs: Vec<_> = ids.map(|id| (*id, prove(&stored, *id).unwrap())).collect();
        let pairs: Vec<_> = proofs.iter().map(|(id, proof)| (*id, proof)).collect();
        coverage(design, &pairs)
    };
    let all = rows(&design);
    assert_eq!(all.idle, []);
    let row = |name: &str| {
        let mut patterns = all.patterns.iter();
        let found = patterns.find(|(id, ..)| design.access_patterns[id].name == name);
        found.expect("a row").2.clone()
    };
    use Cover::*;
    assert_eq!(row("Latest state of a device"), [Could, Serves, No, No]);
    assert_eq!(
        row("List states during an operator's shift"),
        [No, No, Serves, No]
    );
    assert_eq!(row("Escalate a state"), [Writes, Writes, No, Writes]);
    let device = design.entity_named("Device").unwrap();
    let is_in = all.entities.iter().find(|(id, _)| *id == device).unwrap();
    assert_eq!(is_in.1, [true, false, false, false]);

    design
        .access_patterns
        .retain(|_, pattern| !pattern.name.contains("escalations"));
    let idle = rows(&design).idle;
    assert_eq!(idle, [design.index_named("GSI2").unwrap()]);
}

//! Fuzzes what the command line does with mutated designs of the library: their JSON as a tree and as bytes. Nothing may
//! panic or run forever, and every refusal has a reason. A case is a few numbers, so that a failing case shrinks to few
//! mutations.

use keyfold_app::export::{all_files, read_version};
use keyfold_app::picture::PictureOptions;
use keyfold_app::{apply, fixes};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{EntityPlan, materialize_all, view};
use keyfold_core::export::change_plan::{change_plan, text};
use keyfold_core::export::samples::{csv, dynamodb_json};
use keyfold_core::export::{Format, iam};
use keyfold_core::library::patterns;
use keyfold_core::lint::lint;
use keyfold_core::model::Design;
use keyfold_core::persist::{from_json, to_json};
use keyfold_core::proof::{coverage, prove_pattern};
use keyfold_test_support::cases;
use proptest::prelude::*;
use serde_json::Value;

/// A mutation: position, kind and operand.
type Mutation = (u32, u8, u32);

/// Texts with a special meaning to some reader.
const TEXTS: [&str; 30] = [
    "",
    " ",
    "#",
    "{",
    "}",
    "{}",
    "{userId}",
    "{userId:upper|lower|first(3)}",
    "${AWS::Region}",
    "{{resolve:ssm:x}}",
    "<a>",
    "a#b#c",
    "\u{202e}abc",
    "\u{0}",
    "e\u{301}\u{301}",
    "👩‍👩‍👧",
    "\u{10ffff}",
    "__proto__",
    "constructor",
    "primary",
    "i1",
    "e2",
    "a3",
    "p1",
    "NaN",
    "-0",
    "1e999",
    "9007199254740993",
    "2026-02-30",
    "'; DROP TABLE x; --",
];

/// Numbers at the limit of some type.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e300",
    "0.1",
];

/// Returns a template text that is expensive to analyze.
fn expensive(with: u32) -> String {
    let many = (with / 7 % 3000) as usize;
    match with % 7 {
        0 => format!("{{a}}{}{{b}}", "a".repeat(many)),
        1 => format!("ITEM#{{itemId}}{}", "a".repeat(many)),
        2 => "{a}{b}{c}".repeat(many / 30),
        3 => format!("X#{{a:{}}}", vec!["upper|lower"; many % 30 + 1].join("|")),
        4 => format!("{{a:first(2048)|upper|first({})}}#", many % 2048 + 1),
        5 => format!("{}{{a}}", "ab".repeat(many)),
        _ => "#".repeat(many),
    }
}

/// Collects the JSON pointers of all nodes of a tree.
fn pointers(value: &Value, path: &mut Vec<String>, all: &mut Vec<String>) {
    all.push(path.concat());
    let mut go = |key: String, value: &Value| {
        path.push(format!("/{}", key.replace('~', "~0").replace('/', "~1")));
        pointers(value, path, all);
        path.pop();
    };
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                go(at.to_string(), item);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                go(key.clone(), value);
            }
        }
        _ => {}
    }
}

fn mutate(root: &mut Value, (at, what, with): Mutation) {
    let mut all = Vec::new();
    pointers(root, &mut Vec::new(), &mut all);
    let path = all[at as usize % all.len()].clone();
    let other = all[with as usize % all.len()].clone();
    let pick = |texts: &[&str]| texts[with as usize % texts.len()].to_owned();
    let number = || serde_json::from_str(&pick(&NUMBERS)).unwrap_or_default();
    let copy = root.pointer(&other).cloned().unwrap_or_default();
    // Most mutations change a text, which leaves most designs valid.
    if what % 16 < 8 {
        let texts: Vec<&String> = all
            .iter()
            .filter(|path| root.pointer(path).is_some_and(Value::is_string))
            .collect();
        let Some(path) = texts
            .get(at as usize % texts.len().max(1))
            .map(|path| (*path).clone())
        else {
            return;
        };
        let Some(Value::String(text)) = root.pointer_mut(&path) else {
            return;
        };
        match what % 8 {
            0 | 1 => *text = pick(&TEXTS),
            2 => text.push_str(&pick(&TEXTS)),
            3 => *text = expensive(with),
            4 => *text = text.repeat(with as usize % 40),
            5 => {
                let cut = text.floor_char_boundary(with as usize % (text.len() + 1));
                text.truncate(cut);
            }
            6 => text.insert_str(0, &expensive(with)),
            _ => {
                if let Value::String(copied) = &copy {
                    text.clone_from(copied);
                }
            }
        }
        return;
    }
    let Some(node) = root.pointer_mut(&path) else {
        return;
    };
    match (what % 16, node) {
        (8, node) => *node = copy,
        (9, Value::Array(items)) if !items.is_empty() => {
            let item = items[with as usize % items.len()].clone();
            items.push(item);
        }
        (9, Value::Object(members)) => {
            members.insert(pick(&TEXTS), copy);
        }
        (10, Value::Array(items)) if !items.is_empty() => {
            drop(items.remove(with as usize % items.len()));
        }
        (10, Value::Object(members)) if !members.is_empty() => {
            let key = members.keys().nth(with as usize % members.len()).cloned();
            members.remove(&key.unwrap_or_default());
        }
        (11, Value::Array(items)) => items.reverse(),
        (12, Value::Number(old)) => {
            if let Value::Number(new) = number() {
                *old = new;
            }
        }
        (12, node) => *node = number(),
        (13, node) => *node = Value::Null,
        (14, node) => *node = Value::String(pick(&TEXTS)),
        (15, node) => *node = Value::Array(vec![copy; with as usize % 4]),
        _ => {}
    }
}

/// Does everything that the command line does with a design, and applies fixes as the page does.
fn exercise(design: &Design, other: &str) {
    let text_of = to_json(design);
    assert_eq!(from_json(&text_of).as_ref(), Ok(design), "it reads back");
    for id in design.entities.keys() {
        let _ = EntityPlan::new(design, *id).errors();
    }
    let items: Vec<_> = materialize_all(design).into_values().collect();
    for index in design.index_ids() {
        let _ = view(design, index, &items).rows.len();
    }
    let report = lint(design);
    for finding in report.findings.iter().take(8) {
        if let Some(fix) = &finding.fix {
            let _ = apply(design, fixes::command(fix.clone()));
        }
    }
    let stored = TableSnapshot::of(design);
    let proofs: Vec<_> = design
        .access_patterns
        .iter()
        .map(|(id, pattern)| (*id, prove_pattern(&stored, pattern)))
        .collect();
    let pairs: Vec<_> = proofs.iter().map(|(id, proof)| (*id, proof)).collect();
    let _ = coverage(design, &pairs);
    for file in all_files(design, PictureOptions::default(), &mut |_, _| {}) {
        assert!(
            !file
                .name
                .contains(['\\', ':', '*', '?', '"', '<', '>', '|']),
            "{}",
            file.name
        );
    }
    let _ = (
        csv(design, None),
        dynamodb_json(design, None),
        iam::remark(design),
    );
    for format in ["cloudformation", "cloudformation-json"] {
        for file in Format::named(format).expect("a format").files(design) {
            let _ = read_version(&file.code.text, None);
        }
    }
    if let (Ok(old), Ok(new)) = (read_version(other, None), read_version(&text_of, None)) {
        for (old, new) in [(&old, &new), (&new, &old)] {
            let plan = change_plan(old, new);
            let _ = text(&plan);
            for step in &plan.steps {
                let _ = step.template();
            }
        }
    }
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    prop::collection::vec((any::<u32>(), any::<u8>(), any::<u32>()), 1..5)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_mutated_design_is_used_or_refused(pattern in any::<u16>(), mutations in mutations()) {
        let all = patterns();
        let source = all[pattern as usize % all.len()].json;
        let mut json: Value = serde_json::from_str(source).expect("JSON");
        for mutation in mutations {
            mutate(&mut json, mutation);
        }
        match from_json(&json.to_string()) {
            Ok(design) => exercise(&design, source),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn mutated_bytes_are_used_or_refused(pattern in any::<u16>(), mutations in mutations()) {
        let all = patterns();
        let source = all[pattern as usize % all.len()].json;
        let mut bytes = source.as_bytes().to_vec();
        for (at, what, with) in mutations {
            let at = at as usize % bytes.len();
            match what % 6 {
                0 | 1 => bytes[at] = with as u8,
                2 => bytes[at] ^= 1 << (with % 8),
                3 => drop(bytes.drain(at..(at + with as usize % 20).min(bytes.len()))),
                4 => {
                    let piece = bytes[at..(at + with as usize % 200).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
                _ => bytes.truncate(at.max(1)),
            }
        }
        match from_json(&String::from_utf8_lossy(&bytes)) {
            Ok(design) => exercise(&design, source),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn mutated_templates_are_used_or_refused(pattern in any::<u16>(), as_yaml in any::<bool>(), mutations in mutations()) {
        let all = patterns();
        let pattern = &all[pattern as usize % all.len()];
        let design = pattern.design().expect("sound");
        let format = if as_yaml { "cloudformation" } else { "cloudformation-json" };
        let mut text = Format::named(format).expect("a format").files(&design).remove(0).code.text;
        for (at, what, with) in mutations {
            let at = text.floor_char_boundary(at as usize % (text.len() + 1));
            let piece = TEXTS[with as usize % TEXTS.len()];
            match what % 5 {
                0 => text.insert_str(at, piece),
                1 => text.insert_str(at, "\n  # comment\n"),
                2 => text.truncate(at),
                3 => {
                    let end = text.floor_char_boundary((at + with as usize % 30).min(text.len()));
                    text.replace_range(at..end, "");
                }
                _ => {
                    let end = text.floor_char_boundary((at + with as usize % 300).min(text.len()));
                    let copied = text[at..end].to_owned();
                    text.insert_str(at, &copied);
                }
            }
        }
        let new = read_version(pattern.json, None).expect("sound");
        if let Ok(old) = read_version(&text, None) {
            let plan = change_plan(&old, &new);
            let _ = keyfold_core::export::change_plan::text(&plan);
        }
    }
}

/// Otherwise the fuzz tests could refuse nearly all designs and exercise nothing.
#[test]
fn many_mutated_designs_are_still_valid() {
    let mut sound = 0;
    let source = patterns()[0].json;
    for number in 0..100u32 {
        let mut json: Value = serde_json::from_str(source).expect("JSON");
        mutate(
            &mut json,
            (
                number.wrapping_mul(2_654_435_761),
                (number % 16) as u8,
                number.wrapping_mul(40_503),
            ),
        );
        sound += usize::from(from_json(&json.to_string()).is_ok());
    }
    assert!(sound >= 20, "{sound} of 100");
}

//! The Rust export: snapshots of its text, and checks that it is formatted, compiles without warnings, is clean under
//! clippy and passes its own tests, which contain the keys that the app renders.

pub mod build;
pub mod designs;
pub mod text_designs;

use designs::{all_modifiers, encode, indexes, obstacle_course, reject, wide};
use keyfold_core::export::{Code, Tag, rust};
use keyfold_core::library;
use keyfold_core::model::{Design, Operation};
use keyfold_core::slices::finish;
use keyfold_test_support::any_design::some_designs;
use keyfold_test_support::designs::full_design;
use keyfold_test_support::key_designs::{key_only, natural_keys};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use text_designs::padded_then_plain;

fn rust(design: &Design) -> Code {
    finish(rust::rust(design))
}

fn pattern(name: &str) -> Design {
    let pattern = library::find(name).unwrap_or_else(|| panic!("the library has {name}"));
    pattern
        .design()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All tested designs, by the name of their module.
fn designs() -> Vec<(String, Design)> {
    let mut designs: Vec<_> = (library::patterns().iter())
        .map(|p| {
            (
                format!("library_{}", p.name.replace('-', "_")),
                pattern(p.name),
            )
        })
        .collect();
    for (name, design) in [
        ("names", obstacle_course()),
        ("modifiers", all_modifiers(reject("#"))),
        ("percent_encoding", all_modifiers(encode("#"))),
        ("delimiter_dash", all_modifiers(reject("-"))),
        ("delimiter_digit_encoded", all_modifiers(encode("2"))),
        ("delimiter_of_two", all_modifiers(reject("::"))),
        ("delimiter_none", all_modifiers(reject(""))),
        ("delimiter_quotes", all_modifiers(reject("\"{}\\"))),
        ("indexes", indexes()),
        ("padded_then_plain", padded_then_plain()),
        ("everything", full_design()),
        ("natural_keys", natural_keys()),
        ("key_only", key_only()),
        ("empty", Design::new("Empty")),
    ] {
        designs.push((name.to_owned(), design));
    }
    for (number, design) in (0..).zip(some_designs(12)) {
        designs.push((format!("random_{number}"), design));
    }
    designs
}

/// One crate with all generated files as modules compiles with and without tests, is clean under clippy, and passes its
/// tests.
#[test]
fn the_code_compiles_without_warnings_and_passes_its_own_tests() {
    let mut root = "#![deny(warnings)]\n#![forbid(unsafe_code)]\n".to_owned();
    for (name, design) in designs() {
        formatted("crate", &name, &design);
        root.push_str(&format!("pub mod {name};\n"));
    }
    let directory = directory("crate");
    let file = directory.join("lib.rs");
    std::fs::write(&file, root).expect("the root is written");
    let compile = |tool: &str, output: &str, more: &[&str]| {
        let mut command = Command::new(tool);
        command.args([
            "--edition",
            "2021",
            "--crate-name",
            "generated",
            "-D",
            "warnings",
        ]);
        command
            .args(more)
            .arg("--out-dir")
            .arg(directory.join(output))
            .arg(&file);
        run(&mut command);
    };
    let clippy = ["--emit", "metadata", "-D", "clippy::all"];
    compile(
        "rustc",
        "lib",
        &["--crate-type", "lib", "--emit", "metadata"],
    );
    compile(
        "clippy-driver",
        "clippy",
        &[&clippy[..], &["--test"]].concat(),
    );
    compile("rustc", "test", &["--test", "-C", "debuginfo=0"]);
    let tests = directory
        .join("test")
        .join("generated")
        .with_extension(std::env::consts::EXE_EXTENSION);
    run(&mut Command::new(tests));
}

#[test]
fn exports_match_their_snapshots() {
    for (name, design) in [
        ("saas_dedicated", pattern("saas-multi-tenant")),
        ("saas_overloaded", pattern("saas-multi-tenant-overloaded")),
        ("saas_ulid", pattern("saas-multi-tenant-ulid")),
        ("finance", pattern("multi-branch-finance")),
        ("modifiers", all_modifiers(reject("#"))),
        ("indexes", indexes()),
        ("natural_keys", natural_keys()),
        ("key_only", key_only()),
    ] {
        snapshot(name, &rust(&design).text);
    }
}

/// A function that always fails would be found out only in production.
#[test]
fn a_request_that_dynamodb_rejects_gets_no_function() {
    let mut design = pattern("saas-multi-tenant");
    let found = design.access_patterns.iter().find(|(_, pattern)| {
        matches!(&pattern.operation, Operation::Query { index, .. } if !index.is_primary())
    });
    let id = *found.expect("a Query of an index").0;
    let name = design.access_patterns[&id].name.clone();
    let omitted = format!("- `{name}`: DynamoDB rejects the request: ");
    // Comments are wrapped.
    let is_omitted = |design: &Design| {
        let words = rust(design).text.replace("//", " ");
        words
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(&omitted)
    };
    assert!(!is_omitted(&design));
    let read = |design: &mut Design, consistent: bool, filter: Option<&str>| {
        let pattern = Arc::make_mut(design.access_patterns.get_mut(&id).unwrap());
        let read = pattern.operation.read_mut().unwrap();
        (read.consistent, read.filter) = (consistent, filter.map(str::to_owned));
    };
    read(&mut design, true, None);
    assert!(is_omitted(&design));
    read(&mut design, false, Some("gsi1pk = :x"));
    assert!(is_omitted(&design));
}

#[test]
fn awkward_names_become_identifiers() {
    let text = rust(&obstacle_course()).text;
    let named = |line: &&str| {
        line.contains("pub ") && !line.contains("pub(super)") || line.starts_with("// ")
    };
    let names: Vec<_> = text.lines().filter(named).collect();
    snapshot("names", &names.join("\n"));
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("rust_export__{name}"), text);
    });
}

/// Templates, names and values of every length around rustfmt's limits.
#[test]
fn any_width_has_rustfmts_layout() {
    let directory = directory("widths");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2021", "--check"]);
    for length in 1..110 {
        let file = directory.join(format!("width_{length}.rs"));
        let text = rust(&wide(length)).text;
        std::fs::write(&file, text).expect("the generated file is written");
        rustfmt.arg(file);
    }
    run(&mut rustfmt);
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    let design = obstacle_course();
    assert_eq!(rust(&design), rust(&design.clone()));
}

#[test]
fn tags_are_ordered_and_correct() {
    let code = rust(&all_modifiers(reject("#")));
    let mut end = 0;
    for (span, tag) in &code.spans {
        assert!(span.start >= end && span.end > span.start);
        end = span.end;
        let text = &code.text[span.clone()];
        match tag {
            Tag::Comment => assert!(text.starts_with("//"), "{text}"),
            Tag::Text => assert!(text.ends_with(['"', '\'']), "{text}"),
            Tag::Number => assert!(
                text.starts_with(|c: char| c.is_ascii_digit()) || matches!(text, "true" | "false"),
                "{text}"
            ),
            _ => assert!(
                text.starts_with(|c: char| c.is_alphabetic() || c == '\'' || c == '_'),
                "{text}"
            ),
        }
    }
    let tagged = |wanted: Tag, text: &str| {
        code.spans
            .iter()
            .any(|(span, tag)| *tag == wanted && code.text[span.clone()] == *text)
    };
    assert!(tagged(Tag::Keyword, "pub"));
    assert!(tagged(Tag::Type, "KeyError"));
    assert!(tagged(Tag::Function, "format"));
    assert!(tagged(Tag::Text, "\"TABLE-name\"") || tagged(Tag::Text, "\"#\""));
}

/// Writes the file of a design and checks its layout.
fn formatted(place: &str, name: &str, design: &Design) {
    let file = directory(place).join(format!("{name}.rs"));
    std::fs::write(&file, rust(design).text).expect("the generated file is written");
    run(Command::new("rustfmt")
        .args(["--edition", "2021", "--check"])
        .arg(&file));
}

fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rust_export_{name}"));
    std::fs::create_dir_all(&directory).expect("a directory for generated files");
    directory
}

fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

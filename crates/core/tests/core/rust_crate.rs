//! The generated crate in Cargo: formatted, clean under clippy, with passing tests, with and without each feature. The
//! parts that need the SDK run with the design of pattern 1b, whose access patterns run against an emulator
//! (`tests/generated/emulator`).

use crate::rust_export::build::{add_attribute, add_entity, add_keys, add_sample, sound};
use crate::rust_export::designs::{all_modifiers, encode, indexes, obstacle_course, reject};
use crate::rust_export::text_designs::{
    keyed_by_type, shared_under_condition, sparse_by_existence,
};
use keyfold_core::export::File;
use keyfold_core::export::rust::rust_crate;
use keyfold_core::library;
use keyfold_core::model::{AttributeType, Design, IndexEntry, IndexId};
use keyfold_core::slices::finish;
use keyfold_test_support::any_design::some_designs;
use keyfold_test_support::designs::full_design;
use keyfold_test_support::key_designs::{key_only, natural_keys};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The design whose crate is tested with the SDK.
const WITH_SDK: &str = "saas-multi-tenant-overloaded";

/// An entity of 300 attributes of all types.
fn many_attributes() -> Design {
    let mut design = Design::new("Many");
    let entity = add_entity(&mut design, "Many");
    for number in 0..300 {
        let kind = AttributeType::ALL[number % 10];
        add_attribute(&mut design, entity, &format!("attribute {number}"), kind);
    }
    let entry = IndexEntry::pair("A#{attribute 0}", "B#{attribute 10}#{attribute 1:pad(4)}");
    add_keys(&mut design, entity, IndexId::PRIMARY, entry);
    let texts = [("attribute 0", "x"), ("attribute 10", "y")];
    add_sample(&mut design, entity, &texts, &[("attribute 1", 7)]);
    sound(design)
}

/// A crate without its optional parts.
fn bare() -> Design {
    let mut design = all_modifiers(reject("#"));
    let options = Arc::make_mut(&mut design.export_options);
    options.without_tests = true;
    options.without_sdk = true;
    design
}

/// All designs, each with its own table name, which names the crate.
fn designs() -> Vec<(String, Design)> {
    let mut designs: Vec<(String, Design)> = (library::patterns().iter())
        .map(|pattern| (pattern.name.to_owned(), pattern.design().unwrap()))
        .collect();
    for (name, design) in [
        ("names", obstacle_course()),
        ("modifiers", all_modifiers(reject("#"))),
        ("encoding", all_modifiers(encode("#"))),
        ("indexes", indexes()),
        ("shared-under-condition", shared_under_condition()),
        ("keyed-by-type", keyed_by_type()),
        ("sparse-by-existence", sparse_by_existence()),
        ("everything", full_design()),
        ("bare", bare()),
        ("natural-keys", natural_keys()),
        ("key-only", key_only()),
        ("many", many_attributes()),
        ("empty", Design::new("Empty")),
    ] {
        designs.push((name.to_owned(), design));
    }
    for (number, design) in (0..).zip(some_designs(6)) {
        designs.push((format!("random-{number}"), design));
    }
    for (name, design) in &mut designs {
        Arc::make_mut(&mut design.table).name = name.clone();
    }
    designs
}

/// Writes all crates into one workspace and returns its folder.
fn workspace() -> PathBuf {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    let _ = std::fs::remove_dir_all(&folder);
    let copy = |file: &str| {
        let to = folder.join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(kept.join(file), to).unwrap_or_else(|error| panic!("{file}: {error}"));
    };
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "clippy.toml",
        "emulator/Cargo.toml",
        "emulator/src/lib.rs",
        "emulator/tests/access_patterns.rs",
    ] {
        copy(file);
    }
    // The requests of access patterns need only the SDK.
    let requests = folder.join("emulator/tests/requests.rs");
    std::fs::write(requests, crate::requests::rust_program()).unwrap();
    for (name, design) in designs() {
        for File { name: path, code } in finish(rust_crate(&design)) {
            let file = folder.join("crates").join(&name).join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, code.text).unwrap();
        }
    }
    folder
}

fn cargo(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    // Keep the folder between runs, so that dependencies compile once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("generated");
    command
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .args(arguments);
    run(&mut command);
}

fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn generated_crates_are_formatted_and_pass_clippy_and_tests() {
    let folder = workspace();
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2021", "--check"]);
    for (name, _) in designs() {
        let own = folder.join("crates").join(name);
        let files = [
            "src/lib.rs",
            "src/aws.rs",
            "tests/keys.rs",
            "tests/items.rs",
        ];
        let files = files.map(|file| own.join(file));
        rustfmt.args(files.iter().filter(|file| file.exists()));
    }
    run(&mut rustfmt);
    let all = [
        "--workspace",
        "--exclude",
        "emulator",
        "--all-targets",
        "--quiet",
    ];
    for features in [&["--no-default-features"][..], &["--features", "serde"]] {
        let clippy = [&["clippy"], &all[..], features, &["--", "-D", "warnings"]].concat();
        cargo(&folder, &clippy);
        cargo(&folder, &[&["test"], &all[..], features].concat());
    }
    let package = format!("{WITH_SDK}-keys");
    for features in ["aws-sdk-dynamodb", "serde_dynamo"] {
        let one = [
            "clippy",
            "--quiet",
            "-p",
            &package,
            "--all-targets",
            "--features",
            features,
        ];
        cargo(&folder, &[&one[..], &["--", "-D", "warnings"]].concat());
    }
    // The ten access patterns of pattern 1b, and writes with the crate, against an emulator.
    cargo(&folder, &["test", "--quiet", "-p", "emulator"]);
}

#[test]
fn the_same_design_gives_the_same_files() {
    for (name, design) in designs() {
        let files = finish(rust_crate(&design));
        assert_eq!(files, finish(rust_crate(&design.clone())), "{name}");
        for File { name: path, code } in files {
            assert!(code.text.ends_with('\n'), "{name} {path}");
            let mut end = 0;
            for (span, _) in &code.spans {
                assert!(
                    span.start >= end && code.text.get(span.clone()).is_some(),
                    "{name} {path}"
                );
                end = span.end;
            }
        }
    }
}

#[test]
fn the_items_of_a_design() {
    let design = library::find("e-commerce-sharded")
        .unwrap()
        .design()
        .unwrap();
    let files = finish(rust_crate(&design));
    let text = |wanted: &str| {
        let file = files.iter().find(|file| file.name == wanted);
        file.unwrap().code.text.clone()
    };
    insta::assert_snapshot!("items", text("src/items.rs"));
    insta::assert_snapshot!("readme", text("README.md"));
    insta::assert_snapshot!("item_tests", text("tests/items.rs"));
}

#[test]
fn items_with_key_only_attributes() {
    let files = finish(rust_crate(&key_only()));
    let text = |wanted: &str, from: &str| {
        let file = files.iter().find(|file| file.name == wanted);
        let text = &file.unwrap().code.text;
        text[text.find(from).expect("it is there")..].to_owned()
    };
    insta::assert_snapshot!("key_only_items", text("src/items.rs", "/// An item of"));
    insta::assert_snapshot!("key_only_item_tests", text("tests/items.rs", "#[test]"));
}

/// An item that does not meet the condition of the entry that writes a shared key attribute, or lacks a value of that entry,
/// is in neither index.
#[test]
fn a_shared_key_attribute_depends_on_the_entry_that_writes_it() {
    let files = finish(rust_crate(&shared_under_condition()));
    let text = |wanted: &str, from: &str| {
        let file = files.iter().find(|file| file.name == wanted);
        let text = &file.unwrap().code.text;
        text[text.find(from).expect("it is there")..].to_owned()
    };
    insta::assert_snapshot!("shared_items", text("src/items.rs", "/// An item of"));
    insta::assert_snapshot!("shared_item_tests", text("tests/items.rs", "#[test]"));
}

/// Whether a value exists decides about an index also if the value is no text.
#[test]
fn an_index_can_depend_on_whether_any_value_exists() {
    let files = finish(rust_crate(&sparse_by_existence()));
    let items = files.iter().find(|file| file.name == "src/items.rs");
    let text = &items.unwrap().code.text;
    for test in [
        "if self.tags.is_none() {",
        "if self.thumbnail.is_some() {",
        "if self.labels.is_empty() {",
    ] {
        assert!(text.contains(test), "{text}");
    }
    assert!(!text.contains("Does not check"), "{text}");
}

/// The type attribute is a key attribute that every item has: its value is the entity's name.
#[test]
fn an_index_keyed_by_the_type_attribute_has_a_key() {
    let files = finish(rust_crate(&keyed_by_type()));
    let text = |wanted: &str| {
        let file = files.iter().find(|file| file.name == wanted);
        file.unwrap().code.text.as_str()
    };
    assert!(text("src/items.rs").contains("pub fn by_type_key("));
    let own = text("src/keys.rs");
    assert!(own.contains("\"Order {x}\""), "{own}");
    for File { code, .. } in &files {
        assert!(!code.text.contains("nothing writes"), "{}", code.text);
    }
}

/// An update must write a key attribute that a template writes, whatever the entity's attribute of that name.
#[test]
fn an_attribute_named_like_a_templated_key_attribute_is_not_the_items_own_key() {
    let files = finish(rust_crate(&keyed_by_type()));
    let items = files.iter().find(|file| file.name == "src/items.rs");
    let text = &items.unwrap().code.text;
    let own = text
        .lines()
        .find(|line| line.contains("const OWN") && line.contains("= &["));
    assert_eq!(
        own.map(str::trim),
        Some("const OWN: &'static [&'static str] = &[ATTR_CREATED_AT];")
    );
}

//! Terraform: its own formatter changes nothing, a parser of its language reads the design back, and the AWS provider
//! has every argument.

use super::designs;
use hcl::{Block, Body, Expression};
use keyfold_core::export::terraform::terraform;
use keyfold_core::model::{Design, IndexKind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the output of HashiCorp's parser and formatter (`tests/export_tools/terraform.mjs`) for the files in a
/// folder.
fn said(folder: &Path) -> Vec<String> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_tools");
    assert!(
        tools.join("node_modules/@cdktf").is_dir(),
        "the formatter is missing: run `source scripts/setup test`, or `npm ci` in tests/export_tools"
    );
    let output = Command::new("node")
        .arg(tools.join("terraform.mjs"))
        .arg(folder)
        .output()
        .expect("node starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_formatter_changes_nothing() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formats_terraform");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (name, design) in designs::hard() {
        std::fs::write(folder.join(format!("{name}.tf")), terraform(&design).text).unwrap();
    }
    assert_eq!(said(&folder), Vec::<String>::new());
    // Include two wrong files: if they are not reported, the check does not work.
    let (_, design) = designs::all().remove(0);
    let text = terraform(&design).text;
    std::fs::write(folder.join("layout.tf"), text.replacen(" = ", "=", 1)).unwrap();
    std::fs::write(folder.join("syntax.tf"), text.replacen(" = ", " = = ", 1)).unwrap();
    let mut files: Vec<String> = said(&folder)
        .iter()
        .map(|line| line.split(':').next().unwrap_or_default().to_owned())
        .collect();
    files.sort();
    assert_eq!(files, ["layout.tf", "syntax.tf"]);
}

/// Parses the file and compares it with the design.
pub fn check(design: &Design, text: &str) {
    let body = hcl::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    aligned(text);
    let table = resource(&body, "aws_dynamodb_table").unwrap_or_else(|| panic!("{text}"));
    let variable = body
        .blocks()
        .find(|block| block.identifier() == "variable")
        .unwrap();
    assert_eq!(
        text_of(&variable.body, "default").as_deref(),
        Some(design.table.name.as_str())
    );
    let keys = [
        ("hash_key", design.table.key.partition.first()),
        ("range_key", design.table.key.sort.first()),
    ];
    for (argument, key) in keys {
        assert_eq!(
            text_of(&table.body, argument),
            key.map(|key| key.name.clone()),
            "{text}"
        );
    }
    for index in design.indexes.values() {
        let kind = match index.kind {
            IndexKind::Gsi => "global_secondary_index",
            IndexKind::Lsi => "local_secondary_index",
        };
        let mut blocks = blocks(&table.body, kind);
        let found = blocks.find(|block| text_of(&block.body, "name").as_ref() == Some(&index.name));
        let found = found.unwrap_or_else(|| panic!("{}\n{text}", index.name));
        let mut expected: Vec<(String, &str)> = Vec::new();
        expected.extend(
            index
                .key
                .partition
                .iter()
                .map(|key| (key.name.clone(), "HASH")),
        );
        expected.extend(index.key.sort.iter().map(|key| (key.name.clone(), "RANGE")));
        if index.kind == IndexKind::Lsi {
            let sort = index.key.sort.first().map(|key| key.name.clone());
            assert_eq!(text_of(&found.body, "range_key"), sort);
            continue;
        }
        let schema = self::blocks(&found.body, "key_schema").map(|block| {
            let role = text_of(&block.body, "key_type").unwrap();
            (
                text_of(&block.body, "attribute_name").unwrap(),
                if role == "HASH" { "HASH" } else { "RANGE" },
            )
        });
        assert_eq!(schema.collect::<Vec<_>>(), expected, "{text}");
    }
    if let Some(name) = &design.table.ttl_attribute {
        let ttl = blocks(&table.body, "ttl").next().expect("ttl");
        assert_eq!(text_of(&ttl.body, "attribute_name").as_ref(), Some(name));
    }
    for (key, value) in &design.table.tags {
        let tags = table
            .body
            .attributes()
            .find(|attribute| attribute.key() == "tags")
            .expect("tags");
        let Expression::Object(tags) = tags.expr() else {
            panic!("{text}")
        };
        let found = tags.iter().any(|(name, other)| {
            let name = match name {
                hcl::ObjectKey::Identifier(name) => name.to_string(),
                hcl::ObjectKey::Expression(other) => unquoted(other).unwrap_or_default(),
                other => panic!("{other:?}"),
            };
            name == *key && unquoted(other).as_ref() == Some(value)
        });
        assert!(found, "{key}\n{text}");
    }
    known_arguments(&body, text);
}

fn resource<'b>(body: &'b Body, kind: &str) -> Option<&'b Block> {
    body.blocks().find(|block| {
        let label = block.labels().first().map(|label| label.as_str());
        block.identifier() == "resource" && label == Some(kind)
    })
}

fn blocks<'b>(body: &'b Body, kind: &str) -> impl Iterator<Item = &'b Block> {
    body.blocks()
        .filter(move |block| block.identifier() == kind)
}

fn text_of(body: &Body, argument: &str) -> Option<String> {
    let attribute = body
        .attributes()
        .find(|attribute| attribute.key() == argument)?;
    unquoted(attribute.expr())
}

/// Returns the value of a string with its templates evaluated.
fn unquoted(expression: &Expression) -> Option<String> {
    match expression {
        Expression::String(text) => Some(text.clone()),
        Expression::TemplateExpr(template) => {
            let template = hcl::Template::from_expr(template).ok()?;
            let mut text = String::new();
            for element in template.elements() {
                match element {
                    hcl::template::Element::Literal(literal) => text.push_str(literal),
                    other => panic!("a template in a text: {other:?}"),
                }
            }
            Some(text)
        }
        _ => None,
    }
}

/// The arguments and blocks of the provider's resources, from the schema of the AWS provider 6 in the package
/// `@pulumi/aws` 7.48.0.
fn known_arguments(body: &Body, text: &str) {
    let known: serde_json::Value =
        serde_json::from_str(include_str!("../../fixtures/terraform_arguments.json")).unwrap();
    for block in body
        .blocks()
        .filter(|block| block.identifier() == "resource")
    {
        let kind = block.labels()[0].as_str();
        let of_kind = &known[kind];
        assert!(of_kind.is_object(), "{kind}\n{text}");
        known_in(&block.body, of_kind, text);
    }
}

fn known_in(body: &Body, known: &serde_json::Value, text: &str) {
    for attribute in body.attributes() {
        assert_eq!(
            known[attribute.key()],
            "argument",
            "{}\n{text}",
            attribute.key()
        );
    }
    for block in body.blocks() {
        let inner = &known[block.identifier()];
        if block.identifier() != "lifecycle" {
            assert!(inner.is_object(), "{}\n{text}", block.identifier());
            known_in(&block.body, inner, text);
        }
    }
}

/// Checks the layout of `terraform fmt`: the `=` of adjacent one-line arguments are aligned, one space after the
/// longest name; two spaces per level; no repeated blank lines.
fn aligned(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let equals = |line: &str| -> Option<(usize, usize)> {
        let indent = line.len() - line.trim_start().len();
        let name = line.trim_start();
        let is_comment = name.starts_with('#') || name.is_empty();
        // A quoted key may contain anything; only the formatter itself checks their alignment.
        if is_comment || name.starts_with('"') || line.ends_with(['{', '[', '(']) {
            return None;
        }
        let end = name.find(' ')?;
        let at = name[end..].find('=')? + end;
        name[end..at]
            .trim()
            .is_empty()
            .then_some((indent + end, indent + at))
    };
    let mut group: Vec<(usize, usize)> = Vec::new();
    for line in lines.iter().copied().chain([""]) {
        match equals(line) {
            Some(found) => group.push(found),
            None => {
                let widest = group.iter().map(|(end, _)| *end).max().unwrap_or_default();
                let is_quoted = line.trim_start().starts_with('"');
                for (_, at) in group.drain(..).filter(|_| !is_quoted) {
                    assert!(at > widest, "{text}");
                }
            }
        }
        assert_eq!(line.trim_end(), line, "{text}");
        assert_eq!((line.len() - line.trim_start().len()) % 2, 0, "{text}");
    }
    assert!(!text.contains("\n\n\n"), "{text}");
}

#[test]
fn the_export_reads_back_as_the_design() {
    for (_, design) in designs::all() {
        check(&design, &terraform(&design).text);
    }
}

//! Designs as text on the command line.

use super::process::{output, refused, run};
use keyfold_core::library::{find, patterns};
use std::path::PathBuf;

/// A file that is removed when the test ends.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("keyfold-text-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file can be written");
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a file")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const SHOP: &str = "table shop (PK, SK)\n// Our buyers.\nentity User\n  userId  ulid\n  key  USER#{userId} / #META\n\
    pattern User by ID\n  GetItem USER#{userId} / #META\n  returns User\n";

#[test]
fn every_design_of_the_library_works_as_text() {
    for pattern in patterns() {
        let text = output(&["pattern", pattern.name, "--text"], "");
        assert_eq!(
            output(&["convert", &format!("pattern:{}", pattern.name)], ""),
            text
        );
        assert_eq!(output(&["fmt", "-"], &text), text);
        for command in ["items", "check", "prove"] {
            let json = run(&[command, "-"], pattern.json);
            assert_eq!(
                run(&[command, "-"], &text),
                json,
                "{command} {}",
                pattern.name
            );
        }
    }
}

#[test]
fn every_command_takes_text() {
    let shop = File::new("shop.keyfold", SHOP);
    let queries = File::new(
        "queries.json",
        r##"[{"id": 1, "pk": "USER#u1", "sk": {"op": "begins_with", "value": "#M"}}]"##,
    );
    let items = File::new("items.csv", "userId\nu1\nu2\n");
    for arguments in [
        &["items"][..],
        &["check"],
        &["lint"],
        &["prove"],
        &["lint", "--format", "sarif"],
        &["export", "--to", "cloudformation"],
        &["export", "--to", "markdown"],
        &["generate", "--each", "2"],
        &["plan", shop.path()],
        &["link"],
        &["query", queries.path()],
        &["cost"],
        &["import-samples", items.path(), "--entity", "User"],
    ] {
        let mut all = vec![arguments[0], shop.path()];
        all.extend(&arguments[1..]);
        let (code, out, err) = run(&all, "");
        assert!(code < 2 && !err.contains("keyfold: /"), "{all:?}: {err}");
        assert!(
            !out.is_empty() || arguments == ["items"] || arguments == ["check"],
            "{all:?}"
        );
    }
}

#[test]
fn changes_keep_the_comments() {
    let shop = File::new("comments.keyfold", SHOP);
    let path = shop.path();
    assert_eq!(
        output(&["generate", path, "--each", "1", "--out", path], ""),
        ""
    );
    let text = shop.text();
    assert!(text.contains("// Our buyers.\nentity User\n"), "{text}");
    assert!(text.contains("  | userId "), "{text}");
}

#[test]
fn the_ending_of_the_file_chooses_the_form() {
    let json = File::new("a.json", find("leaderboard").expect("in the library").json);
    let text = File::new("a.keyfold", "");
    let back = File::new("b.json", "");
    assert_eq!(output(&["convert", json.path(), text.path()], ""), "");
    assert!(text.text().contains("\nentity "));
    assert_eq!(output(&["convert", text.path(), back.path()], ""), "");
    assert!(back.text().starts_with("{\n  \"keyfold\": 1,"));
    assert_eq!(output(&["convert", back.path()], ""), text.text());
    let error = refused(&["convert", json.path(), "a.yaml"], "");
    assert_eq!(
        error,
        "keyfold: a.yaml: name a file that ends in .keyfold or .json\n"
    );
}

#[test]
fn errors_have_their_lines() {
    let error = refused(
        &["check", "-"],
        "table shop (PK, SK)\n  tll x\nentity A\nentity A\npattern P\n  Query index G X\n",
    );
    insta::assert_snapshot!(error);
}

#[test]
fn a_key_without_a_slash_is_told_what_is_missing() {
    let text = "table shop (PK, SK)\nentity A\n  id string\n  key A#{id} META\n";
    let error = refused(&["check", "-"], text);
    assert!(
        error.contains("line 4, column 14: expected ` / ` between spaces"),
        "{error}"
    );
}

#[test]
fn an_attribute_that_no_line_declares_is_an_error() {
    let text = SHOP.replacen("key  USER#{userId}", "key  USER#{user}", 1);
    let (code, out, _) = run(&["check", "-"], &text);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("names the unknown attribute `user`. Did you mean `userId`?"),
        "{out}"
    );
}

#[test]
fn the_report_has_the_line_that_silences_a_finding() {
    let text = "table shop (PK, SK)\ngsi GSI1 (GSI1PK, GSI1SK)\nentity User\n  userId  ulid\n  key  USERS / {userId}\n  \
        index GSI1  ALL / {userId}\n";
    let (code, report, _) = run(&["lint", "-"], text);
    assert_eq!(code, 1, "{report}");
    let lines: Vec<&str> = (report.lines())
        .filter_map(|line| {
            (line
                .trim()
                .strip_prefix("To silence it, write the reason as a `///` line and below it `")?)
            .strip_suffix('`')
        })
        .collect();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("entity User / GSI1 / partition")),
        "{report}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("entity User / key / partition")),
        "{report}"
    );
    let silenced = format!("{text}\n{}\n", lines.join("\n"));
    let (code, report, remarks) = run(&["lint", "-"], &silenced);
    assert_eq!((code, remarks.as_str()), (0, ""), "{report}");
    // A line without a finding is named as it is written.
    let (_, _, remarks) = run(
        &["lint", "-"],
        &format!("{text}\nsilence K016 entity User\n"),
    );
    assert_eq!(
        remarks,
        "keyfold: `silence K016 entity User`: there is no such finding\n"
    );
    let error = refused(
        &["lint", "-"],
        &format!("{text}\nsilence K016 entity User / Table / sort\n"),
    );
    assert!(
        error.contains("unknown index `Table`: expected `key`, `GSI1`"),
        "{error}"
    );
}

#[test]
fn each_report_on_a_text_has_its_warnings() {
    let text =
        "table shop (PK, SK)\nentity A\n  id string\n  other -> A.nothing\n  key A#{id} / META\n";
    let queries = File::new("w.json", "[]");
    let items = File::new("w.csv", "id\n");
    for arguments in [
        &["lint", "-"][..],
        &["prove", "-"],
        &["check", "-"],
        &["items", "-"],
        &["export", "-", "--to", "iam"],
        &["query", "-", queries.path()],
        &["plan", "-", "pattern:blog"],
        &["plan", "pattern:blog", "-"],
        &["generate", "-", "--each", "1"],
        &["import-samples", "-", items.path()],
    ] {
        let (_, _, remarks) = run(arguments, text);
        assert!(
            remarks.starts_with("keyfold: warning: ") && remarks.contains("line 4, column 14: "),
            "{arguments:?}: {remarks}"
        );
    }
}

#[test]
fn formatting_is_checked() {
    let file = File::new("f.keyfold", "table   shop(PK,SK)\n");
    let (code, out, _) = run(&["fmt", "--check", file.path()], "");
    assert_eq!(
        (code, out),
        (1, format!("{}: is not formatted\n", file.path()))
    );
    assert_eq!(file.text(), "table   shop(PK,SK)\n");
    assert_eq!(output(&["fmt", file.path()], ""), "");
    assert_eq!(file.text(), "table shop (PK, SK)\n");
    assert_eq!(output(&["fmt", "--check", file.path()], ""), "");
    assert!(refused(&["fmt", "-"], "{}").contains("is JSON"));
    assert!(refused(&["fmt", "-"], "\u{feff}[]").contains("is JSON"));
    // A formatted text with an error is a finding, too.
    let broken = File::new("e.keyfold", "table shop (PK, SK)\n\nentity A\n  id strng\n");
    assert_eq!(run(&["fmt", broken.path()], "").0, 0);
    let (code, out, err) = run(&["fmt", "--check", broken.path()], "");
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("line 4"), "{err}");
    // Another file stays as it is.
    let yaml = "Resources:\n  Table:\n    Type: AWS::DynamoDB::Table\n";
    let other = File::new("template.yaml", yaml);
    assert!(refused(&["fmt", other.path()], "").contains("is no Keyfold text"));
    assert_eq!(other.text(), yaml);
}

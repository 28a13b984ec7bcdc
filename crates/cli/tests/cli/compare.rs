//! Runs `keyfold diff` and `keyfold merge` as a user and as git do.

use super::process::{file, folder, output, refused, run};
use keyfold_core::model::Design;
use keyfold_core::persist::{from_json, to_json};
use std::fs;
use std::path::Path;
use std::process::Command;

const SAAS: &str = "pattern:saas-multi-tenant";

/// The design file of the pattern, with replacements.
fn saas(edits: &[(&str, &str)]) -> String {
    let mut text = output(&["pattern", "saas-multi-tenant"], "");
    for (old, new) in edits {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    to_json(&read(&text))
}

fn read(text: &str) -> Design {
    from_json(text).unwrap_or_else(|error| panic!("{error}"))
}

const SORT: (&str, &str) = (
    r##""primary": { "partition": "TENANT#{tenantId}", "sort": "USER#{userId}" }"##,
    r##""primary": { "partition": "TENANT#{tenantId}", "sort": "U#{userId}" }"##,
);
const WORDS: (&str, &str) = ("The METADATA item of the tenant.", "The tenant.");

#[test]
fn diff_prints_what_differs() {
    let old = file("diff-old.json", &saas(&[]));
    let new = file("diff-new.json", &saas(&[SORT]));
    let (code, out, err) = run(&["diff", &old, &new], "");
    assert_eq!((code, err.as_str()), (1, ""));
    insta::assert_snapshot!("diff_text", out);
    let (code, out, _) = run(&["diff", SAAS, &new, "--format", "markdown"], "");
    assert_eq!(code, 1);
    insta::assert_snapshot!("diff_markdown", out);
    let (code, out, _) = run(&["diff", "-", &new, "--format", "json"], &saas(&[]));
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["equal"], false);
    assert_eq!(json["changes"][0]["part"], "e13/primary");
    assert_eq!(json["changes"][0]["path"][0], "sort");
    assert_eq!(json["changes"][0]["after"], "U#{userId}");
    assert_eq!(json["effects"]["keys"][0]["changed"], 2);
    for format in ["text", "markdown"] {
        assert_eq!(
            output(&["diff", &old, SAAS, "--format", format], ""),
            "No differences.\n"
        );
    }
}

#[test]
fn diff_reads_text_by_names() {
    let text = output(&["pattern", "saas-multi-tenant", "--text"], "");
    let same = file("diff-same.keyfold", &text);
    assert_eq!(output(&["diff", SAAS, &same], ""), "No differences.\n");
    let other = file(
        "diff-other.keyfold",
        &text.replace("USER#{userId}", "U#{userId}"),
    );
    let (code, out, _) = run(&["diff", &same, &other], "");
    assert_eq!(code, 1);
    assert!(out.contains("User: sort key template changed from `USER#{userId}` to `U#{userId}`; 2 items get a different key"), "{out}");
}

#[test]
fn diff_draws_marked_cards() {
    let (code, out, _) = run(
        &[
            "diff",
            SAAS,
            "pattern:saas-multi-tenant-overloaded",
            "--format",
            "svg",
        ],
        "",
    );
    assert_eq!(code, 1);
    assert!(out.starts_with("<svg "));
    for mark in ["- removed", "~ changed"] {
        assert!(out.contains(mark), "{mark}");
    }
    let (_, out, _) = run(
        &[
            "diff",
            "pattern:saas-multi-tenant-overloaded",
            SAAS,
            "--format",
            "svg",
        ],
        "",
    );
    assert!(out.contains("+ added"));
}

#[test]
fn diff_and_merge_refuse_unusable_input() {
    let bad = file("compare-bad.json", "{");
    let bad = bad.as_str();
    for (arguments, wanted) in [
        (&["diff", SAAS][..], "<NEW>"),
        (&["diff", SAAS, bad], "compare-bad.json: line 1"),
        (&["diff", SAAS, "nowhere.json"], "nowhere.json: cannot read"),
        (
            &["diff", SAAS, SAAS, "--format", "xml"],
            "[possible values: text, json, markdown, svg]",
        ),
        (
            &["merge", SAAS, SAAS, SAAS],
            "name the file to write with --out",
        ),
        (&["merge", SAAS, bad, SAAS], "compare-bad.json: line 1"),
        (
            &["merge", SAAS, SAAS, "pattern:nope", "--out", "-"],
            "unknown pattern `nope`",
        ),
        (
            &["merge", SAAS, SAAS, SAAS, "--out", "-", "--take", "both"],
            "[possible values: ours, theirs]",
        ),
    ] {
        let said = refused(arguments, "");
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_to_string(bad).expect("the file"), "{");
}

#[test]
fn merge_joins_both_sides_in_our_file() {
    let ours = file("merge-ours.json", &saas(&[SORT]));
    let theirs = file("merge-theirs.json", &saas(&[WORDS]));
    assert_eq!(output(&["merge", SAAS, &ours, &theirs], ""), "");
    let merged = fs::read_to_string(&ours).expect("the file");
    assert_eq!(merged, saas(&[SORT, WORDS]));
}

#[test]
fn conflicts_are_listed_and_a_side_can_be_taken() {
    let before = saas(&[SORT]);
    let ours = file("conflict-ours.json", &before);
    let theirs = file(
        "conflict-theirs.json",
        &saas(&[(SORT.0, &SORT.1.replace("U#", "MEMBER#")), WORDS]),
    );
    let (code, out, err) = run(&["merge", SAAS, &ours, &theirs], "");
    assert_eq!((code, out.as_str()), (1, ""));
    insta::assert_snapshot!("merge_conflict", err);
    assert_eq!(fs::read_to_string(&ours).expect("the file"), before);
    let (code, out, err) = run(
        &[
            "merge", SAAS, &ours, &theirs, "--take", "ours", "--out", "-",
        ],
        "",
    );
    assert_eq!((code, read(&out)), (0, read(&saas(&[SORT, WORDS]))));
    assert!(err.contains("(took ours)"), "{err}");
    let (code, _, _) = run(&["merge", SAAS, &ours, &theirs, "--take", "theirs"], "");
    assert_eq!(code, 0);
    let merged = fs::read_to_string(&ours).expect("the file");
    assert_eq!(merged, fs::read_to_string(&theirs).expect("the file"));
}

#[test]
fn a_merged_text_keeps_its_comments() {
    let text = output(&["pattern", "saas-multi-tenant", "--text"], "");
    let base = file("merge-base.keyfold", &text);
    let ours = format!(
        "// Ours, with a comment.\n{}",
        text.replace("USER#{userId}", "U#{userId}")
    );
    let path = file("merge-ours.keyfold", &ours);
    let theirs = file("merge-theirs.keyfold", &text.replace("gsi2pk", "by-user"));
    assert_eq!(output(&["merge", &base, &path, &theirs], ""), "");
    let merged = fs::read_to_string(&path).expect("the file");
    assert_eq!(merged, ours.replace("gsi2pk", "by-user"));
}

/// Text has no ids: a row with another key is another row, and an edit of the one that was deleted is a conflict.
#[test]
fn an_edit_of_a_replaced_row_is_a_conflict() {
    let base = "design Shop

table shop (PK)

entity Order
  id string
  status string
  key O#{id}

  | id | status |
  | 1  | OPEN   |
";
    let paths = [
        ("base", base.to_owned()),
        ("ours", base.replace("| 1  |", "| 3  |")),
        ("theirs", base.replace("OPEN  ", "CLOSED")),
    ];
    let paths = paths.map(|(name, text)| file(&format!("merge-row-{name}.keyfold"), &text));
    let (code, _, err) = run(&["merge", &paths[0], &paths[1], &paths[2]], "");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("conflict"), "{err}");
}

/// Both sides have comments and parts of their own.
#[test]
fn a_merged_text_has_the_comments_of_both_sides() {
    let base = "design Shop

table shop (PK)

entity User
  id string
  key U#{id}
";
    let ours = base.replace("  id string", "  // Ours.\n  id string");
    let theirs = format!(
        "{base}
// Theirs: what a user buys.
entity Order // one line each
  number string
  key O#{{number}}
"
    );
    let paths = [base, &ours, &theirs].map(|text| {
        let name = format!("merge-both-{}.keyfold", text.len());
        file(&name, text)
    });
    assert_eq!(output(&["merge", &paths[0], &paths[1], &paths[2]], ""), "");
    let merged = fs::read_to_string(&paths[1]).expect("the file");
    assert_eq!(
        merged,
        theirs.replace("  id string", "  // Ours.\n  id string")
    );
}

/// Runs git in a repository; returns whether it succeeded, and its output.
fn git(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs([
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@example.com"),
        ])
        .envs([
            ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@example.com"),
        ])
        .output()
        .expect("git starts");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text.into_owned())
}

/// The settings of docs/git.md, in a repository.
#[test]
fn git_compares_and_merges_designs() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("git is missing: not tested");
        return;
    }
    let repository = folder("git");
    let done = |arguments: &[&str]| {
        let (is_done, text) = git(&repository, arguments);
        assert!(is_done, "git {arguments:?}: {text}");
        text
    };
    let path = repository.join("shop.keyfold.json");
    let commit = |text: &str, message: &str| {
        fs::write(&path, text).expect("the file is written");
        done(&["add", "."]);
        done(&["commit", "-q", "-m", message]);
    };
    let keyfold = env!("CARGO_BIN_EXE_keyfold");
    done(&["init", "-q", "-b", "main"]);
    done(&[
        "config",
        "diff.keyfold.textconv",
        &format!("'{keyfold}' convert"),
    ]);
    done(&[
        "config",
        "difftool.keyfold.cmd",
        &format!("'{keyfold}' diff \"$LOCAL\" \"$REMOTE\""),
    ]);
    done(&[
        "config",
        "merge.keyfold.driver",
        &format!("'{keyfold}' merge %O %A %B"),
    ]);
    fs::write(
        repository.join(".gitattributes"),
        "*.keyfold.json  diff=keyfold merge=keyfold\n*.keyfold       merge=keyfold\n",
    )
    .expect("the file is written");
    commit(&saas(&[]), "Design");
    done(&["checkout", "-q", "-b", "theirs"]);
    commit(&saas(&[WORDS]), "Say less");
    done(&["checkout", "-q", "main"]);
    commit(&saas(&[SORT]), "Shorten the key");

    let shown = done(&["diff", "HEAD~1"]);
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with('+') && line.contains("U#{userId}")),
        "{shown}"
    );
    assert!(!shown.contains(r#""sort""#), "{shown}");
    let shown = done(&["difftool", "--no-prompt", "--tool", "keyfold", "HEAD~1"]);
    assert!(shown.contains("2 items get a different key"), "{shown}");
    done(&["merge", "-q", "--no-edit", "theirs"]);
    let merged = fs::read_to_string(&path).expect("the file");
    assert_eq!(merged, saas(&[SORT, WORDS]));

    done(&["checkout", "-q", "-b", "other", "HEAD~2"]);
    commit(
        &saas(&[(SORT.0, &SORT.1.replace("U#", "MEMBER#"))]),
        "Another key",
    );
    let (is_done, text) = git(&repository, &["merge", "--no-edit", "main"]);
    assert!(
        !is_done && text.contains("keyfold: conflict: User, sort key template"),
        "{text}"
    );
    assert!(
        read(&fs::read_to_string(&path).expect("the file"))
            .entity_named("User")
            .is_some()
    );

    // A file that both branches added has no base.
    done(&["merge", "--abort"]);
    let text = output(&["pattern", "blog", "--text"], "");
    let blog = repository.join("blog.keyfold");
    for (branch, edited) in [("one", text.clone()), ("two", format!("// Two\n{text}"))] {
        done(&["checkout", "-q", "-b", branch, "main"]);
        fs::write(&blog, &edited).expect("the file is written");
        done(&["add", "."]);
        done(&["commit", "-q", "-m", "Blog"]);
    }
    done(&["merge", "-q", "--no-edit", "one"]);
    assert_eq!(
        fs::read_to_string(&blog).expect("the file"),
        format!("// Two\n{text}")
    );
    fs::remove_dir_all(&repository).expect("the folder is removed");
}

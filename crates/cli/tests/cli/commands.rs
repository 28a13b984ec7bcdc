//! Runs the commands as a user does: the library, designs from anywhere, unusable input.

use super::process::{output, refused, run};
use keyfold_core::library::{find, patterns};

#[test]
fn the_help_and_the_version_are_results() {
    assert!(output(&["--help"], "").contains("keyfold <COMMAND>"));
    assert!(output(&["items", "-h"], "").contains("keyfold items [OPTIONS] <DESIGN>"));
    assert_eq!(
        output(&["-V"], ""),
        concat!("keyfold ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn the_library_is_listed_and_printed() {
    let list = output(&["patterns"], "");
    let mut group = "";
    let mut lines = list.lines();
    for pattern in patterns() {
        if pattern.group != group {
            if !group.is_empty() {
                assert_eq!(lines.next(), Some(""));
            }
            group = pattern.group;
            assert_eq!(lines.next(), Some(group));
        }
        let line = lines.next().expect("a line for each pattern");
        assert!(line.starts_with(&format!("  {} ", pattern.name)), "{line}");
        assert!(line.ends_with(pattern.summary), "{line}");
        assert_eq!(output(&["pattern", pattern.name], ""), pattern.json);
        assert_eq!(
            output(&["check", &format!("pattern:{}", pattern.name)], ""),
            ""
        );
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn a_design_comes_from_a_file_the_library_or_standard_input() {
    let name = "multi-branch-finance";
    let json = find(name).expect("in the library").json;
    let expected = output(&["items", &format!("pattern:{name}")], "");
    assert_eq!(output(&["items", "-"], json), expected);
    let path = std::env::temp_dir().join(format!("keyfold-cli-{}.json", std::process::id()));
    std::fs::write(&path, json).expect("a file can be written");
    assert_eq!(
        output(&["items", path.to_str().expect("UTF-8")], ""),
        expected
    );
    std::fs::remove_file(path).expect("and removed");
}

#[test]
fn errors_of_a_design_are_reported() {
    let json = find("saas-multi-tenant").expect("in the library").json;
    // Bob gets Alice's ID, the second project an empty ID, and a template an unknown modifier.
    let bad = json
        .replace("\"userId\": \"u_02\"", "\"userId\": \"u_01\"")
        .replace("\"projectId\": \"p_02\"", "\"projectId\": \"\"")
        .replace(
            "USER_EMAIL#{email}\", \"sort",
            "USER_EMAIL#{email:small}\", \"sort",
        );
    let (code, out, err) = run(&["check", "-"], &bad);
    assert_eq!((code, err.as_str()), (1, ""));
    insta::assert_snapshot!("check", out);
    let (code, out, err) = run(&["items", "-"], &bad);
    assert_eq!((code, out.lines().count()), (1, 5));
    insta::assert_snapshot!("items_not_stored", err);
}

#[test]
fn unusable_input_is_refused() {
    let cases: &[&[&str]] = &[
        &[],
        &["--nonsense"],
        &["frobnicate"],
        &["items"],
        &["items", "-", "extra"],
        &["items", "--to", "rust", "-"],
        &["items", "--index"],
        &["patterns", "x"],
        &["pattern", "nope"],
        &["items", "pattern:nope"],
        &["items", "pattern:saas-multi-tenant", "--index", "nope"],
        &["items", "-"],
        &["check", "no/such/file.json"],
        &["export", "pattern:saas-multi-tenant"],
        &["export", "pattern:saas-multi-tenant", "--to", "nope"],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "rust",
            "--dark",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "csv",
            "--dark",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "rust",
            "--entity",
            "User",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "csv",
            "--entity",
            "Nobody",
        ],
        &["generate"],
        &["generate", "pattern:saas-multi-tenant"],
        &["generate", "pattern:saas-multi-tenant", "--each", "many"],
        &["generate", "pattern:saas-multi-tenant", "--count", "User"],
        &[
            "generate",
            "pattern:saas-multi-tenant",
            "--count",
            "Nobody=1",
        ],
        &["generate", "pattern:saas-multi-tenant", "--per", "User=1"],
        &[
            "generate",
            "pattern:saas-multi-tenant",
            "--per",
            "Project:User=1",
        ],
        &[
            "generate",
            "pattern:saas-multi-tenant",
            "--count",
            "User=2000000",
        ],
        &["import-samples", "pattern:saas-multi-tenant"],
        &["import-samples", "-", "-"],
        &["import-samples", "pattern:saas-multi-tenant", "-"],
        &[
            "import-samples",
            "pattern:saas-multi-tenant",
            "no/such/file.csv",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "rust",
            "--out",
            "no/such/folder/x.rs",
        ],
    ];
    let errors = cases.iter().map(|case| {
        format!(
            "keyfold {}\n  {}",
            case.join(" "),
            refused(case, "{\n  oops\n}")
        )
    });
    insta::assert_snapshot!("unusable_input", errors.collect::<String>());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_text_is_refused() {
    let path = std::env::temp_dir().join(format!("keyfold-cli-{}.bin", std::process::id()));
    std::fs::write(&path, [b'{', 0xff]).expect("a file can be written");
    let message = refused(&["check", path.to_str().expect("UTF-8")], "");
    assert!(message.ends_with("not UTF-8 text (byte 1)\n"), "{message}");
    std::fs::remove_file(path).expect("and removed");
}

/// A full disk behind standard error is no reason to crash.
#[cfg(target_os = "linux")]
#[test]
fn a_message_that_cannot_be_written_changes_no_exit_code() {
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("it is there")
    };
    for (arguments, wanted) in [
        (&["items", "pattern:nope"][..], 2),
        (&["export", "pattern:saas-multi-tenant", "--to", "iam"], 0),
    ] {
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_keyfold"))
            .args(arguments)
            .stdout(std::process::Stdio::null())
            .stderr(full())
            .status()
            .expect("the program starts");
        assert_eq!(status.code(), Some(wanted), "{arguments:?}");
    }
}

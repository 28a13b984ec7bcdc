//! Help, suggestions, completions and manual pages.

use std::process::Command;

/// The commands, as `keyfold --help` lists them.
const COMMANDS: [&str; 23] = [
    "patterns",
    "pattern",
    "items",
    "export",
    "generate",
    "import",
    "profile",
    "infer",
    "import-samples",
    "query",
    "check",
    "lint",
    "prove",
    "cost",
    "plan",
    "diff",
    "merge",
    "convert",
    "link",
    "fmt",
    "lsp",
    "completions",
    "man",
];

/// Runs `keyfold` in a terminal of 100 columns and returns its exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_keyfold"))
        .args(arguments)
        .env("COLUMNS", "100")
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().expect("no signal");
    (code, text(output.stdout), text(output.stderr))
}

fn output(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

fn refused(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
    err
}

#[test]
fn every_command_has_help() {
    insta::assert_snapshot!("help", output(&["--help"]));
    for command in COMMANDS {
        let help = output(&[command, "--help"]);
        assert_eq!(output(&["help", command]), help);
        insta::assert_snapshot!(format!("help_{}", command.replace('-', "_")), help);
    }
}

#[test]
fn the_help_lists_every_command() {
    let help = output(&["--help"]);
    let commands = help.split("Commands:\n").nth(1).expect("a list");
    let listed: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(listed, COMMANDS);
}

#[test]
fn a_mistyped_name_gets_a_suggestion() {
    let design = "pattern:saas-multi-tenant";
    for (arguments, suggestion) in [
        (&["itmes", design][..], "'items'"),
        (&["exprot", design, "--to", "rust"], "'export'"),
        (&["items", design, "--indx", "GSI1"], "'--index'"),
        (&["export", design, "--to", "teraform"], "'terraform'"),
        (&["lint", design, "--format", "jsn"], "'json'"),
        (&["completions", "bsh"], "'bash'"),
        (
            &["pattern", "saas-multitenant"],
            "Did you mean `saas-multi-tenant`?",
        ),
        (
            &["check", "pattern:leaderbord"],
            "Did you mean `leaderboard`?",
        ),
        (
            &["items", design, "--index", "gsi1"],
            "Did you mean `GSI1`?",
        ),
        (
            &["export", design, "--to", "csv", "--entity", "Usr"],
            "Did you mean `User`?",
        ),
        (
            &["generate", design, "--count", "Tenat=1"],
            "Did you mean `Tenant`?",
        ),
        (
            &["generate", design, "--per", "Tenat:User=1"],
            "Did you mean `Tenant`?",
        ),
        (&["man", "exports"], "Did you mean `export`?"),
    ] {
        let err = refused(arguments);
        assert!(err.contains(suggestion), "{arguments:?}: {err}");
    }
}

#[test]
fn a_name_without_a_similar_one_gets_the_list() {
    let design = "pattern:saas-multi-tenant";
    assert_eq!(
        refused(&["items", design, "--index", "xyz"]),
        "keyfold: unknown index `xyz`. The design has GSI1, GSI2, GSI3.\n"
    );
    assert_eq!(
        refused(&["items", "pattern:leaderboard", "--index", ""])
            .lines()
            .count(),
        1
    );
    assert_eq!(
        refused(&["pattern", "xyz"]),
        "keyfold: unknown pattern `xyz`. List the patterns with `keyfold patterns`.\n"
    );
}

#[test]
fn options_stand_anywhere_after_the_command_and_may_be_repeated() {
    let design = "pattern:saas-multi-tenant";
    let expected = output(&["items", design, "--index", "GSI2"]);
    for arguments in [
        &["items", "--index", "GSI2", design][..],
        &["items", "--index=GSI2", design],
        &["items", design, "--index=GSI1", "--index", "GSI2"],
        &["items", "--index", "GSI2", "--", design],
    ] {
        assert_eq!(output(arguments), expected, "{arguments:?}");
    }
    let dark = output(&["export", design, "--to=svg", "--dark"]);
    let twice = [
        "export", "--dark", "--to", "rust", "--dark", design, "--to=svg",
    ];
    assert_eq!(output(&twice), dark);
    let (code, out, _) = run(&["lint", design, "--fix", "--format=json", "--format", "text"]);
    assert_eq!(
        (code, out.as_str()),
        (2, ""),
        "no file for the fixed design"
    );
    let generated = output(&["generate", design, "--count=User=1", "--count", "Project=1"]);
    let repeated = output(&[
        "generate",
        "--seed",
        "9",
        "--count=User=1",
        design,
        "--count",
        "Project=1",
        "--seed=1",
    ]);
    assert_eq!(repeated, generated);
}

#[test]
fn a_value_may_begin_with_a_hyphen() {
    let design = "pattern:saas-multi-tenant";
    let err = refused(&["items", design, "--index", "-GSI"]);
    assert!(err.contains("unknown index `-GSI`"), "{err}");
    let err = refused(&["export", design, "--to", "csv", "--entity", "-User"]);
    assert!(err.contains("unknown entity `-User`"), "{err}");
    let err = refused(&["items", "--", "-design.json"]);
    assert!(err.contains("-design.json: cannot read"), "{err}");
}

#[test]
fn an_empty_file_name_is_refused() {
    let design = "pattern:saas-multi-tenant";
    for arguments in [
        &["export", design, "--to", "rust", "--out", ""][..],
        &["export", design, "--to", "rust", "--out="],
        &["generate", design, "--each", "1", "--out", ""],
        &["import-samples", design, "-", "--out="],
        &["plan", design, design, "--out", ""],
        &["lint", design, "--out", ""],
        &["items", ""],
    ] {
        refused(arguments);
    }
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = output(&["completions", shell]);
        // The scripts for Elvish and PowerShell complete no values, that for fish only those of options.
        let values: &[&str] = match shell {
            "elvish" | "powershell" => &[],
            "fish" => &["cloudformation-json"],
            _ => &["cloudformation-json", "saas-multi-tenant"],
        };
        for word in COMMANDS.iter().chain(&["tenant-policy"]).chain(values) {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    assert!(refused(&["completions"]).contains("<SHELL>"));
}

#[test]
fn the_program_and_each_command_have_a_manual_page() {
    let page = output(&["man"]);
    assert!(page.contains(".TH keyfold 1"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&command.replace('-', "\\-")), "no {command}");
        let page = output(&["man", command]);
        let title = format!(".TH keyfold-{command} 1");
        assert!(page.contains(&title), "{page}");
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
}

//! The language server and the grammar for editors, driven by the libraries of VS Code in `tests/editor_tools`.

use std::path::Path;
use std::process::Command;

/// Runs a file of `tests/editor_tools` with Node's test runner.
fn node(file: &str) {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editor_tools");
    assert!(
        tools.join("node_modules").is_dir(),
        "the libraries are missing: run `source scripts/setup test`, or `npm ci` in tests/editor_tools"
    );
    let output = Command::new("node")
        .arg("--test")
        .arg(tools.join(file))
        .env("KEYFOLD", env!("CARGO_BIN_EXE_keyfold"))
        .output()
        .expect("node starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
}

#[test]
fn an_editor_works_with_the_language_server() {
    node("server.test.mjs");
}

#[test]
fn the_grammar_colors_what_the_language_server_explains() {
    node("grammar.test.mjs");
}

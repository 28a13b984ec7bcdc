//! The Rust export: its text (snapshots), and that it is formatted, compiles without warnings, is clean under
//! clippy and passes its own tests, which hold the keys that the app renders.

use keyfold::domain::export::rust::rust;
use keyfold::domain::library;
use keyfold::domain::model::Design;
use std::path::{Path, PathBuf};
use std::process::Command;

fn pattern(name: &str) -> Design {
    let pattern = library::find(name).unwrap_or_else(|| panic!("the library has {name}"));
    pattern.design().unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn look() {
    for p in library::patterns() {
        judge(p.name, &pattern(p.name));
    }
}

/// Writes the file, formats, compiles, lints and runs it.
fn judge(name: &str, design: &Design) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rust_export_{name}"));
    std::fs::create_dir_all(&directory).expect("a directory for the generated file");
    let file = directory.join("keys.rs");
    std::fs::write(&file, rust(design).text).expect("the generated file is written");
    let root = directory.join("lib.rs");
    std::fs::write(&root, "#![deny(warnings)]\n#![forbid(unsafe_code)]\npub mod keys;\n").expect("the root is written");

    run(name, Command::new("rustfmt").args(["--edition", "2021", "--check"]).arg(&file));
    let compile = |tool: &str, output: &str, more: &[&str]| {
        let mut command = Command::new(tool);
        command.args(["--edition", "2021", "--crate-name", "generated", "-D", "warnings"]).args(more);
        command.arg("--out-dir").arg(directory.join(output)).arg(&root);
        run(name, &mut command);
    };
    compile("rustc", "lib", &["--crate-type", "lib", "--emit", "metadata"]);
    compile("clippy-driver", "clippy", &["--test", "--emit", "metadata", "-D", "clippy::all"]);
    compile("rustc", "test", &["--test", "-C", "debuginfo=0"]);
    run(name, &mut Command::new(executable(&directory.join("test"))));
}

fn executable(directory: &Path) -> PathBuf {
    directory.join("generated").with_extension(std::env::consts::EXE_EXTENSION)
}

fn run(name: &str, command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(
        output.status.success(),
        "{name}: {command:?} failed\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

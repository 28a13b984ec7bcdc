//! Runs `keyfold`, for all tests of commands.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `keyfold` and returns its exit code, standard output and standard error.
pub fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_keyfold"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let sent = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    drop(sent);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().expect("no signal");
    (code, text(output.stdout), text(output.stderr))
}

/// Returns the output of a command that succeeds without remarks.
pub fn output(arguments: &[&str], input: &str) -> String {
    let (code, out, err) = run(arguments, input);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
    out
}

/// Returns the error of a command that refuses its input.
pub fn refused(arguments: &[&str], input: &str) -> String {
    let (code, out, err) = run(arguments, input);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
    err
}

/// Writes a temporary file and returns its path.
pub fn file(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file is written");
    path.to_str().expect("UTF-8").to_owned()
}

/// Creates an empty temporary folder.
pub fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("keyfold-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns the names in a folder, sorted.
pub fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

//! Output files that cannot be written, and links.

use super::process::{folder, names, output, refused};
use keyfold_core::library::find;
use std::process::Command;

/// Runs a command that cannot write files of more than `kilobytes` KB, as on a full disk.
#[cfg(unix)]
fn run_without_room(kilobytes: u32, arguments: &[&str]) -> (i32, String) {
    let program = env!("CARGO_BIN_EXE_keyfold");
    // `ulimit` counts blocks of 512 or 1024 bytes. Without the trap, the signal would end the program.
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$@\"");
    let output = Command::new("bash")
        .args(["-c", &script, "bash", program])
        .args(arguments)
        .output()
        .expect("a shell");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("no signal"), err)
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_previous_files() {
    let folder = folder("full");
    let design = folder.join("design.json");
    let json = find("saas-multi-tenant").expect("in the library").json;
    std::fs::write(&design, json).expect("a file");
    let path = design.to_str().expect("UTF-8");
    let out = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (zip, several, file) = (out("all.zip"), out("several"), out("keys.rs"));
    std::fs::write(&file, "before").expect("a file");
    for arguments in [
        &["generate", path, "--each", "200", "--out", path][..],
        &["lint", path, "--fix-all", "--out", path],
        &["export", path, "--to", "all", "--out", &zip],
        &["export", path, "--to", "rust-crate", "--out", &several],
        &["export", path, "--to", "rust", "--out", &file],
    ] {
        let (code, err) = run_without_room(1, arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains("cannot write"), "{arguments:?}: {err}");
        let named = [path, &zip, &several, &file]
            .iter()
            .any(|name| err.contains(name));
        assert!(named, "it names the file: {err}");
        assert_eq!(std::fs::read_to_string(&design).expect("it is there"), json);
        assert_eq!(
            std::fs::read_to_string(&file).expect("it is there"),
            "before"
        );
        assert_eq!(names(&folder), ["design.json", "keys.rs"], "{arguments:?}");
    }
    // Without the limit the files are written.
    assert_eq!(
        output(&["generate", path, "--each", "2", "--out", path], ""),
        ""
    );
    assert_ne!(std::fs::read_to_string(&design).expect("it is there"), json);
    assert_eq!(
        output(
            &["export", path, "--to", "rust-crate", "--out", &several],
            ""
        ),
        ""
    );
    // Other files in the folder stay.
    let toml = folder.join("several/Cargo.toml");
    std::fs::write(folder.join("several/mine"), "mine").expect("a file");
    std::fs::write(&toml, "old").expect("a file");
    assert_eq!(
        output(
            &["export", path, "--to", "rust-crate", "--out", &several],
            ""
        ),
        ""
    );
    assert!(folder.join("several/mine").exists());
    assert_ne!(std::fs::read_to_string(&toml).expect("it is there"), "old");
    assert_eq!(names(&folder), ["design.json", "keys.rs", "several"]);
    // A file in place of a folder, and a folder in place of a file.
    let err = refused(&["export", path, "--to", "rust-crate", "--out", &file], "");
    assert!(
        err.contains("keys.rs") && err.contains("needs a folder"),
        "{err}"
    );
    let err = refused(&["export", path, "--to", "rust", "--out", &several], "");
    assert!(
        err.contains("several") && err.contains("is a folder"),
        "{err}"
    );
    std::fs::remove_dir_all(&folder).expect("and removed");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("link");
    let (design, link) = (folder.join("design.json"), folder.join("link.json"));
    std::fs::write(&design, find("blog").expect("in the library").json).expect("a file");
    std::fs::set_permissions(&design, std::fs::Permissions::from_mode(0o640))
        .expect("they are set");
    symlink("design.json", &link).expect("a link");
    let path = link.to_str().expect("UTF-8");
    assert_eq!(
        output(&["generate", path, "--each", "1", "--out", path], ""),
        ""
    );
    assert!(link.symlink_metadata().expect("it is there").is_symlink());
    let mode = design.metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(
        output(&["export", path, "--to", "rust", "--out", "/dev/null"], ""),
        ""
    );
    assert!(
        std::path::Path::new("/dev/null")
            .metadata()
            .is_ok_and(|null| !null.is_file())
    );
    std::fs::remove_dir_all(&folder).expect("and removed");
}

#[test]
fn an_unusable_output_file_is_refused() {
    let to = |out: &'static str| ["export", "pattern:blog", "--to", "rust", "--out", out];
    assert_eq!(
        output(&to("-"), ""),
        output(&["export", "pattern:blog", "--to", "rust"], "")
    );
    for command in [
        &to("")[..],
        &["generate", "pattern:blog", "--out", ""],
        &["lint", "pattern:blog", "--fix", "--out", ""],
    ] {
        let err = refused(command, "");
        assert!(
            err.contains("write the name of a file, or - for standard output"),
            "{err}"
        );
    }
    let err = refused(&["lint", "pattern:blog", "--fix", "--out", "-"], "");
    assert!(
        err.contains("standard output contains the findings. Name a file"),
        "{err}"
    );
    let err = refused(&to("/nonexistent/folder/keys.rs"), "");
    assert!(
        err.contains("/nonexistent/folder/keys.rs: cannot write"),
        "{err}"
    );
}

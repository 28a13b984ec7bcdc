//! Archives, checked with Python's zipfile and with `unzip`.

use keyfold_app::export::{all_files, zip};
use keyfold_app::picture::PictureOptions;
use keyfold_core::export::{Code, File};
use keyfold_core::library::patterns;
use std::path::PathBuf;
use std::process::Command;

fn file(name: &str, text: &str) -> File {
    let code = Code {
        text: text.into(),
        spans: Vec::new(),
    };
    let name = name.into();
    File { name, code }
}

/// Reads an archive with Python's zipfile: each name with permissions and text, as JSON.
fn read_by_python(archive: &[u8], name: &str) -> serde_json::Value {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, archive).unwrap();
    let script = "import sys, json, zipfile\n\
        z = zipfile.ZipFile(sys.argv[1])\n\
        bad = z.testzip()\n\
        assert bad is None, bad\n\
        json.dump([[i.filename, oct(i.external_attr >> 16), str(i.date_time), z.read(i).decode()] for i in z.infolist()], sys.stdout)";
    let read = Command::new("python3")
        .args(["-c", script])
        .arg(&path)
        .output()
        .unwrap();
    assert!(
        read.status.success(),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
    // `unzip` reports an error for an empty archive.
    if name != "none.zip"
        && let Ok(tested) = Command::new("unzip").arg("-tq").arg(&path).output()
    {
        assert!(
            tested.status.success(),
            "{}",
            String::from_utf8_lossy(&tested.stdout)
        );
    }
    serde_json::from_slice(&read.stdout).unwrap()
}

#[test]
fn packed_files_can_be_unpacked() {
    let files = [
        file("empty.txt", ""),
        file("src/lib.rs", "//! Ünïcode 🦀\n"),
        file("größe.md", "# Größe\n"),
        file("create.sh", "#!/bin/sh\n"),
    ];
    let archive = zip("saas-keys", &files).unwrap();
    let date = "(1980, 1, 1, 0, 0, 0)";
    let wanted = serde_json::json!([
        ["saas-keys/empty.txt", "0o100644", date, ""],
        ["saas-keys/src/lib.rs", "0o100644", date, "//! Ünïcode 🦀\n"],
        ["saas-keys/größe.md", "0o100644", date, "# Größe\n"],
        ["saas-keys/create.sh", "0o100755", date, "#!/bin/sh\n"],
    ]);
    assert_eq!(read_by_python(&archive, "small.zip"), wanted);
    assert_eq!(
        read_by_python(&zip("x", &[]).unwrap(), "none.zip"),
        serde_json::json!([])
    );
}

#[test]
fn an_archive_has_all_exports() {
    for name in ["saas-multi-tenant", "blog"] {
        let Some(pattern) = patterns().iter().find(|pattern| pattern.name == name) else {
            panic!("there is no {name}");
        };
        let design = pattern.design().unwrap();
        let mut taken = Vec::new();
        let all = all_files(&design, PictureOptions::default(), &mut |format, file| {
            taken.push((format.name, file.name.clone()));
        });
        let mut names: Vec<&str> = all.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(taken.len() + 4, names.len());
        names.sort_unstable();
        names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
        assert_eq!(names.len(), all.len(), "file names are unique");
        for wanted in ["rust-crate/Cargo.toml", "create-table/create.sh"] {
            assert!(names.contains(&wanted), "{names:?}");
        }
        // The picture is where the document expects it.
        let document = all
            .iter()
            .find(|file| file.name.ends_with(".md") && !file.name.contains('/'));
        let picture = all.iter().find(|file| file.name.ends_with(".svg")).unwrap();
        assert!(
            document
                .unwrap()
                .code
                .text
                .contains(&format!("({})", picture.name))
        );
        let archive = zip("all", &all).unwrap();
        assert_eq!(archive, zip("all", &all).unwrap());
        let read = read_by_python(&archive, &format!("{name}.zip"));
        for (entry, file) in read.as_array().unwrap().iter().zip(&all) {
            assert_eq!(entry[0], format!("all/{}", file.name));
            assert_eq!(entry[3], file.code.text);
        }
    }
}

#[test]
fn archives_have_any_number_of_files() {
    let files = vec![file("x", ""); 65_536];
    let read = read_by_python(&zip("x", &files).unwrap(), "many.zip");
    assert_eq!(read.as_array().unwrap().len(), files.len());
}

#[test]
fn names_over_the_limit_are_refused() {
    assert!(zip("x", &[file(&"n".repeat(65_533), "")]).is_ok());
    assert!(zip("x", &[file(&"n".repeat(65_534), "")]).is_err());
}

#[test]
fn archives_are_compressed() {
    let text = "the same line\n".repeat(10_000);
    let archive = zip("x", &[file("lines.txt", &text)]).unwrap();
    assert!(archive.len() < text.len() / 50, "{}", archive.len());
    let read = read_by_python(&archive, "lines.zip");
    assert_eq!(read[0][3], text);
}

//! Archives, checked with Python's zipfile, with `unzip`, and byte by byte.

use keyfold_app::export::{all_files, crc32, zip};
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

#[test]
fn crc32_matches_known_values() {
    // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    assert_eq!(crc32(b""), 0);
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
fn archives_over_the_limits_are_refused() {
    let files = vec![file("x", ""); 65_536];
    assert!(zip("x", &files).is_err());
    assert!(zip("x", &files[1..]).is_ok());
    assert!(zip("x", &[file(&"n".repeat(65_535), "")]).is_err());
}

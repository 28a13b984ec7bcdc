//! Reads the seeds of a target.

use crate::Target;
use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The files in the folders of a target and the folders in them, in the order of their names.
pub fn read(target: &Target) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for folder in target.seeds {
        add(&Path::new(ROOT).join(folder), &mut files);
    }
    files
}

fn add(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => add(&path, files),
            false => files.push(fs::read(path).expect("a seed")),
        }
    }
}

//! Writes results. A file is written under a temporary name in the same folder and then renamed, so that a full disk or a
//! crash leaves the previous file as it was.

use crate::outcome::{Outcome, Refusal};
use clap::builder::{OsStringValueParser, TypedValueParser, ValueParser, ValueParserFactory};
use keyfold_app::export::zip;
use keyfold_core::export::File;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where a result goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Standard output: `-`.
    StandardOutput,
    /// A file or a folder.
    Path(PathBuf),
}

impl ValueParserFactory for Destination {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        let read = |value: OsString| match value.to_str() {
            Some("") => Err("write the name of a file, or - for standard output"),
            Some("-") => Ok(Destination::StandardOutput),
            _ => Ok(Destination::Path(value.into())),
        };
        OsStringValueParser::new().try_map(read).into()
    }
}

/// Returns the text as the result, or writes it to a file.
pub fn write(text: String, out: &Destination) -> Result<Outcome, Refusal> {
    match out {
        Destination::StandardOutput => Ok(Outcome::text(text)),
        Destination::Path(path) => {
            write_file(path, text.as_bytes())?;
            Ok(Outcome::default())
        }
    }
}

/// Writes the files of an export to a folder, or to a zip archive that has one folder of its own name.
pub fn write_several(files: &[File], out: &Path) -> Result<Outcome, Refusal> {
    if out.extension().is_none_or(|ending| ending != "zip") {
        write_folder(files, out)?;
        return Ok(Outcome::default());
    }
    let folder = out.file_stem().unwrap_or_default().to_string_lossy();
    let archive = zip(&folder, files).map_err(|error| cannot_write(out, error))?;
    write_file(out, &archive)?;
    Ok(Outcome::default())
}

fn cannot_write(path: &Path, error: impl std::fmt::Display) -> Refusal {
    Refusal(format!("{}: cannot write: {error}", path.display()))
}

/// Writes a whole file. On an error the previous file stays.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let refusal = |error: io::Error| cannot_write(path, error);
    // A symbolic link stays: its target is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&target).ok();
    if let Some(known) = &known {
        if known.is_dir() {
            return Err(Refusal(format!(
                "{}: is a folder. Name a file in it.",
                path.display()
            )));
        }
        // A device or a pipe cannot be replaced, and has no content to lose.
        if !known.is_file() {
            let mut file = fs::OpenOptions::new().write(true).open(&target);
            return (file.as_mut().map_err(|error| io::Error::from(error.kind())))
                .and_then(|file| file.write_all(bytes))
                .map_err(refusal);
        }
        if known.permissions().readonly() {
            let error = io::Error::from(io::ErrorKind::PermissionDenied);
            return Err(refusal(error));
        }
    }
    let (mut file, beside) = beside(&target, |path| {
        (fs::OpenOptions::new().write(true).create_new(true)).open(path)
    })
    .map_err(refusal)?;
    let written = file.write_all(bytes).and_then(|()| match &known {
        Some(known) => file.set_permissions(known.permissions()),
        None => Ok(()),
    });
    let written = written.and_then(|()| file.sync_all());
    drop(file);
    let moved = written.and_then(|()| fs::rename(&beside, &target));
    moved.map_err(|error| {
        // The temporary file is useless.
        let _ = fs::remove_file(&beside);
        refusal(error)
    })
}

/// Writes files to a folder, and creates the folder if necessary. Other files in it stay. All files are written to a
/// temporary folder before the first one is moved.
fn write_folder(files: &[File], folder: &Path) -> Result<(), Refusal> {
    if let Ok(known) = fs::metadata(folder)
        && !known.is_dir()
    {
        return Err(Refusal(format!(
            "{}: is a file, but the export needs a folder",
            folder.display()
        )));
    }
    let parent = folder
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        fs::create_dir_all(parent).map_err(|error| cannot_write(parent, error))?;
    }
    let ((), staged) =
        beside(folder, |path| fs::create_dir(path)).map_err(|error| cannot_write(folder, error))?;
    let done = stage(files, &staged, folder)
        .and_then(|()| match folder.exists() {
            false => fs::rename(&staged, folder).map_err(|error| (folder.to_owned(), error)),
            true => move_into(files, &staged, folder),
        })
        .map_err(|(path, error)| cannot_write(&path, error));
    // The temporary folder is empty after a success and useless after a failure.
    let _ = fs::remove_dir_all(&staged);
    done
}

/// A path that cannot be written, and why.
type Failed = (PathBuf, io::Error);

/// Writes the files of `folder` to the folder `staged`. An error names the file in `folder`.
fn stage(files: &[File], staged: &Path, folder: &Path) -> Result<(), Failed> {
    for file in files {
        let path = staged.join(&file.name);
        let write = || -> io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(staged))?;
            let mut out = fs::File::create_new(&path)?;
            out.write_all(file.code.text.as_bytes())?;
            out.sync_all()
        };
        write().map_err(|error| (folder.join(&file.name), error))?;
    }
    Ok(())
}

fn move_into(files: &[File], staged: &Path, folder: &Path) -> Result<(), Failed> {
    // Predictable errors come up before the first file is moved.
    for file in files {
        let path = folder.join(&file.name);
        let failed = |error: io::Error| (path.clone(), error);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        if path.is_dir() {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
    }
    for file in files {
        let path = folder.join(&file.name);
        fs::rename(staged.join(&file.name), &path).map_err(|error| (path, error))?;
    }
    Ok(())
}

/// Creates something with a new temporary name in the folder of `path`, and returns it with its path.
fn beside<T>(
    path: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(T, PathBuf)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut number = 0;
    loop {
        let other = format!(".{name}.{}-{number}.tmp", std::process::id());
        let other = path.with_file_name(other);
        match make(&other) {
            Ok(made) => return Ok((made, other)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

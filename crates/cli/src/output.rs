//! Where results go. A file is written beside the place where it shall be and then moved there, so that a full disk, or
//! an end in between, leaves what was there before.

use crate::{Outcome, Refusal};
use keyfold_app::export::zip;
use keyfold_core::export::File;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The text as the command's result, or in a file.
pub fn write(text: String, out: Option<&Path>) -> Result<Outcome, Refusal> {
    match out {
        Some(path) => {
            write_file(path, text.as_bytes())?;
            Ok(Outcome::default())
        }
        None => Ok(Outcome {
            text,
            ..Outcome::default()
        }),
    }
}

/// The files of an export in a folder, or in a zip archive with a folder of its name.
pub fn write_several(files: &[File], out: &Path) -> Result<Outcome, Refusal> {
    if out.extension().is_none_or(|ending| ending != "zip") {
        write_folder(files, out)?;
        return Ok(Outcome::default());
    }
    let folder = out.file_stem().unwrap_or_default().to_string_lossy();
    let archive = zip(&folder, files)
        .map_err(|error| Refusal(format!("{}: cannot be written: {error}", out.display())))?;
    write_file(out, &archive)?;
    Ok(Outcome::default())
}

/// Writes a file whole, or leaves what is there.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let refusal =
        |error: io::Error| Refusal(format!("{}: cannot be written: {error}", path.display()));
    // A link stays a link: what it leads to is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&target).ok();
    if let Some(known) = &known {
        if known.is_dir() {
            return Err(Refusal(format!(
                "{}: this is a folder: name a file in it",
                path.display()
            )));
        }
        // A device or a pipe has nothing to lose, and cannot be replaced.
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
        // What is left over would only be in the way.
        let _ = fs::remove_file(&beside);
        refusal(error)
    })
}

/// Writes files into a folder, which is made if need be. Other files there stay. All files are written elsewhere before
/// the first one is moved.
fn write_folder(files: &[File], folder: &Path) -> Result<(), Refusal> {
    let refusal = |path: &Path, error: io::Error| {
        Refusal(format!("{}: cannot be written: {error}", path.display()))
    };
    if let Ok(known) = fs::metadata(folder)
        && !known.is_dir()
    {
        return Err(Refusal(format!(
            "{}: this is a file, and the export needs a folder",
            folder.display()
        )));
    }
    let parent = folder
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        fs::create_dir_all(parent).map_err(|error| refusal(parent, error))?;
    }
    let ((), staged) =
        beside(folder, |path| fs::create_dir(path)).map_err(|error| refusal(folder, error))?;
    let done = stage(files, &staged, folder)
        .and_then(|()| match folder.exists() {
            false => fs::rename(&staged, folder).map_err(|error| (folder.to_owned(), error)),
            true => move_into(files, &staged, folder),
        })
        .map_err(|(path, error)| refusal(&path, error));
    // Empty after a success, and no use after a failure.
    let _ = fs::remove_dir_all(&staged);
    done
}

type Failed = (PathBuf, io::Error);

/// Writes the files that are for `folder` elsewhere. An error names the file in the folder.
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
    // What can be known before is asked before the first file is moved.
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

/// Makes something beside `path` under a name that nothing has.
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

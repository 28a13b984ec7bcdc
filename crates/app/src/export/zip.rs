//! Zip archives. The same files give the same bytes: entries keep their order and have one fixed date.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use keyfold_core::export::File;
use keyfold_core::slices::{finish, pause};
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::fmt;
use std::io::Write;

/// A file has a name of more than 65,535 bytes, the limit of a zip archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameTooLong;

impl fmt::Display for NameTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file has a name that is too long for a zip archive")
    }
}

impl std::error::Error for NameTooLong {}

/// 1980-01-01, the earliest date of the format, in seconds since 1970: archives do not record when they were made.
const DATE: i64 = 315_532_800;

/// Number of bytes compressed between two pauses: a few milliseconds in a browser.
const SLICE: usize = 1 << 14;

/// Returns a zip archive with the files in a folder. Scripts (`.sh`) are executable.
///
/// # Errors
///
/// A name is too long.
pub fn zip(folder: &str, files: &[File]) -> Result<Vec<u8>, NameTooLong> {
    finish(zip_in_slices(folder, files))
}

/// Like [`zip`], in slices.
///
/// # Errors
///
/// A name is too long.
pub async fn zip_in_slices(folder: &str, files: &[File]) -> Result<Vec<u8>, NameTooLong> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for file in files {
        let name = [folder, "/", &file.name].concat();
        let mode = match name.ends_with(".sh") {
            true => 0o100_755,
            false => 0o100_644,
        };
        // A vector takes all bytes, so only the name can be refused.
        let entry = (archive.new_file(&name))
            .compression_method(CompressionMethod::DEFLATE)
            .last_modified(UtcDateTime::from_unix(DATE))
            .unix_permissions(mode)
            .start();
        let (mut entry, content) = entry.map_err(|_| NameTooLong)?;
        let encoder = DeflateEncoder::new(&mut entry, Compression::default());
        let mut content = content.wrap(encoder);
        for bytes in file.code.text.as_bytes().chunks(SLICE) {
            pause().await;
            content.write_all(bytes).map_err(|_| NameTooLong)?;
        }
        let (encoder, sizes) = content.finish().map_err(|_| NameTooLong)?;
        encoder.finish().map_err(|_| NameTooLong)?;
        entry.finish(sizes).map_err(|_| NameTooLong)?;
    }
    archive.finish().map_err(|_| NameTooLong)
}

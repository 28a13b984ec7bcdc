//! Zip archives without compression. The same files give the same bytes. Source: PKWARE, .ZIP File Format
//! Specification (APPNOTE.TXT) 6.3, sections 4.3 to 4.5.

use keyfold_core::export::File;
use keyfold_core::slices::{finish, pause};
use std::fmt;

/// More than 65,535 files or 4 GiB, the limits of a zip archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many files or bytes for a zip archive")
    }
}

impl std::error::Error for TooLarge {}

/// Names are UTF-8 (flag bit 11).
const FLAGS: u16 = 1 << 11;
/// Version 2.0 of the format, which folders need.
const VERSION: u16 = 20;
/// Made on Unix, so that files have permissions.
const MADE_BY: u16 = (3 << 8) | VERSION;
/// 1980-01-01, the earliest date: archives do not record when they were made.
const DATE: u16 = (1 << 5) | 1;

/// Returns a zip archive with the files in a folder. Scripts (`.sh`) are executable.
///
/// # Errors
///
/// There are too many files or bytes.
pub fn zip(folder: &str, files: &[File]) -> Result<Vec<u8>, TooLarge> {
    finish(zip_in_slices(folder, files))
}

/// Like [`zip`], in slices.
///
/// # Errors
///
/// There are too many files or bytes.
pub async fn zip_in_slices(folder: &str, files: &[File]) -> Result<Vec<u8>, TooLarge> {
    let bytes = files.iter().map(|file| file.code.text.len()).sum();
    let mut out = Vec::with_capacity(bytes);
    let mut central = Vec::new();
    for file in files {
        let name = [folder, "/", &file.name].concat();
        let content = file.code.text.as_bytes();
        let offset = fits(out.len())?;
        let mut entry = Vec::new();
        put16(&mut entry, &[VERSION, FLAGS, 0, 0, DATE]);
        let size = fits(content.len())?;
        put32(&mut entry, &[crc32_in_slices(content).await, size, size]);
        let length = u16::try_from(name.len()).map_err(|_| TooLarge)?;
        put16(&mut entry, &[length, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&entry);
        out.extend(name.as_bytes());
        out.extend(content);
        central.extend(b"PK\x01\x02");
        put16(&mut central, &[MADE_BY]);
        central.extend(&entry);
        put16(&mut central, &[0, 0, 0]);
        let mode: u32 = match name.ends_with(".sh") {
            true => 0o100_755,
            false => 0o100_644,
        };
        put32(&mut central, &[mode << 16, offset]);
        central.extend(name.as_bytes());
    }
    let offset = fits(out.len())?;
    let size = fits(central.len())?;
    let count = u16::try_from(files.len()).map_err(|_| TooLarge)?;
    out.extend(&central);
    out.extend(b"PK\x05\x06");
    put16(&mut out, &[0, 0, count, count]);
    put32(&mut out, &[size, offset]);
    put16(&mut out, &[0]);
    Ok(out)
}

fn fits(bytes: usize) -> Result<u32, TooLarge> {
    u32::try_from(bytes).map_err(|_| TooLarge)
}

fn put16(out: &mut Vec<u8>, values: &[u16]) {
    for value in values {
        out.extend(value.to_le_bytes());
    }
}

fn put32(out: &mut Vec<u8>, values: &[u32]) {
    for value in values {
        out.extend(value.to_le_bytes());
    }
}

/// Returns the checksum of zip archives: CRC-32, reflected, polynomial 0xEDB88320 (APPNOTE.TXT, 4.4.7).
pub fn crc32(bytes: &[u8]) -> u32 {
    finish(crc32_in_slices(bytes))
}

async fn crc32_in_slices(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for bytes in bytes.chunks(1 << 16) {
        pause().await;
        for byte in bytes {
            crc = (crc >> 8) ^ CRCS[usize::from(*byte ^ crc as u8)];
        }
    }
    !crc
}

/// Checksum of each byte, before inversion.
static CRCS: [u32; 256] = {
    let mut crcs = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
            bit += 1;
        }
        crcs[byte] = crc;
        byte += 1;
    }
    crcs
};

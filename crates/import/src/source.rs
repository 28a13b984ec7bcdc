//! A file's bytes as text: decompressed, within bounds, UTF-8.

use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

pub use keyfold_core::import::MAX_BYTES;
use keyfold_core::import::too_large;

/// The maximum number of values of a file. A value takes some hundred bytes of memory, although `1,` has two.
const MAX_VALUES: usize = 6_000_000;

/// Returns the text of a file, and whether it was compressed.
///
/// # Errors
///
/// Why the bytes are no text, or that they are too many.
pub fn text(bytes: &[u8]) -> Result<(Cow<'_, str>, bool), String> {
    let is_compressed = bytes.starts_with(&[0x1f, 0x8b]);
    let bytes = match is_compressed {
        true => Cow::Owned(decompress(bytes)?),
        false => Cow::Borrowed(bytes),
    };
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    if let Some(what) = binary(&bytes) {
        return Err(format!("this is {what}, not a text"));
    }
    let text = match bytes {
        Cow::Owned(bytes) => String::from_utf8(bytes)
            .map(Cow::Owned)
            .map_err(|error| error.utf8_error()),
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed),
    };
    let text = text.map_err(|error| format!("not UTF-8 text (byte {})", error.valid_up_to()))?;
    if values(text.as_bytes()) > MAX_VALUES {
        return Err(format!(
            "the file has more than {MAX_VALUES} values, the most that an import reads"
        ));
    }
    Ok((text, is_compressed))
}

/// A reader of a file that is too large for memory, decompressed.
///
/// # Errors
///
/// Why the first bytes cannot be read.
pub fn decompressed(raw: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let mut raw = BufReader::with_capacity(1 << 16, raw);
    let is_compressed = raw.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(match is_compressed {
        true => Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(raw))),
        false => Box::new(raw),
    })
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    (MultiGzDecoder::new(bytes).take(most).read_to_end(&mut text))
        .map_err(|error| format!("the gzip file is damaged or cut off: {error}"))?;
    Ok(text)
}

/// Whether files of these sizes can be read into memory. Call this before you read them.
///
/// # Errors
///
/// Which file is too large, or that all are together.
pub fn check_sizes<'a>(files: impl IntoIterator<Item = (&'a str, u64)>) -> Result<(), String> {
    let mut all = 0;
    for (name, size) in files {
        all += size;
        if size > MAX_BYTES as u64 {
            return Err(format!("“{name}”: {}", too_large()));
        }
    }
    match all > MAX_BYTES as u64 {
        true => Err(format!(
            "the files have more than {} MB together, the most that an import reads",
            MAX_BYTES >> 20
        )),
        false => Ok(()),
    }
}

/// How many values a text has at most: each needs a comma, an open bracket or a line of its own.
fn values(text: &[u8]) -> usize {
    let (mut marks, mut lines) = (0, 0);
    for byte in text {
        match byte {
            b',' | b'{' | b'[' => marks += 1,
            b'\n' => lines += 1,
            _ => {}
        }
    }
    marks.max(lines)
}

/// What a binary file is, by its first bytes.
fn binary(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 5] = [
        (b"PK\x03\x04", "a zip archive (extract it first)"),
        (b"\x28\xb5\x2f\xfd", "a file in zstd compression"),
        (b"PAR1", "a Parquet file"),
        (b"%PDF", "a PDF file"),
        (b"\x89PNG", "a picture"),
    ];
    let kind = KINDS.iter().find(|(start, _)| bytes.starts_with(start));
    kind.map(|(_, what)| *what)
}

//! A whole design in the fragment of a link: `#v1.DATA.CHECKSUM`.
//!
//! - `v1` is the version of this form.
//! - `DATA` is the design file without white space, deflated, as base64url without padding.
//! - `CHECKSUM` is the CRC-32 of `DATA` as 8 hexadecimal digits. It is last, so that a link that is cut off never has it, and
//!   no link ends in `-` or `_`, which some programs do not count as part of a link.
//!
//! A fragment has only letters, digits, `-`, `_` and `.`, which no program has to escape. Browsers do not send it to the
//! server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use flate2::{Compression, Crc};
use keyfold_core::model::Design;
use keyfold_core::persist::{FileError, from_json, to_compact_json};
use std::fmt;
use std::io::Read;
use std::sync::Arc;

/// The version that this build writes and reads.
const VERSION: u32 = 1;

/// The maximum length of a fragment, in characters. Firefox opens no address longer than 1,048,576 characters
/// (`network.standard-url.max-length` in its `StaticPrefList.yaml`), Chromium none longer than 2,097,152 (`kMaxURLChars` in its
/// `url/url_constants.h`). The rest is for the address of the page.
pub const MAX_LENGTH: usize = 1_000_000;

/// The maximum size of a design file in a link, in bytes. Design files deflate to about a fifth; hostile data grows by a
/// factor of 1000.
pub const MAX_BYTES: usize = 16 << 20;

/// A chat that takes messages up to a length.
#[derive(Debug, PartialEq, Eq)]
pub struct Chat {
    /// Its name.
    pub name: &'static str,
    /// The length of the longest link that arrives whole, in characters.
    pub max_length: usize,
}

/// Common chats, by length.
///
/// - Discord: 2000 characters (<https://discord.com/developers/docs/resources/message#create-message>, `content`).
/// - Slack: longer messages than 4000 characters may be divided into several
///   (<https://api.slack.com/changelog/2018-04-truncating-really-long-messages>).
/// - Microsoft Teams: about 28 KB for a message with its markup
///   (<https://learn.microsoft.com/en-us/microsoftteams/limits-specifications-teams>). The text is UTF-16, as
///   <https://learn.microsoft.com/en-us/microsoftteams/platform/bots/how-to/format-your-bot-messages> states, and the markup of
///   a link has its address twice: 28 KB / 4.
pub const CHATS: [Chat; 3] = [
    Chat {
        name: "Discord",
        max_length: 2000,
    },
    Chat {
        name: "Slack",
        max_length: 4000,
    },
    Chat {
        name: "Microsoft Teams",
        max_length: 7168,
    },
];

/// Why a link cannot be opened or made. The text says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// The text is not a link to a design.
    NotALink,
    /// A newer version of Keyfold made the link.
    Newer,
    /// The link is cut off, or some of its characters changed.
    Damaged,
    /// The link is longer than [`MAX_LENGTH`].
    TooLong,
    /// The design file is larger than [`MAX_BYTES`].
    TooLarge,
    /// The link is as it was made, but what it contains is no valid design.
    Invalid(FileError),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::NotALink => f.write_str(
                "this is not a link to a Keyfold design: it has no part that starts with `#v1.`. Copy the whole link.",
            ),
            LinkError::Newer => f.write_str(
                "a newer version of Keyfold made this link. Open it with a newer Keyfold, or ask for the design file.",
            ),
            LinkError::Damaged => f.write_str(
                "the link is cut off or changed. Copy the whole link again, or ask for the design file.",
            ),
            LinkError::TooLong => write!(
                f,
                "a link has at most {MAX_LENGTH} characters. Use a design file instead."
            ),
            LinkError::TooLarge => write!(
                f,
                "a link contains at most {} MB. Use a design file instead.",
                MAX_BYTES >> 20
            ),
            LinkError::Invalid(error) => {
                write!(f, "the link does not contain a valid design: {error}")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// Returns the fragment of a link to a design, with its `#`. Without `samples`, the design in the link has none.
///
/// # Errors
///
/// The design is too large for a link.
///
/// # Example
///
/// ```
/// use keyfold_app::share_link::{LinkError, decode, encode};
/// use keyfold_core::model::Design;
///
/// let design = Design::new("Shop");
/// let link = format!("https://example.com/keyfold/{}", encode(&design, true)?);
/// assert_eq!(decode(&link), Ok(design));
/// assert_eq!(decode(&link[..link.len() - 1]), Err(LinkError::Damaged));
/// # Ok::<(), LinkError>(())
/// ```
pub fn encode(design: &Design, samples: bool) -> Result<String, LinkError> {
    let text = match samples {
        true => to_compact_json(design),
        false => to_compact_json(&without_samples(design)),
    };
    if text.len() > MAX_BYTES {
        return Err(LinkError::TooLarge);
    }
    let mut bytes = Vec::new();
    // Reading from memory does not fail.
    let read = DeflateEncoder::new(text.as_bytes(), Compression::best()).read_to_end(&mut bytes);
    read.map_err(|_| LinkError::TooLarge)?;
    let data = URL_SAFE_NO_PAD.encode(bytes);
    let fragment = format!("#v{VERSION}.{data}.{}", checksum(&data));
    match fragment.len() > MAX_LENGTH {
        true => Err(LinkError::TooLong),
        false => Ok(fragment),
    }
}

/// Returns the design of a link. `link` is a whole address, or its fragment with the `#`.
///
/// Time and memory are bounded by [`MAX_LENGTH`] and [`MAX_BYTES`], whatever the link contains.
///
/// # Errors
///
/// Why the link cannot be opened.
pub fn decode(link: &str) -> Result<Design, LinkError> {
    let (_, fragment) = link.trim().split_once('#').ok_or(LinkError::NotALink)?;
    let rest = fragment.strip_prefix('v').ok_or(LinkError::NotALink)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (version, rest) = rest.split_at(digits);
    match version.parse::<u32>() {
        Err(_) | Ok(0) => return Err(LinkError::NotALink),
        Ok(VERSION) => {}
        Ok(_) => return Err(LinkError::Newer),
    }
    if fragment.len() >= MAX_LENGTH {
        return Err(LinkError::TooLong);
    }
    let parts = rest.strip_prefix('.').and_then(|rest| rest.split_once('.'));
    let (data, sum) = parts.ok_or(LinkError::Damaged)?;
    if sum != checksum(data) {
        return Err(LinkError::Damaged);
    }
    let bytes = URL_SAFE_NO_PAD.decode(data);
    let text = inflate(&bytes.map_err(|_| LinkError::Damaged)?)?;
    from_json(&text).map_err(|error| match error {
        FileError::Newer { .. } => LinkError::Newer,
        error => LinkError::Invalid(error),
    })
}

/// Whether a text is meant as a link or as the fragment of one, and not as a file or its content.
pub fn is_link(text: &str) -> bool {
    let text = text.trim_start();
    ["https://", "http://", "#v"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// Returns a sentence on a link that is too long for common chats: for which ones, and what helps. `length` is the length
/// of the whole link in characters, `without_samples` the length that it has without samples, if it has some.
pub fn advice(length: usize, without_samples: Option<usize>) -> Option<String> {
    let chats = CHATS.iter().filter(|chat| length > chat.max_length);
    let chats: Vec<String> = chats
        .map(|chat| format!("{} ({})", chat.name, chat.max_length))
        .collect();
    let chats = match chats.split_last()? {
        (last, []) => last.clone(),
        (last, others) => format!("{} or {last}", others.join(", ")),
    };
    let what_helps = match without_samples {
        Some(shorter) => format!(
            "Leave out the samples ({shorter} characters without them), or send the design file."
        ),
        None => "Send the design file instead.".to_owned(),
    };
    Some(format!(
        "The link has {length} characters, too many for a message in {chats}. {what_helps}"
    ))
}

/// Returns the HTML that shows a design in a page: a frame of this address with this title.
pub fn embed_code(address: &str, name: &str) -> String {
    let escaped = |text: &str| {
        let text = text.replace('&', "&amp;").replace('"', "&quot;");
        text.replace('<', "&lt;").replace('>', "&gt;")
    };
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"600\" style=\"border: 0\" loading=\"lazy\"></iframe>",
        escaped(address),
        escaped(name)
    )
}

fn checksum(data: &str) -> String {
    let mut crc = Crc::new();
    crc.update(data.as_bytes());
    format!("{:08x}", crc.sum())
}

fn inflate(bytes: &[u8]) -> Result<String, LinkError> {
    let mut text = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    let read = DeflateDecoder::new(bytes).take(most).read_to_end(&mut text);
    read.map_err(|_| LinkError::Damaged)?;
    if text.len() > MAX_BYTES {
        return Err(LinkError::TooLarge);
    }
    String::from_utf8(text).map_err(|_| LinkError::Damaged)
}

fn without_samples(design: &Design) -> Design {
    let mut bare = design.clone();
    bare.samples = Default::default();
    for pattern in bare.access_patterns.values_mut() {
        if pattern.sample.is_some() {
            Arc::make_mut(pattern).sample = None;
        }
    }
    bare
}

//! How values that contain the delimiter of a key are handled.

use super::ast::{Segment, Template};
use super::parse::parse;
use crate::bytes;
pub use crate::model::{DelimiterPolicy, OnDelimiter};
use std::borrow::Cow;
use std::fmt::Write as _;

impl DelimiterPolicy {
    /// Whether the policy does not apply to the template.
    pub(super) fn exempts(&self, template: &Template) -> bool {
        self.delimiter.is_empty() || template.is_single_placeholder()
    }

    /// The delimiter as template text in front of `after`, the rest of the template: braces are doubled. `None` if no
    /// template can contain it as a literal, because it looks like a placeholder: `<name>`.
    pub fn literal(&self, after: &str) -> Option<String> {
        let mut text = self.delimiter.replace('{', "{{").replace('}', "}}");
        let read = match parse(&text).template.segments.as_slice() {
            [Segment::Literal { text, .. }] => *text == self.delimiter,
            _ => false,
        };
        // `${a}` would swallow the dollar sign.
        if text.ends_with('$') && after.starts_with('{') && !after.starts_with("{{") {
            text.push('$');
        }
        read.then_some(text)
    }

    /// Whether the text contains the delimiter at or after `start`.
    #[inline]
    pub(super) fn conflicts_from(&self, text: &str, start: usize) -> bool {
        match self.delimiter.as_bytes() {
            [] => false,
            // Values are short: shorter than what the standard library's search needs to start.
            [byte] => bytes::contains(&text.as_bytes()[start..], *byte),
            _ => text[start..].contains(&self.delimiter),
        }
    }

    /// Whether [`OnDelimiter::PercentEncode`] encodes the character.
    pub(super) fn is_encoded(&self, c: char) -> bool {
        self.on_conflict == OnDelimiter::PercentEncode && (c == '%' || self.delimiter.contains(c))
    }

    /// Encodes the text at or after `start`, if the policy says so.
    pub(super) fn encode_from(&self, out: &mut String, start: usize) {
        if self.on_conflict == OnDelimiter::Reject || !out[start..].contains(|c| self.is_encoded(c))
        {
            return;
        }
        let value = out.split_off(start);
        for c in value.chars() {
            if self.is_encoded(c) {
                percent_encode(c, out);
            } else {
                out.push(c);
            }
        }
    }

    /// Reverses [`DelimiterPolicy::encode_from`]. A `%` without two hexadecimal digits, which no encoded value
    /// contains, is kept; bytes that are not UTF-8 become replacement characters.
    pub(super) fn decode<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.on_conflict == OnDelimiter::Reject || !text.contains('%') {
            return Cow::Borrowed(text);
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let [first, tail @ ..] = rest {
            let encoded = match tail {
                [high, low, ..] if *first == b'%' => hex(*high).zip(hex(*low)),
                _ => None,
            };
            match encoded {
                Some((high, low)) => {
                    bytes.push(high * 16 + low);
                    rest = &tail[2..];
                }
                None => {
                    bytes.push(*first);
                    rest = tail;
                }
            }
        }
        Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Appends `%XX` for each UTF-8 byte of the character.
pub(super) fn percent_encode(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let written = write!(out, "%{byte:02X}");
        debug_assert!(written.is_ok(), "a String takes everything");
    }
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

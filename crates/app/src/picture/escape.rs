//! Escapes text for SVG.

use keyfold_core::model::{is_hidden, push_reference};

/// Appends a text escaped for XML 1.0 elements and attributes. Control characters, which XML forbids, become their
/// symbols (U+2400 and up). Other invisible characters, such as those that change the text direction, become U+FFFD.
pub fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push(' '),
            '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\x7f' => out.push('\u{2421}'),
            c if is_hidden(c) => push_reference(out, c),
            c => out.push(c),
        }
    }
}

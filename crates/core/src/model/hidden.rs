//! Characters that a reader does not see, or that turn the direction of what follows: text with them can look like other
//! text than it is ("Trojan Source", CVE-2021-42574). Every export escapes them, or has something visible instead.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether an editor shows nothing for the character, or it changes how others are shown: control characters, format
/// characters that turn the direction, that have no width or that end a line, tags, and what is no character.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
        )
        || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        || matches!(c, '\u{FFF9}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}')
        || matches!(c, '\u{E0001}' | '\u{E0020}'..='\u{E007F}')
}

/// Whether the character turns the direction of the text around it, and so shows it in another order.
pub fn turns_text(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Appends a hidden character as XML, HTML and Markdown write one: `&#x200d;`. What turns the direction of text would do
/// so there too, and control characters are not allowed: they become U+FFFD.
pub fn push_reference(out: &mut String, c: char) {
    if turns_text(c) || c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') {
        out.push('\u{FFFD}');
        return;
    }
    let written = write!(out, "&#x{:x};", u32::from(c));
    debug_assert!(written.is_ok(), "a String takes everything");
}

/// A JSON text, or a string of JavaScript, with its hidden characters as `\u202e`; line feeds stay, which stand between
/// its lines. They can stand in strings alone.
pub fn escape_hidden(json: &str) -> Cow<'_, str> {
    let hides = |c: char| c != '\n' && is_hidden(c);
    if !json.contains(hides) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if !hides(c) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let written = write!(escaped, "\\u{unit:04x}");
            debug_assert!(written.is_ok(), "a String takes everything");
        }
    }
    Cow::Owned(escaped)
}

/// The text with hidden characters as spaces, line ends among them: for comments and the like, where nothing can be
/// escaped.
pub fn shown(text: &str) -> String {
    text.replace(is_hidden, " ")
}

//! Characters that a reader cannot see or that change the text direction. Text with them can look like different text
//! ("Trojan Source", CVE-2021-42574). Every export escapes them or shows something visible instead.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether editors show nothing for the character or it changes how other characters are shown: control characters,
/// format characters (direction, zero width, line separators), tags and noncharacters.
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

/// Whether the character changes the direction of the surrounding text, and so its visual order.
pub fn turns_text(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Appends a hidden character as an XML, HTML and Markdown reference: `&#x200d;`. Direction characters would still act
/// when referenced, and control characters are invalid there: both become U+FFFD.
pub fn push_reference(out: &mut String, c: char) {
    if turns_text(c) || c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') {
        out.push('\u{FFFD}');
        return;
    }
    let written = write!(out, "&#x{:x};", u32::from(c));
    debug_assert!(written.is_ok(), "a String takes everything");
}

/// Escapes the hidden characters of JSON or a JavaScript string as `\u202e`. Line feeds stay: in JSON they occur only
/// between tokens. The other hidden characters can occur only inside strings.
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

/// Replaces hidden characters, line ends included, with spaces: for comments, where nothing can be escaped.
pub fn shown(text: &str) -> String {
    text.replace(is_hidden, " ")
}

//! Where a design comes from.

use crate::Refusal;
use keyfold_core::library::{self, Pattern};
use keyfold_core::model::Design;
use keyfold_core::persist::from_json;
use std::io::Read;
use std::path::Path;

/// Reads the design of a file, of standard input (`-`) or of the library (`pattern:NAME`).
pub fn read_design(source: &Path) -> Result<Design, Refusal> {
    read_design_text(source).map(|(design, _)| design)
}

/// As [`read_design`], with the text that it was read from.
pub fn read_design_text(source: &Path) -> Result<(Design, String), Refusal> {
    let name = (source.to_str()).and_then(|text| text.strip_prefix("pattern:"));
    let text = match name {
        Some(name) => find_pattern(name)?.json.to_owned(),
        None => read_text(source)?,
    };
    let design = from_json(&text);
    let design = design.map_err(|error| Refusal(format!("{}: {error}", place(source))))?;
    Ok((design, text))
}

/// The text of a file or of standard input (`-`).
pub fn read_text(source: &Path) -> Result<String, Refusal> {
    let bytes = if source == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.map(|_| bytes)
    } else {
        std::fs::read(source)
    };
    let place = place(source);
    let bytes = bytes.map_err(|error| Refusal(format!("{place}: cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal(format!("{place}: this is not UTF-8 text (byte {at})"))
    })
}

/// What to call a file in a message.
pub fn place(source: &Path) -> String {
    match source.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => source.display().to_string(),
    }
}

/// The library design of this name.
pub fn find_pattern(name: &str) -> Result<&'static Pattern, Refusal> {
    library::find(name).ok_or_else(|| {
        Refusal(format!(
            "there is no pattern `{name}`; `keyfold patterns` lists them"
        ))
    })
}

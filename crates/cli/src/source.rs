//! Reads designs and texts.

use crate::names::similar;
use crate::outcome::Refusal;
use keyfold_core::library::{self, Pattern};
use keyfold_core::model::Design;
use keyfold_core::persist::from_json;
use std::io::Read;
use std::path::Path;

/// Reads a design from a file, from standard input (`-`) or from the library (`pattern:NAME`).
pub fn read_design(source: &Path) -> Result<Design, Refusal> {
    read_design_text(source).map(|(design, _)| design)
}

/// Reads a design as [`read_design`] does, and returns the text of its file with it.
pub fn read_design_text(source: &Path) -> Result<(Design, String), Refusal> {
    let text = read_design_or_text(source)?;
    let design = from_json(&text);
    let design = design.map_err(|error| Refusal(format!("{}: {error}", place(source))))?;
    Ok((design, text))
}

/// Reads the text of a file, of standard input (`-`) or of a design of the library (`pattern:NAME`).
pub fn read_design_or_text(source: &Path) -> Result<String, Refusal> {
    match (source.to_str()).and_then(|text| text.strip_prefix("pattern:")) {
        Some(name) => find_pattern(name).map(|pattern| pattern.json.to_owned()),
        None => read_text(source),
    }
}

/// Reads the text of a file or of standard input (`-`).
pub fn read_text(source: &Path) -> Result<String, Refusal> {
    let bytes = if source == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.map(|_| bytes)
    } else {
        std::fs::read(source)
    };
    let place = place(source);
    let bytes = bytes.map_err(|error| Refusal(format!("{place}: cannot read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal(format!("{place}: not UTF-8 text (byte {at})"))
    })
}

/// Names a source in a message.
pub fn place(source: &Path) -> String {
    match source.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => source.display().to_string(),
    }
}

/// Returns the pattern of the library with this name.
pub fn find_pattern(name: &str) -> Result<&'static Pattern, Refusal> {
    library::find(name).ok_or_else(|| {
        let names: Vec<&str> = (library::patterns().iter())
            .map(|pattern| pattern.name)
            .collect();
        let advice = match similar(name, &names) {
            Some(other) => format!("Did you mean `{other}`?"),
            None => "List the patterns with `keyfold patterns`.".to_owned(),
        };
        Refusal(format!("unknown pattern `{name}`. {advice}"))
    })
}

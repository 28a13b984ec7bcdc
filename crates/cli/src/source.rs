//! Reads designs and texts.

use crate::outcome::Refusal;
use crate::output::Destination;
use crate::unknown_names::similar;
use keyfold_app::DesignText;
use keyfold_app::share_link::{decode, is_link};
use keyfold_core::library::{self, Pattern};
use keyfold_core::model::Design;
use keyfold_core::persist::{from_json, to_json};
use keyfold_core::text::{self, TextProblem};
use std::io::Read;
use std::path::Path;

/// A design with the text that it was read from.
pub struct Source {
    /// The design.
    pub design: Design,
    /// The text of its file.
    pub text: String,
    /// The warnings of a text, as lines for standard error.
    pub warnings: String,
    /// Whether it is Keyfold's language; otherwise JSON.
    is_text: bool,
}

impl Source {
    /// Whether the design was read from Keyfold's language.
    pub fn is_text(&self) -> bool {
        self.is_text
    }

    /// The design with its text.
    pub fn design_text(&self) -> DesignText {
        DesignText {
            text: self.text.as_str().into(),
            design: self.design.clone(),
            errors: 0,
        }
    }

    /// The design after a change, for a file: as JSON or text by the ending of the file, else as the source is written.
    /// Text keeps the comments of the source; if it cannot, a remark says so.
    pub fn changed(&self, design: &Design, out: &Destination, remarks: &mut String) -> String {
        match form_of(out).unwrap_or(self.is_text) {
            false => to_json(design),
            true if self.is_text => {
                let update = text::update(&self.text, &self.design, design);
                if update.is_whole {
                    remarks.push_str("keyfold: the text is written anew, without its comments\n");
                }
                update.text
            }
            true => text::print(design),
        }
    }
}

/// Whether a file with this name is text (`.keyfold`) or JSON (`.json`).
pub fn form_of(out: &Destination) -> Option<bool> {
    match out {
        Destination::StandardOutput => None,
        Destination::Path(path) => form_of_path(path),
    }
}

fn form_of_path(path: &Path) -> Option<bool> {
    match path.extension()?.to_str()? {
        "keyfold" => Some(true),
        "json" => Some(false),
        _ => None,
    }
}

/// Reads a design from a file, from standard input (`-`), from the library (`pattern:NAME`) or from a share link.
pub fn read_source(source: &Path) -> Result<Source, Refusal> {
    let text = read_design_or_text(source)?;
    parse_source(source, text)
}

/// Reads a design from a text, JSON or Keyfold's language.
pub fn parse_source(source: &Path, text: String) -> Result<Source, Refusal> {
    let is_text = form_of_path(source).unwrap_or_else(|| text::is_text(&text));
    let (design, warnings) = match is_text {
        true => read_language(source, &text)?,
        false => {
            let design = from_json(&text);
            let design = design.map_err(|error| Refusal(format!("{}: {error}", place(source))))?;
            (design, String::new())
        }
    };
    Ok(Source {
        design,
        text,
        warnings,
        is_text,
    })
}

/// Reads a design from Keyfold's language, with the warnings.
fn read_language(source: &Path, text: &str) -> Result<(Design, String), Refusal> {
    let lowered = text::lower(&text::parse(text), None);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        (lowered.problems.iter().cloned()).partition(|problem| problem.is_error);
    let place = place(source);
    let lines = |problems: &[TextProblem]| -> Vec<String> {
        let lines = text::describe(text, problems);
        lines
            .lines()
            .map(|line| format!("{place}: {line}"))
            .collect()
    };
    if !errors.is_empty() {
        return Err(Refusal(lines(&errors).join("\n")));
    }
    let warnings = lines(&warnings);
    let warnings = warnings
        .iter()
        .map(|line| format!("keyfold: warning: {line}\n"));
    Ok((lowered.design, warnings.collect()))
}

/// Reads the text of a file, of standard input (`-`), or of a design: of the library (`pattern:NAME`) or in a share link,
/// which may also be the content of the file.
pub fn read_design_or_text(source: &Path) -> Result<String, Refusal> {
    let name = source.to_str().unwrap_or_default();
    if let Some(name) = name.strip_prefix("pattern:") {
        return find_pattern(name).map(|pattern| pattern.json.to_owned());
    }
    let text = match is_link(name) {
        true => name.to_owned(),
        false => read_text(source)?,
    };
    if !is_link(&text) {
        return Ok(text);
    }
    let design = decode(&text).map_err(|error| Refusal(format!("{}: {error}", place(source))))?;
    Ok(to_json(&design))
}

/// Reads the bytes of a file or of standard input (`-`), at most this many.
pub fn read_bytes(source: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let read = match source == Path::new("-") {
        true => std::io::stdin().take(most).read_to_end(&mut bytes),
        false => {
            std::fs::File::open(source).and_then(|file| file.take(most).read_to_end(&mut bytes))
        }
    };
    read.map_err(|error| Refusal(format!("{}: cannot read: {error}", place(source))))?;
    Ok(bytes)
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
        Some(link) if is_link(link) => "link".to_owned(),
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

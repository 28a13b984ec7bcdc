//! Messages about places in files.

use std::fmt;

/// A message about a place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The place: `line 5`, `Items[3]`.
    pub place: String,
    /// The message, without the place.
    pub message: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        f.write_str(": ")?;
        f.write_str(&self.message)
    }
}

/// A list of messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes(pub Vec<Note>);

impl Notes {
    /// Adds a message about a place.
    pub fn add(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.0.push(Note {
            place: place.into(),
            message: message.into(),
        });
    }

    /// Puts a place before those of the notes from a position on.
    pub fn within(&mut self, start: usize, place: &str) {
        if place.is_empty() {
            return;
        }
        for note in &mut self.0[start..] {
            note.place = format!("{place}: {}", note.place);
        }
    }
}

//! Why a file cannot be read.

use super::migrate::FORMAT;
use crate::model::Violation;
use std::fmt;

/// A position in a file's text. Line and column count from 1; the column counts bytes, as the JSON reader does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FilePosition {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Why a file cannot be read. The text says where and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileError {
    /// The file is empty.
    Empty,
    /// The file is not JSON.
    NotJson {
        /// Where the JSON reader failed.
        place: FilePosition,
        /// What is wrong, without the position.
        message: String,
    },
    /// The file has no field `keyfold`, so another program wrote it.
    Foreign {
        /// The likely kind of the file, if known.
        looks_like: Option<&'static str>,
    },
    /// The field `keyfold` is not a known version.
    BadVersion {
        /// The value of the field.
        found: String,
    },
    /// A newer version of Keyfold wrote the file.
    Newer {
        /// The file's format version.
        version: u64,
    },
    /// A field is missing, unknown, duplicated or of the wrong type.
    Invalid {
        /// Path in the document: `entities.e3.attributes[0].type`; empty for the document itself.
        path: String,
        /// Position in the text; `None` if a migration has moved it.
        place: Option<FilePosition>,
        /// What is wrong.
        message: String,
    },
    /// All fields are valid, but the design breaks invariants.
    Unsound(Vec<Violation>),
}

impl fmt::Display for FilePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Empty => f.write_str("the file is empty"),
            FileError::NotJson { place, message } => write!(f, "{place}: {message}"),
            FileError::Foreign { looks_like } => {
                f.write_str("this is not a Keyfold design: it has no field `keyfold`")?;
                match looks_like {
                    Some(what) => write!(f, "; it looks like {what}"),
                    None => Ok(()),
                }
            }
            FileError::BadVersion { found } => write!(
                f,
                "keyfold: `{found}` is not a format version: expected a whole number from 1 to {FORMAT}"
            ),
            FileError::Newer { version } => write!(
                f,
                "the file has format version {version}, but this Keyfold reads versions up to {FORMAT}: \
                 open it with a newer Keyfold"
            ),
            FileError::Invalid {
                path,
                place,
                message,
            } => {
                if let Some(place) = place {
                    write!(f, "{place}: ")?;
                }
                if !path.is_empty() {
                    write!(f, "{path}: ")?;
                }
                f.write_str(message)
            }
            FileError::Unsound(violations) => {
                let count = violations.len();
                let s = if count == 1 { "" } else { "s" };
                write!(
                    f,
                    "the file does not contain a valid design ({count} error{s})"
                )?;
                for violation in violations {
                    write!(f, "\n  {violation}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for FileError {}

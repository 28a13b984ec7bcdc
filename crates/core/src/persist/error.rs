//! Why a file cannot be read.

use super::migrate::FORMAT;
use crate::model::Violation;
use std::fmt;

/// A place in a file's text. Both count from 1; the column in characters as the JSON reader counts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Why a file cannot be read; its text says where and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileError {
    /// There is nothing in it.
    Empty,
    /// It is not JSON.
    NotJson {
        /// Where the reader gave up.
        place: Place,
        /// What is wrong, without the place.
        message: String,
    },
    /// It has no field `keyfold`, so another program wrote it.
    Foreign {
        /// What it looks like, if that is plain.
        looks_like: Option<&'static str>,
    },
    /// Its field `keyfold` is not a version that ever was.
    BadVersion {
        /// What the field says.
        found: String,
    },
    /// A newer Keyfold wrote it.
    Newer {
        /// The file's version.
        version: u64,
    },
    /// A field is missing, unknown, doubled or of the wrong kind.
    Invalid {
        /// Where in the document: `entities.e3.attributes[0].type`; empty for the document itself.
        path: String,
        /// Where in the text; `None` where a migration has moved it.
        place: Option<Place>,
        /// What is wrong.
        message: String,
    },
    /// All fields are well formed, but together they are no sound design.
    Unsound(Vec<Violation>),
}

impl fmt::Display for Place {
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
                "the file has format version {version}, this Keyfold reads versions up to {FORMAT}: \
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
                write!(f, "the file holds no sound design ({count} fault{s})")?;
                for violation in violations {
                    write!(f, "\n  {violation}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for FileError {}

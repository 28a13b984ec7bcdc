//! The requests of an access pattern, ready to copy: a command of the AWS CLI, a call of the AWS SDK for Rust
//! (aws-sdk-dynamodb 1) or for JavaScript (version 3, with the document client of `@aws-sdk/lib-dynamodb`, which
//! accepts plain values), or a PartiQL statement.
//!
//! The parameters have values. A name that an expression cannot contain, such as a reserved word, has an alias.

mod call;
mod cli;
mod javascript;
mod layout;
mod rust;
mod statement;

pub use statement::beside_statement;

use super::Code;
use crate::model::{AccessPattern, Design};
use crate::proof::{NoRequest, bind};
use call::Call;

/// The language of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// A command of the AWS CLI for a POSIX shell.
    Cli,
    /// A call of aws-sdk-dynamodb for the body of an async function with a `client`.
    Rust,
    /// A module with a call of the document client.
    JavaScript,
    /// A SELECT statement.
    PartiQl,
}

impl Language {
    /// All languages, in the order in which the app lists them.
    pub const ALL: [Language; 4] = [
        Language::Cli,
        Language::Rust,
        Language::JavaScript,
        Language::PartiQl,
    ];

    /// Returns the name in the app.
    pub fn label(self) -> &'static str {
        match self {
            Language::Cli => "AWS CLI",
            Language::Rust => "Rust",
            Language::JavaScript => "JavaScript",
            Language::PartiQl => "PartiQL",
        }
    }
}

/// Writes the request of an access pattern with its parameter values. The error says why it is not possible: no key is
/// chosen, a parameter has no value, or the language cannot express it.
pub fn request(
    design: &Design,
    pattern: &AccessPattern,
    language: Language,
) -> Result<Code, NoRequest> {
    let binding = bind(design, pattern);
    // Building the engine's request checks that all values are present and all expressions valid.
    crate::proof::request(design, pattern, &binding)?;
    if language == Language::PartiQl {
        return statement::statement(design, pattern, &binding);
    }
    let call = Call::new(design, pattern, &binding)?;
    Ok(match language {
        Language::Cli => cli::cli(&call),
        Language::Rust => rust::rust(&call),
        Language::JavaScript | Language::PartiQl => javascript::javascript(&call),
    })
}

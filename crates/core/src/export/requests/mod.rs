//! The requests of an access pattern, ready to be taken away: as a command of the AWS CLI, as a call of the AWS SDK for
//! Rust (aws-sdk-dynamodb 1) and of the AWS SDK for JavaScript (version 3, with the document client of
//! `@aws-sdk/lib-dynamodb`, which takes plain values), and as a PartiQL statement.
//!
//! The parameters are filled in. A name that an expression may not contain, such as a reserved word, has an alias.

mod call;
mod cli;
mod javascript;
mod layout;
mod rust;
mod statement;

use super::Code;
use crate::model::{AccessPattern, Design};
use crate::proof::{NoRequest, bind};
use call::Call;

/// The languages that a request is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// A command of the AWS CLI, for a POSIX shell.
    Cli,
    /// A call of aws-sdk-dynamodb, for the body of an async function with a `client`.
    Rust,
    /// A call of the document client, as a module.
    JavaScript,
    /// A SELECT statement.
    PartiQl,
}

impl Language {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Language; 4] = [
        Language::Cli,
        Language::Rust,
        Language::JavaScript,
        Language::PartiQl,
    ];

    /// Its name in the app.
    pub fn label(self) -> &'static str {
        match self {
            Language::Cli => "AWS CLI",
            Language::Rust => "Rust",
            Language::JavaScript => "JavaScript",
            Language::PartiQl => "PartiQL",
        }
    }
}

/// The request of an access pattern with its parameters filled in; or why there is none: no key is chosen, a parameter
/// has no value, or the language cannot say it.
pub fn request(
    design: &Design,
    pattern: &AccessPattern,
    language: Language,
) -> Result<Code, NoRequest> {
    let binding = bind(design, pattern);
    // What the engine makes of it shows whether everything is there and can be read.
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

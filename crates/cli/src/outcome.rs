//! What a command returns, and the exit code that says so.

use std::process::ExitCode;

/// The result of a command that ran.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The result, for standard output.
    pub text: String,
    /// Remarks on the result, for standard error.
    pub remarks: String,
    /// Whether the command found a problem.
    pub findings: bool,
}

impl Outcome {
    /// Returns a result without remarks and findings.
    pub fn text(text: impl Into<String>) -> Self {
        Outcome {
            text: text.into(),
            ..Outcome::default()
        }
    }
}

/// Input that a command cannot use. The message says where and why.
#[derive(Debug)]
pub struct Refusal(pub String);

/// The exit code of the program: 0 without findings, 1 with findings, 2 if the command could not do its work.
pub fn exit_code(result: &Result<Outcome, Refusal>) -> ExitCode {
    match result {
        Ok(Outcome {
            findings: false, ..
        }) => ExitCode::SUCCESS,
        Ok(Outcome { findings: true, .. }) => ExitCode::from(1),
        Err(Refusal(_)) => ExitCode::from(2),
    }
}

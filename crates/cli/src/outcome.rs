//! What a command returns.

/// The result of a command that ran.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The result, for standard output.
    pub text: String,
    /// Remarks on the result, for standard error.
    pub remarks: String,
    /// Whether the command found a problem: exit code 1.
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

/// Input that a command cannot use: exit code 2. The message says where and why.
#[derive(Debug)]
pub struct Refusal(pub String);

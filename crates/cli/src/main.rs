//! `keyfold` on the command line: the library, a design's items, queries on them, its exports, its samples, proofs of its
//! access patterns and a check, without a browser.
//! Results go to standard output, everything else to standard error.

mod args;
mod commands;
mod lint;
mod output;
mod plan;
mod prove;
mod query;
mod samples;
mod sarif;
mod source;

use std::io::Write;
use std::process::ExitCode;

/// What a command has to say: the result, and remarks that belong beside it.
#[derive(Debug, Default)]
struct Outcome {
    /// The result, for standard output.
    text: String,
    /// Remarks, for standard error.
    remarks: String,
    /// Whether anything was found wrong with the design.
    findings: bool,
}

/// Bad input: the message says where and what. Exit code 2.
#[derive(Debug)]
struct Refusal(String);

fn main() -> ExitCode {
    let outcome = args::parse(lexopt::Parser::from_env()).and_then(commands::run);
    match outcome {
        Ok(outcome) => {
            eprint!("{}", outcome.remarks);
            // A reader that has seen enough (`| head`) closes the pipe; that is no failure.
            match std::io::stdout().write_all(outcome.text.as_bytes()) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    eprintln!("keyfold: cannot write the result: {error}");
                    ExitCode::from(2)
                }
                _ => ExitCode::from(u8::from(outcome.findings)),
            }
        }
        Err(Refusal(message)) => {
            eprintln!("keyfold: {message}");
            ExitCode::from(2)
        }
    }
}

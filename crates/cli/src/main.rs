//! `keyfold` on the command line: patterns, items, queries, exports, samples, findings and proofs, without a browser.
//! Results go to standard output, everything else to standard error.

mod args;
mod check;
mod collected;
mod commands;
mod compare_args;
mod completions_and_man;
mod cost;
mod diff;
mod export;
mod fmt_and_convert;
mod formats;
mod import;
mod items;
mod link;
mod lint;
mod lsp;
mod merge;
mod outcome;
mod output;
mod plan;
mod profile;
mod prove;
mod query;
mod samples;
mod sarif;
mod source;
mod stream;
mod unknown_names;
mod values;

use clap::Parser;
use outcome::{Outcome, Refusal};
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = run().and_then(print);
    if let Err(Refusal(message)) = &result {
        say(&format!("keyfold: {}\n", message.trim_end()));
    }
    outcome::exit_code(&result)
}

/// Runs the command of the program's arguments. Help and the version are results like others.
fn run() -> Result<Outcome, Refusal> {
    match args::Cli::try_parse() {
        Ok(cli) => commands::run(cli.command),
        Err(error) if error.use_stderr() => {
            let message = error.to_string();
            let message = message.strip_prefix("error: ").unwrap_or(&message);
            Err(Refusal(message.to_owned()))
        }
        Err(help) => Ok(Outcome::text(help.to_string())),
    }
}

/// Writes to standard error. Where that fails, nobody can be told, and the result still counts.
fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Prints what a command returned.
fn print(outcome: Outcome) -> Result<Outcome, Refusal> {
    say(&outcome.remarks);
    match io::stdout().write_all(outcome.text.as_bytes()) {
        // A reader such as `head` closes the pipe when it has enough: not an error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Refusal(format!(
            "standard output: cannot write the result: {error}"
        ))),
        _ => Ok(outcome),
    }
}

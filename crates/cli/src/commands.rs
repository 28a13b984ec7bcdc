//! Runs a command: reads its design and hands it to the module of the command.

use crate::args::Command;
use crate::outcome::{Outcome, Refusal};
use crate::source::read_design;
use crate::{check, export, items, language, lint, lsp, plan, prove, query, samples, shell};
use keyfold_core::library;
use std::fmt::Write as _;

/// Runs one command.
pub fn run(command: Command) -> Result<Outcome, Refusal> {
    match command {
        Command::Patterns => Ok(patterns()),
        Command::Pattern(args) => language::pattern(&args),
        Command::Items(args) => items::items(&read_design(&args.design)?, args.index.as_deref()),
        Command::Export(args) => export::export(&read_design(&args.design)?, &args),
        Command::Generate(args) => samples::generate(&args),
        Command::ImportSamples(args) => samples::import(&args),
        Command::Query(args) => query::query(&args),
        Command::Check(args) => Ok(check::check(&read_design(&args.design)?)),
        Command::Lint(args) => lint::lint(&args),
        Command::Prove(args) => Ok(prove::prove(&read_design(&args.design)?, args.format)),
        Command::Plan(args) => plan::plan(&args),
        Command::Convert(args) => language::convert(&args),
        Command::Fmt(args) => language::fmt(&args),
        Command::Lsp => lsp::serve(),
        Command::Completions(args) => Ok(shell::completions(&args)),
        Command::Man(args) => shell::manual(&args),
    }
}

/// Lists the library: a line for each pattern, below the heading of its group.
fn patterns() -> Outcome {
    let all = library::patterns();
    let width = all
        .iter()
        .map(|pattern| pattern.name.len())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    let mut group = "";
    for pattern in all {
        if pattern.group != group {
            let space = if group.is_empty() { "" } else { "\n" };
            group = pattern.group;
            let _ = writeln!(text, "{space}{group}");
        }
        let (name, title, summary) = (pattern.name, pattern.title, pattern.summary);
        let _ = writeln!(text, "  {name:width$}  {title}: {summary}");
    }
    Outcome::text(text)
}

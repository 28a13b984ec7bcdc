//! Runs a command: reads its design and hands it to the module of the command.

use crate::args::Command;
use crate::outcome::{Outcome, Refusal};
use crate::source::read_source;
use crate::{
    check, completions_and_man, cost, diff, export, fmt_and_convert, import, items, link, lint,
    lsp, merge, plan, profile, prove, query, samples,
};
use keyfold_core::library;
use keyfold_core::model::Design;
use std::fmt::Write as _;
use std::path::Path;

/// Runs one command.
pub fn run(command: Command) -> Result<Outcome, Refusal> {
    match command {
        Command::Patterns => Ok(patterns()),
        Command::Pattern(args) => fmt_and_convert::pattern(&args),
        Command::Items(args) => with_warnings(&args.design, |design| {
            items::items(design, args.index.as_deref())
        }),
        Command::Export(args) => {
            with_warnings(&args.design, |design| export::export(design, &args))
        }
        Command::Generate(args) => samples::generate(&args),
        Command::Import(args) => import::import(&args),
        Command::Profile(args) => profile::profile(&args),
        Command::Infer(args) => profile::infer(&args),
        Command::ImportSamples(args) => samples::import(&args),
        Command::Query(args) => query::query(&args),
        Command::Check(args) => with_warnings(&args.design, |design| Ok(check::check(design))),
        Command::Lint(args) => lint::lint(&args),
        Command::Prove(args) => {
            with_warnings(&args.design, |design| Ok(prove::prove(design, args.format)))
        }
        Command::Cost(args) => cost::cost(&args),
        Command::Plan(args) => plan::plan(&args),
        Command::Diff(args) => diff::diff(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Convert(args) => fmt_and_convert::convert(&args),
        Command::Link(args) => link::link(&args),
        Command::Fmt(args) => fmt_and_convert::fmt(&args),
        Command::Lsp => lsp::serve(),
        Command::Completions(args) => Ok(completions_and_man::completions(&args)),
        Command::Man(args) => completions_and_man::manual(&args),
    }
}

/// Runs a command on a design, and adds the warnings of its text to the remarks.
fn with_warnings(
    design: &Path,
    run: impl FnOnce(&Design) -> Result<Outcome, Refusal>,
) -> Result<Outcome, Refusal> {
    let source = read_source(design)?;
    let mut outcome = run(&source.design)?;
    outcome.remarks.insert_str(0, &source.warnings);
    Ok(outcome)
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

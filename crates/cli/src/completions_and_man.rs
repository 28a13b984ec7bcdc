//! What a shell offers for the program: completions and manual pages. Both come from the definitions in `args`.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::outcome::{Outcome, Refusal};
use crate::unknown_names::unknown;
use clap::CommandFactory;
use clap_mangen::Man;

/// Prints the completion script for a shell.
pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "keyfold", &mut script);
    Outcome::text(String::from_utf8_lossy(&script))
}

/// Prints the manual page of the program or of one command, in roff.
pub fn manual(args: &ManArgs) -> Result<Outcome, Refusal> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let commands = program.get_subcommands();
            let names = commands.map(|command| command.get_name());
            let refusal = unknown("command", name, "The commands are", names);
            (program.find_subcommand(name).ok_or(refusal)?).clone()
        }
    };
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|error| Refusal(format!("manual page: {error}")))?;
    Ok(Outcome::text(String::from_utf8_lossy(&page)))
}

//! Applying commands: the only way a design changes. The single edits are in [`command`](super::command), the fixes of
//! the linter, which are made of such edits, in [`fixes`](super::fixes).

use super::command::edit::edit;
use super::command::{Command, FixEdit, Refused};
use super::placement;
use keyfold_core::model::Design;

/// The design after `command`, or why it is refused. The old design is not touched; parts that the command
/// does not change are shared with it. Cards below one that grows move down.
///
/// # Errors
/// Why the command was refused.
pub fn apply(design: &Design, command: Command) -> Result<Design, Refused> {
    let mut next = design.clone();
    change(&mut next, command)?;
    // Once for all edits of a step: a second time would move the cards again.
    placement::make_room(design, &mut next);
    Ok(next)
}

fn change(design: &mut Design, command: Command) -> Result<(), Refused> {
    match command {
        Command::Fix(FixEdit { fix, apply }) => apply(design, *fix),
        Command::Together { commands, .. } => {
            (commands.into_iter()).try_for_each(|command| change(design, command))
        }
        single => edit(design, single),
    }
}

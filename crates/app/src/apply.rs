//! Applying commands: the only way a design changes. The single edits are in [`command`](super::command), the fixes of
//! the linter, which are made of such edits, in [`fixes`](super::fixes).

use super::command::{self, Command, Refused};
use super::fixes;
use keyfold_core::model::Design;

/// The design after `command`, or why it is refused. The old design is not touched; parts that the command
/// does not change are shared with it.
///
/// # Errors
/// Why the command was refused.
pub fn apply(design: &Design, command: Command) -> Result<Design, Refused> {
    match command {
        Command::Fix(fix) => {
            let mut next = design.clone();
            fixes::apply_fix(&mut next, *fix)?;
            Ok(next)
        }
        edit => command::edited(design, edit),
    }
}

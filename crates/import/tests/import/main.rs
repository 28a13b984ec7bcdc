//! Reads files of other tools.

mod bad_input;
mod formats;
mod inferred;
mod items;
mod review;
mod round_trips;
mod scripts;
mod terraform;
mod toolbox;
mod workbench;

use keyfold_import::{Import, combine, read};

/// Reads one file that must be usable, as the command line does.
pub fn import(name: &str, text: &str) -> Import {
    let import = read(name, text.as_bytes(), None);
    let import = import.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    combine(vec![(name.to_owned(), import)])
}

/// What was left out, as lines.
pub fn left_out(import: &Import) -> Vec<String> {
    import.left_out.iter().map(ToString::to_string).collect()
}

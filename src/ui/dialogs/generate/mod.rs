//! The dialog for generating samples: which entities, how many rows, which seed, and what that will add.

mod dialog;
mod entity_line;
mod form;
mod references;

pub use dialog::{GenerateButton, GenerateDialog, generate_with_defaults};
pub use form::GenerateForm;

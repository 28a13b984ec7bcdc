//! `keyfold lsp`: the language server of `.keyfold` files, for editors. It speaks the Language Server Protocol 3.17 over
//! standard input and output, on one thread.

mod actions;
mod completion;
mod diagnostics;
mod document;
mod layout;
mod positions;
mod rename;
mod server;
mod symbols;

use crate::outcome::{Outcome, Refusal};
use lsp_server::Connection;

/// Serves an editor until it ends the session. A session that ends without `shutdown` is a finding.
pub fn serve() -> Result<Outcome, Refusal> {
    let (connection, threads) = Connection::stdio();
    let ended = server::run(&connection);
    // The writer ends with the last sender.
    drop(connection);
    let read = threads.join();
    read.map_err(|error| {
        Refusal(format!(
            "standard input: not a message of an editor: {error}"
        ))
    })?;
    Ok(Outcome {
        findings: !ended,
        ..Outcome::default()
    })
}

//! Stores the changes that closed and crashed pages left in the journal.

use crate::platform::database::IndexedDb;
use crate::platform::storage::Local;
use crate::platform::{clock, random};
use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::workspace::{DesignKey, Journal, JournalOutcome, Workspace};
use keyfold_app::{Document, stored_history};
use keyfold_core::persist;
use std::future::Future;
use std::pin::Pin;

/// What the journal had.
#[derive(Default)]
pub(super) struct Recovered {
    /// Designs that could not be stored, with the version that they are based on.
    pub kept: Vec<(DesignKey, u32, Document)>,
    pub messages: Vec<String>,
}

/// Stores all designs of the journal.
type Recover =
    for<'a> fn(&'a Workspace<IndexedDb>) -> Pin<Box<dyn Future<Output = Recovered> + 'a>>;

on_demand!(menus, recovery: Recover = |workspace| Box::pin(recover_all(workspace)));

/// Stores the designs of the journal, if there are any.
pub(super) async fn recover(workspace: &Workspace<IndexedDb>) -> Recovered {
    if !Journal::is_any(&Local) {
        return Recovered::default();
    }
    match recovery().await {
        Ok(recover) => recover(workspace).await,
        Err(error) => Recovered {
            messages: vec![format!(
                "Changes of your last visit were not read: {error}. They are not lost; reload the page to try again."
            )],
            ..Recovered::default()
        },
    }
}

async fn recover_all(workspace: &Workspace<IndexedDb>) -> Recovered {
    let mut recovered = Recovered::default();
    for (key, journal) in Journal::all(&Local) {
        let now = clock::unix_millis();
        match journal
            .recover(workspace, key, random::design_key(), now)
            .await
        {
            JournalOutcome::Stored(_) => {}
            JournalOutcome::Copied(_) => recovered.messages.push(format!(
                "“{}” was changed in two tabs at the same time, or deleted in one of them. Your last changes here are \
                 now a separate design with the same name.",
                journal.name
            )),
            JournalOutcome::Kept => {
                if let Ok(design) = persist::from_json(&journal.text) {
                    let history = journal.history.as_deref().unwrap_or_default();
                    let document = stored_history::from_text(design, &journal.text, history);
                    recovered.kept.push((key, journal.base, document));
                }
                continue;
            }
        }
        Journal::remove(&Local, key);
    }
    recovered
}

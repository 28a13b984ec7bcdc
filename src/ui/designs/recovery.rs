//! Stores the changes that closed and crashed pages left in the journal.

use super::language::language;
use super::merger::merger;
use super::unreadable::Unreadable;
use crate::platform::clock;
use crate::platform::database::IndexedDb;
use crate::platform::storage::Local;
use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::text::stored;
use keyfold_app::workspace::{
    DesignKey, Journal, JournalOutcome, Merge, UnreadableJournal, Workspace, Written,
};
use keyfold_app::{Document, MergedTabs, stored_history};
use keyfold_compare::Side;
use keyfold_core::model::{Design, file_stem};
use keyfold_core::persist;
use std::future::Future;
use std::pin::Pin;

/// A design that could not be stored, and stays in the journal.
pub(super) struct Unstored {
    pub key: DesignKey,
    /// The stored version that it is based on; 0 if there is none.
    pub base: u32,
    /// The design in that version, if the journal has it.
    pub stored: Option<Design>,
    /// The visit that left it; `None`: one with an earlier version of Keyfold.
    pub visit: Option<u64>,
    pub document: Document,
    /// When the last change was made, in milliseconds since 1970, if that is known.
    pub at: Option<f64>,
}

/// What the journal had.
#[derive(Default)]
pub(super) struct Recovered {
    /// Designs that could not be stored.
    pub kept: Vec<Unstored>,
    /// Designs that were stored.
    pub stored: Vec<DesignKey>,
    /// What cannot be read, and stays in the journal.
    pub unreadable: Vec<Unreadable>,
    pub messages: Vec<String>,
}

/// Stores all designs of the journal but those of a visit.
type Recover = for<'a> fn(
    &'a Workspace<IndexedDb>,
    Option<u64>,
) -> Pin<Box<dyn Future<Output = Recovered> + 'a>>;

on_demand!(menus, recovery: Recover = |workspace, visit| Box::pin(recover_all(workspace, visit)));

/// Stores the designs of the journal, if there are any, but those of this visit.
pub(super) async fn recover(workspace: &Workspace<IndexedDb>, visit: Option<u64>) -> Recovered {
    if !Journal::is_any(&Local) {
        return Recovered::default();
    }
    match recovery().await {
        Ok(recover) => recover(workspace, visit).await,
        Err(error) => Recovered {
            messages: vec![format!(
                "Changes of your last visit were not read: {error}. They are not lost; reload the page to try again."
            )],
            ..Recovered::default()
        },
    }
}

/// What the journal needs to merge.
struct Tabs;

impl Merge for Tabs {
    async fn merge(
        &self,
        base: &Design,
        ours: &Design,
        theirs: &Design,
        later: Side,
    ) -> Option<MergedTabs> {
        let merger = merger().await.ok()?;
        Some((merger.merge)(base, ours, theirs, later))
    }

    async fn join(
        &self,
        base: Written<'_>,
        ours: Written<'_>,
        theirs: Written<'_>,
        merged: &MergedTabs,
    ) -> Option<String> {
        let (language, merger) = (language().await.ok()?, merger().await.ok()?);
        let read = |written: Written| {
            let own = written.own.map(str::to_owned)?;
            Some((language.restored)(Some(own), written.design))
        };
        let ours = (merger.moved_text)(&read(ours)?, &merged.moved);
        let merged = &merged.design;
        // A base without a text is as it is printed: what either text has besides was added.
        let base = (language.restored)(base.own.map(str::to_owned), base.design);
        let text = read(theirs).and_then(|theirs| (language.joined)(&base, &ours, &theirs, merged));
        let text = text
            .or_else(|| (language.follow)(&ours, merged))
            .unwrap_or(ours);
        Some(stored(&text, merged, &persist::to_json(merged)))
    }
}

async fn recover_all(workspace: &Workspace<IndexedDb>, visit: Option<u64>) -> Recovered {
    let mut recovered = Recovered::default();
    let (journals, unreadable) = Journal::all(&Local);
    for UnreadableJournal { item, text } in unreadable {
        recovered.unreadable.push(Unreadable {
            message: "Unsaved changes of an earlier visit cannot be read. They stay in this browser and changed no \
                      design. Download them to repair them."
                .to_owned(),
            file: ("unsaved changes.json".to_owned(), text),
            item,
        });
    }
    for (key, journal) in journals {
        let of_visit = journal.change.map(|change| change.visit);
        if visit.is_some() && of_visit == visit {
            continue;
        }
        let now = clock::unix_millis();
        match journal.recover(workspace, key, now, &Tabs).await {
            JournalOutcome::Stored(_) | JournalOutcome::Merged(_) => recovered.stored.push(key),
            JournalOutcome::Chosen(_) => {
                recovered.stored.push(key);
                recovered.messages.push(format!(
                    "“{}” was changed in two tabs. Where both changed the same, the later change is kept; the other is in \
                     Versions.",
                    journal.name
                ));
            }
            JournalOutcome::Copied(copy) => {
                recovered.stored.push(copy);
                recovered.messages.push(format!(
                    "“{}” was changed in two tabs at the same time, or deleted in one of them. The last changes of the \
                     tab that was closed are now a separate design with the same name.",
                    journal.name
                ));
            }
            JournalOutcome::Kept => {
                if let Ok(design) = persist::from_json(&journal.text) {
                    let history = journal.history.as_deref().unwrap_or_default();
                    let mut document = stored_history::from_text(design, &journal.text, history);
                    if let Some(own) = &journal.own {
                        // Without the language, the design would be stored without its text.
                        let Ok(language) = language().await else {
                            recovered.messages.push(format!(
                                "Unsaved changes to “{}” were not read: a file of Keyfold could not be loaded. They are \
                                 not lost; reload the page to try again.",
                                journal.name
                            ));
                            continue;
                        };
                        let own = Some(own.clone());
                        document.set_text((language.restored)(own, document.design()));
                    }
                    let base_text = journal.base_text.as_deref();
                    recovered.kept.push(Unstored {
                        key,
                        base: journal.base,
                        stored: base_text.and_then(|text| persist::from_json(text).ok()),
                        visit: of_visit,
                        document,
                        at: journal.at.map(|at| at as f64),
                    });
                }
                continue;
            }
            JournalOutcome::Unreadable(reason) => {
                recovered.unreadable.push(Unreadable {
                    message: format!(
                        "Unsaved changes to “{}” cannot be read: {reason}. They stay in this browser and changed no \
                         design. Download them to repair them.",
                        journal.name
                    ),
                    file: (format!("{}.keyfold.json", file_stem(&journal.name)), journal.text.clone()),
                    item: journal.item(key),
                });
                continue;
            }
        }
        journal.remove_read(&Local, key);
    }
    recovered
}

//! Short messages to the user, read aloud by screen readers. Errors stay until they are closed.

use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::later::View;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Limit of messages at a time; a new one removes the oldest of those that can best be spared.
const MAX_NOTICES: usize = 4;
/// The label of the button that reverts the change that a message reports.
pub const UNDO: &str = "Undo";

/// An action that a message offers: the button's label, and what it does.
pub type Offer = (&'static str, Arc<dyn Fn() + Send + Sync>);

/// A message.
#[derive(Clone)]
pub struct Notice {
    /// Its unique number.
    pub id: u64,
    /// Its text.
    pub text: String,
    /// Whether it stays until it is closed.
    pub error: bool,
    /// Whether it is about the last change to the design, and disappears with the next change.
    pub passes: bool,
    /// File name and text of a download, such as a design that could not be stored.
    pub download: Option<(String, String)>,
    /// The action that it offers.
    pub offer: Option<Offer>,
}

impl Notice {
    /// How much is lost with it: 2 if only it may hold something, such as the last copy of a design; 1 if it stays until it is
    /// closed.
    fn worth(&self) -> u8 {
        match self.passes {
            false if self.download.is_some() || self.offer.is_some() => 2,
            false if self.error => 1,
            _ => 0,
        }
    }
}

/// The visible messages. A handle: copying it costs nothing.
#[derive(Clone, Copy, Default)]
pub struct Notices {
    /// The messages, oldest first.
    pub shown: RwSignal<Vec<Notice>>,
    next: StoredValue<u64>,
    /// The page, for delayed callbacks.
    pub view: View,
}

impl Notices {
    /// Shows a message for 5 s.
    pub fn say(self, text: impl Into<String>) {
        let id = self.add(text.into(), false, false, None);
        self.view
            .after(Duration::from_secs(5), move || self.close(id));
    }

    /// Shows a longer message about the last change, until it is closed or the design changes again.
    pub fn keep(self, text: impl Into<String>) {
        self.add(text.into(), false, true, None);
    }

    /// As [`Notices::keep`], with a button that reverts the change.
    pub fn offer_undo(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        self.add_undo(text.into(), undo);
    }

    /// As [`Notices::offer_undo`], for 12 s at most.
    pub fn say_done(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        let text = text.into();
        // The last change is said once.
        (self.shown).update(|shown| shown.retain(|notice| notice.text != text));
        let id = self.add_undo(text, undo);
        self.close_later(id);
    }

    fn add_undo(self, text: String, undo: impl Fn() + Send + Sync + 'static) -> u64 {
        let id = self.add(text, false, true, None);
        self.add_offer(id, UNDO, undo);
        id
    }

    /// Shows why a change was refused, for 12 s or until the design changes.
    pub fn complain(self, text: impl Into<String>) {
        let id = self.add(text.into(), true, true, None);
        self.close_later(id);
    }

    fn close_later(self, id: u64) {
        self.view
            .after(Duration::from_secs(12), move || self.close(id));
    }

    /// Removes the messages about the last change, because there is a new change.
    pub fn pass(self) {
        if self
            .shown
            .with_untracked(|shown| shown.iter().any(|notice| notice.passes))
        {
            self.shown
                .update(|shown| shown.retain(|notice| !notice.passes));
        }
    }

    /// Shows what went wrong and what to do, until it is closed.
    pub fn error(self, text: impl Into<String>) {
        self.add(text.into(), true, false, None);
    }

    /// As [`Notices::error`], with a text to download as a file.
    pub fn error_with_file(self, text: impl Into<String>, file: String, content: String) {
        self.add(text.into(), true, false, Some((file, content)));
    }

    /// As [`Notices::error_with_file`], with an action too.
    pub fn offer_with_file(
        self,
        text: impl Into<String>,
        file: (String, String),
        label: &'static str,
        act: impl Fn() + Send + Sync + 'static,
    ) {
        let id = self.add(text.into(), true, false, Some(file));
        self.add_offer(id, label, act);
    }

    /// Shows a message that offers an action, such as undo, until it is closed or the action runs. Returns its number.
    pub fn offer(
        self,
        text: impl Into<String>,
        label: &'static str,
        act: impl Fn() + Send + Sync + 'static,
    ) -> u64 {
        let id = self.add(text.into(), false, false, None);
        self.add_offer(id, label, act);
        id
    }

    fn add_offer(self, id: u64, label: &'static str, act: impl Fn() + Send + Sync + 'static) {
        self.shown.update(|shown| {
            if let Some(notice) = shown.iter_mut().find(|notice| notice.id == id) {
                notice.offer = Some((label, Arc::new(act)));
            }
        });
    }

    fn add(
        self,
        text: String,
        error: bool,
        passes: bool,
        download: Option<(String, String)>,
    ) -> u64 {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        self.shown.update(|shown| {
            // What reverts one action does not revert another that has the same words.
            let is_undo = |notice: &Notice| {
                notice
                    .offer
                    .as_ref()
                    .is_some_and(|(label, _)| *label == UNDO)
            };
            shown.retain(|notice| notice.text != text || is_undo(notice));
            let oldest = shown.iter().enumerate().min_by_key(|(_, it)| it.worth());
            if let Some((at, _)) = oldest.filter(|_| shown.len() >= MAX_NOTICES) {
                shown.remove(at);
            }
            shown.push(Notice {
                id,
                text,
                error,
                passes,
                download,
                offer: None,
            });
        });
        id
    }

    /// Closes a message.
    pub fn close(self, id: u64) {
        self.shown
            .try_update(|shown| shown.retain(|notice| notice.id != id));
    }
}

//! Short messages to the person, read out by screen readers; errors stay until they are closed.

use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::later::View;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Most messages at a time; a new one pushes the oldest out.
const MOST: usize = 4;
/// The button that takes back what a message is about.
pub const UNDO: &str = "Undo";

/// What a message offers to do: the button's text, and what it does.
pub type Offer = (&'static str, Arc<dyn Fn() + Send + Sync>);

/// A message.
#[derive(Clone)]
pub struct Notice {
    /// What tells it from the others.
    pub id: u64,
    /// What it says.
    pub text: String,
    /// Whether it stays until it is closed.
    pub error: bool,
    /// Whether it is about the last change of the design, and goes with the next one.
    pub passes: bool,
    /// A text to take away, such as a design that could not be stored, under this file name.
    pub download: Option<(String, String)>,
    /// What it offers to do.
    pub offer: Option<Offer>,
}

/// The messages that are shown now. A handle: copying it costs nothing.
#[derive(Clone, Copy, Default)]
pub struct Notices {
    /// Those that are shown, the oldest first.
    pub shown: RwSignal<Vec<Notice>>,
    next: StoredValue<u64>,
    /// The page, to what runs later.
    pub view: View,
}

impl Notices {
    /// Says something for a few seconds.
    pub fn say(self, text: impl Into<String>) {
        let id = self.add(text.into(), false, false, None);
        self.view
            .after(Duration::from_secs(5), move || self.close(id));
    }

    /// Says something of the last change that takes time to read, until it is closed or the design changes again.
    pub fn keep(self, text: impl Into<String>) {
        self.add(text.into(), false, true, None);
    }

    /// As [`Notices::keep`], with a button that takes the change back.
    pub fn offer_undo(self, text: impl Into<String>, undo: impl Fn() + Send + Sync + 'static) {
        let id = self.add(text.into(), false, true, None);
        self.add_offer(id, UNDO, undo);
    }

    /// Says why a change was refused, for as long as it takes to read, or until the design changes.
    pub fn complain(self, text: impl Into<String>) {
        let id = self.add(text.into(), true, true, None);
        self.view
            .after(Duration::from_secs(12), move || self.close(id));
    }

    /// Takes away what was said of the last change, since there is another one.
    pub fn pass(self) {
        if self
            .shown
            .with_untracked(|shown| shown.iter().any(|notice| notice.passes))
        {
            self.shown
                .update(|shown| shown.retain(|notice| !notice.passes));
        }
    }

    /// Says what went wrong and what to do, until it is closed.
    pub fn error(self, text: impl Into<String>) {
        self.add(text.into(), true, false, None);
    }

    /// As [`Notices::error`], with a text to download as a file.
    pub fn error_with_file(self, text: impl Into<String>, file: String, content: String) {
        self.add(text.into(), true, false, Some((file, content)));
    }

    /// Says something and offers to do something about it, such as to undo it, until it is closed or taken up.
    pub fn offer(
        self,
        text: impl Into<String>,
        label: &'static str,
        act: impl Fn() + Send + Sync + 'static,
    ) {
        let id = self.add(text.into(), false, false, None);
        self.add_offer(id, label, act);
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
            shown.retain(|notice| notice.text != text);
            if shown.len() >= MOST {
                shown.remove(0);
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

    /// Takes a message away.
    pub fn close(self, id: u64) {
        self.shown
            .try_update(|shown| shown.retain(|notice| notice.id != id));
    }
}

//! The text of a field that is stored when the field is left, not at each keystroke.

use super::field::{Commit, FieldHost, use_field_host};
use crate::ui::reactive::erased::{Memo, RwSignal, memo};
use keyfold_app::Refused;
use leptos::prelude::*;

/// A text that is not stored.
struct Typed {
    text: String,
    /// The stored text that it replaces: another one makes it obsolete.
    over: String,
    /// The design, as counted by [`FieldHost::design`].
    design: u64,
    /// Why it was refused, once it was.
    reason: Option<String>,
}

/// The content of such a field: the stored text, or a typed one that is not stored yet or was refused. While it differs from
/// the stored one, the field has the attribute `data-draft`: then the keys of undo are for the browser. A handle: copying it
/// costs nothing.
#[derive(Clone, Copy)]
pub struct LateText {
    stored: Memo<String>,
    typed: RwSignal<Option<Typed>>,
    commit: Commit,
    host: FieldHost,
}

impl LateText {
    /// The content of a field that shows `stored`. A text is also stored if the field goes without being left.
    pub fn new(stored: impl Fn() -> String + Send + Sync + 'static, commit: Commit) -> LateText {
        let late = LateText {
            stored: memo(move |_| stored()),
            typed: RwSignal::new(None),
            commit,
            host: use_field_host(),
        };
        on_cleanup(move || late.give());
        late
    }

    /// The text to show.
    pub fn text(self) -> String {
        let stored = self.stored.get();
        let typed = self.read(|typed| typed.text.clone());
        typed.unwrap_or(stored)
    }

    /// Why the text that is shown was refused.
    pub fn reason(self) -> Option<String> {
        self.read(|typed| typed.reason.clone()).flatten()
    }

    /// The value of the attribute `data-draft`.
    pub fn draft(self) -> Option<&'static str> {
        self.read(|_| "")
    }

    /// The part of the typed text, unless it is obsolete.
    fn read<T>(self, part: impl FnOnce(&Typed) -> T) -> Option<T> {
        let stored = self.stored.get();
        (self.typed).with(|typed| {
            typed
                .as_ref()
                .filter(|typed| typed.over == stored)
                .map(part)
        })
    }

    fn set(self, text: String, over: String, reason: Option<String>) {
        let design = self.host.design.get_untracked();
        let typed = Typed {
            text,
            over,
            design,
            reason,
        };
        (self.typed).set((typed.text != typed.over).then_some(typed));
    }

    /// A text was typed.
    pub fn typed(self, text: String) {
        self.set(text, self.stored.get_untracked(), None);
    }

    /// Stores the text of a field that is left. Returns the text to show, and why it was refused; `None` if the field is
    /// gone: the browser reports that a field was left also when it was removed.
    pub fn left(self, text: String) -> Option<(String, Option<Refused>)> {
        let over = self.stored.try_get_untracked()?;
        let refused = match text == over {
            true => None,
            false => self.commit.run(text.clone()).err(),
        };
        match &refused {
            Some(refused) => self.set(text.clone(), over, Some(refused.to_string())),
            None => self.typed.set(None),
        }
        let shown = match refused {
            Some(_) => text,
            // What was stored may have taken the field away.
            None => self.stored.try_get_untracked()?,
        };
        Some((shown, refused))
    }

    /// Drops what was typed, and returns the stored text. `None` if the field shows that already.
    pub fn drop_typed(self) -> Option<String> {
        let stored = self.stored.get_untracked();
        let typed = self.typed.try_update(Option::take).flatten()?;
        (typed.over == stored).then_some(stored)
    }

    /// Stores what was typed in a field that goes.
    fn give(self) {
        let typed = self.typed.try_update(Option::take).flatten();
        let is_current = |typed: &Typed| {
            typed.reason.is_none()
                && self.host.design.try_get_untracked() == Some(typed.design)
                && self.stored.with_untracked(|stored| *stored == typed.over)
        };
        if let Some(typed) = typed.filter(is_current)
            && let Err(refused) = self.commit.run(typed.text)
        {
            (self.host.say).run(format!("{refused}. Reverted to “{}”.", typed.over));
        }
    }
}

//! Other tabs with this page: what they store or delete is shown here, and they are notified of what this tab does.
//! Edits that two tabs make at the same time are merged: no tab loses one, and no design is forked.

use super::Designs;
use super::autosave::State;
use super::language::language;
use super::merger::merger;
use super::open::document_of;
use super::recovery::{Recovered, recover};
use super::unreadable::Unreadable;
use crate::platform::clock;
use crate::platform::storage::Local;
use crate::ui::dom::left_field::LeftField;
use crate::ui::state::notices::UNDO;
use keyfold_app::Document;
use keyfold_app::workspace::{Broken, DesignKey, Loaded, Storage};
use keyfold_compare::Side;
use keyfold_core::model::{Design, file_stem};
use leptos::prelude::*;
use std::time::Duration;

/// Pause before the journal of a tab that closes is read, in milliseconds. The tab may still save its changes.
const LEAVING: u64 = 100;
/// Pause after which a save of another tab is done, in milliseconds. It may not be able to say so.
const SAVING: u64 = 1000;

impl Designs {
    /// Shows what cannot be read of the journal, with downloads. Without "Discard", it would be shown at each visit.
    pub(super) fn show_unreadable(self, unreadable: Vec<Unreadable>) {
        let notices = self.store.notices;
        for Unreadable {
            message,
            file,
            item,
        } in unreadable
        {
            notices.offer_with_file(message, file, "Discard", move || {
                let Some(text) = Local.get(&item) else { return };
                Local.remove(&item);
                let item = item.clone();
                notices.offer(
                    "Discarded the changes that cannot be read.",
                    UNDO,
                    move || {
                        if Local.set(&item, &text).is_err() {
                            notices.error("The changes were not put back: local storage is full.");
                        }
                    },
                );
            });
        }
    }
}

impl Designs {
    /// Notifies the other tabs that this one stores, has stored or has deleted a design.
    pub(super) fn tell_tabs(self, what: &str, key: DesignKey) {
        (self.tabs).try_with_value(|tabs| {
            if let Some(tabs) = tabs {
                tabs.send(&format!("{what} {key}"));
            }
        });
    }

    /// Notifies the other tabs that this one closes: they save what it leaves in the journal.
    pub(super) fn tell_tabs_leaving(self) {
        if let Some(Some(key)) = self.open.try_get_untracked() {
            self.tell_tabs("leaves", key);
        }
    }

    /// Handles a message of another tab.
    pub(super) fn heard(self, message: &str) {
        let Some((what, key)) = message.split_once(' ') else {
            return;
        };
        let Ok(key) = key.parse() else { return };
        if self.open.try_get_untracked().flatten() == Some(key) {
            self.state(|state| state.has_company = true);
        }
        match what {
            "deleted" => self.deleted_elsewhere(key),
            "saved" => self.changed_elsewhere(key),
            "opened" => self.greet(key),
            "saves" => self.check_later(key),
            "leaves" => {
                let view = self.store.view;
                view.after(Duration::from_millis(LEAVING), move || {
                    self.recover_left(Some(key));
                });
            }
            _ => {}
        }
    }

    /// Another tab stores a design, and may close before it can say that this is done.
    fn check_later(self, key: DesignKey) {
        let is_first = self.state(|state| {
            let is_open = self.open.try_get_untracked().flatten() == Some(key);
            is_open && !std::mem::replace(&mut state.is_checking, true)
        });
        if is_first == Some(true) {
            let view = self.store.view;
            view.after(Duration::from_millis(SAVING), move || {
                self.state(|state| state.is_checking = false);
                self.changed_elsewhere(key);
            });
        }
    }

    /// Stores what closed tabs left in the journal. `key` is the design that one of them showed.
    pub(super) fn recover_left(self, key: Option<DesignKey>) {
        self.enqueue(async move {
            let state = self.state(|state| (state.workspace.clone(), state.visit));
            let Some((workspace, visit)) = state else {
                return;
            };
            // What cannot be stored stays in the journal.
            let Recovered {
                stored,
                unreadable,
                messages,
                ..
            } = recover(&workspace, Some(visit)).await;
            for key in stored {
                self.tell_tabs("saved", key);
            }
            for message in messages {
                self.store.notices.error(message);
            }
            self.show_unreadable(unreadable);
            match self.open.try_get_untracked().flatten().or(key) {
                Some(key) => self.changed_elsewhere(key),
                None => self.reload_list().await,
            }
        });
    }

    /// Tells a tab that opened the design of this tab that it is not alone.
    fn greet(self, key: DesignKey) {
        if self.open.try_get_untracked().flatten() == Some(key) {
            self.tell_tabs("greets", key);
        }
    }

    /// If another tab stored the open design, shows the stored version here, where it is: selection, focus and scroll
    /// position stay. Unsaved changes of this tab are not lost: storing them merges both ([`Designs::merge_stored`]).
    pub(super) fn changed_elsewhere(self, key: DesignKey) {
        self.enqueue(async move {
            self.reload_list().await;
            let is_shown = || self.open.try_get_untracked().flatten() == Some(key);
            let Some(workspace) = self.workspace() else {
                return;
            };
            if !is_shown() {
                return;
            }
            let stored = workspace.version(key).await;
            if stored == Ok(None) && self.state(|state| state.slot(key).base > 0) == Some(true) {
                return self.deleted_elsewhere(key);
            }
            let is_newer = |state: &mut State| {
                let slot = state.slot(key);
                slot.unsaved.is_none()
                    && matches!(stored, Ok(Some(version)) if version != slot.base)
            };
            if self.state(is_newer) != Some(true) {
                return;
            }
            let loaded = workspace.load(key).await;
            // The user may have typed meanwhile: then storing detects the other version.
            if is_shown() && self.state(is_newer) == Some(true) {
                match loaded {
                    Ok(Loaded::Design(loaded)) => {
                        self.state(|state| state.slot(key).is_at(&loaded));
                        self.follow(document_of(&loaded));
                        self.follow_text(key).await;
                    }
                    Ok(Loaded::Broken(broken)) => self.keep_shown(key, broken),
                    loaded => self.show_loaded(key, loaded),
                }
            }
        });
    }

    /// Another tab stored the open design so that this one cannot read it: what is shown stays.
    fn keep_shown(self, key: DesignKey, broken: Broken) {
        let is_first = self.state(|state| {
            let told = &mut state.slot(key).unreadable;
            told.replace(broken.version) != Some(broken.version)
        });
        if is_first != Some(true) {
            return;
        }
        let name = &broken.name;
        let what = match broken.is_newer {
            true => format!(
                "“{name}” was saved by a newer Keyfold in another tab. This tab shows it as it was; reload to see it as \
                 it is."
            ),
            false => format!(
                "“{name}” was saved in another tab, and cannot be read: {}. This tab shows it as it was.",
                broken.reason
            ),
        };
        let file = format!("{}.keyfold.json", file_stem(name));
        self.store.notices.error_with_file(what, file, broken.text);
    }

    /// Shows a version of the open design that is stored.
    fn follow(self, document: Document) {
        let design = document.design().clone();
        // What changes nothing here is not shown, so that the next change is one of this tab.
        if self.store.follow(document) {
            // Messages about the last change offer to undo it: that is now the other tab's.
            self.store.notices.pass();
            self.has_followed(design);
        }
        self.remember_for_crash();
    }

    fn has_followed(self, design: Design) {
        let draft = self.store.draft.get_untracked();
        self.state(|state| state.followed = Some((design, draft)));
    }

    /// Shows the comments, the order and the unfinished lines of the text that another tab stored, beside those of this one. A
    /// text that was never shown here is read when it is.
    async fn follow_text(self, key: DesignKey) {
        let Some(own) = self.store.text() else {
            return;
        };
        let (Some(stored), Ok(language)) = (self.stored_text_of(key).await, language().await)
        else {
            return;
        };
        let is_open = self.open.try_get_untracked().flatten() == Some(key);
        let is_same = self.store.text().is_some_and(|now| now.text == own.text);
        let base = self.state(|state| {
            let slot = state.slot(key);
            slot.unsaved.is_none().then(|| slot.text.clone())
        });
        let Some(Some(base)) = base.filter(|_| is_open && is_same) else {
            return;
        };
        let (theirs, text) = self.store.with(|design| {
            let theirs = (language.restored)(Some(stored), design);
            let base = base.as_ref().unwrap_or(&own);
            let text = (language.joined)(base, &own, &theirs, design);
            (theirs, text)
        });
        self.state(|state| state.slot(key).text = Some(theirs));
        if let Some(text) = text.filter(|text| text.text != own.text) {
            self.has_followed(text.design.clone());
            self.store.replace_text(text);
        }
    }

    /// Another tab stored the design that was changed here: puts the changes of this tab on top of that version, as one
    /// step of undo, and stores both. What is stored keeps its ids; what this page holds of its own new parts follows them.
    /// Returns whether that was possible.
    pub(super) async fn merge_stored(self, key: DesignKey) -> bool {
        let Some(workspace) = self.workspace() else {
            return false;
        };
        let (Ok(Loaded::Design(loaded)), Ok(merger)) = (workspace.load(key).await, merger().await)
        else {
            return false;
        };
        let is_open = self.open.try_get_untracked().flatten() == Some(key);
        let stored_text = workspace.design_text(key).await;
        let has_text = match is_open {
            true => self.store.text().is_some(),
            false => self
                .state(|state| state.unsaved(key)?.text().cloned())
                .flatten()
                .is_some(),
        };
        let language = match has_text {
            true => language().await.ok(),
            false => None,
        };
        // What is typed is stored for the part that it was typed for, before that can have another id.
        let moves = is_open
            && self.state(|state| {
                let base = state.slot(key).stored.clone();
                let ours = self.store.document();
                base.is_some_and(|base| {
                    let merged = (merger.merge)(&base, ours.design(), &loaded.design, Side::Ours);
                    !merged.moved.is_empty()
                })
            }) == Some(true);
        let left = moves.then(LeftField::leave).flatten();
        let merged = self.state(|state| {
            let slot = state.slot(key);
            let base = slot.stored.clone()?;
            let unsaved = slot.unsaved_document()?.clone();
            // What was typed since the last save, too.
            let ours = match is_open {
                true => self.store.document(),
                false => unsaved,
            };
            let merge = |later| (merger.merge)(&base, ours.design(), &loaded.design, later);
            let first = merge(Side::Ours);
            let (moved, conflicts) = (first.moved, first.is_conflict);
            let first = first.design;
            // Where both changed the same, the later change stays. Undo shows the other one.
            let changed_at = slot.changed_at.max(loaded.saved);
            let is_older = conflicts && slot.changed_at < loaded.saved;
            let design = match is_older {
                true => merge(Side::Theirs).design,
                false => first.clone(),
            };
            let own = (ours.text()).map(|own| (merger.moved_text)(own, &moved));
            let text = language.and_then(|language| {
                let (own, stored, base) = (own.as_ref()?, stored_text?, slot.text.take()?);
                let theirs = (language.restored)(Some(stored), &loaded.design);
                let text = (language.joined)(&base, own, &theirs, &design);
                slot.text = Some(theirs);
                text
            });
            let mut document = document_of(&loaded);
            document.step_to(first, ours.undo_label().unwrap_or("edit").to_owned());
            document.step_to(design, "later changes of another tab".to_owned());
            if let Some(text) = &text {
                document.set_text(text.clone());
            }
            slot.is_at(&loaded);
            state.change(key, document.clone(), clock::now());
            // A merge is no change of the user.
            state.slot(key).changed_at = changed_at;
            Some((document, (own, text), moved, (conflicts, is_older)))
        });
        let Some(Some((document, (own, text), moved, (conflicts, is_older)))) = merged else {
            return false;
        };
        if conflicts {
            let name = &document.design().name;
            let message = match is_older {
                true => format!(
                    "Another tab changed the same parts of “{name}” later. Its changes are kept; undo reverts them to those \
                     of this tab."
                ),
                false => format!(
                    "Another tab changed the same parts of “{name}” at the same time. The changes of this tab are kept; \
                     undo reverts them to those of the other tab."
                ),
            };
            self.store.notices.keep(message);
        }
        if is_open {
            let design = document.design().clone();
            self.store.follow_merged(document, &moved);
            self.has_followed(design);
            if let Some(own) = own {
                self.store.set_text(own);
            }
            if let Some(text) = text {
                self.has_followed(text.design.clone());
                self.store.replace_text(text);
            }
        }
        if let Some(left) = left {
            left.enter_again();
        }
        self.flush();
        true
    }

    /// If another tab deleted the open design, opens another one. Unsaved changes of this tab are not lost: storing
    /// them detects the deletion ([`Designs::fork`]).
    fn deleted_elsewhere(self, key: DesignKey) {
        self.enqueue(async move {
            self.reload_list().await;
            // Edits on the canvas leave the text behind the design. Without the language no text is kept.
            let language = match self.store.text() {
                Some(_) => language().await.ok(),
                None => None,
            };
            let is_open = self.open.try_get_untracked().flatten() == Some(key);
            if !is_open || self.state(|state| state.slot(key).unsaved.is_some()) != Some(false) {
                return;
            }
            let design = self.store.with(Design::clone);
            let text = language
                .zip(self.store.text())
                .map(|(language, text)| (language.follow)(&text, &design).unwrap_or(text));
            // The list no longer contains it.
            let message = format!("“{}” was deleted in another tab.", design.name);
            self.forget(key);
            self.close();
            self.open_something();
            let keep = move || {
                self.add_with_text(design.clone(), text.clone());
            };
            self.store.notices.offer(message, "Keep a copy", keep);
        });
    }
}

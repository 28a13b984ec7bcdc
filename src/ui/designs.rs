//! The designs of this browser: opening, autosave, and what happens when storing or reading fails. No failure
//! loses the last good copy (see [`crate::app::workspace`]).

use super::store::Store;
use crate::app::workspace::{Broken, DesignKey, Listed, Workspace};
use crate::domain::library::Pattern;
use crate::domain::model::{Design, file_stem};
use crate::domain::persist;
use crate::platform::clock;
use crate::platform::storage::Local;
use crate::ui::parts::erased::RwSignal;
use leptos::ev;
use leptos::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

/// Changes are stored when nothing has changed for this long, and when the page is left.
const SAVE_AFTER: Duration = Duration::from_millis(250);

/// How the last save went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// What is shown is stored.
    Yes,
    /// A change waits to be stored.
    Pending,
    /// The last save failed; the copy before it is still there.
    Failed,
    /// This design is not stored at all.
    Never,
}

thread_local! {
    /// The open design after the last change, for the panic hook. Designs share their parts, so it costs nothing.
    static LAST_GOOD: RefCell<Option<(DesignKey, Design)>> = const { RefCell::new(None) };
}

/// The designs of this browser and which one is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Designs {
    store: Store,
    workspace: StoredValue<Workspace<Local>>,
    /// The open design, if it is one that is stored.
    pub open: RwSignal<Option<DesignKey>>,
    /// All stored designs.
    pub list: RwSignal<Vec<Listed>>,
    /// How the last save went.
    pub saved: RwSignal<Saved>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Designs {
    /// Opens what the address asks for (`?stress=N`), else the design that was open last, else a new one.
    pub fn start(stress: Option<Design>) -> (Store, Designs) {
        let workspace = Workspace::open(Local);
        let is_stress = stress.is_some();
        let store = Store::new(stress.unwrap_or_else(new_design));
        let designs = Designs {
            store,
            open: RwSignal::new(None),
            list: RwSignal::new(workspace.designs().to_vec()),
            saved: RwSignal::new(if is_stress { Saved::Never } else { Saved::Yes }),
            workspace: StoredValue::new(workspace),
            timer: StoredValue::new(None),
        };
        if !is_stress {
            designs.open_last();
        }
        designs.save_changes();
        (store, designs)
    }

    fn open_last(self) {
        match self.workspace.with_value(Workspace::last_open) {
            Some(key) => self.open(key),
            None => match self.list.with_untracked(|list| list.last().map(|l| l.key)) {
                Some(key) => self.open(key),
                None => self.add(new_design()),
            },
        }
    }

    /// Opens a stored design, or one that could not be stored, which is tried again. One that cannot be read stays
    /// stored as it is; the copy of the last visit is
    /// opened instead as a design of its own, or a new one.
    pub fn open(self, key: DesignKey) {
        self.save_now();
        let loaded = self.workspace.try_update_value(|w| w.load(key));
        match loaded {
            Some(Ok(design)) => {
                self.show(Some(key), design);
                if self.workspace.with_value(|w| w.is_unstored(key)) {
                    self.saved.set(Saved::Failed);
                    self.save_now();
                }
            }
            Some(Err(broken)) => self.recover(key, broken),
            None => {}
        }
    }

    fn recover(self, key: DesignKey, broken: Broken) {
        let name = self.list.with_untracked(|list| {
            (list.iter().find(|listed| listed.key == key)).map(|listed| listed.name.clone())
        });
        let name = name.unwrap_or_else(|| format!("Design {key}"));
        let what_now = match broken.backup {
            Some(_) => "The copy from your last visit is open instead.",
            None => "The stored text is left as it is.",
        };
        self.store.notices.error_with_file(
            format!("“{name}” cannot be read: {}. {what_now}", broken.reason),
            format!("{}.keyfold.json", file_stem(&name)),
            broken.text,
        );
        let design = match broken.backup {
            Some(mut backup) => {
                backup.name = format!("{} (recovered)", backup.name);
                *backup
            }
            None => new_design(),
        };
        self.add(design);
    }

    /// Adds a design to the stored ones and opens it.
    pub fn add(self, mut design: Design) {
        self.save_now();
        design.name = self.free_name(&design.name);
        crate::app::placement::place_all(&mut design);
        let created = self.workspace.try_update_value(|w| w.create(&design));
        let Some((key, stored)) = created else {
            return;
        };
        self.show(Some(key), design);
        self.report(stored);
    }

    fn free_name(self, stem: &str) -> String {
        self.list.with_untracked(|list| {
            let taken = |name: &str| list.iter().any(|listed| listed.name == name);
            crate::app::suggest::free_name(stem, taken)
        })
    }

    /// Opens a new, empty design.
    pub fn add_new(self) {
        self.add(new_design());
    }

    /// Opens a library pattern as a new design.
    pub fn add_pattern(self, pattern: &Pattern) {
        match pattern.design() {
            Ok(design) => self.add(design),
            Err(error) => self.store.notices.error(error.to_string()),
        }
    }

    /// Reads a Keyfold file as a new design. The error names the place; nothing is changed then.
    pub fn add_file(self, text: &str) -> Result<(), String> {
        let design = persist::from_json(text).map_err(|error| error.to_string())?;
        self.add(design);
        Ok(())
    }

    /// Takes a stored design away for good; another one opens if it was the open one.
    pub fn delete(self, key: DesignKey) {
        let was_open = self.open.get_untracked() == Some(key);
        if was_open {
            self.forget_pending();
            self.open.set(None);
        }
        self.workspace.update_value(|w| w.delete(key));
        self.refresh_list();
        if was_open {
            self.open_last();
        }
    }

    fn show(self, key: Option<DesignKey>, design: Design) {
        self.forget_pending();
        self.open.set(key);
        self.store.open(design);
        self.remember();
        self.saved.set(Saved::Yes);
        self.refresh_list();
    }

    fn refresh_list(self) {
        let list = self.workspace.with_value(|w| w.designs().to_vec());
        if self.list.with_untracked(|shown| *shown != list) {
            self.list.set(list);
        }
    }

    /// Stores every change of the open design a moment after it was made.
    fn save_changes(self) {
        Effect::new(move |last: Option<u64>| {
            self.store.revision.track();
            let opened = self.store.opened.get();
            // What was only opened is stored already.
            if last == Some(opened) && self.open.get_untracked().is_some() {
                self.remember();
                self.forget_pending();
                self.saved.set(Saved::Pending);
                let timer = set_timeout_with_handle(move || self.save_now(), SAVE_AFTER);
                self.timer.set_value(timer.ok());
            }
            opened
        });
        let leave = window_event_listener(ev::pagehide, move |_| self.save_now());
        let hide = window_event_listener(ev::visibilitychange, move |_| self.save_now());
        let elsewhere = window_event_listener(ev::storage, move |event| {
            let changed = (event.key()).and_then(|key| Workspace::<Local>::design_of(&key));
            if let Some(key) = changed {
                self.changed_elsewhere(key);
            }
        });
        on_cleanup(move || {
            leave.remove();
            hide.remove();
            elsewhere.remove();
        });
    }

    /// Another tab has stored a design. If it is the open one, what was stored is shown here. A change that waits here
    /// to be stored, or could not be, becomes a design of its own, so that neither is lost.
    fn changed_elsewhere(self, key: DesignKey) {
        let unstored = self.workspace.try_update_value(|w| w.take_unstored(key));
        if self.open.get_untracked() != Some(key) {
            if let Some(Some(mut design)) = unstored {
                design.name = self.free_name(&design.name);
                self.workspace.update_value(|w| {
                    // It is kept for this visit if there is still no room.
                    let _ = w.create(&design);
                });
                self.refresh_list();
            }
        } else if self.saved.get_untracked() == Saved::Yes {
            self.open(key);
            (self.store.notices)
                .say("This design was changed in another tab: here is how it is now.");
        } else {
            self.forget_pending();
            self.open.set(None);
            self.add(self.store.with(Design::clone));
            self.store.notices.error(
                "This design was changed in another tab at the same time. What you see here is now a design of \
                 its own; the other one is in the list of designs.",
            );
        }
    }

    fn remember(self) {
        let design = self.store.with(Design::clone);
        LAST_GOOD.with_borrow_mut(|last| {
            *last = self.open.get_untracked().map(|key| (key, design));
        });
    }

    fn forget_pending(self) {
        if let Some(Some(timer)) = self.timer.try_update_value(Option::take) {
            timer.clear();
        }
    }

    /// Stores the open design now, if a change waits.
    pub fn save_now(self) {
        self.forget_pending();
        // The page may be on its way out.
        let open = self.open.try_get_untracked().flatten();
        let (Some(key), Some(Saved::Pending | Saved::Failed)) =
            (open, self.saved.try_get_untracked())
        else {
            return;
        };
        let stored = self.store.with(|design| {
            (self.workspace).try_update_value(|workspace| workspace.save(key, design))
        });
        if let Some(stored) = stored {
            self.report(stored);
        }
        self.refresh_list();
    }

    /// Remembers a file that was taken away, with the time. A design that is not stored remembers nothing.
    pub fn remember_export(self, name: &str, text: &str) {
        if let Some(key) = self.open.get_untracked() {
            let text = [&clock::date_time(), "\n", text].concat();
            (self.workspace).update_value(|workspace| workspace.remember(key, name, &text));
        }
    }

    /// When and as what a file was taken away last.
    pub fn last_export(self, name: &str) -> Option<(String, String)> {
        let key = self.open.get()?;
        let stored = (self.workspace).with_value(|workspace| workspace.remembered(key, name))?;
        let (time, text) = stored.split_once('\n')?;
        Some((time.to_owned(), text.to_owned()))
    }

    fn report(self, stored: Result<(), String>) {
        match stored {
            Ok(()) => self.saved.set(Saved::Yes),
            Err(reason) => {
                self.saved.set(Saved::Failed);
                let (name, text) =
                    (self.store).with(|design| (design.name.clone(), persist::to_json(design)));
                self.store.notices.error_with_file(
                    format!(
                        "“{name}” could not be stored: {reason}. The last stored copy is safe. Download this \
                         one, or delete designs that you no longer need."
                    ),
                    format!("{}.keyfold.json", file_stem(&name)),
                    text,
                );
            }
        }
    }
}

fn new_design() -> Design {
    Design::new("Untitled")
}

/// The designs, from the context.
pub fn use_designs() -> Designs {
    expect_context()
}

/// After a bug in Keyfold itself: stores the open design as it was after the last change, and says so.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        let stored = LAST_GOOD.with(|last| {
            let last = last.try_borrow().ok()?;
            let (key, design) = last.as_ref()?;
            Some(Workspace::open(Local).save(*key, design).is_ok())
        });
        let message = match stored {
            Some(true) => {
                "Keyfold ran into a bug and stopped. Your design is stored as it was after your last change. Reload the page to go on."
            }
            Some(false) => {
                "Keyfold ran into a bug and stopped, and the last change could not be stored. The copy before it is safe. Reload the page to go on."
            }
            None => "Keyfold ran into a bug and stopped. Reload the page to go on.",
        };
        let document = document();
        if let (Some(body), Ok(element)) = (document.body(), document.create_element("div")) {
            element.set_class_name("crash");
            let _ = element.set_attribute("role", "alert");
            element.set_text_content(Some(message));
            let _ = body.append_child(&element);
        }
    }));
}

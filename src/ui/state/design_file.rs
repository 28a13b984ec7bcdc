//! The file on the disk that the open design is kept in.

use crate::platform::files::Handle;
use crate::ui::reactive::erased::RwSignal;
use keyfold_app::workspace::DesignKey;
use leptos::prelude::*;

/// The file of the open design. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct DesignFile {
    /// Its name; `None` if the design has no file.
    pub name: RwSignal<Option<String>>,
    /// Whether the design was changed since the file was read or written.
    pub is_behind: RwSignal<bool>,
    link: StoredValue<Option<Link>, LocalStorage>,
}

/// A design and its file.
#[derive(Clone)]
pub struct Link {
    /// The design.
    pub key: DesignKey,
    /// The file.
    pub handle: Handle,
    /// The text of the file when it was last read or written.
    pub text: String,
}

impl Default for DesignFile {
    fn default() -> Self {
        DesignFile {
            name: RwSignal::new(None),
            is_behind: RwSignal::new(false),
            link: StoredValue::new_local(None),
        }
    }
}

impl DesignFile {
    /// Shows a file whose text is that of the design.
    pub fn show(self, link: Option<Link>) {
        let name = link.as_ref().map(|link| link.handle.name());
        if self.link.try_set_value(link).is_none() {
            self.is_behind.set(false);
            self.name.set(name);
        }
    }

    /// The file, if it is that of this design.
    pub fn of(self, open: Option<DesignKey>) -> Option<Link> {
        let link = self.link.try_get_value()??;
        (Some(link.key) == open).then_some(link)
    }
}

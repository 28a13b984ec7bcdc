//! What was exported last, to show what changes since then.

use super::Designs;
use crate::platform::clock;
use keyfold_app::workspace::DesignKey;

impl Designs {
    pub(super) async fn read_exports(self, key: DesignKey) {
        let Some(workspace) = self.workspace() else {
            return;
        };
        if let Ok(exports) = workspace.exports(key).await
            && self.open.try_get_untracked().flatten() == Some(key)
        {
            self.exports.set(exports);
        }
    }

    /// Remembers an exported file, with the time. Does nothing for a design that is not stored.
    pub fn remember_export(self, name: &str, text: &str) {
        let Some(key) = self.open.get_untracked() else {
            return;
        };
        let text = [&clock::date_time(), "\n", text].concat();
        self.exports.update(|exports| {
            exports.insert(name.to_owned(), text.clone());
        });
        let name = name.to_owned();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            // Without room, the export is not remembered.
            let _ = workspace.remember(key, &name, &text).await;
            self.read_exports(key).await;
        });
    }

    /// Time and text of the last export of a file.
    pub fn last_export(self, name: &str) -> Option<(String, String)> {
        self.exports.with(|exports| {
            let (time, text) = exports.get(name)?.split_once('\n')?;
            Some((time.to_owned(), text.to_owned()))
        })
    }
}

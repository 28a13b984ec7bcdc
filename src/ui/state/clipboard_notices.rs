//! The system clipboard, for menus and buttons. The outcome is shown as a message.

use super::notices::Notices;
use crate::platform::clipboard;

/// The message when the browser blocks copying from a menu.
pub const BY_KEY: &str = "The browser blocked clipboard access. Press Ctrl+C.";

/// The message when the browser blocks copying from a button beside exported text.
pub const BY_HAND: &str =
    "The browser blocked clipboard access. Select the text and copy it, or use Download.";

/// Copies a text to the clipboard, confirms it and calls `then`. If the browser blocks it, shows `refused`.
pub fn copy(notices: Notices, text: String, refused: &'static str, then: Box<dyn FnOnce()>) {
    let copying = async move { clipboard::copy(&text).await };
    (notices.view).answer(copying, move |copied| match copied {
        Ok(()) => {
            notices.say("Copied.");
            then();
        }
        Err(_) => notices.error(refused),
    });
}

/// Calls `take` with the text in the clipboard, if the browser allows it.
pub fn paste(notices: Notices, take: Box<dyn FnOnce(&str)>) {
    (notices.view).answer(clipboard::read(), move |text| match text {
        Some(text) => take(&text),
        None => {
            notices.error("The browser blocked clipboard access. Press Ctrl+V.");
        }
    });
}

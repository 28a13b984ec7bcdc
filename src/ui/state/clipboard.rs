//! The system clipboard, for menus and buttons: what came of it is said.

use super::notices::Notices;
use crate::platform::clipboard;

/// What one can do where the browser refuses a menu to copy.
pub const BY_KEY: &str = "The browser refused the clipboard: press Ctrl+C.";

/// What one can do where it refuses a button of exported text.
pub const BY_HAND: &str =
    "The browser did not allow copying. Select the text and copy it, or use Download.";

/// Puts a text into the clipboard and says so; then does something more. Where the browser refuses, says `refused`.
pub fn copy(notices: Notices, text: String, refused: &'static str, then: Box<dyn FnOnce()>) {
    let asked = async move { clipboard::copy(&text).await };
    (notices.view).answer(asked, move |copied| match copied {
        Ok(()) => {
            notices.say("Copied.");
            then();
        }
        Err(_) => notices.error(refused),
    });
}

/// Hands over the text that is in the clipboard, if the browser allows it.
pub fn paste(notices: Notices, take: Box<dyn FnOnce(&str)>) {
    (notices.view).answer(clipboard::read(), move |text| match text {
        Some(text) => take(&text),
        None => {
            notices.error("The browser does not let a menu read the clipboard: press Ctrl+V.");
        }
    });
}

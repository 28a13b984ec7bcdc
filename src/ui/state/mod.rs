//! What the page knows: the open design as signals, how the page is arranged, messages, and the ways around. No views.

pub mod actions;
pub mod clipboard;
pub mod finding_mark;
pub mod navigate;
pub mod notices;
pub mod page_state;
pub mod store;
pub mod theme;

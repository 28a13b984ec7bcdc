//! The state of the page: the open design as signals, the arrangement, messages and navigation. No views.

pub mod action_registry;
pub mod arrangement;
pub mod clipboard_notices;
pub mod design_file;
pub mod finding_mark;
pub mod navigate;
pub mod notices;
pub mod page_state;
pub mod store;
pub mod theme;
pub mod version_label;

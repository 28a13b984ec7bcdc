//! The regions of the page: top bar, rail, canvas, inspector, bottom panel. On a small screen they are tabs.

mod action_target;
pub mod actions;
pub mod app_context;
mod attribute_highlight;
mod command_palette;
mod context_menu;
pub mod design_file;
mod design_menu;
mod file_drop;
mod followed_file;
mod guide_card;
mod help;
pub mod keyboard;
mod notice_list;
mod offline;
mod open_and_save;
mod outline;
mod page;
mod pane_tabs;
mod panel;
mod presentation;
mod print;
mod regions;
mod shared;
mod start;
mod table_actions;
mod top_bar;
mod welcome;

pub use page::Shell;
pub use start::start;

//! The exports for other tools, checked by those tools.

mod any;
mod designs;
mod markdown;
mod script;
mod terraform;
mod whole;
mod workbench;

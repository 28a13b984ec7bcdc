//! The exports for other tools, judged by those tools.

mod any;
mod designs;
mod markdown;
mod script;
mod terraform;
mod whole;
mod workbench;

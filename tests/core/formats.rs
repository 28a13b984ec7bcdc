//! The exports for other tools, judged by those tools.

mod designs;
mod script;

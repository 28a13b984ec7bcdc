//! Native tests of the pure core, data-driven: fixtures in, literals or snapshots out.

mod app;
mod architecture;
mod cfn_lint;
#[cfg(feature = "cli")]
mod cli;
mod cloudformation;
mod designs;
mod engine;
mod fields;
mod grid;
mod library;
mod model;
mod persist;
mod rust_export;
mod search;
mod template;
mod template_designs;
mod value;
mod yaml;
mod yaml_reader;

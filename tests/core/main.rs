//! Native tests of the pure core, data-driven: fixtures in, literals or snapshots out.

mod amounts;
mod app;
mod architecture;
mod arrange;
mod cfn_lint;
#[cfg(feature = "cli")]
mod cli;
mod clipboard;
mod cloudformation;
mod collections;
mod delimited;
mod designs;
mod engine;
mod fields;
mod generate;
mod grid;
mod grid_cells;
mod guide;
mod library;
mod model;
mod navigate;
mod persist;
mod picture;
mod rename;
mod retype;
mod route;
mod rust_export;
mod samples;
mod search;
mod snap;
mod template;
mod template_designs;
mod value;
mod work;
mod yaml;
mod yaml_reader;

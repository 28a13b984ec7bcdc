//! Native tests of the pure core, data-driven: fixtures in, literals or snapshots out.

mod bytes;
mod cfn_lint;
mod cloudformation;
mod delimited;
mod deploy;
mod engine;
mod formats;
mod generate;
mod key_only;
mod key_sources;
mod library;
mod lint;
mod model;
mod ordered;
mod persist;
mod proof;
mod query;
mod requests;
mod rust_crate;
mod rust_export;
mod samples;
mod slices;
mod template;
mod text;
mod value;
mod yaml;

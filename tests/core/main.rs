//! Native tests of the pure core, data-driven: fixtures in, literals or snapshots out.

mod designs;
mod library;
mod persist;
mod rust_export;

//! Native tests of the pure core, data-driven: fixtures in, literals or snapshots out.

mod architecture;
#[cfg(feature = "cli")]
mod cli;
mod designs;
mod engine;
mod library;
mod model;
mod persist;
mod template;
mod value;

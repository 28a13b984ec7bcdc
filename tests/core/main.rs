//! Native tests of the pure core, one module per area.

mod rust_export;

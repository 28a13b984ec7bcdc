//! Native tests of the pure core.

mod cfn_lint;
mod cloudformation;
mod grid;
mod template_designs;
mod yaml;
mod yaml_reader;

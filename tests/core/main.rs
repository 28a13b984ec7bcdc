//! Native tests of the pure core.

mod cfn_lint;
mod cloudformation;
mod template_designs;
mod yaml;
mod yaml_reader;

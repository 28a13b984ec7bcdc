//! Costs: the workload that they follow from.

pub mod workload_table;

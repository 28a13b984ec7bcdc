//! What a design costs and where it gets hot, from its access patterns, its samples and its workload.

#![warn(missing_docs)]

pub mod prices;

//! Tests of `keyfold-cost`.

mod bill;
mod calculator;
mod capacity;
mod collections;
mod designs;
mod findings;
mod follow;
mod heat;
mod layer;
mod modifiers;
mod prices;
mod replay;
mod report;
mod units;

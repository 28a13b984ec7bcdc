//! Tests of `keyfold-cost`.

mod bill;
mod designs;
mod heat;
mod prices;
mod replay;
mod report;
mod units;

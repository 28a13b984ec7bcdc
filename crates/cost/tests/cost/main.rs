//! Tests of `keyfold-cost`.

mod prices;

//! What is around the exports: the design's choices, what changed since the last time, archives, the change plan in
//! the page.

mod choices;
mod inert;
mod line_diff;
mod listing;
mod plan;
mod zip;

//! Export options, changes since the last export, archives, and the change plan.

mod change_plan;
mod choices;
mod cost;
mod inert;
mod line_diff;
mod listing;
mod zip;

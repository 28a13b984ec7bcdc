//! Routes wires around cards and headings. Each index has a lane of its own in each channel between cards: wires of one
//! index run together, those of different indexes side by side.

mod apart;
mod around;
mod arrows;
mod lanes;
mod routes;
mod search;
mod wire_route;

pub use around::route;
pub use arrows::{Arrow, Arrows};
pub use lanes::Lane;
pub use routes::{MAX_OBSTACLES, Obstacle, Routes, Wire, obstacles};
pub use wire_route::WireRoute;

/// A point on the canvas, in pixels.
type Position = (f64, f64);

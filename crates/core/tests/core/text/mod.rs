//! The design as text.

mod docs;
mod layout;
mod library;
mod positions;
mod round_trip;
mod speed;
mod update;
mod words;

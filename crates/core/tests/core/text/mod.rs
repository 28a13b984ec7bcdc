//! The design as text.

mod bytes;
mod docs;
mod layout;
mod library;
mod positions;
mod round_trip;
mod words;

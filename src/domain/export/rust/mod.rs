//! Rust key builders.

//! Tests of the pure core, native and data-driven.

mod template;
mod value;

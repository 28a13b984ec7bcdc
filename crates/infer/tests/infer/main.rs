//! Tests of the inference: what it finds, and that nothing imported changes.

mod hostile;
mod library;
mod near_designs;
mod profiles;
mod random;
mod real;
mod support;

//! Tests of the inference: what it finds, and that nothing imported changes.

mod draft;
mod hostile;
mod library;
mod naming;
mod near_designs;
mod profiles;
mod random;
mod real;
mod support;

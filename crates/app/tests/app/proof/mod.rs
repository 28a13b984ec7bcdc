//! Suggestions of the proofs, applied to the design.

mod suggestions;

//! Nothing but its tests.

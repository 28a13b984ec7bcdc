//! Shared values that are compared by pointer.

use std::ops::Deref;
use std::sync::Arc;

/// A shared value that counts as changed whenever it is another allocation.
#[derive(Debug)]
pub struct ByPtr<T>(pub Arc<T>);

impl<T> Clone for ByPtr<T> {
    fn clone(&self) -> Self {
        ByPtr(self.0.clone())
    }
}

impl<T> PartialEq for ByPtr<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for ByPtr<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

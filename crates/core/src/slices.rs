//! Long work in interruptible slices. The work is an `async` function that calls [`pause`] where it may be interrupted.
//! [`finish`] runs it to the end; [`Slices`] runs it step by step and cancels it when dropped. There is no executor and
//! nothing waits: `async` only stores where to resume.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Marks a point where the work may be interrupted.
pub async fn pause() {
    let mut was_here = false;
    std::future::poll_fn(|_| match std::mem::replace(&mut was_here, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

/// Runs the work to the end without a pause and returns its result.
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut context) {
            return result;
        }
    }
}

/// Work that runs step by step. Dropping it cancels the work.
pub struct Slices<T>(Pin<Box<dyn Future<Output = T>>>);

impl<T> Slices<T> {
    /// Wraps the work without starting it.
    pub fn new(work: impl Future<Output = T> + 'static) -> Self {
        Slices(Box::pin(work))
    }

    /// Runs to the next [`pause`]. Returns the result when the work ends. Do not call it again after that.
    pub fn step(&mut self) -> Option<T> {
        let mut context = Context::from_waker(Waker::noop());
        match self.0.as_mut().poll(&mut context) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}

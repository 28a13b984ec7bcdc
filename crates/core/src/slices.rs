//! Long work that others can interrupt. It is written as an `async` function that says with [`pause`] where it may be
//! left. [`finish`] does all of it at once; [`Slices`] does it step by step, and is dropped when nobody wants the result
//! any more. Nothing here waits, and there is no executor: `async` only keeps the place where the work goes on.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Lets whoever does the work do something else first.
pub async fn pause() {
    let mut was_here = false;
    std::future::poll_fn(|_| match std::mem::replace(&mut was_here, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

/// All of the work at once.
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut context) {
            return result;
        }
    }
}

/// Work that is done step by step. Dropping it ends it.
pub struct Slices<T>(Pin<Box<dyn Future<Output = T>>>);

impl<T> Slices<T> {
    /// Work of which nothing is done yet.
    pub fn new(work: impl Future<Output = T> + 'static) -> Self {
        Slices(Box::pin(work))
    }

    /// Goes on to the next [`pause`]. Returns the result at the end of the work, after which there is no other step.
    pub fn step(&mut self) -> Option<T> {
        let mut context = Context::from_waker(Waker::noop());
        match self.0.as_mut().poll(&mut context) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }
}

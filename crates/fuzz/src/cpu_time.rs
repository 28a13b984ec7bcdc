//! The processor time of a thread. Unlike wall time, it does not depend on what else the machine does.

use std::fs::{read_link, read_to_string};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The clock of a thread.
#[derive(Clone)]
pub struct CpuTime {
    /// The file with the time of the thread; `None` where the system has no such file.
    file: Option<PathBuf>,
    start: Instant,
}

impl CpuTime {
    /// The clock of this thread. Elsewhere than on Linux, it shows the wall time.
    pub fn of_this_thread() -> CpuTime {
        let thread = read_link("/proc/thread-self").ok();
        CpuTime {
            file: thread.map(|thread| PathBuf::from("/proc").join(thread).join("schedstat")),
            start: Instant::now(),
        }
    }

    pub fn now(&self) -> Duration {
        let text = self
            .file
            .as_ref()
            .and_then(|file| read_to_string(file).ok());
        let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse().ok());
        nanoseconds.map_or_else(|| self.start.elapsed(), Duration::from_nanos)
    }
}

//! Runs a target on a range of inputs in a thread of its own, with a limit for the time of each input.

use crate::cpu_time::CpuTime;
use crate::mutate::input;
use crate::{Target, memory, seeds};
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Once};
use std::time::Duration;

/// The maximum processor time of an input. The slowest inputs take a tenth of it in a build without optimization.
pub const MAX_TIME: Duration = Duration::from_secs(20);

/// The maximum number of different failures; then the run ends.
const MAX_FAILURES: usize = 10;

/// An input that broke a promise.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Its number.
    pub number: u64,
    /// The input, as small as a few attempts could make it.
    pub input: Vec<u8>,
    /// What happened, and where.
    pub message: String,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of inputs.
    pub inputs: u64,
    /// How many of them the reader accepted.
    pub accepted: u64,
    /// The number and the processor time of the slowest input.
    pub slowest: (u64, Duration),
    /// The memory of the process in MB: after a tenth of the inputs, at the end, and the most that it had.
    pub memory: [u64; 3],
    /// The failures, each at another place of the code.
    pub failures: Vec<Failure>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            inputs,
            accepted,
            slowest: (number, time),
            memory: [early, late, peak],
            failures,
        } = self;
        write!(
            f,
            "{inputs} inputs, {accepted} accepted, {} failures, slowest {number}: {time:.1?}, \
             memory {early} MB, then {late} MB, at most {peak} MB",
            failures.len()
        )
    }
}

/// Tries the inputs with these numbers. The same target and number are always the same input.
pub fn run(target: &'static Target, numbers: Range<u64>) -> Report {
    quiet_panics();
    let at = Arc::new(AtomicU64::new(numbers.start));
    let (send, receive) = channel();
    let (send_clock, receive_clock) = channel();
    let progress = at.clone();
    let last = numbers.end;
    let worker = std::thread::spawn(move || {
        // The receiver may be gone after a hang.
        let _ = send_clock.send(CpuTime::of_this_thread());
        let _ = send.send(run_here(target, numbers, &progress));
    });
    let clock = receive_clock.recv().expect("a clock");
    let mut since = (u64::MAX, Duration::ZERO);
    loop {
        match receive.recv_timeout(Duration::from_secs(1)) {
            Ok(report) => {
                worker.join().expect("the worker ends");
                return report;
            }
            Err(RecvTimeoutError::Disconnected) => panic!("{}: the worker ended", target.name),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let (number, now) = (at.load(Relaxed), clock.now());
        if number != since.0 {
            since = (number, now);
        } else if number < last && now - since.1 > MAX_TIME {
            let hang = Failure {
                number,
                input: target.input(number),
                message: format!("takes more than {MAX_TIME:?}"),
            };
            return Report {
                failures: vec![hang],
                ..Report::default()
            };
        }
    }
}

fn run_here(target: &Target, numbers: Range<u64>, progress: &AtomicU64) -> Report {
    let seeds = seeds::read(target);
    let clock = CpuTime::of_this_thread();
    let mut report = Report::default();
    let count = numbers.end - numbers.start;
    let mut places: Vec<String> = Vec::new();
    for number in numbers {
        progress.store(number, Relaxed);
        let bytes = input(target, &seeds, number);
        let start = clock.now();
        let result = attempt(target, &bytes);
        let time = clock.now().saturating_sub(start);
        match result {
            Ok(accepted) => report.accepted += u64::from(accepted),
            Err(message) => {
                let place = message.lines().next().unwrap_or_default().to_owned();
                if !places.contains(&place) {
                    let input = smaller(target, bytes, &place);
                    report.failures.push(Failure {
                        number,
                        input,
                        message,
                    });
                    places.push(place);
                }
            }
        }
        if time > report.slowest.1 {
            report.slowest = (number, time);
        }
        report.inputs += 1;
        if report.inputs == count.div_ceil(10) {
            report.memory[0] = memory::now();
        }
        if count >= 100_000 && report.inputs.is_multiple_of(count / 20) {
            report.memory[1..].copy_from_slice(&[memory::now(), memory::peak()]);
            eprintln!("{}: {report}", target.name);
        }
        if report.failures.len() == MAX_FAILURES {
            break;
        }
    }
    report.memory[1..].copy_from_slice(&[memory::now(), memory::peak()]);
    report
}

thread_local! {
    /// The last panic of this thread: its place in the first line, then its message.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics of the targets for the report instead of printing them.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match TRYING.get() {
            true => PANIC.set(info.to_string()),
            false => usual(info),
        }));
    });
}

thread_local! {
    static TRYING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Tries an input; the message of a panic is the error.
fn attempt(target: &Target, bytes: &[u8]) -> Result<bool, String> {
    TRYING.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    TRYING.set(false);
    result.map_err(|_| PANIC.take())
}

/// An input that fails at the same place, with pieces left out.
fn smaller(target: &Target, mut bytes: Vec<u8>, place: &str) -> Vec<u8> {
    let mut attempts = 0;
    let mut size = bytes.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < bytes.len() && attempts < 2000 {
            let end = (at + size).min(bytes.len());
            let less = [&bytes[..at], &bytes[end..]].concat();
            attempts += 1;
            let fails = attempt(target, &less).err();
            match fails.is_some_and(|message| message.lines().next() == Some(place)) {
                true => bytes = less,
                false => at = end,
            }
        }
        size /= 2;
    }
    bytes
}

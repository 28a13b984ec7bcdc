//! The memory of the process, in MB; 0 where the system does not tell.

/// What it has now.
pub fn now() -> u64 {
    field("VmRSS:")
}

/// The most that it had.
pub fn peak() -> u64 {
    field("VmHWM:")
}

fn field(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() >> 10
}

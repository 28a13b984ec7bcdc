//! Writes table exports with items of few and of many kinds, and measures `keyfold profile` on them: time, processor time
//! and the most memory.
//!
//! usage: keyfold-bench-profile KEYFOLD FOLDER MEGABYTES

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TABLE: &str = r#"{
  "TableName": "bench",
  "AttributeDefinitions": [
    { "AttributeName": "PK", "AttributeType": "S" }, { "AttributeName": "SK", "AttributeType": "S" },
    { "AttributeName": "GSI1PK", "AttributeType": "S" }, { "AttributeName": "GSI1SK", "AttributeType": "S" }
  ],
  "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }, { "AttributeName": "SK", "KeyType": "RANGE" }],
  "GlobalSecondaryIndexes": [{
    "IndexName": "GSI1",
    "KeySchema": [{ "AttributeName": "GSI1PK", "KeyType": "HASH" }, { "AttributeName": "GSI1SK", "KeyType": "RANGE" }],
    "Projection": { "ProjectionType": "ALL" }
  }],
  "BillingMode": "PAY_PER_REQUEST"
}"#;

/// Names of kinds of items: the first ones are all of the few.
const NOUNS: [&str; 25] = [
    "USER", "ORDER", "PRODUCT", "INVOICE", "EVENT", "TENANT", "PROJECT", "TASK", "COMMENT",
    "DEVICE", "SESSION", "PAYMENT", "TEAM", "REPORT", "MESSAGE", "CART", "COUPON", "REVIEW",
    "ADDRESS", "SHIPMENT", "TICKET", "ALERT", "POLICY", "CLAIM", "ASSET",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [keyfold, folder, megabytes] = arguments.as_slice() else {
        panic!("usage: keyfold-bench-profile KEYFOLD FOLDER MEGABYTES");
    };
    let bytes = megabytes.parse::<u64>().expect("a number of megabytes") * 1_000_000;
    let folder = Path::new(folder);
    fs::create_dir_all(folder).expect("the folder is made");
    let table = folder.join("table.json");
    fs::write(&table, TABLE).expect("the table is written");
    for kinds in [5, 500] {
        let file = folder.join(format!("{kinds}-kinds.json"));
        let items = write(&file, kinds, bytes);
        let profile = folder.join(format!("{kinds}-kinds.profile"));
        measure(keyfold, &file, &table, &profile, kinds, items);
        fs::remove_file(file).expect("the items are removed");
    }
}

/// Writes items of so many kinds as lines of a table export, and returns their number.
fn write(path: &Path, kinds: u64, bytes: u64) -> u64 {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).expect("a file"));
    let (mut written, mut at) = (0, 0_u64);
    while written < bytes {
        // A mixed order, the same in each run.
        let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64) >> 16;
        let kind = mixed % kinds;
        let noun = |n: u64| NOUNS[(n % NOUNS.len() as u64) as usize];
        let name = match kinds > NOUNS.len() as u64 {
            true => format!("{}_{}", noun(kind), noun(kind / NOUNS.len() as u64)),
            false => noun(kind).to_owned(),
        };
        let (owner, day) = (mixed % 100_003, 1 + mixed % 28);
        let line = format!(
            r#"{{"Item":{{"PK":{{"S":"OWNER#{owner}"}},"SK":{{"S":"{name}#{at:09}"}},"GSI1PK":{{"S":"{name}"}},"GSI1SK":{{"S":"2026-03-{day:02}T09:30:00Z"}},"ownerId":{{"S":"{owner}"}},"id":{{"S":"{at:09}"}},"createdAt":{{"S":"2026-03-{day:02}T09:30:00Z"}},"amount":{{"N":"{}.25"}},"open":{{"BOOL":{}}},"tags":{{"L":[{{"S":"a"}},{{"S":"b"}}]}}}}}}"#,
            mixed % 5000,
            mixed % 2 == 0,
        );
        writeln!(out, "{line}").expect("the line is written");
        written += line.len() as u64 + 1;
        at += 1;
    }
    out.flush().expect("the file is written");
    at
}

fn measure(keyfold: &str, file: &Path, table: &Path, profile: &Path, kinds: u64, items: u64) {
    let size = fs::metadata(file).expect("the file").len() as f64 / 1e6;
    let start = Instant::now();
    let mut child = Command::new(keyfold)
        .arg("profile")
        .arg(file)
        .arg("--table")
        .arg(table)
        .arg("--out")
        .arg(profile)
        .stdout(Stdio::null())
        .spawn()
        .expect("keyfold starts");
    let (mut most, mut used) = (0, 0.0);
    let status = loop {
        // What the system says of a process ends with it.
        most = memory(child.id()).unwrap_or(most).max(most);
        used = processor_time(child.id()).unwrap_or(used).max(used);
        if let Some(status) = child.try_wait().expect("keyfold runs") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "keyfold profile: {status}");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{kinds} kinds: {size:.0} MB, {items} items: {seconds:.1} s, {:.0} MB/s; {used:.1} s of processor time, {:.0} MB/s of a core; {:.0} MB of memory",
        size / seconds,
        size / used,
        most as f64 / 1000.0,
    );
}

/// The most memory that a process had, in KB.
fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The processor time of a process, in seconds.
fn processor_time(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    // Linux counts 100 ticks a second.
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

//! How long a keystroke takes.

use keyfold_core::text::{lower, parse};

/// Minified code that was pasted, for example. Copying the rest of the line for each word takes two minutes here.
#[test]
fn a_long_line_takes_no_more_time_than_its_words() {
    let line = "word ".repeat(600_000);
    let start = std::time::Instant::now();
    let tree = parse(&format!("table shop (PK, SK)\n  {line}\n"));
    assert_eq!(tree.text().len(), line.len() + 23);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}

/// Time of a keystroke in a text of 1000 lines. `cargo test --release ... -- --ignored --nocapture` prints it.
#[test]
#[ignore = "a measurement, for a release build"]
fn a_thousand_lines() {
    use std::time::Instant;
    let mut text = "table shop (PK, SK)\n".to_owned();
    for number in 0..59 {
        text.push_str(&format!("\nentity E{number}\n"));
        (0..8).for_each(|at| text.push_str(&format!("  a{at} string /// What it is.\n")));
        text.push_str("  key E#{a0} / E#{a1}\n  | a0 | a1 | a2 |\n  | x  | y  | z  |\n");
        text.push_str(&format!(
            "\npattern P{number}\n  GetItem E#{{a0}} / E#{{a1}}\n  returns E{number}\n"
        ));
    }
    assert_eq!(text.lines().count(), 1004);
    let design = lower(&parse(&text), None).design;
    let mut times: Vec<_> = (0..50)
        .map(|_| {
            let start = Instant::now();
            let lowered = lower(&parse(&text), Some(&design));
            assert!(lowered.design == design);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("parsed and lowered: median {:?}", times[25]);
    let mut moved = design.clone();
    moved.name.push('x');
    let start = Instant::now();
    let updated = keyfold_core::text::update(&text, &design, &moved);
    println!(
        "updated: {:?}, whole: {}",
        start.elapsed(),
        updated.is_whole
    );
}

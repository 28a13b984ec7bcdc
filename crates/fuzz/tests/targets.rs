//! Tries each target on a number of inputs, the same ones each time: no panic, no hang, no growth of memory.
//!
//! `FUZZ_INPUTS=1000000` tries as many, `FUZZ_INPUTS=5000..6000` those with these numbers. A failing input is written to a
//! file, and so is the only one of a range.

use keyfold_fuzz::{TARGETS, run};
use std::fs;
use std::path::Path;

/// By how much the memory of the process may grow after a tenth of the inputs, in MB. All targets run in one process.
const MAX_GROWTH: u64 = 512;

/// Tries a target. `usual` is the number of inputs without the environment variable.
fn check(name: &str, usual: u64) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.expect("a target");
    let inputs = std::env::var("FUZZ_INPUTS").ok();
    let number = |text: &str| text.parse::<u64>().expect("FUZZ_INPUTS is a number");
    let numbers = match inputs.as_deref().map(|text| (text, text.split_once(".."))) {
        None => 0..usual,
        Some((_, Some((from, to)))) => number(from)..number(to),
        Some((text, None)) => 0..number(text),
    };
    let file =
        |number: u64| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}-{number}"));
    if numbers.end - numbers.start == 1 {
        // It may overflow the stack, which ends the process.
        fs::write(file(numbers.start), target.input(numbers.start)).expect("the input is written");
    }
    let report = run(target, numbers);
    println!("{name}: {report}");
    let mut failures = String::new();
    for failure in &report.failures {
        let file = file(failure.number);
        fs::write(&file, &failure.input).expect("the input is written");
        let (number, message) = (failure.number, &failure.message);
        let start = failure.input[..failure.input.len().min(500)].escape_ascii();
        let file = file.display();
        failures += &format!("\ninput {number}, in {file}:\n{start}\n{message}\n");
    }
    assert!(failures.is_empty(), "{name}: {report}{failures}");
    let [early, late, _] = report.memory;
    assert!(late < early + MAX_GROWTH, "{name}: {report}");
    // Otherwise the target would try little more than the refusals.
    assert!(report.accepted * 50 >= report.inputs, "{name}: {report}");
}

macro_rules! targets {
    ($($name:ident $usual:expr,)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), $usual);
            }
        )*

        #[test]
        fn every_target_is_tried_and_has_a_file_for_cargo_fuzz() {
            let tried = [$(stringify!($name)),*];
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/");
            let manifest = fs::read_to_string(format!("{folder}Cargo.toml")).expect("a manifest");
            for target in &TARGETS {
                let name = target.name;
                assert!(tried.contains(&name), "{name}");
                let file = format!("fuzz_targets/{name}.rs");
                assert!(manifest.contains(&format!("path = \"{file}\"")), "{name}");
                let source = fs::read_to_string(format!("{folder}{file}")).expect("a file");
                assert!(source.contains(&format!("keyfold_fuzz::{name}(data)")), "{name}");
            }
        }
    };
}

targets! {
    design 40,
    link 2000,
    template 500,
    expression 2000,
    partiql 2000,
    csv 1000,
    dynamodb_json 1000,
    import 200,
    yaml 500,
    text 200,
}

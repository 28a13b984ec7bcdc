//! Without arguments: what the engine's work takes with 100 000 items; `keyfold-bench 5000`: with so many.
//! `keyfold-bench keys 2000 500`: all keys of so many orders, then the rate of so many milliseconds.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise: u32| {
        let given = arguments.get(at).and_then(|text| text.parse().ok());
        given.unwrap_or(otherwise)
    };
    if arguments.first().is_some_and(|what| what == "keys") {
        let keys = keyfold_bench::Keys::new(number(1, 2000));
        print!("{}", keys.text());
        println!("{}", keys.rate(f64::from(number(2, 500))));
    } else {
        print!("{}", keyfold_bench::engine(number(0, 100_000)));
    }
}

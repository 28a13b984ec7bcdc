//! Prints what the engine's work takes with 100 000 items, or as many as are asked for.

fn main() {
    let items = std::env::args().nth(1).and_then(|text| text.parse().ok());
    print!("{}", keyfold_bench::engine(items.unwrap_or(100_000)));
}

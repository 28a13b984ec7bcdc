//! The number of cases of randomized tests.

use proptest::prelude::ProptestConfig;

/// The usual number of cases, multiplied by the environment variable `CASES`.
pub fn cases(usual: u32) -> ProptestConfig {
    let times = std::env::var("CASES").ok();
    let times: u32 = times.map_or(1, |text| text.parse().expect("CASES is a number"));
    ProptestConfig {
        cases: usual * times,
        max_shrink_iters: 2000,
        ..ProptestConfig::default()
    }
}

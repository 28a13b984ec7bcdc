//! Random numbers that depend only on where they are used: each value has its own stream, so one more attribute or row
//! does not change other values. Only whole numbers, so that every platform gives the same results.

/// SplitMix64. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the
/// constants are those of Vigna's `splitmix64.c`, which is in the public domain.
pub struct Rng {
    state: u64,
    /// The first result of [`Rng::below`], instead of a random one.
    preset: Option<u64>,
}

impl Rng {
    /// The stream of a place: seed, entity, attribute and row as numbers.
    pub fn new(place: &[u64]) -> Rng {
        let state = place.iter().fold(0, |state, part| mix(state ^ part));
        Rng {
            state,
            preset: None,
        }
    }

    /// The same stream, with a fixed first choice.
    pub fn preset(self, choice: Option<u64>) -> Rng {
        Rng {
            preset: choice,
            ..self
        }
    }

    /// 64 random bits.
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        finish(self.state)
    }

    /// A number below `n`, uniform up to a bias of less than `n / 2^64`; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        match self.preset.take() {
            Some(choice) => choice.checked_rem(n).unwrap_or(0),
            None => ((u128::from(self.next()) * u128::from(n)) >> 64) as u64,
        }
    }

    /// Like [`Rng::below`], for ranges that do not fit 64 bits.
    pub fn below_wide(&mut self, n: u128) -> u128 {
        match u64::try_from(n) {
            Ok(n) => u128::from(self.below(n)),
            Err(_) => ((u128::from(self.next()) << 64) | u128::from(self.next())) % n,
        }
    }

    /// A number below `n`, small ones more often: 0 as often as 1 and 2 together, those as often as 3 to 6 together,
    /// and so on. This is Zipf's law (exponent 1) in steps.
    pub fn skewed(&mut self, n: u64) -> u64 {
        if n < 2 || self.preset.is_some() {
            return self.below(n);
        }
        let octaves = u64::from(n.ilog2()) + 1;
        loop {
            let first = 1 << self.below(octaves);
            let rank = first + self.below(first);
            if rank <= n {
                return rank - 1;
            }
        }
    }

    /// One of the texts in a list separated by `|`.
    pub fn one_of<'a>(&mut self, list: &'a str) -> &'a str {
        let count = list.split('|').count() as u64;
        let at = self.below(count) as usize;
        list.split('|').nth(at).unwrap_or_default()
    }
}

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The generator's output for a state: scatters its bits.
fn finish(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn mix(state: u64) -> u64 {
    finish(state.wrapping_add(GAMMA))
}

/// A pseudorandom permutation of the numbers below `n`, depending on `salt`: each `at` below `n` gives a different
/// number. It repeats from `n` on.
pub(super) fn scattered(at: u64, n: u64, salt: u64) -> u64 {
    if n < 2 {
        return 0;
    }
    let mut step = mix(salt) % n;
    while gcd(step, n) != 1 {
        step = (step + 1) % n;
    }
    let place = u128::from(at % n) * u128::from(step) + u128::from(mix(!salt) % n);
    (place % u128::from(n)) as u64
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

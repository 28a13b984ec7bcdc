//! Random numbers with a seed: SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).

pub struct Random(u64);

impl Random {
    /// The numbers of one input of a target.
    pub fn new(target: &str, input: u64) -> Random {
        let hash = target
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        let mut random = Random(hash ^ input);
        random.0 = random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 1) as usize % end.max(1)
    }

    /// A number below 2 to the power of `bits`; small ones are likely.
    pub fn mostly_small(&mut self, bits: usize) -> usize {
        let bits = self.below(bits + 1);
        self.below(1 << bits)
    }

    pub fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

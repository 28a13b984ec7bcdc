//! Byte search and comparison for hot loops, eight bytes at a time. WebAssembly has no instruction for either, and a
//! function call per few bytes is too slow.

/// Whether `bytes` contains `byte`.
#[inline(always)]
pub fn contains(bytes: &[u8], byte: u8) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let [low, wanted] = [1, byte].map(|byte| u64::from_le_bytes([byte; 8]));
    // The standard zero-byte test: subtracting 1 from a zero byte borrows and sets its high bit.
    let found = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word) ^ wanted;
        word.wrapping_sub(low) & !word & (low << 7) != 0
    };
    words.iter().any(found) || rest.contains(&byte)
}

/// The length in bytes of the common prefix of `a` and `b`.
#[inline(always)]
pub fn common_prefix_len(a: &[u8], b: &[u8]) -> usize {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let mut equal = 0;
    for (a, b) in words {
        let other = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if other != 0 {
            return equal + other.trailing_zeros() as usize / 8;
        }
        equal += 8;
    }
    let rest = a[equal..].iter().zip(&b[equal..]);
    equal + rest.take_while(|(a, b)| a == b).count()
}

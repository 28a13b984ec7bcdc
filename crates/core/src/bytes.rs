//! What the hot loops ask of bytes, eight at a time and as numbers: WebAssembly has no instruction to search or compare
//! bytes, and would call a function for each few.

/// Whether one of the bytes is this one.
#[inline(always)]
pub fn contains(bytes: &[u8], byte: u8) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let [low, wanted] = [1, byte].map(|byte| u64::from_le_bytes([byte; 8]));
    // A byte of it is zero, by the well-known subtraction that borrows from the bit above each.
    let found = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word) ^ wanted;
        word.wrapping_sub(low) & !word & (low << 7) != 0
    };
    words.iter().any(found) || rest.contains(&byte)
}

/// With how many equal bytes two texts begin.
#[inline(always)]
pub fn common(a: &[u8], b: &[u8]) -> usize {
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

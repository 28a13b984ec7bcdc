//! Makes an input: a seed with a few mutations. The same target and number give the same input.

use crate::random::Random;
use crate::{Target, tree};
use serde_json::Value;

/// The maximum size of an input in bytes.
pub const MAX_BYTES: usize = 1 << 16;

/// Numbers at the limit of some type.
pub const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "-0",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e300",
    "1e999",
    "0.1",
];

/// Texts with a special meaning to some reader.
pub const TEXTS: [&str; 34] = [
    "",
    " ",
    "#",
    "{",
    "}",
    "{}",
    "[",
    "]",
    "(",
    ")",
    "{userId}",
    "{userId:upper|lower|first(3)}",
    "${AWS::Region}",
    "{{resolve:ssm:x}}",
    "<a>",
    "a#b#c",
    "\u{202e}abc",
    "\u{0}",
    "e\u{301}\u{301}",
    "👩‍👩‍👧",
    "\u{10ffff}",
    "\u{feff}",
    "__proto__",
    "constructor",
    "primary",
    "i1",
    "e2",
    "a3",
    "p1",
    "NaN",
    "9007199254740993",
    "2026-02-30",
    "'; DROP TABLE x; --",
    "\r\n",
];

/// The input of a target with this number.
pub fn input(target: &Target, seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let random = &mut Random::new(target.name, number);
    let seed = &seeds[random.below(seeds.len())];
    let mutations = 1 + random.mostly_small(2);
    let is_tree = seed.first().is_some_and(|byte| b"{[".contains(byte)) && random.below(2) == 0;
    if is_tree && let Ok(mut root) = serde_json::from_slice::<Value>(seed) {
        for _ in 0..mutations {
            tree::mutate(&mut root, random);
        }
        return root.to_string().into_bytes();
    }
    let mut bytes = seed.clone();
    for _ in 0..mutations {
        mutate(&mut bytes, target, seeds, random);
        bytes.truncate(MAX_BYTES);
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, target: &Target, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.mostly_small(8)).min(bytes.len());
    match random.below(14) {
        0 => bytes.splice(at..at, [random.next() as u8]).for_each(drop),
        1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 | 3 => drop(bytes.drain(at..end)),
        4 => bytes.truncate(at),
        // A piece a second time, here or elsewhere.
        5 => {
            let piece = bytes[at..end].to_vec();
            put(bytes, end, &piece);
        }
        6 => {
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            put(bytes, to, &piece);
        }
        // A piece of another seed.
        7 => {
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len() + 1);
            let to = (from + random.mostly_small(9)).min(other.len());
            put(bytes, at, &other[from..to]);
        }
        8 => {
            let word = word(target, random);
            put(bytes, at, word.as_bytes());
        }
        // Another word or number in place of a word.
        9 | 10 => {
            let is_word =
                |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || *byte == b'_';
            let start = at - bytes[..at].iter().rev().take_while(|b| is_word(b)).count();
            let end = at + bytes[at..].iter().take_while(|b| is_word(b)).count();
            let word = word(target, random);
            bytes.splice(start..end, word.bytes());
        }
        11 => {
            let number = random.pick(&NUMBERS);
            put(bytes, at, number.as_bytes());
        }
        // A piece many times: what takes quadratic time shows.
        12 => {
            let end = (at + 1 + random.below(16)).min(bytes.len());
            let times = 1 << random.below(13);
            let piece = bytes[at..end].repeat(times);
            put(bytes, at, &piece[..piece.len().min(MAX_BYTES)]);
        }
        // Two lines in each other's place.
        _ => {
            let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            let (one, other) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(one, other);
            *bytes = lines.join(&b'\n');
        }
    }
}

fn put(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// A word of the target's language, or a text that means something to some reader.
fn word(target: &Target, random: &mut Random) -> &'static str {
    match target.words.is_empty() || random.below(3) == 0 {
        true => random.pick(&TEXTS),
        false => random.pick(target.words),
    }
}

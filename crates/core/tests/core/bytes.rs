//! Byte search and comparison, eight bytes at a time.

use keyfold_core::bytes::{common_prefix_len, contains};

#[test]
fn a_byte_is_found_at_every_position() {
    for length in 0..20 {
        for byte in [0, 1, b'#', 0x7f, 0x80, 0xff] {
            let others: Vec<u8> = (0..length).map(|at| byte.wrapping_add(1 + at)).collect();
            assert!(!contains(&others, byte), "{others:?} {byte}");
            for at in 0..others.len() {
                let mut bytes = others.clone();
                bytes[at] = byte;
                assert!(contains(&bytes, byte), "{bytes:?} {byte}");
            }
        }
    }
}

#[test]
fn the_first_different_byte_ends_the_common_prefix() {
    let bytes: Vec<u8> = (0..20).collect();
    for length in 0..=bytes.len() {
        assert_eq!(common_prefix_len(&bytes, &bytes[..length]), length);
        for at in 0..length {
            let mut other = bytes[..length].to_vec();
            other[at] ^= 0x80;
            assert_eq!(common_prefix_len(&bytes, &other), at);
            assert_eq!(common_prefix_len(&other, &bytes), at);
        }
    }
}

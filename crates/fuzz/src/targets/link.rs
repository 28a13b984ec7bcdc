//! Share links.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Crc;
use keyfold_app::share_link::{decode, encode, is_link};
use keyfold_core::model::validate_invariants;

/// Reads a link, or the deflated bytes in one. A design that was read makes a link that opens to the same design.
pub fn link(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let whole = match is_link(&text) {
        true => text.into_owned(),
        // Otherwise no input but a seed would have the right checksum.
        false => {
            let data = URL_SAFE_NO_PAD.encode(data);
            let mut crc = Crc::new();
            crc.update(data.as_bytes());
            format!("#v1.{data}.{:08x}", crc.sum())
        }
    };
    match decode(&whole) {
        Ok(design) => {
            assert_eq!(validate_invariants(&design), []);
            let again = encode(&design, true).expect("a small design");
            assert_eq!(decode(&again), Ok(design));
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

//! The designs of the library as text.

use super::round_trip::check;
use keyfold_core::library::patterns;

#[test]
fn every_design_of_the_library() {
    for pattern in patterns() {
        let text = check(&pattern.design().expect("a design"));
        insta::assert_snapshot!(pattern.name, text);
    }
}

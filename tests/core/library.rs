//! The library's designs.

#[test]
fn dump() {
    for pattern in keyfold::domain::library::patterns() {
        match pattern.design() {
            Ok(design) => {
                let text = keyfold::domain::persist::to_json(&design);
                std::fs::write(
                    format!("src/domain/library/patterns/{}.json", pattern.name),
                    text,
                )
                .unwrap();
            }
            Err(e) => panic!("{}: {e}", pattern.name),
        }
    }
}

//! Numbers of things in texts.

/// Returns a number with the noun for it: `1 index`, `2 indexes`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

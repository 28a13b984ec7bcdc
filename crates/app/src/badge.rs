//! The two letters of an entity, on cards, in tables and in pictures.

/// Returns two letters that identify an entity besides its color: the initials of the first two words of its name
/// (`OI` for `OrderItem`), or its first two letters.
pub fn badge(name: &str) -> String {
    let mut before: Option<char> = None;
    let mut initials = name.chars().filter(|c| {
        let begins =
            |before: char| !before.is_alphanumeric() || (before.is_lowercase() && c.is_uppercase());
        let is_initial = c.is_alphanumeric() && before.is_none_or(begins);
        before = Some(*c);
        is_initial
    });
    let first = initials.next();
    let second = initials
        .next()
        .or_else(|| name.chars().filter(|c| c.is_alphanumeric()).nth(1));
    (first.into_iter().chain(second))
        .flat_map(char::to_uppercase)
        .collect()
}

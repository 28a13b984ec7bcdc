//! Messages about unknown names, with the name that was probably intended.

use crate::outcome::Refusal;

/// The similarity from which a name is suggested, from 0 to 1. It is the limit of `clap`, which suggests commands,
/// options and formats.
const SIMILAR: f64 = 0.7;

/// Refuses a name of `kind` that is none of `known`: suggests the most similar one, or else lists all of them.
/// `known_are` introduces the list, such as "The design has".
pub fn unknown<'a>(
    kind: &str,
    name: &str,
    known_are: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Refusal {
    let known: Vec<&str> = known.into_iter().collect();
    let advice = match similar(name, &known) {
        Some(other) => format!("Did you mean `{other}`?"),
        None if known.is_empty() => format!("{known_are} none."),
        None => format!("{known_are} {}.", known.join(", ")),
    };
    Refusal(format!("unknown {kind} `{name}`. {advice}"))
}

/// Returns the most similar name, the first of several equal ones. `None` if no name is similar.
pub fn similar<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let mut best = (SIMILAR, None);
    for other in known {
        let similarity = strsim::jaro(&name, &other.to_lowercase());
        if similarity > best.0 {
            best = (similarity, Some(*other));
        }
    }
    best.1
}

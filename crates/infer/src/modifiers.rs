//! Finds the modifiers that turn an attribute's value into a part of a key.

use keyfold_core::template::{Modifier, fnv1a_64};

/// Numbers of shards that designs use, the most usual first.
const SHARDS: [u32; 26] = [
    10, 4, 5, 8, 16, 20, 2, 3, 6, 12, 32, 50, 64, 100, 128, 200, 256, 7, 9, 15, 24, 25, 30, 500,
    512, 1000,
];

/// How sure it is that a part of a key comes from an attribute: equal values are surer than any modifier's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sureness {
    /// A number of shards fits by chance.
    Shard,
    /// A prefix.
    First,
    /// A date, padding or case.
    Modified,
    /// Equal.
    Equal,
}

/// The modifiers that give each token from the value beside it; `None` if no usual ones do. The list must not be empty.
pub(crate) fn find(pairs: &[(&str, &str)]) -> Option<(Vec<Modifier>, Sureness)> {
    if pairs.iter().all(|(token, value)| token == value) {
        return Some((Vec::new(), Sureness::Equal));
    }
    let (token, _) = pairs.first()?;
    let length = token.chars().count();
    let same_length = pairs
        .iter()
        .all(|(token, _)| token.chars().count() == length);
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let mut tries: Vec<Vec<Modifier>> = vec![vec![Modifier::Lower], vec![Modifier::Upper]];
    if same_length && token.starts_with(|c: char| c.is_ascii_digit()) {
        match length {
            10 => tries.push(vec![Modifier::Date]),
            7 => tries.push(vec![Modifier::Month]),
            4 => tries.push(vec![Modifier::Year]),
            _ => {}
        }
        if digits && length <= 38 {
            tries.push(vec![Modifier::Pad(length as u8)]);
            tries.push(vec![Modifier::Desc(length as u8)]);
        } else if let Some((whole, fraction)) = token.split_once('.')
            && whole.len() + fraction.len() <= 38
            && !whole.is_empty()
            && !fraction.is_empty()
        {
            tries.push(vec![Modifier::PadDecimal {
                digits: whole.len() as u8,
                decimals: fraction.len() as u8,
            }]);
        }
    }
    if let Some(modifiers) = tries
        .into_iter()
        .find(|modifiers| all_give(pairs, modifiers))
    {
        return Some((modifiers, Sureness::Modified));
    }
    // Shorter values are kept whole.
    let longest = (pairs.iter())
        .map(|(token, _)| token.chars().count())
        .max()?;
    if (1..=64).contains(&longest) {
        let first = Modifier::First(longest as u32);
        for modifiers in [
            vec![first],
            vec![Modifier::Lower, first],
            vec![Modifier::Upper, first],
        ] {
            if all_give(pairs, &modifiers) {
                return Some((modifiers, Sureness::First));
            }
        }
    }
    let shard = |token: &str| match token.len() <= 3 && (token == "0" || !token.starts_with('0')) {
        true => token.parse::<u32>().ok(),
        false => None,
    };
    let mut greatest = 0;
    for (token, _) in pairs {
        greatest = greatest.max(shard(token)?);
    }
    let hashes = |shards: u32| {
        (pairs.iter()).all(|(token, value)| {
            shard(token).map(u64::from) == Some(fnv1a_64(value.as_bytes()) % u64::from(shards))
        })
    };
    let shards = SHARDS
        .iter()
        .find(|shards| **shards > greatest && hashes(**shards))?;
    Some((vec![Modifier::Shard(*shards)], Sureness::Shard))
}

fn all_give(pairs: &[(&str, &str)], modifiers: &[Modifier]) -> bool {
    pairs
        .iter()
        .all(|(token, value)| apply(modifiers, value).as_deref() == Some(*token))
}

/// A value after modifiers; `None` if one of them does not accept it.
fn apply(modifiers: &[Modifier], value: &str) -> Option<String> {
    modifiers
        .iter()
        .try_fold(value.to_owned(), |text, modifier| {
            let mut out = String::new();
            modifier.write(&text, &mut out).ok().map(|()| out)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pairs: &[(&str, &str)]) -> String {
        match find(pairs) {
            Some((modifiers, _)) => {
                let texts: Vec<String> = modifiers.iter().map(ToString::to_string).collect();
                texts.join("|")
            }
            None => "none".to_owned(),
        }
    }

    #[test]
    fn modifiers_are_found_from_their_results() {
        assert_eq!(found(&[("a", "a")]), "");
        assert_eq!(found(&[("ada", "Ada"), ("bob", "bob")]), "lower");
        assert_eq!(found(&[("2026-03-01", "2026-03-01T09:30:00Z")]), "date");
        assert_eq!(found(&[("2026-03", "2026-03-01T09:30:00Z")]), "month");
        assert_eq!(found(&[("000007", "7")]), "pad(6)");
        assert_eq!(found(&[("007.50", "7.5")]), "pad(3,2)");
        assert_eq!(found(&[("9999999992", "7")]), "desc(10)");
        assert_eq!(found(&[("ad", "Ada"), ("bo", "Bob")]), "lower|first(2)");
        assert_eq!(found(&[("x", "y")]), "none");
    }
}

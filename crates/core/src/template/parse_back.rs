//! Recovers the texts of placeholders from a rendered key.

use super::analyze::KeyLanguage;
use super::ast::{Placeholder, Segment, Template};
use super::delimiter_policy::DelimiterPolicy;
use super::modifier::{Modifier, apply_all};
use super::search::{MAX_STATES, TooLarge};
use super::shape::Shapes;
use crate::model::{SortedMap, in_order};
use std::fmt;

/// What a key reveals about an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The attribute's value as text; if not `exact`, the text that the placeholder's modifiers left of it.
    pub text: String,
    /// Whether `text` is the value itself.
    pub exact: bool,
}

/// Why a key cannot be parsed back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseBackError {
    /// The template has an error.
    Malformed,
    /// The template cannot have rendered the key.
    NoMatch {
        /// Number of bytes of the key that fit the template.
        fits: usize,
    },
    /// The key can be read in more than one way.
    Ambiguous,
    /// The template is too large to analyze.
    TooLarge,
    /// An attribute occurs in the template more than once, and the key has different values for it.
    Disagree {
        /// The attribute.
        attribute: String,
        /// Its value at the first occurrence.
        first: String,
        /// Its value at another occurrence.
        other: String,
    },
}

impl fmt::Display for ParseBackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the template has an error"),
            Self::NoMatch { fits } => write!(
                f,
                "the key does not fit the template after its first {fits} bytes"
            ),
            Self::Ambiguous => f.write_str("the key can be read in more than one way"),
            Self::TooLarge => TooLarge.fmt(f),
            Self::Disagree {
                attribute,
                first,
                other,
            } => {
                write!(
                    f,
                    "the key has two values for `{attribute}`: `{first}` and `{other}`"
                )
            }
        }
    }
}

impl std::error::Error for ParseBackError {}

/// Parses a key back, without knowing the shapes of attributes. Never wrong: a key that can be read in more than one
/// way is an error, which [`super::ambiguity`] predicts.
pub fn parse_back(
    template: &Template,
    key: &str,
    policy: &DelimiterPolicy,
) -> Result<SortedMap<String, Recovered>, ParseBackError> {
    parse_back_shaped(template, &Shapes::new(), key, policy)
}

/// Parses a key back, with known shapes of attribute values. To parse many keys, build a [`KeyLanguage`] and use
/// [`KeyLanguage::parse_back`].
pub fn parse_back_shaped(
    template: &Template,
    shapes: &Shapes,
    key: &str,
    policy: &DelimiterPolicy,
) -> Result<SortedMap<String, Recovered>, ParseBackError> {
    KeyLanguage::new(template, shapes, policy).parse_back(key)
}

impl KeyLanguage {
    /// The texts of the template's placeholders in a rendered key, by attribute. `pad` and `desc` are undone; the
    /// result of any other modifier is returned unchanged and marked as not exact.
    pub fn parse_back(&self, key: &str) -> Result<SortedMap<String, Recovered>, ParseBackError> {
        if self.template.is_broken() {
            return Err(ParseBackError::Malformed);
        }
        let segments = self.read(key)?;
        let exempt = self.policy.exempts(&self.template);
        let mut found: SortedMap<String, (Recovered, &[Modifier], String)> = SortedMap::new();
        let mut start = 0;
        for (index, segment) in self.template.segments.iter().enumerate() {
            let end = segments
                .iter()
                .rposition(|&s| s == index)
                .map_or(start, |last| last + 1);
            let raw = &key[start..end];
            start = end;
            let Segment::Placeholder(Placeholder {
                attribute,
                modifiers,
                ..
            }) = segment
            else {
                continue;
            };
            let modified = if exempt {
                raw.to_owned()
            } else {
                self.policy.decode(raw).into_owned()
            };
            let original = undo_all(modifiers, &modified);
            let recovered = Recovered {
                exact: original.is_some(),
                text: original.unwrap_or_else(|| modified.clone()),
            };
            match found.get_mut(attribute) {
                None => {
                    found.insert(attribute.clone(), (recovered, modifiers, modified));
                }
                Some(known) => {
                    let new = (recovered, modifiers.as_slice(), modified);
                    if !agree(known, &new) {
                        return Err(ParseBackError::Disagree {
                            attribute: attribute.clone(),
                            first: known.0.text.clone(),
                            other: new.0.text,
                        });
                    }
                    if new.0.exact && !known.0.exact {
                        *known = new;
                    }
                }
            }
        }
        Ok(found
            .into_iter()
            .map(|(attribute, (recovered, ..))| (attribute, recovered))
            .collect())
    }

    /// For each byte of the key, its segment.
    fn read(&self, key: &str) -> Result<Vec<usize>, ParseBackError> {
        let mut segments = Vec::with_capacity(key.len());
        for (c, states) in key.chars().zip(self.useful(key)?) {
            let segment = self.segment_of[states[0]];
            if (states.iter()).any(|&state| self.segment_of[state] != segment) {
                return Err(ParseBackError::Ambiguous);
            }
            segments.extend(std::iter::repeat_n(segment, c.len_utf8()));
        }
        Ok(segments)
    }

    /// The states after each character of the key that are on a path from start to end, sorted.
    fn useful(&self, key: &str) -> Result<Vec<Vec<usize>>, ParseBackError> {
        let steps = (self.steps([])).map_err(|TooLarge| ParseBackError::TooLarge)?;
        let no_match = || ParseBackError::NoMatch {
            fits: self.fits(key),
        };
        let mut reached: Vec<Vec<usize>> = Vec::new();
        let mut states = vec![0];
        let mut left = key.chars().count();
        for c in key.chars() {
            states = self.after(&states, c);
            left -= 1;
            states.retain(|&state| self.rests[state].is_some_and(|rest| rest.fits(left)));
            if states.is_empty() {
                return Err(no_match());
            }
            if !steps.take(states.len()) {
                return Err(ParseBackError::TooLarge);
            }
            reached.push(states.clone());
        }
        // A state with nothing after it must end a key.
        if reached.is_empty() {
            return Err(no_match());
        }
        // Backward: keep the states that lead to a kept state.
        let mut at = reached.len();
        for c in key.chars().rev() {
            at -= 1;
            if at == 0 {
                break;
            }
            let (before, after) = reached.split_at_mut(at);
            before[at - 1].retain(|&state| {
                let mut edges = self.nfa.edges[state].iter();
                edges.any(|(set, to)| set.contains(c) && after[0].binary_search(to).is_ok())
            });
        }
        Ok(reached)
    }

    /// Number of bytes of a key that fit the template.
    fn fits(&self, key: &str) -> usize {
        let mut states = vec![0];
        let mut steps = 0;
        for (at, c) in key.char_indices() {
            states = self.after(&states, c);
            steps += states.len();
            if states.is_empty() || steps > MAX_STATES {
                return at;
            }
        }
        key.len()
    }

    /// The states that a character leads to, sorted.
    fn after(&self, states: &[usize], c: char) -> Vec<usize> {
        let mut next: Vec<usize> = Vec::new();
        for &state in states {
            let edges = self.nfa.edges[state].iter();
            next.extend(edges.filter(|(set, _)| set.contains(c)).map(|(_, to)| *to));
        }
        let mut next = in_order(next);
        next.dedup();
        next
    }

    /// The texts of the placeholders in a key, in order. If the key can be read in several ways, each placeholder is as
    /// short as possible, or with `longest` as long as possible.
    pub fn reading(&self, key: &str, longest: bool) -> Vec<(String, String)> {
        let mut texts = vec![String::new(); self.template.segments.len()];
        let mut states = vec![0];
        for (c, useful) in key.chars().zip(self.useful(key).unwrap_or_default()) {
            let mut next = self.after(&states, c);
            next.retain(|state| useful.binary_search(state).is_ok());
            let segments = next.iter().map(|&state| self.segment_of[state]);
            // Staying in a segment makes it longer.
            let segment = if longest {
                segments.min()
            } else {
                segments.max()
            };
            next.retain(|&state| Some(self.segment_of[state]) == segment);
            if let Some(text) = segment.and_then(|segment| texts.get_mut(segment)) {
                text.push(c);
            }
            states = next;
        }
        let mut values = Vec::new();
        for (segment, text) in self.template.segments.iter().zip(texts) {
            if let Segment::Placeholder(placeholder) = segment {
                values.push((placeholder.attribute.clone(), text));
            }
        }
        values
    }
}

/// Undoes all modifiers, last to first; `None` if one of them is lossy.
fn undo_all(modifiers: &[Modifier], text: &str) -> Option<String> {
    modifiers
        .iter()
        .rev()
        .try_fold(text.to_owned(), |text, modifier| modifier.undo(&text))
}

/// Whether two occurrences of an attribute can come from one value. Two lossy ones with different modifiers are not
/// compared.
fn agree(known: &(Recovered, &[Modifier], String), new: &(Recovered, &[Modifier], String)) -> bool {
    let gives = |value: &Recovered, modifiers: &[Modifier], modified: &str| {
        let mut out = String::new();
        apply_all(modifiers, &value.text, &mut out).is_ok() && out == modified
    };
    match (known.0.exact, new.0.exact) {
        (true, _) => gives(&known.0, new.1, &new.2),
        (false, true) => gives(&new.0, known.1, &known.2),
        (false, false) => known.1 != new.1 || known.2 == new.2,
    }
}

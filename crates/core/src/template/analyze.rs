//! Analysis of templates without samples: collisions, prefix bleed, ambiguity and key length.
//!
//! All answers come from automata, so they hold for every value that the shapes allow, with two limits. Several
//! placeholders of one attribute count as independent, and modifiers on open-ended values may be credited with more
//! texts than they produce. Both can only report too much, never too little. A question that would take too much time
//! or memory returns [`TooLarge`]: the answer is then unknown.

use super::ast::{Segment, Template};
use super::automaton::Nfa;
use super::charset::CharSet;
use super::delimiter_policy::DelimiterPolicy;
use super::language::Language;
use super::search::{Rest, Steps, TooLarge, shortest, together};
use super::shape::{Shapes, ValueShape};
use crate::model::short;
use std::hash::{Hash, Hasher};

/// The set of all keys that a template can render. Build it once and query it often. A broken template, or one without
/// segments, renders no key.
#[derive(Clone, Debug)]
pub struct KeyLanguage {
    pub(super) template: Template,
    pub(super) policy: DelimiterPolicy,
    pub(super) nfa: Nfa,
    /// For each state, the segment of the last character read. The start state has none.
    pub(super) segment_of: Vec<usize>,
    /// For each state, how many characters can follow.
    pub(super) rests: Vec<Option<Rest>>,
    max_bytes: Option<usize>,
}

/// Proof that a key cannot always be parsed back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// Which placeholder has an unclear end, and what to do.
    pub message: String,
    /// A key that two different sets of values produce.
    pub example: String,
    /// Two readings of the key: for each placeholder its attribute and its text.
    pub readings: [Vec<(String, String)>; 2],
}

impl KeyLanguage {
    /// The keys that `template` renders from attributes of these shapes under the policy.
    pub fn new(template: &Template, shapes: &Shapes, policy: &DelimiterPolicy) -> Self {
        let exempt = policy.exempts(template);
        let open = ValueShape::default();
        let mut whole: Option<Nfa> = None;
        let mut segment_of = vec![usize::MAX];
        let mut max_bytes = Some(0usize);
        for (index, segment) in template.segments.iter().enumerate() {
            let (part, longest) = match segment {
                Segment::Literal { text, .. } => (Nfa::texts([text.as_str()]), Some(text.len())),
                Segment::Broken { .. } => (Nfa::none(), Some(0)),
                Segment::Placeholder(placeholder) => {
                    let shape = shapes.get(&placeholder.attribute).unwrap_or(&open);
                    let start = Language::of(shape);
                    let language = placeholder
                        .modifiers
                        .iter()
                        .fold(start, |language, m| language.modified(m));
                    let known = language.known_max_bytes();
                    // Only a delimiter such as `-` or `.` is encoded in a number; each such byte becomes three.
                    let encoded = !exempt && "-.0123456789".contains(|c| policy.is_encoded(c));
                    let machine = language.machine();
                    let machine = if exempt {
                        machine
                    } else {
                        machine.under(policy)
                    };
                    let longest = match known {
                        Some(bytes) => Some(if encoded { bytes * 3 } else { bytes }),
                        None => machine.max_bytes(),
                    };
                    (machine, longest)
                }
            };
            max_bytes = max_bytes.zip(longest).map(|(sum, longest)| sum + longest);
            segment_of.extend(std::iter::repeat_n(index, part.edges.len() - 1));
            whole = Some(match whole {
                None => part,
                Some(before) => before.then(&part),
            });
        }
        let nfa = whole.unwrap_or_else(Nfa::none);
        let rests = nfa.rests();
        Self {
            template: template.clone(),
            policy: policy.clone(),
            nfa,
            segment_of,
            rests,
            max_bytes,
        }
    }

    /// Length of the longest key in bytes; `None` if it is unbounded or unknown.
    pub fn max_length(&self) -> Option<usize> {
        self.max_bytes.filter(|_| !self.nfa.too_large)
    }

    /// Fails if the language is too large to analyze.
    pub(super) fn known(&self) -> Result<(), TooLarge> {
        match self.nfa.too_large {
            true => Err(TooLarge),
            false => Ok(()),
        }
    }

    /// The step budget for a question about this and other languages; fails if one of them is too large.
    pub(super) fn steps<'a>(
        &self,
        others: impl IntoIterator<Item = &'a Self>,
    ) -> Result<Steps, TooLarge> {
        self.known()?;
        let mut states = self.nfa.edges.len();
        for other in others {
            other.known()?;
            states += other.nfa.edges.len();
        }
        Ok(Steps::new(states))
    }

    /// The shortest key that both templates can render, if any.
    pub fn collides(&self, other: &Self) -> Result<Option<String>, TooLarge> {
        let steps = self.steps([other])?;
        let both_end = |&(left, right): &(usize, usize)| {
            self.nfa.accepting[left] && other.nfa.accepting[right]
        };
        let next = |key: &(usize, usize)| self.common_edges(other, *key, &steps);
        let least = |&(left, right): &_| together(self.rests[left], other.rests[right]);
        let found = shortest((0, 0), &steps, next, both_end, least)?;
        Ok(found.map(|(example, _)| example))
    }

    /// The shortest key that both templates can render with their first placeholders at different offsets. Both
    /// templates must start with the same literal, if any.
    pub fn collides_apart(&self, other: &Self) -> Result<Option<String>, TooLarge> {
        let steps = self.steps([other])?;
        let first = |language: &Self| {
            let mut segments = language.template.segments.iter();
            segments.position(|segment| matches!(segment, Segment::Placeholder(_)))
        };
        let (own, others) = (first(self), first(other));
        type Key = (usize, usize, bool);
        let next = |&(left, right, diverged): &Key| {
            let edges = (self.common_edges(other, (left, right), &steps)).into_iter();
            edges
                .map(|(c, (left, right))| {
                    let a = Some(self.segment_of[left]) == own;
                    let b = Some(other.segment_of[right]) == others;
                    (c, (left, right, diverged || a != b))
                })
                .collect()
        };
        let both_end = |&(left, right, diverged): &Key| {
            diverged && self.nfa.accepting[left] && other.nfa.accepting[right]
        };
        let least = |&(left, right, _): &Key| together(self.rests[left], other.rests[right]);
        let found = shortest((0, 0, false), &steps, next, both_end, least)?;
        Ok(found.map(|(example, _)| example))
    }

    /// A key of `other` that starts with a text that this template can render as a `begins_with` prefix.
    pub fn is_prefix_in(&self, other: &Self) -> Result<Option<String>, TooLarge> {
        let steps = self.steps([other])?;
        let prefix_ends = |&(left, _): &(usize, usize)| self.nfa.accepting[left];
        let next = |key: &(usize, usize)| self.common_edges(other, *key, &steps);
        let least = |&(left, right): &_| min_ahead(self.rests[left], other.rests[right], 0);
        match shortest((0, 0), &steps, next, prefix_ends, least)? {
            Some((prefix, (_, state))) => {
                let rest = other.completion(state, 0)?;
                Ok(rest.map(|rest| prefix + &rest))
            }
            None => Ok(None),
        }
    }

    /// Two texts that this template can render as a `begins_with` prefix, the first a prefix of the second: `USER#1`
    /// also matches the keys of `USER#10`. `None` if the prefix is complete.
    pub fn open_prefix(&self) -> Result<Option<(String, String)>, TooLarge> {
        let steps = self.steps([])?;
        let goes_on = |&(left, right): &(usize, usize)| {
            self.nfa.accepting[left]
                && (self.nfa.edges[right].iter()).any(|(_, to)| self.rests[*to].is_some())
        };
        let next = |key: &(usize, usize)| self.common_edges(self, *key, &steps);
        let least = |&(left, right): &_| min_ahead(self.rests[left], self.rests[right], 1);
        match shortest((0, 0), &steps, next, goes_on, least)? {
            Some((prefix, (_, state))) => {
                let rest = self.completion(state, 1)?;
                Ok(rest.map(|rest| {
                    let longer = format!("{prefix}{rest}");
                    (prefix, longer)
                }))
            }
            None => Ok(None),
        }
    }

    /// Why a key cannot always be parsed back; `None` if [`KeyLanguage::parse_back`] recovers the text of every
    /// placeholder from every key. (Lossy modifiers are not ambiguous: the modified text is recovered.)
    pub fn ambiguity(&self) -> Result<Option<Ambiguity>, TooLarge> {
        let steps = self.steps([])?;
        let next = |two: &TwoReadings| {
            let edges = self.common_edges(self, (two.left, two.right), &steps);
            let edges = edges.into_iter().map(|(c, (left, right))| {
                let (a, b) = (self.segment_of[left], self.segment_of[right]);
                let diverged = two.diverged.or_else(|| (a != b).then_some(a.min(b)));
                let to = TwoReadings {
                    left,
                    right,
                    diverged,
                };
                (c, to)
            });
            edges.collect()
        };
        let both_end = |two: &TwoReadings| {
            two.diverged.is_some() && self.nfa.accepting[two.left] && self.nfa.accepting[two.right]
        };
        let least = |two: &TwoReadings| together(self.rests[two.left], self.rests[two.right]);
        let start = TwoReadings {
            left: 0,
            right: 0,
            diverged: None,
        };
        let Some((example, two)) = shortest(start, &steps, next, both_end, least)? else {
            return Ok(None);
        };
        let place = match two
            .diverged
            .and_then(|index| self.template.segments.get(index))
        {
            Some(Segment::Placeholder(placeholder)) => placeholder.to_string(),
            _ => "a placeholder".to_owned(),
        };
        let message = format!(
            "the end of {place} is ambiguous: `{}` has two readings; \
             put the delimiter after it, or give the attribute a fixed format",
            short(&example)
        );
        let readings = [false, true].map(|longest| self.reading(&example, longest));
        Ok(Some(Ambiguity {
            message,
            example,
            readings,
        }))
    }

    /// The transitions that both automata can take together, each with an example character.
    fn common_edges(
        &self,
        other: &Self,
        (left, right): (usize, usize),
        steps: &Steps,
    ) -> Vec<(Option<char>, (usize, usize))> {
        let mut edges = Vec::new();
        let others = &other.nfa.edges[right];
        for (set, to) in &self.nfa.edges[left] {
            if self.rests[*to].is_none() {
                continue;
            }
            // If the budget runs out, the search gives up, whatever is found here.
            if !steps.take(others.len()) {
                break;
            }
            for (other_set, other_to) in others {
                if other.rests[*other_to].is_none() {
                    continue;
                }
                let common: CharSet = set.intersect(other_set);
                if !common.is_empty() {
                    edges.push((common.example(), (*to, *other_to)));
                }
            }
        }
        edges
    }

    /// The shortest text of at least `min` characters (0 or 1) from a state to the end of a key.
    fn completion(&self, state: usize, min: usize) -> Result<Option<String>, TooLarge> {
        let next = |&(state, length): &(usize, usize)| {
            let edges = self.nfa.edges[state].iter();
            edges
                .map(|(set, to)| (set.example(), (*to, (length + 1).min(min))))
                .collect()
        };
        let ends = |&(state, length): &(usize, usize)| length >= min && self.nfa.accepting[state];
        let least = |&(state, _): &(usize, usize)| self.rests[state].map(|rest| rest.least);
        let found = shortest((state, 0), &self.steps([])?, next, ends, least)?;
        Ok(found.map(|(text, _)| text))
    }
}

/// Two ways to read one text.
#[derive(Clone)]
struct TwoReadings {
    left: usize,
    right: usize,
    /// The segment of the first reading when the two diverged. The search key only needs whether they diverged: the
    /// shortest text is the same.
    diverged: Option<usize>,
}

impl TwoReadings {
    fn key(&self) -> (usize, usize, bool) {
        (self.left, self.right, self.diverged.is_some())
    }
}

impl PartialEq for TwoReadings {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for TwoReadings {}

impl Hash for TwoReadings {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The minimum number of characters after which the first text can have ended while the second still needs at least
/// `more`; `None` if that is impossible.
fn min_ahead(left: Option<Rest>, right: Option<Rest>, more: usize) -> Option<usize> {
    let (left, right) = (left?, right?);
    (left.least.saturating_add(more) <= right.most).then_some(left.least)
}

/// Why a key of the template cannot always be parsed back: see [`KeyLanguage::ambiguity`].
pub fn ambiguity(
    template: &Template,
    shapes: &Shapes,
    policy: &DelimiterPolicy,
) -> Result<Option<Ambiguity>, TooLarge> {
    KeyLanguage::new(template, shapes, policy).ambiguity()
}

/// Length of the longest key in bytes; `None` if it is unbounded.
pub fn max_length(template: &Template, shapes: &Shapes, policy: &DelimiterPolicy) -> Option<usize> {
    KeyLanguage::new(template, shapes, policy).max_length()
}

/// A key that both templates can render: see [`KeyLanguage::collides`]. Each template has its own attributes.
pub fn collide(
    a: &Template,
    shapes_a: &Shapes,
    b: &Template,
    shapes_b: &Shapes,
    policy: &DelimiterPolicy,
) -> Result<Option<String>, TooLarge> {
    KeyLanguage::new(a, shapes_a, policy).collides(&KeyLanguage::new(b, shapes_b, policy))
}

/// A key of `template` that a `begins_with` with a rendered `prefix` matches: see [`KeyLanguage::is_prefix_in`].
pub fn prefix_matches(
    prefix: &Template,
    prefix_shapes: &Shapes,
    template: &Template,
    shapes: &Shapes,
    policy: &DelimiterPolicy,
) -> Result<Option<String>, TooLarge> {
    KeyLanguage::new(prefix, prefix_shapes, policy)
        .is_prefix_in(&KeyLanguage::new(template, shapes, policy))
}

/// Two rendered prefixes of which one starts with the other: see [`KeyLanguage::open_prefix`].
pub fn open_prefix(
    prefix: &Template,
    shapes: &Shapes,
    policy: &DelimiterPolicy,
) -> Result<Option<(String, String)>, TooLarge> {
    KeyLanguage::new(prefix, shapes, policy).open_prefix()
}

//! What can be said of templates without any sample: collisions, bleeding prefixes, ambiguity, length.
//!
//! All answers come from automata, so they hold for every value that the shapes allow, with two limits. Where the
//! same attribute stands in a template twice, its places are taken as independent; and modifiers on values of an open
//! form may be taken to give more texts than they do. Both can only report too much, never too little.
//! A question that would take too much time or memory is answered with [`TooLarge`]: nothing is known then.

use super::ast::{Segment, Template};
use super::automaton::Nfa;
use super::charset::CharSet;
use super::language::Language;
use super::policy::DelimiterPolicy;
use super::search::{Rest, Steps, TooLarge, shortest, together};
use super::shape::{Shapes, ValueShape};
use crate::model::short;
use std::hash::{Hash, Hasher};

/// The set of all keys that a template can render, made once to be asked often.
/// A broken template, and one without segments, renders no key.
#[derive(Clone, Debug)]
pub struct KeyLanguage {
    pub(super) template: Template,
    pub(super) policy: DelimiterPolicy,
    pub(super) nfa: Nfa,
    /// For each state, the segment of which it has read a character last. The start has none.
    pub(super) segment_of: Vec<usize>,
    /// For each state, how many characters come after it.
    pub(super) rests: Vec<Option<Rest>>,
    max_bytes: Option<usize>,
}

/// That a key cannot always be taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// Which placeholder's end is uncertain, and what to do.
    pub message: String,
    /// A key that comes from two different sets of values.
    pub example: String,
    /// Two ways to read it: for each placeholder its attribute and its text.
    pub readings: [Vec<(String, String)>; 2],
}

impl KeyLanguage {
    /// The keys that `template` renders of attributes of these shapes under the policy.
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
                    // Only a delimiter such as `-` or `.` is encoded in a number; then three bytes stand for one.
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

    /// The length of the longest key in bytes; none if there is no longest, or if it is not known.
    pub fn max_length(&self) -> Option<usize> {
        self.max_bytes.filter(|_| !self.nfa.too_large)
    }

    /// Whether the keys are known.
    pub(super) fn known(&self) -> Result<(), TooLarge> {
        match self.nfa.too_large {
            true => Err(TooLarge),
            false => Ok(()),
        }
    }

    /// The steps for a question about this and other languages, if the keys of all are known.
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

    /// The shortest key that both templates can render, if there is one.
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

    /// The shortest key that both templates can render, in which the first placeholder of one does not stand where that of
    /// the other stands. Both templates have the same text before it, if there is one.
    pub fn collides_apart(&self, other: &Self) -> Result<Option<String>, TooLarge> {
        let steps = self.steps([other])?;
        let first = |language: &Self| {
            let mut segments = language.template.segments.iter();
            segments.position(|segment| matches!(segment, Segment::Placeholder(_)))
        };
        let (own, others) = (first(self), first(other));
        type Key = (usize, usize, bool);
        let next = |&(left, right, parted): &Key| {
            let edges = (self.common_edges(other, (left, right), &steps)).into_iter();
            edges
                .map(|(c, (left, right))| {
                    let a = Some(self.segment_of[left]) == own;
                    let b = Some(other.segment_of[right]) == others;
                    (c, (left, right, parted || a != b))
                })
                .collect()
        };
        let both_end = |&(left, right, parted): &Key| {
            parted && self.nfa.accepting[left] && other.nfa.accepting[right]
        };
        let least = |&(left, right, _): &Key| together(self.rests[left], other.rests[right]);
        let found = shortest((0, 0, false), &steps, next, both_end, least)?;
        Ok(found.map(|(example, _)| example))
    }

    /// A key of `other` that begins with a text that this template, used as a `begins_with` prefix, can render.
    pub fn is_prefix_in(&self, other: &Self) -> Result<Option<String>, TooLarge> {
        let steps = self.steps([other])?;
        let prefix_ends = |&(left, _): &(usize, usize)| self.nfa.accepting[left];
        let next = |key: &(usize, usize)| self.common_edges(other, *key, &steps);
        let least = |&(left, right): &_| ahead(self.rests[left], other.rests[right], 0);
        match shortest((0, 0), &steps, next, prefix_ends, least)? {
            Some((prefix, (_, state))) => {
                let rest = other.completion(state, 0)?;
                Ok(rest.map(|rest| prefix + &rest))
            }
            None => Ok(None),
        }
    }

    /// Two texts that this template, used as a `begins_with` prefix, can render, and of which the first is the
    /// beginning of the second: `USER#1` also finds what belongs to `USER#10`. None if the prefix is complete.
    pub fn open_prefix(&self) -> Result<Option<(String, String)>, TooLarge> {
        let steps = self.steps([])?;
        let goes_on = |&(left, right): &(usize, usize)| {
            self.nfa.accepting[left]
                && (self.nfa.edges[right].iter()).any(|(_, to)| self.rests[*to].is_some())
        };
        let next = |key: &(usize, usize)| self.common_edges(self, *key, &steps);
        let least = |&(left, right): &_| ahead(self.rests[left], self.rests[right], 1);
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

    /// Why a key cannot always be taken apart. None means that [`KeyLanguage::parse_back`] recovers the text of every
    /// placeholder from every key. (Lossy modifiers are no ambiguity: what is recovered is the modified text.)
    pub fn ambiguity(&self) -> Result<Option<Ambiguity>, TooLarge> {
        let steps = self.steps([])?;
        let next = |two: &Two| {
            let edges = self.common_edges(self, (two.left, two.right), &steps);
            let edges = edges.into_iter().map(|(c, (left, right))| {
                let (a, b) = (self.segment_of[left], self.segment_of[right]);
                let parted = two.parted.or_else(|| (a != b).then_some(a.min(b)));
                let to = Two {
                    left,
                    right,
                    parted,
                };
                (c, to)
            });
            edges.collect()
        };
        let both_end = |two: &Two| {
            two.parted.is_some() && self.nfa.accepting[two.left] && self.nfa.accepting[two.right]
        };
        let least = |two: &Two| together(self.rests[two.left], self.rests[two.right]);
        let start = Two {
            left: 0,
            right: 0,
            parted: None,
        };
        let Some((example, two)) = shortest(start, &steps, next, both_end, least)? else {
            return Ok(None);
        };
        let place = match two
            .parted
            .and_then(|index| self.template.segments.get(index))
        {
            Some(Segment::Placeholder(placeholder)) => placeholder.to_string(),
            _ => "a placeholder".to_owned(),
        };
        let message = format!(
            "where {place} ends cannot be told: `{}` can be read in two ways; \
             put the delimiter after it, or give the attribute a fixed format",
            short(&example)
        );
        let readings = [false, true].map(|late| self.reading(&example, late));
        Ok(Some(Ambiguity {
            message,
            example,
            readings,
        }))
    }

    /// Where both automata can go together, with an example of the characters.
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
            // Where steps run out the search gives up, whatever is found here.
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

    /// The shortest text of at least `min` characters (0 or 1) that leads from a state to the end of a key.
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
struct Two {
    left: usize,
    right: usize,
    /// The segment in which the first still was when they parted. That they have parted matters, and not where: the
    /// shortest text is the same.
    parted: Option<usize>,
}

impl Two {
    fn key(&self) -> (usize, usize, bool) {
        (self.left, self.right, self.parted.is_some())
    }
}

impl PartialEq for Two {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Two {}

impl Hash for Two {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The fewest characters after which the first text can have ended, while the second has at least `more` characters to
/// come; `None` if it cannot.
fn ahead(left: Option<Rest>, right: Option<Rest>, more: usize) -> Option<usize> {
    let (left, right) = (left?, right?);
    (left.least.saturating_add(more) <= right.most).then_some(left.least)
}

/// Why a key of the template cannot always be taken apart: see [`KeyLanguage::ambiguity`].
pub fn ambiguity(
    template: &Template,
    shapes: &Shapes,
    policy: &DelimiterPolicy,
) -> Result<Option<Ambiguity>, TooLarge> {
    KeyLanguage::new(template, shapes, policy).ambiguity()
}

/// The length of the longest key in bytes; none if there is no longest.
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

/// A key of `template` that a `begins_with` of a rendered `prefix` finds: see [`KeyLanguage::is_prefix_in`].
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

/// Two rendered prefixes of which one begins the other: see [`KeyLanguage::open_prefix`].
pub fn open_prefix(
    prefix: &Template,
    shapes: &Shapes,
    policy: &DelimiterPolicy,
) -> Result<Option<(String, String)>, TooLarge> {
    KeyLanguage::new(prefix, shapes, policy).open_prefix()
}

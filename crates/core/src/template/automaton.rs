//! Finite automata over characters, used by the analyses. Minimal on purpose: no determinization, no minimization, no
//! empty transitions.

use super::charset::CharSet;
use super::delimiter_policy::{DelimiterPolicy, percent_encode};
use super::search::MAX_STATES;
use crate::model::in_order;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A nondeterministic automaton. It starts in state 0, which no edge enters, and never accepts the empty text.
#[derive(Clone, Debug)]
pub(super) struct Nfa {
    /// For each state, its transitions: the characters and the target state.
    pub edges: Vec<Vec<(CharSet, usize)>>,
    /// For each state, whether a text may end there.
    pub accepting: Vec<bool>,
    /// No state before this one accepts: long concatenations take linear time.
    first_end: usize,
    /// Whether the automaton would exceed the size limit. It then has no states, and its texts are unknown.
    pub too_large: bool,
}

impl Nfa {
    /// Accepts no text.
    pub fn none() -> Self {
        Self {
            edges: vec![Vec::new()],
            accepting: vec![false],
            first_end: 0,
            too_large: false,
        }
    }

    /// Unknown texts: the automaton would have too many states.
    fn unknown() -> Self {
        Self {
            too_large: true,
            ..Self::none()
        }
    }

    fn add_state(&mut self, accepting: bool) -> usize {
        self.edges.push(Vec::new());
        self.accepting.push(accepting);
        self.edges.len() - 1
    }

    /// Accepts exactly these texts, except empty ones.
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut nfa = Self::none();
        for text in texts {
            let mut state = 0;
            for c in text.chars() {
                let known = nfa.edges[state]
                    .iter()
                    .find(|(set, _)| set.contains(c))
                    .map(|(_, to)| *to);
                state = known.unwrap_or_else(|| {
                    let to = nfa.add_state(false);
                    nfa.edges[state].push((CharSet::single(c), to));
                    to
                });
            }
            nfa.accepting[state] |= state != 0;
        }
        nfa
    }

    /// Accepts `min` (at least 1) to `max` characters of the set; unbounded if `max` is `None`.
    pub fn repeat(set: &CharSet, min: usize, max: Option<usize>) -> Self {
        let (min, mut nfa) = (min.max(1), Self::none());
        let last = max.unwrap_or(min);
        for count in 1..=last {
            let state = nfa.add_state(count >= min);
            nfa.edges[state - 1].push((set.clone(), state));
        }
        if max.is_none() {
            nfa.edges[last].push((set.clone(), last));
        }
        nfa
    }

    /// Accepts all digit strings from `low` to `high`, which have equal lengths.
    pub fn digits_between(low: &str, high: &str) -> Self {
        let (low, high) = (low.as_bytes(), high.as_bytes());
        // Number of digits read, and whether they equal those of `low` and of `high` so far.
        type Key = (usize, bool, bool);
        let next = |&(at, on_low, on_high): &Key| -> Vec<(CharSet, Key)> {
            if at == low.len() {
                return Vec::new();
            }
            let first = if on_low { low[at] } else { b'0' };
            let last = if on_high { high[at] } else { b'9' };
            let mut edges: Vec<(CharSet, Key)> = Vec::new();
            for digit in first..=last {
                let key = (
                    at + 1,
                    on_low && digit == low[at],
                    on_high && digit == high[at],
                );
                let set = CharSet::single(char::from(digit));
                match edges.last_mut() {
                    Some((digits, same)) if *same == key => *digits = digits.union(&set),
                    _ => edges.push((set, key)),
                }
            }
            edges
        };
        Self::explore((0, true, true), next, |&(at, ..)| at > 0 && at == low.len())
    }

    /// Accepts the whole numbers from `min` to `max`, as DynamoDB writes them.
    pub fn integers(min: i128, max: i128) -> Self {
        let minus = Self::texts(["-"]);
        let negative = decimals((-max).max(1), -min).map(|part| minus.clone().then(&part));
        Self::any_of(negative.chain(decimals(min.max(0), max)))
    }

    /// Builds the automaton reachable from `start`: `next` returns a state's transitions, `accepting` says where a text
    /// may end. No transition may lead to `start`.
    fn explore<K: Hash + Eq + Clone>(
        start: K,
        next: impl Fn(&K) -> Vec<(CharSet, K)>,
        accepting: impl Fn(&K) -> bool,
    ) -> Self {
        let mut nfa = Self::none();
        let mut known = FxHashMap::from_iter([(start.clone(), 0)]);
        let mut open = vec![(start, 0)];
        let mut edges = 0;
        while let Some((key, state)) = open.pop() {
            for (set, to) in next(&key) {
                if set.is_empty() {
                    continue;
                }
                edges += 1;
                if edges > MAX_STATES {
                    return Self::unknown();
                }
                let target = match known.get(&to) {
                    Some(target) => *target,
                    None => {
                        let target = nfa.add_state(accepting(&to));
                        known.insert(to.clone(), target);
                        open.push((to, target));
                        target
                    }
                };
                nfa.edges[state].push((set, target));
            }
        }
        nfa
    }

    /// The union of automata.
    pub fn any_of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::none();
        for part in parts {
            if part.too_large {
                return part;
            }
            // The start states merge; no edge enters them.
            let offset = all.edges.len() - 1;
            let moved = |edges: Vec<(CharSet, usize)>| {
                edges.into_iter().map(move |(set, to)| (set, to + offset))
            };
            let mut states = part.edges.into_iter();
            let start = states.next().into_iter().flat_map(moved);
            all.edges[0].extend(start);
            all.edges.extend(states.map(|edges| moved(edges).collect()));
            all.accepting.extend(part.accepting.into_iter().skip(1));
        }
        all
    }

    /// The concatenation of this automaton and `after`. The states of `after`, without its start, follow this
    /// automaton's.
    pub fn then(mut self, after: &Self) -> Self {
        let ends = self.accepting[self.first_end..].iter();
        let ends = ends.filter(|accepting| **accepting).count();
        let joints = ends.saturating_mul(after.edges[0].len());
        let states = self.edges.len() + after.edges.len();
        if self.too_large || after.too_large || states.saturating_add(joints) > MAX_STATES {
            return Self::unknown();
        }
        let offset = self.edges.len() - 1;
        let moved = |edges: &[(CharSet, usize)]| -> Vec<_> {
            edges
                .iter()
                .map(|(set, to)| (set.clone(), to + offset))
                .collect()
        };
        for state in self.first_end..self.accepting.len() {
            if std::mem::take(&mut self.accepting[state]) {
                self.edges[state].extend(moved(&after.edges[0]));
            }
        }
        self.first_end = offset + 1;
        self.edges
            .extend(after.edges[1..].iter().map(|edges| moved(edges)));
        self.accepting.extend(&after.accepting[1..]);
        self
    }

    /// The texts in lowercase or uppercase. Exact for ASCII and for small sets of other characters. In large sets, each
    /// other character may become any one to three characters of that case, the maximum of Unicode's mappings.
    pub fn with_case(mut self, upper: bool) -> Self {
        const FEW: usize = 64;
        let anything = CharSet::all().with_ascii_case(upper);
        let mut edges: usize = 0;
        for state in 0..self.edges.len() {
            // Each edge may become five.
            edges += self.edges[state].len();
            if edges * 5 > MAX_STATES {
                return Self::unknown();
            }
            for (set, to) in std::mem::take(&mut self.edges[state]) {
                let (ascii, others) = set.split_ascii();
                if !ascii.is_empty() {
                    self.edges[state].push((ascii.with_ascii_case(upper), to));
                }
                match others.few(FEW) {
                    Some(chars) => {
                        for c in chars {
                            let mapped: String = if upper {
                                c.to_uppercase().collect()
                            } else {
                                c.to_lowercase().collect()
                            };
                            self.add_path(state, &mapped, to);
                        }
                    }
                    None => {
                        let (first, second) = (self.add_state(false), self.add_state(false));
                        self.edges[state]
                            .extend([(anything.clone(), to), (anything.clone(), first)]);
                        self.edges[first]
                            .extend([(anything.clone(), to), (anything.clone(), second)]);
                        self.edges[second].push((anything.clone(), to));
                    }
                }
            }
        }
        self
    }

    /// Adds a path for exactly this text, which must not be empty.
    fn add_path(&mut self, from: usize, text: &str, to: usize) {
        let mut state = from;
        for (at, c) in text.char_indices() {
            let target = if at + c.len_utf8() == text.len() {
                to
            } else {
                self.add_state(false)
            };
            self.edges[state].push((CharSet::single(c), target));
            state = target;
        }
    }

    /// The first `count` characters of each text.
    pub fn first(&self, count: usize) -> Self {
        if self.too_large {
            return Self::unknown();
        }
        let rests = self.rests();
        let next = |&(state, taken): &(usize, usize)| -> Vec<_> {
            let edges = self.edges[state]
                .iter()
                .filter(|(_, to)| taken < count && rests[*to].is_some());
            edges
                .map(|(set, to)| (set.clone(), (*to, taken + 1)))
                .collect()
        };
        Self::explore((0, 0), next, |&(state, taken)| {
            taken == count || self.accepting[state]
        })
    }

    /// The texts that the policy produces: percent-encoded if it says so, and without those that contain the delimiter.
    pub fn under(self, policy: &DelimiterPolicy) -> Self {
        let delimiter: Vec<char> = policy.delimiter.chars().collect();
        if delimiter.is_empty() || self.too_large {
            return self;
        }
        self.encoded(policy, &delimiter).not_containing(&delimiter)
    }

    fn encoded(mut self, policy: &DelimiterPolicy, delimiter: &[char]) -> Self {
        let mut specials = in_order(delimiter.iter().chain(&['%']).copied());
        specials.retain(|c| policy.is_encoded(*c));
        specials.dedup();
        if specials.is_empty() {
            return self;
        }
        for state in 0..self.edges.len() {
            for (mut set, to) in std::mem::take(&mut self.edges[state]) {
                for &c in specials
                    .iter()
                    .filter(|c| set.contains(**c))
                    .collect::<Vec<_>>()
                {
                    set = set.without(c);
                    let mut code = String::new();
                    percent_encode(c, &mut code);
                    self.add_path(state, &code, to);
                }
                if !set.is_empty() {
                    self.edges[state].push((set, to));
                }
            }
        }
        self
    }

    /// The texts that do not contain the delimiter (Knuth-Morris-Pratt: the state includes how much of the delimiter
    /// the text ends with).
    fn not_containing(&self, delimiter: &[char]) -> Self {
        let mut distinct = in_order(delimiter.iter().copied());
        distinct.dedup();
        if delimiter.len() * distinct.len() > MAX_STATES {
            return Self::unknown();
        }
        // For each beginning of the delimiter, by its length, how much of it is matched after each of the characters.
        let mut after: Vec<Vec<usize>> = Vec::new();
        // The longest beginning that the text ends with apart from this one.
        let mut shorter = 0;
        for (matched, wanted) in delimiter.iter().enumerate() {
            let mut row = match after.get(shorter) {
                Some(row) => row.clone(),
                None => vec![0; distinct.len()],
            };
            let at = distinct.partition_point(|c| c < wanted);
            let longer = std::mem::replace(&mut row[at], matched + 1);
            after.push(row);
            if matched > 0 {
                shorter = longer;
            }
        }
        let next = |&(state, matched): &(usize, usize)| -> Vec<_> {
            let mut edges = Vec::new();
            for (set, to) in &self.edges[state] {
                let mut others = set.clone();
                let row = distinct.iter().zip(&after[matched]);
                for (&c, &matched) in row.filter(|(c, _)| set.contains(**c)) {
                    others = others.without(c);
                    if matched < delimiter.len() {
                        edges.push((CharSet::single(c), (*to, matched)));
                    }
                }
                edges.push((others, (*to, 0)));
            }
            edges
        };
        Self::explore((0, 0), next, |&(state, _)| self.accepting[state])
    }

    /// Length of the longest text in UTF-8 bytes; `None` if it is unbounded.
    pub fn max_bytes(&self) -> Option<usize> {
        // Longest path in topological order; by construction every state is reachable from the start.
        let live: Vec<bool> = self.rests().iter().map(Option::is_some).collect();
        let useful = |state: usize| self.edges[state].iter().filter(|(_, to)| live[*to]);
        let mut incoming = vec![0usize; self.edges.len()];
        for state in (0..self.edges.len()).filter(|&state| live[state]) {
            useful(state).for_each(|(_, to)| incoming[*to] += 1);
        }
        let mut longest = vec![0usize; self.edges.len()];
        let mut open: Vec<usize> = (0..live.len())
            .filter(|&state| live[state] && incoming[state] == 0)
            .collect();
        let mut ordered = 0;
        while let Some(state) = open.pop() {
            ordered += 1;
            for (set, to) in useful(state) {
                longest[*to] = longest[*to].max(longest[state] + set.max_utf8());
                incoming[*to] -= 1;
                if incoming[*to] == 0 {
                    open.push(*to);
                }
            }
        }
        let acyclic = ordered == live.iter().filter(|live| **live).count();
        acyclic.then(|| longest.into_iter().max().unwrap_or(0))
    }
}

/// The numbers from `low` (not negative) to `high`, one automaton per digit count.
fn decimals(low: i128, high: i128) -> impl Iterator<Item = Nfa> {
    let digits = |value: i128| value.checked_ilog10().map_or(1, |log| log + 1);
    let counts = if low > high {
        1..1
    } else {
        digits(low)..digits(high) + 1
    };
    counts.map(move |count| {
        let smallest = if count == 1 { 0 } else { 10i128.pow(count - 1) };
        let largest = 10i128
            .checked_pow(count)
            .map_or(i128::MAX, |power| power - 1);
        Nfa::digits_between(
            &low.max(smallest).to_string(),
            &high.min(largest).to_string(),
        )
    })
}

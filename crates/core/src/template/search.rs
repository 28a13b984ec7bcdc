//! The shortest way through automata that run side by side, within bounds of time and memory.
//!
//! A question about two templates looks at pairs of states. Where a literal repeats itself and a value can hold the same
//! characters, there are as many pairs as the product of both lengths. So the search keeps to what can still reach the
//! end (a text that has parted cannot, once the two need different lengths), it looks for short answers first, and it
//! gives up after a number of steps that grows with the length of the templates.

use super::automaton::Nfa;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;

/// The most states and edges of one automaton.
pub(super) const MOST_STATES: usize = 65_536;

/// Steps of a search, besides those for each state.
const STEPS: usize = 200_000;

/// Steps of a search for each state of its automata.
const STEPS_PER_STATE: usize = 16;

/// A question about templates that would take too much time or memory; nothing is known of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the templates are too large to be analyzed")
    }
}

impl std::error::Error for TooLarge {}

/// How many characters come after a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    /// The fewest.
    pub least: usize,
    /// The most; `usize::MAX` where there is no most.
    pub most: usize,
}

impl Rest {
    /// Whether so many characters are neither too few nor too many.
    pub fn fits(self, count: usize) -> bool {
        (self.least..=self.most).contains(&count)
    }
}

impl Nfa {
    /// For each state how many characters come after it; `None` if no text ends after it.
    pub fn rests(&self) -> Vec<Option<Rest>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        for (state, edges) in self.edges.iter().enumerate() {
            for (_, to) in edges {
                before[*to].push(state);
            }
        }
        let mut rests: Vec<Option<Rest>> = vec![None; self.edges.len()];
        let mut open = VecDeque::new();
        for (state, accepting) in self.accepting.iter().enumerate() {
            if *accepting {
                rests[state] = Some(Rest { least: 0, most: 0 });
                open.push_back(state);
            }
        }
        while let Some(state) = open.pop_front() {
            let least = rests[state].map_or(0, |rest| rest.least) + 1;
            for &from in &before[state] {
                if rests[from].is_none() {
                    rests[from] = Some(Rest { least, most: 0 });
                    open.push_back(from);
                }
            }
        }
        // The longest way, from the end on. What is left over is in a circle, or leads to one.
        let mut onward: Vec<usize> = (self.edges.iter())
            .map(|edges| edges.iter().filter(|(_, to)| rests[*to].is_some()).count())
            .collect();
        let live = |state: &usize| rests[*state].is_some();
        let mut ends: Vec<usize> = (0..rests.len())
            .filter(|state| live(state) && onward[*state] == 0)
            .collect();
        let mut longest = vec![0; rests.len()];
        let mut ended = vec![false; rests.len()];
        while let Some(state) = ends.pop() {
            ended[state] = true;
            for &from in &before[state] {
                longest[from] = longest[from].max(longest[state] + 1);
                onward[from] -= 1;
                if onward[from] == 0 {
                    ends.push(from);
                }
            }
        }
        for (state, rest) in rests.iter_mut().enumerate() {
            if let Some(rest) = rest {
                rest.most = if ended[state] {
                    longest[state]
                } else {
                    usize::MAX
                };
            }
        }
        rests
    }
}

/// The fewest characters after which both can end together; `None` if they cannot.
pub(super) fn together(left: Option<Rest>, right: Option<Rest>) -> Option<usize> {
    let (left, right) = (left?, right?);
    let least = left.least.max(right.least);
    (least <= left.most.min(right.most)).then_some(least)
}

/// The steps that a search may still take.
pub(super) struct Steps(Cell<usize>);

impl Steps {
    /// For automata of so many states together.
    pub fn new(states: usize) -> Self {
        Self(Cell::new(STEPS + STEPS_PER_STATE * states))
    }

    /// Takes some. False: there are none left.
    pub fn take(&self, count: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(count));
        self.0.get() > 0
    }
}

/// The shortest text that leads from `start` to a goal, and the goal. `next` gives a key's edges, each with an example
/// of its characters. `least` says how many characters a goal is away at least, `None` for a key that leads to none; it
/// never falls by more than one from a key to the next.
pub(super) fn shortest<K: Hash + Eq + Clone>(
    start: K,
    steps: &Steps,
    next: impl Fn(&K) -> Vec<(Option<char>, K)>,
    goal: impl Fn(&K) -> bool,
    least: impl Fn(&K) -> Option<usize>,
) -> Result<Option<(String, K)>, TooLarge> {
    let Some(first) = least(&start) else {
        return Ok(None);
    };
    // Breadth first, without what cannot be as short as `most`. Each round finds what a search without that bound would
    // find, if it finds anything: of a key on a way that is short enough, all keys before it are on one too.
    let mut more = 0;
    loop {
        let most = first.saturating_add(more);
        let mut cut = false;
        // Each found key with the place of the key before it, the character between them, and their number.
        let mut found: Vec<(K, usize, char, usize)> = vec![(start.clone(), 0, '\0', 0)];
        let mut known = FxHashSet::from_iter([start.clone()]);
        let mut at = 0;
        while let Some((key, _, _, length)) = found.get(at).cloned() {
            if goal(&key) {
                let mut text = Vec::new();
                while at != 0 {
                    text.push(found[at].2);
                    at = found[at].1;
                }
                return Ok(Some((text.into_iter().rev().collect(), key)));
            }
            let edges = next(&key);
            // `next` may have used them up, and then has left edges out.
            if !steps.take(edges.len()) {
                return Err(TooLarge);
            }
            for (c, to) in edges {
                let (Some(c), Some(least)) = (c, least(&to)) else {
                    continue;
                };
                if least.saturating_add(length + 1) > most {
                    cut = true;
                } else if known.insert(to.clone()) {
                    found.push((to, at, c, length + 1));
                }
            }
            at += 1;
        }
        if !cut {
            return Ok(None);
        }
        more = (more * 2).max(1);
    }
}

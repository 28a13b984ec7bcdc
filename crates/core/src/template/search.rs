//! Shortest path through automata that run side by side, within bounds of time and memory.
//!
//! A question about two templates looks at pairs of states. If a literal repeats itself and a value can contain the
//! same characters, the number of pairs is the product of both lengths. So the search visits only states that can still
//! reach the end (two texts that have diverged cannot, once they need different lengths), tries short answers first,
//! and gives up after a number of steps that grows with the length of the templates.

use super::automaton::Nfa;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;

/// Maximum number of states and edges of one automaton.
pub(super) const MAX_STATES: usize = 65_536;

/// Base step budget of a search.
const STEPS: usize = 200_000;

/// Additional step budget per state of the automata.
const STEPS_PER_STATE: usize = 16;

/// The question about templates would take too much time or memory. The answer is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the templates are too large to be analyzed")
    }
}

impl std::error::Error for TooLarge {}

/// How many characters can follow a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    /// Minimum.
    pub least: usize,
    /// Maximum; `usize::MAX` if unbounded.
    pub most: usize,
}

impl Rest {
    /// Whether `count` is within the bounds.
    pub fn fits(self, count: usize) -> bool {
        (self.least..=self.most).contains(&count)
    }
}

impl Nfa {
    /// For each state how many characters can follow; `None` if no text ends after it.
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
        // The longest path, from the end backward. States left over are in a cycle or lead to one.
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

/// The minimum number of characters after which both can end together; `None` if they cannot.
pub(super) fn together(left: Option<Rest>, right: Option<Rest>) -> Option<usize> {
    let (left, right) = (left?, right?);
    let least = left.least.max(right.least);
    (least <= left.most.min(right.most)).then_some(least)
}

thread_local! {
    /// The steps that are left for all searches of [`within_steps`] together.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Runs `work` so that its questions about keys take at most `steps` steps together, some 20 ns each; one that has none
/// left is [`TooLarge`]. Returns the result and the steps that are left.
pub fn within_steps<T>(steps: u64, work: impl FnOnce() -> T) -> (T, u64) {
    struct Restore(u64);
    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    let _restore = Restore(LEFT.replace(steps));
    let result = work();
    (result, LEFT.get())
}

/// The steps that are left for all searches of [`within_steps`] together.
pub fn steps_left() -> u64 {
    LEFT.get()
}

/// The remaining step budget of a search.
pub(super) struct Steps(Cell<usize>);

impl Steps {
    /// The budget for automata with this many states together.
    pub fn new(states: usize) -> Self {
        Self(Cell::new(STEPS + STEPS_PER_STATE * states))
    }

    /// Uses up `count` steps. Returns false if none are left.
    pub fn take(&self, count: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(count));
        LEFT.set(LEFT.get().saturating_sub(count as u64));
        self.0.get() > 0 && LEFT.get() > 0
    }
}

/// The shortest text from `start` to a goal, and the goal. `next` returns a key's edges, each with an example
/// character. `least` is a lower bound of the distance to a goal, `None` for a key that leads to none; it decreases by
/// at most one per edge.
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
    // Breadth-first search with a maximum length. A round finds exactly what an unbounded search would find, if it
    // finds anything: all keys on a short enough path have short enough paths themselves.
    let mut more = 0;
    loop {
        let most = first.saturating_add(more);
        let mut cut = false;
        // Each visited key with the index of its predecessor, the character between them, and its distance.
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
            // `next` may have used up the budget and then left out edges.
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

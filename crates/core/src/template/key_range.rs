//! Whether a template renders a key within a range whose bounds are also templates. Exact like the other analyses:
//! characters compare by their UTF-8 bytes, so texts compare as DynamoDB compares keys of type S.

use super::analyze::KeyLanguage;
use super::charset::CharSet;
use super::search::{TooLarge, shortest};

/// A bound of a range, and whether the range includes it.
pub type Bound<'a> = Option<(&'a KeyLanguage, bool)>;

/// How far a key and a bound are equal: the bound's state. `None`: they have diverged, and the key is on the correct
/// side of the bound.
type BoundState = Option<usize>;

impl KeyLanguage {
    /// The shortest key above some text of `lower` and below some text of `upper`. A bound of `None` does not restrict
    /// the keys.
    pub fn within(&self, lower: Bound, upper: Bound) -> Result<Option<String>, TooLarge> {
        type Key = (usize, BoundState, BoundState);
        let bounds = [lower, upper].into_iter().flatten();
        let steps = self.steps(bounds.map(|(bound, _)| bound))?;
        let next = |&(state, low, high): &Key| {
            let mut edges = Vec::new();
            for (set, to) in &self.nfa.edges[state] {
                for (set, low) in beside(set, lower, low, false) {
                    for (set, high) in beside(&set, upper, high, true) {
                        edges.push((set.example(), (*to, low, high)));
                    }
                }
                if !steps.take(edges.len()) {
                    break;
                }
            }
            edges
        };
        let ends = |&(state, low, high): &Key| {
            self.nfa.accepting[state] && holds(lower, low, false) && holds(upper, high, true)
        };
        let least = |&(state, ..): &Key| self.rests[state].map(|rest| rest.least);
        let start = (0, lower.map(|_| 0), upper.map(|_| 0));
        Ok(shortest(start, &steps, next, ends, least)?.map(|(key, _)| key))
    }
}

/// The characters of `set` that can continue a key, each with the bound's next state.
fn beside(
    set: &CharSet,
    bound: Bound,
    bound_state: BoundState,
    upper: bool,
) -> Vec<(CharSet, BoundState)> {
    let (Some((bound, _)), Some(state)) = (bound, bound_state) else {
        return vec![(set.clone(), None)];
    };
    let mut edges = Vec::new();
    // A bound that ends here is a prefix of the key, and so below it.
    if !upper && bound.nfa.accepting[state] {
        edges.push((set.clone(), None));
    }
    for (other, to) in (bound.nfa.edges[state].iter()).filter(|(_, to)| bound.rests[*to].is_some())
    {
        edges.push((set.intersect(other), Some(*to)));
        let diverged = if upper {
            set.below(other)
        } else {
            set.above(other)
        };
        edges.push((diverged, None));
    }
    edges.retain(|(set, _)| !set.is_empty());
    edges
}

/// Whether a key that ends here is on the correct side of the bound.
fn holds(bound: Bound, bound_state: BoundState, upper: bool) -> bool {
    let (Some((bound, inclusive)), Some(state)) = (bound, bound_state) else {
        return true;
    };
    let longer = || (bound.nfa.edges[state].iter()).any(|(_, to)| bound.rests[*to].is_some());
    inclusive && bound.nfa.accepting[state] || upper && longer()
}

//! Which lines of the design before an edit are which ones after it.

use super::super::node::Node;

/// `after` with the numbers that equal statements have in `before`, where a key is only a position.
pub(super) fn aligned(before: &[Node], after: &[Node]) -> Vec<Node> {
    let mut after = after.to_vec();
    let stem = |node: &Node| node.key.split_once('#').map(|(stem, _)| stem.to_owned());
    let mut stems: Vec<String> = after.iter().filter_map(stem).collect();
    stems.dedup();
    for of in stems {
        let is_one = |node: &Node| stem(node).as_deref() == Some(&of);
        let old: Vec<&Node> = before.iter().filter(|node| is_one(node)).collect();
        let places: Vec<usize> = (0..after.len()).filter(|at| is_one(&after[*at])).collect();
        let new: Vec<&Node> = places.iter().map(|at| &after[*at]).collect();
        let pairs = pairs(&old, &new);
        let mut fresh = old.len();
        for (place, pair) in places.iter().zip(pairs) {
            let key = match pair {
                Some(at) => old[at].key.clone(),
                None => {
                    fresh += 1;
                    format!("{of}#{fresh}")
                }
            };
            after[*place].key = key;
        }
    }
    after
}

/// For each new statement the old one that it is: an equal one, else the one in its place between equal ones.
fn pairs(old: &[&Node], new: &[&Node]) -> Vec<Option<usize>> {
    let same = |left: &Node, right: &Node| left.same_line(right) && left.children == right.children;
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut from = 0;
    for (at, node) in new.iter().enumerate() {
        let next = (from..old.len()).find(|other| same(old[*other], node));
        // An equal statement far away would leave none for those in between.
        if let Some(next) =
            next.filter(|next| next - from <= old.len().saturating_sub(new.len()).max(1))
        {
            found[at] = Some(next);
            from = next + 1;
        }
    }
    let mut start = 0;
    while start < new.len() {
        if found[start].is_some() {
            start += 1;
            continue;
        }
        let end = (start..new.len())
            .find(|at| found[*at].is_some())
            .unwrap_or(new.len());
        let first = start
            .checked_sub(1)
            .and_then(|at| found[at])
            .map_or(0, |at| at + 1);
        let last = found.get(end).copied().flatten().unwrap_or(old.len());
        for (at, other) in (start..end).zip(first..last) {
            found[at] = Some(other);
        }
        start = end;
    }
    found
}

/// A longest increasing subsequence of different numbers.
pub(super) fn longest_increasing(numbers: &[usize]) -> Vec<usize> {
    // The index of the smallest end of a subsequence of each length, and the predecessors.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before[at] = length.checked_sub(1).map(|length| ends[length]);
        match length < ends.len() {
            true => ends[length] = at,
            false => ends.push(at),
        }
    }
    let mut out = Vec::new();
    let mut at = ends.last().copied();
    while let Some(place) = at {
        out.push(numbers[place]);
        at = before[place];
    }
    out.reverse();
    out
}

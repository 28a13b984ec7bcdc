//! Reuses the rows of the page for the lines to show, with as few DOM changes as possible.

/// How a line gets its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowUse {
    /// This row shows it and stays in place.
    Stay(usize),
    /// This row shows it and has to be moved into place.
    Move(usize),
    /// A new row has to be created.
    New,
}

/// Assigns rows to lines, from the top. `now` has the row that already shows each line, out of `count` rows in page
/// order, no row twice. `fixed` is a row in `now` that must not be moved, because it has the keyboard focus. Rows
/// that are not in the result are unused.
pub fn recycle(now: &[Option<usize>], count: usize, fixed: Option<usize>) -> Vec<RowUse> {
    let kept = in_place(now, fixed);
    let mut is_free = vec![true; count];
    for row in kept.iter().flatten() {
        is_free[*row] = false;
    }
    let mut next = 0;
    let mut uses = Vec::with_capacity(now.len());
    for row in kept {
        let row = row.or_else(|| Some(next).filter(|next| is_free.get(*next) == Some(&true)));
        if let Some(row) = row {
            is_free[row] = false;
            next = row + 1;
        }
        uses.push(row.map_or(RowUse::New, RowUse::Stay));
    }
    // Prefer to move a row to the line that it already shows.
    for (one, row) in uses.iter_mut().zip(now) {
        if *one == RowUse::New
            && let Some(row) = row.filter(|row| is_free[*row])
        {
            is_free[row] = false;
            *one = RowUse::Move(row);
        }
    }
    let mut free = (0..count).rev().filter(|row| is_free[*row]);
    for one in &mut uses {
        if *one == RowUse::New
            && let Some(row) = free.next()
        {
            *one = RowUse::Move(row);
        }
    }
    uses
}

/// Returns the largest set of rows that can stay in place when all rows are put in line order: a longest increasing
/// subsequence of `now` that contains `fixed`. The others are `None`. Unlike in [`recycle`], each line keeps its
/// row.
pub fn in_place(now: &[Option<usize>], fixed: Option<usize>) -> Vec<Option<usize>> {
    let pivot =
        fixed.and_then(|fixed| Some((now.iter().position(|row| *row == Some(fixed))?, fixed)));
    // For each line: the length of the longest subsequence that ends there, and the previous line in it.
    let mut best: Vec<(usize, usize)> = vec![(0, usize::MAX); now.len()];
    let mut last = usize::MAX;
    for (line, row) in now.iter().enumerate() {
        let Some(row) = *row else { continue };
        if pivot.is_some_and(|(at, fixed)| line.cmp(&at) != row.cmp(&fixed)) {
            continue;
        }
        best[line] = (1, usize::MAX);
        for before in 0..line {
            let (length, _) = best[before];
            if length >= best[line].0 && length > 0 && now[before] < Some(row) {
                best[line] = (length + 1, before);
            }
        }
        if last == usize::MAX || best[line].0 > best[last].0 {
            last = line;
        }
    }
    let mut kept = vec![None; now.len()];
    while let Some(row) = now.get(last) {
        kept[last] = *row;
        last = best[last].1;
    }
    kept
}

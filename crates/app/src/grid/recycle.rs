//! Which of the rows that are in the page show which lines, so that as little as possible in the page changes.

/// What becomes of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// This row of the page shows it, where it is.
    Stay(usize),
    /// This row of the page shows it, after it was put in its place.
    Move(usize),
    /// A new row has to be made.
    New,
}

/// For each line, from the top, the row that shows it. `now`: for each line the row that shows it already, of
/// `count` rows in the order of the page, no row twice. `fixed`: a row that has a line in `now` and must not be moved,
/// because it has the keyboard focus. Rows that are in no answer are not needed any more.
pub fn recycle(now: &[Option<usize>], count: usize, fixed: Option<usize>) -> Vec<Use> {
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
        uses.push(row.map_or(Use::New, Use::Stay));
    }
    // A row that is moved rather shows what it showed.
    for (one, row) in uses.iter_mut().zip(now) {
        if *one == Use::New
            && let Some(row) = row.filter(|row| is_free[*row])
        {
            is_free[row] = false;
            *one = Use::Move(row);
        }
    }
    let mut free = (0..count).rev().filter(|row| is_free[*row]);
    for one in &mut uses {
        if *one == Use::New
            && let Some(row) = free.next()
        {
            *one = Use::Move(row);
        }
    }
    uses
}

/// The most rows that can stay where they are when all are put in the order of the lines: a longest rising sequence of
/// `now`, with `fixed` in it. The rest is `None`. As in [`recycle`], but here each line keeps its row.
pub fn in_place(now: &[Option<usize>], fixed: Option<usize>) -> Vec<Option<usize>> {
    let pivot =
        fixed.and_then(|fixed| Some((now.iter().position(|row| *row == Some(fixed))?, fixed)));
    // For each line that can stay the length of the longest sequence that ends there, and the line before in it.
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

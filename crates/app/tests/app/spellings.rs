//! Texts as people write them: with comments, lines that say a default, and lines in another order than the printer's.

/// Which lines are spelled otherwise: the billing mode is written; the name of the design is left out; rules below the
/// heads of samples; lines of access patterns in reverse; comments at the ends of blocks; carriage returns.
pub type Spelling = [bool; 6];

/// A printed text in another spelling, with a comment of its own above each line.
pub fn respelled(text: &str, spelling: Spelling) -> String {
    let [on_demand, nameless, rules, reversed, at_ends, crlf] = spelling;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let table = |lines: &[String]| {
        let mut all = lines.iter();
        all.position(|line| line.starts_with("table "))
            .expect("a table")
    };
    if nameless {
        lines.drain(..table(&lines));
    }
    if on_demand {
        let at = table(&lines) + 1;
        lines.insert(at, "  on-demand".to_owned());
    }
    if rules {
        lines = with_rules(&lines);
    }
    if reversed {
        lines = with_reversed_patterns(&lines);
    }
    lines = numbered(&lines);
    if at_ends {
        lines = with_ends(&lines);
    }
    let ending = if crlf { "\r\n" } else { "\n" };
    lines.iter().flat_map(|line| [line, ending]).collect()
}

/// Whether a line is one that a text can leave out.
pub fn is_needless(line: &str) -> bool {
    let line = line.trim();
    line == "on-demand" || line.starts_with("design ") || line.starts_with("|---")
}

fn with_rules(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        let is_row = |line: &String| line.trim().starts_with('|');
        let is_head = is_row(line) && !out.last().is_some_and(is_row);
        out.push(line.clone());
        if is_head {
            let cells = line.matches('|').count() - 1;
            out.push(["  ", &"|---".repeat(cells), "|"].concat());
        }
    }
    out
}

fn with_reversed_patterns(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        out.push(line.clone());
        if !line.starts_with("pattern ") {
            continue;
        }
        // Each line with those that are indented further.
        let mut groups: Vec<Vec<String>> = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.is_empty()) {
            match groups.last_mut().filter(|_| line.starts_with("    ")) {
                Some(group) => group.push(line.clone()),
                None => groups.push(vec![line.clone()]),
            }
        }
        // The operation comes first.
        if let [_, others @ ..] = &mut groups[..] {
            others.reverse();
        }
        out.extend(groups.into_iter().flatten());
    }
    out
}

fn numbered(lines: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let indentation = &line[..line.len() - line.trim_start().len()];
        if !line.is_empty() {
            out.push(format!("{indentation}// c{number}."));
        } else {
            out.push(String::new());
        }
        out.push(line.clone());
    }
    out
}

fn with_ends(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let next = lines[number..].iter().find(|line| !line.is_empty());
        let ends = line.is_empty() && next.is_some_and(|next| !next.starts_with(' '));
        if ends && out.last().is_some_and(|before| !before.is_empty()) {
            out.push(format!("  // t{number}."));
        }
        out.push(line.clone());
    }
    out
}

//! Which blocks and lines an edit adds, moves, changes or deletes.

use super::super::lower::{Lowered, is_rule, lower};
use super::super::node::{self, Node};
use super::super::parse::parse;
use super::super::print::{nodes, print, table};
use super::super::statement::{Statement, Statements, statements};
use super::super::syntax::SyntaxKind;
use super::pairs::{aligned, longest_increasing};
use super::places::{name_as_before, regroup};
use crate::model::{CardId, Design};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A text after an edit of its design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The new text.
    pub text: String,
    /// What changes in the previous text: ranges in order, without overlaps, and their new contents.
    pub edits: Vec<TextEdit>,
    /// Whether the text was printed anew because its lines could not be kept.
    pub is_whole: bool,
}

/// A replacement of a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// The replaced bytes; empty for an insertion.
    pub range: Range<usize>,
    /// The new content.
    pub text: String,
}

/// Returns the text of the design `new`, given a text of the design `old`. Lines with errors stay as they are.
pub fn update(text: &str, old: &Design, new: &Design) -> Update {
    let unchanged = Update {
        text: text.to_owned(),
        edits: Vec::new(),
        is_whole: false,
    };
    if old == new {
        return unchanged;
    }
    // Every line has a line end while lines are inserted.
    let base = match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => [text, "\n"].concat(),
    };
    let tree = parse(&base);
    let mut lowered = lower(&tree, Some(old));
    let mut source = statements(&tree.root(), &base);
    let is_pattern = |block: &&mut Statement| block.kind == SyntaxKind::Pattern;
    (source.blocks.iter_mut().filter(is_pattern)).for_each(regroup);
    let mut before = nodes(old);
    if lowered.has_errors() {
        let said = nodes(&lowered.design);
        name_as_before(&source.blocks, &before, &said, &mut lowered.keys);
    }
    if lacks_name(&source, &lowered, old, new) {
        before.retain(|node| node.kind != SyntaxKind::Design);
    }
    let after = without_new_cards(nodes(new), &before, (&source, &lowered), old, new);
    let (after, moves_patterns) = by_name(after, old, new);
    let mut writer = Writer {
        text: &base,
        lowered: &lowered,
        old,
        new,
        line_end: if base.contains("\r\n") { "\r\n" } else { "\n" },
        moves_patterns,
        edits: Vec::new(),
    };
    writer.block(&source.blocks, None, &before, &after, 0);
    let mut edits = writer.edits;
    // Insertions come before what they are inserted before; the order of insertions at one place stays.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let changed = apply(&base, &edits);
    if !lowered.has_errors() {
        let check = lower(&parse(&changed), Some(new));
        if check.has_errors() || check.design != *new {
            let whole = print(new);
            return Update {
                edits: vec![TextEdit {
                    range: 0..text.len(),
                    text: whole.clone(),
                }],
                text: whole,
                is_whole: true,
            };
        }
    }
    if edits.is_empty() {
        return unchanged;
    }
    Update {
        edits: for_original(edits, text.len()),
        text: changed,
        is_whole: false,
    }
}

/// Whether the text needs a line for the name of the design, which is not that of the table any more. Without the line, the
/// design is called like its table.
fn lacks_name(source: &Statements, lowered: &Lowered, old: &Design, new: &Design) -> bool {
    let says = |kind| {
        let mut blocks = source.blocks.iter();
        blocks.any(|block| block.kind == kind && lowered.keys[block.number].is_some())
    };
    let says_table = || says(SyntaxKind::Table) || table(old) != table(new);
    !says(SyntaxKind::Design) && new.name != new.table.name && says_table()
}

/// `after` without changes of cards that the text does not have and whose names alone changed: they stay out.
fn without_new_cards(
    mut after: Vec<Node>,
    before: &[Node],
    (source, lowered): (&Statements, &Lowered),
    old: &Design,
    new: &Design,
) -> Vec<Node> {
    let is_canvas = |node: &Node| node.kind == SyntaxKind::Canvas;
    let canvas = (before.iter().find(|node| is_canvas(node)))
        .zip(after.iter_mut().find(|node| is_canvas(node)));
    let Some((before, canvas)) = canvas else {
        return after;
    };
    let stays = |card: CardId| {
        old.layout.get(&card) == new.layout.get(&card)
            && match card {
                CardId::Index(_) => true,
                CardId::Entity(id) => {
                    let hue = |design: &Design| design.entities.get(&id).map(|entity| entity.hue);
                    hue(old) == hue(new)
                }
                CardId::Note(_) => false,
            }
    };
    let stays = new.cards().filter(|card| stays(*card));
    let stays: FxHashSet<String> = stays.map(|card| card.to_string()).collect();
    let cards = source
        .blocks
        .iter()
        .filter(|block| block.kind == SyntaxKind::Canvas);
    let said: FxHashSet<&str> = (cards.flat_map(|block| &block.children))
        .filter_map(|card| lowered.keys[card.number].as_deref())
        .collect();
    let known = by_key(&before.children);
    for card in &mut canvas.children {
        if let Some(known) = known.get(&*card.key)
            && stays.contains(&card.key)
            && !said.contains(card.key.as_str())
        {
            *card = (*known).clone();
        }
    }
    after
}

/// `after` with each access pattern under the key that the one of its name has before: moving one gives it the ID of
/// another. Returns also whether there are such.
fn by_name(mut after: Vec<Node>, old: &Design, new: &Design) -> (Vec<Node>, bool) {
    let id_of = |design: &Design, name: &str| {
        let mut all = design.access_patterns.iter();
        all.find_map(|(id, pattern)| (pattern.name == name).then_some(*id))
    };
    let nodes = after.iter_mut();
    let nodes = nodes.filter(|node| node.kind == SyntaxKind::Pattern);
    let mut moves = false;
    for ((id, pattern), node) in new.access_patterns.iter().zip(nodes) {
        match id_of(old, &pattern.name) {
            Some(before) if before != *id => {
                node.key = before.to_string();
                moves = true;
            }
            Some(_) => {}
            None => {
                // Its ID was that of one that moved.
                let before = old.access_patterns.get(id);
                if before.is_some_and(|before| id_of(new, &before.name).is_some()) {
                    node.key = format!("new {id}");
                }
            }
        }
    }
    (after, moves)
}

/// The text after the edits, which are in order.
fn apply(text: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.range.start.max(at)]);
        out.push_str(&edit.text);
        at = edit.range.end.max(at);
    }
    out.push_str(&text[at..]);
    out
}

/// The edits for a text of this length, which may lack its last line end.
fn for_original(edits: Vec<TextEdit>, length: usize) -> Vec<TextEdit> {
    let mut out = edits;
    let mut adds_line_end = false;
    for edit in &mut out {
        if edit.range.start > length {
            edit.range.start = length;
            if !adds_line_end {
                edit.text.insert(0, '\n');
            }
            adds_line_end = true;
        }
        edit.range.end = edit.range.end.min(length);
    }
    out
}

pub(super) struct Writer<'a> {
    pub(super) text: &'a str,
    pub(super) lowered: &'a Lowered,
    pub(super) old: &'a Design,
    pub(super) new: &'a Design,
    pub(super) line_end: &'static str,
    /// Whether access patterns have another order than before.
    pub(super) moves_patterns: bool,
    pub(super) edits: Vec<TextEdit>,
}

impl Writer<'_> {
    pub(super) fn key(&self, statement: &Statement) -> Option<&str> {
        self.lowered.keys[statement.number].as_deref()
    }

    /// Brings the statements of a block from `before` to `after`.
    fn block(
        &mut self,
        source: &[Statement],
        parent: Option<&Statement>,
        before: &[Node],
        after: &[Node],
        depth: usize,
    ) {
        let after = aligned(before, after);
        let lowered = self.lowered;
        let statements = source.iter().rev();
        let statements: FxHashMap<&str, &Statement> = statements
            .filter_map(|statement| Some((lowered.keys[statement.number].as_deref()?, statement)))
            .collect();
        let (known, wanted) = (by_key(before), by_key(&after));
        let gone: Vec<&Statement> = (source.iter())
            .filter(|statement| {
                // The rule below the head of the samples goes with it.
                let key = match is_rule(statement) {
                    true => Some("columns"),
                    false => self.key(statement),
                };
                key.is_some_and(|key| known.contains_key(key) && !wanted.contains_key(key))
            })
            .collect();
        let moved = self.moved(source, &known, &after);
        let find = |key: &str| statements.get(key).copied();
        let mut previous: Option<&Statement> = None;
        let mut last: Option<SyntaxKind> = None;
        let mut work: Vec<Work> = Vec::new();
        for node in &after {
            let known = known.get(&*node.key).copied();
            match find(&node.key) {
                Some(statement) if !moved.contains(&node.key) => {
                    work.push(Work::Keep(statement, known, node));
                    previous = Some(statement);
                    last = Some(node.kind);
                }
                found => {
                    if found.is_none() && known == Some(node) {
                        continue;
                    }
                    work.push(Work::Insert(found, previous, last, known, node));
                    last = Some(node.kind);
                }
            }
        }
        for statement in gone {
            self.delete(statement.range.start..self.end_of(statement));
            let lines = statement.descendants().into_iter();
            for below in lines.filter(|line| line.range.start >= statement.range.end) {
                self.delete(below.range.clone());
            }
        }
        for item in work {
            match item {
                // It means the same, and so does what belongs to it.
                Work::Keep(_, known, node) if known == Some(node) => {}
                Work::Keep(statement, known, node) => {
                    self.line(statement, source, known, node);
                    if statement.kind == SyntaxKind::Part {
                        self.delete_repeated(statement, source);
                    }
                    let children = known.map_or(&[][..], |known| &known.children);
                    let (children, new_children) = match statement.kind {
                        SyntaxKind::Entity => self.with_rows(statement, children, &node.children),
                        _ => (children.to_vec(), node.children.clone()),
                    };
                    let inner = &statement.children;
                    self.block(inner, Some(statement), &children, &new_children, depth + 1);
                }
                Work::Insert(found, previous, last, known, node) => {
                    let stays = |statement: &Statement| {
                        let key = self.key(statement);
                        key.is_some_and(|key| wanted.contains_key(key) && !moved.contains(key))
                    };
                    let group =
                        group_after(previous, node.kind, source).filter(|first| stays(first));
                    let at = match (group, previous, parent) {
                        (Some(first), ..) => self.comments_above(first),
                        (None, Some(previous), _) => self.end_of(below_head(previous, source)),
                        (None, None, Some(parent)) => parent.line.end,
                        (None, None, None) => {
                            (source.first()).map_or(0, |first| self.comments_above(first))
                        }
                    };
                    let last = group.map(|first| first.kind).or(last);
                    let text = match found {
                        Some(found) => {
                            let start = self.comments_above(found);
                            let comments = self.text[start..found.range.start].to_owned();
                            let end = self.end_of(found);
                            self.delete(start..end);
                            let gap = if depth == 0 { "\n" } else { "" };
                            let lines = self.moved_text(found, source, known, node);
                            let below = &self.text[found.range.end..end];
                            [gap, &comments, &lines, below].concat()
                        }
                        None => self.inserted(node, known, source, parent, depth, last),
                    };
                    self.insert(at, text);
                }
            }
        }
    }

    /// The attributes, samples and access patterns whose place among the others changed.
    fn moved(
        &self,
        source: &[Statement],
        known: &FxHashMap<&str, &Node>,
        after: &[Node],
    ) -> FxHashSet<String> {
        let places = after.iter().enumerate().rev();
        let places: FxHashMap<&str, usize> = places.map(|(at, node)| (&*node.key, at)).collect();
        let mut moved = FxHashSet::default();
        for kind in [SyntaxKind::Attribute, SyntaxKind::Row, SyntaxKind::Pattern] {
            if kind == SyntaxKind::Pattern && !self.moves_patterns {
                continue;
            }
            let order: Vec<usize> = (source.iter())
                .filter(|statement| statement.kind == kind)
                .filter_map(|statement| places.get(self.key(statement)?).copied())
                .collect();
            let kept: FxHashSet<usize> = longest_increasing(&order).into_iter().collect();
            let others = order.iter().filter(|place| !kept.contains(place));
            let others = others
                .map(|place| &after[*place])
                // The lines of an access pattern that is changed as well stay where they are.
                .filter(|node| kind != SyntaxKind::Pattern || known.get(&*node.key) == Some(node));
            moved.extend(others.map(|node| node.key.clone()));
        }
        moved
    }

    /// Deletes the other lines that say the same part as a line that is changed, such as `writes` below `returns`.
    fn delete_repeated(&mut self, statement: &Statement, source: &[Statement]) {
        let is_repeated = |other: &&Statement| {
            other.number != statement.number && self.key(other) == self.key(statement)
        };
        let repeated: Vec<&Statement> = source.iter().filter(is_repeated).collect();
        for other in repeated {
            self.delete(other.range.clone());
        }
    }

    fn delete(&mut self, range: Range<usize>) {
        // The empty line above a block goes with it, so that none are left over at its place.
        let mut range = range;
        let before = &self.text[..range.start];
        let follows = self.text[range.end..].trim_start_matches(' ');
        if (before.ends_with("\n\n") || before.ends_with("\n\r\n"))
            && (follows.is_empty() || follows.starts_with(['\n', '\r']))
        {
            range.start -= if before.ends_with("\r\n") { 2 } else { 1 };
        }
        self.edits.push(TextEdit {
            range,
            text: String::new(),
        });
    }

    pub(super) fn insert(&mut self, at: usize, text: String) {
        let text = match self.line_end {
            "\n" => text,
            line_end => text.replace("\r\n", "\n").replace('\n', line_end),
        };
        self.edits.push(TextEdit {
            range: at..at,
            text,
        });
    }
}

/// What happens to a printed statement: its line in the text stays or is changed, or it is inserted after another.
enum Work<'s, 't, 'n> {
    Keep(&'s Statement<'t>, Option<&'n Node>, &'n Node),
    Insert(
        Option<&'s Statement<'t>>,
        Option<&'s Statement<'t>>,
        Option<SyntaxKind>,
        Option<&'n Node>,
        &'n Node,
    ),
}

/// The line below which a line is inserted after another: below the rule that follows the head of the samples.
fn below_head<'s, 't>(line: &'s Statement<'t>, source: &'s [Statement<'t>]) -> &'s Statement<'t> {
    let mut next = source
        .iter()
        .skip_while(|other| other.number != line.number);
    next.nth(1).filter(|next| is_rule(next)).unwrap_or(line)
}

/// The first line of the group of lines of this kind that comes right after `previous` and that a new line joins at its
/// top, below the empty lines above it.
fn group_after<'s, 't>(
    previous: Option<&Statement<'t>>,
    kind: SyntaxKind,
    source: &'s [Statement<'t>],
) -> Option<&'s Statement<'t>> {
    let previous = previous.filter(|previous| node::starts_group(kind, Some(previous.kind)))?;
    let at = source
        .iter()
        .position(|other| other.number == previous.number)?;
    source.get(at + 1).filter(|next| next.kind == kind)
}

/// Statements by their keys.
fn by_key(nodes: &[Node]) -> FxHashMap<&str, &Node> {
    let nodes = nodes.iter().rev();
    nodes.map(|node| (&*node.key, node)).collect()
}

/// The part of a new statement that differs from the old one: the line, and the statements that changed.
pub(super) fn difference(node: &Node, known: Option<&Node>) -> Node {
    let mut node = node.clone();
    if let Some(known) = known {
        node.children
            .retain(|child| !known.children.contains(child));
    }
    node
}

/// The lines of a statement without indentation.
pub(super) fn written(node: &Node) -> String {
    let mut lines = Vec::new();
    node::add(node, 0, false, &mut lines);
    node::write(lines)
}

//! The canvas: positions and colors of the cards, and the notes.

use super::super::cursor::write_name;
use super::super::node::Node;
use super::super::syntax::SyntaxKind;
use crate::model::{CardId, Design, Note};

pub(super) fn canvas(design: &Design) -> Option<Node> {
    let mut node = Node::new("canvas", SyntaxKind::Canvas, "canvas");
    for card in design.cards() {
        let place = design.layout.get(&card);
        let left = match place {
            Some(at) => format!("{}, {}", at.x, at.y),
            None => "-".to_owned(),
        };
        let mut lines = Vec::new();
        let rest = match card {
            CardId::Index(_) if place.is_none() => continue,
            CardId::Index(id) if id.is_primary() => "table".to_owned(),
            CardId::Index(id) => "index ".to_owned() + &write_name(design.index_name(id), &[]),
            CardId::Entity(id) => {
                let Some(entity) = design.entities.get(&id) else {
                    continue;
                };
                let name = write_name(&entity.name, &[]);
                format!("entity {name} color {}", entity.hue)
            }
            CardId::Note(id) => {
                let Some(note) = design.notes.get(&id) else {
                    continue;
                };
                note_line(note, &mut lines)
            }
        };
        let mut card = Node::new(card.to_string(), SyntaxKind::Card, left).rest(rest);
        card.children = lines;
        node.children.push(card);
    }
    (!node.children.is_empty()).then_some(node)
}

fn note_line(note: &Note, lines: &mut Vec<Node>) -> String {
    let mut rest = "note".to_owned();
    if !note.text.is_empty() {
        match quote_lines(&note.text) {
            Some(quoted) => *lines = quoted,
            None => rest = ["note ", &super::super::description::quoted(&note.text)].concat(),
        }
    }
    if note.hue != Note::HUE {
        rest.push_str(&format!(" color {}", note.hue));
    }
    rest
}

/// A text as lines that begin with `>`; `None` if they would not show all of it.
pub fn quote_lines(text: &str) -> Option<Vec<Node>> {
    let hides = |c: char| !matches!(c, '\n' | '\t') && crate::model::is_hidden(c);
    let ends_in_space = |line: &str| line.ends_with(char::is_whitespace);
    if text.contains(hides) || text.split('\n').any(ends_in_space) {
        return None;
    }
    let line = |(number, line): (usize, &str)| {
        let text = match line.is_empty() {
            true => ">".to_owned(),
            false => ["> ", line].concat(),
        };
        Node::new(format!("line#{number}"), SyntaxKind::Quote, text)
    };
    Some(text.split('\n').enumerate().map(line).collect())
}

//! Where parts are declared, and the outline of a text.

use super::document::Document;
use super::layout::first_word;
use keyfold_core::text::{Mark, Part, SyntaxKind, SyntaxNode};
use lsp_types::{DocumentSymbol, GotoDefinitionResponse, Location, Position, SymbolKind};
use std::ops::Range;

/// Where the part at a position is declared.
pub fn definition(document: &Document, position: Position) -> Option<GotoDefinitionResponse> {
    let symbol = document.symbol_at(position)?;
    let range = document.lowered.definition(&symbol.part)?;
    Some(GotoDefinitionResponse::Scalar(Location {
        uri: document.uri.clone(),
        range: document.range(range),
    }))
}

/// The table, indexes, entities with their attributes and keys, and access patterns, in the order of the text.
pub fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let blocks = document.parse.root().children();
    blocks
        .filter_map(|block| symbol(document, &block))
        .collect()
}

fn symbol(document: &Document, node: &SyntaxNode) -> Option<DocumentSymbol> {
    let bytes = lines_of(node)?;
    let inside = |mark: &&Mark| {
        mark.is_definition && bytes.start <= mark.range.start && mark.range.end <= bytes.end
    };
    let mark = document.lowered.marks.iter().find(inside)?;
    let design = &document.lowered.design;
    let (name, detail, kind) = match &mark.part {
        Part::Table => (design.table.name.clone(), "table", SymbolKind::OBJECT),
        Part::Index(id) => {
            let index = design.indexes.get(id)?;
            (index.name.clone(), index.kind.label(), SymbolKind::STRUCT)
        }
        Part::Entity(id) => {
            let entity = design.entities.get(id)?;
            (entity.name.clone(), "entity", SymbolKind::CLASS)
        }
        Part::Attribute(id, attribute) => {
            let found = design.entities.get(id)?.attribute_by_id(*attribute)?;
            (found.name.clone(), found.kind.label(), SymbolKind::FIELD)
        }
        Part::Entry(_, index) => {
            let name = design.index_name(*index).to_owned();
            (name, "key", SymbolKind::KEY)
        }
        Part::Pattern(id) => {
            let pattern = design.access_patterns.get(id)?;
            let operation = pattern.operation.name();
            (pattern.name.clone(), operation, SymbolKind::FUNCTION)
        }
        _ => return None,
    };
    let is_block = node
        .parent()
        .is_some_and(|parent| parent.kind() == SyntaxKind::Root);
    let children = node.children().filter(|_| is_block);
    let children: Vec<_> = children
        .filter_map(|child| symbol(document, &child))
        .collect();
    #[expect(deprecated, reason = "the field has no default")]
    Some(DocumentSymbol {
        name,
        detail: Some(detail.to_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: document.range(bytes),
        selection_range: document.range(mark.range.clone()),
        children: (!children.is_empty()).then_some(children),
    })
}

/// The bytes of a statement with what belongs to it, without the line end.
fn lines_of(node: &SyntaxNode) -> Option<Range<usize>> {
    let start = first_word(node)?.text_range().start();
    let text = node.text().to_string();
    let blank = text.len() - text.trim_end().len();
    Some(start.into()..usize::from(node.text_range().end()) - blank)
}

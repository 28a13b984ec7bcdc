//! The text of a design: every part that differs from its default, in the usual order. `lower` reads the same design
//! from it.

mod attribute;
mod canvas;
mod entity;
mod pattern;
mod settings;
mod silence;
mod workload;

pub use entity::{columns, header, sample_row};
pub use settings::table;
pub use silence::silence_line;

use super::cursor::write_text;
use super::node::{Node, lines, write};
use super::syntax::SyntaxKind;
use crate::model::Design;
use canvas::canvas;
use entity::entity_node;
use silence::silence;

/// Returns the text of a design. Equal designs have equal texts.
pub fn print(design: &Design) -> String {
    write(lines(&nodes(design)))
}

/// Returns what people read of the text of a design: without samples, places on the canvas and options of exports.
pub fn print_schema(design: &Design) -> String {
    let mut design = design.clone();
    design.samples.clear();
    let mut nodes = nodes(&design);
    let is_of_tools = |kind| matches!(kind, SyntaxKind::Canvas | SyntaxKind::Exports);
    nodes.retain(|node| !is_of_tools(node.kind));
    write(lines(&nodes))
}

/// The statements of a design.
pub fn nodes(design: &Design) -> Vec<Node> {
    let name = write_text(&design.name);
    let head = Node::new("design", SyntaxKind::Design, "design").rest(name);
    let mut out = vec![head.described(&design.description), settings::table(design)];
    for (id, index) in &design.indexes {
        out.push(settings::index(*id, index));
    }
    for (id, entity) in &design.entities {
        out.push(entity_node(design, *id, entity));
    }
    for (id, pattern) in &design.access_patterns {
        out.push(pattern::node(design, *id, pattern));
    }
    for (number, silenced) in design.silenced.iter().enumerate() {
        out.push(silence(design, number, silenced));
    }
    out.extend(settings::exports(design));
    out.extend(workload::costs(design));
    out.extend(canvas(design));
    out
}

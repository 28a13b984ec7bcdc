//! Silenced findings, and their places in words.

use super::super::cursor::write_name;
use super::super::node::Node;
use super::super::syntax::SyntaxKind;
use super::entity::sample_place;
use crate::lint::Place;
use crate::model::{Design, EntityId, IndexId, KeyPart, Silenced};

pub(super) fn silence(design: &Design, number: usize, silenced: &Silenced) -> Node {
    let rest = rest(design, &silenced.code, &silenced.place);
    let key = format!("silence#{number}");
    let node = Node::new(key, SyntaxKind::Silence, "silence").rest(rest);
    node.described(&silenced.reason)
}

/// The line that silences the findings of a rule at a place: `silence T001 entity User / GSI1 / partition`.
pub fn silence_line(design: &Design, code: &str, place: &str) -> String {
    ["silence ", &rest(design, code, place)].concat()
}

fn rest(design: &Design, code: &str, place: &str) -> String {
    let place = written_place(design, place)
        .unwrap_or_else(|| "place ".to_owned() + &super::super::description::quoted(place));
    [&write_name(code, &[]), " ", &place].concat()
}

/// The place of a finding with names for ids; `None` if a part of it does not exist.
fn written_place(design: &Design, place: &str) -> Option<String> {
    let parsed: Place = place.parse().ok()?;
    // Another spelling of the same place is kept as it is.
    if parsed.to_string() != place {
        return None;
    }
    let name_of = |id: EntityId| {
        let entity = design.entities.get(&id)?;
        Some("entity ".to_owned() + &write_name(&entity.name, &[]))
    };
    let index_of = |id: IndexId| match id.is_primary() {
        true => Some("key".to_owned()),
        false => (design.indexes.get(&id)).map(|index| write_name(&index.name, &["key"])),
    };
    Some(match parsed {
        Place::Table => "table".to_owned(),
        Place::Index(id) => {
            let index = design.indexes.get(&id)?;
            "index ".to_owned() + &write_name(&index.name, &[])
        }
        Place::Entity(id) => name_of(id)?,
        Place::Entry(id, index) => [&name_of(id)?, " / ", &index_of(index)?].concat(),
        Place::Template(id, index, part) => {
            let part = match part {
                KeyPart::Partition => "partition",
                KeyPart::Sort => "sort",
            };
            [&name_of(id)?, " / ", &index_of(index)?, " / ", part].concat()
        }
        Place::Attribute(id, attribute) => {
            let attribute = design.entities.get(&id)?.attribute_by_id(attribute)?;
            [
                &name_of(id)?,
                " attribute ",
                &write_name(&attribute.name, &[]),
            ]
            .concat()
        }
        Place::Sample(id, sample) => {
            let (entity, number) = sample_place(design, sample)?;
            if entity != id {
                return None;
            }
            format!("{} sample {number}", name_of(id)?)
        }
        Place::Pattern(id) => {
            let pattern = design.access_patterns.get(&id)?;
            "pattern ".to_owned() + &write_name(&pattern.name, &[])
        }
    })
}

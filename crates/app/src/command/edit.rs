//! The single edits by their commands.

use super::names::{check_attribute_name, check_entity_name};
use super::refused::{Refused, entity, entry, known, position, samples};
use super::{
    Command, access_pattern, apply_suggestion, delete, edit_text, index, keys, note, paste_cards,
    rename, samples, silence, table, wire, workload,
};
use crate::suggest;
use keyfold_core::model::{
    AttributeId, CardId, Design, Entity, EntityId, Point, Sample, SampleId, name,
};
use std::sync::Arc;

/// Makes a single edit, which is any command but [`Command::Fix`] and [`Command::Together`]. After a refusal the design may
/// hold a part of it: work on a copy.
pub(crate) fn edit(design: &mut Design, command: Command) -> Result<(), Refused> {
    match command {
        Command::RenameDesign(name) => {
            name::check_label(&name)?;
            table::name_like_design(design, &name);
            design.name = name;
        }
        Command::DescribeDesign(text) => design.description = text,
        Command::SetDelimiter(policy) => design.delimiter = Arc::new(policy),
        Command::UpdateTable { table, .. } => table::update_table(design, *table)?,
        Command::AddIndex { index, at } => {
            index::add_index(design, *index, at)?;
        }
        Command::AddIndexFor {
            index,
            at,
            entity,
            entry,
        } => {
            let id = index::add_index(design, *index, at)?;
            keys::join(design, entity, id, entry)?;
        }
        Command::UpdateIndex { id, index, .. } => index::update_index(design, id, *index)?,
        Command::AddEntity { name, at } => add_entity(design, name, at)?,
        Command::RenameEntity(id, name) => rename::rename_entity(design, id, name)?,
        Command::DescribeEntity(id, text) => entity(design, id)?.description = text,
        Command::SetHue(id, hue) => entity(design, id)?.hue = hue % Entity::HUES,
        Command::AddNote { text, at } => note::add(design, text, at)?,
        Command::SetNoteText(id, text) => note::set_text(design, id, text)?,
        Command::SetNoteHue(id, hue) => note::set_hue(design, id, hue)?,
        Command::AddAttribute(id, mut attribute) => {
            attribute.id = AttributeId(design.take_id());
            let entity = entity(design, id)?;
            check_attribute_name(entity, None, &attribute.name)?;
            attribute.required |= keys::is_in_primary(entity, &attribute.name);
            entity.attributes.push(attribute);
        }
        Command::UpdateAttribute {
            entity: id,
            attribute,
            ..
        } => rename::update_attribute(design, id, *attribute)?,
        Command::SetKeyOnly(id, attribute, key_only) => {
            let attributes = &mut entity(design, id)?.attributes;
            let at = position(attributes, attribute)?;
            attributes[at].key_only = key_only;
        }
        Command::DeleteAttribute(id, attribute) => delete::attribute(design, id, attribute)?,
        Command::MoveAttribute(id, attribute, to) => {
            let attributes = &mut entity(design, id)?.attributes;
            let from = position(attributes, attribute)?;
            let moved = attributes.remove(from);
            attributes.insert(to.min(attributes.len()), moved);
        }
        Command::SetTemplate {
            entity: id,
            index,
            part,
            text,
        } => keys::set_template(design, id, index, part, text)?,
        Command::JoinIndex(id, index, entry) => keys::join(design, id, index, entry)?,
        Command::LeaveIndex(id, index) => {
            entity(design, id)?.keys.remove(&index);
        }
        Command::MoveWire {
            entity: id,
            from,
            to,
        } => wire::move_wire(design, id, from, to)?,
        Command::SetConditions(id, index, when) => {
            if index.is_primary() {
                return Err(Refused(
                    "only an entry of a secondary index can have a condition".into(),
                ));
            }
            entry(entity(design, id)?, index)?.when = when;
        }
        Command::AddSample(id, values) => {
            known(design.entities.contains_key(&id), "entity")?;
            let sample = SampleId(design.take_id());
            let values = values.into();
            samples(design, id).push(Arc::new(Sample { id: sample, values }));
        }
        Command::SetValue {
            entity: id,
            sample,
            attribute,
            value,
        } => {
            name::check_attribute(&attribute)?;
            let sample = samples(design, id)
                .iter_mut()
                .find(|other| other.id == sample)
                .ok_or_else(|| Refused("this sample no longer exists".into()))?;
            let values = &mut Arc::make_mut(sample).values;
            match value {
                Some(value) => values.insert(attribute, value),
                None => values.remove(&attribute),
            };
        }
        Command::EditSamples(edits) => samples::edit(design, *edits)?,
        Command::DeleteSamples(gone) => {
            for (id, samples) in gone {
                design.remove_samples(id, &samples);
            }
        }
        Command::Pattern(edit) => access_pattern::edit(design, edit)?,
        Command::Workload(edit) => workload::edit(design, edit)?,
        Command::ApplySuggestion {
            pattern,
            suggestion,
            at,
        } => apply_suggestion::apply_suggestion(design, pattern, *suggestion, at)?,
        Command::Move(moves) => {
            let cards = moves.iter().all(|(card, _)| design.has_card(*card));
            known(cards, "card")?;
            Arc::make_mut(&mut design.layout).extend(moves);
        }
        Command::Paste { clip, at, .. } => paste_cards::paste(design, &clip, at)?,
        Command::Delete(cards) => delete::cards(design, &cards),
        // Made of several edits: `apply` has it.
        Command::Fix(_) | Command::Together { .. } => {
            return Err(Refused("several edits are not a single one".into()));
        }
        Command::SetExportOptions { options, .. } => {
            options.check().map_err(|(_, error)| error)?;
            design.export_options = Arc::new(*options);
        }
        Command::EditText(text) => edit_text::replace(design, text.design)?,
        Command::Replace { design: next, .. } => edit_text::replace(design, *next)?,
        Command::Silence(silenced) => silence::silence(design, silenced)?,
        Command::Unsilence { code, place } => silence::unsilence(design, &code, &place),
    }
    Ok(())
}

fn add_entity(design: &mut Design, name: String, at: Point) -> Result<(), Refused> {
    check_entity_name(design, None, &name)?;
    let id = EntityId(design.take_id());
    let entity = suggest::new_entity(design, name);
    let values = suggest::first_sample(design, &entity).into();
    design.entities.insert(id, Arc::new(entity));
    let sample = SampleId(design.take_id());
    samples(design, id).push(Arc::new(Sample { id: sample, values }));
    Arc::make_mut(&mut design.layout).insert(CardId::Entity(id), at);
    Ok(())
}

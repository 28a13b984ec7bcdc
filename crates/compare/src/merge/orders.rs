//! The order of lists: attributes and samples of an entity, silenced findings.

use super::{Conflict, Merge, Reason, Side};
use crate::diff::{ATTRIBUTES, SAMPLES, SILENCED, order_key};
use crate::order::{arrange, merged};
use crate::part::{Part, json, silenced_keys};
use keyfold_core::model::{Design, EntityId};
use serde_json::Value as Json;
use std::sync::Arc;

impl Merge<'_> {
    /// Puts the lists of the merged design in the order of both sides.
    pub(super) fn orders(&mut self, design: &mut Design) {
        for id in Vec::from_iter(design.entities.keys().copied()) {
            if let Some(order) = self.order(Part::Entity(id), ATTRIBUTES, &|design| {
                attributes(design, id)
            }) && let Some(entity) = design.entities.get_mut(&id)
            {
                let list = &mut Arc::make_mut(entity).attributes;
                arrange(list, |attribute| json(&attribute.id), &order);
            }
            if let Some(order) =
                self.order(Part::Entity(id), SAMPLES, &|design| samples(design, id))
                && let Some(list) = design.samples.get_mut(&id)
            {
                arrange(Arc::make_mut(list), |sample| json(&sample.id), &order);
            }
        }
        if let Some(order) = self.order(Part::Design, SILENCED, &silenced) {
            let list = Arc::make_mut(&mut design.silenced);
            let keys = silenced_keys(list);
            let mut keyed: Vec<_> = list.drain(..).zip(keys).collect();
            arrange(&mut keyed, |(_, key)| order_key(key), &order);
            list.extend(keyed.into_iter().map(|(silenced, _)| silenced));
        }
    }

    /// The merged order of a list; `None` if all have it in the same.
    fn order(
        &mut self,
        part: Part,
        field: &str,
        list: &dyn Fn(&Design) -> Vec<Json>,
    ) -> Option<Vec<Json>> {
        let (base, ours, theirs) = (list(self.base), list(self.ours), list(self.theirs));
        if base == ours && ours == theirs {
            return None;
        }
        let (order, is_conflict) = merged(&base, &ours, &theirs, false);
        if !is_conflict {
            return Some(order);
        }
        let values = [&base, &ours, &theirs].map(|list| Some(Json::Array(list.clone())));
        let path = vec![field.to_owned()];
        let conflict = Conflict::new(part, path, Reason::BothChanged, values);
        let take_theirs = self.ask(conflict) == Side::Theirs;
        Some(merged(&base, &ours, &theirs, take_theirs).0)
    }
}

fn attributes(design: &Design, id: EntityId) -> Vec<Json> {
    let entity = design.entities.get(&id);
    let attributes = entity.map_or(&[][..], |entity| &entity.attributes);
    attributes
        .iter()
        .map(|attribute| json(&attribute.id))
        .collect()
}

fn samples(design: &Design, id: EntityId) -> Vec<Json> {
    (design.samples_of(id).iter())
        .map(|sample| json(&sample.id))
        .collect()
}

fn silenced(design: &Design) -> Vec<Json> {
    silenced_keys(&design.silenced)
        .iter()
        .map(order_key)
        .collect()
}

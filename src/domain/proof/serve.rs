//! How an entity's keys in an index, as they are, can be asked for what a pattern wants.

use super::wish::{Known, Wish, text_for};
use crate::domain::engine::languages::key_templates;
use crate::domain::model::{
    Design, EntityId, IndexId, IndexKind, ItemKey, KeyType, Operation, SortCondition, SortOperator,
};
use crate::domain::template::{Segment, Template};

/// The text that stands behind every text that begins with what is before it, as far as keys are ASCII: `~` is the
/// last character of ASCII that can be seen.
const LAST: &str = "~";

/// The operation that asks an index for what is wanted of an entity, with no other filter than the wish has; `None` if
/// its keys there do not allow it: a placeholder of the partition is not known, something that is known stands neither
/// in the partition nor at the beginning of the sort key, or the range is not that of the next placeholder.
pub(super) fn serve(
    design: &Design,
    entity: EntityId,
    wish: &Wish,
    index: IndexId,
) -> Option<Operation> {
    let templates = key_templates(design, design.entities.get(&entity)?, index)?;
    let key = design.key(index)?;
    let (partitions, sorts) = templates.split_at(key.partition.len());
    let mut serving = Serving {
        wish,
        used: vec![false; wish.known.len()],
        ranged: wish
            .range
            .as_ref()
            .is_none_or(|r| r.lower.is_none() && r.upper.is_none()),
    };
    let mut partition = Vec::new();
    for own in partitions {
        partition.push(serving.whole(own)?);
    }
    let mut sort = Vec::new();
    let mut complete = true;
    for (attribute, own) in key.sort.iter().zip(sorts) {
        let is_text = attribute.kind == KeyType::S;
        let (condition, whole) = serving.sort(own, is_text, sorts.len() == 1);
        sort.extend(condition);
        if !whole {
            complete = false;
            break;
        }
    }
    if !serving.ranged || serving.used.contains(&false) {
        return None;
    }
    let by_key = index.is_primary() && complete && wish.range.is_none();
    if by_key && wish.read.filter.is_none() {
        let sort = sort.pop().map(|condition: SortCondition| condition.value);
        return Some(Operation::GetItem {
            key: ItemKey {
                partition: partition.pop()?,
                sort,
            },
            read: wish.read.clone(),
        });
    }
    let mut read = wish.read.clone();
    let is_global = (design.indexes.get(&index)).is_some_and(|index| index.kind == IndexKind::Gsi);
    read.consistent &= !is_global;
    Some(Operation::Query {
        index,
        partition,
        sort,
        descending: wish.descending,
        limit: wish.limit,
        read,
    })
}

struct Serving<'a> {
    wish: &'a Wish,
    /// Which of what is known stands in the condition.
    used: Vec<bool>,
    /// Whether the range stands in the condition.
    ranged: bool,
}

impl Serving<'_> {
    /// The place of what gives a placeholder its text.
    fn known(&self, segment: &Segment) -> Option<usize> {
        let Segment::Placeholder(placeholder) = segment else {
            return None;
        };
        let covers = |known: &Known| known.covers(placeholder);
        self.wish.known.iter().position(covers)
    }

    /// The template, if everything in it is known.
    fn whole(&mut self, template: &Template) -> Option<String> {
        let length = self.leading(template);
        (length == template.segments.len()).then(|| text_for(&template.segments, self.wish))
    }

    /// How many segments at the beginning are known.
    fn leading(&mut self, template: &Template) -> usize {
        for (at, segment) in template.segments.iter().enumerate() {
            match (segment, self.known(segment)) {
                (Segment::Literal { .. }, _) => {}
                (Segment::Placeholder(placeholder), Some(known)) => {
                    self.used[known] |= self.wish.known[known].is_told_by(placeholder);
                }
                _ => return at,
            }
        }
        template.segments.len()
    }

    /// The condition on a sort key attribute, and whether it is equal to the whole.
    fn sort(
        &mut self,
        template: &Template,
        is_text: bool,
        alone: bool,
    ) -> (Option<SortCondition>, bool) {
        let length = self.leading(template);
        let head = text_for(&template.segments[..length], self.wish);
        let condition = |operator, value, upper| {
            Some(SortCondition {
                operator,
                value,
                upper,
            })
        };
        if length == template.segments.len() {
            return (condition(SortOperator::Equal, head, None), true);
        }
        let range = self.wish.range.as_ref().filter(|range| {
            let next = &template.segments[length];
            matches!(next, Segment::Placeholder(next) if next.attribute == range.attribute)
        });
        let Some(range) = range.filter(|_| !self.ranged) else {
            // Without a literal or a value there is nothing to begin with; a number has no beginning.
            let begins = is_text && alone && length > 0;
            let prefix = begins.then(|| condition(SortOperator::BeginsWith, head, None));
            return (prefix.flatten(), false);
        };
        self.ranged = true;
        let bound = |parameter: &String| {
            let mut next = template.segments[length].clone();
            if let Segment::Placeholder(placeholder) = &mut next {
                placeholder.attribute.clone_from(parameter);
            }
            let next = Template {
                segments: vec![next],
            };
            format!("{head}{next}")
        };
        // What follows the attribute in the key lies behind the bound alone.
        let behind = match template.segments.get(length + 1) {
            Some(literal @ Segment::Literal { .. }) => {
                text_for(std::slice::from_ref(literal), self.wish) + LAST
            }
            Some(_) => LAST.to_owned(),
            None => String::new(),
        };
        let upper = |parameter: &String| bound(parameter) + &behind;
        let condition = match (&range.lower, &range.upper) {
            (Some(lower), Some(to)) => {
                condition(SortOperator::Between, bound(lower), Some(upper(to)))
            }
            (Some(lower), None) if head.is_empty() => {
                condition(SortOperator::GreaterOrEqual, bound(lower), None)
            }
            (Some(lower), None) => {
                let end = format!("{head}{LAST}");
                condition(SortOperator::Between, bound(lower), Some(end))
            }
            (None, Some(to)) if head.is_empty() => {
                condition(SortOperator::LessOrEqual, upper(to), None)
            }
            (None, Some(to)) => condition(SortOperator::Between, head.clone(), Some(upper(to))),
            (None, None) => None,
        };
        (condition, false)
    }
}

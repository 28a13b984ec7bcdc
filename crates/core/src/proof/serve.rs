//! How a request can read what a pattern needs from an entity's existing keys in an index.

use super::read_requirement::{Known, ReadRequirement, TextOrder, text_for};
use crate::engine::languages::key_templates;
use crate::engine::query::Unprojected;
use crate::model::{
    AttributeType, Design, Entity, EntityId, IndexId, ItemKey, KeyType, Operation, SortCondition,
    SortOperator,
};
use crate::template::{self, Placeholder, Segment, Template};

/// Sorts after every text that continues the preceding text, if keys are ASCII: `~` is the last printable ASCII
/// character.
const PREFIX_END: &str = "~";

/// Returns the operation that reads what is needed of an entity from an index, with no filter beyond the required one.
/// `None` if the keys there do not allow it: a placeholder of the partition key is unknown, a known attribute is
/// neither in the partition key nor at the beginning of the sort key, the range is not on the next placeholder, or the
/// index does not project what is read.
pub(super) fn serve(
    design: &Design,
    entity: EntityId,
    requirement: &ReadRequirement,
    index: IndexId,
) -> Option<Operation> {
    let entity = design.entities.get(&entity)?;
    let templates = key_templates(design, entity, index)?;
    let key = design.key(index)?;
    let mut read = requirement.read.clone();
    if let Some(range) = &requirement.range
        && let Some(exists) = &range.exists
        && !templates.iter().any(|own| own.uses(&range.attribute))
    {
        // Items without the attribute are in the index as well.
        let rest = read.filter.take().map(|filter| format!(" AND {filter}"));
        read.filter = Some(exists.clone() + &rest.unwrap_or_default());
    }
    let unprojected = Unprojected::of(design, index, &read);
    if !unprojected.unseen.is_empty() || unprojected.rejection(design, index).is_some() {
        return None;
    }
    let (partitions, sorts) = templates.split_at(key.partition.len());
    let mut builder = ConditionBuilder {
        requirement,
        entity,
        used: vec![false; requirement.known.len()],
        ranged: requirement
            .range
            .as_ref()
            .is_none_or(|r| r.lower.is_none() && r.upper.is_none()),
        is_reversed: false,
    };
    let mut partition = Vec::new();
    for own in partitions {
        partition.push(builder.whole(own)?);
    }
    let mut sort = Vec::new();
    let mut complete = true;
    for (attribute, own) in key.sort.iter().zip(sorts) {
        let is_text = attribute.kind == KeyType::S;
        let (condition, whole) = builder.sort(own, is_text, sorts.len() == 1);
        sort.extend(condition);
        if !whole {
            complete = false;
            break;
        }
    }
    if !builder.ranged || builder.used.contains(&false) {
        return None;
    }
    let by_key = index.is_primary() && complete && requirement.range.is_none();
    if by_key && read.filter.is_none() {
        let sort = sort.pop().map(|condition: SortCondition| condition.value);
        return Some(Operation::GetItem {
            key: ItemKey {
                partition: partition.pop()?,
                sort,
            },
            read,
        });
    }
    read.consistent &= !design.is_gsi(index);
    Some(Operation::Query {
        index,
        partition,
        sort,
        descending: requirement.descending != builder.is_reversed,
        limit: requirement.limit,
        read,
    })
}

/// Combines two operations on an index into one on their common item collection, from the common beginning of their
/// sort keys. `None` if they read different item collections or different ranges.
pub(super) fn together(one: Operation, other: Operation, delimiter: &str) -> Option<Operation> {
    if one == other {
        return Some(one);
    }
    // Only the Query of the two has a direction and a limit.
    let (one, other) = match one {
        Operation::GetItem { .. } => (other, one),
        _ => (one, other),
    };
    let (mut one, other) = (queried(one), queried(other));
    let (
        Operation::Query {
            partition, sort, ..
        },
        Operation::Query {
            partition: others,
            sort: tests,
            ..
        },
    ) = (&mut one, &other)
    else {
        return None;
    };
    let is_prefix = |condition: &SortCondition| {
        use SortOperator as Is;
        matches!(condition.operator, Is::Equal | Is::BeginsWith)
    };
    let several = sort.len().max(tests.len()) > 1;
    if partition != others || several || !sort.iter().chain(tests).all(is_prefix) {
        return (partition == others && sort == tests).then_some(one);
    }
    let shared = match (sort.pop(), tests.first()) {
        (Some(own), Some(test)) => shared(&own.value, &test.value, delimiter),
        _ => String::new(),
    };
    if !shared.is_empty() {
        sort.push(SortCondition {
            operator: SortOperator::BeginsWith,
            value: shared,
            upper: None,
        });
    }
    Some(one)
}

/// Converts a GetItem to a Query.
fn queried(operation: Operation) -> Operation {
    match operation {
        Operation::GetItem { key, read } => Operation::Query {
            index: IndexId::PRIMARY,
            partition: vec![key.partition],
            sort: (key.sort.into_iter())
                .map(|value| SortCondition {
                    operator: SortOperator::Equal,
                    value,
                    upper: None,
                })
                .collect(),
            descending: false,
            limit: None,
            read,
        },
        other => other,
    }
}

/// Returns the common beginning of two templates: whole placeholders, and literals up to a delimiter.
fn shared(one: &str, other: &str, delimiter: &str) -> String {
    let (one, other) = (
        template::parse(one).template,
        template::parse(other).template,
    );
    let mut segments = Vec::new();
    for (left, right) in one.segments.iter().zip(&other.segments) {
        match (left, right) {
            (Segment::Placeholder(a), Segment::Placeholder(b))
                if a.attribute == b.attribute && a.modifiers == b.modifiers =>
            {
                segments.push(left.clone());
            }
            (Segment::Literal { text: a, span }, Segment::Literal { text: b, .. }) => {
                if a == b {
                    segments.push(left.clone());
                    continue;
                }
                let same: usize = (a.chars().zip(b.chars()))
                    .take_while(|(a, b)| a == b)
                    .map(|(a, _)| a.len_utf8())
                    .sum();
                // After a placeholder, only the delimiter may be left.
                let end = a[..same]
                    .rfind(delimiter)
                    .map_or(0, |at| at + delimiter.len());
                if end > 0 {
                    segments.push(Segment::Literal {
                        text: a[..end].to_owned(),
                        span: span.clone(),
                    });
                }
                break;
            }
            _ => break,
        }
    }
    Template { segments }.to_string()
}

struct ConditionBuilder<'a> {
    requirement: &'a ReadRequirement,
    entity: &'a Entity,
    /// Which of the known attributes the condition uses.
    used: Vec<bool>,
    /// Whether the condition uses the range.
    ranged: bool,
    /// Whether the greatest value of the range comes first in the key.
    is_reversed: bool,
}

impl ConditionBuilder<'_> {
    /// Returns the position of the known attribute that gives a placeholder its text.
    fn known(&self, segment: &Segment) -> Option<usize> {
        let Segment::Placeholder(placeholder) = segment else {
            return None;
        };
        let covers = |known: &Known| known.covers(placeholder);
        self.requirement.known.iter().position(covers)
    }

    /// Returns the template if everything in it is known.
    fn whole(&mut self, template: &Template) -> Option<String> {
        let length = self.leading(template);
        (length == template.segments.len()).then(|| text_for(&template.segments, self.requirement))
    }

    /// Returns the number of leading segments that are known.
    fn leading(&mut self, template: &Template) -> usize {
        for (at, segment) in template.segments.iter().enumerate() {
            match (segment, self.known(segment)) {
                (Segment::Literal { .. }, _) => {}
                (Segment::Placeholder(placeholder), Some(known)) => {
                    self.used[known] |= self.requirement.known[known].is_determined_by(placeholder);
                }
                _ => return at,
            }
        }
        template.segments.len()
    }

    /// How a key orders an attribute at a placeholder.
    fn order(&self, placeholder: &Placeholder, is_text: bool) -> TextOrder {
        let attribute = self.entity.attribute(&placeholder.attribute);
        let is_number = attribute.is_some_and(|attribute| attribute.kind == AttributeType::N);
        // As text, 10 comes before 9.
        if placeholder.modifiers.is_empty() && is_number && is_text {
            return TextOrder::Other;
        }
        TextOrder::of(&placeholder.modifiers)
    }

    /// Returns the condition on a sort key attribute, and whether it equals the whole attribute.
    fn sort(
        &mut self,
        template: &Template,
        is_text: bool,
        alone: bool,
    ) -> (Option<SortCondition>, bool) {
        let length = self.leading(template);
        let head = text_for(&template.segments[..length], self.requirement);
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
        let mut order = TextOrder::Other;
        let range = self.requirement.range.as_ref().filter(|range| {
            if let Segment::Placeholder(next) = &template.segments[length]
                && next.attribute == range.attribute
            {
                order = self.order(next, is_text);
            }
            order != TextOrder::Other
        });
        let Some(range) = range.filter(|_| !self.ranged) else {
            // Without a literal or a value there is no prefix; a number has no prefix.
            let begins = is_text && alone && length > 0;
            let prefix = begins.then(|| condition(SortOperator::BeginsWith, head, None));
            return (prefix.flatten(), false);
        };
        self.ranged = true;
        self.is_reversed = order == TextOrder::Reversed;
        let (lower, upper) = match self.is_reversed {
            true => (&range.upper, &range.lower),
            false => (&range.lower, &range.upper),
        };
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
        // What follows the attribute in the key sorts after the bound itself.
        let behind = match template.segments.get(length + 1) {
            Some(literal @ Segment::Literal { .. }) => {
                text_for(std::slice::from_ref(literal), self.requirement) + PREFIX_END
            }
            Some(_) => PREFIX_END.to_owned(),
            None => String::new(),
        };
        let last = |parameter: &String| bound(parameter) + &behind;
        let condition = match (lower, upper) {
            (Some(lower), Some(to)) => {
                condition(SortOperator::Between, bound(lower), Some(last(to)))
            }
            (Some(lower), None) if head.is_empty() => {
                condition(SortOperator::GreaterOrEqual, bound(lower), None)
            }
            (Some(lower), None) => {
                let end = format!("{head}{PREFIX_END}");
                condition(SortOperator::Between, bound(lower), Some(end))
            }
            (None, Some(to)) if head.is_empty() => {
                condition(SortOperator::LessOrEqual, last(to), None)
            }
            (None, Some(to)) => condition(SortOperator::Between, head.clone(), Some(last(to))),
            (None, None) => None,
        };
        (condition, false)
    }
}

//! What DynamoDB's API calls the settings of a table, for every format that repeats it.

use super::cloudformation::plan::{GlobalIndex, Plan, SecondaryIndex};
use super::literal::{Literal, Object};
use crate::model::{ContributorInsights, KeySchema, Projection, StreamView};

/// `NEW_AND_OLD_IMAGES` and the like.
pub fn stream_view(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

/// The mode of Contributor Insights.
pub fn insights_mode(mode: ContributorInsights) -> &'static str {
    match mode {
        ContributorInsights::AccessedAndThrottledKeys => "ACCESSED_AND_THROTTLED_KEYS",
        ContributorInsights::ThrottledKeys => "THROTTLED_KEYS",
    }
}

/// What a stream in Kinesis gives the time of a change in.
pub fn precision(microseconds: bool) -> &'static str {
    match microseconds {
        true => "MICROSECOND",
        false => "MILLISECOND",
    }
}

/// The type of a projection and the names that it lists.
pub fn projection(projection: &Projection) -> (&'static str, &[String]) {
    match projection {
        Projection::All => ("ALL", &[]),
        Projection::KeysOnly => ("KEYS_ONLY", &[]),
        Projection::Include(names) => ("INCLUDE", names),
    }
}

/// A key as the API has it: `AttributeName` and `KeyType` of each attribute.
pub fn key_schema(key: &KeySchema) -> Literal {
    let mut schema = Vec::new();
    for (attributes, role) in [(&key.partition, "HASH"), (&key.sort, "RANGE")] {
        for attribute in attributes {
            let element = Object::new().with("AttributeName", attribute.name.as_str());
            schema.push(element.with("KeyType", role).into());
        }
    }
    Literal::List(schema)
}

/// A projection as the API has it.
pub fn projection_object(of: &Projection) -> Object {
    let (kind, names) = projection(of);
    let mut object = Object::new().with("ProjectionType", kind);
    if !names.is_empty() {
        let names = names.iter().map(String::as_str);
        object.add("NonKeyAttributes", Literal::texts(names));
    }
    object
}

/// Every secondary index, global ones first, with what only a global one has.
pub fn indexes<'p, 'd>(
    plan: &'p Plan<'d>,
) -> impl Iterator<Item = (&'p SecondaryIndex<'d>, Option<&'p GlobalIndex<'d>>)> {
    let global = plan
        .global
        .iter()
        .map(|global| (&global.index, Some(global)));
    global.chain(plan.local.iter().map(|local| (local, None)))
}

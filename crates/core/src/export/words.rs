//! The names of table settings in the DynamoDB API, shared by the formats that use them.

use super::literal::{Literal, Object};
use super::table_plan::{GlobalIndex, Plan, SecondaryIndex};
use crate::model::{ContributorInsights, KeySchema, Projection, StreamView};

/// Returns `NEW_AND_OLD_IMAGES` and so on.
pub fn stream_view(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

/// Returns the mode of Contributor Insights.
pub fn insights_mode(mode: ContributorInsights) -> &'static str {
    match mode {
        ContributorInsights::AccessedAndThrottledKeys => "ACCESSED_AND_THROTTLED_KEYS",
        ContributorInsights::ThrottledKeys => "THROTTLED_KEYS",
    }
}

/// Returns the precision of the change times in a Kinesis stream.
pub fn precision(microseconds: bool) -> &'static str {
    match microseconds {
        true => "MICROSECOND",
        false => "MILLISECOND",
    }
}

/// Returns the type of a projection and its attribute names.
pub fn projection(projection: &Projection) -> (&'static str, &[String]) {
    match projection {
        Projection::All => ("ALL", &[]),
        Projection::KeysOnly => ("KEYS_ONLY", &[]),
        Projection::Include(names) => ("INCLUDE", names),
    }
}

/// Returns a key schema of the API: `AttributeName` and `KeyType` of each attribute.
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

/// Returns a projection of the API.
pub fn projection_object(of: &Projection) -> Object {
    let (kind, names) = projection(of);
    let mut object = Object::new().with("ProjectionType", kind);
    if !names.is_empty() {
        let names = names.iter().map(String::as_str);
        object.add("NonKeyAttributes", Literal::texts(names));
    }
    object
}

/// Returns all secondary indexes, GSIs first, each with its settings that only a GSI has.
pub fn indexes<'p, 'd>(
    plan: &'p Plan<'d>,
) -> impl Iterator<Item = (&'p SecondaryIndex<'d>, Option<&'p GlobalIndex<'d>>)> {
    let global = plan
        .global
        .iter()
        .map(|global| (&global.index, Some(global)));
    global.chain(plan.local.iter().map(|local| (local, None)))
}

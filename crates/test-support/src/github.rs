//! A model like GitHub's: ten entities, two GSIs, no formats and no samples, as a person types it.

use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Design, Entity, EntityId, Index, IndexEntry, IndexId,
    IndexKind, KeySchema,
};
use std::sync::Arc;

/// Name, partition key and sort key; attributes as `name:TYPE`, S by default; the templates in GSI1 and GSI2.
type Row = (
    &'static str,
    [&'static str; 2],
    &'static str,
    Option<[&'static str; 2]>,
    Option<[&'static str; 2]>,
);

const ENTITIES: [Row; 10] = [
    (
        "User",
        ["ACCOUNT#{username}", "ACCOUNT#{username}"],
        "username email plan createdAt",
        None,
        None,
    ),
    (
        "Organization",
        ["ACCOUNT#{orgName}", "ACCOUNT#{orgName}"],
        "orgName plan createdAt",
        None,
        None,
    ),
    (
        "Membership",
        ["ACCOUNT#{orgName}", "MEMBER#{username}"],
        "orgName username role joinedAt",
        Some(["ACCOUNT#{username}", "MEMBER#{orgName}"]),
        None,
    ),
    (
        "Repo",
        ["REPO#{owner}#{repoName}", "REPO#{owner}#{repoName}"],
        "owner repoName description starCount:N forkCount:N createdAt updatedAt",
        Some(["ACCOUNT#{owner}", "REPO#{updatedAt}#{repoName}"]),
        None,
    ),
    (
        "Issue",
        ["REPO#{owner}#{repo}", "ISSUE#{issueNumber:pad(7)}"],
        "owner repo issueNumber:N title creator status createdAt",
        Some(["ACCOUNT#{creator}", "ISSUE#{createdAt}"]),
        Some(["REPO#{owner}#{repo}#ISSUE#{status}", "{issueNumber:pad(7)}"]),
    ),
    (
        "Pull request",
        ["REPO#{owner}#{repo}", "PR#{prNumber:pad(7)}"],
        "owner repo prNumber:N title creator status createdAt",
        Some(["ACCOUNT#{creator}", "PR#{createdAt}"]),
        Some(["REPO#{owner}#{repo}#PR#{status}", "{prNumber:pad(7)}"]),
    ),
    (
        "Issue comment",
        [
            "ISSUECOMMENT#{owner}#{repo}#{issueNumber:pad(7)}",
            "COMMENT#{createdAt}#{commentId}",
        ],
        "owner repo issueNumber:N commentId author body createdAt",
        None,
        None,
    ),
    (
        "Star",
        ["REPO#{owner}#{repo}", "STAR#{username}"],
        "owner repo username starredAt",
        Some(["ACCOUNT#{username}", "STAR#{starredAt}"]),
        None,
    ),
    (
        "Fork",
        ["REPO#{originalOwner}#{repo}", "FORK#{forkOwner}"],
        "originalOwner repo forkOwner createdAt",
        None,
        Some(["FORKS#{forkOwner}", "{createdAt}"]),
    ),
    (
        "Gist",
        ["ACCOUNT#{owner}", "GIST#{gistId}"],
        "owner gistId title content createdAt",
        None,
        None,
    ),
];

/// The design.
pub fn github() -> Design {
    let mut design = Design::new("GitHub");
    let [first, second] = ["GSI1", "GSI2"].map(|name| {
        let key = KeySchema::pair(format!("{name}PK"), format!("{name}SK"));
        let id = IndexId(design.take_id());
        let index = Index::new(name, IndexKind::Gsi, key);
        design.indexes.insert(id, Arc::new(index));
        id
    });
    for ((name, key, attributes, in_first, in_second), hue) in ENTITIES.into_iter().zip(0..) {
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(name, hue);
        for text in attributes.split(' ') {
            let (name, kind) = text.split_once(':').unwrap_or((text, "S"));
            let kind = AttributeType::from_word(kind).expect("a type");
            let id = AttributeId(design.take_id());
            entity.attributes.push(Attribute::new(id, name, kind));
        }
        let entries = [
            (IndexId::PRIMARY, Some(key)),
            (first, in_first),
            (second, in_second),
        ];
        for (index, entry) in entries {
            if let Some([partition, sort]) = entry {
                (entity.keys).insert(index, IndexEntry::pair(partition, sort));
            }
        }
        design.entities.insert(id, Arc::new(entity));
    }
    design
}

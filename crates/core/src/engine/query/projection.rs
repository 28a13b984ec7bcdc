//! What an index does not project of what a read asks for.

use super::Rejection;
use super::expression::{Path, parse_condition, parse_projection, uses_of_condition};
use crate::engine::index_content::IndexContent;
use crate::model::{Design, Index, IndexId, IndexKind, Read};

/// The attributes that an index does not project, by what a read does with them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unprojected {
    /// Those that it returns: a GSI rejects the read, an LSI fetches them from the table.
    pub returned: Vec<String>,
    /// Those that its filter tests without seeing them. An LSI that fetches items sees all of them.
    pub unseen: Vec<String>,
}

impl Unprojected {
    /// What the table or an index does not project of a read. An expression with an error asks for nothing.
    pub fn of(design: &Design, index: IndexId, read: &Read) -> Unprojected {
        let (Some(secondary), Some(content)) =
            (design.indexes.get(&index), IndexContent::new(design, index))
        else {
            return Unprojected::default();
        };
        let paths = parse_projection(&read.projection.join(", ")).unwrap_or_default();
        let returned = returned(&content, &paths);
        let is_fetched = secondary.kind == IndexKind::Lsi && !returned.is_empty();
        let filter = read.filter.as_deref().filter(|_| !is_fetched);
        let filter = filter.map(parse_condition).and_then(Result::ok);
        let tested = filter.map(|filter| uses_of_condition(&filter).attributes());
        let mut unseen = tested.unwrap_or_default();
        unseen.retain(|name| !content.shows(name));
        Unprojected { returned, unseen }
    }

    /// Why DynamoDB rejects the read, if it does.
    pub fn rejection(&self, design: &Design, index: IndexId) -> Option<Rejection> {
        rejection(design.indexes.get(&index)?, self.returned.clone())
    }

    /// All of them, each once.
    pub fn all(&self) -> Vec<String> {
        let mut all = self.returned.clone();
        let more = self
            .unseen
            .iter()
            .filter(|name| !self.returned.contains(name));
        all.extend(more.cloned());
        all
    }
}

/// The attributes that a projection names and the index does not project.
pub(super) fn returned(content: &IndexContent, projection: &[Path]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in projection {
        let name = &path.attribute.text;
        if !content.shows(name) && !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Why a read of the index cannot return these attributes, which it does not project: a GSI fetches nothing from the table.
pub(super) fn rejection(index: &Index, attributes: Vec<String>) -> Option<Rejection> {
    let refused = index.kind == IndexKind::Gsi && !attributes.is_empty();
    refused.then(|| Rejection::NotProjected {
        index: index.name.clone(),
        attributes,
    })
}

//! The names in composed keys, and what an index says about them.

use crate::cursor::Members;
use crate::form::Notes;
use keyfold_core::export::tree::Node;

/// The names in composed keys.
pub struct Names {
    pub entity: String,
    service: String,
    version: String,
    /// Whether the names are beside the attributes: before version 1, the version was in the partition key.
    is_old: bool,
}

impl Names {
    /// Reads the names.
    ///
    /// # Errors
    ///
    /// The place of the entity's name, if there is none.
    pub fn of(model: &Members, is_old: bool, notes: &mut Notes) -> Result<Names, String> {
        let entity = word(model, "entity", notes);
        Ok(Names {
            entity: entity
                .ok_or_else(|| format!("{}: expected a string", model.path_of("entity")))?,
            service: word(model, "service", notes).unwrap_or_default(),
            version: word(model, "version", notes).unwrap_or_default(),
            is_old,
        })
    }

    /// What begins the keys of the entity.
    pub fn own(&self) -> String {
        match self.is_old {
            true => self.entity.clone(),
            false => format!("{}_{}", self.entity, self.version),
        }
    }

    /// What begins a partition key. Without a sort key, the name of the entity is here.
    pub fn partition_start(&self, literals: &Literals) -> String {
        let mut start = format!("${}", self.service);
        if self.is_old {
            start = format!("{start}_{}", self.version);
        }
        if !literals.has_sort {
            start = format!("{start}${}", self.own());
        }
        match &literals.scope {
            Some(scope) => format!("{start}_{scope}"),
            None => start,
        }
    }
}

/// A name; of an expression, the last word, which is noted.
pub fn word(from: &Members, name: &str, notes: &mut Notes) -> Option<String> {
    let Some(Node::Code(code)) = from.get(name) else {
        return from.text(name, notes);
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = code
        .rsplit(|c: char| !is_word(c))
        .filter(|word| !word.is_empty());
    let word = words.next()?.to_owned();
    let why = format!("`{code}` is not a literal: `{word}` stands for it in names and keys");
    notes.add(from.path_of(name), why);
    Some(word)
}

/// What an index says about the literals in its keys.
pub struct Literals<'s> {
    pub collection: &'s str,
    pub is_clustered: bool,
    pub scope: Option<String>,
    pub has_sort: bool,
}

//! What a cell of the table shows and takes: whether it can be edited, as which type its text is read.

use super::lines::Sheet;
use keyfold_core::engine::key_sources::{
    KeyTemplate, copies_own_attribute, is_replaced, stored_template,
};
use keyfold_core::engine::{IndexContent, Item, ValueRef};
use keyfold_core::model::{AttributeType, Design, EntityId, KeySchema, SampleId, Value};
use std::ops::Range;

/// Why an entity's attribute cannot be edited in a cell; `None`: it can.
pub fn locked(design: &Design, entity: EntityId, name: &str) -> Option<String> {
    if design.table.type_attribute.as_deref() == Some(name) {
        return Some(format!(
            "`{name}` contains the entity's name: rename the entity instead"
        ));
    }
    let entity = design.entities.get(&entity)?;
    let found = stored_template(design, entity, name);
    let found = found.filter(|found| !copies_own_attribute(entity, found));
    found.map(|KeyTemplate { text, .. }| {
        format!(
            "the template `{text}` renders `{name}`: edit the attributes in the template instead"
        )
    })
}

/// Returns the type to parse a cell's text as: the attribute's type in the entity, otherwise that of the current value,
/// that is there, else that of a key attribute of this name, else text.
pub fn kind(
    design: &Design,
    entity: EntityId,
    name: &str,
    value: Option<ValueRef>,
) -> AttributeType {
    Rule::new(design, entity, name, None).kind(value)
}

/// What the cells of one entity in one column take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Whether they cannot be edited: a template renders them, or the index that is shown does not have them.
    pub locked: bool,
    declared: Option<AttributeType>,
    of_key: Option<AttributeType>,
}

impl Rule {
    /// Whether the attribute is one of the entity's.
    pub fn is_declared(&self) -> bool {
        self.declared.is_some()
    }

    fn new(design: &Design, entity: EntityId, name: &str, content: Option<&IndexContent>) -> Rule {
        let found = design.entities.get(&entity);
        let of_key = (design.index_ids())
            .filter_map(|index| design.key(index))
            .flat_map(KeySchema::attributes)
            .find(|key| key.name == name)
            .map(|key| AttributeType::from(key.kind));
        Rule {
            locked: design.table.type_attribute.as_deref() == Some(name)
                || found.is_some_and(|entity| is_replaced(design, entity, name))
                || content.is_some_and(|content| !content.shows(name)),
            declared: found
                .and_then(|entity| entity.attribute(name))
                .map(|attribute| attribute.kind),
            of_key,
        }
    }

    /// The type in which a text is read, where this value is.
    pub fn kind(&self, value: Option<ValueRef>) -> AttributeType {
        (self.declared.or_else(|| value.map(ValueRef::kind)))
            .or(self.of_key)
            .unwrap_or_default()
    }

    /// Returns another cell's value in the type of the attribute or of the key attribute of its name. Without such a
    /// type it stays as it is; NULL fits any type.
    ///
    /// # Errors
    ///
    /// Returns why the value does not fit.
    pub fn converted(&self, value: Value) -> Result<Value, String> {
        match self.declared.or(self.of_key) {
            Some(kind) if value.kind() != kind && value != Value::Null => {
                Value::from_text(kind, &value.to_text())
            }
            _ => Ok(value),
        }
    }
}

/// The rules of several entities and columns, each looked up once.
pub struct Rules<'a> {
    design: &'a Design,
    content: Option<&'a IndexContent>,
    known: Vec<(EntityId, String, Rule)>,
}

impl<'a> Rules<'a> {
    /// For the cells of a table or an index.
    pub fn new(cells: &Cells<'a>) -> Self {
        Rules {
            design: cells.design,
            content: cells.sheet.view().content.as_ref(),
            known: Vec::new(),
        }
    }

    /// For new items. They are written to the table, so that no index restricts their attributes.
    pub fn of_new_items(design: &'a Design) -> Self {
        Rules {
            design,
            content: None,
            known: Vec::new(),
        }
    }

    /// The rule for an entity's attribute.
    pub fn of(&mut self, entity: EntityId, name: &str) -> Rule {
        let is_it = |(e, n, _): &&(EntityId, String, Rule)| *e == entity && n == name;
        if let Some((_, _, rule)) = self.known.iter().find(is_it) {
            return *rule;
        }
        let rule = Rule::new(self.design, entity, name, self.content);
        self.known.push((entity, name.to_owned(), rule));
        rule
    }
}

/// The cells that are shown: the lines of a sheet, and columns in the order in which they stand.
#[derive(Clone, Copy)]
pub struct Cells<'a> {
    /// The design.
    pub design: &'a Design,
    /// The lines.
    pub sheet: &'a Sheet,
    /// The attributes of the columns.
    pub columns: &'a [String],
}

/// Some of the cells: a rectangle, or whole rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Area {
    /// The lines, from the top; all of them have cells.
    pub lines: Vec<usize>,
    /// The columns.
    pub columns: Range<usize>,
    /// Whether whole rows are selected, not just these columns.
    pub whole: bool,
}

impl Area {
    /// Whether it is one cell.
    pub fn is_one(&self) -> bool {
        self.lines.len() == 1 && self.columns.len() == 1 && !self.whole
    }
}

impl Cells<'_> {
    /// The item on a line.
    pub fn item(&self, line: usize) -> Option<Item> {
        self.sheet.item(line)
    }

    /// The value that a cell shows: none where the item lacks it, or the index does not have the attribute.
    pub fn value(&self, line: usize, column: usize) -> Option<Value> {
        let name = self.columns.get(column)?;
        let item = self.item(line)?;
        self.sheet.value(&item, name).map(ValueRef::to_value)
    }

    /// The text that a cell shows.
    pub fn text(&self, line: usize, column: usize) -> String {
        self.value(line, column)
            .map(|value| value.to_text())
            .unwrap_or_default()
    }

    /// The entity and the sample on a line.
    pub fn row(&self, line: usize) -> Option<(EntityId, SampleId)> {
        self.item(line).map(|item| (item.entity, item.id()))
    }
}

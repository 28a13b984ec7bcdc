//! What a cell of the table shows and takes: whether it can be edited, as which type its text is read.

use super::lines::Sheet;
use keyfold_core::engine::key_sources::{
    KeyTemplate, copies_own_attribute, is_replaced, stored_template,
};
use keyfold_core::engine::{IndexContent, Item, ValueRef};
use keyfold_core::model::{
    AttributeType, Design, EntityId, KeySchema, Sample, SampleId, SortedSet, Value,
};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// Why an entity's attribute cannot be edited in a cell; `None`: it can.
pub fn locked(design: &Design, entity: EntityId, name: &str) -> Option<String> {
    if design.table.is_type_attribute(name) {
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

/// Whether the design, not the sample, says the value of an entity's attribute: by a template or as the type attribute.
fn is_rendered(design: &Design, entity: EntityId, name: &str) -> bool {
    let found = design.entities.get(&entity);
    design.table.is_type_attribute(name)
        || found.is_some_and(|entity| is_replaced(design, entity, name))
}

/// Returns the value of an item's attribute in the design as it is now. In a large design, the items of the view follow
/// an edit a little later. Keys that templates render stay those of the view.
pub fn value_now(design: &Design, item: &Item, name: &str) -> Option<Value> {
    let mut samples = design.samples_of(item.entity).iter();
    let sample = samples.find(|sample| sample.id == item.id());
    value_in(design, item, name, sample)
}

fn value_in(design: &Design, item: &Item, name: &str, now: Option<&Arc<Sample>>) -> Option<Value> {
    let changed = now.filter(|now| !Arc::ptr_eq(now, item.sample()));
    match changed.filter(|_| !is_rendered(design, item.entity, name)) {
        Some(sample) => sample.values.get(name).cloned(),
        None => item.known(name).map(ValueRef::to_value),
    }
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
            locked: is_rendered(design, entity, name)
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

/// Says that these attributes were added to rows whose entity does not declare them; `None` if there are none.
pub fn say_undeclared(names: &SortedSet<String>) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty())
        .then(|| format!("Some rows belong to entities without {}", names.join(", ")))
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
#[derive(Clone)]
pub struct Cells<'a> {
    /// The design.
    pub design: &'a Design,
    /// The lines.
    pub sheet: &'a Sheet,
    /// The attributes of the columns.
    pub columns: &'a [String],
    /// The samples of the design; found when the first value is read.
    pub samples: OnceCell<FxHashMap<SampleId, &'a Arc<Sample>>>,
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

impl<'a> Cells<'a> {
    /// The cells of a sheet in these columns.
    pub fn new(design: &'a Design, sheet: &'a Sheet, columns: &'a [String]) -> Self {
        Cells {
            design,
            sheet,
            columns,
            samples: OnceCell::new(),
        }
    }

    /// The item on a line.
    pub fn item(&self, line: usize) -> Option<Item> {
        self.sheet.item(line)
    }

    /// The value of a cell as [`value_now`] says: none where the item lacks it, or the index does not have the attribute.
    pub fn value(&self, line: usize, column: usize) -> Option<Value> {
        let name = self.columns.get(column)?;
        let item = self.item(line)?;
        if (self.sheet.view().content.as_ref()).is_some_and(|content| !content.shows(name)) {
            return None;
        }
        let samples = self.samples.get_or_init(|| {
            let all = self
                .design
                .samples
                .values()
                .flat_map(|samples| samples.iter());
            all.map(|sample| (sample.id, sample)).collect()
        });
        value_in(self.design, &item, name, samples.get(&item.id()).copied())
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

//! The values that a plan writes, column by column.

use crate::model::{AttributeType, Value};
use crate::template::{DelimiterPolicy, Splice, Template};
use std::borrow::Cow;

/// The values that a plan writes to one attribute of a chunk's items.
#[derive(Debug)]
pub(super) enum Column {
    /// The same value for all items.
    Same(Option<Value>),
    /// One string per item.
    Texts(Texts),
    /// One value per item.
    Each(Vec<Option<Value>>),
}

/// Strings stored one after the other: most keys are strings, and one allocation each would be too much memory. An
/// empty string means that the item lacks the attribute.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: String,
    /// End offset of each string.
    ends: Vec<u32>,
}

impl Texts {
    #[inline(always)]
    fn get(&self, at: usize) -> Option<&str> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = *self.ends.get(at)?;
        (start < end).then(|| &self.all[start as usize..end as usize])
    }

    fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len() as u32);
    }

    fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.all
            .truncate(self.ends.last().map_or(0, |end| *end as usize));
    }
}

/// A stored value, possibly a string stored without a [`Value`].
#[derive(Debug, Clone, Copy)]
pub enum ValueRef<'a> {
    /// A string, never empty.
    Text(&'a str),
    /// Any value.
    Value(&'a Value),
}

impl<'a> ValueRef<'a> {
    /// The type.
    pub fn kind(self) -> AttributeType {
        match self {
            ValueRef::Text(_) => AttributeType::S,
            ValueRef::Value(value) => value.kind(),
        }
    }

    /// The size in bytes, as DynamoDB counts it.
    pub fn size(self) -> usize {
        match self {
            ValueRef::Text(text) => text.len(),
            ValueRef::Value(value) => value.size(),
        }
    }

    /// The text of a string value.
    pub fn text(self) -> Option<&'a str> {
        match self {
            ValueRef::Text(text) => Some(text),
            ValueRef::Value(Value::S(text)) => Some(text),
            ValueRef::Value(_) => None,
        }
    }

    /// The value in one line, as by [`Value::to_text`].
    pub fn to_text(self) -> String {
        match self {
            ValueRef::Text(text) => text.to_owned(),
            ValueRef::Value(value) => value.to_text(),
        }
    }

    /// The value; a string stored without a [`Value`] is copied.
    pub fn value(self) -> Cow<'a, Value> {
        match self {
            ValueRef::Text(text) => Cow::Owned(Value::S(text.to_owned())),
            ValueRef::Value(value) => Cow::Borrowed(value),
        }
    }

    /// A copy of the value.
    pub fn to_value(self) -> Value {
        self.value().into_owned()
    }
}

impl PartialEq for ValueRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (ValueRef::Value(own), ValueRef::Value(other)) => own == other,
            _ => self.text().is_some() && self.text() == other.text(),
        }
    }
}

impl Column {
    /// An empty column with room for this many items.
    pub fn with_capacity(count: usize) -> Column {
        Column::Texts(Texts {
            all: String::new(),
            ends: Vec::with_capacity(count),
        })
    }

    /// The value of an item.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<ValueRef<'_>> {
        match self {
            Column::Same(value) => value.as_ref().map(ValueRef::Value),
            Column::Texts(texts) => texts.get(at).map(ValueRef::Text),
            Column::Each(values) => values.get(at)?.as_ref().map(ValueRef::Value),
        }
    }

    /// Appends the next item's value.
    pub fn push(&mut self, value: Option<Value>) {
        match (&mut *self, value) {
            (Column::Texts(texts), None) => texts.push(""),
            (Column::Texts(texts), Some(Value::S(text))) if !text.is_empty() => texts.push(&text),
            (Column::Texts(texts), value) => {
                let text = |at| texts.get(at).map(|text| Value::S(text.to_owned()));
                let mut values: Vec<Option<Value>> = (0..texts.ends.len()).map(text).collect();
                values.push(value);
                *self = Column::Each(values);
            }
            (Column::Each(values), value) => values.push(value),
            (Column::Same(_), _) => {}
        }
    }

    /// Like [`Column::push`] for a non-empty string.
    pub fn push_text(&mut self, text: &str) {
        match self {
            Column::Texts(texts) => texts.push(text),
            other => other.push(Some(Value::S(text.to_owned()))),
        }
    }

    /// The column that `write` would write for the same items, derived from the column of another write; `None` if it
    /// has to be rendered.
    pub fn spliced(
        &self,
        old: &Template,
        new: &Template,
        most: usize,
        policy: &DelimiterPolicy,
    ) -> Option<Column> {
        let Column::Texts(texts) = self else {
            return None;
        };
        let splice = Splice::between(old, new, policy)?;
        let growth = splice.growth() * texts.ends.len() as isize;
        let mut new = Texts {
            all: String::with_capacity(texts.all.len().saturating_add_signed(growth)),
            ends: Vec::with_capacity(texts.ends.len()),
        };
        for at in 0..texts.ends.len() {
            let start = new.all.len();
            if let Some(text) = texts.get(at) {
                for part in splice.apply(text)? {
                    new.all.push_str(part);
                }
                if !(1..=most).contains(&(new.all.len() - start)) {
                    return None;
                }
            }
            new.ends.push(new.all.len() as u32);
        }
        Some(Column::Texts(new))
    }

    /// Appends missing values up to this length.
    pub fn fill(&mut self, count: usize) {
        let there = match self {
            Column::Same(_) => return,
            Column::Texts(texts) => texts.ends.len(),
            Column::Each(values) => values.len(),
        };
        (there..count).for_each(|_| self.push(None));
    }

    /// Keeps only the first `count` values.
    pub fn truncate(&mut self, count: usize) {
        match self {
            Column::Same(_) => {}
            Column::Texts(texts) => texts.truncate(count),
            Column::Each(values) => values.truncate(count),
        }
    }

    /// Releases unused memory.
    pub fn shrunk(mut self) -> Column {
        if let Column::Texts(texts) = &mut self {
            texts.all.shrink_to_fit();
        }
        self
    }

    /// Whether every item has the attribute.
    pub fn is_full(&self) -> bool {
        match self {
            Column::Same(value) => value.is_some(),
            Column::Texts(texts) => (0..texts.ends.len()).all(|at| texts.get(at).is_some()),
            Column::Each(values) => values.iter().all(Option::is_some),
        }
    }
}

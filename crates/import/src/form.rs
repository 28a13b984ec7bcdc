//! What every reader returns: the tables of a file, with everything that the file says about them.

use crate::aws_cli_call::Call;
use crate::format_list::Format;
use crate::setting::Setting;
use crate::terraform::file::Block;
use keyfold_core::export::json;
use keyfold_core::export::tree::Node;
pub use keyfold_core::import::items::{FoundItem, ItemValues, LooseItems};
pub use keyfold_core::import::{Note, Notes};
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{
    Attribute, AttributeType, Design, Index, IndexEntry, Read, SortOperator, SortedSet, Table,
};

/// The content of one or several files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    /// The formats of the files, each once.
    pub formats: Vec<Format>,
    /// What the file calls all of its tables together; empty if it has no name for them.
    pub name: String,
    /// The tables, in the order of the files.
    pub tables: Vec<FoundTable>,
    /// Items whose table the file does not define.
    pub loose: Vec<LooseItems>,
    /// Settings apart from the definitions of their tables.
    pub settings: Vec<Setting>,
    /// The blocks of Terraform, which those of other files may refer to.
    pub(crate) blocks: Vec<Block>,
    /// Whole designs: Keyfold's own files.
    pub designs: Vec<Design>,
    /// What was not understood, and what is not imported as it is in the file.
    pub left_out: Vec<Note>,
    /// What the files do not say and the values suggest, such as the key of a table.
    pub assumed: Vec<Note>,
}

/// The name of a table that its file does not name.
pub const UNNAMED: &str = "Imported table";

/// What says how a table is called.
#[derive(Debug, Clone, PartialEq)]
pub enum Naming {
    /// The file has the name.
    Known,
    /// An expression that the file alone does not determine.
    Expression(String),
    /// Nothing: the name is one that fits.
    Chosen,
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundTable {
    /// Where the file describes it.
    pub place: String,
    /// The name for the design.
    pub name: String,
    /// What says how the table is called.
    pub naming: Naming,
    /// What the table is about. Free text.
    pub description: String,
    /// The table with its key and its settings.
    pub table: Table,
    /// Its indexes.
    pub indexes: Vec<Index>,
    /// Whether it is deleted with its stack.
    pub delete_with_stack: bool,
    /// The delimiter of its keys, if the file names it.
    pub delimiter: Option<String>,
    /// Its items, in the order of the file.
    pub items: Vec<FoundItem>,
    /// The types of attributes, as far as the file declares them for the table as a whole.
    pub types: Vec<(String, AttributeType)>,
    /// Parts of the table that the file names without templates.
    pub facets: Vec<Facet>,
    /// Its entities, if the file has key templates.
    pub entities: Vec<FoundEntity>,
    /// Its access patterns.
    pub patterns: Vec<FoundPattern>,
}

impl FoundTable {
    /// A table without items and entities.
    pub fn new(place: impl Into<String>, table: Table, indexes: Vec<Index>) -> Self {
        FoundTable {
            place: place.into(),
            name: table.name.clone(),
            naming: Naming::Known,
            description: String::new(),
            table,
            indexes,
            delete_with_stack: false,
            delimiter: None,
            items: Vec::new(),
            types: Vec::new(),
            facets: Vec::new(),
            entities: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// Gives a name to the table and its design.
    pub fn call(&mut self, name: impl Into<String>, naming: Naming) {
        self.name = name.into();
        self.table.name = table_name_for(&self.name);
        self.naming = naming;
    }

    /// Calls the table as a value of a script says.
    pub fn call_by(&mut self, name: Option<&Node>) {
        match name {
            Some(Node::Text(name)) => self.call(name, Naming::Known),
            Some(Node::Code(code)) => self.call(UNNAMED, Naming::Expression(code.clone())),
            Some(other) => self.call(UNNAMED, Naming::Expression(json::line(other))),
            None => self.call(UNNAMED, Naming::Chosen),
        }
    }

    /// Adds a number to the name if no file has it and one of these tables has it too: `Imported table 2`.
    pub fn make_unique<'a>(&mut self, others: impl Iterator<Item = &'a FoundTable>) {
        if self.naming == Naming::Known {
            return;
        }
        let taken: SortedSet<&str> = others.map(|other| other.table.name.as_str()).collect();
        // A name that is cut off would lose the number.
        let start = self.name[..self.name.floor_char_boundary(200)].to_owned();
        let mut number = 1;
        while taken.contains(self.table.name.as_str()) {
            number += 1;
            self.name = format!("{start} {number}");
            self.table.name = table_name_for(&self.name);
        }
    }

    /// Whether an attribute is in the key of the table or of an index.
    pub fn has_key(&self, name: &str) -> bool {
        let indexes = self.indexes.iter().map(|index| &index.key);
        let mut keys = std::iter::once(&self.table.key).chain(indexes);
        keys.any(|key| key.attributes().any(|key| key.name == name))
    }
}

/// A facet of a NoSQL Workbench table: a hint at an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Facet {
    /// The name.
    pub name: String,
    /// What the facet calls the partition key.
    pub partition_alias: Option<String>,
    /// What the facet calls the sort key.
    pub sort_alias: Option<String>,
    /// Its other attributes.
    pub attributes: Vec<String>,
    /// Its items, as positions in [`FoundTable::items`].
    pub items: Vec<usize>,
}

/// An entity with key templates.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEntity {
    /// Where the file describes it.
    pub place: String,
    /// The name.
    pub name: String,
    /// What the entity stands for. Free text.
    pub description: String,
    /// The attributes; their ids have no meaning yet.
    pub attributes: Vec<Attribute>,
    /// The keys: of the table (`None`) and of indexes, by name.
    pub keys: Vec<(Option<String>, IndexEntry)>,
}

/// An access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPattern {
    /// Where the file describes it.
    pub place: String,
    /// The name.
    pub name: String,
    /// What it is for. Free text.
    pub description: String,
    /// The operation.
    pub operation: FoundOperation,
    /// The entities that it returns or writes, by name.
    pub entities: Vec<String>,
}

/// The operation of an access pattern. Keys are templates over its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundOperation {
    /// One item.
    GetItem {
        /// Partition key and sort key.
        key: (String, Option<String>),
        /// Options of the read.
        read: Read,
    },
    /// Several items.
    BatchGetItem {
        /// Partition key and sort key.
        key: (String, Option<String>),
        /// Options of the read.
        read: Read,
    },
    /// Items of a collection.
    Query {
        /// The index, `None` for the table.
        index: Option<String>,
        /// The templates of the partition key.
        partition: Vec<String>,
        /// The conditions on the sort key: operator, value and upper bound.
        sort: Vec<(SortOperator, String, Option<String>)>,
        /// Options of the read.
        read: Read,
    },
    /// All items.
    Scan {
        /// The index, `None` for the table.
        index: Option<String>,
        /// Options of the read.
        read: Read,
    },
    /// Puts an item of this entity.
    PutItem(String),
    /// Deletes an item.
    DeleteItem((String, Option<String>)),
    /// Changes an item.
    UpdateItem {
        /// Partition key and sort key.
        key: (String, Option<String>),
        /// The update expression.
        update: String,
    },
    /// Reads several items in one transaction: their keys.
    TransactGetItems(Vec<FoundKey>),
    /// Writes in one transaction.
    TransactWriteItems(Vec<FoundAction>),
    /// A call of the AWS CLI.
    Call(Call),
}

/// Templates of the partition key and the sort key.
pub type FoundKey = (String, Option<String>);

/// A part of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundAction {
    /// What it does.
    pub kind: FoundActionKind,
    /// Condition expression.
    pub condition: Option<String>,
}

/// What a part of a transaction does.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundActionKind {
    /// Puts an item of this entity.
    Put(String),
    /// Changes the item with this key as an update expression says.
    Update(FoundKey, String),
    /// Deletes the item with this key.
    Delete(FoundKey),
    /// Checks the condition on the item with this key.
    Check(FoundKey),
}

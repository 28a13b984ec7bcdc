//! Random valid designs: entities, templates, indexes, settings, access patterns and samples with names and texts that
//! some language treats as more than text. Each design is built from a list of choices, so that a failing one shrinks
//! to a few; choice 0 is the simplest.

mod operations;
mod settings;
mod values;
mod workload;

use keyfold_core::model::*;
use keyfold_core::model::{SortedMap, SortedSet};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::sync::Arc;

/// Maximum number of choices of a design; further choices are 0.
const CHOICES: usize = 900;

/// Any valid design.
pub fn any_design() -> impl Strategy<Value = Design> {
    choices().prop_map(|choices| Maker::new(choices).design())
}

/// This many designs, always the same ones.
pub fn some_designs(count: usize) -> Vec<Design> {
    let mut runner = TestRunner::deterministic();
    let tree = |_| {
        any_design()
            .new_tree(&mut runner)
            .expect("a design")
            .current()
    };
    (0..count).map(tree).collect()
}

/// Two valid designs, the second of which could usually be an update of the first: same table, key and LSIs.
pub fn two_designs() -> impl Strategy<Value = (Design, Design)> {
    (choices(), choices(), any::<bool>(), any::<bool>()).prop_map(|(old, new, near, global)| {
        let (old, mut new) = (Maker::new(old).design(), Maker::new(new).design());
        if near {
            let table = Arc::make_mut(&mut new.table);
            (table.name, table.key) = (old.table.name.clone(), old.table.key.clone());
            if global == table.replicas.is_empty() {
                table.replicas = old.table.replicas.clone();
            }
            new.indexes.retain(|_, index| index.kind == IndexKind::Gsi);
            for index in old
                .indexes
                .values()
                .filter(|index| index.kind == IndexKind::Lsi)
            {
                let id = IndexId(new.take_id());
                new.indexes.insert(id, index.clone());
            }
        }
        // Remove what the new keys and indexes make invalid.
        let sound = validate_invariants(&new).is_empty();
        let new = if sound { new } else { without_entities(new) };
        (old, new)
    })
}

/// The table and the indexes that it can have.
fn without_entities(mut design: Design) -> Design {
    design.entities.clear();
    design.access_patterns.clear();
    design.samples.clear();
    design.trim_workload();
    design.layout = Arc::default();
    for index in Vec::from_iter(design.indexes.keys().copied()) {
        if !validate_invariants(&design).is_empty() {
            design.indexes.remove(&index);
        }
    }
    design
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..CHOICES)
}

/// Texts that some language treats as more than text.
const HOSTILE: [&str; 47] = [
    "${aws:x}",
    "%{ if true }",
    "$${x",
    "%%{",
    "`${1}`",
    "``",
    "\"quoted\\\"",
    "'single'",
    "''",
    "a | b",
    "|",
    "<script>alert(1)</script>",
    "</script>",
    "<!-- c",
    "*/ // #",
    "/*",
    "\"\"\"",
    "r#\"",
    "{{braces}}",
    "}}{{",
    "__proto__",
    "constructor",
    "for",
    "self",
    "ключ",
    "\u{202e}rtl",
    "🦀 crab",
    "- item",
    "1. item",
    "# heading",
    "\\",
    "\\u0041",
    "$",
    "~",
    "![x](y)",
    "&amp;",
    "null",
    "true",
    "no",
    "2010-09-09",
    "0x1f",
    "\u{2028}line",
    "\u{feff}",
    "\u{e000}\u{fffd}",
    "!Ref x",
    "  ",
    "%2523",
];

/// Names that are equal after case conversion, or that some language reserves.
const NAMES: [&str; 40] = [
    "PK",
    "SK",
    "id",
    "tenantId",
    "tenant_id",
    "TenantID",
    "tenant-id",
    "createdAt",
    "status",
    "n",
    "type",
    "kind",
    "self",
    "Self",
    "2fa",
    "2 fa",
    "a.b",
    "a b",
    "a[0]",
    "名前",
    "Größe",
    "user name",
    "userName",
    "UserName",
    "!?",
    "$",
    "`tick`",
    "\"q\"",
    "it's",
    "\\",
    "</script>",
    "*/",
    "#",
    "%",
    "pk",
    "sk",
    "GSI1PK",
    "GSI1SK",
    "__proto__",
    "ttl",
];

/// Builds a design from choices.
struct Maker {
    choices: std::vec::IntoIter<u16>,
    /// The type of each key attribute.
    key_types: SortedMap<String, KeyType>,
}

impl Maker {
    fn new(choices: Vec<u16>) -> Maker {
        Maker {
            choices: choices.into_iter(),
            key_types: SortedMap::new(),
        }
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::from(self.choices.next().unwrap_or(0)) % end
    }

    /// True in one of this many cases.
    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == chances - 1
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// Any text that an author might write; usually short, sometimes with several lines.
    fn text(&mut self) -> String {
        match self.below(6) {
            0 => "word".to_owned(),
            1 | 2 => self.of(&HOSTILE).to_owned(),
            3 => {
                let parts = (0..=self.below(3)).map(|_| self.of(&HOSTILE).to_owned());
                parts
                    .collect::<Vec<_>>()
                    .join(self.of(&[" ", "", "#", "\n", "\r\n\t"]))
            }
            4 => {
                let any = |maker: &mut Maker| {
                    char::from_u32(maker.below(0x3000) as u32).unwrap_or('\u{fffd}')
                };
                (0..self.below(8)).map(|_| any(self)).collect()
            }
            _ => String::new(),
        }
    }

    /// A name that passes the check and is not in `taken`.
    fn name(&mut self, taken: &mut SortedSet<String>, check: &dyn Fn(&str) -> bool) -> String {
        let start = match self.below(5) {
            0..=2 => self.of(&NAMES).to_owned(),
            3 => self.text(),
            _ => [self.text(), "x".repeat(self.below(120))].concat(),
        };
        let mut name = if check(&start) {
            start
        } else {
            "name".to_owned()
        };
        let (base, mut number) = (name.clone(), 2);
        while !taken.insert(name.clone()) {
            name = format!("{base}{number}");
            name = if check(&name) {
                name
            } else {
                format!("name{number}")
            };
            number += 1;
        }
        name
    }

    /// An attribute name, often one that occurs elsewhere too.
    fn attribute_name(&mut self) -> String {
        self.name(&mut SortedSet::new(), &|name| {
            name::check_attribute(name).is_ok() && name::check_key_attribute(name).is_ok()
        })
    }

    fn label(&mut self, taken: &mut SortedSet<String>) -> String {
        self.name(taken, &|name| name::check_label(name).is_ok())
    }

    /// A table or index name.
    fn resource_name(&mut self, taken: &mut SortedSet<String>) -> String {
        const RESOURCES: [&str; 12] = [
            "GSI1",
            "gsi1",
            "gsi-1",
            "gsi_1",
            "gsi.1",
            "by-status",
            "ByStatus",
            "1_000",
            "2010-09-09",
            "null",
            "---",
            "primary",
        ];
        let mut name = match self.below(8) {
            0..=5 => self.of(&RESOURCES).to_owned(),
            6 => "x".repeat(3 + self.below(253)),
            _ => "a.b-c_D9".to_owned(),
        };
        while !taken.insert(name.clone()) {
            name.truncate(250);
            name.push_str(&taken.len().to_string());
        }
        name
    }

    /// A template over these attributes: literals, placeholders, modifiers; sometimes with an error.
    fn template(&mut self, attributes: &[String]) -> String {
        const MODIFIERS: [&str; 11] = [
            "lower",
            "upper",
            "date",
            "month",
            "year",
            "pad(8)",
            "pad(6,2)",
            "desc(13)",
            "first(3)",
            "shard(7)",
            "first(1)|upper",
        ];
        if self.one_in(40) {
            return self
                .of(&["", "{", "{x:nope}", "{x", "}", "{:}", "{{", "{a:pad(99)}"])
                .to_owned();
        }
        let mut out = String::new();
        for part in 0..=self.below(4) {
            match self.below(3) {
                0 if part == 0 => out.push_str(self.of(&["USER#", "TENANT#", "#META", "A"])),
                0 => out.push('#'),
                1 => out.push_str(&self.text().replace('{', "{{").replace('}', "}}")),
                _ => {
                    let name = match attributes.len() {
                        0 => "missing".to_owned(),
                        count => attributes[self.below(count)].clone(),
                    };
                    let modifiers = match self.below(3) {
                        0 | 1 => String::new(),
                        _ => format!(":{}", self.of(&MODIFIERS)),
                    };
                    out.push_str(&format!("{{{name}{modifiers}}}"));
                }
            }
        }
        out
    }

    fn design(mut self) -> Design {
        let name = self.label(&mut SortedSet::new());
        let mut design = Design::new(name);
        design.description = self.text();
        let delimiters = [
            "#", "#", "::", "-", "", "|", "\"", "`", "${", "*", "2", "\\", "\u{2028}", "名",
        ];
        design.delimiter = Arc::new(DelimiterPolicy {
            delimiter: self.of(&delimiters).to_owned(),
            on_conflict: match self.one_in(3) {
                true => OnDelimiter::PercentEncode,
                false => OnDelimiter::Reject,
            },
        });
        self.table(&mut design);
        self.indexes(&mut design);
        self.entities(&mut design);
        self.formats(&mut design);
        self.samples(&mut design);
        self.access_patterns(&mut design);
        if self.one_in(3) {
            let id = NoteId(design.take_id());
            let mut note = Note::new(self.text());
            let reason = self.text();
            if self.one_in(2) {
                note.hue = self.below(usize::from(Entity::HUES)) as u8;
            }
            design.notes.insert(id, Arc::new(note));
            design.silenced = Arc::new(vec![Silenced {
                code: "T001".into(),
                place: "e1/primary".into(),
                reason,
            }]);
        }
        self.workload(&mut design);
        assert_eq!(validate_invariants(&design), []);
        design
    }

    fn entities(&mut self, design: &mut Design) {
        let mut names = SortedSet::new();
        for _ in 0..self.below(5) {
            let mut entity = Entity::new(self.label(&mut names), self.below(12) as u8);
            entity.description = self.text();
            let mut taken = SortedSet::new();
            for _ in 0..self.below(7) {
                let name = self.name(&mut taken, &|name| name::check_attribute(name).is_ok());
                let kind = match self.below(3) {
                    0 | 1 => AttributeType::S,
                    _ => AttributeType::ALL[self.below(10)],
                };
                let mut attribute = Attribute::new(AttributeId(design.take_id()), name, kind);
                attribute.required = self.one_in(3);
                attribute.key_only = self.one_in(5);
                attribute.description = if self.one_in(4) {
                    self.text()
                } else {
                    String::new()
                };
                entity.attributes.push(attribute);
            }
            let attributes: Vec<String> = taken.into_iter().collect();
            let ids: Vec<IndexId> = design.index_ids().collect();
            for id in ids {
                if self.one_in(if id.is_primary() { 12 } else { 3 }) {
                    continue;
                }
                let key = design.key(id).expect("an index").clone();
                let mut entry = IndexEntry::default();
                if !key.is_multi_attribute() {
                    entry.partition = (!self.one_in(6))
                        .then(|| self.key_template(&key.partition[0], &attributes));
                    let has_sort = !key.sort.is_empty() && !self.one_in(6);
                    entry.sort = has_sort.then(|| self.key_template(&key.sort[0], &attributes));
                }
                while !id.is_primary() && entry.when.len() < 3 && self.one_in(4) {
                    entry.when.push(self.condition(&attributes));
                }
                entity.keys.insert(id, entry);
            }
            let id = EntityId(design.take_id());
            design.entities.insert(id, Arc::new(entity));
        }
    }

    /// The template of a key attribute; usually one placeholder if the key is not a string.
    fn key_template(&mut self, key: &KeyAttribute, attributes: &[String]) -> String {
        match (key.kind, attributes.len()) {
            (KeyType::N | KeyType::B, count) if count > 0 && !self.one_in(4) => {
                format!("{{{}}}", attributes[self.below(count)])
            }
            _ => self.template(attributes),
        }
    }

    fn condition(&mut self, attributes: &[String]) -> Condition {
        let attribute = match attributes.len() {
            0 => self.attribute_name(),
            count => attributes[self.below(count)].clone(),
        };
        let test = match self.below(5) {
            0 => Test::Equals(self.any_value(1)),
            1 => Test::NotEquals(self.any_value(1)),
            2 => Test::OneOf((0..self.below(4)).map(|_| self.any_value(0)).collect()),
            3 => Test::Exists,
            _ => Test::Missing,
        };
        Condition { attribute, test }
    }
}

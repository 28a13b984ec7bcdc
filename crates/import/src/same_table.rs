//! A second definition of a table: what it adds to the first, and what contradicts it.

use crate::form::{FoundTable, Naming, Notes};
use crate::format_list::Format;
use keyfold_core::model::{Index, Projection, Table};
use serde::Serialize;

/// What defines a table. Infrastructure says what a table is, and other files only what they need of it.
#[derive(Clone, Copy, PartialEq)]
pub enum Origin {
    /// A template or Terraform.
    Stack,
    /// A request, or what DescribeTable answers.
    Request,
    /// The schema of a library or a data model.
    Other,
}

impl Origin {
    /// The origin of the tables of files in these formats.
    pub fn of(formats: &[Format]) -> Self {
        match formats {
            [Format::CloudFormation | Format::Terraform] => Origin::Stack,
            [Format::Requests] => Origin::Request,
            _ => Origin::Other,
        }
    }
}

/// The tables of several files.
#[derive(Default)]
pub struct Tables(pub Vec<(FoundTable, Origin)>);

impl Tables {
    /// Adds a table. A second definition of the same table adds what the first does not have. Infrastructure counts as the
    /// first, whatever the order of the files.
    pub fn add(&mut self, mut table: FoundTable, mut origin: Origin, notes: &mut Notes) {
        let mut tables = self.0.iter_mut();
        let known = tables.find(|(other, of)| is_same((other, *of), (&table, origin)));
        let Some((known, known_origin)) = known else {
            return self.push(table, origin, notes);
        };
        if origin != Origin::Other && *known_origin == Origin::Other {
            std::mem::swap(known, &mut table);
            std::mem::swap(known_origin, &mut origin);
        }
        if known.table.key != table.table.key {
            let why = format!(
                "another table is called {} too: this one is left out",
                table.name
            );
            return notes.add(table.place, why);
        }
        let mut joining = Joining {
            place: &table.place,
            kept_place: known.place.clone(),
            kept: *known_origin,
            other: origin,
            notes,
        };
        joining.table(&mut known.table, &table.table);
        // Only a stack deletes tables.
        match (*known_origin, origin) {
            (Origin::Stack, Origin::Stack) => {
                let (kept, other) = (known.delete_with_stack, table.delete_with_stack);
                joining.explicit("deletion with its stack", &kept, &other);
            }
            (Origin::Request, Origin::Stack) => known.delete_with_stack = table.delete_with_stack,
            _ => {}
        }
        for index in &table.indexes {
            match known
                .indexes
                .iter_mut()
                .find(|other| other.name == index.name)
            {
                Some(other) => joining.index(other, index),
                None => known.indexes.push(index.clone()),
            }
        }
        add_content(known, table, notes);
    }

    /// Adds another table. Of two tables with one name, the one keeps it that its file calls so.
    fn push(&mut self, mut table: FoundTable, origin: Origin, notes: &mut Notes) {
        let mut tables = self.0.iter();
        let namesake = tables.position(|(other, _)| other.table.name == table.table.name);
        if let Some(at) = namesake {
            let is_other_renamed = table.naming == Naming::Known;
            if is_other_renamed {
                std::mem::swap(&mut self.0[at].0, &mut table);
            }
            table.make_unique(self.0.iter().map(|(other, _)| other));
            let why = format!("another table has this name; here it is `{}`", table.name);
            notes.add(&table.place, why);
            if is_other_renamed {
                std::mem::swap(&mut self.0[at].0, &mut table);
            }
        }
        self.0.push((table, origin));
    }
}

/// Whether two definitions are of one table: files name both so, or one expression names both. A name that Keyfold chose
/// says less: it stands for a table with the same key, and never for a second one of a stack.
fn is_same(known: (&FoundTable, Origin), other: (&FoundTable, Origin)) -> bool {
    let ((known, known_origin), (other, origin)) = (known, other);
    let has_name = known.table.name == other.table.name;
    let has_key = known.table.key == other.table.key;
    match (&known.naming, &other.naming) {
        (Naming::Known, Naming::Known) => has_name,
        (Naming::Expression(known), Naming::Expression(other)) => known == other && has_key,
        _ => has_name && has_key && (known_origin == Origin::Other || origin == Origin::Other),
    }
}

/// Adds the entities, the access patterns and the items of a table.
fn add_content(known: &mut FoundTable, table: FoundTable, notes: &mut Notes) {
    if known.description.is_empty() {
        known.description = table.description;
    }
    if known.entities.is_empty() {
        known.delimiter = table.delimiter.or(known.delimiter.take());
        known.table.type_attribute = known
            .table
            .type_attribute
            .take()
            .or(table.table.type_attribute);
    }
    for entity in table.entities {
        match (known.entities.iter()).any(|other| other.name == entity.name) {
            false => known.entities.push(entity),
            true => notes.add(
                entity.place,
                format!("left out: the table has another entity {}", entity.name),
            ),
        }
    }
    known.patterns.extend(table.patterns);
    known.facets.extend(table.facets);
    known.types.extend(table.types);
    known.items.extend(table.items);
}

/// Two definitions while the second is joined to the first.
struct Joining<'a> {
    place: &'a str,
    kept_place: String,
    kept: Origin,
    other: Origin,
    notes: &'a mut Notes,
}

impl Joining<'_> {
    fn table(&mut self, kept: &mut Table, other: &Table) {
        let unset = Table::new("");
        // Without a word on it, a library's table is on-demand.
        match (self.kept, self.other) {
            (Origin::Other, _) => {
                self.setting("billing", &mut kept.billing, &other.billing, &unset.billing);
            }
            (_, Origin::Other) if other.billing == unset.billing => {}
            _ => self.explicit("billing", &kept.billing, &other.billing),
        }
        self.setting("table class", &mut kept.class, &other.class, &unset.class);
        self.setting(
            "TTL attribute",
            &mut kept.ttl_attribute,
            &other.ttl_attribute,
            &None,
        );
        self.setting("stream", &mut kept.stream, &other.stream, &None);
        self.setting(
            "point-in-time recovery",
            &mut kept.recovery,
            &other.recovery,
            &None,
        );
        self.setting(
            "encryption",
            &mut kept.encryption,
            &other.encryption,
            &unset.encryption,
        );
        kept.deletion_protection |= other.deletion_protection;
        self.setting(
            "warm throughput",
            &mut kept.warm_throughput,
            &other.warm_throughput,
            &None,
        );
        self.setting(
            "Contributor Insights",
            &mut kept.contributor_insights,
            &other.contributor_insights,
            &None,
        );
        self.setting("Kinesis stream", &mut kept.kinesis, &other.kinesis, &None);
        self.setting(
            "resource policy",
            &mut kept.resource_policy,
            &other.resource_policy,
            &None,
        );
        for (name, value) in &other.tags {
            let own = kept.tags.entry(name.clone()).or_insert(value.clone());
            self.explicit(&format!("tag {name}"), own, value);
        }
        self.setting("replicas", &mut kept.replicas, &other.replicas, &Vec::new());
        self.setting(
            "consistency between Regions",
            &mut kept.multi_region_consistency,
            &other.multi_region_consistency,
            &unset.multi_region_consistency,
        );
    }

    fn index(&mut self, kept: &mut Index, other: &Index) {
        let name = kept.name.clone();
        let of = |what: &str| format!("{what} of the index {name}");
        if kept.description.is_empty() {
            kept.description.clone_from(&other.description);
        }
        self.explicit(&of("key"), &kept.key, &other.key);
        self.explicit(&of("kind"), &kept.kind, &other.kind);
        match (self.kept, self.other) {
            (Origin::Other, _) => self.setting(
                &of("projection"),
                &mut kept.projection,
                &other.projection,
                &Projection::All,
            ),
            (_, Origin::Other) if other.projection == Projection::All => {}
            _ => self.explicit(&of("projection"), &kept.projection, &other.projection),
        }
        self.setting(
            &of("capacity"),
            &mut kept.provisioned,
            &other.provisioned,
            &None,
        );
        self.setting(
            &of("maximum throughput"),
            &mut kept.max_request_units,
            &other.max_request_units,
            &None,
        );
        self.setting(
            &of("warm throughput"),
            &mut kept.warm_throughput,
            &other.warm_throughput,
            &None,
        );
        self.setting(
            &of("Contributor Insights"),
            &mut kept.contributor_insights,
            &other.contributor_insights,
            &None,
        );
    }

    /// Takes a setting that the first definition does not have, or notes that both have it.
    fn setting<T: PartialEq + Clone + Serialize>(
        &mut self,
        what: &str,
        kept: &mut T,
        other: &T,
        unset: &T,
    ) {
        if other == unset {
            return;
        }
        match kept == unset {
            true => kept.clone_from(other),
            false => self.explicit(what, kept, other),
        }
    }

    /// Notes that a setting differs, and what is kept.
    fn explicit<T: PartialEq + Serialize>(&mut self, what: &str, kept: &T, other: &T) {
        if kept == other {
            return;
        }
        let shown = |value: &T| serde_json::to_string(value).unwrap_or_default();
        let why = format!(
            "{what}: {} is left out, and {} is kept, from {}",
            shown(other),
            shown(kept),
            self.kept_place
        );
        self.notes.add(self.place, why);
    }
}

//! Sample formats of attributes as a form edits them: a kind from a menu, then its parameters.

use super::sparse_condition::first_value;
use keyfold_core::model::{
    Attribute, AttributeType, Choice, Design, Distribution, EntityId, Format,
};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident, $pattern:pat => $label:literal,)*) => {
        /// The variants of [`Format`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FormatKind { $($(#[$doc])* $kind,)* }

        impl FormatKind {
            /// All kinds, in menu order.
            pub const ALL: &[FormatKind] = &[$(FormatKind::$kind,)*];

            /// The label in the menu.
            pub fn label(self) -> &'static str {
                match self { $(FormatKind::$kind => $label,)* }
            }

            /// Returns the kind of a format.
            pub fn of(format: &Format) -> FormatKind {
                match format { $($pattern => FormatKind::$kind,)* }
            }
        }
    };
}

kinds! {
    /// ULID.
    Ulid, Format::Ulid => "ULID",
    /// KSUID.
    Ksuid, Format::Ksuid => "KSUID",
    /// UUID.
    Uuid, Format::Uuid => "UUID",
    /// Email address.
    Email, Format::Email => "Email",
    /// Name of a person.
    PersonName, Format::PersonName => "Person name",
    /// Name of a company.
    Company, Format::Company => "Company",
    /// One word.
    Word, Format::Word => "Word",
    /// One sentence.
    Sentence, Format::Sentence => "Sentence",
    /// Date within a range.
    Date, Format::Date { .. } => "Date",
    /// Timestamp within a range.
    Timestamp, Format::Timestamp { .. } => "Timestamp",
    /// Whole number within a range.
    Integer, Format::Integer { .. } => "Whole number",
    /// Decimal number within a range.
    Decimal, Format::Decimal { .. } => "Decimal number",
    /// One of several values.
    OneOf, Format::OneOf(_) => "One of",
    /// One value.
    Constant, Format::Constant(_) => "Constant",
    /// Running number after a prefix.
    Sequence, Format::Sequence { .. } => "Sequence",
    /// Value of another entity's attribute.
    Reference, Format::Reference { .. } => "Reference",
}

impl FormatKind {
    /// Whether a value of this format can have the type.
    pub fn fits(self, kind: AttributeType) -> bool {
        match self {
            FormatKind::OneOf | FormatKind::Constant | FormatKind::Reference => true,
            FormatKind::Integer | FormatKind::Decimal => kind == AttributeType::N,
            FormatKind::Sequence => matches!(kind, AttributeType::S | AttributeType::N),
            _ => kind == AttributeType::S,
        }
    }

    /// Returns a format of this kind with default parameters, for an attribute of the entity `owner`.
    pub fn default_format(self, design: &Design, owner: EntityId, attribute: &Attribute) -> Format {
        let value = || first_value(design, owner, &attribute.name);
        match self {
            FormatKind::Ulid => Format::Ulid,
            FormatKind::Ksuid => Format::Ksuid,
            FormatKind::Uuid => Format::Uuid,
            FormatKind::Email => Format::Email,
            FormatKind::PersonName => Format::PersonName,
            FormatKind::Company => Format::Company,
            FormatKind::Word => Format::Word,
            FormatKind::Sentence => Format::Sentence,
            FormatKind::Date => Format::Date {
                from: "2026-01-01".into(),
                to: "2026-12-31".into(),
            },
            FormatKind::Timestamp => Format::Timestamp {
                from: "2026-01-01T00:00:00Z".into(),
                to: "2026-12-31T23:59:59Z".into(),
            },
            FormatKind::Integer => Format::Integer { min: 1, max: 100 },
            FormatKind::Decimal => Format::Decimal {
                min: "0".into(),
                max: "100".into(),
                places: 2,
            },
            FormatKind::OneOf => Format::OneOf(vec![Choice {
                value: value(),
                weight: 1,
            }]),
            FormatKind::Constant => Format::Constant(value()),
            FormatKind::Sequence => Format::Sequence {
                prefix: String::new(),
                start: 1,
                digits: 1,
            },
            FormatKind::Reference => {
                let (entity, name) = referred(design, owner, &attribute.name);
                Format::Reference {
                    entity,
                    attribute: name,
                    distribution: Distribution::Uniform,
                }
            }
        }
    }
}

/// Guesses the attribute that a reference points to: the same name in another entity, preferably in the entity that
/// the name is the id of; otherwise the first attribute of another entity.
fn referred(design: &Design, owner: EntityId, name: &str) -> (EntityId, String) {
    let others = || design.entities.iter().filter(|(id, _)| **id != owner);
    let own = |entity: &str| entity.eq_ignore_ascii_case(name.trim_end_matches("Id"));
    let of_same_name = others()
        .filter(|(_, entity)| entity.attribute(name).is_some())
        .max_by_key(|(id, entity)| (own(&entity.name), std::cmp::Reverse(**id)));
    if let Some((id, _)) = of_same_name {
        return (*id, name.to_owned());
    }
    let first = others().find_map(|(id, e)| Some((*id, e.attributes.first()?.name.clone())));
    first.unwrap_or((owner, name.to_owned()))
}

/// Describes a format: `Timestamp 2026-01-01 to 2026-12-31`, `Reference User.userId`.
pub fn describe(design: &Design, format: &Format) -> String {
    let range = |from: &str, to: &str| [from, " to ", to].concat();
    // Omit midnight: whole days need no time.
    let day = |text: &str, midnight: &str| text.strip_suffix(midnight).unwrap_or(text).to_owned();
    let parameters = match format {
        Format::Date { from, to } => range(from, to),
        Format::Timestamp { from, to } => range(&day(from, "T00:00:00Z"), &day(to, "T23:59:59Z")),
        Format::Integer { min, max } => range(&min.to_string(), &max.to_string()),
        Format::Decimal { min, max, .. } => range(min, max),
        Format::OneOf(choices) => {
            let mut texts: Vec<String> = choices.iter().map(|c| c.value.to_text()).collect();
            if texts.len() > MAX_LISTED {
                texts.truncate(MAX_LISTED);
                texts.push("…".into());
            }
            texts.join(", ")
        }
        Format::Constant(value) => value.to_text(),
        Format::Sequence {
            prefix,
            start,
            digits,
        } => {
            let width = usize::from(*digits);
            format!("from {prefix}{start:0width$}")
        }
        Format::Reference {
            entity, attribute, ..
        } => {
            let name = design.entities.get(entity).map_or("", |e| e.name.as_str());
            [name, ".", attribute].concat()
        }
        _ => String::new(),
    };
    let kind = FormatKind::of(format).label();
    [kind, " ", &parameters].concat().trim_end().to_owned()
}

/// Maximum number of choices that [`describe`] lists.
const MAX_LISTED: usize = 5;

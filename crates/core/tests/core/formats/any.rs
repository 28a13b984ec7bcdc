//! Properties of every format: any sound design exports, the same design gives the same bytes; snapshots.

use super::designs;
use crate::rust_export::designs::{all_modifiers, encode, indexes, obstacle_course, reject};
use keyfold_core::export::{FORMATS, File, Format, Tag};
use keyfold_core::model::{
    AttributeType, Condition, ContributorInsights, Design, IndexEntry, IndexId, KeySchema,
    Projection, Test, Value, validate_invariants,
};
use keyfold_test_support::cases;
use keyfold_test_support::designs::full_design;
use keyfold_test_support::key_designs::{key_only, natural_keys};
use keyfold_test_support::template_designs;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::Arc;

/// Text that has a special meaning in some language.
const HOSTILE: &[&str] = &[
    "${aws:x}",
    "%{ if true }",
    "`${1}`",
    "\"quoted\\\"",
    "'single'",
    "a | b",
    "<script>alert(1)</script>",
    "*/ // #",
    "{{braces}}",
    "__proto__",
    "constructor",
    "for",
    "ключ",
    "\u{202e}rtl",
    "🦀 crab",
    "- item",
    "1. item",
    "# heading",
    "\\",
    "$",
    "~",
    "![x](y)",
    "&amp;",
    "null",
    "true",
    "\u{2028}line",
];

#[derive(Debug, Clone)]
enum Change {
    EntityName(Index, String),
    Description(Index, String),
    AttributeName(Index, Index, String),
    AttributeType(Index, Index, AttributeType),
    Required(Index, Index, bool),
    Partition(Index, Index, String),
    Sort(Index, Index, Option<String>),
    When(Index, Index, String, String),
    Key(Index, String, String),
    Projection(Index, Vec<String>),
    Value(Index, Index, String, String),
    Delimiter(String, bool),
    TypeAttribute(Option<String>),
    Table(String),
    Tag(String, String),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        select(HOSTILE).prop_map(str::to_owned),
        "\\PC{0,12}",
        "[a-z]{1,6}"
    ]
}

fn template() -> impl Strategy<Value = String> {
    let placeholder = select(
        &[
            "{a}",
            "{tenantId}",
            "{createdAt:date}",
            "{x:pad(3)|first(2)}",
            "{n:shard(4)}",
        ][..],
    );
    let part = prop_oneof![placeholder.prop_map(str::to_owned), text()];
    prop::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

fn change() -> impl Strategy<Value = Change> {
    use self::Change::{
        Delimiter, Description, EntityName, Key, Partition, Required, Sort, Table, Tag,
        TypeAttribute, When,
    };
    let index = any::<Index>;
    prop_oneof![
        (index(), text()).prop_map(|(e, t)| EntityName(e, t)),
        (index(), text()).prop_map(|(e, t)| Description(e, t)),
        (index(), index(), text()).prop_map(|(e, a, t)| Change::AttributeName(e, a, t)),
        (index(), index(), select(&AttributeType::ALL[..]))
            .prop_map(|(e, a, t)| Change::AttributeType(e, a, t)),
        (index(), index(), any::<bool>()).prop_map(|(e, a, r)| Required(e, a, r)),
        (index(), index(), template()).prop_map(|(e, i, t)| Partition(e, i, t)),
        (index(), index(), prop::option::of(template())).prop_map(|(e, i, t)| Sort(e, i, t)),
        (index(), index(), text(), text()).prop_map(|(e, i, a, v)| When(e, i, a, v)),
        (index(), text(), text()).prop_map(|(i, p, s)| Key(i, p, s)),
        (index(), prop::collection::vec(text(), 0..4))
            .prop_map(|(i, names)| Change::Projection(i, names)),
        (index(), index(), text(), text()).prop_map(|(e, s, n, v)| Change::Value(e, s, n, v)),
        (text(), any::<bool>()).prop_map(|(d, e)| Delimiter(d, e)),
        prop::option::of(text()).prop_map(TypeAttribute),
        "[A-Za-z0-9_.-]{3,12}".prop_map(Table),
        (text(), text()).prop_map(|(k, v)| Tag(k, v)),
    ]
}

/// Applies a change to the design; `None` if it does not fit.
fn apply(design: &mut Design, change: Change) -> Option<()> {
    let ids: Vec<_> = design.entities.keys().copied().collect();
    let entity = |at: &Index| (!ids.is_empty()).then(|| *at.get(&ids));
    let key = |design: &Design, at: &Index| {
        let all: Vec<IndexId> = design.index_ids().collect();
        *at.get(&all)
    };
    match change {
        Change::EntityName(at, name) => edit(design, entity(&at)?).name = name,
        Change::Description(at, text) => edit(design, entity(&at)?).description = text,
        Change::AttributeName(at, which, name) => {
            attribute(design, entity(&at)?, &which)?.name = name;
        }
        Change::AttributeType(at, which, kind) => {
            attribute(design, entity(&at)?, &which)?.kind = kind;
        }
        Change::Required(at, which, is) => attribute(design, entity(&at)?, &which)?.required = is,
        Change::Partition(at, index, template) => {
            let index = key(design, &index);
            entry(design, entity(&at)?, index).partition = Some(template);
        }
        Change::Sort(at, index, template) => {
            let index = key(design, &index);
            entry(design, entity(&at)?, index).sort = template;
        }
        Change::When(at, index, attribute, value) => {
            let index = key(design, &index);
            let test = Test::Equals(Value::S(value));
            entry(design, entity(&at)?, index)
                .when
                .push(Condition { attribute, test });
        }
        Change::Key(index, partition, sort) => {
            let index = key(design, &index);
            match design.indexes.get_mut(&index) {
                Some(index) => Arc::make_mut(index).key = KeySchema::pair(partition, sort),
                None => Arc::make_mut(&mut design.table).key = KeySchema::pair(partition, sort),
            }
        }
        Change::Projection(index, names) => {
            let index = key(design, &index);
            Arc::make_mut(design.indexes.get_mut(&index)?).projection = Projection::Include(names);
        }
        Change::Value(at, which, name, value) => {
            let samples = Arc::make_mut(design.samples.get_mut(&entity(&at)?)?);
            let at = (!samples.is_empty()).then(|| which.index(samples.len()))?;
            Arc::make_mut(&mut samples[at])
                .values
                .insert(name, Value::S(value));
        }
        Change::Delimiter(text, encode) => {
            design.delimiter = Arc::new(if encode {
                self::encode(&text)
            } else {
                reject(&text)
            });
        }
        Change::TypeAttribute(name) => Arc::make_mut(&mut design.table).type_attribute = name,
        Change::Table(name) => Arc::make_mut(&mut design.table).name = name,
        Change::Tag(key, value) => {
            Arc::make_mut(&mut design.table).tags.insert(key, value);
        }
    }
    Some(())
}

fn edit(
    design: &mut Design,
    id: keyfold_core::model::EntityId,
) -> &mut keyfold_core::model::Entity {
    Arc::make_mut(design.entities.get_mut(&id).expect("the entity exists"))
}

fn attribute<'d>(
    design: &'d mut Design,
    id: keyfold_core::model::EntityId,
    at: &Index,
) -> Option<&'d mut keyfold_core::model::Attribute> {
    let attributes = &mut edit(design, id).attributes;
    let at = (!attributes.is_empty()).then(|| at.index(attributes.len()))?;
    attributes.get_mut(at)
}

fn entry(
    design: &mut Design,
    id: keyfold_core::model::EntityId,
    index: IndexId,
) -> &mut IndexEntry {
    edit(design, id).keys.entry(index).or_default()
}

/// Sound designs: known designs with changes, except changes that make them unsound.
pub fn sound_design() -> impl Strategy<Value = Design> {
    let mut bases = designs::all();
    bases.push(("obstacles".into(), obstacle_course()));
    bases.push(("modifiers".into(), all_modifiers(reject("#"))));
    bases.push(("encoded".into(), all_modifiers(encode("#"))));
    bases.push(("indexes".into(), indexes()));
    let bases: Vec<Design> = bases.into_iter().map(|(_, design)| design).collect();
    (select(bases), prop::collection::vec(change(), 0..12)).prop_map(|(mut design, changes)| {
        for change in changes {
            let before = design.clone();
            if apply(&mut design, change).is_none() || !validate_invariants(&design).is_empty() {
                design = before;
            }
        }
        design
    })
}

pub fn check_files(format: Format, design: &Design) -> Result<Vec<File>, TestCaseError> {
    let files = format.files(design);
    prop_assert!(!files.is_empty() && (format.is_folder() || files.len() == 1));
    for (at, file) in files.iter().enumerate() {
        let parts: Vec<&str> = file.name.split('/').collect();
        let is_plain =
            |part: &&str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']);
        prop_assert!(parts.iter().all(is_plain), "{}", file.name);
        let same = |other: &File| other.name.eq_ignore_ascii_case(&file.name);
        prop_assert!(!files[..at].iter().any(same), "{}", file.name);
        let text = &file.code.text;
        // There is no batch of no items.
        if text.is_empty() && format.name == "batch-write" {
            continue;
        }
        prop_assert!(text.ends_with('\n'), "{}", text);
        let mut end = 0;
        for (span, _) in &file.code.spans {
            prop_assert!(span.start >= end && span.end > span.start);
            prop_assert!(!text[span.clone()].contains('\n'));
            end = span.end;
        }
        if file.name.ends_with(".json") {
            let parsed = serde_json::from_str::<serde_json::Value>(text);
            prop_assert!(parsed.is_ok(), "{:?}\n{}", parsed, text);
        }
    }
    Ok(files)
}

proptest! {
    #![proptest_config(cases(32))]
    #[test]
    fn any_sound_design_exports_to_every_format(design in sound_design()) {
        prop_assert_eq!(validate_invariants(&design), []);
        for format in FORMATS {
            check_files(format, &design)?;
        }
        let terraform = &Format::named("terraform").unwrap().files(&design)[0].code.text;
        super::terraform::check(&design, terraform);
        let markdown = &Format::named("markdown").unwrap().files(&design)[0].code.text;
        super::markdown::check(&design, markdown);
    }
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    for (name, design) in designs::all().into_iter().step_by(5) {
        for format in FORMATS {
            let again = format.files(&design.clone());
            assert_eq!(format.files(&design), again, "{name}, {}", format.name);
        }
    }
}

#[test]
fn names_are_unique_and_known() {
    for format in FORMATS {
        assert_eq!(Format::named(format.name), Some(format));
        let same = FORMATS
            .iter()
            .filter(|other| other.name == format.name || other.label == format.label);
        assert_eq!(same.count(), 1, "{}", format.name);
    }
    assert_eq!(Format::named("nope"), None);
}

#[test]
fn spans_have_the_right_tags() {
    for (_, design) in designs::all() {
        for format in FORMATS {
            for file in format.files(&design) {
                for (span, tag) in &file.code.spans {
                    let text = &file.code.text[span.clone()];
                    let is_right = match tag {
                        Tag::Comment => text.starts_with(['/', '#']),
                        Tag::Number => {
                            text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                                || matches!(text, "true" | "false")
                        }
                        _ => !text.trim().is_empty(),
                    };
                    assert!(is_right, "{} {tag:?}: {text}", file.name);
                }
            }
        }
    }
}

/// The text of all files of a format.
fn whole(format: Format, design: &Design) -> String {
    let files = format.files(design);
    match files.as_slice() {
        [only] => only.code.text.clone(),
        files => {
            let part = |file: &File| format!("==> {} <==\n{}", file.name, file.code.text);
            files.iter().map(part).collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn exports_match_their_snapshots() {
    let pattern = |name: &str| {
        let all = designs::library();
        let found = all.into_iter().find(|(other, _)| other == name);
        found.expect("in the library").1
    };
    let kitchen_sink = template_designs::all().remove(2).1;
    let cases = [
        ("saas", pattern("saas-multi-tenant-overloaded")),
        ("device_log", pattern("iot-device-log")),
        ("kitchen_sink", kitchen_sink),
        ("everything", full_design()),
        ("modifiers", all_modifiers(encode("#"))),
        ("natural_keys", natural_keys()),
        ("key_only", key_only()),
    ];
    for (name, design) in cases {
        for format in FORMATS {
            let is_bulky = matches!(format.name, "workbench" | "batch-write");
            // They differ from other designs only where entities and items matter.
            let of_keys = matches!(name, "natural_keys" | "key_only");
            let of_tables = matches!(format.name, "cdk" | "terraform" | "create-table");
            if matches!(
                format.name,
                "cloudformation" | "cloudformation-json" | "iam" | "rust" | "rust-crate"
            ) || is_bulky && !of_keys && name != "saas"
                || of_keys && of_tables
            {
                continue;
            }
            insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(format!("formats__{}__{name}", format.name.replace('-', "_")), whole(format, &design));
            });
        }
    }
}

/// A module of Rust has a name that begins with a letter.
#[test]
fn the_rust_file_has_the_name_of_a_module() {
    for (table, wanted) in [
        ("2024-orders", "table_2024_orders_keys.rs"),
        ("Orders.v2", "orders_v2_keys.rs"),
        ("_orders", "_orders_keys.rs"),
    ] {
        let mut design = Design::new("Names");
        Arc::make_mut(&mut design.table).name = table.to_owned();
        let files = Format::named("rust").unwrap().files(&design);
        assert_eq!(files[0].name, wanted);
    }
}

/// File systems take names of at most 255 bytes.
#[test]
fn file_names_of_requests_are_short() {
    let mut design = full_design();
    for (number, index) in design.indexes.values_mut().enumerate() {
        let index = Arc::make_mut(index);
        index.name = "i".repeat(254) + &number.to_string();
        index.contributor_insights = Some(ContributorInsights::ThrottledKeys);
    }
    let files = Format::named("create-table").unwrap().files(&design);
    assert!(files.len() > design.indexes.len());
    for (at, File { name, .. }) in files.iter().enumerate() {
        assert!(name.len() <= 255, "{name}");
        assert!(
            !files[..at].iter().any(|other| other.name == *name),
            "{name}"
        );
    }
}

/// JavaScript writes 1e-7 and 1e21 with an exponent: libraries must refuse them where a key contains the number as text.
#[test]
fn numbers_in_keys_are_plain_decimals() {
    let design = keyfold_test_support::texts::read(
        "design Prices\n\ntable prices (PK, SK)\n\nentity Price\n  id string\n  price number\n  other number\n  key P#{id} / {price}#X\n",
    );
    for format in ["electrodb", "onetable"] {
        let files = Format::named(format).unwrap().files(&design);
        let text = &files[0].code.text;
        let pattern = r"/^-?\d+(?:\.\d+)?$/";
        assert_eq!(text.matches(pattern).count(), 1, "{text}");
    }
}

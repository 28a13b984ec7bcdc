//! Properties of every format, with entirely random designs.

use super::any::check_files;
use crate::deploy::{change_plan, template_read};
use keyfold_core::export::change_plan::{Version, text};
use keyfold_core::export::{FORMATS, File, Format, cloudformation, yaml_reader as ours};
use keyfold_core::library;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Design, Value, limits, validate_invariants,
};
use keyfold_test_support::any_design::{any_design, two_designs};
use keyfold_test_support::cases;
use keyfold_test_support::yaml_reader;
use proptest::prelude::*;
use std::sync::Arc;

/// Checks that a parser of its language reads each file.
fn check_language(design: &Design, file: &File) {
    let text = &file.code.text;
    match file.name.rsplit_once('.').map(|(_, ending)| ending) {
        // There is no batch of no items.
        Some("json") if !text.is_empty() => {
            serde_json::from_str::<serde_json::Value>(text).unwrap();
        }
        Some("yaml") => {
            yaml_reader::read(text);
            ours::read(text).unwrap();
        }
        Some("rs") => {
            syn::parse_file(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
        Some("tf") => super::terraform::check(design, text),
        Some("md") if file.name != "README.md" => super::markdown::check(design, text),
        _ => {}
    }
}

proptest! {
    #![proptest_config(cases(64))]
    #[test]
    fn any_design_exports_to_every_format_and_its_template_reads_back(design in any_design()) {
        prop_assert_eq!(validate_invariants(&design), []);
        for format in FORMATS {
            for file in check_files(format, &design)? {
                check_language(&design, &file);
            }
        }
        let with = cloudformation::Options { tenant_policy: true };
        let _ = cloudformation::tree(&design, with);
        template_read::check("any", &design);
        let version = Version::of_design(design);
        let plan = keyfold_core::export::change_plan::change_plan(&version, &version);
        prop_assert!(plan.is_empty() && plan.remarks.is_empty(), "{:?}", plan);
    }

    #[test]
    fn any_two_designs_have_a_plan_that_leads_from_one_to_the_other((old, new) in two_designs()) {
        prop_assert_eq!(validate_invariants(&new), []);
        let (from, to) = (Version::of_design(old.clone()), Version::of_design(new.clone()));
        let plan = keyfold_core::export::change_plan::change_plan(&from, &to);
        change_plan::check(&old, &new, &plan);
        let _ = text(&plan);
        // Applying the plan again changes nothing.
        if let Some(last) = plan.steps.last() {
            let done = Version::of_design(last.design.clone());
            let rest = keyfold_core::export::change_plan::change_plan(&done, &to);
            prop_assert!(rest.steps.is_empty() && rest.replacement.is_empty(), "{}", text(&rest).text);
        }
    }
}

/// An item of maximum size, with numbers of 38 digits, bytes and text delimiters of many languages.
#[test]
fn the_largest_item_exports_to_every_format() {
    let mut design = library::find("blog").unwrap().design().unwrap();
    let id = design.entity_named("Post").expect("an entity");
    let entity = Arc::make_mut(design.entities.get_mut(&id).expect("the entity exists"));
    for (at, (name, kind)) in (9000..).zip([
        ("large", AttributeType::S),
        ("digits", AttributeType::N),
        ("bytes", AttributeType::B),
    ]) {
        let attribute = Attribute::new(AttributeId(at), name, kind);
        entity.attributes.push(attribute);
    }
    design.next_id = 9100;
    let samples = Arc::make_mut(design.samples.get_mut(&id).expect("samples"));
    let values = &mut Arc::make_mut(&mut samples[0]).values;
    let text = "${x} %{y} ` */ </script> \u{2028}\n\"'".repeat(limits::ITEM_BYTES / 40);
    let digits = "-12345678901234567890123456789012345678";
    for (name, value) in [
        ("large", Value::S(text.clone())),
        ("digits", Value::N(digits.parse().expect("a number"))),
        ("bytes", Value::B(vec![0, 255, b'"'])),
    ] {
        values.insert(name.to_owned(), value);
    }
    assert_eq!(validate_invariants(&design), []);
    for format in FORMATS {
        for file in check_files(format, &design).unwrap() {
            check_language(&design, &file);
        }
    }
    let files = Format::named("batch-write").unwrap().files(&design);
    let found = files.iter().any(|file| {
        let requests: serde_json::Value = serde_json::from_str(&file.code.text).unwrap();
        let puts = requests[&design.table.name].as_array().unwrap();
        puts.iter().any(|put| {
            let item = &put["PutRequest"]["Item"];
            item["large"]["S"] == *text
                && item["digits"]["N"] == *digits
                && item["bytes"]["B"] == "AP8i"
        })
    });
    assert!(found);
}

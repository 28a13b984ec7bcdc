//! What holds of every format of any design, made of nothing but chance.

use super::any::check_files;
use crate::any_design::{any_design, two_designs};
use crate::deploy::{change_plan, template_read};
use crate::yaml_reader;
use keyfold::domain::export::change_plan::{Version, text};
use keyfold::domain::export::{FORMATS, File, cloudformation, yaml_reader as ours};
use keyfold::domain::model::{Design, validate_invariants};
use proptest::prelude::*;

/// Each file is what its ending says, to a reader of that language.
fn check_language(design: &Design, file: &File) {
    let text = &file.code.text;
    match file.name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => {
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
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_design_has_every_format_and_its_template_comes_back(design in any_design()) {
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
        let plan = keyfold::domain::export::change_plan::change_plan(&version, &version);
        prop_assert!(plan.is_empty() && plan.remarks.is_empty(), "{:?}", plan);
    }

    #[test]
    fn any_two_designs_have_a_plan_that_leads_from_one_to_the_other((old, new) in two_designs()) {
        prop_assert_eq!(validate_invariants(&new), []);
        let (from, to) = (Version::of_design(old.clone()), Version::of_design(new.clone()));
        let plan = keyfold::domain::export::change_plan::change_plan(&from, &to);
        change_plan::check(&old, &new, &plan);
        let _ = text(&plan);
        // What is done need not be done again.
        if let Some(last) = plan.steps.last() {
            let done = Version::of_design(last.design.clone());
            let rest = keyfold::domain::export::change_plan::change_plan(&done, &to);
            prop_assert!(rest.steps.is_empty() && rest.replacement.is_empty(), "{}", text(&rest).text);
        }
    }
}

//! The cost in the Markdown document.

use keyfold_app::export::{all_files, files};
use keyfold_app::picture::PictureOptions;
use keyfold_core::export::Format;
use keyfold_core::library::{self, patterns};
use keyfold_core::model::{Design, Rate, Traffic};
use std::sync::Arc;

fn document(design: &Design) -> String {
    let format = Format::named("markdown").unwrap();
    files(format, design).remove(0).code.text
}

#[test]
fn a_design_with_a_workload_says_what_it_costs() {
    let mut design = library::find("e-commerce").unwrap().design().unwrap();
    let without = document(&design);
    let traffic = Traffic {
        average: Some(Rate::PerSecond(50.0)),
        ..Traffic::default()
    };
    let id = *design.access_patterns.keys().next().unwrap();
    Arc::make_mut(&mut design.workload)
        .patterns
        .insert(id, traffic);
    let with = document(&design);
    assert!(!without.contains("## Cost and heat"));
    let chapter = with.split("\n## Cost and heat\n\n").nth(1).unwrap();
    let chapter = chapter.split("\n## ").next().unwrap();
    assert!(chapter.starts_with("### Monthly bill"), "{chapter}");
    assert!(chapter.contains("| GSI1 |"), "{chapter}");
    // The archive of all exports has the same document.
    let all = all_files(&design, PictureOptions::default(), &mut |_, _| {});
    assert!(all.iter().any(|file| file.code.text == with));
}

#[test]
fn a_document_without_a_workload_is_that_of_the_core() {
    let format = Format::named("markdown").unwrap();
    for pattern in patterns().iter().take(3) {
        let design = pattern.design().unwrap();
        assert_eq!(files(format, &design), format.files(&design));
    }
}

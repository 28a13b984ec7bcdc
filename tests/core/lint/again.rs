//! After an edit the linter says what it says of the edited design when it sees it for the first time.

use keyfold::app::{Command, apply};
use keyfold::domain::engine::materialise_all;
use keyfold::domain::library::patterns;
use keyfold::domain::lint::{Linter, lint};
use keyfold::domain::model::{
    CardId, DelimiterPolicy, Design, KeyPart, OnDelimiter, validate_invariants,
};

/// Edits of every part of a design.
fn edits(design: &Design) -> Vec<Command> {
    let mut edits = vec![
        Command::RenameDesign("Other".into()),
        Command::SetDelimiter(DelimiterPolicy {
            delimiter: "-".into(),
            on_conflict: OnDelimiter::PercentEncode,
        }),
    ];
    let mut table = Box::new((*design.table).clone());
    table.type_attribute = None;
    table.ttl_attribute = Some("nothing".into());
    let field = "settings";
    edits.push(Command::UpdateTable { table, field });
    for (id, entity) in &design.entities {
        edits.push(Command::RenameEntity(*id, format!("{} Event", entity.name)));
        edits.push(Command::Delete(vec![CardId::Entity(*id)]));
        for attribute in entity.attributes.iter().take(2) {
            edits.push(Command::DeleteAttribute(*id, attribute.id));
            let mut renamed = Box::new(attribute.clone());
            renamed.name = "other".into();
            renamed.required = false;
            edits.push(Command::UpdateAttribute {
                entity: *id,
                attribute: renamed,
                field: "name",
            });
        }
        for index in entity.keys.keys() {
            for text in [
                "METADATA",
                "PROJECT#{x",
                "{tenantId}",
                "PROJECT#{tenantId}#X",
            ] {
                edits.push(Command::SetTemplate {
                    entity: *id,
                    index: *index,
                    part: KeyPart::Sort,
                    text: Some(text.into()),
                });
            }
        }
        if let Some(sample) = design.samples_of(*id).first() {
            edits.push(Command::AddSample(*id, sample.values.to_map()));
            edits.push(Command::DeleteSamples(vec![(*id, vec![sample.id])]));
        }
    }
    for id in design.indexes.keys() {
        edits.push(Command::Delete(vec![CardId::Index(*id)]));
    }
    edits
}

#[test]
fn an_edit_is_linted_as_the_edited_design_is() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let mut linter = Linter::default();
        let whole = linter.lint(&design);
        for edit in edits(&design) {
            let Ok(edited) = apply(&design, edit.clone()) else {
                continue;
            };
            assert_eq!(validate_invariants(&edited), []);
            let again = linter.lint(&edited);
            let first = lint(&edited);
            assert_eq!(again.findings, first.findings, "{}: {edit:?}", pattern.name);
            assert_eq!(again.needless, first.needless);
            let back = linter.lint(&design);
            assert_eq!(
                back.findings, whole.findings,
                "{}: back from {edit:?}",
                pattern.name
            );
        }
    }
}

#[test]
fn the_empty_design_has_no_findings() {
    assert!(lint(&Design::new("Empty")).findings.is_empty());
    assert!(lint(&Design::new("Empty")).passes());
}

#[test]
fn what_one_edit_left_undone_is_done_with_the_next() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let mut linter = Linter::default();
        let mut edited = design.clone();
        for (done, edit) in edits(&design).into_iter().enumerate() {
            let Ok(next) = apply(&edited, edit) else {
                continue;
            };
            edited = next;
            linter.begin(&edited, &materialise_all(&edited));
            for _ in 0..done % 4 {
                let _ = linter.step();
            }
        }
        let again = linter.lint_items(&edited, &materialise_all(&edited));
        let whole = Linter::default().lint_items(&edited, &materialise_all(&edited));
        assert_eq!(again.findings, whole.findings, "{}", pattern.name);
    }
}

//! Export options: saved with the design, undoable, and each affects only its own formats.

use keyfold_app::{Command, Document, apply};
use keyfold_core::export::options::{LIVE_FUNCTIONS, READ_ONLY, SWITCHES, has_policy};
use keyfold_core::export::{FORMATS, Format};
use keyfold_core::library::find;
use keyfold_core::model::{
    AttributeId, Design, EntityId, ExportOptions, TenantAttribute, validate_invariants,
};
use keyfold_core::persist::{from_json, to_json};
use keyfold_test_support::designs::{all_options, full_design};
use std::sync::Arc;

/// A multi-tenant design, with a tag that CloudFormation would evaluate.
fn tenants() -> Design {
    let mut design = find("saas-multi-tenant").unwrap().design().unwrap();
    let tags = &mut Arc::make_mut(&mut design.table).tags;
    tags.insert("owner".to_owned(), "{{resolve:ssm:/owner}}".to_owned());
    design
}

fn with(design: &Design, options: ExportOptions) -> Design {
    let options = Box::new(options);
    let field = "x";
    let next = apply(design, Command::SetExportOptions { options, field }).unwrap();
    assert_eq!(validate_invariants(&next), []);
    next
}

fn text(design: &Design, format: &str) -> String {
    let files = Format::named(format).unwrap().files(design);
    let named = |file: keyfold_core::export::File| format!("--- {}\n{}", file.name, file.code.text);
    files.into_iter().map(named).collect()
}

/// The formats that differ between two designs.
fn differing(one: &Design, other: &Design) -> Vec<&'static str> {
    let formats = FORMATS.iter().map(|format| format.name);
    formats
        .filter(|name| text(one, name) != text(other, name))
        .collect()
}

#[test]
fn an_export_option_is_one_undo_step_and_saved() {
    let design = tenants();
    let mut document = Document::new(design.clone());
    let options = Box::new(all_options());
    let changed = document
        .run(
            Command::SetExportOptions {
                options,
                field: "Tests",
            },
            0.0,
        )
        .unwrap();
    assert!(changed.export_options && !changed.table);
    assert_eq!(document.undo_label(), Some("change export option Tests"));
    let chosen = document.design().clone();
    assert_eq!(validate_invariants(&chosen), []);
    assert_eq!(from_json(&to_json(&chosen)).as_ref(), Ok(&chosen));
    document.undo().unwrap();
    assert_eq!(
        to_json(document.design()),
        to_json(&design),
        "disabled options are not written"
    );
    assert!(!to_json(&design).contains("exportOptions"));
    document.redo().unwrap();
    assert_eq!(document.design().export_options, chosen.export_options);
}

#[test]
fn each_option_changes_only_its_formats() {
    let design = tenants();
    for switch in &SWITCHES {
        let mut options = ExportOptions::default();
        let before = switch.is_on(&options);
        switch.set(&mut options, !before);
        assert_eq!(switch.is_on(&options), !before, "{}", switch.label);
        assert!(!options.is_default());
        let mut expected: Vec<&str> = (FORMATS.into_iter())
            .filter(|format| switch.is_of(*format))
            .map(|format| format.name)
            .collect();
        assert!(!expected.is_empty());
        // The document includes the linter's findings.
        if switch.label == LIVE_FUNCTIONS {
            expected.push("markdown");
        }
        let chosen = with(&design, options);
        assert_eq!(differing(&design, &chosen), expected, "{}", switch.label);
    }
    let mut options = ExportOptions::default();
    READ_ONLY.set(&mut options, true);
    assert_eq!(differing(&design, &with(&design, options.clone())), ["iam"]);
    assert!(
        FORMATS
            .into_iter()
            .all(|f| has_policy(f, &options) == (f.name == "iam"))
    );
    options.tenant_policy = true;
    let with_policy = ExportOptions {
        tenant_policy: true,
        ..Default::default()
    };
    assert_eq!(
        differing(&with(&design, with_policy), &with(&design, options)),
        ["cloudformation", "cloudformation-json", "iam"]
    );
}

#[test]
fn a_table_is_deleted_with_its_stack_only_if_chosen() {
    let mut design = tenants();
    for (format, kept) in [
        (
            "cloudformation",
            "    DeletionPolicy: Retain\n    UpdateReplacePolicy: Retain",
        ),
        ("terraform", "prevent_destroy = true"),
        ("cdk", "RemovalPolicy.RETAIN"),
    ] {
        assert!(text(&design, format).contains(kept), "{format}");
    }
    let options = ExportOptions {
        delete_with_stack: true,
        ..Default::default()
    };
    design = with(&design, options);
    for (format, goes) in [
        (
            "cloudformation",
            "    DeletionPolicy: Delete\n    UpdateReplacePolicy: Retain",
        ),
        ("cdk", "RemovalPolicy.DESTROY"),
    ] {
        assert!(text(&design, format).contains(goes), "{format}");
    }
    let terraform = text(&design, "terraform");
    assert!(!terraform.contains("prevent_destroy"), "{terraform}");
    assert!(!terraform.contains("lifecycle"), "no empty block");
}

#[test]
fn policy_principals() {
    let design = tenants();
    let policy = |options: ExportOptions| text(&with(&design, options), "iam");
    let automatic = policy(ExportOptions::default());
    assert!(
        automatic.contains("${aws:PrincipalTag/tenantId}"),
        "{automatic}"
    );
    let tagged = policy(ExportOptions {
        tenant_tag: Some("Tenant-Id".into()),
        ..Default::default()
    });
    assert_eq!(
        tagged,
        automatic.replace("PrincipalTag/tenantId", "PrincipalTag/Tenant-Id")
    );
    let application = policy(ExportOptions {
        tenant: TenantAttribute::Nobody,
        ..Default::default()
    });
    assert!(!application.contains("LeadingKeys"), "{application}");
    let named = policy(ExportOptions {
        tenant: TenantAttribute::Attribute("tenantId".into()),
        ..Default::default()
    });
    assert_eq!(named, automatic);
    let read = policy(ExportOptions {
        read_only: true,
        ..Default::default()
    });
    for action in [
        "PutItem",
        "UpdateItem",
        "DeleteItem",
        "BatchWriteItem",
        "Scan",
    ] {
        assert!(!read.contains(action), "{action}: {read}");
    }
    // Keys that do not start with the chosen prefix: allow nothing rather than everything.
    let wrong = policy(ExportOptions {
        tenant: TenantAttribute::Attribute("email".into()),
        ..Default::default()
    });
    assert!(
        wrong.contains("\"Deny\"") && !wrong.contains("\"Allow\""),
        "{wrong}"
    );
}

#[test]
fn an_impossible_tenant_policy_is_reported() {
    let design = find("blog").unwrap().design().unwrap();
    let options = ExportOptions {
        tenant_policy: true,
        ..Default::default()
    };
    let template = text(&with(&design, options), "cloudformation");
    assert!(
        template.contains("# The tenant policy is omitted"),
        "{template}"
    );
    assert!(!template.contains("ManagedPolicy"));
}

#[test]
fn the_crate_without_sdk_and_tests() {
    let options = ExportOptions {
        without_sdk: true,
        without_tests: true,
        ..Default::default()
    };
    let design = with(&tenants(), options);
    let files = Format::named("rust-crate").unwrap().files(&design);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Cargo.toml",
            "README.md",
            "src/lib.rs",
            "src/keys.rs",
            "src/items.rs",
            "src/serialization.rs"
        ]
    );
    for file in &files {
        let text = file.code.text.to_lowercase();
        for gone in ["aws", "serde_dynamo", "dev-dependencies", "cargo test"] {
            assert!(!text.contains(gone), "{} has {gone}:\n{text}", file.name);
        }
    }
    insta::assert_snapshot!(files[0].code.text);
}

#[test]
fn invalid_names_are_refused_and_change_nothing() {
    let design = tenants();
    for (tenant, tag) in [
        (TenantAttribute::Attribute("a{b".into()), None),
        (TenantAttribute::Attribute(String::new()), None),
        (TenantAttribute::Automatic, Some(String::new())),
        (TenantAttribute::Automatic, Some("tenant}".into())),
        (TenantAttribute::Automatic, Some("x".repeat(129))),
    ] {
        let options = ExportOptions {
            tenant,
            tenant_tag: tag,
            ..Default::default()
        };
        let command = Command::SetExportOptions {
            options: Box::new(options.clone()),
            field: "tenant",
        };
        assert!(apply(&design, command).is_err(), "{options:?}");
        let mut broken = full_design();
        broken.export_options = Arc::new(options);
        assert_eq!(validate_invariants(&broken).len(), 1);
        let read = from_json(&to_json(&broken)).unwrap_err().to_string();
        assert!(read.contains("exportOptions/tenant"), "{read}");
    }
}

#[test]
fn the_tenant_follows_its_attribute() {
    let options = ExportOptions {
        tenant: TenantAttribute::Attribute("tenantId".into()),
        ..Default::default()
    };
    let mut design = with(&tenants(), options);
    let owners: Vec<(EntityId, AttributeId)> = (design.entities.iter())
        .filter_map(|(id, entity)| Some((*id, entity.attribute("tenantId")?.id)))
        .collect();
    assert!(owners.len() > 1);
    for (number, (entity, attribute)) in owners.iter().enumerate() {
        let mut renamed = (design.entities[entity].attributes.iter())
            .find(|other| other.id == *attribute)
            .unwrap()
            .clone();
        renamed.name = "accountId".into();
        let command = Command::UpdateAttribute {
            entity: *entity,
            attribute: Box::new(renamed),
            field: "name",
        };
        design = apply(&design, command).unwrap();
        assert_eq!(validate_invariants(&design), []);
        let wanted = if number + 1 == owners.len() {
            "accountId"
        } else {
            "tenantId"
        };
        let wanted = TenantAttribute::Attribute(wanted.into());
        assert_eq!(design.export_options.tenant, wanted);
    }
    assert!(text(&design, "iam").contains("PrincipalTag/accountId"));
}

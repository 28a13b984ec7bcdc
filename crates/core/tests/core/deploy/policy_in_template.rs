//! What keeps the tenant policy out of a template.

use keyfold_core::export::Format;
use keyfold_core::export::iam::{iam, remark};
use keyfold_test_support::texts::read;
use std::sync::Arc;

/// A template of a design with the tenant policy on.
fn template(text: &str) -> String {
    let mut design = read(text);
    Arc::make_mut(&mut design.export_options).tenant_policy = true;
    Format::named("cloudformation").unwrap().files(&design)[0]
        .code
        .text
        .clone()
}

/// CloudFormation would replace the reference in the pattern of the key, so that the policy allows other keys.
#[test]
fn a_dynamic_reference_in_a_key_is_not_in_the_template() {
    let text = "design Notes\n\ntable Notes (PK, SK)\n\nentity Note\n  tenantId string\n  \
                key {{{{resolve:ssm:/x}}}}#{tenantId} / NOTE\n";
    let text = template(text);
    assert!(!text.contains("{{resolve:"), "{text}");
    assert!(
        text.contains("The tenant policy is omitted: a partition key"),
        "{text}"
    );
}

/// Indexes with the same keys share a statement; a policy that IAM would refuse is not exported.
#[test]
fn a_tenant_policy_has_the_size_that_iam_takes() {
    let design = |indexes: usize, prefix: &str, kinds: usize| {
        let mut text = "design Notes\n\ntable Notes (PK, SK)\n".to_owned();
        for number in 0..indexes {
            text += &format!("gsi GSI{number} (GSI{number}PK, GSI{number}SK)\n");
        }
        for kind in 0..kinds {
            text += &format!(
                "\nentity Note{kind}\n  tenantId string\n  id string\n  key T#{{tenantId}} / N{kind}#{{id}}\n"
            );
            for number in 0..indexes {
                text += &format!("  index GSI{number} {prefix}{kind}#{{tenantId}} / {{id}}\n");
            }
        }
        text
    };
    let shared = template(&design(20, "T", 1));
    assert_eq!(shared.matches("IndexOfTenant").count(), 1, "{shared}");
    assert!(shared.contains("AWS::IAM::ManagedPolicy"), "{shared}");
    let long = template(&design(2, &"x".repeat(200), 20));
    assert!(!long.contains("AWS::IAM::ManagedPolicy"), "{long}");
    assert!(
        long.contains("and IAM takes at most 6144 in a managed policy"),
        "{long}"
    );
    // The policy alone denies everything, and says why.
    let alone = keyfold_test_support::texts::read(&design(2, &"x".repeat(200), 20));
    let why = remark(&alone).expect("a remark");
    assert!(
        why.contains("and IAM takes at most 6144 in a managed policy"),
        "{why}"
    );
    let text = iam(&alone).text;
    assert!(text.contains("\"Effect\": \"Deny\""), "{text}");
}

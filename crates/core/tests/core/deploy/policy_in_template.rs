//! What keeps the tenant policy out of a template.

use keyfold_core::export::Format;
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

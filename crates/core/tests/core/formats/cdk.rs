//! What the CDK does with the settings of a table, where that is not what the design says.

use keyfold_core::export::Format;
use keyfold_test_support::texts::read;

/// The CDK export of a table with these settings and two GSIs: GSI1 has Contributor Insights, GSI2 has not.
fn cdk(settings: &str) -> String {
    let design = read(&format!(
        "design Orders\n\ntable orders (PK, SK)\n{settings}\ngsi GSI1 (GSI1PK, GSI1SK)\n  contributor-insights\n\
         gsi GSI2 (GSI2PK, GSI2SK)\n"
    ));
    let files = Format::named("cdk").expect("a format").files(&design);
    files.into_iter().next().expect("a file").code.text
}

fn has(text: &str, part: &str) {
    assert!(text.contains(part), "{part} is not in\n{text}");
}

fn lacks(text: &str, part: &str) {
    assert!(!text.contains(part), "{part} is in\n{text}");
}

const ONE_STATEMENT: &str = r#"  resource-policy
    > {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": "*", "Action": "dynamodb:GetItem", "Resource": "*"}}
"#;

/// `PolicyDocument.fromJson` throws for a statement that is not in a list, and drops `Id` and `Version`.
#[test]
fn a_policy_is_what_from_json_takes() {
    let text = cdk(ONE_STATEMENT);
    has(&text, "Statement: [");
    lacks(&text, "The CDK drops");
    lacks(&text, "resourcePolicyPerReplica");
    let other = ONE_STATEMENT.replace("\"2012-10-17\"", "\"2008-10-17\", \"Id\": \"shop\"");
    let text = cdk(&other);
    has(
        &text,
        "// The CDK drops Version 2008-10-17 and Id of the resource policy: it writes Version 2012-10-17.",
    );
    let text = cdk(&ONE_STATEMENT.replace("\"Version\"", "\"Id\""));
    has(
        &text,
        "// The CDK drops Id of the resource policy: it writes Version 2012-10-17.",
    );
}

/// Without the flag, the CDK gives the policy of the table to each replica.
#[test]
fn a_policy_beside_replicas_names_the_flag() {
    let text = cdk(&[ONE_STATEMENT, "  replica eu-west-1\n"].concat());
    has(&text, "@aws-cdk/aws-dynamodb:resourcePolicyPerReplica");
}

#[test]
fn a_policy_that_is_omitted_needs_no_import() {
    let text =
        cdk("  resource-policy\n    > {\"Statement\": [{\"Fn::Transform\": {\"Name\": \"x\"}}]}\n");
    has(&text, "The resource policy is omitted");
    lacks(&text, "aws-iam");
}

/// The settings of the replica.
fn of_replica(text: &str) -> &str {
    let from = text.find("region: \"eu-west-1\"").expect("a replica");
    let to = text.find("removalPolicy").expect("what comes after it");
    &text[from..to]
}

/// `TableV2` gives all GSIs the Contributor Insights of the table; only replicas can have other ones.
#[test]
fn contributor_insights_of_indexes_are_those_of_the_design_where_the_cdk_can_set_them() {
    let own = "// In the stack's own Region, TableV2 gives each GSI the Contributor Insights of the table:";
    let text = cdk("  provisioned read 5, write 5\n  contributor-insights\n  replica eu-west-1\n");
    has(
        &text,
        &[own, " the design has other ones for GSI2."].concat(),
    );
    let options = of_replica(&text);
    has(options, "globalSecondaryIndexOptions");
    has(options, "GSI2");
    has(options, "enabled: false");
    // These options replace the capacity of the index.
    has(options, "readCapacity: dynamodb.Capacity.fixed(5)");
    lacks(options, "GSI1");
    let text = cdk("  replica eu-west-1\n");
    has(
        &text,
        &[own, " the design has other ones for GSI1."].concat(),
    );
    let options = of_replica(&text);
    has(options, "GSI1");
    has(options, "enabled: true");
    lacks(options, "GSI2");
}

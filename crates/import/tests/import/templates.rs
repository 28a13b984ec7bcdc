//! Conditions and loops of CloudFormation templates.

use super::{import, left_out};

#[test]
fn loops_and_conditions_are_evaluated_as_far_as_the_defaults_determine_them() {
    let text = include_str!("fixtures/language-extensions.yaml");
    let import = import("template.yaml", text);
    let tables = import.tables.iter().map(|table| {
        let key: Vec<&str> = (table.table.key.attributes())
            .map(|key| key.name.as_str())
            .collect();
        format!("{} ({}): {}", table.table.name, key.join(", "), table.place)
    });
    let tables: Vec<String> = tables.collect();
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        tables.join("\n"),
        left_out(&import).join("\n")
    ));
}

#[test]
fn the_only_table_is_read_although_its_condition_does_not_hold() {
    let import = import(
        "template.yaml",
        "Parameters: {Env: {Type: String, Default: dev}}
Conditions: {IsProd: !Equals [!Ref Env, prod]}
Resources:
  T:
    Type: AWS::DynamoDB::Table
    Condition: IsProd
    Properties:
      TableName: orders
      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]
      KeySchema: [{AttributeName: PK, KeyType: HASH}]
      BillingMode: PAY_PER_REQUEST
",
    );
    assert_eq!(import.tables[0].table.name, "orders");
    assert_eq!(
        left_out(&import),
        ["Resources.T.Condition: left out: the table exists only where IsProd holds"]
    );
}

#[test]
fn loops_do_not_grow_without_end() {
    let list: Vec<String> = (0..200).map(|n| format!("\"{n}\"")).collect();
    let list = list.join(", ");
    let mut body = r#"{"T": {"Type": "AWS::DynamoDB::Table"}}"#.to_owned();
    for depth in 0..8 {
        body = format!(r#"{{"Fn::ForEach::L{depth}": ["V{depth}", [{list}], {body}]}}"#);
    }
    let text = format!(r#"{{"Resources": {body}}}"#);
    let error = keyfold_import::read("template.json", text.as_bytes(), None).expect_err("no table");
    assert!(error.len() < 500, "{error}");
}

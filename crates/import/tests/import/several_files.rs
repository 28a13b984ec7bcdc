//! Several definitions of one table.

use super::left_out;
use keyfold_core::model::{Billing, Projection};
use keyfold_import::{Import, combine, read};

const TEMPLATE: &str = "Resources:
  T:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: shop-table
      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}, {AttributeName: SK, AttributeType: S}, {AttributeName: G, AttributeType: S}]
      KeySchema: [{AttributeName: PK, KeyType: HASH}, {AttributeName: SK, KeyType: RANGE}]
      ProvisionedThroughput: {ReadCapacityUnits: 7, WriteCapacityUnits: 7}
      TimeToLiveSpecification: {AttributeName: until, Enabled: true}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
      GlobalSecondaryIndexes:
        - {IndexName: gs1, KeySchema: [{AttributeName: G, KeyType: HASH}], Projection: {ProjectionType: KEYS_ONLY}, ProvisionedThroughput: {ReadCapacityUnits: 3, WriteCapacityUnits: 3}}
";

/// Joins files as the command line does.
fn combined(files: &[(&str, &str)]) -> Import {
    let files = files.iter().map(|(name, text)| {
        let import =
            read(name, text.as_bytes(), None).unwrap_or_else(|why| panic!("{name}: {why}"));
        ((*name).to_owned(), import)
    });
    combine(files.collect())
}

#[test]
fn what_defines_a_table_wins_over_the_schema_of_a_library_in_any_order() {
    let schema = "import { Table } from 'dynamodb-onetable'\nconst table = new Table({ name: 'shop-table', schema: { format: 'onetable:1.1.0', version: '0.0.1',\n\
        indexes: { primary: { hash: 'PK', sort: 'SK' }, gs1: { hash: 'G' } },\n\
        models: { User: { PK: { type: String, value: 'USER#${id}' }, SK: { type: String, value: 'USER' }, G: { type: String, value: '${id}' },\n\
        id: { type: String, required: true }, expires: { type: Date, ttl: true } } } } })";
    let (template, schema) = (("t.yaml", TEMPLATE), ("schema.ts", schema));
    for files in [[template, schema], [schema, template]] {
        let import = combined(&files);
        let [table] = import.tables.as_slice() else {
            panic!("{import:?}");
        };
        assert!(matches!(&table.table.billing, Billing::Provisioned(units) if units.read == 7));
        assert!(table.table.recovery.is_some());
        assert_eq!(table.indexes[0].projection, Projection::KeysOnly);
        assert!(table.indexes[0].provisioned.is_some());
        assert_eq!(table.entities.len(), 1);
        assert_eq!(table.table.ttl_attribute.as_deref(), Some("until"));
        let said = left_out(&import).join("\n");
        assert!(
            said.contains("TTL attribute: \"expires\" is left out, and \"until\" is kept, from t.yaml: Resources.T.Properties"),
            "{said}"
        );
    }
}

#[test]
fn a_second_template_adds_what_the_first_leaves_open_and_says_what_differs() {
    let other = r#"{"TableName": "shop-table", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}, {"AttributeName": "G", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
        "Tags": [{"Key": "team", "Value": "a"}],
        "GlobalSecondaryIndexes": [{"IndexName": "gs1", "KeySchema": [{"AttributeName": "G", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}"#;
    let import = combined(&[("t.yaml", TEMPLATE), ("table.json", other)]);
    let table = &import.tables[0];
    assert!(table.table.stream.is_some());
    assert_eq!(table.table.tags.len(), 1);
    assert_eq!(table.indexes[0].projection, Projection::KeysOnly);
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn a_request_turns_recovery_on_and_off() {
    for is_on in [true, false] {
        let request = format!(
            r#"{{"TableName": "shop-table", "PointInTimeRecoverySpecification": {{"PointInTimeRecoveryEnabled": {is_on}}}}}"#
        );
        let import = combined(&[("t.yaml", TEMPLATE), ("recovery.json", &request)]);
        assert_eq!(import.tables[0].table.recovery.is_some(), is_on);
        assert_eq!(left_out(&import), Vec::<String>::new());
    }
}

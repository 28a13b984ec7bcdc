//! Conditions and loops of CloudFormation templates.

use super::{import, left_out};
use keyfold_core::model::Billing;

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

const SCALED: &str = r#"{
  "Parameters": {"Stage": {"Type": "String", "Default": "dev"}, "Other": {"Type": "String", "Default": "x"}},
  "Conditions": {"IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}},
  "Resources": {
    "Orders": {"Type": "AWS::DynamoDB::Table", "Properties": {
      "TableName": {"Fn::Sub": "orders-${Stage}"},
      "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
      "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": {"Fn::If": ["IsProd", 50, 7]}},
      "GlobalSecondaryIndexes": [{"IndexName": "I", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 6}}]}},
    "Users": {"Type": "AWS::DynamoDB::Table", "Properties": {
      "TableName": "users", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}},
    "Read": {"Type": "AWS::ApplicationAutoScaling::ScalableTarget", "Properties": {
      "ResourceId": {"Fn::Join": ["", ["table/", {"Ref": "Orders"}]]}, "MinCapacity": 2, "MaxCapacity": 20,
      "ScalableDimension": "dynamodb:table:ReadCapacityUnits", "ServiceNamespace": "dynamodb"}},
    "ReadPolicy": {"Type": "AWS::ApplicationAutoScaling::ScalingPolicy", "Properties": {
      "ScalingTargetId": {"Fn::Join": ["|", [{"Fn::Join": ["/", ["table", {"Ref": "Orders"}]]}, "dynamodb:table:ReadCapacityUnits", "dynamodb"]]},
      "TargetTrackingScalingPolicyConfiguration": {"TargetValue": 60.0,
        "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBReadCapacityUtilization"}}}},
    "IndexWrite": {"Type": "AWS::ApplicationAutoScaling::ScalableTarget", "Properties": {
      "ResourceId": {"Fn::Join": ["/", ["table", {"Ref": "Orders"}, "index", "I"]]}, "MinCapacity": 3, "MaxCapacity": 30,
      "ScalableDimension": "dynamodb:index:WriteCapacityUnits", "ServiceNamespace": "dynamodb"}},
    "OnDemand": {"Type": "AWS::ApplicationAutoScaling::ScalableTarget", "Properties": {
      "ResourceId": {"Fn::Join": ["", ["table/", {"Ref": "Users"}]]}, "MinCapacity": 3, "MaxCapacity": 30,
      "ScalableDimension": "dynamodb:table:WriteCapacityUnits", "ServiceNamespace": "dynamodb"}},
    "Far": {"Type": "AWS::ApplicationAutoScaling::ScalableTarget", "Properties": {
      "ResourceId": {"Fn::ImportValue": "path"}, "MinCapacity": 3, "MaxCapacity": 30,
      "ScalableDimension": "dynamodb:table:WriteCapacityUnits", "ServiceNamespace": "dynamodb"}},
    "FarPolicy": {"Type": "AWS::ApplicationAutoScaling::ScalingPolicy", "Properties": {
      "ScalingTargetId": {"Fn::ImportValue": "target"}, "TargetTrackingScalingPolicyConfiguration": {"TargetValue": 60,
        "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBReadCapacityUtilization"}}}},
    "Service": {"Type": "AWS::ApplicationAutoScaling::ScalableTarget", "Properties": {
      "ResourceId": {"Fn::ImportValue": "service"}, "MinCapacity": 3, "MaxCapacity": 30,
      "ScalableDimension": "ecs:service:DesiredCount", "ServiceNamespace": "ecs"}},
    "Function": {"Type": "AWS::Lambda::Function", "Properties": {"Name": {"Ref": "Other"}}}
  }
}"#;

#[test]
fn auto_scaling_of_composed_resource_ids_is_applied_and_the_rest_is_listed() {
    let import = import("template.json", SCALED);
    let [orders, users] = import.tables.as_slice() else {
        panic!("{import:?}");
    };
    let Billing::Provisioned(units) = &orders.table.billing else {
        panic!("{orders:?}");
    };
    let read = units.read_scaling.expect("scaling of reads");
    assert_eq!((read.min, read.max, read.target_percent), (2, 20, 60));
    let of_index = orders.indexes[0].provisioned.as_ref();
    let write = of_index
        .and_then(|units| units.write_scaling)
        .expect("scaling of the index");
    assert_eq!((write.min, write.max, write.target_percent), (3, 30, 70));
    assert!(matches!(users.table.billing, Billing::OnDemand(_)));
    let far = r#"the auto scaling `Far` is left out: its table cannot be determined from the template alone: {"Fn::ImportValue": "path"}"#;
    assert_eq!(
        left_out(&import),
        [
            format!("Resources.Orders.Properties: {far}"),
            "Resources.Orders.Properties: the scaling policy `FarPolicy` is left out: its scalable target cannot be determined from the template alone".to_owned(),
            "Resources.Users.Properties: the auto scaling `OnDemand` is left out: the table is on-demand".to_owned(),
        ]
    );
}

#[test]
fn defaults_that_decide_a_value_are_assumed() {
    let import = import("template.json", SCALED);
    let assumed: Vec<String> = import.assumed.iter().map(ToString::to_string).collect();
    assert_eq!(
        assumed,
        [
            "Conditions.IsProd: with the defaults of the parameters, it does not hold",
            "Parameters.Stage: its default `dev` is taken",
        ]
    );
}

#[test]
fn replicas_with_other_settings_are_listed() {
    let text = "Resources:
  T:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      TableName: orders
      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]
      KeySchema: [{AttributeName: PK, KeyType: HASH}]
      BillingMode: PAY_PER_REQUEST
      Replicas:
        - Region: !Ref AWS::Region
          PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
          ResourcePolicy: {PolicyDocument: {Version: '2012-10-17'}}
        - Region: eu-west-1
          TableClass: STANDARD_INFREQUENT_ACCESS
        - Region: eu-west-2
          PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
";
    let all = "and is left out: in a design, a replica has the settings of its table";
    let place = "Resources.T.Properties: Resources.T.Properties.Replicas";
    assert_eq!(
        left_out(&import("template.yaml", text)),
        [
            format!(
                r#"{place}[1].TableClass is "STANDARD_INFREQUENT_ACCESS", unlike in the stack's own Region, {all}"#
            ),
            format!(
                "{place}[1].PointInTimeRecoverySpecification is missing, unlike in the stack's own Region, {all}"
            ),
        ]
    );
}

#[test]
fn files_of_a_serverless_configuration_are_named() {
    let table = "Type: AWS::DynamoDB::Table, Properties: {TableName: users, BillingMode: PAY_PER_REQUEST, \
        AttributeDefinitions: [{AttributeName: PK, AttributeType: S}], KeySchema: [{AttributeName: PK, KeyType: HASH}]}";
    let one = "provider: {name: aws}\nresources:\n  Resources:\n    Users: {".to_owned()
        + table
        + "}\n    Orders: ${file(orders.yml)}\n";
    let list =
        "provider: {name: aws}\nresources:\n  - ${file(orders.yml)}\n  - Resources:\n      Users: {"
            .to_owned()
            + table + "}\n";
    let why = "the resources of ${file(orders.yml)} are not read: name this file too";
    for (text, place) in [(one, "resources.Resources.Orders"), (list, "resources[0]")] {
        let import = import("serverless.yml", &text);
        assert_eq!(import.tables.len(), 1);
        assert_eq!(left_out(&import), [format!("{place}: {why}")]);
    }
    let only = "provider: {name: aws}\nresources: ${file(orders.yml)}\n";
    let import = import("serverless.yml", only);
    assert_eq!(left_out(&import), [format!("resources: {why}")]);
}

#[test]
fn tables_of_constructs_with_one_name_are_two_tables() {
    let table = |id: &str, path: &str| {
        format!(
            r#""{id}": {{"Type": "AWS::DynamoDB::Table", "Metadata": {{"aws:cdk:path": "{path}"}}, "Properties": {{
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{{"AttributeName": "pk", "AttributeType": "S"}}, {{"AttributeName": "sk", "AttributeType": "S"}}],
                "KeySchema": [{{"AttributeName": "pk", "KeyType": "HASH"}}, {{"AttributeName": "sk", "KeyType": "RANGE"}}]}}}}"#
        )
    };
    let stack = |tables: &[String]| format!(r#"{{"Resources": {{{}}}}}"#, tables.join(", "));
    let names = |import: &keyfold_import::Import| -> Vec<String> {
        let tables = import.tables.iter();
        tables.map(|table| table.table.name.clone()).collect()
    };
    let both = stack(&[
        table("OrdersTable315BB997", "S/Orders/Table/Resource"),
        table("UsersTable9725E9C8", "S/Users/Table/Resource"),
    ]);
    assert_eq!(
        names(&import("s.template.json", &both)),
        ["Orders-Table", "Users-Table"]
    );
    let same = stack(&[
        table("First", "S/X/Table/Resource"),
        table("Other", "T/X/Table/Resource"),
    ]);
    assert_eq!(names(&import("s.template.json", &same)), ["First", "Other"]);
    // In two templates.
    let read = |text: &str| keyfold_import::read("t.json", text.as_bytes(), None).expect("a table");
    let (one, other) = (
        stack(&[table("First", "S/Table/Resource")]),
        stack(&[table("Other", "T/Table/Resource")]),
    );
    let named = other.replace(r#""BillingMode""#, r#""TableName": "Table", "BillingMode""#);
    for (second, expected) in [
        (&other, ["Table", "Table-2"]),
        (&named, ["Table-2", "Table"]),
    ] {
        let files = [("a.json", &one), ("b.json", second)];
        let files = files.map(|(name, text)| (name.to_owned(), read(text)));
        let import = keyfold_import::combine(files.into());
        assert_eq!(names(&import), expected);
        assert_eq!(import.tables[1].place, "b.json: Resources.Other.Properties");
        let said = left_out(&import).join("\n");
        assert!(
            said.contains("another table has this name; here it is `Table 2`"),
            "{said}"
        );
    }
}

#[test]
fn a_replica_in_an_unknown_region_is_noted() {
    let read = |replicas: &str| {
        let text = format!(
            "Parameters: {{DrRegion: {{Type: String}}}}
Resources:
  T:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      TableName: orders
      AttributeDefinitions: [{{AttributeName: PK, AttributeType: S}}]
      KeySchema: [{{AttributeName: PK, KeyType: HASH}}]
      BillingMode: PAY_PER_REQUEST
      Replicas: [{replicas}]
"
        );
        let import = import("template.yaml", &text);
        let table = &import.tables[0].table;
        let regions = table.replicas.iter().map(|replica| replica.region.clone());
        (
            regions.collect::<Vec<_>>(),
            table.recovery.is_some(),
            left_out(&import),
        )
    };
    let own = "{Region: !Sub '${AWS::Region}', PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}}";
    let place = "Resources.T.Properties: Resources.T.Properties.Replicas";
    let unknown =
        |at: u8| format!("{place}[{at}].Region cannot be determined: the replica is left out");
    assert_eq!(
        read(&format!(
            "{own}, {{Region: !Ref DrRegion}}, {{Region: eu-west-1, PointInTimeRecoverySpecification: {{PointInTimeRecoveryEnabled: true}}}}"
        )),
        (vec!["eu-west-1".to_owned()], true, vec![unknown(1)])
    );
    assert_eq!(
        read(&format!("{{Region: !Ref DrRegion}}, {own}")),
        (Vec::new(), true, vec![unknown(0)])
    );
    assert_eq!(
        read("{Region: !Ref DrRegion}"),
        (Vec::new(), false, Vec::new())
    );
    assert_eq!(
        read("{Region: !Ref DrRegion}, {Region: eu-west-1}, {Region: eu-west-2}"),
        (
            vec!["eu-west-2".to_owned()],
            false,
            vec![
                unknown(0),
                "Resources.T.Properties: the stack's own Region is assumed to be the first replica's, eu-west-1".to_owned()
            ]
        )
    );
}

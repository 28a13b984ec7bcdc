//! What is particular to each format.

use super::{import, left_out};
use keyfold_core::model::{Billing, KeyType, Projection, SortOperator, StreamView, Value};
use keyfold_import::{FoundOperation, design};

#[test]
fn yaml_with_comments_is_read() {
    let import = import(
        "template.yaml",
        "Resources:
  Orders: # the table
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: \"abc\" # comment
      AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]
      KeySchema: [{AttributeName: PK, KeyType: HASH}] # comment
      BillingMode: PAY_PER_REQUEST
      Surprise: {a: 1}
      TimeToLiveSpecification: {AttributeName: !ImportValue ttl, Enabled: true}
",
    );
    assert_eq!(import.tables[0].table.name, "abc");
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn functions_are_resolved_from_defaults() {
    let import = import(
        "template.yaml",
        "Parameters:
  Stage: {Type: String, Default: dev}
  Other: {Type: String}
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub 'orders-${Stage}'
      AttributeDefinitions:
        - {AttributeName: PK, AttributeType: S}
        - {AttributeName: a, AttributeType: N}
      KeySchema: [{AttributeName: PK, KeyType: HASH}]
      BillingMode: PAY_PER_REQUEST
      GlobalSecondaryIndexes:
        - IndexName: !Ref Other
          KeySchema: [{AttributeName: a, KeyType: HASH}]
          Projection: {ProjectionType: ALL}
        - IndexName: byA
          KeySchema: [{AttributeName: a, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
      Tags: [{Key: stage, Value: !Ref Stage}, {Key: other, Value: !Ref Other}]
",
    );
    let table = &import.tables[0];
    assert_eq!(table.table.name, "orders-dev");
    assert_eq!(table.indexes.len(), 1);
    assert_eq!(table.indexes[0].projection, Projection::KeysOnly);
    assert_eq!(table.table.tags.len(), 1);
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn cdk_tables_have_the_names_of_their_constructs() {
    let import = import(
        "stack.template.json",
        r#"{"Resources": {"OrdersTable0BF3FA4E": {
            "Type": "AWS::DynamoDB::Table",
            "Properties": {
              "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
              "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
              "BillingMode": "PAY_PER_REQUEST"
            },
            "UpdateReplacePolicy": "Retain", "DeletionPolicy": "Retain",
            "Metadata": {"aws:cdk:path": "ShopStack/Orders/Resource"}
        }}}"#,
    );
    assert_eq!(import.tables[0].name, "Orders");
    assert!(!import.tables[0].delete_with_stack);
    assert_eq!(import.left_out.len(), 1);
}

#[test]
fn sam_simple_tables_are_read() {
    let import = import(
        "template.yaml",
        "Transform: AWS::Serverless-2016-10-31
Resources:
  Users:
    Type: AWS::Serverless::SimpleTable
    Properties:
      TableName: users
      PrimaryKey: {Name: userId, Type: Number}
      Tags: {team: a}
  Fn:
    Type: AWS::Serverless::Function
    Properties: {Handler: x}
",
    );
    let table = &import.tables[0].table;
    assert_eq!(table.key.partition[0].name, "userId");
    assert_eq!(table.key.partition[0].kind, KeyType::N);
    assert_eq!(table.tags["team"], "a");
    assert_eq!(left_out(&import), Vec::<String>::new());
}

#[test]
fn serverless_variables_are_replaced() {
    let import = import(
        "serverless.yml",
        "service: shop
provider: {name: aws, stage: \"${opt:stage, 'test'}\"}
custom:
  names: &names {table: \"orders-${self:provider.stage}\"}
  all: {<<: *names}
resources:
  Resources:
    Orders:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: ${self:custom.all.table}
        AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]
        KeySchema: [{AttributeName: PK, KeyType: HASH}]
        ProvisionedThroughput: {ReadCapacityUnits: 3, WriteCapacityUnits: 4}
        TimeToLiveSpecification: {AttributeName: '${env:TTL}', Enabled: true}
",
    );
    let table = &import.tables[0].table;
    assert_eq!(table.name, "orders-test");
    let Billing::Provisioned(units) = &table.billing else {
        panic!("{table:?}");
    };
    assert_eq!((units.read, units.write), (3, 4));
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn a_description_of_a_table_is_read() {
    let import = import(
        "describe-table.json",
        r#"{"Table": {
          "TableName": "Music", "TableStatus": "ACTIVE", "ItemCount": 3, "CreationDateTime": 1.5e9,
          "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}],
          "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}],
          "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
          "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
          "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"},
          "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
          "SSEDescription": {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": "arn:k"},
          "GlobalSecondaryIndexes": [{
            "IndexName": "byN", "IndexStatus": "ACTIVE", "ItemCount": 3, "IndexArn": "a",
            "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]},
            "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
          }],
          "Replicas": [{"RegionName": "eu-west-1", "ReplicaStatus": "ACTIVE"}]
        }}"#,
    );
    assert_eq!(left_out(&import), Vec::<String>::new());
    let table = &import.tables[0];
    assert_eq!(table.table.stream, Some(StreamView::NewImage));
    assert_eq!(table.table.warm_throughput, None);
    assert_eq!(table.table.replicas[0].region, "eu-west-1");
    assert_eq!(
        table.indexes[0].projection,
        Projection::Include(vec!["x".into()])
    );
    design(table).expect("a design");
}

#[test]
fn terraform_expressions_are_evaluated() {
    let import = import(
        "main.tf",
        r#"variable "stage" { default = "dev" }
locals {
  name = "shop-${var.stage}"
}
resource "aws_dynamodb_table" "shop" {
  name         = local.name
  billing_mode = var.stage == "prod" ? "PROVISIONED" : "PAY_PER_REQUEST"
  hash_key     = "PK"
  range_key    = "SK"
  attribute {
    name = "PK"
    type = "S"
  }
  attribute {
    name = "SK"
    type = "S"
  }
  global_secondary_index {
    name            = "GSI1"
    hash_key        = "SK"
    range_key       = "PK"
    projection_type = "ALL"
  }
  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.key.arn
  }
  tags = { Stage = var.stage }
  lifecycle { prevent_destroy = true }
  surprise = 1
}
"#,
    );
    let table = &import.tables[0];
    assert_eq!(table.table.name, "shop-dev");
    assert_eq!(table.table.tags["Stage"], "dev");
    assert_eq!(table.indexes[0].key.sort[0].name, "PK");
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn a_shown_state_of_terraform_is_read() {
    let import = import(
        "show.json",
        r#"{"format_version": "1.0", "values": {"root_module": {"child_modules": [{"resources": [{
            "address": "module.a.aws_dynamodb_table.t", "mode": "managed", "type": "aws_dynamodb_table", "name": "t",
            "values": {
              "name": "orders", "id": "orders", "arn": "x", "billing_mode": "PAY_PER_REQUEST", "hash_key": "pk", "range_key": null,
              "attribute": [{"name": "pk", "type": "S"}], "global_secondary_index": [], "read_capacity": 0, "write_capacity": 0,
              "ttl": [{"attribute_name": "ttl", "enabled": true}], "point_in_time_recovery": [{"enabled": true, "recovery_period_in_days": 35}],
              "stream_enabled": false, "stream_view_type": "", "tags": {"a": "b"}, "tags_all": {}
            }
        }]}]}}}"#,
    );
    let table = &import.tables[0].table;
    assert_eq!(table.ttl_attribute.as_deref(), Some("ttl"));
    assert!(table.recovery.is_some());
    assert_eq!(left_out(&import), Vec::<String>::new());
}

#[test]
fn items_are_read_in_every_envelope() {
    let item = r#"{"PK": {"S": "a"}, "SK": {"S": "b"}}"#;
    for text in [
        format!(
            r#"{{"Items": [{item}], "Count": 1, "ScannedCount": 1, "ConsumedCapacity": null}}"#
        ),
        format!(r#"{{"Item": {item}}}"#),
        format!(r#"{{"RequestItems": {{"t": [{{"PutRequest": {{"Item": {item}}}}}]}}}}"#),
        format!(r#"{{"t": [{{"PutRequest": {{"Item": {item}}}}}]}}"#),
        format!(r#"{{"Responses": {{"t": [{item}]}}, "UnprocessedKeys": {{}}}}"#),
        format!(r#"{{"Records": [{{"eventID": "1", "dynamodb": {{"NewImage": {item}}}}}]}}"#),
        format!("{item}\n"),
        r#"[{"PK": "a", "SK": "b"}]"#.to_owned(),
        "PK,SK\na,b\n".to_owned(),
    ] {
        let import = import("items", &text);
        let values = &import.tables[0].items[0].values;
        assert_eq!(values.len(), 2, "{text}");
        assert_eq!(values["PK"], Value::from("a"), "{text}");
        assert_eq!(import.tables[0].table.key.sort.len(), 1, "{text}");
    }
}

#[test]
fn a_compressed_export_of_a_table_is_read() {
    // {"Item":{"PK":{"S":"a"}}} and a line end, compressed with gzip.
    let bytes = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x01, 0x1a, 0x00, 0xe5, 0xff,
    ];
    let text = b"{\"Item\":{\"PK\":{\"S\":\"a\"}}}\n";
    let mut all = bytes.to_vec();
    all.extend(text);
    all.extend(0x1ddb926b_u32.to_le_bytes());
    all.extend([0x1a, 0, 0, 0]);
    let import = keyfold_import::read("part.json.gz", &all, None).expect("items");
    assert_eq!(import.loose[0].items.len(), 1);
    let cut = keyfold_import::read("part.json.gz", &all[..30], None).expect_err("cut off");
    assert!(cut.contains("cut off"), "{cut}");
}

#[test]
fn a_cell_keeps_its_text() {
    let import = import(
        "items.csv",
        "PK,zip,n,on\na,01234,5,true\nb,99999,-1.5,false\n",
    );
    let item = &import.tables[0].items[0].values;
    assert_eq!(item["zip"], Value::from("01234"));
    assert_eq!(item["n"], Value::from(5));
    assert_eq!(item["on"], Value::Bool(true));
}

const SCHEMA: &str = r#"{"tables": [{
  "table_config": {"table_name": "Deals", "partition_key": "pk", "sort_key": "sk"},
  "gsi_list": [{"name": "ByBrand", "partition_key": "brand_id", "sort_key": ["status", "score"], "projection": "KEYS_ONLY"}],
  "entities": {"Deal": {
    "entity_type": "DEAL", "pk_template": "USER#{user_id}", "sk_template": "DEAL#{created_at}#{score:05d}",
    "gsi_mappings": [{"name": "ByBrand", "pk_template": "{brand_id}", "sk_template": ["{status}", "{score}"]}],
    "fields": [
      {"name": "user_id", "type": "uuid", "required": true},
      {"name": "created_at", "type": "string", "required": true},
      {"name": "brand_id", "type": "string", "required": false},
      {"name": "status", "type": "string", "required": false},
      {"name": "score", "type": "integer", "required": true},
      {"name": "tags", "type": "array", "item_type": "string", "required": false}
    ],
    "access_patterns": [
      {"pattern_id": 1, "name": "get_deal", "description": "One", "operation": "GetItem", "consistent_read": true,
       "parameters": [{"name": "user_id", "type": "string"}], "return_type": "single_entity"},
      {"pattern_id": 2, "name": "deals_since", "description": "", "operation": "Query", "range_condition": ">=",
       "parameters": [{"name": "user_id", "type": "string"}, {"name": "since", "type": "string"}], "return_type": "entity_list"},
      {"pattern_id": 3, "name": "by_brand", "description": "", "operation": "Query", "index_name": "ByBrand",
       "parameters": [{"name": "brand_id", "type": "string"}, {"name": "status", "type": "string"}], "return_type": "entity_list",
       "filter_expression": {"conditions": [{"field": "tags", "function": "contains", "param": "tag"}]}},
      {"pattern_id": 4, "name": "create", "description": "", "operation": "PutItem",
       "parameters": [{"name": "deal", "type": "entity", "entity_type": "Deal"}], "return_type": "single_entity"},
      {"pattern_id": 5, "name": "rank", "description": "", "operation": "UpdateItem",
       "parameters": [{"name": "user_id", "type": "string"}, {"name": "status", "type": "string"}], "return_type": "void"}
    ]
  }}
}]}"#;

#[test]
fn a_schema_of_the_mcp_server_has_templates_and_access_patterns() {
    let import = import("schema.json", SCHEMA);
    assert_eq!(left_out(&import), Vec::<String>::new());
    let table = &import.tables[0];
    assert_eq!(table.indexes[0].key.sort[1].kind, KeyType::N);
    let entity = &table.entities[0];
    let (_, primary) = &entity.keys[0];
    assert_eq!(primary.partition.as_deref(), Some("USER#{user_id}"));
    assert_eq!(
        primary.sort.as_deref(),
        Some("DEAL#{created_at}#{score:pad(5)}")
    );
    let FoundOperation::Query { sort, .. } = &table.patterns[1].operation else {
        panic!("{:?}", table.patterns[1]);
    };
    assert_eq!(
        sort[0],
        (SortOperator::GreaterOrEqual, "DEAL#{since}".into(), None)
    );
    let made = design(table).expect("a design");
    assert_eq!(made.left_out, []);
    assert_eq!(made.design.access_patterns.len(), 5);
    assert_eq!(keyfold_core::model::validate_invariants(&made.design), []);
}

#[test]
fn transactions_of_the_mcp_server_are_access_patterns() {
    let part = |entity: &str, action: &str, table: &str, condition: &str| {
        format!(r#"{{"table": "{table}", "entity": "{entity}", "action": "{action}"{condition}}}"#)
    };
    let pattern = |name: &str, operation: &str, parts: &[String]| {
        format!(
            r#"{{"pattern_id": 9, "name": "{name}", "description": "", "operation": "{operation}", "return_type": "boolean",
              "entities_involved": [{}],
              "parameters": [{{"name": "deal", "type": "entity", "entity_type": "Deal"}}, {{"name": "status", "type": "string"}}]}}"#,
            parts.join(", ")
        )
    };
    let condition = r#", "condition": "attribute_not_exists(pk)""#;
    let patterns = [
        pattern(
            "write",
            "TransactWrite",
            &[
                part("Deal", "Put", "Deals", condition),
                part("Deal", "Update", "Deals", ""),
                part("Deal", "Delete", "Deals", ""),
                part("Deal", "ConditionCheck", "Deals", condition),
            ],
        ),
        pattern("read", "TransactGet", &[part("Deal", "Get", "Deals", "")]),
        pattern(
            "across",
            "TransactWrite",
            &[
                part("Deal", "Put", "Deals", ""),
                part("User", "Put", "Users", ""),
            ],
        ),
        pattern(
            "unknown",
            "TransactWrite",
            &[part("Deal", "Merge", "Deals", "")],
        ),
    ];
    let patterns = format!(
        r#"], "cross_table_access_patterns": [{}]}}"#,
        patterns.join(", ")
    );
    let schema = SCHEMA.strip_suffix("]}").expect("the end").to_owned() + &patterns;
    let import = import("schema.json", &schema);
    assert_eq!(
        left_out(&import),
        [
            "cross_table_access_patterns[2]: the access pattern across is left out: it is a transaction over several \
             tables, and a design has one",
            "cross_table_access_patterns[3]: the access pattern unknown is left out: unknown action `Merge`",
        ]
    );
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!(made.left_out, []);
    let text = keyfold_core::text::print(&made.design);
    let shown: Vec<&str> = text
        .split("\n\n")
        .filter(|block| block.contains("Transact"))
        .collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn formats_of_python_are_modifiers() {
    for (template, expected, noted) in [
        ("A#{a:05d}", "A#{a:pad(5)}", None),
        ("A#{b:0>4}", "A#{b:pad(4)}", None),
        ("A#{a:07.2f}", "A#{a:pad(4,2)}", None),
        ("{b:.3}#x", "{b:first(3)}#x", None),
        ("{a:d}", "{a}", None),
        ("{a:f}", "{a}", None),
        ("cost${a}", "cost$${a}", None),
        (
            "A#{b:>10}",
            "A#{b}",
            Some("the format `>10` of b is left out"),
        ),
        (
            "A#{a:.2f}",
            "A#{a}",
            Some("the format `.2f` of a is left out"),
        ),
        (
            "A#{a:02.5f}",
            "A#{a}",
            Some("the format `02.5f` of a is left out"),
        ),
        (
            "A#{a:0999d}",
            "A#{a}",
            Some("the format `0999d` of a is left out"),
        ),
    ] {
        let schema = serde_json::json!({ "tables": [{
            "table_config": { "table_name": "formats", "partition_key": "PK" },
            "entities": { "E": {
                "entity_type": "E",
                "pk_template": template,
                "fields": [
                    { "name": "a", "type": "decimal", "required": true },
                    { "name": "b", "type": "string", "required": true, "description": "What b is." },
                ],
            }},
        }]});
        let import = import("schema.json", &schema.to_string());
        let (_, primary) = &import.tables[0].entities[0].keys[0];
        assert_eq!(primary.partition.as_deref(), Some(expected), "{template}");
        let place = "tables[0].entities.E.pk_template: ";
        let noted: Vec<String> = noted
            .iter()
            .map(|noted| format!("{place}{noted}"))
            .collect();
        assert_eq!(left_out(&import), noted, "{template}");
        let attribute = &import.tables[0].entities[0].attributes[1];
        assert_eq!(attribute.description, "What b is.");
    }
}

#[test]
fn keys_of_several_attributes_have_the_attributes_of_their_names() {
    let schema = serde_json::json!({ "tables": [{
        "table_config": { "table_name": "several", "partition_key": "id" },
        "gsi_list": [{ "name": "by", "partition_key": ["a", "b"] }],
        "entities": { "E": {
            "entity_type": "E",
            "pk_template": "{id}",
            "gsi_mappings": [{ "name": "by", "pk_template": ["{a}", "B#{b}"] }],
            "fields": [{ "name": "id", "type": "string", "required": true }],
        }},
    }]});
    let import = import("schema.json", &schema.to_string());
    assert_eq!(
        left_out(&import),
        [
            "tables[0].entities.E.gsi_mappings[0].pk_template: the templates are left out: a multi-attribute key \
          uses the attributes themselves"
        ]
    );
}

#[test]
fn a_data_model_of_the_mcp_server_has_tables_items_and_calls_as_access_patterns() {
    let item = |pk: &str, sk: &str, more: &str| {
        format!(
            r#"{{"PutRequest": {{"Item": {{"pk": {{"S": "{pk}"}}, "sk": {{"S": "{sk}"}}{more}}}}}}}"#
        )
    };
    let mut items = Vec::new();
    for n in 1..5 {
        let user = format!("USER#u{n}");
        items.push(item(&user, "PROFILE", r#", "email": {"S": "a@b.c"}"#));
        for day in 1..3 {
            let order = format!("ORDER#2026-03-0{day}");
            let more = format!(r#", "gsi": {{"S": "open{n}"}}, "total-eur": {{"N": "{n}5"}}"#);
            items.push(item(&user, &order, &more));
        }
    }
    let call = |number: u32, text: &str, table: &str| {
        serde_json::json!({
            "pattern": number.to_string(), "description": format!("Pattern {number}"), "table": table,
            "dynamodb_operation": "any", "implementation": text,
        })
    };
    let get = r#"aws dynamodb get-item --table-name Shop --key '{"pk": {"S": "USER#u1"}, "sk": {"S": "PROFILE"}}' --consistent-read"#;
    let query = |condition: &str, more: &str| {
        format!(
            r##"aws dynamodb query --table-name Shop {more} --key-condition-expression "{condition}" \
              --expression-attribute-names '{{"#pk": "pk", "#sk": "sk", "#gsi": "gsi", "#total": "total-eur"}}' \
              --expression-attribute-values '{{":u": {{"S": "USER#u2"}}, ":o": {{"S": "ORDER#"}}, ":from": {{"S": "ORDER#2026-03-01"}}, ":to": {{"S": "ORDER#2026-03-02"}}, ":end": {{"S": "ORDER$"}}, ":min": {{"N": "3"}}, ":open": {{"S": "open1"}}}}'"##
        )
    };
    let patterns = [
        call(1, get, "Shop"),
        call(2, &query("#pk = :u AND begins_with(#sk, :o)", "--no-scan-index-forward --limit 5"), "Shop"),
        call(3, &query("#pk=:u and #sk BETWEEN :from AND :to", "--filter-expression '#total >= :min'"), "Shop"),
        call(4, &query("#gsi = :open", "--index-name Open"), "Shop"),
        call(5, &query("#pk = :u AND #sk >= :from", ""), "Shop"),
        call(6, "aws dynamodb scan --table-name Shop", "Shop"),
        call(7, &get.replace("get-item", "delete-item"), "Shop"),
        call(8, &get.replace("get-item --", "put-item --").replace("--key", "--item"), "Shop"),
        call(9, &get.replace("get-item", "update-item --update-expression 'SET a = :a' --expression-attribute-values '{\":a\": {\"N\": \"1\"}}'"), "Shop"),
        call(10, "aws dynamodb transact-get-items --transact-items '[]'", "Shop"),
        call(11, &format!("{get} | jq ."), "Shop"),
        call(12, get, "Other"),
        call(13, &query("#sk = :o", ""), "Shop"),
        call(15, &query("#pk = :u AND #sk BETWEEN :o AND :end", ""), "Shop"),
        serde_json::json!({"pattern": "14", "description": "Search", "reason": "OpenSearch does it"}),
    ];
    let text = format!(
        r#"{{"tables": [{{
            "TableName": "Shop",
            "AttributeDefinitions": [
              {{"AttributeName": "pk", "AttributeType": "S"}}, {{"AttributeName": "sk", "AttributeType": "S"}},
              {{"AttributeName": "gsi", "AttributeType": "S"}}
            ],
            "KeySchema": [{{"AttributeName": "pk", "KeyType": "HASH"}}, {{"AttributeName": "sk", "KeyType": "RANGE"}}],
            "GlobalSecondaryIndexes": [{{
              "IndexName": "Open", "KeySchema": [{{"AttributeName": "gsi", "KeyType": "HASH"}}],
              "Projection": {{"ProjectionType": "ALL"}}
            }}],
            "BillingMode": "PAY_PER_REQUEST"
          }}],
          "items": {{"Shop": [{}]}},
          "access_patterns": {}}}"#,
        items.join(", "),
        serde_json::json!(patterns)
    );
    let import = import("dynamodb_data_model.json", &text);
    assert_eq!(import.tables[0].items.len(), 12);
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!(keyfold_core::model::validate_invariants(&made.design), []);
    let notes = made.left_out.iter().map(ToString::to_string);
    let notes: Vec<String> = left_out(&import).into_iter().chain(notes).collect();
    let text = keyfold_core::text::print(&made.design);
    let at = text.find("\npattern ").expect("an access pattern");
    let end = text[at..]
        .find("\n\ncanvas")
        .map_or(text.len(), |end| at + end);
    insta::assert_snapshot!(format!("{}\n\n{}", &text[at + 1..end], notes.join("\n")));
}

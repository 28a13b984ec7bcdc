//! Terraform: blocks that make others, and items.

use super::{import, left_out};
use keyfold_core::model::Value;

const REPEATED: &str = r#"
variable "tables" {
  default = {
    orders = { key = "orderId", indexes = ["status", "day"] }
    users  = { key = "userId", indexes = [] }
  }
}
variable "given" {}

locals {
  tags = { for name, table in var.tables : upper(name) => table.key if length(table.indexes) > 0 }
}

resource "aws_dynamodb_table" "each" {
  for_each     = var.tables
  name         = format("shop-%s", each.key)
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = each.value.key
  dynamic "attribute" {
    for_each = concat([each.value.key], each.value.indexes)
    content {
      name = attribute.value
      type = "S"
    }
  }
  dynamic "global_secondary_index" {
    for_each = toset(each.value.indexes)
    iterator = index
    content {
      name            = "by-${index.key}"
      hash_key        = index.value
      projection_type = "ALL"
    }
  }
  tags = local.tags
}

resource "aws_dynamodb_table" "counted" {
  count        = 2
  name         = "counted-${count.index}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  attribute {
    name = "pk"
    type = "S"
  }
  ttl {
    attribute_name = "ttl"
    surprise       = 1
  }
  replica {
    region_name            = "eu-west-1"
    point_in_time_recovery = true
  }
}

resource "aws_dynamodb_table" "off" {
  count    = var.tables == {} ? 1 : 0
  name     = "off"
  hash_key = "pk"
}

resource "aws_dynamodb_table" "unknown" {
  for_each     = var.given
  name         = "unknown"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  attribute {
    name = "pk"
    type = "S"
  }
  dynamic "global_secondary_index" {
    for_each = var.given
    content {
      name     = global_secondary_index.key
      hash_key = "pk"
    }
  }
}

resource "aws_dynamodb_table_item" "first" {
  table_name = aws_dynamodb_table.each["orders"].name
  hash_key   = "orderId"
  item       = <<ITEM
{"orderId": {"S": "o1"}, "total": {"N": "12345678901234567890.5"}, "tags": {"SS": ["a"]}}
ITEM
}

resource "aws_dynamodb_table_item" "more" {
  for_each   = toset(["u1", "u2"])
  table_name = aws_dynamodb_table.each["users"].name
  hash_key   = "userId"
  item       = jsonencode({ userId = { S = each.value }, "on" = { BOOL = true } })
}

resource "aws_dynamodb_table_item" "wrong" {
  table_name = "shop-users"
  hash_key   = "userId"
  item       = jsonencode({ userId = { S = "u3" }, list = { L = [{ N = "abc" }] } })
}

resource "aws_dynamodb_table_item" "unknown" {
  table_name = "shop-users"
  hash_key   = "userId"
  item       = jsonencode({ userId = { S = var.given } })
}

resource "aws_dynamodb_tag" "one" {
  resource_arn = aws_dynamodb_table.counted[0].arn
  key          = "a"
  value        = "b"
}

module "others" {
  source = "./modules/tables"
}
"#;

#[test]
fn blocks_that_make_others_are_expanded() {
    let import = import("main.tf", REPEATED);
    let names: Vec<&str> = (import.tables.iter())
        .map(|table| table.table.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "shop-orders",
            "shop-users",
            "counted-0",
            "counted-1",
            "unknown"
        ]
    );
    let orders = &import.tables[0];
    assert_eq!(orders.table.key.partition[0].name, "orderId");
    assert_eq!(orders.table.tags["ORDERS"], "orderId");
    let indexes: Vec<&str> = orders.indexes.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(indexes, ["by-status", "by-day"]);
    let values = &orders.items[0].values;
    let total = "12345678901234567890.5".parse().expect("a number");
    assert_eq!(values["total"], Value::N(total));
    assert_eq!(import.tables[1].indexes, []);
    assert_eq!(import.tables[1].items.len(), 2);
    assert_eq!(
        import.tables[1].items[1].values["userId"],
        Value::from("u2")
    );
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn items_alone_are_read() {
    let text = r#"resource "aws_dynamodb_table_item" "a" {
  table_name = "t"
  hash_key   = "pk"
  item       = "{\"pk\": {\"S\": \"a\"}}"
}
"#;
    let import = import("main.tf", text);
    assert_eq!(import.tables[0].table.name, "t-table");
    assert_eq!(import.tables[0].items.len(), 1);
}

#[test]
fn items_of_a_shown_state_are_read() {
    let import = import(
        "show.json",
        r#"{"values": {"root_module": {"resources": [
            {"address": "aws_dynamodb_table.t", "mode": "managed", "type": "aws_dynamodb_table", "values": {
              "name": "orders", "billing_mode": "PAY_PER_REQUEST", "hash_key": "pk", "attribute": [{"name": "pk", "type": "S"}]}},
            {"address": "aws_dynamodb_table_item.i", "mode": "managed", "type": "aws_dynamodb_table_item", "values": {
              "table_name": "orders", "hash_key": "pk", "item": "{\"pk\":{\"S\":\"a\"},\"m\":{\"M\":{}}}"}}
        ]}}}"#,
    );
    assert_eq!(left_out(&import), Vec::<String>::new());
    assert_eq!(import.tables[0].items[0].values.len(), 2);
}

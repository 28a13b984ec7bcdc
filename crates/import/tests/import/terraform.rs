//! Terraform: blocks that make others, and items.

use super::{import, left_out};
use keyfold_core::model::{Billing, Value};

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

#[test]
fn files_of_one_directory_are_one_module() {
    let main = r#"
resource "aws_dynamodb_table" "orders" {
  name           = local.name
  hash_key       = "pk"
  read_capacity  = 5
  write_capacity = 5
  attribute {
    name = "pk"
    type = "S"
  }
}"#;
    let variables = r#"
variable "stage" { default = "dev" }
locals { name = "orders-${var.stage}" }"#;
    let scaling = r#"
resource "aws_appautoscaling_target" "read" {
  service_namespace  = "dynamodb"
  resource_id        = "table/${aws_dynamodb_table.orders.name}"
  scalable_dimension = "dynamodb:table:ReadCapacityUnits"
  min_capacity       = 2
  max_capacity       = 20
}"#;
    let joined = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(name, text)| {
            let import = keyfold_import::read(name, text.as_bytes(), None).expect(name);
            ((*name).to_owned(), import)
        });
        keyfold_import::combine(files.collect())
    };
    for names in [
        ["m/a.tf", "m/b.tf", "m/c.tf"],
        ["m/c.tf", "m/b.tf", "m/a.tf"],
    ] {
        let text = |name: &str| match name {
            "m/a.tf" => main,
            "m/b.tf" => variables,
            _ => scaling,
        };
        let import = joined(&names.map(|name| (name, text(name))));
        assert_eq!(left_out(&import), Vec::<String>::new());
        assert_eq!(import.tables[0].table.name, "orders-dev");
        assert_eq!(
            import.tables[0].place,
            "m/a.tf: line 2: aws_dynamodb_table.orders"
        );
        let Billing::Provisioned(units) = &import.tables[0].table.billing else {
            panic!("{import:?}");
        };
        assert_eq!(units.read_scaling.map(|target| target.max), Some(20));
    }
    let error = keyfold_import::review::Review::new(joined(&[("m/b.tf", variables)]))
        .expect_err("a file without a table");
    assert_eq!(
        error,
        "no table was found. the file: it has no resource of type aws_dynamodb_table"
    );
    // A file of another directory is no part of the module, and does not keep the others out.
    let import = joined(&[("m/a.tf", main), ("n/c.tf", scaling)]);
    assert_eq!(import.tables.len(), 1);
    let said = left_out(&import).join("\n");
    assert!(
        said.contains("n/c.tf: the file: it has no resource of type aws_dynamodb_table"),
        "{said}"
    );
}

#[test]
fn ttl_is_off_unless_it_is_enabled() {
    let table = |ttl: &str| {
        let text = format!(
            "resource \"aws_dynamodb_table\" \"t\" {{\n  name = \"t-t\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"pk\"\n  attribute {{\n    name = \"pk\"\n    type = \"S\"\n  }}\n  ttl {{\n    attribute_name = \"until\"\n{ttl}  }}\n}}\n"
        );
        let import = import("t.tf", &text);
        (
            import.tables[0].table.ttl_attribute.clone(),
            left_out(&import),
        )
    };
    assert_eq!(table("    enabled = true\n").0.as_deref(), Some("until"));
    assert_eq!(table("    enabled = false\n"), (None, Vec::new()));
    let (attribute, said) = table("");
    assert_eq!(attribute, None);
    assert_eq!(
        said,
        [
            "line 1: aws_dynamodb_table.t.ttl: TTL is off: the provider turns it on only with `enabled = true`"
        ]
    );
}

#[test]
fn the_keys_of_a_list_are_positions_and_those_of_a_set_its_values() {
    let index = |each: &str| {
        format!(
            r#"  dynamic "global_secondary_index" {{
    for_each = {each}
    content {{
      name            = "by-${{global_secondary_index.key}}"
      hash_key        = global_secondary_index.value
      projection_type = "ALL"
    }}
  }}
"#
        )
    };
    let text = format!(
        r#"
variable "set" {{
  type    = set(string)
  default = ["email"]
}}
locals {{
  numbered = [for at, name in ["email", "phone"] : "${{at}}-${{name}}"]
  of_set   = [for at, name in var.set : "${{at}}-${{name}}"]
}}
resource "aws_dynamodb_table" "t" {{
  for_each     = {{ one = {{ names = toset(["phone"]) }} }}
  name         = join("_", concat(local.numbered, local.of_set))
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  tags         = {{ names = jsonencode({{ all = var.set }}) }}
  dynamic "attribute" {{
    for_each = ["pk", "email", "phone"]
    content {{
      name = attribute.value
      type = "S"
    }}
  }}
{}{}{}}}
"#,
        index(r#"["email", "phone"]"#),
        index("var.set"),
        index("each.value.names"),
    );
    let import = import("main.tf", &text);
    let table = &import.tables[0];
    assert_eq!(table.table.name, "0-email_1-phone_email-email");
    assert_eq!(table.table.tags["names"], r#"{"all": ["email"]}"#);
    let indexes = table.indexes.iter().map(|index| {
        let key = &index.key.partition[0].name;
        format!("{} {key}", index.name)
    });
    assert_eq!(
        indexes.collect::<Vec<_>>(),
        [
            "by-0 email",
            "by-1 phone",
            "by-email email",
            "by-phone phone"
        ]
    );
    assert_eq!(left_out(&import), Vec::<String>::new());
}

#[test]
fn an_index_with_an_unknown_name_or_key_does_not_keep_the_table_out() {
    let text = r#"
variable "given" {}
resource "aws_dynamodb_table" "t" {
  name         = "shop"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "pk"
  attribute {
    name = "pk"
    type = "S"
  }
  attribute {
    name = var.given
    type = "S"
  }
  global_secondary_index {
    name            = var.given
    hash_key        = "pk"
    projection_type = "ALL"
  }
  global_secondary_index {
    name            = "second"
    hash_key        = "pk"
    range_key       = var.given
    projection_type = "ALL"
  }
  global_secondary_index {
    name            = "third"
    hash_key        = "undeclared"
    projection_type = "ALL"
  }
  global_secondary_index {
    name            = "fourth"
    hash_key        = "pk"
    projection_type = "ALL"
  }
}
"#;
    let import = import("main.tf", text);
    let names = import.tables[0].indexes.iter().map(|index| &index.name);
    assert_eq!(names.collect::<Vec<_>>(), ["fourth"]);
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

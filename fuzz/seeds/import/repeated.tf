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

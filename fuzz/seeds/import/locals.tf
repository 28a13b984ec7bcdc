variable "stage" { default = "dev" }
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

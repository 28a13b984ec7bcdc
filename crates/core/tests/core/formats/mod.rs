//! The exports for other tools, checked by those tools.

mod any;
mod aws_mcp;
mod cdk;
mod designs;
mod markdown;
mod replicas;
mod terraform;
mod typescript;
mod whole;
mod workbench;

//! AWS CDK: a construct in TypeScript that makes the table.
//!
//! It is `Table`, which can say all that a table of one Region can have: fixed capacity of both kinds, Contributor
//! Insights of single indexes, the precision of Kinesis records and keys of several attributes. `TableV2` knows none
//! of the first three, but it alone makes replicas without a custom resource, so a design with replicas is a `TableV2`,
//! and what that cannot say stands in a comment.

mod capacity;
mod settings;

use super::Code;
use super::cloudformation::plan::{Plan, SecondaryIndex, Throughput, plan};
use super::literal::{self, Literal, Object, Style};
use super::script::{self, identifier, line};
use super::words::{indexes, projection};
use super::writer::CodeWriter;
use super::writer::one_line;
use crate::model::{Design, KeyAttribute, KeySchema, KeyType, WarmThroughput, inert};

/// The file of a design.
pub fn cdk(design: &Design) -> Code {
    let design = &*inert(design);
    let plan = plan(design);
    let kind = match plan.table.replicas.is_empty() {
        true => Kind::Table,
        false => Kind::Global,
    };
    let mut out = CodeWriter::new();
    script::comment(
        &mut out,
        &format!(
            "Made by Keyfold from the design {}: change the design and export again.",
            one_line(plan.design)
        ),
    );
    imports(&mut out, &plan);
    let class = class_name(&design.table.name);
    line(&mut out, &["export interface ", &class, "Props {"].concat());
    out.indent(2);
    script::comment(&mut out, "Name of the table, instead of the design's.");
    line(&mut out, "readonly tableName?: string;");
    out.dedent(2);
    line(&mut out, "}");
    out.end_line();
    script::comment(
        &mut out,
        match plan.delete_with_stack {
            true => {
                "The table and its indexes. It goes when the stack is deleted or would replace it."
            }
            false => {
                "The table and its indexes. It stays when the stack is deleted or would replace it."
            }
        },
    );
    line(
        &mut out,
        &["export class ", &class, " extends Construct {"].concat(),
    );
    out.indent(2);
    line(
        &mut out,
        &["readonly table: dynamodb.", kind.class(), ";"].concat(),
    );
    out.end_line();
    let head = [
        "constructor(scope: Construct, id: string, props: ",
        &class,
        "Props = {}) {",
    ];
    line(&mut out, &head.concat());
    out.indent(2);
    line(&mut out, "super(scope, id);");
    settings::prepare(&mut out, &plan, kind);
    let head = [
        "this.table = new dynamodb.",
        kind.class(),
        "(this, \"Table\", ",
    ];
    call(&mut out, &head.concat(), &properties(&plan, kind).into());
    if kind == Kind::Table {
        for (index, global) in indexes(&plan) {
            let call_of = match global {
                Some(_) => "this.table.addGlobalSecondaryIndex(",
                None => "this.table.addLocalSecondaryIndex(",
            };
            let mut entry = secondary_index(index, global.is_some());
            if let Some(global) = global {
                capacity::fixed(&mut entry, global.throughput);
                entry.add_some("warmThroughput", global.warm.map(warm_throughput));
                settings::insights(&mut entry, global.insights);
            }
            call(&mut out, call_of, &entry.into());
        }
        capacity::scaling(&mut out, &plan);
        for (key, value) in &plan.table.tags {
            let tag = [literal::quoted(key), literal::quoted(value)].join(", ");
            line(&mut out, &["Tags.of(this.table).add(", &tag, ");"].concat());
        }
    }
    for _ in 0..2 {
        out.dedent(2);
        line(&mut out, "}");
    }
    out.finish()
}

/// What makes the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `Table`.
    Table,
    /// `TableV2`.
    Global,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Kind::Table => "Table",
            Kind::Global => "TableV2",
        }
    }
}

/// `SaasTable` for a table called `saas`.
fn class_name(table: &str) -> String {
    let name = identifier(table, true, &mut Vec::new());
    match name.ends_with("Table") {
        true => name,
        false => name + "Table",
    }
}

fn imports(out: &mut CodeWriter, plan: &Plan) {
    let global = !plan.table.replicas.is_empty();
    let mut core = vec!["RemovalPolicy"];
    if settings::makes_an_arn(plan) {
        core.push("Stack");
    }
    if !global && !plan.table.tags.is_empty() {
        core.push("Tags");
    }
    let core = core.join(", ");
    line(
        out,
        &["import { ", &core, " } from \"aws-cdk-lib\";"].concat(),
    );
    line(
        out,
        "import * as dynamodb from \"aws-cdk-lib/aws-dynamodb\";",
    );
    for (needed, name) in [
        (matches!(plan.policy, Some(Ok(_))), "iam"),
        (plan.table.kinesis.is_some(), "kinesis"),
        (settings::has_key(plan), "kms"),
    ] {
        if needed {
            line(
                out,
                &[
                    "import * as ",
                    name,
                    " from \"aws-cdk-lib/aws-",
                    name,
                    "\";",
                ]
                .concat(),
            );
        }
    }
    line(out, "import { Construct } from \"constructs\";");
    out.end_line();
}

/// `head` and a value that closes with `);`.
fn call(out: &mut CodeWriter, head: &str, value: &Literal) {
    script::code(out, head);
    literal::write(out, value, Style::TypeScript, 2);
    line(out, ");");
}

fn properties(plan: &Plan, kind: Kind) -> Object {
    let table = plan.table;
    let mut object = Object::new();
    let name = ["props.tableName ?? ", &literal::quoted(&table.name)].concat();
    object.add("tableName", Literal::Code(name));
    object.add_some("partitionKey", table.key.partition.first().map(attribute));
    object.add_some("sortKey", table.key.sort.first().map(attribute));
    match (kind, plan.throughput) {
        (Kind::Global, throughput) => object.add("billing", capacity::billing(throughput)),
        (Kind::Table, Throughput::OnDemand(_)) => {
            object.add("billingMode", member("BillingMode", "PAY_PER_REQUEST"));
            capacity::fixed(&mut object, plan.throughput);
        }
        (Kind::Table, Throughput::Provisioned(_)) => {
            object.add("billingMode", member("BillingMode", "PROVISIONED"));
            capacity::fixed(&mut object, plan.throughput);
        }
    }
    let warm = super::cloudformation::plan::warm(table.warm_throughput);
    object.add_some("warmThroughput", warm.map(warm_throughput));
    settings::add(&mut object, plan, kind);
    if kind == Kind::Global {
        let (mut global, mut local) = (Vec::new(), Vec::new());
        for (index, of_global) in indexes(plan) {
            let mut entry = secondary_index(index, of_global.is_some());
            let Some(of_global) = of_global else {
                local.push(entry.into());
                continue;
            };
            capacity::scaled(&mut entry, of_global.throughput);
            entry.add_some("warmThroughput", of_global.warm.map(warm_throughput));
            global.push(entry.into());
        }
        for (name, all) in [
            ("globalSecondaryIndexes", global),
            ("localSecondaryIndexes", local),
        ] {
            object.add_some(name, (!all.is_empty()).then_some(all));
        }
    }
    object
}

/// What an index of either kind says of itself.
fn secondary_index(index: &SecondaryIndex, global: bool) -> Object {
    let mut object = Object::new().with("indexName", index.name);
    keys(&mut object, index.key, global);
    let (kind, names) = projection(&index.projection);
    object.add("projectionType", member("ProjectionType", kind));
    if !names.is_empty() {
        let names = names.iter().map(String::as_str);
        object.add("nonKeyAttributes", Literal::texts(names));
    }
    object
}

fn keys(object: &mut Object, key: &KeySchema, global: bool) {
    for (one, several, attributes) in [
        ("partitionKey", "partitionKeys", &key.partition),
        ("sortKey", "sortKeys", &key.sort),
    ] {
        if one == "partitionKey" && !global {
            continue;
        }
        if let [single] = attributes.as_slice() {
            object.add(one, attribute(single));
        } else if !attributes.is_empty() {
            object.add(
                several,
                Literal::List(attributes.iter().map(attribute).collect()),
            );
        }
    }
}

fn attribute(attribute: &KeyAttribute) -> Literal {
    let kind = match attribute.kind {
        KeyType::S => "STRING",
        KeyType::N => "NUMBER",
        KeyType::B => "BINARY",
    };
    let object = Object::new().with("name", attribute.name.as_str());
    object.with("type", member("AttributeType", kind)).into()
}

fn warm_throughput(warm: WarmThroughput) -> Object {
    let mut object = Object::new();
    object.add_some("readUnitsPerSecond", warm.read);
    object.add_some("writeUnitsPerSecond", warm.write);
    object
}

/// `dynamodb.KIND.NAME`
fn member(kind: &str, name: &str) -> Literal {
    Literal::Code(["dynamodb.", kind, ".", name].concat())
}

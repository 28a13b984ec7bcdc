//! IAM: the policy of an application that uses the table, and where the keys allow it, of one tenant's role.
//!
//! A role is held to one tenant by `dynamodb:LeadingKeys`, the partition keys of a request. The pattern `TENANT#X*`
//! would let tenant `acme` at `acme2` too, so there are two: `TENANT#X` and `TENANT#X#*`. `ForAllValues` holds of a
//! request without any key as well, so no action is allowed that has none (Scan, PartiQL), and the key must be there.
//! Source: "Using IAM policy conditions for fine-grained access control", DynamoDB Developer Guide; "Multivalued
//! context keys" and "Policy variables", IAM User Guide.

pub use crate::engine::tenancy::{
    Grant, NoTenant, Tenant, find_tenant, leading_attributes, tenant,
};

use super::Code;
use super::json;
use super::tree::{Map, Node};
use crate::model::{Design, IndexId, Operation};

/// What a role may do with items; each of it names its keys. Transactions and batches ask for these as well.
pub const ITEM_ACTIONS: [&str; 8] = [
    "dynamodb:BatchGetItem",
    "dynamodb:BatchWriteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:UpdateItem",
];

/// What a role may do with items that only reads.
pub const READ_ACTIONS: [&str; 3] = [
    "dynamodb:BatchGetItem",
    "dynamodb:GetItem",
    "dynamodb:Query",
];

/// What a role may do with an index.
pub const INDEX_ACTION: &str = "dynamodb:Query";

/// Most characters of a managed policy, without white space ("IAM and AWS STS quotas", IAM User Guide).
const POLICY_CHARS: usize = 6144;

/// What an application may do with what an access pattern scans.
const SCAN_ACTION: &str = "dynamodb:Scan";

/// The policy of a design as JSON: of one tenant's role if the design has a tenant ([`find_tenant`]), else of the whole
/// table. A tenant's role never reads without a key; an application scans only what an access pattern scans. If no
/// pattern can separate the keys of a tenant, or IAM would refuse the policy because of its size, it denies everything:
/// the policy of the whole table would allow too much. JSON has no comments, and a policy of identities no `Id` ("IAM
/// JSON policy elements: Id", IAM User Guide): the first `Sid` has the words of the remark ([`remark`]), or says that
/// the policy covers the whole table.
pub fn iam(design: &Design) -> Code {
    let resource = |index: Option<&str>| arn(design, index);
    let found = tenant_that_fits(design);
    let remark = remark_on(&found);
    let policy = match found {
        Ok((_, policy)) => policy,
        Err(NoTenant::Refused(_)) => nothing(resource(None), remark.as_deref()),
        Err(NoTenant::Nobody(_)) => application(design, &resource, remark.is_some()),
    };
    json::document(&policy)
}

/// Returns the note for users of the policy: that it allows nothing and why, that it covers the whole table although
/// most keys begin with a tenant, or that it does not allow queries of an index or an access pattern that scans.
pub fn remark(design: &Design) -> Option<String> {
    remark_on(&tenant_that_fits(design))
}

fn remark_on(found: &Result<(Tenant, Map), NoTenant>) -> Option<String> {
    match found {
        Ok((tenant, _)) => left_out(tenant),
        Err(NoTenant::Refused(reason)) => Some(format!(
            "This policy allows nothing, because tenants cannot be isolated: {reason}."
        )),
        Err(NoTenant::Nobody(reason)) => (reason.as_ref())
            .map(|reason| format!("This policy covers the whole table, not one tenant: {reason}.")),
    }
}

/// The tenant and the policy of its role, unless IAM would refuse the policy.
fn tenant_that_fits(design: &Design) -> Result<(Tenant, Map), NoTenant> {
    let tenant = find_tenant(design)?;
    let resource = |index: Option<&str>| arn(design, index);
    let policy = with_statements(statements(&tenant, &resource, left_out(&tenant).as_deref()));
    match too_long(&policy) {
        Some(reason) => Err(NoTenant::Refused(reason)),
        None => Ok((tenant, policy)),
    }
}

/// Why IAM does not take a policy: it is too long.
pub fn too_long(policy: &Map) -> Option<String> {
    let text = json::document(policy).text;
    let chars = text.chars().filter(|c| !c.is_whitespace()).count();
    (chars > POLICY_CHARS).then(|| {
        format!(
            "the policy would have {chars} characters, and IAM takes at most {POLICY_CHARS} in a managed policy"
        )
    })
}

fn left_out(tenant: &Tenant) -> Option<String> {
    (!tenant.left_out.is_empty()).then(|| tenant.left_out.join(" "))
}

/// The ARN of the table (`None`) or of an index, in any account and Region.
fn arn(design: &Design, index: Option<&str>) -> Node {
    let mut arn = format!("arn:aws:dynamodb:*:*:table/{}", design.table.name);
    if let Some(index) = index {
        arn.push_str("/index/");
        arn.push_str(index);
    }
    Node::Text(arn)
}

/// The policy document of a tenant's role. `resource` gives the ARN of the table (`None`) or of an index by its name.
pub fn document(tenant: &Tenant, resource: &dyn Fn(Option<&str>) -> Node) -> Map {
    with_statements(statements(tenant, resource, None))
}

/// An ID of a statement that says the remark: letters and digits only ("IAM JSON policy elements: Sid", IAM User Guide).
fn sid(name: &str, remark: Option<&str>) -> String {
    let mut sid = name.to_owned();
    for word in remark
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_alphanumeric())
    {
        let mut letters = word.chars();
        sid.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        sid.push_str(letters.as_str());
    }
    sid
}

fn statements(
    tenant: &Tenant,
    resource: &dyn Fn(Option<&str>) -> Node,
    remark: Option<&str>,
) -> Vec<Node> {
    // Indexes with the same keys share a statement: a policy has a maximum size.
    let mut shared: Vec<(&Grant, Vec<Node>)> = Vec::new();
    for grant in &tenant.grants {
        let own = resource(grant.index.as_deref());
        let same = |(other, _): &&mut (&Grant, Vec<Node>)| {
            other.index.is_some() && grant.index.is_some() && other.patterns == grant.patterns
        };
        match shared.iter_mut().find(same) {
            Some((_, resources)) => resources.push(own),
            None => shared.push((grant, vec![own])),
        }
    }
    let mut statements = Vec::new();
    for (number, (grant, mut resources)) in (1..).zip(shared) {
        let resource = match resources.len() {
            1 => resources.remove(0),
            _ => Node::List(resources),
        };
        let (sid, actions) = match &grant.index {
            None => (
                sid("TableOfTenant", remark),
                Node::texts(item_actions(tenant.read_only).iter().copied()),
            ),
            Some(_) => (
                format!("IndexOfTenant{number}"),
                Node::texts([INDEX_ACTION]),
            ),
        };
        let keys = Map::new().with("dynamodb:LeadingKeys", Node::texts(&grant.patterns));
        let there = Map::new().with("dynamodb:LeadingKeys", "false");
        let condition = Map::new()
            .with("ForAllValues:StringLike", keys)
            .with("Null", there);
        statements.push(
            Map::new()
                .with("Sid", sid)
                .with("Effect", "Allow")
                .with("Action", actions)
                .with("Resource", resource)
                .with("Condition", condition)
                .into(),
        );
    }
    statements
}

/// The policy document of an application: items of the table, queries of its indexes, and scans of what an access pattern
/// scans. `has_tenants` is whether one of a tenant could be expected.
fn application(design: &Design, resource: &dyn Fn(Option<&str>) -> Node, has_tenants: bool) -> Map {
    let is_scanned = |wanted: IndexId| {
        let mut operations = design.access_patterns.values().map(|one| &one.operation);
        operations.any(|one| matches!(one, Operation::Scan { index, .. } if *index == wanted))
    };
    let mut actions = item_actions(design.export_options.read_only).to_vec();
    actions.extend(is_scanned(IndexId::PRIMARY).then_some(SCAN_ACTION));
    let sid = match has_tenants {
        true => "WholeTableNotOneTenant",
        false => "Table",
    };
    let table = Map::new()
        .with("Sid", sid)
        .with("Effect", "Allow")
        .with("Action", Node::texts(actions))
        .with("Resource", resource(None));
    let mut statements = vec![table.into()];
    let of_indexes = |sid: &str, action: &str, wanted: &dyn Fn(IndexId) -> bool| {
        let indexes = design.indexes.iter().filter(|(id, _)| wanted(**id));
        let indexes: Vec<Node> = (indexes.map(|(_, index)| resource(Some(&index.name)))).collect();
        (!indexes.is_empty()).then(|| {
            (Map::new().with("Sid", sid).with("Effect", "Allow"))
                .with("Action", Node::texts([action]))
                .with("Resource", Node::List(indexes))
                .into()
        })
    };
    statements.extend(of_indexes("Indexes", INDEX_ACTION, &|_| true));
    statements.extend(of_indexes("ScannedIndexes", SCAN_ACTION, &is_scanned));
    with_statements(statements)
}

/// The policy that allows nothing: an empty list of statements is none to IAM.
fn nothing(resource: Node, remark: Option<&str>) -> Map {
    let statement = Map::new()
        .with("Sid", sid("", remark))
        .with("Effect", "Deny")
        .with("Action", Node::texts(["dynamodb:*"]))
        .with("Resource", resource);
    with_statements(vec![statement.into()])
}

fn item_actions(read_only: bool) -> &'static [&'static str] {
    match read_only {
        true => &READ_ACTIONS,
        false => &ITEM_ACTIONS,
    }
}

fn with_statements(statements: Vec<Node>) -> Map {
    Map::new()
        .with("Version", "2012-10-17")
        .with("Statement", Node::List(statements))
}

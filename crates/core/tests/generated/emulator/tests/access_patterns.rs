//! Pattern 1b against a served DynamoDB emulator, through aws-sdk-dynamodb: items are written and every access pattern
//! is run with nothing but what the generated crate gives.

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use aws_sdk_dynamodb::Client;
use saas_multi_tenant_overloaded_keys::*;
use std::collections::HashMap;

type Attributes = HashMap<String, AttributeValue>;

/// A client of an emulator that serves on a port of its own.
async fn client() -> Client {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let database = dynoxide::Database::memory().unwrap();
    tokio::spawn(dynoxide::server::serve_on(listener, database));
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("key", "secret", None, None, "test"))
        .endpoint_url(format!("http://{address}"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    Client::from_conf(config)
}

async fn create_table(client: &Client) {
    let attribute = |name: &str| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
            .unwrap()
    };
    let key = |name: &str, kind: KeyType| {
        KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
    };
    let index = GlobalSecondaryIndex::builder()
        .index_name(INDEX_GSI1)
        .key_schema(key(ATTR_GSI1PK, KeyType::Hash))
        .key_schema(key(ATTR_GSI1SK, KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .unwrap();
    client
        .create_table()
        .table_name(TABLE_NAME)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(
            [ATTR_PK, ATTR_SK, ATTR_GSI1PK, ATTR_GSI1SK].map(attribute).to_vec(),
        ))
        .key_schema(key(ATTR_PK, KeyType::Hash))
        .key_schema(key(ATTR_SK, KeyType::Range))
        .global_secondary_indexes(index)
        .send()
        .await
        .unwrap();
}

async fn put<T: Item + serde::Serialize>(client: &Client, item: &T) {
    let request = client.put_item().table_name(TABLE_NAME);
    request.set_item(Some(aws::stored(item).unwrap())).send().await.unwrap();
}

/// The sort keys that a query returns, which say what is found.
async fn query(client: &Client, condition: &KeyCondition) -> Vec<String> {
    let found = aws::query(client, condition).send().await.unwrap();
    found.items().iter().map(|item| text(item, ATTR_SK)).collect()
}

async fn get(client: &Client, key: PrimaryKey) -> Option<Attributes> {
    aws::get(client, key).send().await.unwrap().item
}

fn text(item: &Attributes, name: &str) -> String {
    item[name].as_s().unwrap().clone()
}

fn user(tenant: &str, id: &str, email: &str) -> UserItem {
    UserItem {
        tenant_id: tenant.into(),
        user_id: id.into(),
        email: email.into(),
        name: id.to_uppercase(),
        role: "admin".into(),
    }
}

fn project(number: u32, by: &str) -> ProjectItem {
    ProjectItem {
        tenant_id: "t_01".into(),
        project_id: format!("p_{number:02}"),
        created_at: format!("2026-02-{number:02}"),
        created_by: by.into(),
        title: format!("Project {number}"),
        status: "active".into(),
    }
}

#[tokio::test]
async fn the_access_patterns_of_pattern_1b() {
    let client = client().await;
    create_table(&client).await;
    for (id, name) in [("t_01", "Acme Corp"), ("t_02", "Globex Inc")] {
        let tenant = TenantItem {
            tenant_id: id.into(),
            name: name.into(),
            plan: "pro".into(),
        };
        put(&client, &tenant).await;
    }
    let subscription = SubscriptionItem {
        tenant_id: "t_01".into(),
        plan: "pro".into(),
        seats: 10.into(),
        stripe_id: "cus_000001".into(),
    };
    put(&client, &subscription).await;
    for (tenant, id, email) in [
        ("t_01", "u_01", "alice@acme.com"),
        ("t_01", "u_02", "bob@acme.com"),
        ("t_02", "u_03", "eve@globex.com"),
    ] {
        put(&client, &user(tenant, id, email)).await;
    }
    for number in 1..=12 {
        put(&client, &project(number, if number % 2 == 0 { "u_02" } else { "u_01" })).await;
    }

    let tenant = get(&client, get_tenant_by_id("t_01").unwrap()).await.unwrap();
    assert_eq!(text(&tenant, "name"), "Acme Corp");
    assert_eq!(text(&tenant, TYPE_ATTRIBUTE), TenantKey::ENTITY);
    let alice = get(&client, get_user_by_id("t_01", "u_01").unwrap()).await.unwrap();
    let read: UserItem = serde_dynamo::from_item(alice).unwrap();
    assert_eq!(read, user("t_01", "u_01", "alice@acme.com"));
    assert_eq!(get(&client, get_user_by_id("t_02", "u_01").unwrap()).await, None);
    let users = query(&client, &list_users_of_a_tenant("t_01").unwrap()).await;
    assert_eq!(users, ["USER#u_01", "USER#u_02"]);
    let bob = query(&client, &get_user_by_email("bob@acme.com").unwrap()).await;
    assert_eq!(bob, ["USER#u_02"]);
    let one = get(&client, get_project_by_id("t_01", "2026-02-03", "p_03").unwrap()).await.unwrap();
    assert_eq!(text(&one, "title"), "Project 3");
    let projects = query(&client, &list_projects_of_a_tenant("t_01").unwrap()).await;
    assert_eq!(projects.len(), 12);
    assert_eq!(projects[0], "PROJECT#2026-02-01#p_01");
    let by_creator = query(&client, &list_projects_by_creator("u_02").unwrap()).await;
    assert_eq!(by_creator.len(), 6);
    assert_eq!(by_creator[0], "PROJECT#2026-02-12#p_12", "newest first");
    let recent = query(&client, &recent_projects_of_a_tenant("t_01").unwrap()).await;
    assert_eq!(recent.len(), 10);
    assert_eq!(recent[9], "PROJECT#2026-02-03#p_03");
    let paid = get(&client, get_subscription_of_a_tenant("t_01").unwrap()).await.unwrap();
    assert_eq!(paid["seats"], AttributeValue::N("10".into()));
    let head = query(&client, &get_tenant_with_its_subscription("t_01").unwrap()).await;
    assert_eq!(head, ["#METADATA", "#SUBSCRIPTION"]);
    let all = query(&client, &list_all_tenants()).await;
    assert_eq!(all.len(), 2);

    // Every item of the table is known by its key.
    let scan = client.scan().table_name(TABLE_NAME).send().await.unwrap();
    assert_eq!(scan.items().len(), 18);
    for item in scan.items() {
        let (pk, sk) = (text(item, ATTR_PK), text(item, ATTR_SK));
        let key = AnyKey::parse(&pk, &sk).unwrap();
        assert_eq!(key.entity(), text(item, TYPE_ATTRIBUTE));
    }
}

#[tokio::test]
async fn an_update_leaves_no_index_key_stale() {
    let client = client().await;
    create_table(&client).await;
    let before = user("t_01", "u_01", "alice@acme.com");
    put(&client, &before).await;
    let after = UserItem {
        email: "alice@example.com".into(),
        ..before.clone()
    };
    let changes = before.key_update(&after).unwrap();
    assert_eq!(changes.expression(), "SET #key0 = :key0");
    assert_eq!(changes.set[0].0, ATTR_GSI1PK);
    let key = before.key().unwrap().attributes();
    let request = aws::update(&client, key, &changes);
    let expression = request.get_update_expression().clone().unwrap();
    request
        .update_expression(format!("{expression}, email = :email"))
        .expression_attribute_values(":email", AttributeValue::S(after.email.clone()))
        .send()
        .await
        .unwrap();
    let old = query(&client, &get_user_by_email("alice@acme.com").unwrap()).await;
    assert!(old.is_empty());
    let new = query(&client, &get_user_by_email("alice@example.com").unwrap()).await;
    assert_eq!(new, ["USER#u_01"]);
    // Another primary key is no update.
    let other = user("t_01", "u_09", "alice@example.com");
    assert!(before.key_update(&other).is_err());
}

//! Replicas in the formats of infrastructure: what DynamoDB and the AWS provider ask for before they create one.

use keyfold_core::export::{File, Format};
use keyfold_test_support::texts::read;

/// Exports a table `orders` with these settings, and GSI 1.
fn files(format: &str, settings: &str) -> Vec<File> {
    let design = read(&format!(
        "design Orders\n\ntable orders (PK, SK)\n{settings}\ngsi GSI1 (GSI1PK, GSI1SK)\n"
    ));
    Format::named(format).expect("a format").files(&design)
}

fn text(format: &str, settings: &str) -> String {
    let files = files(format, settings);
    let texts = files
        .iter()
        .map(|File { name, code }| format!("=== {name}\n{}", code.text));
    texts.collect::<Vec<_>>().join("")
}

const PROVISIONED: &str = "  provisioned read 5, write 7
  point-in-time-recovery
  tag owner = shop
  replica eu-west-1
  replica eu-west-2
";

/// DynamoDB creates a replica of a table with provisioned capacity only if the writes of the table and of every GSI scale.
#[test]
fn writes_scale_before_a_replica_is_created() {
    insta::assert_snapshot!("terraform_provisioned", text("terraform", PROVISIONED));
    let files = files("create-table", PROVISIONED);
    let named = |name: &str| {
        let found = files.iter().find(|file| file.name == name);
        found.unwrap_or_else(|| panic!("{name}")).code.text.as_str()
    };
    for name in ["Write", "GSI1-Write"] {
        let target = named(&format!("register-scalable-target-{name}.json"));
        for bound in ["\"MinCapacity\": 7", "\"MaxCapacity\": 7"] {
            assert!(target.contains(bound), "{target}");
        }
        named(&format!("put-scaling-policy-{name}.json"));
    }
    let script = named("create.sh");
    let at = |part: &str| {
        script
            .find(part)
            .unwrap_or_else(|| panic!("{part}\n{script}"))
    };
    assert!(at("put-scaling-policy-GSI1-Write") < at("update-table-replicas-1"));
}

/// All replicas of a strongly consistent table are created at once, with the table: Terraform cannot create them later.
#[test]
fn replicas_of_a_strongly_consistent_table_stay_in_the_table() {
    let strong = "  provisioned read 5, write 7
  replica eu-west-1
  replica eu-west-2
  multi-region-consistency strong
";
    let text = text("terraform", strong);
    assert!(!text.contains("aws_dynamodb_table_replica"), "{text}");
    assert!(text.contains("replica blocks out, apply"), "{text}");
}

/// A replica of a table with a customer managed key needs a key: its own, or the table's.
#[test]
fn a_replica_without_a_key_has_that_of_the_table() {
    let own = "arn:aws:kms:us-east-1:111122223333:key/mrk-1";
    let settings = format!("  encryption kms {own}\n  replica eu-west-1\n");
    let note = format!(
        "The design has no key for the replica in eu-west-1: it uses {own}, which must exist there."
    );
    for (format, from) in [
        ("terraform", "  replica {"),
        ("create-table", "=== update-table-replicas-1"),
    ] {
        let text = text(format, &settings);
        let part = &text[text.find(from).expect("a replica")..];
        assert!(part.contains(own), "{part}");
        assert!(text.contains(&note), "{text}");
    }
}

/// The AWS provider takes only ARNs of keys.
#[test]
fn a_key_of_a_replica_that_is_no_arn_gets_the_same_comment_as_that_of_the_table() {
    let settings = "  encryption kms arn:aws:kms:us-east-1:111122223333:key/1
  replica eu-west-1 kms alias/replica
";
    let text = text("terraform", settings);
    let note = "  # This argument needs the ARN of the key. Replace the value.\n  replica {\n";
    assert!(text.contains(note), "{text}");
}

/// A replica has a key only if the table has one: then the key of the design is left out.
#[test]
fn a_key_of_a_replica_without_a_key_of_the_table_is_noted() {
    let note = "The key alias/replica of the replica in eu-west-1 is omitted: a replica has a key only if the table has a customer managed key.";
    for format in ["terraform", "create-table", "cdk", "cloudformation"] {
        let text = text(format, "  replica eu-west-1 kms alias/replica\n");
        let words = text.replace("//", " ").replace('#', " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert!(words.join(" ").contains(note), "{format}: {text}");
    }
}

/// What Terraform does not set in the Regions of replicas.
#[test]
fn terraform_says_what_replicas_lack() {
    let settings = "  point-in-time-recovery 7 days
  contributor-insights
  kinesis arn:aws:kinesis:eu-central-1:111122223333:stream/changes
  replica eu-west-1
";
    let note = "These settings are of this Region only. Set them in the Region of each replica, too: the recovery period of 7 days, Contributor Insights, the Kinesis data stream.";
    for billing in ["", "  provisioned read 5, write 5\n"] {
        let text = text("terraform", &[billing, settings].concat());
        let words = text.replace('#', " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert!(words.join(" ").contains(note), "{text}");
    }
    let text = text(
        "terraform",
        "  point-in-time-recovery\n  replica eu-west-1\n",
    );
    assert!(!text.contains("of this Region only"), "{text}");
}

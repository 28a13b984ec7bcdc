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

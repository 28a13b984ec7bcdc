//! Positions: what can be written somewhere, which part is there, and ids that survive an edit of the text.

use keyfold_core::library::find;
use keyfold_core::lint::Place;
use keyfold_core::model::{CardId, IndexId, KeyPart};
use keyfold_core::text::{Part, complete, lower, parse, print};

const SHOP: &str = "table shop (PK, SK)\ngsi GSI1 (GSI1PK, GSI1SK) \nentity User\n  id \n  ref -> \n  | \n  \
    key USER#{ \n  index \npattern P\n  \n  Query index \n  returns \n\n";

/// The offers after the first occurrence of `after`.
fn offers(after: &str) -> Vec<String> {
    let tree = parse(SHOP);
    let at = SHOP.find(after).expect("a place") + after.len();
    complete(&tree, &lower(&tree, None), at).offers
}

#[test]
fn completion_offers_what_a_place_takes() {
    assert_eq!(offers("GSI1SK) "), ["all", "keys-only", "include"]);
    assert!(offers("  id ").starts_with(&["string".to_owned(), "number".to_owned()]));
    assert_eq!(offers("-> "), ["User"]);
    assert_eq!(offers("\n  index "), ["GSI1"]);
    assert_eq!(offers("Query index "), ["GSI1"]);
    assert_eq!(offers("returns "), ["User"]);
    assert_eq!(offers("\n  | "), Vec::<String>::new());
    assert_eq!(offers("P\n  ")[..2], ["GetItem", "Query"]);
    assert_eq!(offers("returns \n\n")[0], "design");
    let tree = parse(SHOP);
    let at = SHOP.find("USER#{").expect("a template") + 6;
    assert!(complete(&tree, &lower(&tree, None), at).in_template);
}

#[test]
fn completion_offers_values_of_settings_and_names_of_attributes() {
    let text = "table shop (PK, SK)\n  ttl \n  stream \n  encryption \n  table-class \n\ngsi G (A) include b, \n\n\
        entity User\n  b  string\n  a  string\n  key  U / U\n  index G  A when \n\nentity Other\n  c  string\n";
    let tree = parse(text);
    let lowered = lower(&tree, None);
    let offers = |after: &str| {
        let at = text.find(after).expect("a place") + after.len();
        complete(&tree, &lowered, at).offers
    };
    assert_eq!(offers("ttl "), ["a", "b", "c"]);
    assert_eq!(offers("include "), ["a", "b", "c"]);
    assert_eq!(offers("include b, "), ["a", "b", "c"]);
    assert_eq!(offers("when "), ["a", "b"]);
    assert_eq!(offers("stream ")[..2], ["new-and-old-images", "new-image"]);
    assert_eq!(offers("encryption "), ["aws-owned", "aws-managed", "kms"]);
    assert_eq!(offers("table-class ").len(), 2);
}

#[test]
fn a_description_that_is_no_part_of_the_design_is_reported() {
    let text = "table shop (PK, SK)\n  ttl at  /// One.\n\n/// Read.\nentity User\n  /// Read, too.\n  id  string\n  \
        key  U#{id} / U  /// Two.\n  | id |\n  | 1  |  /// Three.\n\npattern P\n  /// Four.\n  Scan\n\n/// Five.\ncanvas\n";
    let problems = lower(&parse(text), None).problems;
    let numbers: Vec<&str> = (problems.iter())
        .map(|problem| text[problem.range.clone()].trim())
        .collect();
    assert_eq!(
        numbers,
        [
            "/// One.",
            "/// Two.",
            "/// Three.",
            "/// Four.",
            "/// Five."
        ]
    );
    assert!(problems.iter().all(|problem| !problem.is_error));
    assert!(problems[0].message.ends_with("for a comment, write `//`"));
}

#[test]
fn a_rename_in_the_text_keeps_samples_patterns_and_places() {
    let design = find("saas-multi-tenant")
        .expect("a pattern")
        .design()
        .expect("a design");
    let user = design.entity_named("User").expect("an entity");
    // Every letter of the way, with the canvas not yet renamed.
    let mut known = design.clone();
    for name in ["Use", "Us", "U", "M", "Me", "Mem", "Member"] {
        let text = print(&design);
        let (body, canvas) = text.split_once("\ncanvas\n").expect("a canvas");
        let text = [&body.replace("User", name), "\ncanvas\n", canvas].concat();
        let lowered = lower(&parse(&text), Some(&known));
        assert!(!lowered.has_errors());
        known = lowered.design;
        assert_eq!(known.entities[&user].name, name);
        assert_eq!(known.samples, design.samples);
        assert_eq!(
            known.layout[&CardId::Entity(user)],
            design.layout[&CardId::Entity(user)]
        );
        assert_eq!(known.next_id, design.next_id);
        assert!(
            known
                .access_patterns
                .keys()
                .eq(design.access_patterns.keys())
        );
    }
}

#[test]
fn findings_have_their_places_in_the_text() {
    let design = find("saas-multi-tenant")
        .expect("a pattern")
        .design()
        .expect("a design");
    let text = print(&design);
    let lowered = lower(&parse(&text), Some(&design));
    let user = design.entity_named("User").expect("an entity");
    let index = design.index_named("GSI1").expect("an index");
    let at = |place| &text[lowered.range_of(place).expect("a place")];
    assert_eq!(at(Place::Table), "saas");
    assert_eq!(at(Place::Entity(user)), "User");
    assert_eq!(
        at(Place::Template(user, index, KeyPart::Partition)),
        "USER_EMAIL#{email}"
    );
    assert_eq!(
        at(Place::Entry(user, IndexId::PRIMARY)),
        "key         TENANT#{tenantId} / USER#{userId}"
    );
    let offset = text.find("USER_EMAIL").expect("a template") + 3;
    let part = lowered.part_at(offset).expect("a part");
    assert_eq!(part.part, Part::Template(user, index, KeyPart::Partition));
}

#[test]
fn mistakes_are_reported_at_their_second_place_and_the_rest_counts() {
    let text = "table shop (PK, SK)\n\
        entity A\n  a -> B.b\n  key A#{a} / X\n  key A#{a} / Y\n\
        entity B\n  b -> A.a\n  b string\n\
        entity A\n  other string\n\
        pattern P\n  GetItem A#{a} / X\n  returns A, C\n  colour red\n\
        pattern Q\n  returns A\n\
        gsi GSI1 (PK number)\n\
        gsi G \"open\n\
        silence T001 entity C\n\
        wat\n";
    let lowered = lower(&parse(text), None);
    insta::assert_snapshot!(keyfold_core::text::describe(text, &lowered.problems));
    assert_eq!(lowered.design.entities.len(), 2);
    assert_eq!(lowered.design.access_patterns.len(), 1);
}

#[test]
fn a_replica_in_the_same_region_again_is_a_mistake() {
    let text = "table shop (PK, SK)\n  replica eu-west-1 kms A\n  replica eu-west-1\n";
    let lowered = lower(&parse(text), None);
    assert_eq!(
        keyfold_core::text::describe(text, &lowered.problems).trim(),
        "line 3, column 11: the table already has a replica in `eu-west-1`: remove one of them"
    );
    let kept = &lowered.design.table.replicas;
    assert_eq!((kept.len(), kept[0].kms_key.as_deref()), (1, Some("A")));
}

#[test]
fn mistakes_of_a_first_try_are_named_once_and_say_what_to_write() {
    let text = "gsi GSI1 (GSI1PK GSI1SK)\n\
        gsi GSI2 (GSI2PK)\n\
        entity User\n  userId ulid\n  status ACTIVE | GONE\n  key USER#{userId} / PROFILE\n  \
        GSI2 STATUS#{status}\n  index GSI1 STATUS#{status} / {userId}\n  \
        sample userId=u1\n  | userId | stauts |\n  | u1 | GONE |\n  | u2 |\n\
        pattern Users by status\n  Query index GSI1 STATUS#{status}\n  returns Usr\n\
        pattern Gone users\n  Query GSI2 STATUS#GONE\n\
        pattern All\n  Scan GSI2\n\
        entity Note\n  noteId ulid\n  author -> User\n  reader -> User.usrId\n  key NOTE#{noteId} / X\n\
        silence T001 entity User\n  reason it is public\n\
        silence T001\n";
    let lowered = lower(&parse(text), None);
    insta::assert_snapshot!(keyfold_core::text::describe(text, &lowered.problems));
}

#[test]
fn words_of_other_languages_say_what_to_write() {
    let text = "table shop (PK, SK)\n  streem new\n  entity User\n\
        entitty Order\n\
        gsi GSI1 (GSI1PK)\n\
        paterns X\n\
        entity Order {\n  orderId: ulid\n  # the buyer\n  userId strng\n  total int\n  kye USER#{userId} / X\n  pattern P\n}\n\
        pattern Orders\n  Qeury USER#{userId}\n  retruns Order\n\
        entiti Invoice\n  number string\n\
        pattern Invoice\n  Query INVOICE#{number}\n  returns Invoice\n";
    let lowered = lower(&parse(text), None);
    insta::assert_snapshot!(keyfold_core::text::describe(text, &lowered.problems));
}

#[test]
fn keys_and_values_that_are_written_in_other_ways_say_what_to_write() {
    let text = "table shop (PK, SK)\n\
        entity User:\n  userId ulid\n  status active | in review\n  key USER#{userId}/PROFILE\n\
        entity Order\n  userId ulid\n  ORDER#{userId} / ORDER\n  userId | total | paid\n  u-1 | 5 | true\n\
        entity Team\n  userId ulid\n  key TEAM, {userId} / X\n\
        pattern A\n  Query begins_with USER#\n\
        pattern B\n  Query PK = USER#{userId}\n\
        pattern C\n  Query\n  returns User\n\
        pattern D\n  GetItem USER#{userId} #META DATA\n";
    let lowered = lower(&parse(text), None);
    insta::assert_snapshot!(keyfold_core::text::describe(text, &lowered.problems));
}

#[test]
fn a_partition_key_can_be_called_like_an_index() {
    let text = "table shop (PK, SK)\ngsi GSI1 (A)\n\
        pattern One\n  Query GSI1 / begins_with A\n\
        pattern Other\n  Query GSI1\n\
        pattern Third\n  Query GSI1 limit 5\n";
    let lowered = lower(&parse(text), None);
    assert_eq!(keyfold_core::text::describe(text, &lowered.problems), "");
}

#[test]
fn an_lsi_cannot_sort_by_the_partition_key() {
    let text = "table shop (PK, SK)\nlsi LSI1 (PK)\n";
    let lowered = lower(&parse(text), None);
    assert!(
        lowered.problems[0]
            .message
            .starts_with("an LSI has the partition key of the table")
    );
    assert!(lowered.design.indexes.is_empty());
}

#[test]
fn figures_of_the_workload_are_checked_at_their_place() {
    let text = "table t01 (PK, SK)\n\nentity E\n  volume 5 items, 6 items\n  volume 500000 bytes\n  volume 5 rows\n  \
        volume 5\n\npattern P\n  Scan\n  average NaN per second\n  average 5\n  average 5 per year\n\n\
        pattern Q\n  PutItem E\n  puts creates 60%, updates 50%\n  puts 60%\n  failed -1%\n  items many\n  \
        skew id flat\n  skew id zipf 9\n  skew id largest\n  skew id even of 0 values\n  skew id even\n  \
        skew id even\n\ncosts\n  region EU\n  price storage 1\n  price storage = free\n  price storage = -1\n  \
        price storage = 1\n  price storage = 2\n  backups much\n  wat\n";
    let lowered = lower(&parse(text), None);
    insta::assert_snapshot!(keyfold_core::text::describe(text, &lowered.problems));
}

//! The rendered keys of the library's designs, spelled out: the table and each index, in order.

use super::{design, items_of};
use keyfold_core::engine::view;
use keyfold_core::model::{Design, Projection};

/// For the table and each index a line with its name, its key attributes and its projection, then the keys of its
/// items, one item per line.
fn keys(design: &Design) -> String {
    let items = items_of(design);
    let mut text = String::new();
    for index in design.index_ids() {
        let view = view(design, index, &items);
        assert_eq!(view.failed, [], "{}", design.name);
        let key = design.key(index).expect("listed");
        let names: Vec<&str> = key.attributes().map(|key| key.name.as_str()).collect();
        let held = match design.indexes.get(&index).map(|index| &index.projection) {
            None | Some(Projection::All) => "all".to_owned(),
            Some(Projection::KeysOnly) => "keys only".to_owned(),
            Some(Projection::Include(names)) => names.join(", "),
        };
        let (name, names) = (design.index_name(index), names.join(" | "));
        text.push_str(&format!("== {name}: {names}; {held}\n"));
        for row in view.rows.iter() {
            assert_eq!(row.item.problems(), [], "{}", design.name);
            let value = |name: &&str| row.item.get(name).expect("a key").to_text();
            let values: Vec<String> = names.split(" | ").map(|name| value(&name)).collect();
            text.push_str(&values.join(" | "));
            text.push('\n');
        }
    }
    text
}

fn check(pattern: &str, expected: &str) {
    assert_eq!(keys(&design(pattern)), expected, "{pattern}");
}

#[test]
fn activity_log() {
    check(
        "activity-log",
        "\
== Table: PK | SK; all
TENANT#acme#ACTIVITY#2026-03 | 2026-03-28T09:15:00Z#evt-003
TENANT#acme#ACTIVITY#2026-04 | 2026-04-10T14:30:00Z#evt-001
TENANT#acme#ACTIVITY#2026-04 | 2026-04-10T15:45:00Z#evt-002
",
    );
}

#[test]
fn blog() {
    check(
        "blog",
        "\
== Table: PK | SK; all
AUTHOR#ada | AUTHOR#ada
AUTHOR#ada | POST#2026-03-02#100
AUTHOR#ada | POST#2026-03-09#101
AUTHOR#linus | AUTHOR#linus
AUTHOR#linus | POST#2026-03-05#102
POST#100 | COMMENT#2026-03-02T12:00:00Z#c-001
POST#100 | COMMENT#2026-03-03T08:30:00Z#c-002
POST#100 | POST#100
POST#101 | POST#101
POST#102 | POST#102
== GSI1: GSI1PK | GSI1SK; title, authorName, summary
CAT#databases | POST#2026-03-02#100
CAT#databases | POST#2026-03-09#101
CAT#rust | POST#2026-03-05#102
",
    );
}

#[test]
fn e_commerce_sharded() {
    check(
        "e-commerce-sharded",
        "\
== Table: PK | SK; all
ORDER#456 | ITEM#01
ORDER#456 | ITEM#02
PRODUCT#789 | PRODUCT#789
PRODUCT#790 | PRODUCT#790
USER#123 | ORDER#456
USER#123 | ORDER#457
USER#123 | ORDER#458
USER#123 | USER#123
== GSI1: GSI1PK | GSI1SK; all
CAT#books | PRODUCT#789
CAT#garden | PRODUCT#790
STATUS#PENDING#0 | 2024-11-15T10:30:00Z
STATUS#PENDING#6 | 2024-11-16T17:45:00Z
",
    );
}

#[test]
fn e_commerce() {
    check(
        "e-commerce",
        "\
== Table: PK | SK; all
ORDER#456 | ITEM#01
ORDER#456 | ITEM#02
PRODUCT#789 | PRODUCT#789
PRODUCT#790 | PRODUCT#790
USER#123 | ORDER#456
USER#123 | ORDER#457
USER#123 | ORDER#458
USER#123 | USER#123
== GSI1: GSI1PK | GSI1SK; all
CAT#books | PRODUCT#789
CAT#garden | PRODUCT#790
STATUS#PENDING | 2024-11-15T10:30:00Z
STATUS#PENDING | 2024-11-16T17:45:00Z
",
    );
}

#[test]
fn iot_device_log() {
    check(
        "iot-device-log",
        "\
== Table: PK | SK; all
DEVICE#dev-001 | DEVICE
DEVICE#dev-001 | STATE#NORMAL#2026-04-24T14:30:00Z
DEVICE#dev-001 | STATE#NORMAL#2026-04-24T15:10:00Z
DEVICE#dev-001 | STATE#WARNING#2026-04-24T14:40:00Z
DEVICE#dev-001 | STATE#WARNING#2026-04-24T14:45:00Z
DEVICE#dev-002 | DEVICE
DEVICE#dev-002 | STATE#FAILURE#2026-04-25T06:20:00Z
== by-time: PK | recordedAt; all
DEVICE#dev-001 | 2026-04-24T14:30:00Z
DEVICE#dev-001 | 2026-04-24T14:40:00Z
DEVICE#dev-001 | 2026-04-24T14:45:00Z
DEVICE#dev-001 | 2026-04-24T15:10:00Z
DEVICE#dev-002 | 2026-04-25T06:20:00Z
== GSI1: GSI1PK | GSI1SK; deviceId, state, recordedAt
OPERATOR#liz | 2026-04-24T14:30:00Z#dev-001
OPERATOR#liz | 2026-04-24T14:40:00Z#dev-001
OPERATOR#liz | 2026-04-24T14:45:00Z#dev-001
OPERATOR#sue | 2026-04-24T15:10:00Z#dev-001
OPERATOR#sue | 2026-04-25T06:20:00Z#dev-002
== GSI2: GSI2PK | GSI2SK; all
ESCALATED#sara | FAILURE#2026-04-25T06:20:00Z
ESCALATED#sara | WARNING#2026-04-24T14:45:00Z
",
    );
}

#[test]
fn leaderboard() {
    check(
        "leaderboard",
        "\
== Table: PK | SK; all
PLAYER#p-001 | GAME#asteroids
PLAYER#p-001 | GAME#tetris
PLAYER#p-002 | GAME#asteroids
PLAYER#p-003 | GAME#asteroids
PLAYER#p-004 | GAME#asteroids
PLAYER#p-005 | GAME#asteroids
PLAYER#p-006 | GAME#asteroids
== GSI1: GSI1PK | GSI1SK; playerName, score
GAME#asteroids#0 | 9999987549#p-002
GAME#asteroids#0 | 9999999699#p-006
GAME#asteroids#1 | 9999987549#p-005
GAME#asteroids#1 | 9999990199#p-001
GAME#asteroids#2 | 9999984799#p-004
GAME#asteroids#3 | 9999991299#p-003
GAME#tetris#1 | 9999879999#p-001
",
    );
}

#[test]
fn optimistic_locking() {
    check(
        "optimistic-locking",
        "\
== Table: PK | SK; all
DOC#doc-001 | CURRENT
DOC#doc-001 | VERSION#000001
DOC#doc-001 | VERSION#000002
DOC#doc-001 | VERSION#000003
DOC#doc-002 | CURRENT
DOC#doc-002 | VERSION#000001
",
    );
}

#[test]
fn saas_hierarchy() {
    check(
        "saas-hierarchy",
        "\
== Table: PK | SK; all
TENANT#acme | PROJECT#proj-001
TENANT#acme | PROJECT#proj-001#TASK#task-001
TENANT#acme | PROJECT#proj-001#TASK#task-001#COMMENT#cmt-001
TENANT#acme | PROJECT#proj-001#TASK#task-002
TENANT#acme | PROJECT#proj-002
",
    );
}

#[test]
fn saas_multi_tenant_production() {
    check(
        "saas-multi-tenant-production",
        "\
== Table: pk | sk; all
TENANT#t_01 | #METADATA
TENANT#t_01 | #SUBSCRIPTION
TENANT#t_01 | API_KEY#k_01
TENANT#t_01 | AUDIT#2026-02-01T09:00:00Z#ev_001
TENANT#t_01 | AUDIT#2026-02-12T10:30:00Z#ev_002
TENANT#t_01 | INVITE#inv_01
TENANT#t_01 | PROJECT#01KGC6WBM07ZK3N0QAWX4T5RMB
TENANT#t_01 | PROJECT#01KH3XM4R02HD8VYCE6PJ1G9SF
TENANT#t_01 | USER#u_01
TENANT#t_01 | USER#u_02
TENANT#t_02 | #METADATA
== GSI1: gsi1pk | gsi1sk; all
API_KEY#9f86d081884c7d65 | TENANT#t_01
INVITE_EMAIL#dana@example.com | TENANT#t_01
TENANT_LIST | Acme Corp#t_01
TENANT_LIST | Globex Inc#t_02
USER#u_01 | PROJECT#01KGC6WBM07ZK3N0QAWX4T5RMB
USER#u_02 | PROJECT#01KH3XM4R02HD8VYCE6PJ1G9SF
USER_EMAIL#alice@acme.com | USER#u_01
USER_EMAIL#bob@acme.com | USER#u_02
",
    );
}

#[test]
fn saas_orders_scoped() {
    check(
        "saas-orders-scoped",
        "\
== Table: PK | SK; all
TENANT#acme | PROFILE
TENANT#acme#ORDER | ord-001
TENANT#acme#ORDER | ord-002
TENANT#acme#USER | user-001
TENANT#acme#USER | user-002
TENANT#globex | PROFILE
TENANT#globex#ORDER | ord-003
TENANT#globex#USER | user-003
== GSI1: GSI1PK | GSI1SK; all
TENANT#acme#STATUS#pending | ORDER#2026-04-10
TENANT#acme#STATUS#shipped | ORDER#2026-04-08
TENANT#globex#STATUS#pending | ORDER#2026-04-09
USER#alice@acme.com | TENANT#acme
USER#bob@acme.com | TENANT#acme
USER#carol@globex.com | TENANT#globex
== GSI2: GSI2PK | GSI2SK; name, email
TENANT#acme#ROLE#admin | USER#user-001
TENANT#acme#ROLE#member | USER#user-002
TENANT#globex#ROLE#admin | USER#user-003
",
    );
}

#[test]
fn saas_orders() {
    check(
        "saas-orders",
        "\
== Table: PK | SK; all
TENANT#acme | ORDER#ord-001
TENANT#acme | ORDER#ord-002
TENANT#acme | PROFILE
TENANT#acme | USER#user-001
TENANT#acme | USER#user-002
TENANT#globex | ORDER#ord-003
TENANT#globex | PROFILE
TENANT#globex | USER#user-003
== GSI1: GSI1PK | GSI1SK; all
STATUS#pending | ORDER#2026-04-09
STATUS#pending | ORDER#2026-04-10
STATUS#shipped | ORDER#2026-04-08
USER#alice@acme.com | TENANT#acme
USER#bob@acme.com | TENANT#acme
USER#carol@globex.com | TENANT#globex
== GSI2: GSI2PK | GSI2SK; name, email
TENANT#acme#ROLE#admin | USER#user-001
TENANT#acme#ROLE#member | USER#user-002
TENANT#globex#ROLE#admin | USER#user-003
",
    );
}

#[test]
fn session_store() {
    check(
        "session-store",
        "\
== Table: PK; all
SESSION#591785b794601e21
SESSION#b1946ac92492d234
SESSION#e59ff97941044f85
== GSI1: GSI1PK | GSI1SK; device, expiresAt
USER#user-001 | 2026-05-01T08:00:00Z
USER#user-001 | 2026-05-03T18:20:00Z
USER#user-002 | 2026-05-02T12:10:00Z
",
    );
}

#[test]
fn shopping_cart() {
    check(
        "shopping-cart",
        "\
== Table: PK | SK; all
CART#c-7f3a | CART
CART#c-7f3a | ITEM#LAMP-01
CART#c-7f3a | ITEM#MUG-07
CUSTOMER#cust-001 | ORDER#01JW8M5Q4R0E7Z2B9V6T3Y1XKC
STOCK#LAMP-01 | STOCK
STOCK#MUG-07 | STOCK
",
    );
}

#[test]
fn social_network() {
    check(
        "social-network",
        "\
== Table: PK | SK; all
POST#01KEA0VQK07ZK3N0QAWX4T5RMB | LIKE#grace
POST#01KEA0VQK07ZK3N0QAWX4T5RMB | LIKE#linus
USER#ada | FOLLOWS#grace
USER#ada | POST#01KEA0VQK07ZK3N0QAWX4T5RMB
USER#ada | POST#01KEFC2V802HD8VYCE6PJ1G9SF
USER#ada | PROFILE#ada
USER#grace | FOLLOWS#ada
USER#grace | PROFILE#grace
USER#linus | FOLLOWS#ada
USER#linus | PROFILE#linus
== Inverted: SK | PK; createdAt, followerName
FOLLOWS#ada | USER#grace
FOLLOWS#ada | USER#linus
FOLLOWS#grace | USER#ada
LIKE#grace | POST#01KEA0VQK07ZK3N0QAWX4T5RMB
LIKE#linus | POST#01KEA0VQK07ZK3N0QAWX4T5RMB
POST#01KEA0VQK07ZK3N0QAWX4T5RMB | USER#ada
POST#01KEFC2V802HD8VYCE6PJ1G9SF | USER#ada
PROFILE#ada | USER#ada
PROFILE#grace | USER#grace
PROFILE#linus | USER#linus
",
    );
}

#[test]
fn tenant_table_iam() {
    check(
        "tenant-table-iam",
        "\
== Table: PK | SK; all
TENANT#acme | MEMBER#m-001
TENANT#acme | MEMBER#m-002
TENANT#acme | SETTINGS
TENANT#acme#DOC | 01KGC6WBM07ZK3N0QAWX4T5RMB
TENANT#acme#DOC | 01KH3XM4R02HD8VYCE6PJ1G9SF
TENANT#acme#DOC | 01KH7BR0VJ5M6N7P8Q9R0S1T2V
== GSI1: GSI1PK | GSI1SK; title, updatedAt
TENANT#acme#FOLDER#contracts | Insurance#01KH3XM4R02HD8VYCE6PJ1G9SF
TENANT#acme#FOLDER#contracts | Lease#01KGC6WBM07ZK3N0QAWX4T5RMB
TENANT#acme#FOLDER#notes | Kick-off#01KH7BR0VJ5M6N7P8Q9R0S1T2V
",
    );
}

#[test]
fn theatre_catalogue_plain() {
    check(
        "theatre-catalogue-plain",
        "\
== Table: PK | SK; all
REGION#london | VENUE#apollo
REGION#london | VENUE#hm-theatre
SHOW#les-miserables | GENRE#drama
SHOW#les-miserables | GENRE#musical
SHOW#les-miserables | METADATA
SHOW#phantom-opera | GENRE#drama
SHOW#phantom-opera | GENRE#musical
SHOW#phantom-opera | GENRE#romance
SHOW#phantom-opera | METADATA
SHOW#phantom-opera | PERFORMANCE#2026-03-15T19:30:00Z
SHOW#phantom-opera | REVIEW#rev-123
SHOW#phantom-opera | REVIEW#rev-456
SHOW#phantom-opera | VENUE#hm-theatre
SHOW#small-show | GENRE#comedy
SHOW#small-show | METADATA
SHOW#wicked | GENRE#musical
SHOW#wicked | METADATA
SHOW#wicked | PERFORMANCE#2026-03-16T19:30:00Z
SHOW#wicked | VENUE#apollo
VENUE#apollo | METADATA
VENUE#apollo | SHOW#wicked
VENUE#hm-theatre | METADATA
VENUE#hm-theatre | SHOW#phantom-opera
== GSI1: GSI1PK | GSI1SK; all
GENRE#comedy | SHOW#small-show
GENRE#drama | SHOW#les-miserables
GENRE#drama | SHOW#phantom-opera
GENRE#musical | SHOW#les-miserables
GENRE#musical | SHOW#phantom-opera
GENRE#musical | SHOW#wicked
GENRE#romance | SHOW#phantom-opera
VENUE#apollo | SHOW#wicked
VENUE#hm-theatre | SHOW#phantom-opera
== GSI2: GSI2PK | GSI2SK; all
FEATURED | RATING#4.7
FEATURED | RATING#4.8
FEATURED | RATING#4.9
PERFORMANCES | 2026-03-15T19:30:00Z#perf-123
PERFORMANCES | 2026-03-16T19:30:00Z#perf-124
REVIEWS#2026-01 | 2026-01-15T10:30:00Z#rev-123
REVIEWS#2026-01 | 2026-01-15T10:30:00Z#rev-456
",
    );
}

#[test]
fn theatre_catalogue() {
    check(
        "theatre-catalogue",
        "\
== Table: PK | SK; all
REGION#london | VENUE#apollo
REGION#london | VENUE#hm-theatre
SHOW#les-miserables | GENRE#drama
SHOW#les-miserables | GENRE#musical
SHOW#les-miserables | METADATA
SHOW#phantom-opera | GENRE#drama
SHOW#phantom-opera | GENRE#musical
SHOW#phantom-opera | GENRE#romance
SHOW#phantom-opera | METADATA
SHOW#phantom-opera | PERFORMANCE#2026-03-15T19:30:00Z
SHOW#phantom-opera | REVIEW#rev-123
SHOW#phantom-opera | REVIEW#rev-456
SHOW#phantom-opera | VENUE#hm-theatre
SHOW#small-show | GENRE#comedy
SHOW#small-show | METADATA
SHOW#wicked | GENRE#musical
SHOW#wicked | METADATA
SHOW#wicked | PERFORMANCE#2026-03-16T19:30:00Z
SHOW#wicked | VENUE#apollo
VENUE#apollo | METADATA
VENUE#apollo | SHOW#wicked
VENUE#hm-theatre | METADATA
VENUE#hm-theatre | SHOW#phantom-opera
== GSI1: GSI1PK | GSI1SK; all
GENRE#comedy | RATING#3.9#SHOW#small-show
GENRE#drama | RATING#4.7#SHOW#les-miserables
GENRE#drama | RATING#4.8#SHOW#phantom-opera
GENRE#musical | RATING#4.7#SHOW#les-miserables
GENRE#musical | RATING#4.8#SHOW#phantom-opera
GENRE#musical | RATING#4.9#SHOW#wicked
GENRE#romance | RATING#4.8#SHOW#phantom-opera
VENUE#apollo | SHOW#wicked
VENUE#hm-theatre | SHOW#phantom-opera
== GSI2: GSI2PK | GSI2SK; all
FEATURED | RATING#4.7
FEATURED | RATING#4.8
FEATURED | RATING#4.9
PERFORMANCES | 2026-03-15T19:30:00Z#perf-123
PERFORMANCES | 2026-03-16T19:30:00Z#perf-124
REVIEWS#2026-01 | 2026-01-15T10:30:00Z#rev-123
REVIEWS#2026-01 | 2026-01-15T10:30:00Z#rev-456
",
    );
}

#[test]
fn tournament_multi_attribute() {
    check(
        "tournament-multi-attribute",
        "\
== Table: PK | SK; all
MATCH#match-001 | MATCH
MATCH#match-001 | PLAYER#p-001
MATCH#match-001 | PLAYER#p-002
MATCH#match-002 | MATCH
MATCH#match-003 | MATCH
MATCH#match-003 | PLAYER#p-001
MATCH#match-004 | MATCH
MATCH#match-010 | MATCH
MATCH#match-010 | PLAYER#p-001
== MatchesByRegion: tournamentId | region | round | bracket | matchId; all
winter-2026 | EU | 1 | LOWER | match-002
winter-2026 | EU | 1 | UPPER | match-001
winter-2026 | EU | 2 | UPPER | match-003
winter-2026 | EU | 10 | UPPER | match-010
winter-2026 | NA | 1 | UPPER | match-004
== MatchesOfPlayer: playerId | playedOn | round; all
p-001 | 2026-01-10 | 1
p-001 | 2026-01-17 | 2
p-001 | 2026-02-07 | 10
p-002 | 2026-01-10 | 1
",
    );
}

#[test]
fn tournament_synthetic() {
    check(
        "tournament-synthetic",
        "\
== Table: PK | SK; all
MATCH#match-001 | MATCH
MATCH#match-001 | PLAYER#p-001
MATCH#match-001 | PLAYER#p-002
MATCH#match-002 | MATCH
MATCH#match-003 | MATCH
MATCH#match-003 | PLAYER#p-001
MATCH#match-004 | MATCH
MATCH#match-010 | MATCH
MATCH#match-010 | PLAYER#p-001
== GSI1: GSI1PK | GSI1SK; all
TOURNAMENT#winter-2026#REGION#EU | 01#LOWER#match-002
TOURNAMENT#winter-2026#REGION#EU | 01#UPPER#match-001
TOURNAMENT#winter-2026#REGION#EU | 02#UPPER#match-003
TOURNAMENT#winter-2026#REGION#EU | 10#UPPER#match-010
TOURNAMENT#winter-2026#REGION#NA | 01#UPPER#match-004
== GSI2: GSI2PK | GSI2SK; all
PLAYER#p-001 | 2026-01-10#01
PLAYER#p-001 | 2026-01-17#02
PLAYER#p-001 | 2026-02-07#10
PLAYER#p-002 | 2026-01-10#01
",
    );
}

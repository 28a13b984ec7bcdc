//! Replay: requests of the access patterns of each library design against a DynamoDB engine (dynoxide), whose consumed
//! capacity by table and index is what we predict.
//!
//! Where the engine (dynoxide 3.2.0) and the documentation differ, we follow the documentation: see [`known`].

use dynoxide::Database;
use keyfold_core::engine::generate::{Amount, Request as Wanted, Rng, generate, obstacle};
use keyfold_core::engine::materialize_all;
use keyfold_core::engine::query::{Attributes, Rejection, TableSnapshot};
use keyfold_core::export::requests::{Language, request as written};
use keyfold_core::library::patterns;
use keyfold_core::model::{
    AccessPattern, Design, IndexId, IndexKind, KeySchema, Projection, Sample, SampleId, SortedMap,
    entities_of,
};
use keyfold_core::proof::{Request, bind, request};
use keyfold_cost::units::{Units, of_failed, of_request};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const REQUESTS: usize = 10_000;
/// How often the engine runs a request that is drawn more often: its changes are taken back, so the answer is the same.
const RUNS: usize = 3;

#[test]
fn the_engine_consumes_what_we_predict() {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(pattern) = patterns().get(next.fetch_add(1, Ordering::Relaxed)) {
            replay(pattern.name, &pattern.design().unwrap());
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}

/// A request that both sides can run, and what it costs.
struct Prepared {
    operation: String,
    request: Json,
    units: Units,
    /// The items to delete first, so that a put creates them.
    absent: Vec<Attributes>,
    /// The items that it may change, to restore them.
    changes: Vec<(Attributes, Option<Attributes>)>,
    fails: bool,
}

fn replay(name: &str, design: &Design) {
    let design = with_samples(design);
    let stored = TableSnapshot::of(&design);
    let db = Db::new(&design, &stored);
    let mut rng = Rng::new(&[28]);
    let mut prepared: Vec<Vec<Prepared>> = Vec::new();
    for pattern in design.access_patterns.values() {
        let all = prepare(&design, &stored, pattern);
        let runs = all.iter().any(|one| !one.fails);
        assert!(runs, "{name}: {} never runs", pattern.name);
        prepared.push(all);
    }
    let (mut ours, mut engine) = (SortedMap::new(), SortedMap::new());
    let mut runs: SortedMap<(usize, usize), (usize, SortedMap<IndexId, f64>)> = SortedMap::new();
    for _ in 0..REQUESTS {
        let pattern = rng.below(prepared.len() as u64) as usize;
        let all = &prepared[pattern];
        let at = rng.below(all.len() as u64) as usize;
        let one = &all[at];
        let (count, consumed) = runs.entry((pattern, at)).or_default();
        if *count < RUNS {
            *consumed = db.run(&design, one, name);
            *count += 1;
        }
        let mut predicted = SortedMap::new();
        for units in [&one.units.read, &one.units.write] {
            for (index, units) in units {
                *predicted.entry(*index).or_insert(0.0) += units;
            }
        }
        assert_eq!(
            &predicted, consumed,
            "{name}: {} {:#}",
            one.operation, one.request
        );
        for (sum, part) in [(&mut ours, predicted), (&mut engine, consumed.clone())] {
            for (index, units) in part {
                *sum.entry(index).or_insert(0.0) += units;
            }
        }
    }
    assert_eq!(ours, engine, "{name}");
}

/// The design with more samples, so that requests differ.
fn with_samples(design: &Design) -> Design {
    let mut design = design.clone();
    let amounts = design
        .entities
        .keys()
        .filter(|id| obstacle(&design, **id).is_none());
    let amounts = amounts.map(|entity| Amount {
        entity: *entity,
        count: 24,
        per: None,
    });
    let amounts: Vec<_> = amounts.collect();
    let wanted = Wanted {
        amounts,
        replace: false,
        seed: 28,
    };
    for (entity, values) in generate(&design, &wanted).unwrap().added {
        let id = SampleId(design.take_id());
        let samples = design.samples.entry(entity).or_default();
        Arc::make_mut(samples).push(Arc::new(Sample { id, values }));
    }
    design
}

fn prepare(design: &Design, stored: &TableSnapshot, pattern: &AccessPattern) -> Vec<Prepared> {
    let mut ids: Vec<Option<SampleId>> = vec![pattern.sample];
    for entity in entities_of(pattern) {
        ids.extend(
            design
                .samples_of(entity)
                .iter()
                .map(|sample| Some(sample.id)),
        );
    }
    let mut all = Vec::new();
    for sample in ids {
        let mut pattern = pattern.clone();
        pattern.sample = sample;
        let Ok(built) = request(design, &pattern, &bind(design, &pattern)) else {
            continue;
        };
        let changes = changes(stored, &built);
        let without = without_puts(stored, &built);
        let mut absent = Vec::new();
        let (units, fails) = match of_request(stored, &built) {
            Ok(units) => (units, false),
            Err(Rejection::ConditionFailed | Rejection::Canceled(_)) => {
                match of_request(&without, &built) {
                    Ok(units) => {
                        let gone =
                            |(key, _): &&(Attributes, _)| without.item(key).unwrap().is_none();
                        absent.extend(changes.iter().filter(gone).map(|(key, _)| key.clone()));
                        (units, false)
                    }
                    Err(_) => (of_failed(stored, &built).unwrap(), true),
                }
            }
            Err(_) => continue,
        };
        let command = written(design, &pattern, Language::Cli).unwrap().text;
        let (operation, request) = sent(&command);
        all.push(Prepared {
            operation,
            request,
            units,
            absent,
            changes,
            fails,
        });
    }
    all
}

/// The table without the items that the request puts.
fn without_puts(stored: &TableSnapshot, request: &Request) -> TableSnapshot {
    use keyfold_core::engine::query::Write;
    let writes = match request {
        Request::Write(write) => std::slice::from_ref(write),
        Request::TransactWrite(writes) => writes,
        _ => return stored.clone(),
    };
    let mut design = stored.design().clone();
    for write in writes {
        if let Write::Put { item, .. } = write {
            let mut key = item.clone();
            key.retain(|name, _| design.table.key.attributes().any(|own| own.name == *name));
            while let Ok(Some(item)) = TableSnapshot::of(&design).item(&key) {
                design.remove_samples(item.entity, &[item.id()]);
            }
        }
    }
    TableSnapshot::of(&design)
}

/// The keys that a request writes, with the items now.
fn changes(stored: &TableSnapshot, request: &Request) -> Vec<(Attributes, Option<Attributes>)> {
    use keyfold_core::engine::query::Write;
    let writes = match request {
        Request::Write(write) => std::slice::from_ref(write),
        Request::TransactWrite(writes) => writes,
        _ => return Vec::new(),
    };
    let names: Vec<_> = stored
        .design()
        .table
        .key
        .attributes()
        .map(|key| key.name.clone())
        .collect();
    let key = |write: &Write| match write {
        Write::Put { item, .. } => {
            let mut key = item.clone();
            key.retain(|name, _| names.contains(name));
            key
        }
        Write::Update { key, .. } | Write::Delete { key, .. } | Write::Check { key, .. } => {
            key.clone()
        }
    };
    let item = |key: Attributes| {
        let item = stored.item(&key).unwrap().map(|item| item.to_map());
        (key, item)
    };
    writes.iter().map(key).map(item).collect()
}

/// Parses `aws dynamodb ...`: the operation, and the options as a request.
fn sent(command: &str) -> (String, Json) {
    let words = words(command);
    assert_eq!(words[..2], ["aws", "dynamodb"]);
    let mut request = json!({});
    let mut rest = words[3..].iter().peekable();
    while let Some(option) = rest.next() {
        let (option, joined) = match option.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (option.as_str(), None),
        };
        let name = pascal(option.trim_start_matches("--"));
        let value = joined.or_else(|| rest.next_if(|next| !next.starts_with("--")).cloned());
        match (name.as_str(), value) {
            ("NoPaginate", None) => {}
            ("NoScanIndexForward", None) => request["ScanIndexForward"] = json!(false),
            (_, None) => request[&name] = json!(true),
            (_, Some(text)) if text.starts_with(['{', '[']) => {
                request[&name] = serde_json::from_str(&text).unwrap();
            }
            ("Limit", Some(text)) => request[&name] = json!(text.parse::<u32>().unwrap()),
            (_, Some(text)) => request[&name] = json!(text),
        }
    }
    (pascal(&words[2]), request)
}

/// The words of a shell command with single quotes and continued lines.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut rest = command.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if quoted => word.get_or_insert_default().push(c),
            '\\' => match rest.next() {
                Some('\n') | None => {}
                Some(c) => word.get_or_insert_default().push(c),
            },
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn pascal(words: &str) -> String {
    let upper = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.split('-').map(upper).collect()
}

struct Db(Database);

impl Db {
    fn new(design: &Design, stored: &TableSnapshot) -> Db {
        let database = Database::memory().unwrap();
        let request = create_table(design);
        database
            .create_table(serde_json::from_value(request).unwrap())
            .unwrap();
        let db = Db(database);
        for (_, items) in materialize_all(design) {
            for item in items.iter().filter(|item| item.is_stored()) {
                let key = stored.key_of(IndexId::PRIMARY, &item);
                // Of items with the same key the last one stays.
                if let Some(item) = stored.item(&key).unwrap() {
                    db.restore(design, &key, Some(&item.to_map()));
                }
            }
        }
        db
    }

    fn restore(&self, design: &Design, key: &Attributes, item: Option<&Attributes>) {
        let table = &design.table.name;
        match item {
            Some(item) => {
                let request = json!({ "TableName": table, "Item": wire(item) });
                self.0
                    .put_item(serde_json::from_value(request).unwrap())
                    .unwrap();
            }
            None => {
                let request = json!({ "TableName": table, "Key": wire(key) });
                self.0
                    .delete_item(serde_json::from_value(request).unwrap())
                    .unwrap();
            }
        }
    }

    /// Runs a request and takes its changes back. Returns the consumed units by table and index.
    fn run(&self, design: &Design, one: &Prepared, name: &str) -> SortedMap<IndexId, f64> {
        let mut request = one.request.clone();
        let mut consumed = SortedMap::new();
        for key in &one.absent {
            self.restore(design, key, None);
        }
        loop {
            let answer = self.ask(&one.operation, &request);
            if one.fails {
                // The engine does not report the capacity of a request that it refuses.
                let error = answer.expect_err("the condition fails");
                assert!(error.contains("onditional"), "{name}: {error}");
                return known(one);
            }
            let answer =
                answer.unwrap_or_else(|error| panic!("{name}: {error}\n{:#}", one.request));
            add_consumed(design, &answer["ConsumedCapacity"], &mut consumed);
            let is_read = matches!(one.operation.as_str(), "Query" | "Scan");
            match &answer["LastEvaluatedKey"] {
                Json::Object(last) if is_read && one.request["Limit"].is_null() => {
                    request["ExclusiveStartKey"] = Json::Object(last.clone());
                }
                _ => break,
            }
        }
        for (key, item) in &one.changes {
            self.restore(design, key, item.as_ref());
        }
        consumed
    }

    fn ask(&self, operation: &str, request: &Json) -> Result<Json, String> {
        let mut request = request.clone();
        request["ReturnConsumedCapacity"] = json!("INDEXES");
        macro_rules! call {
            ($method:ident) => {
                (self.0.$method(serde_json::from_value(request).unwrap()))
                    .map(|answer| serde_json::to_value(answer).unwrap())
                    .map_err(|error| error.to_string())
            };
        }
        match operation {
            "Query" => call!(query),
            "Scan" => call!(scan),
            "GetItem" => call!(get_item),
            "BatchGetItem" => call!(batch_get_item),
            "TransactGetItems" => call!(transact_get_items),
            "PutItem" => call!(put_item),
            "UpdateItem" => call!(update_item),
            "DeleteItem" => call!(delete_item),
            "TransactWriteItems" => call!(transact_write_items),
            other => panic!("no operation {other}"),
        }
    }
}

/// What the engine does not report: the units of a write whose condition fails. "Conditional write operations" and
/// "Amazon DynamoDB Transactions: How it works", Developer Guide.
fn known(one: &Prepared) -> SortedMap<IndexId, f64> {
    one.units.write.clone()
}

fn add_consumed(design: &Design, capacity: &Json, consumed: &mut SortedMap<IndexId, f64>) {
    let all = match capacity {
        Json::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut add = |index, units: &Json| {
        let units = units["CapacityUnits"].as_f64().unwrap_or(0.0);
        if units > 0.0 {
            *consumed.entry(index).or_insert(0.0) += units;
        }
    };
    for capacity in all {
        add(IndexId::PRIMARY, &capacity["Table"]);
        for kind in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
            for (name, units) in capacity[kind].as_object().into_iter().flatten() {
                add(design.index_named(name).expect("an index"), units);
            }
        }
    }
}

fn wire(attributes: &Attributes) -> Json {
    let fields = attributes
        .iter()
        .map(|(name, value)| (name.clone(), value.to_dynamodb_json()));
    Json::Object(fields.collect::<Map<_, _>>())
}

fn create_table(design: &Design) -> Json {
    let schema = |key: &KeySchema| -> Json {
        let side = |kind: &'static str, names: &[keyfold_core::model::KeyAttribute]| -> Vec<Json> {
            let element = |key: &keyfold_core::model::KeyAttribute| json!({ "AttributeName": key.name, "KeyType": kind });
            names.iter().map(element).collect()
        };
        [side("HASH", &key.partition), side("RANGE", &key.sort)]
            .concat()
            .into()
    };
    let mut attributes: SortedMap<String, &str> = SortedMap::new();
    for index in design.index_ids() {
        for key in design.key(index).unwrap().attributes() {
            attributes.insert(key.name.clone(), key.kind.letter());
        }
    }
    let indexes = |kind: IndexKind| -> Vec<Json> {
        let own = design.indexes.values().filter(|index| index.kind == kind);
        own.map(|index| {
            let projection = match &index.projection {
                Projection::All => json!({ "ProjectionType": "ALL" }),
                Projection::KeysOnly => json!({ "ProjectionType": "KEYS_ONLY" }),
                Projection::Include(names) => {
                    json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": names })
                }
            };
            json!({ "IndexName": index.name, "KeySchema": schema(&index.key), "Projection": projection })
        })
        .collect()
    };
    let mut request = json!({
        "TableName": design.table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": schema(&design.table.key),
        "AttributeDefinitions": attributes.iter()
            .map(|(name, kind)| json!({ "AttributeName": name, "AttributeType": kind }))
            .collect::<Vec<_>>(),
    });
    for (name, kind) in [
        ("GlobalSecondaryIndexes", IndexKind::Gsi),
        ("LocalSecondaryIndexes", IndexKind::Lsi),
    ] {
        let all = indexes(kind);
        if !all.is_empty() {
            request[name] = all.into();
        }
    }
    request
}

//! The proof of one access pattern: what analysis says, and what the samples show.

use super::analyze::{analyze, listed};
use super::parameters::{Binding, bind};
use super::reach::is_intended;
use super::read_requirement::is_read_requirement;
use super::request::{NoRequest, Request, request};
use super::suggest::{projection, suggestions};
use super::verdict::Reasons;
use super::{Outcome, Proof, ReadOutcome, Reason, Spread, Verdict};
use super::{missed, remarks};
use crate::engine::always_rejected::always_rejected;
use crate::engine::languages::key_templates;
use crate::engine::operation_parts::parts;
use crate::engine::query::{GetResult, Page, Preview, Rejection, TableSnapshot, Write, creates};
use crate::engine::{Item, query};
use crate::model::{AccessPattern, AccessPatternId, Design, IndexId, Operation, Value, limits};
use std::sync::Arc;

/// The maximum number of shards that the proof queries.
const MAX_SHARDS: u32 = 100;

/// Proves an access pattern of the stored design; `None` if there is no such pattern.
pub fn prove(stored: &TableSnapshot, id: AccessPatternId) -> Option<Proof> {
    let pattern = stored.design().access_patterns.get(&id)?;
    Some(prove_pattern(stored, pattern))
}

/// Proves an access pattern that need not be in the design.
pub fn prove_pattern(stored: &TableSnapshot, pattern: &AccessPattern) -> Proof {
    let design = stored.design();
    let binding = bind(design, pattern);
    let analysis = analyze(design, pattern);
    let mut proving = Proving {
        stored,
        pattern,
        reasons: analysis.reasons,
        rejection: None,
    };
    missed::sparse(design, pattern, &binding, &mut proving.reasons);
    remarks::values_of_other_types(design, pattern, &mut proving.reasons);
    remarks::parameters_in_text(design, pattern, &mut proving.reasons);
    let outcome = proving.outcome(&binding);
    if let Outcome::Read(outcome) = &outcome {
        missed::own_sample(design, pattern, &binding, outcome, &mut proving.reasons);
    }
    let mut spread = analysis.spread;
    if let Some(spread) = &mut spread {
        spread.whole = proving.whole(&binding, spread);
    }
    let verdict = proving.reasons.verdict();
    let mut reasons = proving.reasons.worst_first();
    let suggestions = match verdict {
        Verdict::Served => Vec::new(),
        _ => match &proving.rejection {
            // DynamoDB would accept other values, or another expression: no other key helps.
            Some(
                Rejection::Reversed { .. } | Rejection::Expression(_) | Rejection::TooLong { .. },
            ) => Vec::new(),
            _ => match projection(design, pattern, &analysis.unprojected) {
                Some(suggestion) => vec![suggestion],
                None => suggestions(design, pattern, verdict),
            },
        },
    };
    if suggestions.is_empty() && is_read_requirement(&pattern.operation) {
        let text = "suggestions need an entity, and a filter that tests known attributes with `=`; several entities need the same attributes";
        reasons.push(Reason {
            verdict: Verdict::Served,
            text: text.to_owned(),
        });
    }
    Proof {
        verdict,
        reasons,
        parameters: binding.parameters,
        reachable: analysis.reachable,
        spread,
        outcome,
        suggestions,
    }
}

/// The verdict that follows from the keys alone, without samples.
pub fn verdict_of_keys(design: &Design, pattern: &AccessPattern) -> Verdict {
    analyze(design, pattern).reasons.verdict()
}

struct Proving<'a> {
    stored: &'a TableSnapshot,
    pattern: &'a AccessPattern,
    reasons: Reasons,
    /// Why DynamoDB rejects the request, if it does.
    rejection: Option<Rejection>,
}

impl Proving<'_> {
    fn outcome(&mut self, binding: &Binding) -> Outcome {
        let design = self.stored.design();
        let request = match request(design, self.pattern, binding) {
            Ok(request) => request,
            Err(NoRequest::NoKey) => return Outcome::Nothing,
            Err(NoRequest::Refused(rejection)) => {
                let text = rejection.to_string();
                // The analysis may have reported it already, with its place.
                if !self.reasons.have(&text) {
                    self.reasons.add(Verdict::Impossible, text);
                }
                self.rejection = Some(rejection);
                return Outcome::Nothing;
            }
            Err(other) => {
                self.reasons
                    .add(Verdict::Served, format!("not run: {other}"));
                return Outcome::Nothing;
            }
        };
        let done = match &request {
            Request::Write(write) => self.write(std::slice::from_ref(write), false),
            Request::TransactWrite(writes) => self.write(writes, true),
            read => self.read(read).map(Outcome::Read),
        };
        done.unwrap_or_else(|rejection| {
            let is_same_key = matches!(
                rejection,
                Rejection::DuplicateKey { .. } | Rejection::TwoActions { .. }
            );
            // The analysis has reported keys that are equal for all values.
            if !is_same_key || always_rejected(design, &self.pattern.operation).is_none() {
                self.reasons.add(Verdict::Impossible, rejection.to_string());
            }
            self.rejection = Some(rejection);
            Outcome::Nothing
        })
    }

    fn read(&mut self, request: &Request) -> Result<ReadOutcome, Rejection> {
        let stored = self.stored;
        let mut outcome = match request {
            Request::Get(get) => of_items([stored.get(get)?]),
            Request::TransactGet(get) => of_items(stored.transact_get(get)?),
            Request::BatchGet(batch) => {
                let page = stored.batch_get(batch)?;
                ReadOutcome {
                    read: page.items.len(),
                    pages: 1,
                    units: page.units,
                    more: !page.unprocessed.is_empty(),
                    items: page.items,
                    ..ReadOutcome::default()
                }
            }
            // With a limit, the caller reads one page at a time.
            Request::Query(query) if query.limit.is_some() => of_pages([stored.query(query)?]),
            Request::Query(query) => of_pages(stored.query_all(query)?),
            Request::Scan(scan) if scan.limit.is_some() => of_pages([stored.scan(scan)?]),
            Request::Scan(scan) => of_pages(stored.scan_all(scan)?),
            Request::Write(_) | Request::TransactWrite(_) => ReadOutcome::default(),
        };
        if let Request::Query(query) = request {
            missed::near_bound(stored, self.pattern, query, &mut self.reasons)?;
        }
        let is_intended = |item: &&Item| is_intended(self.pattern, item.entity);
        outcome.unintended = outcome.items.len() - outcome.items.iter().filter(is_intended).count();
        self.judge(&outcome);
        let is_filtered_page = match request {
            Request::Query(query) => query.limit.is_some() && query.filter.is_some(),
            Request::Scan(scan) => scan.limit.is_some() && scan.filter.is_some(),
            _ => false,
        };
        if outcome.more && is_filtered_page {
            let text = "the limit applies before the filter: a page can have fewer items, or none, although later pages have more";
            self.reasons.add(Verdict::Served, text.to_owned());
        }
        Ok(outcome)
    }

    /// Returns the combined result of the queries of all shards.
    fn whole(&mut self, binding: &Binding, spread: &Spread) -> Option<ReadOutcome> {
        let shards = spread.queries.filter(|count| *count <= MAX_SHARDS)?;
        let as_number = matches!(binding.value(&spread.parameter), Some(Value::N(_)));
        let mut whole = ReadOutcome::default();
        let mut binding = binding.clone();
        for parameter in &mut binding.parameters {
            if parameter.name == spread.parameter {
                parameter.value.get_or_insert(Value::Null);
            }
        }
        for shard in 0..shards {
            let value = match as_number {
                true => Value::from(i64::from(shard)),
                false => Value::S(shard.to_string()),
            };
            binding.values.insert(spread.parameter.clone(), value);
            let Ok(Request::Query(query)) = request(self.stored.design(), self.pattern, &binding)
            else {
                return None;
            };
            let one = match query.limit {
                Some(_) => of_pages([self.stored.query(&query).ok()?]),
                None => of_pages(self.stored.query_all(&query).ok()?),
            };
            whole.items.extend(one.items);
            whole.read += one.read;
            whole.pages += one.pages;
            whole.units += one.units;
            whole.fetched += one.fetched;
            whole.more |= one.more;
        }
        let text = format!(
            "all {shards} queries together return {} of the items for {} {}",
            whole.items.len(),
            whole.units,
            if whole.units == 1.0 {
                "read unit"
            } else {
                "read units"
            }
        );
        self.reasons.add(Verdict::Served, text);
        Some(whole)
    }

    fn judge(&mut self, outcome: &ReadOutcome) {
        let ReadOutcome {
            items,
            read,
            pages,
            unintended,
            more,
            ..
        } = outcome;
        if outcome.fetched > 0.0 {
            let text = format!(
                "{} of the {} read units fetch attributes from the table that the index does not project",
                outcome.fetched, outcome.units
            );
            self.reasons.add(Verdict::Served, text);
        }
        let returned = items.len();
        if returned == 0 {
            let text = "returns nothing on the samples".to_owned();
            self.reasons.add(Verdict::Served, text);
        }
        if *unintended > 0 {
            let text = format!(
                "on the samples it returns {returned} {}, {unintended} of unintended entities",
                if returned == 1 { "item" } else { "items" }
            );
            self.reasons.add(Verdict::ReadsTooMuch, text);
        }
        let discarded = read - returned;
        if discarded > returned {
            let text = format!(
                "the filter discards {discarded} of {read} items, but reading them is billed"
            );
            self.reasons.add(Verdict::ReadsTooMuch, text);
        }
        let fits = || items.iter().map(Item::size).sum::<usize>() <= limits::PAGE_BYTES;
        if *pages > 1 && !more && fits() {
            let text = format!("takes {pages} requests for items that fit on one page");
            self.reasons.add(Verdict::ReadsTooMuch, text);
        }
    }

    fn write(&mut self, writes: &[Write], transaction: bool) -> Result<Outcome, Rejection> {
        let execute = |stored: &TableSnapshot| match (writes, transaction) {
            ([write], false) => stored.write(write),
            _ => stored.transact_write(writes),
        };
        let design = self.stored.design();
        let mut done = execute(self.stored);
        if matches!(&done, Err(rejection) if depends_on_item(design, rejection))
            && let Some(without) = self.without_put_items(writes)
        {
            done = execute(&without);
            if done.is_ok() {
                let text =
                    "the item of the sample already exists; the preview shows the write without it"
                        .to_owned();
                self.reasons.add(Verdict::Served, text);
            }
        }
        match done {
            Ok(preview) => {
                self.stale(&preview);
                self.half_set(writes, &preview);
                let new = |creating: bool| {
                    let mut changes = writes.iter().zip(&preview.changes);
                    changes.any(|(write, change)| {
                        change.before.is_none()
                            && matches!(write, Write::Update { update, .. } if creates(update.get()) == creating)
                    })
                };
                if new(true) {
                    let text = "no item of the samples has the key of the update: DynamoDB creates one, with the key and what the update sets";
                    self.reasons.add(Verdict::Served, text.to_owned());
                }
                if new(false) {
                    let text = "no item of the samples has the key of the update, which only removes: DynamoDB changes nothing";
                    self.reasons.add(Verdict::Served, text.to_owned());
                }
                Ok(Outcome::Written(Box::new(preview)))
            }
            Err(rejection) if depends_on_item(design, &rejection) => {
                let text = format!("rejected on the samples: {rejection}");
                self.reasons.add(Verdict::Served, text);
                Ok(Outcome::Nothing)
            }
            Err(rejection) => Err(rejection),
        }
    }

    /// Returns a table with the items that the writes address, except those that a put creates. `None` if no put item
    /// exists.
    fn without_put_items(&self, writes: &[Write]) -> Option<TableSnapshot> {
        let mut design: Design = self.stored.design().clone();
        let table = self.stored.design().table.key.clone();
        design.samples.clear();
        let mut is_there = false;
        for write in writes {
            let mut key = query::Key::new();
            match write {
                Write::Put { item, .. } => {
                    for attribute in table.attributes() {
                        key.insert(attribute.name.clone(), item.get(&attribute.name)?.clone());
                    }
                    is_there |= matches!(self.stored.item(&key), Ok(Some(_)));
                    continue;
                }
                Write::Update { key: own, .. }
                | Write::Delete { key: own, .. }
                | Write::Check { key: own, .. } => key.clone_from(own),
            }
            if let Ok(Some(item)) = self.stored.item(&key) {
                let samples = design.samples.entry(item.entity).or_default();
                Arc::make_mut(samples).push(item.sample().clone());
            }
        }
        is_there.then(|| TableSnapshot::of(&design))
    }

    /// Reports the keys that an update leaves stale, or writes against their templates.
    fn stale(&mut self, preview: &Preview) {
        let design = self.stored.design();
        for stale in preview.changes.iter().flat_map(|change| &change.stale) {
            let name = design.index_name(stale.index);
            let attribute = &stale.attribute;
            let changed = stale.changed.iter().map(|name| format!("`{name}`"));
            let changed = listed(&changed.collect::<Vec<_>>());
            let text = if stale.index.is_primary() {
                format!(
                    "changes {changed}, which decides `{attribute}`, but no update changes a primary key: delete the item and put it with its new key, in one transaction"
                )
            } else if !stale.changed.is_empty() {
                format!(
                    "leaves `{attribute}` of `{name}` unchanged, although it depends on {changed}: set it in the same update"
                )
            } else {
                let text = |value: &Option<Value>| (value.as_ref()).map(Value::to_text);
                let written = text(&stale.is).unwrap_or_default();
                match text(&stale.should_be) {
                    Some(given) => format!(
                        "sets `{attribute}` of `{name}` to `{written}`, but its template gives `{given}`"
                    ),
                    None => format!(
                        "sets `{attribute}` of `{name}` to `{written}`, but its template gives none: the entity is not in `{name}` with these values"
                    ),
                }
            };
            self.reasons.add(Verdict::Served, text);
        }
    }

    /// Reports the items that an update gives one key attribute of an index, but not the other: they are not in it. A key
    /// attribute that is an attribute of an entity may be missing on purpose.
    fn half_set(&mut self, writes: &[Write], preview: &Preview) {
        let design = self.stored.design();
        let is_own = |name: &str| {
            (design.entities.values()).any(|entity| entity.attribute(name).is_some())
                || design.table.key.attributes().any(|key| key.name == name)
        };
        for (write, change) in writes.iter().zip(&preview.changes) {
            let (Write::Update { update, .. }, Some(after)) = (write, &change.after) else {
                continue;
            };
            let sets = |name: &str| {
                after.contains_key(name)
                    && (update.get().targets()).any(|path| path.attribute.text == name)
            };
            for (id, index) in &design.indexes {
                let keys = || index.key.attributes().map(|key| key.name.as_str());
                // A key attribute can be shared with another index.
                let serves = |name: &str| {
                    design.indexes.iter().any(|(other, index)| {
                        let all = || index.key.attributes().map(|key| key.name.as_str());
                        other != id
                            && all().any(|key| key == name)
                            && all().all(|key| after.contains_key(key))
                    })
                };
                let set = keys().find(|name| sets(name) && !serves(name));
                let missing = keys().find(|name| !after.contains_key(*name) && !is_own(name));
                if let (Some(set), Some(missing)) = (set, missing) {
                    let name = design.index_name(*id);
                    let text = format!(
                        "sets `{set}`, but the item has no `{missing}`: it is not in `{name}`"
                    );
                    self.reasons.add(Verdict::Served, text);
                }
            }
        }
    }
}

/// Whether a write failed for what the stored item has or lacks: with another item of the design it would not.
fn depends_on_item(design: &Design, rejection: &Rejection) -> bool {
    match rejection {
        Rejection::ConditionFailed => true,
        Rejection::Missing { attribute, .. } => {
            let mut entities = design.entities.values();
            entities.any(|entity| entity.attribute(attribute).is_some())
        }
        Rejection::Canceled(reasons) => {
            let mut reasons = reasons.iter().flatten();
            reasons.all(|reason| depends_on_item(design, reason))
        }
        _ => false,
    }
}

fn of_items(all: impl IntoIterator<Item = GetResult>) -> ReadOutcome {
    let mut outcome = ReadOutcome {
        pages: 1,
        ..ReadOutcome::default()
    };
    for got in all {
        outcome.units += got.units;
        outcome.read += got.item.iter().count();
        outcome.items.extend(got.item);
    }
    outcome
}

fn of_pages(pages: impl IntoIterator<Item = Page>) -> ReadOutcome {
    let mut outcome = ReadOutcome::default();
    for page in pages {
        outcome.pages += 1;
        outcome.units += page.units;
        outcome.fetched += page.fetched;
        outcome.read += page.scanned;
        outcome.more = page.last_key.is_some();
        outcome.items.extend(page.items);
    }
    outcome
}

/// Returns the indexes whose entries an access pattern writes: on the samples, otherwise by its entities.
pub(super) fn written_indexes(
    design: &Design,
    pattern: &AccessPattern,
    proof: &Proof,
) -> Vec<IndexId> {
    let mut indexes: Vec<IndexId> = Vec::new();
    if !matches!(
        pattern.operation,
        Operation::Write(_) | Operation::TransactWriteItems { .. }
    ) {
        return indexes;
    }
    if let Outcome::Written(preview) = &proof.outcome {
        for entry in preview.changes.iter().flat_map(|change| &change.entries) {
            if entry.units > 0.0 && !indexes.contains(&entry.index) {
                indexes.push(entry.index);
            }
        }
        return indexes;
    }
    for index in design.index_ids() {
        let writes = |id| {
            let entity = design.entities.get(id);
            entity.is_some_and(|e| key_templates(design, e, index).is_some())
        };
        let puts = parts(&pattern.operation).puts;
        if proof
            .reachable
            .iter()
            .map(|reach| &reach.entity)
            .chain(&puts)
            .any(writes)
        {
            indexes.push(index);
        }
    }
    indexes
}

//! What a read of an access pattern costs on average: the items that it reads, with the stated sizes and numbers of items.

use super::average::{Average, PatternUnits};
use super::{Units, add, of_request, pages, query_pages, scan_pages};
use crate::assume::{ASSUMED_BYTES, Figure};
use crate::forms::entity_of_key;
use crate::heat::{Fixed, Found, fixed, found, mean};
use keyfold_core::engine::query::{
    Get, Page, Query, Rejection, Scan, TRANSACTION_FACTOR, read_units,
};
use keyfold_core::model::limits::PAGE_BYTES;
use keyfold_core::model::{EntityId, IndexId, Operation, SortedMap, entities_of};
use keyfold_core::proof::Request;

impl Average<'_> {
    /// Each key costs what the item of its entity costs: the stated size, or that of the sample.
    pub(super) fn by_keys(&self, request: &Request) -> Result<PatternUnits, Rejection> {
        let asked = self.pattern.operation.keys();
        let (keys, consistent, factor) = match request {
            Request::Get(get) => (vec![&get.key], get.consistent, 1.0),
            Request::BatchGet(batch) => (batch.keys.iter().collect(), batch.consistent, 1.0),
            Request::TransactGet(get) => (get.keys.iter().collect(), true, TRANSACTION_FACTOR),
            _ => (Vec::new(), false, 1.0),
        };
        let mut units = of_request(self.stored, request)?;
        let mut sum = 0.0;
        let mut is_sized = false;
        for (key, asked) in keys.into_iter().zip(&asked) {
            let get = Get {
                key: key.clone(),
                projection: Vec::new(),
                consistent,
            };
            let found = self.stored.get(&get)?;
            let entity = (found.item.as_ref().map(|item| item.entity))
                .or_else(|| entity_of_key(self.design, self.pattern, asked));
            let stated = entity.and_then(|entity| self.stated_bytes(IndexId::PRIMARY, entity));
            is_sized |= stated.is_some();
            sum += factor * stated.map_or(found.units, |bytes| read_units(bytes, consistent));
        }
        if is_sized {
            units.read.insert(IndexId::PRIMARY, sum);
        }
        let keys = asked.len() as f64;
        Ok(PatternUnits::of_read(units, Figure::assumed(keys)))
    }

    pub(super) fn query(&self, query: &Query) -> Result<PatternUnits, Rejection> {
        let unfiltered = Query {
            filter: None,
            ..query.clone()
        };
        let sampled = query_pages(self.stored, &unfiltered)?;
        let all = Query {
            limit: None,
            ..unfiltered
        };
        let read = count(&query_pages(self.stored, &all)?);
        let (known, guessed) = match self.has_stated_items(query.index) {
            true => self.collection(&all, &read)?,
            false => (read, None),
        };
        let mut units = self.read(query.index, &sampled, query.limit, query.consistent, &known);
        units.guessed = guessed.filter(|_| self.traffic.items.is_none());
        Ok(units)
    }

    fn has_stated_items(&self, index: IndexId) -> bool {
        let mut all = self.assumptions.entities.values();
        all.any(|data| data.items.stated && data.entries.contains_key(&index))
    }

    /// The items of each entity that a Query reads on average: of an entity with a stated number of items those of its item
    /// collection, of any other those of the samples in `read`. Of a range, the share that the samples of the collection
    /// have, or all of an intended entity without samples there. With the first attribute whose number of values is a guess.
    fn collection(
        &self,
        query: &Query,
        read: &SortedMap<EntityId, f64>,
    ) -> Result<(SortedMap<EntityId, f64>, Option<String>), Rejection> {
        let Operation::Query {
            partition, sort, ..
        } = &self.pattern.operation
        else {
            return Ok((read.clone(), None));
        };
        let mut whole = query.clone();
        whole.key.sort.clear();
        let collection = count(&query_pages(self.stored, &whole)?);
        let of = |counts: &SortedMap<EntityId, f64>, entity| {
            counts.get(&entity).copied().unwrap_or_default()
        };
        let forms = [fixed(partition, sort), fixed(partition, &[])];
        let (mut known, mut guess) = (SortedMap::new(), None);
        for (entity, data) in &self.assumptions.entities {
            let (samples, of_range) = (of(&collection, *entity), of(read, *entity));
            if !data.items.stated {
                if of_range > 0.0 {
                    known.insert(*entity, of_range);
                }
                continue;
            }
            let place = (query.index, *entity);
            let share = match samples > 0.0 {
                true => of_range / samples,
                false => f64::from(u8::from(entities_of(self.pattern).any(|id| id == *entity))),
            };
            let found = |fixed: &Fixed| found(self.design, self.assumptions, self.id, place, fixed);
            let found = match found(&forms[0]) {
                Some(found) if !forms[0].has_range => Some(found),
                of_range => (of_range.or_else(|| found(&forms[1])))
                    .or_else(|| {
                        let is_there = samples > 0.0;
                        mean(self.design, self.assumptions, place).filter(|_| is_there)
                    })
                    .map(|found| Found {
                        items: found.items * share,
                        ..found
                    }),
            };
            if let Some(found) = found.filter(|found| found.items > 0.0) {
                known.insert(*entity, found.items);
                guess = guess.or(found.guessed);
            }
        }
        Ok((known, guess))
    }

    pub(super) fn scan(&self, scan: &Scan) -> Result<PatternUnits, Rejection> {
        let unfiltered = Scan {
            filter: None,
            ..scan.clone()
        };
        let pages = scan_pages(self.stored, &unfiltered)?;
        let known = (self.assumptions.entities.iter())
            .map(|(entity, data)| (*entity, data.entries_in(scan.index)))
            .filter(|(_, items)| *items > 0.0)
            .collect();
        Ok(self.read(scan.index, &pages, scan.limit, scan.consistent, &known))
    }

    /// A read of pages on the samples, scaled to the stated number and size of items. `known`: the items of each entity that
    /// it reads without a limit.
    fn read(
        &self,
        index: IndexId,
        sampled: &[Page],
        limit: Option<u32>,
        consistent: bool,
        known: &SortedMap<EntityId, f64>,
    ) -> PatternUnits {
        let found = || sampled.iter().flat_map(|page| &page.items);
        let count = found().count() as f64;
        let all: f64 = known.values().sum();
        let mut items = match self.traffic.items {
            Some(items) => Figure::stated(items),
            None => Figure::assumed(all),
        };
        if let Some(limit) = limit {
            items.value = items.value.min(f64::from(limit));
        }
        let mut units = Units::default();
        let is_sized = found().any(|item| self.stated_bytes(index, item.entity).is_some());
        // A share of the samples is not exact.
        if (items.value - count).abs() < 1e-6 && !is_sized && !self.has_stated_items(index) {
            pages(&mut units, index, sampled);
            return PatternUnits::of_read(units, items);
        }
        let bytes: f64 = (known.iter())
            .map(|(entity, items)| items * self.bytes(index, *entity, sampled))
            .sum();
        let each = match all > 0.0 {
            true => bytes / all,
            false => self.typical(index),
        };
        add(&mut units.read, index, paged(items.value, each, consistent));
        let fetched: f64 = sampled.iter().map(|page| page.fetched).sum();
        if count > 0.0 {
            add(
                &mut units.read,
                IndexId::PRIMARY,
                fetched / count * items.value,
            );
        }
        PatternUnits::of_read(units, items)
    }

    /// The average size of an entity's entries in an index, in bytes: as stated, or that of the samples that a request
    /// reads, or that of all samples.
    fn bytes(&self, index: IndexId, entity: EntityId, sampled: &[Page]) -> f64 {
        if let Some(bytes) = self.stated_bytes(index, entity) {
            return bytes as f64;
        }
        let content = self.stored.content(index);
        let items = sampled.iter().flat_map(|page| &page.items);
        let (mut sum, mut count) = (0.0, 0.0);
        for item in items.filter(|item| item.entity == entity) {
            sum += content.map_or(0, |content| content.size(item)) as f64;
            count += 1.0;
        }
        if count > 0.0 {
            return sum / count;
        }
        let data = self.assumptions.entities.get(&entity);
        let entries = data.and_then(|data| data.entries.get(&index));
        entries.map_or(0.0, |entries| entries.bytes)
    }

    /// The average size of an entry of the pattern's entities in an index, in bytes; of all entities there if it names
    /// none that is.
    fn typical(&self, index: IndexId) -> f64 {
        let data = |id| self.assumptions.entities.get(&id);
        let bytes = |entity| Some(data(entity)?.entries.get(&index)?.bytes);
        let all = || self.design.entities.keys().copied();
        average(entities_of(self.pattern).filter_map(bytes))
            .or_else(|| average(all().filter_map(bytes)))
            .unwrap_or(ASSUMED_BYTES)
    }
}

/// `None` without figures.
fn average(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for figure in figures {
        sum += figure;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// The number of items of each entity on pages.
fn count(pages: &[Page]) -> SortedMap<EntityId, f64> {
    let mut counts = SortedMap::new();
    for item in pages.iter().flat_map(|page| &page.items) {
        *counts.entry(item.entity).or_insert(0.0) += 1.0;
    }
    counts
}

/// Read units of a number of items of this average size in bytes, page by page.
fn paged(items: f64, bytes: f64, consistent: bool) -> f64 {
    let total = items * bytes;
    let on_page = match bytes > 0.0 {
        true => (PAGE_BYTES as f64 / bytes).floor().max(1.0) * bytes,
        false => PAGE_BYTES as f64,
    };
    let full = ((total / on_page).ceil() - 1.0).max(0.0);
    let rest = total - full * on_page;
    full * read_units(on_page as usize, consistent) + read_units(rest.ceil() as usize, consistent)
}

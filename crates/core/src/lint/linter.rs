//! Linting a design, and linting it again after an edit: what the edit left alone keeps its findings.

use super::all_rules::{RULES, rule};
use super::entity_facts::{self, EntityFacts, Tenant};
use super::finding::{Finding, Severity};
use super::group;
use super::pattern_facts::PatternFacts;
use super::rule::{Check, Context, Found};
use super::rules::equal_keys;
use crate::engine::{Computed, Items, Work};
use crate::model::{
    AccessPatternId, Design, Entity, EntityId, Index, IndexId, KeySchema, Silenced, SortedMap,
    SortedSet, by_rank,
};
use crate::template::{steps_left, within_steps};
use std::sync::Arc;

/// All findings of a design.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The findings, silenced ones too, by the order of the rules and then of the places.
    pub findings: Vec<Arc<Finding>>,
    /// The design's silences that silence nothing any more, by their position.
    pub needless: Vec<usize>,
}

impl Report {
    /// Orders findings, and silences those that the design silences.
    fn new(found: Vec<Arc<Finding>>, silenced: &[Silenced]) -> Report {
        let rank = |finding: &Arc<Finding>| {
            let rule = RULES.iter().position(|rule| rule.code == finding.code);
            let index = finding.place.index().map_or(0, |index| index.0);
            let own = match finding.place {
                super::Place::Attribute(_, id) => id.0,
                super::Place::Sample(_, id) => id.0,
                super::Place::Pattern(id) => id.0,
                super::Place::Template(_, _, part) => part as u32,
                _ => 0,
            };
            let entity = finding.place.entity().map_or(0, |entity| entity.0);
            [rule.unwrap_or(RULES.len()) as u32, entity, index, own]
        };
        let mut findings = by_rank(found, rank);
        let mut needed = vec![false; silenced.len()];
        if !silenced.is_empty() {
            for finding in &mut findings {
                let place = finding.place.to_string();
                let at = (silenced.iter()).position(|s| s.code == finding.code && s.place == place);
                if let Some(at) = at {
                    needed[at] = true;
                    Arc::make_mut(finding).silenced = Some(silenced[at].reason.clone());
                }
            }
        }
        let needless = (0..needed.len()).filter(|at| !needed[*at]);
        Report {
            findings,
            needless: needless.collect(),
        }
    }

    /// The report with the findings of [`Check::Workload`] of the same design added.
    pub fn with_workload(&self, design: &Design, found: &[Arc<Finding>]) -> Report {
        let all = self.findings.iter().chain(found).cloned();
        Report::new(all.collect(), &design.silenced)
    }

    /// The findings that are not silenced.
    pub fn open(&self) -> impl Iterator<Item = &Arc<Finding>> {
        (self.findings.iter()).filter(|finding| finding.silenced.is_none())
    }

    /// Number of findings of a severity that are not silenced.
    pub fn count(&self, severity: Severity) -> usize {
        (self.open())
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// Whether nothing of warning or above is left that is not silenced.
    pub fn passes(&self) -> bool {
        !(self.open()).any(|finding| finding.severity >= Severity::Warning)
    }
}

/// All findings of a design.
pub fn lint(design: &Design) -> Report {
    Linter::default().lint(design)
}

/// Steps that all questions about keys may take together after one edit: about a second. Beyond, they are too large to be
/// answered.
const STEPS: u64 = 40_000_000;
/// Pairs that are checked at once, if they take few steps.
const PAIRS_AT_ONCE: usize = 64;
/// Steps after which no other pair is checked at once.
const STEPS_AT_ONCE: u64 = 50_000;

/// The rules of entities and samples that look at the table's TTL attribute.
const TTL_RULES: &[&str] = &["K010", "K015", "S007"];

/// Remembers a design with its findings, so that the next version of it takes only the work that differs.
#[derive(Debug)]
pub struct Linter {
    design: Design,
    tenant: Option<Tenant>,
    computed: Arc<Computed>,
    entities: SortedMap<EntityId, Arc<EntityFacts>>,
    patterns: SortedMap<AccessPatternId, PatternFacts>,
    of_entities: SortedMap<EntityId, Vec<Arc<Finding>>>,
    of_samples: SortedMap<EntityId, (Arc<Items>, Vec<Arc<Finding>>)>,
    /// Only pairs of which there is something to say.
    of_pairs: SortedMap<(EntityId, EntityId), Vec<Arc<Finding>>>,
    /// Entities that are still to be checked, each against all that are not in here.
    open: SortedSet<EntityId>,
    /// Pairs of checked entities that are still to be checked.
    pairs: Vec<(EntityId, EntityId)>,
    /// The steps that all questions about keys may still take until the next edit.
    steps: u64,
    /// Entities of which the findings of single rules are still to be made, and those rules; none: all of one entity.
    alone: Vec<(EntityId, &'static [&'static str])>,
    /// The items whose samples are checked.
    items: SortedMap<EntityId, Arc<Items>>,
}

impl Default for Linter {
    fn default() -> Self {
        Linter {
            design: Design::new(""),
            tenant: None,
            computed: Arc::new(Computed::nothing()),
            entities: SortedMap::new(),
            patterns: SortedMap::new(),
            of_entities: SortedMap::new(),
            of_samples: SortedMap::new(),
            of_pairs: SortedMap::new(),
            open: SortedSet::new(),
            pairs: Vec::new(),
            steps: STEPS,
            alone: Vec::new(),
            items: SortedMap::new(),
        }
    }
}

impl Linter {
    /// The items of the design that was linted last.
    pub fn items(&self) -> &SortedMap<EntityId, Arc<Items>> {
        &self.items
    }

    /// All findings of a design; makes its items too.
    pub fn lint(&mut self, design: &Design) -> Report {
        let mut work = Work::new(self.computed.clone(), design.clone(), None);
        let computed = loop {
            if let Some(computed) = work.step() {
                break Arc::new(computed);
            }
        };
        self.computed = computed.clone();
        self.lint_items(design, computed.items())
    }

    /// All findings of a design whose items are made already: those of [`Computed::items`], of this design or of one
    /// before it; an entity without items there has no findings of its samples.
    pub fn lint_items(
        &mut self,
        design: &Design,
        items: &SortedMap<EntityId, Arc<Items>>,
    ) -> Report {
        self.begin(design, items);
        loop {
            if let Some(report) = self.step() {
                return report;
            }
        }
    }

    /// Takes a design up as [`Linter::lint_items`] does, and leaves the work to [`Linter::step`]. What an earlier design
    /// left undone is done with it.
    pub fn begin(&mut self, design: &Design, items: &SortedMap<EntityId, Arc<Items>>) {
        let tenant = entity_facts::tenant(design);
        let old = std::mem::replace(&mut self.design, design.clone());
        let edit = Edit::between(&old, design);
        let alone = self.touched(&old, &edit, self.tenant != tenant);
        let mut changed = self.compile(&old, &edit);
        self.steps = STEPS;
        self.bounded(|linter| linter.compile_patterns(&old, &edit, &changed));
        self.tenant = tenant;
        for (id, facts) in &self.entities {
            if edit
                .renamed
                .iter()
                .any(|index| facts.entry(*index).is_some())
            {
                changed.push(*id);
            }
        }
        (self.of_pairs).retain(|(a, b), _| !changed.contains(a) && !changed.contains(b));
        (self.pairs).retain(|(a, b)| !changed.contains(a) && !changed.contains(b));
        for id in &changed {
            self.of_entities.remove(id);
            self.of_samples.remove(id);
        }
        for (id, rules) in &alone {
            if rules.is_empty() {
                self.of_samples.remove(id);
            }
        }
        // Whether a sample has a key attribute is asked of the samples: items that cannot be stored are equal without it.
        let is_same = |id: &EntityId| match (old.samples.get(id), design.samples.get(id)) {
            (Some(before), Some(now)) => Arc::ptr_eq(before, now),
            (before, now) => before.is_none() && now.is_none(),
        };
        (self.of_samples).retain(|id, _| items.contains_key(id) && is_same(id));
        for id in changed {
            self.open.insert(id);
        }
        self.alone.extend(alone);
        (self.open).retain(|id| self.entities.contains_key(id));
        self.items = items.clone();
    }

    /// Does a little of the work: checks one entity, or the samples of one. The findings, once all is done.
    pub fn step(&mut self) -> Option<Report> {
        if !self.pairs.is_empty() {
            self.bounded(Linter::check_pairs);
            return None;
        }
        if let Some(id) = self.open.pop_last() {
            self.bounded(|linter| linter.check_entity(id));
            self.queue_pairs(id);
            return None;
        }
        if let Some((id, rules)) = self.alone.pop() {
            self.bounded(|linter| match rules.is_empty() {
                true => linter.check_entity(id),
                false => linter.check_rules(id, rules),
            });
            return None;
        }
        let is_new = |(id, items): &(&EntityId, &Arc<Items>)| {
            let known = self.of_samples.get(id);
            self.entities.contains_key(id)
                && known
                    .is_none_or(|(known, _)| !Arc::ptr_eq(known, items) && !known.same_as(items))
        };
        let next = self.items.iter().find(is_new);
        match next.map(|(id, items)| (*id, items.clone())) {
            Some((id, items)) => {
                self.check_samples(id, items);
                None
            }
            None => Some(self.bounded(|linter| linter.report())),
        }
    }

    /// The entities of which rules can say something else although their keys are as they were, with those rules; none:
    /// all.
    fn touched(
        &self,
        old: &Design,
        edit: &Edit,
        other_tenant: bool,
    ) -> Vec<(EntityId, &'static [&'static str])> {
        let (before, after) = (&old.table.ttl_attribute, &self.design.table.ttl_attribute);
        let expiries = match before == after {
            true => [None, None],
            false => [before.as_ref(), after.as_ref()],
        };
        let mut touched: Vec<(EntityId, &'static [&'static str])> = Vec::new();
        if !other_tenant && !edit.settings {
            return touched;
        }
        for (id, facts) in &self.entities {
            let has = |name: &String| facts.entity.attribute(name).is_some();
            if other_tenant {
                touched.push((*id, &[]));
            } else if expiries.into_iter().flatten().any(has) {
                touched.push((*id, TTL_RULES));
            }
        }
        touched
    }

    /// Compiles the entities that differ from those of the design before; which were made anew or are gone.
    fn compile(&mut self, old: &Design, edit: &Edit) -> Vec<EntityId> {
        let design = &self.design;
        let same = |id: &EntityId| match (old.entities.get(id), design.entities.get(id)) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        let mut changed = Vec::new();
        for (id, entity) in &design.entities {
            let known = self.entities.get(id).is_some_and(|facts| {
                edit.same_keys
                    && same(id)
                    && facts.refers_to.iter().all(same)
                    && !(edit.indexes.iter()).any(|index| is_in(design, facts, entity, *index))
            });
            if !known {
                let facts = EntityFacts::new(design, *id, entity);
                self.entities.insert(*id, Arc::new(facts));
                changed.push(*id);
            }
        }
        for id in old.entities.keys() {
            if !design.entities.contains_key(id) {
                self.entities.remove(id);
                self.of_entities.remove(id);
                changed.push(*id);
            }
        }
        changed
    }

    /// Compiles the changed access patterns, and determines again which of the changed entities the others find.
    fn compile_patterns(&mut self, old: &Design, edit: &Edit, changed: &[EntityId]) {
        let design = &self.design;
        (self.patterns).retain(|id, _| design.access_patterns.contains_key(id));
        for (id, pattern) in &design.access_patterns {
            let known = self.patterns.get(id).is_some_and(|facts| {
                edit.same_keys
                    && Arc::ptr_eq(&facts.pattern, pattern)
                    && !changed.iter().any(|id| facts.looks_at(*id, [old, design]))
            });
            match self.patterns.get_mut(id).filter(|_| known) {
                Some(facts) => {
                    for entity in changed {
                        match self.entities.get(entity) {
                            Some(entity) => facts.meet(entity),
                            None => facts.forget(*entity),
                        }
                    }
                }
                None => {
                    let mut facts = PatternFacts::new(design, *id, pattern);
                    for entity in self.entities.values() {
                        facts.meet(entity);
                    }
                    self.patterns.insert(*id, facts);
                }
            }
        }
    }

    fn context(&self) -> Context<'_> {
        Context {
            design: &self.design,
            entities: &self.entities,
            patterns: &self.patterns,
            tenant: self.tenant.as_ref(),
        }
    }

    fn check_entity(&mut self, id: EntityId) {
        let Some(facts) = self.entities.get(&id) else {
            return;
        };
        let mut found = Vec::new();
        for rule in RULES {
            if let Check::Entity(check) = rule.check {
                check(&self.context(), facts, &mut Found::new(rule, &mut found));
            }
        }
        self.of_entities.insert(id, found);
    }

    /// Checks an entity and its samples again by some rules.
    fn check_rules(&mut self, id: EntityId, codes: &[&str]) {
        let Some(facts) = self.entities.get(&id).cloned() else {
            return;
        };
        let mut own = self.of_entities.remove(&id).unwrap_or_default();
        let mut samples = self.of_samples.remove(&id);
        for rule in codes.iter().filter_map(|code| rule(code)) {
            let is_other = |finding: &Arc<Finding>| finding.code != rule.code;
            match (rule.check, &mut samples) {
                (Check::Entity(check), _) => {
                    own.retain(is_other);
                    check(&self.context(), &facts, &mut Found::new(rule, &mut own));
                }
                (Check::Samples(check), Some((items, found))) => {
                    found.retain(is_other);
                    let mut found = Found::new(rule, found);
                    check(&self.context(), &facts, items, &mut found);
                }
                _ => {}
            }
        }
        self.of_entities.insert(id, own);
        if let Some(samples) = samples {
            self.of_samples.insert(id, samples);
        }
    }

    fn check_samples(&mut self, id: EntityId, items: Arc<Items>) {
        let Some(facts) = self.entities.get(&id) else {
            return;
        };
        let mut found = Vec::new();
        for rule in RULES {
            if let Check::Samples(check) = rule.check {
                let mut found = Found::new(rule, &mut found);
                check(&self.context(), facts, &items, &mut found);
            }
        }
        self.of_samples.insert(id, (items, found));
    }

    /// Does work whose questions about keys share the steps of the edit.
    fn bounded<T>(&mut self, work: impl FnOnce(&mut Linter) -> T) -> T {
        let (result, left) = within_steps(self.steps, || work(self));
        self.steps = left;
        result
    }

    /// Notes the pairs of an entity with those already checked: each pair is checked once.
    fn queue_pairs(&mut self, id: EntityId) {
        let others =
            (self.entities.keys()).filter(|other| **other != id && !self.open.contains(other));
        let pairs = others.map(|other| (id.min(*other), id.max(*other)));
        self.pairs.extend(pairs);
    }

    /// Checks some pairs: as many as a slice has time for.
    fn check_pairs(&mut self) {
        let enough = steps_left().saturating_sub(STEPS_AT_ONCE);
        for _ in 0..PAIRS_AT_ONCE {
            let Some(pair) = self.pairs.pop() else { break };
            let (Some(first), Some(second)) =
                (self.entities.get(&pair.0), self.entities.get(&pair.1))
            else {
                continue;
            };
            let mut found = Vec::new();
            for rule in RULES {
                if let Check::Pair(check, _) = rule.check {
                    let mut found = Found::new(rule, &mut found);
                    check(&self.context(), first, second, &mut found);
                }
            }
            if !found.is_empty() {
                self.of_pairs.insert(pair, found);
            }
            if steps_left() <= enough {
                break;
            }
        }
    }

    fn report(&self) -> Report {
        let mut all: Vec<Arc<Finding>> = Vec::new();
        for rule in RULES {
            if let Check::Design(check) = rule.check {
                check(&self.context(), &mut Found::new(rule, &mut all));
            }
        }
        for found in self.of_entities.values() {
            all.extend(found.iter().cloned());
        }
        let silenced = &self.design.silenced;
        let is_silenced = |finding: &Finding| {
            let place = finding.place.to_string();
            (silenced.iter()).any(|s| s.code == finding.code && s.place == place)
        };
        let mut equal: Vec<group::Pair> = Vec::new();
        for ((first, second), found) in &self.of_pairs {
            for finding in found {
                let keep = match rule(finding.code).map(|rule| rule.check) {
                    Some(Check::Pair(_, keep)) => keep(&self.context(), finding),
                    _ => true,
                };
                if keep && finding.code == equal_keys::RULE.code && !is_silenced(finding) {
                    equal.push(([*first, *second], finding.clone()));
                } else if keep {
                    all.push(finding.clone());
                }
            }
        }
        all.extend(group::group(&self.design, equal));
        for (_, found) in self.of_samples.values() {
            all.extend(found.iter().cloned());
        }
        Report::new(all, silenced)
    }
}

/// The differences between two designs that affect templates, except entities, samples and access patterns.
struct Edit {
    /// Whether the table's key, its type attribute and the delimiter are the same.
    same_keys: bool,
    /// Whether the table's settings may be others.
    settings: bool,
    /// The indexes that are new, gone, or have another key.
    indexes: Vec<IndexId>,
    /// The indexes that have another name.
    renamed: Vec<IndexId>,
}

impl Edit {
    fn between(old: &Design, new: &Design) -> Edit {
        let mut edit = Edit {
            same_keys: old.table.key == new.table.key
                && old.table.type_attribute == new.table.type_attribute
                && old.delimiter == new.delimiter,
            settings: !Arc::ptr_eq(&old.table, &new.table),
            indexes: Vec::new(),
            renamed: Vec::new(),
        };
        let same_keys = |one: &Index, other: &Index| one.key == other.key && one.kind == other.kind;
        for (id, index) in &new.indexes {
            match old.indexes.get(id) {
                Some(old) if Arc::ptr_eq(old, index) => {}
                Some(old) if !same_keys(old, index) => edit.indexes.push(*id),
                Some(old) if old.name != index.name => edit.renamed.push(*id),
                Some(_) => {}
                None => edit.indexes.push(*id),
            }
        }
        for id in old.indexes.keys() {
            if !new.indexes.contains_key(id) {
                edit.indexes.push(*id);
            }
        }
        edit
    }
}

/// Whether an entity's items were or can now be in an index; `facts` are those of before.
fn is_in(design: &Design, facts: &EntityFacts, entity: &Entity, index: IndexId) -> bool {
    let has = |name: &str| {
        let mut keys = facts.entries.iter().flat_map(|entry| &entry.keys);
        entity.attribute(name).is_some() || keys.any(|key| key.own && key.attribute.name == name)
    };
    let all = |key: &KeySchema| key.attributes().all(|attribute| has(&attribute.name));
    facts.entry(index).is_some()
        || entity.keys.contains_key(&index)
        || design.key(index).is_some_and(all)
}

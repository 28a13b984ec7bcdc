//! Linting a design, and linting it again after an edit: what the edit left alone keeps its findings.

use super::facts::{self, EntityFacts, Tenant};
use super::finding::{Finding, Severity};
use super::patterns::PatternFacts;
use super::rule::{Check, Context, Found};
use super::table::{RULES, rule};
use crate::domain::engine::{Computed, Items, Work};
use crate::domain::model::{AccessPatternId, Design, EntityId, by_rank};
use std::collections::BTreeMap;
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

/// Remembers a design with its findings, so that the next version of it takes only the work that differs.
#[derive(Debug)]
pub struct Linter {
    design: Design,
    tenant: Option<Tenant>,
    computed: Arc<Computed>,
    entities: BTreeMap<EntityId, Arc<EntityFacts>>,
    patterns: BTreeMap<AccessPatternId, PatternFacts>,
    of_entities: BTreeMap<EntityId, Vec<Arc<Finding>>>,
    of_samples: BTreeMap<EntityId, (Arc<Items>, Vec<Arc<Finding>>)>,
    /// Only pairs of which there is something to say.
    of_pairs: BTreeMap<(EntityId, EntityId), Vec<Arc<Finding>>>,
    /// Entities that are still to be checked, each against all that are not in here.
    open: Vec<EntityId>,
    /// The items whose samples are checked.
    items: BTreeMap<EntityId, Arc<Items>>,
}

impl Default for Linter {
    fn default() -> Self {
        Linter {
            design: Design::new(""),
            tenant: None,
            computed: Arc::new(Computed::nothing()),
            entities: BTreeMap::new(),
            patterns: BTreeMap::new(),
            of_entities: BTreeMap::new(),
            of_samples: BTreeMap::new(),
            of_pairs: BTreeMap::new(),
            open: Vec::new(),
            items: BTreeMap::new(),
        }
    }
}

impl Linter {
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
        items: &BTreeMap<EntityId, Arc<Items>>,
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
    pub fn begin(&mut self, design: &Design, items: &BTreeMap<EntityId, Arc<Items>>) {
        let tenant = facts::tenant(design);
        let old = std::mem::replace(&mut self.design, design.clone());
        let changed = self.compile(&old, &tenant);
        self.tenant = tenant;
        (self.of_pairs).retain(|(a, b), _| !changed.contains(a) && !changed.contains(b));
        (self.of_samples).retain(|id, _| items.contains_key(id) && !changed.contains(id));
        for id in changed {
            self.of_entities.remove(&id);
            if !self.open.contains(&id) {
                self.open.push(id);
            }
        }
        (self.open).retain(|id| self.entities.contains_key(id));
        self.items = items.clone();
    }

    /// Does a little of the work: checks one entity, or the samples of one. The findings, once all is done.
    pub fn step(&mut self) -> Option<Report> {
        if let Some(id) = self.open.pop() {
            self.check_entity(id);
            self.check_pairs(id);
            return None;
        }
        let is_new = |(id, items): &(&EntityId, &Arc<Items>)| {
            let known = self.of_samples.get(id);
            self.entities.contains_key(id)
                && known.is_none_or(|(known, _)| !Arc::ptr_eq(known, items))
        };
        let next = self.items.iter().find(is_new);
        match next.map(|(id, items)| (*id, items.clone())) {
            Some((id, items)) => {
                self.check_samples(id, items);
                None
            }
            None => Some(self.report()),
        }
    }

    /// Compiles what differs from the design before; the entities that were made anew or are gone.
    fn compile(&mut self, old: &Design, tenant: &Option<Tenant>) -> Vec<EntityId> {
        let design = &self.design;
        let same_keys = self.tenant == *tenant
            && (Arc::ptr_eq(&old.table, &design.table) || old.table == design.table)
            && old.delimiter == design.delimiter
            && old.indexes.len() == design.indexes.len()
            && (old.indexes.iter().zip(&design.indexes)).all(|(old, new)| {
                old.0 == new.0 && old.1.key == new.1.key && old.1.kind == new.1.kind
            });
        let same = |id: &EntityId| match (old.entities.get(id), design.entities.get(id)) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        let mut changed = Vec::new();
        for (id, entity) in &design.entities {
            let known = (self.entities.get(id))
                .is_some_and(|facts| same_keys && same(id) && facts.refers_to.iter().all(same));
            if !known {
                let facts = EntityFacts::new(design, *id, entity);
                self.entities.insert(*id, Arc::new(facts));
                changed.push(*id);
            }
        }
        for id in old.entities.keys() {
            if !design.entities.contains_key(id) {
                self.entities.remove(id);
                changed.push(*id);
            }
        }
        (self.patterns).retain(|id, _| design.access_patterns.contains_key(id));
        for (id, pattern) in &design.access_patterns {
            let known = (self.patterns.get(id)).is_some_and(|facts| {
                let meant_changed = facts.meant.iter().any(|entity| changed.contains(entity));
                same_keys && Arc::ptr_eq(&facts.pattern, pattern) && !meant_changed
            });
            match self.patterns.get_mut(id).filter(|_| known) {
                Some(facts) => {
                    for entity in &changed {
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
        changed
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

    /// Checks an entity against those that are not open any more: the others meet it when it is their turn.
    fn check_pairs(&mut self, id: EntityId) {
        let Some(facts) = self.entities.get(&id) else {
            return;
        };
        let mut pairs = Vec::new();
        for (other, others) in &self.entities {
            if *other == id || self.open.contains(other) {
                continue;
            }
            let (first, second) = match id < *other {
                true => (facts, others),
                false => (others, facts),
            };
            let mut found = Vec::new();
            for rule in RULES {
                if let Check::Pair(check, _) = rule.check {
                    let mut found = Found::new(rule, &mut found);
                    check(&self.context(), first, second, &mut found);
                }
            }
            if !found.is_empty() {
                pairs.push(((first.id, second.id), found));
            }
        }
        self.of_pairs.extend(pairs);
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
        for finding in self.of_pairs.values().flatten() {
            let keep = match rule(finding.code).map(|rule| rule.check) {
                Some(Check::Pair(_, keep)) => keep(&self.context(), finding),
                _ => true,
            };
            if keep {
                all.push(finding.clone());
            }
        }
        for (_, found) in self.of_samples.values() {
            all.extend(found.iter().cloned());
        }
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
        let mut findings = by_rank(all, rank);
        let silenced = &self.design.silenced;
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
}

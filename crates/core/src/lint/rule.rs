//! Rules, and the parts of a design that a rule can see.

use super::entity_facts::{EntityFacts, Tenant};
use super::finding::{Finding, Place, Severity};
use super::fix::Fix;
use super::pattern_facts::PatternFacts;
use crate::engine::Items;
use crate::model::{AccessPatternId, Design, EntityId, IndexId, SortedMap};
use std::sync::Arc;

/// A rule. `docs/rules.md` documents it under its code.
#[derive(Debug)]
pub struct Rule {
    /// The code. Its letter is the group: K keys, I indexes, A access patterns, S samples, T tenancy, C cost, L limits
    /// and settings.
    pub code: &'static str,
    /// The name, such as `equal-keys`.
    pub name: &'static str,
    /// The severity of its findings, unless a finding sets its own.
    pub severity: Severity,
    /// The function that checks it.
    pub check: Check,
}

/// Why templates cannot be compared, and what to do.
pub(super) const TOO_LARGE: &str = "comparing the templates would take too much time and memory. Shorten their literals, above all repetitive ones, or put the delimiter between values and literals.";

/// What a rule checks. This decides when the linter runs it again.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// One entity with its templates. Sees only the table, the keys of the indexes and the tenant besides.
    Entity(fn(&Context, &EntityFacts, &mut Found)),
    /// One entity's samples and their items. Sees the same as `Entity`.
    Samples(fn(&Context, &EntityFacts, &Items, &mut Found)),
    /// Two entities, the one with the smaller id first. Sees the same as `Entity`.
    Pair(
        fn(&Context, &EntityFacts, &EntityFacts, &mut Found),
        /// Whether to report a cached finding for the current design. Runs after every change.
        fn(&Context, &Finding) -> bool,
    ),
    /// The whole design. Runs after every change, so it must be fast.
    Design(fn(&Context, &mut Found)),
    /// The cost and the load that follow from a stated workload. Not checked by the linter: `keyfold_cost::lint` does.
    Workload,
}

/// A design and the facts derived from it.
pub struct Context<'a> {
    /// The design.
    pub design: &'a Design,
    /// The entities with their compiled templates.
    pub entities: &'a SortedMap<EntityId, Arc<EntityFacts>>,
    /// The access patterns, with the entities that each can read.
    pub patterns: &'a SortedMap<AccessPatternId, PatternFacts>,
    /// The attribute that identifies the tenant; `None` if the design is not multi-tenant.
    pub tenant: Option<&'a Tenant>,
}

impl Context<'_> {
    /// Returns the access patterns that read the table or an index.
    pub fn readers(&self, index: IndexId) -> impl Iterator<Item = &PatternFacts> {
        let all = self.patterns.values();
        all.filter(move |facts| facts.pattern.operation.index() == Some(index))
    }
}

/// Collects the findings of one rule.
pub struct Found<'a> {
    rule: &'static Rule,
    findings: &'a mut Vec<Arc<Finding>>,
}

impl<'a> Found<'a> {
    /// Creates a collector that appends the findings of `rule` to `findings`.
    pub fn new(rule: &'static Rule, findings: &'a mut Vec<Arc<Finding>>) -> Self {
        Found { rule, findings }
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: NewFinding) {
        self.findings.push(Arc::new(Finding {
            code: self.rule.code,
            rule: self.rule.name,
            severity: finding.severity.unwrap_or(self.rule.severity),
            place: finding.place,
            span: finding.span,
            attributes: finding.attributes,
            message: finding.message,
            examples: finding.examples,
            fix: finding.fix,
            silenced: None,
        }));
    }
}

/// A finding under construction.
pub struct NewFinding {
    place: Place,
    message: String,
    severity: Option<Severity>,
    span: Option<std::ops::Range<usize>>,
    attributes: Vec<String>,
    examples: Vec<String>,
    fix: Option<Fix>,
}

impl NewFinding {
    /// Starts a finding with a place and a message, and nothing else.
    pub fn at(place: Place, message: String) -> Self {
        NewFinding {
            place,
            message,
            severity: None,
            span: None,
            attributes: Vec::new(),
            examples: Vec::new(),
            fix: None,
        }
    }

    /// Sets the affected bytes of the place's text.
    pub fn span(mut self, span: std::ops::Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// Adds an affected attribute of the sample's item.
    pub fn attribute(mut self, name: &str) -> Self {
        if !name.is_empty() && !self.attributes.iter().any(|other| other == name) {
            self.attributes.push(name.to_owned());
        }
        self
    }

    /// Sets the keys or values that demonstrate the finding.
    pub fn examples(mut self, examples: Vec<String>) -> Self {
        self.examples = examples;
        self
    }

    /// Sets the fix.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Overrides the rule's severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }
}

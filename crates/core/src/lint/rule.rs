//! What a rule is, and what it may look at.

use super::facts::{EntityFacts, Tenant};
use super::finding::{Finding, Place, Severity};
use super::fix::Fix;
use super::patterns::PatternFacts;
use crate::engine::Items;
use crate::model::{AccessPatternId, Design, EntityId, SortedMap};
use std::sync::Arc;

/// One rule. Its documentation is in `docs/rules.md`, under its code.
#[derive(Debug)]
pub struct Rule {
    /// Its code: K keys, I indexes, A access patterns, S samples, T tenancy, C cost, L limits and settings.
    pub code: &'static str,
    /// Its name, such as `equal-keys`.
    pub name: &'static str,
    /// How much its findings weigh.
    pub severity: Severity,
    /// What it looks at.
    pub check: Check,
}

/// What a rule looks at; that decides when its findings are made again.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// One entity with its templates. Sees nothing else but the table, the keys of the indexes and the tenant.
    Entity(fn(&Context, &EntityFacts, &mut Found)),
    /// One entity's samples and the items they make. Sees the same.
    Samples(fn(&Context, &EntityFacts, &Items, &mut Found)),
    /// Two entities, the one with the smaller id first. Sees the same.
    Pair(
        fn(&Context, &EntityFacts, &EntityFacts, &mut Found),
        /// Whether a finding is to be said of the design as it is; asked at every change.
        fn(&Context, &Finding) -> bool,
    ),
    /// The whole design, at every change: only what takes no time.
    Design(fn(&Context, &mut Found)),
}

/// A design and what is known of it.
pub struct Context<'a> {
    /// The design.
    pub design: &'a Design,
    /// Its entities' templates, compiled.
    pub entities: &'a SortedMap<EntityId, Arc<EntityFacts>>,
    /// Its access patterns, with what they can read.
    pub patterns: &'a SortedMap<AccessPatternId, PatternFacts>,
    /// The attribute that tells tenants apart, in a design of many tenants.
    pub tenant: Option<&'a Tenant>,
}

/// The findings of one rule.
pub struct Found<'a> {
    rule: &'static Rule,
    findings: &'a mut Vec<Arc<Finding>>,
}

impl<'a> Found<'a> {
    /// Collects what this rule says.
    pub fn new(rule: &'static Rule, findings: &'a mut Vec<Arc<Finding>>) -> Self {
        Found { rule, findings }
    }

    /// Adds a finding.
    pub fn say(&mut self, said: Said) {
        self.findings.push(Arc::new(Finding {
            code: self.rule.code,
            severity: said.severity.unwrap_or(self.rule.severity),
            place: said.place,
            span: said.span,
            attributes: said.attributes,
            message: said.message,
            examples: said.examples,
            fix: said.fix,
            silenced: None,
        }));
    }
}

/// A finding in the making.
pub struct Said {
    place: Place,
    message: String,
    severity: Option<Severity>,
    span: Option<std::ops::Range<usize>>,
    attributes: Vec<String>,
    examples: Vec<String>,
    fix: Option<Fix>,
}

impl Said {
    /// What is said of a place, and nothing else yet.
    pub fn at(place: Place, message: String) -> Self {
        Said {
            place,
            message,
            severity: None,
            span: None,
            attributes: Vec::new(),
            examples: Vec::new(),
            fix: None,
        }
    }

    /// The bytes of the place's text that are meant.
    pub fn span(mut self, span: std::ops::Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// An attribute of the sample's item that is meant.
    pub fn attribute(mut self, name: &str) -> Self {
        if !name.is_empty() && !self.attributes.iter().any(|other| other == name) {
            self.attributes.push(name.to_owned());
        }
        self
    }

    /// What shows it.
    pub fn examples(mut self, examples: Vec<String>) -> Self {
        self.examples = examples;
        self
    }

    /// What can be done.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Another severity than the rule's.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }
}

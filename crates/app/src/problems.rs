//! The Problems list: search, filters, grouping, and stepping from one finding to the next.

use keyfold_core::lint::{Finding, Place, Severity};
use keyfold_core::model::{Design, by_rank};
use std::sync::Arc;

/// The rule categories: the first letter of the rule codes, and the category's name.
pub const KINDS: [(char, &str); 7] = [
    ('K', "Keys"),
    ('I', "Indexes"),
    ('A', "Access patterns"),
    ('S', "Samples"),
    ('T', "Tenants"),
    ('C', "Cost"),
    ('L', "Limits and settings"),
];

/// How the list is grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// By severity, errors first.
    #[default]
    Severity,
    /// By rule.
    Rule,
    /// By entity, index or access pattern.
    Place,
}

impl Grouping {
    /// All groupings, in menu order.
    pub const ALL: [Grouping; 3] = [Grouping::Severity, Grouping::Rule, Grouping::Place];

    /// The label in the menu.
    pub fn label(self) -> &'static str {
        match self {
            Grouping::Severity => "Severity",
            Grouping::Rule => "Rule",
            Grouping::Place => "Place",
        }
    }
}

/// What the list shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FindingFilter {
    /// Words that must all occur in the code, the rule name, the message or the place of a finding.
    pub search: String,
    /// Shows this severity only.
    pub severity: Option<Severity>,
    /// Shows rules of this category only, see [`KINDS`].
    pub kind: Option<char>,
    /// How the list is grouped.
    pub grouping: Grouping,
    /// Shows the silenced findings instead of the others.
    pub silenced: bool,
}

/// Identifies a finding across changes of the design: its code, its place, and its number among the findings with
/// the same code and place.
pub type FindingId = (&'static str, Place, usize);

/// A row of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct FindingRow {
    /// Identifies the finding.
    pub id: FindingId,
    /// The finding.
    pub finding: Arc<Finding>,
    /// The place as text.
    pub place: String,
    /// The heading of the row's group.
    pub heading: String,
}

/// Returns the findings that pass the filter, in list order. Findings with the same heading are adjacent.
pub fn filtered_findings(
    design: &Design,
    findings: &[Arc<Finding>],
    filter: &FindingFilter,
) -> Vec<FindingRow> {
    let search = filter.search.to_lowercase();
    let mut list: Vec<FindingRow> = Vec::new();
    // The findings of this rule so far.
    let mut known: Vec<FindingId> = Vec::new();
    for finding in findings {
        known.retain(|(code, ..)| *code == finding.code);
        let same = known.iter().filter(|(_, place, _)| *place == finding.place);
        let id = (finding.code, finding.place, same.count());
        known.push(id);
        let is_kind = filter
            .kind
            .is_none_or(|kind| finding.code.starts_with(kind));
        if finding.silenced.is_some() != filter.silenced
            || filter.severity.is_some_and(|only| only != finding.severity)
            || !is_kind
        {
            continue;
        }
        let place = finding.place.describe(design);
        let name = finding.rule;
        let text = [finding.code, name, &finding.message, &place].join(" ");
        let text = text.to_lowercase();
        if !search.split_whitespace().all(|word| text.contains(word)) {
            continue;
        }
        list.push(FindingRow {
            id,
            heading: heading(design, finding, name, filter.grouping),
            finding: finding.clone(),
            place,
        });
    }
    by_rank(list, |line| {
        let severity = Severity::Error as u32 - line.finding.severity as u32;
        match filter.grouping {
            Grouping::Severity => [severity, 0, 0, 0],
            Grouping::Rule => [0, 0, 0, 0],
            Grouping::Place => {
                let [kind, id] = place_rank(line.finding.place);
                [kind, id, severity, 0]
            }
        }
    })
}

/// Returns the finding `step` rows after `from`, wrapping around at both ends. If `from` is not in the list, returns
/// the first finding, or the last if `step` is negative.
pub fn adjacent_finding(
    list: &[FindingRow],
    from: Option<FindingId>,
    step: isize,
) -> Option<&FindingRow> {
    let at = list.iter().position(|line| Some(line.id) == from);
    let count = list.len() as isize;
    if count == 0 {
        return None;
    }
    let to = match at {
        Some(at) => (at as isize + step).rem_euclid(count),
        None if step < 0 => count - 1,
        None => 0,
    };
    list.get(to as usize)
}

fn heading(design: &Design, finding: &Finding, name: &str, grouping: Grouping) -> String {
    match grouping {
        Grouping::Severity => match finding.severity {
            Severity::Error => "Errors".to_owned(),
            Severity::Warning => "Warnings".to_owned(),
            Severity::Info => "Info".to_owned(),
        },
        Grouping::Rule => [finding.code, " ", name].concat(),
        Grouping::Place => match (finding.place, finding.place.entity()) {
            (_, Some(entity)) => Place::Entity(entity).describe(design),
            (Place::Pattern(_), None) => "Access patterns".to_owned(),
            (place, None) => place.describe(design),
        },
    }
}

/// Sort rank of a place: the table, indexes, entities, access patterns.
fn place_rank(place: Place) -> [u32; 2] {
    match (place.entity(), place) {
        (Some(entity), _) => [2, entity.0],
        (None, Place::Index(index)) => [1, index.0],
        (None, Place::Pattern(_)) => [3, 0],
        (None, _) => [0, 0],
    }
}

//! The list of findings as a person wants it: searched, filtered, grouped; and the way from one to the next.

use keyfold_core::lint::{Finding, Place, Severity, rule};
use keyfold_core::model::{Design, by_rank};
use std::sync::Arc;

/// The kinds of rules: the first letter of their codes, and what they are about.
pub const KINDS: [(char, &str); 7] = [
    ('K', "Keys"),
    ('I', "Indexes"),
    ('A', "Access patterns"),
    ('S', "Samples"),
    ('T', "Tenants"),
    ('C', "Cost"),
    ('L', "Limits and settings"),
];

/// How the list is parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// By severity, the gravest first.
    #[default]
    Severity,
    /// By rule.
    Rule,
    /// By entity, index or access pattern.
    Place,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Grouping; 3] = [Grouping::Severity, Grouping::Rule, Grouping::Place];

    /// One word for it.
    pub fn label(self) -> &'static str {
        match self {
            Grouping::Severity => "Severity",
            Grouping::Rule => "Rule",
            Grouping::Place => "Place",
        }
    }
}

/// What is wanted of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Words that a finding must have in its code, its rule's name, its message or its place.
    pub search: String,
    /// Only of this severity.
    pub severity: Option<Severity>,
    /// Only of rules of this kind, see [`KINDS`].
    pub kind: Option<char>,
    /// How it is parted.
    pub grouping: Grouping,
    /// Those that are silenced, instead of those that are not.
    pub silenced: bool,
}

/// What tells a finding from the others after the design has changed: code, place, and its number among those of the
/// same code and place.
pub type FindingId = (&'static str, Place, usize);

/// One line of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// What tells it from the others.
    pub id: FindingId,
    /// The finding.
    pub finding: Arc<Finding>,
    /// Its place in words.
    pub place: String,
    /// The heading that it stands under.
    pub heading: String,
}

/// The findings that are wanted, in the order of the list: those of one heading stand together.
pub fn listed(design: &Design, findings: &[Arc<Finding>], wanted: &Wanted) -> Vec<Listed> {
    let search = wanted.search.to_lowercase();
    let mut list: Vec<Listed> = Vec::new();
    // What the findings of this rule are called so far.
    let mut known: Vec<FindingId> = Vec::new();
    for finding in findings {
        known.retain(|(code, ..)| *code == finding.code);
        let same = known.iter().filter(|(_, place, _)| *place == finding.place);
        let id = (finding.code, finding.place, same.count());
        known.push(id);
        let is_kind = wanted
            .kind
            .is_none_or(|kind| finding.code.starts_with(kind));
        if finding.silenced.is_some() != wanted.silenced
            || wanted.severity.is_some_and(|only| only != finding.severity)
            || !is_kind
        {
            continue;
        }
        let place = finding.place.describe(design);
        let name = rule(finding.code).map_or("", |rule| rule.name);
        let text = [finding.code, name, &finding.message, &place].join(" ");
        let text = text.to_lowercase();
        if !search.split_whitespace().all(|word| text.contains(word)) {
            continue;
        }
        list.push(Listed {
            id,
            heading: heading(design, finding, name, wanted.grouping),
            finding: finding.clone(),
            place,
        });
    }
    by_rank(list, |line| {
        let severity = Severity::Error as u32 - line.finding.severity as u32;
        match wanted.grouping {
            Grouping::Severity => [severity, 0, 0, 0],
            Grouping::Rule => [0, 0, 0, 0],
            Grouping::Place => {
                let [kind, id] = whereabouts(line.finding.place);
                [kind, id, severity, 0]
            }
        }
    })
}

/// The finding so many steps on from one in the list, round and round; the first or the last if that one is not in it.
pub fn neighbour(list: &[Listed], from: Option<FindingId>, step: isize) -> Option<&Listed> {
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

/// What the list is parted by when it is parted by place: the table, the indexes, the entities, the access patterns.
fn whereabouts(place: Place) -> [u32; 2] {
    match (place.entity(), place) {
        (Some(entity), _) => [2, entity.0],
        (None, Place::Index(index)) => [1, index.0],
        (None, Place::Pattern(_)) => [3, 0],
        (None, _) => [0, 0],
    }
}

//! The pattern library: designs to start from, each a design file embedded in the program.

use super::model::Design;
use super::persist::{FileError, from_json};

/// One design of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// Its name in a command or a link: lower case, words joined with `-`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What one learns from it, in one line.
    pub summary: &'static str,
    /// The design file.
    pub json: &'static str,
}

const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "saas-multi-tenant",
        title: "SaaS multi-tenant",
        summary: "Tenants, users, projects; one GSI for each further lookup",
        json: include_str!("patterns/saas-multi-tenant.json"),
    },
    Pattern {
        name: "saas-multi-tenant-overloaded",
        title: "SaaS multi-tenant, overloaded GSI",
        summary: "The same lookups on a single GSI: one index to deploy, watch and provision",
        json: include_str!("patterns/saas-multi-tenant-overloaded.json"),
    },
    Pattern {
        name: "saas-multi-tenant-ulid",
        title: "SaaS multi-tenant, ULID ids",
        summary: "Ids that sort by time: read by id alone and still listed by age",
        json: include_str!("patterns/saas-multi-tenant-ulid.json"),
    },
    Pattern {
        name: "multi-branch-finance",
        title: "Multi-branch finance",
        summary: "Hierarchy in the partition key, ranges by date, a transaction over two items",
        json: include_str!("patterns/multi-branch-finance.json"),
    },
];

/// All designs of the library, in the order in which they are shown.
pub fn patterns() -> &'static [Pattern] {
    PATTERNS
}

/// The design of this name.
pub fn find(name: &str) -> Option<&'static Pattern> {
    PATTERNS.iter().find(|pattern| pattern.name == name)
}

impl Pattern {
    /// The design. The library's tests show that each of its files can be read.
    pub fn design(&self) -> Result<Design, FileError> {
        from_json(self.json)
    }
}

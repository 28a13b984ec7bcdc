//! The guided tours: their steps, and when each step is done. A step is done as soon as the design and the page meet its
//! condition, however the user got there. A tour never edits the design.

use crate::{Command, apply};
use keyfold_core::engine::{self, View};
use keyfold_core::model::{
    AccessPatternId, Attribute, CardId, Design, Entity, EntityId, IndexEntry, IndexId, IndexKind,
    SortedSet,
};
use keyfold_core::{library, template};

/// What the bottom panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuideTab {
    /// The items of the table or an index.
    Items(IndexId),
    /// The access patterns as a list.
    AccessPatterns,
    /// The coverage matrix.
    Coverage,
    /// The exports.
    Exports,
    /// Something else.
    Other,
}

/// What the steps check.
#[derive(Clone, Copy)]
pub struct GuideState<'a> {
    /// The open design.
    pub design: &'a Design,
    /// What the bottom panel shows.
    pub tab: GuideTab,
    /// Whether the live table shows the rows of one entity alone.
    pub only: bool,
    /// Whether an access pattern is proven to be served.
    pub served: &'a dyn Fn(AccessPatternId) -> bool,
}

/// A step of a tour.
#[derive(Debug, Clone, Copy)]
pub struct GuideStep {
    /// The task, in a few words.
    pub title: &'static str,
    /// How to do it, and why.
    pub how: &'static str,
    /// The same for a small screen, whose regions are tabs, if it differs.
    pub small: Option<&'static str>,
    /// Whether it starts from a card, so that all cards have to be in view.
    pub on_cards: bool,
    /// Whether the step is done.
    pub done: fn(&GuideState) -> bool,
}

/// A tour.
#[derive(Debug, Clone, Copy)]
pub struct Tour {
    /// Its name.
    pub name: &'static str,
    /// Its steps, in order.
    pub steps: &'static [GuideStep],
    /// The heading after the last step.
    pub end: &'static str,
    /// What the design shows then.
    pub learned: &'static str,
}

impl Tour {
    /// Returns the number of the next step that is not done, starting at `from` and counting from 0; the number of
    /// steps if all are done. Earlier steps stay done even if the user deletes what they made.
    pub fn next_step(&self, from: usize, state: &GuideState) -> usize {
        let ahead = self.steps.iter().skip(from);
        from + ahead.take_while(|step| (step.done)(state)).count()
    }
}

/// The first design, from an empty canvas.
pub const FIRST_DESIGN: Tour = Tour {
    name: "Guided first design",
    steps: FIRST_STEPS,
    end: "Your single-table design is ready",
    learned: "Two kinds of items share one table, one Query reads a user with all orders, and an index finds a user by \
              email. The tour “Index overloading” continues from here.",
};

/// Index overloading, in the design of [`overloading_start`].
pub const OVERLOADING: Tour = Tour {
    name: "Tour: index overloading",
    steps: OVERLOADING_STEPS,
    end: "One index serves two entities",
    learned: "GSI1 answers a question about users and another one about projects. Each entity writes its own prefix, so \
              that their items never mix, and a third entity needs no further index.",
};

const FIRST_STEPS: &[GuideStep] = &[
    GuideStep {
        title: "Add an entity",
        how: "Drag Entity from the left onto the canvas, or press E, and type the name User. An entity is a type of item \
              in the table.",
        small: Some(
            "Open Outline, choose Entity, and open Inspector to name it User. An entity is a type of item in the table.",
        ),
        on_cards: false,
        done: |state| named(state.design, "User").is_some(),
    },
    GuideStep {
        title: "Add an attribute",
        how: "Choose “Add attribute” in the inspector of User, and name it email.",
        small: Some("Open Inspector, choose “Add attribute”, and name it email."),
        on_cards: false,
        done: |state| named(state.design, "User").is_some_and(|user| has(user, "email")),
    },
    GuideStep {
        title: "Add a second entity",
        how: "Add an entity and name it Order. Each entity gets its own keys, and a sample in the table below.",
        small: Some(
            "Open Outline, add an entity, and name it Order in Inspector. Each entity gets its own keys, and a sample \
             under Data.",
        ),
        on_cards: false,
        done: |state| named(state.design, "Order").is_some(),
    },
    GuideStep {
        title: "Give the order its user",
        how: "Choose “Add attribute” in the inspector of Order, and name it userId. Keys are made of attributes.",
        small: Some(
            "Open Inspector, choose “Add attribute”, and name it userId. Keys are made of attributes.",
        ),
        on_cards: false,
        done: |state| named(state.design, "Order").is_some_and(|order| has(order, "userId")),
    },
    GuideStep {
        title: "Share an item collection",
        how: "In the inspector of Order, set the partition key template to that of User, USER#{userId}, and the sort key \
              template to ORDER#{orderId}. After the brace, the list offers the attributes.",
        small: None,
        on_cards: false,
        done: |state| shares_partition(state.design),
    },
    GuideStep {
        title: "Join an order to its user",
        how: "In the Table tab, type user-1 into the cell userId of the row of Order. Both items are now in one item \
              collection, and one Query reads them.",
        small: Some(
            "Open Data and type user-1 into the cell userId of the row of Order. Both items are now in one item \
             collection, and one Query reads them.",
        ),
        on_cards: false,
        done: |state| {
            let view = view(state.design, IndexId::PRIMARY);
            let mut groups = view.groups.iter();
            groups.any(|group| entities(&view, group.rows.clone()).len() >= 2)
        },
    },
    GuideStep {
        title: "Add an index",
        how: "Drag from the port at the right of User's header to an empty spot. The new GSI finds a user by email: its \
              partition key template is EMAIL#{email}.",
        small: Some(
            "Open Canvas and drag from the port at the right of User's header to an empty spot. The new GSI finds a user \
             by email: its partition key template is EMAIL#{email}.",
        ),
        on_cards: true,
        done: |state| gsis(state.design).any(|gsi| !writers(state.design, gsi).is_empty()),
    },
    GuideStep {
        title: "Fill the index",
        how: "In the Table tab, type ana@example.com into the cell email of the row of User. Then choose the tab GSI1: an \
              item is in an index as soon as it has the index keys.",
        small: Some(
            "Open Data and type ana@example.com into the cell email of the row of User. Then choose the tab GSI1: an item \
             is in an index as soon as it has the index keys.",
        ),
        on_cards: false,
        done: |state| match state.tab {
            GuideTab::Items(index) => {
                !index.is_primary() && view(state.design, index).in_index() > 0
            }
            _ => false,
        },
    },
    GuideStep {
        title: "Prove an access pattern",
        how: "Choose the tab Access patterns and a suggestion there. Keyfold proves on the rows that the keys serve it, \
              and shows what it costs.",
        small: Some(
            "Open Data, choose Access patterns and a suggestion there. Keyfold proves on the rows that the keys serve it, \
             and shows what it costs.",
        ),
        on_cards: false,
        done: |state| {
            state
                .design
                .access_patterns
                .keys()
                .any(|id| (state.served)(*id))
        },
    },
    GuideStep {
        title: "Export the design",
        how: "Choose Export for CloudFormation and Rust key builders, ready to use.",
        small: Some(
            "Open Data and choose Export for CloudFormation and Rust key builders, ready to use.",
        ),
        on_cards: false,
        done: |state| state.tab == GuideTab::Exports,
    },
];

const OVERLOADING_STEPS: &[GuideStep] = &[
    GuideStep {
        title: "Look at one entity's keys",
        how: "The key attributes of this table are overloaded: each entity writes values with its own prefix into them. \
              Choose the funnel beside User in the outline to show its rows alone.",
        small: Some(
            "The key attributes of this table are overloaded: each entity writes values with its own prefix into them. \
             Open Outline and choose the funnel beside User to show its rows alone.",
        ),
        on_cards: false,
        done: |state| state.only,
    },
    GuideStep {
        title: "Add an index for users",
        how: "Choose the funnel again to show all rows. Then drag from the port at the right of User's header to an empty \
              spot. The new GSI finds a user by email, EMAIL#{email}.",
        small: Some(
            "Open Canvas and drag from the port at the right of User's header to an empty spot. The new GSI finds a user \
             by email, EMAIL#{email}.",
        ),
        on_cards: true,
        done: |state| gsis(state.design).any(|gsi| !in_index(state.design, gsi).is_empty()),
    },
    GuideStep {
        title: "Overload the index",
        how: "Drag from the port of Project to the card GSI1. Its templates write other values into the same two key \
              attributes, such as STATUS#{status}: no second index is needed.",
        small: Some(
            "Drag from the port of Project to the card GSI1. Its templates write other values into the same two key \
             attributes, such as STATUS#{status}: no second index is needed.",
        ),
        on_cards: true,
        done: |state| overloaded(state.design).is_some(),
    },
    GuideStep {
        title: "See both in one index",
        how: "Choose the tab GSI1 below the canvas. The prefixes keep the items of User and Project in separate item \
              collections.",
        small: Some(
            "Open Data and choose the tab GSI1. The prefixes keep the items of User and Project in separate item \
             collections.",
        ),
        on_cards: false,
        done: |state| {
            let gsi = overloaded(state.design);
            gsi.is_some_and(|gsi| state.tab == GuideTab::Items(gsi))
        },
    },
    GuideStep {
        title: "Prove a question about users",
        how: "Choose the tab Access patterns, then “New access pattern”. Choose the entity User, email among the known \
              attributes, and the suggestion “Read it through GSI1, which already serves it”. The verdict then says that \
              GSI1 serves it.",
        small: None,
        on_cards: false,
        done: |state| served_by_overloaded(state) >= 1,
    },
    GuideStep {
        title: "Prove a question about projects",
        how: "Choose “New access pattern” again, the entity Project, the known attribute status, and the suggestion “Read \
              it through GSI1, which already serves it”. The same index serves it too.",
        small: None,
        on_cards: false,
        done: |state| served_by_overloaded(state) >= 2,
    },
    GuideStep {
        title: "Make it sparse",
        how: "Select Project, choose “Add condition” under GSI1 in the inspector, and set status equals active. Only active \
              projects are in the index now, and the others cost nothing there.",
        small: Some(
            "Open Inspector for Project, choose “Add condition” under GSI1, and set status equals active. Only active projects \
             are in the index now, and the others cost nothing there.",
        ),
        on_cards: false,
        done: |state| {
            let design = state.design;
            gsis(design).any(|gsi| {
                let items = in_index(design, gsi);
                let is_sparse = |id: &EntityId| {
                    let entry = design.entities.get(id).and_then(|it| it.keys.get(&gsi));
                    let rows = design.samples.get(id).map_or(0, |samples| samples.len());
                    let shown = items.iter().filter(|other| *other == id).count();
                    entry.is_some_and(|entry| !entry.when.is_empty()) && shown > 0 && shown < rows
                };
                design.entities.keys().any(is_sparse)
            })
        },
    },
    GuideStep {
        title: "Check the coverage",
        how: "In the tab Access patterns, choose Coverage. The matrix shows which index serves which access pattern, and \
              which entities each index includes.",
        small: None,
        on_cards: false,
        done: |state| state.tab == GuideTab::Coverage,
    },
];

/// Returns the design in which the tour of overloading starts: tenants with users and projects, without an index and
/// without access patterns.
pub fn overloading_start() -> Option<Design> {
    let mut design = library::find("saas-multi-tenant")?.design().ok()?;
    for id in design.indexes.keys().copied().collect::<Vec<_>>() {
        design = apply(&design, Command::Delete(vec![CardId::Index(id)])).ok()?;
    }
    design.name = OVERLOADING.name.to_owned();
    design.description = String::new();
    design.access_patterns = Default::default();
    design.silenced = Default::default();
    design.notes = Default::default();
    Some(design)
}

fn named<'a>(design: &'a Design, name: &str) -> Option<&'a Entity> {
    let mut all = design.entities.values();
    let found = all.find(|entity| entity.name.eq_ignore_ascii_case(name));
    found.map(|entity| &**entity)
}

fn has(entity: &Entity, name: &str) -> bool {
    let is_it = |attribute: &Attribute| attribute.name == name;
    entity.attributes.iter().any(is_it)
}

fn gsis(design: &Design) -> impl Iterator<Item = IndexId> {
    let all = design.indexes.iter();
    all.filter(|(_, index)| index.kind == IndexKind::Gsi)
        .map(|(id, _)| *id)
}

/// Whether a template has a placeholder and no error, and the entity has its attributes.
fn is_complete(entity: &Entity, text: Option<&String>) -> bool {
    let Some(parsed) = text.map(|text| template::parse(text)) else {
        return false;
    };
    let mut names = parsed.template.attributes().peekable();
    parsed.errors.is_empty() && names.peek().is_some() && names.all(|name| has(entity, name))
}

/// The entities whose entry of an index has complete templates.
fn writers(design: &Design, index: IndexId) -> Vec<EntityId> {
    let writes = |entity: &Entity| {
        let entry = entity.keys.get(&index);
        entry.is_some_and(|entry: &IndexEntry| is_complete(entity, entry.partition.as_ref()))
    };
    let all = design.entities.iter();
    all.filter(|(_, entity)| writes(entity))
        .map(|(id, _)| *id)
        .collect()
}

/// Whether an entity has the partition key template of another one, and each of them has a complete key: a sort key
/// template of its own, that of one with a placeholder.
fn shares_partition(design: &Design) -> bool {
    let keys = |entity: &Entity| {
        let entry = entity.keys.get(&IndexId::PRIMARY)?;
        let is_key = is_complete(entity, entry.partition.as_ref());
        let sort = entry.sort.clone().filter(|sort| !sort.is_empty())?;
        let several = is_complete(entity, Some(&sort));
        let is_sort = several || template::parse(&sort).errors.is_empty();
        (is_key && is_sort).then(|| (entry.partition.clone(), sort, several))
    };
    let all: Vec<_> = (design.entities.values())
        .filter_map(|entity| keys(entity))
        .collect();
    let pair = |at: usize| {
        let (partition, sort, several) = &all[at];
        all[at + 1..]
            .iter()
            .any(|other| *partition == other.0 && *sort != other.1 && (*several || other.2))
    };
    (0..all.len()).any(pair)
}

fn view(design: &Design, index: IndexId) -> View {
    let items: Vec<_> = engine::materialize_all(design).into_values().collect();
    engine::view(design, index, &items)
}

fn entities(view: &View, rows: std::ops::Range<usize>) -> SortedSet<EntityId> {
    rows.filter_map(|at| Some(view.rows.get(at)?.item.entity))
        .collect()
}

/// The entity of each item in an index.
fn in_index(design: &Design, index: IndexId) -> Vec<EntityId> {
    let view = view(design, index);
    view.rows.iter().map(|row| row.item.entity).collect()
}

/// A GSI with items of several entities.
fn overloaded(design: &Design) -> Option<IndexId> {
    gsis(design).find(|gsi| {
        let view = view(design, *gsi);
        entities(&view, 0..view.in_index()).len() >= 2
    })
}

/// The number of access patterns that an overloaded GSI serves.
fn served_by_overloaded(state: &GuideState) -> usize {
    let Some(gsi) = overloaded(state.design) else {
        return 0;
    };
    let all = state.design.access_patterns.iter();
    all.filter(|(id, pattern)| pattern.operation.index() == Some(gsi) && (state.served)(**id))
        .count()
}

//! What the rules know of an access pattern: its key condition, compiled, and the entities that it can find.

use super::facts::{Compiled, EntityFacts, KeyFacts, is_text};
use super::reach;
use crate::engine::languages;
use crate::model::{
    AccessPattern, AccessPatternId, Design, EntityId, IndexId, ItemKey, KeyPart, Operation,
    SortCondition, SortOperator, SortedSet, entities_of,
};
use crate::template::TooLarge;
use std::cell::RefCell;
use std::sync::Arc;

/// One key condition: a Query's, or the primary key of an item.
#[derive(Debug)]
pub struct Asked {
    /// The table or index.
    pub index: IndexId,
    /// A template for each partition key attribute.
    pub partition: Vec<Compiled>,
    /// The conditions on the sort key attributes.
    pub sort: Vec<(SortOperator, Compiled, Option<Compiled>)>,
    /// The entities of which it can find items, those of `unsure` too.
    pub finds: SortedSet<EntityId>,
    /// The entities of which this is not known, because the templates are too large.
    pub unsure: SortedSet<EntityId>,
}

/// An access pattern, compiled.
#[derive(Debug)]
pub struct PatternFacts {
    /// Its id.
    pub id: AccessPatternId,
    /// The pattern.
    pub pattern: Arc<AccessPattern>,
    /// The entities that it is about, each once.
    pub meant: Vec<EntityId>,
    /// Its key conditions; none of a Scan or of what it puts.
    pub asked: Vec<Asked>,
    /// Its parameters that no entity that it is about has an attribute for.
    strange: Vec<String>,
}

impl PatternFacts {
    /// Compiles a pattern of the design; what it finds is asked with [`PatternFacts::meet`]. A parameter looks like the
    /// attribute of its name that one of its entities has, else any entity; one that none has can be any text.
    pub fn new(design: &Design, id: AccessPatternId, pattern: &Arc<AccessPattern>) -> PatternFacts {
        let mut meant = Vec::new();
        for entity in entities_of(pattern) {
            if !meant.contains(&entity) {
                meant.push(entity);
            }
        }
        let strange = RefCell::new(Vec::new());
        let shape = |name: &str| {
            let mut own = meant.iter().filter_map(|id| design.entities.get(id));
            let found = own.find_map(|entity| entity.attribute(name));
            let found = found.or_else(|| {
                strange.borrow_mut().push(name.to_owned());
                let mut all = design.entities.values();
                all.find_map(|entity| entity.attribute(name))
            });
            found.map(|attribute| languages::shape(languages::resolved(design, attribute)))
        };
        let compile = |text: &str| Compiled::new(text, &design.delimiter, &shape);
        let query = |index, partition: &[String], sort: &[SortCondition]| Asked {
            index,
            partition: partition.iter().map(|text| compile(text)).collect(),
            sort: (sort.iter())
                .map(|condition| {
                    let upper = condition.upper.as_deref().map(compile);
                    (condition.operator, compile(&condition.value), upper)
                })
                .collect(),
            finds: SortedSet::new(),
            unsure: SortedSet::new(),
        };
        let key = |key: &ItemKey| Asked {
            index: IndexId::PRIMARY,
            partition: vec![compile(&key.partition)],
            sort: (key.sort.iter())
                .map(|text| (SortOperator::Equal, compile(text), None))
                .collect(),
            finds: SortedSet::new(),
            unsure: SortedSet::new(),
        };
        let asked = match &pattern.operation {
            Operation::Query {
                index,
                partition,
                sort,
                ..
            } => vec![query(*index, partition, sort)],
            operation => operation.keys().into_iter().map(key).collect(),
        };
        PatternFacts {
            id,
            pattern: pattern.clone(),
            asked,
            strange: strange.into_inner(),
            meant,
        }
    }

    /// Whether what its parameters look like goes by an entity, in one of these designs.
    pub fn looks_at(&self, entity: EntityId, designs: [&Design; 2]) -> bool {
        let has = |name: &String| {
            let mut found = designs.iter().filter_map(|d| d.entities.get(&entity));
            found.any(|entity| entity.attribute(name).is_some())
        };
        self.meant.contains(&entity) || self.strange.iter().any(has)
    }

    /// Asks again whether the pattern can find items of an entity.
    pub fn meet(&mut self, entity: &EntityFacts) {
        for asked in &mut self.asked {
            let found = asked.can_find(entity);
            match found {
                Ok(false) => asked.finds.remove(&entity.id),
                Ok(true) | Err(TooLarge) => asked.finds.insert(entity.id),
            };
            match found {
                Ok(_) => asked.unsure.remove(&entity.id),
                Err(TooLarge) => asked.unsure.insert(entity.id),
            };
        }
    }

    /// Forgets an entity that is gone.
    pub fn forget(&mut self, entity: EntityId) {
        for asked in &mut self.asked {
            asked.finds.remove(&entity);
            asked.unsure.remove(&entity);
        }
    }

    /// Whether one of its conditions can find items of the entity.
    pub fn finds(&self, entity: EntityId) -> bool {
        (self.asked.iter()).any(|asked| asked.finds.contains(&entity))
    }
}

impl Asked {
    /// Whether it can find items of an entity. The error: that is not known.
    fn can_find(&self, entity: &EntityFacts) -> Result<bool, TooLarge> {
        let Some(entry) = entity.entry(self.index).filter(|entry| entry.is_whole()) else {
            return Ok(false);
        };
        let mut found = Ok(true);
        let sides = entry.side(KeyPart::Partition).zip(&self.partition);
        for (own, wanted) in sides.filter_map(|(key, wanted)| Some((value(key)?, wanted))) {
            match reach::meet(own, wanted) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(TooLarge) => found = Err(TooLarge),
            }
        }
        for (key, (operator, wanted, upper)) in entry.side(KeyPart::Sort).zip(&self.sort) {
            let Some(own) = value(key) else {
                continue;
            };
            match passes(own, *operator, wanted, upper.as_ref()) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(TooLarge) => found = Err(TooLarge),
            }
        }
        found
    }
}

/// What an entity has in a key attribute of type S; of another type any value is possible.
fn value(key: &KeyFacts) -> Option<&Compiled> {
    key.value.as_deref().filter(|_| is_text(key))
}

/// Whether some key passes the test for some of the texts that are asked for.
fn passes(
    own: &Compiled,
    operator: SortOperator,
    wanted: &Compiled,
    upper: Option<&Compiled>,
) -> Result<bool, TooLarge> {
    let broken = own.is_broken() || wanted.is_broken();
    match operator {
        _ if broken || upper.is_some_and(Compiled::is_broken) => Ok(false),
        SortOperator::Equal => reach::meet(own, wanted),
        SortOperator::BeginsWith => reach::begins(wanted, own),
        _ if parted(own, operator, wanted, upper) => Ok(false),
        SortOperator::Less => within(own, None, Some((wanted, false))),
        SortOperator::LessOrEqual => within(own, None, Some((wanted, true))),
        SortOperator::Greater => within(own, Some((wanted, false)), None),
        SortOperator::GreaterOrEqual => within(own, Some((wanted, true)), None),
        SortOperator::Between => {
            within(own, Some((wanted, true)), upper.map(|upper| (upper, true)))
        }
    }
}

type Bound<'a> = Option<(&'a Compiled, bool)>;

fn within(own: &Compiled, lower: Bound, upper: Bound) -> Result<bool, TooLarge> {
    let lower = lower.map(|(text, inclusive)| (text.language(), inclusive));
    let upper = upper.map(|(text, inclusive)| (text.language(), inclusive));
    Ok(own.language().within(lower, upper)?.is_some())
}

/// Whether the literals alone put all keys of a template outside of a range.
fn parted(
    own: &Compiled,
    operator: SortOperator,
    wanted: &Compiled,
    upper: Option<&Compiled>,
) -> bool {
    let outside = |bound: &Compiled, below: bool| {
        let (own, bound) = (own.head.as_str(), bound.head.as_str());
        let apart = !own.starts_with(bound) && !bound.starts_with(own);
        apart && (own < bound) == below
    };
    match operator {
        SortOperator::Less | SortOperator::LessOrEqual => outside(wanted, false),
        SortOperator::Greater | SortOperator::GreaterOrEqual => outside(wanted, true),
        SortOperator::Between => {
            outside(wanted, true) || upper.is_some_and(|upper| outside(upper, false))
        }
        SortOperator::Equal | SortOperator::BeginsWith => false,
    }
}

//! What an access pattern needs, apart from the key that it reads: the attributes of an entity that it knows, and the
//! one that it reads a range of. Derived from its templates or, if no key is chosen, from its filter.

use crate::engine::key_condition::aligned;
use crate::engine::languages::written;
use crate::engine::query::expression::{Comparator, Condition, Operand, Path, parse_condition};
use crate::model::{
    Design, Entity, IndexId, ItemKey, Operation, Read, SortCondition, SortOperator,
};
use crate::template::{self, Modifier, Placeholder, Segment, Template};

/// Builds an operation that states only a requirement: a Query without a partition key. Its filter names the known
/// attributes, each equal to the parameter of its name, and the one to read a range of, from `:from` to `:to`. A
/// pattern with this operation is unserved until a suggestion is applied. The error names an attribute that an
/// expression cannot contain.
pub fn read_requirement(
    equal: &[&str],
    range: Option<&str>,
    descending: bool,
) -> Result<Operation, String> {
    let mut filter = String::new();
    for name in equal.iter().copied().chain(range) {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!(
                "`{name}` cannot be part of an expression. Use only letters, digits and _."
            ));
        }
        if !filter.is_empty() {
            filter.push_str(" AND ");
        }
        filter.push('#');
        filter.push_str(name);
        match Some(name) == range && !equal.contains(&name) {
            true => filter.push_str(" BETWEEN :from AND :to"),
            false => filter.push_str(&format!(" = :{name}")),
        }
    }
    Ok(Operation::Query {
        index: IndexId::PRIMARY,
        partition: Vec::new(),
        sort: Vec::new(),
        descending,
        limit: None,
        read: Read {
            filter: (!filter.is_empty()).then_some(filter),
            ..Read::default()
        },
    })
}

/// Whether an operation states only a requirement: a Query whose partition key templates are all empty.
pub fn is_read_requirement(operation: &Operation) -> bool {
    match operation {
        Operation::Query { partition, .. } => partition.iter().all(|text| text.is_empty()),
        _ => false,
    }
}

/// What is wanted of one entity.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ReadRequirement {
    /// The attributes with a known value.
    pub known: Vec<Known>,
    /// The attribute to read a range of.
    pub range: Option<Range>,
    /// Whether the greatest value comes first.
    pub descending: bool,
    pub limit: Option<u32>,
    pub read: Read,
}

/// An attribute with a known value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    pub attribute: String,
    /// The modifiers applied to the known value; empty if the whole value is known.
    pub modifiers: Vec<Modifier>,
    /// The parameter that holds the value.
    pub parameter: String,
}

/// A range of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Range {
    pub attribute: String,
    /// The parameter of the lower bound, if any.
    pub lower: Option<String>,
    /// The parameter of the upper bound, if any.
    pub upper: Option<String>,
    /// The condition of a filter that asks for any value of the attribute.
    pub exists: Option<String>,
}

impl Range {
    fn of(attribute: String) -> Range {
        Range {
            attribute,
            lower: None,
            upper: None,
            exists: None,
        }
    }
}

/// How the text that a placeholder renders is ordered, compared with the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextOrder {
    Same,
    Reversed,
    Other,
}

impl TextOrder {
    /// The order of what these modifiers render.
    pub fn of(modifiers: &[Modifier]) -> TextOrder {
        match modifiers {
            [] | [Modifier::Pad(_) | Modifier::PadDecimal { .. }] => TextOrder::Same,
            [Modifier::Desc(_)] => TextOrder::Reversed,
            _ => TextOrder::Other,
        }
    }
}

impl Known {
    /// Whether it determines the text that a placeholder renders.
    pub fn covers(&self, placeholder: &Placeholder) -> bool {
        self.attribute == placeholder.attribute
            && (self.modifiers.is_empty() || self.modifiers == placeholder.modifiers)
    }
}

impl Known {
    /// Whether the text that a placeholder puts into a key tells the value, or what is known of it, from all others.
    pub fn is_determined_by(&self, placeholder: &Placeholder) -> bool {
        let keeps_all =
            |modifier: &Modifier| matches!(modifier, Modifier::Pad(_) | Modifier::Desc(_));
        self.covers(placeholder)
            && (self.modifiers == placeholder.modifiers
                || placeholder.modifiers.iter().all(keeps_all))
    }
}

impl ReadRequirement {
    /// Returns the requirement of an operation on an entity; `None` for a write, or if attributes cannot express it
    /// of the entity.
    pub fn of(design: &Design, entity: &Entity, operation: &Operation) -> Option<ReadRequirement> {
        let mut requirement = ReadRequirement::default();
        match operation {
            Operation::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                read,
            } => {
                requirement.descending = *descending;
                requirement.limit = *limit;
                requirement.read = read.clone();
                let key = design.key(*index)?;
                for (attribute, text) in key.partition.iter().zip(partition) {
                    let own = written(design, entity, attribute);
                    requirement.template(design, entity, text, own.as_ref())?;
                }
                for (attribute, condition) in key.sort.iter().zip(sort) {
                    let own = written(design, entity, attribute);
                    requirement.sort(design, entity, condition, own.as_ref())?;
                }
                requirement.filter(entity);
            }
            Operation::Scan { read, limit, .. } => {
                (requirement.read, requirement.limit) = (read.clone(), *limit);
                requirement.filter(entity);
            }
            Operation::GetItem { key, read } => {
                requirement.read = read.clone();
                requirement.key(design, entity, key)?;
            }
            _ => return None,
        }
        Some(requirement)
    }

    fn key(&mut self, design: &Design, entity: &Entity, key: &ItemKey) -> Option<()> {
        let texts = std::iter::once(&key.partition).chain(&key.sort);
        for (attribute, text) in design.table.key.attributes().zip(texts) {
            let own = written(design, entity, attribute);
            self.template(design, entity, text, own.as_ref())?;
        }
        Some(())
    }

    /// Adds the attributes that a template uses, for a key attribute that the entity writes with the template `own`. A
    /// parameter of another name stands for the attribute at its place. `None` also if a value is fixed in the text.
    fn template(
        &mut self,
        design: &Design,
        entity: &Entity,
        text: &str,
        own: Option<&Template>,
    ) -> Option<()> {
        let parsed = template::parse(text);
        if fixes_value(design, entity, &parsed.template, own) || !parsed.errors.is_empty() {
            return None;
        }
        for placeholder in parsed.template.placeholders() {
            self.equal(entity, &parsed.template, placeholder, own)?;
        }
        Some(())
    }

    /// Adds that the attribute of a placeholder has the parameter's value.
    fn equal(
        &mut self,
        entity: &Entity,
        template: &Template,
        placeholder: &Placeholder,
        own: Option<&Template>,
    ) -> Option<()> {
        let name = &placeholder.attribute;
        let attribute = place(template, placeholder, own).unwrap_or_else(|| name.clone());
        entity.attribute(&attribute)?;
        self.know(&attribute, &placeholder.modifiers, name);
        Some(())
    }

    fn know(&mut self, attribute: &str, modifiers: &[Modifier], parameter: &str) {
        let same = (self.known.iter_mut()).find(|known| known.attribute == attribute);
        match same {
            Some(known) if known.modifiers.is_empty() => {}
            Some(known) if known.modifiers != modifiers => {
                known.modifiers = modifiers.to_vec();
                parameter.clone_into(&mut known.parameter);
            }
            Some(_) => {}
            None => self.known.push(Known {
                attribute: attribute.to_owned(),
                modifiers: modifiers.to_vec(),
                parameter: parameter.to_owned(),
            }),
        }
    }

    /// Adds a condition on a sort key that the entity writes with the template `own`.
    fn sort(
        &mut self,
        design: &Design,
        entity: &Entity,
        condition: &SortCondition,
        own: Option<&Template>,
    ) -> Option<()> {
        use SortOperator as Is;
        match condition.operator {
            Is::Equal => return self.template(design, entity, &condition.value, own),
            Is::BeginsWith => {
                if ends_in_prefix(&template::parse(&condition.value).template, own) {
                    return None;
                }
                return self.template(design, entity, &condition.value, own);
            }
            // Key ranges of suggestions include their bounds.
            Is::Greater | Is::Less => return None,
            Is::GreaterOrEqual | Is::LessOrEqual | Is::Between => {}
        }
        let lower = (condition.operator != Is::LessOrEqual).then_some(&condition.value);
        let upper = match condition.operator {
            Is::LessOrEqual => Some(&condition.value),
            _ => condition.upper.as_ref(),
        };
        let [lower, upper] = [lower, upper].map(|text| Some(template::parse(text?).template));
        // What both bounds have is known. Bounds that differ in more than one placeholder are no range of one attribute.
        let shared = match (&lower, &upper) {
            (Some(lower), Some(upper)) => shared_segments(lower, upper),
            _ => 0,
        };
        for (bound, is_lower) in [(&lower, true), (&upper, false)] {
            let Some(bound) = bound else {
                continue;
            };
            let is_fixed = own.is_none() && bound.is_static();
            if is_fixed || fixes_value(design, entity, bound, own) {
                return None;
            }
            let (both, rest) = bound.segments.split_at(shared);
            let both = Template {
                segments: both.to_vec(),
            };
            let is_prefix = match rest {
                [] => true,
                [Segment::Literal { text, .. }] => text == "~",
                _ => false,
            };
            if is_prefix && ends_in_prefix(&both, own) {
                return None;
            }
            for placeholder in both.placeholders() {
                self.equal(entity, bound, placeholder, own)?;
            }
            let mut rest = bound.placeholders().skip(both.placeholders().count());
            if let Some(last) = rest.next() {
                self.bound(entity, bound, last, own, is_lower)?;
            }
            if rest.next().is_some() {
                return None;
            }
        }
        Some(())
    }

    /// Adds a bound of the attribute of a placeholder. `None` if the range is one of another attribute.
    fn bound(
        &mut self,
        entity: &Entity,
        template: &Template,
        placeholder: &Placeholder,
        own: Option<&Template>,
        is_lower: bool,
    ) -> Option<()> {
        // Where a key has the values in another order, the bounds are those of other values.
        let is_lower = match TextOrder::of(&placeholder.modifiers) {
            TextOrder::Same => is_lower,
            TextOrder::Reversed => !is_lower,
            TextOrder::Other => return None,
        };
        let name = &placeholder.attribute;
        let attribute = place(template, placeholder, own).unwrap_or_else(|| name.clone());
        entity.attribute(&attribute)?;
        let range = self.range.get_or_insert(Range::of(attribute.clone()));
        let side = match is_lower {
            true => &mut range.lower,
            false => &mut range.upper,
        };
        *side = Some(name.clone());
        (range.attribute == attribute).then_some(())
    }

    /// Moves out of the filter what a key can express: equal attributes, and one range.
    fn filter(&mut self, entity: &Entity) {
        let Some(Ok(condition)) = self.read.filter.as_deref().map(parse_condition) else {
            return;
        };
        let mut rest: Vec<String> = Vec::new();
        for part in conjuncts(&condition) {
            if !self.takes(entity, part) {
                rest.push(match part {
                    Condition::Or(..) => format!("({part})"),
                    _ => part.to_string(),
                });
            }
        }
        self.read.filter = (!rest.is_empty()).then(|| rest.join(" AND "));
    }

    fn takes(&mut self, entity: &Entity, part: &Condition) -> bool {
        let name = |path: &Path| {
            let own = path.steps.is_empty() && entity.attribute(&path.attribute.text).is_some();
            own.then(|| path.attribute.text.clone())
        };
        let mut range = |attribute: Option<String>, lower: Option<&str>, upper: Option<&str>| {
            let Some(attribute) = attribute else {
                return false;
            };
            if (self.range.as_ref()).is_some_and(|range| range.attribute != attribute) {
                return false;
            }
            let range = self.range.get_or_insert(Range::of(attribute));
            let free = (lower.is_none() || range.lower.is_none())
                && (upper.is_none() || range.upper.is_none());
            if free {
                range.lower = lower.map(str::to_owned).or(range.lower.take());
                range.upper = upper.map(str::to_owned).or(range.upper.take());
            }
            free
        };
        match part {
            Condition::Compare(Operand::Path(path), Comparator::Equal, Operand::Value(value)) => {
                let Some(attribute) = name(path) else {
                    return false;
                };
                // A second value stays in the filter: no key has both.
                let is_second =
                    |known: &Known| known.attribute == attribute && known.parameter != *value;
                let takes = !self.known.iter().any(is_second);
                if takes {
                    self.know(&attribute, &[], value);
                }
                takes
            }
            // Key ranges include their bounds; an exclusive bound stays in the filter.
            Condition::Compare(
                Operand::Path(path),
                Comparator::LessOrEqual,
                Operand::Value(value),
            ) => range(name(path), None, Some(value)),
            Condition::Compare(
                Operand::Path(path),
                Comparator::GreaterOrEqual,
                Operand::Value(value),
            ) => range(name(path), Some(value), None),
            Condition::Between(
                Operand::Path(path),
                Operand::Value(lower),
                Operand::Value(upper),
            ) => range(name(path), Some(lower), Some(upper)),
            Condition::Exists(path) => {
                let is_range = range(name(path), None, None);
                if let Some(range) = self.range.as_mut().filter(|_| is_range) {
                    range.exists = Some(part.to_string());
                }
                is_range
            }
            _ => false,
        }
    }
}

/// The attribute at a placeholder's place in the key's template `own`: a parameter of another name stands for it.
fn place(template: &Template, placeholder: &Placeholder, own: Option<&Template>) -> Option<String> {
    let pairs = aligned(template, own?);
    let (_, own) = (pairs.into_iter()).find(|(asked, _)| *asked == placeholder)?;
    Some(own.attribute.clone())
}

/// Whether a prefix ends in a parameter that may be the beginning of the attribute at its place: it has another name.
fn ends_in_prefix(prefix: &Template, own: Option<&Template>) -> bool {
    let Some(Segment::Placeholder(last)) = prefix.segments.last() else {
        return false;
    };
    place(prefix, last, own).is_some_and(|attribute| attribute != last.attribute)
}

/// The number of segments at the beginning that two templates have alike.
fn shared_segments(one: &Template, other: &Template) -> usize {
    let is_same = |(left, right): &(&Segment, &Segment)| match (left, right) {
        (Segment::Literal { text: left, .. }, Segment::Literal { text: right, .. }) => {
            left == right
        }
        (Segment::Placeholder(left), Segment::Placeholder(right)) => {
            left.attribute == right.attribute && left.modifiers == right.modifiers
        }
        _ => false,
    };
    let pairs = one.segments.iter().zip(&other.segments);
    pairs.take_while(is_same).count()
}

/// Whether a key condition has a fixed text in place of a value. `own` is the entity's template there.
fn fixes_value(
    design: &Design,
    entity: &Entity,
    condition: &Template,
    own: Option<&Template>,
) -> bool {
    match own {
        Some(own) => has_fixed_value(condition, own),
        None => names_value(design, entity, condition),
    }
}

/// Whether a key condition has a fixed text where the key's template has a placeholder: `STATUS#OPEN#` for
/// `STATUS#{status}#{createdAt}`. The `~` that ends a range is none.
fn has_fixed_value(condition: &Template, own: &Template) -> bool {
    let count = condition.segments.len();
    for (at, left) in condition.segments.iter().enumerate() {
        let is_last = at + 1 == count;
        match (left, own.segments.get(at)) {
            (Segment::Placeholder(_), Some(Segment::Placeholder(_))) => {}
            (Segment::Literal { text, .. }, Some(Segment::Literal { text: right, .. })) => {
                let left = match is_last {
                    true => text.strip_suffix('~').unwrap_or(text),
                    false => text,
                };
                if left != right {
                    let is_more = left.len() > right.len() && left.starts_with(right.as_str());
                    return is_more && own.segments.len() > at + 1;
                }
            }
            (Segment::Literal { text, .. }, Some(Segment::Placeholder(_))) => {
                return !(is_last && text == "~");
            }
            _ => return false,
        }
    }
    false
}

/// Whether a text names an attribute and then a value of it: `STATUS#OPEN`. For an entity that has no template there.
fn names_value(design: &Design, entity: &Entity, condition: &Template) -> bool {
    let delimiter = design.delimiter.delimiter.as_str();
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let names: Vec<String> = entity.attributes.iter().map(|a| letters(&a.name)).collect();
    !delimiter.is_empty()
        && condition.segments.iter().any(|segment| match segment {
            Segment::Literal { text, .. } => {
                let parts: Vec<&str> = text.split(delimiter).collect();
                let names_one = |pair: &[&str]| {
                    let value = pair[1].trim_end_matches('~');
                    !value.is_empty() && names.contains(&letters(pair[0]))
                };
                parts.windows(2).any(names_one)
            }
            _ => false,
        })
}

/// Returns the conditions joined by AND.
pub(super) fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::And(left, right) => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        other => vec![other],
    }
}

/// Returns the text of some segments of a template, with placeholders named like the parameters that fill them.
pub(super) fn text_for(segments: &[Segment], requirement: &ReadRequirement) -> String {
    let mut template = Template {
        segments: segments.to_vec(),
    };
    for segment in &mut template.segments {
        if let Segment::Placeholder(placeholder) = segment
            && let Some(known) = requirement
                .known
                .iter()
                .find(|known| known.covers(placeholder))
        {
            placeholder.attribute.clone_from(&known.parameter);
        }
    }
    template.to_string()
}

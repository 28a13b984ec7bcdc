//! Which attribute is the tenant, and which partition keys are one tenant's: by analysis of the key templates.

use crate::domain::model::{Design, Entity, Index, IndexKind, KeySchema, KeyType, TenantAttribute};
use crate::domain::template::{Segment, Template, parse};

/// Words in the name of an attribute that stands for a tenant although not every primary key begins with it.
const TENANT_WORDS: [&str; 6] = [
    "tenant",
    "org",
    "workspace",
    "account",
    "company",
    "customer",
];

/// How one tenant's role is held to its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// The attribute that names the tenant.
    pub attribute: String,
    /// The tag of the role (or its session) that holds the tenant's value.
    pub tag: String,
    /// Whether it only reads.
    pub read_only: bool,
    /// What is allowed of the table and of each index.
    pub grants: Vec<Grant>,
    /// The indexes that the role may not query, each with the reason.
    pub left_out: Vec<String>,
}

/// The partition keys of the table or an index that are one tenant's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The index's name; `None`: the table.
    pub index: Option<String>,
    /// Patterns for `StringLike`, with the policy variable of the tag in them.
    pub patterns: Vec<String>,
}

/// The tenant of a design; `None` if its primary keys do not begin with one. If the author has not chosen it, an
/// attribute is the tenant if the primary key of every entity begins with it, or if some do and its name says so.
pub fn tenant(design: &Design) -> Option<Tenant> {
    let options = &design.export_options;
    let attribute = match &options.tenant {
        TenantAttribute::Automatic => tenant_attribute(design)?,
        TenantAttribute::Nobody => return None,
        TenantAttribute::Attribute(name) => name.clone(),
    };
    let tag = options.tenant_tag.clone().unwrap_or_else(|| {
        (attribute.chars())
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect()
    });
    let mut tenant = Tenant {
        attribute,
        tag,
        read_only: options.read_only,
        grants: Vec::new(),
        left_out: Vec::new(),
    };
    let table = patterns(design, &design.table.key, &tenant).ok()?;
    tenant.grants.push(Grant {
        index: None,
        patterns: table.clone(),
    });
    for index in design.indexes.values() {
        let found = match index.kind {
            IndexKind::Lsi => Ok(table.clone()),
            IndexKind::Gsi => patterns(design, &index.key, &tenant),
        };
        match found {
            Ok(patterns) => tenant.grants.push(Grant {
                index: Some(index.name.clone()),
                patterns,
            }),
            Err(reason) => tenant.left_out.push(left_out(index, &reason)),
        }
    }
    Some(tenant)
}

fn left_out(index: &Index, reason: &str) -> String {
    format!("Not allowed: queries of {}, because {reason}.", index.name)
}

/// The attributes that primary keys begin with, each once.
pub fn leading_attributes(design: &Design) -> Vec<String> {
    let (led, _) = counted(design);
    led.into_iter().map(|(name, _)| name).collect()
}

fn tenant_attribute(design: &Design) -> Option<String> {
    let (led, entities) = counted(design);
    let named = |name: &str| {
        let name = name.to_lowercase();
        TENANT_WORDS.iter().any(|word| name.contains(word))
    };
    let found = (led.into_iter()).find(|(name, count)| *count == entities || named(name));
    found.map(|(name, _)| name)
}

/// The attributes that primary keys begin with, each with the number of entities, and the number of all entities.
fn counted(design: &Design) -> (Vec<(String, usize)>, usize) {
    let mut led: Vec<(String, usize)> = Vec::new();
    let mut entities = 0;
    for entity in design.entities.values() {
        let Some(template) = written(design, entity, &design.table.key.partition[0].name) else {
            continue;
        };
        entities += 1;
        let Some((_, attribute)) = leading(design, &template) else {
            continue;
        };
        match led.iter_mut().find(|(name, _)| *name == attribute) {
            Some((_, count)) => *count += 1,
            None => led.push((attribute, 1)),
        }
    }
    (led, entities)
}

/// The patterns of the partition keys that are one tenant's, or why no pattern can tell them.
fn patterns(design: &Design, key: &KeySchema, tenant: &Tenant) -> Result<Vec<String>, String> {
    let [partition] = key.partition.as_slice() else {
        return Err("its partition key has several attributes".to_owned());
    };
    if partition.kind != KeyType::S {
        return Err("its partition key is no text".to_owned());
    }
    let mut prefixes: Vec<String> = Vec::new();
    // Keys that are the tenant's value and nothing else: the delimiter may stand in them.
    let mut bare = false;
    let mut others = Vec::new();
    for entity in design.entities.values() {
        let Some(template) = written(design, entity, &partition.name) else {
            continue;
        };
        match leading(design, &template) {
            Some((prefix, attribute)) if attribute == tenant.attribute => {
                bare |= template.is_single_placeholder();
                if !prefixes.contains(&prefix) {
                    prefixes.push(prefix);
                }
            }
            _ => others.push((entity.name.as_str(), template)),
        }
    }
    if prefixes.is_empty() {
        return Err(format!(
            "no partition key of it begins with {}",
            tenant.attribute
        ));
    }
    for (entity, template) in others {
        // A key of another form must not look like one of a tenant.
        let start = template.leading_literal();
        let looks_alike = |prefix: &String| {
            start.starts_with(prefix.as_str()) || prefix.starts_with(start) && !template.is_static()
        };
        if prefixes.iter().any(looks_alike) {
            return Err(format!(
                "keys of {entity} could be taken for a tenant's ({template})"
            ));
        }
    }
    let delimiter = &design.delimiter.delimiter;
    let mut patterns = Vec::new();
    for prefix in &prefixes {
        let value = format!("{}${{aws:PrincipalTag/{}}}", escaped(prefix), tenant.tag);
        patterns.push(value.clone());
        let alone = bare && prefix.is_empty();
        if !delimiter.is_empty() && !alone {
            patterns.push(format!("{value}{}*", escaped(delimiter)));
        }
    }
    Ok(patterns)
}

/// The text before the first placeholder and the attribute of that, if it is plain and ends where the delimiter does.
fn leading(design: &Design, template: &Template) -> Option<(String, String)> {
    let delimiter = &design.delimiter.delimiter;
    let mut segments = template.segments.iter();
    let mut first = segments.next()?;
    let mut prefix = String::new();
    if let Segment::Literal { text, .. } = first {
        prefix.push_str(text);
        first = segments.next()?;
    }
    let Segment::Placeholder(placeholder) = first else {
        return None;
    };
    let ends = match segments.next() {
        None => true,
        Some(Segment::Literal { text, .. }) => {
            !delimiter.is_empty() && text.starts_with(delimiter.as_str())
        }
        Some(_) => false,
    };
    (ends && placeholder.modifiers.is_empty()).then(|| (prefix, placeholder.attribute.clone()))
}

/// The template that writes a key attribute of an entity's items, or the plain attribute of that name; `None` if they
/// have none.
fn written(design: &Design, entity: &Entity, attribute: &str) -> Option<Template> {
    let mut text = None;
    for (index, entry) in &entity.keys {
        let Some(key) = design.key(*index).filter(|key| !key.is_multi_attribute()) else {
            continue;
        };
        if key.partition[0].name == attribute {
            text = text.or(entry.partition.as_deref());
        }
        if key.sort.first().is_some_and(|sort| sort.name == attribute) {
            text = text.or(entry.sort.as_deref());
        }
    }
    let parsed = match text {
        Some(text) => parse(text),
        None => parse(&format!("{{{}}}", entity.attribute(attribute)?.name)),
    };
    // A template with an error makes no keys.
    parsed.errors.is_empty().then_some(parsed.template)
}

/// A text in which `StringLike` finds no wildcard and no variable.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '*' | '?' | '$' => out.extend(['$', '{', c, '}']),
            c => out.push(c),
        }
    }
    out
}

//! Determines the tenant attribute, the partition keys that belong to one tenant, and whether an IAM policy can
//! restrict a tenant to them, by analysis of the key templates.
//!
//! A policy compares partition keys with patterns that contain the value of a role tag. Automata decide whether a
//! pattern can match a key of another tenant or of no tenant, for every possible tag value: letters, digits, spaces and
//! `_ . : / = + - @` (source: "Rules for tagging in IAM and AWS STS", IAM User Guide), including the empty one. The
//! formats of samples are not trusted, because nothing forces a writer to follow them.

use super::key_sources::stored_source;
use crate::model::{
    DelimiterPolicy, Design, Entity, EntityId, Index, IndexId, IndexKind, KeySchema, KeyType,
    Operation, TenantAttribute, shown,
};
use crate::template::{
    Form, KeyLanguage, Placeholder, Segment, Shapes, Template, TooLarge, ValueShape,
};
use std::fmt;

/// Words that mark an attribute that primary keys start with as the tenant.
const TENANT_WORDS: [&str; 6] = [
    "tenant",
    "org",
    "workspace",
    "account",
    "company",
    "customer",
];

/// How a tenant's role is restricted to its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// The attribute that identifies the tenant.
    pub attribute: String,
    /// The tag of the role (or its session) that contains the tenant's value.
    pub tag: String,
    /// Whether the role can only read.
    pub read_only: bool,
    /// The allowed keys of the table and of each index.
    pub grants: Vec<Grant>,
    /// What the role must not do, each with the reason: query an index, serve an access pattern that scans. Also what the
    /// policy cannot prevent.
    pub left_out: Vec<String>,
}

/// The partition keys of the table or an index that belong to one tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The index's name; `None` for the table.
    pub index: Option<String>,
    /// Patterns for `StringLike` that contain the policy variable of the tag.
    pub patterns: Vec<String>,
}

/// Why a design has no tenant policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTenant {
    /// The author chose no tenant, or no key starts with an attribute that could be one. If most keys start with the
    /// same attribute, the text names the entities whose keys do not; if all do, the attribute.
    Nobody(Option<String>),
    /// There is a tenant, but no pattern can separate its keys from others; the text says why.
    Refused(String),
}

/// A partition key that one tenant's policy would allow although it belongs to another tenant, or to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// The entity with the key.
    pub entity: EntityId,
    /// The table or the index.
    pub index: IndexId,
    /// What is wrong, with an example.
    pub reason: String,
}

/// The tenant of a design; `None` if its primary keys do not start with one, or cannot be separated.
pub fn tenant(design: &Design) -> Option<Tenant> {
    find_tenant(design).ok()
}

/// Finds the tenant of a design. Unless the author has chosen one, an attribute is the tenant if primary keys start with
/// it and its name suggests a tenant. A `userId` may be one, too, but the keys do not say whether a role is for one user or
/// for the application: that is chosen.
///
/// # Errors
///
/// Why there is no tenant.
pub fn find_tenant(design: &Design) -> Result<Tenant, NoTenant> {
    let options = &design.export_options;
    let attribute = attribute(design)?;
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
    let chosen = matches!(options.tenant, TenantAttribute::Attribute(_));
    let table = patterns(design, &design.table.key, &tenant).map_err(|reason| match reason {
        Inseparable::Keys(reason) if !chosen => NoTenant::Nobody(Some(reason)),
        reason => NoTenant::Refused(reason.to_string()),
    })?;
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
            Err(reason) => (tenant.left_out).push(left_out(index, &reason.to_string())),
        }
    }
    tenant.left_out.extend(writes_into_indexes(design, &tenant));
    tenant
        .left_out
        .extend(shared_items(design, &tenant.attribute));
    let scans = (design.access_patterns.values())
        .filter(|pattern| matches!(pattern.operation, Operation::Scan { .. }));
    (tenant.left_out).extend(scans.map(|pattern| {
        format!(
            "Not allowed: {}, because a scan reads the items of every tenant.",
            shown(&pattern.name)
        )
    }));
    Ok(tenant)
}

/// Says that a role that writes can put items into the partitions that other tenants have in a granted index.
fn writes_into_indexes(design: &Design, tenant: &Tenant) -> Option<String> {
    let key = design.table.key.partition.first()?;
    let is_open = |grant: &&Grant| {
        let name = grant.index.as_deref();
        let id = name.and_then(|name| design.index_named(name));
        let index = id.and_then(|id| design.indexes.get(&id));
        index.is_some_and(|index| index.key.partition.first() != Some(key))
    };
    let open: Vec<&str> = (tenant.grants.iter().filter(is_open))
        .filter_map(|grant| grant.index.as_deref())
        .collect();
    (!tenant.read_only && !open.is_empty()).then(|| {
        format!(
            "A write can have the key of another tenant in {}: LeadingKeys tests only the partition key of the table. Set index keys in trusted code only, or use the read-only policy.",
            open.join(", ")
        )
    })
}

/// Names the entities whose items no tenant reaches, because their partition keys do not start with the tenant.
fn shared_items(design: &Design, tenant: &str) -> Option<String> {
    let names = not_led_by(design, tenant);
    (!names.is_empty()).then(|| {
        format!(
            "Not allowed: items of {}, whose partition keys do not start with {tenant}.",
            shown(&names.join(", "))
        )
    })
}

/// The names of the entities whose partition key templates do not start with this attribute.
fn not_led_by<'a>(design: &'a Design, wanted: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    let Some(partition) = design.table.key.partition.first() else {
        return names;
    };
    for entity in design.entities.values() {
        if let Some(template) = written(design, entity, &partition.name)
            && leading(design, &template).is_none_or(|(_, attribute)| attribute != wanted)
        {
            names.push(entity.name.as_str());
        }
    }
    names
}

/// The tenant attribute.
fn attribute(design: &Design) -> Result<String, NoTenant> {
    match &design.export_options.tenant {
        TenantAttribute::Automatic => {
            tenant_attribute(design).ok_or_else(|| match key_with_changed_tenant(design) {
                Some(reason) => NoTenant::Refused(reason),
                None => NoTenant::Nobody(entities_without_tenant(design)),
            })
        }
        TenantAttribute::Nobody => Err(NoTenant::Nobody(None)),
        TenantAttribute::Attribute(name) => Ok(name.clone()),
    }
}

/// Names the entities whose keys do not start with the attribute that most others start with; or the attribute, if all
/// do.
fn entities_without_tenant(design: &Design) -> Option<String> {
    let (leading_counts, entities) = leading_attribute_counts(design);
    let (most, count) = leading_counts.into_iter().max_by_key(|(_, count)| *count)?;
    if count < 2 || count * 2 <= entities {
        return None;
    }
    let names = not_led_by(design, &most);
    if names.is_empty() {
        return Some(format!(
            "all partition keys start with {most}, whose name is not that of a tenant. For a role of one {most} alone, choose it as the tenant"
        ));
    }
    Some(format!(
        "the partition keys of {count} of {entities} entities start with {most}, but not those of {}",
        names.join(", ")
    ))
}

/// The keys of the table and of each index that one tenant's policy would allow although they are not its own; empty if
/// the design has no tenant.
pub fn leaks(design: &Design) -> Vec<Leak> {
    let Ok(attribute) = attribute(design) else {
        return Vec::new();
    };
    let mut leaks = Vec::new();
    for index in design.index_ids() {
        let local = (design.indexes.get(&index)).is_some_and(|own| own.kind == IndexKind::Lsi);
        if let Some(key) = design.key(index).filter(|_| !local)
            && let Err(Inseparable::Leak(entity, reason)) =
                prefixes(design, key, &attribute).and_then(|keys| keys.check(design))
        {
            leaks.push(Leak {
                entity,
                index,
                reason,
            });
        }
    }
    leaks
}

/// Why no pattern can separate one tenant's keys.
enum Inseparable {
    /// No key of the table or the index belongs to one tenant alone.
    Keys(String),
    /// A key of this entity would be open to another tenant.
    Leak(EntityId, String),
}

impl fmt::Display for Inseparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inseparable::Keys(reason) | Inseparable::Leak(_, reason) => f.write_str(reason),
        }
    }
}

fn left_out(index: &Index, reason: &str) -> String {
    format!("Not allowed: queries of {}, because {reason}.", index.name)
}

/// The distinct attributes that primary keys start with.
pub fn leading_attributes(design: &Design) -> Vec<String> {
    let (leading_counts, _) = leading_attribute_counts(design);
    leading_counts.into_iter().map(|(name, _)| name).collect()
}

fn tenant_attribute(design: &Design) -> Option<String> {
    let (leading_counts, _) = leading_attribute_counts(design);
    let mut names = leading_counts.into_iter().map(|(name, _)| name);
    names.find(|name| is_tenant_name(name))
}

/// Names the primary key of an entity if most start with a tenant in a form that no policy can compare with a tag: changed
/// by a modifier, or without a delimiter after it.
fn key_with_changed_tenant(design: &Design) -> Option<String> {
    let partition = &design.table.key.partition[0];
    let mut entities = 0;
    let mut changed = Vec::new();
    for entity in design.entities.values() {
        let Some(template) = written(design, entity, &partition.name) else {
            continue;
        };
        entities += 1;
        let first = template.placeholders().next();
        let first = first.map(|placeholder| placeholder.attribute.clone());
        if let Some(attribute) = first.filter(|name| is_tenant_name(name))
            && leading(design, &template).is_none()
        {
            changed.push((entity, attribute, template));
        }
    }
    let is_most = partition.kind == KeyType::S && changed.len() * 2 > entities;
    let (entity, attribute, template) = changed.into_iter().next().filter(|_| is_most)?;
    Some(format!(
        "{} has the partition key `{template}`, and a policy can compare a tag only with the whole value of {attribute}. Write it without a modifier, with a delimiter after it, or choose the whole table",
        entity.name
    ))
}

/// Whether an attribute's name suggests a tenant.
pub fn is_tenant_name(attribute: &str) -> bool {
    let name = attribute.to_lowercase();
    TENANT_WORDS.iter().any(|word| name.contains(word))
}

/// The attributes that primary keys start with, each with its number of entities, and the number of all entities.
fn leading_attribute_counts(design: &Design) -> (Vec<(String, usize)>, usize) {
    let mut leading_counts: Vec<(String, usize)> = Vec::new();
    let mut entities = 0;
    for entity in design.entities.values() {
        let Some(template) = written(design, entity, &design.table.key.partition[0].name) else {
            continue;
        };
        entities += 1;
        let Some((_, attribute)) = leading(design, &template) else {
            continue;
        };
        match leading_counts
            .iter_mut()
            .find(|(name, _)| *name == attribute)
        {
            Some((_, count)) => *count += 1,
            None => leading_counts.push((attribute, 1)),
        }
    }
    (leading_counts, entities)
}

/// The patterns of the partition keys that belong to one tenant, or why no pattern can separate them.
fn patterns(design: &Design, key: &KeySchema, tenant: &Tenant) -> Result<Vec<String>, Inseparable> {
    let keys = prefixes(design, key, &tenant.attribute)?;
    keys.check(design)?;
    let delimiter = &design.delimiter.delimiter;
    let mut patterns = Vec::new();
    for prefix in &keys.prefixes {
        let value = format!("{}${{aws:PrincipalTag/{}}}", escaped(prefix), tenant.tag);
        patterns.push(value.clone());
        if keys.has_suffix(design, prefix) {
            patterns.push(format!("{value}{}*", escaped(delimiter)));
        }
    }
    Ok(patterns)
}

/// The partition keys of the table or an index.
struct Keys<'a> {
    /// The literal text before the tenant in the keys that start with it.
    prefixes: Vec<String>,
    /// Whether a key is exactly the tenant's value, which may then contain the delimiter.
    bare: bool,
    /// The distinct templates.
    templates: Vec<Written<'a>>,
}

/// A template of partition keys.
struct Written<'a> {
    /// An entity with this template.
    entity: EntityId,
    /// The entity's name.
    name: &'a str,
    template: Template,
    /// The types of its attributes.
    shapes: Shapes,
    /// The literal text before the tenant, if the key starts with that.
    prefix: Option<String>,
}

fn prefixes<'a>(
    design: &'a Design,
    key: &KeySchema,
    attribute: &str,
) -> Result<Keys<'a>, Inseparable> {
    let [partition] = key.partition.as_slice() else {
        let reason = "its partition key has several attributes";
        return Err(Inseparable::Keys(reason.to_owned()));
    };
    if partition.kind != KeyType::S {
        return Err(Inseparable::Keys(
            "its partition key is not a string".to_owned(),
        ));
    }
    let mut keys = Keys {
        prefixes: Vec::new(),
        bare: false,
        templates: Vec::new(),
    };
    for (id, entity) in &design.entities {
        let Some(template) = written(design, entity, &partition.name) else {
            continue;
        };
        let leads = leading(design, &template).filter(|(_, name)| name == attribute);
        let prefix = leads.map(|(prefix, _)| prefix);
        if let Some(prefix) = &prefix {
            keys.bare |= template.is_single_placeholder();
            if !keys.prefixes.contains(prefix) {
                keys.prefixes.push(prefix.clone());
            }
        }
        let mut shapes = Shapes::new();
        for name in template.attributes() {
            if let Some(attribute) = entity.attribute(name) {
                let shape = ValueShape {
                    kind: attribute.kind,
                    form: Form::Any,
                };
                shapes.insert(name.to_owned(), shape);
            }
        }
        // Many entities share one partition key template.
        let same = |other: &Written| other.template == template && other.shapes == shapes;
        if !keys.templates.iter().any(same) {
            keys.templates.push(Written {
                entity: *id,
                name: &entity.name,
                template,
                shapes,
                prefix,
            });
        }
    }
    match keys.prefixes.is_empty() {
        true => Err(Inseparable::Keys(format!(
            "none of its partition keys starts with {attribute}"
        ))),
        false => Ok(keys),
    }
}

impl Keys<'_> {
    /// Whether the prefix also needs a pattern for keys that continue after the tenant.
    fn has_suffix(&self, design: &Design, prefix: &str) -> bool {
        !(design.delimiter.delimiter.is_empty() || self.bare && prefix.is_empty())
    }

    /// Checks that no pattern, with any value of the tag, matches a key of another tenant or of no tenant.
    fn check(&self, design: &Design) -> Result<(), Inseparable> {
        for written in &self.templates {
            let (name, template) = (written.name, &written.template);
            let language = KeyLanguage::new(template, &written.shapes, &design.delimiter);
            let start = template.leading_literal();
            for prefix in &self.prefixes {
                // Most keys start with other text and need no closer look.
                if !start.starts_with(prefix.as_str()) && !prefix.starts_with(start) {
                    continue;
                }
                let has_suffix = self.has_suffix(design, prefix);
                for matched_keys in matched_keys(prefix, &design.delimiter.delimiter, has_suffix) {
                    let is_own = written.prefix.as_ref() == Some(prefix) && matched_keys.tagged;
                    let found = match is_own {
                        true => language.collides_apart(&matched_keys.language),
                        false => language.collides(&matched_keys.language),
                    };
                    let reason = match found {
                        Ok(None) => continue,
                        Ok(Some(key)) => {
                            let tag = matched_keys.tag(&key);
                            format!(
                                "keys of {name} (`{template}`) could match another tenant's pattern, and a role with the tag `{tag}` could use `{key}`"
                            )
                        }
                        Err(TooLarge) => format!(
                            "cannot determine whether keys of {name} could match a tenant's pattern: {TooLarge}"
                        ),
                    };
                    return Err(Inseparable::Leak(written.entity, reason));
                }
            }
        }
        Ok(())
    }
}

/// The keys that a pattern matches.
struct MatchedKeys {
    language: KeyLanguage,
    /// Whether the tag has a value.
    tagged: bool,
}

impl MatchedKeys {
    /// The value of the tag with which a key matches.
    fn tag(&self, key: &str) -> String {
        let reading = self.language.reading(key, false).into_iter();
        let mut values = reading.filter(|(name, _)| name == TAG);
        values.next().map_or(String::new(), |(_, value)| value)
    }
}

/// Placeholder names in the templates of patterns.
const TAG: &str = "tag";
const ANY: &str = "any";

/// What the patterns of a prefix match: the prefix and the tag, and where it `has_suffix`, also with the delimiter and any
/// text after it. The tag and the text may be empty; a placeholder cannot, so there is one template per case.
fn matched_keys(prefix: &str, delimiter: &str, has_suffix: bool) -> Vec<MatchedKeys> {
    let mut shapes = Shapes::new();
    let of_tag = Form::Chars {
        allowed: vec![
            'A'..='Z',
            'a'..='z',
            '0'..='9',
            // `+` to `/`, without the comma.
            '+'..='+',
            '-'..='/',
            ':'..=':',
            '='..='=',
            '@'..='@',
            '_'..='_',
            ' '..=' ',
            '\u{80}'..=char::MAX,
        ],
        min: 1,
        max: None,
    };
    shapes.insert(TAG.to_owned(), ValueShape::text(of_tag));
    let literal = |text: &str| Segment::Literal {
        text: text.to_owned(),
        span: 0..0,
    };
    let placeholder = |name: &str| {
        Segment::Placeholder(Placeholder {
            attribute: name.to_owned(),
            modifiers: Vec::new(),
            span: 0..0,
        })
    };
    let none = DelimiterPolicy {
        delimiter: String::new(),
        ..DelimiterPolicy::default()
    };
    let mut all = Vec::new();
    for tagged in [true, false] {
        let mut ends = vec![Vec::new()];
        if has_suffix {
            ends.push(vec![literal(delimiter)]);
            ends.push(vec![literal(delimiter), placeholder(ANY)]);
        }
        for end in ends {
            let mut segments = Vec::new();
            if !prefix.is_empty() {
                segments.push(literal(prefix));
            }
            if tagged {
                segments.push(placeholder(TAG));
            }
            segments.extend(end);
            let language = KeyLanguage::new(&Template { segments }, &shapes, &none);
            all.push(MatchedKeys { language, tagged });
        }
    }
    all
}

/// The literal text before the first placeholder and its attribute, if the placeholder has no modifiers and the text
/// ends at a delimiter.
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
/// have none. A template that is empty or has an error makes no keys.
fn written(design: &Design, entity: &Entity, attribute: &str) -> Option<Template> {
    stored_source(design, entity, attribute).template()
}

/// Escapes a text so that `StringLike` finds no wildcard or variable in it.
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

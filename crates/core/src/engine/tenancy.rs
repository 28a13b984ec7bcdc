//! Which attribute is the tenant, which partition keys are one tenant's, and whether an IAM policy can hold a tenant to
//! them: by analysis of the key templates.
//!
//! A policy compares partition keys with patterns that hold the value of a tag of the role. Whether a pattern can match
//! a key of another tenant, or one that is no tenant's, is decided by automata, for every value that a tag can have:
//! letters, digits, spaces and `_ . : / = + - @` (source: "Rules for tagging in IAM and AWS STS", IAM User Guide), also
//! the empty one. What the sample data's formats say of values is not trusted: nothing holds a writer to them.

use crate::model::{
    DelimiterPolicy, Design, Entity, EntityId, Index, IndexId, IndexKind, KeySchema, KeyType,
    TenantAttribute,
};
use crate::template::{
    Form, KeyLanguage, Placeholder, Segment, Shapes, Template, TooLarge, ValueShape, parse,
};
use std::fmt;

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

/// Why a design has no policy for one tenant's role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTenant {
    /// The author chose none, or no key begins with an attribute that could be one. Of most keys that begin with the
    /// same attribute it is said which do not.
    Nobody(Option<String>),
    /// There is a tenant, but no pattern can tell its keys from others: why.
    Refused(String),
}

/// A partition key that the policy of one tenant would open although it is another's, or nobody's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// The entity whose key it is.
    pub entity: EntityId,
    /// The table or the index.
    pub index: IndexId,
    /// What is wrong, with an example.
    pub reason: String,
}

/// The tenant of a design; `None` if its primary keys do not begin with one, or cannot be held apart.
pub fn tenant(design: &Design) -> Option<Tenant> {
    held(design).ok()
}

/// The tenant of a design. If the author has not chosen it, an attribute is the tenant if the primary key of every
/// entity begins with it, or if some do and its name says so.
///
/// # Errors
/// Why there is none.
pub fn held(design: &Design) -> Result<Tenant, NoTenant> {
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
        Untold::Keys(reason) if !chosen => NoTenant::Nobody(Some(reason)),
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
    Ok(tenant)
}

/// The attribute that is the tenant.
fn attribute(design: &Design) -> Result<String, NoTenant> {
    match &design.export_options.tenant {
        TenantAttribute::Automatic => {
            tenant_attribute(design).ok_or_else(|| NoTenant::Nobody(almost(design)))
        }
        TenantAttribute::Nobody => Err(NoTenant::Nobody(None)),
        TenantAttribute::Attribute(name) => Ok(name.clone()),
    }
}

/// Which entities' keys do not begin with the attribute that those of most others begin with.
fn almost(design: &Design) -> Option<String> {
    let (led, entities) = counted(design);
    let (most, count) = led.into_iter().max_by_key(|(_, count)| *count)?;
    if count < 2 || count * 2 <= entities {
        return None;
    }
    let partition = &design.table.key.partition[0].name;
    let mut names = Vec::new();
    for entity in design.entities.values() {
        if let Some(template) = written(design, entity, partition)
            && leading(design, &template).is_none_or(|(_, attribute)| attribute != most)
        {
            names.push(entity.name.as_str());
        }
    }
    Some(format!(
        "the partition keys of {count} of {entities} entities begin with {most}, but not those of {}",
        names.join(", ")
    ))
}

/// The keys of the table and of each index that the policy of one tenant would open although they are not its own; none
/// in a design without a tenant.
pub fn leaks(design: &Design) -> Vec<Leak> {
    let Ok(attribute) = attribute(design) else {
        return Vec::new();
    };
    let mut leaks = Vec::new();
    for index in design.index_ids() {
        let local = (design.indexes.get(&index)).is_some_and(|own| own.kind == IndexKind::Lsi);
        if let Some(key) = design.key(index).filter(|_| !local)
            && let Err(Untold::Leak(entity, reason)) =
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

/// Why no pattern can tell one tenant's keys.
enum Untold {
    /// No key of the table or the index is one tenant's alone.
    Keys(String),
    /// Of this entity a key would be opened to another tenant.
    Leak(EntityId, String),
}

impl fmt::Display for Untold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untold::Keys(reason) | Untold::Leak(_, reason) => f.write_str(reason),
        }
    }
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
fn patterns(design: &Design, key: &KeySchema, tenant: &Tenant) -> Result<Vec<String>, Untold> {
    let keys = prefixes(design, key, &tenant.attribute)?;
    keys.check(design)?;
    let delimiter = &design.delimiter.delimiter;
    let mut patterns = Vec::new();
    for prefix in &keys.prefixes {
        let value = format!("{}${{aws:PrincipalTag/{}}}", escaped(prefix), tenant.tag);
        patterns.push(value.clone());
        if keys.goes_on(design, prefix) {
            patterns.push(format!("{value}{}*", escaped(delimiter)));
        }
    }
    Ok(patterns)
}

/// The partition keys of the table or an index.
struct Keys<'a> {
    /// What stands before the tenant in those that begin with it.
    prefixes: Vec<String>,
    /// Whether a key is the tenant's value and nothing else: the delimiter may stand in it.
    bare: bool,
    /// The templates, each once.
    templates: Vec<Written<'a>>,
}

/// A template of partition keys.
struct Written<'a> {
    /// An entity that has it.
    entity: EntityId,
    /// Its name.
    name: &'a str,
    template: Template,
    /// The types of its attributes.
    shapes: Shapes,
    /// What stands before the tenant, if it begins with that.
    prefix: Option<String>,
}

fn prefixes<'a>(design: &'a Design, key: &KeySchema, attribute: &str) -> Result<Keys<'a>, Untold> {
    let [partition] = key.partition.as_slice() else {
        let reason = "its partition key has several attributes";
        return Err(Untold::Keys(reason.to_owned()));
    };
    if partition.kind != KeyType::S {
        return Err(Untold::Keys("its partition key is no text".to_owned()));
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
        let led = leading(design, &template).filter(|(_, name)| name == attribute);
        let prefix = led.map(|(prefix, _)| prefix);
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
        // Many entities share the template of their partitions.
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
        true => Err(Untold::Keys(format!(
            "no partition key of it begins with {attribute}"
        ))),
        false => Ok(keys),
    }
}

impl Keys<'_> {
    /// Whether the pattern of a prefix has one with more behind the tenant beside it.
    fn goes_on(&self, design: &Design, prefix: &str) -> bool {
        !(design.delimiter.delimiter.is_empty() || self.bare && prefix.is_empty())
    }

    /// Whether no pattern, with any value of the tag, matches a key that is not that tenant's.
    fn check(&self, design: &Design) -> Result<(), Untold> {
        for written in &self.templates {
            let (name, template) = (written.name, &written.template);
            let language = KeyLanguage::new(template, &written.shapes, &design.delimiter);
            let start = template.leading_literal();
            for prefix in &self.prefixes {
                // Most keys begin with other text, and need no closer look.
                if !start.starts_with(prefix.as_str()) && !prefix.starts_with(start) {
                    continue;
                }
                let goes_on = self.goes_on(design, prefix);
                for opened in opened(prefix, &design.delimiter.delimiter, goes_on) {
                    let is_own = written.prefix.as_ref() == Some(prefix) && opened.tagged;
                    let found = match is_own {
                        true => language.collides_apart(&opened.language),
                        false => language.collides(&opened.language),
                    };
                    let reason = match found {
                        Ok(None) => continue,
                        Ok(Some(key)) => {
                            let tag = opened.tag(&key);
                            format!(
                                "keys of {name} could be taken for a tenant's ({template}): a role whose tag is `{tag}` could use `{key}`"
                            )
                        }
                        Err(TooLarge) => format!(
                            "it cannot be told whether keys of {name} could be taken for a tenant's: {TooLarge}"
                        ),
                    };
                    return Err(Untold::Leak(written.entity, reason));
                }
            }
        }
        Ok(())
    }
}

/// Keys that a pattern opens.
struct Opened {
    language: KeyLanguage,
    /// Whether the tag has a value.
    tagged: bool,
}

impl Opened {
    /// The value of the tag with which a key is opened.
    fn tag(&self, key: &str) -> String {
        let reading = self.language.reading(key, false).into_iter();
        let mut values = reading.filter(|(name, _)| name == TAG);
        values.next().map_or(String::new(), |(_, value)| value)
    }
}

/// The placeholders of the patterns' templates.
const TAG: &str = "tag";
const ANY: &str = "any";

/// What the patterns of a prefix open: the prefix and the tag, with nothing or, where it `goes_on`, with the delimiter
/// and any text behind it. The tag may be empty, and so may the text; a placeholder is neither.
fn opened(prefix: &str, delimiter: &str, goes_on: bool) -> Vec<Opened> {
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
        if goes_on {
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
            all.push(Opened { language, tagged });
        }
    }
    all
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

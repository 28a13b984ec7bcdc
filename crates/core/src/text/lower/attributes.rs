//! The attributes of entities: `name? type format`.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords;
use super::super::problem::Problems;
use super::super::statement::{Statement, Token};
use super::super::syntax::SyntaxKind;
use super::blocks::{Lower, twice};
use super::formats::{WrittenFormat, format, implied};
use super::identity::Known;
use super::likely_mistakes;
use super::likely_mistakes::unknown;
use super::lowered::Part;
use crate::model::{Attribute, AttributeId, AttributeType, EntityId, Format, id_name, name};
use rustc_hash::{FxHashMap, FxHashSet};

/// An attribute as its line says it, before references and types are resolved.
pub(super) struct Written {
    name: Spot,
    required: bool,
    kind: Option<AttributeType>,
    format: WrittenFormat,
    key_only: bool,
}

impl Lower<'_> {
    /// Reads the attributes of all entities; references may lead to later ones.
    pub(super) fn attributes(&mut self, entities: &[(EntityId, &Statement)]) {
        let mut all: Vec<(EntityId, Vec<(&Statement, Written)>)> = Vec::new();
        for (id, block) in entities {
            let mut written: Vec<(&Statement, Written)> = Vec::new();
            for line in &block.children {
                if line.kind != SyntaxKind::Attribute {
                    continue;
                }
                let Some(attribute) = self.attribute(line) else {
                    continue;
                };
                let name = &attribute.name;
                if written
                    .iter()
                    .any(|(_, other)| other.name.text == name.text)
                {
                    self.error(name.range.clone(), twice("attribute", &name.text));
                    continue;
                }
                written.push((line, attribute));
            }
            all.push((*id, written));
        }
        let kinds = self.kinds(&all);
        for (id, written) in all {
            self.declare(id, written, &kinds);
        }
    }

    /// Reads a line; `None` after an error.
    fn attribute(&self, line: &Statement) -> Option<Written> {
        let problems = Problems::default();
        let written = self.read_attribute(line, &problems);
        let mut problems = problems.take();
        if let Some(hint) = likely_mistakes::attribute(line)
            && let Some(first) = problems.iter_mut().find(|problem| problem.is_error)
        {
            (first.range, first.message) = (line.code(), hint);
        }
        for problem in problems {
            self.problems.push(problem);
        }
        written
    }

    fn read_attribute(&self, line: &Statement, problems: &Problems) -> Option<Written> {
        let mut cursor = Cursor::new(line, problems);
        let mut name = cursor.name("the name of an attribute")?;
        // The key templates of an index, without the word before its name.
        let is_template = |token: &Token| token.is("/") || token.text.contains('{');
        if self.is_index(&name.text) && line.tokens.iter().skip(1).any(is_template) {
            let message = format!(
                "write `index {}` before the key templates of the index",
                name.text
            );
            cursor.error(name.range, message);
            return None;
        }
        let is_row = |token: &Token| token.kind == SyntaxKind::Bar || token.text.contains('=');
        if name.text == "sample" && cursor.peek().is_some_and(is_row) {
            let message = "samples are rows below the first row, which names their attributes: write `| orderId | total |`, then `| o-1 | 5 |`";
            cursor.error(name.range, message.to_owned());
            return None;
        }
        // A single bar begins a list of one value, or of none.
        let is_bar = |token: &Token| token.kind == SyntaxKind::Bar;
        if cursor.peek().is_some_and(is_bar)
            && cursor.rest().iter().filter(|token| is_bar(token)).count() > 1
        {
            let message = "a row of samples begins and ends with `|`";
            cursor.error(line.code(), message.to_owned());
            return None;
        }
        let mut required = true;
        let is_quoted = line.tokens[0].kind == SyntaxKind::Quoted;
        if is_quoted {
            required = !cursor.word("?");
        } else if let Some(text) = name.text.strip_suffix('?') {
            name.text = text.to_owned();
            name.range.end -= 1;
            required = false;
        }
        if let Err(error) = name::check_attribute(&name.text) {
            cursor.error(name.range, error.to_string());
            return None;
        }
        let key_only = is_key_only(&cursor);
        if key_only {
            cursor.drop_last();
        }
        let mut kind = None;
        // A single bar after a type is a list without values.
        let starts_choice = cursor.second().is_some_and(|token| {
            token.kind == SyntaxKind::Bar && cursor.left() > 2 || token.text.starts_with('*')
        });
        if let Some(word) = cursor.peek().filter(|token| token.kind == SyntaxKind::Word)
            && !starts_choice
            && let Some(found) = keywords::attribute_type(word.text)
        {
            kind = Some(found);
            cursor.take();
        }
        let format = format(&mut cursor, kind)?;
        cursor.finish();
        (!cursor.failed).then_some(Written {
            name,
            required,
            kind,
            format,
            key_only,
        })
    }

    /// The types of all attributes. A reference without a type has that of the attribute it leads to.
    fn kinds(
        &mut self,
        all: &[(EntityId, Vec<(&Statement, Written)>)],
    ) -> FxHashMap<(EntityId, String), AttributeType> {
        let mut kinds = FxHashMap::default();
        // References that wait for the type of another attribute.
        let mut waiting: FxHashMap<(EntityId, String), (EntityId, String)> = FxHashMap::default();
        let mut order = Vec::new();
        for (id, written) in all {
            for (_, attribute) in written {
                let place = (*id, attribute.name.text.clone());
                let kind = match &attribute.format {
                    _ if attribute.kind.is_some() => attribute.kind,
                    WrittenFormat::None | WrittenFormat::Dangling(..) => Some(AttributeType::S),
                    WrittenFormat::Known(format) => implied(format).or(Some(AttributeType::S)),
                    WrittenFormat::Reference(entity, other, _) => {
                        let target = other.as_ref().unwrap_or(&attribute.name);
                        let found = self.design.entity_named(&entity.text);
                        if let Some(found) = found {
                            waiting.insert(place.clone(), (found, target.text.clone()));
                            order.push((place.clone(), attribute.name.range.clone()));
                            None
                        } else {
                            Some(AttributeType::S)
                        }
                    }
                };
                if let Some(kind) = kind {
                    kinds.insert(place, kind);
                }
            }
        }
        let ranges: FxHashMap<_, _> = order.iter().cloned().collect();
        for (place, _) in order {
            let mut path = vec![place];
            let mut seen = FxHashSet::default();
            let mut kind = AttributeType::default();
            while let Some(at) = path.last() {
                if let Some(found) = kinds.get(at) {
                    kind = *found;
                    break;
                }
                let Some(next) = waiting.get(at) else { break };
                seen.insert(at.clone());
                // The reference that closes a circle.
                if seen.contains(next) {
                    let message = format!(
                        "`{}` refers to itself in a circle: write its type before `->`",
                        at.1
                    );
                    self.error(ranges[at].clone(), message);
                    break;
                }
                path.push(next.clone());
            }
            kinds.extend(seen.into_iter().map(|place| (place, kind)));
        }
        kinds
    }

    fn declare(
        &mut self,
        id: EntityId,
        written: Vec<(&Statement, Written)>,
        kinds: &FxHashMap<(EntityId, String), AttributeType>,
    ) {
        let old: Vec<_> = (self.previous.entities.get(&id).into_iter())
            .flat_map(|entity| &entity.attributes)
            .map(|attribute| {
                let known = Known::new(&attribute.name, &attribute.description);
                (attribute.id, known)
            })
            .collect();
        let new: Vec<Known> = (written.iter())
            .map(|(line, attribute)| Known::new(&attribute.name.text, &line.description))
            .collect();
        let ids = self.ids(&new, &old, AttributeId);
        for ((line, written), attribute_id) in written.into_iter().zip(ids) {
            let kind = kinds.get(&(id, written.name.text.clone()));
            let format = match written.format {
                WrittenFormat::None => None,
                WrittenFormat::Known(format) => Some(format),
                WrittenFormat::Dangling(to, entity, attribute, distribution) => {
                    let message = "the entity of this reference was deleted: name another";
                    self.warn(entity.range, message);
                    let target = attribute.unwrap_or_else(|| written.name.clone());
                    let is_free = !self.design.entities.contains_key(&to);
                    is_free.then_some(Format::Reference {
                        entity: to,
                        attribute: target.text,
                        distribution,
                    })
                }
                WrittenFormat::Reference(entity, attribute, distribution) => {
                    let target = attribute.unwrap_or_else(|| written.name.clone());
                    self.entity_named(&entity).map(|to| {
                        self.check_target(to, &entity, &target, kinds);
                        Format::Reference {
                            entity: to,
                            attribute: target.text,
                            distribution,
                        }
                    })
                }
            };
            self.key(line, attribute_id.to_string());
            self.mark(
                written.name.range.clone(),
                Part::Attribute(id, attribute_id),
                true,
            );
            let attribute = Attribute {
                id: attribute_id,
                name: written.name.text,
                kind: kind.copied().unwrap_or_default(),
                required: written.required,
                key_only: written.key_only,
                format,
                description: line.description.clone(),
            };
            if let Some(entity) = self.edit_entity(id) {
                entity.attributes.push(attribute);
            }
        }
    }

    /// A reference to an attribute that the entity does not declare is a warning: its samples may have it all the same.
    fn check_target(
        &mut self,
        to: EntityId,
        entity: &Spot,
        target: &Spot,
        kinds: &FxHashMap<(EntityId, String), AttributeType>,
    ) {
        if !kinds.contains_key(&(to, target.text.clone())) {
            let names: Vec<&str> = (kinds.keys())
                .filter(|(id, _)| *id == to)
                .map(|(_, name)| name.as_str())
                .collect();
            let mut names = names;
            names.sort_unstable();
            // `createdBy -> User` is the attribute of the same name.
            let is_implied = target.range.start < entity.range.start;
            let own = id_name(&entity.text);
            let example = names.iter().find(|name| **name == own).or(names.first());
            if let (true, Some(example)) = (is_implied, example) {
                let message = format!(
                    "`{to}` has no attribute `{}`: write which one it refers to, such as `-> {to}.{example}`",
                    target.text,
                    to = entity.text,
                );
                return self.warn(entity.range.clone(), &message);
            }
            let what = format!("attribute of `{}`", entity.text);
            let message = unknown(&what, &target.text, names.into_iter());
            self.warn(target.range.clone(), &message);
        }
    }
}

/// Whether the rest of the line ends in `key-only`, and that is no value: `| key-only` is, except as an empty list of
/// values, and so is a name after `->`.
fn is_key_only(cursor: &Cursor) -> bool {
    let rest = cursor.rest();
    let Some((last, before)) = rest.split_last() else {
        return false;
    };
    let is_type = |token: &Token| keywords::attribute_type(token.text).is_some();
    let is_value = match before {
        [.., bar] if bar.kind == SyntaxKind::Bar => match before {
            [_] => false,
            [first, _] => !is_type(first),
            _ => true,
        },
        [.., other] => ["->", "=", "to", "prefix"]
            .iter()
            .any(|word| other.is(word)),
        [] => false,
    };
    last.is(keywords::KEY_ONLY) && !is_value
}

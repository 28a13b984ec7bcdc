//! Access patterns as calls of the AWS CLI, in `dynamodb_data_model.json`. Their keys are values; the templates of the
//! entities that have such keys replace them.

use keyfold_core::engine::key_reader::{KeyReader, key_readers};
use keyfold_core::engine::query::expression::Name;
use keyfold_core::export::tree::Node;
use keyfold_core::import::items::{ItemValues, exact, value};
use keyfold_core::model::{
    AccessPattern, Design, Entity, EntityId, IndexId, ItemKey, KeyAttribute, Operation, Read,
    SortCondition, SortOperator, SortedMap, Value, WriteAction,
};
use keyfold_core::template::Segment;

/// A call of the AWS CLI.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The subcommand: `get-item`.
    command: String,
    options: SortedMap<String, String>,
}

/// A test of a key condition: attribute, operator, the value with the name of its parameter, and the upper bound.
struct Test {
    attribute: String,
    operator: SortOperator,
    value: (String, Value),
    upper: Option<(String, Value)>,
}

impl Call {
    /// Reads a command.
    ///
    /// # Errors
    ///
    /// Why it is not one call of `aws dynamodb`.
    pub fn read(text: &str) -> Result<Call, String> {
        let words = words(text)?;
        let mut words = words.into_iter().peekable();
        for wanted in ["aws", "dynamodb"] {
            if words.next().as_deref() != Some(wanted) {
                return Err("it is not a call of aws dynamodb".to_owned());
            }
        }
        let command = words.next().ok_or("it names no operation")?;
        let mut options = SortedMap::new();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else {
                return Err(format!("`{word}` is not understood"));
            };
            let value = words.next_if(|next| !next.starts_with("--"));
            match name.split_once('=') {
                Some((name, value)) => options.insert(name.to_owned(), value.to_owned()),
                None => options.insert(name.to_owned(), value.unwrap_or_default()),
            };
        }
        Ok(Call { command, options })
    }

    /// The table.
    pub fn table(&self) -> Option<&str> {
        self.options.get("table-name").map(String::as_str)
    }

    /// Makes the operation of a pattern, its entities and the values of its parameters.
    ///
    /// # Errors
    ///
    /// Why the call is not understood.
    pub fn fill(&self, design: &Design, pattern: &mut AccessPattern) -> Result<(), String> {
        let values = self.item("expression-attribute-values")?;
        let kinds: Vec<Kind> = (design.entities.iter())
            .map(|(id, entity)| Kind::of(design, *id, entity))
            .collect();
        let key = || -> Result<(ItemKey, Vec<EntityId>), String> {
            let key = self.item("key")?;
            Ok(item_key(design, &kinds, &key))
        };
        let condition = self.expression("condition-expression", &written)?;
        let read = Read {
            consistent: self.options.contains_key("consistent-read"),
            filter: self.expression("filter-expression", &written)?,
            projection: (self.expression("projection-expression", &written)?.iter())
                .flat_map(|text| text.split(','))
                .map(|name| name.trim().to_owned())
                .collect(),
        };
        let index = match self.options.get("index-name") {
            None => IndexId::PRIMARY,
            Some(name) => (design.index_named(name)).ok_or(format!("there is no index {name}"))?,
        };
        let number = |text: &String| text.parse().ok();
        let limit = self.options.get("limit").or(self.options.get("max-items"));
        let limit = limit.and_then(number);
        let (operation, entities) = match self.command.as_str() {
            "get-item" => {
                let (key, entities) = key()?;
                (Operation::GetItem { key, read }, entities)
            }
            "query" => {
                let tests = self.tests(&values)?;
                let (partition, sort, entities) = query(design, &kinds, index, &tests)?;
                let operation = Operation::Query {
                    index,
                    partition,
                    sort,
                    descending: self.options.contains_key("no-scan-index-forward"),
                    limit,
                    read,
                };
                (operation, entities)
            }
            "scan" => (Operation::Scan { index, limit, read }, Vec::new()),
            "put-item" => {
                let (_, entities) = item_key(design, &kinds, &self.item("item")?);
                let entity = *entities
                    .first()
                    .ok_or("no entity has the key of its item")?;
                let action = WriteAction::PutItem { entity, condition };
                (Operation::Write(action), vec![entity])
            }
            "delete-item" => {
                let (key, entities) = key()?;
                let action = WriteAction::DeleteItem { key, condition };
                (Operation::Write(action), entities)
            }
            "update-item" => {
                let (key, entities) = key()?;
                let update = self.expression("update-expression", &written)?;
                let update = update.ok_or("it has no update expression")?;
                let action = WriteAction::UpdateItem {
                    key,
                    update,
                    condition,
                };
                (Operation::Write(action), entities)
            }
            other => return Err(format!("`aws dynamodb {other}` is not understood")),
        };
        let texts = ["filter", "condition", "update"].map(|name| {
            let text = self.options.get(&format!("{name}-expression"));
            text.map_or("", String::as_str)
        });
        let uses = |name: &str| texts.iter().any(|text| has_word(text, name));
        pattern.parameters = (values.into_iter())
            .filter(|(name, _)| uses(name))
            .map(|(name, value)| (name.trim_start_matches(':').to_owned(), value))
            .collect();
        (pattern.operation, pattern.entities) = (operation, entities);
        Ok(())
    }

    /// The values of an option in DynamoDB JSON; none without the option.
    fn item(&self, name: &str) -> Result<ItemValues, String> {
        let Some(text) = self.options.get(name) else {
            return Ok(ItemValues::new());
        };
        let wrong = |why: String| format!("--{name}: {why}");
        let mut node = Node::from_json(text).map_err(wrong)?;
        exact(&mut node, text);
        match &node {
            Node::Map(map) => value::item(map.pairs()).map_err(wrong),
            _ => Err(wrong("expected an object".to_owned())),
        }
    }

    /// An expression with the attributes, as `write` says them, in place of their aliases.
    fn expression(
        &self,
        name: &str,
        write: &dyn Fn(&str) -> String,
    ) -> Result<Option<String>, String> {
        let Some(text) = self.options.get(name) else {
            return Ok(None);
        };
        let aliases = match self.options.get("expression-attribute-names") {
            None => SortedMap::new(),
            Some(text) => serde_json::from_str::<SortedMap<String, String>>(text)
                .map_err(|error| format!("--expression-attribute-names: {error}"))?,
        };
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find('#') {
            plain.push_str(&rest[..at]);
            let end = rest[at + 1..].find(|c: char| !c.is_alphanumeric() && c != '_');
            let end = end.map_or(rest.len(), |end| at + 1 + end);
            let alias = &rest[at..end];
            let name = aliases.get(alias);
            let name = name.ok_or_else(|| format!("{alias} stands for no attribute"))?;
            plain.push_str(&write(name));
            rest = &rest[end..];
        }
        Ok(Some(plain + rest))
    }

    /// The tests of the key condition.
    fn tests(&self, values: &ItemValues) -> Result<Vec<Test>, String> {
        let text = self.expression("key-condition-expression", &str::to_owned)?;
        let text = text.ok_or("it has no key condition")?;
        let wrong = || format!("the key condition `{text}` is not understood");
        let spaced = ["<=", ">=", "=", "<", ">", "(", ")", ","];
        let mut words = text.clone();
        for mark in spaced {
            let is_part = |mark: &str| ["=", "<", ">"].contains(&mark);
            words = match is_part(mark) {
                true => spaced_single(&words, mark),
                false => words.replace(mark, &format!(" {mark} ")),
            };
        }
        let words: Vec<&str> = words
            .split_whitespace()
            .filter(|word| *word != ",")
            .collect();
        let value = |name: &str| {
            let value = values.get(name).cloned();
            let name = name.trim_start_matches(':').to_owned();
            value.map(|value| (name, value)).ok_or_else(wrong)
        };
        let mut tests = Vec::new();
        let mut rest = words.as_slice();
        while !rest.is_empty() {
            let (test, after) = match rest {
                [function, "(", name, given, ")", after @ ..]
                    if function.eq_ignore_ascii_case("begins_with") =>
                {
                    (
                        (*name, SortOperator::BeginsWith, value(given)?, None),
                        after,
                    )
                }
                [name, between, low, and, high, after @ ..]
                    if between.eq_ignore_ascii_case("between")
                        && and.eq_ignore_ascii_case("and") =>
                {
                    let upper = Some(value(high)?);
                    ((*name, SortOperator::Between, value(low)?, upper), after)
                }
                [name, symbol, given, after @ ..] => {
                    let operator = SortOperator::from_symbol(symbol).ok_or_else(wrong)?;
                    ((*name, operator, value(given)?, None), after)
                }
                _ => return Err(wrong()),
            };
            let (attribute, operator, value, upper) = test;
            tests.push(Test {
                attribute: attribute.to_owned(),
                operator,
                value,
                upper,
            });
            rest = match after {
                [] => after,
                [and, after @ ..] if and.eq_ignore_ascii_case("and") => after,
                _ => return Err(wrong()),
            };
        }
        Ok(tests)
    }
}

/// An attribute as an expression of a design has it.
fn written(name: &str) -> String {
    Name::of(name).to_string()
}

/// Puts spaces around a sign of one letter that is not a part of a longer one.
fn spaced_single(text: &str, mark: &str) -> String {
    let mut spaced = String::new();
    for (at, letter) in text.char_indices() {
        let other = |letter: Option<char>| letter.is_some_and(|letter| "<>=".contains(letter));
        let is_part = other(text[..at].chars().next_back())
            || other(text[at + letter.len_utf8()..].chars().next());
        match mark.starts_with(letter) && !is_part {
            true => spaced.push_str(&format!(" {letter} ")),
            false => spaced.push(letter),
        }
    }
    spaced
}

fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[at + word.len()..].starts_with(is_letter))
}

/// An entity with the readers of its keys.
struct Kind<'a> {
    id: EntityId,
    entity: &'a Entity,
    readers: Vec<KeyReader<'a>>,
}

impl<'a> Kind<'a> {
    fn of(design: &'a Design, id: EntityId, entity: &'a Entity) -> Kind<'a> {
        let readers = key_readers(design, entity);
        Kind {
            id,
            entity,
            readers,
        }
    }

    fn reader(&self, name: &str) -> Option<&KeyReader<'a>> {
        self.readers
            .iter()
            .find(|reader| reader.attribute.name == name)
    }

    /// The template of a key attribute, if the entity can have this value; with the number of its literal letters.
    fn template(&self, name: &str, value: &Value) -> Option<(String, usize)> {
        match self.reader(name) {
            Some(reader) => {
                reader.read(value).ok()?;
                Some((reader.template.to_string(), literal(reader)))
            }
            None => {
                self.entity.attribute(name)?;
                Some((format!("{{{name}}}"), 0))
            }
        }
    }

    /// The value of a range test as a template: the literal that the entity's template begins with, and the parameter.
    fn bound(&self, test: &Test, (parameter, value): &(String, Value)) -> Option<String> {
        let text = value.to_text();
        let Some(reader) = self.reader(&test.attribute) else {
            self.entity.attribute(&test.attribute)?;
            return Some(format!("{{{parameter}}}"));
        };
        let start = match reader.template.segments.first() {
            Some(Segment::Literal { text, .. }) => text.as_str(),
            _ => "",
        };
        match test.operator {
            SortOperator::BeginsWith if start.starts_with(&text) => Some(escaped(&text)),
            _ if text.starts_with(start) => Some(format!("{}{{{parameter}}}", escaped(start))),
            _ => None,
        }
    }
}

fn literal(reader: &KeyReader) -> usize {
    let texts = reader
        .template
        .segments
        .iter()
        .map(|segment| match segment {
            Segment::Literal { text, .. } => text.len(),
            _ => 0,
        });
    texts.sum()
}

/// A text as a template that is always this text.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// The primary key of an item as templates of the entity that has such a key, the most literal one; and this entity.
fn item_key(design: &Design, kinds: &[Kind], item: &ItemValues) -> (ItemKey, Vec<EntityId>) {
    let key = &design.table.key;
    let attributes: Vec<&KeyAttribute> = key.attributes().collect();
    let fitting = kinds.iter().filter_map(|kind| {
        let sides = attributes
            .iter()
            .map(|attribute| kind.template(&attribute.name, item.get(&attribute.name)?));
        let sides = sides.collect::<Option<Vec<_>>>()?;
        let letters: usize = sides.iter().map(|(_, letters)| letters).sum();
        Some((letters, kind.id, sides))
    });
    // The first of the most literal ones.
    let best = fitting.reduce(|best, other| if other.0 > best.0 { other } else { best });
    let plain = |attribute: &&KeyAttribute| {
        let value = item.get(&attribute.name);
        escaped(&value.map(Value::to_text).unwrap_or_default())
    };
    let (texts, entities): (Vec<String>, _) = match best {
        Some((_, id, sides)) => (sides.into_iter().map(|(text, _)| text).collect(), vec![id]),
        None => (attributes.iter().map(plain).collect(), Vec::new()),
    };
    let mut texts = texts.into_iter();
    let key = ItemKey {
        partition: texts.next().unwrap_or_default(),
        sort: texts.next(),
    };
    (key, entities)
}

type Conditions = (Vec<String>, Vec<SortCondition>, Vec<EntityId>);

/// The conditions of a query as templates, and the entities that have such keys.
fn query(
    design: &Design,
    kinds: &[Kind],
    index: IndexId,
    tests: &[Test],
) -> Result<Conditions, String> {
    let key = design.key(index).ok_or("there is no such index")?;
    let of = |attribute: &KeyAttribute| tests.iter().find(|test| test.attribute == attribute.name);
    let known = |test: &Test| key.attributes().any(|own| own.name == test.attribute);
    if let Some(test) = tests.iter().find(|test| !known(test)) {
        return Err(format!(
            "{} is not a key attribute of the index",
            test.attribute
        ));
    }
    let partition: Option<Vec<&Test>> = key.partition.iter().map(of).collect();
    let partition = partition.ok_or("its key condition lacks a partition key attribute")?;
    let sort: Vec<&Test> = key.sort.iter().map_while(of).collect();
    let text = |kind: &Kind, test: &Test| match test.operator {
        SortOperator::Equal => kind.template(&test.attribute, &test.value.1),
        _ => kind.bound(test, &test.value).map(|text| (text, 0)),
    };
    let mut entities = Vec::new();
    let mut best: Option<(usize, Vec<String>, Vec<SortCondition>)> = None;
    for kind in kinds {
        let texts = |tests: &[&Test]| -> Option<Vec<(String, usize)>> {
            tests.iter().map(|test| text(kind, test)).collect()
        };
        let (Some(own), Some(ranges)) = (texts(&partition), texts(&sort)) else {
            continue;
        };
        let letters = own.iter().chain(&ranges).map(|(_, letters)| letters).sum();
        entities.push(kind.id);
        if best.as_ref().is_some_and(|(other, ..)| *other >= letters) {
            continue;
        }
        let conditions = sort
            .iter()
            .zip(ranges)
            .map(|(test, (value, _))| SortCondition {
                operator: test.operator,
                value,
                // One that does not begin like the template stays a text, such as `ORDER$` after all of `ORDER#`.
                upper: test.upper.as_ref().map(|upper| {
                    let bound = kind.bound(test, upper);
                    bound.unwrap_or_else(|| escaped(&upper.1.to_text()))
                }),
            });
        let own = own.into_iter().map(|(text, _)| text).collect();
        best = Some((letters, own, conditions.collect()));
    }
    Ok(match best {
        Some((_, partition, sort)) => (partition, sort, entities),
        None => {
            let plain = |(_, value): &(String, Value)| escaped(&value.to_text());
            let sort = sort.iter().map(|test| SortCondition {
                operator: test.operator,
                value: plain(&test.value),
                upper: test.upper.as_ref().map(plain),
            });
            let partition = partition.iter().map(|test| plain(&test.value));
            (partition.collect(), sort.collect(), entities)
        }
    })
}

/// The words of a command for a POSIX shell, without variables and other commands.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('\'') => break,
                        Some(letter) => word.push(letter),
                        None => return Err("a quote is never closed".to_owned()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('"') => break,
                        Some('\\') => word.extend(letters.next()),
                        Some(letter) => word.push(letter),
                        None => return Err("a quote is never closed".to_owned()),
                    }
                }
            }
            '\\' => match letters.next() {
                Some('\n') | None => {}
                Some(letter) => word.get_or_insert_default().push(letter),
            },
            letter if letter.is_whitespace() => words.extend(word.take()),
            '|' | '&' | ';' | '$' | '`' => return Err("it is more than one call".to_owned()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

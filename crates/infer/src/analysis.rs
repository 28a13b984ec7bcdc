//! Finds the key templates of one kind of items.

use super::chance::{Chance, KeyPosition, Sharding};
use super::columns::{Column, columns, common_prefix};
use super::key_only;
use super::modifiers::{self, Sureness};
use super::pieces::{KeyTemplate, Piece};
use super::plan::Table;
use super::schema::{Item, KeySlot};
use super::usual::usual;
use super::words::{is_screaming, is_word, resemblance, shown};
use keyfold_core::model::{AttributeType, KeyType, SortedSet, Value, name};
use keyfold_core::template::check_iso;
use std::collections::{BTreeMap, BTreeSet};

/// What the items of one kind have in common.
pub(crate) struct Analysis<'a> {
    pub items: &'a [&'a Item],
    slots: &'a [KeySlot],
    pub(super) delimiter: &'a str,
    /// The word that names the value of a partition key without literals.
    owner: Option<&'a str>,
    /// The texts of each attribute that a template may use, item by item.
    texts: BTreeMap<String, Vec<Option<String>>>,
    /// The names of values that only keys have.
    pub key_only: SortedSet<String>,
    /// The template of each key attribute; `None` if the item's own attribute supplies it.
    pub templates: Vec<Option<KeyTemplate>>,
    /// Attributes of the primary key's templates.
    primary: SortedSet<String>,
}

/// Maximum number of parts of a key with a template.
const MAX_COLUMNS: usize = 32;

/// How well an attribute explains tokens: sureness, whether its name resembles the literal before them and how much,
/// whether the primary key uses it, whether all items have it.
type Rank = (Sureness, bool, u32, bool, bool);

/// A token of a key, with the position of its item.
pub(super) type Token<'t> = (usize, &'t str);

/// Which values a template may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    /// The items' attributes.
    Attributes,
    /// Also values that only keys have.
    KeyOnlyToo,
}

/// The explanation of a key.
struct Explained {
    pieces: Vec<Piece>,
    /// The values that only keys have, new in this key.
    new: BTreeMap<String, Vec<Option<String>>>,
}

impl<'a> Analysis<'a> {
    /// Finds the templates of these items.
    pub fn new(items: &'a [&'a Item], table: Table<'a>, owner: Option<&'a str>) -> Analysis<'a> {
        let (slots, type_attribute) = (table.slots, table.type_attribute);
        let mut texts: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
        for name in candidates(items, slots, type_attribute) {
            let of = |item: &&Item| Some(shown(item.get(name)?)?.into_owned());
            texts.insert(name.to_owned(), items.iter().map(of).collect());
        }
        let mut analysis = Analysis {
            items,
            slots,
            delimiter: &table.policy.delimiter,
            owner,
            texts,
            key_only: SortedSet::new(),
            templates: vec![None; slots.len()],
            primary: SortedSet::new(),
        };
        analysis.find();
        analysis
    }

    fn find(&mut self) {
        let mut used: SortedSet<String> = SortedSet::new();
        for (at, slot) in self.slots.iter().enumerate() {
            if slot.is_generic || !slot.has_template || used.contains(&slot.name) {
                continue;
            }
            // A key attribute with a name of its own is data, unless it is composed of other data.
            let own = self.texts.remove(&slot.name);
            let explained = self.explain(at, Values::Attributes);
            match explained.and_then(|explained| self.composed(explained)) {
                Some((template, names)) => {
                    used.extend(names);
                    self.templates[at] = Some(template);
                }
                None => {
                    if let Some(own) = own {
                        self.texts.insert(slot.name.clone(), own);
                    }
                }
            }
        }
        // A value alone, which nothing else has, explains nothing. In a primary key with literals it is a part of the key
        // all the same: `USER#{userId}`, `{orderId}`.
        let plain = self.find_generic(true);
        let has_template = |at: usize| self.slots[at].key == 0 && self.templates[at].is_some();
        if (0..self.slots.len()).any(has_template) {
            for (at, explained) in plain {
                self.accept(at, explained);
            }
        }
        self.find_generic(false);
    }

    /// Finds the templates of the primary key or of the other keys, of attributes with general names. Returns those that
    /// are a value alone, which nothing else has.
    fn find_generic(&mut self, is_primary: bool) -> Vec<(usize, Explained)> {
        let mut plain = Vec::new();
        for (at, slot) in self.slots.iter().enumerate() {
            if !slot.is_generic || !slot.has_template || (slot.key == 0) != is_primary {
                continue;
            }
            let Some(explained) = self.explain(at, Values::KeyOnlyToo) else {
                continue;
            };
            if is_primary {
                self.primary
                    .extend(attributes_of(&explained.pieces).cloned());
            }
            if explained.pieces.len() == 1 && !explained.new.is_empty() {
                plain.push((at, explained));
            } else {
                self.accept(at, explained);
            }
        }
        plain
    }

    fn accept(&mut self, at: usize, explained: Explained) {
        if let Some(template) = KeyTemplate::new(&explained.pieces) {
            self.templates[at] = Some(template);
            self.key_only.extend(explained.new.keys().cloned());
            self.texts.extend(explained.new);
        }
    }

    /// The template, if it joins several parts and one of them is an attribute; with its attributes.
    fn composed(&self, explained: Explained) -> Option<(KeyTemplate, Vec<String>)> {
        let names: Vec<String> = attributes_of(&explained.pieces).cloned().collect();
        let composed = explained.pieces.len() > 1 && !names.is_empty();
        Some((
            KeyTemplate::new(&explained.pieces).filter(|_| composed)?,
            names,
        ))
    }

    /// Explains a key attribute's values by literals and values.
    fn explain(&self, at: usize, values: Values) -> Option<Explained> {
        let slot = &self.slots[at];
        if slot.kind != KeyType::S {
            return self.same_attribute(slot);
        }
        let keys: Vec<Token> = (self.items.iter().enumerate())
            .filter_map(|(row, item)| match item.get(&slot.name)? {
                Value::S(text) if !text.is_empty() => Some((row, text.as_str())),
                _ => None,
            })
            .collect();
        let mut explained = Explained {
            pieces: Vec::new(),
            new: BTreeMap::new(),
        };
        let place = KeyPosition {
            is_index: slot.key > 0,
            sharding: match slot.is_partition {
                true => Sharding::Usual,
                false => Sharding::Never,
            },
        };
        let before = self.literal_before(at);
        let (_, first) = keys.first()?;
        let is_constant = keys.iter().all(|(_, key)| key == first);
        if let Some(piece) = self.attribute(&keys, &before, place.rare(), &explained.new)
            && (!is_constant || self.is_value(first, &piece, &before))
        {
            explained.pieces.push(piece);
            return Some(explained);
        }
        let mut literal = before;
        let columns = columns(&keys, self.delimiter);
        if columns.len() > MAX_COLUMNS {
            return None;
        }
        let mut after_literal = false;
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                explained
                    .pieces
                    .push(Piece::Literal(self.delimiter.to_owned()));
            }
            let context = Context {
                literal: &literal,
                after_literal,
                is_first: number == 0,
                place,
                key: &slot.name,
                values,
            };
            let pieces = self.column(column, &context, &mut explained.new)?;
            match pieces.as_slice() {
                [Piece::Literal(text)] => {
                    after_literal = !text.is_empty();
                    if !text.is_empty() {
                        literal = text.clone();
                    }
                }
                _ => after_literal = false,
            }
            explained.pieces.extend(pieces);
        }
        Some(explained)
    }

    /// The last literal of the partition key, for the values of the sort key: `TENANT#{tenantId}#BRANCH`, `{branchId}`.
    fn literal_before(&self, at: usize) -> String {
        let slot = &self.slots[at];
        if slot.key == 0 && slot.is_partition {
            return self.owner.unwrap_or_default().to_owned();
        }
        let before = (self.slots.iter().zip(&self.templates).take(at))
            .filter(|(other, _)| other.key == slot.key)
            .find_map(|(_, template)| template.as_ref());
        let literals = before.map_or(Vec::new(), |template| template.literals(self.delimiter));
        literals
            .last()
            .map_or(String::new(), |literal| (*literal).to_owned())
    }

    /// An attribute that always equals a key attribute of type N or B.
    fn same_attribute(&self, slot: &KeySlot) -> Option<Explained> {
        let keys = || {
            (self.items.iter())
                .filter_map(|item| Some((*item, item.get(&slot.name)?)))
                .filter(|(_, value)| AttributeType::from(slot.kind) == value.kind())
        };
        let (first, _) = keys().next()?;
        let is_free = |name: &&String| {
            self.slots.iter().all(|other| other.name != **name)
                && name::check_attribute(name).is_ok()
        };
        let names = first.keys().filter(is_free);
        let mut equal = names.filter(|name| keys().all(|(item, key)| item.get(*name) == Some(key)));
        Some(Explained {
            pieces: vec![Piece::value(equal.next()?)],
            new: BTreeMap::new(),
        })
    }

    fn column(
        &self,
        column: &Column,
        context: &Context,
        new: &mut BTreeMap<String, Vec<Option<String>>>,
    ) -> Option<Vec<Piece>> {
        let tokens = &column.tokens;
        let (_, first) = *tokens.first()?;
        let place = match context.is_first {
            true => context.place.rare(),
            false => context.place,
        };
        let found = self.attribute(tokens, context.literal, place, new);
        if column.is_constant {
            if let Some(piece) = found
                && self.is_value(first, &piece, context.literal)
            {
                return Some(vec![piece]);
            }
            if is_literal(first, tokens.len(), context) {
                return Some(vec![Piece::Literal(first.to_owned())]);
            }
        } else if let Some(piece) = found {
            return Some(vec![piece]);
        } else if let Some(pieces) = self.parts(tokens, context, new) {
            return Some(pieces);
        }
        if context.values == Values::Attributes {
            return None;
        }
        // `v1`: the letter is no part of the version.
        let prefix = common_prefix(tokens);
        if prefix.eq_ignore_ascii_case("v") {
            let rests: Vec<Token> = tokens
                .iter()
                .map(|(row, token)| (*row, &token[1..]))
                .collect();
            let value = self.key_only(&rests, "version", context, new);
            return Some(vec![Piece::Literal(prefix.to_owned()), value]);
        }
        // The literal of the partition key names no time in the sort key.
        let is_time = tokens.iter().all(|(_, token)| check_iso(token).is_ok());
        let literal = match is_time && context.is_first {
            true => "",
            false => context.literal,
        };
        Some(vec![self.key_only(tokens, literal, context, new)])
    }

    /// A value that no attribute has.
    fn key_only(
        &self,
        tokens: &[Token],
        literal: &str,
        context: &Context,
        new: &mut BTreeMap<String, Vec<Option<String>>>,
    ) -> Piece {
        let values: Vec<&str> = tokens.iter().map(|(_, token)| *token).collect();
        let taken = |name: &str| {
            self.texts.contains_key(name)
                || new.contains_key(name)
                || self.items.iter().any(|item| item.contains_key(name))
                || self.slots.iter().any(|slot| slot.name == name)
        };
        let name = key_only::name(literal, context.key, &values, &taken);
        let mut texts = vec![None; self.items.len()];
        for (row, token) in tokens {
            texts[*row] = Some((*token).to_owned());
        }
        new.insert(name.clone(), texts);
        Piece::value(&name)
    }

    /// Whether a constant text is a value of this attribute and not a literal that happens to equal it.
    fn is_value(&self, token: &str, piece: &Piece, literal: &str) -> bool {
        let Piece::Value {
            attribute,
            modifiers,
        } = piece
        else {
            return false;
        };
        let resembles = resemblance(literal, attribute) >= 60;
        match is_word(token) {
            true if modifiers.is_empty() => resembles || self.varies(attribute),
            true => resembles && self.varies(attribute),
            false => true,
        }
    }

    fn varies(&self, attribute: &str) -> bool {
        let Some(texts) = self.texts.get(attribute) else {
            return false;
        };
        let mut known = texts.iter().flatten();
        let first = known.next();
        known.any(|text| Some(text) != first)
    }

    /// The attribute that the tokens come from, if there is one. Of several the surest, then the one whose name
    /// resembles the literal before it.
    pub(super) fn attribute(
        &self,
        tokens: &[Token],
        literal: &str,
        place: KeyPosition,
        new: &BTreeMap<String, Vec<Option<String>>>,
    ) -> Option<Piece> {
        let found = self.sure_attribute(tokens, literal, place, new);
        found.map(|(_, piece)| piece)
    }

    /// As [`Analysis::attribute`], with how sure it is.
    pub(super) fn sure_attribute(
        &self,
        tokens: &[Token],
        literal: &str,
        place: KeyPosition,
        new: &BTreeMap<String, Vec<Option<String>>>,
    ) -> Option<(Sureness, Piece)> {
        let mut distinct: Vec<&str> = tokens.iter().map(|(_, token)| *token).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut best: Option<(Rank, Piece)> = None;
        for (name, texts) in self.texts.iter().chain(new) {
            let pairs: Option<Vec<(&str, &str)>> = (tokens.iter())
                .map(|(row, token)| Some((*token, texts[*row].as_deref()?)))
                .collect();
            let Some(pairs) = pairs else { continue };
            let Some((modifiers, sureness)) = modifiers::find(&pairs) else {
                continue;
            };
            let alike = resemblance(literal, name);
            let in_primary = self.primary.contains(name);
            let chance = Chance {
                pairs: &pairs,
                modifiers: &modifiers,
                distinct: distinct.len(),
                alike,
                in_primary,
                is_key_only: new.contains_key(name) || self.key_only.contains(name),
                place,
            };
            if !chance.is_plausible(sureness) {
                continue;
            }
            let everywhere = texts.iter().all(Option::is_some);
            let rank = (sureness, alike >= 60, alike, in_primary, everywhere);
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                let attribute = name.clone();
                best = Some((
                    rank,
                    Piece::Value {
                        attribute,
                        modifiers,
                    },
                ));
            }
        }
        best.map(|((sureness, ..), piece)| (sureness, piece))
    }
}

/// The attributes that can explain keys.
fn candidates<'a>(
    items: &[&'a Item],
    slots: &[KeySlot],
    type_attribute: Option<&str>,
) -> BTreeSet<&'a str> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for item in items {
        let shown = item.iter().filter(|(_, value)| shown(value).is_some());
        shown.for_each(|(name, _)| *counts.entry(name).or_default() += 1);
    }
    counts.retain(|name, _| {
        let is_key = slots
            .iter()
            .any(|slot| slot.is_generic && slot.name == *name);
        !is_key && Some(*name) != type_attribute && name::check_attribute(name).is_ok()
    });
    usual(&counts)
}

/// What precedes a column of a key.
pub(super) struct Context<'a> {
    /// The last literal before the column.
    pub literal: &'a str,
    /// Whether it is directly before it.
    after_literal: bool,
    is_first: bool,
    /// A later part of the key.
    pub place: KeyPosition,
    /// The name of the key attribute.
    key: &'a str,
    values: Values,
}

pub(super) fn attributes_of(pieces: &[Piece]) -> impl Iterator<Item = &String> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Value { attribute, .. } => Some(attribute),
        Piece::Literal(_) => None,
    })
}

/// Whether a text that all keys have at this place is a literal and not a value that they happen to share.
fn is_literal(text: &str, keys: usize, context: &Context) -> bool {
    if text.is_empty() {
        return true;
    }
    if is_word(text) {
        // `USER#alice`.
        let is_value =
            context.after_literal && is_screaming(context.literal) && !is_screaming(text);
        return !is_value;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_named = text.starts_with(|c: char| c.is_alphabetic() || c == '$');
    // `v0`, `$shop`, `order_1`; after `$shop#`, ElectroDB's name and version of the entity.
    is_named
        && digits <= 2
        && text.len() <= 32
        && check_iso(text).is_err()
        && keys > 1
        && (context.is_first || !context.after_literal || context.literal.starts_with('$'))
}

//! Writes the enum over all entities, which identifies the entity of an item's key.

use super::function_inputs::Piece;
use super::keys::{parse_params, typed};
use super::plan::{KeyPlan, Plan};
use super::source::{Source, code};
use crate::model::{SortedMap, by_rank};

/// Writes `AnyKey`; nothing if no primary key can be parsed.
pub(super) fn write_any(src: &mut Source, plan: &Plan) {
    let keys: Vec<&KeyPlan> = plan
        .keys
        .iter()
        .filter(|key| key.index.is_primary() && key.parses())
        .collect();
    let Some(first) = keys.first() else {
        return;
    };
    src.line("");
    src.doc("The primary key of an item of any entity.");
    for (winner, losers) in twins(&keys) {
        let losers: Vec<_> = losers.iter().map(|key| code(&key.variant)).collect();
        src.line("///");
        src.doc(&format!(
            "{} has keys of the same form as {}: `parse` returns {}. Use the item's type attribute to tell them apart.",
            losers.join(" and "),
            code(&winner.variant),
            code(&winner.variant)
        ));
    }
    src.line("#[derive(Debug, Clone, PartialEq, Eq, Hash)]");
    src.line("#[allow(clippy::enum_variant_names, clippy::large_enum_variant)]");
    let borrowed = keys.iter().any(|key| key.scope.is_borrowed());
    let any = |lifetime: &str| match borrowed {
        true => format!("AnyKey<{lifetime}>"),
        false => "AnyKey".to_owned(),
    };
    src.open(&format!("pub enum {} {{", any("'a")));
    for key in &keys {
        src.doc(&format!(
            "An item of {}.",
            code(
                plan.design
                    .entities
                    .get(&key.entity)
                    .map_or("", |entity| &entity.name)
            )
        ));
        src.line(&format!("{}({}),", key.variant, typed(key, "'a")));
    }
    src.close("}");
    src.line("");
    match borrowed {
        true => src.open("impl<'a> AnyKey<'a> {"),
        false => src.open("impl AnyKey {"),
    }
    src.doc("Parses a primary key, trying the most specific entity first.");
    let params = parse_params(first, borrowed);
    src.signature("pub fn parse(", &params, ") -> Result<Self, KeyError> {");
    for key in by_rank(keys.clone(), |key| specificity(key)) {
        src.open(&format!(
            "if let Ok(key) = {}::parse({}) {{",
            key.name,
            first.methods.join(", ")
        ));
        src.line(&format!("return Ok(Self::{}(key));", key.variant));
        src.close("}");
    }
    src.open("Err(KeyError::BadFormat {");
    src.line(&format!("field: {},", first.scope.values[0].constant));
    src.line("expected: \"the key of one of the entities\",");
    src.close("})");
    src.close("}");
    src.line("");
    src.doc("The entity's name.");
    src.open("pub fn entity(&self) -> &'static str {");
    src.open("match self {");
    for key in &keys {
        src.line(&format!(
            "Self::{}(_) => {}::ENTITY,",
            key.variant, key.name
        ));
    }
    src.close("}");
    src.close("}");
    src.line("");
    if borrowed {
        src.doc("Converts to a key that owns its text.");
        src.open(&format!("pub fn into_owned(self) -> {} {{", any("'static")));
        src.open("match self {");
        for key in &keys {
            let owned = match key.scope.is_borrowed() {
                true => "key.into_owned()",
                false => "key",
            };
            src.arm(
                &format!("Self::{}(key)", key.variant),
                &format!("AnyKey::{}({owned})", key.variant),
            );
        }
        src.close("}");
        src.close("}");
        src.line("");
    }
    src.doc("Returns the key attributes of the item: names and values.");
    src.open("pub fn attributes(&self) -> PrimaryKey {");
    src.open("match self {");
    for key in &keys {
        src.line(&format!("Self::{}(key) => key.attributes(),", key.variant));
    }
    src.close("}");
    src.close("}");
    src.close("}");
    src.line("");
    src.open(&format!("impl fmt::Display for {} {{", any("'_")));
    src.open("fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {");
    src.open("match self {");
    for key in &keys {
        src.line(&format!("Self::{}(key) => key.fmt(f),", key.variant));
    }
    src.close("}");
    src.close("}");
    src.close("}");
}

/// Ranks a key for parsing: more fixed values first, then more literal text, then more placeholders.
fn specificity(key: &KeyPlan) -> [u32; 4] {
    let values = &key.scope.values;
    let fixed = values
        .iter()
        .filter(|value| value.fixed().is_some())
        .count();
    let pieces = values.iter().flat_map(|value| &value.pieces);
    let literal = pieces
        .map(|piece| {
            if let Piece::Literal(text) = piece {
                text.len()
            } else {
                0
            }
        })
        .sum();
    let places = values.iter().map(|value| value.places().count()).sum();
    let [fixed, literal, places] = [fixed, literal, places].map(|most: usize| !(most as u32));
    [fixed, literal, places, 0]
}

/// Returns groups of entities whose keys have equal literals at equal positions, each with the one that `parse` tries
/// first.
fn twins<'k>(keys: &[&'k KeyPlan]) -> Vec<(&'k KeyPlan, Vec<&'k KeyPlan>)> {
    let mut forms: SortedMap<Vec<Vec<Option<&str>>>, Vec<&'k KeyPlan>> = SortedMap::new();
    for key in keys {
        let form = (key.scope.values.iter())
            .map(|value| {
                let literal = |piece: &'k Piece| {
                    if let Piece::Literal(text) = piece {
                        Some(text.as_str())
                    } else {
                        None
                    }
                };
                value.pieces.iter().map(literal).collect()
            })
            .collect();
        forms.entry(form).or_default().push(key);
    }
    let twins = (forms.into_values())
        .filter(|keys| keys.len() > 1)
        .map(|keys| (keys[0], keys[1..].to_vec()));
    by_rank(twins.collect(), |(winner, _)| [winner.entity.0, 0, 0, 0])
}

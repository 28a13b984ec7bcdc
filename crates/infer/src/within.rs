//! Finds literals and attributes inside one part of a key.

use super::analysis::{Analysis, Context, Token, attributes_of};
use super::columns::{columns, common_prefix};
use super::modifiers::Sureness;
use super::pieces::Piece;
use super::words::is_word;
use std::collections::BTreeMap;

impl Analysis<'_> {
    /// Literals and attributes inside one token: `v{version}`, `{year}-{month}`.
    pub(super) fn parts(
        &self,
        tokens: &[Token],
        context: &Context,
        new: &BTreeMap<String, Vec<Option<String>>>,
    ) -> Option<Vec<Piece>> {
        let place = context.place.rare();
        let (_, first) = tokens.first()?;
        // `office_` of `office_o1` and `office_o2`, then `office_o`.
        let longest = common_prefix(tokens);
        let to_separator = longest.trim_end_matches(char::is_alphanumeric);
        let mut best: Option<(Sureness, Vec<Piece>)> = None;
        for prefix in [to_separator, longest] {
            if prefix.is_empty() {
                continue;
            }
            let rests: Vec<Token> = (tokens.iter())
                .map(|(row, token)| (*row, &token[prefix.len()..]))
                .collect();
            let name = match prefix.trim_end_matches(|c: char| !c.is_alphanumeric()) {
                word if is_word(word) => word,
                _ => context.literal,
            };
            if rests.iter().all(|(_, rest)| !rest.is_empty())
                && let Some((sureness, piece)) = self.sure_attribute(&rests, name, place, new)
                && best.as_ref().is_none_or(|(other, _)| sureness > *other)
            {
                best = Some((sureness, vec![Piece::Literal(prefix.to_owned()), piece]));
            }
        }
        if let Some((_, pieces)) = best {
            return Some(pieces);
        }
        for separator in ["_", "-", ":", ".", "|", "/", "@", "+", " ", ",", "#"] {
            let count = first.split(separator).count();
            if separator == self.delimiter
                || !(2..=6).contains(&count)
                || tokens
                    .iter()
                    .any(|(_, token)| token.split(separator).count() != count)
            {
                continue;
            }
            if let Some(pieces) = self.separated(tokens, separator, context, new) {
                return Some(pieces);
            }
        }
        None
    }

    fn separated(
        &self,
        tokens: &[Token],
        separator: &str,
        context: &Context,
        new: &BTreeMap<String, Vec<Option<String>>>,
    ) -> Option<Vec<Piece>> {
        let place = context.place.rare();
        let mut pieces = Vec::new();
        let mut literal = context.literal.to_owned();
        for column in columns(tokens, separator) {
            if column.tokens.len() < tokens.len() {
                return None;
            }
            if !pieces.is_empty() {
                pieces.push(Piece::Literal(separator.to_owned()));
            }
            let (_, first) = *column.tokens.first()?;
            if column.is_constant && (first.is_empty() || is_word(first)) {
                pieces.push(Piece::Literal(first.to_owned()));
                literal = first.to_owned();
            } else {
                pieces.push(self.attribute(&column.tokens, &literal, place, new)?);
            }
        }
        let has_value = attributes_of(&pieces).next().is_some();
        has_value.then_some(pieces)
    }
}

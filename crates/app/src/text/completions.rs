//! What an editor offers at a position: completions, explanations, where a name is declared.

use super::hover::{Hover, hover};
use super::reading::{Reading, text_line};
use super::rename::{name_of, rename_command};
use super::symbol::{Symbol, entities_at, symbol_at};
use crate::command::Command;
use crate::template_completion::{CompletionItem, completions, partial_name_at};
use keyfold_core::text::{self, Lowered};
use std::ops::Range;

/// A word that can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The word.
    pub word: String,
    /// What it does; empty if its name says it.
    pub what: &'static str,
}

/// What can be written at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// Where the word begins that an offer replaces.
    pub from: u32,
    /// The offers, best first.
    pub offers: Vec<Offer>,
    /// Whether they are of use before the word is begun.
    pub is_certain: bool,
}

impl Reading {
    /// Returns what can be written at a position; `None` if nothing is known.
    pub fn complete(&self, at: u32) -> Option<Completions> {
        let at = self.units.byte(&self.text, at);
        let found = text::complete(&self.parse, &self.lowered, at);
        let completions = match found.in_template {
            true => {
                let found = placeholder_offers(&self.text, &self.lowered, found.range)?;
                Completions {
                    from: self.units.at(&self.text, found.from),
                    is_certain: true,
                    offers: (found.offers.into_iter())
                        .map(|item| Offer {
                            word: item.name,
                            what: item.what,
                        })
                        .collect(),
                }
            }
            false => Completions {
                from: self.units.at(&self.text, found.range.start),
                is_certain: !self.text[text_line(&self.text, at).start..found.range.start]
                    .trim()
                    .is_empty(),
                offers: (found.offers.iter())
                    .map(|word| Offer {
                        what: found.meaning(word).unwrap_or_default(),
                        word: word.clone(),
                    })
                    .collect(),
            },
        };
        (!completions.offers.is_empty()).then_some(completions)
    }

    /// Returns the part whose name is at a position.
    fn symbol_at(&self, at: u32) -> Option<Symbol> {
        symbol_at(&self.parse, &self.lowered, self.units.byte(&self.text, at))
    }

    /// Returns the name at a position, if it can be changed everywhere at once.
    pub fn name_at(&self, at: u32) -> Option<String> {
        name_of(self.design(), &self.symbol_at(at)?.part)
    }

    /// Returns the command that changes the name at a position everywhere; `None` if there is none.
    pub fn rename(&self, at: u32, name: String) -> Option<Command> {
        rename_command(self.design(), &self.symbol_at(at)?.part, name)
    }

    /// Returns where the part at a position is declared.
    pub fn definition(&self, at: u32) -> Option<u32> {
        let place = self.lowered.definition(&self.symbol_at(at)?.part)?;
        Some(self.units.at(&self.text, place.start))
    }

    /// Returns what is known of the word or the part at a position.
    pub fn hover(&self, at: u32) -> Option<Hover<u32>> {
        let at = self.units.byte(&self.text, at);
        let found = hover(&self.parse, &self.lowered, at)?;
        Some(Hover {
            range: self.units.range(&self.text, found.range),
            title: found.title,
            paragraphs: found.paragraphs,
        })
    }
}

/// What can be written in the placeholder that a template ends with.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceholderOffers {
    /// The byte at which the name begins that an offer replaces.
    pub from: usize,
    /// Whether modifiers are offered.
    pub is_modifier: bool,
    /// The offers, best first.
    pub offers: Vec<CompletionItem>,
}

/// Returns the attributes or modifiers for the template at these bytes, which is being typed.
pub fn placeholder_offers(
    text: &str,
    lowered: &Lowered,
    word: Range<usize>,
) -> Option<PlaceholderOffers> {
    let typed = &text[word.clone()];
    let caret = u32::try_from(typed.encode_utf16().count()).unwrap_or(u32::MAX);
    let begun = partial_name_at(typed, caret)?;
    let mut names: Vec<String> = Vec::new();
    for (_, entity) in entities_at(lowered, word.end) {
        for attribute in &entity.attributes {
            if !names.contains(&attribute.name) {
                names.push(attribute.name.clone());
            }
        }
    }
    Some(PlaceholderOffers {
        from: word.start + begun.at,
        is_modifier: begun.is_modifier,
        offers: completions(&begun, &names),
    })
}

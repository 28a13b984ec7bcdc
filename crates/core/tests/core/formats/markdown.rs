//! The Markdown document, as a reader of GitHub's Markdown parses it.

use super::designs;
use keyfold_core::export::markdown::markdown;
use keyfold_core::model::{Design, KeyType, Note, NoteId, shown, turns_text};
use keyfold_core::slices::finish;
use keyfold_core::template;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::sync::Arc;

/// The content of a document for a reader.
#[derive(Default)]
struct Seen {
    headings: Vec<String>,
    cells: Vec<String>,
    codes: Vec<String>,
    tables: usize,
}

fn seen(text: &str) -> Seen {
    let mut seen = Seen::default();
    let mut current = String::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::TableCell) => current.clear(),
            Event::End(TagEnd::Heading(_)) => seen.headings.push(std::mem::take(&mut current)),
            Event::End(TagEnd::TableCell) => seen.cells.push(std::mem::take(&mut current)),
            Event::Start(Tag::Table(_)) => seen.tables += 1,
            Event::Text(text) => current.push_str(&text),
            Event::Code(code) => {
                current.push_str(&code);
                seen.codes.push(code.into_string());
            }
            Event::InlineHtml(html) if &*html == "<br>" => {}
            Event::Html(html) | Event::InlineHtml(html) => panic!("HTML: {html}\n{text}"),
            Event::Start(
                Tag::Link { .. }
                | Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::List(_)
                | Tag::BlockQuote(_),
            ) => panic!("{event:?}\n{text}"),
            Event::Rule => panic!("a rule\n{text}"),
            _ => {}
        }
    }
    seen
}

/// Returns the text on one line, as the document contains it.
fn words(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control());
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        // Characters that change the text direction are shown, not applied.
        .replace(turns_text, "\u{fffd}")
}

/// Parses the document: every author's text appears as written, and none of it is markup.
pub fn check(design: &Design, text: &str) {
    let seen = seen(text);
    assert_eq!(seen.headings[0], words(&design.name), "{text}");
    for entity in design.entities.values() {
        let name = words(&entity.name);
        assert!(seen.headings.contains(&name), "{name}\n{text}");
        for attribute in &entity.attributes {
            assert!(
                seen.codes.contains(&shown(&attribute.name)),
                "{}\n{text}",
                attribute.name
            );
        }
        for (index, entry) in &entity.keys {
            let Some(key) = design.key(*index) else {
                continue;
            };
            let parts = [(&key.partition, &entry.partition), (&key.sort, &entry.sort)];
            for (attributes, template) in parts {
                let (Some(attribute), Some(typed)) = (attributes.first(), template) else {
                    continue;
                };
                let parsed = template::parse(typed);
                let template = &parsed.template;
                let makes_a_key = parsed.errors.is_empty()
                    && !template.segments.is_empty()
                    && match attribute.kind {
                        KeyType::S => true,
                        KeyType::N => template.is_single_placeholder(),
                        KeyType::B => false,
                    };
                // The canonical form; the original text if no key can be rendered from it.
                let shown = match makes_a_key {
                    true => template.to_string(),
                    false => typed.clone(),
                };
                let shown = self::shown(&shown);
                let is_there = shown.trim().is_empty() || seen.codes.contains(&shown);
                assert!(is_there, "{shown}\n{text}");
            }
        }
    }
    for pattern in design.access_patterns.values() {
        assert!(
            seen.cells.contains(&words(&pattern.name)),
            "{}\n{text}",
            pattern.name
        );
    }
    for note in design.notes.values() {
        let lines: Vec<String> = note.text.lines().map(words).collect();
        let cell = lines.concat();
        // Backticks around a name mark code.
        let is_there = cell.contains('`') || cell.is_empty() || seen.cells.contains(&cell);
        assert!(is_there, "{cell}\n{text}");
    }
    let has_notes = (design.notes.values()).any(|note| !note.text.trim().is_empty());
    assert_eq!(
        seen.headings.contains(&"Notes".to_owned()),
        has_notes,
        "{text}"
    );
    let with_attributes = design
        .entities
        .values()
        .filter(|entity| !entity.attributes.is_empty());
    assert!(seen.tables > with_attributes.count(), "{text}");
}

#[test]
fn notes_are_a_section_with_their_lines() {
    let mut design = Design::new("Shop");
    let text = |design: &Design| finish(markdown(design)).text;
    let without = text(&design);
    assert!(!without.contains("Notes"), "{without}");
    let id = NoteId(design.take_id());
    design.notes.insert(id, Arc::new(Note::new(" \n")));
    assert_eq!(text(&design), without, "a note without text");
    let note = Note::new("Ask *ops*:\n\n- is `PK` hot? | 1\n");
    let id = NoteId(design.take_id());
    design.notes.insert(id, Arc::new(note));
    let with = text(&design);
    let section = "\n## Notes\n\n| Note |\n| --- |\n| Ask \\*ops\\*:<br>- is `PK` hot? \\| 1 |\n";
    assert!(with.contains(section), "{with}");
    check(&design, &with);
}

#[test]
fn the_document_contains_the_design() {
    for (name, design) in designs::all() {
        let text = finish(markdown(&design)).text;
        check(&design, &text);
        if designs::library().iter().any(|(other, _)| *other == name) {
            let cells = seen(&text).cells;
            for item in keyfold_core::engine::materialize_all(&design)
                .values()
                .flat_map(|items| items.iter())
            {
                for key in design.table.key.attributes() {
                    let value = item.get(&key.name).expect("a key").to_text();
                    assert!(cells.contains(&value), "{value}\n{text}");
                }
            }
        }
    }
}

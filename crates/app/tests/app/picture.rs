//! The canvas as a picture: its content, portability and legibility.

use keyfold_app::badge::badge;
use keyfold_app::fit_text::key::{KeyFont, KeyText};
use keyfold_app::fit_text::truncate;
use keyfold_app::picture::colors::{DARK, LIGHT, Theme};
use keyfold_app::picture::{PictureOptions, condition_text, raster_scale, svg, svg_layers};
use keyfold_app::viewport::Detail;
use keyfold_core::library::{find, patterns};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, CardId, Condition, Design, Entity, EntityId, Index,
    IndexEntry, IndexId, IndexKind, KeySchema, Point, Test, Value, validate_invariants,
};
use keyfold_core::template::{Segment, parse};
use keyfold_test_support::designs::full_design;
use roxmltree::{Document, Node};
use std::sync::Arc;

const THEMES: [bool; 2] = [false, true];

fn picture(design: &Design, dark: bool, detail: Detail) -> String {
    let groups = None;
    svg(
        design,
        PictureOptions {
            dark,
            detail,
            groups,
            references: false,
        },
    )
}

/// The picture with the groups of an index.
fn grouped(design: &Design, dark: bool, index: &str) -> String {
    let options = PictureOptions {
        dark,
        detail: Detail::All,
        groups: Some(design.index_named(index).unwrap_or(IndexId::PRIMARY)),
        references: false,
    };
    svg(design, options)
}

fn light(design: &Design) -> String {
    picture(design, false, Detail::All)
}

/// Parses the picture and checks that it has nothing that a viewer may not support.
fn read(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let known = ["svg", "title", "desc", "g", "rect", "path", "text", "tspan"];
    for node in document.descendants().filter(Node::is_element) {
        assert!(known.contains(&node.tag_name().name()), "{node:?}");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!["href", "style", "class"].contains(&name), "{node:?}");
            assert!(!name.starts_with("on"), "{node:?}");
            for foreign in ["url(", "var(", "light-dark", "oklch"] {
                assert!(!value.contains(foreign), "{node:?}");
            }
            if ["fill", "stroke"].contains(&name) && value != "none" {
                rgb(value);
            }
        }
    }
    document
}

/// All visible texts and titles; the pieces of a line are joined.
fn said(document: &Document) -> Vec<String> {
    (document.descendants())
        .filter(|node| {
            node.is_element() && ["text", "title", "desc"].contains(&node.tag_name().name())
        })
        .map(|node| {
            let pieces = node.descendants().filter(Node::is_text);
            pieces.filter_map(|piece| piece.text()).collect()
        })
        .collect()
}

fn check_says(design: &Design, dark: bool) {
    let svg = picture(design, dark, Detail::All);
    let document = read(&svg);
    let said = said(&document);
    let says = |text: &str| {
        assert!(
            said.iter().any(|line| line.contains(text)),
            "{text:?} is not in {svg}"
        );
    };
    says(&design.name);
    says(&design.table.name);
    for entity in design.entities.values() {
        says(&entity.name);
        says(&badge(&entity.name));
        for attribute in &entity.attributes {
            says(&attribute.name);
            says(attribute.kind.label());
        }
        for (index, entry) in &entity.keys {
            let key = design.key(*index).expect("it exists");
            key.attributes().for_each(|attribute| says(&attribute.name));
            for text in [&entry.partition, &entry.sort].into_iter().flatten() {
                for segment in &parse(text).template.segments {
                    match segment {
                        Segment::Literal { text, .. } | Segment::Broken { text, .. } => says(text),
                        Segment::Placeholder(placeholder) => says(&placeholder.attribute),
                    }
                }
            }
            entry
                .when
                .iter()
                .for_each(|when| says(&condition_text(when)));
        }
    }
    for index in design.indexes.values() {
        says(&index.name);
        says(index.kind.label());
    }
}

#[test]
fn a_pattern() {
    let design = find("saas-multi-tenant").expect("in the library");
    insta::assert_snapshot!(light(&design.design().expect("sound")));
}

#[test]
fn item_collections_are_drawn_as_groups_below_wires_and_cards() {
    let design = find("saas-multi-tenant").expect("in the library");
    let design = design.design().expect("sound");
    let shown = THEMES.map(|dark| {
        let svg = grouped(&design, dark, "Table");
        read(&svg);
        // Everything drawn before the wires.
        let (before, _) = svg.split_once("<g fill=\"none\"").expect("wires");
        before.to_owned()
    });
    insta::assert_snapshot!(shown.join("\n\n"));
    // The first index has no shared item collection.
    assert_eq!(grouped(&design, false, "GSI1"), light(&design));
}

#[test]
fn groups_fit_into_the_picture_and_long_names_are_truncated() {
    let mut design = Design::new("Any");
    let long = "TENANT#{tenantId}#".repeat(5);
    for (id, x) in [(1, 0), (2, 400)] {
        let mut entity = Entity::new(format!("E{id}"), 0);
        let entry = IndexEntry::pair(long.as_str(), "x");
        entity.keys.insert(IndexId::PRIMARY, entry);
        let card = CardId::Entity(EntityId(id));
        design.entities.insert(EntityId(id), Arc::new(entity));
        Arc::make_mut(&mut design.layout).insert(card, Point { x, y: 0 });
    }
    design.next_id = 3;
    // One area each, because the table's card is between them.
    let table = CardId::Index(IndexId::PRIMARY);
    Arc::make_mut(&mut design.layout).insert(table, Point { x: 230, y: 10 });
    let svg = grouped(&design, false, "Table");
    let document = read(&svg);
    let number = |node: &Node, name: &str| -> f64 {
        let text = node.attribute(name).expect("set");
        text.parse().expect("a number")
    };
    let bounds = |node: &Node| {
        let (x, y) = (number(node, "x"), number(node, "y"));
        [x, y, x + number(node, "width"), y + number(node, "height")]
    };
    let rects = document.descendants().filter(|n| n.has_tag_name("rect"));
    let grounds: Vec<_> = (rects.filter(|rect| rect.has_attribute("fill-opacity")))
        .map(|rect| bounds(&rect))
        .collect();
    assert_eq!(
        grounds,
        [[-12.0, -40.0, 300.0, 109.0], [388.0, -40.0, 700.0, 109.0]]
    );
    assert!(svg.contains(" viewBox=\"-44 -72 "), "{svg}");
    let said = said(&document);
    let name = |text: &&String| text.starts_with("TENANT#{tenantId}#");
    let names: Vec<_> = said.iter().filter(name).collect();
    let cut = truncate(&long, 288.0, 14.0);
    assert_eq!(
        names.iter().filter(|text| **text == &long).count(),
        4,
        "{names:?}"
    );
    assert_eq!(names.iter().filter(|text| text.as_str() == cut).count(), 2);
    assert_eq!(light(&design).matches("fill-opacity").count(), 0);
}

#[test]
fn the_picture_has_every_text_of_the_design() {
    for dark in THEMES {
        for pattern in patterns() {
            check_says(&pattern.design().expect("sound"), dark);
        }
        check_says(&full_design(), dark);
    }
}

#[test]
fn an_empty_design_is_a_small_picture() {
    let svg = light(&Design::new("Orders"));
    let document = read(&svg);
    assert!(said(&document).contains(&"Orders".to_owned()));
    let width = document.root_element().attribute("width").expect("set");
    assert!(svg.len() < 3000 && width == "280", "{svg}");
}

#[test]
fn pictures_are_deterministic_and_options_matter() {
    let design = full_design();
    assert_eq!(light(&design), light(&design.clone()));
    let mut all: Vec<String> = [Detail::All, Detail::Keys, Detail::Names]
        .into_iter()
        .flat_map(|detail| THEMES.map(|dark| picture(&design, dark, detail)))
        .collect();
    all.iter().for_each(|svg| drop(read(svg)));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6);
}

/// A design with one entity whose name, attribute, template and condition value are `text`.
fn hostile(text: &str) -> Design {
    let mut design = Design::new(text);
    design.description = text.into();
    design.next_id = 100;
    let mut entity = Entity::new(text, 3);
    (entity.attributes).push(Attribute::new(AttributeId(1), text, AttributeType::S));
    entity.keys.insert(
        IndexId::PRIMARY,
        IndexEntry::pair(text, format!("{text}#{{{text}}}")),
    );
    let condition = Condition {
        attribute: text.into(),
        test: Test::Equals(text.into()),
    };
    let entry = IndexEntry {
        when: vec![condition],
        ..IndexEntry::pair(text, "x")
    };
    entity.keys.insert(IndexId(2), entry);
    design.entities.insert(EntityId(3), Arc::new(entity));
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair(text, "SK1"));
    design.indexes.insert(IndexId(2), Arc::new(index));
    design
}

#[test]
fn hostile_names_stay_text() {
    let names = [
        "<script>alert(1)</script>",
        "a & b &amp; &#0;",
        "]]> --> <![CDATA[",
        "\"quoted\" 'too'",
        "👩‍👩‍👧 family 日本語の名前がとても長いので切られます",
        "שלום עולם",
        "مرحبا",
        "e\u{301}\u{301}\u{301}",
        "\u{200b}",
        "",
        "W".repeat(5000).as_str(),
    ]
    .map(str::to_owned);
    for text in names {
        for dark in THEMES {
            for detail in [Detail::All, Detail::Keys, Detail::Names] {
                let svg = picture(&hostile(&text), dark, detail);
                let said = said(&read(&svg));
                // As name and description of the design and name of the entity; with visible keys also as 5 labels
                // and templates and in 2 conditions; and as an attribute.
                let times = said.iter().filter(|line| line.contains(&text)).count();
                let least = match detail {
                    Detail::Names => 3,
                    Detail::Keys => 10,
                    Detail::All => 11,
                };
                assert!(times >= least, "{times}, {text:?}: {svg}");
            }
        }
    }
    // XML forbids these characters; the first ones have symbols.
    let svg = light(&hostile("a\0b\u{1b}c\u{7f}d\te\u{fffe}f\u{202e}g"));
    let said = said(&read(&svg));
    assert!(
        said.iter()
            .any(|line| line == "a␀b␛c␡d␉e\u{fffd}f\u{fffd}g"),
        "{svg}"
    );
}

#[test]
fn unplaced_and_distant_cards_are_in_the_picture() {
    let mut design = full_design();
    design.layout = Arc::default();
    check_says(&design, false);
    let far = [(-2_000_000_000, 5), (1_900_000_000, -7)].map(|(x, y)| Point { x, y });
    let cards: Vec<CardId> = design.cards().collect();
    design.layout = Arc::new(cards.into_iter().zip(far.into_iter().cycle()).collect());
    check_says(&design, true);
}

#[test]
fn a_condition_is_shown_on_its_wire_if_there_is_room() {
    let mut design = Design::new("Shop");
    design.next_id = 100;
    let mut entity = Entity::new("Product", 1);
    let mut entry = IndexEntry::pair("FEATURED", "{name}");
    entry.when.push(Condition {
        attribute: "featured".into(),
        test: Test::Equals(Value::Bool(true)),
    });
    entity.keys.insert(IndexId(1), entry);
    design.entities.insert(EntityId(2), Arc::new(entity));
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
    design.indexes.insert(IndexId(1), Arc::new(index));
    assert_eq!(validate_invariants(&design), []);
    let at = |x| Point { x, y: 0 };
    let mut count = |index_at| {
        design.layout = Arc::new(
            [
                (CardId::Index(IndexId::PRIMARY), Point { x: 0, y: 900 }),
                (CardId::Entity(EntityId(2)), at(0)),
                (CardId::Index(IndexId(1)), at(index_at)),
            ]
            .into(),
        );
        let svg = light(&design);
        let said = said(&read(&svg));
        said.iter()
            .filter(|text| *text == "featured = true")
            .count()
    };
    // In the card, and on the wire if there is room between the cards.
    assert_eq!(count(800), 2);
    assert_eq!(count(300), 1);
}

#[test]
fn text_is_truncated_to_its_width() {
    assert_eq!(truncate("TENANT", 60.0, 10.0), "TENANT");
    assert_eq!(truncate("TENANT", 36.0, 10.0), "TENANT");
    assert_eq!(truncate("TENANT", 35.0, 10.0), "TENA…");
    assert_eq!(truncate("日本語", 36.0, 10.0), "日本語");
    assert_eq!(truncate("日本語", 30.0, 10.0), "日本…");
    assert_eq!(truncate("日本語", 29.0, 10.0), "日…");
    assert_eq!(truncate("abc", 0.0, 10.0), "…");
    assert_eq!(truncate("", 0.0, 10.0), "");
    // A combining accent is not separated from its letter.
    assert_eq!(truncate("ae\u{301}iou", 18.0, 10.0), "ae\u{301}…");
}

#[test]
fn a_long_key_is_cut_before_the_word_that_tells_it_from_others() {
    let font = KeyFont {
        size: 10.0,
        chip: 6.0,
    };
    // Room in characters.
    let cut = |text: &str, room: f64| {
        let key = KeyText::of(text).fit(room * 6.0, font);
        assert!(key.width(font) <= room * 6.0 + 0.1, "{text}");
        let texts = key.pieces.iter().map(|piece| piece.text.as_str());
        texts.collect::<Vec<_>>().concat()
    };
    let branch = "TENANT#{tenantId}#BRANCH#{branchId}";
    let cuts = [
        cut(&format!("{branch}#TRANSACTION"), 45.0),
        cut(&format!("{branch}#TRANSACTION"), 30.0),
        cut(&format!("{branch}#REPORTING"), 30.0),
        cut(&format!("{branch}#TRANSACTION"), 19.0),
        cut(&format!("{branch}#TRANSACTION"), 12.0),
        cut("TENANT#{tenantId}#ORDER#{orderId}", 30.0),
        cut("TENANT#{tenantId}#ORDER#{orderId}", 21.0),
        cut("APP#USER_EMAIL#{email}", 16.0),
        cut("INVITE_EMAIL#{invitedEmail}", 20.0),
        cut("{createdAt:date}#{transactionId}", 20.0),
        cut("", 20.0),
        cut(
            "PROJECT#{projectId}#TASK#{taskId}#COMMENT#{commentId}",
            33.0,
        ),
        cut(
            "PROJECT#{projectId}#TASK#{taskId}#COMMENT#{commentId}",
            27.0,
        ),
        cut(
            "PROJECT#{projectId}#TASK#{taskId}#COMMENT#{commentId}",
            19.7,
        ),
        cut("{round:pad(2)}#{bracket}#{matchId}", 22.0),
        cut("TOURNAMENT#{tournamentId}#REGION#{region}", 19.7),
        cut("RATING#{rating}#SHOW#{showId}", 19.7),
        cut("REVIEWS#{createdAt:month}", 19.7),
        cut("TENANT#{tenantId}#ACCOUNT", 19.7),
        cut("{createdAt}#{transactionId}#{branchId}", 9.0),
    ];
    insta::assert_snapshot!(cuts.join("\n"));
}

#[test]
fn a_png_is_scaled_by_2_or_less_if_too_large() {
    let check = |width: f64, height: f64, expected: f64| {
        let scale = raster_scale(width, height);
        assert!(
            (scale - expected).abs() < 1e-9,
            "{width} x {height}: {scale}"
        );
        assert!(width.max(height) * scale <= 16_000.5 && width * height * scale * scale < 6.41e7);
    };
    check(1000.0, 800.0, 2.0);
    check(0.0, 0.0, 2.0);
    check(10_000.0, 100.0, 1.6);
    check(100.0, 32_000.0, 0.5);
    check(8_000.0, 8_000.0, 1.0);
    check(16_000.0, 16_000.0, 0.5);
}

// Colors.

fn rgb(color: &str) -> [f64; 3] {
    let number = (color.strip_prefix('#').filter(|digits| digits.len() == 6))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or_else(|| panic!("{color} is not #rrggbb"));
    [16, 8, 0].map(|shift| f64::from(number >> shift & 0xff))
}

/// Contrast ratio of WCAG 2.2.
fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |color| {
        let [r, g, b] = rgb(color).map(|channel| {
            let c = channel / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Blends a color over another one with this opacity.
fn blended(over: &str, under: &str, much: f64) -> String {
    let (over, under) = (rgb(over), rgb(under));
    let [r, g, b] = [0, 1, 2].map(|i| (over[i] * much + under[i] * (1.0 - much)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// WCAG asks for 3:1; the cards of the light theme, which are white on gray, are as near as other borders.
#[test]
fn the_edge_of_a_card_stands_out_from_the_canvas() {
    for (theme, least) in [(&DARK, 3.0), (&LIGHT, 2.8)] {
        let found = contrast(theme.line_field, theme.canvas);
        assert!(found >= least, "{found}");
    }
}

#[test]
fn every_text_has_enough_contrast() {
    let number = |node: &Node, name: &str| -> f64 {
        node.attribute(name)
            .map_or(0.0, |text| text.parse().expect("a number"))
    };
    // All hues as cards and, with many names, as chips; an error; a condition on a wire.
    let mut design = full_design();
    for hue in 0..12 {
        let mut entity = Entity::new(format!("Entity {hue}"), hue);
        let chips: String = (0..6)
            .map(|i| format!("{{a{}}}", 6 * u32::from(hue) + i))
            .collect();
        entity
            .keys
            .insert(IndexId::PRIMARY, IndexEntry::pair(chips, "X#{broken"));
        design
            .entities
            .insert(EntityId(500 + u32::from(hue)), Arc::new(entity));
    }
    for dark in THEMES {
        let svg = grouped(&design, dark, "Table");
        let document = read(&svg);
        let canvas = if dark { DARK.canvas } else { LIGHT.canvas };
        // Texts and the rectangles below them, at absolute positions.
        let mut grounds: Vec<([f64; 4], String)> = Vec::new();
        let (mut checked, mut colors) = (0, keyfold_core::model::SortedSet::new());
        for node in document.descendants().filter(Node::is_element) {
            let shifts = node
                .ancestors()
                .filter_map(|group| group.attribute("transform"));
            let (mut dx, mut dy) = (0.0, 0.0);
            for shift in shifts {
                let inner = shift.trim_start_matches("translate(").trim_end_matches(')');
                let (x, y) = inner.split_once(' ').expect("two numbers");
                dx += x.parse::<f64>().expect("a number");
                dy += y.parse::<f64>().expect("a number");
            }
            let fill = node.attribute("fill").filter(|fill| *fill != "none");
            match (node.tag_name().name(), fill) {
                ("rect", Some(fill)) => {
                    let (x, y) = (number(&node, "x") + dx, number(&node, "y") + dy);
                    let (w, h) = (number(&node, "width"), number(&node, "height"));
                    let ground = match number(&node, "fill-opacity") {
                        0.0 => fill.to_owned(),
                        tint => blended(fill, canvas, tint),
                    };
                    grounds.push(([x, y, x + w, y + h], ground));
                }
                (tag @ ("text" | "tspan"), Some(fill)) => {
                    let line = if tag == "tspan" {
                        node.parent().expect("a line")
                    } else {
                        node
                    };
                    let (x, y) = (number(&node, "x") + dx + 0.5, number(&line, "y") + dy - 3.0);
                    let under = grounds
                        .iter()
                        .rev()
                        .find(|([left, top, right, bottom], _)| {
                            *left <= x && x <= *right && *top <= y && y <= *bottom
                        });
                    let (_, ground) = under.expect("at least the canvas");
                    let ratio = contrast(fill, ground);
                    assert!(
                        ratio >= 4.5,
                        "{ratio}: {fill} on {ground}, {:?}",
                        node.text()
                    );
                    checked += 1;
                    colors.insert((fill, ground.clone()));
                }
                _ => {}
            }
        }
        assert!(checked > 150 && colors.len() > 16, "{checked}, {colors:?}");
    }
}

/// Converts OKLCH to sRGB, clipped to its gamut.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (a, b) = (
        chroma * hue.to_radians().cos(),
        chroma * hue.to_radians().sin(),
    );
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ]
    .map(|c| c.clamp(0.0, 1.0))
    .map(|c| {
        if c <= 0.003_130_8 {
            12.92 * c
        } else {
            1.055 * c.powf(1.0 / 2.4) - 0.055
        }
    })
    .map(|c| c * 255.0)
}

#[test]
fn the_colors_match_the_style_sheet() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../style/tokens.css");
    let css = std::fs::read_to_string(path).expect("the tokens");
    let after = |start: &str| {
        let (_, rest) = css
            .split_once(start)
            .unwrap_or_else(|| panic!("no {start}"));
        rest
    };
    let number = |text: &str| -> f64 {
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        text[..end]
            .parse()
            .unwrap_or_else(|_| panic!("no number: {text:.20}"))
    };
    for (dark, theme) in [&LIGHT, &DARK].into_iter().enumerate() {
        let Theme {
            canvas,
            surface,
            surface_2,
            line,
            line_strong,
            line_field,
            text,
            text_2,
            text_3,
            error,
            hues,
        } = theme;
        let plain = [
            ("canvas", canvas),
            ("surface", surface),
            ("surface-2", surface_2),
            ("line", line),
            ("line-strong", line_strong),
            ("line-field", line_field),
            ("text", text),
            ("text-2", text_2),
            ("text-3", text_3),
            ("error", error),
        ];
        for (name, color) in plain {
            let both = after(&format!("--{name}: light-dark("))
                .split_once(')')
                .expect("closed")
                .0;
            assert_eq!(both.split(", ").nth(dark), Some(*color), "{name}");
        }
        for (i, hue) in hues.iter().enumerate() {
            let own = after(&format!(".hue-{i} {{ --hue: "))
                .split_once('}')
                .expect("closed")
                .0;
            let chroma = own
                .split_once("--hue-c: ")
                .map(|(_, chroma)| number(chroma));
            let tones = [
                ("strong", hue.strong),
                ("soft", hue.soft),
                ("chip", hue.chip),
                ("text", hue.text),
            ];
            for (name, color) in tones {
                let tone = after(&format!("--hue-{name}: light-dark("));
                let tone = tone.split("oklch(").nth(dark + 1).expect("two");
                let (lightness, rest) = tone.split_once(' ').expect("three numbers");
                let of_hue = rest.strip_prefix("var(--hue-c, ");
                let given = number(of_hue.unwrap_or(rest));
                let chroma = of_hue.and(chroma).unwrap_or(given);
                let expected = oklch(number(lightness), chroma, number(own));
                for (is, should_be) in rgb(color).into_iter().zip(expected) {
                    assert!(
                        (is - should_be).abs() < 1.0,
                        "hue {i} {name}: {color}, {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_badge_has_the_initials_of_the_first_two_words() {
    for (name, expected) in [
        ("User", "US"),
        ("OrderItem", "OI"),
        ("Order line", "OL"),
        ("showAtVenue", "SA"),
        ("API key", "AK"),
        ("u", "U"),
        ("änderung", "ÄN"),
        ("--", ""),
    ] {
        assert_eq!(badge(name), expected, "{name}");
    }
}

#[test]
fn the_layers_add_up_to_the_picture() {
    let body = |svg: &str| {
        let from = svg.find("</desc>").expect("a head") + "</desc>".len();
        (svg[..from].to_owned(), svg[from..].to_owned())
    };
    for pattern in patterns() {
        let design = pattern.design().expect("it opens");
        let whole = picture(&design, true, Detail::All);
        let options = PictureOptions {
            dark: true,
            detail: Detail::All,
            groups: None,
            references: false,
        };
        let layers = svg_layers(&design, options, 3);
        assert_eq!(layers.len(), design.cards().count().div_ceil(3));
        let (head, _) = body(&whole);
        let mut shapes = Vec::new();
        for layer in &layers {
            read(layer);
            let (own, rest) = body(layer);
            assert_eq!(own, head, "{}: all have one size", pattern.name);
            let group = rest.find("\n<g ").expect("a group with its shapes");
            let inside = group + rest[group..].find(">\n").expect("its end") + 2;
            shapes.push((
                rest[..inside].to_owned(),
                rest[inside..].trim_end_matches("</g>\n</svg>\n").to_owned(),
            ));
        }
        let together: String = shapes.iter().map(|(_, shapes)| shapes.as_str()).collect();
        let (_, rest) = body(&whole);
        assert_eq!(format!("{}{together}</g>\n</svg>\n", shapes[0].0), rest);
    }
}

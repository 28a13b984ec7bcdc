//! The shapes of wire labels.

use keyfold_app::fit_text::text_width;
use keyfold_app::wire_label::{LINE, label_shapes, label_text};
use keyfold_core::library;
use keyfold_core::model::IndexEntry;

const SIZE: f64 = 11.0;

fn entry(partition: &str, sort: Option<&str>) -> IndexEntry {
    IndexEntry {
        partition: Some(partition.to_owned()),
        sort: sort.map(str::to_owned),
        when: Vec::new(),
    }
}

#[test]
fn a_long_label_is_wrapped_after_delimiters_before_it_is_cut() {
    let entry = entry(
        "TENANT#{tenantId}#PROJECT#{projectId}",
        Some("STATUS#{status}#{createdAt:date}"),
    );
    let shapes = label_shapes(&entry, SIZE);
    let all: Vec<String> = shapes.iter().map(|s| s.lines.join("\n")).collect();
    insta::assert_snapshot!(all.join("\n--\n"), @r"
    TENANT#{tenantId}#PROJECT#{projectId}
    STATUS#{status}#{createdAt:date}
    --
    TENANT#{tenantId}#PROJECT#
    {projectId}
    STATUS#{status}#
    {createdAt:date}
    --
    TENANT#{tenantId}#
    PROJECT#
    {projectId}
    STATUS#{status}#
    {createdAt:date}
    --
    TENANT#{tenantId}…
    STATUS#{status}#{…
    --
    TENANT#{tena…
    STATUS#{stat…
    ");
}

#[test]
fn a_short_label_has_one_shape() {
    let shapes = label_shapes(&entry("USER#{userId}", None), SIZE);
    assert_eq!(shapes[0].lines, ["USER#{userId}"]);
    // And the narrower ones for a place between columns.
    assert!(
        shapes[1..]
            .iter()
            .all(|shape| shape.width < shapes[0].width)
    );
}

#[test]
fn no_shape_loses_text_until_it_says_so() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        for entry in design
            .entities
            .values()
            .flat_map(|entity| entity.keys.values())
        {
            let text = label_text(entry);
            let mut narrower = f64::MAX;
            for shape in label_shapes(entry, SIZE) {
                let is_cut = shape.lines.iter().any(|line| line.contains('…'));
                let joined: String = shape.lines.concat();
                let all: String = text.concat();
                let spaceless = |text: &str| text.replace(' ', "");
                assert!(is_cut || spaceless(&joined) == spaceless(&all), "{joined}");
                for line in &shape.lines {
                    assert!(text_width(line, SIZE) + 8.0 <= shape.width + 0.01);
                }
                let height = shape.lines.len() as f64 * LINE * SIZE;
                assert!((shape.height - height).abs() < 0.01);
                if !is_cut {
                    assert!(shape.width < narrower);
                    narrower = shape.width;
                }
            }
        }
    }
}

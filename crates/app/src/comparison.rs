//! Two designs compared step by step: the changes first, then their picture, then what they do, which takes longest.

use crate::arrange::place_all;
use crate::picture::{PictureOptions, svg_layers_of_differences, svg_of_differences};
use keyfold_compare::{Marks, Report, effects_in_slices, matched_with_remarks};
use keyfold_core::model::Design;
use keyfold_core::slices::pause;

/// A design to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The design.
    pub design: Design,
    /// Whether its ids may be those of the other design; text has none.
    pub has_ids: bool,
}

/// What is known before the whole report.
#[derive(Debug)]
pub enum Known<'a> {
    /// A report without the effects.
    Changes(&'a Report),
    /// The canvas with the differences.
    Picture(&'a DifferencesPicture),
}

/// Compares two designs, with pauses. Calls `tell` with what is known early, and returns the whole report.
pub async fn compare(old: Compared, new: Compared, tell: impl Fn(Known<'_>)) -> Report {
    let have_ids = old.has_ids && new.has_ids;
    let (old, new) = (old.design, new.design);
    let (new, remarks) = matched_with_remarks(&old, &new, have_ids);
    pause().await;
    let mut report = Report::of_changes(&old, &new);
    report.remarks = remarks;
    pause().await;
    tell(Known::Changes(&report));
    pause().await;
    if report.is_empty() {
        return report;
    }
    tell(Known::Picture(&DifferencesPicture::new(&report)));
    pause().await;
    report.effects = effects_in_slices(&old, &new).await;
    report
}

/// The canvas with the cards and wires of both designs, those that differ marked by color, sign and word.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferencesPicture {
    design: Design,
    marks: Marks,
}

impl DifferencesPicture {
    /// The picture of a report. Cards without a place get one.
    pub fn new(report: &Report) -> DifferencesPicture {
        let (mut design, marks) = report.picture();
        place_all(&mut design);
        DifferencesPicture { design, marks }
    }

    /// The picture as one SVG document.
    pub fn svg(&self, options: PictureOptions) -> String {
        svg_of_differences(&self.design, options, &self.marks)
    }

    /// The picture as several SVG documents to be stacked, each with at most `most` cards.
    pub fn layers(&self, options: PictureOptions, most: usize) -> Vec<String> {
        svg_layers_of_differences(&self.design, options, &self.marks, most)
    }
}

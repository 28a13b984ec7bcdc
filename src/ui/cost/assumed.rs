//! The figures that stand in the empty cells of the workload: what the report assumes.

use keyfold_app::workload::fields::{TrafficField, VolumeField, fields_of};
use keyfold_app::workload::figures::rate_text;
use keyfold_app::workload::table::{ENTITY_COLUMNS, PatternColumn, pattern_columns};
use keyfold_core::model::{AccessPatternId, EntityId, Rate};
use keyfold_cost::Report;
use keyfold_cost::assume::Figure;
use keyfold_cost::report::short;

/// In a column that does not apply to the row.
const NONE: &str = "–";

/// A text for each column of the access patterns.
pub fn of_pattern(report: &Report, id: AccessPatternId) -> Option<Vec<String>> {
    let model = &report.model;
    let traffic = model.assumptions.patterns.get(&id)?;
    let pattern = model.design.access_patterns.get(&id)?;
    let fields = fields_of(&model.design, id, pattern);
    let skew = (fields.iter()).find(|field| matches!(field, TrafficField::Skew(_)));
    let percent = |figure: &Figure| [&short(figure.value * 100.0), "%"].concat();
    let rate = |figure: &Figure| {
        let rounded = (figure.value * 1000.0).round() / 1000.0;
        rate_text(Rate::PerSecond(rounded))
    };
    let text = |column: &PatternColumn| match column {
        PatternColumn::Peak => rate(&traffic.peak),
        PatternColumn::Skews => skew.map_or(NONE, TrafficField::assumed).to_owned(),
        PatternColumn::Traffic(field) if fields.contains(field) => match field {
            TrafficField::Average => rate(&traffic.average),
            TrafficField::Creates => percent(&traffic.creates),
            TrafficField::Updates => percent(&traffic.updates),
            TrafficField::Deletes => percent(&traffic.deletes),
            TrafficField::Failed => percent(&traffic.failed),
            TrafficField::Items => match model.patterns.get(&id) {
                Some(Ok(units)) => short(units.items.value),
                _ => NONE.to_owned(),
            },
            TrafficField::Skew(_) => NONE.to_owned(),
        },
        PatternColumn::Traffic(_) => NONE.to_owned(),
    };
    let columns = pattern_columns();
    Some(columns.iter().map(|(_, column)| text(column)).collect())
}

/// A text for each column of the entities.
pub fn of_entity(report: &Report, id: EntityId) -> Option<Vec<String>> {
    let data = report.model.assumptions.entities.get(&id)?;
    let text = |field: &VolumeField| match field {
        VolumeField::Items => short(data.items.value),
        VolumeField::Growth => short(data.growth.value),
        VolumeField::Retention => data.retention.map_or("forever".to_owned(), short),
        VolumeField::Bytes => short(data.bytes.value),
    };
    let columns = ENTITY_COLUMNS.iter();
    Some(columns.map(|(_, field)| text(field)).collect())
}

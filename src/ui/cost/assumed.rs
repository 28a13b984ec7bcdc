//! The figures that stand in the empty cells of the workload: what the report assumes.

use keyfold_app::workload::fields::{TrafficField, VolumeField};
use keyfold_app::workload::figures::rate_text;
use keyfold_app::workload::table::{ENTITY_COLUMNS, PatternColumn, pattern_columns};
use keyfold_core::model::{AccessPatternId, EntityId, Operation, Rate};
use keyfold_cost::Report;
use keyfold_cost::assume::Figure;
use keyfold_cost::report::short;

/// In a column that does not apply to the row.
const NONE: &str = "–";

/// A text for each column of the access patterns.
pub fn of_pattern(report: &Report, id: AccessPatternId) -> Option<Vec<String>> {
    let model = &report.model;
    let traffic = model.assumptions.patterns.get(&id)?;
    let operation = &model.design.access_patterns.get(&id)?.operation;
    let has_puts = (operation.actions().iter()).any(|action| action.put().is_some());
    let is_list = matches!(operation, Operation::Query { .. } | Operation::Scan { .. });
    let percent = |applies: bool, figure: &Figure| match applies {
        true => [&short(figure.value * 100.0), " %"].concat(),
        false => NONE.to_owned(),
    };
    let rate =
        |figure: &Figure| rate_text(Rate::PerSecond((figure.value * 1000.0).round() / 1000.0));
    let text = |column: &PatternColumn| match column {
        PatternColumn::Peak => rate(&traffic.peak),
        PatternColumn::Skews => "even".to_owned(),
        PatternColumn::Traffic(field) => match field {
            TrafficField::Average => rate(&traffic.average),
            TrafficField::Creates => percent(has_puts, &traffic.creates),
            TrafficField::Updates => percent(has_puts, &traffic.updates),
            TrafficField::Deletes => percent(has_puts, &traffic.deletes),
            TrafficField::Failed => percent(!operation.actions().is_empty(), &traffic.failed),
            TrafficField::Skew(_) => "even".to_owned(),
            TrafficField::Items => match model.patterns.get(&id) {
                Some(Ok(units)) if is_list => short(units.items.value),
                _ => NONE.to_owned(),
            },
        },
    };
    Some(
        pattern_columns()
            .iter()
            .map(|(_, column)| text(column))
            .collect(),
    )
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
    Some(
        ENTITY_COLUMNS
            .iter()
            .map(|(_, field)| text(field))
            .collect(),
    )
}

//! Samples as text, part by part: how the worker that reads files hands them to the page, which reads each part in a task
//! of its own.

use crate::import::Notes;
use crate::import::items::lines;
use crate::model::{EntityId, Sample, SampleId, SortedMap};

/// Length in bytes after which a part ends.
const LENGTH: usize = 100_000;

/// Writes samples from a position on, and returns the text and the position after them. The text is empty after the last
/// sample.
pub fn write(samples: &[(EntityId, Sample)], from: usize) -> (String, usize) {
    let mut text = String::new();
    let mut at = from;
    while text.len() < LENGTH
        && let Some((entity, sample)) = samples.get(at)
    {
        let pairs = sample.values.iter();
        let pairs = pairs.map(|(name, value)| (name.clone(), value.to_dynamodb_json()));
        let item: serde_json::Map<_, _> = pairs.collect();
        let item = serde_json::json!({ "Item": item });
        text.push_str(&format!("{} {} {item}\n", entity.0, sample.id.0));
        at += 1;
    }
    (text, at)
}

/// Reads what [`write()`] wrote. `None` if the text is not from there.
pub fn read(text: &str) -> Option<Vec<(EntityId, Sample)>> {
    let one = |line: &str| {
        let (entity, rest) = line.split_once(' ')?;
        let (id, item) = rest.split_once(' ')?;
        let values = match item {
            r#"{"Item":{}}"# => SortedMap::new(),
            item => lines::line(item.as_bytes(), 1, &mut Notes::default()).pop()?,
        };
        let sample = Sample {
            id: SampleId(id.parse().ok()?),
            values: values.into(),
        };
        Some((EntityId(entity.parse().ok()?), sample))
    };
    text.lines().map(one).collect()
}

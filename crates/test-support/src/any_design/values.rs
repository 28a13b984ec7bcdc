//! Values of random designs and their samples.

use super::Maker;
use keyfold_core::model::*;
use std::sync::Arc;

impl Maker {
    pub(super) fn samples(&mut self, design: &mut Design) {
        let entities: Vec<(EntityId, Arc<Entity>)> = design
            .entities
            .iter()
            .map(|(id, entity)| (*id, entity.clone()))
            .collect();
        for (id, entity) in entities {
            let mut samples = Vec::new();
            for _ in 0..self.below(5) {
                let mut values = Values::new();
                for attribute in &entity.attributes {
                    let value = match self.below(8) {
                        0 => continue,
                        1 => self.any_value(2),
                        _ => self.value(attribute.kind, 2),
                    };
                    values.insert(attribute.name.clone(), value);
                }
                if self.one_in(8) {
                    values.insert(self.text(), self.any_value(2));
                }
                samples.push(Arc::new(Sample {
                    id: SampleId(design.take_id()),
                    values,
                }));
            }
            if !samples.is_empty() {
                design.samples.insert(id, Arc::new(samples));
            }
        }
    }

    fn number(&mut self) -> Value {
        const NUMBERS: [&str; 8] = [
            "0",
            "7",
            "-1",
            "1.50",
            "12345678901234567890123456789012345678",
            "1E+125",
            "-0.00000000000000000000000000000000000001",
            "9007199254740993",
        ];
        Value::N(self.of(&NUMBERS).parse().expect("a number"))
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(5)).map(|_| self.below(256) as u8).collect()
    }

    /// A value of this type, with at most this nesting depth.
    fn value(&mut self, kind: AttributeType, depth: usize) -> Value {
        match kind {
            AttributeType::S => match self.below(6) {
                0 => Value::S("2026-03-01T10:00:00Z".to_owned()),
                1 => Value::S("abc-1".to_owned()),
                _ => Value::S(self.text()),
            },
            AttributeType::N => self.number(),
            AttributeType::B => Value::B(self.bytes()),
            AttributeType::Bool => Value::Bool(self.one_in(2)),
            AttributeType::Null => Value::Null,
            AttributeType::L => {
                Value::L((0..self.below(3)).map(|_| self.any_value(depth)).collect())
            }
            AttributeType::M => Value::M(
                (0..self.below(3))
                    .map(|_| (self.text(), self.any_value(depth)))
                    .collect(),
            ),
            AttributeType::Ss => Value::Ss((0..=self.below(3)).map(|_| self.text()).collect()),
            AttributeType::Ns => {
                let numbers = (0..=self.below(3)).filter_map(|_| match self.number() {
                    Value::N(number) => Some(number),
                    _ => None,
                });
                Value::Ns(numbers.collect())
            }
            AttributeType::Bs => Value::Bs((0..=self.below(3)).map(|_| self.bytes()).collect()),
        }
    }

    pub(super) fn any_value(&mut self, depth: usize) -> Value {
        let kinds: &[AttributeType] = if depth == 0 {
            &AttributeType::ALL[..5]
        } else {
            &AttributeType::ALL
        };
        let kind = kinds[self.below(kinds.len())];
        self.value(kind, depth.saturating_sub(1))
    }
}

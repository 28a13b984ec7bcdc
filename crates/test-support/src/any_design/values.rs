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

    /// Gives some attributes a sample format, which may lead to any attribute or to an entity that is gone.
    pub(super) fn formats(&mut self, design: &mut Design) {
        let attributes: Vec<(EntityId, usize, String)> = (design.entities.iter())
            .flat_map(|(id, entity)| {
                let names = entity.attributes.iter().enumerate();
                names.map(|(at, attribute)| (*id, at, attribute.name.clone()))
            })
            .collect();
        for (id, at, _) in &attributes {
            if !self.one_in(3) {
                continue;
            }
            let (target, _, name) = &attributes[self.below(attributes.len())];
            let target = match self.one_in(8) {
                true => EntityId(design.take_id()),
                false => *target,
            };
            let entity = design.entities.get_mut(id).expect("an entity");
            let attribute = &mut Arc::make_mut(entity).attributes[*at];
            attribute.format = Some(self.format(attribute.kind, target, name));
        }
    }

    fn format(&mut self, kind: AttributeType, entity: EntityId, attribute: &str) -> Format {
        let range = match self.below(3) {
            0 => ("2026-01-01", "2026-06-30"),
            1 => ("2026-01-01T08:00:00Z", "2026-06-30T20:00:00Z"),
            _ => ("2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        };
        let (from, to) = (range.0.to_owned(), range.1.to_owned());
        match self.below(16) {
            0 => Format::Ulid,
            1 => Format::Ksuid,
            2 => Format::Uuid,
            3 => Format::Email,
            4 => Format::PersonName,
            5 => Format::Company,
            6 => Format::Word,
            7 => Format::Sentence,
            8 => Format::Date { from, to },
            9 => Format::Timestamp { from, to },
            10 => Format::Integer {
                min: -(self.below(10) as i64),
                max: self.below(1000) as i64,
            },
            11 => Format::Decimal {
                min: "-0.5".to_owned(),
                max: self.of(&["1", "99.95", "0"]).to_owned(),
                places: self.below(4) as u8,
            },
            12 => Format::OneOf(
                (0..self.below(4))
                    .map(|_| Choice {
                        value: match self.below(4) {
                            0 => self.any_value(1),
                            _ => self.value(kind, 1),
                        },
                        weight: 1 + self.below(3) as u32,
                    })
                    .collect(),
            ),
            13 => Format::Constant(self.value(kind, 1)),
            14 => Format::Sequence {
                prefix: self.of(&["", "t_", "a b", "9", "\""]).to_owned(),
                start: self.below(200) as u64,
                digits: self.below(6) as u8,
            },
            _ => Format::Reference {
                entity,
                attribute: attribute.to_owned(),
                distribution: match self.one_in(3) {
                    true => Distribution::Skewed,
                    false => Distribution::Uniform,
                },
            },
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

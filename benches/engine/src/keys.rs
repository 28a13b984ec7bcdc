//! Rendering the keys of the e-commerce pattern's Order: two of the table, two of an index.

use crate::now;
use keyfold::domain::model::{AttributeType, DelimiterPolicy, Value, map_of};
use keyfold::domain::template::{self, Template};
use std::collections::BTreeMap;

/// The key attributes and their templates.
const TEMPLATES: [(&str, &str); 4] = [
    ("PK", "USER#{userId}"),
    ("SK", "ORDER#{orderId}"),
    ("GSI1PK", "STATUS#{status}"),
    ("GSI1SK", "{createdAt}"),
];

/// Orders and the templates of their keys.
pub struct Keys {
    templates: Vec<Template>,
    policy: DelimiterPolicy,
    orders: Vec<BTreeMap<String, Value>>,
}

impl Keys {
    /// This many orders, the same as `orders` in `benches/keys/electrodb.mjs` makes.
    pub fn new(orders: u32) -> Keys {
        let order = |row: u32| {
            let day = row % 28 + 1;
            let values = [
                ("userId", format!("{:06}", row % 997)),
                ("orderId", format!("{row:08}")),
                (
                    "status",
                    ["PENDING", "PAID", "SHIPPED"][row as usize % 3].into(),
                ),
                ("createdAt", format!("2024-11-{day:02}T10:30:00Z")),
            ];
            map_of(values.map(|(name, text)| (name.to_owned(), Value::S(text))))
        };
        Keys {
            templates: TEMPLATES
                .iter()
                .map(|(_, text)| template::parse(text).template)
                .collect(),
            policy: DelimiterPolicy::default(),
            orders: (0..orders).map(order).collect(),
        }
    }

    fn keys(&self, mut each: impl FnMut(Value)) {
        for order in &self.orders {
            let lookup = |name: &str| order.get(name);
            for template in &self.templates {
                let key =
                    template::render_value(template, AttributeType::S, &self.policy, &lookup, 1024);
                each(key.expect("it has all values"));
            }
        }
    }

    /// All keys, one a line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.keys(|key| {
            text.push_str(&key.to_text());
            text.push('\n');
        });
        text
    }

    /// Renders all keys again and again for about this long; how many it were in a second, in millions.
    pub fn rate(&self, milliseconds: f64) -> f64 {
        let start = now();
        let mut count = 0u64;
        while now() - start < milliseconds {
            self.keys(|key| {
                std::hint::black_box(&key);
                count += 1;
            });
        }
        count as f64 / (now() - start) / 1000.0
    }
}

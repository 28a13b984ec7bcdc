//! Rendering the keys of the e-commerce pattern's Order: two of the table, two of an index.

use crate::now;
use keyfold_core::model::{DelimiterPolicy, Value};
use keyfold_core::template::{self, Template};

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
    orders: Vec<Order>,
}

struct Order {
    user: Value,
    order: Value,
    status: Value,
    created: Value,
}

impl Order {
    fn get(&self, name: &str) -> Option<&Value> {
        match name {
            "userId" => Some(&self.user),
            "orderId" => Some(&self.order),
            "status" => Some(&self.status),
            "createdAt" => Some(&self.created),
            _ => None,
        }
    }
}

impl Keys {
    /// This many orders, the same as `orders` in `benches/keys/electrodb.mjs` makes.
    pub fn new(orders: u32) -> Keys {
        let order = |row: u32| {
            let day = row % 28 + 1;
            Order {
                user: Value::S(format!("{:06}", row % 997)),
                order: Value::S(format!("{row:08}")),
                status: Value::from(["PENDING", "PAID", "SHIPPED"][row as usize % 3]),
                created: Value::S(format!("2024-11-{day:02}T10:30:00Z")),
            }
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

    /// Each key as a text of its own, rendered as the engine does.
    fn keys(&self, mut each: impl FnMut(String)) {
        let mut buffer = String::new();
        for order in &self.orders {
            let lookup = |name: &str| order.get(name);
            for template in &self.templates {
                buffer.clear();
                let done = template::render_into(template, &self.policy, &lookup, &mut buffer);
                done.expect("it has all values");
                each(buffer.as_str().to_owned());
            }
        }
    }

    /// All keys, one a line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.keys(|key| {
            text.push_str(&key);
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

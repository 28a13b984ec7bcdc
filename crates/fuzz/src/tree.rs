//! Mutates JSON as a tree, which leaves many designs valid.

use crate::mutate::{NUMBERS, TEXTS};
use crate::random::Random;
use serde_json::Value;

/// A template text that is expensive to analyze.
fn expensive(random: &mut Random) -> String {
    let many = random.below(3000);
    match random.below(7) {
        0 => format!("{{a}}{}{{b}}", "a".repeat(many)),
        1 => format!("ITEM#{{itemId}}{}", "a".repeat(many)),
        2 => "{a}{b}{c}".repeat(many / 30),
        3 => format!("X#{{a:{}}}", vec!["upper|lower"; many % 30 + 1].join("|")),
        4 => format!("{{a:first(2048)|upper|first({})}}#", many % 2048 + 1),
        5 => format!("{}{{a}}", "ab".repeat(many)),
        _ => "#".repeat(many),
    }
}

/// Collects the JSON pointers of all nodes of a tree.
fn pointers(value: &Value, path: &mut String, all: &mut Vec<String>) {
    all.push(path.clone());
    let mut go = |key: &str, value: &Value| {
        let length = path.len();
        path.push('/');
        path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        pointers(value, path, all);
        path.truncate(length);
    };
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                go(&at.to_string(), item);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                go(key, value);
            }
        }
        _ => {}
    }
}

/// Changes one place of a tree.
pub fn mutate(root: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    pointers(root, &mut String::new(), &mut all);
    let other = &all[random.below(all.len())];
    let copy = root.pointer(other).cloned().unwrap_or_default();
    // Most mutations change a text, which leaves most designs valid.
    if random.below(2) == 0 {
        all.retain(|path| root.pointer(path).is_some_and(Value::is_string));
        let Some(path) = all.get(random.below(all.len())) else {
            return;
        };
        if let Some(Value::String(text)) = root.pointer_mut(path) {
            mutate_text(text, &copy, random);
        }
        return;
    }
    let Some(node) = root.pointer_mut(&all[random.below(all.len())]) else {
        return;
    };
    let number = random.pick(&NUMBERS);
    let number: Value = serde_json::from_str(number).unwrap_or_default();
    match (random.below(8), node) {
        (0, node) => *node = copy,
        (1, Value::Array(items)) if !items.is_empty() => {
            let item = items[random.below(items.len())].clone();
            items.push(item);
        }
        (1, Value::Object(members)) => {
            members.insert(random.pick(&TEXTS).to_owned(), copy);
        }
        (2, Value::Array(items)) if !items.is_empty() => {
            drop(items.remove(random.below(items.len())));
        }
        (2, Value::Object(members)) if !members.is_empty() => {
            let key = members.keys().nth(random.below(members.len())).cloned();
            members.remove(&key.unwrap_or_default());
        }
        (3, Value::Array(items)) => items.reverse(),
        (4, node) => *node = number,
        (5, node) => *node = Value::Null,
        (6, node) => *node = Value::String(random.pick(&TEXTS).to_owned()),
        (7, node) => *node = Value::Array(vec![copy; random.below(4)]),
        _ => {}
    }
}

fn mutate_text(text: &mut String, copy: &Value, random: &mut Random) {
    match random.below(8) {
        0 | 1 => *text = random.pick(&TEXTS).to_owned(),
        2 => text.push_str(random.pick(&TEXTS)),
        3 => *text = expensive(random),
        4 => *text = text.repeat(random.below(40)),
        5 => text.truncate(text.floor_char_boundary(random.below(text.len() + 1))),
        6 => text.insert_str(0, &expensive(random)),
        _ => {
            if let Value::String(copied) = copy {
                text.clone_from(copied);
            }
        }
    }
}

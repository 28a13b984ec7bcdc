//! The path of a text position in a JSON document: `entities.e3.attributes[0].type`. The JSON reader reports only line
//! and column; tracking the path while reading would double the code of the whole model.

use super::error::FilePosition;
use crate::model::SortedSet;

/// The path of a text position.
pub(super) struct Spot {
    steps: Vec<String>,
    /// Whether the position is after a field's name and before its value.
    pub is_name: bool,
}

impl Spot {
    /// The object or list that contains the position.
    pub fn parent(mut self) -> Spot {
        self.steps.pop();
        self
    }

    /// The path for display; empty for the document itself.
    pub fn path(&self) -> String {
        let path = self.steps.concat();
        path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
    }
}

/// What the last token before `place` belongs to.
pub(super) fn spot_at(text: &str, place: FilePosition) -> Spot {
    let before = text
        .split_inclusive('\n')
        .take(place.line.saturating_sub(1));
    let offset = before.map(str::len).sum::<usize>() + place.column;
    let mut walk = Walk::default();
    walk.run(text, offset);
    Spot {
        steps: walk.open.iter().filter_map(Open::step).collect(),
        is_name: walk.is_name,
    }
}

/// Finds a name that occurs twice in one object. The reader would silently keep the last one, so a bad merge of a
/// design file would lose an entity. `text` must be JSON.
pub(super) fn duplicated_name(text: &str) -> Option<(String, Spot, FilePosition)> {
    let mut walk = Walk::default();
    let name = walk.run(text, text.len())?;
    let before = &text.as_bytes()[..walk.end];
    let mut lines = before.split(|&byte| byte == b'\n');
    let place = FilePosition {
        line: lines.clone().count(),
        column: lines.next_back().map_or(0, <[u8]>::len),
    };
    let steps = walk.open.iter().filter_map(Open::step).collect();
    let is_name = false;
    Some((name, Spot { steps, is_name }.parent(), place))
}

/// An object or a list that contains the current position.
enum Open {
    Object {
        /// The current field.
        name: Option<String>,
        names: SortedSet<String>,
        duplicated: bool,
    },
    List(usize),
}

impl Open {
    fn step(&self) -> Option<String> {
        match self {
            Open::Object { name, .. } => name.as_ref().map(|name| format!(".{name}")),
            Open::List(index) => Some(format!("[{index}]")),
        }
    }

    /// The duplicated name, once its second value has been read.
    fn duplicated(&self) -> Option<String> {
        match self {
            Open::Object {
                name, duplicated, ..
            } if *duplicated => name.clone(),
            _ => None,
        }
    }
}

/// A walk over the tokens of a text. After a JSON syntax error the result is meaningless but harmless.
#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    /// End of the last token.
    end: usize,
    is_name: bool,
    name_is_due: bool,
}

impl Walk {
    /// Reads all tokens that start before `until`; stops at a name that occurs twice in one object.
    fn run(&mut self, text: &str, until: usize) -> Option<String> {
        let bytes = text.as_bytes();
        while let Some(start) = (self.end..until.min(bytes.len()))
            .find(|&i| !matches!(bytes[i], b' ' | b'\t' | b'\r' | b'\n'))
        {
            let first = bytes[start];
            if matches!(first, b',' | b'}')
                && let Some(name) = self.open.last().and_then(Open::duplicated)
            {
                // Where the JSON reader is after it has read the value.
                self.end = start + usize::from(first == b'}');
                return Some(name);
            }
            self.end = start + length(&bytes[start..]);
            self.is_name = first == b'"' && self.name_is_due;
            self.take(first, &text[start..self.end]);
        }
        None
    }

    fn take(&mut self, first: u8, token: &str) {
        match first {
            b'{' => self.open.push(Open::Object {
                name: None,
                names: SortedSet::new(),
                duplicated: false,
            }),
            b'[' => self.open.push(Open::List(0)),
            b'}' | b']' => {
                self.open.pop();
            }
            _ => {}
        }
        match self.open.last_mut() {
            Some(Open::List(index)) if first == b',' => *index += 1,
            Some(Open::Object {
                name,
                names,
                duplicated,
            }) if self.is_name => {
                let read = serde_json::from_str(token).unwrap_or_else(|_| token.to_owned());
                *duplicated = !names.insert(read.clone());
                *name = Some(read);
            }
            _ => {}
        }
        let in_object = matches!(self.open.last(), Some(Open::Object { .. }));
        self.name_is_due = in_object && matches!(first, b'{' | b',');
    }
}

/// Length in bytes of the token at the start; always whole characters.
fn length(bytes: &[u8]) -> usize {
    match bytes[0] {
        b'"' => {
            let mut escaped = false;
            let end = bytes[1..].iter().position(|&byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end.map_or(bytes.len(), |end| end + 2)
        }
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        _ => {
            let end = bytes
                .iter()
                .position(|byte| b" \t\r\n{}[],:\"".contains(byte));
            end.unwrap_or(bytes.len())
        }
    }
}

//! Updates rendered keys after an edit of one literal.

use super::ast::{Segment, Template};
use super::delimiter_policy::DelimiterPolicy;

/// Turns the rendered texts of one template into those of another that differs in one literal, without rendering any
/// value again.
#[derive(Debug, Clone, Copy)]
pub struct Splice<'a> {
    /// The old literal and the new one. Either may be empty.
    literals: [&'a str; 2],
    place: LiteralPosition,
}

/// Where the literal is in a text.
#[derive(Debug, Clone, Copy)]
enum LiteralPosition {
    Start,
    End,
    /// This many bytes before a delimiter that has this many delimiters before it: values contain none.
    Before {
        delimiter: u8,
        back: usize,
        others: usize,
    },
}

impl<'a> Splice<'a> {
    /// The splice from one template's texts to another's, both under the same policy. `None` if the templates differ in
    /// more than one literal, or if the literal cannot be located in a text.
    pub fn between(
        old: &'a Template,
        new: &'a Template,
        policy: &DelimiterPolicy,
    ) -> Option<Splice<'a>> {
        if policy.exempts(old) != policy.exempts(new) {
            return None;
        }
        let delimiter = match policy.delimiter.as_bytes() {
            [delimiter] => Some(*delimiter),
            _ => None,
        };
        let (mut left, mut right) = (&old.segments[..], &new.segments[..]);
        // The difference, and the number of delimiters in the literals so far.
        let mut found: Option<Splice> = None;
        let mut others = 0;
        for number in 0.. {
            let literals = [literal(&mut left), literal(&mut right)];
            if literals[0] != literals[1] {
                if found.is_some() {
                    return None;
                }
                let place = match delimiter {
                    _ if number == 0 => LiteralPosition::Start,
                    _ if left.is_empty() => LiteralPosition::End,
                    None => return None,
                    Some(delimiter) => LiteralPosition::Before {
                        delimiter,
                        back: literals[0].bytes().position(|byte| byte == delimiter)?,
                        others,
                    },
                };
                found = Some(Splice { literals, place });
            }
            let is_delimiter = |byte: &u8| Some(*byte) == delimiter;
            others += literals[0].bytes().filter(is_delimiter).count();
            match (left, right) {
                ([], []) => break,
                (
                    [Segment::Placeholder(one), tail @ ..],
                    [Segment::Placeholder(other), rest @ ..],
                ) if one.attribute == other.attribute && one.modifiers == other.modifiers => {
                    (left, right) = (tail, rest);
                }
                _ => return None,
            }
        }
        found
    }

    /// By how many bytes the texts grow.
    pub fn growth(&self) -> isize {
        self.literals[1].len() as isize - self.literals[0].len() as isize
    }

    /// The new text, in three pieces, from the old text.
    #[inline(always)]
    pub fn apply<'t>(&self, text: &'t str) -> Option<[&'t str; 3]>
    where
        'a: 't,
    {
        let start = match self.place {
            LiteralPosition::Start => 0,
            LiteralPosition::End => text.len().checked_sub(self.literals[0].len())?,
            LiteralPosition::Before {
                delimiter,
                back,
                others,
            } => {
                let mut all = (text.bytes().enumerate()).filter(|(_, byte)| *byte == delimiter);
                all.nth(others)?.0.checked_sub(back)?
            }
        };
        let rest = text.get(start + self.literals[0].len()..)?;
        Some([text.get(..start)?, self.literals[1], rest])
    }
}

/// Takes the next literal; returns an empty text if there is none.
fn literal<'a>(segments: &mut &'a [Segment]) -> &'a str {
    match segments {
        [Segment::Literal { text, .. }, tail @ ..] => {
            *segments = tail;
            text
        }
        _ => "",
    }
}

//! What an edit of one literal changes in the texts that were rendered before it.

use super::ast::{Segment, Template};
use super::modifier::Modifier;
use super::policy::DelimiterPolicy;

/// How the texts of a template become those of another one, which differs from it in one literal: no value has to be
/// rendered again.
#[derive(Debug, Clone, Copy)]
pub struct Splice<'a> {
    /// The literal as it was; it may have been empty, and so may the new one.
    old: &'a str,
    new: &'a str,
    place: Place,
}

/// Where the literal is in a text.
#[derive(Debug, Clone, Copy)]
enum Place {
    Start,
    End,
    /// So many bytes before a delimiter, which so many others come before: a value has none.
    Before {
        delimiter: u8,
        back: usize,
        others: usize,
    },
}

impl<'a> Splice<'a> {
    /// From the texts of one template to those of another, both of the same policy; `None` if they differ in more than
    /// a literal, or if it is not known where in a text that is.
    pub fn between(
        old: &'a Template,
        new: &'a Template,
        policy: &DelimiterPolicy,
    ) -> Option<Splice<'a>> {
        let ((literals, values), (others, new_values)) = (parts(old)?, parts(new)?);
        if values != new_values || policy.exempts(old) != policy.exempts(new) {
            return None;
        }
        let both = || literals.iter().zip(&others);
        let at = both().position(|(old, new)| old != new)?;
        if both().skip(at + 1).any(|(old, new)| old != new) {
            return None;
        }
        let place = match (at, policy.delimiter.as_bytes()) {
            (0, _) => Place::Start,
            (at, _) if at == values.len() => Place::End,
            (_, [delimiter]) => {
                let is_one = |byte: &u8| byte == delimiter;
                let all = |literal: &&str| literal.bytes().filter(is_one).count();
                Place::Before {
                    delimiter: *delimiter,
                    back: literals[at].bytes().position(|byte| is_one(&byte))?,
                    others: literals[..at].iter().map(all).sum(),
                }
            }
            _ => return None,
        };
        Some(Splice {
            old: literals[at],
            new: others[at],
            place,
        })
    }

    /// By how many bytes the texts grow.
    pub fn growth(&self) -> isize {
        self.new.len() as isize - self.old.len() as isize
    }

    /// A text of the new template in three pieces, from that of the old one.
    #[inline(always)]
    pub fn apply<'t>(&self, text: &'t str) -> Option<[&'t str; 3]>
    where
        'a: 't,
    {
        let start = match self.place {
            Place::Start => 0,
            Place::End => text.len().checked_sub(self.old.len())?,
            Place::Before {
                delimiter,
                back,
                others,
            } => {
                let mut all = (text.bytes().enumerate()).filter(|(_, byte)| *byte == delimiter);
                all.nth(others)?.0.checked_sub(back)?
            }
        };
        let rest = text.get(start + self.old.len()..)?;
        Some([text.get(..start)?, self.new, rest])
    }
}

/// The literals of a template, one before, between and after its placeholders each, and what these give; `None` if the
/// template is broken.
type Parts<'a> = (Vec<&'a str>, Vec<(&'a str, &'a [Modifier])>);

fn parts(template: &Template) -> Option<Parts<'_>> {
    let mut literals = vec![""];
    let mut values = Vec::new();
    for segment in &template.segments {
        match segment {
            Segment::Literal { text, .. } => *literals.last_mut()? = text,
            Segment::Placeholder(placeholder) => {
                values.push((placeholder.attribute.as_str(), &placeholder.modifiers[..]));
                literals.push("");
            }
            Segment::Broken { .. } => return None,
        }
    }
    Some((literals, values))
}

//! The text after an edit of its design. Only the lines whose meaning changed are written anew: comments, empty lines and
//! the order of the text stay.

mod blocks;
mod comments;
mod lines;
mod pairs;
mod places;
mod rows;

pub use blocks::{TextEdit, Update, update};

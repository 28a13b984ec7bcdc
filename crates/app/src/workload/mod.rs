//! The workload as the user writes it: figures as text ([`figures`]), the fields of forms ([`fields`]), and one table of
//! all access patterns and entities ([`table`]), which takes pasted rows of a spreadsheet ([`paste`]). What costs follow
//! from it is not here.

pub mod fields;
pub mod figures;
pub mod paste;
pub mod table;

//! The options of the exports.

use super::super::cursor::Cursor;
use super::super::keywords::{self, EXPORT_FLAGS};
use super::super::statement::Statement;
use super::blocks::Lower;
use super::table::attribute_name;
use crate::model::TenantAttribute;
use std::sync::Arc;

impl Lower<'_> {
    pub(super) fn exports(&mut self, blocks: &[&Statement]) {
        let Some(block) = self.only(blocks, "exports") else {
            return;
        };
        self.key(block, "exports");
        Cursor::after(block, 1, &self.problems).finish();
        let mut options = (*self.design.export_options).clone();
        for line in &block.children {
            let mut cursor = Cursor::after(line, 1, &self.problems);
            let word = keywords::normal(line.word());
            let before = options.clone();
            let flag = EXPORT_FLAGS.iter().find(|(name, ..)| *name == word);
            match (flag, word.as_str()) {
                (Some((_, field, _)), _) => *field(&mut options) = true,
                (None, "tenant") if cursor.word("none") => {
                    options.tenant = TenantAttribute::Nobody;
                }
                (None, "tenant") => {
                    if let Some(name) = attribute_name(&mut cursor) {
                        options.tenant = TenantAttribute::Attribute(name.text);
                    }
                }
                (None, "tenant-tag") => {
                    options.tenant_tag = cursor.name("the name of a tag").map(|tag| tag.text);
                }
                (None, _) => {
                    let message = format!("unknown export option `{}`", line.word());
                    cursor.error(line.code(), message);
                }
            }
            cursor.finish();
            if let Err((_, error)) = options.check() {
                cursor.error(line.code(), error.to_string());
            }
            if cursor.failed {
                options = before;
            } else {
                self.key(line, word);
            }
        }
        self.design.export_options = Arc::new(options);
    }
}

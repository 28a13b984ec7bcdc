//! The options of the exports.

use super::super::cursor::Cursor;
use super::super::keywords;
use super::super::statement::Statement;
use super::Lower;
use super::table::attribute_name;
use crate::model::TenantAttribute;
use std::sync::Arc;

impl Lower<'_> {
    pub(super) fn exports(&mut self, blocks: &[&Statement]) {
        let Some(block) = self.only(blocks, "exports") else {
            return;
        };
        self.key(block, "exports");
        Cursor::after(block, 1, &mut self.problems).finish();
        let mut options = (*self.design.export_options).clone();
        for line in &block.children {
            let mut cursor = Cursor::after(line, 1, &mut self.problems);
            let word = keywords::normal(line.word());
            let before = options.clone();
            match word.as_str() {
                "delete-with-stack" => options.delete_with_stack = true,
                "tenant-policy" => options.tenant_policy = true,
                "read-only" => options.read_only = true,
                "live-functions" => options.live_functions = true,
                "without-tests" => options.without_tests = true,
                "without-sdk" => options.without_sdk = true,
                "without-picture" => options.without_picture = true,
                "without-findings" => options.without_findings = true,
                "without-samples" => options.without_samples = true,
                "tenant" => match cursor.word("none") {
                    true => options.tenant = TenantAttribute::Nobody,
                    false => {
                        if let Some(name) = attribute_name(&mut cursor) {
                            options.tenant = TenantAttribute::Attribute(name.text);
                        }
                    }
                },
                "tenant-tag" => {
                    options.tenant_tag = cursor.name("the name of a tag").map(|tag| tag.text);
                }
                _ => {
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

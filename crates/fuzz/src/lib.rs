//! Fuzz targets: a function for each reader of Keyfold that takes bytes of strangers. The folder `fuzz` hands them to
//! cargo-fuzz; [`run`] tries a number of inputs on stable Rust, always the same ones.
//!
//! A target panics if a reader breaks its promise: it panics itself, returns an invalid design, or does not read back what
//! it wrote.

#![warn(missing_docs)]

mod cpu_time;
mod memory;
mod mutate;
mod random;
mod run;
mod seeds;
mod targets;
mod tree;

pub use run::{Failure, Report, run};
pub use targets::{
    csv, design, dynamodb_json, expression, import, link, partiql, template, text, yaml,
};

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// The name, also of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Tries an input. Returns whether its reader accepted it.
    pub run: fn(&[u8]) -> bool,
    /// The folders with its seeds, from the root of the repository.
    seeds: &'static [&'static str],
    /// Words that a mutation puts in.
    words: &'static [&'static str],
}

impl Target {
    /// The input with this number.
    pub fn input(&self, number: u64) -> Vec<u8> {
        mutate::input(self, &seeds::read(self), number)
    }
}

/// All targets.
pub const TARGETS: [Target; 10] = [
    Target {
        name: "design",
        run: design,
        seeds: &["fuzz/seeds/design", "crates/core/src/library/patterns"],
        words: &[],
    },
    Target {
        name: "link",
        run: link,
        seeds: &["fuzz/seeds/link"],
        words: &[
            "#v1.",
            "#v2.",
            ".",
            "https://example.com/",
            "AAAA",
            "__--",
            "00000000",
        ],
    },
    Target {
        name: "template",
        run: template,
        seeds: &["fuzz/seeds/template"],
        words: targets::TEMPLATE_WORDS,
    },
    Target {
        name: "expression",
        run: expression,
        seeds: &["fuzz/seeds/expression"],
        words: targets::EXPRESSION_WORDS,
    },
    Target {
        name: "partiql",
        run: partiql,
        seeds: &["fuzz/seeds/partiql"],
        words: targets::PARTIQL_WORDS,
    },
    Target {
        name: "csv",
        run: csv,
        seeds: &["fuzz/seeds/csv"],
        words: &[
            "\"",
            "\"\"",
            ",",
            ";",
            "\t",
            "\r\n",
            "\n",
            "pk",
            "sk",
            "{\"S\":\"a\"}",
            "[1]",
            "1e999",
        ],
    },
    Target {
        name: "dynamodb_json",
        run: dynamodb_json,
        seeds: &["fuzz/seeds/dynamodb_json"],
        words: targets::DYNAMODB_JSON_WORDS,
    },
    Target {
        name: "import",
        run: import,
        seeds: &["fuzz/seeds/import", "crates/import/tests/import/fixtures"],
        words: targets::IMPORT_WORDS,
    },
    Target {
        name: "yaml",
        run: yaml,
        seeds: &["fuzz/seeds/yaml"],
        words: targets::YAML_WORDS,
    },
    Target {
        name: "text",
        run: text,
        seeds: &["fuzz/seeds/text"],
        words: targets::TEXT_WORDS,
    },
];

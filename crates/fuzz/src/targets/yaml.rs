//! YAML, and the templates of CloudFormation in it.

use keyfold_app::export::read_version;
use keyfold_core::export::change_plan::{change_plan, text};
use keyfold_core::export::json;
use keyfold_core::export::tree::Node;
use keyfold_core::export::yaml_reader::{read, read_any};
use keyfold_core::library::find;

/// Words of YAML.
pub const YAML_WORDS: &[&str] = &[
    ": ",
    "- ",
    "\n  ",
    "\n",
    "  ",
    "'",
    "\"",
    "|",
    ">-",
    "|2",
    "&a ",
    "*a",
    "<<: *a",
    "!Ref ",
    "!Sub ",
    "!GetAtt ",
    "!!str ",
    "{",
    "}",
    "[",
    "]",
    "? ",
    "#",
    "---",
    "...",
    "%YAML 1.2",
    "~",
    "yes",
    "0x1F",
    ".inf",
    "\t",
    "Fn::If",
    "AWS::NoValue",
];

/// Reads YAML, strictly and as other tools write it, and plans updates from the table of a template.
pub fn yaml(data: &[u8]) -> bool {
    let source = &*String::from_utf8_lossy(data);
    if let Ok(Node::Map(map)) = read(source) {
        let written = json::document(&map).text;
        assert!(
            serde_json::from_str::<serde_json::Value>(&written).is_ok(),
            "{written}"
        );
    }
    if let Ok(old) = read_version(source, None) {
        let other = find("saas-multi-tenant").expect("in the library").json;
        let new = read_version(other, None).expect("a design");
        for (old, new) in [(&old, &new), (&new, &old)] {
            let plan = change_plan(old, new);
            let _ = text(&plan);
            for step in &plan.steps {
                let _ = step.template();
            }
        }
    }
    read_any(source).is_ok()
}

//! cfn-lint checks the exported templates: no errors, no warnings, no informational findings.

use keyfold_core::export::cloudformation::{Options, cloudformation_json, tree};
use keyfold_core::export::yaml::document;
use keyfold_core::library;
use keyfold_core::model::Design;
use keyfold_test_support::{key_designs, template_designs};
use std::path::{Path, PathBuf};
use std::process::Command;

/// All designs whose templates are checked, with file names.
pub fn judged() -> Vec<(String, Design)> {
    let own = template_designs::all().into_iter();
    let library = library::patterns().iter().map(|pattern| {
        let design = pattern.design().expect("the library can be read");
        (pattern.name.to_owned(), design)
    });
    let keys = [
        ("natural_keys".to_owned(), key_designs::natural_keys()),
        ("key_only".to_owned(), key_designs::key_only()),
    ];
    own.map(|(name, design)| (name.to_owned(), design))
        .chain(library)
        .chain(keys)
        .collect()
}

/// Finds a program through the variable `variable`, or on PATH.
pub fn program(variable: &str, name: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn cfn_lint() -> PathBuf {
    program("CFN_LINT", "cfn-lint").expect(
        "cfn-lint is not on PATH: run `source scripts/setup test`, or `pip install cfn-lint`, \
         or set CFN_LINT to the program",
    )
}

/// A Python with PyYAML: the one that cfn-lint is installed for, or `python3`.
pub fn python_with_yaml() -> PathBuf {
    let beside = |program: &Path| {
        let folder = program.parent().map(Path::to_path_buf).unwrap_or_default();
        [folder.join("python3"), folder.join("python")]
    };
    let lint = cfn_lint();
    let real = lint.canonicalize().unwrap_or_else(|_| lint.clone());
    beside(&lint)
        .into_iter()
        .chain(beside(&real))
        .chain([PathBuf::from("python3")])
        .find(|python| {
            let import = Command::new(python).args(["-c", "import yaml"]).output();
            import.is_ok_and(|output| output.status.success())
        })
        .expect("no Python with PyYAML: run `source scripts/setup test`, or `pip install pyyaml`")
}

/// One Region of each AWS partition with its own resource specification, and the Region that gets new features first.
const REGIONS: [&str; 4] = ["us-east-1", "eu-central-1", "us-gov-west-1", "cn-north-1"];

#[test]
fn templates_pass_cfn_lint_without_findings() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cfn_lint");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut templates = Vec::new();
    for (name, design) in judged() {
        let with = Options {
            tenant_policy: true,
        };
        let [plain, whole] = [Options::default(), with].map(|options| tree(&design, options));
        templates.push((name.clone(), document(&plain).text));
        if plain != whole {
            templates.push((format!("{name} tenants"), document(&whole).text));
        }
    }
    for (name, design) in template_designs::all() {
        templates.push((format!("{name} json"), cloudformation_json(&design).text));
    }
    // Include a broken template: if cfn-lint does not report it, the call is wrong.
    let broken = templates[0].1.replace("KeyType: RANGE", "KeyType: HASH");
    templates.push(("broken".into(), broken));
    let mut files = Vec::new();
    for (number, (name, text)) in templates.iter().enumerate() {
        let name = name.replace(|c: char| !c.is_alphanumeric(), "-");
        files.push(folder.join(format!("{number:02}-{name}.yaml")));
        std::fs::write(&files[number], text).unwrap();
    }
    // Turn on informational rules too.
    let output = Command::new(cfn_lint())
        .args([
            "--format",
            "parseable",
            "--include-checks",
            "I",
            "--regions",
        ])
        .args(REGIONS)
        .arg("--")
        .args(&files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let broken = files.last().unwrap().to_str().unwrap();
    let (wanted, unwanted): (Vec<&str>, Vec<&str>) =
        said.lines().partition(|line| line.starts_with(broken));
    assert!(unwanted.is_empty(), "{}", unwanted.join("\n"));
    assert!(!wanted.is_empty(), "the broken template passed");
}

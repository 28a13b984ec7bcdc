//! The exports in TypeScript: tsc type-checks them, ElectroDB and OneTable make the keys that the app renders, and the
//! CDK makes the table of our CloudFormation template.

use super::designs;
use keyfold::domain::export::Format;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs `tests/export_tools/judge.mjs` on the files of these designs and returns what it says, line by line.
fn judge(folder: &Path, expected: &Value) -> Vec<String> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_tools");
    assert!(
        tools.join("node_modules").is_dir(),
        "the libraries are not there: run `source scripts/setup test`, or `npm ci` in tests/export_tools"
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(tools.join("node_modules"), folder.join("node_modules")).unwrap();
    let options = json!({
        "compilerOptions": {
            "target": "es2022", "module": "nodenext", "strict": true, "noUnusedLocals": true,
            "skipLibCheck": true, "types": ["node"], "outDir": "js",
        },
        "include": ["*.ts"],
    });
    std::fs::write(folder.join("tsconfig.json"), options.to_string()).unwrap();
    std::fs::write(folder.join("package.json"), r#"{"type":"module"}"#).unwrap();
    std::fs::write(folder.join("expected.json"), expected.to_string()).unwrap();
    let output = Command::new("node")
        .arg(tools.join("judge.mjs"))
        .arg(folder)
        .output();
    let output = output.expect("node starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text.lines().map(str::to_owned).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn export(format: &str, design: &keyfold::domain::model::Design) -> String {
    let files = Format::named(format).expect("a format").files(design);
    files.into_iter().next().expect("a file").code.text
}

#[test]
fn the_libraries_make_our_keys_and_the_cdk_our_table() {
    let folder = folder("formats_script");
    let mut expected = serde_json::Map::new();
    for (name, design) in designs::all() {
        for format in ["electrodb", "onetable", "cdk"] {
            let file = folder.join(format!("{name}.{format}.ts"));
            std::fs::write(file, export(format, &design)).unwrap();
        }
        expected.insert(name, designs::items(&design));
    }
    let started = std::time::Instant::now();
    let said = judge(&folder, &expected.into());
    // This design's replica is in another part of the world than a strongly consistent table allows.
    let (wanted, unwanted): (Vec<_>, Vec<_>) = (said.into_iter()).partition(|line| {
        line.starts_with("cdk everything Region 'eu-west-1' is not in the same region set")
    });
    assert!(unwanted.is_empty(), "{}", unwanted.join("\n"));
    assert_eq!(wanted.len(), 1);
    let judged = std::fs::read_to_string(folder.join("judged.json")).unwrap();
    println!("{judged} {:?}", started.elapsed());
}

//! The TypeScript exports: tsc type-checks them, ElectroDB and OneTable render the same keys as the app, and the CDK
//! creates the table of our CloudFormation template.

use super::designs;
use keyfold_core::export::Format;
use keyfold_core::model::Design;
use keyfold_test_support::texts::read;
use keyfold_test_support::yaml_reader;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs `tests/export_tools/judge.mjs` on the files of these designs and returns its output, line by line.
fn judge(folder: &Path, expected: &Value) -> Vec<String> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_tools");
    assert!(
        tools.join("node_modules").is_dir(),
        "the libraries are missing: run `source scripts/setup test`, or `npm ci` in tests/export_tools"
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

fn export(format: &str, design: &Design) -> String {
    let files = Format::named(format).expect("a format").files(design);
    files.into_iter().next().expect("a file").code.text
}

/// Returns the omissions that a file reports.
fn left_out(name: &str, format: &str, text: &str) -> Vec<String> {
    let is_one = |line: &&str| {
        let is_comment = line.trim_start().starts_with("//");
        is_comment
            && (line.contains("is omitted") && !line.contains("Comments mark")
                || line.contains("// Not in "))
    };
    let lines = text.lines().filter(is_one);
    lines
        .map(|line| {
            format!(
                "{format}, {name}: {}",
                line.trim().trim_start_matches("// ")
            )
        })
        .collect()
}

#[test]
fn libraries_render_our_keys_and_the_cdk_our_table() {
    let folder = folder("formats_script");
    let mut expected = serde_json::Map::new();
    let mut missing = Vec::new();
    let designs = designs::hard();
    for (name, design) in &designs {
        for format in ["electrodb", "onetable", "cdk"] {
            let text = export(format, design);
            if !name.starts_with("random") && format != "cdk" {
                missing.extend(left_out(name, format, &text));
            }
            std::fs::write(folder.join(format!("{name}.{format}.ts")), text).unwrap();
        }
        expected.insert(name.clone(), designs::items(design));
    }
    // Include a file that is wrong in every way: if it is not reported, the check does not work.
    let (_, design) = &designs[0];
    for format in ["electrodb", "onetable", "cdk"] {
        let text = export(format, design).replace("TENANT#", "TENENT#");
        std::fs::write(
            folder.join(format!("wrong.{format}.ts")),
            text + "const wrong: number = \"\";\n",
        )
        .unwrap();
    }
    expected.insert("wrong".into(), designs::items(design));
    let (wrong, rest): (Vec<String>, Vec<String>) =
        (judge(&folder, &expected.into()).into_iter()).partition(|line| line.contains("wrong"));
    for format in ["electrodb", "onetable"] {
        assert!(
            wrong.iter().any(|line| line.starts_with(format)),
            "{}",
            wrong.join("\n")
        );
    }
    assert!(
        wrong
            .iter()
            .filter(|line| line.contains("error TS2322"))
            .count()
            >= 3,
        "{}",
        wrong.join("\n")
    );
    // A strongly consistent table does not support a replica in that Region.
    let of_design =
        |line: &&String| line.starts_with("cdk ") && line.contains("is not in the same region set");
    let (refused, unwanted): (Vec<&String>, Vec<&String>) = rest.iter().partition(of_design);
    assert!(unwanted.is_empty(), "{unwanted:#?}");
    assert!(
        refused
            .iter()
            .any(|line| line.starts_with("cdk everything "))
    );
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(folder.join(name)).expect("it is written");
        serde_json::from_str(&text).expect("JSON")
    };
    let judged = read("judged.json");
    for library in ["electrodb", "onetable"] {
        assert!(judged[library].as_u64() > Some(200), "{judged}");
    }
    assert!(judged["encoded"].as_u64() > Some(3), "{judged}");
    assert!(judged["refused"].as_u64() >= Some(34), "{judged}");
    let synthesized = read("synthesized.json");
    for (name, design) in designs
        .iter()
        .filter(|(_, design)| design.table.replicas.is_empty())
    {
        same_table(name, design, &synthesized[name]);
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("formats__left_out", missing.join("\n"));
    });
}

/// Compares the table of the CDK export with our CloudFormation template.
fn same_table(name: &str, design: &Design, theirs: &Value) {
    let ours = yaml_reader::read(&export("cloudformation", design));
    let of_kind = |template: &Value, kind: &str| -> Vec<Value> {
        let resources = template["Resources"]
            .as_object()
            .unwrap_or_else(|| panic!("{name}: {template}"));
        let all = resources
            .values()
            .filter(|resource| resource["Type"] == kind);
        all.cloned().collect()
    };
    let table = |template: &Value| {
        let mut table = of_kind(template, "AWS::DynamoDB::Table").remove(0);
        let properties = table["Properties"].as_object_mut().expect("properties");
        // A parameter in our template.
        properties.remove("TableName");
        // The default, explicit or not.
        properties.retain(|name, value| {
            (name.as_str(), &*value) != ("BillingMode", &json!("PROVISIONED"))
        });
        if let Some(encryption) = properties.get_mut("SSESpecification") {
            // An ARN in the CDK's template.
            let key = encryption
                .as_object_mut()
                .and_then(|sse| sse.remove("KMSMasterKeyId"));
            encryption["HasKey"] = json!(key.is_some());
            // The only type.
            encryption
                .as_object_mut()
                .and_then(|sse| sse.remove("SSEType"));
        }
        sorted(&mut table);
        table
    };
    assert_eq!(table(theirs), table(&ours), "{name}");
    let scaling = |template: &Value| {
        let mut all = Vec::new();
        for target in of_kind(template, "AWS::ApplicationAutoScaling::ScalableTarget") {
            let of = |member: &str| target["Properties"][member].clone();
            all.push(
                json!([
                    of("ScalableDimension"),
                    of("MinCapacity"),
                    of("MaxCapacity")
                ])
                .to_string(),
            );
        }
        for policy in of_kind(template, "AWS::ApplicationAutoScaling::ScalingPolicy") {
            let tracking = &policy["Properties"]["TargetTrackingScalingPolicyConfiguration"];
            all.push(tracking.to_string());
        }
        all.sort();
        all
    };
    assert_eq!(scaling(theirs), scaling(&ours), "{name}");
}

/// Sorts lists without a significant order; the order of keys is significant.
fn sorted(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(sorted);
            if !items.iter().any(|item| item.get("KeyType").is_some()) {
                items.sort_by_key(Value::to_string);
            }
        }
        Value::Object(members) => members.values_mut().for_each(sorted),
        _ => {}
    }
}

/// The export of a design with one entity that is in GSI1 under a condition.
fn with_condition(format: &str, condition: &str) -> String {
    export(
        format,
        &read(&format!(
            "design Orders

table orders (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity Order
  orderId string
  status string
  key ORDER#{{orderId}} / ORDER
  index GSI1 STATUS#{{status}} / {{orderId}} when {condition}
"
        )),
    )
}

/// ElectroDB knows no attribute that it writes itself: a condition on one would never hold.
#[test]
fn conditions_on_the_type_attribute_are_decided_by_the_export() {
    for format in ["electrodb", "onetable"] {
        let always = with_condition(format, "type = Order and status exists");
        assert!(!always.contains("item.type"), "{always}");
        assert!(always.contains("item.status !== undefined"), "{always}");
        assert!(!always.contains("Not in GSI1"), "{always}");
        let never = with_condition(format, "type = Customer");
        let note = "its condition on the type attribute never holds";
        assert!(never.contains(note), "{never}");
    }
    let replaced = with_condition("electrodb", "PK exists");
    let note = "Not in GSI1: its condition is on PK, which is not an attribute in ElectroDB.";
    assert!(replaced.contains(note), "{replaced}");
}

/// The app checks for the delimiter after `lower` and `upper`.
#[test]
fn a_delimiter_of_letters_is_found_whatever_its_case_where_the_key_changes_it() {
    let text = |template: &str| {
        export(
            "electrodb",
            &read(&format!(
                "design Songs\n\ntable songs (PK, SK)\n  delimiter xx\n\n\
                 entity Song\n  title string\n  key SONGxx{template} / SONG\n"
            )),
        )
    };
    let exact = text("{title}");
    assert!(exact.contains("validate: /^(?![^]*xx)/ }"), "{exact}");
    for template in ["{title:lower}", "{title:upper}"] {
        let text = text(template);
        assert!(text.contains("validate: /^(?![^]*xx)/i }"), "{text}");
    }
}

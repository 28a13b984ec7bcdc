//! Runs `keyfold export` as a user does.

use super::process::{file, folder, output, refused, run};
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_core::export::{FORMATS, cloudformation::cloudformation, rust::rust};
use keyfold_core::library::find;
use keyfold_core::slices::finish;

#[test]
fn an_export_goes_to_standard_output_or_to_a_file() {
    let design = find("multi-branch-finance")
        .expect("in the library")
        .design()
        .expect("sound");
    let exports = [
        ("cloudformation", cloudformation(&design).text),
        ("rust", finish(rust(&design)).text),
        ("svg", svg(&design, PictureOptions::default())),
    ];
    for (format, expected) in exports {
        let arguments = ["export", "pattern:multi-branch-finance", "--to", format];
        assert_eq!(output(&arguments, ""), expected);
        let path =
            std::env::temp_dir().join(format!("keyfold-cli-{}-{format}", std::process::id()));
        let to_file = [
            arguments.as_slice(),
            &["--out", path.to_str().expect("UTF-8")],
        ]
        .concat();
        assert_eq!(output(&to_file, ""), "");
        assert_eq!(
            std::fs::read_to_string(&path).expect("it is there"),
            expected
        );
        std::fs::remove_file(path).expect("and removed");
    }
}

#[test]
fn a_picture_may_be_dark() {
    let design = find("multi-branch-finance")
        .expect("in the library")
        .design()
        .expect("sound");
    let arguments = [
        "export",
        "pattern:multi-branch-finance",
        "--dark",
        "--to",
        "svg",
    ];
    let dark = PictureOptions {
        dark: true,
        ..PictureOptions::default()
    };
    assert_eq!(output(&arguments, ""), svg(&design, dark));
}

#[test]
fn exports_are_printed_or_written() {
    for (format, word) in [
        ("cloudformation", "AWS::DynamoDB::Table"),
        ("rust", "pub struct"),
    ] {
        let arguments = ["export", "pattern:saas-multi-tenant", "--to", format];
        let printed = output(&arguments, "");
        assert!(printed.contains(word), "{printed}");

        let path = std::env::temp_dir().join(format!("keyfold-{}-{format}", std::process::id()));
        let file = path.to_str().expect("UTF-8");
        assert_eq!(output(&[&arguments[..], &["--out", file]].concat(), ""), "");
        assert_eq!(std::fs::read_to_string(&path).expect("written"), printed);
        std::fs::remove_file(path).expect("removed");
    }
}

#[test]
fn every_format_is_printed_or_written_to_a_folder() {
    let name = "multi-branch-finance";
    let design = find(name).expect("in the library").design().expect("sound");
    for format in FORMATS {
        let arguments = [
            "export",
            "pattern:multi-branch-finance",
            "--to",
            format.name,
        ];
        let files = format.files(&design);
        let (code, out, err) = run(&arguments, "");
        match files.as_slice() {
            [only] => {
                assert_eq!((code, out), (0, only.code.text.clone()));
                // The policy says which indexes it leaves out.
                let is_policy = format.name == "iam";
                assert_eq!(err.contains("Not allowed: queries of GSI1"), is_policy);
                assert_eq!(err.is_empty(), !is_policy, "{err}");
            }
            _ => {
                assert_eq!((code, out.as_str()), (2, ""));
                assert!(
                    err.contains("Name a folder or a .zip file with --out"),
                    "{err}"
                );
            }
        }
        if !format.is_folder() {
            continue;
        }
        let folder =
            std::env::temp_dir().join(format!("keyfold-{}-{}", std::process::id(), format.name));
        let to_folder = [&arguments[..], &["--out", folder.to_str().expect("UTF-8")]].concat();
        assert_eq!(output(&to_folder, ""), "");
        for file in files {
            let text = std::fs::read_to_string(folder.join(&file.name)).expect("it is there");
            assert_eq!(text, file.code.text, "{}", file.name);
        }
        std::fs::remove_dir_all(folder).expect("and removed");
    }
}

#[test]
fn a_policy_that_cannot_isolate_tenants_has_a_remark() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../core/tests/fixtures/iam-prefix.keyfold.json"
    );
    let (code, out, err) = run(&["export", path, "--to", "iam"], "");
    assert_eq!(code, 0);
    assert!(
        out.contains("\"Deny\"") && !out.contains("\"Allow\""),
        "{out}"
    );
    let said = "keyfold: IAM policy: This policy allows nothing, because tenants cannot be isolated: keys of";
    assert!(err.starts_with(said), "{err}");
    assert!(err.contains("a role with the tag `DOC`"), "{err}");
    let err = refused(
        &["export", path, "--to", "cloudformation", "--tenant-policy"],
        "",
    );
    assert!(err.contains("tenants cannot be isolated"), "{err}");
    let (code, out, _) = run(&["lint", path], "");
    assert!(code == 1 && out.contains("T004"), "{out}");
}

#[test]
fn a_policy_of_the_whole_table_says_so_on_standard_error() {
    // Most keys start with an attribute, whose name does not say that it is a tenant; those of one entity do not.
    let design = output(&["pattern", "saas-multi-tenant"], "").replace("tenantId", "shelfId");
    let template = r##""partition": "TENANT#{shelfId}", "sort": "USER#{userId}""##;
    assert!(design.contains(template));
    let other = r##""partition": "USER#{userId}", "sort": "USER#{userId}""##;
    let changed = design.replace(template, other);
    let path = file("whole-table.keyfold.json", &changed);
    for (format, label) in [("iam", "IAM policy"), ("all", "IAM policy")] {
        let out = folder("whole-table");
        let zip = out.join("out.zip");
        let zip = zip.to_str().expect("UTF-8");
        let mut arguments = vec!["export", &path, "--to", format];
        if format == "all" {
            arguments.extend(["--out", zip]);
        }
        let (code, out, err) = run(&arguments, "");
        assert_eq!(code, 0, "{err}");
        let said = "This policy covers the whole table, not one tenant: ";
        assert!(err.contains(&format!("keyfold: {label}: {said}")), "{err}");
        assert!(err.contains("User"), "{err}");
        if format == "iam" {
            let said = r#""Sid": "WholeTableNotOneTenant""#;
            assert!(out.contains(said), "{out}");
        }
    }
    // A policy for one tenant names only what it leaves out.
    let (_, _, err) = run(&["export", "pattern:saas-multi-tenant", "--to", "iam"], "");
    assert!(
        err.starts_with("keyfold: IAM policy: Not allowed: queries of GSI1, because"),
        "{err}"
    );
}

#[test]
fn a_design_without_items_has_no_batch() {
    let design = "table users (PK)\n\nentity User\n  userId  string\n\n  key  U#{userId}\n";
    let (code, out, err) = run(&["export", "-", "--to", "batch-write"], design);
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(
        err,
        "keyfold: BatchWriteItem: the design has no items, so there is nothing to write\n"
    );
}

/// JSON has no comments: standard error and the exit code say it for each infrastructure format.
#[test]
fn a_resource_policy_with_an_error_is_a_finding() {
    let text = "table shop (PK, SK)\n  resource-policy [1]\n\nentity A\n  id string\n  key A#{id} / META\n";
    let said = "the resource policy is omitted, because it has an error: ";
    for format in FORMATS {
        let folder = folder(&format!("policy-{}", format.name));
        let out = folder.join("out");
        let mut arguments = vec!["export", "-", "--to", format.name, "--out"];
        arguments.push(out.to_str().expect("UTF-8"));
        let (code, _, err) = run(&arguments, text);
        let has_tables = [
            "cloudformation",
            "cloudformation-json",
            "terraform",
            "cdk",
            "create-table",
        ];
        let wanted = has_tables.contains(&format.name);
        assert_eq!(
            (code == 1, err.contains(said)),
            (wanted, wanted),
            "{}: {err}",
            format.name
        );
    }
    let all = folder("policy-all").join("all");
    let (code, _, err) = run(
        &[
            "export",
            "-",
            "--to",
            "all",
            "--out",
            all.to_str().expect("UTF-8"),
        ],
        text,
    );
    assert_eq!((code, err.matches(said).count()), (1, 5), "{err}");
}

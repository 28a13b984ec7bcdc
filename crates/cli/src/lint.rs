//! The linter on the command line: findings as text, JSON or SARIF, and fixes.

use crate::output::write;
use crate::sarif::sarif;
use crate::source::read_design_text;
use crate::{Outcome, Refusal};
use keyfold_app::{Command, apply};
use keyfold_core::lint::{Finding, Fix, Linter, Place, RULES, Report, Severity};
use keyfold_core::model::Design;
use keyfold_core::persist::to_json;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `lint` is asked for.
#[derive(Debug)]
pub struct Asked {
    /// Where the design comes from.
    pub design: PathBuf,
    /// `text`, `json` or `sarif`; text if it is not said.
    pub format: Option<String>,
    /// Which fixes are carried out.
    pub fixes: Fixes,
    /// Where the fixed design goes; `None`: back to where it came from.
    pub out: Option<PathBuf>,
}

/// Which fixes are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixes {
    /// None.
    None,
    /// Those that change no stored key and take nothing away.
    Safe,
    /// All.
    All,
}

/// Lints a design, after fixing it if that is asked for.
pub fn lint(asked: &Asked) -> Result<Outcome, Refusal> {
    type Format = fn(&Design, &Report, &Path, &str) -> String;
    let format: Format = match asked.format.as_deref().unwrap_or("text") {
        "text" => text,
        "json" => json,
        "sarif" => sarif,
        other => {
            let message = format!("there is no format `{other}`; there is: text, json, sarif");
            return Err(Refusal(message));
        }
    };
    let (mut design, mut source) = read_design_text(&asked.design)?;
    let mut linter = Linter::default();
    let mut report = linter.lint(&design);
    let mut remarks = String::new();
    if asked.fixes != Fixes::None {
        let out = target(asked)?;
        let (done, left) = fix(&mut design, &mut report, &mut linter, asked.fixes);
        for (what, message) in &done {
            remarks += &format!("keyfold: fixed ({what}): {message}\n");
        }
        for message in &left {
            remarks += &format!("keyfold: not fixed ({message})\n");
        }
        if !done.is_empty() || asked.out.is_some() {
            source = to_json(&design);
            write(source.clone(), Some(&out))?;
        }
    }
    for at in &report.needless {
        let silenced = &design.silenced[*at];
        let (code, place) = (&silenced.code, &silenced.place);
        remarks += &format!("keyfold: nothing to silence: {code} at {place}\n");
    }
    Ok(Outcome {
        text: format(&design, &report, &asked.design, &source),
        remarks,
        findings: !report.passes(),
    })
}

/// The file that the fixed design goes into.
fn target(asked: &Asked) -> Result<PathBuf, Refusal> {
    let source = asked.design.to_string_lossy();
    match &asked.out {
        Some(out) => Ok(out.clone()),
        None if source == "-" || source.starts_with("pattern:") => Err(Refusal(
            "where should the fixed design go? give --out FILE".into(),
        )),
        None => Ok(asked.design.clone()),
    }
}

/// The most fixes of one place by one rule, besides one for each of its findings at the start.
const MORE: usize = 4;

/// Carries out the fixes of findings that are not silenced, one after the other; what each did, and which were left out
/// because they made nothing better. A fix is kept if its rule then has fewer findings of its place. So that rules that
/// undo one another end too, the fixes of a rule and a place are counted.
fn fix(
    design: &mut Design,
    report: &mut Report,
    linter: &mut Linter,
    which: Fixes,
) -> (Vec<(&'static str, String)>, Vec<String>) {
    let (mut done, mut left): (Vec<(&'static str, String)>, Vec<String>) = Default::default();
    let mut failed: Vec<Fix> = Vec::new();
    let count = |report: &Report, of: &Finding| {
        let same = |finding: &&Arc<Finding>| finding.code == of.code && finding.place == of.place;
        report.open().filter(same).count()
    };
    let first = report.clone();
    let mut tried: Vec<(&'static str, Place)> = Vec::new();
    loop {
        let wanted = |finding: &&Arc<Finding>| {
            let fix = |fix: &Fix| (which == Fixes::All || fix.is_safe()) && !failed.contains(fix);
            finding.fix.as_ref().is_some_and(fix)
        };
        let Some(finding) = report.open().find(wanted).cloned() else {
            break;
        };
        let Some(fix) = finding.fix.clone() else {
            break;
        };
        // A fix that cannot be carried out, or that would come again, is not tried twice.
        failed.push(fix.clone());
        let at = (finding.code, finding.place);
        tried.push(at);
        let times = tried.iter().filter(|other| **other == at).count();
        let title = fix.title();
        if times > count(&first, &finding) + MORE {
            left.push(format!("{title}: tried {times} times: {}", finding.message));
            continue;
        }
        let fixed = match apply(design, Command::Fix(Box::new(fix))) {
            Ok(fixed) => fixed,
            Err(refused) => {
                left.push(format!("{title}: {refused}: {}", finding.message));
                continue;
            }
        };
        let after = linter.lint(&fixed);
        if count(&after, &finding) < count(report, &finding) {
            *design = fixed;
            *report = after;
            done.push((title, finding.message.clone()));
        } else {
            left.push(format!("{title}: it would not help: {}", finding.message));
            *report = linter.lint(design);
        }
    }
    (done, left)
}

fn name(finding: &Finding) -> &'static str {
    let rule = RULES.iter().find(|rule| rule.code == finding.code);
    rule.map_or("", |rule| rule.name)
}

/// A line for each finding, with what shows it and what can be done below; then the silenced ones and the counts.
fn text(design: &Design, report: &Report, _: &Path, _: &str) -> String {
    let mut text = String::new();
    for severity in Severity::ALL {
        for finding in report.open().filter(|finding| finding.severity == severity) {
            let (code, name) = (finding.code, name(finding));
            let place = finding.place.describe(design);
            let label = severity.label();
            text += &format!("{label} {code} {name}: {place}\n  {}\n", finding.message);
            if !finding.examples.is_empty() {
                let shown: Vec<String> = (finding.examples.iter())
                    .map(|example| format!("`{example}`"))
                    .collect();
                text += &format!("  for example {}\n", shown.join(", "));
            }
            if let Some(fix) = &finding.fix {
                let option = if fix.is_safe() { "--fix" } else { "--fix-all" };
                text += &format!("  {option} can {}\n", fix.title());
            }
        }
    }
    let silenced = || {
        report
            .findings
            .iter()
            .filter(|finding| finding.silenced.is_some())
    };
    for finding in silenced() {
        let (code, name) = (finding.code, name(finding));
        let place = finding.place.describe(design);
        let reason = finding.silenced.as_deref().unwrap_or("");
        text += &format!("silenced {code} {name}: {place}: {reason}\n");
    }
    let counts = Severity::ALL.map(|severity| match report.count(severity) {
        1 => format!("1 {}", severity.label()),
        count => format!("{count} {}s", severity.label()),
    });
    text + &format!("{}; {} silenced\n", counts.join(", "), silenced().count())
}

/// `{"findings": [..], "counts": {"error": n, ..}}`.
fn json(design: &Design, report: &Report, _: &Path, _: &str) -> String {
    let findings: Vec<Value> = (report.findings.iter())
        .map(|finding| {
            let fix = (finding.fix.as_ref())
                .map(|fix| json!({ "title": fix.title(), "safe": fix.is_safe() }));
            let span = (finding.span.as_ref()).map(|span| json!([span.start, span.end]));
            let mut value = json!({
                "code": finding.code,
                "name": name(finding),
                "severity": finding.severity.label(),
                "place": finding.place.to_string(),
                "where": finding.place.describe(design),
                "message": finding.message,
            });
            let more = [
                (
                    "examples",
                    (!finding.examples.is_empty()).then(|| json!(finding.examples)),
                ),
                (
                    "attributes",
                    (!finding.attributes.is_empty()).then(|| json!(finding.attributes)),
                ),
                ("span", span),
                ("fix", fix),
                (
                    "silenced",
                    finding.silenced.as_ref().map(|reason| json!(reason)),
                ),
            ];
            for (key, more) in more {
                if let Some(more) = more {
                    value[key] = more;
                }
            }
            value
        })
        .collect();
    let mut counts = json!({});
    for severity in Severity::ALL {
        counts[severity.label()] = json!(report.count(severity));
    }
    let all = json!({ "findings": findings, "counts": counts });
    format!("{all:#}\n")
}

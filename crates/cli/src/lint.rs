//! `keyfold lint`: findings as text, JSON or SARIF, and fixes.

use crate::args::LintArgs;
use crate::formats::LintFormat;
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write};
use crate::sarif::sarif;
use crate::source::{place, read_source};
use keyfold_app::share_link::is_link;
use keyfold_app::{apply, fixes};
use keyfold_core::lint::{Finding, Fix, Linter, Place, RULES, Report, Severity};
use keyfold_core::model::Design;
use keyfold_core::text::{is_text, silence_line};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The fixes to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fixes {
    /// Those that change no stored key and delete nothing.
    Safe,
    /// All of them.
    All,
}

/// Lints a design, after the fixes. An error or warning that is not silenced is a finding.
pub fn lint(args: &LintArgs) -> Result<Outcome, Refusal> {
    if args.out == Some(Destination::StandardOutput) {
        return Err(Refusal(
            "--out: standard output contains the findings. Name a file.".into(),
        ));
    }
    let format: fn(&Design, &Report, &Path, &str) -> String = match args.format {
        LintFormat::Text => text,
        LintFormat::Json => json,
        LintFormat::Sarif => sarif,
    };
    let fixes = match (args.fix, args.fix_all) {
        (_, true) => Some(Fixes::All),
        (true, false) => Some(Fixes::Safe),
        (false, false) => None,
    };
    let read = read_source(&args.design)?;
    let (mut design, mut source) = (read.design.clone(), read.text.clone());
    let mut linter = Linter::default();
    let mut report = keyfold_cost::lint(&mut linter, &design);
    let mut remarks = read.warnings.clone();
    if let Some(fixes) = fixes {
        let out = fixed_design(args)?;
        let (applied, skipped) = fix(&mut design, &mut report, &mut linter, fixes);
        for (title, message) in &applied {
            remarks += &format!("keyfold: fixed ({title}): {message}\n");
        }
        for message in &skipped {
            remarks += &format!("keyfold: not fixed ({message})\n");
        }
        if !applied.is_empty() || args.out.is_some() {
            source = read.changed(&design, &out, &mut remarks);
            write(source.clone(), &out)?;
        }
    }
    for at in &report.needless {
        let silenced = &design.silenced[*at];
        let line = silence_line(&design, &silenced.code, &silenced.place);
        remarks += &format!("keyfold: `{line}`: there is no such finding\n");
    }
    Ok(Outcome {
        text: format(&design, &report, &args.design, &source),
        remarks,
        findings: !report.passes(),
    })
}

/// Returns the file for the fixed design.
fn fixed_design(args: &LintArgs) -> Result<Destination, Refusal> {
    let source = args.design.to_string_lossy();
    match &args.out {
        Some(out) => Ok(out.clone()),
        None if source == "-" || source.starts_with("pattern:") || is_link(&source) => {
            Err(Refusal(format!(
                "{}: cannot replace the design there. Name a file with --out.",
                place(&args.design)
            )))
        }
        None => Ok(Destination::Path(args.design.clone())),
    }
}

/// How many fixes a rule may apply at one place beyond one for each finding at the start.
const EXTRA_FIXES: usize = 4;

/// Applies the fixes of findings that are not silenced, one after the other. Returns the applied fixes, and the skipped
/// ones with the reason. A fix is kept if its rule then has fewer findings at its place. The number of fixes of a rule at
/// a place is limited, because two rules may undo each other's fixes forever.
fn fix(
    design: &mut Design,
    report: &mut Report,
    linter: &mut Linter,
    fixes: Fixes,
) -> (Vec<(&'static str, String)>, Vec<String>) {
    let (mut applied, mut skipped): (Vec<(&'static str, String)>, Vec<String>) = Default::default();
    let mut tried: Vec<Fix> = Vec::new();
    let count = |report: &Report, of: &Finding| {
        let same = |finding: &&Arc<Finding>| finding.code == of.code && finding.place == of.place;
        report.open().filter(same).count()
    };
    let first = report.clone();
    let mut attempts: Vec<(&'static str, Place)> = Vec::new();
    loop {
        let fixable = |finding: &&Arc<Finding>| {
            let fix = |fix: &Fix| (fixes == Fixes::All || fix.is_safe()) && !tried.contains(fix);
            finding.fix.as_ref().is_some_and(fix)
        };
        let Some(finding) = report.open().find(fixable).cloned() else {
            break;
        };
        let Some(fix) = finding.fix.clone() else {
            break;
        };
        tried.push(fix.clone());
        let at = (finding.code, finding.place);
        attempts.push(at);
        let times = attempts.iter().filter(|other| **other == at).count();
        let title = fix.title();
        if times > count(&first, &finding) + EXTRA_FIXES {
            skipped.push(format!("{title}: tried {times} times: {}", finding.message));
            continue;
        }
        let fixed = match apply(design, fixes::command(fix)) {
            Ok(fixed) => fixed,
            Err(refused) => {
                skipped.push(format!("{title}: {refused}: {}", finding.message));
                continue;
            }
        };
        let after = keyfold_cost::lint(linter, &fixed);
        if count(&after, &finding) < count(report, &finding) {
            *design = fixed;
            *report = after;
            applied.push((title, finding.message.clone()));
        } else {
            skipped.push(format!(
                "{title}: the finding would remain: {}",
                finding.message
            ));
            *report = keyfold_cost::lint(linter, design);
        }
    }
    (applied, skipped)
}

fn name(finding: &Finding) -> &'static str {
    let rule = RULES.iter().find(|rule| rule.code == finding.code);
    rule.map_or("", |rule| rule.name)
}

/// Lists the findings with examples, fixes and, if the source is Keyfold's language, the line that silences it; then the
/// silenced findings, then the counts.
fn text(design: &Design, report: &Report, _: &Path, source: &str) -> String {
    let mut text = String::new();
    let is_language = is_text(source);
    for severity in Severity::ALL {
        for finding in report.open().filter(|finding| finding.severity == severity) {
            let (code, name) = (finding.code, name(finding));
            let place = finding.place.describe(design);
            let label = severity.label();
            text += &format!("{label} {code} {name}: {place}\n  {}\n", finding.message);
            if !finding.examples.is_empty() {
                let examples: Vec<String> = (finding.examples.iter())
                    .map(|example| format!("`{example}`"))
                    .collect();
                text += &format!("  for example {}\n", examples.join(", "));
            }
            if let Some(fix) = &finding.fix {
                let option = if fix.is_safe() { "--fix" } else { "--fix-all" };
                text += &format!("  {option} can {}\n", fix.title());
            }
            if is_language {
                let place = finding.place.to_string();
                let line = silence_line(design, code, &place);
                text += &format!(
                    "  To silence it, write the reason as a `///` line and below it `{line}`\n"
                );
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
        count if count == 1 || severity == Severity::Info => {
            format!("{count} {}", severity.label())
        }
        count => format!("{count} {}s", severity.label()),
    });
    text + &format!("{}; {} silenced\n", counts.join(", "), silenced().count())
}

/// Returns `{"findings": [..], "counts": {"error": n, ..}}`.
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

//! Quick fixes: what the linter's fixes do to the text, and silencing a finding.

use super::diagnostics::{bytes_of, diagnostic};
use super::document::Document;
use keyfold_app::fixes::{self, repair_label};
use keyfold_app::{Command, apply};
use keyfold_core::lint::Finding;
use keyfold_core::model::{Silenced, capital};
use lsp_types::{CodeAction, CodeActionContext, CodeActionKind, Range};
use std::sync::Arc;

/// The reason of a new silence. The author writes the true one in its place.
const REASON: &str = "Write the reason here.";

/// The quick fixes of the findings in a range. A text with errors has none: its design is not the one that was meant.
pub fn actions(
    document: &mut Document,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeAction> {
    let kind = CodeActionKind::QUICKFIX;
    // An editor may ask for a kind, such as `quickfix`, or one that contains it: the empty one.
    let wanted = |only: &CodeActionKind| only.as_str().is_empty() || *only == kind;
    let is_wanted = (context.only.as_ref()).is_none_or(|only| only.iter().any(wanted));
    if document.lowered.has_errors() || !is_wanted {
        return Vec::new();
    }
    let open: Vec<Arc<Finding>> = document.report().open().cloned().collect();
    let asked = document.bytes(range);
    let found = open.iter().filter(|finding| {
        let place = bytes_of(document, finding);
        place.start <= asked.end && asked.start <= place.end
    });
    found
        .flat_map(|finding| {
            let (fix, silence) = (fix(document, finding), silence(document, finding));
            fix.into_iter().chain(silence)
        })
        .collect()
}

/// The fix of a finding; `None` if it has none, or the design refuses it.
fn fix(document: &Document, finding: &Finding) -> Option<CodeAction> {
    let fix = finding.fix.as_ref()?;
    let design = &document.lowered.design;
    let fixed = apply(design, fixes::command(fix.clone())).ok()?;
    let title = repair_label(design, fix).unwrap_or_else(|| capital(fix.title()));
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(document, finding)]),
        edit: Some(document.edit(&fixed)),
        is_preferred: Some(fix.is_safe()),
        ..CodeAction::default()
    })
}

fn silence(document: &Document, finding: &Finding) -> Option<CodeAction> {
    let silenced = Silenced {
        code: finding.code.to_owned(),
        place: finding.place.to_string(),
        reason: REASON.to_owned(),
    };
    let design = apply(&document.lowered.design, Command::Silence(silenced)).ok()?;
    Some(CodeAction {
        title: format!("Silence {} here, with a reason", finding.code),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(document, finding)]),
        edit: Some(document.edit(&design)),
        is_preferred: Some(false),
        ..CodeAction::default()
    })
}

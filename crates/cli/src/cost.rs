//! `keyfold cost`: the bill and the heat of a design, or the difference of two.

use crate::args::CostArgs;
use crate::formats::CostFormat;
use crate::outcome::{Outcome, Refusal};
use crate::source::{Source, read_source, read_text};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};
use serde_json::json;
use std::path::Path;

/// Prints a report or the difference of two. Figures of a design that are not usable are findings.
pub fn cost(args: &CostArgs) -> Result<Outcome, Refusal> {
    let prices = args.prices.as_deref().map(price_file).transpose()?;
    let report = |source: &Source| {
        let workload = &source.design.workload;
        let prices = match &prices {
            Some(file) => file.clone().with(workload),
            None => Prices::of(workload),
        };
        Report::new(CostModel::of(&source.design), prices, args.months)
    };
    let source = read_source(&args.design)?;
    let mut reports = vec![report(&source)];
    let mut remarks = source.warnings;
    if let Some(new) = &args.new {
        let source = read_source(new)?;
        reports.push(report(&source));
        remarks += &source.warnings;
    }
    let mut findings = false;
    for fault in reports.iter().flat_map(Report::faults) {
        findings = true;
        remarks += &format!("keyfold: {fault}\n");
    }
    let text = match (&reports[..], args.format) {
        ([old, new], CostFormat::Text) => old.diff_text(new),
        ([old, new], CostFormat::Markdown) => old.diff_markdown(new),
        ([old, new], CostFormat::Csv) => old.diff_csv(new),
        ([old, new], CostFormat::Json) => {
            format!(
                "{:#}\n",
                json!({ "before": old.json(), "after": new.json() })
            )
        }
        ([one, ..], CostFormat::Text) => one.text(),
        ([one, ..], CostFormat::Markdown) => one.markdown(),
        ([one, ..], CostFormat::Csv) => one.csv(),
        ([one, ..], CostFormat::Json) => format!("{:#}\n", one.json()),
        ([], _) => String::new(),
    };
    Ok(Outcome {
        text,
        remarks,
        findings,
    })
}

fn price_file(path: &Path) -> Result<Prices, Refusal> {
    let text = read_text(path)?;
    Prices::read(&text).map_err(|error| Refusal(format!("{}: {error}", path.display())))
}

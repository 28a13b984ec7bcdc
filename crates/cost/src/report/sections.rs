//! The sections of a report and of a difference.

use super::Report;
use crate::assume::Figure;
use crate::bill::{Bill, Mode, Overloaded, Total, dollars, notes, provision_note};
use crate::findings::whole;
use crate::model::GB;
use crate::prices::Line;
use crate::units::PatternUnits;
use keyfold_core::model::AccessPatternId;

/// A table with a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows. Empty for a section of notes.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

impl Section {
    fn new(title: impl Into<String>, columns: &[&'static str]) -> Section {
        Section {
            title: title.into(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl Report {
    /// The sections of the report.
    pub fn sections(&self) -> Vec<Section> {
        let all = [
            self.bill_section(),
            self.modes(),
            self.patterns(),
            self.indexes(),
            self.hot(),
            self.months(),
            self.said(),
        ];
        let is_there = |section: &Section| !section.rows.is_empty() || !section.notes.is_empty();
        all.into_iter().filter(is_there).collect()
    }

    fn bill_section(&self) -> Section {
        let bill = self.bill();
        let title = format!(
            "Monthly bill: {}, {}",
            self.prices.region,
            bill.mode.label()
        );
        let mut section = Section::new(title, &["line", "of", "quantity", "price", "amount"]);
        for line in &bill.lines {
            let index = line.index.map(|index| self.model.design.index_name(index));
            let of = [index, line.region.as_deref()].into_iter().flatten();
            section.rows.push(vec![
                line.line.label().to_owned(),
                of.collect::<Vec<_>>().join(", "),
                quantity(line.line, line.quantity),
                line.price.map_or("missing".into(), |price| {
                    format!("${price} {}", line.line.unit())
                }),
                money(line.amount),
            ]);
        }
        section.rows.push(vec![
            "Total".into(),
            String::new(),
            String::new(),
            String::new(),
            bill.total.to_string(),
        ]);
        section.notes.extend(why_incomplete(bill));
        section.notes.extend(self.shortages());
        section.notes.extend(self.bill_notes());
        let date = &self.prices.date;
        section.notes.push(match date.is_empty() {
            true => format!("There is no price list for {}.", self.prices.region),
            false => format!("Prices of {date}, in US dollars without taxes and data transfer."),
        });
        section
    }

    /// What is not on the bill, or only in part, as sentences.
    pub fn bill_notes(&self) -> Vec<String> {
        notes(&self.model, &self.prices, self.bill())
    }

    /// What the provisioned capacity of the design cannot carry, as sentences.
    pub fn shortages(&self) -> Vec<String> {
        let all = self.bill().shortages.iter();
        all.map(|shortage| shortage.sentence(&self.model.design))
            .collect()
    }

    fn modes(&self) -> Section {
        let mut section = Section::new("Capacity modes and table classes", &["mode", "a month"]);
        for bill in &self.bills {
            section
                .rows
                .push(vec![bill.mode.label().into(), total(bill)]);
        }
        section.notes.extend(self.even());
        section
    }

    /// What provisioned capacity is taken to be, and where it costs the same as on-demand, as sentences.
    pub fn even(&self) -> Vec<String> {
        let even = &self.break_even;
        let mut notes = vec![provision_note(&self.model)];
        if let (Some(write), Some(read)) = (even.write_utilization, even.read_utilization) {
            notes.push(format!(
                "Provisioned capacity costs less than on-demand if more than {:.1}% of its write units and {:.1}% of its read units are used.",
                write * 100.0,
                read * 100.0
            ));
        }
        if let Some(factor) = even.factor.filter(|factor| *factor >= 0.005) {
            notes.push(format!(
                "On-demand and provisioned capacity cost the same at {factor:.2} times the current traffic."
            ));
        }
        notes
    }

    fn patterns(&self) -> Section {
        let columns = [
            "access pattern",
            "average /s",
            "peak /s",
            "read units",
            "write units",
            "amplification",
            "on-demand",
        ];
        let mut section = Section::new(
            "Access patterns: units of a request, US dollars a month",
            &columns,
        );
        let model = &self.model;
        for share in &self.patterns {
            let traffic = &model.assumptions.patterns[&share.pattern];
            let Some(Ok(found)) = model.patterns.get(&share.pattern) else {
                continue;
            };
            let units = &found.units;
            section.rows.push(vec![
                model.design.access_patterns[&share.pattern].name.clone(),
                figure(traffic.average),
                figure(traffic.peak),
                short(units.reads()),
                short(units.writes()),
                share
                    .amplification
                    .map_or(String::new(), |times| format!("{times:.2}")),
                money(share.amount),
            ]);
        }
        if !section.rows.is_empty() {
            section
                .notes
                .push("* assumed, because the design does not state it.".into());
        }
        section.notes.extend(self.guesses());
        for (id, found) in &model.patterns {
            if let Err(reason) = found {
                let name = &model.design.access_patterns[id].name;
                section
                    .notes
                    .push(format!("{name} is not counted: {reason}."));
            }
        }
        section
    }

    /// The Queries whose item collection depends on a number of values that is a guess from the samples, as sentences.
    pub fn guesses(&self) -> Vec<String> {
        let model = &self.model;
        let sentence = |(id, found): (&AccessPatternId, &Result<PatternUnits, String>)| {
            let found = found.as_ref().ok()?;
            let attribute = found.guessed.as_ref()?;
            let items = found.items.value;
            Some(format!(
                "{} is assumed to read {} {} per request, because the number of values of `{attribute}` is assumed from the samples. Set the items that it reads, or the number of values.",
                model.design.access_patterns[id].name,
                short(items),
                if items == 1.0 { "item" } else { "items" },
            ))
        };
        model.patterns.iter().filter_map(sentence).collect()
    }

    fn indexes(&self) -> Section {
        let columns = [
            "table or index",
            "read units",
            "write units",
            "GB",
            "on-demand",
        ];
        let mut section = Section::new("Table and indexes in a month", &columns);
        for share in &self.indexes {
            section.rows.push(vec![
                self.model.design.index_name(share.index).to_owned(),
                whole(share.read_units),
                whole(share.write_units),
                short(share.gb),
                money(share.amount),
            ]);
        }
        section.notes.extend(self.overloading());
        section
    }

    /// What overloaded indexes would save, as sentences.
    pub fn overloading(&self) -> Vec<String> {
        let sentence = |one: &Overloaded| {
            let names: Vec<&str> = (one.indexes.iter())
                .map(|index| self.model.design.index_name(*index))
                .collect();
            let saved = |amount: Option<f64>| amount.map_or("unknown".to_owned(), dollars);
            format!(
                "One overloaded index instead of {} would save {} a month on demand, where each item has as many index entries as before, and {} with provisioned capacity, which is then rounded up once, not once per index.",
                names.join(", "),
                saved(one.on_demand),
                saved(one.provisioned)
            )
        };
        self.overloaded.iter().map(sentence).collect()
    }

    fn hot(&self) -> Section {
        let columns = [
            "table or index",
            "hottest key",
            "read /s",
            "write /s",
            "GB",
            "share of partition limit",
            "shards",
        ];
        let mut section = Section::new("Heat at the peak", &columns);
        for heat in &self.heat {
            for key in heat.keys.iter().take(3) {
                section.rows.push(vec![
                    self.model.design.index_name(heat.index).to_owned(),
                    key.template.clone(),
                    short(key.hottest.read),
                    short(key.hottest.write),
                    short(key.hottest.bytes / GB),
                    format!("{:.1}%", key.hottest.utilization() * 100.0),
                    key.shards
                        .map_or("none helps".into(), |shards| shards.to_string()),
                ]);
            }
        }
        section
    }

    fn months(&self) -> Section {
        let mut section = Section::new("Months ahead", &["month", "total"]);
        if self.ahead.len() > 1 {
            for (month, total) in self.ahead.iter().enumerate() {
                section
                    .rows
                    .push(vec![month.to_string(), total.to_string()]);
            }
        }
        section
    }

    fn said(&self) -> Section {
        let mut section = Section::new("Findings", &[]);
        for finding in self.open_findings() {
            section
                .notes
                .push(format!("{}: {}", finding.code, finding.message));
        }
        section.notes.extend(self.faults());
        section
    }

    /// The sections of the difference to a later report. Access patterns and indexes are the same if their names are.
    pub fn diff(&self, new: &Report) -> Vec<Section> {
        let columns = ["", "before", "after", "difference"];
        let mut totals = Section::new("Monthly cost", &columns);
        totals.columns[0] = "mode";
        for (at, mode) in Mode::ALL.into_iter().enumerate() {
            let (old, new) = (&self.bills[at].total, &new.bills[at].total);
            totals
                .rows
                .push(compared(mode.label(), total_of(old), total_of(new)));
        }
        let named = |report: &Report, patterns: bool| -> Vec<(String, Option<f64>)> {
            let design = &report.model.design;
            match patterns {
                true => (report.patterns.iter())
                    .map(|share| {
                        (
                            design.access_patterns[&share.pattern].name.clone(),
                            share.amount,
                        )
                    })
                    .collect(),
                false => (report.indexes.iter())
                    .map(|share| (design.index_name(share.index).to_owned(), share.amount))
                    .collect(),
            }
        };
        let mut sections = vec![totals];
        for (title, patterns) in [
            ("Access patterns, on-demand", true),
            ("Table and indexes, on-demand", false),
        ] {
            let mut section = Section::new(title, &columns);
            section.columns[0] = "name";
            let (old, new) = (named(self, patterns), named(new, patterns));
            let mut names: Vec<&String> = old.iter().map(|(name, _)| name).collect();
            names.extend(
                new.iter()
                    .map(|(name, _)| name)
                    .filter(|name| !old.iter().any(|(other, _)| other == *name)),
            );
            for name in names {
                let of = |list: &[(String, Option<f64>)]| {
                    let found = list.iter().find(|(other, _)| other == name);
                    found.map(|(_, amount)| (*amount, money(*amount)))
                };
                let row = compared(name, of(&old), of(&new));
                if row[1] != row[2] {
                    section.rows.push(row);
                }
            }
            sections.push(section);
        }
        let mut said = Section::new("Findings", &[]);
        let mut differing = |what: &str, one: &Report, other: &Report| {
            for finding in one.open_findings() {
                let message = &finding.message;
                if !(other.open_findings()).any(|other| other.message == *message) {
                    said.notes
                        .push(format!("{what} {}: {message}", finding.code));
                }
            }
        };
        differing("New", new, self);
        differing("Gone", self, new);
        sections.push(said);
        sections.retain(|section| !section.rows.is_empty() || !section.notes.is_empty());
        sections
    }
}

/// An amount, if it is known, with its text; `None` if the report does not have it.
type Amount = Option<(Option<f64>, String)>;

fn total_of(total: &Total) -> Amount {
    Some((
        total.is_complete().then_some(total.dollars),
        total.to_string(),
    ))
}

fn compared(name: &str, old: Amount, new: Amount) -> Vec<String> {
    let difference = match (&old, &new) {
        (Some((Some(old), _)), Some((Some(new), _))) => signed(new - old),
        (None, Some((Some(new), _))) => signed(*new),
        (Some((Some(old), _)), None) => signed(-old),
        _ => "unknown".to_owned(),
    };
    let text = |amount: Amount| amount.map_or(String::new(), |(_, text)| text);
    vec![name.to_owned(), text(old), text(new), difference]
}

/// US dollars with a sign.
pub fn signed(amount: f64) -> String {
    let text = dollars(amount);
    match amount > 0.0 && text != "$0.00" {
        true => format!("+{text}"),
        false => text,
    }
}

fn total(bill: &Bill) -> String {
    match bill.total.missing.is_empty() {
        true => bill.total.to_string(),
        false => format!("{} (missing: {})", bill.total, labels(&bill.total.missing)),
    }
}

fn labels(lines: &[Line]) -> String {
    let labels: Vec<&str> = lines.iter().map(|line| line.label()).collect();
    labels.join("; ")
}

fn why_incomplete(bill: &Bill) -> Option<String> {
    let missing = &bill.total.missing;
    match (missing.is_empty(), bill.total.uncounted) {
        (true, 0) => None,
        (true, count) => Some(format!("{count} access patterns are not counted.")),
        (false, _) => Some(format!("No price: {}.", labels(missing))),
    }
}

fn money(amount: Option<f64>) -> String {
    amount.map_or("missing".into(), dollars)
}

fn quantity(line: Line, quantity: f64) -> String {
    match line.unit() {
        "per GB-month" | "per GB" => format!("{} GB", short(quantity)),
        _ => whole(quantity),
    }
}

fn figure(figure: Figure) -> String {
    let mark = if figure.stated { "" } else { "*" };
    format!("{}{mark}", short(figure.value))
}

/// A number with three decimals at most.
pub fn short(number: f64) -> String {
    if number >= 1000.0 {
        return whole(number);
    }
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

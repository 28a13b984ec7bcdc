//! The workload: lines of access patterns and entities, and the block of costs.

use super::super::cursor::Cursor;
use super::super::keywords::{COST_LINES, normal};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::blocks::Lower;
use super::likely_mistakes;
use super::table::equals;
use crate::engine::operation_parts::value_names;
use crate::model::{
    AccessPattern, AccessPatternId, EntityId, FigureError, PutShares, Rate, Shape, Skew, Traffic,
    Volume,
};
use std::ops::Range;
use std::sync::Arc;

impl Lower<'_> {
    pub(super) fn set_traffic(&mut self, id: AccessPatternId, traffic: Traffic) {
        if !traffic.is_empty() {
            let patterns = &mut Arc::make_mut(&mut self.design.workload).patterns;
            patterns.insert(id, traffic);
        }
    }

    /// Warns of skews whose parameter the access pattern lacks: they do not count.
    pub(super) fn unknown_skews(&mut self, block: &Statement, pattern: &AccessPattern) {
        let lines = block.children.iter().filter(|line| line.word() == "skew");
        let names: Vec<_> = lines.filter_map(|line| line.tokens.get(1)).collect();
        if names.is_empty() {
            return;
        }
        let known = value_names(&self.design, &pattern.operation);
        for name in names {
            let text = name.value();
            if !known.contains(&text) {
                let known = known.iter().map(String::as_str);
                let message = likely_mistakes::unknown("parameter", &text, known);
                self.warn(name.range.clone(), &message);
            }
        }
    }

    /// `average 20 per second`, `puts creates 60%, updates 30%`, `items 25`, `failed 2%`, `skew NAME zipf 1.1`
    pub(super) fn traffic_line(&mut self, line: &Statement, traffic: &mut Traffic) {
        let mut cursor = Cursor::after(line, 1, &self.problems);
        let mut next = traffic.clone();
        let mut key = line.word().to_owned();
        let range = cursor.here();
        match line.word() {
            "average" => next.average = rate(&mut cursor),
            "puts" => next.puts = puts(&mut cursor),
            "items" => next.items = cursor.number("a number of items"),
            "failed" => next.failed = percent(&mut cursor),
            _ => {
                let Some(name) = cursor.name("the name of a parameter") else {
                    return;
                };
                key = format!("skew:{}", name.text);
                if next.parameters.contains_key(&name.text) {
                    let message = format!("`skew` of `{}` is set twice", name.text);
                    return cursor.error(name.range, message);
                }
                if let Some(skew) = skew(&mut cursor) {
                    next.parameters.insert(name.text, skew);
                }
            }
        }
        cursor.finish();
        checked(&mut cursor, range, next.check());
        if !cursor.failed {
            *traffic = next;
            self.key(line, key);
        }
    }

    /// `volume 1000000 items, +20000 per month, 90 days, 400 bytes`
    pub(super) fn volume(&mut self, id: EntityId, line: &Statement) {
        if self.design.workload.entities.contains_key(&id) {
            return self.error(line.code(), "`volume` is set twice".to_owned());
        }
        let mut cursor = Cursor::after(line, 1, &self.problems);
        let range = cursor.here();
        let mut volume = Volume::default();
        while !cursor.failed {
            let figure = cursor.number("a figure, such as `1000 items` or `400 bytes`");
            let field = match () {
                () if cursor.failed => break,
                () if cursor.word("items") => &mut volume.items,
                () if cursor.word("days") => &mut volume.retention,
                () if cursor.word("bytes") => &mut volume.bytes,
                () if cursor.word("per") && cursor.word("month") => &mut volume.growth,
                () => {
                    cursor.expected("`items`, `per month`, `days` or `bytes`");
                    break;
                }
            };
            if field.is_some() {
                cursor.error(range.clone(), "a figure is set twice".to_owned());
            }
            *field = figure;
            if !cursor.punctuation(SyntaxKind::Comma) {
                break;
            }
        }
        cursor.finish();
        checked(&mut cursor, range, volume.check());
        if !cursor.failed {
            let entities = &mut Arc::make_mut(&mut self.design.workload).entities;
            entities.insert(id, volume);
            self.key(line, "volume");
        }
    }

    /// The block with the Region and the prices.
    pub(super) fn costs(&mut self, blocks: &[&Statement]) {
        let Some(block) = self.only(blocks, "costs") else {
            return;
        };
        self.key(block, "costs");
        Cursor::after(block, 1, &self.problems).finish();
        let mut seen: Vec<String> = Vec::new();
        for line in &block.children {
            let mut cursor = Cursor::after(line, 1, &self.problems);
            let word = normal(line.word());
            let mut key = word.clone();
            let mut next = (*self.design.workload).clone();
            let range = cursor.here();
            match word.as_str() {
                "region" => {
                    let region = cursor.name("an AWS Region such as `eu-central-1`");
                    next.region = region.map(|region| region.text);
                }
                "backups" => next.backup_gb = gigabytes(&mut cursor, false),
                "exported" => next.export_gb = gigabytes(&mut cursor, true),
                "price" => {
                    if let Some(name) = cursor.name("the name of a price") {
                        key = format!("price:{}", name.text);
                        equals(&mut cursor);
                        let price = match cursor.failed {
                            true => None,
                            false => cursor.number("a price in US dollars"),
                        };
                        next.prices.extend(price.map(|price| (name.text, price)));
                    }
                }
                _ => cursor.error(
                    line.code(),
                    likely_mistakes::setting(line.word(), &COST_LINES),
                ),
            }
            cursor.finish();
            checked(&mut cursor, range, next.check_prices());
            if seen.contains(&key) {
                cursor.error(line.code(), format!("`{}` is set twice", line.word()));
            }
            if !cursor.failed {
                self.design.workload = Arc::new(next);
                seen.push(key.clone());
                self.key(line, key);
            }
        }
    }
}

/// Reports a figure that cannot be.
fn checked(cursor: &mut Cursor, range: Range<usize>, result: Result<(), FigureError>) {
    if let Err(error) = result {
        cursor.error(range, error.message);
    }
}

/// `20 per second` or `3000000 per month`
fn rate(cursor: &mut Cursor) -> Option<Rate> {
    let figure = cursor.number("a number of calls, such as `20 per second`")?;
    match () {
        () if !cursor.word("per") => cursor.expected("`per second` or `per month`"),
        () if cursor.word("second") => return Some(Rate::PerSecond(figure)),
        () if cursor.word("month") => return Some(Rate::PerMonth(figure)),
        () => cursor.expected("`second` or `month`"),
    }
    None
}

/// `creates 60%, updates 30%, deletes 10%`, each optional.
fn puts(cursor: &mut Cursor) -> Option<PutShares> {
    let (mut creates, mut updates, mut deletes) = (None, None, None);
    loop {
        match () {
            () if creates.is_none() && cursor.word("creates") => creates = percent(cursor),
            () if updates.is_none() && cursor.word("updates") => updates = percent(cursor),
            () if deletes.is_none() && cursor.word("deletes") => deletes = percent(cursor),
            () => cursor.expected("`creates`, `updates` or `deletes` and a percentage"),
        }
        if cursor.failed || !cursor.punctuation(SyntaxKind::Comma) {
            break;
        }
    }
    Some(PutShares {
        creates: creates.unwrap_or(0.0),
        updates: updates.unwrap_or(0.0),
        deletes: deletes.unwrap_or(0.0),
    })
}

/// `even`, `zipf 1.1` or `largest 80%`, then `of 100000 values`
fn skew(cursor: &mut Cursor) -> Option<Skew> {
    let shape = match () {
        () if cursor.word("even") => Shape::Even,
        () if cursor.word("zipf") => Shape::Zipf(cursor.number("an exponent, such as `1.1`")?),
        () if cursor.word("largest") => Shape::Largest(percent(cursor)?),
        () => {
            cursor.expected("`even`, `zipf` or `largest`");
            return None;
        }
    };
    let mut values = None;
    if cursor.word("of") {
        values = Some(cursor.number("a number of values")?);
        cursor.word("values");
    }
    Some(Skew { values, shape })
}

/// `60%`; the sign can be left out.
fn percent(cursor: &mut Cursor) -> Option<f64> {
    let token = cursor.peek().filter(|token| token.kind == SyntaxKind::Word);
    let figure = token.and_then(|token| token.text.trim_end_matches('%').parse().ok());
    if figure.is_none() {
        cursor.expected("a percentage, such as `60%`");
        return None;
    }
    cursor.take();
    figure
}

/// `20 GB` or `5 GB per month`
fn gigabytes(cursor: &mut Cursor, is_monthly: bool) -> Option<f64> {
    let figure = cursor.number("a number of GB");
    cursor.word("GB");
    if is_monthly && cursor.word("per") && !cursor.word("month") {
        cursor.expected("`month`");
    }
    figure
}

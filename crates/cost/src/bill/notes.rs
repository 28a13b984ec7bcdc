//! What a bill leaves out or takes from elsewhere, in sentences.

use super::{Bill, STREAM_POLLS};
use crate::CostModel;
use crate::prices::{Line, Prices};

/// What is not on a bill, or only in part: reads of the stream, and prices of replicas.
pub fn notes(model: &CostModel, prices: &Prices, bill: &Bill) -> Vec<String> {
    let table = &model.design.table;
    let mut notes = Vec::new();
    if table.stream.is_some() {
        let free = "Lambda and global tables read the stream without a charge, and the first 2.5 million requests of other readers in a month are free.";
        notes.push(match prices.price(Line::StreamReads) {
            None => format!(
                "{free} Reads of the stream are not on the bill. Enter a price of {} to count one other reader of one shard.",
                Line::StreamReads.label()
            ),
            Some(_) => format!(
                "{free} The bill counts one other reader of one shard, with {STREAM_POLLS} requests per second."
            ),
        });
    }
    for replica in &table.replicas {
        let listed = Prices::list(&replica.region);
        let mut lacking: Vec<&str> = (bill.lines.iter())
            .filter(|line| line.region.as_ref() == Some(&replica.region))
            .filter(|line| line.price.is_some() && listed.price(line.line).is_none())
            .map(|line| line.line.label())
            .collect();
        lacking.dedup();
        if !lacking.is_empty() {
            notes.push(format!(
                "The replica in {} is billed at the prices of {}, because there is no price list of its Region with {}.",
                replica.region,
                prices.region,
                lacking.join("; ")
            ));
        }
    }
    notes
}

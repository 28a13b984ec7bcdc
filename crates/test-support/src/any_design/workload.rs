//! Workloads of random designs.

use super::Maker;
use keyfold_core::model::*;
use std::sync::Arc;

/// Figures, from none at all to large ones.
const AMOUNTS: [f64; 7] = [0.0, 1.0, 12.5, 0.001, 20_000.0, 1e9, 1e15];
/// Shares in percent.
const SHARES: [f64; 5] = [0.0, 2.5, 33.3, 50.0, 0.01];

impl Maker {
    fn amount(&mut self) -> f64 {
        AMOUNTS[self.below(AMOUNTS.len())]
    }

    fn maybe_amount(&mut self) -> Option<f64> {
        self.one_in(2).then(|| self.amount())
    }

    fn share(&mut self) -> f64 {
        SHARES[self.below(SHARES.len())]
    }

    fn traffic(&mut self) -> Traffic {
        let mut traffic = Traffic {
            average: match self.below(3) {
                0 => None,
                1 => Some(Rate::PerSecond(self.amount())),
                _ => Some(Rate::PerMonth(self.amount())),
            },
            puts: self.one_in(3).then(|| PutShares {
                creates: self.share(),
                updates: self.share(),
                deletes: 0.0,
            }),
            items: self.maybe_amount(),
            failed: self.one_in(3).then(|| self.share()),
            parameters: SortedMap::new(),
        };
        for _ in 0..self.below(3) {
            let name = match self.below(2) {
                0 => "status".to_owned(),
                _ => self.attribute_name(),
            };
            let skew = Skew {
                values: self.maybe_amount().map(|values| values.max(1.0)),
                shape: match self.below(3) {
                    0 => Shape::Even,
                    1 => Shape::Zipf([0.0, 0.99, 1.0, 5.0][self.below(4)]),
                    _ => Shape::Largest(self.share()),
                },
            };
            traffic.parameters.insert(name, skew);
        }
        traffic
    }

    /// The workload of a finished design.
    pub(super) fn workload(&mut self, design: &mut Design) {
        let mut workload = Workload::default();
        for id in design.access_patterns.keys() {
            if self.one_in(3) {
                workload.patterns.insert(*id, self.traffic());
            }
        }
        for id in design.entities.keys() {
            if self.one_in(3) {
                let volume = Volume {
                    items: self.maybe_amount(),
                    growth: self.maybe_amount().map(|growth| growth - 1.0),
                    retention: self.maybe_amount(),
                    bytes: self.maybe_amount().map(|bytes| bytes.min(400.0 * 1024.0)),
                };
                workload.entities.insert(*id, volume);
            }
        }
        if self.one_in(4) {
            workload.region = self
                .one_in(2)
                .then(|| self.of(&["eu-west-1", "us-gov-west-1"]).to_owned());
            for _ in 0..self.below(3) {
                let names = ["onDemandWrite", "storage", "a line", "\"q\"", "region"];
                workload
                    .prices
                    .insert(self.of(&names).to_owned(), self.amount() / 1e6);
            }
            workload.backup_gb = self.maybe_amount();
            workload.export_gb = self.maybe_amount();
        }
        workload.retain(|_| true, |_| true);
        design.workload = Arc::new(workload);
    }
}

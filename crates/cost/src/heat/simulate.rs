//! A simulation of partitions: keys fall on the hash range, and a partition splits while it is too large or too hot.
//!
//! DynamoDB splits a partition in size at 10 GB and for heat, but never the heat of one partition key. Source: "Burst
//! and adaptive capacity" and "Partitions and data distribution", Developer Guide. The result is the state after all
//! splits. The hottest keys have their own places; all other keys are spread evenly.

use super::{IndexHeat, KeyLevel, excess, utilization};
use keyfold_core::engine::generate::Rng;
use keyfold_core::model::limits::PARTITION_BYTES;
use keyfold_core::slices::{finish, pause};
use serde::Serialize;

/// Number of different places in the hash range.
const PLACES: u64 = 1 << 53;
/// Keys with a place of their own.
const HEAD: usize = 20_000;
/// Partitions between two pauses.
const SLICE: usize = 500;
/// Splits of the whole range down to one partition, at most: the bits of a place.
const DEPTH: u32 = 50;
/// Share of a partition below which the spread keys beside a hot one do not matter.
const REST: f64 = 0.001;

/// The partitions after all splits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    /// Number of partitions.
    pub partitions: f64,
    /// Read units per second of the hottest partition.
    pub read: f64,
    /// Write units per second of the hottest partition.
    pub write: f64,
    /// Share that the hottest partition takes of what it can serve: above 1 it throttles.
    pub utilization: f64,
    /// Units per second that throttle.
    pub throttled: f64,
}

/// Simulates the partitions of the table or a GSI. The same seed gives the same partitions.
pub fn simulate(heat: &IndexHeat, seed: u64) -> Simulation {
    let levels = heat.keys.iter().flat_map(|key| key.levels.iter().copied());
    finish(run(levels.collect(), heat.splits_collections, seed))
}

/// Like [`simulate`], with pauses.
pub async fn simulate_in_slices(heat: IndexHeat, seed: u64) -> Simulation {
    let levels = heat.keys.iter().flat_map(|key| key.levels.iter().copied());
    run(levels.collect(), heat.splits_collections, seed).await
}

/// A part of the hash range: where it starts, its width, its keys in `places`.
struct Part {
    start: f64,
    width: f64,
    keys: std::ops::Range<usize>,
    depth: u32,
}

async fn run(mut levels: Vec<KeyLevel>, splits_collections: bool, seed: u64) -> Simulation {
    levels.sort_by(|left, right| heaviness(right).total_cmp(&heaviness(left)));
    let mut rng = Rng::new(&[seed]);
    let mut places: Vec<(f64, KeyLevel)> = Vec::new();
    let mut spread = KeyLevel::default();
    for level in &levels {
        let own = match level.count <= (HEAD - places.len()) as f64 {
            true => level.count as usize,
            false => 0,
        };
        for _ in 0..own {
            let place = rng.below(PLACES) as f64 / PLACES as f64;
            places.push((place, *level));
        }
        let rest = level.count - own as f64;
        spread.read += rest * level.read;
        spread.write += rest * level.write;
        spread.bytes += rest * level.bytes;
    }
    places.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut result = Simulation::default();
    let mut parts = vec![Part {
        start: 0.0,
        width: 1.0,
        keys: 0..places.len(),
        depth: 0,
    }];
    let mut done = 0;
    while let Some(part) = parts.pop() {
        done += 1;
        if done % SLICE == 0 {
            pause().await;
        }
        let keys = &places[part.keys.clone()];
        let rest = KeyLevel {
            count: 1.0,
            read: spread.read * part.width,
            write: spread.write * part.width,
            bytes: spread.bytes * part.width,
        };
        let mut all = rest;
        for (_, key) in keys {
            all.read += key.read;
            all.write += key.write;
            all.bytes += key.bytes;
        }
        let heavy = heaviness(&all) > 1.0;
        if keys.is_empty() && heavy {
            // Evenly spread keys: equal halves until each fits.
            let halves = heaviness(&all).log2().ceil().exp2();
            result.add(halves, all.read / halves, all.write / halves);
            continue;
        }
        let splits = keys.len() > 1 || heaviness(&rest) > REST;
        if heavy && splits && part.depth < DEPTH {
            let width = part.width / 2.0;
            let middle = part.start + width;
            let at = part.keys.start + keys.partition_point(|(place, _)| *place < middle);
            for (start, keys) in [
                (part.start, part.keys.start..at),
                (middle, at..part.keys.end),
            ] {
                parts.push(Part {
                    start,
                    width,
                    keys,
                    depth: part.depth + 1,
                });
            }
            continue;
        }
        let by_sort_key = match splits_collections {
            true => (all.bytes / PARTITION_BYTES).ceil().max(1.0),
            false => 1.0,
        };
        result.add(1.0, all.read, all.write);
        result.partitions += by_sort_key - 1.0;
    }
    result
}

/// The largest share of what a partition serves and holds: above 1 it splits.
fn heaviness(level: &KeyLevel) -> f64 {
    level.utilization().max(level.bytes / PARTITION_BYTES)
}

impl Simulation {
    fn add(&mut self, partitions: f64, read: f64, write: f64) {
        self.partitions += partitions;
        self.throttled += partitions * excess(read, write);
        let share = utilization(read, write);
        if share > self.utilization || self.partitions == partitions {
            (self.read, self.write, self.utilization) = (read, write, share);
        }
    }
}

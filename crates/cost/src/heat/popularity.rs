//! How requests fall on the values of parameters, as levels of equally popular values.

use keyfold_core::model::Shape;
use serde::Serialize;

/// Values with the same share of the requests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Level {
    /// Number of values.
    pub count: f64,
    /// Share of the requests that each takes, from 0 to 1.
    pub share: f64,
}

/// A distribution of requests over values, the most popular first. The shares of all values sum to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Popularity(Vec<Level>);

/// Values of a Zipf distribution with a level of their own.
const HEAD: usize = 1000;
/// The smallest prime factor of each rank in the head. The share of a rank is the product of the shares of its factors,
/// so that only primes need a power.
const FACTORS: [usize; HEAD + 1] = factors();
/// Growth of the ranks from one level of the tail to the next.
const STEP: f64 = 1.05;
/// Levels that a distribution keeps before and after it is combined with another.
const FACTOR_LEVELS: usize = 128;
const LEVELS: usize = 2000;

impl Popularity {
    /// One value.
    pub fn single() -> Popularity {
        Popularity(vec![Level {
            count: 1.0,
            share: 1.0,
        }])
    }

    /// A shape over a number of values, at least one.
    pub fn of(shape: Shape, values: f64) -> Popularity {
        let values = if values.is_finite() {
            values.round().max(1.0)
        } else {
            1.0
        };
        let mut levels = match shape {
            Shape::Zipf(exponent) if exponent.is_finite() && exponent > 0.0 => {
                zipf(values, exponent)
            }
            Shape::Largest(percent) if values > 1.0 && percent.is_finite() => {
                let largest = (percent / 100.0).clamp(0.0, 1.0);
                let rest = Level {
                    count: values - 1.0,
                    share: (1.0 - largest) / (values - 1.0),
                };
                let largest = Level {
                    count: 1.0,
                    share: largest,
                };
                vec![largest, rest]
            }
            _ => vec![Level {
                count: values,
                share: 1.0 / values,
            }],
        };
        sort(&mut levels);
        Popularity(levels)
    }

    /// Values whose shares are proportional to these weights. `None` if no weight is positive.
    pub fn weighted(weights: impl Iterator<Item = f64>) -> Option<Popularity> {
        let weights: Vec<f64> = weights.filter(|weight| *weight > 0.0).collect();
        let all: f64 = weights.iter().sum();
        let level = |weight: f64| Level {
            count: 1.0,
            share: weight / all,
        };
        let mut levels: Vec<Level> = weights.into_iter().map(level).collect();
        sort(&mut levels);
        levels.dedup_by(|next, level| {
            let is_same = next.share == level.share;
            level.count += if is_same { next.count } else { 0.0 };
            is_same
        });
        (!levels.is_empty()).then_some(Popularity(levels))
    }

    /// The levels, the most popular first.
    pub fn levels(&self) -> &[Level] {
        &self.0
    }

    /// The share of the most popular value.
    pub fn top(&self) -> f64 {
        self.0.first().map_or(1.0, |level| level.share)
    }

    /// Number of values.
    pub fn values(&self) -> f64 {
        self.0.iter().map(|level| level.count).sum()
    }

    /// The distribution of combinations of values, of which there are about `limit` at most, but never fewer than values of
    /// one part. Below that limit the parts are independent; else what is even has fewer values for each of the others.
    /// What is not even stays independent, so that there can be more.
    pub fn combined(parts: &[Popularity], limit: f64) -> Popularity {
        let limit = parts.iter().map(Popularity::values).fold(limit, f64::max);
        let (even, skewed): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.0.len() == 1);
        let skewed = (skewed.into_iter()).fold(Popularity::single(), |all, part| all.and(part));
        let all: f64 = even.into_iter().map(Popularity::values).product();
        let count = all.min(limit / skewed.values()).max(1.0);
        skewed.and(&Popularity(vec![Level {
            count,
            share: 1.0 / count,
        }]))
    }

    /// The distribution of pairs of independent values.
    pub fn and(&self, other: &Popularity) -> Popularity {
        let (left, right) = (
            joined(&self.0, FACTOR_LEVELS),
            joined(&other.0, FACTOR_LEVELS),
        );
        let mut levels = Vec::new();
        for one in &left {
            for other in &right {
                levels.push(Level {
                    count: one.count * other.count,
                    share: one.share * other.share,
                });
            }
        }
        sort(&mut levels);
        Popularity(joined(&levels, LEVELS))
    }
}

fn sort(levels: &mut [Level]) {
    levels.sort_by(|left, right| right.share.total_cmp(&left.share));
}

/// At most this many levels: the first half as they are, the rest in runs of equal length, averaged.
fn joined(levels: &[Level], most: usize) -> Vec<Level> {
    if levels.len() <= most {
        return levels.to_vec();
    }
    let (head, tail) = levels.split_at(most / 2);
    let mut all = head.to_vec();
    for run in tail.chunks(tail.len().div_ceil(most / 2)) {
        let count: f64 = run.iter().map(|level| level.count).sum();
        let share: f64 = run.iter().map(|level| level.count * level.share).sum();
        all.push(Level {
            count,
            share: share / count,
        });
    }
    all
}

const fn factors() -> [usize; HEAD + 1] {
    let mut factors = [0; HEAD + 1];
    let mut rank = HEAD;
    while rank > 0 {
        // The last divisor that is written is the smallest.
        factors[rank] = rank;
        let mut divisor = rank - 1;
        while divisor > 1 {
            if rank.is_multiple_of(divisor) {
                factors[rank] = divisor;
            }
            divisor -= 1;
        }
        rank -= 1;
    }
    factors
}

fn zipf(values: f64, exponent: f64) -> Vec<Level> {
    let head = values.min(HEAD as f64);
    let mut levels: Vec<Level> = Vec::with_capacity(HEAD);
    for rank in 1..=head as usize {
        let factor = FACTORS[rank];
        let share = match factor == rank {
            true => (rank as f64).powf(-exponent),
            false => levels[factor - 1].share * levels[rank / factor - 1].share,
        };
        levels.push(Level { count: 1.0, share });
    }
    let mut from = head;
    while from < values {
        let to = (from * STEP).ceil().min(values);
        levels.push(Level {
            count: to - from,
            share: sum_between(from, to, exponent) / (to - from),
        });
        from = to;
    }
    let all: f64 = levels.iter().map(|level| level.count * level.share).sum();
    for level in &mut levels {
        level.share /= all;
    }
    levels
}

/// The sum of k^-s for ranks k above `from` up to `to`: by the integral at the middles, whose relative error is below
/// s^2 / (24 k^2).
fn sum_between(from: f64, to: f64, exponent: f64) -> f64 {
    let (from, to) = (from + 0.5, to + 0.5);
    match (exponent - 1.0).abs() < 1e-9 {
        true => (to / from).ln(),
        false => (from.powf(1.0 - exponent) - to.powf(1.0 - exponent)) / (exponent - 1.0),
    }
}

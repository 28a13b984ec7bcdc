//! The zeros that give numbers as text the order of their values.

use crate::model::{Design, EntityId, Value, limits};
use crate::template::Modifier;

/// What the numbers of an attribute look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// The most digits before the point.
    pub whole: usize,
    /// The most digits behind the point.
    pub decimals: usize,
    /// Whether some are negative.
    pub negative: bool,
}

impl Digits {
    /// Takes a number into account.
    pub fn add(&mut self, number: &str) {
        self.negative |= number.starts_with('-');
        let number = number.trim_start_matches('-');
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        self.whole = self.whole.max(whole.len());
        self.decimals = self.decimals.max(fraction.len());
    }

    /// Takes the numbers that an entity's samples have in an attribute into account.
    pub fn add_samples(&mut self, design: &Design, entity: EntityId, attribute: &str) {
        for sample in design.samples_of(entity) {
            if let Some(Value::N(number)) = sample.values.get(attribute) {
                self.add(&number.to_string());
            }
        }
    }

    /// The padding for all of them; `None` if some are negative, or have more digits than a number can have.
    pub fn padding(&self) -> Option<Modifier> {
        if self.negative || self.whole + self.decimals > limits::NUMBER_DIGITS {
            return None;
        }
        let digits = u8::try_from(self.whole).ok()?;
        Some(match u8::try_from(self.decimals).ok()? {
            0 => Modifier::Pad(digits),
            decimals => Modifier::PadDecimal { digits, decimals },
        })
    }
}

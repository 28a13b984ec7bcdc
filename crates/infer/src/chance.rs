//! Whether an attribute explains a part of keys, or equals it by chance.

use super::modifiers::Sureness;
use keyfold_core::model::SortedSet;
use keyfold_core::template::Modifier;

/// An attribute whose values give the tokens: by chance or not.
pub(crate) struct Chance<'a> {
    /// Each token with the value.
    pub pairs: &'a [(&'a str, &'a str)],
    pub modifiers: &'a [Modifier],
    /// Number of different tokens.
    pub distinct: usize,
    /// How much the attribute's name resembles the literal before the tokens.
    pub alike: u32,
    /// Whether the attribute is in a template of the primary key.
    pub in_primary: bool,
    /// Whether only keys have the attribute.
    pub is_key_only: bool,
    /// Where the tokens are.
    pub place: KeyPosition,
}

/// A place in a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyPosition {
    /// Whether the key is of an index.
    pub is_index: bool,
    /// How usual a shard is there.
    pub sharding: Sharding,
}

impl KeyPosition {
    /// The start of a key, or a place inside a part of it: no usual place of a shard.
    pub fn rare(self) -> KeyPosition {
        let sharding = self.sharding.min(Sharding::Rare);
        KeyPosition { sharding, ..self }
    }
}

/// How usual it is that a design writes a shard at a place in a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sharding {
    /// In a sort key: sharding spreads writes over partitions.
    Never,
    /// At the start of a partition key, or after letters: `o1`.
    Rare,
    /// As a later part of a partition key.
    Usual,
}

impl Chance<'_> {
    /// Whether the tokens come from the attribute not only by chance.
    pub fn is_plausible(&self, sureness: Sureness) -> bool {
        let (distinct, alike) = (self.distinct, self.alike);
        let longest = (self.pairs.iter()).map(|(token, _)| token.len()).max();
        let longest = longest.unwrap_or(0);
        match sureness {
            // Indexes repeat parts of the primary key.
            Sureness::Equal if self.is_key_only && self.in_primary && self.place.is_index => {
                distinct > 1 || alike > 0 || longest > 2
            }
            // Two ids that are equal in a few items: `p#1`, `w#1`, but no two UUIDs.
            Sureness::Equal if self.is_key_only => distinct > 2 || alike > 0 || longest >= 16,
            // Small numbers and flags equal many things.
            Sureness::Equal => distinct > 2 || alike > 0 || longest > 2 || self.in_primary,
            Sureness::Modified => distinct > 2 || alike > 0 || longest > 2,
            Sureness::First => {
                distinct > 4 || distinct > 2 && longest > 1 || distinct > 1 && alike > 0
            }
            Sureness::Shard => self.is_shard(),
        }
    }

    fn is_shard(&self) -> bool {
        let [Modifier::Shard(shards)] = self.modifiers else {
            return false;
        };
        let values: SortedSet<&str> = self.pairs.iter().map(|(_, value)| *value).collect();
        // Bits of information that the tokens have: chance gives them rarely. The shard of an id in the primary key is
        // likelier than others.
        let bits = values.len() as f64 * f64::from(*shards).log2();
        match self.place.sharding {
            Sharding::Never => false,
            Sharding::Usual if self.in_primary => bits >= 6.0,
            _ => bits >= 12.0,
        }
    }
}

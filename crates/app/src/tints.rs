//! The hue of each attribute. An attribute has the same hue everywhere, and up to twelve attributes have different
//! hues.

use keyfold_core::model::{Design, Entity, SortedMap, SortedSet};
use keyfold_core::template::{fnv1a_64, parse};

const HUES: usize = Entity::HUES as usize;

/// The hues in use. A new attribute gets the hue that its name hashes to, or one of the least used hues if another
/// attribute has that one. It keeps its hue.
#[derive(Debug, Clone, Default)]
pub struct Tints {
    hues: SortedMap<String, u8>,
    /// Number of attributes per hue.
    uses: [u32; HUES],
}

impl Tints {
    /// Assigns hues to the attributes in the templates of a design.
    pub fn of_design(design: &Design) -> Self {
        let mut tints = Tints::default();
        tints.open_design(design);
        tints
    }

    /// The hues of an earlier visit, which attributes keep as in [`Tints::open_design`]. Unknown hues are left out.
    pub fn of_visit(hues: SortedMap<String, u8>) -> Self {
        let mut tints = Tints::default();
        for (attribute, hue) in hues {
            if let Some(uses) = tints.uses.get_mut(usize::from(hue)) {
                *uses += 1;
                tints.hues.insert(attribute, hue);
            }
        }
        tints
    }

    /// The hue of each attribute that has one.
    pub fn hues(&self) -> &SortedMap<String, u8> {
        &self.hues
    }

    /// Starts over with another design. Attributes keep their hue from the previous design where no other has it.
    pub fn open_design(&mut self, design: &Design) {
        let old = std::mem::take(self);
        let templates = (design.entities.values())
            .flat_map(|entity| entity.keys.values())
            .flat_map(|entry| entry.partition.iter().chain(&entry.sort));
        for template in templates {
            for attribute in parse(template).template.attributes() {
                let wished = old.hues.get(attribute).copied();
                self.give(attribute, wished);
            }
            // All hues are taken: further attributes share one.
            if self.hues.len() >= HUES {
                return;
            }
        }
    }

    /// Releases the hues of attributes that no entity has any more, such as the partial names left by typing.
    pub fn release_unused(&mut self, design: &Design) {
        let kept: SortedSet<&str> = (design.entities.values())
            .flat_map(|entity| &entity.attributes)
            .map(|attribute| attribute.name.as_str())
            .collect();
        let uses = &mut self.uses;
        self.hues.retain(|name, hue| {
            let is_kept = kept.contains(name.as_str());
            uses[usize::from(*hue)] -= u32::from(!is_kept);
            is_kept
        });
    }

    /// Returns the hue of an attribute, below [`Entity::HUES`]. Assigns one if it has none.
    pub fn hue_of(&mut self, attribute: &str) -> u8 {
        match self.hues.get(attribute) {
            Some(hue) => *hue,
            None => self.give(attribute, None),
        }
    }

    fn give(&mut self, attribute: &str, wished: Option<u8>) -> u8 {
        if let Some(hue) = self.hues.get(attribute) {
            return *hue;
        }
        let first = wished.map_or(fnv1a_64(attribute.as_bytes()) % HUES as u64, u64::from) as usize;
        // Steps of 5 visit all 12 hues, and consecutive ones look different.
        let in_turn = (0..HUES).map(|step| (first + 5 * step) % HUES);
        let hue = in_turn.min_by_key(|&hue| self.uses[hue]).unwrap_or(first);
        self.uses[hue] += 1;
        self.hues.insert(attribute.to_owned(), hue as u8);
        hue as u8
    }
}

//! The hue of each attribute: the same wherever it is shown, and of twelve attributes each has another.

use keyfold_core::model::{Design, Entity, SortedMap, SortedSet};
use keyfold_core::template::{fnv1a_64, parse};

const HUES: usize = Entity::HUES as usize;

/// Which attributes have which hue. One that is asked for the first time is given that of its name if no other
/// attribute has it, else one that the fewest have; it keeps it.
#[derive(Debug, Clone, Default)]
pub struct Tints {
    hues: SortedMap<String, u8>,
    /// How many attributes have each hue.
    uses: [u32; HUES],
}

impl Tints {
    /// Those of a design, beginning with the attributes in its templates.
    pub fn of_design(design: &Design) -> Self {
        let mut tints = Tints::default();
        tints.open(design);
        tints
    }

    /// Begins anew with another design, whose attributes keep the hues that they have here as far as those differ.
    pub fn open(&mut self, design: &Design) {
        let old = std::mem::take(self);
        let templates = (design.entities.values())
            .flat_map(|entity| entity.keys.values())
            .flat_map(|entry| entry.partition.iter().chain(&entry.sort));
        for template in templates {
            for attribute in parse(template).template.attributes() {
                let wished = old.hues.get(attribute).copied();
                self.give(attribute, wished);
            }
            // What comes later shares a hue anyway.
            if self.hues.len() >= HUES {
                return;
            }
        }
    }

    /// Takes the hues back of attributes that no entity has any more, such as each name that was there while one typed.
    pub fn keep(&mut self, design: &Design) {
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

    /// The hue of an attribute, below [`Entity::HUES`].
    pub fn of(&mut self, attribute: &str) -> u8 {
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
        // Steps of five meet all of twelve, and neighbours in the list do not look alike.
        let in_turn = (0..HUES).map(|step| (first + 5 * step) % HUES);
        let hue = in_turn.min_by_key(|&hue| self.uses[hue]).unwrap_or(first);
        self.uses[hue] += 1;
        self.hues.insert(attribute.to_owned(), hue as u8);
        hue as u8
    }
}

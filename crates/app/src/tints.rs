//! The hue of each attribute. An attribute has the same hue everywhere, and up to twelve attributes have different
//! hues.

use keyfold_core::model::{Design, Entity, SortedMap, SortedSet};
use keyfold_core::template::{fnv1a_64, parse};

const HUES: usize = Entity::HUES as usize;
/// So many attributes of other designs keep their hues.
const MAX_WISHES: usize = 500;

/// The hues in use. A new attribute gets the hue that its name hashes to, or one of the least used hues if another
/// attribute has that one. It keeps its hue.
#[derive(Debug, Clone, Default)]
pub struct Tints {
    hues: SortedMap<String, u8>,
    /// Number of attributes per hue.
    uses: [u32; HUES],
    /// The first hue of each attribute in any design. The attribute gets it again where no other has it.
    wishes: SortedMap<String, u8>,
}

impl Tints {
    /// Assigns hues to the attributes in the templates of a design.
    pub fn of_design(design: &Design) -> Self {
        let mut tints = Tints::default();
        tints.open_design(design);
        tints
    }

    /// With the hues of earlier visits, which attributes get as in [`Tints::open_design`]. Unknown hues are left out.
    pub fn of_visit(mut hues: SortedMap<String, u8>) -> Self {
        hues.retain(|_, hue| usize::from(*hue) < HUES);
        Tints {
            wishes: hues,
            ..Tints::default()
        }
    }

    /// The hues for the next visit, for [`Tints::of_visit`]: those of this design, which the next visit shows first, and
    /// of earlier ones.
    pub fn to_keep(&self) -> SortedMap<String, u8> {
        let mut kept = self.wishes.clone();
        kept.extend(self.hues.clone());
        kept
    }

    /// Starts over with another design. Attributes get the hue of earlier designs where no other has it, so a design
    /// that is opened again looks as before.
    pub fn open_design(&mut self, design: &Design) {
        self.hues.clear();
        self.uses = [0; HUES];
        if self.wishes.len() > MAX_WISHES {
            self.wishes.clear();
        }
        let templates = (design.entities.values())
            .flat_map(|entity| entity.keys.values())
            .flat_map(|entry| entry.partition.iter().chain(&entry.sort));
        for template in templates {
            for attribute in parse(template).template.attributes() {
                self.hue_of(attribute);
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
        let (uses, wishes) = (&mut self.uses, &mut self.wishes);
        self.hues.retain(|name, hue| {
            let is_kept = kept.contains(name.as_str());
            if !is_kept {
                uses[usize::from(*hue)] -= 1;
                wishes.remove(name);
            }
            is_kept
        });
    }

    /// Returns the hue of an attribute, below [`Entity::HUES`]. Assigns one if it has none.
    pub fn hue_of(&mut self, attribute: &str) -> u8 {
        if let Some(hue) = self.hues.get(attribute) {
            return *hue;
        }
        let first = match self.wishes.get(attribute) {
            Some(wish) => usize::from(*wish),
            None => (fnv1a_64(attribute.as_bytes()) % HUES as u64) as usize,
        };
        // Steps of 5 visit all 12 hues, and consecutive ones look different.
        let in_turn = (0..HUES).map(|step| (first + 5 * step) % HUES);
        let hue = in_turn.min_by_key(|&hue| self.uses[hue]).unwrap_or(first);
        self.uses[hue] += 1;
        self.hues.insert(attribute.to_owned(), hue as u8);
        self.wishes.entry(attribute.to_owned()).or_insert(hue as u8);
        hue as u8
    }
}

//! The items that are placed in entities, and how many items of the table each stands for.

use super::profile::Group;
use super::schema::Item;

/// Items in memory, or the examples of a profile.
pub(crate) struct Population<'a> {
    pub items: &'a [Item],
    /// The groups of the profile; none if all items are in memory.
    pub groups: Vec<&'a Group>,
    /// The group of each example.
    pub group_of: Vec<usize>,
}

impl<'a> Population<'a> {
    /// All items of a table.
    pub fn of(items: &'a [Item]) -> Population<'a> {
        Population {
            items,
            groups: Vec::new(),
            group_of: Vec::new(),
        }
    }

    /// The number of items of the table that these items stand for.
    pub fn count(&self, positions: impl IntoIterator<Item = usize>) -> u64 {
        if self.groups.is_empty() {
            return positions.into_iter().count() as u64;
        }
        let mut examples = vec![0; self.groups.len()];
        for at in positions {
            examples[self.group_of[at]] += 1;
        }
        let share = |(group, examples): (&&Group, u64)| {
            let all = (group.examples.len() as u64).max(1);
            // To the nearest whole number, so that the shares of two entities add up.
            group.items / all * examples + (group.items % all * examples + all / 2) / all
        };
        self.groups.iter().zip(examples).map(share).sum()
    }

    /// The groups whose examples are all among these items.
    pub fn whole_groups(&self, positions: &[usize]) -> Vec<&'a Group> {
        let mut examples = vec![0; self.groups.len()];
        for at in positions {
            if let Some(group) = self.group_of.get(*at) {
                examples[*group] += 1;
            }
        }
        let whole = self.groups.iter().zip(examples);
        whole
            .filter(|(group, examples)| *examples > 0 && group.examples.len() == *examples)
            .map(|(group, _)| *group)
            .collect()
    }

    /// Whether an item is an example of one of these groups.
    pub fn is_in(&self, at: usize, groups: &[&Group]) -> bool {
        let own = self
            .group_of
            .get(at)
            .and_then(|group| self.groups.get(*group));
        own.is_some_and(|own| groups.iter().any(|group| std::ptr::eq(*group, *own)))
    }
}

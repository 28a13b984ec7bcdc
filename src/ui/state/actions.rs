//! What can be done in the page: how an action is described, whatever it acts on.

/// What a context menu is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The empty canvas.
    Canvas,
    /// The card of the primary key.
    Table,
    /// One entity.
    Entity,
    /// One secondary index.
    Index,
    /// Several cards.
    Several,
    /// The wire of an entity to an index.
    Wire,
    /// Cells or rows of the live table.
    Cells,
    /// A column of the live table.
    Column,
}

/// The headings of the help and the palette.
pub mod group {
    /// The design as a whole: files, the library.
    pub const DESIGN: &str = "Design";
    /// Changes of what is there.
    pub const EDIT: &str = "Edit";
    /// Rows of sample data.
    pub const SAMPLES: &str = "Samples";
    /// New parts.
    pub const ADD: &str = "Add";
    /// The order of cards.
    pub const ARRANGE: &str = "Arrange";
    /// What is seen, and how.
    pub const VIEW: &str = "View";
    /// The cells, rows and columns of the live table.
    pub const TABLE: &str = "Table";
    /// Where the keyboard focus goes.
    pub const GO: &str = "Go to";
    /// Ways to all the rest.
    pub const HELP: &str = "Find and help";
}

/// Something that can be done. `C` is what it acts on: the shell decides, what is below it only needs the description.
pub struct Action<C: 'static> {
    /// The heading that it stands under.
    pub group: &'static str,
    /// What it does, in a few words.
    pub name: &'static str,
    /// Its key combinations, parted by `, `; empty if it has none. What is written here is what is bound, see
    /// [`crate::ui::dom::key_chords::Chord`].
    pub keys: &'static str,
    /// Whether the keys also work while one types in a field.
    pub in_fields: bool,
    /// Whether the keys work only while a cell of the table has the focus; there they go before those of the page.
    pub in_table: bool,
    /// Whether it is done by its keys alone, not from the palette.
    pub keys_only: bool,
    /// Whether its keys are the browser's, which tells the page by events of their own.
    pub native: bool,
    /// Other words for it, by which the palette finds it too.
    pub also: &'static str,
    /// The context menus that offer it.
    pub context: &'static [Subject],
    /// Whether it would do anything now.
    pub enabled: fn(C) -> bool,
    /// Does it.
    pub run: fn(C),
}

impl<C> Action<C> {
    /// An action that can always be done and that no menu offers.
    pub const fn new(
        group: &'static str,
        name: &'static str,
        keys: &'static str,
        run: fn(C),
    ) -> Self {
        Action {
            group,
            name,
            keys,
            in_fields: false,
            in_table: false,
            keys_only: false,
            native: false,
            also: "",
            context: &[],
            enabled: |_| true,
            run,
        }
    }

    /// The same, with keys that also work while one types in a field.
    pub const fn in_fields(self) -> Self {
        Action {
            in_fields: true,
            ..self
        }
    }

    /// The same, done by its keys alone.
    pub const fn keys_only(self) -> Self {
        Action {
            keys_only: true,
            ..self
        }
    }

    /// The same, with keys that are the browser's.
    pub const fn native(self) -> Self {
        Action {
            native: true,
            ..self
        }
    }

    /// The same, which the palette also finds by these words.
    pub const fn also(self, also: &'static str) -> Self {
        Action { also, ..self }
    }

    /// The same for the table: its keys are the table's.
    pub const fn in_table(self) -> Self {
        Action {
            in_table: true,
            ..self
        }
    }

    /// The same, offered in these menus.
    pub const fn context(self, context: &'static [Subject]) -> Self {
        Action { context, ..self }
    }

    /// The same, where it would do something only while this holds.
    pub const fn when(self, enabled: fn(C) -> bool) -> Self {
        Action { enabled, ..self }
    }
}

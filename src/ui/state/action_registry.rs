//! The description of an action of the page, whatever it acts on.

/// What a context menu is opened for.
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
    /// One note.
    Note,
    /// Several cards.
    Several,
    /// The wire of an entity to an index.
    Wire,
    /// Cells or rows of the live table.
    Cells,
    /// A column of the live table.
    Column,
}

/// Where keys that edit the selected cards do nothing.
pub const NOT_ABOUT_CARDS: &str =
    ".panel, .top-bar, .outline-row:not([aria-current]), .outline-only, [id^=outline-pattern]";

/// The headings of the help and the palette.
pub mod group {
    /// The design as a whole: files, the library.
    pub const DESIGN: &str = "Design";
    /// Changes to existing parts.
    pub const EDIT: &str = "Edit";
    /// Samples.
    pub const SAMPLES: &str = "Samples";
    /// New parts.
    pub const ADD: &str = "Add";
    /// The order of cards.
    pub const ARRANGE: &str = "Arrange";
    /// What is shown, and how.
    pub const VIEW: &str = "View";
    /// The cells, rows and columns of the live table.
    pub const TABLE: &str = "Table";
    /// Where the keyboard focus goes.
    pub const GO: &str = "Go to";
    /// Search, help and menus.
    pub const HELP: &str = "Search and help";
}

/// An action. `C` is what it acts on: the shell chooses it, lower layers only need the description.
pub struct Action<C: 'static> {
    /// The heading that it is listed under.
    pub group: &'static str,
    /// Its label.
    pub name: &'static str,
    /// Its key combinations, separated by `, `; empty if it has none. See [`crate::ui::dom::key_chords::Chord`].
    pub keys: &'static str,
    /// Whether the keys also work while the user types in a field.
    pub in_fields: bool,
    /// Whether the keys work only while a table cell has the focus. There they take precedence over the page's keys.
    pub in_table: bool,
    /// Whether it runs only by its keys, not from the palette.
    pub keys_only: bool,
    /// Whether the browser handles its keys and reports them by separate events.
    pub native: bool,
    /// Synonyms, by which the palette finds it too.
    pub also: &'static str,
    /// The context menus that contain it.
    pub context: &'static [Subject],
    /// Whether it would have an effect now.
    pub enabled: fn(C) -> bool,
    /// Runs it.
    pub run: fn(C),
}

impl<C> Action<C> {
    /// Whether it opens a dialog: then its name ends with three dots.
    pub fn opens_dialog(&self) -> bool {
        self.name.ends_with('…')
    }

    /// An action that is always enabled and that no menu contains.
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

    /// The same, with keys that also work while the user types in a field.
    pub const fn in_fields(self) -> Self {
        Action {
            in_fields: true,
            ..self
        }
    }

    /// The same, run only by its keys.
    pub const fn keys_only(self) -> Self {
        Action {
            keys_only: true,
            ..self
        }
    }

    /// The same, with keys that the browser handles.
    pub const fn native(self) -> Self {
        Action {
            native: true,
            ..self
        }
    }

    /// The same, with these synonyms for the palette.
    pub const fn also(self, also: &'static str) -> Self {
        Action { also, ..self }
    }

    /// The same, with keys that work only in the table.
    pub const fn in_table(self) -> Self {
        Action {
            in_table: true,
            ..self
        }
    }

    /// The same, contained in these menus.
    pub const fn context(self, context: &'static [Subject]) -> Self {
        Action { context, ..self }
    }

    /// The same, enabled only while this holds.
    pub const fn when(self, enabled: fn(C) -> bool) -> Self {
        Action { enabled, ..self }
    }
}

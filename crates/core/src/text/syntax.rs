//! The lossless syntax tree: every byte of the text is in one token. Statements are nodes; a statement holds the
//! descriptions above it, its line, and the statements that belong to it.

use rowan::Language;

/// Declares the kinds, and [`KINDS`] in the order of their numbers.
macro_rules! syntax_kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// The kinds of tokens and nodes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum SyntaxKind {
            $($(#[$doc])* $kind,)*
        }

        const KINDS: &[SyntaxKind] = &[$(SyntaxKind::$kind,)*];
    };
}

syntax_kinds! {
    /// Spaces and tabs.
    Whitespace,
    /// A line end.
    LineEnd,
    /// `// comment`.
    Comment,
    /// `/// description`.
    Description,
    /// Text up to white space or punctuation.
    Word,
    /// `"text"` with the escapes of JSON.
    Quoted,
    /// A JSON list or object.
    Json,
    /// `,`
    Comma,
    /// `|`
    Bar,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// A text that runs to the end of the line.
    Text,
    /// A cell of a table row.
    Cell,
    /// `>` before a line of text.
    Marker,
    /// A quote that is not closed, or has an unknown escape.
    Unclosed,

    /// The whole text.
    Root,
    /// `design NAME`
    Design,
    /// `table NAME (PK, SK)` with its settings.
    Table,
    /// `gsi NAME (PK, SK)` with its settings.
    Gsi,
    /// `lsi NAME (PK, SK)` with its settings.
    Lsi,
    /// `entity NAME` with its attributes, keys and samples.
    Entity,
    /// `pattern NAME` with its operation.
    Pattern,
    /// `silence CODE PLACE`
    Silence,
    /// `exports` with its options.
    Exports,
    /// `costs` with the Region and prices.
    Costs,
    /// `canvas` with its cards.
    Canvas,
    /// A setting of a table or an index, an option of the exports, a figure of the costs or of an entity.
    Setting,
    /// An attribute of an entity.
    Attribute,
    /// `key ...` or `index NAME ...` of an entity.
    Key,
    /// A row of a table of samples.
    Row,
    /// An operation of an access pattern, or an action of a transaction.
    Operation,
    /// A key of a batch.
    BatchKey,
    /// Another line of an access pattern.
    Part,
    /// The position of a card.
    Card,
    /// `> text`
    Quote,
    /// A line that begins with no known word.
    Unknown,
}

impl SyntaxKind {
    /// Whether the token has no meaning: white space, line ends and comments.
    pub fn is_trivia(self) -> bool {
        matches!(
            self,
            SyntaxKind::Whitespace | SyntaxKind::LineEnd | SyntaxKind::Comment
        )
    }
}

impl From<SyntaxKind> for rowan::SyntaxKind {
    fn from(kind: SyntaxKind) -> Self {
        rowan::SyntaxKind(kind as u16)
    }
}

/// The language, for `rowan`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyfold {}

impl Language for Keyfold {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        *KINDS
            .get(usize::from(raw.0))
            .unwrap_or(&SyntaxKind::Unknown)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        kind.into()
    }
}

/// A node of the tree.
pub type SyntaxNode = rowan::SyntaxNode<Keyfold>;
/// A token of the tree.
pub type SyntaxToken = rowan::SyntaxToken<Keyfold>;

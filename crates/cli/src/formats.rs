//! The formats of `--to` and `--format`.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use keyfold_app::export::ALL;
use keyfold_core::export::{FORMATS, Format};
use std::sync::LazyLock;

/// A format that a design is exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// A format of the core.
    Files(Format),
    /// The picture of the canvas.
    Svg,
    /// The samples as CSV.
    Csv,
    /// The samples as DynamoDB JSON.
    DynamoDbJson,
    /// Everything together.
    All,
}

static EXPORT_FORMATS: LazyLock<Vec<ExportFormat>> = LazyLock::new(|| {
    let mut formats: Vec<_> = FORMATS.map(ExportFormat::Files).into();
    formats.extend([
        ExportFormat::Svg,
        ExportFormat::Csv,
        ExportFormat::DynamoDbJson,
        ExportFormat::All,
    ]);
    formats
});

impl ExportFormat {
    /// Returns the name that `--to` takes.
    pub fn name(self) -> &'static str {
        match self {
            ExportFormat::Files(format) => format.name,
            ExportFormat::Svg => "svg",
            ExportFormat::Csv => "csv",
            ExportFormat::DynamoDbJson => "dynamodb-json",
            ExportFormat::All => ALL,
        }
    }

    fn help(self) -> &'static str {
        match self {
            ExportFormat::Files(format) => format.label,
            ExportFormat::Svg => "Picture of the canvas",
            ExportFormat::Csv => "Samples as CSV",
            ExportFormat::DynamoDbJson => "Samples as DynamoDB JSON",
            ExportFormat::All => "Every format, the picture, the samples and the design",
        }
    }
}

impl ValueEnum for ExportFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &EXPORT_FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.help()))
    }
}

/// A format that an import reads, or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportFormat(pub Option<keyfold_import::Format>);

static IMPORT_FORMATS: LazyLock<Vec<ImportFormat>> = LazyLock::new(|| {
    let formats = keyfold_import::format::FORMATS.iter();
    let formats = formats.map(|(format, ..)| ImportFormat(Some(*format)));
    std::iter::once(ImportFormat(None)).chain(formats).collect()
});

impl ValueEnum for ImportFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &IMPORT_FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            None => PossibleValue::new("auto").help("The format that the file looks like"),
            Some(format) => PossibleValue::new(format.name()).help(format.label()),
        })
    }
}

/// A format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

/// A format of a lint report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// A format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For comments of pull requests
    Markdown,
    /// Picture of the new design with marked cards
    Svg,
}

/// A format of a cost report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CostFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For documents and comments of pull requests
    Markdown,
    /// For spreadsheets
    Csv,
}

/// A side of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TakenSide {
    /// The values of OURS
    Ours,
    /// The values of THEIRS
    Theirs,
}

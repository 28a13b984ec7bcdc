//! The command line: commands, options and their help. The doc comments are the help texts.

use crate::compare_args::{DiffArgs, MergeArgs};
use crate::formats::{CostFormat, ExportFormat, ImportFormat, LintFormat, ReportFormat};
use crate::output::Destination;
use crate::values::{CountPerParent, EntityCount, PatternName};
use clap::{Args, Parser, Subcommand, ValueHint};
use std::path::PathBuf;

/// Design DynamoDB single tables on the command line
///
/// DESIGN is a design file (JSON, or text that ends in .keyfold), `-` for standard input, `pattern:NAME` for a design
/// of the pattern library, or a share link.
/// Results go to standard output, warnings and errors to standard error.
#[derive(Debug, Parser)]
#[command(
    name = "keyfold",
    version,
    // An option that is repeated counts once: the last one.
    args_override_self = true,
    arg_required_else_help = false,
    max_term_width = 100,
    after_help = "\
Exit codes:
  0  Success
  1  The command found a problem: its help states which
  2  The arguments or the input cannot be used

Examples:
  keyfold patterns
  keyfold pattern saas-multi-tenant > design.json
  keyfold lint design.json
  keyfold export design.json --to cloudformation --out table.yaml

`keyfold help COMMAND` explains a command."
)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the pattern library
    ///
    /// Prints the name, the title and the summary of each pattern, by group.
    Patterns,
    Pattern(PatternArgs),
    Items(ItemsArgs),
    Export(ExportArgs),
    Generate(GenerateArgs),
    Import(ImportArgs),
    Profile(ProfileArgs),
    Infer(InferArgs),
    ImportSamples(ImportSamplesArgs),
    Query(QueryArgs),
    Check(CheckArgs),
    Lint(LintArgs),
    Prove(ProveArgs),
    Cost(CostArgs),
    Plan(PlanArgs),
    Diff(DiffArgs),
    Merge(MergeArgs),
    Convert(ConvertArgs),
    Link(LinkArgs),
    Fmt(FmtArgs),
    /// Run the language server for editors (LSP)
    ///
    /// Reads requests of an editor from standard input and writes answers to standard output. The server provides the
    /// problems and findings of `.keyfold` files with quick fixes, completion, hover, go to definition, rename,
    /// formatting, the outline and folding.
    #[command(after_help = "\
Exit code 1: the session ended without `shutdown`.

Examples:
  keyfold lsp                           The command for the settings of an editor
  hx design.keyfold                     Helix, with `keyfold lsp` in languages.toml")]
    Lsp,
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Print the design file of a pattern
///
/// The output is a complete design with samples and access patterns.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  keyfold pattern saas-multi-tenant > design.json
  keyfold pattern saas-multi-tenant --text > design.keyfold")]
pub struct PatternArgs {
    /// Name of the pattern, as `keyfold patterns` lists it
    #[arg(value_name = "NAME", hide_possible_values = true)]
    pub name: PatternName,
    /// Print the design as text instead of JSON
    #[arg(long)]
    pub text: bool,
}

/// Print the items of the table or of an index
///
/// Prints one item per line as DynamoDB JSON, in DynamoDB's order, with the projected attributes. Items that cannot be
/// stored are reported on standard error.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: an item cannot be stored.

Examples:
  keyfold items design.json
  keyfold items pattern:saas-multi-tenant --index GSI1")]
pub struct ItemsArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Print the items of this index instead of the table
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub index: Option<String>,
}

/// Print or write an export
///
/// The export options of the design (`exportOptions`) apply. The formats `all`, `batch-write`, `create-table` and
/// `rust-crate` have several files: name a folder or a .zip file with `--out`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: the resource policy is omitted, because it has an error.

Examples:
  keyfold export design.json --to cloudformation --out table.yaml
  keyfold export design.json --to rust-crate --out saas-keys
  keyfold export design.json --to svg --dark --out table.svg
  keyfold export design.json --to all --out exports.zip")]
pub struct ExportArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Format of the export
    #[arg(long, value_name = "FORMAT")]
    pub to: ExportFormat,
    /// File, folder or .zip file to write, `-` for standard output. Keyfold writes files atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::AnyPath)]
    pub out: Destination,
    /// Draw the picture in dark colors, with `--to svg` or `--to all`
    #[arg(long)]
    pub dark: bool,
    /// Export the samples of this entity only, with `--to csv` or `--to dynamodb-json`
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub entity: Option<String>,
    /// Add the IAM policy for tenant roles, whatever the design says, with `--to cloudformation` or
    /// `--to cloudformation-json`
    #[arg(long)]
    pub tenant_policy: bool,
}

/// Add generated samples to a design
///
/// Prints or writes the design with the samples. The same seed gives the same samples. Set at least one of `--each`,
/// `--count` and `--per`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: an entity got fewer samples than requested.

Examples:
  keyfold generate design.json --each 10 --out design.json
  keyfold generate design.json --each 10 --per User:Order=20 --seed 7 --out design.json
  keyfold generate design.json --count Tenant=3 --replace")]
pub struct GenerateArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Number of samples for each entity without `--count` or `--per`
    #[arg(long, value_name = "N")]
    pub each: Option<u32>,
    /// Number of samples for one entity. Repeat the option for several entities
    #[arg(long = "count", value_name = "ENTITY=N", allow_hyphen_values = true)]
    pub counts: Vec<EntityCount>,
    /// Number of samples for each sample of the parent that the entity refers to. Repeat the option for several
    /// entities
    #[arg(long, value_name = "PARENT:ENTITY=N", allow_hyphen_values = true)]
    pub per: Vec<CountPerParent>,
    /// Delete the existing samples first
    #[arg(long)]
    pub replace: bool,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// File to write, `-` for standard output. Keyfold writes the file atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Destination,
}

/// Make designs from files of other tools
///
/// Reads NoSQL Workbench models, CloudFormation, SAM and CDK templates, serverless.yml, Terraform, CreateTable and
/// DescribeTable JSON, OneTable schemas, ElectroDB and dynamodb-toolbox entities, the files of AWS's DynamoDB MCP server, and items in JSON or
/// CSV, also compressed with gzip. Several files are read together, such as a template and the items of its table. Prints
/// or writes the design. If a file has no key templates, Keyfold infers the entities from the items. Standard error lists
/// what is left out.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: something was left out.

Examples:
  keyfold import model.json --out design.json
  keyfold import template.yaml items.json > design.json
  aws dynamodb describe-table --table-name saas | keyfold import - --out design.keyfold
  keyfold import several-tables.json --out designs")]
pub struct ImportArgs {
    /// Files to read, `-` for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Format of the files. By default, Keyfold detects the format of each
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub format: ImportFormat,
    /// File to write, or a folder for several tables, `-` for standard output. Keyfold writes files atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::AnyPath)]
    pub out: Destination,
    /// Print a report instead of the design, with all tables and what is left out
    #[arg(long, value_name = "FORMAT")]
    pub report: Option<ReportFormat>,
}

/// Profile the items of a table of any size
///
/// Reads table exports to S3 and other files with one item in each line as a stream, also compressed with gzip, so that
/// memory stays small. It loads item files in other formats into memory, up to 64 MB. Prints or writes a profile: groups of
/// items with similar keys, with statistics and examples. `keyfold infer` makes a design from one or more profiles. The
/// design is the same however the items are divided among them.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: an item was left out.

Examples:
  keyfold profile data/*.json.gz --table table.json --out saas.profile
  ls data/*.json.gz | xargs -P 4 -I {} keyfold profile {} --table table.json --out {}.profile")]
pub struct ProfileArgs {
    /// What it reads and writes
    #[command(flatten)]
    pub items: ItemArgs,
}

/// The items of a table, and where the result goes.
#[derive(Debug, Args)]
pub struct ItemArgs {
    /// Files with items, or profiles, `-` for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// File that defines the table, in a format of `keyfold import`. By default, Keyfold infers the key from the first items
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub table: Option<PathBuf>,
    /// File to write, `-` for standard output. Keyfold writes the file atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Destination,
}

/// Find the entities and key templates of a table of any size
///
/// Reads profiles, and items as `keyfold profile` does. Prints or writes a design with the entities and templates that the
/// items show. Its samples are a few examples of each; the longest values are cut. `keyfold import` keeps all items.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: an item was left out.

Examples:
  keyfold infer data/*.json.gz --table table.json --out design.json
  keyfold infer data/*.profile --report text")]
pub struct InferArgs {
    /// What it reads and writes
    #[command(flatten)]
    pub items: ItemArgs,
    /// Print a report instead of the design: how many items each template explains
    #[arg(long, value_name = "FORMAT")]
    pub report: Option<ReportFormat>,
}

/// Add the items of a file to a design as samples
///
/// Reads CSV or DynamoDB JSON: S3 exports, Scan results and batch requests. Prints or writes the design with the samples.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: an item or a value was left out or changed.

Examples:
  keyfold import-samples design.json items.csv --out design.json
  aws dynamodb scan --table-name saas | keyfold import-samples design.json -")]
pub struct ImportSamplesArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// File with the items, `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Entity of all items. By default, Keyfold detects the entity from keys and attributes
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub entity: Option<String>,
    /// File to write, `-` for standard output. Keyfold writes the file atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Destination,
}

/// Run queries on the items of a design
///
/// Prints the primary keys of the items that each query returns, in order, as JSON. A query that DynamoDB rejects has an
/// error instead. An unknown index is an error in QUERIES: no query runs.
#[derive(Debug, Args)]
#[command(after_help = r##"QUERIES is a JSON list of objects with these members:
  id       String or number that identifies the query
  index    Name of an index; the table if absent
  pk       Value of the partition key, or {ATTRIBUTE: VALUE, ...}
  sk       Condition {"op": OP, "value": VALUE} on the sort key, or a list of conditions, each with
           the name of its attribute in "attr". OP is = < <= > >= between begins_with; between has
           its upper bound in "value2"
  forward  Whether to read in ascending order; true if absent
  limit    Number of items to read; all if absent
A value is plain JSON or DynamoDB JSON.

Exit code 1: a query has an error, or an item of the design cannot be stored.

Examples:
  keyfold query design.json queries.json
  echo '[{"id": 1, "pk": "TENANT#t_01", "sk": {"op": "begins_with", "value": "USER#"}}]' |
    keyfold query pattern:saas-multi-tenant -"##)]
pub struct QueryArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// JSON file with the queries, `-` for standard input
    #[arg(value_name = "QUERIES", value_hint = ValueHint::FilePath)]
    pub queries: PathBuf,
}

/// List errors in templates and items
///
/// Prints one line for each template with an error, for each item that cannot be stored as written, and for each pair of
/// items with the same primary key.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: there is an error.

Examples:
  keyfold check design.json")]
pub struct CheckArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
}

/// Lint a design, and fix what can be fixed
///
/// Prints the findings of all rules on keys, indexes, access patterns, samples, tenants, cost and limits.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: a finding of severity error or warning is not silenced.

Examples:
  keyfold lint design.json
  keyfold lint design.json --format sarif > keyfold.sarif
  keyfold lint design.json --fix
  keyfold lint pattern:saas-multi-tenant --fix-all --out fixed.json")]
pub struct LintArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: LintFormat,
    /// Apply the safe fixes first: they change no stored key and delete nothing
    #[arg(long)]
    pub fix: bool,
    /// Apply all fixes first
    #[arg(long)]
    pub fix_all: bool,
    /// File for the fixed design. By default it replaces the design file
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Option<Destination>,
}

/// Prove the access patterns of a design
///
/// Prints for each access pattern whether the design serves it and what it does to the samples. The coverage matrix
/// shows which index serves which access pattern.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: an access pattern is unserved.

Examples:
  keyfold prove design.json
  keyfold prove design.json --format json")]
pub struct ProveArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ReportFormat,
}

/// Compute the monthly bill and the hot keys of a design
///
/// Prints the monthly bill, the other capacity modes and table classes, the share of each access pattern and index, the
/// hottest partition keys and how many shards they need. Rates, data and prices are those of the design. What it does
/// not state is assumed: rates are fixed assumptions, data follows from the samples. With NEW, prints the difference from
/// DESIGN to NEW.
#[derive(Debug, Args)]
#[command(after_help = "\
A price file is JSON with prices in US dollars; `keyfold cost DESIGN --format json` has the names of the lines:
  {\"currency\": \"USD\", \"region\": \"eu-west-1\", \"date\": \"2026-08-15\", \"lines\": {\"storage\": 0.283}}
If the file lacks a price, the total is a lower bound.

Exit code 1: a figure of the design is not usable.

Examples:
  keyfold cost design.json
  keyfold cost design.json --months 12 --format markdown
  keyfold cost main.json design.json --format markdown")]
pub struct CostArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Later version to compare with
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub new: Option<PathBuf>,
    /// File with the prices of a Region. By default, Keyfold uses its price list of the design's Region
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub prices: Option<PathBuf>,
    /// Number of months ahead to print the total for
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=120))]
    pub months: u32,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CostFormat,
}

/// Plan the stack updates from one version of a table to another
///
/// Prints the updates in order. Each creates or deletes at most one index. The plan also lists the attributes to write to
/// the items. OLD and NEW are designs, or CloudFormation templates in YAML or JSON.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: CloudFormation must replace the table.

Examples:
  keyfold plan deployed.yaml design.json
  keyfold plan deployed.yaml design.json --step 1 --out update-1.yaml")]
pub struct PlanArgs {
    /// Earlier version: design file, template, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub old: PathBuf,
    /// Later version: design file, template, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub new: PathBuf,
    /// Format of the plan
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ReportFormat,
    /// Logical ID of the table, for a template with several tables
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub table: Option<String>,
    /// Print the template of this update instead of the plan. The first update is 1
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
    /// File to write, `-` for standard output. Keyfold writes the file atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Destination,
}

/// Convert a design between JSON and text
///
/// The ending of OUT chooses the form: .json or .keyfold. Without OUT, the command prints the other form. The text has no
/// IDs: a design that is read from text gets new ones.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  keyfold convert design.json design.keyfold
  keyfold convert design.keyfold design.json
  keyfold convert pattern:saas-multi-tenant")]
pub struct ConvertArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// File to write, `-` for standard output. Keyfold writes the file atomically
    #[arg(value_name = "OUT", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Destination,
}

/// Print a share link
///
/// The link contains the whole design after its `#`, compressed. Browsers do not send this part to a server: anyone who
/// opens the link at the address of a Keyfold page sees the design. The other commands read links too. Quote a link, or put it
/// on standard input if it has more than 100,000 characters. Standard error names the common chats that the link is too long
/// for.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  keyfold link design.json --base https://example.com/keyfold/
  keyfold link pattern:blog --no-samples
  keyfold items 'https://example.com/keyfold/#v1...'
  keyfold convert 'https://example.com/keyfold/#v1...' design.json")]
pub struct LinkArgs {
    /// Design file, `-` for standard input, `pattern:NAME`, or a share link
    #[arg(value_name = "DESIGN", value_hint = ValueHint::FilePath)]
    pub design: PathBuf,
    /// Leave out the samples
    #[arg(long)]
    pub no_samples: bool,
    /// Address of a Keyfold page. By default, the command prints the part after the address
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true, value_hint = ValueHint::Url)]
    pub base: String,
}

/// Format designs that are text
///
/// Indents and aligns the lines. Words, comments and their order stay. Problems of a text are reported on standard error.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: with --check, a file is not formatted or has an error.

Examples:
  keyfold fmt design.keyfold
  keyfold fmt --check *.keyfold
  keyfold fmt - < design.keyfold")]
pub struct FmtArgs {
    /// Files to format in place, `-` for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Write nothing: list the files that are not formatted, and report errors
    #[arg(long)]
    pub check: bool,
}

/// Print the completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  source <(keyfold completions bash)
  keyfold completions zsh > ~/.zfunc/_keyfold
  keyfold completions fish > ~/.config/fish/completions/keyfold.fish")]
pub struct CompletionsArgs {
    /// Shell to print the script for
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Print a manual page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  keyfold man > ~/.local/share/man/man1/keyfold.1
  keyfold man export > ~/.local/share/man/man1/keyfold-export.1")]
pub struct ManArgs {
    /// Print the page of this command instead of the program
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

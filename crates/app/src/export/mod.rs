//! Exports as a person takes them away: all at once, as one zip, with what changed since the last time, and as the
//! updates that lead from an earlier version to the design.

mod line_diff;
mod listing;
mod plan;
mod zip;

pub use line_diff::{DiffLine, Mark, diff_pieces, diff_pieces_in_slices, line_diff};
pub use listing::{Listing, Piece};
pub use plan::{plan_files, read_version, version_text};
pub use zip::{TooLarge, crc32, zip, zip_in_slices};

use super::picture::{Options, svg};
use keyfold_core::export::{Code, FORMATS, File, Format, samples};
use keyfold_core::model::{Design, file_stem};
use keyfold_core::persist::to_json;
use keyfold_core::slices::{finish, pause};

/// What the command line calls all exports together.
pub const ALL: &str = "all";

/// Every export of a design, its picture, its samples and its own file. What has several files is in a folder that is
/// called as the format is; the others stand side by side, as the document expects its picture to.
/// `taken` hears of each file of a format, before it has its place.
pub fn everything(
    design: &Design,
    picture: Options,
    taken: &mut dyn FnMut(Format, &File),
) -> Vec<File> {
    finish(everything_in_slices(design, picture, taken))
}

/// As [`everything`], in slices.
pub async fn everything_in_slices(
    design: &Design,
    picture: Options,
    taken: &mut dyn FnMut(Format, &File),
) -> Vec<File> {
    let mut all = Vec::new();
    for format in FORMATS {
        for file in format.files_in_slices(design).await {
            pause().await;
            taken(format, &file);
            let name = match format.is_folder() {
                true => [format.name, "/", &file.name].concat(),
                false => file.name,
            };
            all.push(File { name, ..file });
        }
    }
    let stem = file_stem(&design.table.name);
    let mut add = |ending: &str, text: String| all.push(plain([&stem, ending].concat(), text));
    add(".svg", svg(design, picture));
    add("-samples.csv", samples::csv_in_slices(design, None).await);
    add(
        "-samples.jsonl",
        samples::dynamodb_json_in_slices(design, None).await,
    );
    add(".keyfold.json", to_json(design));
    all
}

/// What a file is called among all exports of a design, whatever its table is called: the name of the format, and in
/// a folder also that of the file.
pub fn export_name(format: Format, file: &str) -> String {
    match format.is_folder() {
        true => [format.name, "/", file].concat(),
        false => format.name.to_owned(),
    }
}

/// A file whose text has no pieces that are anything.
fn plain(name: String, text: String) -> File {
    let spans = Vec::new();
    let code = Code { text, spans };
    File { name, code }
}

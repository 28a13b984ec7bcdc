//! Exports as files: all of them in one zip archive, the changes since the last export, and the updates from an
//! earlier version to the design.

mod change_plan;
mod line_diff;
mod listing;
mod zip;

pub use change_plan::{plan_files, read_version, version_text};
pub use line_diff::{DiffLine, LineChange, diff_pieces, diff_pieces_in_slices, line_diff};
pub use listing::{Listing, Piece};
pub use zip::{NameTooLong, zip, zip_in_slices};

use super::picture::{PictureOptions, svg};
use keyfold_core::export::markdown::markdown_with;
use keyfold_core::export::{Code, FORMATS, File, Format, samples};
use keyfold_core::model::{Design, file_stem};
use keyfold_core::persist::to_json;
use keyfold_core::slices::{finish, pause};
use keyfold_cost::Report;

/// The name of all exports on the command line.
pub const ALL: &str = "all";

/// Returns the files of a format. The Markdown document of a design with a workload also says what the design costs.
pub fn files(format: Format, design: &Design) -> Vec<File> {
    finish(files_in_slices(format, design))
}

/// Like [`files`], in slices.
pub async fn files_in_slices(format: Format, design: &Design) -> Vec<File> {
    if format.name != "markdown" || design.workload.is_empty() {
        return format.files_in_slices(design).await;
    }
    let chapter = Report::in_slices(design.clone()).await.chapter();
    let name = file_stem(&design.table.name) + ".md";
    let code = markdown_with(design, &chapter).await;
    vec![File { name, code }]
}

/// Returns all exports of a design, its picture, its samples and its own file. Formats with several files get a
/// folder named like the format; the other files are side by side, as the Markdown document expects its picture.
/// `taken` is called with each file of a format under its original name.
pub fn all_files(
    design: &Design,
    picture: PictureOptions,
    taken: &mut dyn FnMut(Format, &File),
) -> Vec<File> {
    finish(all_files_in_slices(design, picture, taken))
}

/// Like [`all_files`], in slices.
pub async fn all_files_in_slices(
    design: &Design,
    picture: PictureOptions,
    taken: &mut dyn FnMut(Format, &File),
) -> Vec<File> {
    let mut all = Vec::new();
    for format in FORMATS {
        for file in files_in_slices(format, design).await {
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

/// Returns the name that identifies a file among a design's exports, whatever the table's name is: the name of the
/// format and, for a folder, the file name.
pub fn export_name(format: Format, file: &str) -> String {
    match format.is_folder() {
        true => [format.name, "/", file].concat(),
        false => format.name.to_owned(),
    }
}

/// A file without highlighting.
fn plain(name: String, text: String) -> File {
    let spans = Vec::new();
    let code = Code { text, spans };
    File { name, code }
}

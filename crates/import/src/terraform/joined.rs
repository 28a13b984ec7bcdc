//! The `.tf` files of one directory are one module: variables, locals and auto scaling may be in other files than the
//! tables.

use super::read_blocks;
use crate::form::{Import, Note, Notes};
use crate::format_list::Format;

/// The files of a directory.
struct Module {
    directory: String,
    /// The position of the first of them among all.
    at: usize,
    files: Vec<(String, Import)>,
}

/// The files with those of one directory read again as one, at the place of the first of them and without a name of its
/// own: the places in it name the files.
pub fn joined(files: Vec<(Option<String>, Import)>) -> Vec<(Option<String>, Import)> {
    let mut out: Vec<(Option<String>, Import)> = Vec::new();
    let mut modules: Vec<Module> = Vec::new();
    for (name, import) in files {
        let Some(name) = name.clone().filter(|_| !import.blocks.is_empty()) else {
            out.push((name, import));
            continue;
        };
        let directory = name.rfind(['/', '\\']).map_or("", |end| &name[..end]);
        match modules
            .iter_mut()
            .find(|other| other.directory == directory)
        {
            Some(module) => module.files.push((name, import)),
            None => {
                modules.push(Module {
                    directory: directory.to_owned(),
                    at: out.len(),
                    files: vec![(name, import)],
                });
                out.push((None, Import::default()));
            }
        }
    }
    for Module { at, mut files, .. } in modules {
        out[at] = match files.len() {
            1 => {
                let (name, import) = files.remove(0);
                (Some(name), import)
            }
            _ => (None, read_module(files)),
        };
    }
    out
}

/// Reads the files of a directory as one.
fn read_module(files: Vec<(String, Import)>) -> Import {
    let place = files.first().map(|(name, _)| name.clone());
    let blocks = files.into_iter().flat_map(|(name, import)| {
        import.blocks.into_iter().map(move |mut block| {
            block.file = Some(name.clone());
            block
        })
    });
    let mut notes = Notes::default();
    let mut import = match read_blocks(blocks.collect(), &mut notes) {
        Ok(import) => import,
        Err(why) => Import {
            left_out: vec![Note {
                place: place.clone().unwrap_or_default(),
                message: why,
            }],
            ..Import::default()
        },
    };
    import.formats = vec![Format::Terraform];
    import.left_out.extend(notes.0);
    import
}

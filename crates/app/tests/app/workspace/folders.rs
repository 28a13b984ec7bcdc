//! The list of designs by folder.

use super::memory::{Memory, now};
use super::{load, save};
use keyfold_app::workspace::{Workspace, folders};
use keyfold_core::model::Design;

/// The folders with the names of their designs, as a search finds them.
fn shown(workspace: &Workspace<Memory>, search: &str) -> Vec<(String, Vec<String>)> {
    let entries = now(workspace.entries()).unwrap();
    let folders = folders(&entries, search).into_iter();
    let names = |designs: Vec<keyfold_app::workspace::Entry>| {
        designs.into_iter().map(|entry| entry.name).collect()
    };
    folders
        .map(|folder| (folder.name, names(folder.designs)))
        .collect()
}

fn folder(name: &str, designs: &[&str]) -> (String, Vec<String>) {
    let designs = designs.iter().map(|name| (*name).to_owned());
    (name.to_owned(), designs.collect())
}

#[test]
fn designs_are_listed_by_folder_and_newest_first() {
    let workspace = Workspace::new(Memory::default());
    for (key, name) in [(1, "Shop"), (2, "Chat"), (3, "Bank"), (4, "Blog")] {
        assert_eq!(save(&workspace, key, 0, &Design::new(name)), Ok(1));
    }
    assert_eq!(
        shown(&workspace, ""),
        [folder("", &["Blog", "Bank", "Chat", "Shop"])]
    );
    now(workspace.set_folder(1, " Work ")).unwrap();
    now(workspace.set_folder(3, "Work")).unwrap();
    now(workspace.set_folder(2, "archive")).unwrap();
    assert_eq!(
        shown(&workspace, ""),
        [
            folder("", &["Blog"]),
            folder("archive", &["Chat"]),
            folder("Work", &["Bank", "Shop"]),
        ]
    );
    assert_eq!(shown(&workspace, "WORK sh"), [folder("Work", &["Shop"])]);
    assert_eq!(shown(&workspace, "nothing"), []);

    // A folder is no new version, and saving keeps it.
    assert_eq!(load(&workspace, 1).1, 1);
    assert_eq!(save(&workspace, 1, 1, &Design::new("Store")), Ok(2));
    assert_eq!(shown(&workspace, "store"), [folder("Work", &["Store"])]);
    now(workspace.set_folder(1, "")).unwrap();
    assert_eq!(shown(&workspace, "store"), [folder("", &["Store"])]);

    // A design that is not there does not appear.
    now(workspace.set_folder(77, "Work")).unwrap();
    assert_eq!(now(workspace.entries()).unwrap().len(), 4);
}

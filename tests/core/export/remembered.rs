//! What was exported last, beside the designs, and never in their way.

use keyfold::app::workspace::{Storage, Workspace};
use keyfold::domain::model::{Design, SortedMap};
use std::cell::RefCell;
use std::rc::Rc;

/// A storage with so much room, in bytes of keys and texts.
#[derive(Clone)]
struct Memory {
    texts: Rc<RefCell<SortedMap<String, String>>>,
    room: usize,
}

impl Storage for Memory {
    fn get(&self, key: &str) -> Option<String> {
        self.texts.borrow().get(key).cloned()
    }

    fn set(&self, key: &str, text: &str) -> Result<(), String> {
        let mut texts = self.texts.borrow_mut();
        let others = texts.iter().filter(|(other, _)| *other != key);
        let used: usize = others.map(|(key, text)| key.len() + text.len()).sum();
        if used + key.len() + text.len() > self.room {
            return Err("full".into());
        }
        texts.insert(key.into(), text.into());
        Ok(())
    }

    fn remove(&self, key: &str) {
        self.texts.borrow_mut().remove(key);
    }

    fn keys(&self) -> Vec<String> {
        self.texts.borrow().keys().cloned().collect()
    }
}

fn memory(room: usize) -> Memory {
    let texts = Rc::default();
    Memory { texts, room }
}

#[test]
fn an_export_is_remembered_until_the_design_goes() {
    let memory = memory(usize::MAX);
    let mut workspace = Workspace::open(memory.clone());
    let (one, _) = workspace.create(&Design::new("One"));
    let (ten, _) = workspace.create(&Design::new("Two"));
    workspace.remember(one, "iam", "first");
    workspace.remember(one, "iam", "second");
    workspace.remember(one, "rust-crate/src/lib.rs", "lib");
    workspace.remember(ten, "iam", "other");
    let again = Workspace::open(memory);
    assert_eq!(again.remembered(one, "iam").as_deref(), Some("second"));
    assert_eq!(
        again.remembered(one, "rust-crate/src/lib.rs").as_deref(),
        Some("lib")
    );
    assert_eq!(again.remembered(one, "cdk"), None);
    assert_eq!(again.designs().len(), 2, "what is remembered is no design");
    workspace.delete(one);
    assert_eq!(workspace.remembered(one, "iam"), None);
    assert_eq!(workspace.remembered(ten, "iam").as_deref(), Some("other"));
}

#[test]
fn what_is_remembered_gives_way_to_a_design() {
    let memory = memory(3000);
    let mut workspace = Workspace::open(memory.clone());
    let mut design = Design::new("One");
    let (key, stored) = workspace.create(&design);
    assert_eq!(stored, Ok(()));
    workspace.load(key).unwrap();
    workspace.remember(key, "iam", &"x".repeat(1000));
    assert!(workspace.remembered(key, "iam").is_some());
    let backups = || {
        memory
            .keys()
            .iter()
            .filter(|key| key.contains("backup"))
            .count()
    };
    assert_eq!(backups(), 1);
    design.description = "y".repeat(1200);
    assert_eq!(workspace.save(key, &design), Ok(()));
    assert_eq!(workspace.remembered(key, "iam"), None);
    assert_eq!(backups(), 1, "the backup goes only when that is not enough");
    assert_eq!(workspace.load(key).unwrap(), design);
}

#[test]
fn what_is_too_much_is_not_remembered() {
    let mut workspace = Workspace::open(memory(usize::MAX));
    let (one, _) = workspace.create(&Design::new("One"));
    let (two, _) = workspace.create(&Design::new("Two"));
    workspace.remember(one, "batch-write", "small");
    workspace.remember(one, "batch-write", &"x".repeat(150_001));
    assert_eq!(
        workspace.remembered(one, "batch-write"),
        None,
        "not what is out of date"
    );
    let large = "x".repeat(150_000);
    for number in 0..6 {
        workspace.remember(one, &number.to_string(), &large);
    }
    assert!(workspace.remembered(one, "0").is_some());
    workspace.remember(two, "iam", &large);
    assert_eq!(
        workspace.remembered(one, "0"),
        None,
        "another design's goes"
    );
    assert!(workspace.remembered(two, "iam").is_some());
    for number in 0..9 {
        workspace.remember(two, &number.to_string(), &large);
    }
    assert!(workspace.remembered(two, "iam").is_some(), "its own stays");
    assert_eq!(workspace.remembered(two, "8"), None);
}

#[test]
fn a_full_storage_remembers_nothing_and_harms_nothing() {
    let memory = memory(800);
    let mut workspace = Workspace::open(memory.clone());
    let design = Design::new("One");
    let (key, stored) = workspace.create(&design);
    assert_eq!(stored, Ok(()));
    workspace.remember(key, "iam", &"x".repeat(700));
    assert_eq!(workspace.remembered(key, "iam"), None);
    assert_eq!(Workspace::open(memory).load(key).unwrap(), design);
}

//! A database and local storage in memory, with limited space.

use keyfold_app::workspace::{Database, ObjectStore, Storage, StorageError, Write};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The result of a future that never waits.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("it waits"),
    }
}

/// A stored text: its object store, its key, and the text.
type Stored = (ObjectStore, String, String);

#[derive(Debug, Default)]
struct Inner {
    texts: BTreeMap<(ObjectStore, String), String>,
    room: Option<usize>,
    /// Whether each request fails.
    denied: bool,
    /// The writes of another tab, and after how many reads they happen.
    meanwhile: Option<(usize, Vec<Stored>)>,
}

/// A database in memory. A clone is another connection to it.
#[derive(Debug, Clone, Default)]
pub struct Memory(Rc<RefCell<Inner>>);

impl Memory {
    /// Total size of keys and texts, in bytes.
    pub fn used(&self) -> usize {
        let inner = self.0.borrow();
        (inner.texts.iter())
            .map(|((_, key), text)| key.len() + text.len())
            .sum()
    }

    /// Limits the space to this number of bytes.
    pub fn limit_to(&self, bytes: usize) {
        self.0.borrow_mut().room = Some(bytes);
    }

    /// Makes all requests fail, or none.
    pub fn deny(&self, denied: bool) {
        self.0.borrow_mut().denied = denied;
    }

    /// Another tab writes these texts after so many further reads.
    pub fn meanwhile(&self, reads: usize, texts: Vec<Stored>) {
        self.0.borrow_mut().meanwhile = Some((reads, texts));
    }

    /// All texts.
    pub fn texts(&self) -> Vec<Stored> {
        let inner = self.0.borrow();
        let texts = inner.texts.iter();
        texts
            .map(|((group, key), text)| (*group, key.clone(), text.clone()))
            .collect()
    }

    /// Writes a text directly, to simulate a fault.
    pub fn put(&self, group: ObjectStore, key: &str, text: &str) {
        let mut inner = self.0.borrow_mut();
        inner.texts.insert((group, key.into()), text.into());
    }

    /// Removes a text directly, to simulate a fault.
    pub fn remove(&self, group: ObjectStore, key: &str) {
        self.0.borrow_mut().texts.remove(&(group, key.into()));
    }

    fn check(&self) -> Result<(), StorageError> {
        match self.0.borrow().denied {
            true => Err(StorageError::Denied("not here".into())),
            false => Ok(()),
        }
    }
}

impl Database for Memory {
    async fn get(&self, group: ObjectStore, key: &str) -> Result<Option<String>, StorageError> {
        self.check()?;
        let text = self.0.borrow().texts.get(&(group, key.to_owned())).cloned();
        let mut inner = self.0.borrow_mut();
        let is_time = match &mut inner.meanwhile {
            Some((reads, _)) => {
                *reads = reads.saturating_sub(1);
                *reads == 0
            }
            None => false,
        };
        if is_time && let Some((_, texts)) = inner.meanwhile.take() {
            let texts = texts
                .into_iter()
                .map(|(group, key, text)| ((group, key), text));
            inner.texts.extend(texts);
        }
        Ok(text)
    }

    async fn all(&self, group: ObjectStore) -> Result<Vec<(String, String)>, StorageError> {
        self.check()?;
        let inner = self.0.borrow();
        let own = inner.texts.iter().filter(|((of, _), _)| *of == group);
        Ok(own
            .map(|((_, key), text)| (key.clone(), text.clone()))
            .collect())
    }

    async fn keys(&self, group: ObjectStore) -> Result<Vec<String>, StorageError> {
        Ok(self
            .all(group)
            .await?
            .into_iter()
            .map(|(key, _)| key)
            .collect())
    }

    async fn change(
        &self,
        guard: (ObjectStore, &str),
        decide: &mut dyn FnMut(Option<String>) -> Vec<Write>,
    ) -> Result<(), StorageError> {
        let stored = self.get(guard.0, guard.1).await?;
        let before = self.0.borrow().texts.clone();
        let used = self.used();
        for write in decide(stored) {
            let texts = &mut self.0.borrow_mut().texts;
            match write {
                Write::Put(group, key, text) => {
                    texts.insert((group, key), text);
                }
                Write::Delete(group, key) => {
                    texts.remove(&(group, key));
                }
                Write::DeletePrefix(group, prefix) => {
                    texts.retain(|(of, key), _| *of != group || !key.starts_with(&prefix));
                }
            }
        }
        let room = self.0.borrow().room.unwrap_or(usize::MAX);
        if self.used() > room.max(used) {
            self.0.borrow_mut().texts = before;
            return Err(StorageError::Full);
        }
        Ok(())
    }
}

/// Local storage in memory.
#[derive(Debug, Clone, Default)]
pub struct Local(Rc<RefCell<BTreeMap<String, String>>>);

impl Storage for Local {
    fn get(&self, key: &str) -> Option<String> {
        self.0.borrow().get(key).cloned()
    }

    fn set(&self, key: &str, text: &str) -> Result<(), String> {
        self.0.borrow_mut().insert(key.into(), text.into());
        Ok(())
    }

    fn remove(&self, key: &str) {
        self.0.borrow_mut().remove(key);
    }

    fn keys(&self) -> Vec<String> {
        self.0.borrow().keys().cloned().collect()
    }
}

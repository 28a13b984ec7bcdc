//! IndexedDB, through the `idb` crate.

use idb::builder::ObjectStoreBuilder;
use idb::{Error, KeyRange, Query, Transaction, TransactionMode, TransactionResult};
use keyfold_app::workspace::{Database, ObjectStore, StorageError, Write};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DomException, IdbTransaction};

const NAME: &str = "keyfold";

/// The page's IndexedDB database. If the browser does not allow it, every request fails with
/// [`StorageError::Denied`].
#[derive(Debug, Clone, Default)]
pub struct IndexedDb {
    /// The connection, once opened.
    open: Rc<RefCell<Option<Rc<idb::Database>>>>,
}

impl IndexedDb {
    /// Starts a transaction on all object stores. The browser closes the connection when the page's data is cleared;
    /// then a new one is opened.
    async fn transaction(&self, mode: TransactionMode) -> Result<Transaction, StorageError> {
        let stores = ObjectStore::ALL.map(ObjectStore::name);
        let open = self.open.borrow().clone();
        if let Some(database) = open {
            if let Ok(transaction) = database.transaction(&stores, mode) {
                return Ok(transaction);
            }
            *self.open.borrow_mut() = None;
        }
        let mut builder = idb::Database::builder(NAME).version(1);
        for store in stores {
            builder = builder.add_object_store(ObjectStoreBuilder::new(store));
        }
        let denied = |error: Error| StorageError::Denied(error.to_string());
        let database = Rc::new(builder.build().await.map_err(denied)?);
        *self.open.borrow_mut() = Some(database.clone());
        database.transaction(&stores, mode).map_err(failure)
    }
}

impl Database for IndexedDb {
    async fn get(&self, group: ObjectStore, key: &str) -> Result<Option<String>, StorageError> {
        let transaction = self.transaction(TransactionMode::ReadOnly).await?;
        read(&transaction, group, key).await.map_err(failure)
    }

    async fn all(&self, group: ObjectStore) -> Result<Vec<(String, String)>, StorageError> {
        let transaction = self.transaction(TransactionMode::ReadOnly).await?;
        let all = async {
            let store = transaction.object_store(group.name())?;
            let (keys, values) = (store.get_all_keys(None, None)?, store.get_all(None, None)?);
            Ok((keys.await?, values.await?))
        };
        let (keys, values) = all.await.map_err(failure)?;
        let pairs = keys.into_iter().zip(values);
        Ok(pairs
            .filter_map(|(key, value)| Some((key.as_string()?, value.as_string()?)))
            .collect())
    }

    async fn keys(&self, group: ObjectStore) -> Result<Vec<String>, StorageError> {
        let transaction = self.transaction(TransactionMode::ReadOnly).await?;
        let all = async {
            transaction
                .object_store(group.name())?
                .get_all_keys(None, None)?
                .await
        };
        let keys = all.await.map_err(failure)?;
        Ok(keys.iter().filter_map(JsValue::as_string).collect())
    }

    async fn change(
        &self,
        guard: (ObjectStore, &str),
        decide: &mut dyn FnMut(Option<String>) -> Vec<Write>,
    ) -> Result<(), StorageError> {
        let transaction = self.transaction(TransactionMode::ReadWrite).await?;
        let raw = IdbTransaction::from(transaction);
        let transaction = Transaction::from(raw.clone());
        let written = async {
            let stored = read(&transaction, guard.0, guard.1).await?;
            for write in decide(stored) {
                send(&transaction, write)?;
            }
            transaction.commit()?.await
        };
        match written.await {
            Ok(TransactionResult::Committed) => Ok(()),
            // If the storage is full, the commit fails, and the transaction has the reason.
            Ok(TransactionResult::Aborted) => Err(raw.error().as_ref().map_or(
                StorageError::Other("the transaction was aborted".into()),
                exception,
            )),
            Err(error) => Err(raw
                .error()
                .as_ref()
                .map_or_else(|| failure(error), exception)),
        }
    }
}

async fn read(
    transaction: &Transaction,
    group: ObjectStore,
    key: &str,
) -> Result<Option<String>, Error> {
    let store = transaction.object_store(group.name())?;
    let value = store.get(JsValue::from_str(key))?.await?;
    Ok(value.and_then(|value| value.as_string()))
}

/// Requests a write. The transaction reports whether it succeeds.
fn send(transaction: &Transaction, write: Write) -> Result<(), Error> {
    match write {
        Write::Put(group, key, text) => {
            let store = transaction.object_store(group.name())?;
            store.put(&JsValue::from_str(&text), Some(&JsValue::from_str(&key)))?;
        }
        Write::Delete(group, key) => {
            let store = transaction.object_store(group.name())?;
            store.delete(JsValue::from_str(&key))?;
        }
        Write::DeletePrefix(group, prefix) => {
            let end = JsValue::from_str(&[&prefix, "\u{ffff}"].concat());
            let range = KeyRange::bound(&JsValue::from_str(&prefix), &end, None, None)?;
            let store = transaction.object_store(group.name())?;
            store.delete(Query::KeyRange(range))?;
        }
    }
    Ok(())
}

fn failure(error: Error) -> StorageError {
    use Error::{DomException as Exception, TransactionOpenFailed, UpdateFailed};
    match &error {
        Exception(exception_) => exception(exception_),
        TransactionOpenFailed(value) | UpdateFailed(value) => value
            .dyn_ref()
            .map_or_else(|| StorageError::Other(error.to_string()), exception),
        _ => StorageError::Other(error.to_string()),
    }
}

fn exception(exception: &DomException) -> StorageError {
    match exception.name().as_str() {
        "QuotaExceededError" => StorageError::Full,
        "SecurityError" => StorageError::Denied(exception.message()),
        name => StorageError::Other(format!("{name}: {}", exception.message())),
    }
}

//! Reads the items of files of any size: files with an item in each line as a stream, on all cores; others whole.

use crate::outcome::Refusal;
use crate::source::place;
use keyfold_core::import::samples::Note;
use keyfold_import::form::Notes;
use keyfold_import::source::{MAX_BYTES, decompressed};
use keyfold_import::{Import, ItemValues, is_exported_line, items_of_line, read};
use keyfold_infer::Profile;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// Size of the parts that are read at once, in bytes.
const CHUNK: u64 = 1 << 20;
/// Maximum number of threads that read items.
const THREADS: usize = 8;
/// Maximum number of notes that are kept of a file.
const NOTES: usize = 20;

/// A file that is being read.
pub struct Input {
    /// The name of the file for messages.
    pub name: String,
    reader: Box<dyn BufRead + Send>,
    /// The first lines.
    head: Vec<u8>,
}

/// What could not be read.
#[derive(Debug, Default)]
pub struct Lost {
    /// The first notes.
    pub notes: Vec<Note>,
    /// The number of all notes.
    pub count: usize,
}

/// Whole lines, with the number of the first one.
struct Chunk {
    bytes: Vec<u8>,
    first: usize,
}

impl Input {
    /// Opens a file or standard input (`-`), compressed with gzip or not, and reads its first lines.
    pub fn open(path: &Path) -> Result<Input, Refusal> {
        let name = place(path);
        let refusal = |error: io::Error| Refusal(format!("{name}: cannot read: {error}"));
        let raw: Box<dyn Read + Send> = match path == Path::new("-") {
            true => Box::new(io::stdin()),
            false => Box::new(std::fs::File::open(path).map_err(refusal)?),
        };
        let mut reader = decompressed(raw).map_err(refusal)?;
        let head = lines(&mut reader).map_err(refusal)?;
        Ok(Input { name, reader, head })
    }

    /// The first lines of the file.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether the file is a table export: an item in each line.
    pub fn has_lines(&self) -> bool {
        let mut lines = self.head.split(|byte| *byte == b'\n');
        let first = lines.find(|line| !line.trim_ascii().is_empty());
        first.is_some_and(is_exported_line)
    }

    /// The content of the first lines.
    pub fn import_head(&self) -> Result<Import, Refusal> {
        self.import(&self.head)
    }

    /// The content of the whole file.
    pub fn import_all(&mut self) -> Result<Import, Refusal> {
        let bytes = self.all()?;
        self.import(&bytes)
    }

    fn import(&self, bytes: &[u8]) -> Result<Import, Refusal> {
        read(&self.name, bytes, None).map_err(|why| Refusal(format!("{}: {why}", self.name)))
    }

    /// The bytes of the whole file, which must fit into memory.
    pub fn all(&mut self) -> Result<Vec<u8>, Refusal> {
        let mut bytes = std::mem::take(&mut self.head);
        let rest = (MAX_BYTES + 1).saturating_sub(bytes.len());
        let read = (&mut self.reader).take(rest as u64).read_to_end(&mut bytes);
        read.map_err(|error| self.cannot_read(&error))?;
        Ok(bytes)
    }

    /// Adds the items of all lines to a profile.
    pub fn profile_lines(mut self, profile: &mut Profile) -> Result<Lost, Refusal> {
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
        let threads = threads.min(THREADS);
        let (sender, receiver) = sync_channel::<Chunk>(2 * threads);
        let receiver = Mutex::new(receiver);
        let empty = Profile::new(profile.schema().clone(), keyfold_infer::EXAMPLES);
        let parts = thread::scope(|scope| {
            let work = || read_chunks(&receiver, empty.clone());
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let mut chunk = Chunk {
                bytes: std::mem::take(&mut self.head),
                first: 1,
            };
            let mut read = Ok(());
            while !chunk.bytes.is_empty() {
                let next = chunk.first + chunk.bytes.split(|byte| *byte == b'\n').count() - 1;
                if sender.send(chunk).is_err() {
                    break;
                }
                let bytes = lines(&mut self.reader).unwrap_or_else(|error| {
                    read = Err(self.cannot_read(&error));
                    Vec::new()
                });
                chunk = Chunk { bytes, first: next };
            }
            drop(sender);
            let parts: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            read.map(|()| parts)
        })?;
        let mut notes = Vec::new();
        for part in parts {
            let (part, own) = part.map_err(|_| Refusal("a thread failed".to_owned()))?;
            merge(profile, part, &self.name)?;
            notes.extend(own);
        }
        notes.sort_by_key(|(line, _)| *line);
        let mut lost = Lost::default();
        lost.add(&self.name, notes.into_iter().map(|(_, note)| note));
        Ok(lost)
    }

    fn cannot_read(&self, error: &io::Error) -> Refusal {
        Refusal(format!("{}: cannot read: {error}", self.name))
    }
}

impl Lost {
    /// Adds the notes of a file.
    pub fn add(&mut self, name: &str, notes: impl IntoIterator<Item = Note>) {
        for mut note in notes {
            self.count += 1;
            if self.notes.len() < NOTES {
                note.place = format!("{name}: {}", note.place);
                self.notes.push(note);
            }
        }
    }

    /// Adds what was lost of another file.
    pub fn join(&mut self, other: Lost) {
        self.count += other.count;
        let room = NOTES.saturating_sub(self.notes.len());
        self.notes.extend(other.notes.into_iter().take(room));
    }
}

/// Adds a profile to another.
pub fn merge(profile: &mut Profile, other: Profile, name: &str) -> Result<(), Refusal> {
    profile.merge(other).map_err(|error| {
        Refusal(format!(
            "{name}: {error}. Define the table with --table for all of them"
        ))
    })
}

/// Reads the next lines, about as many bytes as a chunk has; none at the end.
fn lines(reader: &mut Box<dyn BufRead + Send>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(CHUNK as usize + 4096);
    reader.take(CHUNK).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == CHUNK && bytes.last() != Some(&b'\n') {
        // A file without lines is read whole, within the same bound.
        let most = MAX_BYTES as u64;
        reader.take(most).read_until(b'\n', &mut bytes)?;
    }
    Ok(bytes)
}

/// Adds the items of chunks to a profile, until there are no more. Returns the notes with the numbers of their lines.
fn read_chunks(
    chunks: &Mutex<Receiver<Chunk>>,
    mut profile: Profile,
) -> (Profile, Vec<(usize, Note)>) {
    let mut all = Vec::new();
    loop {
        let next = match chunks.lock() {
            Ok(chunks) => chunks.recv(),
            Err(_) => break,
        };
        let Ok(chunk) = next else { break };
        for (line, number) in chunk.bytes.split(|byte| *byte == b'\n').zip(chunk.first..) {
            let mut notes = Notes::default();
            let items: Vec<ItemValues> = items_of_line(line, number, &mut notes);
            items.iter().for_each(|item| profile.add(item));
            all.extend(notes.0.into_iter().map(|note| (number, note)));
        }
    }
    (profile, all)
}

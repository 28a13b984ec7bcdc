//! Reads the items of files of any size: files with an item in each line as a stream, on all cores; others whole.

use crate::outcome::Refusal;
use crate::source::place;
use keyfold_core::import::Note;
use keyfold_import::form::Notes;
use keyfold_import::source::{MAX_BYTES, decompressed};
use keyfold_import::{Import, ItemValues, is_exported_line, items_of_line, read};
use keyfold_infer::Profile;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Size of the parts that are read at once, in bytes.
const CHUNK: u64 = 1 << 20;
/// Maximum number of threads that read items. Each has a profile of its own.
const THREADS: usize = 4;
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

    /// The content of the first lines: about so many bytes, at least one line.
    pub fn import_head(&self, bytes: usize) -> Result<Import, Refusal> {
        let is_end = |at: usize| self.head[at] == b'\n';
        let end = (0..self.head.len().min(bytes)).rev().find(|at| is_end(*at));
        let end = end.or_else(|| (0..self.head.len()).find(|at| is_end(*at)));
        self.import(&self.head[..end.map_or(self.head.len(), |end| end + 1)])
    }

    /// The content of the whole file, which must fit into memory. Leaves the file as it was.
    pub fn import_all(&mut self) -> Result<Import, Refusal> {
        let rest = (MAX_BYTES + 1).saturating_sub(self.head.len());
        let read = (&mut self.reader)
            .take(rest as u64)
            .read_to_end(&mut self.head);
        read.map_err(|error| self.cannot_read(&error))?;
        self.import(&self.head)
    }

    fn import(&self, bytes: &[u8]) -> Result<Import, Refusal> {
        read(&self.name, bytes, None).map_err(|why| Refusal(format!("{}: {why}", self.name)))
    }

    /// Keeps the next bytes in memory, so that they can be read twice.
    pub fn keep(&mut self, most: u64) -> Result<(), Refusal> {
        let read = (&mut self.reader).take(most).read_to_end(&mut self.head);
        read.map(|_| ()).map_err(|error| self.cannot_read(&error))
    }

    /// The bytes of the whole file, as a stream.
    pub fn bytes(&mut self) -> impl Read {
        self.head.chain(&mut self.reader)
    }

    /// Adds the items of all lines to a profile.
    pub fn profile_lines(mut self, profile: &mut Profile) -> Result<Lost, Refusal> {
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
        let threads = threads.min(THREADS);
        let (sender, receiver) = sync_channel::<Chunk>(2 * threads);
        let receiver = Arc::new(Mutex::new(receiver));
        let empty = Profile::new(profile.schema().clone(), keyfold_infer::EXAMPLES);
        let parts = thread::scope(|scope| {
            let start = |_| {
                let (receiver, profile) = (receiver.clone(), empty.clone());
                scope.spawn(move || read_chunks(&receiver, profile))
            };
            let workers: Vec<_> = (0..threads).map(start).collect();
            // If all threads fail, nobody receives, and sending fails too.
            drop(receiver);
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
        let (mut notes, mut count) = (Vec::new(), 0);
        for part in parts {
            let part = part.map_err(|_| Refusal("a thread failed".to_owned()))?;
            merge(profile, part.profile, &self.name)?;
            notes.extend(part.notes);
            count += part.count;
        }
        notes.sort_by_key(|(line, _)| *line);
        let mut lost = Lost::default();
        lost.add(&self.name, notes.into_iter().map(|(_, note)| note));
        lost.count = count;
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

/// What one thread has read.
struct Part {
    profile: Profile,
    /// The first notes, with the numbers of their lines.
    notes: Vec<(usize, Note)>,
    /// The number of all notes.
    count: usize,
}

/// Adds the items of chunks to a profile, until there are no more.
fn read_chunks(chunks: &Mutex<Receiver<Chunk>>, profile: Profile) -> Part {
    let mut part = Part {
        profile,
        notes: Vec::new(),
        count: 0,
    };
    loop {
        let next = match chunks.lock() {
            Ok(chunks) => chunks.recv(),
            Err(_) => break,
        };
        let Ok(chunk) = next else { break };
        for (line, number) in chunk.bytes.split(|byte| *byte == b'\n').zip(chunk.first..) {
            let mut notes = Notes::default();
            let items: Vec<ItemValues> = items_of_line(line, number, &mut notes);
            items.iter().for_each(|item| part.profile.add(item));
            part.count += notes.0.len();
            // A thread reads its lines in their order.
            let room = NOTES.saturating_sub(part.notes.len());
            let notes = notes.0.into_iter().take(room);
            part.notes.extend(notes.map(|note| (number, note)));
        }
    }
    part
}

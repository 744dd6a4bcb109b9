//! Checks in a child process, one at a time, ended by what makes them stale.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Limits;
use crate::document::{Document, FunctionText, functions};

/// How long a burst of edits is waited for.
const PAUSE: Duration = Duration::from_millis(120);

/// How many reports are kept.
const MOST_KNOWN: usize = 10_000;

/// What the worker is told.
pub enum Order {
    /// The text has changed: check it.
    Check(Document),
    /// The file was closed.
    Forget(String),
    /// Check one function of it now, with more time.
    Function(Document, String),
    /// The editor is done.
    Stop,
}

/// What the worker found.
pub struct Found {
    pub uri: String,
    pub version: i64,
    /// What Belay printed, one report a function that was an entry.
    pub reports: Vec<Value>,
    /// The copy of the text that was checked, as reports name it.
    pub copy: PathBuf,
    /// Set where no report could be made: the reason.
    pub failure: Option<String>,
}

/// The worker.
pub struct Checker {
    pub belay: PathBuf,
    pub limits: Limits,
    pub root: Option<PathBuf>,
    pub orders: Receiver<Order>,
    pub found: Sender<Found>,
    folder: PathBuf,
    /// Reports of functions by a hash of all that they rest on.
    known: HashMap<u64, Value>,
}

impl Checker {
    pub fn new(
        belay: PathBuf,
        limits: Limits,
        root: Option<PathBuf>,
        orders: Receiver<Order>,
        found: Sender<Found>,
    ) -> std::io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("belay-lsp-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self { belay, limits, root, orders, found, folder, known: HashMap::new() })
    }

    /// Works until it is told to stop or the main thread is gone.
    pub fn work(mut self) {
        let mut waiting: Vec<Order> = Vec::new();
        loop {
            if waiting.is_empty() {
                match self.orders.recv() {
                    Ok(Order::Stop) | Err(_) => break,
                    Ok(order) => take_in(&mut waiting, order),
                }
            }
            // A burst of edits is one check.
            match self.orders.recv_timeout(PAUSE) {
                Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(order) => {
                    take_in(&mut waiting, order);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let (document, function) = match waiting.remove(0) {
                Order::Check(document) => (document, None),
                Order::Function(document, function) => (document, Some(function)),
                Order::Forget(_) => continue,
                Order::Stop => break,
            };
            if !self.check(document, function, &mut waiting) {
                break;
            }
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// Checks a file; false if the worker is to stop.
    fn check(&mut self, document: Document, function: Option<String>, waiting: &mut Vec<Order>) -> bool {
        let name = document.path.file_name().map_or_else(|| "file.c".into(), |name| name.to_os_string());
        let copy = self.folder.join(name);
        let mut found =
            Found { uri: document.uri.clone(), version: document.version, reports: Vec::new(), copy, failure: None };
        if let Err(error) = std::fs::write(&found.copy, &document.text) {
            found.failure = Some(format!("cannot write a copy of the text: {error}"));
            return self.found.send(found).is_ok();
        }
        let all = functions(&document.text);
        let is_program = all.iter().any(|function| function.name == "main");
        let entries: Vec<&FunctionText> = all
            .iter()
            .filter(|one| match &function {
                Some(name) => one.name == *name,
                None if is_program => one.name == "main",
                None => !one.is_static,
            })
            .collect();
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        for entry in &entries {
            let key = fingerprint(&document, &all, entry);
            if let Some(report) = self.known.get(&key) {
                found.reports.push(report.clone());
                continue;
            }
            let seconds =
                if function.is_some() || is_program { self.limits.seconds } else { 2.min(self.limits.seconds) };
            match self.run(&document, &found.copy, &entry.name, seconds, waiting) {
                Run::Report(report) => {
                    self.known.insert(key, report.clone());
                    found.reports.push(report);
                }
                Run::Failed(reason) => {
                    found.failure = Some(reason);
                    break;
                }
                Run::Stale => return true,
                Run::Stop => return false,
            }
        }
        self.found.send(found).is_ok()
    }

    fn run(&self, document: &Document, copy: &Path, entry: &str, seconds: u64, waiting: &mut Vec<Order>) -> Run {
        let mut command = Command::new(&self.belay);
        command.arg("check").arg(copy).args(["--format", "json", "--threads", "1", "--function", entry]);
        command.args(["--time-limit", &seconds.to_string(), "--memory-limit", &self.limits.mebibytes.to_string()]);
        command.arg("--").args(self.flags(&document.path));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        // SAFETY: one system call between fork and exec. A server that is killed takes its checks along.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => return Run::Failed(format!("cannot run Belay: {error}")),
        };
        let (output, errors) = (drain(child.stdout.take()), drain(child.stderr.take()));
        let deadline = Instant::now() + Duration::from_secs(seconds + 5);
        loop {
            match child.try_wait() {
                Ok(Some(_)) => break,
                Ok(None) if Instant::now() > deadline => {
                    end(&mut child);
                    return Run::Failed("Belay did not answer in time".to_owned());
                }
                Ok(None) => {}
                Err(error) => return Run::Failed(error.to_string()),
            }
            match self.orders.recv_timeout(Duration::from_millis(10)) {
                Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => {
                    end(&mut child);
                    return Run::Stop;
                }
                Ok(order) => {
                    let stale = is_about(&order, &document.uri);
                    take_in(waiting, order);
                    if stale {
                        end(&mut child);
                        return Run::Stale;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let output = output.join().unwrap_or_default();
        match serde_json::from_slice(&output) {
            Ok(report) => Run::Report(report),
            Err(_) => Run::Failed(String::from_utf8_lossy(&errors.join().unwrap_or_default()).trim().to_owned()),
        }
    }

    /// What the compiler is told: how the project compiles the file, and where its own headers are.
    fn flags(&self, path: &Path) -> Vec<String> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut flags = vec!["-iquote".to_owned(), folder.to_string_lossy().into_owned()];
        let database = self.root.as_ref().map(|root| root.join("compile_commands.json"));
        let text = database.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let entries: Vec<Value> = serde_json::from_str(&text).unwrap_or_default();
        for entry in entries {
            let place = Path::new(entry["directory"].as_str().unwrap_or_default());
            if place.join(entry["file"].as_str().unwrap_or_default()) != path {
                continue;
            }
            let words: Vec<String> = match entry["arguments"].as_array() {
                Some(words) => words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect(),
                None => entry["command"].as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            };
            flags.extend(kept_flags(&words, place));
            break;
        }
        flags
    }
}

enum Run {
    Report(Value),
    Failed(String),
    Stale,
    Stop,
}

/// The flags that matter to the meaning of a file, with paths made absolute.
fn kept_flags(words: &[String], place: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let takes_path = ["-I", "-isystem", "-iquote", "-include"].into_iter().find(|flag| word.starts_with(flag));
        if let Some(flag) = takes_path {
            let path =
                if word == flag { words.next().cloned().unwrap_or_default() } else { word[flag.len()..].to_owned() };
            flags.extend([flag.to_owned(), place.join(path).to_string_lossy().into_owned()]);
        } else if word == "-D" || word == "-U" {
            flags.push(format!("{word}{}", words.next().cloned().unwrap_or_default()));
        } else if ["-D", "-U", "-std=", "-f", "-m"].iter().any(|start| word.starts_with(start)) {
            flags.push(word.clone());
        }
    }
    flags
}

/// Puts an order behind the others; what it makes stale goes.
fn take_in(waiting: &mut Vec<Order>, order: Order) {
    if let Order::Check(Document { uri, .. }) | Order::Forget(uri) = &order {
        waiting.retain(|known| !is_about(known, uri));
    }
    waiting.push(order);
}

fn is_about(order: &Order, about: &str) -> bool {
    match order {
        Order::Check(document) | Order::Function(document, _) => document.uri == about,
        Order::Forget(uri) => uri == about,
        Order::Stop => false,
    }
}

fn end(child: &mut Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: the group is the child's own.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.wait();
}

/// Reads a pipe to its end beside what else goes on.
fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// A hash of all that the answer for a function rests on: its text, what it may call in this file, everything outside of functions, and the
/// lines that these stand in.
fn fingerprint(document: &Document, all: &[FunctionText], entry: &FunctionText) -> u64 {
    let mut reached = vec![entry];
    let mut at = 0;
    while at < reached.len() {
        let body = &document.text[reached[at].start..reached[at].end];
        let words: std::collections::HashSet<&str> =
            body.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
        for function in all {
            if words.contains(function.name.as_str()) && !reached.contains(&function) {
                reached.push(function);
            }
        }
        at += 1;
    }
    let mut hasher = DefaultHasher::new();
    document.uri.hash(&mut hasher);
    entry.name.hash(&mut hasher);
    for function in &reached {
        (function.line, &document.text[function.start..function.end]).hash(&mut hasher);
    }
    let mut last = 0;
    for function in all {
        document.text[last..function.start].trim().hash(&mut hasher);
        last = function.end;
    }
    document.text[last..].trim().hash(&mut hasher);
    hasher.finish()
}

//! Checks in a child process, one at a time, ended by what makes them stale.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Limits;
use crate::document::{Document, FunctionText, functions};
use crate::flags::flags;
use crate::known::{Known, basis};

/// How long a burst of edits is waited for.
const PAUSE: Duration = Duration::from_millis(120);

/// What is found is published no more often than this before all of a file is checked.
const BETWEEN: Duration = Duration::from_millis(400);

/// Seconds for a function of a library while its file is edited; who asks for one function waits longer.
const SECONDS_EACH: u64 = 2;

/// The folder for copies of texts, with the number of the process behind it.
const FOLDER: &str = "belay-lsp-";

/// Removes what servers have left behind that were killed. Numbers of processes come again: a folder whose number is taken stays until that process has ended.
fn remove_folders_of_the_dead(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(FOLDER)?.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// What the worker is told.
pub enum Order {
    /// The text has changed: check it.
    Check(Document),
    /// The file was closed.
    Forget(String),
    /// Check one function of it now, with more time.
    Function(Document, String),
    /// Make the page of a violation: the function that was the entry, and the property.
    Page(Document, String, String),
    /// Look for a precondition of a function.
    Precondition(Document, String),
    /// The editor is done.
    Stop,
}

/// What the worker has to say.
pub enum Event {
    Found(Found),
    /// The page of a run.
    Page(PathBuf),
    /// The clauses under which a function is safe.
    Precondition(Document, String, Vec<String>),
    /// Something that was asked for did not come about.
    Failed(String),
}

/// What is known of a file.
#[derive(Clone, Debug)]
pub struct Found {
    pub uri: String,
    pub version: i64,
    /// What Belay printed of each function that was an entry.
    pub reports: Vec<(String, Value)>,
    /// The copy of the text that was checked, as reports name it.
    pub copy: PathBuf,
    /// Set where no report could be made: the reason.
    pub failure: Option<String>,
    /// This is about these functions only: what is known of others stays.
    pub is_part: bool,
    /// Nothing more will come.
    pub is_last: bool,
}

/// The worker.
pub struct Checker {
    pub belay: PathBuf,
    pub limits: Limits,
    pub root: Option<PathBuf>,
    pub orders: Receiver<Order>,
    pub events: Sender<Event>,
    folder: PathBuf,
    known: Known,
}

impl Checker {
    pub fn new(
        belay: PathBuf,
        limits: Limits,
        root: Option<PathBuf>,
        orders: Receiver<Order>,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        remove_folders_of_the_dead(&std::env::temp_dir());
        let folder = std::env::temp_dir().join(format!("{FOLDER}{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self { belay, limits, root, orders, events, folder, known: Known::default() })
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
            let goes_on = match waiting.remove(0) {
                Order::Check(document) => self.check(&document, None, &mut waiting),
                Order::Function(document, function) => self.check(&document, Some(&function), &mut waiting),
                Order::Page(document, entry, property) => self.page(&document, &entry, &property, &mut waiting),
                Order::Precondition(document, function) => self.precondition(document, &function, &mut waiting),
                Order::Forget(_) => true,
                Order::Stop => false,
            };
            if !goes_on {
                break;
            }
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    fn say(&self, event: Event) -> bool {
        self.events.send(event).is_ok()
    }

    /// Writes the text where Belay reads it.
    fn copy(&self, document: &Document) -> Result<PathBuf, String> {
        let name = document.path.file_name().map_or_else(|| "file.c".into(), |name| name.to_os_string());
        let copy = self.folder.join(name);
        let written = std::fs::write(&copy, &document.text);
        written.map(|()| copy).map_err(|error| format!("cannot write a copy of the text: {error}"))
    }

    /// Checks a file, or one function of it; false if the worker is to stop.
    fn check(&mut self, document: &Document, function: Option<&str>, waiting: &mut Vec<Order>) -> bool {
        let mut found = Found {
            uri: document.uri.clone(),
            version: document.version,
            reports: Vec::new(),
            copy: PathBuf::new(),
            failure: None,
            is_part: function.is_some(),
            is_last: false,
        };
        match self.copy(document) {
            Ok(copy) => found.copy = copy,
            Err(why) => {
                found.failure = Some(why);
                return self.say(Event::Found(found));
            }
        }
        let all = functions(&document.text);
        let is_program = all.iter().any(|function| function.name == "main");
        let wanted = |one: &&FunctionText| match function {
            Some(name) => one.name == name,
            None => (is_program && one.name == "main") || one.has_contract || (!is_program && !one.is_static),
        };
        let flags = flags(self.root.as_deref(), &document.path);
        let entries = all.iter().filter(wanted).map(|entry| (entry, basis(document, &flags, &all, entry)));
        // What is known comes at once; who asks for one function wants it checked again.
        let (known, open): (Vec<_>, Vec<_>) = entries
            .map(|(entry, basis)| (entry, self.known.get(&basis).filter(|_| function.is_none()), basis))
            .partition(|(_, report, _)| report.is_some());
        found.reports.extend(known.into_iter().filter_map(|(entry, report, _)| Some((entry.name.clone(), report?))));
        let mut published = Instant::now();
        for (entry, _, basis) in open {
            if !found.reports.is_empty() && function.is_none() && published.elapsed() > BETWEEN {
                self.say(Event::Found(found.clone()));
                published = Instant::now();
            }
            let is_whole = function.is_some() || entry.name == "main";
            let seconds = if is_whole { self.limits.seconds } else { SECONDS_EACH.min(self.limits.seconds) };
            match self.run(document, &self.entry_words(&found.copy, entry, &flags, seconds), seconds, waiting) {
                Run::Report(report) => {
                    self.known.insert(basis, report.clone());
                    found.reports.push((entry.name.clone(), report));
                }
                Run::Failed(reason) => {
                    found.failure = Some(reason);
                    break;
                }
                Run::Stale => return true,
                Run::Stop => return false,
            }
        }
        found.is_last = true;
        self.say(Event::Found(found))
    }

    /// The words of a check from one function.
    fn entry_words(&self, copy: &Path, entry: &FunctionText, flags: &[String], seconds: u64) -> Vec<String> {
        let start = if entry.has_contract && entry.name != "main" { "--enforce" } else { "--function" };
        let words = ["--threads", "1", "--format", "json", start, &entry.name];
        self.words(copy, &words, flags, seconds)
    }

    fn words(&self, copy: &Path, words: &[&str], flags: &[String], seconds: u64) -> Vec<String> {
        let (seconds, mebibytes) = (seconds.to_string(), self.limits.mebibytes.to_string());
        let limits = ["--time-limit", &seconds, "--memory-limit", &mebibytes];
        let copy = copy.to_string_lossy();
        let before = ["check", &copy].into_iter().chain(words.iter().copied()).chain(limits).chain(["--"]);
        before.map(str::to_owned).chain(flags.iter().cloned()).collect()
    }

    /// Makes the page of a violation.
    fn page(&self, document: &Document, entry: &str, property: &str, waiting: &mut Vec<Order>) -> bool {
        let all = functions(&document.text);
        let function = all.iter().find(|function| function.name == entry);
        let (copy, function) = match (self.copy(document), function) {
            (Ok(copy), Some(function)) => (copy, function),
            (Err(why), _) => return self.say(Event::Failed(why)),
            (Ok(_), None) => return self.say(Event::Failed(format!("there is no function {entry} any more"))),
        };
        let page = self.folder.join(format!("{entry}-{property}.html"));
        let flags = flags(self.root.as_deref(), &document.path);
        let mut words = self.entry_words(&copy, function, &flags, self.limits.seconds);
        let own = ["--property", property, "--html", &page.to_string_lossy()].map(str::to_owned);
        words.splice(2..2, own);
        match self.run(document, &words, self.limits.seconds, waiting) {
            Run::Report(_) if page.exists() => self.say(Event::Page(page)),
            Run::Report(_) => self.say(Event::Failed("no page was made".to_owned())),
            Run::Failed(why) => self.say(Event::Failed(why)),
            Run::Stale => true,
            Run::Stop => false,
        }
    }

    /// Looks for a condition under which a function is safe.
    fn precondition(&self, document: Document, function: &str, waiting: &mut Vec<Order>) -> bool {
        let copy = match self.copy(&document) {
            Ok(copy) => copy,
            Err(why) => return self.say(Event::Failed(why)),
        };
        let flags = flags(self.root.as_deref(), &document.path);
        let words = ["--each-function", "--only", function, "--format", "json"];
        let seconds = self.limits.seconds.max(10);
        match self.run(&document, &self.words(&copy, &words, &flags, seconds), seconds, waiting) {
            Run::Report(report) => {
                let answer = &report["functions"][0];
                let clauses = answer["requires"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let clauses: Vec<String> = clauses.map(str::to_owned).collect();
                let reason = answer["reason"].as_str().unwrap_or("nothing is known of it");
                match answer["answer"].as_str() {
                    Some("safe-if") => self.say(Event::Precondition(document, function.to_owned(), clauses)),
                    Some("safe") => self.say(Event::Failed(format!("{function} is safe for every caller"))),
                    _ => self.say(Event::Failed(format!("no precondition of {function} was found: {reason}"))),
                }
            }
            Run::Failed(why) => self.say(Event::Failed(why)),
            Run::Stale => true,
            Run::Stop => false,
        }
    }

    /// Runs Belay with these words, which make it answer in JSON.
    fn run(&self, document: &Document, words: &[String], seconds: u64, waiting: &mut Vec<Order>) -> Run {
        let mut command = Command::new(&self.belay);
        command.args(words);
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
                    let is_stale = outdates(&order, &document.uri);
                    take_in(waiting, order);
                    if is_stale {
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
}

enum Run {
    Report(Value),
    Failed(String),
    Stale,
    Stop,
}

/// Puts an order behind the others; what it makes stale goes.
fn take_in(waiting: &mut Vec<Order>, order: Order) {
    if let Order::Check(Document { uri, .. }) | Order::Forget(uri) = &order {
        waiting.retain(|known| !is_about(known, uri));
    }
    waiting.push(order);
}

/// True if what is known of a file is stale after this.
fn outdates(order: &Order, about: &str) -> bool {
    matches!(order, Order::Check(_) | Order::Forget(_)) && is_about(order, about)
}

fn is_about(order: &Order, about: &str) -> bool {
    match order {
        Order::Check(document)
        | Order::Function(document, _)
        | Order::Page(document, ..)
        | Order::Precondition(document, _) => document.uri == about,
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

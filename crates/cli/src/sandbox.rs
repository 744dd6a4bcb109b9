//! Work in a child process under limits. LLVM aborts, native solvers crash, stacks overflow: none of this can be
//! caught in the process it happens in. The child sends its whole answer through a pipe when it is done, and what it knows before it begins with something
//! that may take long; the parent prints it, or says why there is none.
//!
//! *Ctrl-C* and a request to terminate end the child's whole process group before the parent leaves. Where a command has something to say even then ([`Watch`]), the
//! child is first asked to stop: its budgets end, and it answers with what it knows. If it does not within a moment, or at a second Ctrl-C, it is
//! ended, and what it had sent before is the answer.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, kill, killpg, signal, sigprocmask};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork, pipe2, setpgid};

use crate::failure::exit;
use crate::progress::{Display, News, Watcher};

/// What a command has to say.
#[derive(Clone, Debug)]
pub struct Response {
    pub code: u8,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
}

/// What the child may use.
#[derive(Clone, Copy, Debug)]
pub struct SandboxLimits {
    pub seconds: u64,
    pub mebibytes: u64,
}

/// Why the child gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Died {
    /// It did not stop in time.
    Time,
    /// It could not get more memory.
    Memory,
    /// The user asked to stop, and it had nothing to say.
    Interrupted,
    /// It crashed; the signal or exit code in words.
    Crash(String),
}

/// How the parent waits.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub display: Display,
    /// Whether there is an answer also when the user interrupts.
    pub answers_interrupts: bool,
}

/// Tells the parent what the child is doing.
pub struct Progress {
    pipe: Arc<Mutex<File>>,
}

const PROGRESS: u8 = b'p';
const DECIDED: u8 = b'd';
const ANSWERED: u8 = b'w';
const ANSWER: u8 = b'a';
const PANIC: u8 = b'x';
const KEPT: u8 = b'k';

impl Progress {
    fn send(&self, tag: u8, parts: &[&[u8]]) {
        let _ = send(&mut self.pipe.lock().unwrap_or_else(PoisonError::into_inner), tag, parts);
    }

    /// Says what is done now.
    pub fn say(&mut self, text: &str) {
        self.send(PROGRESS, &[text.as_bytes(), b""]);
    }

    /// Says how many of all checks are decided.
    pub fn say_decided(&mut self, decided: usize, checks: usize) {
        self.send(DECIDED, &[&(decided as u64).to_le_bytes(), &(checks as u64).to_le_bytes()]);
    }

    /// Says what a property came to.
    pub fn say_answered(&mut self, property: &str, word: &str) {
        self.send(ANSWERED, &[property.as_bytes(), word.as_bytes()]);
    }

    /// What is to be said should a limit, or the user, end the child before it has more to say.
    pub fn keep(&mut self, at_limit: &Response, interrupted: &Response) {
        self.send(KEPT, &[&[at_limit.code], &at_limit.output, &at_limit.errors, &interrupted.output]);
    }

    /// Passes on what engines say of themselves.
    fn listen(&self) {
        let pipe = Arc::clone(&self.pipe);
        belay_base::activity::listen(move |who, what| {
            let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = send(&mut pipe, PROGRESS, &[who.as_bytes(), what.as_bytes()]);
        });
    }
}

/// The child's process group, for the signal handler.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// How often the user asked to stop, where that is answered; and whether it is.
static INTERRUPTS: AtomicU32 = AtomicU32::new(0);
static ANSWERS: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked to stop.
pub fn was_interrupted() -> bool {
    INTERRUPTS.load(Ordering::SeqCst) > 0
}

/// Calls nothing but `kill`, `killpg` and `_exit`, which may be called from a signal handler.
extern "C" fn on_signal(signal: libc::c_int) {
    let child = CHILD.load(Ordering::SeqCst);
    if ANSWERS.load(Ordering::SeqCst) && signal != libc::SIGHUP {
        INTERRUPTS.fetch_add(1, Ordering::SeqCst);
        if child > 0 {
            let _ = kill(Pid::from_raw(child), Signal::SIGINT);
        }
        return;
    }
    if child > 0 {
        let _ = killpg(Pid::from_raw(child), Signal::SIGKILL);
    }
    leave(libc::c_int::from(exit::INTERRUPTED))
}

/// Leaves at once: exit handlers are the parent's to run, once.
fn leave(code: libc::c_int) -> ! {
    // SAFETY: ends the process; nothing of it is used afterwards.
    unsafe { libc::_exit(code) }
}

/// In the child: what is under way comes to an end.
extern "C" fn on_request_to_stop(_signal: libc::c_int) {
    belay_base::interrupt();
}

/// Runs `work` in a child; its answer, or why there is none. An interrupted one has no answer.
pub fn in_child(limits: SandboxLimits, work: impl FnOnce(&mut Progress) -> Response) -> Result<Response, Died> {
    in_watched_child(limits, Watch { display: Display::Auto, answers_interrupts: false }, work)
}

/// Runs `work` in a child that is watched in this way.
pub fn in_watched_child(
    limits: SandboxLimits,
    watch: Watch,
    work: impl FnOnce(&mut Progress) -> Response,
) -> Result<Response, Died> {
    let (read, write) = pipe2(OFlag::O_CLOEXEC).map_err(|error| Died::Crash(format!("no pipe: {}", error.desc())))?;
    // A signal that came between the fork and the parent's handlers would leave the child behind: it waits for them.
    set_blocked(true);
    // SAFETY: the process has one thread here, so that the child may go on as if nothing had happened.
    match unsafe { fork() } {
        Err(error) => {
            set_blocked(false);
            Err(Died::Crash(format!("no process: {}", error.desc())))
        }
        Ok(ForkResult::Child) => {
            let on_stop =
                if watch.answers_interrupts { SigHandler::Handler(on_request_to_stop) } else { SigHandler::SigDfl };
            set_handler(&[Signal::SIGINT, Signal::SIGTERM], on_stop);
            set_handler(&[Signal::SIGHUP], SigHandler::SigDfl);
            set_blocked(false);
            drop(read);
            child(limits, write, watch.display.is_shown(), work)
        }
        Ok(ForkResult::Parent { child: pid }) => {
            drop(write);
            parent(pid, limits, watch, read)
        }
    }
}

/// The signals that end a command.
const ENDING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

fn set_handler(signals: &[Signal], handler: SigHandler) {
    for &ending in signals {
        // SAFETY: the handlers call nothing but what may be called from one.
        let _ = unsafe { signal(ending, handler) };
    }
}

/// Holds the ending signals back, or lets them through.
fn set_blocked(blocked: bool) {
    let how = if blocked { SigmaskHow::SIG_BLOCK } else { SigmaskHow::SIG_UNBLOCK };
    let _ = sigprocmask(how, Some(&SigSet::from_iter(ENDING)), None);
}

fn child(limits: SandboxLimits, write: OwnedFd, is_watched: bool, work: impl FnOnce(&mut Progress) -> Response) -> ! {
    // Calls that fail here leave the outer limits to the parent.
    let _ = setpgid(Pid::from_raw(0), Pid::from_raw(0));
    let _ = set_pdeathsig(Signal::SIGKILL);
    let bytes = limits.mebibytes.saturating_mul(1 << 20).saturating_add(LIBRARIES);
    limit(Resource::RLIMIT_AS, bytes);
    limit(Resource::RLIMIT_CORE, 0);
    limit(Resource::RLIMIT_CPU, limits.seconds.saturating_mul(2).saturating_add(10));
    keep_memory();
    let mut progress = Progress { pipe: Arc::new(Mutex::new(write.into())) };
    if is_watched {
        progress.listen();
    }
    let panic_place = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let place = std::sync::Arc::clone(&panic_place);
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut place) = place.lock() {
            *place = info.to_string().replace('\n', " ");
        }
    }));
    let code = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut progress))) {
        Ok(response) => {
            progress.send(ANSWER, &[&[response.code], &response.output, &response.errors]);
            0
        }
        Err(_) => {
            let message = panic_place.lock().map(|place| place.clone()).unwrap_or_default();
            progress.send(PANIC, &[message.as_bytes()]);
            i32::from(exit::INTERNAL)
        }
    };
    leave(code)
}

/// Interpreted runs grow and free the same megabytes over and over: giving them back each time would take longer than the runs.
fn keep_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: sets numbers of the allocator, before there is a second thread. Blocks of 32 MiB and more are still given back.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
    }
}

/// Address space that the program's own code and LLVM take, on top of what the analysis may use.
const LIBRARIES: u64 = 512 << 20;

fn limit(resource: Resource, most: u64) {
    let _ = setrlimit(resource, most, most);
}

/// Frames are a tag and parts, each with its length.
fn send(pipe: &mut std::fs::File, tag: u8, parts: &[&[u8]]) -> std::io::Result<()> {
    let mut frame = vec![tag, parts.len() as u8];
    for part in parts {
        frame.extend((part.len() as u64).to_le_bytes());
        frame.extend(*part);
    }
    pipe.write_all(&frame)
}

fn parent(pid: Pid, limits: SandboxLimits, watch: Watch, read: OwnedFd) -> Result<Response, Died> {
    CHILD.store(pid.as_raw(), Ordering::SeqCst);
    ANSWERS.store(watch.answers_interrupts, Ordering::SeqCst);
    // The child does this too; whoever comes first.
    let _ = setpgid(pid, pid);
    set_handler(&ENDING, SigHandler::Handler(on_signal));
    set_blocked(false);
    // The child stops by itself at the limit; half a second later it is stopped.
    let deadline = Instant::now() + Duration::from_secs(limits.seconds) + Duration::from_millis(500);
    let mut watcher = Watcher::new(watch.display);
    let received = receive(read, Patience { deadline, is_stopping: false }, &mut watcher);
    watcher.clear();
    let _ = killpg(pid, Signal::SIGKILL);
    let status = waitpid(pid, None);
    CHILD.store(0, Ordering::SeqCst);
    let (why, kept) = match received {
        Received::Answer(response) => return Ok(response),
        Received::Late { kept } if was_interrupted() => (Died::Interrupted, kept),
        Received::Late { kept } => (Died::Time, kept),
        Received::Nothing { panic, kept } if panic.is_empty() => (cause(status), kept),
        Received::Nothing { panic, .. } => (Died::Crash(panic), None),
    };
    match (why, kept) {
        (Died::Time | Died::Memory, Some(kept)) => Ok(kept.at_limit),
        (Died::Interrupted, Some(kept)) => Ok(kept.interrupted),
        (why, _) => Err(why),
    }
}

/// What was sent to be said should the child not come to its end.
struct Kept {
    at_limit: Response,
    interrupted: Response,
}

enum Received {
    Answer(Response),
    Late { kept: Option<Kept> },
    Nothing { panic: String, kept: Option<Kept> },
}

fn receive(read: OwnedFd, mut patience: Patience, watcher: &mut Watcher) -> Received {
    let mut pipe = File::from(read);
    let mut bytes = Vec::new();
    let mut panic = String::new();
    let mut kept = None;
    let response = |code: &[u8], output: &[u8], errors: &[u8]| Response {
        code: code.first().copied().unwrap_or(exit::INTERNAL),
        output: output.to_vec(),
        errors: errors.to_vec(),
    };
    let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
    loop {
        if !patience.wait(&pipe, watcher) {
            return Received::Late { kept };
        }
        let mut chunk = [0; 1 << 16];
        match pipe.read(&mut chunk) {
            Ok(0) => break,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
            Ok(count) => bytes.extend(&chunk[..count]),
        }
        while let Some((tag, parts, used)) = frame(&bytes) {
            match (tag, parts.as_slice()) {
                (ANSWER, [code, output, errors]) => return Received::Answer(response(code, output, errors)),
                (KEPT, [code, output, errors, interrupted]) => {
                    let (at_limit, interrupted) = (response(code, output, errors), response(code, interrupted, errors));
                    kept = Some(Kept { at_limit, interrupted });
                }
                (PANIC, [message]) => panic = text(message),
                (PROGRESS, [who, what]) => watcher.take(News::Activity { who: text(who), what: text(what) }),
                (DECIDED, [decided, checks]) => {
                    watcher.take(News::Decided { decided: number(decided), checks: number(checks) });
                }
                (ANSWERED, [property, word]) => {
                    watcher.take(News::Answered { property: text(property), word: text(word) });
                }
                _ => {}
            }
            bytes.drain(..used);
        }
    }
    Received::Nothing { panic, kept }
}

fn number(part: &[u8]) -> u64 {
    part.try_into().map_or(0, u64::from_le_bytes)
}

/// How long the child may take to answer once the user has asked to stop.
const GRACE: Duration = Duration::from_millis(2500);

/// How often the terminal is drawn anew, and signals are looked for.
const TICK: Duration = Duration::from_millis(100);

/// How long the parent waits.
struct Patience {
    deadline: Instant,
    is_stopping: bool,
}

impl Patience {
    /// Waits for something to read; false at the deadline, or when the user does not want to wait longer.
    fn wait(&mut self, pipe: &File, watcher: &mut Watcher) -> bool {
        loop {
            let interrupts = INTERRUPTS.load(Ordering::SeqCst);
            if interrupts > 0 && !self.is_stopping {
                self.is_stopping = true;
                self.deadline = self.deadline.min(Instant::now() + GRACE);
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupts > 1 {
                return false;
            }
            watcher.tick();
            let mut waited = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
            let millis = u16::try_from(left.min(TICK).as_millis()).unwrap_or(u16::MAX).max(1);
            if poll(&mut waited, PollTimeout::from(millis)).is_ok_and(|ready| ready > 0) {
                return true;
            }
        }
    }
}

/// The first whole frame, and how many bytes it took.
fn frame(bytes: &[u8]) -> Option<(u8, Vec<Vec<u8>>, usize)> {
    let (tag, count) = (*bytes.first()?, *bytes.get(1)?);
    let mut at = 2;
    let mut parts = Vec::new();
    for _ in 0..count {
        let length = u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?) as usize;
        parts.push(bytes.get(at + 8..at + 8 + length)?.to_vec());
        at += 8 + length;
    }
    Some((tag, parts, at))
}

fn cause(status: nix::Result<WaitStatus>) -> Died {
    match status {
        // Rust and LLVM abort when an allocation fails; under a memory limit that is nearly always the reason.
        Ok(WaitStatus::Signaled(_, Signal::SIGABRT | Signal::SIGKILL, _)) => Died::Memory,
        Ok(WaitStatus::Signaled(_, Signal::SIGXCPU, _)) => Died::Time,
        Ok(WaitStatus::Signaled(_, Signal::SIGSEGV, _)) => Died::Crash("segmentation fault in the analysis".to_owned()),
        Ok(WaitStatus::Signaled(_, signal, _)) => {
            Died::Crash(format!("the analysis ended with signal {}", signal as libc::c_int))
        }
        _ => Died::Crash("the analysis failed".to_owned()),
    }
}

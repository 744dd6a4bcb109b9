//! Work in a child process under limits. LLVM aborts, native solvers crash, stacks overflow: none of this can be
//! caught in the process it happens in. The child sends its whole answer through a pipe when it is done, and what it knows before it begins with something
//! that may take long; the parent prints it, or says why there is none. Ctrl-C and its kin end the child's whole process group before the parent leaves.

use std::io::{IsTerminal, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use crate::failure::exit;

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
    /// It crashed; the signal or exit code in words.
    Crash(String),
}

/// Tells the parent what the child is doing.
pub struct Progress {
    pipe: std::fs::File,
}

const PROGRESS: u8 = b'p';
const ANSWER: u8 = b'a';
const PANIC: u8 = b'x';
const KEPT: u8 = b'k';

impl Progress {
    /// Shows `text` on the terminal until the next one, if there is a terminal.
    pub fn say(&mut self, text: &str) {
        let _ = send(&mut self.pipe, PROGRESS, &[text.as_bytes()]);
    }

    /// What is to be said should a limit end the child before it has more to say.
    pub fn keep(&mut self, response: &Response) {
        let _ = send(&mut self.pipe, KEPT, &[&[response.code], &response.output, &response.errors]);
    }
}

/// The child's process group, for the signal handler.
static CHILD: AtomicI32 = AtomicI32::new(0);

extern "C" fn on_signal(_signal: libc::c_int) {
    let child = CHILD.load(Ordering::SeqCst);
    // SAFETY: `kill` and `_exit` may be called from a signal handler.
    unsafe {
        if child > 0 {
            libc::kill(-child, libc::SIGKILL);
        }
        libc::_exit(libc::c_int::from(exit::INTERRUPTED));
    }
}

/// Runs `work` in a child; its answer, or why there is none.
pub fn in_child(limits: SandboxLimits, work: impl FnOnce(&mut Progress) -> Response) -> Result<Response, Died> {
    let (read, write) = pipe().map_err(|error| Died::Crash(format!("no pipe: {error}")))?;
    // A signal that came between the fork and the parent's handlers would leave the child behind: it waits for them.
    set_blocked(true);
    // SAFETY: the process has one thread here, so that the child may go on as if nothing had happened.
    let pid = unsafe { libc::fork() };
    match pid {
        -1 => {
            set_blocked(false);
            Err(Died::Crash(format!("no process: {}", std::io::Error::last_os_error())))
        }
        0 => {
            set_blocked(false);
            drop(read);
            child(limits, write, work)
        }
        pid => {
            drop(write);
            parent(pid, limits, read)
        }
    }
}

/// The signals that end a command.
const ENDING: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Holds the ending signals back, or lets them through.
fn set_blocked(blocked: bool) {
    let how = if blocked { libc::SIG_BLOCK } else { libc::SIG_UNBLOCK };
    // SAFETY: the set is made by `sigemptyset` before it is used.
    unsafe {
        let mut signals = std::mem::zeroed();
        libc::sigemptyset(&mut signals);
        for signal in ENDING {
            libc::sigaddset(&mut signals, signal);
        }
        libc::sigprocmask(how, &signals, std::ptr::null_mut());
    }
}

fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [0; 2];
    // SAFETY: `ends` has room for two descriptors, which nobody else owns.
    unsafe {
        match libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) {
            0 => Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))),
            _ => Err(std::io::Error::last_os_error()),
        }
    }
}

fn child(limits: SandboxLimits, write: OwnedFd, work: impl FnOnce(&mut Progress) -> Response) -> ! {
    // SAFETY: system calls on this process; failing ones leave the outer limits to the parent.
    unsafe {
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let bytes = limits.mebibytes.saturating_mul(1 << 20).saturating_add(LIBRARIES);
        limit(libc::RLIMIT_AS, bytes);
        limit(libc::RLIMIT_CORE, 0);
        limit(libc::RLIMIT_CPU, limits.seconds.saturating_mul(2).saturating_add(10));
        keep_memory();
    }
    let mut progress = Progress { pipe: write.into() };
    let panic_place = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let place = std::sync::Arc::clone(&panic_place);
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut place) = place.lock() {
            *place = info.to_string().replace('\n', " ");
        }
    }));
    let code = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut progress))) {
        Ok(response) => {
            let _ = send(&mut progress.pipe, ANSWER, &[&[response.code], &response.output, &response.errors]);
            0
        }
        Err(_) => {
            let message = panic_place.lock().map(|place| place.clone()).unwrap_or_default();
            let _ = send(&mut progress.pipe, PANIC, &[message.as_bytes()]);
            i32::from(exit::INTERNAL)
        }
    };
    // SAFETY: leaves without running the parent's exit handlers a second time.
    unsafe { libc::_exit(code) }
}

/// Interpreted runs grow and free the same megabytes over and over: giving them back each time would take longer than the runs.
unsafe fn keep_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: sets numbers of the allocator, before there is a second thread. Blocks of 32 MiB and more are still given back.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
    }
}

/// Address space that the program's own code and LLVM take, on top of what the analysis may use.
const LIBRARIES: u64 = 512 << 20;

unsafe fn limit(resource: libc::__rlimit_resource_t, most: u64) {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the structure is valid for the call.
    unsafe { libc::setrlimit(resource, &limit) };
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

fn parent(pid: libc::pid_t, limits: SandboxLimits, read: OwnedFd) -> Result<Response, Died> {
    CHILD.store(pid, Ordering::SeqCst);
    // SAFETY: sets the handlers and the child's group (which the child does too; whoever comes first).
    unsafe {
        libc::setpgid(pid, pid);
        for signal in ENDING {
            libc::signal(signal, on_signal as *const () as libc::sighandler_t);
        }
    }
    set_blocked(false);
    // The child stops by itself at the limit; half a second later it is stopped.
    let deadline = Instant::now() + Duration::from_secs(limits.seconds) + Duration::from_millis(500);
    let received = receive(read, deadline);
    // SAFETY: the group is the child's own, and the child is waited for once.
    let status = unsafe {
        libc::kill(-pid, libc::SIGKILL);
        let mut status = 0;
        libc::waitpid(pid, &mut status, 0);
        CHILD.store(0, Ordering::SeqCst);
        status
    };
    let (why, kept) = match received {
        Received::Answer(response) => return Ok(response),
        Received::Late { kept } => (Died::Time, kept),
        Received::Nothing { panic, kept } if panic.is_empty() => (cause(status), kept),
        Received::Nothing { panic, .. } => (Died::Crash(panic), None),
    };
    match (why, kept) {
        (Died::Time | Died::Memory, Some(kept)) => Ok(kept),
        (why, _) => Err(why),
    }
}

enum Received {
    Answer(Response),
    Late { kept: Option<Response> },
    Nothing { panic: String, kept: Option<Response> },
}

fn receive(read: OwnedFd, deadline: Instant) -> Received {
    let mut pipe = std::fs::File::from(read);
    let mut line = ProgressLine::new();
    let mut bytes = Vec::new();
    let mut panic = String::new();
    let mut kept = None;
    let response = |code: &[u8], output: &[u8], errors: &[u8]| Response {
        code: code.first().copied().unwrap_or(exit::INTERNAL),
        output: output.to_vec(),
        errors: errors.to_vec(),
    };
    loop {
        if !readable(&pipe, deadline) {
            line.clear();
            return Received::Late { kept };
        }
        let mut chunk = [0; 1 << 16];
        match pipe.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(count) => bytes.extend(&chunk[..count]),
        }
        while let Some((tag, parts, used)) = frame(&bytes) {
            match (tag, parts.as_slice()) {
                (ANSWER, [code, output, errors]) => {
                    line.clear();
                    return Received::Answer(response(code, output, errors));
                }
                (KEPT, [code, output, errors]) => kept = Some(response(code, output, errors)),
                (PANIC, [message]) => panic = String::from_utf8_lossy(message).into_owned(),
                (_, parts) => line.show(&String::from_utf8_lossy(parts.first().map_or(&[], Vec::as_slice))),
            }
            bytes.drain(..used);
        }
    }
    line.clear();
    Received::Nothing { panic, kept }
}

fn readable(pipe: &std::fs::File, deadline: Instant) -> bool {
    use std::os::fd::AsRawFd;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let millis = libc::c_int::try_from(left.as_millis()).unwrap_or(libc::c_int::MAX).max(1);
        // SAFETY: one descriptor, valid for the call.
        match unsafe { libc::poll(&mut poll, 1, millis) } {
            1.. => return true,
            _ => continue,
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

fn cause(status: libc::c_int) -> Died {
    if libc::WIFSIGNALED(status) {
        return match libc::WTERMSIG(status) {
            // Rust and LLVM abort when an allocation fails; under a memory limit that is nearly always the reason.
            libc::SIGABRT => Died::Memory,
            libc::SIGXCPU => Died::Time,
            libc::SIGKILL => Died::Memory,
            libc::SIGSEGV => Died::Crash("segmentation fault in the analysis".to_owned()),
            signal => Died::Crash(format!("the analysis ended with signal {signal}")),
        };
    }
    Died::Crash("the analysis failed".to_owned())
}

/// One line that is overwritten; only where a person is watching.
struct ProgressLine {
    on: bool,
    shown: bool,
}

impl ProgressLine {
    fn new() -> Self {
        Self { on: std::io::stderr().is_terminal() && std::io::stdout().is_terminal(), shown: false }
    }

    fn show(&mut self, text: &str) {
        if self.on {
            let _ = write!(std::io::stderr(), "\r\x1b[K{text}…");
            self.shown = true;
        }
    }

    fn clear(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
            self.shown = false;
        }
    }
}

//! Tasks as child processes, several at a time.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::adapter::Adapter;
use crate::results::{Result as TaskResult, Results};
use crate::task::Task;

/// What each task may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds on the clock.
    pub seconds: u64,
    /// MiB of memory.
    pub mebibytes: u64,
}

/// How far a suite has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Tasks that have a result.
    pub done: usize,
    /// All tasks.
    pub all: usize,
    /// What the rest will take, by what the tasks took so far.
    pub left: Duration,
}

/// Runs the tasks that have no result yet, `jobs` at a time; tells of each result.
pub fn run_tasks(
    tasks: &[Task],
    tool: &Adapter,
    limits: Limits,
    jobs: usize,
    results: Results,
    tell: &(dyn Fn(&TaskResult, Progress) + Sync),
) -> Result<Results, String> {
    let open: Vec<&Task> = tasks.iter().filter(|task| tool.takes(task) && !results.has(&task.key())).collect();
    let (next, start) = (AtomicUsize::new(0), Instant::now());
    let shared = Mutex::new((results, 0usize, None::<String>));
    let jobs = jobs.max(1);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(task) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_task(task, tool, limits);
                    let Ok(mut shared) = shared.lock() else { return };
                    if shared.2.is_some() {
                        return;
                    }
                    if let Err(error) = shared.0.add(result.clone()) {
                        shared.2 = Some(format!("cannot write the results: {error}"));
                        return;
                    }
                    shared.1 += 1;
                    let each = start.elapsed().div_f64(shared.1 as f64);
                    let left = each.mul_f64((open.len() - shared.1) as f64);
                    tell(&result, Progress { done: tasks.len() - open.len() + shared.1, all: tasks.len(), left });
                }
            });
        }
    });
    let (results, _, failed) = shared.into_inner().map_err(|_| "a worker failed".to_owned())?;
    failed.map_or(Ok(results), Err)
}

/// Runs one task.
pub fn run_task(task: &Task, tool: &Adapter, limits: Limits) -> TaskResult {
    let start = Instant::now();
    let ended = execute(&tool.command(task, limits), Duration::from_secs(limits.seconds + 1));
    let (verdict, cpu, mib) = match ended {
        Ok(ended) if ended.late => ("timeout".to_owned(), ended.cpu, ended.mib),
        Ok(ended) => (tool.verdict(task, &ended.output, ended.code), ended.cpu, ended.mib),
        Err(_) => ("error".to_owned(), 0.0, 0),
    };
    TaskResult {
        task: task.name.clone(),
        suite: task.suite.clone(),
        property: task.property.clone(),
        expected: task.expected,
        kind: task.kind.clone(),
        verdict,
        cpu,
        wall: start.elapsed().as_secs_f64(),
        mib,
    }
}

struct Ended {
    output: String,
    code: Option<i32>,
    late: bool,
    cpu: f64,
    mib: u64,
}

fn execute(words: &[String], limit: Duration) -> std::io::Result<Ended> {
    let (program, arguments) = words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let (out, path) = scratch()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(out).stderr(Stdio::null()).process_group(0);
    // SAFETY: the call between fork and exec is one system call. A suite that is killed takes its tools along.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    let spawned = command.spawn();
    let ended = spawned.and_then(|child| wait(libc::pid_t::try_from(child.id()).unwrap_or(-1), limit));
    let output = std::fs::read(&path).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    let (code, late, cpu, mib) = ended?;
    Ok(Ended { output: String::from_utf8_lossy(&output).into_owned(), code, late, cpu, mib })
}

/// A file of our own for what a tool prints.
fn scratch() -> std::io::Result<(File, std::path::PathBuf)> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let name = format!("belay-suite-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(&std::env::temp_dir()).join(name);
    Ok((File::create(&path)?, path))
}

/// Waits for a child, ends it and its group at the limit; exit code, whether it was late, CPU seconds, MiB.
fn wait(pid: libc::pid_t, limit: Duration) -> std::io::Result<(Option<i32>, bool, f64, u64)> {
    let start = Instant::now();
    let mut late = false;
    let mut pause = Duration::from_millis(2);
    loop {
        let mut status = 0;
        // SAFETY: both are valid for the call, and the child is waited for by nobody else.
        let (ended, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            (libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage), usage)
        };
        match ended {
            0 if start.elapsed() > limit && !late => {
                late = true;
                // SAFETY: the group is the child's own.
                unsafe { libc::kill(-pid, libc::SIGKILL) };
            }
            0 => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            -1 => return Err(std::io::Error::last_os_error()),
            _ => {
                // SAFETY: what the tool left running goes with it.
                unsafe { libc::kill(-pid, libc::SIGKILL) };
                let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
                let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
                let mib = u64::try_from(usage.ru_maxrss).unwrap_or(0) / 1024;
                return Ok((code, late, seconds(usage.ru_utime) + seconds(usage.ru_stime), mib));
            }
        }
    }
}

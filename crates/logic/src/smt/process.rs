//! The solver's process: commands in, answers out, never waiting for ever.

use std::io::{BufRead, BufReader, Error, ErrorKind, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::SmtError;

/// A running solver. A thread reads its output, so that waiting can end at a deadline.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    questions: u64,
}

impl Process {
    pub fn start(program: &Path) -> Result<Process, SmtError> {
        let mut command = Command::new(program);
        command.arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => SmtError::NotFound(program.to_owned()),
            _ => SmtError::Io(error),
        })?;
        let missing = || SmtError::Io(Error::other("the solver has no pipes"));
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, input, lines, questions: 0 })
    }

    pub fn send(&mut self, text: &str) -> std::io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.write_all(b"\n")
    }

    /// All output up to the end of the answer to `text`: complaints about earlier commands come first.
    pub fn ask(&mut self, text: &str, limit: Duration) -> std::io::Result<String> {
        self.questions += 1;
        let mark = format!("end-of-answer-{}", self.questions);
        self.send(&format!("{text}\n(echo \"{mark}\")"))?;
        self.input.flush()?;
        let deadline = Instant::now() + limit;
        let mut answer = String::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => Error::from(ErrorKind::TimedOut),
                RecvTimeoutError::Disconnected => Error::from(ErrorKind::UnexpectedEof),
            })?;
            if line.trim_matches('"') == mark {
                return Ok(answer);
            }
            answer.push_str(&line);
            answer.push('\n');
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

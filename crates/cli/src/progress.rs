//! What people see while they wait: on a terminal a few lines that are drawn over and gone in the end, with `--progress plain` a line for each
//! step, in a pipe nothing.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How progress is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Display {
    /// On a terminal what is under way; in a pipe nothing
    Auto,
    /// A line for each step, on standard error
    Plain,
    /// Nothing
    Off,
}

/// News of the work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// Who does what now.
    Activity { who: String, what: String },
    /// So many of all checks are decided.
    Decided { decided: u64, checks: u64 },
    /// A property has an answer.
    Answered { property: String, word: String },
}

/// In which form.
enum Form {
    Bar(ProgressBar),
    /// The engine that the last line was about, when it was printed, and what is left to say of the same.
    Plain {
        last: String,
        said: Option<Instant>,
        left: Option<String>,
    },
    Nothing,
}

/// Shows news as they come.
pub struct Watcher {
    form: Form,
    start: Instant,
    who: String,
    what: String,
    share: Option<(u64, u64)>,
    answered: Vec<String>,
}

/// Plain lines about the same engine come no more often than this.
const PAUSE: Duration = Duration::from_secs(1);

impl Display {
    /// Whether anybody would see anything.
    pub fn is_shown(self) -> bool {
        match self {
            Display::Auto => std::io::stderr().is_terminal() && std::io::stdout().is_terminal(),
            Display::Plain => true,
            Display::Off => false,
        }
    }
}

impl Watcher {
    pub fn new(display: Display) -> Self {
        let form = match display {
            Display::Auto if display.is_shown() => Form::Bar(bar()),
            Display::Plain => Form::Plain { last: String::new(), said: None, left: None },
            Display::Auto | Display::Off => Form::Nothing,
        };
        let (who, what) = (String::new(), String::new());
        Self { form, start: Instant::now(), who, what, share: None, answered: Vec::new() }
    }

    /// Takes news in, and shows them.
    pub fn take(&mut self, news: News) {
        let said = match news {
            News::Activity { who, what } => {
                (self.who, self.what) = (who, what);
                None
            }
            News::Decided { decided, checks } => {
                self.share = Some((decided, checks));
                return;
            }
            News::Answered { property, word } => {
                let line = format!("{property}: {word}");
                self.answered.push(line.clone());
                Some(line)
            }
        };
        let now = self.now();
        match &mut self.form {
            Form::Plain { last, left, .. } => match said {
                Some(line) => print_line(self.start, &line),
                None => {
                    let is_other = *last != self.who;
                    *left = Some(now);
                    if is_other {
                        self.print_left();
                    }
                }
            },
            Form::Bar(_) => self.tick(),
            Form::Nothing => {}
        }
    }

    /// Prints what is left to say.
    fn print_left(&mut self) {
        if let Form::Plain { last, said, left } = &mut self.form
            && let Some(line) = left.take()
        {
            (*last, *said) = (self.who.clone(), Some(Instant::now()));
            print_line(self.start, &line);
        }
    }

    /// Draws the terminal's lines anew, or prints what has waited long enough.
    pub fn tick(&mut self) {
        match &self.form {
            Form::Bar(bar) => {
                let mut lines: Vec<String> = self.answered.iter().map(|line| format!("  {line}")).collect();
                lines.push(format!("  {}, {} s", self.now(), self.start.elapsed().as_secs()));
                bar.set_message(lines.join("\n"));
                bar.tick();
            }
            Form::Plain { said, .. } if said.is_none_or(|said| said.elapsed() >= PAUSE) => self.print_left(),
            Form::Plain { .. } | Form::Nothing => {}
        }
    }

    /// Leaves the terminal as it was.
    pub fn clear(&mut self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
    }

    fn now(&self) -> String {
        let what = if self.what.is_empty() { self.who.clone() } else { format!("{}: {}", self.who, self.what) };
        match self.share {
            Some((decided, checks)) if checks > 0 => format!("{what} ({decided} of {checks} checks decided)"),
            Some(_) | None => what,
        }
    }
}

fn print_line(start: Instant, line: &str) {
    let _ = writeln!(std::io::stderr(), "[{:.1} s] {line}", start.elapsed().as_secs_f64());
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // No thread of its own: the process forks again and again.
    bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar
}

//! What a program is surrounded by: its command line, what it reads, what may fail.

use std::path::PathBuf;

use belay_frontend::FixedInput;
use clap::Args;

#[derive(Args, Clone, Debug, Default)]
pub struct Surroundings {
    /// The arguments that the program is called with, behind its name ("program"); --args= for none
    #[arg(long = "args", value_name = "A,…", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    pub arguments: Option<Vec<String>>,
    /// What standard input holds, to the byte
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Let output to the standard streams fail: printf, fflush(stdout), fclose(stdout)
    #[arg(long)]
    pub io_may_fail: bool,
    /// The folder that the program runs in: the files that fopen finds by relative paths. What it writes is kept for the run only
    #[arg(long = "files", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

impl Surroundings {
    /// What is fixed.
    pub fn fixed(&self) -> FixedInput {
        // One empty word is how the command line says that there are none.
        let words = |words: &Vec<String>| if words == &[""] { Vec::new() } else { words.clone() };
        FixedInput {
            arguments: self.arguments.as_ref().map(words),
            stdin: self.stdin.clone(),
            files: self.folder.clone(),
        }
    }

    /// The options as a proof stores them.
    pub fn stored(&self) -> Vec<String> {
        let Surroundings { arguments, stdin, folder, io_may_fail } = self;
        let mut options = Vec::new();
        options.extend(arguments.iter().map(|words| format!("--args={}", words.join(","))));
        options.extend(stdin.iter().map(|file| format!("--stdin={}", file.display())));
        options.extend(folder.iter().map(|folder| format!("--files={}", folder.display())));
        options.extend(io_may_fail.then(|| "--io-may-fail".to_owned()));
        options
    }
}

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
    /// Addresses LO to HI are registers of devices: they may be accessed, and a volatile read gives any value
    #[arg(long, value_name = "LO-HI", value_parser = window)]
    pub mmio: Vec<(u64, u64)>,
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
        let Surroundings { arguments, stdin, folder, io_may_fail, mmio } = self;
        let mut options = Vec::new();
        options.extend(arguments.iter().map(|words| format!("--args={}", words.join(","))));
        options.extend(stdin.iter().map(|file| format!("--stdin={}", file.display())));
        options.extend(folder.iter().map(|folder| format!("--files={}", folder.display())));
        options.extend(io_may_fail.then(|| "--io-may-fail".to_owned()));
        options.extend(mmio.iter().map(|(first, last)| format!("--mmio={first:#x}-{last:#x}")));
        options
    }
}

/// A range of addresses, both ends included.
fn window(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let range = text.split_once('-').and_then(|(first, last)| Some((number(first)?, number(last)?)));
    let (first, last) = range.ok_or("two addresses are wanted: 0x40000000-0x4000ffff")?;
    // The address 0 is that of no register to C.
    let is_range = first > 0 && first <= last && last - first < 1 << 40;
    is_range.then_some((first, last)).ok_or_else(|| "the range is empty, too large, or holds the address 0".to_owned())
}

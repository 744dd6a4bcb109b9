//! Mutated input for the front end: C, LLVM's text and bitcode made from the test programs, with bytes, lines and tokens changed. Whatever
//! comes out, `belay ir` ends soon with a program or one message. Seeds are fixed; a failing input is kept and named.
//!
//! `BELAY_FUZZ_SECONDS` says how long the soak runs (60), `BELAY_FUZZ_SEED` where it starts (1).

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Scratch, belay, repository, shown, text};

/// Random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

const WORDS: &[&str] = &[
    "0",
    "-1",
    "2147483648",
    "18446744073709551615",
    "i1",
    "i128",
    "ptr",
    "void",
    "undef",
    "poison",
    "null",
    "zeroinitializer",
    "[0 x i8]",
    "<2 x i32>",
    "{i32, ptr}",
    "x86_fp80",
    "double",
    "label",
    "ret",
    "unreachable",
    "phi",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "*",
    "#0",
    "!0",
    "@main",
    "%0",
    "int",
    "struct s",
    "[]",
    "...",
    "goto",
    "case",
    "return",
    "sizeof",
    "_Atomic",
    "__attribute__((packed))",
    "1e999",
    "'\\0'",
    "\"\\x\"",
];

fn mutate(random: &mut Random, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(data.len());
        let to = (at + random.below(40)).min(data.len());
        match random.below(8) {
            0 if !data.is_empty() => data[at] ^= 1 << random.below(8),
            1 if !data.is_empty() => data[at] = random.next() as u8,
            2 => drop(data.drain(at..to)),
            3 => {
                let piece = data[at..to].to_vec();
                data.splice(at..at, piece);
            }
            4 => {
                let from = random.below(other.len());
                let piece = other[from..(from + random.below(60)).min(other.len())].to_vec();
                data.splice(at..to, piece);
            }
            5 => data.truncate(at.max(4)),
            _ => {
                let word = WORDS[random.below(WORDS.len())].as_bytes().to_vec();
                data.splice(at..(at + random.below(4)).min(data.len()), word);
            }
        }
    }
    data
}

/// The test programs as C, as LLVM's text and as bitcode.
fn seeds(scratch: &Scratch, most: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut found = Vec::new();
    let mut files: Vec<PathBuf> = ["frontend", "memory"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(repository().join("tests").join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let stride = files.len().div_ceil(most).max(1);
    for file in files.iter().step_by(stride) {
        found.push(("c", std::fs::read(file).unwrap()));
        found.extend(compiled(scratch, file, &["-S"]).map(|data| ("ll", data)));
        found.extend(compiled(scratch, file, &["-c"]).map(|data| ("bc", data)));
    }
    found
}

fn clang() -> String {
    std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned())
}

fn compiled(scratch: &Scratch, file: &Path, flags: &[&str]) -> Option<Vec<u8>> {
    let out = scratch.path().join("seed");
    let status = Command::new(clang())
        .args(["-w", "-g", "-emit-llvm"])
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(&out)
        .output()
        .unwrap()
        .status;
    status.success().then(|| std::fs::read(&out).unwrap())
}

/// True if clang does not survive the input either.
fn clang_dies(path: &Path) -> bool {
    let output = Command::new(clang()).args(["-w", "-S", "-emit-llvm", "-o", "/dev/null"]).arg(path).output().unwrap();
    text(&output.stderr).contains("PLEASE submit a bug report")
}

/// One input: a program or one message, soon.
fn try_one(path: &Path) {
    let begun = Instant::now();
    let output = belay().args(["ir"]).arg(path).output().unwrap();
    let said = text(&output.stdout) + &text(&output.stderr);
    let keep = || {
        let kept = std::env::temp_dir().join(format!("belay-fuzz-{}", path.file_name().unwrap().to_string_lossy()));
        std::fs::copy(path, &kept).unwrap();
        format!("kept as {}: {}", kept.display(), shown(&output))
    };
    assert!(begun.elapsed() < Duration::from_secs(60), "takes {:?}, {}", begun.elapsed(), keep());
    // LLVM's reader may die on damaged bitcode; then so does clang, and a message says it.
    let crashed = output.status.code() == Some(6) && clang_dies(path);
    assert!(crashed || matches!(output.status.code(), Some(0 | 2 | 5)), "{}", keep());
    for word in ["panicked", "RUST_BACKTRACE", "internal error"] {
        assert!(!said.contains(word), "says `{word}`, {}", keep());
    }
}

fn fuzz(name: &str, seed: u64, programs: usize, mut more: impl FnMut(u64) -> bool) {
    let scratch = Scratch::new(name);
    let seeds = seeds(&scratch, programs);
    let mut round = 0;
    while more(round) {
        let mut random = Random(seed.wrapping_add(round));
        let (kind, data) = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())].1;
        let path = scratch.file(&format!("input{}.{kind}", seed + round), mutate(&mut random, data, other));
        try_one(&path);
        std::fs::remove_file(&path).unwrap();
        round += 1;
    }
    eprintln!("{round} inputs");
}

#[test]
fn mutated_programs_are_read_or_refused() {
    fuzz("fuzz-short", 1, 6, |round| round < 40);
}

#[test]
#[ignore = "a minute"]
fn mutated_programs_for_a_minute() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default);
    let end = Instant::now() + Duration::from_secs(number("BELAY_FUZZ_SECONDS", 60));
    fuzz("fuzz-long", number("BELAY_FUZZ_SEED", 1), 60, |_| Instant::now() < end);
}

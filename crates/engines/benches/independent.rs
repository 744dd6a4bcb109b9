//! How the time grows with the number of loops that have nothing to do with each other, and with the depth of a nest. `cargo bench -p belay-engines --bench independent`.
//!
//! Printed are the times of proving, loop by loop, that the program ends, and of checking that, for 25 to 200 loops in one function and for nests of two to five; what follows is the exponent of
//! the growth since the row before: 1 is linear in the number of loops. Every second loop is no counted one: its ranking function has two variables.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_evidence::{Checker, Claim, Task};
use belay_frontend::Source;
use belay_ir::{IntegerModel, Program, Property};
use belay_loops::prove_all;
use belay_rules::Config;

const HEAD: &str = "int __VERIFIER_nondet_int(void);
    int main(void) { unsigned total = 0; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) n = 10;\n";

/// So many loops one after the other.
fn apart(count: usize) -> String {
    let one = |k: usize| {
        match k % 2 {
        0 => format!("for (int i = 0; i < n; i++) total += {k};\n"),
        _ => "{ int x = n, y = __VERIFIER_nondet_int(); while (x > 0 && y > 0) { if (__VERIFIER_nondet_int()) x--; else y--; total++; } }\n"
            .to_owned(),
    }
    };
    format!("{HEAD}{} return total != 0; }}\n", (0..count).map(one).collect::<String>())
}

/// So many loops one inside the other.
fn nested(depth: usize) -> String {
    let mut loops = String::new();
    for k in 0..depth {
        let _ = writeln!(loops, "for (int i{k} = 0; i{k} < n && __VERIFIER_nondet_int(); i{k} += 1 + (n > {k}))");
    }
    format!("{HEAD}{loops} total++; return total != 0; }}\n")
}

fn program(source: &str) -> Program {
    let path = std::env::temp_dir().join(format!("belay-bench-loops-{}.c", std::process::id()));
    std::fs::write(&path, source).expect("the bench writes its program");
    let loaded = belay_frontend::load(&Source { files: vec![path.clone()], ..Source::default() });
    let _ = std::fs::remove_file(path);
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

/// How long this process has been running on a processor, so that others do not count; by the clock where the system does not say.
fn now(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|first| first.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The times of the proof and of its check.
fn measure(source: &str) -> [Duration; 2] {
    let start = Instant::now();
    let program = program(source);
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, IntegerModel::Machine).expect("a program that was loaded is well formed");
    let config = Config::new(program.function_named("main").expect("the program has a main"));
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(2_000_000_000);
    let before = now(start);
    let proof = prove_all(&task, &budget).expect("every loop ends");
    let found = now(start);
    let claim = Claim::proof(Property::Termination, proof);
    Checker::new(&task, &budget).check(claim).expect("the proof is one");
    [found - before, now(start) - found]
}

fn table(name: &str, sizes: &[usize], source: fn(usize) -> String) {
    let mut last: Option<(usize, [Duration; 2])> = None;
    for size in sizes {
        let times = measure(&source(*size));
        let exponent = |at: usize| {
            let (before, then) = last?;
            let growth = times[at].as_secs_f64() / then[at].as_secs_f64();
            Some(format!(" ({:.2})", growth.ln() / (*size as f64 / before as f64).ln()))
        };
        let shown = |at: usize| format!("{:.3} s{}", times[at].as_secs_f64(), exponent(at).unwrap_or_default());
        println!("{name} {size:4}: proof {}, check {}", shown(0), shown(1));
        last = Some((*size, times));
    }
}

fn main() {
    table("loops", &[25, 50, 100, 200], apart);
    table("depth", &[2, 3, 4, 5], nested);
}

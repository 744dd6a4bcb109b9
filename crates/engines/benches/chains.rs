//! How the time of symbolic execution graphs grows with the program. `cargo bench -p belay-engines --bench chains`.
//!
//! Programs are chains of 10 to 80 loops over strings of unknown length: *freed* gives each block back before the next loop, *called* does so
//! in a function that is called from as many places, *kept* has all blocks alive at every loop, *filled* are
//! loops over global buffers, each with a number of its own. Printed are the times of building the graph,
//! of checking its certificate for memory safety, and of proving and checking termination; what follows a time is how much it grew since the chain
//! of half the length: 2 is linear, 4 quadratic. The last time is that of summarising the loops one by one for memory safety and of checking that, without a graph. `BELAY_BENCH_LONGEST` is the longest chain (80), `BELAY_BENCH_SHAPE` the only shape.

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_engines::graph::{claim, explore};
use belay_engines::kiki::summarise;
use belay_engines::{GRAPH_STEPS, Outcome};
use belay_evidence::{Checker, Claim, Task};
use belay_frontend::Source;
use belay_ir::{IntegerModel, Program, Property};
use belay_rules::Config;

const HEAD: &str = "void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);
    int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; unsigned total = 0;\n";

/// The program of a chain of so many loops.
type FunctionFlow = fn(usize) -> String;

/// Each block is freed before the next is allocated.
fn freed(length: usize) -> String {
    let one = |k: usize| {
        format!(
            "{{ char *b{k} = malloc(n); b{k}[n - 1] = 0; char *s{k} = b{k}; while (*s{k}) s{k}++; total += s{k} - b{k}; free(b{k}); }}\n"
        )
    };
    format!("{HEAD}{} return total != 0; }}\n", (0..length).map(one).collect::<String>())
}

/// The same, by calls of one function.
fn called(length: usize) -> String {
    let function = "void *malloc(unsigned long); void free(void *);
        static unsigned measure(int n) { char *b = malloc(n); b[n - 1] = 0; char *s = b; while (*s) s++;
          unsigned found = s - b; free(b); return found; }\n";
    format!("{function}{HEAD}{} return total != 0; }}\n", "total += measure(n);\n".repeat(length))
}

/// All blocks are allocated first and freed last.
fn kept(length: usize) -> String {
    let each = |part: &dyn Fn(usize) -> String| (0..length).map(part).collect::<String>();
    let allocations = each(&|k| format!("char *b{k} = malloc(n); b{k}[n - 1] = 0;\n"));
    let loops = each(&|k| format!("{{ char *s = b{k}; while (*s) s++; total += s - b{k}; }}\n"));
    let frees = each(&|k| format!("free(b{k});\n"));
    format!("{HEAD}{allocations}{loops}{frees} return total != 0; }}\n")
}

/// Loops that fill buffers of different sizes.
fn filled(length: usize) -> String {
    let each = |part: &dyn Fn(usize) -> String| (0..length).map(part).collect::<String>();
    let buffers = each(&|k| format!("static char b{k}[{}];\n", 100 + k));
    let loops = each(&|k| {
        let last = 99 + k;
        format!(
            "{{ int c = __VERIFIER_nondet_int(), i = 0; while (i < {last} && i != c) {{ b{k}[i] = (char)c; i++; }} b{k}[i] = 0; }}\n"
        )
    });
    format!("{buffers}{HEAD}{loops} return total != 0; }}\n")
}

fn program(source: &str) -> Program {
    let path = std::env::temp_dir().join(format!("belay-bench-{}.c", std::process::id()));
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

/// The time of each phase; `None` where nothing was shown. And what there is to say about it.
struct Measured {
    phases: Vec<(&'static str, Option<Duration>)>,
    why: String,
}

fn measure(program: &Program) -> Measured {
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, IntegerModel::Machine).expect("the passes keep the program well formed");
    let entry = program.function_named("main").expect("the program has a main");
    let task = Task { program, simplified: &simplified, config: Config::new(entry) };
    // More steps than the command line gives, to see what there is beyond; a minute at most.
    let usual = GRAPH_STEPS;
    let steps = 1000 * usual;
    let budget = Budget::unlimited().until(Instant::now() + Duration::from_secs(60));
    let why = if explore(&task, usual, &budget).is_err() { "beyond the command line's limit" } else { "" };
    let clock = Instant::now();
    let start = now(clock);
    let explored = match explore(&task, steps, &budget) {
        Ok(explored) => explored,
        Err(why) => {
            let phases = vec![("build", None), ("summaries", measure_summaries(&task))];
            return Measured { phases, why: format!("{:?}", why.reason) };
        }
    };
    let mut measured = Measured { phases: vec![("build", Some(now(clock) - start))], why: why.to_owned() };
    let checker = Checker::new(&task, &budget);
    for (phase, property) in [("memory", Property::ValidDeref), ("termination", Property::Termination)] {
        let start = now(clock);
        let shown = match claim(&task, &explored, property, steps, &budget) {
            Outcome::Claims(evidence) => {
                checker.check(Claim { property, evidence }).map_err(|refusal| refusal.to_string())
            }
            Outcome::GaveUp(why) | Outcome::Moot(why) => Err(format!("{:?}", why.reason)),
        };
        measured.phases.push((phase, shown.is_ok().then(|| now(clock) - start)));
        measured.why = shown.err().unwrap_or(measured.why);
    }
    measured.phases.push(("summaries", measure_summaries(&task)));
    measured
}

/// The time of summarising the loops for memory safety and of checking the claim; `None` where nothing was shown.
fn measure_summaries(task: &Task<'_>) -> Option<Duration> {
    let budget = Budget::unlimited().until(Instant::now() + Duration::from_secs(60));
    let property = Property::ValidDeref;
    let clock = Instant::now();
    let start = now(clock);
    let claims = summarise(task, &[property], &budget);
    let Some((_, Outcome::Claims(evidence))) = claims.into_iter().next() else { return None };
    let verdict = Checker::new(task, &budget).check(Claim { property, evidence });
    verdict.is_ok().then(|| now(clock) - start)
}

fn main() {
    let longest: usize = std::env::var("BELAY_BENCH_LONGEST").ok().and_then(|text| text.parse().ok()).unwrap_or(80);
    let shapes: [(&str, FunctionFlow); 4] = [("freed", freed), ("called", called), ("kept", kept), ("filled", filled)];
    let only = std::env::var("BELAY_BENCH_SHAPE").ok();
    for (shape, source) in shapes.into_iter().filter(|(shape, _)| only.as_ref().is_none_or(|only| only == shape)) {
        let mut last: Vec<(&str, Option<Duration>)> = Vec::new();
        for length in [10, 20, 40, 80, 160].into_iter().filter(|length| *length <= longest) {
            let measured = measure(&program(&source(length)));
            let mut line = format!("{shape:>6} {length:>3}");
            for (phase, time) in &measured.phases {
                let before = last.iter().find(|(other, _)| other == phase).and_then(|(_, time)| *time);
                line.push_str(&match time {
                    Some(time) => format!("  {phase} {:>8.3} s", time.as_secs_f64()),
                    None => format!("  {phase}     none  "),
                });
                if let (Some(time), Some(before)) = (time, before) {
                    line.push_str(&format!(" (times {:.1})", time.as_secs_f64() / before.as_secs_f64()));
                }
            }
            println!("{line}  {}", measured.why);
            last = measured.phases;
        }
    }
}

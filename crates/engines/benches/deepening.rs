//! What incremental deepening saves, and how time grows with the depth of unrolling. `cargo bench -p belay-engines`.
//!
//! The first table compares bounds 1 to 20 on one store of terms and one solver with a fresh pair for each bound. The second unrolls a loop that
//! copies an array to depths up to 200 and prints how time grows from one depth to its double: 2 is linear, 4 quadratic.

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_encoder::{Bounds, Encoder, Goal};
use belay_frontend::Source;
use belay_ir::{IntegerModel, Program, Property};
use belay_logic::bv::{BvSolver, SatResult};
use belay_rules::Config;

const SEARCH: &str = "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
    int main(void) { int x = __VERIFIER_nondet_int(), steps = 0; unsigned n = 0;
      while (x != 1 && n < 100) { x = x & 1 ? x * 3 + 1 : x / 2; n++; if (x > 4) steps++; }
      __VERIFIER_assert(steps <= (int)n); return 0; }";

const COPY: &str = "int __VERIFIER_nondet_int(void);
    int main(void) { int a[256], b[256], n = __VERIFIER_nondet_int(); if (n < 0 || n > 256) return 0;
      for (int i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) b[i] = a[i]; return 0; }";

fn program(source: &str) -> Program {
    let path = std::env::temp_dir().join(format!("belay-bench-{}.c", std::process::id()));
    std::fs::write(&path, source).expect("the bench writes its program");
    let loaded = belay_frontend::load(&Source { files: vec![path.clone()], ..Source::default() });
    let _ = std::fs::remove_file(path);
    let mut program = loaded.unwrap_or_else(|error| panic!("{error}"));
    belay_passes::pipeline(&mut program, IntegerModel::Machine).expect("the passes keep the program well formed");
    program
}

fn encoder(program: &Program, property: Property) -> Encoder<'_> {
    let entry = program.function_named("main").expect("the program has a main");
    let mut encoder = Encoder::new(program, Config::new(entry));
    encoder.wanted = vec![property];
    encoder
}

/// Asks about one bound; the constraints before `asserted` are known to the solver.
fn ask(
    program: &Program,
    encoder: &mut Encoder<'_>,
    solver: &mut BvSolver,
    asserted: &mut usize,
    bound: u32,
) -> SatResult {
    let budget = Budget::unlimited();
    let unrolling = encoder.unroll(&Bounds::new(bound), &budget).expect("the budget has no limit");
    for constraint in &encoder.store.constraints[*asserted..] {
        solver.assert(*constraint);
    }
    *asserted = encoder.store.constraints.len();
    let wanted = encoder.wanted[0];
    let concerns = |goal: Goal| matches!(goal, Goal::Obligation(id) if program.obligations[id].property == wanted);
    let asked: Vec<_> = unrolling.violations.iter().filter(|violated| concerns(violated.goal)).collect();
    let any = encoder.store.terms.or_all(asked.into_iter().map(|violated| violated.condition));
    solver.check(&encoder.store.terms, &[any], &budget).expect("the budget has no limit")
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn main() {
    let search = program(SEARCH);
    let one = timed(|| {
        let (mut terms, mut solver, mut asserted) = (encoder(&search, Property::UnreachCall), BvSolver::new(), 0);
        for bound in 1..=20 {
            assert_eq!(ask(&search, &mut terms, &mut solver, &mut asserted, bound), SatResult::Unsat);
        }
    });
    let fresh = timed(|| {
        for bound in 1..=20 {
            let (mut terms, mut solver) = (encoder(&search, Property::UnreachCall), BvSolver::new());
            assert_eq!(ask(&search, &mut terms, &mut solver, &mut 0, bound), SatResult::Unsat);
        }
    });
    println!("k = 1..20  one instance {one:>10.2?}  an instance a bound {fresh:>10.2?}");
    let copy = program(COPY);
    let mut last: Option<Duration> = None;
    for depth in [25, 50, 100, 200] {
        let once = || {
            let (mut terms, mut solver) = (encoder(&copy, Property::ValidDeref), BvSolver::new());
            assert_eq!(ask(&copy, &mut terms, &mut solver, &mut 0, depth), SatResult::Unsat);
        };
        let time = (0..5).map(|_| timed(once)).min().unwrap_or_default();
        let growth = last.map(|last| format!("  times {:.1}", time.as_secs_f64() / last.as_secs_f64()));
        println!("depth {depth:>3}  {time:>10.2?}{}", growth.unwrap_or_default());
        last = Some(time);
    }
}

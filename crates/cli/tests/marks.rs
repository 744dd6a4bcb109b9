//! What the checker refuses because of a model's mark.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_evidence::{Checker, Claim, Claimed, Proof, Task, Trace};
use belay_ir::{DataModel, Mark, Property};
use belay_rules::Config;

/// Asks the checker about a program whose function `f` has a mark.
fn with_mark<R>(source: &str, mark: Mark, ask: impl FnOnce(&Checker<'_>) -> R) -> R {
    let (mut program, mut simplified) = snippets::compile(source, DataModel::Lp64);
    for program in [&mut program, &mut simplified] {
        let f = program.function_named("f").unwrap();
        program.functions[f].mark = mark;
    }
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::unlimited();
    ask(&Checker::new(&task, &budget))
}

#[test]
fn no_proof_rests_on_a_model_that_picks_one_of_several_behaviours() {
    let source = "int f(void) { return 1; } int main(void) { check(f() == 1); return 0; }";
    let proved = |checker: &Checker<'_>| checker.check(Claim::proof(Property::UnreachCall, Proof::Execution)).is_ok();
    assert!(with_mark(source, Mark::Exact, proved));
    assert!(with_mark(source, Mark::Chance, proved));
    assert!(!with_mark(source, Mark::Fewer, proved));
    // One that is not called does not matter.
    assert!(with_mark("int f(void) { return 1; } int main(void) { return 0; }", Mark::Fewer, proved));
}

#[test]
fn no_endless_run_rests_on_chance() {
    let source = "int f(void) { return 0; } int main(void) { while (!f()) ; return 0; }";
    let refuted = |checker: &Checker<'_>| {
        let trace = Trace { choices: Vec::new(), claimed: Claimed::Recurrence };
        checker.check(Claim::run(Property::Termination, trace)).is_ok()
    };
    assert!(with_mark(source, Mark::Exact, refuted));
    assert!(with_mark(source, Mark::Fewer, refuted));
    assert!(!with_mark(source, Mark::Chance, refuted));
}

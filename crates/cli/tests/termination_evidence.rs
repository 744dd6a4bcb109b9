//! What the checker refuses: claims about termination that are almost right.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::{Budget, Span};
use belay_engines::graph;
use belay_engines::kiki::{self, Options};
use belay_evidence::{
    Checker, Claim, CountedLoop, CycleProof, Excerpt, Fixed, GraphCertificate, GraphRanking, LoopPlace, LoopProof,
    Origin, Others, Part, Proof, RankedCycle, Ranking, Task, Unending, check_counted, loops, without_end,
};
use belay_interpreter::FixedInput;
use belay_ir::{Cfg, DataModel, Dominators, IntegerModel, LoopNest, Op, Operand, Program, Property, Type};
use belay_its::{Atom, Outcome, Poly, Question, VarExt, prove, prove_with};
use belay_rules::{Choice, Config, Scalar};
use belay_symbolic::Key;
use belay_transitions::{Summaries, extract_with, summarisable};

const STEPS: u64 = 5_000_000;

fn with_task(source: &str, test: impl FnOnce(&Task<'_>)) {
    let (program, simplified) = snippets::compile(source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    test(&Task { program: &program, simplified: &simplified, config });
}

/// The input of the only place that asks for one.
fn always(program: &Program, value: i64) -> FixedInput {
    let main = &program.functions[program.function_named("main").unwrap()];
    let asks = |inst: &belay_ir::Inst| matches!(inst.op, Op::Call { .. });
    let span: Span = main.placed_insts().map(|(_, id)| &main.insts[id]).find(|inst| asks(inst)).unwrap().span;
    let choice = Choice::Input(Scalar::int(32, value));
    FixedInput { span, name: Some("__VERIFIER_nondet_int".to_owned()), choice }
}

fn induction(task: &Task<'_>, fixed: &Fixed) -> Option<belay_evidence::Induction> {
    let closed = without_end(task.program, task.config.entry, task.integers(), fixed).unwrap();
    let closed = Task { program: &closed, simplified: &closed, config: task.config.clone() };
    let outcomes = kiki::check(&closed, &[Property::UnreachCall], Options::default(), &Budget::steps(STEPS));
    outcomes.into_iter().find_map(|(_, outcome)| match outcome.proof() {
        Some(Proof::Induction(induction)) => Some(*induction),
        Some(_) | None => None,
    })
}

const EVEN: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) {
        x += 2;
        if (x % 2) return 1;
    }
    return 0;
}";

#[test]
fn a_run_that_cannot_end_is_accepted_with_its_own_inputs_only() {
    with_task(EVEN, |task| {
        let budget = Budget::steps(u64::MAX);
        let checker = Checker::new(task, &budget);
        let going = Fixed { inputs: vec![always(task.program, 1)], fill: 0 };
        let induction = induction(task, &going).expect("an induction");
        let claim = Unending { fixed: going.clone(), induction };
        assert!(checker.check(Claim::unending(claim.clone())).is_ok());
        // With 0 the loop is left at once.
        let stopping = Fixed { inputs: vec![always(task.program, 0)], fill: 0 };
        assert!(checker.check(Claim::unending(Unending { fixed: stopping, ..claim.clone() })).is_err());
        // Without inputs the proof would have to cover 0 as well.
        let open = Fixed { inputs: Vec::new(), fill: 0 };
        assert!(checker.check(Claim::unending(Unending { fixed: open, ..claim.clone() })).is_err());
        // An input that nobody asks for may be of no type at all.
        let mut odd = going;
        odd.inputs.push(FixedInput { name: Some("another".to_owned()), ..always(task.program, 1) });
        assert!(checker.check(Claim::unending(Unending { fixed: odd, ..claim })).is_err());
    });
}

#[test]
fn every_way_to_end_a_run_is_found() {
    for end in
        ["return 0;", "exit(0);", "abort();", "__VERIFIER_assume(0);", "reach_error();", "x = 7 / y;", "*(int *)0 = 1;"]
    {
        let source = format!(
            "extern void exit(int), abort(void), __VERIFIER_assume(int), reach_error(void);
            int main(void) {{ unsigned x = 0, y = 0; while (1) {{ x++; if (x == 1000) {{ {end} }} }} }}"
        );
        with_task(&source, |task| {
            let fixed = Fixed { inputs: Vec::new(), fill: 0 };
            assert_eq!(induction(task, &fixed), None, "{end}");
        });
    }
}

const MCCARTHY: &str = "extern int __VERIFIER_nondet_int(void);
int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) { return f(__VERIFIER_nondet_int()); }";

/// Ranking functions under a summary of the only recursive function: `result - n + slack >= 0`.
fn ranked(task: &Task<'_>, slack: i64, claim: bool) -> Option<Ranking> {
    let plain = extract_with(task.simplified, task.config.entry, IntegerModel::Machine, &Summaries::new()).unwrap();
    let function = *summarisable(&plain.program, task.config.entry).first().unwrap();
    let (n, result) = (Poly::var(VarExt::new(0)), Poly::var(VarExt::new(1)));
    let summary = vec![Atom::non_negative(result.minus(&n).plus(&Poly::constant(slack)))];
    let summaries = Summaries::from([(function, summary.clone())]);
    let system = extract_with(task.simplified, task.config.entry, IntegerModel::Machine, &summaries).unwrap();
    let returns = &system.returns[&function];
    let mut question = Question::default();
    if claim {
        question.claims.insert(returns.location, returns.in_system(&summary).unwrap());
    }
    match prove_with(&system.its, &question, &Budget::steps(STEPS)) {
        Outcome::Terminates(certificate) => Some(Ranking { certificate, summaries }),
        Outcome::NonTerminating(_) | Outcome::GaveUp(_) => None,
    }
}

#[test]
fn a_summary_that_is_not_shown_is_refused() {
    with_task(MCCARTHY, |task| {
        let budget = Budget::steps(u64::MAX);
        let checker = Checker::new(task, &budget);
        let confirm =
            |ranking: Ranking| checker.check(Claim::proof(Property::Termination, Proof::Ranking(Box::new(ranking))));
        assert!(confirm(ranked(task, 10, true).unwrap()).is_ok());
        // True, but without a word about it in the certificate.
        assert!(confirm(ranked(task, 10, false).unwrap()).is_err());
        // The result is not always greater than the argument.
        assert_eq!(ranked(task, -1, true), None);
        assert!(confirm(ranked(task, -1, false).unwrap()).is_err());
    });
}

/// The counter of the loop whose head a place is.
fn counter(task: &Task<'_>, key: &Key) -> Option<CountedLoop> {
    let (function, head, _) = *key.last()?;
    let body = &task.simplified.functions[function];
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    let id = nest.headed_by(head)?;
    let candidates = body.blocks[head].insts.iter().flat_map(|counter| {
        let tests = nest.get(id).blocks.iter();
        tests.map(move |test| CountedLoop { function, head, counter: *counter, test: *test })
    });
    let holds = |it: &CountedLoop| check_counted(body, &cfg, &dominators, &nest, id, it, task.integers()).is_ok();
    candidates.into_iter().find(holds)
}

/// A graph whose states are those of these places, with a counter for each cycle in this order, or for those that have one.
fn counted_cycles(task: &Task<'_>, is_kept: impl Fn(&Key) -> bool, order: impl Fn(&mut Vec<Key>)) -> GraphCertificate {
    let explored = graph::explore(task, 2_000_000, &Budget::steps(40_000_000)).unwrap();
    let mut states = explored.states().clone();
    states.retain(|key, _| is_kept(key));
    let mut keys: Vec<Key> = states.keys().cloned().collect();
    order(&mut keys);
    let proof = |key: Key| {
        let counted = counter(task, &key)?;
        Some(RankedCycle { at: key, proof: CycleProof::Loop(LoopProof::Counted(counted)) })
    };
    let cycles = keys.into_iter().filter_map(proof).collect();
    GraphCertificate { states, ranking: Some(GraphRanking::Cycles(cycles)), ..explored.without_ranking() }
}

fn ends(task: &Task<'_>, certificate: GraphCertificate) -> bool {
    let proof = Proof::Graph(Box::new(certificate));
    Checker::new(task, &Budget::steps(2_000_000)).check(Claim::proof(Property::Termination, proof)).is_ok()
}

#[test]
fn each_cycle_of_a_graph_has_a_proof_of_its_own() {
    let turn = "extern int __VERIFIER_nondet_int(void);
        static int turn(int n) { int m = 0; for (int i = 0; i < n; i++) m ^= i; return m; }";
    let counted = format!(
        "{turn} int main(void) {{ int n = __VERIFIER_nondet_int(), m = 0;
        for (int k = 0; k < n; k++) m ^= turn(n); return m; }}"
    );
    with_task(&counted, |task| {
        let by_depth = |keys: &mut Vec<Key>| keys.sort_by_key(Vec::len);
        assert!(ends(task, counted_cycles(task, |_| true, by_depth)), "both loops count");
        assert!(!ends(task, counted_cycles(task, |_| true, |keys| keys.sort_by_key(|key| key.len() < 2))), "swapped");
        assert!(!ends(task, counted_cycles(task, |_| true, |keys| keys.retain(|key| key.len() > 1))), "one is missing");
    });
    let endless = format!("{turn} int main(void) {{ int n = __VERIFIER_nondet_int(); while (1) n = turn(n); }}");
    with_task(&endless, |task| {
        assert!(!ends(task, counted_cycles(task, |_| true, |_| {})), "nothing counts in main");
        // Without a state at the head in main the only cycle goes through the loop that counts, and enters it again and again.
        assert!(!ends(task, counted_cycles(task, |key| key.len() > 1, |_| {})), "the head in main is skipped");
    });
}

/// Loops that do not end, with pointers: each way of looking at one of them must leave it open.
const ENDLESS_WALKS: [&str; 6] = [
    "int f(char *p, char *end) { int n = 0; while (p != end) { if (n & 1) p++; else p--; n++; } return n; }
     int main(void) { char b[100]; return f(b + 50, b + 80); }",
    "int f(char *b, char *end) { char *p = b; while (p != end) { p += 2; if (p - b >= 60) p = b; } return 0; }
     int main(void) { char b[100]; return f(b, b + 51); }",
    "int f(char *p, char *q) { while (p != q) { char *t = p; p = q; q = t; } return 0; }
     int main(void) { char b[100]; return f(b, b + 1); }",
    "int main(void) { char b[100]; char *p = b, *end = b + 1;
     while (p != end) { p++; end = p + 1; if (p == b + 50) { p = b; end = b + 1; } } return 0; }",
    "int main(void) { char b[100]; char *p = b, *end = b + 100; while (p < end) { p++; if (end - p < 50) p = b; } return 0; }",
    "static char *next(char *p, char *end) { if (p == end) return 0; return p; }
     int main(void) { char b[10]; char *p = b; while ((p = next(p, b + 10)) != 0) ; return 0; }",
];

/// Every excerpt in which a loop can be looked at.
fn excerpts(task: &Task<'_>, place: LoopPlace) -> Vec<Excerpt> {
    let mut found = Vec::new();
    for (part, inlined) in [(Part::Loop, false), (Part::Function, false), (Part::Loop, true), (Part::Function, true)] {
        let plain = Excerpt { part, inlined, origin: None };
        let Ok(seen) = plain.of(task.simplified, place) else { continue };
        let function = seen.function();
        let params = (0..function.params.len() as u32).map(Operand::Param);
        let values = function.insts.ids().map(Operand::Inst);
        let pointers = params.chain(values).filter(|operand| function.operand_type(*operand) == Some(Type::Ptr));
        let origins = pointers.flat_map(|operand| {
            [false, true].map(|upward| match operand {
                Operand::Param(param) => Origin::Param(param, upward),
                Operand::Inst(inst) => Origin::Value(inst, upward),
                _ => unreachable!("parameters and values only"),
            })
        });
        found.push(plain);
        found.extend(origins.map(|origin| Excerpt { origin: Some(origin), ..plain }));
    }
    found
}

#[test]
fn no_excerpt_shows_that_an_endless_walk_ends() {
    for source in ENDLESS_WALKS {
        with_task(source, |task| {
            let mut looked_at = 0;
            for place in loops(task) {
                for excerpt in excerpts(task, place) {
                    let seen = excerpt.of(task.simplified, place).unwrap();
                    for others in [Others::Havocked, Others::Counted] {
                        let Ok((_, system)) = seen.system(task, others) else { continue };
                        looked_at += 1;
                        let outcome = prove(&system, &Budget::steps(60_000));
                        assert!(!matches!(outcome, Outcome::Terminates(_)), "{excerpt:?} of {source}");
                    }
                }
            }
            assert!(looked_at > 2, "no excerpt of {source}");
        });
    }
}

#[test]
fn what_changes_in_a_loop_is_no_origin() {
    let source = "int main(void) { char b[100]; char *p = b, *end = b + 100; while (p != end) p++; return 0; }";
    with_task(source, |task| {
        let place = loops(task)[0];
        let function = &task.simplified.functions[place.function];
        let head = &function.blocks[place.head];
        let walker = head.insts.iter().find(|inst| function.insts[**inst].ty == Some(Type::Ptr)).unwrap();
        for part in [Part::Loop, Part::Function] {
            let excerpt = Excerpt { part, inlined: false, origin: Some(Origin::Value(*walker, false)) };
            assert!(excerpt.of(task.simplified, place).unwrap().system(task, Others::Counted).is_err());
        }
    });
}

//! The checkers reject what does not prove the claim.

use belay_base::Budget;
use belay_its::evidence::{
    Change, RecurrentSet, Rejection, TerminationCertificate, TransitionInvariant, check_recurrence, check_termination,
};
use belay_its::{Atom, Its, Outcome, Poly, ari, prove};
use belay_linear::{LinExpr, Rat, Var};

const HEADER: &str = "(format LCTRS :smtlib 2.6)(theory Ints)
    (fun f (-> Int Int Int))(fun g (-> Int Int Int))(entrypoint f)";

fn read(rules: &str) -> Its {
    ari::read(&format!("{HEADER}{rules}")).expect("the system can be read")
}

fn counting() -> (Its, TerminationCertificate) {
    let its = read(
        "(rule (f x y) (g x y) :guard (> y 0))
         (rule (g x y) (g (- x y) y) :guard (> x 0))",
    );
    match prove(&its, &Budget::unlimited()) {
        Outcome::Terminates(certificate) => (its, certificate),
        Outcome::NonTerminating(_) | Outcome::GaveUp(_) => panic!("the loop terminates"),
    }
}

fn rejected(its: &Its, certificate: &TerminationCertificate) -> Rejection {
    let checked = check_termination(its, certificate, &Budget::unlimited());
    checked.expect_err("a forged certificate is rejected")
}

#[test]
fn the_true_certificate_is_accepted() {
    let (its, certificate) = counting();
    assert_eq!(check_termination(&its, &certificate, &Budget::unlimited()), Ok(()));
    let starved = check_termination(&its, &certificate, &Budget::steps(1));
    assert!(matches!(starved, Err(Rejection::Exhausted(_))));
}

#[test]
fn a_missing_step_leaves_a_cycle() {
    let (its, mut certificate) = counting();
    certificate.steps.clear();
    assert_eq!(rejected(&its, &certificate), Rejection::Cycle);
}

#[test]
fn a_function_that_rises_is_rejected() {
    let (its, mut certificate) = counting();
    for functions in certificate.steps[0].functions.values_mut() {
        *functions = functions.iter().map(|f| f.negated()).collect();
    }
    assert_eq!(rejected(&its, &certificate), Rejection::Function(0));
}

#[test]
fn an_unbounded_function_is_rejected() {
    let (its, mut certificate) = counting();
    for functions in certificate.steps[0].functions.values_mut() {
        *functions = functions.iter().map(|f| f.plus_constant(&Rat::from(-1000))).collect();
    }
    assert_eq!(rejected(&its, &certificate), Rejection::Function(0));
}

/// The greater of the two falls, but no linear function does.
fn the_greater_falls() -> (Its, TerminationCertificate) {
    let its = read(
        "(rule (f x y) (g x y))
         (rule (g x y) (g (- y 1) (- y 1)) :guard (and (> x 0) (> y 0)))
         (rule (g x y) (g (- x 1) (- x 1)) :guard (and (> x 0) (> y 0)))",
    );
    match prove(&its, &Budget::unlimited()) {
        Outcome::Terminates(certificate) => (its, certificate),
        Outcome::NonTerminating(_) | Outcome::GaveUp(_) => panic!("the loop terminates"),
    }
}

#[test]
fn a_transition_invariant_is_accepted_and_its_forgeries_are_not() {
    let (its, certificate) = the_greater_falls();
    assert_eq!(check_termination(&its, &certificate, &Budget::unlimited()), Ok(()));
    assert_eq!(certificate.transition_invariants.len(), 1, "{certificate:?}");
    let forged = |forge: &dyn Fn(&mut TransitionInvariant)| {
        let mut certificate = certificate.clone();
        forge(&mut certificate.transition_invariants[0]);
        rejected(&its, &certificate)
    };
    let relations = certificate.transition_invariants[0].relations.clone();
    for relation in &relations {
        let without = |found: &mut TransitionInvariant| found.relations.retain(|kept| kept != relation);
        assert_eq!(forged(&without), Rejection::Relation(0), "one less");
    }
    let lower = |f: &LinExpr| f.plus_constant(&Rat::from(-1000));
    assert_eq!(forged(&|f| f.forms = f.forms.iter().map(lower).collect()), Rejection::Relation(0), "no bound");
    let negated = |found: &mut TransitionInvariant| found.forms = found.forms.iter().map(LinExpr::negated).collect();
    assert_eq!(forged(&negated), Rejection::Relation(0), "what rises");
    assert_eq!(forged(&|found| found.cells.clear()), Rejection::Cycle, "no cells");
    let mut weaker = certificate.clone();
    weaker.transition_invariants[0].relations = relations
        .into_iter()
        .map(|mut relation| {
            relation.changes.iter_mut().flatten().for_each(|change| *change = (*change).min(Change::AtMost));
            relation
        })
        .collect();
    assert_eq!(rejected(&its, &weaker), Rejection::Relation(0), "closed, and true of every edge, but nothing falls");
}

#[test]
fn an_invariant_that_is_not_one_is_rejected() {
    let (its, mut certificate) = counting();
    for cell in certificate.cells.iter_mut().filter(|cell| cell.location != its.start) {
        cell.invariant.push(Atom::non_negative(Poly::var(Var(0))));
    }
    assert!(matches!(rejected(&its, &certificate), Rejection::Invariant(_)));
    let (its, mut certificate) = counting();
    for cell in certificate.cells.iter_mut() {
        cell.invariant.push(Atom::non_negative(Poly::constant(-1)));
    }
    assert!(matches!(rejected(&its, &certificate), Rejection::Invariant(_)));
}

#[test]
fn an_uncut_cycle_is_rejected() {
    let (its, mut certificate) = counting();
    certificate.partitions.retain(|location, _| *location == its.start);
    assert!(matches!(rejected(&its, &certificate), Rejection::Partition(_)));
    let start = certificate.cells.iter().find(|cell| cell.location == its.start).cloned();
    certificate.cells = start.into_iter().collect();
    certificate.steps.clear();
    assert!(matches!(rejected(&its, &certificate), Rejection::Uncut(_)));
}

fn growing() -> (Its, RecurrentSet) {
    let its = read(
        "(rule (f x y) (g x y))
         (rule (g x y) (g (+ x y) y) :guard (> x 0))",
    );
    match prove(&its, &Budget::unlimited()) {
        Outcome::NonTerminating(set) => (its, set),
        Outcome::Terminates(_) | Outcome::GaveUp(_) => panic!("the loop runs for ever"),
    }
}

#[test]
fn recurrent_sets_are_checked() {
    let budget = Budget::unlimited();
    let (its, set) = growing();
    assert_eq!(check_recurrence(&its, &set, &budget), Ok(()));

    let mut outside = set.clone();
    outside.initial = vec![Rat::from(-5), Rat::from(-5)];
    assert!(matches!(check_recurrence(&its, &outside, &budget), Err(Rejection::Stem(_))));

    let mut fraction = set.clone();
    fraction.initial[0] = Rat::ratio(1, 2).expect("two is not zero");
    assert!(matches!(check_recurrence(&its, &fraction, &budget), Err(Rejection::Stem(_))));

    let mut too_large = set.clone();
    too_large.states.values_mut().for_each(Vec::clear);
    assert!(matches!(check_recurrence(&its, &too_large, &budget), Err(Rejection::Stuck(_))));

    let mut stuck = set;
    stuck.moves.clear();
    assert!(matches!(check_recurrence(&its, &stuck, &budget), Err(Rejection::Stuck(_))));
}

#[test]
fn malformed_systems_are_refused() {
    let (mut its, certificate) = counting();
    let first = its.transitions.ids().next().expect("there are transitions");
    its.transitions[first].update.pop();
    assert!(matches!(rejected(&its, &certificate), Rejection::Malformed(_)));
    assert!(matches!(prove(&its, &Budget::unlimited()), Outcome::GaveUp(_)));
}

#[test]
fn written_systems_read_back_the_same() {
    let its = read(
        "(rule (f x y) (g (* 2 x y) z) :guard (and (> x (- 3)) (or (= y 2) (< (mod x 3) y))))
         (rule (g x y) (g (div x (- 2)) y) :guard (not (=> (> x 0) (distinct x y))))",
    );
    assert_eq!(its.transitions.len(), 3);
    let again = ari::read(&ari::write(&its)).expect("what is written can be read");
    for (ours, theirs) in its.transitions.iter().zip(again.transitions.iter()) {
        assert_eq!((ours.from, ours.to, ours.guard.len()), (theirs.from, theirs.to, theirs.guard.len()));
        for (x, y, e) in [(5, 2, 0), (-4, 1, 2), (7, 7, -3)] {
            let (state, extras) = ([Rat::from(x), Rat::from(y)], [Rat::from(e), Rat::from(e)]);
            assert_eq!(ours.step(&state, &extras), theirs.step(&state, &extras));
        }
    }
}

#[test]
fn the_reader_refuses_what_it_does_not_know() {
    let unsupported = [
        "(rule (f x y) (g (ite (> x 0) 1 2) y))",
        "(rule (f x y) (g (div x y) y))",
        "(rule (f x) (g x x))",
        "(rule (f x y) (h x y))",
        "(rule (f x y) (g x y) :guard (exists z))",
        "(rule (f x y) (g x y)",
        "(sort S)",
    ];
    for rules in unsupported {
        assert!(ari::read(&format!("{HEADER}{rules}")).is_err(), "{rules}");
    }
    assert!(ari::read("(format LCTRS)(theory Ints)(fun f (-> Int Int))").is_err());
}

/// Leaves of decision trees that no run is said to reach.
#[test]
fn a_mode_that_is_reached_after_all() {
    let steps = |last: &str| {
        let states = (0..50).map(|at| format!("(rule (g x y) (g {} y) :guard (= x {at}))", at + 1));
        let rules: String = states.collect();
        format!("(rule (f x y) (g 0 y)){rules}(rule (g x y) (g {last} y) :guard (= x 50))")
    };
    let its = read(&steps("51"));
    let Outcome::Terminates(certificate) = prove(&its, &Budget::unlimited()) else { panic!("the machine stops") };
    assert!(certificate.cells.len() > 50, "it is split by modes");
    assert_eq!(check_termination(&its, &certificate, &Budget::unlimited()), Ok(()));
    for last in ["7", "(- 3)", "y"] {
        rejected(&read(&steps(last)), &certificate);
    }
}

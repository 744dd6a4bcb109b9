//! Classic loops with their expected outcomes.

use belay_base::Budget;
use belay_its::{GaveUp, Outcome, ari, prove};

/// A system from its rules: the symbols are declared by their first use, the first is the start.
fn system(rules: &str) -> String {
    let mut declared: Vec<String> = Vec::new();
    let mut text = "(format LCTRS :smtlib 2.6)\n(theory Ints)\n".to_owned();
    for rule in rules.lines().filter(|line| line.contains("(rule")) {
        let inner = rule.trim().trim_start_matches("(rule").trim();
        let sides = inner.match_indices('(').map(|(at, _)| &inner[at + 1..]);
        for side in sides {
            let name = side.split([' ', ')']).next().unwrap_or_default();
            let arity = side.split(')').next().unwrap_or_default().split_whitespace().count() - 1;
            let location =
                name.starts_with(|c: char| c.is_ascii_lowercase()) && name.ends_with(|c: char| c.is_ascii_digit());
            if location && !declared.contains(&name.to_owned()) {
                text.push_str(&format!("(fun {name} (-> {}Int))\n", "Int ".repeat(arity)));
                declared.push(name.to_owned());
            }
        }
    }
    text.push_str(&format!("(entrypoint {})\n{rules}", declared[0]));
    text
}

fn check(name: &str, expected: &str, rules: &str) {
    let its = ari::read(&system(rules)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let begin = std::time::Instant::now();
    let outcome = prove(&its, &Budget::steps(20_000_000));
    let found = match &outcome {
        Outcome::Terminates(_) => "terminates",
        Outcome::NonTerminating(_) => "loops",
        Outcome::GaveUp(_) => "unknown",
    };
    eprintln!("{name}: {found} in {:?}", begin.elapsed());
    assert_eq!(found, expected, "{name}: {outcome:#?}");
}

macro_rules! classics {
    ($($name:ident $expected:literal $rules:literal;)*) => {
        $(#[test] fn $name() { check(stringify!($name), $expected, $rules); })*
    };
}

classics! {
    count_down "terminates" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (- x 1)) :guard (> x 0))";
    count_up_to_bound "terminates" "
        (rule (f0 i n) (f1 0 n))
        (rule (f1 i n) (f1 (+ i 1) n) :guard (< i n))";
    nested "terminates" "
        (rule (f0 i j n) (f1 0 j n))
        (rule (f1 i j n) (f2 i 0 n) :guard (< i n))
        (rule (f2 i j n) (f2 i (+ j 1) n) :guard (< j i))
        (rule (f2 i j n) (f1 (+ i 1) j n) :guard (>= j i))";
    multiphase "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 (+ x y) (- y 1)) :guard (> x 0))";
    phases_of_alike_branches "terminates" "
        (rule (f0 x y z t) (f1 x y z t))
        (rule (f1 x y z t) (f1 u y (- z 1) x) :guard (and (>= x y) (<= x (+ t z)) (> c 0)))
        (rule (f1 x y z t) (f1 u y (- z 1) x) :guard (and (>= x y) (<= x (+ t z)) (< c 0)))
        (rule (f1 x y z t) (f1 x (+ y 1) z t) :guard (and (>= x y) (<= x (+ t z)) (= c 0)))";
    modes_beside_what_is_ranked "terminates" "
        (rule (f0 s n h) (f1 0 n h))
        (rule (f1 s n h) (f1 n n h) :guard (= s 2))
        (rule (f1 s n h) (f1 1 n h) :guard (and (= s 2) (>= h 2)))
        (rule (f1 s n h) (f1 5 n h) :guard (= s 4))
        (rule (f1 s n h) (f1 2 4 h) :guard (and (= s 0) (>= h (- 1))))
        (rule (f1 s n h) (f1 3 n (- 1)) :guard (and (= s 1) (= h 1)))
        (rule (f1 s n h) (f1 4 n h) :guard (= s 2))";
    phases_of_a_square "terminates" "
        (rule (f0 x y z) (f1 x y z))
        (rule (f1 x y z) (f1 (+ x 1) (+ y x 1) z) :guard (>= x y))
        (rule (f1 x y z) (f1 (- x z) (+ y (* z z)) (- z 1)) :guard (>= x y))";
    values_change_places "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 y (- x 1)) :guard (and (> x 0) (> y 0)))
        (rule (f1 x y) (f1 (- x 1) y) :guard (and (> x 0) (> y 0)))";
    three_change_places "terminates" "
        (rule (f0 x y z) (f1 x y z))
        (rule (f1 x y z) (f1 y z (- x 1)) :guard (and (> x 0) (> y 0) (> z 0)))
        (rule (f1 x y z) (f1 z (- x 1) y) :guard (and (> x 0) (> y 0) (> z 0)))
        (rule (f1 x y z) (f1 (- y 1) (- y 1) z) :guard (and (> x 0) (> y 0) (> z 0)))";
    places_without_a_fall "loops" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 y x) :guard (and (> x 0) (> y 0)))
        (rule (f1 x y) (f1 (- x 1) y) :guard (and (> x 0) (> y 0)))";
    three_phases "terminates" "
        (rule (f0 x y z) (f1 x y z))
        (rule (f1 x y z) (f1 (+ x y) (+ y z) (- z 1)) :guard (> x 0))";
    gcd_by_subtraction "terminates" "
        (rule (f0 x y) (f1 x y) :guard (and (> x 0) (> y 0)))
        (rule (f1 x y) (f1 (- x y) y) :guard (> x y))
        (rule (f1 x y) (f1 x (- y x)) :guard (> y x))";
    gcd_by_remainder "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 y r) :guard (and (> y 0) (>= r 0) (< r y)))";
    ackermann "terminates" "
        (rule (f0 m n) (f1 m n) :guard (and (>= m 0) (>= n 0)))
        (rule (f1 m n) (f1 (- m 1) 1) :guard (and (> m 0) (= n 0)))
        (rule (f1 m n) (f1 m (- n 1)) :guard (and (> m 0) (> n 0)))
        (rule (f1 m n) (f1 (- m 1) r) :guard (and (> m 0) (> n 0)))";
    lexicographic "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 (- x 1) z) :guard (and (> x 0) (> y 0)))
        (rule (f1 x y) (f1 x (- y 1)) :guard (and (> x 0) (> y 0)))";
    halving "terminates" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (div x 2)) :guard (> x 1))";
    random_walk_to_zero "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f2 x d) :guard (> x 0))
        (rule (f2 x d) (f1 (- x d) d) :guard (>= d 1))";

    forever "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 x))";
    count_up "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (+ x 1)) :guard (> x 0))";
    missed_zero "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (- x 2)) :guard (distinct x 0))";
    two_branches_stay "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (+ x 1)) :guard (and (> x 0) (< x 10)))
        (rule (f1 x) (f1 5) :guard (and (> x 0) (>= x 10)))";
    input_never_zero "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 y) :guard (distinct x 0))";
    swap "loops" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 y x) :guard (> x 0))";
    doubling "loops" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 (- (* 2 x) y) y) :guard (> x 0))";
    zero_step "loops" "
        (rule (f0 i n d) (f1 0 n d) :guard (and (>= d 0) (>= n 1)))
        (rule (f1 i n d) (f1 (+ i d) n d) :guard (< i n))";
    late_trap "loops" "
        (rule (f0 x) (f1 0))
        (rule (f1 x) (f1 (+ x 1)) :guard (< x 5))
        (rule (f1 x) (f2 x) :guard (>= x 5))
        (rule (f2 x) (f2 x))";
    square_grows "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (* x x)) :guard (> x 1))";
    unreachable_loop "terminates" "
        (rule (f0 x) (f1 0))
        (rule (f1 x) (f1 x) :guard (> x 0))";

    towards_each_other "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 x (+ y 1)) :guard (> x y))
        (rule (f1 x y) (f1 (+ x 1) y) :guard (< x y))";
    alternating_sign "terminates" "
        (rule (f0 a b) (f1 a b))
        (rule (f1 a b) (f1 (+ a b) (- (- b) 1)) :guard (and (>= a 0) (>= b 0)))
        (rule (f1 a b) (f1 (+ a b) (- b)) :guard (and (>= a 0) (< b 0)))";
    swapped_counters "terminates" "
        (rule (f0 x y) (f1 x y))
        (rule (f1 x y) (f1 (- y 1) (- x 1)) :guard (or (>= x 0) (>= y 0)))";
    equality_and_parity "terminates" "
        (rule (f0 x y z) (f1 x y z) :guard (>= (* 2 y) z))
        (rule (f1 x y z) (f1 (+ (- x (* 2 y)) 1) y z) :guard (and (>= x 0) (= z 1)))";
    squares "terminates" "
        (rule (f0 i n) (f1 0 n))
        (rule (f1 i n) (f1 (+ i 1) n) :guard (and (< (* i i) n) (>= i 0)))";
    overshoot "terminates" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (+ (* (- 2) x) 10)) :guard (> x 0))";
    orbit_through_branches "loops" "
        (rule (f0 i) (f1 i))
        (rule (f1 i) (f2 30) :guard (and (> i 10) (= i 25)))
        (rule (f1 i) (f2 i) :guard (and (> i 10) (distinct i 25)))
        (rule (f2 i) (f1 (- i 1)) :guard (<= i 30))
        (rule (f2 i) (f1 20) :guard (> i 30))";
    input_chosen_to_grow "loops" "
        (rule (f0 x old) (f1 x old))
        (rule (f1 x old) (f1 y x) :guard (and (> x 1) (>= x (* 2 old))))";
    input_covers_all "loops" "
        (rule (f0 x) (f1 x))
        (rule (f1 x) (f1 (- 1 (* 3 x))) :guard (and (>= e (- 2)) (>= e (+ 1 (* 2 x)))))";
    product_stays_large "loops" "
        (rule (f0 i) (f1 i))
        (rule (f1 i) (f1 (- i 1)) :guard (and (> (* i i) 9) (< i 0)))
        (rule (f1 i) (f1 (+ i 1)) :guard (and (> (* i i) 9) (>= i 0)))";
}

/// A state machine: every third state goes on by way of state 1000, which returns to where `n` says. From the last one it goes back, if `h` is positive, and
/// `passed` is what must hold of `h` in the middle.
fn machine(passed: &str) -> String {
    const STATES: usize = 45;
    let mut rules = "(rule (f0 s n h) (f1 0 n h))\n(rule (f1 s n h) (f1 n n h) :guard (= s 1000))\n".to_owned();
    for state in 0..STATES {
        let (next, guard) = (state + 1, if state == STATES / 2 { passed } else { "(>= h h)" });
        let target = if state % 3 == 0 { format!("(f1 1000 {next} h)") } else { format!("(f1 {next} n h)") };
        rules.push_str(&format!("(rule (f1 s n h) {target} :guard (and (= s {state}) {guard}))\n"));
    }
    rules.push_str(&format!("(rule (f1 s n h) (f1 2 n h) :guard (and (= s {STATES}) (> h 0)))\n"));
    rules
}

#[test]
fn state_machine_that_begins_anywhere() {
    let anywhere = machine("(<= h 0)").replace("(rule (f0 s n h) (f1 0 n h))\n", "").replace("f1", "f0");
    let its = ari::read(&system(&anywhere)).expect("the system can be read");
    let outcome = prove(&its, &Budget::steps(5_000_000));
    let faulty = matches!(outcome, Outcome::Terminates(_) | Outcome::GaveUp(GaveUp::Rejected(_)));
    assert!(!faulty, "state 1000 may lead to itself: {outcome:#?}");
}

#[test]
fn state_machine() {
    check("state_machine", "terminates", &machine("(<= h 0)"));
}

#[test]
fn state_machine_that_goes_round() {
    let its = ari::read(&system(&machine("(>= h 0)"))).expect("the system can be read");
    let outcome = prove(&its, &Budget::steps(5_000_000));
    assert!(!matches!(outcome, Outcome::Terminates(_)), "it goes round if h is positive: {outcome:#?}");
}

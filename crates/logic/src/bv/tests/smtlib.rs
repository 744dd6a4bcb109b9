//! The printed script means the same to Z3: a question with a known answer for each operation, and
//! random programs on which both solvers must agree.

use std::io::Write;
use std::process::{Command, Stdio};

use belay_base::Budget;

use super::super::smtlib::script;
use super::super::{Bits, BvSolver, SatResult, TermId, TermStore};
use super::{OPS, Random};

/// Z3's answers to the `check-sat` commands of `text`, or `None` if there is no Z3 to ask.
fn z3(text: &str) -> Option<Vec<String>> {
    let child = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: no z3 on PATH");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

fn agree(questions: &[(String, SatResult)]) {
    let text: Vec<&str> = questions.iter().map(|(text, _)| text.as_str()).collect();
    let Some(answers) = z3(&text.join("(reset)\n")) else { return };
    let expected: Vec<&str> = questions
        .iter()
        .map(|(_, answer)| match answer {
            SatResult::Sat => "sat",
            SatResult::Unsat => "unsat",
        })
        .collect();
    for (index, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
        assert_eq!(answer, expected, "{}", text[index]);
    }
    assert_eq!(answers.len(), expected.len());
}

#[test]
fn each_operation_has_its_smtlib_meaning() {
    let mut random = Random::new(20);
    let mut questions = Vec::new();
    for op in OPS {
        for width in [1, 3, 8, 32] {
            let mut store = TermStore::new();
            let (a, b) = (store.variable("a", width), store.variable("b|c\n", width));
            let term = op.build(&mut store, a, b);
            let (x, y) = (random.bits(width), random.bits(width));
            let (x_term, y_term) = (store.constant(x), store.constant(y));
            let expected = store.constant(op.value(x, y));
            let inputs = [store.eq(a, x_term), store.eq(b, y_term)];
            let equal = store.eq(term, expected);
            let differ = store.not(equal);
            questions.push((script(&store, &[inputs[0], inputs[1], equal]), SatResult::Sat));
            questions.push((script(&store, &[inputs[0], inputs[1], differ]), SatResult::Unsat));
        }
    }
    agree(&questions);
}

fn random_condition(store: &mut TermStore, random: &mut Random) -> TermId {
    let width = 5;
    let mut pool: Vec<TermId> = (0..3).map(|_| store.variable("x", width)).collect();
    let mut conditions = Vec::new();
    for _ in 0..12 {
        let (op, a, b) = (random.pick(&OPS), random.pick(&pool), random.pick(&pool));
        let constant = Bits::new(width, random.wide());
        let b = if random.below(3) == 0 { store.constant(constant) } else { b };
        let term = op.build(store, a, b);
        if store.width(term) == 1 { conditions.push(term) } else { pool.push(term) }
    }
    let [a, b] = [random.pick(&pool), random.pick(&pool)];
    conditions.push(store.slt(a, b));
    store.and_all(conditions)
}

#[test]
fn both_solvers_agree() {
    let mut random = Random::new(21);
    let mut questions = Vec::new();
    let mut satisfiable = 0;
    for _ in 0..150 {
        let mut store = TermStore::new();
        let condition = random_condition(&mut store, &mut random);
        let answer = BvSolver::new().check(&store, &[condition], &Budget::unlimited()).unwrap();
        satisfiable += usize::from(answer == SatResult::Sat);
        questions.push((script(&store, &[condition]), answer));
    }
    assert!((20..130).contains(&satisfiable), "one-sided questions: {satisfiable} of 150 satisfiable");
    agree(&questions);
}

#[test]
fn sharing_keeps_the_script_small() {
    let mut store = TermStore::new();
    let mut term = store.variable("x", 8);
    for _ in 0..200 {
        let squared = store.mul(term, term);
        term = store.xor(squared, term);
    }
    let zero = store.number(8, 0);
    let condition = store.eq(term, zero);
    assert!(script(&store, &[condition]).lines().count() < 500);
}

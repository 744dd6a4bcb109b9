//! Stored proofs: what is written is accepted again, and what was changed or is of another program never makes a wrong verdict or a crash.

use std::path::Path;
use std::process::Output;

use belay_base::Budget;
use belay_engines::{Options, Session};
use belay_evidence::{Answer, Checker, Task, Verdict};
use belay_ir::{DataModel, Program, Property};
use belay_proofs::{Header, Origin, ProofFile};
use belay_rules::Config;
use serde_json::Value;

use crate::common::{Scratch, belay, shown, text};
use crate::snippets::compile;

/// A property, a program that has it, and how it is broken: the first text becomes the second.
const TWINS: &[(Property, &str, (&str, &str))] = &[
    // A graph with a list of unknown length.
    (
        Property::ValidDeref,
        "struct node { struct node *next; int value; };
int main(void) {
  struct node *list = 0;
  while (in > 0) { struct node *node = malloc(sizeof *node); node->next = list; node->value = 3; list = node; }
  while (list) { struct node *next = list->next; free(list); list = next; }
  return 0;
}",
        ("free(list); list = next;", "free(list); list = list->next;"),
    ),
    // A graph with a buffer of unknown length.
    (
        Property::ValidDeref,
        "int main(void) {
  int n = in; if (n < 1) n = 1;
  char *text = malloc(n); text[n - 1] = 0;
  char *end = text; while (*end) end++;
  int length = end - text; free(text); return length;
}",
        ("while (*end) end++;", "while (*end != 1) end++;"),
    ),
    // Termination by a graph or a transition system.
    (
        Property::Termination,
        "int main(void) { int x = in, y = in; while (x > 0 && y > 0) { if (in) { x--; y = in; } else y--; } return 0; }",
        ("else y--;", "else y++;"),
    ),
    // A recursive function in a graph.
    (
        Property::ValidDeref,
        "static int sum(int *p, int n) { return n <= 0 ? 0 : *p + sum(p, n - 1); }
int main(void) { int *p = malloc(sizeof *p); *p = 1; int x = sum(p, in); free(p); return x; }",
        ("int x = sum(p, in); free(p);", "free(p); int x = sum(p, in);"),
    ),
    // Counted loops.
    (
        Property::Termination,
        "int main(void) { int n = in; for (int i = 0; i < n; i++) if (i == 7) n = n; return 0; }",
        ("i++)", "i += 0)"),
    ),
    // k-induction.
    (
        Property::UnreachCall,
        "int main(void) {
  unsigned a = 0, b = 0, n = __VERIFIER_nondet_uint();
  while (a < n) { a++; b += 2; if (b == 200) b = 0; }
  check(b % 2 == 0); return 0;
}",
        ("b += 2", "b += 3"),
    ),
    // Unrolling.
    (
        Property::UnreachCall,
        "int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar(); unsigned sum = 0;
  for (int i = 0; i < 4; i++) sum += (x >> i) & 1;
  check(sum != 5); return 0;
}",
        ("i < 4; i++) sum", "i < 5; i++) sum"),
    ),
    // Accesses by a graph, the rest by k-induction that takes them for granted.
    (
        Property::UnreachCall,
        "int main(void) {
  unsigned n = __VERIFIER_nondet_uint(); if (n == 0 || n > 1000) n = 1;
  unsigned *words = malloc(n * sizeof *words), mix = 1;
  for (unsigned *p = words, *end = words + n; p != end; p++) { *p = mix; mix = mix * 3 >> 1 | 1; }
  unsigned *q = words + n; while (q != words) { q--; mix = mix ^ *q ^ *q; }
  check(mix != 0); free(words); return 0;
}",
        ("mix ^ *q ^ *q", "mix ^ *q"),
    ),
    // Rankings of machine integers.
    (
        Property::Termination,
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x != 0) x &= x - 1; return 0; }",
        ("x &= x - 1", "x |= x - 1"),
    ),
];

fn task<'p>((program, simplified): &'p (Program, Program)) -> Task<'p> {
    Task { program, simplified, config: Config::new(program.function_named("main").unwrap()) }
}

fn prove(task: &Task<'_>, property: Property) -> Verdict {
    let options = Options { threads: 1, ..Options::default() };
    let budget = Budget::unlimited().until(std::time::Instant::now() + std::time::Duration::from_secs(30));
    let (verdicts, _) = Session::new(task, &[property], options, &budget).verify(&mut |_| {});
    verdicts.into_iter().next().unwrap()
}

/// The verdicts that a file leads to.
fn accepted(text: &str, task: &Task<'_>) -> Vec<Verdict> {
    let Ok(header) = Header::read(text) else { return Vec::new() };
    let Ok((file, _)) = header.claims(task) else { return Vec::new() };
    let budget = Budget::unlimited().until(std::time::Instant::now() + std::time::Duration::from_secs(5));
    let checker = Checker::new(task, &budget).with_refutations(&file.refutations);
    file.claims.into_iter().filter_map(|stored| checker.check_stored(stored.claim).ok()).collect()
}

/// A small generator: the same changes in every run of the test.
struct Dice(fastrand::Rng);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0.usize(..most.max(1))
    }
}

/// Parts of a document, by their pointers.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| pointers(item, &format!("{at}/{n}"), found))
        }
        Value::Object(fields) => {
            let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
            fields.iter().for_each(|(name, item)| pointers(item, &format!("{at}/{}", escaped(name)), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn change_part(part: &mut Value, dice: &mut Dice) {
    const WILD: &[&str] = &[
        "0",
        "1",
        "-1",
        "7",
        "255",
        "2147483647",
        "4294967295",
        "18446744073709551615",
        "1e99",
        "null",
        "[]",
        "\"x0\"",
        "\"x4294967295\"",
    ];
    match part {
        Value::Array(items) if !items.is_empty() => {
            let at = dice.below(items.len());
            match dice.below(3) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => items.reverse(),
            }
        }
        Value::Bool(value) => *value = !*value,
        Value::Number(number) if dice.below(2) == 0 => {
            *part = (number.as_i64().unwrap_or(0) + [1, -1, 8][dice.below(3)]).into();
        }
        Value::String(text) if dice.below(2) == 0 => {
            let swaps = [
                ("Ge", "Eq"),
                ("Live", "Dead"),
                ("NonNegative", "Zero"),
                (" + ", " - "),
                ("x0", "x1"),
                ("Null", "Top"),
                ("Heap", "Argument"),
                ("-", ""),
                ("1", "2"),
            ];
            let (from, to) = swaps[dice.below(swaps.len())];
            *text = text.replacen(from, to, 1);
        }
        _ => *part = serde_json::from_str(WILD[dice.below(WILD.len())]).unwrap(),
    }
}

/// One forged file: a part of what is claimed is changed, or the text is cut, or nested deeply.
fn forge(text: &str, dice: &mut Dice) -> String {
    match dice.below(10) {
        0 => text[..dice.below(text.len())].to_owned(),
        1 => text.replacen('[', &"[".repeat(100_000), 1),
        _ => {
            let mut document: Value = serde_json::from_str(text).unwrap();
            for _ in 0..=dice.below(2) {
                let mut found = Vec::new();
                for part in ["/claims", "/graphs", "/refutations"] {
                    pointers(&document.pointer(part).unwrap().clone(), part, &mut found);
                }
                let at = found[dice.below(found.len())].clone();
                change_part(document.pointer_mut(&at).unwrap(), dice);
            }
            document.to_string()
        }
    }
}

/// The proof of a program is accepted for it and refused for its broken twin, and so is whatever is made of it.
#[test]
fn forged_proofs_prove_nothing_that_is_wrong() {
    // What the checkers stop by is no news, what the test stops by is.
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.location().is_some_and(|place| place.file().contains("stored/mod.rs")) {
            told(info);
        }
    }));
    let (mut forged, mut unchanged, mut refuted) = (0, 0, 0);
    for (number, (property, source, (from, to))) in TWINS.iter().enumerate() {
        let broken_source = source.replacen(from, to, 1);
        assert_ne!(*source, broken_source);
        let (good, bad) = (compile(source, DataModel::Lp64), compile(&broken_source, DataModel::Lp64));
        let (good, bad) = (task(&good), task(&bad));
        let verdict = prove(&good, *property);
        assert!(matches!(verdict.answer(), Answer::True(_)), "{property}: {:?}\n{source}", verdict.answer());
        let file = ProofFile::new(&[verdict], &[], &[], |_| Vec::new());
        let budget = Budget::unlimited();
        Checker::record_refutations(&good, file.claims[0].claim.clone(), &file.refutations, &budget);
        refuted += file.refutations.all().len();
        let text = file.print(&good, &Origin::new(good.program, Vec::new(), Vec::new()));
        assert_eq!(accepted(&text, &good).len(), 1, "{property}\n{source}\n{text}");
        assert!(accepted(&text, &bad).is_empty(), "of another program: {property}\n{broken_source}");
        let mut dice = Dice(fastrand::Rng::with_seed(number as u64));
        for _ in 0..32 {
            let text = forge(&text, &mut dice);
            forged += 1;
            assert!(accepted(&text, &bad).is_empty(), "{property}\n{broken_source}\n{text}");
            // What still holds of the program itself is no forgery; that it is looked at without a crash is all that is asked.
            unchanged += accepted(&text, &good).len();
        }
    }
    assert!(refuted >= 1, "no claim comes with a refutation");
    assert!(forged > 200 && unchanged < forged, "{unchanged} of {forged} are still proofs");
}

/// Loops that are asked about by themselves: each has a refutation of its own, and an edit of one leaves those of the others. A mend that breaks one is noticed.
#[test]
fn loops_by_themselves_have_refutations_of_their_own() {
    let scratch = Scratch::new("stored-parts");
    let function = |number: u32| {
        format!(
            "static int f{number}(unsigned n) {{\n  int t[8] = {{0}};\n  for (unsigned i = n; i < 8; i += 1 + n % 3) t[i] = {number};\n  return t[n & 7];\n}}\n"
        )
    };
    let calls: String = (0..6).map(|number| format!("  sum ^= f{number}(__VERIFIER_nondet_uint());\n")).collect();
    let source = format!(
        "unsigned __VERIFIER_nondet_uint(void);\n{}int main(void) {{\n  int sum = 0;\n{calls}  return sum & 1;\n}}\n",
        (0..6).map(function).collect::<String>()
    );
    let (program, proof) = (scratch.file("program.c", &source), scratch.path().join("program.proof"));
    let check = || {
        let words = ["check", "--property", "valid-deref", "--engines", "summary", "--proof"];
        belay().args(words).arg(&proof).arg(&program).output().unwrap()
    };
    let refutations = || {
        let stored: Value = serde_json::from_str(&std::fs::read_to_string(&proof).unwrap()).unwrap();
        let all = stored["refutations"].as_array().unwrap().iter().flat_map(|one| one.as_object().unwrap().keys());
        all.cloned().collect::<std::collections::BTreeSet<String>>()
    };
    assert_eq!(check().status.code(), Some(0), "{}", shown(&check()));
    let first = refutations();
    assert!(first.len() > 3, "{first:?}");
    assert!(recheck(&proof, &program).status.success());
    scratch.file("program.c", source.replace("n % 3) t[i] = 2", "n % 5) t[i] = 2"));
    assert!(recheck(&proof, &program).status.success());
    let edited = check();
    assert!(text(&edited.stderr).contains("1 of 1 stored claims hold"), "{}", shown(&edited));
    let second = refutations();
    let kept = second.intersection(&first).count();
    assert!(kept > 2 && kept < first.len() && second.len() <= first.len(), "{first:?} {second:?}");
    scratch.file("program.c", source.replace("i < 8; i += 1 + n % 3) t[i] = 2", "i < 9; i += 1 + n % 3) t[i] = 2"));
    assert_eq!(recheck(&proof, &program).status.code(), Some(5));
}

/// A fact can't be made to speak of more than its proof shows: with the assertion among what is taken for granted the rest would be easy.
#[test]
fn a_fact_shows_what_its_proof_shows_and_no_more() {
    let (property, source, (from, to)) = TWINS.iter().find(|(_, source, _)| source.contains("mix ^ *q ^ *q")).unwrap();
    let (good, bad) = (compile(source, DataModel::Lp64), compile(&source.replacen(from, to, 1), DataModel::Lp64));
    let (good, bad) = (task(&good), task(&bad));
    let file = ProofFile::new(&[prove(&good, *property)], &[], &[], |_| Vec::new());
    let text = file.print(&good, &Origin::new(good.program, Vec::new(), Vec::new()));
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let asked = document["claims"][0]["obligations"].as_array().unwrap().clone();
    assert!(!asked.is_empty(), "{text}");
    let shown = document.pointer_mut("/claims/0/proof/Given/0/facts/0/obligations").expect("facts of a graph");
    shown.as_array_mut().unwrap().extend(asked);
    for task in [&good, &bad] {
        assert!(accepted(&document.to_string(), task).is_empty(), "{document}");
    }
    // Nor does it help to leave out what shows it.
    document.pointer_mut("/claims/0/proof/Given/0").unwrap()["facts"][0]["proof"] = "NoObligation".into();
    for task in [&good, &bad] {
        assert!(accepted(&document.to_string(), task).is_empty(), "{document}");
    }
}

fn recheck(proof: &Path, program: &Path) -> Output {
    belay().arg("recheck").arg(proof).arg(program).output().unwrap()
}

const PROGRAM: &str = "static int twice(int x) { return x > 1000 || x < 0 ? 0 : 2 * x; }
extern int __VERIFIER_nondet_int(void);
int table[4];
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    table[i & 3] = twice(i);
  return table[0];
}
";

/// What `check` writes is accepted, used by the next `check`, and compared with the program.
#[test]
fn what_is_stored_is_used_again_and_changes_are_named() {
    let scratch = Scratch::new("stored");
    let program = scratch.file("program.c", PROGRAM);
    let proof = scratch.path().join("program.proof");
    let check = || belay().arg("check").arg("--proof").arg(&proof).arg(&program).output().unwrap();
    let first = check();
    assert_eq!(first.status.code(), Some(0), "{}", shown(&first));
    let again = recheck(&proof, &program);
    assert_eq!(again.status.code(), Some(0), "{}", shown(&again));
    assert!(text(&again.stdout).contains("nothing has changed since"), "{}", shown(&again));
    let second = check();
    assert!(text(&second.stderr).contains("8 of 8 stored claims hold"), "{}", shown(&second));
    assert_eq!(text(&first.stdout), text(&second.stdout));

    let written = std::fs::read_to_string(&proof).unwrap();
    scratch.file("program.c", format!("\n/* moved */\n{PROGRAM}"));
    let moved = recheck(&proof, &program);
    assert!(moved.status.success() && text(&moved.stdout).contains("nothing has changed since"), "{}", shown(&moved));
    scratch.file("program.c", PROGRAM.replace("2 * x", "2147483647 + x"));
    let edited = recheck(&proof, &program);
    assert_eq!(edited.status.code(), Some(5), "{}", shown(&edited));
    assert!(text(&edited.stdout).contains("changed: the function twice has changed (main rel"), "{}", shown(&edited));
    assert!(text(&edited.stdout).contains("no-overflow: refused"), "{}", shown(&edited));
    let found = check();
    assert_eq!(found.status.code(), Some(10), "{}", shown(&found));
    // A violation is stored as its run, which is replayed. One that is none, or is one no more, is no violation.
    let violated = std::fs::read_to_string(&proof).unwrap();
    assert!(violated.contains("input i32 "), "{violated}");
    let again = check();
    assert_eq!((again.status.code(), text(&again.stdout)), (Some(10), text(&found.stdout)), "{}", shown(&again));
    std::fs::write(&proof, violated.replace("input i32 ", "input i32 -")).unwrap();
    assert_eq!(check().status.code(), Some(10), "the run is found anew");
    std::fs::write(&proof, &violated).unwrap();
    scratch.file("program.c", PROGRAM);
    let mended = check();
    assert_eq!(mended.status.code(), Some(0), "{}", shown(&mended));

    for (name, content) in [("cut", &written[..written.len() / 2]), ("empty", ""), ("other", "{\"format\": \"else\"}")]
    {
        let bad = scratch.file(name, content);
        let output = recheck(&bad, &program);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", shown(&output));
        assert_eq!(text(&output.stderr).lines().count(), 1, "{name}: {}", shown(&output));
    }
    let flags = scratch
        .file("flags", written.replace("\"--integers=machine\"", "\"--integers=machine\",\"--\",\"-fplugin=x.so\""));
    let output = recheck(&flags, &program);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("-fplugin"), "{}", shown(&output));
}

/// Clauses that may fail end no run of the user's program: what rests on them is accepted only where they are shown to hold, whether or not the file speaks of them.
#[test]
fn nothing_rests_on_clauses_that_may_fail() {
    let source = "void __CPROVER_assert(_Bool, const char *);
extern int __VERIFIER_nondet_int(void);
int table[10];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 9) return 0;
  __CPROVER_assert(0 <= n && n < 10, \"in range\");
  return table[n];
}
";
    let scratch = Scratch::new("stored-clauses");
    let program = scratch.file("program.c", source);
    let proof = scratch.path().join("program.proof");
    let options = ["check", "--property", "memsafety", "--engines", "bmc", "--proof"];
    let first = belay().args(options).arg(&proof).arg(&program).output().unwrap();
    assert_eq!(first.status.code(), Some(0), "{}", shown(&first));
    let again = recheck(&proof, &program);
    assert!(again.status.success() && text(&again.stdout).contains("valid-deref: accepted"), "{}", shown(&again));

    let written = std::fs::read_to_string(&proof).unwrap();
    let mut forged: Value = serde_json::from_str(&written).unwrap();
    let claims = forged["claims"].as_array_mut().unwrap();
    let all = claims.len();
    claims.retain(|claim| !claim["property"].to_string().contains("unreach-call"));
    assert_eq!(claims.len(), all - 1, "{written}");
    scratch.file("program.c", source.replace("if (n < 0 || n > 9) return 0;", ""));
    for file in [written, forged.to_string()] {
        std::fs::write(&proof, file).unwrap();
        let edited = recheck(&proof, &program);
        assert_eq!(edited.status.code(), Some(5), "{}", shown(&edited));
        assert!(text(&edited.stdout).contains("RECHECK 0 of"), "{}", shown(&edited));
    }
}

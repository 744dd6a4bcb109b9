//! Sums over arrays: what is proved, what never is, and random programs against the interpreter.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_ir::DataModel;
use snippets::{Random, proves_by_conditions, some_run_fails};

fn claims(source: &str) -> bool {
    proves_by_conditions(source, DataModel::Lp64, 4_000_000)
}

fn claimed(source: &str) {
    assert!(claims(source), "not claimed\n{source}");
}

fn never_claimed(source: &str) {
    assert!(!claims(source), "claimed\n{source}");
}

/// A sum of what an array holds, this in between, and the same subtracted again.
fn there_and_back(first: &str, between: &str, second: &str) -> String {
    format!(
        "short a[3000], b[3000]; int main(void) {{ int i, n = in; unsigned s = 0; if (n < 2 || n > 3000) return 0;
         for (i = 0; i < n; i++) {{ a[i] = in; b[i] = in; }}
         for (i = 0; i < n; i++) {first} {between}
         for (i = 0; i < n; i++) {second} check(s == 0); return 0; }}"
    )
}

#[test]
fn sums_that_vanish() {
    let plus = "s += a[i];";
    claimed(&there_and_back(plus, "", "s -= a[i];"));
    claimed(&there_and_back("{ s += a[i]; b[i] = 7; }", "", "s -= a[i];"));
    claimed(&there_and_back(
        plus,
        "for (i = 0; i < n; i++) s += b[i]; for (i = 0; i < n; i++) s -= a[i];",
        "s -= b[i];",
    ));
    // Other elements, other numbers, other arrays.
    never_claimed(&there_and_back(plus, "s++;", "s -= a[i];"));
    never_claimed(&there_and_back(plus, "", "s -= b[i];"));
    never_claimed(&there_and_back(plus, "", "s -= (unsigned short)a[i];"));
    never_claimed(&there_and_back(plus, "", "s -= (signed char)a[i];"));
    never_claimed(&there_and_back(plus, "", "s += a[i];"));
    never_claimed(&there_and_back(plus, "", "if (i != 1000) s -= a[i];"));
    never_claimed(&there_and_back(plus, "n--;", "s -= a[i];"));
    never_claimed(&there_and_back(plus, "s -= a[0];", "s -= a[i];"));
    never_claimed(&there_and_back(plus, "a[n - 1] = 7;", "s -= a[i];"));
    never_claimed(&there_and_back(plus, "", "{ s -= a[i]; if (i == 1000) a[i + 1] = 0; }"));
    never_claimed(&there_and_back("{ s += a[i]; if (i == 1000) a[i] = 0; }", "", "s -= a[i];"));
    never_claimed(&there_and_back("{ s += a[i]; if (i == 1000) i++; }", "", "s -= a[i];"));
    never_claimed(&there_and_back(plus, "", "{ if (i == 1000) break; s -= a[i]; }"));
}

#[test]
fn sums_of_what_is_stored() {
    let filled = |step: &str, between: &str| {
        format!(
            "int a[3000]; int main(void) {{ unsigned s = 0, t = 0; int i; for (i = 0; i < 3000; i++) {{ int x = in; a[i] = x; {step} }} {between}
             for (i = 0; i < 3000; i++) t += a[i]; check(s == t); return 0; }}"
        )
    };
    claimed(&filled("s += x;", ""));
    never_claimed(&filled("s += x; if (i == 2000) s++;", ""));
    never_claimed(&filled("if (i != 2000) s += x;", ""));
    never_claimed(&filled("s += x; if (i == 2000) a[i - 1] = 3;", ""));
    never_claimed(&filled("s += x;", "a[17] = 4;"));
}

/// Loops that add, subtract and write, over a small array.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut loops = Vec::new();
    for _ in 0..1 + random.below(3) {
        let end = random.pick(&["n", "n", "n", "3"]);
        let step = random.pick(&[
            "s += a[i];",
            "s -= a[i];",
            "s += a[i];",
            "t += b[i];",
            "{ a[i] = n; s += n; }",
            "{ s += a[i]; t -= a[i]; }",
            "s += (unsigned char)a[i];",
            "a[i] = b[i];",
        ]);
        loops.push(format!("for (i = 0; i < {end}; i++) {step}\n"));
    }
    let mut body = loops.concat();
    if random.below(3) == 0 {
        body += random.pick(&["s++;\n", "a[0] = 1;\n", "n = 2;\n", "t = s;\n", "a[n & 3] = b[1];\n"]);
    }
    // Often all of it is taken back.
    if random.below(3) > 0 {
        body += &loops.concat().replace("+= ", "?= ").replace("-= ", "+= ").replace("?= ", "-= ");
    }
    let shown = random.pick(&["s == 0", "s == t", "s + t == 0", "s == 0", "t == 0"]);
    format!(
        "signed char a[4], b[4]; int main(void) {{ int i, n = in & 3; unsigned s = 0, t = 0; a[1] = in - 2; b[0] = 3; b[2] = a[1];
         {body} check({shown}); return 0; }}"
    )
}

#[test]
fn random_sums() {
    let (mut proved, mut failing) = (0, 0);
    for seed in 0..SEEDS {
        let source = program(seed);
        let fails = some_run_fails(&source);
        let claims = proves_by_conditions(&source, DataModel::Lp64, 600_000);
        assert!(!(fails && claims), "claimed, but some run fails (seed {seed})\n{source}");
        proved += u32::from(claims);
        failing += u32::from(fails);
    }
    assert!(proved >= 2 && failing >= 10, "the programs say little: {proved} proved, {failing} failing");
}

/// Random programs.
const SEEDS: u64 = 24;

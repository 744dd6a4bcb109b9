//! Conditions about arrays whose elements are at multiples of several counters, or at other places than the counter: what is proved, what never is,
//! and random programs against the interpreter.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_ir::DataModel;
use snippets::{Random, proves_by_conditions, some_run_fails};

/// Steps of one attempt.
const STEPS: u64 = 4_000_000;

fn claimed(source: &str) {
    assert!(proves_by_conditions(source, DataModel::Lp64, STEPS), "not claimed\n{source}");
}

fn never_claimed(source: &str) {
    assert!(!proves_by_conditions(source, DataModel::Lp64, STEPS), "claimed\n{source}");
}

/// Two nested loops with this statement, and two that check a condition.
fn two_nests(declared: &str, outer: &str, inner: &str, step: &str, shown: &str) -> String {
    format!(
        "int a[300][400], b[300][400]; int main(void) {{ {declared} int i, j;
         for (i = {outer}; i++) for (j = {inner}; j++) {{ {step} }}
         for (i = 0; i < 300; i++) for (j = 0; j < 400; j++) check({shown}); return 0; }}"
    )
}

#[test]
fn two_dimensions() {
    let filled =
        |outer: &str, inner: &str, step: &str, shown: &str| two_nests("int e = in;", outer, inner, step, shown);
    let all = ("0; i < 300", "0; j < 400");
    claimed(&filled(all.0, all.1, "a[i][j] = e;", "a[i][j] == e"));
    claimed(&filled(all.0, all.1, "a[i][j] = i - j;", "a[i][j] == i - j"));
    claimed(&filled(all.0, all.1, "a[i][j] = b[i][j];", "a[i][j] == b[i][j]"));
    claimed(&filled(all.0, all.1, "a[i][j] = b[299 - i][j];", "a[i][j] == b[299 - i][j]"));
    claimed(&filled("0; i < 100", "0; j < 200", "a[i][j] = e;", "i >= 100 || j >= 200 || a[i][j] == e"));
    // One short, in either dimension.
    never_claimed(&filled("0; i < 299", all.1, "a[i][j] = e;", "a[i][j] == e"));
    never_claimed(&filled(all.0, "0; j < 399", "a[i][j] = e;", "a[i][j] == e"));
    never_claimed(&filled("1; i < 300", all.1, "a[i][j] = e;", "a[i][j] == e"));
    never_claimed(&filled(all.0, "1; j < 400", "a[i][j] = e;", "a[i][j] == e"));
    never_claimed(&filled("0; i < 100", "0; j < 200", "a[i][j] = e;", "i > 100 || j >= 200 || a[i][j] == e"));
    never_claimed(&filled("0; i < 100", "0; j < 200", "a[i][j] = e;", "i >= 100 || j > 200 || a[i][j] == e"));
    // Rounds that are left out, left early, or at other places.
    never_claimed(&filled(all.0, all.1, "a[i][j] = e; if (i == 200) j++;", "a[i][j] == e"));
    never_claimed(&filled(all.0, all.1, "if (i == 200 && j == 300) break; a[i][j] = e;", "a[i][j] == e"));
    never_claimed(&filled(all.0, all.1, "a[i][j] = e; if (i == 200 && j == 300) i++;", "a[i][j] == e"));
    never_claimed(&filled(all.0, all.1, "((int *)a)[399 * i + j] = e;", "a[i][j] == e"));
    never_claimed(&filled(all.0, all.1, "a[i][j] = i - j;", "a[i][j] == j - i"));
    // Written again.
    never_claimed(&filled(all.0, all.1, "a[i][j] = e; if (i == 200) a[i - 100][j] = 0;", "a[i][j] == e"));
    never_claimed(&filled(all.0, all.1, "a[i][j] = b[i][j]; if (j == 300) b[i][j - 100] = 0;", "a[i][j] == b[i][j]"));
    never_claimed(&filled(all.0, all.1, "a[i][j] = e; if (i == 299) e = 1;", "a[i][j] == e"));
}

#[test]
fn transposed_and_reversed() {
    let transposed = |step: &str| {
        format!(
            "int a[300][300], b[300][300]; int main(void) {{ int i, j; for (i = 0; i < 300; i++) for (j = 0; j < 300; j++) {{ {step} }}
             for (i = 0; i < 300; i++) for (j = 0; j < 300; j++) check(b[j][i] == a[i][j]); return 0; }}"
        )
    };
    claimed(&transposed("b[j][i] = a[i][j];"));
    never_claimed(&transposed("b[i][j] = a[i][j];"));
    never_claimed(&transposed("if (i != j) b[j][i] = a[i][j];"));
    let down = |from: &str, to: &str| {
        format!(
            "int a[300][400]; int main(void) {{ int e = in, i, j; for (i = {from}; i >= 0; i--) for (j = 399; j >= {to}; j--) a[i][j] = e;
             for (i = 0; i < 300; i++) for (j = 0; j < 400; j++) check(a[i][j] == e); return 0; }}"
        )
    };
    claimed(&down("299", "0"));
    never_claimed(&down("298", "0"));
    never_claimed(&down("299", "1"));
}

#[test]
fn the_greatest_of_two_dimensions() {
    let greatest = |outer: &str, test: &str| {
        format!(
            "int a[300][400]; int main(void) {{ int i, j; for (i = 0; i < 300; i++) for (j = 0; j < 400; j++) a[i][j] = in;
             int most = a[0][0]; for (i = 0; i < {outer}; i++) for (j = 0; j < 400; j++) if ({test}) most = a[i][j];
             for (i = 0; i < 300; i++) for (j = 0; j < 400; j++) check(a[i][j] <= most); return 0; }}"
        )
    };
    claimed(&greatest("300", "a[i][j] > most"));
    never_claimed(&greatest("299", "a[i][j] > most"));
    never_claimed(&greatest("300", "a[i][j] > most && j != 200"));
    never_claimed(&greatest("300", "a[i][j] != most"));
}

#[test]
fn three_dimensions_of_32_bits() {
    let cube = |inner: &str, shown: &str| {
        format!(
            "int main(void) {{ int n = 1000, e = in, i, j, k; int a[n][n][n];
             for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (k = 0; k < {inner}; k++) a[i][j][k] = e + i;
             for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (k = 0; k < n; k++) check(a[i][j][k] == {shown}); return 0; }}"
        )
        .replace("int e = in,", "unsigned e = in;")
    };
    let claims = |source: &str| proves_by_conditions(source, DataModel::Ilp32, STEPS);
    assert!(claims(&cube("n", "(int)(e + i)")), "a cube");
    assert!(!claims(&cube("n - 1", "(int)(e + i)")), "a cube that is not full");
    assert!(!claims(&cube("n", "(int)(e + j)")), "a cube with other values");
}

#[test]
fn elements_at_other_places_than_the_counter() {
    let points = |stored: &str, shown: &str| {
        format!(
            "struct point {{ int x, y; }}; struct point p[3000]; int main(void) {{ int i, e = in; for (i = 0; i < 3000; i++) {{ {stored} }}
             for (i = 0; i < 3000; i++) check({shown}); return 0; }}"
        )
    };
    claimed(&points("p[i].x = e; p[i].y = e + 1u;", "p[i].x == e"));
    claimed(&points("p[i].y = e;", "p[i].y == e"));
    never_claimed(&points("p[i].x = e;", "p[i].y == e"));
    never_claimed(&points("p[i].y = e; if (i == 2000) p[i - 7].y = 0;", "p[i].y == e"));
    never_claimed(&points("if (i != 2000) p[i].y = e;", "p[i].y == e"));
    let mirrored = |stored: &str| {
        format!(
            "int a[3000], b[3000]; int main(void) {{ int i, n = in; if (n < 1 || n > 3000) return 0; for (i = 0; i < n; i++) {{ {stored} }}
             for (i = 0; i < n; i++) check(b[i] == a[n - 1 - i]); return 0; }}"
        )
    };
    claimed(&mirrored("b[i] = a[n - 1 - i];"));
    never_claimed(&mirrored("b[i] = a[n - i];"));
    never_claimed(&mirrored("b[i] = a[n - 1 - i]; if (i == 2000) a[0] = 1;"));
}

/// Nested loops that fill, copy and read small arrays of two dimensions.
fn nests(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut body = String::new();
    for _ in 0..1 + random.below(3) {
        let outer = random.pick(&["i = 0; i < 3; i++", "i = 0; i < n; i++", "i = 2; i >= 0; i--", "i = 1; i < 3; i++"]);
        let inner = random.pick(&["j = 0; j < 4; j++", "j = 0; j < n; j++", "j = 3; j >= 0; j--", "j = 0; j < 3; j++"]);
        let place = random.pick(&["[i][j]", "[i][j]", "[i][j]", "[2 - i][j]", "[i][3 - j]", "[i][0]"]);
        let value =
            random.pick(&["0", "e", "i", "i + j", "b[i][j]", "a[i][j]", "p[j].y", "b[2 - i][j]", "a[i][3 - j]"]);
        let step = match random.below(6) {
            0..=2 => format!("a{place} = {value};"),
            3 => format!("b{place} = {value};"),
            4 => format!("if (a[i][j] > s) s = a{place};"),
            _ => format!("{{ a{place} = {value}; b[i][j] = a[i][j]; p[j].y = e; }}"),
        };
        body += &format!("for ({outer}) for ({inner}) {step}\n");
        if random.below(4) == 0 {
            body += random.pick(&["a[1][1] = 7;\n", "b[n][n] = e;\n", "e++;\n", "a[0][3] = b[2][0];\n"]);
        }
    }
    let shown = random.pick(&[
        "a[i][j] == b[i][j]",
        "a[i][j] == e",
        "a[i][j] <= s",
        "a[i][j] == i + j",
        "a[i][j] == b[2 - i][j]",
        "b[i][j] == 0",
        "p[j].y == e",
        "a[i][j] == 0 || a[i][j] == e",
    ]);
    let (rows, columns) = (random.pick(&["3", "n"]), random.pick(&["4", "n"]));
    format!(
        "struct {{ int x, y; }} p[4]; int a[3][4], b[3][4];
         int main(void) {{ int i, j, e = in & 3, n = in & 3, s = 0; {body}
         for (i = 0; i < {rows}; i++) for (j = 0; j < {columns}; j++) check({shown}); return 0; }}"
    )
}

#[test]
fn random_nests() {
    let (mut proved, mut failing) = (0, 0);
    for seed in 0..SEEDS {
        let source = nests(seed);
        let fails = some_run_fails(&source);
        let claims = proves_by_conditions(&source, DataModel::Lp64, STEPS);
        assert!(!(fails && claims), "claimed, but some run fails (seed {seed})\n{source}");
        proved += u32::from(claims);
        failing += u32::from(fails);
    }
    assert!(proved >= 3 && failing >= 10, "the programs say little: {proved} proved, {failing} failing");
}

/// Random programs.
const SEEDS: u64 = 24;

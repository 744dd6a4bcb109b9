//! Random programs about blocks that belong to nodes of lists, to elements of arrays and to arrays that end, where some have such a block and others do not: what a graph
//! shows of them no run contradicts. (A state that stands for both kinds once forgot the blocks of the one.)

use super::number;
use super::snippets::{self, Random};

/// What a node's `data` and `parts` are set to when it is made.
fn fill(random: &mut Random) -> &'static str {
    random.pick(&[
        "z->data = malloc(4); z->parts = 0;",
        "z->data = 0; z->parts = 0;",
        "z->data = malloc(4); z->parts = part(0); if (i & 1) z->parts = part(z->parts);",
        "z->data = 0; z->parts = part(part(0));",
        "z->parts = 0;",
        "z->data = &x; z->parts = 0;",
        "",
    ])
}

/// What happens to the list `f`, the table `a` and an array that ends.
fn statement(random: &mut Random) -> String {
    let filled = fill(random);
    match random.below(14) {
        0..=3 => format!("for (k = 0; k < n; k++) {{ struct N *z = malloc(sizeof *z); {filled} z->next = f; f = z; }}"),
        4 => format!("for (k = 0; k < n; k++) {{ a[k] = malloc(sizeof *a[k]); struct N *z = a[k]; {filled} z->next = 0; }} m = n;"),
        5 => "i += length(f);".to_owned(),
        6 => "for (struct N *z = f; z; z = z->next) z->v = 1;".to_owned(),
        7 => "for (struct N *z = f; z; z = z->next) z->parts = 0;".to_owned(),
        8 => "touch(f);".to_owned(),
        9 => "if (i & 1) { f = 0; __VERIFIER_assume(0); }".to_owned(),
        10 => "if (n) { int *v[n]; for (k = 0; k < n; k++) v[k] = malloc(4); if (i & 1) for (k = 0; k < n; k++) free(v[k]); }"
            .to_owned(),
        11 => "if (i & 2) memset(a, 0, sizeof a), m = 0;".to_owned(),
        12 => "while (f && i & 1) { struct N *h = f->next; free(f); f = h; }".to_owned(),
        _ => "if (f) { struct N *z = f; f = z->next; z->next = 0; drop(z, i); }".to_owned(),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 1 + random.below(4);
    let body: Vec<String> = (0..count).map(|_| statement(&mut random)).collect();
    let freed = random.pick(&["1", "3", "0", "2"]);
    let end = random.pick(&["return 0;", "exit(0);", "return 1 / (n - n);"]);
    format!(
        "struct S {{ struct S *next; }}; struct N {{ struct N *next; int v; int *data; struct S *parts; }}; struct N *a[8]; int x;
         struct S *part(struct S *s) {{ struct S *z = malloc(sizeof *z); z->next = s; return z; }}
         int length(struct N *f) {{ return f ? 1 + length(f->next) : 0; }}
         void touch(struct N *f) {{ if (!f) return; f->v = 2; touch(f->next); }}
         void drop(struct N *z, int how) {{
             if (how & 1) free(z->data);
             if (how & 2) while (z->parts) {{ struct S *h = z->parts->next; free(z->parts); z->parts = h; }}
             free(z); }}
         int main(void) {{ int n = in & 7, i = in & 7, k = 0, m = 0; struct N *f = 0;
         {}
         for (k = 0; k < m; k++) drop(a[k], {freed});
         while (f) {{ struct N *h = f->next; drop(f, {freed}); f = h; }}
         {end} }}",
        body.join("\n         ")
    )
}

#[test]
fn no_run_contradicts_a_graph_of_owned_blocks() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(50));
    let proved: usize = (first..first + count).map(|seed| snippets::check_graph(seed, program(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}
